"""The notebook on the page of a game, used without JavaScript."""

import html
import re

from flask import Flask

from service.desk import Desk
from service.games import table_lookup
from service.links import signed_links
from tests.promises.support.database_checks import rows
from tests.site.visiting import Guest
from tests.support import mail_links

ROUTE, OTHER = "el_paso-houston", "houston-new_orleans"


def _table(first: Guest, second: Guest) -> str:
    """A running game of two players, who choose their tickets."""
    path = first.game(easy="0")
    second.send(f"{path}/join", path)
    return path


def _sketch(guest: Guest, path: str, step: str, route: str) -> int:
    return guest.send(f"{path}/sketch", path, step=step, route=route).status_code


def _planned(guest: Guest, path: str) -> list[str]:
    return re.findall(r'data-sketched="([^"]+)"', guest.web.get(path).text)


def _notes(text: str) -> str:
    match = re.search(r"<textarea[^>]*>\n?([^<]*)</textarea>", text)
    assert match is not None
    return html.unescape(match[1])


def _notes_version(guest: Guest, path: str) -> str:
    match = re.search(r'name="notes_version" value="(\d+)"', guest.web.get(path).text)
    assert match is not None
    return match[1]


def test_routes_are_planned_in_an_order(app: Flask) -> None:
    """Forms add routes, move them, and take them out; the page shows the notebook afterwards."""
    ada = Guest(app, "Ada")
    path = _table(ada, Guest(app, "Ben"))
    answer = ada.send(f"{path}/sketch", path, step="add", route=ROUTE)
    assert (303, f"{path}?view=notebook#notebook") == (
        answer.status_code,
        answer.headers["Location"],
    )
    assert 303 == _sketch(ada, path, "add", OTHER)
    assert [ROUTE, OTHER] == _planned(ada, path)
    assert 303 == _sketch(ada, path, "up", OTHER)
    assert [OTHER, ROUTE] == _planned(ada, path)
    text = ada.web.get(f"{path}?view=notebook").text
    assert re.search(r'id="view-notebook" checked', text)
    assert "8 of your 45 trains" in text
    assert 303 == _sketch(ada, path, "remove", ROUTE)
    assert [OTHER] == _planned(ada, path)


def test_what_cannot_be_planned_says_why(app: Flask) -> None:
    """No route, an unknown one, an unknown step: the page says what is wrong, nothing changes."""
    ada = Guest(app, "Ada")
    path = _table(ada, Guest(app, "Ben"))
    for step, route, words in (
        ("add", "", "There is no route"),
        ("add", "atlantis", "There is no route “atlantis” on this board."),
        ("paint", ROUTE, "Please choose a route first."),
        ("", "", "Please choose a route first."),
    ):
        answer = ada.send(f"{path}/sketch", path, step=step, route=route)
        assert (400, True) == (answer.status_code, words in answer.text), (step, route)
    assert [] == _planned(ada, path)


def test_notes_are_saved_and_conflicts_shown(app: Flask) -> None:
    """Notes that were changed elsewhere are not overwritten: both texts are on the page."""
    ada = Guest(app, "Ada")
    path = _table(ada, Guest(app, "Ben"))
    before = _notes_version(ada, path)
    first = ada.send(f"{path}/notes", path, notes="<b>south</b>", notes_version=before)
    assert 303 == first.status_code
    assert "<b>south</b>" == _notes(ada.web.get(path).text)
    answer = ada.send(f"{path}/notes", path, notes="north", notes_version=before)

    assert 412 == answer.status_code
    assert "changed in another window" in answer.text
    assert "north" == _notes(answer.text)
    assert "&lt;b&gt;south&lt;/b&gt;" in answer.text
    assert "<b>south</b>" == _notes(ada.web.get(path).text)
    match = re.search(r'name="notes_version" value="(\d+)"', answer.text)
    assert match is not None
    assert 303 == ada.send(f"{path}/notes", path, notes="both", notes_version=match[1]).status_code
    assert "both" == _notes(ada.web.get(path).text)


def test_notes_that_are_too_long_stay_in_the_form(app: Flask) -> None:
    """The refusal says how long notes may be, and nothing that was typed is lost."""
    ada = Guest(app, "Ada")
    path = _table(ada, Guest(app, "Ben"))
    long = "x" * 4001
    answer = ada.send(f"{path}/notes", path, notes=long, notes_version="0")

    assert (400, long) == (answer.status_code, _notes(answer.text))
    assert "at most 4000 characters" in answer.text


def test_nobody_else_gets_a_notebook(app: Flask, desk: Desk) -> None:
    """Neither spectators, strangers nor another seat's player see or change it."""
    ada, ben = Guest(app, "Ada"), Guest(app, "Ben")
    path = _table(ada, ben)
    ada.send(f"{path}/notes", path, notes="my secret", notes_version="0")
    _sketch(ada, path, "add", ROUTE)
    for guest in (ben, Guest(app, "Cem"), Guest(app)):
        text = guest.web.get(path).text
        assert "my secret" not in text
        assert "data-sketched" not in text
    assert 'id="notebook"' in ben.web.get(path).text
    cem = Guest(app, "Dan")
    assert 'id="notebook"' not in cem.web.get(path).text
    before = rows(desk.database)
    assert 403 == _sketch(cem, path, "add", ROUTE)
    assert 403 == cem.send(f"{path}/notes", path, notes="x", notes_version="0").status_code
    assert before == rows(desk.database)


def test_a_session_for_one_seat_has_no_notebook(app: Flask, desk: Desk) -> None:
    """The notebook belongs to the account: a turn link neither shows nor changes it."""
    ada, visitor = Guest(app, "Ada"), Guest(app)
    path = _table(ada, Guest(app, "Ben"))
    ada.send(f"{path}/notes", path, notes="my secret", notes_version="0")
    game = path.rsplit("/", 1)[1]
    with desk.database.reading() as tx:
        seats = table_lookup.existing(tx, game).seated
    (seat,) = (seat for seat in seats if seat.name == "Ada")
    link = signed_links.turn(desk, game, seat.number, seat.decision_version or 0)
    visitor.web.post(mail_links.path(link), data={"choice": "continue"})
    text = visitor.web.get(path).text

    assert "You are here as Ada" in text
    assert "my secret" not in text
    assert 'id="notebook"' not in text
    before = rows(desk.database)
    assert 403 == _sketch(visitor, path, "add", ROUTE)
    assert before == rows(desk.database)


def test_it_stays_when_the_game_is_over(app: Flask) -> None:
    """After the end notes and sketch are still there; nothing is judged, and nothing planned."""
    ada = Guest(app, "Ada")
    path = ada.game()
    ada.send(f"{path}/notes", path, notes="my secret", notes_version="0")
    _sketch(ada, path, "add", ROUTE)
    ada.send(f"{path}/leave", path, sure="yes")
    text = ada.web.get(path).text

    assert "my secret" == _notes(text)
    assert [ROUTE] == _planned(ada, path)
    assert 'id="sketch-route"' not in text
    assert "You have resigned from this game." not in text


def test_an_earlier_position_has_no_sketch(app: Flask) -> None:
    """In the replay the board shows no sketch, and the notebook leads to the current position."""
    ada = Guest(app, "Ada")
    path = _table(ada, Guest(app, "Ben"))
    _sketch(ada, path, "add", ROUTE)
    ada.play(path, "keep all")
    text = ada.web.get(f"{path}?at=0").text

    assert "Open it there" in text
    assert "data-sketched" not in text
    assert 'aria-hidden="true" pointer-events="none"' not in text


def test_the_board_shows_what_is_planned(app: Flask) -> None:
    """A planned route has its number on the board, and only its owner sees it."""
    ada, ben = Guest(app, "Ada"), Guest(app, "Ben")
    path = _table(ada, ben)
    drawn = re.compile(
        r'data-route="([^"]+)"(?:(?!data-route).)*?pointer-events="none"><path', re.DOTALL
    )
    _sketch(ada, path, "add", ROUTE)

    assert [ROUTE] == drawn.findall(ada.web.get(path).text)
    assert [] == drawn.findall(ben.web.get(path).text)


def test_other_tabs_of_the_account_hear_of_it_and_nobody_else(app: Flask) -> None:
    """The tag of the own page changes; that of others does not."""
    ada, ben = Guest(app, "Ada"), Guest(app, "Ben")
    path = _table(ada, ben)

    def tags() -> list[str]:
        pages = (who.web.get(path).text for who in (ada, ben))
        return [tag for page in pages for tag in re.findall(r'data-tag="([^"]+)"', page)]

    before = tags()
    _sketch(ada, path, "add", ROUTE)
    after = tags()

    assert before[0] != after[0]
    assert before[1] == after[1]
