"""The tag of a game, and who reads it with which token, in one query."""

from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, select

from store.games.games import tag_of
from store.people.accounts import Token
from store.tables import games, seats, tokens


class GameTag(NamedTuple):
    """The tag of a game, and what its reader may see."""

    token: Token | None
    """The token of the request, if it exists."""
    seat: int | None
    """The seat of the token's account; None if it has none."""
    resigned: bool
    """Whether the account has resigned from that seat."""
    visibility: str
    tag: str

    @property
    def sight(self) -> int | None:
        """The seat whose view the reader gets; None for a spectator."""
        return None if self.resigned else self.seat


_NO_HASH = b""
"""Stands for the hash of a token that does not exist."""
_TAG_QUERY = (
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


def tag_for(tx: Connection, game: str, digest: bytes = _NO_HASH) -> GameTag | None:
    """Return a game's tag for the owner of the token with this hash; None without the game."""
    for *token, seat, resigned, visibility, started, version, changes in tx.execute(
        _TAG_QUERY, {"game": game, "hash": digest}
    ).all():
        owner = Token(*token) if token[0] is not None else None
        tag = tag_of(started, version, changes)
        return GameTag(owner, seat, resigned is not None, visibility, tag)
    return None
