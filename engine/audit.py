"""Audits a finished game: checks the seed and the hash chain, and decides every move again."""

import json

from engine.chance import Chance, commitment, secret_of
from engine.codec import write
from engine.errors import LogError, Refusal
from engine.kinds import Event
from engine.log import RULES, Log, Move, linked
from engine.play import Outcome, begin, decide
from engine.ruleset import Ruleset
from engine.state import State


def audit(rules: Ruleset, log: Log) -> State:
    """Check the log of a finished game; raises LogError with the first line that is wrong.

    An abandoned game counts as finished, although nobody won it; its last line says so.
    The events in the log are only compared and never folded, so a forged event can do no harm.
    """
    last = len(log.lines)
    if log.seed is None:
        raise LogError(last, "the log ends here, without the seed: the game is not over")
    if log.lines[0]["hash"] != next(linked(log.lines[:1], log.opening.game, b"")):
        raise LogError(1, "the hash does not match the line")
    if log.moves and len(log.moves[0].nonces) != log.opening.seats:
        raise LogError(2, f"there must be {log.opening.seats} nonces, one for each seat")
    if log.opening.rules != RULES:
        reason = f"played by version {log.opening.rules} of the rules; this program has {RULES}"
        raise LogError(1, reason)
    if commitment(log.seed) != log.opening.commitment:
        raise LogError(last, "the seed does not match the commitment in line 1")
    state = decide_again(rules, log, log.seed)
    _check_end(log, state)
    return state


def _check_end(log: Log, state: State) -> None:
    """Check that the log ends where the game does."""
    if not log.moves or (state.awaiting and not log.abandoned):
        raise LogError(len(log.lines), "the seed is revealed, but the game is not over")
    if log.abandoned and not state.awaiting:
        reason = "the game is marked as abandoned, but it was played to its end"
        raise LogError(len(log.lines), reason)


def decide_again(rules: Ruleset, log: Log, seed: bytes) -> State:
    """Check the hash chain and decide every move again; return the state at the end of the log."""
    game, state = log.opening.game, rules.initial
    secret = secret_of(seed, log.moves[0].nonces if log.moves else ())
    moves: list[Move | None] = [None, *log.moves]
    hashes = linked(log.lines, game, secret)
    for number, (line, expected) in enumerate(zip(log.lines, hashes, strict=True), 1):
        if line["hash"] != expected:
            raise LogError(number, "the hash does not match: the hash chain is broken here")
        move = moves[number - 1] if number <= len(moves) else None
        if move is not None:
            chance = Chance(secret, game, move.number)
            outcome = _decide(rules, state, move, chance, log, number)
            _compare(move, outcome, number)
            state = outcome.state
    return state


def _decide(
    rules: Ruleset, state: State, move: Move, chance: Chance, log: Log, line: int
) -> Outcome:
    if move.seat is None or move.action is None:
        return begin(rules, chance, keeps_seats=log.opening.keeps_seats)
    try:
        return decide(rules, state, move.seat, move.action, chance)
    except Refusal as refusal:
        raise LogError(line, f"the rules refuse this move: {refusal.sentence}") from None


def _compare(move: Move, outcome: Outcome, line: int) -> None:
    for logged, expected in zip(move.events, outcome.events, strict=False):
        if logged != expected:
            shown, due = _difference(logged, expected), _difference(expected, logged)
            raise LogError(line, f"has {shown} where the rules give {due}")
    if len(move.events) != len(outcome.events):
        counts = f"{len(move.events)} events where the rules give {len(outcome.events)}"
        raise LogError(line, f"has {counts}")


def _difference(event: Event, other: Event) -> str:
    """The fields of an event that differ from another, as JSON."""
    body, other_body = write(event), write(other)
    differing = {key: value for key, value in body.items() if value != other_body.get(key)}
    return json.dumps({"type": body["type"], **differing}, ensure_ascii=False)
