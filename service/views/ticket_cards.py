"""The reader's tickets on the game page, each with a letter that also marks it on the board."""

from collections.abc import Iterable, Mapping
from string import ascii_uppercase
from typing import NamedTuple

from engine import Board, Goal
from engine.values import CityId, RouteId, TicketId


class TicketCard(NamedTuple):
    """A ticket that the reader holds or may choose."""

    letter: str
    """Marks the ticket in lists and on the board."""
    goal: Goal
    cities: tuple[CityId, ...]
    """The cities where it ends."""

    @property
    def way(self) -> tuple[RouteId, ...]:
        """The free routes of a shortest way that would complete it; empty if there is none."""
        return self.goal.missing or ()


def ticket_cards(board: Board, goals: Iterable[Goal]) -> tuple[TicketCard, ...]:
    """Return the tickets with their letters: A to Z, then AA, AB and so on."""
    return tuple(
        TicketCard(
            _letter(number),
            goal,
            tuple(dict.fromkeys(city for end in board.tickets[goal.id].cities for city in end)),
        )
        for number, goal in enumerate(goals)
    )


def _letter(number: int) -> str:
    first, second = divmod(number, len(ascii_uppercase))
    return (ascii_uppercase[first - 1] if first else "") + ascii_uppercase[second]


def letters_by_city(cards: Iterable[TicketCard]) -> dict[CityId, str]:
    """Return the letters that the board shows in each city where tickets end."""
    letters: dict[CityId, str] = {}
    for card in cards:
        for city in card.cities:
            letters[city] = letters.get(city, "") + card.letter
    return letters


def letters_by_ticket(cards: Iterable[TicketCard]) -> Mapping[TicketId, str]:
    """Return the letter of each ticket."""
    return {card.goal.id: card.letter for card in cards}
