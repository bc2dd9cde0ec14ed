"""What to call the seats of a table."""

from collections.abc import Sequence

from engine.translate import say
from engine.values import Seat
from store.games.games import Table


def names_of(table: Table) -> list[str]:
    """What to call the seats."""
    return named([(seat.name, seat.house) for seat in table.seated])


def named(players: Sequence[tuple[str | None, str | None]]) -> list[str]:
    """What to call the players of a table, by their names or whoever plays for the house.

    Those who would be called alike are numbered, so that every sentence tells who it was.
    """
    houses = [None if name else house for name, house in players]
    names = []
    for seat, (name, house) in enumerate(players):
        alike = houses[: seat + 1].count(house) if houses.count(house) > 1 else None
        names.append(name or called(seat, house, alike))
    return names


def called(number: Seat, house: str | None, alike: int | None = None) -> str:
    """What to call a seat without a player who has a name, or the first, second … of its kind."""
    if house is None:
        return say("Seat {number}", number=number + 1)
    player = say(house)  # `make messages` collects the names of all who play for the house
    if alike is None:
        return say("House ({player})", player=player)
    return say("House ({player}) {number}", player=player, number=alike)
