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


def test_accepting_opens_the_table_for_this_seat_only(app: Flask, desk: Desk) -> None:
    """The guest sees the private table and makes the first move, and is a stranger elsewhere."""
    ada = Guest(app, "Ada")
    table = ada.game(easy="0", seats="3", guests=FRIEND)
    friend, link = Guest(app), _link(desk)
    assert "A seat is reserved for you until" in friend.web.get(link).text
    friend.web.post(link, data={"choice": "new", "name": "Ben"})
    assert "You have a seat" in friend.web.get(table).text
    assert 303 == friend.web.get("/settings").status_code

    ada.send(f"{table}/bots", table, strength="easy")
    assert "Choose" in friend.web.get(table).text
    assert 303 == friend.play(table, friend.choices(table)[0]).status_code
    assert 404 == friend.web.get(table).status_code
    again = app.test_client()
    assert "You are already at this table" in again.get(link).text
    assert 404 == again.get(table).status_code


def test_another_account_stays_signed_in(app: Flask, desk: Desk) -> None:
    """Accepting in a browser of somebody else takes the seat, and changes no session."""
    ada, eve = Guest(app, "Ada"), Guest(app, "Eve")
    table = ada.game(easy="0", guests=FRIEND, seats="3")
    seated = eve.web.post(_link(desk), data={"choice": "new", "name": "Ben"})
    assert (200, True) == (seated.status_code, "You have a seat" in seated.text)
    assert "Set-Cookie" not in seated.headers
    assert 404 == eve.web.get(table).status_code
    assert "Eve" in eve.web.get("/settings").text


def test_another_site_cannot_accept(app: Flask, desk: Desk) -> None:
    """A form of another site takes no seat and opens no session; declining needs no origin."""
    ada = Guest(app, "Ada")
    ada.game(easy="0", guests=FRIEND, seats="3")
    before = rows(desk.database)
    foreign = {"Sec-Fetch-Site": "cross-site"}
    link = _link(desk)
    answer = app.test_client().post(link, data={"choice": "new", "name": "Ben"}, headers=foreign)
    assert 403 == answer.status_code
    assert before == rows(desk.database)


def test_a_guest_who_waits_is_told_so(app: Flask, desk: Desk) -> None:
    """With more guests than seats the page says that all seats are reserved, and gives none."""
    ada = Guest(app, "Ada")
    table = ada.game(easy="0", seats="2", guests=f"cem@example.org\n{FRIEND}")
    assert "waits for a seat to be freed" in ada.web.get(table).text
    with desk.database.reading() as tx:
        id = tx.scalars(select(invitations.c.id).where(invitations.c.email == FRIEND)).one()
    link = path(signed_links.invitation(desk, id))
    guest = app.test_client()
    assert "All seats are reserved for other guests" in guest.get(link).text
    answer = guest.post(link, data={"choice": "new", "name": "Ben"})
    assert (409, True) == (answer.status_code, "All seats are reserved" in answer.text)


def test_invitations_are_among_my_games(app: Flask) -> None:
    """Who is invited by name finds the table in their games, until they sit there or it closes."""
    ada, ben, eve = (Guest(app, name) for name in ("Ada", "Ben", "Eve"))
    tables = [ada.game(easy="0", guests="Ben", title=title) for title in ("First", "Second")]

    invited = '<h2 id="invited-title">You are invited</h2>'
    page = ben.web.get("/games").text
    assert (invited in page, "First" in page, "Second" in page) == (True, True, True)
    assert invited not in ada.web.get("/games").text
    assert invited not in eve.web.get("/games").text

    assert 303 == ben.send(f"{tables[0]}/join", tables[0]).status_code
    assert "First" not in _invitations(ben)
    assert "Second" in _invitations(ben)
    ada.send(f"{tables[1]}/leave", tables[1], sure="yes")
    assert "" == _invitations(ben)


def test_a_guest_reads_which_seat_is_theirs(app: Flask) -> None:
    """Lists and table tell a guest until when a seat is reserved for them, and for how many others.

    A guest may take a seat from the list of open games when all free ones are reserved.
    """
    ada, ben, eve = (Guest(app, name) for name in ("Ada", "Ben", "Eve"))
    Guest(app, "Cem")
    table = ada.game(easy="0", seats="3", guests="Ben\nCem", visibility="public")
    own, other = "A seat is reserved for you until", "One seat is reserved for a guest until"
    for page in ("/games", "/games/open", table):
        shown = ben.web.get(page).text
        assert (True, True) == (own in shown, other in shown), page
    assert f'action="{table}/join"' in ben.web.get("/games/open").text
    for page in ("/games/open", table):
        shown = eve.web.get(page).text
        assert (False, True) == (own in shown, "2 seats are reserved for guests" in shown), page
    assert f'action="{table}/join"' not in eve.web.get("/games/open").text


def test_a_guest_declines_on_the_page_of_the_table(app: Flask, desk: Desk) -> None:
    """Declining frees the seat for who waits; only who is invited and has no seat can decline."""
    ada, ben, cem, eve = (Guest(app, name) for name in ("Ada", "Ben", "Cem", "Eve"))
    table = ada.game(easy="0", seats="2", guests="Ben\nCem", visibility="public")
    assert "No, thank you" not in eve.web.get(table).text
    eve.send(f"{table}/decline", table)
    assert "A seat is reserved for you until" in ben.web.get(table).text

    answer = ben.send(f"{table}/decline", table)
    assert (303, "/games") == (answer.status_code, answer.headers["Location"])
    assert "" == _invitations(ben)
    assert "A seat is reserved for you until" in cem.web.get(table).text
    assert "declined" in ada.web.get(table).text

    cem.send(f"{table}/join", table)
    before = rows(desk.database)["invitations"]
    cem.send(f"{table}/decline", table)
    assert before == rows(desk.database)["invitations"]


def _invitations(guest: Guest) -> str:
    """The list of invitations on the page of own games; empty without any."""
    section = re.search(
        r'id="invited-title">(.*?)</section>', guest.web.get("/games").text, re.DOTALL
    )
    return section[1] if section else ""
