"""The mailbox page of a developer's machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.desk import Desk
from service.notify import mail_folder
from tests.api.serving import fresh_app
from workers.channels.mail.letters.mime import Head, Image, assembled
from workers.channels.mail.letters.render import Written

AT = "2026-01-01T12:00:00.000Z"
HOSTILE = "<script>alert(1)</script>"
HTML = (
    "<!doctype html><html><head><title>x</title></head><body>"
    '<a href="http://127.0.0.1:8000/a/x">Play</a><img src="cid:board@example.org" alt="">'
    "</body></html>"
)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Flask, Desk]]:
    """The application of a developer's machine, with two emails in its folder."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db", DATA_DIR=str(tmp_path))
    for id, subject in (("first", "The first"), ("second", f"Ada & {HOSTILE}")):
        put(desk, id, subject)
    yield app, desk
    desk.close()


def put(desk: Desk, id: str, subject: str) -> None:
    """Write an email to the folder."""
    heads = [Head("Subject", subject, words=True), Head("To", "ada@example.org")]
    text = f"Your turn: http://127.0.0.1:8000/a/x {HOSTILE}\n"
    image = Image("board@example.org", b"\x89PNG")
    letter = assembled(heads, Written(text, HTML), [image], f"nm-{id}")
    mail_folder.write(desk.settings, id, letter, AT.replace("12", "12" if id == "first" else "13"))


@pytest.fixture
def web(served: tuple[Flask, Desk]) -> FlaskClient:
    """A browser on the same machine."""
    return served[0].test_client()


def name_of(desk: Desk, at: int = 0) -> str:
    """The name of an email in the folder."""
    return mail_folder.listed(desk.settings)[at].name


def test_the_newest_letter_comes_first(web: FlaskClient) -> None:
    """The list shows the newest email first, with mark-up in subjects escaped."""
    page = web.get("/mailbox").text
    assert 0 < page.index("Ada &amp; &lt;script&gt;") < page.index("The first")
    assert HOSTILE not in page


def test_a_letter_is_shown_with_text_and_headers(
    web: FlaskClient, served: tuple[Flask, Desk]
) -> None:
    """The page shows the HTML in a frame, the text with working links, and the headers."""
    page = web.get(f"/mailbox/{name_of(served[1])}").text
    assert f'src="/mailbox/{name_of(served[1])}/html"' in page
    assert '<a href="http://127.0.0.1:8000/a/x"' in page
    assert "ada@example.org" in page
    assert HOSTILE not in page


def test_the_letter_itself_cannot_run_anything(
    web: FlaskClient, served: tuple[Flask, Desk]
) -> None:
    """The HTML has inline pictures, opens links in a new tab, and its policy forbids scripts."""
    answer = web.get(f"/mailbox/{name_of(served[1])}/html")
    policy = answer.headers["Content-Security-Policy"]
    assert "sandbox allow-popups" in policy
    assert "allow-scripts" not in policy
    assert "script-src" not in policy
    assert "default-src 'none'" in policy
    assert 'src="data:image/png;base64,' in answer.text
    assert '<base target="_blank">' in answer.text


def test_the_letter_can_be_had_as_it_is_sent(web: FlaskClient, served: tuple[Flask, Desk]) -> None:
    """The raw email is served byte for byte."""
    name = name_of(served[1])
    answer = web.get(f"/mailbox/{name}/raw")
    assert mail_folder.raw(served[1].settings, name) == answer.data
    assert "message/rfc822" == answer.mimetype


@pytest.mark.parametrize("name", ["x", "..", "..%2f..%2fsecret", "20260101T120000000Z-none"])
def test_other_names_are_not_found(web: FlaskClient, name: str) -> None:
    """A name that is not in the folder is not found, and none leads out of the folder."""
    for way in ("", "/html", "/raw"):
        assert 404 == web.get(f"/mailbox/{name}{way}").status_code


ELSEWHERE = {
    "another machine": {"environ_base": {"REMOTE_ADDR": "10.1.2.3"}},
    "through a proxy": {"headers": {"X-Forwarded-For": "10.1.2.3"}},
    "through a proxy that says so": {"headers": {"Forwarded": "for=10.1.2.3"}},
    "by a name that is not ours": {"headers": {"Host": "evil.example"}},
}


@pytest.mark.parametrize("who", ELSEWHERE)
def test_nobody_else_may_look(web: FlaskClient, served: tuple[Flask, Desk], who: str) -> None:
    """From another machine, through a proxy or under another Host there is no mailbox."""
    name = name_of(served[1])
    for path in ("/mailbox", f"/mailbox/{name}", f"/mailbox/{name}/raw"):
        assert 404 == web.get(path, **ELSEWHERE[who]).status_code


def test_with_a_mail_server_there_is_no_mailbox(tmp_path: Path) -> None:
    """With a mail server there is no mailbox."""
    url = f"sqlite:///{tmp_path}/nightmail.db"
    app, desk = fresh_app(url, DATA_DIR=str(tmp_path), SMTP_URL="smtp://127.0.0.1:25")
    put(desk, "first", "The first")
    assert 404 == app.test_client().get("/mailbox").status_code
    desk.close()


def test_with_postgres_there_is_no_mailbox(postgres: str, tmp_path: Path) -> None:
    """With PostgreSQL there is no mailbox, even when no mail server is set."""
    app, desk = fresh_app(postgres, DATA_DIR=str(tmp_path))
    put(desk, "first", "The first")
    assert 404 == app.test_client().get("/mailbox").status_code
    desk.close()


def test_an_empty_folder_is_an_empty_list(tmp_path: Path) -> None:
    """Without any emails the page says so."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db", DATA_DIR=str(tmp_path))
    assert "No mail yet." in app.test_client().get("/mailbox").text
    desk.close()
