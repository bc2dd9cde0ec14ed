"""Standing orders in a reply: lines that are meant for later turns, and the command `orders`.

Lines are played while it is the player's turn. What follows after that is kept as orders, all of
it together, and so is a line that can only be an order, such as a wish. Either every line of the
orders is kept or none.
"""

from collections.abc import Iterator

from engine import Refusal, Ruleset
from engine.orders import Orders, Task, Terms, read_orders
from engine.text import listed
from engine.translate import say
from service.boards import atlas
from service.games import table_lookup
from service.games.ordering import giving
from service.games.ordering.giving import Document
from service.i18n.catalogue import sayable
from service.replies.commands.conversation import Conversation, Line
from service.replies.commands.line_forms import tidied
from store.games.orders import STOPPED, WAITING

AT_ONCE = "at once"
"""Words after `orders` that leave out the delay."""
OFF = ("off", "none", "cancel", "delete")
"""Words after `orders` that take them back."""
SHOWS = sayable(
    "The others may guess that you have orders, because your moves come without a delay."
)


def later(conversation: Conversation, line: Line) -> str | None:
    """Keep a line for later, with all that follow it; None if it is a move for now."""
    if line.number in conversation.ordered:
        return say("This is part of your orders for later.")
    is_turn_over = bool(conversation.moves) and conversation.decision_version is None
    if not is_turn_over and not _can_only_be_order(_rules(conversation), line.text):
        return None
    texts = dict(_lines_for_later(conversation, line))
    sentence = _give(conversation, line, "\n".join(texts.values()))
    conversation.ordered.update(texts)
    return sentence


def command(conversation: Conversation, line: Line) -> str:
    """Show the orders, take them back, or give new ones in one line."""
    words = line.raw_arguments.strip(" :")
    if not words:
        return _shown(conversation)
    reply = conversation.reply
    if line.arguments in OFF:
        giving.take_back(conversation.desk, reply.account, reply.game)
        conversation.changes += 1
        return say("Your orders are deleted. From now on you will be asked again.")
    if words.casefold().startswith(AT_ONCE):
        sentence = _give(conversation, line, words[len(AT_ONCE) :].strip(" :,"), at_once=True)
        return f"{sentence} {say(SHOWS)}"
    return _give(conversation, line, words)


def _give(conversation: Conversation, line: Line, text: str, *, at_once: bool = False) -> str:
    reply = conversation.reply
    given = giving.give(
        conversation.desk,
        reply.account,
        reply.game,
        text,
        at_once=at_once,
        revision=f"{reply.key}-{line.number}",
    )
    conversation.changes += 1
    conversation.decision_version = None
    return say(
        "Kept for later: {orders}. Nobody else can see that you have orders.",
        orders=given["text"],
    )


def _shown(conversation: Conversation) -> str:
    """Return the orders, and what was done of them."""
    reply = conversation.reply
    given = giving.shown(conversation.desk, reply.account, reply.game)
    if given is None:
        return say("You have no orders in this game. Write, for example: orders draw; draw; ask me")
    sentences = [say("Your orders: {orders}.", orders=given["text"]), _state(given)]
    if given["played"]:
        moves = listed([move["move"] for move in given["played"]])
        sentences.append(say("Played so far: {moves}.", moves=moves))
    return " ".join(sentences)


def _state(given: Document) -> str:
    if given["state"] == WAITING:
        done = sum(step["state"] == "done" for step in given["steps"])
        return say("{done} of {steps} steps are done.", done=done, steps=len(given["steps"]))
    if given["state"] == STOPPED:
        return say("They have stopped: {reason}", reason=given["reason"])
    return say("They have been carried out.")


def _rules(conversation: Conversation) -> Ruleset:
    reply = conversation.reply
    with conversation.desk.database.reading() as tx:
        table = table_lookup.table_of(tx, reply.game, reply.account)
    return atlas.ruleset(table.board, table.variants, table.seats)


def _can_only_be_order(rules: Ruleset, text: str) -> bool:
    """Return whether a line reads as orders and is more than a move of this moment."""
    try:
        orders = read_orders(rules, tidied(text))
    except Refusal:
        return False
    return not _is_move(orders)


def _is_move(orders: Orders) -> bool:
    step = orders.steps[0]
    task = step.tasks[0]
    plain = Task(task.wish, Terms(task.terms.paying))
    return len(orders.steps) == 1 and len(step.tasks) == 1 and not step.repeats and task == plain


def _lines_for_later(conversation: Conversation, line: Line) -> Iterator[tuple[int, str]]:
    """Yield this line and those after it, up to the next command, by their places."""
    for other in conversation.lines:
        if other.number >= line.number:
            if other.number > line.number and conversation.is_command(other.text):
                return
            yield other.number, tidied(other.text)
