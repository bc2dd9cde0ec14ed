"""Tables: opening a game, joining it, starting it, leaving it and resigning from it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from bots.player import HOUSE
from engine import GameOver, MapError, Refusal
from engine.log import RULES
from engine.translate import say
from service import refusals
from service.boards import atlas
from service.clocks import pace_requests, paces
from service.desk import Desk
from service.games import commitments, seat_looks, table_lookup, table_notices
from service.games.bots import ratings
from service.games.bots.house import CARETAKER
from service.games.commitments import Committed
from service.games.decided_moves import DecidedMove
from service.games.moves import announce
from service.games.seating import admission, hosting, reservations, table_answers
from service.games.seating.starting import start
from service.idempotency import once
from service.memory.news import of_account, of_game
from service.memory.positions import BEFORE
from service.people import names
from store.database import Transaction
from store.games import games, house_turns, open_tables, orders
from store.games.games import Seated, Table
from store.notify import notices

VISIBILITIES = ("public", "unlisted", "private")
DEFAULT_VISIBILITY = "public"
STRENGTHS = tuple(HOUSE)
MOST_SEATS = 5


Admission = Callable[[Transaction, Table], None]
"""Checks, once the table is locked, whether somebody may take a seat; raises a refusal if not."""


class NewGame(NamedTuple):
    """A game that an account wants to open, as it was requested."""

    board: str
    variants: tuple[str, ...]
    seats: int
    pace: str | dict[str, Any] = "days"
    """The name of a preset; older clients send a clock here."""
    visibility: str | None = None
    """If it is not given, the game is public until somebody is invited to it."""
    title: str | None = None
    bots: dict[str, int] | None = None
    commitment: str = ""
    """A commitment that the account has requested before; required with a nonce."""
    nonce: str = ""
    rated: bool = False
    """Whether it counts for ratings; only bots may join then."""
    clock: dict[str, Any] | None = None
    """A pace in numbers, instead of a preset."""
    colour: str | None = None
    """The colour that the account has chosen for its trains."""


class NewSeat(NamedTuple):
    """A seat that an account wants to take, as it was requested."""

    nonce: str = ""
    colour: str | None = None
    """The colour that the account has chosen for its trains."""


class RematchOpen(Refusal):
    """Another player has opened the rematch of a game already."""

    def __init__(self, game: str) -> None:
        super().__init__("already_started", say("The rematch is already open."))
        self.game = game


class GameSettings(NamedTuple):
    """The settings of a new game, checked and as they are stored."""

    board: str
    variants: tuple[str, ...]
    seats: int
    pace: str
    visibility: str
    title: str
    bots: tuple[str, ...]
    """The house bots, the weakest first."""
    rated: bool
    default_visibility: bool = False
    """Whether nobody has chosen the visibility."""
    rematch_of: str | None = None


def open_game(
    desk: Desk, account: str, new: NewGame, key: str | None, rematch_of: str | None = None
) -> dict[str, Any]:
    """Open a game, in which the account gets a seat.

    A finished game has one rematch at a time: RematchOpen is raised if there is one already.
    """
    settings = check_settings(new)._replace(rematch_of=rematch_of)
    body = new._asdict()
    body["visibility"] = settings.visibility
    for field in ("clock", "colour"):
        if body[field] is None:
            del body[field]  # it came later: keys from before must still find their answers
    started: list[DecidedMove] = []

    def run(tx: Transaction) -> dict[str, Any]:
        if rematch_of is not None:
            _check_first_rematch(tx, rematch_of)
        admission.check_room(desk, tx, account)
        if settings.rated and not admission.is_bot(tx, account):
            raise refusals.unreadable(
                say("must be false: you are not a bot, and only bots can play rated games."),
                "rated",
            )
        at = desk.now()
        cited = new.commitment
        committed = commitments.use(tx, account, cited, at) if cited else commitments.draw(at)
        id = create_table(tx, settings, committed, [(account, new.nonce, new.colour)], at)
        return _seated(desk, tx, id, account, started)

    document, is_replay = once(desk, account, "open_game", key, body, run)
    if not is_replay:
        for deal in started:
            announce(desk, deal)
    elif not table_answers.is_there(desk, document["id"]):
        raise refusals.made_and_gone(say("The table that this request opened no longer exists."))
    return table_answers.with_names(desk, document)


def _check_first_rematch(tx: Transaction, game: str) -> None:
    games.lock(tx, game)  # or two players could open one each at the same time
    rematch = open_tables.rematch_of(tx, game)
    if rematch is not None:
        raise RematchOpen(rematch.id)


def create_table(
    tx: Transaction,
    settings: GameSettings,
    committed: Committed,
    players: Sequence[tuple[str, str, str | None]],
    at: str,
) -> str:
    """Store a new table for these accounts, each with nonce and colour, and for house bots."""
    id = committed.game
    games.open_game(
        tx,
        {
            "id": id,
            "board": settings.board,
            "variants": list(settings.variants),
            "seats": settings.seats,
            "pace": settings.pace,
            "visibility": settings.visibility,
            "title": settings.title,
            "status": "open",
            "version": BEFORE,
            "changes": 0,
            "last_message": 0,
            "commitment": committed.commitment,
            "committed": committed.at,
            "seed": committed.seed,
            "rules": RULES,
            "created": at,
            "rated": int(settings.rated),
            "default_visibility": int(settings.default_visibility),
            "rematch_of": settings.rematch_of,
        },
    )
    for number, (account, nonce, colour) in enumerate(players):
        _sit(tx, id, number, at, account=account, nonce=nonce, colour=colour)
    for number, strength in enumerate(settings.bots, len(players)):
        _sit(tx, id, number, at, house=strength)
    return id


def join(
    desk: Desk,
    account: str,
    game: str,
    nonce: str,
    key: str | None,
    admit: Admission | None = None,
) -> dict[str, Any]:
    """Take a seat at a table without choosing a colour."""
    return take_seat(desk, account, game, NewSeat(nonce), key, admit)


def take_seat(
    desk: Desk,
    account: str,
    game: str,
    seat: NewSeat,
    key: str | None,
    admit: Admission | None = None,
) -> dict[str, Any]:
    """Take a seat at a table; when the last one is taken the game begins.

    Without `admit`, the account must be able to see the table.
    """
    commitments.check_nonce(seat.nonce)
    colour = seat_looks.checked(seat.colour)
    started: list[DecidedMove] = []

    def run(tx: Transaction) -> dict[str, Any]:
        if admit is None:
            table_lookup.table_of(tx, game, account)
        table = games.lock(tx, game)
        if table is None:
            raise refusals.not_found()
        if admit is not None:
            admit(tx, table)
        admission.check(tx, table, account)
        reservations.use(desk, tx, table, account)
        seat_looks.check_free(table, colour)
        place = admission.free_seat(table)
        _sit(tx, game, place, desk.now(), account=account, nonce=seat.nonce, colour=colour)
        return _seated(desk, tx, game, account, started)

    body = {"game": game, "nonce": seat.nonce} | ({"colour": colour} if colour else {})
    document, is_replay = once(desk, account, "join", key, body, run)
    if not is_replay:
        for deal in started:
            announce(desk, deal)
        desk.news.publish(of_game(game))
        desk.wakeup.send()
    elif not table_answers.is_there(desk, game, account):
        raise refusals.made_and_gone(say("You have left the table since then."))
    return table_answers.with_names(desk, document)


def fill_with_bot(desk: Desk, account: str, game: str, strength: str) -> dict[str, Any]:
    """Give a free seat that is not reserved to a house bot, as the host of the table."""
    (house,) = house_seats({strength: 1})
    started: list[DecidedMove] = []
    with desk.database.writing() as tx:
        table = hosting.hosted(tx, game, account)
        reservations.check_unreserved(desk, tx, table)
        _sit(tx, game, admission.free_seat(table), desk.now(), house=house)
        document = _seated(desk, tx, game, account, started)
    for deal in started:
        announce(desk, deal)
    desk.news.publish(of_game(game))
    desk.wakeup.send()
    return table_answers.with_names(desk, document)


def _seated(
    desk: Desk, tx: Transaction, game: str, account: str, started: list[DecidedMove]
) -> dict[str, Any]:
    """Return the table that an account has just joined; start the game if it is full now."""
    started.clear()  # an earlier attempt may have been rolled back
    table = table_lookup.existing(tx, game)
    if len(table.seated) == table.seats:
        if ratings.is_bot_game(table):
            accounts_here = (seat.account for seat in table.seated)
            others = [other for other in accounts_here if other and other != account]
            ratings.check_room(desk, tx, [account, *others])
        started.append(start(tx, table, desk.now()))
        table = table_lookup.existing(tx, game)
    return table_answers.document(desk, tx, table, account)


def _sit(tx: Transaction, game: str, number: int, at: str, **occupant: Any) -> None:
    """Store who takes a seat: an `account` with its `nonce` and `colour`, or the `house`."""
    games.take_seat(tx, {"game": game, "number": number, "nonce": "", "joined": at, **occupant})


def check_settings(new: NewGame) -> GameSettings:
    """Return the settings of a new game as stored; refused if it cannot be played."""
    try:
        rules = atlas.ruleset(new.board, new.variants, new.seats)
    except MapError as error:
        raise refusals.unreadable(f"{error.reason}.", error.place.split("[")[0]) from None
    visibility = DEFAULT_VISIBILITY if new.visibility is None else new.visibility
    if visibility not in VISIBILITIES:
        raise refusals.unreadable(
            say("must be one of {names}.", names=", ".join(VISIBILITIES)), "visibility"
        )
    bots = house_seats(new.bots or {})
    if len(bots) >= new.seats:
        raise refusals.unreadable(
            say("must leave a seat for the player who opens the game."), "bots"
        )
    seat_looks.checked(new.colour)
    commitments.check_nonce(new.nonce)
    commitments.check_pair(new.nonce, cited=bool(new.commitment))
    title = rules.board.name if new.title is None else new.title
    title = names.checked_line(title, names.LONGEST_TITLE, "title")
    pace = pace_requests.parse(new.pace, new.clock)
    if new.rated and pace.per_decision is None:
        raise refusals.unreadable(
            say("must be false without a clock: a losing player could stop moving."), "rated"
        )
    return GameSettings(
        new.board,
        rules.board.variants,
        new.seats,
        paces.written(pace),
        visibility,
        title,
        bots,
        new.rated,
        default_visibility=new.visibility is None,
    )


def house_seats(numbers: Mapping[str, int]) -> tuple[str, ...]:
    """Return the house bots for these numbers by strength, the weakest first."""
    for strength, number in numbers.items():
        if strength not in STRENGTHS or not 0 <= number <= MOST_SEATS:
            raise refusals.unreadable(
                say("must say how many of {names}.", names=", ".join(STRENGTHS)), "bots"
            )
    return tuple(strength for strength in STRENGTHS for _ in range(numbers.get(strength, 0)))


def leave(desk: Desk, account: str, game: str, *, may_resign: bool = True) -> None:
    """Leave a table before the game begins, or resign from it unless that is not meant."""
    with desk.database.reading() as tx:
        table_lookup.table_of(tx, game, account)
    with desk.database.writing() as tx:
        table = games.lock(tx, game)
        seat = table.seat_of(account) if table else None
        if table is None or seat is None:
            raise refusals.Refused("forbidden", say("You have no seat at this table."))
        if table.status == "open":
            _stand_up(tx, table, seat)
            reservations.assign(desk, tx, game)
        elif not may_resign:
            raise refusals.Refused(
                "already_started", say("The game has begun, so you cannot leave the table.")
            )
        elif seat.resigned:
            raise refusals.Refused("forbidden", say("You have already resigned from this game."))
        elif table.status == "running":
            _resign(tx, table, seat, desk.now())
        else:
            raise GameOver
    seated = [player.account for player in table.seated if player.account]
    desk.news.publish(of_game(game), *map(of_account, seated))
    desk.wakeup.send()


def _stand_up(tx: Transaction, table: Table, seat: Seated) -> None:
    """Free a seat of an open table; when the last account leaves, the table is deleted."""
    games.free_seat(tx, table.id, seat.number)
    if not any(other.account for other in table.seated if other is not seat):
        games.drop(tx, table.id)


def _resign(tx: Transaction, table: Table, seat: Seated, at: str) -> None:
    """Let a caretaker play this seat; a game without any other player is abandoned."""
    # The clock sends no more reminders. It looks again at the deadline, in case the house is late.
    resigned = {"house": CARETAKER, "resigned": at, "due": seat.deadline}
    games.hand_over(tx, table.id, seat.number, resigned)
    orders.remove(tx, table.id, seat.account or "")
    table = table_lookup.existing(tx, table.id)
    if all(other.house for other in table.seated):
        games.close(tx, table.id, "abandoned", at)
        ratings.settle(tx, table)
        return
    if seat.awaited_since:
        house_turns.owe(tx, table.id, at)
    notices.add(tx, table_notices.to_all(table, "seat_resigned", table.changes), at)


def leave_all(desk: Desk, account: str) -> None:
    """Leave every table, before an account is deleted."""
    with desk.database.reading() as tx:
        unfinished = games.running_of(tx, account)
    for game, _ in unfinished:
        with suppress(Refusal):  # left, resigned or over in the meantime
            leave(desk, account, game)
