"""Moves in a reply: in the notation, by number, or as the limit of a tunnel's surcharge.

A reply to an email about a decision answers that decision and no other. Any other reply answers
the decision that is open when it comes, with moves that are written out.
"""

import re
from typing import Any

from engine import Refusal, capped, text_of
from engine.errors import Unreadable
from engine.notation import ALL_OR_NONE, names_an_entry
from engine.translate import say
from service import refusals
from service.games import moves, table_lookup
from service.games.move_requests import MoveRequest
from service.i18n.catalogue import sayable
from service.replies.commands.conversation import Conversation, Line

NUMBERS = sayable(
    "A number stands for an option in the email you are answering, so it only works for the "
    "first move of a reply. Please write out the move instead."
)

NO_LIST = sayable(
    "A number only means something in reply to an email that lists moves. Please write out the "
    "move, or reply with the line “moves” to get the list."
)
NOTHING_WAITS = sayable(
    "No decision is waiting for you in this game at the moment. Nothing was played."
)

_PAY_UP_TO = re.compile(r"pay up to ([0-9]{1,2}) or give up")


def play(conversation: Conversation, line: Line) -> str:
    """Make the move that a line names, and tell what happened as its own seat may see it."""
    text, reply = line.text, conversation.reply
    if (most := _PAY_UP_TO.fullmatch(line.words)) is not None:
        chosen = _surcharge(conversation, int(most[1]))
        if chosen is None:
            return say("There is no surcharge to pay.")
        text = chosen
    elif conversation.moves and names_an_entry(line.words):
        raise Unreadable(say(NUMBERS))
    elif not reply.lists_moves and (names_an_entry(line.words) or line.words in ALL_OR_NONE):
        raise Unreadable(say(NO_LIST))
    is_any_decision = not reply.lists_moves and not conversation.moves
    if conversation.decision_version is None and not is_any_decision:
        raise refusals.Refused(
            "not_awaited", say("Your turn is over, so there is no decision left for you.")
        )
    request = MoveRequest(
        text,
        decision_version=conversation.decision_version,
        key=f"{reply.key}-{line.number}",
        source=reply.source,
    )
    receipt = _submit(conversation, request)
    conversation.moves += 1
    # The next decision of the same seat was opened at the version after this move.
    conversation.decision_version = receipt["version"] if receipt["decision"] else None
    return " ".join(event["sentence"] for event in receipt["events"])


def _submit(conversation: Conversation, request: MoveRequest) -> dict[str, Any]:
    reply = conversation.reply
    try:
        return moves.submit(conversation.desk, reply.account, reply.game, request)
    except Refusal as refusal:
        if refusal.code == "not_awaited" and not reply.lists_moves:
            raise refusals.Refused("not_awaited", say(NOTHING_WAITS)) from None
        raise


def _surcharge(conversation: Conversation, most: int) -> str | None:
    """The move that pays a tunnel's surcharge of at most `most` cards; None if none is due."""
    desk, reply = conversation.desk, conversation.reply
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, reply.game, reply.account)
        if table.status != "running":
            return None
        table, position = table_lookup.settled(desk, tx, table)
    seat = table.seat_of(reply.account)
    if seat is None or seat.house:
        return None
    chosen = capped(position.rules, position.state, seat.number, most)
    return None if chosen is None else text_of(position.rules, chosen)
