"""Ratings of bots: a rated game between bots is weighed when it ends, in the same transaction.

The scale is that of Elo: whoever stands 400 above another wins ten times as often.
House bots are its fixed points: the games of accounts do not move them.
"""

from collections.abc import Sequence
from typing import Any

from openskill.models import PlackettLuce

from bots.player import HOUSE
from engine import GameEnded
from engine.translate import say, says
from service import refusals
from service.boards import atlas
from service.clocks import pace as paces
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
"""The ladder is sorted by what a bot is worth at least: so many deviations below its rating."""
EVERYWHERE = ""
"""In place of a board: over all boards."""

HOUSE_RATINGS = {
    EVERYWHERE: {"easy": 1030.0, "medium": 1500.0, "hard": 1790.0},
    "usa": {"easy": 1110.0, "medium": 1500.0, "hard": 1750.0},
    "europe": {"easy": 1170.0, "medium": 1500.0, "hard": 1780.0},
    "uk": {"easy": 800.0, "medium": 1500.0, "hard": 1850.0},
}
"""What house bots are rated, by board: measured in the arena, as docs/bots.md tells.

Whoever changes a number writes a migration for the rows that are stored.
"""
HOUSE_DEVIATION = 25.0

Document = dict[str, Any]
Place = tuple[bool, int]
"""Whether somebody has left, and their rank in the game if not: the lower the better."""
WON: Place = (False, 1)


def is_bot_game(table: Table) -> bool:
    """Whether a game that begins now is one between bots, with a clock, so that it may be rated.

    Without a clock whoever loses could let it rest for ever.
    """
    only_bots = all(seat.house or seat.kind == "bot" for seat in table.seated)
    timed = paces.read(table.pace).per_decision is not None
    return only_bots and timed and len(_places(table, None)) > 1


def check_room(
    desk: Desk, tx: Transaction, players: Sequence[str], wanted: int = 1
) -> dict[str, Account]:
    """Refuses if so many more games between bots were too many for one of these players.

    The first is whoever asks. Gives their accounts, which are held, so nobody counts meanwhile.
    """
    held = {id: tokens.lock_account(tx, id) for id in sorted(players)}
    most = desk.settings.bot_games
    for id in players:
        running = game_lists.bot_games_running(tx, id)
        if running + wanted > most:
            said = says(
                "At most {n} game between bots runs for one bot at a time; {running} do for {who}.",
                "At most {n} games between bots run for one bot at a time; {running} do for {who}.",
                most,
                running=running,
                who=say("you") if id == players[0] else held[id].name,
            )
            raise refusals.Refused("too_many_open", said)
    return held


def settle(tx: Transaction, table: Table, ended: GameEnded | None = None) -> None:
    """Weigh a game that is over; without a result if the last player has resigned.

    A game that everybody has left says nothing, or two accounts could take turns in losing.
    """
    places = _places(table, ended)
    everybody_left = all(left for left, _ in places.values())
    if not table.rated or everybody_left or len(places) < 2:  # an account may be gone
        return
    known = {seat.account for seat in table.seated if seat.account}
    accounts = {player: player if player in known else None for player in places}
    for board in (EVERYWHERE, table.board):
        before = ratings.hold(tx, accounts, [_new(player, board) for player in places])
        ranks = [places[one.player] for one in before]
        ratings.keep(tx, _weighed(before, ranks))


def _places(table: Table, ended: GameEnded | None) -> dict[str, Place]:
    """How well each player did, a house bot by the best of its seats."""
    found: dict[str, Place] = {}
    for seat in table.seated:
        player = seat.account or (seat.house if seat.house in HOUSE else None)
        if player is not None:
            place = _place(seat, ended)
            found[player] = min(place, found.get(player, place))
    return found


def _place(seat: Seated, ended: GameEnded | None) -> Place:
    """All who have left share the last place, however well a caretaker has played for them."""
    if seat.resigned or paces.is_away(seat):
        return True, 0
    return False, ended.results[seat.number].rank if ended else 0


def _new(player: str, board: str) -> Rating:
    if player in HOUSE:
        fixed = HOUSE_RATINGS.get(board, HOUSE_RATINGS[EVERYWHERE])[player]
        return _rating(Rating(player, board, fixed, HOUSE_DEVIATION, 0, 0, 0))
    return _rating(Rating(player, board, MODEL.mu, MODEL.sigma, 0, 0, 0))


def _rating(one: Rating) -> Rating:
    return one._replace(standing=round(one.rating - SURELY * one.deviation))


def _weighed(before: list[Rating], places: list[Place]) -> list[Rating]:
    """These ratings after a game in which the players did so well; those of the house stay."""
    order = sorted(places)
    ranks = [float(order.index(place)) for place in places]
    teams = [[MODEL.rating(mu=one.rating, sigma=one.deviation)] for one in before]
    return [
        _rating(
            one._replace(
                rating=one.rating if one.player in HOUSE else after.mu,
                deviation=one.deviation if one.player in HOUSE else after.sigma,
                games=one.games + 1,
                wins=one.wins + (place == WON),
            )
        )
        for one, (after,), place in zip(before, MODEL.rate(teams, ranks=ranks), places, strict=True)
    ]


def ladder(
    desk: Desk, board: str | None, after: tuple[int, str] | None, limit: int
) -> tuple[list[tuple[int, str]], list[Document]]:
    """Bots on a board or over all, the strongest first; and their places on the ladder."""
    if board is not None and board not in atlas.board_ids():
        raise refusals.unreadable(
            say("must be one of {names}.", names=", ".join(atlas.board_ids())), "board"
        )
    with desk.database.reading() as tx:
        found = ratings.ladder(tx, board or EVERYWHERE, after, limit)
    return [(one.standing, one.player) for one in found], [
        {
            "name": one.name or seat_names.called(0, one.player),
            "house": None if one.name else one.player,
            "rating": round(one.rating),
            "deviation": round(one.deviation),
            "standing": one.standing,
            "games": one.games,
            "wins": one.wins,
        }
        for one in found
    ]
