"""Pages about tables that wait: links, bots, invitations, the lobby; and the rematch button."""

import re

from flask import Flask

from service.desk import Desk
from service.games.seating import hosting
from store.games import games
from tests.site.visiting import Guest
from tests.support.mail_links import path
from tests.workers.correspondence import sat_down


def _id(table: str) -> str:
    return table.rsplit("/", 1)[1]


def _account(desk: Desk, table: str) -> str:
    with desk.database.reading() as tx:
        row = games.table(tx, _id(table))
    assert row is not None
    return next(seat.account for seat in row.seated if seat.account)


def test_a_friend_sits_down_with_a_copied_link(app: Flask) -> None:
    """The host copies the link; a stranger is led to signing in, and back, and takes a seat."""
    ada = Guest(app, "Ada")
    table = ada.game(easy="0", seats="3", visibility="private")
    shown = ada.web.get(f"{table}/link").text
    link = path(re.findall(r'<input value="([^"]+)" readonly', shown)[0])

    friend = Guest(app)
    page = friend.web.get(link)
    assert (200, "no-referrer") == (page.status_code, page.headers["Referrer-Policy"])
    assert f"/sign-in?next={link}" in page.text
    friend.send("/sign-up", "/sign-in", name="Ben", email="ben@example.org", next=link)
    assert 404 == friend.web.get(table).status_code
    answer = friend.send(link, link)
    assert (303, table) == (answer.status_code, answer.headers["Location"])
    assert "You have a seat" in friend.web.get(table).text
    assert (303, table) == (
        friend.web.get(link).status_code,
        friend.web.get(link).headers["Location"],
    )


def test_a_void_link_shows_nothing(app: Flask, desk: Desk) -> None:
    """After the host has renewed the link, the old one says nothing about the table."""
    ada = Guest(app, "Ada")
    table = ada.game(easy="0", seats="3", visibility="private", title="Secret train")
    link = path(hosting.link(desk, _account(desk, table), _id(table)))
    assert 303 == ada.send(f"{table}/link", f"{table}/link").status_code
    page = Guest(app).web.get(link)
    assert (403, False) == (page.status_code, "Secret train" in page.text)
    assert 404 == Guest(app).web.get("/table/x").status_code


def test_the_host_fills_a_seat_with_a_bot(app: Flask) -> None:
    """With the form on the table's page a bot takes the last seat, and the game begins."""
    ada = Guest(app, "Ada")
    table = ada.game(easy="0", seats="2")
    assert "fill a seat with a bot" in ada.web.get(table).text
    ada.send(f"{table}/bots", table, strength="hard")
    assert 'id="asked"' in ada.web.get(table).text


def test_an_invitation_is_withdrawn_on_the_page(app: Flask) -> None:
    """The host sees that a seat is reserved, withdraws the invitation, and can ask again."""
    ada = Guest(app, "Ada")
    table = ada.game(easy="0", seats="2", guests="ben@example.org")
    shown = ada.web.get(table).text
    assert "a seat is reserved until" in shown
    withdraw = re.findall(r'action="([^"]+/withdraw)"', shown)[0]
    assert 303 == ada.send(withdraw, table).status_code
    shown = ada.web.get(table).text
    assert ("withdrawn" in shown, "/withdraw" in shown) == (True, False)


def test_guests_make_a_table_private_unless_chosen(app: Flask) -> None:
    """The untouched form with a guest opens a private table; a choice in the form is kept."""
    ada, eve = Guest(app, "Ada"), Guest(app, "Eve")
    private = ada.game(easy="0", guests="ben@example.org", visibility="")
    public = ada.game(easy="0", guests="ben@example.org", visibility="public")
    alone = ada.game(easy="0", visibility="")
    assert [404, 200, 200] == [eve.web.get(table).status_code for table in (private, public, alone)]


def test_the_lobby_is_filtered_and_says_who_waits(app: Flask) -> None:
    """The lobby shows how long a table waits and when it begins, filtered by the query."""
    ada, eve = Guest(app, "Ada"), Guest(app, "Eve")
    usa = ada.game(easy="0", seats="3")
    europe = ada.game(board="europe", easy="0", seats="2", pace="live", visibility="public")
    everything = eve.web.get("/games/open").text
    assert "begins when 2 more players sit down" in everything
    assert "Waiting for less than a minute." in everything

    def listed(query: str) -> list[bool]:
        text = eve.web.get(f"/games/open?{query}").text
        return [f'href="{table}"' in text for table in (usa, europe)]

    assert [True, True] == listed("board=&pace=&seats=")
    assert [True, False] == listed("board=usa") == listed("seats=3")
    assert [False, True] == listed("pace=live") == listed("board=europe&seats=2")
    assert [False, False] == listed("known=1")
    assert [True, True] == listed("board=nowhere&pace=x&seats=999")


def test_a_reserved_seat_has_no_button(app: Flask) -> None:
    """A table whose free seats are all reserved says so, and a stranger is refused politely."""
    ada, eve = Guest(app, "Ada"), Guest(app, "Eve")
    table = ada.game(easy="0", guests="ben@example.org", visibility="public")
    lobby_page = eve.web.get("/games/open").text
    assert "One seat is reserved for a guest until" in lobby_page
    assert f'action="{table}/join"' not in lobby_page
    answer = eve.send(f"{table}/join", table)
    assert (409, True) == (
        answer.status_code,
        "reserved for people who were invited" in answer.text,
    )


def test_my_games_show_score_and_result(app: Flask, desk: Desk) -> None:
    """Running games show the score, finished ones the result, and all of them their variants."""
    ada = Guest(app, "Ada")
    table = ada.game(variants="dice")
    shown = ada.web.get("/games").text
    assert re.search(r"Score: .*Ada \+?0", shown.replace("\n", " "))
    assert "Dice" in shown
    over = sat_down(desk, [_account(desk, table), _account(desk, Guest(app, "Ben").game())])
    over.play(4000)
    shown = ada.web.get("/games").text
    assert re.search(r"(Ada|Ben)[^<]* wins?", shown)


def test_a_finished_game_offers_a_rematch(app: Flask, desk: Desk) -> None:
    """The button opens one table for both players; the link beside it fills in the form."""
    ada, ben = Guest(app, "Ada"), Guest(app, "Ben")
    people = [_account(desk, guest.game()) for guest in (ada, ben)]
    over = sat_down(desk, people)
    over.play(4000)
    page = f"/games/{over.game}"
    assert f'action="{page}/rematch"' in ada.web.get(page).text
    assert f'action="{page}/rematch"' not in Guest(app).web.get(page).text
    form = ada.web.get(f"{page}/rematch").headers["Location"]
    assert form.startswith("/games/new?board=usa&seats=2")

    opened = ada.send(f"{page}/rematch", page, key="k" * 20).headers["Location"]
    joined = ben.send(f"{page}/rematch", page, key="l" * 20).headers["Location"]
    assert opened == joined
    assert 'id="asked"' in ben.web.get(joined).text
