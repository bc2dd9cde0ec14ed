"""Decisions as documents."""

from typing import Any

from engine.codec import read_action, write
from service.desk import Desk
from service.games import decisions, reading, table_lookup
from tests.service.support.tables import keep_tickets, play, table
from tests.service.support.timing import seat_at, table_at

Document = dict[str, Any]


def decision_of(desk: Desk, **more: Any) -> Document:
    """The decision of a player whose turn it is."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    decision = reading.decision(desk, game, ada, **more)
    assert decision is not None
    return decision


def test_a_decision_has_a_menu(desk: Desk) -> None:
    """Entries are numbered from 1, their texts differ, and the default belongs to one of them."""
    decision = decision_of(desk)
    entries = decision["menu"]

    assert list(range(1, len(entries) + 1)) == [entry["n"] for entry in entries]
    assert len(entries) == len({entry["text"] for entry in entries})
    assert decision["default"]["entry"] in range(1, len(entries) + 1)
    default = decision["default"]["action"]
    assert default == write(read_action(default))
    assert "options" not in decision


def test_every_option_is_listed_on_request(desk: Desk) -> None:
    """With `all_options` every option is listed once, with the number of its entry."""
    decision = decision_of(desk, all_options=True)
    options = decision["options"]

    assert len(options) == len({option["text"] for option in options})
    assert len(options) == len({read_action(option["action"]) for option in options})
    assert {entry["n"] for entry in decision["menu"]} == {option["entry"] for option in options}


def test_an_entry_says_what_it_costs_and_reveals(desk: Desk) -> None:
    """A claim costs cards, brings points and reveals nothing; a blind draw costs nothing."""
    entries = {entry["group"]: entry for entry in reversed(decision_of(desk)["menu"])}
    draw, claim = entries["draw"], entries["claim"]

    assert ("", 0, True, []) == (draw["costs"], draw["points"], draw["reveals"], draw["ways"])
    assert claim["costs"]
    assert claim["points"] > 0
    assert not claim["reveals"]


def test_ways_complete_the_action(desk: Desk) -> None:
    """An entry's action with the fill of one of its ways is a whole action."""
    decision = decision_of(desk)
    claim = next(entry for entry in decision["menu"] if entry["group"] == "claim")

    for way in claim["ways"]:
        detail = decision["ways"][way]
        action = claim["action"] | detail["fill"]
        assert action == write(read_action(action))
        assert detail["locomotives"] <= detail["most_locomotives"]


def test_a_choice_names_its_field(desk: Desk) -> None:
    """The chosen values complete the action under the field of the choice."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    decision = reading.decision(desk, game, ada)
    assert decision is not None
    (entry,) = decision["menu"]
    choice = entry["choice"]

    assert (2, 3, 3) == (choice["least"], choice["most"], len(choice["things"]))
    kept = [thing["value"] for thing in choice["things"]]
    action = {**entry["action"], choice["field"]: kept}
    assert action == write(read_action(action))


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
