"""Checking a finished game: the seed, the hash chain, and every move decided once more."""

from engine.chance import Chance, commitment, secret_of
from engine.codec import write
from engine.errors import LogError, Refusal
from engine.log import Log, Move, chained
from engine.play import Outcome, begin, decide
from engine.ruleset import Ruleset
from engine.state import State


def audit(rules: Ruleset, log: Log) -> State:
    """Check a finished game's log; raises LogError with the first line that does not hold.

    What the log says happened is compared and never folded, so a forged event can do no harm.
    """
    last = len(log.hashes)
    if log.seed is None:
        raise LogError(last, "the log ends here, without the seed: the game is not over")
    secret = secret_of(log.seed, log.moves[0].nonces if log.moves else ())
    ought = [str(line["hash"]) for line in chained(log, secret)]
    if log.hashes[0] != ought[0]:
        raise LogError(1, "the line does not fit its hash")
    if commitment(log.seed) != log.opening.commitment:
        raise LogError(last, "the seed is not the one that line 1 commits to")
    state = rules.initial
    for line, move in enumerate(log.moves, 2):
        if log.hashes[line - 1] != ought[line - 1]:
            raise LogError(line, "the line does not fit the hash chain")
        outcome = _decided(rules, state, move, Chance(secret, log.opening.game, move.number), line)
        _compare(move, outcome, line)
        state = outcome.state
    if state.awaiting or not log.moves:
        raise LogError(last, "the seed is revealed, but the game is not over")
    if log.hashes[-1] != ought[-1]:
        raise LogError(last, "the line does not fit the hash chain")
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
            raise LogError(line, f"says {write(said)} where {write(due)} is due")
    if len(move.events) != len(outcome.events):
        raise LogError(line, f"{len(move.events)} events where {len(outcome.events)} are due")
