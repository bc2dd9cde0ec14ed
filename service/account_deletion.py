"""Deletes an account: it leaves every table, and all personal data is removed."""

from engine.translate import say
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
"""How often to try again if the account joins another table in the meantime."""


class _StillThere(Exception):
    """The account has joined another table while it was leaving its tables."""


def delete(desk: Desk, caller: Caller) -> None:
    """Leave every table and delete all personal data; the logs of games stay unchanged."""
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
    raise refusals.Refused(
        "rate_limited",
        say("You keep joining new games. Leave them first, then delete your account."),
        retry_after=1,
    )


def _remove(tx: Transaction, account: str) -> None:
    # Lock tables before the account, as in every other transaction that needs both.
    games.touch_all_of(tx, account)
    # Changing a unique value locks the row in PostgreSQL against new references to it, so that the
    # account can neither join a table nor post a message until this transaction ends.
    accounts.change(tx, account, {"name_key": f"gone {account}"})
    tables = games.tables(tx, [game for game, _ in games.running_of(tx, account)])
    for table in tables:
        seat = table.seat_of(account)
        if seat and not seat.resigned:
            raise _StillThere
    recorded_answers.forget_of(tx, account)
    row = accounts.account(tx, account)
    if row and row.email:
        invitations.forget(tx, row.email)
    accounts.remove(tx, account)
