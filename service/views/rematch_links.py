"""Links to the form for a new game, filled in as a finished game was."""

from urllib.parse import urlencode

from service.clocks.paces import PACES
from service.desk import Desk
from service.games import table_lookup
from service.games.lobby import STRENGTHS
from store.games.games import Table

DEFAULT_PACE = "days"
FIELDS = ("board", "seats", "variants", "pace", "visibility", "guests", *STRENGTHS)
"""The fields of the form that an address can fill in."""


def form_path(desk: Desk, game: str, account: str) -> str:
    """Return the address of the form for a rematch of a game that this account may see."""
    with desk.database.reading() as tx:
        return rematch_path(table_lookup.table_of(tx, game, account), account)


def rematch_path(table: Table, account: str | None) -> str:
    """Return the address of the form, with board, variants, seats and players as at this table.

    The other players are named as guests: opening the address invites nobody.
    """
    house = [seat.house for seat in table.seated if seat.account is None]
    counts = {strength: house.count(strength) for strength in STRENGTHS}
    # The form itself preselects a bot, so that one has to be named even if there was none.
    bots = {name: number for name, number in counts.items() if number or name == STRENGTHS[0]}
    others = [
        seat.name
        for seat in table.seated
        if seat.name and seat.account is not None and seat.account != account
    ]
    fields = [("board", table.board), ("seats", str(table.seats))]
    fields += [("variants", variant) for variant in table.variants]
    fields += [("pace", table.pace)] * (table.pace in PACES and table.pace != DEFAULT_PACE)
    fields += [("visibility", table.visibility)]
    fields += [(strength, str(number)) for strength, number in bots.items()]
    fields += [("guests", "\n".join(others))] * bool(others)
    return f"/games/new?{urlencode(fields)}"
