"""The score sheet of a finished game, as words and numbers for a table."""

from collections.abc import Sequence
from typing import NamedTuple

from engine import GameEnded, Ruleset, verdict
from engine.display import points_name
from engine.notation import ticket_name
from engine.text import clean, signed
from engine.translate import say
from engine.values import Result


class Row(NamedTuple):
    """One line of the table: what it is about, and a cell for each seat."""

    label: str
    cells: tuple[str, ...]


class Sheet(NamedTuple):
    """Everything that is read out at the end."""

    names: tuple[str, ...]
    kinds: tuple[Row, ...]
    """Points by kind, in the order in which they were counted."""
    total: Row
    facts: tuple[Row, ...]
    """What is not points: tickets, trails, ranks."""
    completed: tuple[tuple[str, ...], ...]
    failed: tuple[tuple[str, ...], ...]
    winners: tuple[int, ...]
    verdict: str


def sheet_of(rules: Ruleset, ended: GameEnded, names: Sequence[str]) -> Sheet:
    """The score sheet; raises ValueError if the results are not one for each seat."""
    results = ended.results
    if [result.seat for result in results] != list(range(rules.seats)):
        raise ValueError("there must be one result for each seat, in order")
    kinds = dict.fromkeys(line.kind for result in results for line in result.lines)
    return Sheet(
        tuple(names),
        tuple(Row(_label(rules, kind), tuple(_of(one, kind) for one in results)) for kind in kinds),
        Row(say("Total"), tuple(signed(one.total) for one in results)),
        (
            Row(say("Completed"), tuple(_completed(one) for one in results)),
            Row(say("Trail length"), tuple(str(one.trail) for one in results)),
            Row(say("Rank"), tuple(str(one.rank) for one in results)),
        ),
        tuple(tuple(ticket_name(rules, id) for id in one.completed) for one in results),
        tuple(tuple(ticket_name(rules, id) for id in one.failed) for one in results),
        ended.winners,
        verdict(ended, names),
    )


def _label(rules: Ruleset, kind: str) -> str:
    """What points of a kind are called; a stranger's log may name others than the rules give."""
    return points_name(rules, kind) or clean(kind.replace("_", " ").capitalize())


def _of(result: Result, kind: str) -> str:
    found = [line.points for line in result.lines if line.kind == kind]
    return signed(sum(found)) if found else "–"


def _completed(result: Result) -> str:
    done, failed = len(result.completed), len(result.failed)
    return say("{done} of {all}", done=done, all=done + failed)
