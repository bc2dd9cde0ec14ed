"""The metrics count moves by who made them, and nobody sees in them that a seat has orders."""

from service.desk import Desk
from service.games.ordering import giving
from service.memory.move_counter import count_move, new_move_counter
from tests.service.games.ordering.waiting import carry_out, ordered_game
from tests.service.support.tables import play


def counted(desk: Desk) -> dict[str, float]:
    """Return how many moves were counted, by who made them."""
    samples = next(iter(desk.move_counter.collect())).samples
    return {each.labels["by"]: each.value for each in samples if each.name.endswith("_total")}


def test_orders_are_counted_like_moves_by_hand(desk: Desk) -> None:
    """A turn played by orders adds as many moves, under the same label, as one played by hand."""
    desk, _, game, (ada, ben) = ordered_game(desk)
    before = counted(desk)["player"]

    giving.give(desk, ada, game, "draw; draw")
    carry_out(desk)
    assert {"player": before + 2} == counted(desk)
    play(desk, game, ben, "draw")
    play(desk, game, ben, "draw")
    assert {"player": before + 4} == counted(desk)


def test_the_house_and_the_clock_are_counted_apart() -> None:
    """Moves of the house and the clock have labels of their own; every door is a player's."""
    counter = new_move_counter()
    for source in ("house", "clock", "api", "page", "link", "mail", "order"):
        count_move(counter, source)

    samples = next(iter(counter.collect())).samples
    values = {each.labels["by"]: each.value for each in samples if each.name.endswith("_total")}
    assert {"house": 1, "clock": 1, "player": 5} == values
