"""Orders as values: steps, what each tries, and how far they have been carried out."""

from typing import NamedTuple

from engine.kinds import Action
from engine.wishes import Bound, PaidWish, Wish

MOST_STEPS = 20
"""Steps that orders can have."""
MOST_TRIES = 6
"""Alternatives that a step can have."""
LONGEST_ORDERS = 2000
"""Characters of the longest orders that are read."""
MOST_TURNS = 99
"""The highest number of turns for which an order can hold."""

ALWAYS, IF_GONE = "else", "if it is gone:"
"""When an alternative is tried: if what stands before it fails, or only if that is lost."""


class Terms(NamedTuple):
    """On which terms an order pays."""

    paying: str = ""
    """With what, in notation: a colour, or exact cards; empty for anything."""
    locomotives: int | None = None
    """With at most this many locomotives or jokers."""
    surcharge: int | None = None
    """The highest surcharge to pay; a higher one is given up. None asks."""


class Task(NamedTuple):
    """One thing that a step tries."""

    wish: Wish | None
    """None stops and asks."""
    terms: Terms = Terms()
    waits: bool = False
    """Whether it waits until the move is legal, and collects meanwhile."""
    only_collects: bool = False
    """Whether it is over as soon as the move is legal, without making it."""
    meanwhile: "Task | None" = None
    """What to do while it waits; None collects for the move itself."""
    tried: str = ALWAYS
    """When it is tried, if it is an alternative."""

    @property
    def paid(self) -> PaidWish | None:
        """The wish, if it has to be paid for."""
        return self.wish if isinstance(self.wish, PaidWish) else None


class Step(NamedTuple):
    """Alternatives of which the first that can be done is done, and how long the step lasts."""

    tasks: tuple[Task, ...]
    turns: int | None = None
    """It is over after this many turns."""
    bound: Bound | None = None
    """It is over at this moment."""

    @property
    def repeats(self) -> bool:
        """Whether a plain move is made again and again until the step is over."""
        return self.turns is not None or self.bound is not None


class Orders(NamedTuple):
    """Steps that are carried out one after the other."""

    steps: tuple[Step, ...]


class Progress(NamedTuple):
    """How far orders have been carried out."""

    step: int = 0
    """How many steps are over."""
    turns: int = 0
    """In how many turns the present step has made a move."""
    pending: int | None = None
    """The task of this step whose move depends on chance, and which may have failed."""
    locomotives: int = 0
    """How many locomotives or jokers that move has paid."""


class Play(NamedTuple):
    """The move that orders make now."""

    action: Action
    progress: Progress


class Stop(NamedTuple):
    """Orders stop and ask, for this reason."""

    reason: str
    progress: Progress


class Finished(NamedTuple):
    """Nothing is left of the orders."""

    progress: Progress


Verdict = Play | Stop | Finished
