"""Fingerprints of games and accounts, which change with everything a client may wait for."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from sqlalchemy import Connection, func, select

from store.tables import games, invitations, notebooks, seats, tokens

Fingerprint = tuple[object, ...]
AT_ONCE = 500
"""The most ids in one statement."""
GONE: Fingerprint = ()
"""The fingerprint of a row that does not exist."""

_GAME = games.c["id", "status", "version", "changes", "last_message", "visibility"]
_INVITED = select(invitations.c.game, func.count()).group_by(invitations.c.game)
_SEATED = (
    select(
        seats.c.account,
        func.count(),
        func.count(seats.c.awaited_since),
        func.count(seats.c.resigned),
        func.sum(games.c.version),
        func.sum(games.c.changes),
        func.sum(games.c.last_message),
    )
    .join_from(seats, games, seats.c.game == games.c.id)
    .where(games.c.status.in_(("open", "running")))
    .group_by(seats.c.account)
)
_TOKENS = select(tokens.c.account, func.count(), func.max(tokens.c.created)).group_by(
    tokens.c.account
)
_NOTEBOOKS = select(notebooks.c.account, func.sum(notebooks.c.version)).group_by(
    notebooks.c.account
)


def of_games(tx: Connection, ids: Collection[str]) -> dict[str, Fingerprint]:
    """Return fingerprints of these games: moves, players, messages, visibility and invitations."""
    fingerprints = dict.fromkeys(ids, GONE)
    for batch in _batches(ids):
        for id, *facts in tx.execute(select(*_GAME).where(games.c.id.in_(batch))):
            fingerprints[id] += tuple(facts)
        for id, *facts in tx.execute(_INVITED.where(invitations.c.game.in_(batch))):
            fingerprints[id] += tuple(facts)
    return fingerprints


def of_accounts(tx: Connection, ids: Collection[str]) -> dict[str, Fingerprint]:
    """Return fingerprints of tokens and notebooks, and of all in their unfinished games."""
    fingerprints = dict.fromkeys(ids, GONE)
    for batch in _batches(ids):
        for id, *facts in tx.execute(_SEATED.where(seats.c.account.in_(batch))):
            fingerprints[id] += ("games", *facts)
        for id, *facts in tx.execute(_TOKENS.where(tokens.c.account.in_(batch))):
            fingerprints[id] += ("tokens", *facts)
        for id, *facts in tx.execute(_NOTEBOOKS.where(notebooks.c.account.in_(batch))):
            fingerprints[id] += ("notebooks", *facts)
    return fingerprints


def _batches(ids: Collection[str]) -> Iterator[Sequence[str]]:
    rest = iter(ids)
    while batch := list(islice(rest, AT_ONCE)):
        yield batch
