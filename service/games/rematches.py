"""Opens a rematch: a new table like an old one, to which the same players are invited."""

from typing import NamedTuple

from engine import Refusal
from engine.text import listed
from engine.translate import say
from service.clocks import pace as paces
from service.desk import Desk
from service.games import invitations, lobby, table_lookup
from service.games.lobby import STRENGTHS, NewGame
from service.refusals import Refused
from store.games.games import Table


class Rematch(NamedTuple):
    """A new table, and the players who were invited to it."""

    game: str
    title: str
    invited: tuple[str, ...]
    refused: tuple[str, ...]
    """For each player who could not be invited, the name and the reason."""


def settings_of(table: Table) -> NewGame:
    """A new game with the board, variants, seats, pace and bots of this one."""
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


def open_rematch(desk: Desk, account: str, game: str, key: str) -> Rematch:
    """Open a table like that of a finished game, and invite everybody else who played there."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, game, account)
    if table.seat_of(account) is None:
        raise Refused("forbidden", say("You have no seat at this table."))
    if table.status not in ("finished", "abandoned"):
        raise Refused("illegal", say("The game “{title}” is not over yet.", title=table.title))
    opened = lobby.open_game(desk, account, settings_of(table), key)
    invited: list[str] = []
    refused: list[str] = []
    others = [seat for seat in table.seated if seat.account not in (None, account) and seat.name]
    for seat in others:
        name = str(seat.name)
        try:
            invitations.invite(desk, account, opened["id"], {"name": name}, f"{key}-{seat.number}")
        except Refusal as refusal:
            refused.append(f"{name}: {refusal.sentence}")
        else:
            invited.append(name)
    return Rematch(opened["id"], opened["title"], tuple(invited), tuple(refused))


def sentence(opened: Rematch) -> str:
    """Tell that a rematch is open, and who was invited."""
    if not opened.invited:
        return say("The rematch “{title}” is open.", title=opened.title)
    return say(
        "The rematch “{title}” is open. Invited: {names}.",
        title=opened.title,
        names=listed(opened.invited),
    )
