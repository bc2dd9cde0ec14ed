"""Inviting people with the form for a new game: the table keeps seats free for them."""

import html
import re

import pytest
from flask import Flask
from sqlalchemy import select

from service.desk import Desk
from service.links import signed_links
from store.tables import invitations
from tests.promises.support.database_checks import rows
from tests.site.visiting import Guest
from tests.support.mail_links import path

FRIEND = "ben@example.org"


def _new_game_form(guest: Guest) -> dict[str, str]:
    """The form of a new game as the page has filled it in."""
    text = guest.web.get("/games/new").text
    form = text[text.index('action="/games/new"') :]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    fields |= dict(re.findall(r'<input type="radio" name="(\w+)" value="([^"]*)" checked', form))
    for name, options in re.findall(r'<select name="(\w+)">(.*?)</select>', form, re.DOTALL):
        first = re.search(r"<option[^>]* selected>(\w+)|<option value=\"(\w+)\"", options)
        assert first is not None, name
        fields[name] = first[1] or first[2]
    return fields


def _link(desk: Desk) -> str:
    """The path of the only invitation's link."""
    with desk.database.reading() as tx:
        id = tx.scalars(select(invitations.c.id)).one()
    return path(signed_links.invitation(desk, id))


def test_an_invited_friend_finds_a_seat(app: Flask, desk: Desk) -> None:
    """A friend invited with an otherwise untouched form follows the link and takes a seat."""
    ada = Guest(app, "Ada")
    form = _new_game_form(ada)
    assert ("2", "1") == (form["seats"], form["easy"])
    answer = ada.web.post("/games/new", data=form | {"guests": FRIEND})
    assert 303 == answer.status_code, answer.text
    table = answer.headers["Location"]
    assert "one more player" in ada.web.get(table).text

    friend, link = app.test_client(), _link(desk)
    assert "1 of them free" in friend.get(link).text
    seated = friend.post(link, data={"choice": "new", "name": "Ben"})
    assert (303, table) == (seated.status_code, seated.headers["Location"])
    assert "You are here as Ben" in friend.get(table).text
    players = re.findall(r'<span class="who">(\w+)</span>', ada.web.get("/games").text)
    assert ["Ada", "Ben"] == sorted(players)


@pytest.mark.parametrize(
    ("seats", "guests", "free"),
    [("3", "ben@example.org", 1), ("3", "ben@example.org\ncem@example.org", 2)],
)
def test_the_bot_of_the_form_makes_room(app: Flask, seats: str, guests: str, free: int) -> None:
    """The preselected bot keeps its seat only if every guest has a seat as well."""
    ada = Guest(app, "Ada")
    form = _new_game_form(ada) | {"seats": seats, "guests": guests}
    table = ada.web.post("/games/new", data=form).headers["Location"]
    assert f"{free} free seat" in ada.web.get(table).text


def test_bots_that_were_chosen_leave_a_seat_for_who_is_invited(app: Flask, desk: Desk) -> None:
    """If the chosen bots leave no seat for a guest, the form gets 400 and stores nothing."""
    ada = Guest(app, "Ada")
    before = rows(desk.database)
    form = _new_game_form(ada) | {"easy": "0", "hard": "1", "guests": FRIEND}
    answer = ada.web.post("/games/new", data=form)
    assert (400, True) == (answer.status_code, FRIEND in answer.text)
    assert "no seat left for your guests" in html.unescape(answer.text)
    assert before == rows(desk.database)
