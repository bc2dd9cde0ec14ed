"""Splits the lines of a reply by game and by message, before any of them is carried out.

In a reply to an email about several games each line begins with the letter of its game. After
`say` on a line of its own, all lines are a message to people, and none of them is a command.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from service.replies.commands.line_forms import begins_message

_LETTERED = re.compile(r"\s*\(?([A-Za-z])(?:\s*[:.,;)–—-]\s*|\s+|(?=[0-9])|$)(.*)", re.DOTALL)
"""A letter on its own or before a number, and what follows."""


class GameLine(NamedTuple):
    """A line of a reply, without the letter of its game."""

    number: int
    """Its place in the reply, from 0."""
    letter: str
    """Empty if the line begins with none."""
    text: str
    message: tuple[str, ...] = ()
    """The lines of the message, if this is `say` on a line of its own."""


def split_lines(lines: Sequence[str], *, has_letters: bool) -> list[GameLine]:
    """Return the lines that are commands, in order; a message goes with its `say`."""
    commands: list[GameLine] = []
    for number, text in enumerate(lines):
        line = _without_letter(number, text) if has_letters else GameLine(number, "", text)
        if begins_message(line.text):
            return [*commands, line._replace(message=tuple(lines[number + 1 :]))]
        commands.append(line)
    return commands


def _without_letter(number: int, text: str) -> GameLine:
    match = _LETTERED.fullmatch(text)
    return GameLine(number, match[1].upper(), match[2]) if match else GameLine(number, "", text)
