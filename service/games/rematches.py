"""Opens a rematch: a new table like that of a finished game, for the same players and bots."""

from typing import Any, NamedTuple

from engine import Refusal
from engine.text import listed
from engine.translate import say
from service.clocks import paces
from service.desk import Desk
from service.games import lobby, seat_looks, table_lookup
from service.games.inviting import invitations
from service.games.lobby import STRENGTHS, NewGame, NewSeat, RematchOpen
from service.refusals import Refused
from store.database import Transaction
from store.games.games import Table


class Rematch(NamedTuple):
    """A new table, and the players who were invited to it."""

    game: str
    title: str
    invited: tuple[str, ...]
    refused: tuple[str, ...]
    """For each player who could not be invited, the name and the reason."""
    is_new: bool = True
    """Whether the table was opened now; otherwise another player had opened it."""


def settings_of(table: Table) -> NewGame:
    """Return a new game with the board, variants, seats, pace and bots of this one."""
    pace = paces.read(table.pace)
    house = [seat.house for seat in table.seated if seat.account is None]
    return NewGame(
        table.board,
        table.variants,
        table.seats,
        pace.name,
        table.visibility,
        table.title,
        {strength: house.count(strength) for strength in STRENGTHS if strength in house},
        clock=paces.document(pace) if pace.name == paces.CUSTOM else None,
    )


def open_rematch(desk: Desk, account: str, game: str, key: str | None) -> Rematch:
    """Open a table like that of a finished game, and invite everybody else who played there.

    If another player has opened it already, take a seat there. The seats are those of the old
    game, moved on by one, so that somebody else begins; a colour that was chosen stays.
    """
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, game, account)
    own = table.seat_of(account)
    if own is None:
        raise Refused("forbidden", say("You have no seat at this table."))
    if table.status not in ("finished", "abandoned"):
        raise Refused("not_over", say("The game “{title}” is not over yet.", title=table.title))
    try:
        new = settings_of(table)._replace(colour=own.colour)
        opened = lobby.open_game(desk, account, new, key, rematch_of=game)
    except RematchOpen as rematch:
        return _joined(desk, account, rematch.game, own.colour)
    return _with_guests(desk, account, table, opened, key)


def _joined(desk: Desk, account: str, rematch: str, colour: str | None) -> Rematch:
    """Take a seat at a rematch that another player has opened, in this colour if it is free."""

    def admit(_: Transaction, __: Table) -> None:
        """Let every player of the old game in, invited or not yet."""

    with desk.database.reading() as tx:
        table = table_lookup.existing(tx, rematch)
    if table.seat_of(account) is None:
        wish = colour if colour in seat_looks.free_colours(table) else None
        lobby.take_seat(desk, account, rematch, NewSeat(colour=wish), None, admit)
    return Rematch(rematch, table.title, (), (), is_new=False)


def _with_guests(
    desk: Desk, account: str, table: Table, opened: dict[str, Any], key: str | None
) -> Rematch:
    """Invite everybody else who played at the old table, unless they have a seat already."""
    id: str = opened["id"]
    invited: list[str] = []
    refused: list[str] = []
    others = [seat for seat in table.seated if seat.account not in (None, account) and seat.name]
    for seat in others:
        name = str(seat.name)
        try:
            invitations.invite(
                desk, account, id, {"name": name}, f"{key}-{seat.number}" if key else None
            )
        except Refusal as refusal:
            if refusal.code not in ("seat_taken", "already_started"):  # they were quicker
                refused.append(f"{name}: {refusal.sentence}")
        else:
            invited.append(name)
    return Rematch(id, opened["title"], tuple(invited), tuple(refused))


def sentence(opened: Rematch) -> str:
    """Tell that a rematch is open, and who was invited."""
    if not opened.is_new:
        return say("You have a seat at the rematch “{title}”.", title=opened.title)
    if not opened.invited:
        return say("The rematch “{title}” is open.", title=opened.title)
    return say(
        "The rematch “{title}” is open. Invited: {names}.",
        title=opened.title,
        names=listed(opened.invited),
    )
