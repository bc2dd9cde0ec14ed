"""The command `say`, and replies to table talk: both post a message to the table."""

from collections.abc import Sequence
from functools import partial

from engine.text import shown, together
from engine.translate import say
from service import refusals
from service.desk import Desk
from service.games import table_lookup, talk
from service.i18n.catalogue import sayable
from service.people import names
from service.replies.commands.conversation import Conversation, Line
from service.replies.commands.line_forms import message_in
from service.replies.commands.move_lines import reads_as_move
from service.replies.reading.limits import LONGEST_KEPT, MOST_LINES
from store.database import Transaction
from store.games import messages
from store.notify import received_mail

MOST_A_DAY = 30
"""Messages that an account can post by mail in a day, at all tables together."""
NO_MOVES = sayable(
    "A reply to table talk plays no moves. Reply to the email about your turn instead, or follow "
    "its link."
)

LIKE_A_MOVE = sayable(
    "“{line}” looks like a move. A reply to table talk plays no moves, so nothing was played, and "
    "nothing was posted. To play it, reply to the email about your turn. To post your email as a "
    "message, write “say” on a line of its own above it."
)
WITH_GAPS = sayable("The lines that you quoted in between are not part of it.")


def post(conversation: Conversation, line: Line) -> str:
    """Post what follows `say`: the rest of its line, or else all lines after it."""
    message = message_in(line.text)
    lines = [message] if message else conversation.lines_after(line)
    return _post(conversation, lines, line.number)


def post_reply(conversation: Conversation) -> str:
    """Post a whole reply to table talk, unless a line of it seems to be meant as a move."""
    reply = conversation.reply
    lines = reply.message or reply.lines
    if (move := _first_move(conversation, lines)) is not None:
        raise refusals.unreadable(say(LIKE_A_MOVE, line=shown(move)))
    posted = _post(conversation, lines, 0)
    return together(posted, say(WITH_GAPS)) if reply.has_gaps else posted


def _first_move(conversation: Conversation, lines: Sequence[str]) -> str | None:
    """Return the first line that reads as a move: others must not learn what is planned."""
    desk, reply = conversation.desk, conversation.reply
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, reply.game, reply.account)
        seat = table.seat_of(reply.account)
        if table.status != "running" or seat is None:
            return None
        _, position = table_lookup.settled(desk, tx, table)
    rules, state = position.rules, position.state
    moves = (line for line in lines if reads_as_move(rules, state, seat.number, line))
    return next(moves, None)


def _post(conversation: Conversation, lines: Sequence[str], number: int) -> str:
    desk, reply = conversation.desk, conversation.reply
    if not lines:
        raise refusals.unreadable(say("There is no message after “say”. Nothing was posted."))
    if len(lines) > MOST_LINES or any(len(line) >= LONGEST_KEPT for line in lines):
        raise refusals.unreadable(
            say(
                "We read only {most} lines of a reply, and {longest} characters of a line. Your "
                "message is longer, so nothing was posted.",
                most=MOST_LINES,
                longest=LONGEST_KEPT - 1,
            )
        )
    text = names.checked_message("\n".join(lines))
    check = partial(_check_message, desk, reply.account, reply.game, text)
    talk.say(desk, reply.account, reply.game, text, f"{reply.key}-{number}", check)
    conversation.changes += 1
    return say("Posted to the table.")


def _check_message(desk: Desk, account: str, game: str, text: str, tx: Transaction) -> None:
    """Refuse what a machine would post: the same text again, or very many messages.

    Automatic mail is recognised by its headers and dropped. This limits what an automatic reply
    without such headers can do, and ends a loop between two of them.
    """
    last = messages.several(tx, game, [messages.last_by(tx, game, account)])
    if last and last[0].text == text:
        raise refusals.Refused(
            "illegal", say("Your last message at this table has the same text. Nothing was posted.")
        )
    now = desk.now()
    if received_mail.spend(tx, account, f"talk {now[:10]}", MOST_A_DAY, now) is None:
        raise refusals.Refused(
            "forbidden",
            say(
                "You have posted {most} messages by email today, which is the most that we take. "
                "Nothing was posted.",
                most=MOST_A_DAY,
            ),
        )
