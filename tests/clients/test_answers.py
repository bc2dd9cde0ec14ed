import random
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from werkzeug.test import TestResponse

from api.wsgi import app_at
from service.desk import Desk, open_desk
from service.settings import Settings
from tests.api.serving import KEY, fresh_app
from tests.clients.documents import Documented, document, operations
from tests.clients.running import Json
from tests.service.support.addresses import reply_address
from tests.support.menus import any_form

TABLES: list[tuple[str, list[str]]] = [
    ("usa", []),
    ("europe", []),
    ("uk", ["advanced_technologies"]),
    ("usa", ["dice"]),
]
BYTES = "application/octet-stream"
LOOKS = 12
"""Moves between two checks from all sides."""
BOUND = 3000


class Critic:
    """A client that checks every response against the OpenAPI document."""

    def __init__(self, desk: Desk, documented: Documented) -> None:
        self.desk = desk
        self.web = app_at(desk).test_client()
        self.documented = documented

    def call(self, line: str, body: Any = None, token: str = "", **headers: str) -> TestResponse:
        """Send a request and return its response; fail if the document does not describe it."""
        method, path = line.split()
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        answer = self.web.open(path, method=method, json=body, headers=sent)
        text = answer.data.decode(errors="replace")  # pictures are not text
        faults = self.documented.faults(
            method, path, answer.status_code, dict(answer.headers), text
        )
        assert [] == faults, f"{line}: {text[:2000]}"
        return answer

    def got(self, line: str, body: Any = None, token: str = "", **headers: str) -> Any:
        """Return the JSON of a successful response."""
        answer = self.call(line, body, token, **headers)
        assert answer.status_code < 300, answer.text
        return answer.get_json(silent=True)

    def refused(
        self, expected: str, line: str, body: Any = None, token: str = "", **more: str
    ) -> None:
        """Send a request that must be refused with this status and code."""
        answer = self.call(line, body, token, **more)
        assert answer.json is not None
        assert "application/problem+json" == answer.mimetype
        assert expected == f"{answer.status_code} {answer.json['code']}", answer.text

    def newcomer(self, name: str, kind: str = "person") -> str:
        """Create an account and return its token."""
        made = self.got("POST /v1/accounts", {"name": name, "kind": kind})
        return str(made["token"]["token"])


@pytest.fixture
def critic(tmp_path: Path) -> Critic:
    """A client that checks every response of an application."""
    _, desk = fresh_app(f"sqlite:///{tmp_path}/answers.db")
    return Critic(desk, Documented(document()))


def looked_at(critic: Critic, game: str, tokens: list[str]) -> Json:
    """Read the game from all sides: as either seat and as a spectator."""
    for token in (*tokens, ""):
        critic.got(f"GET /v1/games/{game}", token=token)
        critic.got(f"GET /v1/games/{game}/events?after=3", token=token)
        critic.got(f"GET /v1/games/{game}/messages", token=token)
        critic.got("GET /v1/games", token=token)
    for token in tokens:
        critic.got("GET /v1/me/decisions", token=token)
        critic.got("GET /v1/me/held-mail", token=token)
        critic.got("GET /v1/games?mine=true", token=token)
    tag = critic.call(f"GET /v1/games/{game}").headers["ETag"]
    assert 304 == critic.call(f"GET /v1/games/{game}", If_None_Match=tag).status_code
    document: Json = critic.got(f"GET /v1/games/{game}", token=tokens[0])
    return document


def moved(critic: Critic, game: str, token: str, rng: random.Random) -> bool:
    """Answer the open decision of this seat, if there is one."""
    decision = critic.got(f"GET /v1/games/{game}/decision?options=all", token=token)
    if decision is None:
        return False
    body = {"text": rng.choice(decision["options"])["text"]}
    if rng.random() < 0.8:
        body = any_form(decision, rng, "claim")
    critic.got(f"POST /v1/games/{game}/moves", body, token)
    return True


@pytest.mark.parametrize(("board", "variants"), TABLES)
def test_every_answer_of_a_whole_game_is_documented(
    critic: Critic, board: str, variants: list[str]
) -> None:
    """From the open table to the log, no response has a field that its schema does not name."""
    rng = random.Random(f"{board} {variants}")
    tokens = [critic.newcomer("Ada"), critic.newcomer("Ben")]
    shown = critic.got(f"GET /v1/boards/{board}?variant={','.join(variants)}")
    plan = {"notes": "South.", "sketch": [route["id"] for route in shown["routes"]]}
    cited = critic.got("POST /v1/commitments", token=tokens[0])["commitment"]
    body = {"board": board, "variants": variants, "seats": 2, "title": "Night train"}
    body |= {"commitment": cited, "nonce": "cocoa"}
    game = critic.got("POST /v1/games", body, tokens[0])["id"]
    assert "open" == looked_at(critic, game, tokens)["status"]
    critic.got(f"POST /v1/games/{game}/seats", {"nonce": "tea"}, tokens[1])
    critic.got(f"POST /v1/games/{game}/messages", {"text": "Good luck!"}, tokens[1])
    assert "running" == looked_at(critic, game, tokens)["status"]
    for token in tokens:
        critic.got(f"PUT /v1/games/{game}/notebook", plan, token)
    for round_ in range(BOUND):
        if sum(moved(critic, game, token, rng) for token in tokens) == 0:
            break
        if round_ % LOOKS == 0:
            looked_at(critic, game, tokens)
            critic.got(f"GET /v1/games/{game}/notebook", token=tokens[0])
    seen = looked_at(critic, game, tokens)
    assert ("finished", True) == (seen["status"], seen["result"] is not None)
    critic.call(f"GET /v1/games/{game}/log")
    critic.got(f"GET /v1/games/{game}/notebook", token=tokens[1])
    critic.got(f"DELETE /v1/games/{game}/notebook", token=tokens[1])


def life(critic: Critic) -> None:
    """Create an account, change it and its tokens, and delete it."""
    token = critic.newcomer("Ada")
    quiet = {"mode": "digest", "quiet_hours": {"from": "22:00", "to": "07:00"}}
    away = [{"from": "2099-07-03", "to": "2099-07-10"}]
    changed = {"email": "ada@example.org", "notifications": quiet, "absences": away}
    assert away == critic.got("PATCH /v1/me", changed, token)["absences"]
    critic.got("GET /v1/me", token=token)
    label = {"label": "my bot", "scopes": ["read"], "expires": "2199-01-01T00:00:00Z"}
    second = critic.got("POST /v1/me/tokens", label, token)
    critic.got("GET /v1/me/tokens", token=token)
    critic.refused("403 forbidden", "PATCH /v1/me", {}, second["token"])
    critic.got(f"DELETE /v1/me/tokens/{second['id']}", token=token)
    critic.refused("404 not_found", f"DELETE /v1/me/tokens/{second['id']}", token=token)
    critic.refused("409 name_taken", "POST /v1/accounts", {"name": "ada"})
    critic.got("DELETE /v1/me", token=token)
    critic.refused("401 unauthenticated", "GET /v1/me", token=token)


def refusals_at_table(critic: Critic, game: str, ada: str, ben: str) -> None:
    """Send every request that is refused in a running game."""
    moves = f"POST /v1/games/{game}/moves"
    decision = critic.got(f"GET /v1/games/{game}/decision", token=ada)
    first = {"text": decision["default"]["text"]}
    critic.refused("400 unreadable", moves, {"text": "57", "action": {}}, ada)
    critic.refused("400 unreadable", moves, {"action": {"type": "fly"}}, ada)
    critic.refused("422 illegal", moves, {"action": {"type": "draw_blind"}}, ada)
    critic.refused("412 stale", moves, first, ada, If_Match='"7"')
    say = f"POST /v1/games/{game}/messages"
    critic.got(say, {"text": "Hm."}, ada, Idempotency_Key="talk")
    critic.refused("422 idempotency_mismatch", say, {"text": "Ha!"}, ada, Idempotency_Key="talk")
    critic.refused("409 already_started", f"POST /v1/games/{game}/seats", {}, critic.newcomer("Cy"))
    critic.refused("409 not_over", f"GET /v1/games/{game}/log")
    critic.got(moves, first, ada, Idempotency_Key="once")
    critic.refused("422 idempotency_mismatch", moves, {"text": "2"}, ada, Idempotency_Key="once")
    critic.refused("409 not_awaited", moves, first, ada)
    critic.got(f"DELETE /v1/games/{game}/seats/mine", token=ben)
    critic.refused("403 forbidden", f"DELETE /v1/games/{game}/seats/mine", token=ben)
    critic.got(f"DELETE /v1/games/{game}/seats/mine", token=ada)
    assert "abandoned" == looked_at(critic, game, [ada, ben])["status"]
    critic.refused("403 forbidden", moves, first, ada)


def test_every_refusal_is_documented(critic: Critic) -> None:
    """A refusal is a problem response with documented members and a documented status."""
    ada, ben = critic.newcomer("Ada"), critic.newcomer("Ben")
    critic.refused("400 unreadable", "POST /v1/games", {"board": "atlantis", "seats": 2}, ada)
    fair = {"board": "usa", "seats": 2, "commitment": "0" * 64, "nonce": "mine"}
    critic.refused("422 commitment_unknown", "POST /v1/games", fair, ada)
    fair["commitment"] = critic.got("POST /v1/commitments", token=ada)["commitment"]
    critic.got("POST /v1/games", fair, ada)
    critic.refused("409 commitment_used", "POST /v1/games", fair, ada)
    critic.refused("400 unreadable", "GET /v1/games?limit=x")
    critic.refused("400 unreadable", "GET /healthz?deep=true")
    critic.refused("413 too_large", "POST /v1/games", {"board": "x" * 70_000, "seats": 2}, ada)
    critic.refused("401 unauthenticated", "POST /v1/games", {"board": "usa", "seats": 2})
    critic.refused("404 not_found", "GET /v1/games/nowhere/messages")
    critic.refused("404 not_found", "GET /v1/games/nowhere/events")
    critic.refused("404 not_found", "POST /v1/games/nowhere/messages", {"text": "?"}, ada)
    critic.refused("404 not_found", "GET /v1/boards/atlantis")
    game = critic.got("POST /v1/games", {"board": "usa", "seats": 2}, ada)["id"]
    critic.refused("409 seat_taken", f"POST /v1/games/{game}/seats", {}, ada)
    critic.got(f"POST /v1/games/{game}/seats", {}, ben)
    refusals_at_table(critic, game, ada, ben)


def test_a_service_that_is_not_ready_says_so_as_documented(tmp_path: Path) -> None:
    """When the service is not ready, the response has documented members."""
    url = f"sqlite:///{tmp_path}/empty.db"
    settings = Settings.of({"SECRET_KEYS": KEY, "LOG_LEVEL": "error", "DATABASE_URL": url})
    Critic(open_desk(settings), Documented(document())).refused("503 unavailable", "GET /readyz")


def evening(critic: Critic) -> None:
    """Play a game against the house to the end."""
    token, rng = critic.newcomer("Eve"), random.Random("evening")
    body = {"board": "usa", "seats": 2, "bots": {"easy": 1}}
    game = critic.got("POST /v1/games", body, token)["id"]
    critic.got(f"POST /v1/games/{game}/messages", {"text": "Good night."}, token)
    orders = f"/v1/games/{game}/orders"
    critic.got(f"PUT {orders}", {"text": "keep all; draw until the last round"}, token)
    critic.refused("400 unreadable", f"PUT {orders}", {"text": "keep all; fly"}, token)
    critic.got(f"GET {orders}", token=token)
    critic.got(f"DELETE {orders}", token=token)
    while moved(critic, game, token, rng):
        pass
    looked_at(critic, game, [token])
    notebook = f"/v1/games/{game}/notebook"
    critic.got(f"PUT {notebook}", {"notes": "Sleep.", "sketch": []}, token)
    critic.refused("412 stale", f"DELETE {notebook}", token=token, If_Match='"0"')
    critic.got(f"GET {notebook}", token=token)
    critic.got(f"DELETE {notebook}", token=token)
    critic.got(f"GET /v1/games/{game}/log")
    critic.got(f"GET /v1/games/{game}/board.svg?tickets=true", token=token)
    critic.got(f"GET /v1/games/{game}/board.png?theme=dark")
    critic.got("GET /v1/boards/uk/picture.svg")
    critic.refused("409 game_over", f"POST /v1/games/{game}/moves", {"text": "1"}, token)


def hooks(critic: Critic, token: str) -> None:
    """Create, use and delete a webhook."""
    made = critic.got("POST /v1/me/webhooks", {"url": "http://127.0.0.1:1/hook"}, token)
    hook = f"/v1/me/webhooks/{made['id']}"
    critic.got("GET /v1/me/webhooks", token=token)
    critic.got(f"PATCH {hook}", {"on": False}, token)
    critic.got(f"PATCH {hook}", {"on": True}, token)
    critic.got(f"GET {hook}", token=token)
    critic.got(f"POST {hook}/secret", token=token)
    ping = critic.got(f"POST {hook}/ping", token=token)["id"]
    critic.got(f"GET {hook}/deliveries", token=token)
    critic.got(f"GET {hook}/deliveries/{ping}", token=token)
    critic.got(f"POST {hook}/deliveries/{ping}/redeliver", token=token)
    critic.refused("400 unreadable", f"PATCH {hook}", {"url": "gopher://x"}, token)
    critic.got(f"DELETE {hook}", token=token)
    critic.refused("404 not_found", f"GET {hook}", token=token)


def destinations(critic: Critic, token: str) -> None:
    """Add, use and remove a destination."""
    topic = {"channel": "ntfy", "address": {"url": "http://127.0.0.1:1/topic"}}
    place = f"/v1/me/destinations/{critic.got('POST /v1/me/destinations', topic, token)['id']}"
    critic.got("GET /v1/me/destinations", token=token)
    critic.refused("409 destination_exists", "POST /v1/me/destinations", topic, token)
    critic.got(f"PATCH {place}", {"on": False}, token)
    critic.got(f"GET {place}", token=token)
    critic.got(f"POST {place}/test", token=token)
    critic.refused("429 rate_limited", f"POST {place}/test", token=token)
    critic.refused("400 unreadable", f"PATCH {place}", {"types": ["game.moved"]}, token)
    critic.got(f"DELETE {place}", token=token)
    critic.refused("404 not_found", f"GET {place}", token=token)


def bots(critic: Critic) -> None:
    """Open games between bots, and read the ladder after one of them is lost."""
    owl, body = critic.newcomer("Owl", "bot"), {"board": "usa", "games": 1, "bots": {"easy": 1}}
    game = critic.got("POST /v1/bot-games", body, owl)["games"][0]
    critic.got(f"GET /v1/games/{game}", token=owl)
    critic.got(f"DELETE /v1/games/{game}/seats/mine", token=owl)
    assert 2 == len(critic.got("GET /v1/ladder?board=usa")["bots"])
    critic.refused("400 unreadable", "GET /v1/ladder?board=mars")
    critic.refused("403 forbidden", "POST /v1/bot-games", body, critic.newcomer("Cem"))


def guests(critic: Critic, game: str, token: str) -> None:
    """Withdraw an invitation, change an address, and read a calendar."""
    document = critic.got(f"POST /v1/games/{game}/invitations", {"email": "cem@example.org"}, token)
    critic.got(f"GET /v1/games/{game}/invitations", token=token)
    critic.got(f"DELETE /v1/games/{game}/invitations/{document['id']}", token=token)
    critic.refused("403 forbidden", "POST /v1/me/confirmation", token=token)
    critic.got("PATCH /v1/me", {"email": "guest@example.org"}, token)
    critic.got("POST /v1/me/confirmation", token=token)
    calendar = critic.got("POST /v1/me/calendar", token=token)["calendar"]
    critic.got(f"GET {urlsplit(calendar).path}")


def hosting(critic: Critic, game: str, token: str) -> None:
    """Use the link of a table, and let a bot take a seat there."""
    critic.got(f"GET /v1/games/{game}/link", token=token)
    critic.got(f"POST /v1/games/{game}/link", {}, token)
    critic.got(f"POST /v1/games/{game}/bots", {"strength": "easy"}, token)


def post(critic: Critic, desk: Desk, game: str, token: str) -> None:
    """Deliver a reply from a mail provider."""
    seat = critic.got(f"GET /v1/games/{game}", token=token)["me"]
    account = critic.got("GET /v1/me", token=token)["id"]
    path = f"/v1/inbound?recipient={reply_address(desk, account, game, seat, 0)}"
    answer = critic.web.post(path, data=b"From: x@example.org\r\n\r\n1", content_type=BYTES)
    response = dict(answer.headers), answer.text
    assert [] == critic.documented.faults("POST", path, answer.status_code, *response)


def test_every_operation_answers_as_documented(critic: Critic) -> None:
    """Every operation of the document has been called and has succeeded."""
    life(critic)
    evening(critic)
    ada, ben = critic.newcomer("Ada"), critic.newcomer("Ben")
    critic.got("GET /v1/boards")
    critic.got("GET /v1/boards/europe")
    critic.got("POST /v1/commitments", token=ada)
    new = {"board": "uk", "seats": 2, "visibility": "public"}
    game = critic.got("POST /v1/games", new, ada)["id"]
    hooks(critic, ada)
    destinations(critic, ada)
    bots(critic)
    guests(critic, game, ada)
    critic.got(f"POST /v1/games/{game}/seats", {}, ben)
    critic.got(f"GET /v1/games/{game}/decision", token=ben)
    critic.got("GET /v1/me/stream", token=ben)
    post(critic, critic.desk, game, ada)
    critic.got(f"DELETE /v1/games/{game}/seats/mine", token=ben)
    critic.got(f"DELETE /v1/games/{game}/seats/mine", token=ada)
    critic.got(f"POST /v1/games/{game}/rematch", {}, ada)
    hosting(critic, critic.got("POST /v1/games", new, ada)["id"], ada)
    for path in ("/healthz", "/readyz", "/metrics"):
        critic.got(f"GET {path}")
    seen = {name for name, status in critic.documented.seen if status < 300}
    assert {operation["operationId"] for _, _, operation in operations(document())} == seen
