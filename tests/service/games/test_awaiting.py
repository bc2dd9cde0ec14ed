"""Who is awaited after a move, until when, and when the house plays."""

from engine.codec import read_action
from service.desk import Desk
from service.games import awaiting, reading, table_lookup
from service.games.decided_moves import ChosenMove, DecidedMove, decide_move
from tests.service.support.tables import keep_tickets, table
from tests.service.support.timing import by_hand, table_at

HOUR = {"per_decision": 3600, "bank": 600, "reminders": []}


def _decided(desk: Desk, game: str, number: int, source: str = "api") -> DecidedMove:
    """The first option of a seat, decided and not stored."""
    with desk.database.reading() as tx:
        table, position = table_lookup.settled(desk, tx, table_at(desk, game))
    account = table.seated[number].account
    decision = reading.decision(desk, game, account or "")
    assert decision is not None
    action = read_action(decision["default"]["action"])
    return decide_move(table, position, ChosenMove(number, action, source), desk.now())


def test_only_seats_whose_decision_changed_are_named(desk: Desk) -> None:
    """While both choose tickets, a move of one leaves the other's decision as it is."""
    game, _ = table(desk, "Ada", "Ben")
    (wait,) = awaiting.waits_after(_decided(desk, game, 1))

    assert (1, None, None, None) == (wait.number, wait.since, wait.decision_version, wait.deadline)


def test_a_seat_that_goes_on_has_a_new_decision(desk: Desk) -> None:
    """After the first of two cards the same seat is awaited, from the new version on."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace=HOUR)
    keep_tickets(desk, game, [ada, ben])
    hands.on(minutes=65)
    (wait,) = awaiting.waits_after(_decided(desk, game, 0))

    assert (0, hands(), 3) == (wait.number, wait.since, wait.decision_version)
    assert 300 == wait.bank
    hands.on(minutes=65)
    assert hands() == wait.deadline


def test_a_seat_that_must_answer_the_same_again_has_a_new_decision(desk: Desk) -> None:
    """A decision that stays open after a move, as after buying a technology, starts anew."""
    game, players = table(desk, "Ada", "Ben", pace=HOUR)
    keep_tickets(desk, game, players)
    decided = _decided(desk, game, 0)
    (wait,) = awaiting.waits_after(decided._replace(before=decided.after))

    assert (0, decided.at, decided.after.version) == (
        wait.number,
        wait.since,
        wait.decision_version,
    )


def test_missed_deadlines_are_counted_in_a_row(desk: Desk) -> None:
    """A default counts, a caretaker's move does not, and the player's own resets the count."""
    game, _ = table(desk, "Ada", "Ben", pace=HOUR)
    decided = _decided(desk, game, 0)
    once = [seat._replace(missed=1) for seat in decided.table.seated]
    decided = decided._replace(table=decided.table._replace(seated=tuple(once)))

    def missed(source: str) -> int:
        assert decided.choice is not None
        choice = decided.choice._replace(source=source)
        return awaiting.waits_after(decided._replace(choice=choice))[0].missed

    assert [2, 1, 0] == [missed(source) for source in ("clock", "house", "mail")]


def test_a_deadline_is_the_new_one_or_the_old_one(desk: Desk) -> None:
    """A seat that has moved loses its deadline, another seat keeps its own; the deal has none."""
    game, _ = table(desk, "Ada", "Ben", pace=HOUR)
    decided = _decided(desk, game, 0)
    waits = awaiting.waits_after(decided)
    before = decided.table.seated[1].deadline

    assert None is awaiting.deadline_after(decided.table, 0, waits)
    assert before is not None
    assert before == awaiting.deadline_after(decided.table, 1, waits)
    assert None is awaiting.deadline_after(decided.table, None, waits)


def test_the_house_plays_at_once_where_it_sits(desk: Desk) -> None:
    """The house is due at once at a table where it is awaited, and never at one of people."""
    game, (ada,) = table(desk, "Ada", bots={"easy": 1})
    with_house = table_at(desk, game)
    number = next(seat.number for seat in with_house.seated if seat.account == ada)
    decided = _decided(desk, game, number)
    due, claimed = awaiting.house_turn(decided, awaiting.waits_after(decided))
    people, _ = table(desk, "Ben", "Cem")
    other = _decided(desk, people, 0)

    awaited = {decision.seat for decision in decided.after.state.awaiting}
    assert (decided.at if 1 - number in awaited else None, False) == (due, claimed)
    assert (None, False) == awaiting.house_turn(other, awaiting.waits_after(other))
