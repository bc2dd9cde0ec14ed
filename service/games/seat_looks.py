"""The colours and patterns of the seats at a table, and which colours are still free."""

import pictures
from engine.translate import say
from pictures import COLOURS, Look
from service import refusals
from store.games.games import Table


def looks_of(table: Table) -> tuple[Look, ...]:
    """Return the look of each seat: as its player has chosen, or as its number says."""
    return pictures.looks_of([seat.colour for seat in table.seated])


def free_colours(table: Table) -> tuple[str, ...]:
    """Return the colours that nobody at a table has chosen."""
    taken = {seat.colour for seat in table.seated}
    return tuple(colour for colour in COLOURS if colour not in taken)


def checked(colour: str | None) -> str | None:
    """Return a colour that a player has chosen, None for no choice; refuse unknown ones."""
    if colour and colour not in COLOURS:
        raise refusals.unreadable(
            say("must be one of {names}.", names=", ".join(COLOURS)), "colour"
        )
    return colour or None


def check_free(table: Table, colour: str | None) -> None:
    """Refuse a colour that another player at a table has chosen."""
    if colour and colour not in free_colours(table):
        sentence = say("Another player at this table has chosen this colour. Choose another one.")
        raise refusals.Refused("colour_taken", sentence)
