"""What tells one player from another: how much things are worth to it, and what it looks at."""

from typing import NamedTuple


class Style(NamedTuple):
    turn: float
    """What a turn is worth, in points."""
    train: float
    """What a train is worth, in points."""
    points: float
    """How much the points of a route count when a way is planned."""
    hand: bool
    """Whether a way is planned for the cards in hand."""
    rounds: int
    """How many orders of tickets are tried for a plan."""
    fill: bool
    """Whether what is left after the tickets is planned too, and not only taken as it comes."""
    wary: float
    """How much the danger counts that somebody else takes a route."""
    sampling: bool
    """Whether tickets are drawn by what they can be expected to bring."""
    card: float = 0.5
    """Turns for a card that must be of one colour."""
    held: float = 1.0
    """How much a card in hand counts when a way is planned."""
    ready: float = 99.0
    """Tickets are drawn when the plan takes no more turns than that,"""
    slack: float = 5.0
    """and so many turns are left beyond it."""
    nearly: float = 0.35
    """What a card is worth on top that is the last one missing for something."""


MEDIUM = Style(
    turn=1.0, train=1.0, points=0.0, hand=False, rounds=1, fill=False, wary=0.15,
    sampling=False,
)  # fmt: skip
HARD = Style(
    turn=2.2, train=0.6, points=1.0, hand=True, rounds=2, fill=True, wary=1.3,
    sampling=True, card=0.65, held=0.3, ready=0.0, slack=7.0,
)  # fmt: skip
HARD_WITH_DICE = HARD._replace(turn=3.0, wary=2.0)
"""A turn is worth more where each can bring a whole route."""
