"""Names of the seats at a table."""

from collections.abc import Sequence

from engine.translate import say
from engine.values import Seat
from store.games.games import Table


def names_of(table: Table) -> list[str]:
    """Return the name of each seat, in order."""
    return named([(seat.name, seat.house) for seat in table.seated])


def named(players: Sequence[tuple[str | None, str | None]]) -> list[str]:
    """Return names for players, each given as the account's name and the name of a house bot."""
    houses = [None if name else house for name, house in players]
    names = []
    for seat, (name, house) in enumerate(players):
        alike = houses[: seat + 1].count(house) if houses.count(house) > 1 else None
        names.append(name or called(seat, house, alike))
    return names


def called(number: Seat, house: str | None, alike: int | None = None) -> str:
    """Return the name of the house's seat; `alike` is its number among equal bots."""
    if house is None:
        return say("Seat {number}", number=number + 1)
    player = say(house)  # `make messages` collects the names of the house bots
    if alike is None:
        return say("House ({player})", player=player)
    return say("House ({player}) {number}", player=player, number=alike)
