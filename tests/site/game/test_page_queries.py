"""The number of SQL queries that the page of a game takes."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from api.site import play
from service.desk import Desk
from service.games import table_lookup
from service.links import signed_links
from tests.api.serving import fresh_app
from tests.site.visiting import Guest
from tests.support import mail_links, sql_statements
from tests.support.sql_statements import selects, table_loads


class Watched:
    """An application whose queries are recorded."""

    def __init__(self, app: Flask, desk: Desk, statements: list[str]) -> None:
        self.app = app
        self.desk = desk
        self.statements = statements

    def queries(self, guest: Guest, path: str) -> list[str]:
        """The queries of one page view."""
        self.statements.clear()
        assert 200 == guest.web.get(path).status_code
        return selects(self.statements)


@pytest.fixture
def watched(tmp_path: Path, blank: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    """An application on its own database, whose queries are recorded."""
    monkeypatch.setattr(play, "PATIENCE", 0)
    path = shutil.copy(blank, tmp_path / "nightmail.db")
    with sql_statements.recorded() as statements:
        app, desk = fresh_app(f"sqlite:///{path}")
        yield Watched(app, desk, statements)
        desk.close()


@pytest.mark.parametrize(("query", "number"), [("", 7), ("?at=0", 6)])
def test_a_page_loads_its_table_once(watched: Watched, query: str, number: int) -> None:
    """A game page takes seven queries: for token, account, table, talk, moves, notebook and orders.

    An earlier position is shown without a notebook.
    """
    ada = Guest(watched.app, "Ada")
    game = ada.game()
    ada.play(game, "keep all")
    queries = watched.queries(ada, game + query)

    assert 1 == len(table_loads(queries))
    assert number == len(queries)


def test_a_waiting_table_is_loaded_once(watched: Watched) -> None:
    """The page of a waiting table takes six queries, and loads the table once."""
    ada = Guest(watched.app, "Ada")
    table = ada.game(easy="0")
    queries = watched.queries(ada, table)

    assert 1 == len(table_loads(queries))
    assert 6 == len(queries)


def test_a_spectator_needs_fewer_queries(watched: Watched) -> None:
    """Without a session a game page takes three queries, and loads the table once."""
    ada, visitor = Guest(watched.app, "Ada"), Guest(watched.app)
    game = ada.game()
    watched.queries(visitor, game)
    queries = watched.queries(visitor, game)

    assert 1 == len(table_loads(queries))
    assert 3 == len(queries)


def test_a_session_for_a_seat_is_looked_up_once(watched: Watched) -> None:
    """In a session for a seat a game page takes three queries more than for a spectator.

    These are one each for the session, its account and its table.
    """
    ada, visitor = Guest(watched.app, "Ada"), Guest(watched.app)
    path = ada.game()
    game = path.rsplit("/", 1)[1]
    with watched.desk.database.reading() as tx:
        (seat,) = (seat for seat in table_lookup.existing(tx, game).seated if seat.account)
    link = signed_links.turn(watched.desk, game, seat.number, 0)
    answer = visitor.web.post(mail_links.path(link), data={"choice": "continue"})
    assert 303 == answer.status_code
    watched.queries(visitor, path)

    assert 6 == len(watched.queries(visitor, path))
