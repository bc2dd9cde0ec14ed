"""Helpers for tests of technologies."""

from engine.rules.technologies import technologies
from engine.values import CardPayment
from tests.scenes import Scene, counted


def cards(names: str) -> CardPayment:
    """A payment of these cards, valid or not: `red red locomotive`."""
    return CardPayment(counted(names.split()))


def owned(play: Scene, seat: int) -> tuple[str, ...]:
    """The technologies of a seat."""
    return technologies.part(play.state).owned[seat]


def bought(play: Scene, seat: int) -> set[str]:
    """The technologies that this seat could buy now."""
    return {text.split()[1] for text in play.texts(seat, "buy ")}
