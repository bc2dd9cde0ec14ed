"""What tests of technologies ask a scene about."""

from engine.rules.technologies import technologies
from engine.values import CardPayment
from tests.scenes import Scene, counted


def cards(said: str) -> CardPayment:
    """A payment that need not be a good one: `red red locomotive`."""
    return CardPayment(counted(said.split()))


def owned(play: Scene, seat: int) -> tuple[str, ...]:
    """The technologies of a seat."""
    return technologies.part(play.state).owned[seat]


def bought(play: Scene, seat: int) -> set[str]:
    """The technologies that this seat could buy now."""
    return {text.split()[1] for text in play.texts(seat, "buy ")}
