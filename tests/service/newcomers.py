"""Accounts, and what is stored about them, for tests of coming and going."""

from typing import Any

import pytest
from sqlalchemy import select

from service.desk import Desk
from service.idempotency import Document
from service.people import accounts
from service.people.tokens import Caller, caller_of
from service.refusals import Refused

KEY = "0123456789abcdef"


def newcomer(desk: Desk, name: str = "Ada", **more: str) -> Caller:
    """A new account, as it calls."""
    made = accounts.create(desk, {"name": name, **more}, None)
    caller = caller_of(desk, made["token"]["token"])
    assert caller is not None
    return caller


def code(desk: Desk, wanted: Document, key: str | None = None) -> str:
    """The code with which such an account is refused."""
    with pytest.raises(Refused) as refused:
        accounts.create(desk, wanted, key)
    return refused.value.code


def rows(desk: Desk, table: Any, *columns: str) -> list[Any]:
    """What a table holds, in order."""
    with desk.database.reading() as tx:
        found = tx.execute(select(*table.c[columns]).order_by(*table.c[columns]))
        return [tuple(row) for row in found]
