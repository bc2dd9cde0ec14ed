"""New deadlines after a change of absences."""

from datetime import date

from service.clocks import retiming
from service.desk import Desk
from store.games import games
from store.people import accounts
from tests.service.tables import play, table
from tests.service.timing import by_hand, due_at, seat_at

AWAY = {"from": "2030-01-07", "to": "2030-01-13"}


def _note(desk: Desk, account: str, absences: list[dict[str, str]]) -> None:
    """Store absences, and give open decisions their new time."""
    with desk.database.writing() as tx:
        games.touch_all_of(tx, account, "running")
        row = accounts.account(tx, account)
        assert row is not None
        accounts.change(tx, account, {"settings": row.settings | {"absences": absences}})
        retiming.time_again(tx, account, desk.now())


def test_an_absence_moves_an_open_deadline(each_desk: Desk) -> None:
    """And taking it back moves it back; the seats of others keep theirs."""
    desk, _ = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    before, others = seat_at(desk, game, ada).deadline, seat_at(desk, game, ben).deadline
    _note(desk, ada, [AWAY])
    moved = seat_at(desk, game, ada).deadline

    assert before is not None
    assert moved is not None
    assert date.fromisoformat(moved[:10]) > date.fromisoformat(AWAY["to"])
    assert others == seat_at(desk, game, ben).deadline
    _note(desk, ada, [])
    assert before == seat_at(desk, game, ada).deadline


def test_the_clock_looks_when_the_new_time_says(desk: Desk) -> None:
    """The next reminder moves with the deadline."""
    desk, _ = by_hand(desk)
    game, (ada, _) = table(desk, "Ada", "Ben", pace="daily")
    number = seat_at(desk, game, ada).number
    before = due_at(desk, game)
    _note(desk, ada, [AWAY])
    after = due_at(desk, game)

    assert before[number] is not None
    assert str(before[number]) < str(after[number])
    assert before[1 - number] == after[1 - number]


def test_a_seat_that_is_not_awaited_is_left_alone(desk: Desk) -> None:
    """Neither it nor a game without a clock gets a deadline."""
    desk, _ = by_hand(desk)
    game, (ada, _) = table(desk, "Ada", "Ben", pace="daily")
    play(desk, game, ada, "keep all")
    without, (cem, _) = table(desk, "Cem", "Dan", pace="none")
    _note(desk, ada, [AWAY])
    _note(desk, cem, [AWAY])

    assert seat_at(desk, game, ada).deadline is None
    assert [None, None] == due_at(desk, without)
