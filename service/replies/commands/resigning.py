"""The command `resign yes`, and `resign`, which says how."""

from engine.translate import say
from service import refusals
from service.games import lobby
from service.i18n.catalogue import sayable
from service.replies.commands.conversation import Conversation, Line
from store.games import games

ASK_AGAIN = sayable(
    "Resigning cannot be undone: the house plays on for you. If you are sure, reply with the "
    "line “resign yes”."
)


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
    return say("You have resigned. The house plays on for you.")
