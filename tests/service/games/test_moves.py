import json

import pytest
from sqlalchemy import select

from engine import Refusal
from service.desk import Desk
from service.games import lobby, moves, reading, table_lookup
from service.games.log_files import checked
from service.games.move_requests import MoveRequest
from service.memory.positions import Positions
from service.memory.response_cache import ResponseCache
from service.people import accounts
from service.people.tokens import Caller
from store.games.games import Table, moves_after
from store.games.packing import packed, unpacked
from store.tables import games, seats
from store.tables import moves as moves_table
from tests.service.games.test_lobby import finish
from tests.service.support.tables import keep_tickets, owed, play, table


def _rows(desk: Desk, game: str) -> list[tuple[int, int, str]]:
    with desk.database.reading() as tx:
        return [(move.number, move.seq, move.record) for move in moves_after(tx, game, -1)]


def test_moves_and_events_are_numbered_without_a_gap(each_desk: Desk) -> None:
    """Moves from 0, events from 1, whatever was played."""
    game, players = table(each_desk, "Ada", bots={"easy": 2})
    finish(each_desk, game, players[0])
    rows = _rows(each_desk, game)

    assert list(range(len(rows))) == [number for number, _, _ in rows]
    last = 0
    for _, seq, record in rows:
        last += len(json.loads(record)["events"])
        assert seq == last
    seqs = [entry["seq"] for entry in _all_events(each_desk, game)]
    assert list(range(1, last + 1)) == seqs


def _all_events(desk: Desk, game: str) -> list[dict[str, int]]:
    events: list[dict[str, int]] = []
    while True:
        part = reading.events(desk, game, None, events[-1]["seq"] if events else 0)
        events += part["events"]
        if part["over"]:
            return events


@pytest.mark.parametrize("board", ["usa", "europe", "uk", "nordic", "switzerland"])
def test_a_finished_game_can_be_checked_by_anybody(each_desk: Desk, board: str) -> None:
    """The published log holds: the seed, the chain, and every move decided again."""
    game, players = table(each_desk, "Ada", "Ben", board=board)
    while reading.summary(_table(each_desk, game))["status"] == "running":
        for player in players:
            finish(each_desk, game, player)
    lines = reading.log(each_desk, game, None)
    verified = checked("\n".join(lines).encode())

    seen = json.loads(reading.game(each_desk, game, None)[1])
    assert seen["commitment"] == verified.log.opening.commitment
    assert seen["head"] in "\n".join(lines)
    assert verified.ended is not None
    assert list(verified.ended.winners) == seen["result"]["winners"]


def _table(desk: Desk, game: str) -> Table:
    with desk.database.reading() as tx:
        return table_lookup.table_of(tx, game, None)


def test_a_repeated_move_has_one_effect_and_one_answer(each_desk: Desk) -> None:
    """A repeated move has one effect and one receipt, even later and in another process."""
    game, (first, second) = table(each_desk, "Ada", "Ben")
    keep_tickets(each_desk, game, [first, second])
    once = play(each_desk, game, first, "draw", key="k")
    play(each_desk, game, first, "draw")
    play(each_desk, game, second, "draw")
    forgetful = each_desk._replace(positions=Positions(), response_cache=ResponseCache())

    assert once == play(forgetful, game, first, "draw", key="k")
    assert 5 == reading.summary(_table(each_desk, game))["version"]


def test_a_key_belongs_to_its_body_and_its_seat(desk: Desk) -> None:
    """Another body with it is refused; another seat may use the same text."""
    game, (first, second) = table(desk, "Ada", "Ben")
    play(desk, game, first, "keep all", key="k")
    play(desk, game, second, "keep all", key="k")
    with pytest.raises(Refusal) as refusal:
        play(desk, game, first, "draw", key="k")

    assert "idempotency_mismatch" == refusal.value.code


def test_a_move_for_another_version_changes_nothing(desk: Desk) -> None:
    """A legal move for another version is refused with the current version."""
    game, (first, _) = table(desk, "Ada", "Ben")
    with pytest.raises(Refusal) as refusal:
        play(desk, game, first, "keep all", versions=frozenset({7}))
    assert "stale" == refusal.value.code
    assert {"version": 0} == getattr(refusal.value, "more", None)
    assert 1 == len(_rows(desk, game))
    assert play(desk, game, first, "keep all", versions=frozenset({0}))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("claim the moon", "unreadable"),
        ("keep 1", "illegal"),
        ("draw", "illegal"),
        ("9", "illegal"),
    ],
)
def test_a_refused_move_changes_nothing(desk: Desk, text: str, code: str) -> None:
    """No row, no notice, and the decision stays as it was."""
    game, (first, _) = table(desk, "Ada", "Ben")
    before = (_rows(desk, game), owed(desk), reading.decision(desk, game, first))
    with pytest.raises(Refusal) as refusal:
        play(desk, game, first, text)

    assert code == refusal.value.code
    assert before == (_rows(desk, game), owed(desk), reading.decision(desk, game, first))


def test_whoever_is_newly_asked_is_told_once(desk: Desk) -> None:
    """Each decision that opens owes one notice, with the version at which it opened."""
    game, (first, second) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [first, second])
    play(desk, game, first, "draw")
    play(desk, game, first, "draw")
    opened = [(account, version) for _, account, version in owed(desk, "decision_opened")]

    assert [(first, 0), (second, 0), (first, 2), (first, 3), (second, 4)] == opened


def test_whoever_is_asked_the_same_again_is_told_again(desk: Desk) -> None:
    """A turn after a move of the house is a new decision, with its own notice."""
    game, (ada,) = table(desk, "Ada", bots={"easy": 1})
    play(desk, game, ada, "keep all")
    while play(desk, game, ada, "draw")["decision"] is not None:
        pass
    decision = reading.decision(desk, game, ada)
    assert decision is not None

    assert (ada, decision["version"]) in [row[1:] for row in owed(desk, "decision_opened")]


def test_who_is_awaited_is_known_without_a_replay(desk: Desk) -> None:
    """The seats' rows say what the engine says, after every move of a game."""
    game, players = table(desk, "Ada", "Ben", bots={"easy": 1})
    while (current := _table(desk, game)).status == "running":
        with desk.database.reading() as tx:
            position = desk.positions.of(tx, current)
            rows = tx.execute(select(*seats.c["number", "awaited_since"])).all()
        awaited = {decision.seat for decision in position.state.awaiting}
        assert awaited == {row.number for row in rows if row.awaited_since}
        for player in players:
            if decision := reading.decision(desk, game, player):
                play(desk, game, player, decision["default"]["text"])


def test_nothing_personal_stands_in_the_log(desk: Desk) -> None:
    """A stored line names seats; who sat there is in one row that can change."""
    game, players = table(desk, "Ada Lovelace", "Benjamin Button")
    keep_tickets(desk, game, players)
    log = "".join(record for _, _, record in _rows(desk, game))

    assert not any(word in log for word in ("Ada", "Lovelace", "Benjamin", *players))


def test_a_stored_line_that_is_changed_is_noticed(desk: Desk) -> None:
    """Planted fault: one byte of the stored log makes the published one fail."""
    game, players = table(desk, "Ada", bots={"easy": 1})
    finish(desk, game, players[0])
    with desk.database.writing() as tx:
        (record,) = tx.scalars(select(moves_table.c.record).where(moves_table.c.number == 3))
        changed = packed(unpacked(record).replace("Z", "0Z", 1))
        tx.execute(moves_table.update().where(moves_table.c.number == 3).values(record=changed))
    with pytest.raises(ValueError, match="line 5"):
        checked("\n".join(reading.log(desk, game, None)).encode())


def test_a_game_not_begun_takes_no_moves(desk: Desk) -> None:
    """There is nothing to answer yet."""
    made = accounts.create(desk, {"name": "Ada"}, None)
    ada = Caller(made["account"]["id"], "", frozenset())
    game = lobby.open_game(desk, ada.account, lobby.NewGame("usa", (), 2), None)["id"]
    with pytest.raises(Refusal) as refusal:
        moves.submit(desk, ada.account, game, MoveRequest("draw"))

    assert "not_awaited" == refusal.value.code
    with desk.database.reading() as tx:
        assert -1 == tx.scalar(select(games.c.version))
