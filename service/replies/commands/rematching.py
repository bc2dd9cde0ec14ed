"""The command `rematch`: a new table like this one, with the same players."""

from service.games import rematches
from service.replies.commands.conversation import Conversation, Line


def open_rematch(conversation: Conversation, line: Line) -> str:
    """Open a rematch of a finished game, and invite the others who played."""
    reply = conversation.reply
    key = f"{reply.key}-{line.number}"
    opened = rematches.open_rematch(conversation.desk, reply.account, reply.game, key)
    conversation.changes += 1
    return " ".join((rematches.sentence(opened), *opened.refused))
