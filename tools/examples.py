"""Calls every operation of the API once, with a fixed clock and seed, and stores the responses."""

import json
import random
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

from werkzeug.test import TestResponse

from api.schemas.spec import EXAMPLES
from api.wsgi import app_at
from service.desk import Desk, open_desk
from service.games.bots import house
from service.notify import hook_bodies
from service.notify.hook_types import HOOK_TYPES
from service.notify.outbox import Delivery
from service.replies import mailboxes
from service.settings import Settings
from store import schema, timestamps
from workers.channels.web_push import channel as web_push

Json = dict[str, Any]

BEGIN = datetime(2026, 3, 2, 18, 30, tzinfo=UTC)
QUIET = {"SECRET_KEYS": "k" * 32, "LOG_LEVEL": "error", "RATE_LIMIT_TOKEN": "1000000/minute"}
HOOK = "gTmAE1QPJMPsHCstlEIyv9"
"""The id of the webhook in examples of messages."""
EXAMPLE_KEY = (
    "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
)
"""The key for web push in examples; a real one is random."""
LINES = 2
"""How many lines of a log are kept from its beginning; a whole log is too long."""

CHARACTERS = 24
"""How many bytes of a picture are kept."""


class Book:
    """Calls an application and keeps requests and responses by operation."""

    def __init__(self, desk: Desk) -> None:
        self.moment = BEGIN
        self.desk = desk._replace(now=self.now)
        self.web = app_at(self.desk).test_client()
        self.examples: dict[str, Json] = {}

    def now(self) -> str:
        """Return the application's clock, which stands still during a request."""
        return timestamps.written(self.moment)

    def call(self, line: str, body: Json | None = None, token: str = "") -> TestResponse:
        """Make a request, 41 seconds after the last one."""
        self.moment += timedelta(seconds=41)
        method, path = line.split()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.web.open(path, method=method, json=body, headers=headers)
        if answer.status_code >= 300:
            raise RuntimeError(f"{line}: {answer.status} {answer.text}")
        return answer

    def message(self, kind: str, account: str, game: str | None, **more: Any) -> None:
        """Keep the message that a webhook of this account gets, as the example of its type."""
        at = self.now()
        version, data = more.get("version", 0), more.get("data")
        delivery = Delivery(
            "", account, "webhook", HOOK, kind, game, None, version, data, at, 0, at
        )
        body = hook_bodies.body(self.desk, delivery)
        if body is None:
            raise RuntimeError(f"there is nothing to tell of {kind}")
        self.examples[HOOK_TYPES[kind]] = json.loads(body)

    def show(self, name: str, line: str, body: Json | None = None, token: str = "") -> Any:
        """Make a request and keep it as the example of this operation."""
        answer = self.call(line, body, token)
        example: Json = {"status": answer.status_code}
        if body is not None:
            example["request"] = body
        if str(answer.mimetype).startswith("image/"):
            example["response"] = f"{answer.data[:CHARACTERS].decode('latin-1')}…"
        elif answer.data:
            example["response"] = answer.json if answer.is_json else answer.text
        self.examples[name] = example
        return example.get("response")


@contextmanager
def _book(folder: str) -> Iterator[Book]:
    """Open a book for a new application without real randomness."""
    desk = open_desk(Settings.of({**QUIET, "DATABASE_URL": f"sqlite:///{folder}/examples.db"}))
    schema.upgrade(desk.database)
    book = Book(desk)
    rng = random.Random("examples")
    with ExitStack() as stack:
        for name, stand_in in {
            "token_bytes": rng.randbytes,
            "randbits": rng.getrandbits,
            "randbelow": rng.randrange,
        }.items():
            stack.enter_context(patch.object(secrets, name, stand_in))
        stack.callback(desk.database.close)
        yield book


def examples() -> dict[str, Json]:
    """Return the request and response of each operation, by its name."""
    with tempfile.TemporaryDirectory() as folder, _book(folder) as book:
        _watch(book)
        ada, ben = _come(book)
        _hook(book, ada)
        _look_at_boards(book)
        _play(book, ada, ben)
        _host(book, ada)
        _finish(book, ada)
        _compare_bots(book)
        _destination(book, ada)
        _go(book, ada)
        return book.examples


def _watch(book: Book) -> None:
    """Record monitoring first, while all counters are zero."""
    book.show("metrics", "GET /metrics")
    book.show("healthz", "GET /healthz")
    book.show("readyz", "GET /readyz")


def _come(book: Book) -> tuple[str, str]:
    request = {"name": "Ada", "kind": "person", "locale": "en", "time_zone": "Europe/London"}
    ada: str = book.show("create_account", "POST /v1/accounts", request)["token"]["token"]
    ben = book.call("POST /v1/accounts", {"name": "Ben"}).json
    calendar = book.show("read_me", "GET /v1/me", token=ada)["calendar"]
    book.show("read_calendar", f"GET {urlsplit(calendar).path}")
    book.call("PATCH /v1/me", {"email": "ada@example.org"}, ada)
    book.show("resend_confirmation", "POST /v1/me/confirmation", token=ada)
    book.show("renew_calendar", "POST /v1/me/calendar", token=ada)
    quiet = {"mode": "merged", "quiet_hours": {"from": "22:00", "to": "07:00"}}
    away = [{"from": "2099-07-03", "to": "2099-07-10"}]
    book.show("change_me", "PATCH /v1/me", {"notifications": quiet, "absences": away}, ada)
    limits = {"label": "my bot", "scopes": ["read", "play"], "expires": "2099-12-31T00:00:00Z"}
    bot = book.show("create_token", "POST /v1/me/tokens", limits, ada)
    book.show("list_tokens", "GET /v1/me/tokens", token=ada)
    book.show("revoke_token", f"DELETE /v1/me/tokens/{bot['id']}", token=ada)
    return ada, ben["token"]["token"] if ben else ""


def _hook(book: Book, ada: str) -> None:
    request = {"url": "https://bot.example.org/nightmail", "types": ["decision.opened"]}
    webhook = book.show("create_webhook", "POST /v1/me/webhooks", request, ada)
    place = f"/v1/me/webhooks/{webhook['id']}"
    book.show("list_webhooks", "GET /v1/me/webhooks", token=ada)
    more = {"types": ["decision.opened", "game.finished"]}
    book.show("change_webhook", f"PATCH {place}", more, ada)
    book.show("rotate_webhook_secret", f"POST {place}/secret", token=ada)
    book.show("read_webhook", f"GET {place}", token=ada)
    ping = book.show("ping_webhook", f"POST {place}/ping", token=ada)
    book.show("list_deliveries", f"GET {place}/deliveries", token=ada)
    book.show("read_delivery", f"GET {place}/deliveries/{ping['id']}", token=ada)
    book.show("redeliver_delivery", f"POST {place}/deliveries/{ping['id']}/redeliver", token=ada)
    book.show("delete_webhook", f"DELETE {place}", token=ada)


def _destination(book: Book, ada: str) -> None:
    request = {
        "channel": "ntfy",
        "address": {"url": "https://ntfy.example.org/my-trains-7Q2x"},
        "label": "My phone",
        "types": ["decision.opened", "decision.reminder"],
    }
    made = book.show("create_destination", "POST /v1/me/destinations", request, ada)
    place = f"/v1/me/destinations/{made['id']}"
    book.show("change_destination", f"PATCH {place}", {"types": ["decision.opened"]}, ada)
    book.show("test_destination", f"POST {place}/test", token=ada)
    book.show("read_destination", f"GET {place}", token=ada)
    key = {"application_server_key": EXAMPLE_KEY}
    with patch.object(web_push.WebPushChannel, "facts", lambda *_: key):
        book.show("list_destinations", "GET /v1/me/destinations", token=ada)
    book.show("delete_destination", f"DELETE {place}", token=ada)


def _write(book: Book, game: str, seat: int, account: str) -> None:
    """Answer by mail, through the endpoint for mail providers."""
    address = mailboxes.reply(book.desk, account, game.rpartition("/")[2], seat, 0, links=0)
    mailboxes.store(book.desk, [address])
    letter = "From: Ada <ada@example.org>\r\nMessage-ID: <1@example.org>\r\n\r\nkeep all\r\n"
    answer = book.web.post(
        "/v1/inbound",
        query_string={"recipient": address.email, "sender": "ada@example.org", "dmarc": "pass"},
        data=letter,
        content_type="message/rfc822",
    )
    book.examples["receive_mail"] = {"status": answer.status_code, "response": answer.json}


def _look_at_boards(book: Book) -> None:
    book.show("list_boards", "GET /v1/boards")
    book.show("read_board", "GET /v1/boards/usa?variant=usa_1910")


def _play(book: Book, ada: str, ben: str) -> None:
    """Open a game for two, fill it, and make the first move."""
    committed = book.show("create_commitment", "POST /v1/commitments", token=ada)
    request = {"board": "usa", "seats": 2, "pace": "daily", "title": "Evening train"}
    request |= {"visibility": "public"}
    request |= {"commitment": committed["commitment"], "nonce": "tea"}
    game = "/v1/games/" + book.show("open_game", "POST /v1/games", request, ada)["id"]
    book.show("list_games", "GET /v1/games?status=open")
    email = {"email": "cem@example.org"}
    guest = book.show("create_invitation", f"POST {game}/invitations", email, ada)
    book.show("list_invitations", f"GET {game}/invitations", token=ada)
    book.show("withdraw_invitation", f"DELETE {game}/invitations/{guest['id']}", token=ada)
    book.show("take_seat", f"POST {game}/seats", {"nonce": "biscuits"}, ben)
    book.show("send_message", f"POST {game}/messages", {"text": "Good luck!"}, ben)
    book.show("list_messages", f"GET {game}/messages", token=ada)
    book.show("list_decisions", "GET /v1/me/decisions", token=ada)
    decision = book.show("read_decision", f"GET {game}/decision", token=ada)
    _tell(book, game.rpartition("/")[2], (book.call("GET /v1/me", token=ada).json or {})["id"])
    book.show("make_move", f"POST {game}/moves", {"text": decision["default"]["text"]}, ada)
    _order(book, game, ada)
    book.show("list_events", f"GET {game}/events", token=ada)
    me: str = (book.call("GET /v1/me", token=ada).json or {})["id"]
    book.message("game_moved", me, game.rpartition("/")[2], version=1)
    book.show("stream_news", "GET /v1/me/stream", token=ada)
    _plan(book, game, ada)
    page = book.show("read_game", f"GET {game}", token=ada)
    _write(book, game, page["me"], (book.call("GET /v1/me", token=ada).json or {})["id"])
    book.show("list_held_mail", "GET /v1/me/held-mail", token=ada)
    book.show("leave_seat", f"DELETE {game}/seats/mine", token=ben)


def _plan(book: Book, game: str, token: str) -> None:
    """Write into a notebook."""
    sketch = ["dallas-houston-1", "houston-new_orleans"]
    plan: Json = {"notes": "The south first, before Ben gets there.", "sketch": sketch}
    book.show("replace_notebook", f"PUT {game}/notebook", plan, token)
    book.show("read_notebook", f"GET {game}/notebook", token=token)
    book.show("empty_notebook", f"DELETE {game}/notebook", token=token)


def _order(book: Book, game: str, ada: str) -> None:
    """Give standing orders, and take them back."""
    ordered = {"text": "draw for 3 turns; claim portland-seattle when I can", "at_once": False}
    book.show("give_orders", f"PUT {game}/orders", ordered, ada)
    book.show("read_orders", f"GET {game}/orders", token=ada)
    book.show("delete_orders", f"DELETE {game}/orders", token=ada)


def _host(book: Book, ada: str) -> None:
    """Open a table, share its link, and fill a seat with a bot."""
    opened = book.call("POST /v1/games", {"board": "usa", "seats": 3}, ada).json or {}
    game = f"/v1/games/{opened['id']}"
    book.show("read_table_link", f"GET {game}/link", token=ada)
    book.show("renew_table_link", f"POST {game}/link", token=ada)
    book.show("add_house_bot", f"POST {game}/bots", {"strength": "medium"}, ada)


def _tell(book: Book, game: str, account: str) -> None:
    """Show the messages about a game that has just started."""
    book.message("webhook_ping", account, None)
    book.message("game_started", account, game)
    book.message("decision_opened", account, game)
    book.message("decision_reminder", account, game)
    book.message("message_posted", account, game, version=1)
    played = {"text": "keep all", "label": "Keep all tickets", "deadline": book.now()}
    book.message("decision_expired", account, game, data=played)


def _finish(book: Book, ada: str) -> None:
    """Play a game to its end, for its log and pictures."""
    request = {"board": "usa", "seats": 2, "bots": {"easy": 1}}
    opened = book.call("POST /v1/games", request, ada).json or {}
    _play_on(book, opened["id"], ada)
    game = f"/v1/games/{opened['id']}"
    me: str = (book.call("GET /v1/me", token=ada).json or {})["id"]
    end: int = (book.call(f"GET {game}", token=ada).json or {})["version"]
    book.message("game_finished", me, opened["id"], version=end)
    book.show("draw_game_svg", f"GET {game}/board.svg?tickets=true", token=ada)
    book.show("draw_game_png", f"GET {game}/board.png?theme=dark")
    book.show("draw_board", "GET /v1/boards/usa/picture.svg?theme=dark")
    lines = book.show("read_log", f"GET {game}/log").splitlines(keepends=True)
    book.show("open_rematch", f"POST {game}/rematch", token=ada)
    book.examples["read_log"]["response"] = "".join([*lines[:LINES], *lines[-1:]])


def _play_on(book: Book, id: str, token: str) -> None:
    """Play against the house until the game is over."""
    game, rng = f"/v1/games/{id}", random.Random("moves")
    while (book.call(f"GET {game}", token=token).json or {})["status"] == "running":
        while house.play(book.desk, id):
            pass
        if decision := book.call(f"GET {game}/decision?options=all", token=token).get_json(
            silent=True
        ):
            action = rng.choice(decision["options"])["action"]
            book.call(f"POST {game}/moves", {"action": action}, token)


def _compare_bots(book: Book) -> None:
    """Play a rated game between bots, for the ladder."""
    account = book.call("POST /v1/accounts", {"name": "Night Owl", "kind": "bot"}).json or {}
    owl: str = account["token"]["token"]
    committed = book.call("POST /v1/commitments", token=owl).json or {}
    request: Json = {"board": "usa", "games": 1, "bots": {"medium": 1}}
    request |= {"commitments": [committed["commitment"]], "nonce": "owls are not what they seem"}
    begun = book.show("open_bot_games", "POST /v1/bot-games", request, owl)
    _play_on(book, begun["games"][0], owl)
    book.show("read_ladder", "GET /v1/ladder")


def _go(book: Book, ada: str) -> None:
    book.show("delete_me", "DELETE /v1/me", token=ada)


def written(example: Json) -> str:
    """Return an example as it is stored in its file."""
    return json.dumps(example, ensure_ascii=False, indent=1) + "\n"


def write(folder: Path) -> None:
    """Write every example, and remove those of operations that no longer exist."""
    files = {f"{name}.json": written(example) for name, example in examples().items()}
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.json"):
        if path.name not in files:
            path.unlink()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def main() -> None:
    """Write the examples into the project."""
    write(EXAMPLES)
    print(f"{len(list(EXAMPLES.glob('*.json')))} examples")


if __name__ == "__main__":
    main()
