from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.desk import Desk
from tests.api.serving import fresh_app, newcomer
from tests.support.hook_receiver import Receiver, receiving
from tests.support.hooks import tell
from workers.calling.connector import Connector, anywhere
from workers.channels.webhook.sender import Webhooks

PLACE = "/v1/me/webhooks"
URL = "https://example.org/hook"

Headers = dict[str, str]


@pytest.fixture(params=["sqlite", "postgres"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[FlaskClient, Desk]]:
    """A client and its desk, on a service whose webhooks may call this machine."""
    small = f"sqlite:///{tmp_path}/nightmail.db"
    url = small if request.param == "sqlite" else request.getfixturevalue("ready_postgres")
    app, desk = fresh_app(url, WEBHOOK_TARGETS="any")
    yield app.test_client(), desk
    desk.close()


@pytest.fixture
def web(both: tuple[FlaskClient, Desk]) -> FlaskClient:
    """A client of that service."""
    return both[0]


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[FlaskClient]:
    """A client of a service whose webhooks may call public addresses only."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db", WEBHOOK_TARGETS="public")
    yield app.test_client()
    desk.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A well-behaved webhook receiver."""
    with receiving() as made:
        yield made


def body_of(answer: TestResponse, status: int = 200) -> Any:
    """Return the JSON of a response, after checking its status."""
    assert status == answer.status_code, answer.text
    return answer.json


def made(web: FlaskClient, headers: Headers, **more: Any) -> Any:
    """Create a webhook and return it."""
    return body_of(web.post(PLACE, json={"url": URL, **more}, headers=headers), 201)


def limited(web: FlaskClient, headers: Headers, *scopes: str) -> Headers:
    """The Authorization header of a token with these scopes."""
    body = {"label": "other", "scopes": list(scopes)}
    token = body_of(web.post("/v1/me/tokens", json=body, headers=headers), 201)["token"]
    return {"Authorization": f"Bearer {token}"}


def test_hook_lives_and_dies(web: FlaskClient) -> None:
    """A webhook is created, listed, read, changed and deleted."""
    _, ada = newcomer(web, "Ada")
    answer = web.post(PLACE, json={"url": URL, "types": ["decision.opened"]}, headers=ada)
    hook = body_of(answer, 201)
    place = f"{PLACE}/{hook['id']}"
    assert (place, "no-store") == (answer.headers["Location"], answer.headers["Cache-Control"])
    secret = hook.pop("secret")
    assert secret.startswith("whsec_")

    assert {"webhooks": [hook]} == body_of(web.get(PLACE, headers=ada))
    assert hook == body_of(web.get(place, headers=ada))
    changed = body_of(web.patch(place, json={"on": False}, headers=ada))
    assert (False, None) != (changed["on"], changed["off_since"])
    assert secret not in web.get(PLACE, headers=ada).text
    body_of(web.delete(place, headers=ada), 204)
    body_of(web.get(place, headers=ada), 404)
    assert {"webhooks": []} == body_of(web.get(PLACE, headers=ada))


def test_same_key_same_hook(web: FlaskClient) -> None:
    """A repeated Idempotency-Key gets the same response; with another body it is refused."""
    _, ada = newcomer(web, "Ada")
    keyed = {**ada, "Idempotency-Key": "once"}
    first = web.post(PLACE, json={"url": URL}, headers=keyed)

    assert first.data == web.post(PLACE, json={"url": URL}, headers=keyed).data
    other = web.post(PLACE, json={"url": URL + "2"}, headers=keyed)
    assert "idempotency_mismatch" == body_of(other, 422)["code"]
    place = f"{PLACE}/{body_of(first, 201)['id']}"
    keyed["Idempotency-Key"] = "twice"
    rotated = web.post(f"{place}/secret", headers=keyed)
    assert body_of(rotated, 201)["secret"] != body_of(first, 201)["secret"]
    assert rotated.data == web.post(f"{place}/secret", headers=keyed).data
    assert "no-store" == rotated.headers["Cache-Control"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"url": "http://example.org/"},
        {"url": "https://127.0.0.1/"},
        {"url": "https://example.org:22/"},
        {"url": URL, "types": []},
        {"url": URL, "types": ["game.lost"]},
        {"url": URL, "types": "game.moved"},
        {"url": URL, "secret": "mine"},
        {"url": 3},
        {"url": "a" * 501},
    ],
    ids=str,
)
def test_what_is_no_hook_is_refused(lite: FlaskClient, body: Any) -> None:
    """An invalid body is refused with the place of the error, and no webhook is created."""
    _, ada = newcomer(lite, "Ada")

    assert "unreadable" == body_of(lite.post(PLACE, json=body, headers=ada), 400)["code"]
    assert [] == body_of(lite.get(PLACE, headers=ada))["webhooks"]


@pytest.mark.parametrize("change", [{"on": 1}, {"on": "no"}, {"url": "x"}, {"id": "x"}], ids=str)
def test_change_that_makes_no_sense_is_refused(lite: FlaskClient, change: Any) -> None:
    """An invalid change is refused as a whole."""
    _, ada = newcomer(lite, "Ada")
    hook = made(lite, ada)
    answer = lite.patch(
        f"{PLACE}/{hook['id']}", json={"types": ["game.moved"], **change}, headers=ada
    )

    assert "unreadable" == body_of(answer, 400)["code"]
    assert hook["types"] == body_of(lite.get(f"{PLACE}/{hook['id']}", headers=ada))["types"]


def test_scopes_count(lite: FlaskClient) -> None:
    """Reading a webhook needs `read`, seeing its secret every scope, and the rest `manage`."""
    _, ada = newcomer(lite, "Ada")
    id = made(lite, ada)["id"]
    needed = {
        f"GET {PLACE}": "read",
        f"GET {PLACE}/{id}": "read",
        f"GET {PLACE}/{id}/deliveries": "read",
        f"PATCH {PLACE}/{id}": "manage",
        f"DELETE {PLACE}/{id}": "manage",
        f"POST {PLACE}/{id}/ping": "manage",
        f"POST {PLACE}/{id}/deliveries/x/redeliver": "manage",
    }
    callers = {scope: limited(lite, ada, scope) for scope in ("read", "play", "manage")}
    for line, scope in needed.items():
        method, path = line.split()
        codes = {
            who: lite.open(path, method=method, headers=headers).status_code
            for who, headers in callers.items()
            if who != scope
        }
        assert {403} == set(codes.values()), line
        assert 401 == lite.open(path, method=method).status_code
        if method != "DELETE":
            allowed = lite.open(path, method=method, headers=callers[scope])
            assert allowed.status_code not in (401, 403), line
    for headers in callers.values():
        assert 403 == lite.post(PLACE, json={"url": URL}, headers=headers).status_code
        assert 403 == lite.post(f"{PLACE}/{id}/secret", headers=headers).status_code


def test_a_token_that_only_manages_leads_no_hook_elsewhere(lite: FlaskClient) -> None:
    """Changing the URL, types or game of a webhook needs every scope, as it reads and plays."""
    _, ada = newcomer(lite, "Ada")
    place = f"{PLACE}/{made(lite, ada)['id']}"
    lesser = limited(lite, ada, "manage")
    for change in ({"url": URL}, {"types": ["game.moved"]}, {"game": None}):
        assert 403 == lite.patch(place, json=change, headers=lesser).status_code, change

    assert body_of(lite.patch(place, json={"on": False}, headers=lesser))["on"] is False


def test_hooks_of_others_are_not_found(web: FlaskClient) -> None:
    """A webhook of another account is not found."""
    _, ada = newcomer(web, "Ada")
    _, eve = newcomer(web, "Eve")
    place = f"{PLACE}/{made(web, ada)['id']}"

    assert {404} == {
        web.get(place, headers=eve).status_code,
        web.patch(place, json={}, headers=eve).status_code,
        web.delete(place, headers=eve).status_code,
        web.post(f"{place}/ping", headers=eve).status_code,
        web.post(f"{place}/secret", headers=eve).status_code,
        web.get(f"{place}/deliveries", headers=eve).status_code,
        web.get(f"{place}/deliveries/x", headers=eve).status_code,
        web.post(f"{place}/deliveries/x/redeliver", headers=eve).status_code,
    }


def test_ping_is_listed_and_sent_again(both: tuple[FlaskClient, Desk], receiver: Receiver) -> None:
    """A ping arrives, its delivery is listed, and it can be sent again under the same id."""
    web, desk = both
    _, ada = newcomer(web, "Ada")
    place = f"{PLACE}/{made(web, ada, url=receiver.url)['id']}"
    waiting = body_of(web.post(f"{place}/ping", headers=ada), 202)
    assert ("waiting", "webhook.ping", None) == (
        waiting["state"],
        waiting["type"],
        waiting["status"],
    )
    channel = Connector(anywhere)
    receiver.reply(200, b"hello")
    tell(desk, Webhooks(desk, channel))
    (sent,) = body_of(web.get(f"{place}/deliveries", headers=ada))["deliveries"]
    assert ("sent", 200, 1, 5, None) == (
        sent["state"],
        sent["status"],
        sent["attempts"],
        sent["answer_bytes"],
        sent["next_attempt"],
    )
    path = f"{place}/deliveries/{sent['id']}/redeliver"
    assert "waiting" == body_of(web.post(path, headers=ada), 202)["state"]
    tell(desk, Webhooks(desk, channel))
    channel.close()

    read = body_of(web.get(f"{place}/deliveries/{sent['id']}", headers=ada))
    assert receiver.calls[-1].payload == read.pop("payload")
    assert "sent" == read["state"]
    assert 404 == web.get(f"{place}/deliveries/none", headers=ada).status_code
    assert [sent["webhook_id"]] * 2 == [call.headers["webhook-id"] for call in receiver.calls]
    assert (
        "not_found"
        == body_of(web.post(f"{place}/deliveries/none/redeliver", headers=ada), 404)["code"]
    )


def test_deliveries_come_in_pages(web: FlaskClient) -> None:
    """The Link header leads through every delivery once, newest first."""
    _, ada = newcomer(web, "Ada")
    place = f"{PLACE}/{made(web, ada)['id']}"
    pings = [body_of(web.post(f"{place}/ping", headers=ada), 202) for _ in range(5)]
    seen: list[Any] = []
    path: str | None = f"{place}/deliveries?limit=2"
    while path:
        answer = web.get(path, headers=ada)
        seen += body_of(answer)["deliveries"]
        link = answer.headers.get("Link")
        path = link[1:].partition(">")[0] if link else None

    assert {delivery["id"] for delivery in pings} == {delivery["id"] for delivery in seen}
    assert 5 == len(seen)
    assert sorted((delivery["at"] for delivery in seen), reverse=True) == [
        delivery["at"] for delivery in seen
    ]


def test_too_many_hooks_are_refused(lite: FlaskClient) -> None:
    """The twenty-first webhook is refused, and the detail says what to do."""
    _, ada = newcomer(lite, "Ada")
    for number in range(20):
        made(lite, ada, url=f"{URL}/{number}")
    problem = body_of(lite.post(PLACE, json={"url": URL}, headers=ada), 403)

    assert ("forbidden", True) == (problem["code"], "Delete one" in problem["detail"])
