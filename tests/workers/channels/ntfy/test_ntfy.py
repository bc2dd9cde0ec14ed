"""Messages to topics of ntfy, checked by a receiver that answers as ntfy does."""

import pytest
from sqlalchemy import select

from engine import Refusal
from service.desk import Desk
from service.games import talk
from service.notify.destinations import managing
from service.people import accounts
from store.tables import notices, seats
from tests.service.support.owing import change, claim_mail
from tests.service.support.tables import player, table
from tests.support.destinations import add, base, begin_turns, caller, deliver, read, states
from tests.support.hook_receiver import Receiver, Reply
from tests.support.hooks import after, owe, spread
from tests.support.hooks import caller as everything
from workers.channels.mail.letters.compose import Composer

PUBLISHED = Reply(200, b'{"id": "x", "event": "message", "topic": "my-trains"}')


@pytest.fixture
def ntfy(receiver: Receiver) -> Receiver:
    """A receiver that answers as ntfy does."""
    receiver.usually = lambda _: PUBLISHED
    return receiver


def test_a_message_is_published_as_json(lite: Desk, ntfy: Receiver) -> None:
    """The request goes to the server, with the topic in its body and the token in a header."""
    game, players = table(lite, "Ada", "Ben", title="Sunday trains")
    spread(lite)
    for account in players:
        address = {"url": f"{base(ntfy)}/behind/my-{account}", "token": "tk_secret"}
        add(lite, account, "ntfy", address, types=["decision.opened"])
    turn = begin_turns(lite, game, players)
    assert ["sent"] == states(deliver(lite, "ntfy"))

    (call,) = ntfy.calls
    assert "/behind/" == call.path
    assert "Bearer tk_secret" == call.headers["authorization"]
    assert {
        "topic": f"my-{turn}",
        "title": "Sunday trains",
        "message": "It is your move. 3 days left.",
        "click": f"{lite.settings.public_url}/games/{game}",
        "tags": ["steam_locomotive"],
    } == call.payload


def test_a_topic_of_two_players_is_told_once(lite: Desk, ntfy: Receiver) -> None:
    """Two players share a topic: the start of their game comes there once."""
    game, players = table(lite, "Ada", "Ben")
    for account in players:
        url = f"{base(ntfy)}/our-trains"
        add(lite, account, "ntfy", {"url": url}, types=["game.started"])
    assert ["sent", "superseded"] == sorted(states(deliver(lite, "ntfy")))
    assert [f"/games/{game}"] == [
        call.payload["click"].removeprefix(lite.settings.public_url) for call in ntfy.calls
    ]


def test_talk_is_not_quoted(lite: Desk, ntfy: Receiver) -> None:
    """A message about table talk says who has written, and not what."""
    game, (ada, ben) = table(lite, "Ada", "Ben")
    spread(lite)
    add(lite, ben, "ntfy", {"url": f"{base(ntfy)}/ben"}, types=["message.posted"])
    talk.say(lite, ada, game, "I hold the long one", None)
    assert ["sent"] == states(deliver(after(lite, minutes=5), "ntfy"))

    (call,) = ntfy.calls
    assert call.payload["message"].endswith("has written at the table.")
    assert b"long one" not in call.body


def test_a_failure_is_seen_and_its_end_too(lite: Desk, ntfy: Receiver) -> None:
    """A server that is down is retried and shown as failing; a success ends that."""
    _game, players = table(lite, "Ada", "Ben")
    made = add(lite, players[0], "ntfy", {"url": f"{base(ntfy)}/t"}, types=["game.started"])
    ntfy.reply(503)
    assert ["again"] == states(deliver(lite, "ntfy"))
    seen = read(lite, players[0], made)
    assert seen["failing_since"] == seen["last_failure"] is not None
    assert "The other side answered with status 503." == seen["last_error"]
    assert seen["last_success"] is None

    later = after(lite, minutes=5)
    assert ["sent"] == states(deliver(later, "ntfy"))
    seen = read(lite, players[0], made)
    assert (None, later.now()) == (seen["failing_since"], seen["last_success"])
    assert seen["last_error"] is not None  # what went wrong last can still be read


def test_lasting_failures_switch_it_off_and_say_so(lite: Desk, ntfy: Receiver) -> None:
    """After three days without a success it is switched off, with a letter to its owner."""
    _game, players = table(lite, "Ada", "Ben")
    made = add(lite, players[0], "ntfy", {"url": f"{base(ntfy)}/t"}, types=["game.started"])
    email = {"email": "ada@example.org", "email_confirmed": lite.now()}
    change(lite, players[0], **email)
    ntfy.usually = lambda _: Reply(500)
    for hours in (0, 1, 2, 4, 10, 20, 44, 80):
        deliver(after(lite, hours=hours), "ntfy")
    seen = read(lite, players[0], made)
    assert not seen["on"]
    assert "Nothing has arrived for 3 days." == seen["off_reason"]
    deliver(lite, "ntfy")
    letters = [
        letter for letter in claim_mail(after(lite, days=9), 99)
        if letter[0].kind == "destination_paused"
    ]  # fmt: skip
    (letter,) = letters
    composed = Composer(lite, pictures=False).composed(letter)
    assert composed is not None
    assert b"Nothing has arrived for 3 days." in composed.message

    managing.change(lite, caller(players[0]), made["id"], {"on": True})
    assert read(lite, players[0], made)["failing_since"] is None


def test_a_test_is_sent_at_once_and_not_repeated(lite: Desk, ntfy: Receiver) -> None:
    """The result of a test is stored with the destination, whether or not it arrived."""
    ada = player(lite, "Ada")
    made = add(lite, ada, "ntfy", {"url": f"{base(ntfy)}/t"})
    seen = managing.send_test(lite, caller(ada), made["id"], None)
    assert "waiting" == seen["test"]["state"]
    assert ["sent"] == states(deliver(lite, "ntfy"))
    assert "sent" == read(lite, ada, made)["test"]["state"]
    assert "This is a test: messages arrive here." == ntfy.calls[0].payload["message"]

    with pytest.raises(Refusal, match="just sent a test"):
        managing.send_test(lite, caller(ada), made["id"], None)
    ntfy.reply(500)
    later = after(lite, minutes=1)
    managing.send_test(later, caller(ada), made["id"], None)
    assert ["failed"] == states(deliver(later, "ntfy"))
    assert "The other side answered with status 500." == read(lite, ada, made)["test"]["error"]
    assert [] == deliver(after(lite, days=2), "ntfy")


def test_without_mail_there_is_still_a_message(lite: Desk, ntfy: Receiver) -> None:
    """“Never” is about mail: a destination is switched off on its own; a muted game is quiet."""
    game, (ada, _) = table(lite, "Ada", "Ben")
    spread(lite)
    add(lite, ada, "ntfy", {"url": f"{base(ntfy)}/ada"}, types=["game.finished"])
    off = {"notifications": {"mode": "off", "quiet_hours": None}}
    accounts.change(lite, everything(ada), off, "127.0.0.1")
    owe(lite, ada, "game_finished", game=game, seat=0, version=1)
    assert ["sent"] == states(deliver(lite, "ntfy"))

    with lite.database.writing() as tx:
        tx.execute(seats.update().values(muted=lite.now()))
    owe(lite, ada, "game_finished", game=game, seat=0, version=2)
    assert [] == deliver(lite, "ntfy")


def test_quiet_hours_hold_a_message(lite: Desk, ntfy: Receiver) -> None:
    """A message of the night comes in the morning."""
    game, (ada, _) = table(lite, "Ada", "Ben")
    spread(lite)
    add(lite, ada, "ntfy", {"url": f"{base(ntfy)}/ada"}, types=["game.finished"])
    quiet = {"mode": "each_turn", "quiet_hours": {"from": "22:00", "to": "08:00"}}
    accounts.change(lite, everything(ada), {"notifications": quiet}, "127.0.0.1")
    night = lite._replace(now=lambda: "2099-03-02T23:00:00.000Z")
    owe(night, ada, "game_finished", game=game, seat=0, version=1)
    assert [] == deliver(night, "ntfy")
    assert [] == deliver(after(night, hours=8), "ntfy")
    assert ["sent"] == states(deliver(after(night, hours=9.1), "ntfy"))


def test_bundled_turns_are_one_message(lite: Desk, ntfy: Receiver) -> None:
    """Turns of two games come together, each with the title of its game."""
    titles = ("North", "South")
    ada = ""
    for title in titles:
        game, players = table(lite, f"Ada {title}", f"Ben {title}", title=title)
        with lite.database.writing() as tx:
            if ada:
                mine = seats.c.account == players[0]
                tx.execute(seats.update().where(mine).values(account=ada))
            ada = ada or players[0]
            tx.execute(notices.delete())
        with lite.database.reading() as tx:
            mine = (seats.c.account == ada) & (seats.c.game == game)
            number = tx.scalar(select(seats.c.number).where(mine))
        if title == titles[0]:
            add(lite, ada, "ntfy", {"url": f"{base(ntfy)}/ada"}, types=["decision.opened"])
            bundled = {"notifications": {"mode": "merged", "quiet_hours": None}}
            accounts.change(lite, everything(ada), bundled, "127.0.0.1")
        owe(lite, ada, "decision_opened", game=game, seat=number, version=0)
    deliver(after(lite, hours=1), "ntfy")

    (call,) = ntfy.calls
    lines = call.payload["message"].splitlines()
    assert sorted(f"{title}: It is your move." for title in titles) == sorted(
        line.partition(" 2 days")[0].partition(" 3 days")[0] for line in lines
    )
    assert call.payload["click"].endswith("/games")


@pytest.mark.parametrize("url", ["", "https://ntfy.example.org/", "https://x.example.org/a b"])
def test_a_topic_needs_a_name(desk: Desk, url: str) -> None:
    """An address without a topic is refused."""
    with pytest.raises(Refusal, match="url"):
        add(desk, player(desk, "Ada"), "ntfy", {"url": url})
