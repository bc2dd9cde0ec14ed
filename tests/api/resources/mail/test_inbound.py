from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.serving import fresh_app
from tests.service.support.post import Post, letter, opened

SHARED = "what only the provider and we know, no less"
TYPE = "message/rfc822"


def _served(tmp_path: Path, **environ: str) -> tuple[FlaskClient, Post]:
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db", DATA_DIR=str(tmp_path), **environ)
    return app.test_client(), opened(desk)


def _bring(web: FlaskClient, recipient: str, raw: bytes, **more: Any) -> TestResponse:
    headers = {"Authorization": f"Bearer {more.pop('secret')}"} if "secret" in more else {}
    query = {"recipient": recipient, "sender": "seat0@example.org", **more.pop("query", {})}
    return web.post(
        "/v1/inbound",
        data=raw,
        query_string=query,
        content_type=more.pop("content_type", TYPE),
        headers=headers | more.pop("headers", {}),
        **more,
    )


def test_a_mail_is_brought_by_http(tmp_path: Path) -> None:
    """A mail posted over HTTP is handled as by SMTP, and the response says what became of it."""
    web, post = _served(tmp_path, INBOUND_SECRET=SHARED, MAIL_AUTHSERV="mx.example.net")
    address, before = post.address(), post.moves()
    raw = letter("keep all")
    response = _bring(web, address, raw, secret=SHARED)

    assert (202, {"became": "answered"}) == (response.status_code, response.json)
    assert before + 1 == post.moves()
    assert {"became": "seen"} == _bring(web, address, raw, secret=SHARED).json


def test_a_provider_can_vouch_for_the_sender(tmp_path: Path) -> None:
    """`dmarc=pass` in the query vouches for the sender; `dmarc=fail` does not."""
    web, post = _served(tmp_path, INBOUND_SECRET=SHARED)
    address = post.address()
    for verdict, became in (("fail", "unsure"), ("pass", "answered")):
        raw = letter("keep all", authentication_results=None)
        answer = _bring(web, address, raw, secret=SHARED, query={"dmarc": verdict})
        assert {"became": became} == answer.json


@pytest.mark.parametrize("wrong", [{}, {"secret": "x"}, {"secret": ""}, {"secret": SHARED[:-1]}])
def test_without_the_secret_nobody_gets_in(tmp_path: Path, wrong: dict[str, str]) -> None:
    """Once a secret is set, a request without it gets 401, even from the same machine."""
    web, post = _served(tmp_path, INBOUND_SECRET=SHARED)
    before = post.moves()
    response = _bring(web, post.address(), letter("keep all"), query={"dmarc": "pass"}, **wrong)

    assert 401 == response.status_code
    assert before == post.moves()


def test_without_a_secret_only_this_machine_may(tmp_path: Path) -> None:
    """Without a secret the URL is found only from this machine, and not through a proxy."""
    web, post = _served(tmp_path)
    address, raw = post.address(), letter("keep all")
    elsewhere = {"environ_base": {"REMOTE_ADDR": "192.168.1.7"}}
    proxied = {"headers": {"X-Forwarded-For": "192.168.1.7"}}

    assert 404 == _bring(web, address, raw, **elsewhere).status_code
    assert 404 == _bring(web, address, raw, **proxied).status_code
    assert 404 == _bring(web, address, raw, headers={"Host": "games.example.org"}).status_code
    assert 202 == _bring(web, address, raw).status_code


def test_a_public_service_needs_a_secret(tmp_path: Path) -> None:
    """A public service needs a secret, since a proxy makes every request look local."""
    web, post = _served(tmp_path, PUBLIC_URL="https://games.example.org")

    assert 404 == _bring(web, post.address(), letter("keep all")).status_code


def test_with_postgresql_there_must_be_a_secret(postgres: str, tmp_path: Path) -> None:
    """With PostgreSQL a secret is needed: the machine need not be the operator's own."""
    app, desk = fresh_app(postgres, DATA_DIR=str(tmp_path))
    post = opened(desk)
    response = _bring(app.test_client(), post.address(), letter("keep all"))
    desk.close()

    assert 404 == response.status_code


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    """An unknown mailbox, another content type, a mail too large and a bad query are refused."""
    web, post = _served(tmp_path)
    address, raw = post.address(), letter("keep all")
    nobody = f"{'a' * 26}@nightmail.localhost"

    assert 404 == _bring(web, nobody, raw).status_code
    assert 415 == _bring(web, address, raw, content_type="application/json").status_code
    assert 413 == _bring(web, address, raw + b"x" * (1 << 20)).status_code
    assert 400 == _bring(web, address, raw, query={"dmarc": "perhaps"}).status_code
    assert 400 == web.post("/v1/inbound", data=raw, content_type=TYPE).status_code


def test_a_mail_may_be_larger_than_other_bodies(tmp_path: Path) -> None:
    """A mail may be up to 1 MiB large, because it carries signatures and pictures."""
    web, post = _served(tmp_path, MAIL_AUTHSERV="mx.example.net")
    response = _bring(web, post.address(), letter("keep all") + b"x" * 500_000)

    assert (202, {"became": "answered"}) == (response.status_code, response.json)


def test_the_null_sender_is_said_by_an_empty_one(tmp_path: Path) -> None:
    """An empty sender is the null sender, so the mail counts as automatic."""
    web, post = _served(tmp_path)
    response = _bring(web, post.address(), letter("keep all"), query={"sender": ""})

    assert {"became": "automatic"} == response.json
