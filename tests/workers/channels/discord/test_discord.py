"""Messages to a channel of Discord, checked by a receiver that answers as Discord does."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine import Refusal
from service.desk import Desk
from service.notify.destinations import managing
from tests.service.support.tables import play, player, table
from tests.support.destinations import (
    add,
    begin_turns,
    caller,
    deliver,
    name_of,
    read,
    room_url,
    states,
    take_turn,
)
from tests.support.hook_receiver import Call, Receiver, Reply
from tests.support.hooks import after, spread
from workers.channels.discord.channel import DiscordChannel

WEBHOOK = DiscordChannel().inputs()[0].hint.replace("…", "1/token")
"""The URL of a webhook as Discord makes them; it is never called."""


def as_discord(call: Call) -> Reply:
    """Answer as Discord does: a webhook when it is read, no content when it is executed."""
    if call.method == "GET":
        return Reply(200, b'{"id": "1", "channel_id": "42", "guild_id": "7", "name": "Trains"}')
    return Reply(204)


@pytest.fixture
def discord(receiver: Receiver) -> Receiver:
    """A receiver that answers as Discord does."""
    receiver.usually = as_discord
    return receiver


def posts(receiver: Receiver) -> list[str]:
    """The texts that were posted, in order."""
    return [call.payload["content"] for call in receiver.calls if call.method == "POST"]


def test_a_room_is_told_whose_move_it_is(lite: Desk, discord: Receiver) -> None:
    """A message names who is asked and links to the public page; nobody is mentioned."""
    game, players = table(lite, "Ada", "Ben", title="Sunday trains")
    spread(lite)
    add(lite, players[0], "discord", {"url": room_url(discord)}, types=["decision.opened"])
    turn = begin_turns(lite, game, players)
    assert ["sent"] == states(deliver(lite, "discord"))

    lookup, post = discord.calls
    assert ("GET", "POST") == (lookup.method, post.method)
    assert f"It is the move of {name_of(lite, turn)}." in post.payload["content"]
    assert post.payload["content"].startswith("Sunday trains: ")
    assert post.payload["content"].endswith(f"\n<{lite.settings.public_url}/games/{game}>")
    assert {"parse": []} == post.payload["allowed_mentions"]
    assert 4 == post.payload["flags"]


def test_two_webhooks_of_one_channel_are_one_room(here: Desk, discord: Receiver) -> None:
    """Two players have made webhooks for the same channel; each event comes there once."""
    game, players = table(here, "Ada", "Ben")
    spread(here)
    for number, account in enumerate(players, 1):
        url = room_url(discord, number)
        add(here, account, "discord", {"url": url}, types=["decision.opened", "game.finished"])
    first = begin_turns(here, game, players)
    assert ["sent", "superseded"] == sorted(states(deliver(here, "discord")))
    take_turn(here, game, first)
    deliver(after(here, hours=1), "discord")

    assert 2 == len(posts(discord)), posts(discord)


def test_decisions_of_several_players_are_one_event(lite: Desk, discord: Receiver) -> None:
    """While both choose their tickets, the room is told once, with both names."""
    _game, players = table(lite, "Ada", "Ben")
    add(lite, players[0], "discord", {"url": room_url(discord)}, types=["decision.opened"])
    assert ["sent", "superseded"] == sorted(states(deliver(lite, "discord")))

    (text,) = posts(discord)
    assert "Waiting for the decisions of " in text
    assert {"Ada", "Ben"} <= set(text.replace(",", " ").replace(".", " ").split())


def test_a_room_is_not_told_of_each_step_of_a_turn(lite: Desk, discord: Receiver) -> None:
    """After the first of two cards it is still the same turn."""
    game, players = table(lite, "Ada", "Ben")
    spread(lite)
    add(lite, players[0], "discord", {"url": room_url(discord)}, types=["decision.opened"])
    turn = begin_turns(lite, game, players)
    deliver(lite, "discord")
    play(lite, game, turn, "draw")
    assert ["superseded"] == states(deliver(after(lite, hours=1), "discord"))
    assert 1 == len(posts(discord))


def test_markup_and_mentions_of_names_are_inert(lite: Desk, discord: Receiver) -> None:
    """A title full of markup comes as text: no mention, no link, no formatting."""
    title = "@everyone <@1> **b** [x](http://evil.example) `c`"
    game, players = table(lite, "Ada", "Ben", title=title)
    spread(lite)
    add(lite, players[0], "discord", {"url": room_url(discord)}, types=["decision.opened"])
    begin_turns(lite, game, players)
    deliver(lite, "discord")

    (text,) = posts(discord)
    for alive in ("@everyone", "<@1>", "**", "[x](", "http://evil", "evil.example", " `c`"):
        assert alive not in text.partition("\n<")[0]
    assert "everyone" in text


def test_discord_is_given_the_time_it_asks_for(lite: Desk, receiver: Receiver) -> None:
    """A 429 with `retry_after` in its body holds the destination for that long, not longer."""
    game, players = table(lite, "Ada", "Ben")
    spread(lite)
    made = add(lite, players[0], "discord", {"url": room_url(receiver)}, types=["decision.opened"])
    begin_turns(lite, game, players)
    receiver.reply(200, {"channel_id": "42"})
    receiver.reply(429, {"message": "slow", "retry_after": 600.5, "global": False})
    assert ["again"] == states(deliver(lite, "discord"))
    deliver(after(lite, minutes=8), "discord")
    assert 2 == len(receiver.calls)  # it is not called before the time is over

    assert "sent" in states(deliver(after(lite, minutes=30), "discord"))
    assert read(lite, players[0], made)["failing_since"] is None


def test_a_deleted_webhook_ends_the_destination(lite: Desk, receiver: Receiver) -> None:
    """404 switches it off with the reason, and its owner is notified; nothing is retried."""
    game, players = table(lite, "Ada", "Ben")
    spread(lite)
    made = add(lite, players[0], "discord", {"url": room_url(receiver)})
    receiver.usually = lambda _: Reply(404, b'{"message": "Unknown Webhook", "code": 10015}')
    begin_turns(lite, game, players)
    assert {"failed"} == set(states(deliver(lite, "discord")))

    seen = read(lite, players[0], made)
    assert not seen["on"]
    assert "The other side does not know this address any more." == seen["off_reason"]
    assert seen["last_failure"] is not None
    assert [seen["label"]] == managing.paused(lite, players[0])
    before = len(receiver.calls)
    assert [] == deliver(after(lite, days=2), "discord")
    assert before == len(receiver.calls)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/1/token", "/1"),
        ("/api/webhooks/1/token", "/channels/1/2"),
        ("https://", "https://trains.example.org/?"),
        (".com/", ".com.example.org/"),
        ("https:", "http:"),
        ("/token", "/token?wait=true"),
        ("https://", "https://127.0.0.1@"),
    ],
)
def test_only_webhooks_of_discord_are_taken(desk: Desk, before: str, after: str) -> None:
    """A URL that is not a webhook of Discord is refused, and nothing is stored."""
    strict = desk._replace(settings=replace(desk.settings, webhook_targets="public"))
    ada = player(desk, "Ada")
    with pytest.raises(Refusal, match="url"):
        add(strict, ada, "discord", {"url": WEBHOOK.replace(before, after)})
    assert [] == managing.listed(desk, caller(ada))
    assert add(strict, ada, "discord", {"url": WEBHOOK})["on"]


def test_an_address_is_never_shown(desk: Desk) -> None:
    """What its owner and the database see of a webhook holds no part of its token."""
    ada = player(desk, "Ada")
    made = add(desk, ada, "discord", {"url": WEBHOOK.replace("/1/token", "/1234567/s3cret")})

    assert "s3cret" not in str(made)
    assert "Discord …4567" == made["label"]
    database = Path(desk.settings.database_url.removeprefix("sqlite:///"))
    stored = b"".join(file.read_bytes() for file in database.parent.glob(f"{database.name}*"))
    assert b"Discord" in stored
    assert b"s3cret" not in stored
