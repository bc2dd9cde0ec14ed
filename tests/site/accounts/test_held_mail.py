"""The page with mail that was not carried out."""

import html
import re

from flask import Flask

from service.desk import Desk
from tests.api.serving import signed_in
from tests.service.support.post import letter, opened
from tests.site.visiting import Guest

PAGE = "/settings/held-mail"


def test_the_owner_sees_the_mail_and_plays_it(app: Flask, desk: Desk) -> None:
    """The page shows reason, sender, game and lines as text, and its link plays the lines."""
    post = opened(desk)
    before = post.moves()
    raw = letter("keep all", "<b>hello</b>", **{"from": "Eve <eve@evil.example>"})
    assert "unsure" == post.take(raw, post.address())
    web = app.test_client()
    web.set_cookie("nightmail", signed_in(desk, post.players[0]))
    page = web.get(PAGE).text

    assert "It came from a different address than the one in your account." in page
    assert "From: eve@evil.example" in page
    assert "<li>keep all</li><li>&lt;b&gt;hello&lt;/b&gt;</li>" in page
    link = re.search(r'href="[^"]*(/letter/[^"]+)"', page)
    assert link is not None
    path = html.unescape(link[1])
    assert "Did you write this?" in web.get(path).text
    assert before == post.moves()
    web.post(path, data={"choice": "play"})
    assert before + 1 == post.moves()
    assert "/letter/" not in web.get(PAGE).text


def test_nobody_else_sees_it(app: Flask, desk: Desk) -> None:
    """Another player sees none, and a visitor is asked to sign in."""
    post = opened(desk)
    post.take(letter("keep all", **{"from": "eve@evil.example"}), post.address())
    web = app.test_client()
    assert 303 == web.get(PAGE).status_code
    web.set_cookie("nightmail", signed_in(desk, post.players[1]))
    page = web.get(PAGE).text

    assert "There is none" in page
    assert "keep all" not in page


def test_the_settings_lead_there(app: Flask) -> None:
    """The settings link to the page, which says that there is no such mail."""
    ada = Guest(app, "Ada")

    assert f'href="{PAGE}"' in ada.web.get("/settings").text
    assert "we have carried out or answered all your mail" in ada.web.get(PAGE).text
