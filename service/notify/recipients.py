"""The recipient of a letter, and whether it is still current; checked when it is composed."""

from collections.abc import Collection
from typing import NamedTuple

from engine import Option
from engine.values import Seat
from service.desk import Desk
from service.games import seat_names
from service.games.inviting import invitation_letters
from service.memory.positions import action_of, folded
from service.notify.outbox import Delivery
from service.people import addresses, opt_outs
from service.views import story
from service.views.story import Story
from store.games import games, messages
from store.people import accounts
from store.people.accounts import Account


class Reader(NamedTuple):
    """The recipient of a letter."""

    account: str
    name: str
    email: str
    time_zone: str
    locale: str
    stranger: bool = False
    """Whether the recipient has no account; `account` is then the one that invites, or empty."""
    invitation: invitation_letters.Letter | None = None
    """The invitation, if the letter is one."""


class TableMessage(NamedTuple):
    """A message at a table."""

    name: str
    text: str
    at: str


def reader_for(desk: Desk, about: Delivery) -> Reader | None:
    """Find the recipient of a letter; None if it may not be sent any more."""
    if about.kind == invitation_letters.KIND:
        reader = _guest(desk, about)
    elif not about.account:
        data = about.data or {}
        reader = Reader("", "", data["email"], "UTC", data["locale"], stranger=True)
    else:
        with desk.database.reading() as tx:
            reader = _owner(desk, accounts.account(tx, about.account), about)
    if reader is not None and opt_outs.is_stopped(desk, about.kind, reader.email):
        return None  # the recipient has opted out while the letter waited
    return reader


def _owner(desk: Desk, account: Account | None, about: Delivery) -> Reader | None:
    """Return the account, if it has an address to which this letter may be sent."""
    email = _address(account, about, desk.now()) if account else None
    if account is None or email is None:
        return None
    return Reader(account.id, account.name, email, account.time_zone, account.locale)


def _address(account: Account, about: Delivery, now: str) -> str | None:
    """Return the address to which a letter of this kind may be sent now."""
    if about.kind == "confirm_address":
        return addresses.unconfirmed_address(account, now)
    if about.kind == "address_replaced":
        return (about.data or {}).get("email")
    return addresses.deliverable_address(account, about.kind)


def open_story(desk: Desk, game: str, account: str, version: int) -> Story | None:
    """Return the story of a game in which this decision is still open; None if it is not."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
        seat = table.seat_of(account) if table else None
        if (
            table is None
            or seat is None
            or seat.decision_version != version
            or seat.house
            or seat.resigned
        ):
            return None
        game_story = story.for_seat(desk, tx, table, seat.number)
    decision = game_story.decision
    return game_story if decision and decision.version == version else None


def seat_at(desk: Desk, game: str, account: str) -> Seat | None:
    """Return the seat of an account at a table, also before the game begins; None without one."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
    seat = table.seat_of(account) if table else None
    return seat.number if seat else None


def talk(desk: Desk, game: str, account: str, numbers: Collection[int]) -> list[TableMessage]:
    """Return the messages that still exist and are unread, the oldest first.

    An account that has posted a message is taken to have read the earlier ones.
    """
    with desk.database.reading() as tx:
        read = messages.last_by(tx, game, account)
        rows = messages.several(tx, game, [number for number in numbers if number > read])
    return [TableMessage(row.name, row.text, row.at) for row in rows]


def played(desk: Desk, game: str, seat: Seat, version: int) -> str | None:
    """Return the label of the option with which a seat's decision was made; None if it is open."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
        log = games.moves_between(tx, game, 0, table.version) if table else []
    decided = next((move for move in log if move.seat == seat and move.number > version), None)
    if table is None or decided is None:
        return None
    before = folded(table, log[: decided.number])
    return Option(before.rules, before.state, action_of(decided)).label


def resigned(desk: Desk, game: str, at: str) -> list[str]:
    """Return the names of the players who left a game at this time."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
    if table is None:
        return []
    names = seat_names.names_of(table)
    return [names[seat.number] for seat in table.seated if seat.resigned == at]


def _guest(desk: Desk, about: Delivery) -> Reader | None:
    """Return the guest who receives an invitation, never its host."""
    letter = invitation_letters.letter(desk, (about.data or {}).get("invitation", ""))
    if letter is None:
        return None
    if letter.guest is None:
        reader: Reader | None = Reader(about.account, "", letter.email, "UTC", "en", stranger=True)
    else:
        reader = _owner(desk, letter.guest, about)
    return reader._replace(invitation=letter) if reader else None
