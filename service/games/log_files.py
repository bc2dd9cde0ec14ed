"""Reads and verifies the log of a game from a file."""

from typing import NamedTuple

from engine import GameEnded, Log, LogError, MapError, Ruleset, State, audit, read_log
from engine.audit import decide_again
from service.boards import atlas


def log_of(data: bytes) -> Log:
    """Return the log in a file's bytes; raises LogError with the first line that cannot be read."""
    return read_log(_lines(data))


def _lines(data: bytes) -> list[str]:
    """Return the lines of a file, split at line feeds: JSON may contain other line ends."""
    lines = []
    for number, line in enumerate(data.rstrip(b"\r\n \t").split(b"\n"), 1):
        try:
            lines.append(line.decode())
        except UnicodeDecodeError:
            raise LogError(number, "is not UTF-8") from None
    return lines if lines != [""] else []


def rules_of(log: Log) -> Ruleset:
    """Return the rules of the board and variants that this log names."""
    opening = log.opening
    try:
        return atlas.ruleset(opening.board, opening.variants, opening.seats)
    except MapError as error:
        raise LogError(1, str(error)) from None


class Verified(NamedTuple):
    """A log that has been verified, and what it leads to."""

    log: Log
    state: State
    ended: GameEnded | None
    """How the game ended; None if it was abandoned."""
    head: str


def checked(data: bytes) -> Verified:
    """Verify the log of a game that is over; raises LogError with the first wrong line."""
    lines = _lines(data)
    try:
        log = read_log(lines)
    except LogError as error:
        _look_before(lines, error.line)
        raise
    rules = rules_of(log)
    _same_map(log, rules)
    state = audit(rules, log)
    ended = None if log.abandoned else ending(log)
    return Verified(log, state, ended, str(log.lines[-1]["hash"]))


def _look_before(lines: list[str], line: int) -> None:
    """Verify the lines before one that cannot be read: the first wrong one is reported."""
    try:
        seed = read_log([*lines[:1], *lines[-1:]]).seed
        log = read_log(lines[: line - 1])
    except LogError:
        return
    if seed is not None and log.moves:
        decide_again(rules_of(log), log, seed)


def _same_map(log: Log, rules: Ruleset) -> None:
    """Raise LogError if the map was edited since: all moves would look forged."""
    first = log.moves[0].events[:1] if log.moves else ()
    digest = getattr(first[0], "digest", rules.board.digest) if first else rules.board.digest
    if digest != rules.board.digest:
        reason = f"the map has changed: it had digest {digest} and has {rules.board.digest}"
        raise LogError(2, reason)


def ending(log: Log) -> GameEnded:
    """Return how a finished game ended."""
    for move in reversed(log.moves):
        for event in reversed(move.events):
            if isinstance(event, GameEnded):
                return event
    raise LogError(len(log.lines), "the game has no end")


def line_of_head(log: Log, head: str) -> int | None:
    """Return the line, from 1, whose hash begins with these digits."""
    for number, line in enumerate(log.lines, 1):
        if str(line["hash"]).startswith(head.casefold()):
            return number
    return None
