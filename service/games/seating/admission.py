"""Who may open a table or take a seat at one, and which seat."""

from engine.translate import say, says
from service import refusals
from service.desk import Desk
from service.people import tokens
from store.database import Transaction
from store.games import games
from store.games.games import Table
from store.people import accounts


def check(tx: Transaction, table: Table, account: str) -> None:
    """Refuse a second seat, a game that has begun, and people at a rated table."""
    if table.seat_of(account):
        raise refusals.Refused("seat_taken", say("You are already at this table."))
    if table.status != "open":
        raise refusals.Refused(
            "already_started", say("The game has already started; all seats are taken.")
        )
    if table.rated and not is_bot(tx, account):
        raise refusals.Refused("forbidden", say("This game is rated: only bots can join it."))


def check_room(desk: Desk, tx: Transaction, account: str) -> None:
    """Refuse an account that has too many open or running games."""
    tokens.lock_account(tx, account)  # or two requests could count at the same time
    settings, counted = desk.settings, games.tables_of(tx, account)
    if counted["open"] >= settings.open_games:
        sentence = says(
            "You are already waiting for players at {n} table.",
            "You are already waiting for players at {n} tables.",
            settings.open_games,
        )
        raise refusals.Refused("too_many_open", sentence)
    if counted["running"] >= settings.running_games:
        sentence = says(
            "You are already playing {n} game.",
            "You are already playing {n} games.",
            settings.running_games,
        )
        raise refusals.Refused("too_many_open", sentence)


def free_seat(table: Table) -> int:
    """Return the lowest number that is free at an open table."""
    taken = {seat.number for seat in table.seated}
    return next(number for number in range(table.seats) if number not in taken)


def is_bot(tx: Transaction, account: str) -> bool:
    """Return whether an account is a program's."""
    row = accounts.account(tx, account)
    return row is not None and row.kind == "bot"
