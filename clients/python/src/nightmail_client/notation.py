"""Moves as text: takes them apart and puts them together, without knowing the position.

The notation is what people write in mails: a verb, what the move is about, and after “with” what is
paid. Whether a move is legal, and what a name means, only the service can tell.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

DICE = ("die", "dice")


@dataclass(frozen=True)
class MoveText:
    """A move in the notation, such as `claim paris-dieppe with 1 purple`."""

    verb: str
    """What is done: `draw`, `claim`, `keep` …, or the number of an entry of the menu."""
    about: tuple[str, ...] = ()
    """What it is done to, word by word: a route, tickets, a city, the number of a card."""
    amounts: Mapping[str, int | None] = field(default_factory=dict)
    """What is paid, such as `{"purple": 1}`; None stands for as many as it costs."""
    dice: tuple[int, ...] = ()
    """The numbers of the dice that are used."""

    def __str__(self) -> str:
        parts = [self.verb, *self.about]
        if self.dice or self.amounts:
            parts.append("with")
        if self.dice:
            parts += [DICE[len(self.dice) > 1], *map(str, self.dice)]
        for name, number in self.amounts.items():
            parts += [name] if number is None else [str(number), name]
        return " ".join(parts)


def parse(text: str) -> MoveText:
    """Take a move apart; raises `ValueError` if it cannot be read."""
    words = re.sub(r"\s*[–—]\s*|\s+-\s+", "-", text.casefold()).replace(",", " and ")
    before, word, paid = words.strip(" \t\r\n.;!").partition(" with ")
    verb, *about = before.split() or [""]
    if not verb or verb == "with":
        raise ValueError(f"A move begins with a verb or a number: {text!r}")
    dice, amounts = _paid(paid.split()) if word else ((), {})
    return MoveText(verb, tuple(about), amounts, dice)


def _paid(words: list[str]) -> tuple[tuple[int, ...], dict[str, int | None]]:
    """Read what follows “with”: dice by their numbers, and amounts."""
    rest = iter(words)
    dice: list[int] = []
    amounts: dict[str, int | None] = {}
    if words[:1] and words[0] in DICE:
        next(rest)
        numbers = _leading_numbers(words[1:])
        ahead = words[1 + len(numbers) :]
        if ahead and numbers:  # the last number belongs to the word after it, as in “1 token”
            numbers.pop()
        dice = [int(next(rest)) for _ in numbers]
    for name, number in _amounts(rest):
        if name in amounts:
            raise ValueError(f"{name!r} is named twice.")
        amounts[name] = number
    if not dice and not amounts:
        raise ValueError("Nothing follows “with”.")
    return tuple(dice), amounts


def _leading_numbers(words: list[str]) -> list[str]:
    numbers: list[str] = []
    for word in words:
        if not (word.isascii() and word.isdigit()):
            break
        numbers.append(word)
    return numbers


def _amounts(words: Iterator[str]) -> Iterator[tuple[str, int | None]]:
    number: int | None = None
    for word in words:
        if word == "and":
            continue
        if word.isascii() and word.isdigit():
            if number is not None:
                raise ValueError(f"{number} of what?")
            number = int(word)
        else:
            yield word, number
            number = None
    if number is not None:
        raise ValueError(f"{number} of what?")
