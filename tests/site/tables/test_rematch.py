"""The form for a new game, filled in by its address, as the link “Rematch” of an email does."""

import re
from urllib.parse import urlencode

from flask import Flask

from service.desk import Desk
from store.tables import games, invitations
from tests.promises.support.database_checks import rows
from tests.service.support.newcomers import rows as rows_of
from tests.site.visiting import Guest

AGAIN = {
    "board": "usa",
    "seats": "4",
    "variants": "dice",
    "pace": "week",
    "visibility": "private",
    "easy": "0",
    "hard": "1",
    "guests": "Ben\nCem & <Co>",
}


def _page(guest: Guest, **more: str) -> str:
    return guest.web.get(f"/games/new?{urlencode(AGAIN | more)}").text


def test_the_form_is_filled_in(app: Flask) -> None:
    """Board, seats, variants, pace, visibility, bots and guests are those of the address."""
    text = _page(Guest(app, "Ada"))
    assert '<input type="hidden" name="board" value="usa">' in text
    assert ["4"] == re.findall(r'name="seats" value="(\d)" checked', text)
    assert ["dice"] == re.findall(r'name="variants" value="(\w+)" checked', text)
    assert '<option value="week" selected>' in text
    assert '<option value="private" selected>' in text
    bots = re.findall(r'<select name="(easy|hard)">.*?<option selected>(\d)', text, re.DOTALL)
    assert [("easy", "0"), ("hard", "1")] == bots
    assert ">Ben\nCem &amp; &lt;Co&gt;</textarea>" in text


def test_looking_at_it_invites_nobody(app: Flask, desk: Desk) -> None:
    """Opening the address changes nothing."""
    ada = Guest(app, "Ada")
    before = rows(desk.database)
    _page(ada)
    assert before == rows(desk.database)
    assert [] == rows_of(desk, games, "id") + rows_of(desk, invitations, "id")


def test_nothing_else_is_filled_in(app: Flask) -> None:
    """Title, address and random text cannot be filled in, and odd characters are refused."""
    ada = Guest(app, "Ada")
    page = _page(ada, title="Cheap watches", email="eve@example.org", nonce="known")
    text = page[: page.index("<footer")]  # which leads back to this address
    for word in ("Cheap watches", "eve@example.org", "known"):
        assert word not in text
    assert 400 == ada.web.get("/games/new?guests=a%00b").status_code


def test_strangers_sign_in_first(app: Flask) -> None:
    """A stranger signs in first, and comes back to the form as it was filled in."""
    sent = app.test_client().get(f"/games/new?{urlencode(AGAIN)}")
    assert 303 == sent.status_code
    assert "next=/games/new%3Fboard%3Dusa%26seats%3D4" in sent.headers["Location"]
