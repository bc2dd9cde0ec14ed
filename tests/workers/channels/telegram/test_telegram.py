"""Messages by a bot of Telegram, checked by a receiver that answers as Telegram does."""

from dataclasses import replace
from threading import Event
from typing import Any

import orjson
import pytest

from engine import Refusal
from service.desk import Desk
from service.notify.destinations import connecting, documents, managing
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
from tests.support.waiting import until
from workers.channels.telegram.code_reader import CodeReader

TOKEN = "123456:not-a-real-token"  # noqa: S105  # of no bot


class Telegram:
    """What people have sent to the bot, and what it has written."""

    def __init__(self) -> None:
        self.updates: list[dict[str, Any]] = []
        self.written: list[dict[str, Any]] = []
        self.refusal: tuple[int, dict[str, Any]] | None = None

    def says(self, text: str, **chat: Any) -> None:
        """Let somebody write to the bot."""
        message = {"message_id": 1, "chat": chat, "text": text}
        self.updates.append({"update_id": 100 + len(self.updates), "message": message})

    def answer(self, call: Call) -> Reply:
        """Answer a call of the bot."""
        start = f"/bot{TOKEN}/"
        if not call.path.startswith(start):
            return _reply(401, {"ok": False, "error_code": 401, "description": "Unauthorized"})
        if call.path == f"{start}getUpdates":
            offset = call.payload["offset"]
            new = [update for update in self.updates if update["update_id"] >= offset]
            return _reply(200, {"ok": True, "result": new[: call.payload["limit"]]})
        if self.refusal:
            return _reply(*self.refusal)
        self.written.append(call.payload)
        return _reply(200, {"ok": True, "result": {"message_id": 2}})


def _reply(status: int, body: dict[str, Any]) -> Reply:
    return Reply(status, orjson.dumps(body), {"content-type": "application/json"})


@pytest.fixture
def telegram(receiver: Receiver) -> Telegram:
    """A stand-in for Telegram."""
    made = Telegram()
    receiver.usually = made.answer
    return made


@pytest.fixture
def office(lite: Desk, receiver: Receiver) -> Desk:
    """A desk whose operator has a bot."""
    bot: dict[str, Any] = {
        "telegram_bot": "trains_bot",
        "telegram_token": TOKEN,
        "telegram_api": base(receiver),
    }
    return lite._replace(settings=replace(lite.settings, **bot))


def connected(office: Desk, telegram: Telegram, account: str, **chat: Any) -> dict[str, Any]:
    """A destination whose code has come from this chat."""
    made = add(office, account, "telegram", {})
    telegram.says(made["connect"]["text"], **chat)
    look(office)
    return read(office, account, made)


def look(office: Desk) -> None:
    """Read what was sent to the bot, as the worker does."""
    channel = posting("telegram")
    connector = channel.connector(office.settings)
    CodeReader(office, connector).look(connecting.waiting(office, "telegram"))
    connector.close()


def test_a_chat_is_connected_by_its_code(office: Desk, telegram: Telegram) -> None:
    """The start link carries a code; the chat that sends it becomes the destination."""
    ada = player(office, "Ada")
    made = add(office, ada, "telegram", {})
    code = made["connect"]["text"].rpartition(" ")[2]
    links = [link["url"] for link in made["connect"]["links"]]
    assert [f"trains_bot?start={code}", f"trains_bot?startgroup={code}"] == [
        link.rpartition("/")[2] for link in links
    ]
    telegram.says("/start 0123456789abcdef", id=66, type="private", first_name="Eve")
    telegram.says(f"/start {code}", id=77, type="private", first_name="Ada")
    look(office)

    seen = read(office, ada, made)
    assert (None, False, "Telegram: Ada") == (seen["connect"], seen["shared"], seen["label"])
    managing.send_test(office, caller(ada), made["id"], None)
    assert ["sent"] == states(deliver(office, "telegram"))
    assert 77 == telegram.written[0]["chat_id"]
    assert "parse_mode" not in telegram.written[0]


def test_a_worker_reads_codes_while_one_may_come(office: Desk, telegram: Telegram) -> None:
    """The lane of the channel connects a chat without any request to us."""
    ada = player(office, "Ada")
    made = add(office, ada, "telegram", {})
    telegram.says(made["connect"]["text"], id=-5, type="supergroup", title="Trains")
    stopping = Event()
    lane = posting("telegram").lane(office, stopping)
    lane.start()
    try:
        until(lambda: read(office, ada, made)["connect"] is None, "the chat is connected")
    finally:
        stopping.set()
        lane.wake()
        lane.join()
    assert read(office, ada, made)["shared"]


def test_a_code_does_not_last(office: Desk, telegram: Telegram) -> None:
    """An hour later the code connects nothing, and the page says so."""
    ada = player(office, "Ada")
    made = add(office, ada, "telegram", {})
    telegram.says(made["connect"]["text"], id=77, type="private", first_name="Ada")
    late = after(office, hours=2)
    look(late)
    assert read(late, ada, made)["connect"]["expired"]
    with pytest.raises(Refusal, match="not connected"):
        managing.send_test(late, caller(ada), made["id"], None)


def test_a_group_hears_of_everybody_in_plain_text(office: Desk, telegram: Telegram) -> None:
    """A group is a room: the message names who is asked, and nobody's name mentions anybody."""
    game, players = table(office, "Ada", "Ben", title="@admin /leave <b>x</b> _y_")
    spread(office)
    made = connected(office, telegram, players[0], id=-5, type="group", title="Trains")
    assert made["shared"]
    begin_turns(office, game, players)
    deliver(office, "telegram")

    texts = [message["text"] for message in telegram.written]
    assert any("It is the move of " in text for text in texts)
    for text in texts:
        assert "@admin" not in text
        assert "/leave" not in text
        assert text.endswith(f"\n{office.settings.public_url}/games/{game}")


@pytest.mark.parametrize(
    ("status", "body", "on"),
    [
        (403, {"description": "Forbidden: bot was kicked from the group chat"}, False),
        (400, {"description": "Bad Request: chat not found"}, False),
        (400, {"description": "upgraded", "parameters": {"migrate_to_chat_id": -100}}, False),
        (401, {"description": "Unauthorized"}, True),
        (500, {"description": "Internal Server Error"}, True),
        (429, {"description": "slow", "parameters": {"retry_after": 900}}, True),
    ],
)
def test_what_cannot_end_by_itself_ends_the_destination(
    office: Desk,
    telegram: Telegram,
    status: int,
    body: dict[str, Any],
    on: bool,  # noqa: FBT001
) -> None:
    """A kicked bot and an unknown chat end it, with a reason; a wrong token is the operator's."""
    game, players = table(office, "Ada", "Ben")
    spread(office)
    made = connected(office, telegram, players[0], id=-5, type="group", title="Trains")
    begin_turns(office, game, players)
    telegram.refusal = status, {"ok": False, "error_code": status, **body}
    deliver(office, "telegram")

    seen = read(office, players[0], made)
    assert on == seen["on"]
    assert on == (seen["off_reason"] is None)
    if status == 429:
        assert [] == telegram.written
        telegram.refusal = None
        deliver(after(office, minutes=10), "telegram")
        assert [] == telegram.written
        deliver(after(office, hours=2), "telegram")
        assert telegram.written


def test_few_codes_are_waited_for(office: Desk) -> None:
    """Three destinations may wait for their codes; an hour later there is room for others."""
    ada = player(office, "Ada")
    for _ in range(managing.MOST_UNCONNECTED):
        add(office, ada, "telegram", {})
    with pytest.raises(Refusal, match="Connect or remove"):
        add(office, ada, "telegram", {})
    assert add(after(office, hours=2), ada, "telegram", {})["connect"]


def test_without_a_bot_it_is_not_offered(lite: Desk) -> None:
    """An operator without a bot does not offer it, and a request is told so."""
    ada = player(lite, "Ada")
    known = {channel["name"]: channel for channel in documents.channel_documents(lite)}
    assert not known["telegram"]["available"]
    with pytest.raises(Refusal, match="have not set up Telegram"):
        add(lite, ada, "telegram", {})
