"""The commands `stop` and `start`: no more mail about this game, and mail again."""

from engine.translate import say
from service.people import unsubscribing
from service.replies.commands.conversation import Conversation, Line


def stop(conversation: Conversation, _: Line) -> str:
    """Stop mail about this game, as the link “No more mail about this game” does."""
    reply = conversation.reply
    unsubscribing.mute(conversation.desk, reply.account, reply.game)
    conversation.changes += 1
    return say(
        "We send you no more mail about this game. Your turns still count, and we answer what you "
        "write. To get mail again, reply with the line “start”."
    )


def start(conversation: Conversation, _: Line) -> str:
    """Resume mail about this game, and mail in general if all of it was stopped."""
    reply = conversation.reply
    unsubscribing.resume(conversation.desk, reply.account, reply.game)
    conversation.changes += 1
    return say("We send you mail about this game again. To stop it, reply with the line “stop”.")
