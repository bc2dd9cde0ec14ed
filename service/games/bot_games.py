"""Games between bots, asked for in bulk by one of them.

They are games like all others, with a quick clock; when they end, ratings follow from them, unless
they were asked for without.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from engine.translate import say, says
from service import refusals
from service.desk import Desk
from service.games import commitments, lobby, ratings, table_lookup
from service.games.decided_moves import DecidedMove
from service.games.lobby import Fitting, Opened
from service.games.moves import announce
from service.idempotency import once
from service.people import names
from store.database import Transaction
from store.games import game_lists
from store.people import accounts

PACE = "live"
MOST_AT_ONCE = 10
"""So many games are begun by one request."""
SHARES = 4
"""Nobody takes more than one of so many shares of the games that a challenged bot may have."""


class Asked(NamedTuple):
    """Games that a bot wants to play."""

    board: str
    variants: tuple[str, ...]
    games: int
    bots: dict[str, int] | None = None
    opponents: tuple[str, ...] = ()
    """Other bots, by their names."""
    title: str | None = None
    rated: bool = True
    commitments: tuple[str, ...] = ()
    """Those that were asked for before, one for each game."""
    nonce: str = ""


def open_games(desk: Desk, account: str, asked: Asked, key: str | None) -> dict[str, Any]:
    """Begin so many games of this bot against others; their ids."""
    fitting = _fit(asked)
    started: list[DecidedMove] = []

    def run(tx: Transaction) -> dict[str, Any]:
        started.clear()  # whatever an attempt left behind that was undone
        players = [account, *_challenged(tx, asked.opponents)]
        _check(desk, tx, players, asked.games)
        nonces = [asked.nonce, *[""] * len(asked.opponents)]
        for committed in _committed(tx, account, asked, desk.now()):
            seated = list(zip(players, nonces, strict=True))
            game = lobby.lay(tx, fitting, committed, seated, desk.now())
            started.append(lobby.start(tx, table_lookup.existing(tx, game), desk.now()))
        return {"games": [deal.table.id for deal in started]}

    document, before = once(desk, account, "open_bot_games", key, asked._asdict(), run)
    if not before:
        for deal in started:
            announce(desk, deal)
    return document | {"rated": asked.rated}


def _committed(
    tx: Transaction, account: str, asked: Asked, at: str
) -> Iterator[commitments.Committed]:
    """What each game is played with: a cited commitment is used up, else a seed is drawn."""
    for cited in asked.commitments:
        yield commitments.use(tx, account, cited, at)
    if not asked.commitments:
        yield from (commitments.draw(at) for _ in range(asked.games))


def _check_fairness(asked: Asked) -> None:
    """Refuse a nonce without a commitment for each game, and commitments without a nonce."""
    commitments.check_nonce(asked.nonce)
    commitments.check_pair(asked.nonce, cited=bool(asked.commitments), at="commitments")
    if asked.commitments and len(asked.commitments) != asked.games:
        raise refusals.unreadable(say("must be as many as there are games."), "commitments")


def _check_title(asked: Asked) -> None:
    """Refuse a title where others did not choose to sit down: it would stand in their mail."""
    if asked.title is not None and asked.opponents:
        raise refusals.unreadable(
            say("must be left out where bots of others play: they did not choose the game."),
            "title",
        )


def _fit(asked: Asked) -> Fitting:
    """Such games as they are stored; how many seats they have follows from who plays."""
    _check_fairness(asked)
    _check_title(asked)
    seats = 1 + len(asked.opponents) + len(lobby.house_seats(asked.bots or {}))
    wanted = Opened(
        asked.board,
        asked.variants,
        seats,
        PACE,
        title=asked.title,
        bots=asked.bots,
        rated=asked.rated,
    )
    try:
        return lobby.fit(wanted)
    except refusals.Refused as refusal:
        (error,) = refusal.more["errors"]
        if error["at"] != "seats":
            raise
        more = say("You have one of them; `bots` and `opponents` take the others.")
        said = f"{error['says']} {more}"
        raise refusals.unreadable(said, "opponents" if asked.opponents else "bots") from None


def _challenged(tx: Transaction, opponents: Sequence[str]) -> list[str]:
    """The accounts of those with these names, all of whom let others challenge them."""
    found = []
    for name in opponents:
        id = accounts.id_by_name(tx, names.skeleton(name))
        account = accounts.account(tx, id) if id else None
        if account is None or account.kind != "bot" or not account.settings.get("challenges"):
            said = say("must be names of bots whose owners have switched on `challenges`.")
            raise refusals.unreadable(said, "opponents")
        found.append(account.id)
    return found


def _check(desk: Desk, tx: Transaction, players: Sequence[str], wanted: int) -> None:
    """Who asks must be a bot, and none of them may have too many such games."""
    if len(set(players)) < len(players):
        raise refusals.unreadable(say("must be other bots, each once."), "opponents")
    held = ratings.check_room(desk, tx, players, wanted)
    asking, *challenged = players
    if held[asking].kind != "bot":
        raise refusals.Refused(
            "forbidden", say("Only accounts of the kind “bot” ask for such games.")
        )
    most = max(1, desk.settings.bot_games // SHARES)
    for id in challenged:
        running = game_lists.bot_games_running(tx, id, beside=asking)
        if running + wanted > most:
            said = says(
                "At most {n} game between bots runs for the same two at a time, so that others "
                "have room; {running} do for you and {name}.",
                "At most {n} games between bots run for the same two at a time, so that others "
                "have room; {running} do for you and {name}.",
                most,
                running=running,
                name=held[id].name,
            )
            raise refusals.Refused("too_many_open", said)
