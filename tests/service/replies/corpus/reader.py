"""Reads a mail as Nightmail would in a fixed position, and compares it with what was meant."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from engine import Refusal, State, read, text_of
from engine.errors import Unreadable
from engine.menu import menu
from engine.notation import plain
from engine.ruleset import Ruleset
from service.replies import incoming_mail
from service.replies.commands.line_forms import takes_something_back, tidied
from service.replies.commands.runner import COMMANDS
from tests.random_games import Table, played

READ, ASIDE, UNREAD, WRONG = "read", "left aside", "not read", "wrong"
TABLE = Table("europe", (), 3)


class Position(NamedTuple):
    """A seat's turn with many moves."""

    rules: Ruleset
    state: State
    seat: int


class Reading(NamedTuple):
    """What was understood in a mail, and whether reading stopped before its end."""

    commands: list[str]
    stopped: bool


@cache
def position() -> Position:
    """A turn in which cards can be drawn and several routes can be claimed."""
    for step in played(TABLE, 0).steps:
        entries = menu(TABLE.rules, step.state, step.seat)
        if sum(entry.group == "claim" and len(entry.ways) == 1 for entry in entries) > 2:
            return Position(TABLE.rules, step.state, step.seat)
    raise AssertionError("no such position")


def understood(line: str) -> str | None:
    """The command in a line, always in the same form; None if it is not understood."""
    command = tidied(line)
    if plain(command).partition(" ")[0] in COMMANDS:
        return plain(command)
    here = position()
    try:
        return text_of(here.rules, read(here.rules, here.state, here.seat, command))
    except Unreadable:
        return None
    except Refusal:
        return plain(command)  # understood, but not possible in this position


def reading(raw: bytes) -> Reading:
    """Read a mail, and stop at the first line that is not understood."""
    lines = incoming_mail.read(raw).lines
    if any(takes_something_back(line) for line in lines[1:]):
        return Reading([], stopped=True)
    commands: list[str] = []
    for line in lines:
        command = understood(line)
        if command is None:
            return Reading(commands, stopped=True)
        commands.append(command)
    return Reading(commands, stopped=False)


def verdict(raw: bytes, meant: Sequence[str]) -> str:
    """Whether the mail was read as it was meant."""
    commands, stopped = reading(raw)
    expected = [understood(line) for line in meant]
    assert None not in expected, meant
    if commands != expected[: len(commands)]:
        return WRONG
    if stopped or len(commands) < len(expected):
        return UNREAD
    return READ if commands else ASIDE
