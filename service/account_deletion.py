"""Deleting an account: it leaves every table, and everything personal is taken away."""

from engine.tongue import say
from service import refusals
from service.desk import Desk
from service.games import lobby
from service.memory.news import of_account
from service.people.tokens import Caller
from store import recorded_answers
from store.database import Transaction
from store.games import games, invitations
from store.people import accounts

ATTEMPTS = 5


class _StillThere(Exception):
    """The account has sat down at a table while it was leaving them."""


def delete(desk: Desk, caller: Caller) -> None:
    """Leave every table and take away everything personal; the logs stay as they are."""
    for _ in range(ATTEMPTS):
        lobby.leave_all(desk, caller.account)
        try:
            with desk.database.writing() as tx:
                _remove(tx, caller.account)
        except _StillThere:
            continue
        desk.news.publish(of_account(caller.account))
        desk.database.scrub()
        return
    raise refusals.Refused("rate_limited", say("You are sitting down and leaving."), retry_after=1)


def _remove(tx: Transaction, account: str) -> None:
    # Tables come before the account, as in every other transaction that needs both.
    games.touch_all_of(tx, account)
    # PostgreSQL lets nobody refer to a row of which a unique value changes: so nobody sits down
    # or writes between our look and the end.
    accounts.change(tx, account, {"name_key": f"gone {account}"})
    going = games.tables(tx, [game for game, _ in games.running_of(tx, account)])
    for table in going:
        seat = table.seat_of(account)
        if seat and not seat.resigned:
            raise _StillThere
    recorded_answers.forget_of(tx, account)
    found = accounts.account(tx, account)
    if found and found.email:
        invitations.forget(tx, found.email)
    accounts.remove(tx, account)
