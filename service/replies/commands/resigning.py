"""The commands `resign yes` and `leave yes`; `resign` and `leave` alone say how."""

from collections.abc import Sequence

from engine.translate import say
from service import refusals
from service.games import lobby
from service.i18n.catalogue import sayable
from service.replies.commands.conversation import Conversation, Line
from service.replies.commands.line_forms import tidied
from service.replies.reading.words import folded
from store.games import games

ASK_AGAIN = sayable(
    "Resigning cannot be undone: the house plays on for you. If you are sure, reply with the "
    "line “resign yes”."
)
LEAVE_AGAIN = sayable("If you are sure that you want to leave this table, write “leave yes”.")
BEGUN = sayable("The game has begun, so you cannot leave the table. You can resign: “resign yes”.")


def resign(conversation: Conversation, line: Line) -> str:
    """Give up the seat, if the line says that its writer is sure."""
    if line.arguments != "yes":
        raise refusals.Refused("illegal", say(ASK_AGAIN))
    reply = conversation.reply
    with conversation.desk.database.reading() as tx:
        table = games.table(tx, reply.game)
    seat = table.seat_of(reply.account) if table else None
    if seat is None or not seat.resigned:  # the reply may be read a second time
        lobby.leave(conversation.desk, reply.account, reply.game)
    conversation.decision_version = None
    conversation.changes += 1
    return say("You have resigned. The house plays on for you.")


def leave(conversation: Conversation, line: Line) -> str:
    """Leave a table at which the game has not begun; a game that has begun can be resigned."""
    desk, reply = conversation.desk, conversation.reply
    with desk.database.reading() as tx:
        table = games.table(tx, reply.game)
    seat = table.seat_of(reply.account) if table else None
    if table is not None and seat is not None and table.status != "open":
        raise refusals.Refused("already_started", say(BEGUN))
    if line.arguments != "yes":
        raise refusals.Refused("illegal", say(LEAVE_AGAIN))
    if seat is not None:  # the reply may be read a second time, when the seat is free
        lobby.leave(desk, reply.account, reply.game)
    conversation.changes += 1
    return say("You have left the table.")


def leaves(lines: Sequence[str]) -> bool:
    """Return whether one of these lines leaves the table."""
    return any(folded(tidied(line)) == "leave yes" for line in lines)
