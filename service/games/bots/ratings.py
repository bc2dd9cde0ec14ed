"""Ratings of bots, updated when a rated game ends, in the same transaction.

The scale is that of Elo: with 400 points more than another a bot wins ten times as often.
House bots are the fixed points of the scale: games against accounts do not change their ratings.
"""

from collections.abc import Sequence
from typing import Any

from openskill.models import PlackettLuce

from bots.player import HOUSE
from engine import GameEnded
from engine.translate import say, says
from service import refusals
from service.boards import atlas
from service.clocks import paces
from service.desk import Desk
from service.games import seat_names
from service.people import tokens
from store.database import Transaction
from store.games import game_lists, ratings
from store.games.games import Seated, Table
from store.games.ratings import Rating
from store.people.accounts import Account

MODEL = PlackettLuce(mu=1500.0, sigma=250.0, beta=125.0, tau=2.5)
SURELY = 2.0
"""The ladder is sorted by the rating minus this many deviations."""
EVERYWHERE = ""
"""Stands for a board: the rating over all boards."""

HOUSE_RATINGS = {
    EVERYWHERE: {"easy": 1030.0, "medium": 1500.0, "hard": 1790.0},
    "usa": {"easy": 1110.0, "medium": 1500.0, "hard": 1750.0},
    "europe": {"easy": 1170.0, "medium": 1500.0, "hard": 1780.0},
    "uk": {"easy": 800.0, "medium": 1500.0, "hard": 1850.0},
}
"""The ratings of house bots by board, measured in the arena (docs/bots.md).

A house bot without one counts like a newcomer. A change needs a migration for the stored rows.
"""
HOUSE_DEVIATION = 25.0

Document = dict[str, Any]
Place = tuple[bool, int]
"""Whether a player has left, and their rank if not; sorted from the best to the worst."""
WON: Place = (False, 1)


def is_bot_game(table: Table) -> bool:
    """Return whether a game that begins now may be rated: it is between bots and has a clock.

    Without a clock a bot that is losing could leave the game unfinished.
    """
    only_bots = all(seat.house or seat.kind == "bot" for seat in table.seated)
    timed = paces.read(table.pace).per_decision is not None
    return only_bots and timed and len(_places(table, None)) > 1


def check_room(
    desk: Desk, tx: Transaction, players: Sequence[str], more: int = 1
) -> dict[str, Account]:
    """Refuse `more` games between bots if one of these players would have too many.

    The first player makes the request. Their accounts are locked until the transaction ends, and
    returned.
    """
    accounts = {id: tokens.lock_account(tx, id) for id in sorted(players)}
    most = desk.settings.bot_games
    for id in players:
        running = game_lists.bot_games_running(tx, id)
        if running + more > most:
            sentence = says(
                "A bot can be in at most {n} game between bots at a time; already running for "
                "{who}: {running}.",
                "A bot can be in at most {n} games between bots at a time; already running for "
                "{who}: {running}.",
                most,
                running=running,
                who=say("you") if id == players[0] else accounts[id].name,
            )
            raise refusals.Refused("too_many_open", sentence)
    return accounts


def settle(tx: Transaction, table: Table, ended: GameEnded | None = None) -> None:
    """Update the ratings after a game; `ended` is None if the last player has resigned.

    A game that all players have left does not count: two accounts could take turns in losing.
    """
    places = _places(table, ended)
    everybody_left = all(left for left, _ in places.values())
    if not table.rated or everybody_left or len(places) < 2:  # an account may be deleted
        return
    ids = {seat.account for seat in table.seated if seat.account}
    accounts = {player: player if player in ids else None for player in places}
    for board in (EVERYWHERE, table.board):
        before = ratings.hold(tx, accounts, [_new(player, board) for player in places])
        ranks = [places[rating.player] for rating in before]
        ratings.keep(tx, _updated(before, ranks))


def _places(table: Table, ended: GameEnded | None) -> dict[str, Place]:
    """Return the place of each player; of a house bot with several seats, the best of them."""
    places: dict[str, Place] = {}
    for seat in table.seated:
        player = seat.account or (seat.house if seat.house in HOUSE else None)
        if player is not None:
            place = _place(seat, ended)
            places[player] = min(place, places.get(player, place))
    return places


def _place(seat: Seated, ended: GameEnded | None) -> Place:
    """Return a player's place: the last for all who have left, however well their caretaker did."""
    if seat.resigned or paces.is_away(seat):
        return True, 0
    return False, ended.results[seat.number].rank if ended else 0


def _new(player: str, board: str) -> Rating:
    """Return the rating with which a player begins."""
    measured = HOUSE_RATINGS.get(board, HOUSE_RATINGS[EVERYWHERE])
    if player in measured:
        return _with_standing(Rating(player, board, measured[player], HOUSE_DEVIATION, 0, 0, 0))
    return _with_standing(Rating(player, board, MODEL.mu, MODEL.sigma, 0, 0, 0))


def _with_standing(row: Rating) -> Rating:
    return row._replace(standing=round(row.rating - SURELY * row.deviation))


def _updated(before: list[Rating], places: list[Place]) -> list[Rating]:
    """Return these ratings after a game that ended with these places; house bots keep theirs."""
    order = sorted(places)
    ranks = [float(order.index(place)) for place in places]
    teams = [[MODEL.rating(mu=row.rating, sigma=row.deviation)] for row in before]
    return [
        _with_standing(
            row._replace(
                rating=row.rating if row.player in HOUSE else after.mu,
                deviation=row.deviation if row.player in HOUSE else after.sigma,
                games=row.games + 1,
                wins=row.wins + (place == WON),
            )
        )
        for row, (after,), place in zip(before, MODEL.rate(teams, ranks=ranks), places, strict=True)
    ]


def ladder(
    desk: Desk, board: str | None, after: tuple[int, str] | None, limit: int
) -> tuple[list[tuple[int, str]], list[Document]]:
    """Return the ladder of a board or over all, the strongest bot first, and their ranks."""
    if board is not None and board not in atlas.board_ids():
        raise refusals.unreadable(
            say("must be one of {names}.", names=", ".join(atlas.board_ids())), "board"
        )
    with desk.database.reading() as tx:
        rungs = ratings.ladder(tx, board or EVERYWHERE, after, limit)
    return [(rung.standing, rung.player) for rung in rungs], [
        {
            "name": rung.name or seat_names.called(0, rung.player),
            "house": None if rung.name else rung.player,
            "rating": round(rung.rating),
            "deviation": round(rung.deviation),
            "standing": rung.standing,
            "games": rung.games,
            "wins": rung.wins,
        }
        for rung in rungs
    ]
