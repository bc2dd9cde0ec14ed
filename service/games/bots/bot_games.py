"""Games between bots, which one of them opens several at a time.

They are games like all others, with a fast clock. They count for ratings unless the request says
otherwise.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from engine.translate import say, says
from service import refusals
from service.desk import Desk
from service.games import commitments, lobby, table_lookup
from service.games.bots import ratings
from service.games.decided_moves import DecidedMove
from service.games.lobby import GameSettings, NewGame
from service.games.moves import announce
from service.games.seating import starting
from service.idempotency import once
from service.people import names
from store.database import Transaction
from store.games import game_lists
from store.people import accounts

PACE = "live"
MOST_AT_ONCE = 10
"""Games that one request may open."""
SHARES = 4
"""A challenger may take up one share, of this many, of the games that another bot may have."""


class BotGamesRequest(NamedTuple):
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
    """Commitments that the bot has requested before, one for each game; or none."""
    nonce: str = ""


def open_games(
    desk: Desk, account: str, request: BotGamesRequest, key: str | None
) -> dict[str, Any]:
    """Start games of this bot against others; return their ids."""
    settings = _settings(request)
    started: list[DecidedMove] = []

    def run(tx: Transaction) -> dict[str, Any]:
        started.clear()  # an earlier attempt may have been rolled back
        players = [account, *_challenged(tx, request.opponents)]
        _check(desk, tx, players, request.games)
        nonces = [request.nonce, *[""] * len(request.opponents)]
        for committed in _committed(tx, account, request, desk.now()):
            seated = [(player, nonce, None) for player, nonce in zip(players, nonces, strict=True)]
            game = lobby.create_table(tx, settings, committed, seated, desk.now())
            started.append(starting.start(tx, table_lookup.existing(tx, game), desk.now()))
        return {"games": [deal.table.id for deal in started]}

    document, is_replay = once(desk, account, "open_bot_games", key, request._asdict(), run)
    if not is_replay:
        for deal in started:
            announce(desk, deal)
    return document | {"rated": request.rated}


def _committed(
    tx: Transaction, account: str, request: BotGamesRequest, at: str
) -> Iterator[commitments.Committed]:
    """Yield the commitments for the games: those that the request cites, or else new ones."""
    for cited in request.commitments:
        yield commitments.use(tx, account, cited, at)
    if not request.commitments:
        yield from (commitments.draw(at) for _ in range(request.games))


def _check_fairness(request: BotGamesRequest) -> None:
    """Refuse a nonce without a commitment for each game, and commitments without a nonce."""
    commitments.check_nonce(request.nonce)
    commitments.check_pair(request.nonce, cited=bool(request.commitments), at="commitments")
    if request.commitments and len(request.commitments) != request.games:
        raise refusals.unreadable(say("must have one commitment for each game."), "commitments")


def _check_title(request: BotGamesRequest) -> None:
    """Refuse a title if bots of other owners play: it would appear in their mail."""
    if request.title is not None and request.opponents:
        raise refusals.unreadable(
            say("must be left out if bots of other owners play: they did not choose the game."),
            "title",
        )


def _settings(request: BotGamesRequest) -> GameSettings:
    """Return the settings of these games; the number of seats follows from who plays."""
    _check_fairness(request)
    _check_title(request)
    seats = 1 + len(request.opponents) + len(lobby.house_seats(request.bots or {}))
    new = NewGame(
        request.board,
        request.variants,
        seats,
        PACE,
        title=request.title,
        bots=request.bots,
        rated=request.rated,
    )
    try:
        return lobby.check_settings(new)
    except refusals.Refused as refusal:
        (error,) = refusal.more["errors"]
        if error["at"] != "seats":
            raise
        more = say("One seat is yours; `bots` and `opponents` fill the others.")
        sentence = f"{error['says']} {more}"
        raise refusals.unreadable(sentence, "opponents" if request.opponents else "bots") from None


def _challenged(tx: Transaction, opponents: Sequence[str]) -> list[str]:
    """Return the accounts of the bots with these names; refused unless all accept challenges."""
    challenged = []
    for name in opponents:
        id = accounts.id_by_name(tx, names.skeleton(name))
        account = accounts.account(tx, id) if id else None
        if account is None or account.kind != "bot" or not account.settings.get("challenges"):
            sentence = say("must be names of bots whose owners have switched on `challenges`.")
            raise refusals.unreadable(sentence, "opponents")
        challenged.append(account.id)
    return challenged


def _check(desk: Desk, tx: Transaction, players: Sequence[str], number: int) -> None:
    """Refuse an account that is not a bot, and more games than one of the players may have."""
    if len(set(players)) < len(players):
        raise refusals.unreadable(say("must be other bots, each named once."), "opponents")
    accounts = ratings.check_room(desk, tx, players, number)
    opener, *challenged = players
    if accounts[opener].kind != "bot":
        raise refusals.Refused(
            "forbidden", say("Only accounts of the kind “bot” can open games between bots.")
        )
    most = max(1, desk.settings.bot_games // SHARES)
    for id in challenged:
        running = game_lists.bot_games_running(tx, id, beside=opener)
        if running + number > most:
            sentence = says(
                "Two bots can play at most {n} game against each other at a time, so that others "
                "have room; already running for you and {name}: {running}.",
                "Two bots can play at most {n} games against each other at a time, so that others "
                "have room; already running for you and {name}: {running}.",
                most,
                running=running,
                name=accounts[id].name,
            )
            raise refusals.Refused("too_many_open", sentence)
