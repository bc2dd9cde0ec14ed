"""Messages to a channel of Slack, checked by a receiver that answers as Slack does."""

import pytest

from service.desk import Desk
from tests.service.support.tables import table
from tests.support.destinations import add, base, begin_turns, deliver, read, states
from tests.support.hook_receiver import Receiver, Reply
from tests.support.hooks import after, owe, spread

FINE = Reply(200, b"ok")


def test_a_channel_is_told_in_text_and_blocks(lite: Desk, receiver: Receiver) -> None:
    """Names come escaped and inert; the only markup is our link to the page of the game."""
    receiver.usually = lambda _: FINE
    game, players = table(lite, "Ada", "Ben", title="<!channel> & *Sunday* @here")
    spread(lite)
    url = f"{base(receiver)}/services/T1/B1/secret"
    add(lite, players[0], "slack", {"url": url}, types=["decision.opened"])
    begin_turns(lite, game, players)
    assert ["sent"] == states(deliver(lite, "slack"))

    (call,) = receiver.calls
    sentence, link = (block["text"] for block in call.payload["blocks"])
    assert "plain_text" == sentence["type"]
    assert "&lt;!channel&gt; &amp; *Sunday*" in sentence["text"]
    for text in (sentence["text"], call.payload["text"]):
        assert "@here" not in text
        assert "<!channel>" not in text
    page = f"{lite.settings.public_url}/games/{game}"
    assert f"<{page}|Open the game>" == link["text"]
    assert call.payload["text"].endswith(f"\n<{page}>")


@pytest.mark.parametrize("status", [403, 404, 410])
def test_a_webhook_that_is_gone_ends_the_destination(
    lite: Desk, receiver: Receiver, status: int
) -> None:
    """A removed app, a deleted webhook and an archived channel switch the destination off."""
    receiver.usually = lambda _: Reply(status, b"no_service")
    _game, players = table(lite, "Ada", "Ben")
    made = add(lite, players[0], "slack", {"url": f"{base(receiver)}/services/T1/B1/secret"})
    deliver(lite, "slack")

    assert 1 == len(receiver.calls)
    assert not read(lite, players[0], made)["on"]


def test_slack_is_given_the_time_it_asks_for(lite: Desk, receiver: Receiver) -> None:
    """`Retry-After` holds the destination, also for other messages."""
    receiver.usually = lambda _: FINE
    game, players = table(lite, "Ada", "Ben")
    spread(lite)
    url = f"{base(receiver)}/services/T1/B1/secret"
    add(lite, players[0], "slack", {"url": url}, types=["decision.opened", "game.finished"])
    begin_turns(lite, game, players)
    receiver.reply(429, b"rate_limited", retry_after="1200")
    assert ["again"] == states(deliver(lite, "slack"))
    owe(lite, players[0], "game_finished", game=game, seat=0, version=9)
    assert {"again"} == set(states(deliver(lite, "slack")))
    deliver(after(lite, minutes=10), "slack")
    assert 1 == len(receiver.calls)

    assert "sent" in states(deliver(after(lite, minutes=45), "slack"))
