"""Commands that ask something and change nothing: `help` and `status`."""

from engine.text import listed
from engine.translate import say
from service.games import seat_names, table_lookup
from service.i18n.catalogue import sayable
from service.replies.commands.conversation import Conversation, Line

HELP = sayable(
    "Write one command per line, above the quoted email: a move such as “draw” or “claim "
    "dieppe-paris with 1 purple”, the number of an option in the email you are answering, "
    "perhaps with what you pay (“12 with green”), "
    "“status”, “resign”, “absence 3 Jul - 10 Jul” or “help”. We stop at the first line that "
    "does not work."
)
STATUS = {
    "open": sayable("The game is open."),
    "finished": sayable("The game is finished."),
    "abandoned": sayable("The game is abandoned."),
}
"""The answer to “status” for a game that waits for nobody."""


def show_help(_: Conversation, __: Line) -> str:
    """Explain what can be written in a reply."""
    return say(HELP)


def show_status(conversation: Conversation, _: Line) -> str:
    """Say for whom the game is waiting."""
    reply = conversation.reply
    with conversation.desk.database.reading() as tx:
        table = table_lookup.table_of(tx, reply.game, reply.account)
    names = seat_names.names_of(table)
    if table.status != "running":
        return say(STATUS[table.status])
    waits = [names[seat.number] for seat in table.seated if seat.awaited_since]
    return say(
        "The game is at version {version} and is waiting for {names}.",
        version=table.version,
        names=listed(waits),
    )
