"""The list of mail that was not carried out."""

from pathlib import Path

from service.people import tokens
from service.people.tokens import SCOPES, Caller
from tests.api.serving import fresh_app
from tests.service.support.post import letter, opened


def test_a_program_reads_what_was_not_carried_out(tmp_path: Path) -> None:
    """The owner's token lists the mail without a link to play it; other tokens list nothing."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db")
    post = opened(desk)
    post.take(letter("keep all", **{"from": "eve@evil.example"}), post.address())
    listed = []
    for account in post.players:
        caller = Caller(account, "", frozenset(SCOPES), None)
        token = tokens.create(desk, caller, {"label": "x", "scopes": ["read"]}, None)["token"]
        answer = app.test_client().get(
            "/v1/me/held-mail", headers={"Authorization": f"Bearer {token}"}
        )
        assert 200 == answer.status_code
        listed.append((answer.json or {})["mail"])
    ((mail,), others) = listed

    assert [] == others
    assert {"id", "received", "game", "reason", "sentence", "sender", "lines"} == set(mail)
    assert ("another_sender", ["keep all"]) == (mail["reason"], mail["lines"])
    assert 401 == app.test_client().get("/v1/me/held-mail").status_code
    desk.close()
