"""Moves in a reply: in the notation, by number, or as the limit of a tunnel's surcharge.

A reply to an email about a decision answers that decision and no other. Any other reply answers
the decision that is open when it comes, with moves that are written out.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from engine import Refusal, Ruleset, State, TakeTurn, capped, text_of
from engine.errors import Unreadable
from engine.notation import ALL_OR_NONE, names_an_entry, plain
from engine.translate import say
from engine.values import Seat
from service import refusals
from service.games import moves, table_lookup
from service.games.move_requests import MoveRequest
from service.i18n.catalogue import sayable
from service.replies.commands import order_lines
from service.replies.commands.conversation import Conversation, Line
from service.replies.commands.line_forms import tidied

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

_PAYS = re.compile(r"\bwith [0-9]")
"""How a payment begins, also after a city that is misspelt."""
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
    elif (kept := order_lines.later(conversation, line)) is not None:
        return kept
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


def reads_as_move(rules: Ruleset, state: State, seat: Seat, line: str) -> bool:
    """Return whether a line is a move in the notation, or the number of an option with its payment.

    It need not be legal, and it need not be the seat's turn.
    """
    try:
        words = plain(tidied(line))
    except Unreadable:
        return False
    if names_an_entry(words):
        _, _, words = words.partition(" ")
        if not words or _pays(rules, words):
            return True
    verb, _, rest = words.partition(" ")
    if verb not in rules.verbs():
        return False
    readers = rules.verbs()[verb]
    return _PAYS.search(rest) is not None or any(
        _is_read(partial(reader, rules, state, TakeTurn(seat), rest)) for reader in readers
    )


def _pays(rules: Ruleset, words: str) -> bool:
    """Return whether these words are a payment, or more numbers of things to choose."""
    if all(word.isdigit() or word == "and" for word in words.split()):
        return True
    return _is_read(partial(rules.purse.read, words.removeprefix("with "), ()))


def _is_read(read: Callable[[], object]) -> bool:
    """Return whether the notation understands something; a move that is not legal is understood."""
    try:
        read()
    except Unreadable:
        return False
    except Refusal:
        return True
    return True


def _submit(conversation: Conversation, request: MoveRequest) -> dict[str, Any]:
    reply = conversation.reply
    try:
        return moves.submit(conversation.desk, reply.account, reply.game, request)
    except Refusal as refusal:
        if refusal.code == "not_awaited" and not reply.lists_moves:
            raise refusals.Refused("not_awaited", say(NOTHING_WAITS)) from None
        raise


def _surcharge(conversation: Conversation, most: int) -> str | None:
    """Return the move that pays a surcharge of at most `most` cards; None if none is due."""
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
