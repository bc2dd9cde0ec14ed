"""Games that are far advanced: the bots of the house also play for people, until a page is due."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from playwright.sync_api import Browser, Page

from engine import Action, Ruleset, State, options
from engine.values import Seat
from service.boards import atlas
from service.desk import Desk
from service.games import lobby, moves, table_lookup
from service.games.bots import house
from service.games.move_requests import MoveRequest
from service.people import accounts
from store.games import games
from tests.amounts import SOAKING
from tests.api.serving import signed_in
from tests.random_games import Table, sample_of_tables
from tests.site.visiting import House, visit

Habit = Callable[[Ruleset, State, Seat], Action]
MOST_MOVES = 600
medium = house.PLAYERS["medium"]


class Player(NamedTuple):
    """An account, and the cookie of its browser."""

    id: str
    cookie: str


class Decision(NamedTuple):
    """An open decision of a person: the game as it is, who decides, and what kind of decision."""

    rules: Ruleset
    state: State
    player: Player
    seat: Seat
    kind: str


def newcomer(desk: Desk, name: str) -> Player:
    """Create an account, and sign it in."""
    account = accounts.create(desk, {"name": name}, None)["account"]["id"]
    return Player(account, signed_in(desk, account))


@contextmanager
def visit_as(
    browser: Browser, house: House, player: Player, sight: str = "desktop", **more: object
) -> Iterator[Page]:
    """Open a browser window in which this player is signed in."""
    with visit(browser, house, sight, **more) as page:
        page.context.add_cookies([{"name": "nightmail", "value": player.cookie, "url": house.url}])
        yield page


def tables_of(board: str) -> list[Table]:
    """A board without variants and with each of them, for as many as can play."""
    plain = atlas.board(board)
    choices = [(), *((variant.id,) for variant in plain.catalogue)]
    return [Table(board, some, atlas.board(board, some).seats[1]) for some in choices]


def plain_tables(number: int, *, turn: int = 0) -> list[Table]:
    """Full tables of some boards without variants; in `make soak` all that `tables_of` has."""
    full = [table for board in atlas.board_ids() for table in tables_of(board)]
    plain = [table for table in full if SOAKING or not table.variants]
    return sample_of_tables(number, turn=turn, among=plain)


def open_game(desk: Desk, table: Table, host: Player, *guests: Player) -> str:
    """Open a game of people, and of bots on the other seats; return its id."""
    bots = {"easy": table.seats - 1 - len(guests)}
    new_game = lobby.NewGame(table.board, table.variants, table.seats, pace="none", bots=bots)
    game: str = lobby.open_game(desk, host.id, new_game, None)["id"]
    for guest in guests:
        lobby.join(desk, guest.id, game, "", None)
    return game


def play_until(
    desk: Desk,
    game: str,
    players: list[Player],
    until: Callable[[Decision], bool],
    habit: Habit = medium,
) -> bool:
    """Play for these people, until one of them has this decision; False if the game is over."""
    for _ in range(MOST_MOVES):
        while house.play(desk, game):
            pass
        decision = decision_of(desk, game, players)
        if decision is None:
            return False
        if until(decision):
            return True
        action = habit(decision.rules, decision.state, decision.seat)
        moves.submit(desk, decision.player.id, game, MoveRequest(action))
    raise AssertionError("the game has no end")


def players_of(desk: Desk, game: str) -> list[Player]:
    """The people at a table, as `play_until` takes them."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
    assert table is not None
    return [Player(seat.account, "") for seat in table.seated if seat.account is not None]


def decision_of(desk: Desk, game: str, players: list[Player]) -> Decision | None:
    """The first open decision of these people; None if the game is over."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
        assert table is not None
        if table.status != "running":
            return None
        table, position = table_lookup.settled(desk, tx, table)
        people = {player.id: player for player in players}
        for decision in position.state.awaiting:
            account = table.seated[decision.seat].account
            if account in people:
                view = desk.positions.view(tx, table, position, decision.seat)
                kind = decision.kind
                return Decision(position.rules, view, people[account], decision.seat, kind)
    raise AssertionError("nobody is asked")


def few_trains(number: int) -> Callable[[Decision], bool]:
    """Whether somebody has at most so many trains left."""
    return lambda decision: min(decision.state.parts["routes"].trains) <= number


def hoard(rules: Ruleset, view: State, seat: Seat) -> Action:
    """Draw from the deck as long as there is one, so that nearly every route can be paid."""
    actions = options(rules, view, seat).actions
    drawing = [action for action in actions if action.kind == "draw_blind"]
    return drawing[0] if drawing else medium(rules, view, seat)
