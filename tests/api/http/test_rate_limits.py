import socket
import sys
import threading
import time
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask.testing import FlaskClient

from api.http import rate_limits, request_log
from api.http.rate_limits import REDIS_RETRY, MemoryCounter, network_of
from tests.api.framing import BEARER, client, settings
from tests.api.logging import logged_to
from tests.api.serving import fresh_app, newcomer

WRONG = {"Authorization": "Bearer nm_wrong"}


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A frozen clock, so that no window ends during a test."""
    clock = SimpleNamespace(now=1_000_000_040.0)
    monkeypatch.setattr(
        rate_limits, "time", SimpleNamespace(time=lambda: clock.now, monotonic=lambda: clock.now)
    )
    return clock


def left(web: FlaskClient, path: str = "/v1/anybodys", **headers: str) -> tuple[int, str, str]:
    """Make a request; return its status, limit and remaining allowance."""
    answer = web.get(path, headers=headers)
    return (
        answer.status_code,
        answer.headers["RateLimit-Limit"],
        answer.headers["RateLimit-Remaining"],
    )


def test_an_address_is_counted() -> None:
    """Requests over the limit get 429, and every response says what is left."""
    web = client(RATE_LIMIT_ADDRESS="2/minute")

    assert (200, "2", "1") == left(web)
    assert (404, "2", "0") == left(web, "/v1/nowhere")
    assert (429, "2", "0") == left(web)


def test_a_refused_request_says_when_to_come_back() -> None:
    """429 is a problem with Retry-After, the seconds until the window ends."""
    web = client(RATE_LIMIT_ADDRESS="1/minute")
    web.get("/v1/anybodys")
    answer = web.get("/v1/anybodys")

    assert (429, "rate_limited") == (answer.status_code, (answer.json or {})["code"])
    assert "40" == answer.headers["Retry-After"] == answer.headers["RateLimit-Reset"]
    assert "try again in 40 seconds." in answer.text


def test_a_new_window_begins_anew(noon: SimpleNamespace) -> None:
    """After Retry-After has passed the same address is let in again."""
    web = client(RATE_LIMIT_ADDRESS="1/minute")
    web.get("/v1/anybodys")

    assert (429, "1", "0") == left(web)
    noon.now += 40
    assert (200, "1", "0") == left(web)


def test_a_token_is_counted_besides() -> None:
    """A token has a limit of its own, and the headers show the scarcer one."""
    web = client(RATE_LIMIT_TOKEN="2/minute", RATE_LIMIT_ADDRESS="100/minute")  # noqa: S106  # a rate

    assert (200, "2", "1") == left(web, **BEARER)
    assert (200, "2", "0") == left(web, **BEARER)
    assert (429, "2", "0") == left(web, **BEARER)
    assert (200, "100", "96") == left(web)


def test_wrong_tokens_are_counted() -> None:
    """Guessing tokens ends in 429, while valid tokens from the same address still work."""
    web = client(RATE_LIMIT_FAILURES="2/minute")
    statuses = [web.get("/v1/mine", headers=WRONG).status_code for _ in range(4)]

    assert [401, 401, 429, 429] == statuses
    assert 200 == web.get("/v1/mine", headers=BEARER).status_code


def test_new_accounts_are_counted() -> None:
    """The number of new accounts per address is limited."""
    web = client(RATE_LIMIT_ACCOUNTS="2/hour")

    assert [201, 201, 429] == [web.post("/v1/newcomers").status_code for _ in range(3)]


def test_messages_are_counted_by_account(tmp_path: Path) -> None:
    """Messages are limited by account, across tables and tokens."""
    rates = {"RATE_LIMIT_MESSAGES": "2/day"}
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db", **rates)
    web = app.test_client()
    (_, ada), (_, ben) = newcomer(web, "Ada"), newcomer(web, "Ben")
    body = {"board": "usa", "seats": 3}
    tables = [web.post("/v1/games", json=body, headers=ada).headers["Location"] for _ in "ab"]
    web.post(f"{tables[0]}/seats", headers=ben)

    def say(caller: dict[str, str], table: str) -> int:
        return web.post(f"{table}/messages", json={"text": "Hello."}, headers=caller).status_code

    assert [201, 201, 429] == [say(ada, table) for table in (*tables, tables[0])]
    assert 201 == say(ben, tables[0])
    desk.close()


def test_a_forged_address_counts_for_nothing() -> None:
    """X-Forwarded-For is ignored without a trusted proxy."""
    web = client(RATE_LIMIT_ADDRESS="1/minute")
    left(web, **{"X-Forwarded-For": "192.0.2.1"})

    assert (429, "1", "0") == left(web, **{"X-Forwarded-For": "192.0.2.2"})


def test_behind_a_proxy_its_word_counts() -> None:
    """Only the address added by the trusted proxy counts, not what the client sent."""
    web = client(RATE_LIMIT_ADDRESS="1/minute", TRUSTED_PROXIES="1")

    assert 200 == left(web, **{"X-Forwarded-For": "203.0.113.9, 192.0.2.1"})[0]
    assert 200 == left(web, **{"X-Forwarded-For": "203.0.113.9, 192.0.2.2"})[0]
    assert 429 == left(web, **{"X-Forwarded-For": "203.0.113.8, 192.0.2.1"})[0]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("", "unknown"),
        ("a\r\nb", "unknown"),
    ],
)
def test_an_address_stands_for_a_household(address: str, expected: str) -> None:
    """IPv6 addresses are counted by /64 network."""
    assert expected == network_of(address)


def test_counting_forgets(noon: SimpleNamespace) -> None:
    """Counts of past windows are dropped."""
    memory = MemoryCounter()
    for number in range(1000):
        memory.incr(f"k{number}", 60)
    noon.now += 60
    memory.incr("k", 60)

    assert 1 == sum(len(counts) for _, counts in memory._counts.values())


def test_counting_is_exact_under_threads() -> None:
    """Eight threads count without losing a hit."""
    memory = MemoryCounter()
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [
        threading.Thread(target=lambda: [memory.incr("k", 60) for _ in range(2000)])
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(usual)

    assert 16_001 == memory.incr("k", 60)


def test_counting_is_quick() -> None:
    """A count in memory takes less than 30 µs, also after a pause."""
    memory = MemoryCounter()
    took = []
    for _ in range(50):
        time.sleep(0.002)
        began = time.perf_counter()
        memory.incr("k", 60)
        took.append(time.perf_counter() - began)

    assert sorted(took)[25] < 30e-6


def test_without_redis_requests_are_counted_here(noon: SimpleNamespace) -> None:
    """If Redis is down, requests are counted in the process, and one warning is logged."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # not listening, so whoever connects is refused
        url = f"redis://127.0.0.1:{taken.getsockname()[1]}/0"
        with logged_to(StringIO()) as stream:
            request_log.set_up(settings(), stream)
            web = client(RATE_LIMIT_ADDRESS="2/minute", REDIS_URL=url)
            statuses = [left(web)[0] for _ in range(2)]
            noon.now += REDIS_RETRY
            statuses.append(left(web)[0])

    assert [200, 200, 429] == statuses
    assert 1 == stream.getvalue().count("redis is down")


@pytest.mark.parametrize("counts", ["memory", "redis"])
def test_a_refused_letter_is_refused_again(
    tmp_path: Path, request: pytest.FixtureRequest, counts: str
) -> None:
    """An Idempotency-Key is only stored once its email was within the limits."""
    rates = {"REDIS_URL": request.getfixturevalue("redis")} if counts == "redis" else {}
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db", **rates)
    web = app.test_client()

    def come(name: str) -> int:
        body = {"name": name, "email": "x@example.org"}
        key = {"Idempotency-Key": f"a long key of {name}"}
        return web.post("/v1/accounts", json=body, headers=key).status_code

    let_in = [come(name) for name in ("Ada", "Ben", "Cem", "Dora", "Eve")]
    assert [201] * 5 == let_in
    assert [429, 429] == [come("Flo"), come("Flo")]
    assert 201 == come("Eve")  # a copy is answered as before
    desk.close()
