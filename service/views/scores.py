"""The score sheet of a finished game, as rows of a table."""

from collections.abc import Sequence
from typing import NamedTuple

from engine import GameEnded, Ruleset, verdict
from engine.display import points_name
from engine.notation import ticket_name
from engine.text import clean, listed, points, signed
from engine.translate import say
from engine.values import Result, Seat


class Row(NamedTuple):
    """One row of the table: its label, and a cell for each seat."""

    label: str
    cells: tuple[str, ...]


class Sheet(NamedTuple):
    """The final scores, with the facts and tickets behind them."""

    names: tuple[str, ...]
    kinds: tuple[Row, ...]
    """Points by kind, in the order in which they were counted."""
    total: Row
    facts: tuple[Row, ...]
    """Rows that are not points: tickets, trails, ranks."""
    completed: tuple[tuple[str, ...], ...]
    failed: tuple[tuple[str, ...], ...]
    winners: tuple[int, ...]
    verdict: str


def sheet_of(rules: Ruleset, ended: GameEnded, names: Sequence[str]) -> Sheet:
    """Return the score sheet; raises ValueError unless there is one result for each seat."""
    results = ended.results
    if [result.seat for result in results] != list(range(rules.seats)):
        raise ValueError("there must be one result for each seat, in order")
    kinds = dict.fromkeys(line.kind for result in results for line in result.lines)
    return Sheet(
        tuple(names),
        tuple(
            Row(_label(rules, kind), tuple(_points(result, kind) for result in results))
            for kind in kinds
        ),
        Row(say("Total"), tuple(signed(result.total) for result in results)),
        (
            Row(say("Completed"), tuple(_completed(result) for result in results)),
            Row(say("Trail length"), tuple(str(result.trail) for result in results)),
            Row(say("Rank"), tuple(str(result.rank) for result in results)),
        ),
        tuple(tuple(ticket_name(rules, id) for id in result.completed) for result in results),
        tuple(tuple(ticket_name(rules, id) for id in result.failed) for result in results),
        ended.winners,
        verdict(ended, names),
    )


def verdict_for(ended: GameEnded, names: Sequence[str], me: Seat) -> str:
    """Return who won, as a sentence to the player at this seat."""
    if me not in ended.winners:
        own = points(ended.results[me].total)
        return say("{verdict} You have {points}.", verdict=verdict(ended, names), points=own)
    won = points(ended.results[me].total)
    others = [names[seat] for seat in ended.winners if seat != me]
    if not others:
        return say("You win with {points}!", points=won)
    return say("You share the victory with {who}: {points}!", who=listed(others), points=won)


def _label(rules: Ruleset, kind: str) -> str:
    """Return the label of a kind of points, even of a kind that the rules lack."""
    return points_name(rules, kind) or clean(kind.replace("_", " ").capitalize())


def _points(result: Result, kind: str) -> str:
    scored = [line.points for line in result.lines if line.kind == kind]
    return signed(sum(scored)) if scored else "–"


def _completed(result: Result) -> str:
    done, failed = len(result.completed), len(result.failed)
    return say("{done} of {all}", done=done, all=done + failed)
