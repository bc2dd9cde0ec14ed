"""The command `invite NAME`: invites a player to a table at which the game has not begun."""

from typing import Any

from engine.translate import say
from service import refusals
from service.games.inviting import invitations
from service.replies.commands.conversation import Conversation, Line


def invite(conversation: Conversation, line: Line) -> str:
    """Invite the player of this name or email address."""
    reply = conversation.reply
    name = line.text.strip().partition(" ")[2].strip()
    if not name:
        raise refusals.unreadable(
            say("Write whom to invite: “invite Ada” or “invite ada@example.org”.")
        )
    guest: dict[str, Any] = {"email" if "@" in name else "name": name}
    key = f"{reply.key}-{line.number}"
    invitations.invite(conversation.desk, reply.account, reply.game, guest, key)
    conversation.changes += 1
    return say("{name} is invited to the table.", name=name)
