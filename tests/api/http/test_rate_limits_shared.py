"""Rate limits shared by several processes in a real Redis."""

from pathlib import Path

import pytest

from api.http import rate_limits
from tests.api.serving import fresh_app, newcomer
from tests.support.servers import own_redis

PACE = {"RATE_LIMIT_TOKEN": "5/day", "RATE_LIMIT_ADDRESS": "1000/day"}


def test_two_applications_count_together(
    redis: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one process has counted, another knows; without Redis each counts for itself."""
    monkeypatch.setattr(
        rate_limits, "REDIS_TIMEOUT", 10.0
    )  # a busy machine is no Redis that is away
    url = f"sqlite:///{tmp_path}/nightmail.db"
    for shared, allowed in ((redis, 5), ("", 10)):
        webs = [fresh_app(url, REDIS_URL=shared, **PACE)[0].test_client() for _ in range(2)]
        _, token = newcomer(webs[0], f"Ada {allowed}")
        answers = [webs[n % 2].get("/v1/me", headers=token).status_code for n in range(12)]

        assert allowed == answers.count(200)
        assert 12 - allowed == answers.count(429)


def test_a_redis_that_dies_costs_nobody_an_answer(tmp_path: Path) -> None:
    """While Redis is down each process counts for itself, and no request fails."""
    with own_redis() as server:
        url = f"sqlite:///{tmp_path}/nightmail.db"
        web = fresh_app(url, REDIS_URL=server.url(), **PACE)[0].test_client()
        _, token = newcomer(web, "Ada")
        assert 200 == web.get("/v1/me", headers=token).status_code
        server.kill9()
        answers = [web.get("/v1/me", headers=token).status_code for _ in range(8)]

    assert {200, 429} == set(answers)
    assert 5 == answers.count(200)
