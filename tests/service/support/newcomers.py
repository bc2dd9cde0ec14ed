"""New accounts, and the rows of a table, for tests."""

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
    """Create an account; return it as the caller of requests."""
    made = accounts.create(desk, {"name": name, **more}, None)
    caller = caller_of(desk, made["token"]["token"])
    assert caller is not None
    return caller


def code(desk: Desk, body: Document, key: str | None = None) -> str:
    """The code with which creating this account is refused."""
    with pytest.raises(Refused) as refused:
        accounts.create(desk, body, key)
    return refused.value.code


def rows(desk: Desk, table: Any, *columns: str) -> list[Any]:
    """These columns of every row of a table, sorted."""
    with desk.database.reading() as tx:
        result = tx.execute(select(*table.c[columns]).order_by(*table.c[columns]))
        return [tuple(row) for row in result]
