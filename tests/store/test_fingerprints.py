"""Fingerprints of games and accounts change with everything that a client can wait for."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, update

from store import fingerprints, schema
from store.database import Database, Transaction
from store.games import games, notebooks
from store.games.notebooks import Notebook
from store.people import accounts
from store.tables import games as games_table
from store.tables import invitations, seats, tokens
from tests.promises.moves.test_numbering import GAME

AT = "2026-01-01T00:00:00.000Z"
LATER = "2026-01-02T00:00:00.000Z"


@pytest.fixture
def stocked(database: Database) -> Database:
    """Two accounts with a token and a game each."""
    schema.upgrade(database)
    with database.writing() as tx:
        for name, game in (("ada", "g"), ("bob", "h")):
            person: dict[str, object] = dict.fromkeys(("id", "name", "name_key"), name)
            person |= {
                "kind": "person",
                "locale": "en",
                "time_zone": "UTC",
                "created": AT,
                "settings": {},
            }
            accounts.add(tx, person)
            _add_token(tx, name, f"{name}'s")
            games.open_game(tx, GAME | {"id": game})
            _sit(tx, game, name)
    return database


def _add_token(tx: Transaction, account: str, id: str) -> None:
    row = {"id": id, "account": account, "hash": id.encode(), "label": "", "scopes": ""}
    tx.execute(insert(tokens), [row | {"created": AT}])


def _sit(tx: Transaction, game: str, account: str, number: int = 0) -> None:
    games.take_seat(
        tx, {"game": game, "number": number, "account": account, "nonce": "", "joined": AT}
    )


def _game(**values: object) -> Callable[[Transaction], None]:
    def change(tx: Transaction) -> None:
        tx.execute(update(games_table).where(games_table.c.id == "g").values(**values))

    return change


def _invite(tx: Transaction) -> None:
    tx.execute(insert(invitations), [{"id": "i", "game": "g", "host": "ada", "at": AT}])


def _free_seat(tx: Transaction) -> None:
    games.free_seat(tx, "g", 0)


def _resign(tx: Transaction) -> None:
    tx.execute(update(seats).where(seats.c.game == "g").values(resigned=AT))


def _await(tx: Transaction) -> None:
    tx.execute(update(seats).where(seats.c.game == "g").values(awaited_since=AT))


def _revoke(tx: Transaction) -> None:
    tx.execute(delete(tokens).where(tokens.c.account == "ada"))


CHANGES = {
    "a move": ({"g", "ada"}, _game(version=0)),
    "somebody comes or goes": ({"g", "ada"}, _game(changes=1)),
    "a message": ({"g", "ada"}, _game(last_message=1)),
    "the end": ({"g", "ada"}, _game(status="finished")),
    "another visibility": ({"g"}, _game(visibility="private")),
    "an invitation": ({"g"}, _invite),
    "a seat that is left": ({"ada"}, _free_seat),
    "a seat that is given up": ({"ada"}, _resign),
    "a decision": ({"ada"}, _await),
    "a revoked token": ({"ada"}, _revoke),
    "a new token": ({"ada"}, lambda tx: _add_token(tx, "ada", "another")),
    "a note": ({"ada"}, lambda tx: notebooks.replace(tx, "g", "ada", Notebook(1), AT)),
    "a deleted account": ({"ada"}, lambda tx: accounts.remove(tx, "ada")),
    "another game": ({"ada"}, lambda tx: _sit(tx, "h", "ada", 1)),
    "a dropped game": ({"g", "ada"}, lambda tx: games.drop(tx, "g")),
}


def _all(database: Database) -> dict[str, fingerprints.Fingerprint]:
    with database.reading() as tx:
        result = fingerprints.of_games(tx, ["g", "h", "nowhere"])
        return result | fingerprints.of_accounts(tx, ["ada", "bob", "nobody"])


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_seen_in_what_it_concerns(stocked: Database, what: str) -> None:
    """A change alters the fingerprints of exactly the games and accounts that it concerns."""
    expected, change = CHANGES[what]
    before = _all(stocked)
    assert before == _all(stocked)
    with stocked.writing() as tx:
        change(tx)
    after = _all(stocked)
    assert expected == {name for name in before if before[name] != after[name]}


def test_more_are_asked_for_than_fit_one_statement(tmp_path: Path) -> None:
    """Fingerprints of 3000 games and of 3000 accounts can be read in one call each."""
    database = Database(f"sqlite:///{tmp_path}/nightmail.db")
    schema.upgrade(database)
    with database.writing() as tx:
        games.open_game(tx, GAME | {"id": "1999"})
    with database.reading() as tx:
        result = fingerprints.of_games(tx, [str(number) for number in range(3000)])
        assert {} != fingerprints.of_accounts(tx, [str(number) for number in range(3000)])
    assert ["1999"] == [id for id, fingerprint in result.items() if fingerprint]
    database.close()
