"""Messages to rooms of Matrix, checked by a receiver that answers as a homeserver does."""

from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import orjson
import pytest

from service.desk import Desk
from service.notify.destinations import connecting, managing
from tests.service.support.tables import player, table
from tests.support.destinations import (
    add,
    base,
    begin_turns,
    caller,
    deliver,
    posting,
    read,
    states,
)
from tests.support.hook_receiver import Call, Receiver, Reply
from tests.support.hooks import after, spread
from workers.channels.matrix.code_reader import CodeReader

TOKEN = "syt_not_a_real_token"  # noqa: S105  # of no account
ROOM, ALIAS = "!room:example.org", "#trains:example.org"
API = "/_matrix/client/v3/"


class Homeserver:
    """One room, to which we may be invited, and what is written there."""

    def __init__(self) -> None:
        self.is_invited = False
        self.talk: list[tuple[str, str]] = []
        self.written: dict[str, dict[str, Any]] = {}
        self.refusal: tuple[int, dict[str, Any]] | None = None

    def answer(self, call: Call) -> Reply:
        """Answer a call of our account."""
        if call.headers["authorization"] != f"Bearer {TOKEN}":
            return _reply(401, {"errcode": "M_UNKNOWN_TOKEN"})
        path = unquote(call.path.removeprefix(API))
        if path in (f"join/{ROOM}", f"join/{ALIAS}"):
            if self.is_invited:
                return _reply(200, {"room_id": ROOM})
            return _reply(403, {"errcode": "M_FORBIDDEN"})
        if path.startswith(f"rooms/{ROOM}/messages?"):
            events = [
                {"type": "m.room.message", "sender": who, "content": {"body": text}}
                for who, text in self.talk
            ]
            return _reply(200, {"chunk": events})
        if self.refusal:
            return _reply(*self.refusal)
        assert ("PUT", True) == (call.method, path.startswith(f"rooms/{ROOM}/send/m.room.message/"))
        self.written[path.rpartition("/")[2]] = call.payload
        return _reply(200, {"event_id": "$1"})


def _reply(status: int, body: dict[str, Any]) -> Reply:
    return Reply(status, orjson.dumps(body))


@pytest.fixture
def homeserver(receiver: Receiver) -> Homeserver:
    """A stand-in for a homeserver."""
    made = Homeserver()
    receiver.usually = made.answer
    return made


@pytest.fixture
def office(lite: Desk, receiver: Receiver) -> Desk:
    """A desk whose operator has an account on the homeserver."""
    account: dict[str, Any] = {
        "matrix_homeserver": base(receiver),
        "matrix_user": "@nightmail:example.org",
        "matrix_token": TOKEN,
    }
    return lite._replace(settings=replace(lite.settings, **account))


def look(office: Desk) -> None:
    """Read the rooms from which codes may come, as the worker does."""
    connector = posting("matrix").connector(office.settings)
    CodeReader(office, connector).look(connecting.waiting(office, "matrix"))
    connector.close()


def connected(office: Desk, homeserver: Homeserver, account: str) -> dict[str, Any]:
    """A destination whose code was written in the room."""
    made = add(office, account, "matrix", {"room": ALIAS})
    homeserver.is_invited = True
    homeserver.talk.append(("@ada:example.org", made["connect"]["text"]))
    look(office)
    return read(office, account, made)


def test_a_room_is_connected_by_its_code(office: Desk, homeserver: Homeserver) -> None:
    """We join a room when we are invited, and believe only a code that somebody else wrote."""
    ada = player(office, "Ada")
    made = add(office, ada, "matrix", {"room": ALIAS})
    assert "Invite @nightmail:example.org to the room." == made["connect"]["before"]
    text = made["connect"]["text"]
    homeserver.talk.append(("@nightmail:example.org", text))
    look(office)
    homeserver.is_invited = True
    look(office)
    assert read(office, ada, made)["connect"] is not None

    homeserver.talk.append(("@ada:example.org", text))
    look(office)
    seen = read(office, ada, made)
    assert (None, True) == (seen["connect"], seen["shared"])
    assert f"Matrix: {ALIAS}" == seen["label"]


def test_a_message_mentions_nobody(office: Desk, homeserver: Homeserver) -> None:
    """The formatted text is escaped, nobody is mentioned, and a repetition has the same id."""
    game, players = table(office, "Ada", "Ben", title="@room <b>x</b> & <a href='x'>")
    spread(office)
    connected(office, homeserver, players[0])
    begin_turns(office, game, players)
    deliver(office, "matrix")

    for content in homeserver.written.values():
        assert ("m.text", {}) == (content["msgtype"], content["m.mentions"])
        assert "@room" not in content["body"]
        assert "@room" not in content["formatted_body"]
        page = f"{office.settings.public_url}/games/{game}"
        assert content["body"].endswith(f"\n{page}")
        ours = f'<br><a href="{page}">Open the game</a>'
        assert content["formatted_body"].endswith(ours)
        theirs = content["formatted_body"].removesuffix(ours)
        assert "<" not in theirs
        assert "&lt;b&gt;x&lt;" in theirs
    assert homeserver.written


@pytest.mark.parametrize(
    ("status", "body", "on"),
    [
        (403, {"errcode": "M_FORBIDDEN"}, False),
        (404, {"errcode": "M_NOT_FOUND"}, False),
        (401, {"errcode": "M_UNKNOWN_TOKEN"}, True),
        (429, {"errcode": "M_LIMIT_EXCEEDED", "retry_after_ms": 900_000}, True),
        (502, {}, True),
    ],
)
def test_answers_of_a_homeserver(
    office: Desk,
    homeserver: Homeserver,
    status: int,
    body: dict[str, Any],
    on: bool,  # noqa: FBT001
) -> None:
    """Being removed from a room ends the destination; a limit holds it for as long as it says."""
    game, players = table(office, "Ada", "Ben")
    spread(office)
    made = connected(office, homeserver, players[0])
    begin_turns(office, game, players)
    homeserver.refusal = status, body
    deliver(office, "matrix")
    assert on == read(office, players[0], made)["on"]
    if status == 429:
        homeserver.refusal = None
        deliver(after(office, minutes=10), "matrix")
        assert {} == homeserver.written
        deliver(after(office, hours=2), "matrix")
        assert homeserver.written


def test_a_test_arrives_in_the_room(office: Desk, homeserver: Homeserver) -> None:
    """A test is sent to the room that the alias leads to."""
    ada = player(office, "Ada")
    made = connected(office, homeserver, ada)
    managing.send_test(office, caller(ada), made["id"], None)
    assert ["sent"] == states(deliver(office, "matrix"))
