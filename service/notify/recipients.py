"""Who a letter goes to, and whether what it is about is still so."""

from collections.abc import Collection
from typing import NamedTuple

from engine import Option
from engine.values import Seat
from service.desk import Desk
from service.games import invitations, seat_names
from service.memory.positions import action_of, folded
from service.notify.outbox import Delivery
from service.people import addresses, opt_outs
from service.views.story import Story, told
from store.games import games, messages
from store.people import accounts
from store.people.accounts import Account


class Reader(NamedTuple):
    """Somebody who can be written to."""

    account: str
    name: str
    email: str
    time_zone: str
    locale: str
    stranger: bool = False
    """Whether we know them only by their address, and the account is somebody else's."""


class Said(NamedTuple):
    """A message at a table."""

    name: str
    text: str
    at: str


def reader_for(desk: Desk, about: Delivery) -> Reader | None:
    """Whoever this is to be sent to, if it may go to them now."""
    reader = _guest(desk, about) if about.kind == invitations.KIND else _owner(desk, about)
    if reader is not None and opt_outs.is_stopped(desk, about.kind, reader.email):
        return None  # they have opted out while the letter waited
    return reader


def _owner(desk: Desk, about: Delivery) -> Reader | None:
    with desk.database.reading() as tx:
        found = accounts.account(tx, about.account)
    email = _address(found, about, desk.now()) if found else None
    if found is None or email is None:
        return None
    return Reader(found.id, found.name, email, found.time_zone, found.locale)


def _address(account: Account, about: Delivery, now: str) -> str | None:
    """Where a letter of this kind may go now."""
    if about.kind == "confirm_address":
        return addresses.unconfirmed_address(account, now)
    if about.kind == "address_replaced":
        return (about.data or {}).get("email")
    return addresses.deliverable_address(account, about.kind)


def open_story(desk: Desk, game: str, account: str, asked: int) -> Story | None:
    """The story of a game in which this decision still waits for somebody; else None."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
        seat = table.seat_of(account) if table else None
        if table is None or seat is None or seat.asked != asked or seat.house or seat.resigned:
            return None
        story = told(desk, tx, table, seat.number)
    return story if story.asked and story.asked.asked == asked else None


def talk(desk: Desk, game: str, account: str, numbers: Collection[int]) -> list[Said]:
    """Those of these messages that are still there and news to an account, the oldest first.

    Whoever has said something since has read what was said before.
    """
    with desk.database.reading() as tx:
        read = messages.last_by(tx, game, account)
        found = messages.several(tx, game, [number for number in numbers if number > read])
    return [Said(one.name, one.text, one.at) for one in found]


def played(desk: Desk, game: str, seat: Seat, asked: int) -> str | None:
    """How a seat's decision was answered, as its options say it; None if it never was."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
        log = games.moves_between(tx, game, 0, table.version) if table else []
    made = next((move for move in log if move.seat == seat and move.number > asked), None)
    if table is None or made is None:
        return None
    before = folded(table, log[: made.number])
    return Option(before.rules, before.state, action_of(made)).label


def resigned(desk: Desk, game: str, at: str) -> list[str]:
    """The names of those who have left a game at this moment."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
    if table is None:
        return []
    names = seat_names.names_of(table)
    return [names[seat.number] for seat in table.seated if seat.resigned == at]


def _guest(desk: Desk, about: Delivery) -> Reader | None:
    """Whoever an invitation goes to: never the account on whose behalf it is delivered."""
    letter = invitations.letter(desk, (about.data or {}).get("invitation", ""))
    if letter is None:
        return None
    if letter.name is not None:
        return _owner(desk, about)
    return Reader(about.account, "", letter.email, "UTC", "en", stranger=True)
