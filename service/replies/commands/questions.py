"""Commands that ask something and change nothing: `help`, `status`, `board`, `hand` and others.

Their answers are longer than a sentence, so the answer letter shows them as parts of its own. They
are read from the game when the letter is written, with what the seat may know then.
"""

from engine.errors import Unreadable
from engine.text import listed
from engine.translate import say
from service import refusals
from service.games import seat_names, table_lookup
from service.i18n import dates
from service.i18n.catalogue import sayable
from service.replies.commands.conversation import Conversation, Line
from store import timestamps
from store.games.games import Table
from store.people import accounts

STATUS = {
    "finished": sayable("The game is finished."),
    "abandoned": sayable("The game is abandoned."),
}
"""The answer to “status” for a game that is over."""
NOT_BEGUN = sayable("The game has not begun yet, so there is nothing to show.")


def show_help(conversation: Conversation, _: Line) -> str:
    """Explain what can be written in a reply."""
    conversation.show("help")
    return say("The commands are below.")


def show_status(conversation: Conversation, _: Line) -> str:
    """Say for whom the game is waiting, and until when."""
    reply = conversation.reply
    with conversation.desk.database.reading() as tx:
        table = table_lookup.table_of(tx, reply.game, reply.account)
        account = accounts.account(tx, reply.account)
    if table.status == "open":
        return _free_seats(table)
    conversation.show("status")
    if table.status != "running":
        return say(STATUS[table.status])
    zone = account.time_zone if account else "UTC"
    names = seat_names.names_of(table)
    awaited = [seat for seat in table.seated if seat.awaited_since]
    waits = [_with_deadline(names[seat.number], seat.deadline, zone) for seat in awaited]
    return say("The game is waiting for {names}.", names=listed(waits))


def _free_seats(table: Table) -> str:
    free = table.seats - sum(1 for seat in table.seated if seat.account or seat.house)
    return say("The game has not begun yet; free seats: {n}.", n=free)


def _with_deadline(name: str, deadline: str | None, zone: str) -> str:
    if deadline is None:
        return name
    moment = dates.short_time(timestamps.read(deadline), zone)
    return say("{name} (until {moment})", name=name, moment=moment)


def show_board(conversation: Conversation, _: Line) -> str:
    """Show the board as text, with a picture."""
    return _show(conversation, "board", say("The board is below."))


def show_hand(conversation: Conversation, _: Line) -> str:
    """Show the cards and the other things that the seat has."""
    return _show(conversation, "hand", say("Your hand is below."))


def show_own(conversation: Conversation, line: Line) -> str:
    """Show the tickets or the hand: `my tickets`, `my hand`."""
    if line.arguments == "hand":
        return show_hand(conversation, line)
    if line.arguments != "tickets":
        raise Unreadable(say("We know “my tickets” and “my hand”."))
    return _show(conversation, "my tickets", say("Your tickets are below."))


def show_tickets(conversation: Conversation, _: Line) -> str:
    """Answer the line `tickets` where it cannot be meant as a move."""
    return _show(
        conversation,
        "my tickets",
        say(
            "Your tickets are below. To draw new ones, answer the email about your turn with "
            "“tickets”."
        ),
    )


def show_history(conversation: Conversation, line: Line) -> str:
    """Tell what has happened: the latest, or `history all`."""
    if line.arguments not in ("", "all"):
        raise Unreadable(say("Write “history” or “history all”."))
    part = "history all" if line.arguments else "history"
    return _show(conversation, part, say("What has happened is below."))


def show_moves(conversation: Conversation, _: Line) -> str:
    """Send the list of moves of the open decision again."""
    desk, reply = conversation.desk, conversation.reply
    with desk.database.reading() as tx:
        seat = table_lookup.table_of(tx, reply.game, reply.account).seat_of(reply.account)
    if seat is None or seat.house or seat.decision_version is None:
        return say("You have no decision to make at the moment.")
    return _show(conversation, "moves", say("Your moves are below."))


def _show(conversation: Conversation, part: str, sentence: str) -> str:
    """Have the answer show a part of the game; refused before the game has begun."""
    reply = conversation.reply
    with conversation.desk.database.reading() as tx:
        table = table_lookup.table_of(tx, reply.game, reply.account)
    if table.started is None:
        raise refusals.Refused("illegal", say(NOT_BEGUN))
    conversation.show(part)
    return sentence
