"""A request for a move: what a player wants to do, and under which conditions."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engine import Action, Chosen, Ruleset, State, Unreadable, chosen, menu, read
from engine.codec import read_action, read_chosen, write
from engine.values import Seat
from service.games.decided_moves import DecidedMove
from service.games.menu_forms import MenuForm
from store.database import Transaction


class MoveRequest(NamedTuple):
    """A move that a player asks for."""

    move: Action | str | Chosen | MenuForm | Unreadable
    """An action; or text, an answer from the menu or the form of a page, which are read in the
    position; or the error, if the JSON that was sent is not an action."""
    sent: Any = None
    """The JSON from which the action was read; None if there was none."""
    versions: frozenset[int] | None = None
    """The versions of the game for which the move is meant (If-Match); None for any."""
    decision_version: int | None = None
    """The version at which the decision was opened that it answers; None for any decision."""
    key: str | None = None
    """The Idempotency-Key."""
    source: str = "api"
    """How the move came in, as the log says it."""
    also: Callable[[Transaction, DecidedMove], None] | None = None
    """Runs in the transaction that stores the move; what it raises undoes the move."""

    def action(self, rules: Ruleset, state: State, seat: Seat) -> Action:
        """Return the action that is asked for, read in this state for this seat."""
        if isinstance(self.move, Unreadable):
            raise self.move
        if isinstance(self.move, str):
            return read(rules, state, seat, self.move)
        if isinstance(self.move, MenuForm):
            answer = self.move.answer(menu(rules, state, seat))
            return chosen(rules, state, seat, answer)
        if isinstance(self.move, Chosen):
            return chosen(rules, state, seat, self.move)
        return self.move

    @property
    def key_hash(self) -> bytes | None:
        """What is stored of the key."""
        return None if self.key is None else hash_of_key(self.key)

    @property
    def digest(self) -> bytes:
        """Tells whether two requests with the same key have the same body.

        It is stored with the move, so it must come out the same in every version of Nightmail.
        """
        action, text = self.sent, None
        if isinstance(self.move, str):
            text = self.move
        elif self.sent is None and isinstance(self.move, Action):
            action = write(self.move)
        elif self.sent is None and isinstance(self.move, Chosen):
            action = self.move._asdict()
        elif isinstance(self.move, MenuForm):
            action = self.move.body
        body = json.dumps([action, text], sort_keys=True)
        return hashlib.sha256(body.encode()).digest()[:16]


def from_body(body: Mapping[str, Any]) -> MoveRequest:
    """Read a request from a JSON body that has an `action`, a `text` or a `choose`.

    An unreadable action is refused later, by `moves.submit`. An unknown game, a key that was used
    before and an old version are reported first.
    """
    if "text" in body:
        return MoveRequest(body["text"])
    (sent,) = body.values()
    try:
        return MoveRequest(read_chosen(sent) if "choose" in body else read_action(sent), sent)
    except Unreadable as refusal:
        return MoveRequest(refusal, sent)


def hash_of_key(key: str) -> bytes:
    """Return what is stored of an Idempotency-Key, which may be long and is never read again."""
    return hashlib.sha256(key.encode()).digest()[:16]
