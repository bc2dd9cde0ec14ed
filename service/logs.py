"""Reading the log of a game that comes as a file, and checking it."""

from typing import NamedTuple

from engine import Log, LogError, MapError, Ruleset, State, audit, read_log
from engine.rules.turns import GameEnded
from service import atlas


def log_of(data: bytes) -> Log:
    """The log that these bytes hold; raises LogError with the first line that cannot be read.

    Lines end with a line feed and nothing else: JSON may hold other line ends within a text.
    """
    lines = []
    for number, line in enumerate(data.rstrip(b"\r\n \t").split(b"\n"), 1):
        try:
            lines.append(line.decode())
        except UnicodeDecodeError:
            raise LogError(number, "is not UTF-8") from None
    return read_log(lines if lines != [""] else [])


def rules_of(log: Log) -> Ruleset:
    """The rules that this log says it was played by."""
    opening = log.opening
    try:
        return atlas.ruleset(opening.board, opening.variants, opening.seats)
    except MapError as error:
        raise LogError(1, str(error)) from None


class Verdict(NamedTuple):
    """What was found in a log that holds."""

    log: Log
    state: State
    ended: GameEnded
    head: str


def checked(data: bytes) -> Verdict:
    """Check a finished game; raises LogError with the first line that does not hold."""
    log = log_of(data)
    rules = rules_of(log)
    try:
        state = audit(rules, log)
    except LogError as error:
        raise _explained(error, log, rules) from None
    return Verdict(log, state, ending(log), log.hashes[-1])


def ending(log: Log) -> GameEnded:
    """How a finished game ended."""
    for move in reversed(log.moves):
        for event in reversed(move.events):
            if isinstance(event, GameEnded):
                return event
    raise LogError(len(log.hashes), "the game has no end")


def _explained(error: LogError, log: Log, rules: Ruleset) -> LogError:
    """The same, or what lies behind it: the map is not the one that the game was played on."""
    first = log.moves[0].events[:1] if log.moves else ()
    digest = getattr(first[0], "digest", None) if first else None
    if error.line == 2 and "where" in error.reason and digest not in (None, rules.board.digest):
        return LogError(
            2, f"the map has changed: it had digest {digest} and has {rules.board.digest}"
        )
    return error


def line_of_head(log: Log, head: str) -> int | None:
    """The line, from 1, whose hash begins with these digits."""
    found = [line for line, said in enumerate(log.hashes, 1) if said.startswith(head.casefold())]
    return found[0] if found else None
