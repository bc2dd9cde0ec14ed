from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from engine import Refusal
from service import account_deletion
from service.desk import Desk
from service.games import lobby, reading, table_lookup, talk
from service.games.lobby import NewGame
from service.idempotency import Document
from service.people import accounts
from service.people.tokens import Caller, caller_of
from service.refusals import Refused
from store import tables
from tests.service.support.newcomers import KEY, code, newcomer, rows
from tests.service.support.threads import at_once


def _table(desk: Desk, host: Caller, *others: Caller, seats: int) -> str:
    opened = lobby.open_game(desk, host.account, NewGame("usa", (), seats), None)
    for other in others:
        lobby.join(desk, other.account, opened["id"], "", None)
    return str(opened["id"])


def test_nothing_personal_is_left(each_desk: Desk) -> None:
    """Deleting an account gives up its seats and deletes its messages, name, address and token."""
    made = accounts.create(each_desk, {"name": "Ada Byron", "email": "ada@example.org"}, KEY)
    ada = caller_of(each_desk, made["token"]["token"])
    assert ada is not None
    ben = newcomer(each_desk, "Ben")
    waiting = _table(each_desk, ben, ada, seats=3)
    alone = _table(each_desk, ada, seats=3)
    running = _table(each_desk, ada, ben, seats=2)
    for game in (waiting, running):
        talk.say(each_desk, ada.account, game, f"Ada Byron was here, {game}", f"say {game}")
    before = rows(each_desk, tables.moves, "game", "number", "record", "hash")
    account_deletion.delete(each_desk, ada)

    assert [(waiting,), (running,)] == sorted(
        rows(each_desk, tables.games, "id"), key=[(waiting,), (running,)].index
    )
    assert alone not in str(rows(each_desk, tables.games, "id"))
    assert ["Ben"] == [player["name"] for player in _summary(each_desk, waiting, ben)["players"]]
    assert {ben.account, None} == {
        row[0] for row in _rows_of(each_desk, tables.seats, "account", running)
    }
    assert [] == rows(each_desk, tables.messages, "text")
    assert (
        before == rows(each_desk, tables.moves, "game", "number", "record", "hash")[: len(before)]
    )
    assert [] == _traces(each_desk, "Ada Byron", "ada@example.org", ada.token)
    # The recorded answer to the idempotency key is kept for two days.
    assert [("answers", ada.account)] == _traces(each_desk, ada.account)


def _summary(desk: Desk, game: str, caller: Caller) -> Document:
    with desk.database.reading() as tx:
        return reading.summary(table_lookup.table_of(tx, game, caller.account))


def _rows_of(desk: Desk, table: Any, column: str, game: str) -> list[Any]:
    with desk.database.reading() as tx:
        return [
            tuple(row) for row in tx.execute(select(table.c[column]).where(table.c.game == game))
        ]


def _traces(desk: Desk, *texts: str) -> list[tuple[str, str]]:
    """Every table that contains one of these texts, with that text."""
    traces = []
    with desk.database.reading() as tx:
        for table in tables.metadata.sorted_tables:
            rows = "".join(map(str, tx.execute(select(table))))
            traces += [(table.name, text) for text in texts if text in rows]
    return traces


def test_no_file_remembers(desk: Desk, tmp_path: Path) -> None:
    """No database file contains a present or former name or address of a deleted account."""
    made = accounts.create(desk, {"name": "Ada Byron", "email": "ada@example.org"}, KEY)
    caller = caller_of(desk, made["token"]["token"])
    assert caller is not None
    accounts.change(desk, caller, {"name": "Ada Lovelace", "email": "lovelace@example.org"})
    account_deletion.delete(desk, caller)
    desk.close()

    contents = b"".join(path.read_bytes() for path in tmp_path.iterdir()).lower()
    assert b"confirm_address" not in contents
    assert [] == [text for text in (b"ada b", b"lovelace", b"ada@", b"adabyr") if text in contents]


def test_deleting_twice(desk: Desk) -> None:
    """Deleting an account twice is no error, and the account stays deleted."""
    ada = newcomer(desk)
    account_deletion.delete(desk, ada)
    account_deletion.delete(desk, ada)

    with pytest.raises(Refused) as refused:
        accounts.me(desk, ada)
    assert "unauthenticated" == refused.value.code
    with pytest.raises(Refused):
        accounts.change(desk, ada, {"name": "Ada"})


def test_name_is_free_again(desk: Desk) -> None:
    """The name of a deleted account can be used again."""
    account_deletion.delete(desk, newcomer(desk))

    assert newcomer(desk)


def test_sitting_down_while_leaving(each_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """An account that joins a table while it is being deleted leaves that table, too."""
    ada, ben = newcomer(each_desk), newcomer(each_desk, "Ben")
    game = _table(each_desk, ben, seats=3)
    leave_all = lobby.leave_all
    left: list[str] = []

    def late(desk: Desk, account: str) -> None:
        leave_all(desk, account)
        if not left:
            lobby.join(desk, account, game, "", None)
        left.append(account)

    monkeypatch.setattr(lobby, "leave_all", late)
    account_deletion.delete(each_desk, ada)

    assert [ada.account] * 2 == left
    assert [(ben.account,)] == _rows_of(each_desk, tables.seats, "account", game)


def _met(texts: list[str]) -> tuple[str, bool]:
    return texts[0], texts[1] in ("done", "unauthenticated")


def test_who_is_gone_sits_nowhere(each_desk: Desk) -> None:
    """Joining a table with a deleted account is refused, and changes nothing."""
    ada, ben = newcomer(each_desk), newcomer(each_desk, "Ben")
    game = _table(each_desk, ben, seats=3)
    account_deletion.delete(each_desk, ada)

    with pytest.raises(Refused) as refused:
        lobby.join(each_desk, ada.account, game, "", KEY)
    assert "unauthenticated" == refused.value.code
    assert [(ben.account,)] == _rows_of(each_desk, tables.seats, "account", game)


def test_deleting_and_sitting_down_at_once(each_desk: Desk) -> None:
    """However deleting and joining interleave, a deleted account keeps no seat."""
    ben = newcomer(each_desk, "Ben")
    for n in range(8):
        ada, game = newcomer(each_desk, f"Ada {'abcdefgh'[n]}"), _table(each_desk, ben, seats=3)

        def act(n: int, ada: Caller = ada, game: str = game) -> str:
            try:
                if n == 0:
                    account_deletion.delete(each_desk, ada)
                else:
                    lobby.join(each_desk, ada.account, game, "", None)
            except Refusal as refusal:
                return refusal.code
            return "done"

        assert ("done", True) == _met(at_once(2, act))
        assert [(ben.account,)] == _rows_of(each_desk, tables.seats, "account", game)
        lobby.leave(each_desk, ben.account, game)
    with each_desk.database.reading() as tx:
        assert 1 == tx.scalar(select(func.count()).select_from(tables.accounts))


def test_deleted_account_is_not_made_again(desk: Desk) -> None:
    """Repeating the request that created a deleted account is refused and creates none."""
    made = accounts.create(desk, {"name": "Ada"}, KEY)
    caller = caller_of(desk, made["token"]["token"])
    assert caller is not None
    account_deletion.delete(desk, caller)

    assert "gone" == code(desk, {"name": "Ada"}, KEY)
    assert [] == rows(desk, tables.accounts, "id")
