"""A glance at a game: whether anything is new, and for whose eyes, in one question."""

from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, select

from store.games.games import tag_of
from store.people.accounts import Token
from store.tables import games, seats, tokens


class Glance(NamedTuple):
    """As much of a game as tells one answer about it from the next."""

    token: Token | None
    """The one that was sent, if there is such a token."""
    seat: int | None
    """Where its account sits."""
    resigned: bool
    """Whether its account has given that seat up."""
    visibility: str
    tag: str

    @property
    def sight(self) -> int | None:
        """With whose eyes it is read: a seat's, or a spectator's."""
        return None if self.resigned else self.seat


_NOBODY = b""
"""The hash of no token."""
_GLANCE = (
    select(
        *tokens.c[Token._fields],
        *seats.c["number", "resigned"],
        *games.c["visibility", "started", "version", "changes"],
    )
    .select_from(
        games.outerjoin(tokens, tokens.c.hash == bindparam("hash")).outerjoin(
            seats, and_(seats.c.game == games.c.id, seats.c.account == tokens.c.account)
        )
    )
    .where(games.c.id == bindparam("game"))
)


def glance(tx: Connection, game: str, digest: bytes = _NOBODY) -> Glance | None:
    """A game as the owner of this token finds it; None if there is no such game."""
    for *token, seat, resigned, visibility, started, version, changes in tx.execute(
        _GLANCE, {"game": game, "hash": digest}
    ).all():
        known = Token(*token) if token[0] is not None else None
        tag = tag_of(started, version, changes)
        return Glance(known, seat, resigned is not None, visibility, tag)
    return None
