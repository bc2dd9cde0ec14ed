"""The engine's exceptions: refusals for players, errors for maps and logs, and bugs."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.translate import say


class Place(NamedTuple):
    """A part of a longer text, such as orders."""

    step: int
    """The number of the step, from 1."""
    start: int
    """The index of its first character in the whole text."""
    end: int
    """The index after its last character."""


class Refusal(Exception):
    """The seat may not do this: a stable code, the rule's id, and a sentence for the player."""

    def __init__(self, code: str, sentence: str, rule: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.rule = rule
        self.place: Place | None = None
        """Where it is in a longer text; None for a single move."""


class NotAwaited(Refusal):
    """This seat has nothing to decide now."""

    def __init__(self, sentence: str | None = None) -> None:
        super().__init__(
            "not_awaited", sentence or say("There is nothing for this seat to do right now.")
        )


class GameOver(Refusal):
    """The game is over; no more moves can be made."""

    def __init__(self) -> None:
        super().__init__("game_over", say("The game is over."), "R-END-2")


class Illegal(Refusal):
    """The move was understood but is against the rules."""

    def __init__(self, sentence: str, rule: str) -> None:
        super().__init__("illegal", sentence, rule)


class Unreadable(Refusal):
    """Text or data that cannot be understood; the sentence says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__("unreadable", sentence)


class Ambiguous(Refusal):
    """Text that could mean several options; `candidates` lists them."""

    def __init__(self, text: str, candidates: Sequence[str]) -> None:
        few = "; ".join(candidates[:6]) + ("; …" if len(candidates) > 6 else "")
        sentence = say("“{words}” could mean: {candidates}", words=text, candidates=few)
        super().__init__("ambiguous", sentence)
        self.candidates = tuple(candidates)


class MapError(ValueError):
    """A map file is wrong; names the place and the reason."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class LogError(ValueError):
    """A log cannot be read or fails its audit; names the line and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class RulesBroken(Exception):
    """A bug in Nightmail: a rule module or a ruleset contradicts itself."""
