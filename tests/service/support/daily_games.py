"""Games at the daily pace, and absences of their players."""

from typing import Any

from service.desk import Desk
from service.people import accounts
from service.people.tokens import Caller
from tests.service.support.tables import table
from tests.service.support.timing import Hands, by_hand, seat_at

BOTH_DAYS = ("2030-01-08", "2030-01-09")
"""Tuesday and Wednesday; the clock of these tests begins on Monday at ten."""


def daily_game(desk: Desk, **more: Any) -> tuple[Desk, Hands, str, list[str]]:
    """A running game of two, on a desk whose clock is moved by hand."""
    desk, hands = by_hand(desk)
    game, players = table(desk, "Ada", "Ben", **{"pace": "daily", **more})
    return desk, hands, game, players


def set_absences(desk: Desk, account: str, *spans: tuple[str, str], **more: str) -> None:
    """Replace the absences of an account, each given by its first and last day."""
    absences = [{"from": first, "to": last} for first, last in spans]
    caller = Caller(account, "", frozenset())
    accounts.change(desk, caller, {"absences": absences, **more})


def deadline_of(desk: Desk, game: str, account: str) -> str:
    """The deadline of a player, to the minute."""
    deadline = seat_at(desk, game, account).deadline
    assert deadline is not None
    return deadline[:16].replace("T", " ")
