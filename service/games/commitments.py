"""Commitments: the hash of a game's seed, published before any player gives a nonce.

The game's id is drawn together with the seed. It takes part in every draw, so a service that chose
it later could choose the cards (docs/fairness.md).
"""

import secrets
from dataclasses import dataclass, field
from datetime import timedelta

from engine import commitment
from engine.translate import say
from service import refusals
from service.desk import Desk
from service.idempotency import Document, once
from service.ids import new_id
from service.people import names, tokens
from store import timestamps
from store.database import Transaction
from store.games import commitments
from store.games.commitments import StoredCommitment

LASTS = timedelta(days=1)
"""How long a commitment may be used."""
MOST_UNUSED = 20
"""Unused commitments of an account; when it requests more, the oldest are dropped."""
LONGEST_NONCE = 64
"""Characters."""


@dataclass(frozen=True, slots=True)
class Committed:
    """A game's id and seed, and when their commitment was published."""

    game: str
    seed: bytes = field(repr=False)
    at: str

    @property
    def commitment(self) -> str:
        """The hash of the seed, which is published."""
        return commitment(self.seed)


def draw(at: str) -> Committed:
    """Return a new id and a new seed."""
    return Committed(new_id(), secrets.token_bytes(32), at)


def create(desk: Desk, account: str, key: str | None) -> Document:
    """Commit to the seed of a game that this account may open within a day."""

    def run(tx: Transaction) -> Document:
        tokens.lock_account(tx, account)  # or two requests could count at the same time
        draft = draw(desk.now())
        expires = timestamps.later(draft.at, LASTS)
        commitments.keep_newest(tx, account, MOST_UNUSED - 1)
        commitments.add(
            tx,
            StoredCommitment(draft.game, account, draft.commitment, draft.seed, draft.at, expires),
        )
        # This answer is stored for repeats of the request: no seed in it.
        return {
            "commitment": draft.commitment,
            "game": draft.game,
            "created": draft.at,
            "expires": expires,
        }

    document, _ = once(desk, account, "create_commitment", key, {}, run)
    return document


def use(tx: Transaction, account: str, cited: str, at: str) -> Committed:
    """Use up the commitment that an account cites."""
    row = commitments.find(tx, account, cited)
    if row is None or row.expires <= at:
        # Commitments of others get the same answer, so that nobody learns of them.
        raise refusals.Refused(
            "commitment_unknown",
            say("You have no such commitment, or it has expired; request another one."),
        )
    if not commitments.use(tx, row.game, at):
        raise refusals.Refused(
            "commitment_used",
            say("A game has already been opened with this commitment; request another one."),
        )
    return Committed(row.game, row.seed, row.created)


def check_nonce(nonce: str) -> None:
    """Refuse a nonce with characters or spaces that get lost when it is copied."""
    if nonce and names.checked_line(nonce, LONGEST_NONCE, "nonce") != nonce:
        raise refusals.unreadable(say("must not begin or end with a space."), "nonce")


def check_pair(nonce: str, *, cited: bool, at: str = "commitment") -> None:
    """Refuse a nonce without an earlier commitment, and a commitment without a nonce."""
    if nonce and not cited:
        sentence = say(
            "must come with a “{field}” that you requested before; otherwise it proves nothing.",
            field=at,
        )
        raise refusals.unreadable(sentence, "nonce")
    if cited and not nonce:
        raise refusals.unreadable(say("must come with a “nonce”."), at)


def tidy(desk: Desk) -> None:
    """Delete commitments that have expired."""
    with desk.database.writing() as tx:
        commitments.forget(tx, desk.now())
