"""The parameters of a planning bot: what it values, and what it considers."""

from typing import NamedTuple


class Style(NamedTuple):
    turn: float
    """The value of a turn, in points."""
    train: float
    """The value of a train, in points."""
    points: float
    """The weight of a route's points when planning a path."""
    hand: bool
    """Whether planning a path considers the cards in hand."""
    rounds: int
    """How many orders of tickets are tried for a plan."""
    fill: bool
    """Whether routes beyond the tickets are planned, too."""
    wary: float
    """The weight of the risk that a rival takes a route."""
    sampling: bool
    """Whether drawing tickets depends on their expected value."""
    card: float = 0.5
    """Turns to get a card of a given colour."""
    held: float = 1.0
    """The weight of a card in hand when planning a path."""
    ready: float = 99.0
    """Tickets are drawn only when the plan takes at most this many turns."""
    slack: float = 5.0
    """Tickets are drawn only when at least this many turns are left beyond the plan."""
    passenger: float = 0.0
    """The value of a coloured passenger, in points."""
    majorities: bool = False
    """Whether coloured passengers are chosen with a view to what the others have."""
    long_tickets: int = 2
    """How many long tickets are drawn at the start, where there are two decks."""
    nearly: float = 0.35
    """The extra benefit of a card that is the last one missing for something."""


MEDIUM = Style(
    turn=1.0, train=1.0, points=0.0, hand=False, rounds=1, fill=False, wary=0.15,
    sampling=False,
)  # fmt: skip
HARD = Style(
    turn=2.2, train=0.6, points=1.0, hand=True, rounds=2, fill=True, wary=1.3,
    sampling=True, card=0.65, held=0.3, ready=0.0, slack=7.0, passenger=1.0, majorities=True,
    long_tickets=3,
)  # fmt: skip
HARD_WITH_FEW_JOKERS = HARD._replace(wary=0.3, slack=3.0)
"""Where locomotives count only on some routes, hurrying to a route spoils more than it saves."""
HARD_WITH_RARE_JOKERS = HARD_WITH_FEW_JOKERS._replace(turn=2.6, train=0.9)
"""Where ferries need these locomotives, too, turns and trains are worth more."""
HARD_WITH_DICE = HARD._replace(turn=3.0, wary=2.0)
"""With dice a turn is worth more, since it can bring a whole route."""
