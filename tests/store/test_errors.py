"""The store turns database errors into its own exceptions."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError

from store.database import Database
from store.errors import Away, Clash, StoreError


def test_a_second_row_with_the_same_key_is_a_clash(database: Database) -> None:
    """A violated constraint raises Clash, with the library's error as its cause."""
    with database.writing() as tx:
        tx.execute(text("create table places (number int primary key)"))

    with pytest.raises(Clash) as raised, database.noting() as tx:
        tx.execute(text("insert into places values (1), (1)"))

    assert isinstance(raised.value.__cause__, IntegrityError)


def test_a_database_that_cannot_be_reached_is_away() -> None:
    """Every kind of block on an unreachable database raises Away."""
    nowhere = Database("postgresql+psycopg://nobody@127.0.0.1:1/nothing")

    for block in (nowhere.reading, nowhere.writing, nowhere.noting):
        with pytest.raises(Away) as raised, block():
            pass
        assert isinstance(raised.value.__cause__, OperationalError)


def test_inner_blocks_raise_the_same_errors(database: Database) -> None:
    """A nested block raises the store's errors as well."""
    with database.reading(), pytest.raises(StoreError), database.reading() as tx:
        tx.execute(text("select number from nowhere"))


def test_a_url_that_says_nothing_is_an_error_of_the_store() -> None:
    """A malformed database URL raises a StoreError."""
    with pytest.raises(StoreError):
        Database("nothing")


def test_the_reason_is_the_drivers_own(database: Database) -> None:
    """The message is the driver's own, and SQLAlchemy adds no statement to it."""
    with pytest.raises(StoreError) as raised, database.reading() as tx:
        tx.execute(text("select number from nowhere"))

    assert "nowhere" in str(raised.value)
    assert "select" not in str(raised.value).partition("LINE")[0].lower()
    assert isinstance(raised.value.__cause__, (OperationalError, ProgrammingError))
