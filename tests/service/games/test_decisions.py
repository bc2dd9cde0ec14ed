"""Decisions as documents."""

from engine.codec import read_action
from service.desk import Desk
from service.games import decisions, reading, table_lookup
from tests.service.tables import keep_tickets, play, table
from tests.service.timing import seat_at, table_at


def test_a_decision_lists_every_option_once(desk: Desk) -> None:
    """Options are numbered from 1, all texts and actions differ, and the default is among them."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    decision = reading.decision(desk, game, ada)
    assert decision is not None
    options = decision["options"]

    assert list(range(1, len(options) + 1)) == [option["n"] for option in options]
    assert len(options) == len({option["text"] for option in options})
    assert decision["default"] in range(1, len(options) + 1)
    assert len(options) == len({read_action(option["action"]) for option in options})


def test_an_option_says_what_it_costs_and_reveals(desk: Desk) -> None:
    """A claim spends cards and reveals nothing; a blind draw spends nothing and does."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    decision = reading.decision(desk, game, ada)
    assert decision is not None
    by_type = {option["action"]["type"]: option for option in decision["options"]}

    assert by_type["draw_blind"]["spends"] is None
    assert by_type["draw_blind"]["reveals"]
    assert by_type["claim"]["spends"]
    assert not by_type["claim"]["reveals"]


def test_a_decision_names_its_times(desk: Desk) -> None:
    """A decision has the seat's start and deadline, and names game, version and seat."""
    game, (ada, _) = table(desk, "Ada", "Ben", pace="daily")
    seat = seat_at(desk, game, ada)
    decision = reading.decision(desk, game, ada)
    assert decision is not None

    assert seat.awaited_since is not None
    assert (seat.awaited_since, seat.deadline) == (decision["since"], decision["deadline"])
    assert (game, 0, seat.number) == (decision["game"], decision["version"], decision["seat"])


def test_a_seat_that_is_not_awaited_has_no_decision(desk: Desk) -> None:
    """The document of a decision is None for a seat that is not awaited."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    play(desk, game, ada, "keep all")
    with desk.database.reading() as tx:
        current, position = table_lookup.settled(desk, tx, table_at(desk, game))

    assert decisions.document(current, position, 0, None, None) is None
    assert decisions.document(current, position, 1, None, None) is not None
