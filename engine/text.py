"""Helpers for texts: cleaning what strangers wrote, shortening, lists, counts and points."""

from collections.abc import Sequence

from engine.translate import say, says


def clean(text: str) -> str:
    """Make untrusted text safe to repeat: replace everything that is not printable."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def shortened(text: str, most: int) -> str:
    """The text, cut with an ellipsis if it is longer than `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def shown(text: str) -> str:
    """Untrusted text as it is quoted in a sentence: clean and short."""
    return shortened(clean(text.strip()), 60)


def listed(names: Sequence[str]) -> str:
    """Ada; Ada and Ben; Ada, Ben and Cem."""
    if len(names) < 2:
        return "".join(names)
    return say("{some} and {last}", some=", ".join(names[:-1]), last=names[-1])


def together(*sentences: str) -> str:
    """Sentences one after the other, without the empty ones."""
    return " ".join(filter(None, sentences))


def either(names: Sequence[str]) -> str:
    """Ada; Ada or Ben; Ada, Ben or Cem."""
    if len(names) < 2:
        return "".join(names)
    return say("{some} or {last}", some=", ".join(names[:-1]), last=names[-1])


def count(number: int, noun: str) -> str:
    """1 game, 2 games, 3 cities, 4 days, 10 000 moves."""
    if number != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"
    return f"{number:,}".replace(",", "\N{NO-BREAK SPACE}") + f" {noun}"


def points(number: int) -> str:
    """1 point, −2 points."""
    return says("{points} point", "{points} points", number, points=signed(number))


def signed(number: int) -> str:
    """A number with a proper minus sign."""
    return str(number).replace("-", "−")
