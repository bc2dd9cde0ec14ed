"""Checking a game that is over: the seed, the hash chain, and every move decided once more."""

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
    """Check the log of a game that is over; raises LogError with the first line that does not hold.

    A game that everybody has left is over without an end, and its last line says so.
    What the log says happened is compared and never folded, so a forged event can do no harm.
    """
    last = len(log.lines)
    if log.seed is None:
        raise LogError(last, "the log ends here, without the seed: the game is not over")
    if log.lines[0]["hash"] != next(linked(log.lines[:1], log.opening.game, b"")):
        raise LogError(1, "the line does not fit its hash")
    if log.moves and len(log.moves[0].nonces) != log.opening.seats:
        raise LogError(2, f"there must be {log.opening.seats} nonces, one for each seat")
    if log.opening.rules != RULES:
        said = f"was played by version {log.opening.rules} of the rules; this program has {RULES}"
        raise LogError(1, said)
    if commitment(log.seed) != log.opening.commitment:
        raise LogError(last, "the seed is not the one that line 1 commits to")
    state = decided_again(rules, log, log.seed)
    _check_end(log, state)
    return state


def _check_end(log: Log, state: State) -> None:
    """Compare how the log says that the game ended with how it stands."""
    if not log.moves or (state.awaiting and not log.abandoned):
        raise LogError(len(log.lines), "the seed is revealed, but the game is not over")
    if log.abandoned and not state.awaiting:
        raise LogError(len(log.lines), "the game is called abandoned, but it has an end")


def decided_again(rules: Ruleset, log: Log, seed: bytes) -> State:
    """Check the chain and decide every move once more, as far as the log goes."""
    game, state = log.opening.game, rules.initial
    secret = secret_of(seed, log.moves[0].nonces if log.moves else ())
    moves: list[Move | None] = [None, *log.moves]
    ought = linked(log.lines, game, secret)
    for number, (line, due) in enumerate(zip(log.lines, ought, strict=True), 1):
        if line["hash"] != due:
            raise LogError(number, "the line does not fit the hash chain")
        move = moves[number - 1] if number <= len(moves) else None
        if move is not None:
            chance = Chance(secret, game, move.number)
            outcome = _decided(rules, state, move, chance, number)
            _compare(move, outcome, number)
            state = outcome.state
    return state


def _decided(rules: Ruleset, state: State, move: Move, chance: Chance, line: int) -> Outcome:
    if move.seat is None or move.action is None:
        return begin(rules, chance)
    try:
        return decide(rules, state, move.seat, move.action, chance)
    except Refusal as refusal:
        raise LogError(line, f"the rules refuse this move: {refusal.sentence}") from None


def _compare(move: Move, outcome: Outcome, line: int) -> None:
    for said, due in zip(move.events, outcome.events, strict=False):
        if said != due:
            raise LogError(line, f"says {_told(said, due)} where {_told(due, said)} is due")
    if len(move.events) != len(outcome.events):
        raise LogError(line, f"{len(move.events)} events where {len(outcome.events)} are due")


def _told(event: Event, other: Event) -> str:
    """What an event says, as far as it differs from another."""
    body, beside = write(event), write(other)
    differing = {key: value for key, value in body.items() if value != beside.get(key)}
    return json.dumps({"type": body["type"], **differing}, ensure_ascii=False)
