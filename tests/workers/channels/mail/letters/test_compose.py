"""The cost of composing a letter: few statements, each account read once, no writes."""

from collections.abc import Sequence
from typing import NoReturn

import pytest

from service.desk import Desk
from service.games import lobby
from service.games.inviting import invitations
from service.memory.positions import Positions
from service.notify.outbox import Delivery
from store.database import Database
from tests.service.support.owing import reachable
from tests.workers.correspondence import delivery, room
from workers.channels.mail.letters.compose import Composer

TURN_LETTER = 9
"""Statements for a letter about a decision of a game that this process has not seen: the account,
the table, three reads of moves, the seat's links, two looks for known addresses, and the orders."""


def statements(desk: Desk, deliveries: Sequence[Delivery]) -> list[str]:
    """The SQL statements that the reading connection runs while a letter is composed."""
    seen: list[str] = []
    fresh = desk._replace(positions=Positions())
    with desk.database.reading() as tx:
        raw = tx.connection.dbapi_connection
        assert raw is not None
        raw.set_trace_callback(seen.append)
        try:
            assert Composer(fresh, pictures=False).composed(deliveries) is not None
        finally:
            raw.set_trace_callback(None)
    return seen


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every write to the database fail."""

    def refuse(_: Database) -> NoReturn:
        raise AssertionError("composing a letter writes")

    monkeypatch.setattr(Database, "writing", refuse)
    monkeypatch.setattr(Database, "noting", refuse)


def test_a_letter_about_a_decision_takes_few_statements(
    desk: Desk, request: pytest.FixtureRequest
) -> None:
    """It runs TURN_LETTER statements, all of them SELECT, and reads accounts once."""
    here = room(desk)
    here.play(30)
    about = here.about("decision_opened")
    request.getfixturevalue("read_only")

    queries = statements(desk, [about])
    assert TURN_LETTER == len(queries)
    assert 1 == sum("FROM accounts" in statement for statement in queries)
    assert {"SELECT"} == {statement.split()[0] for statement in queries}


def test_an_invitation_reads_its_guest_once(desk: Desk, request: pytest.FixtureRequest) -> None:
    """One statement reads the accounts of host and guest."""
    host, guest = reachable(desk, "Ada"), reachable(desk, "Ben")
    game = lobby.open_game(desk, host, lobby.NewGame("usa", (), 3), None)["id"]
    made = invitations.invite(desk, host, game, {"name": "Ben"}, None)
    about = delivery(guest, "invited", game, data={"invitation": made["id"]})
    request.getfixturevalue("read_only")

    queries = statements(desk, [about])
    assert 1 == sum("FROM accounts" in statement for statement in queries)
