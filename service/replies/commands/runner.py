"""Carries out the lines of a reply, one after the other, until one is refused.

Each line is a move of its own, with an idempotency key made from the reply's. A process that reads
the same reply again, after a crash or at the same time, finds what was done and goes on from there.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import NamedTuple

from engine import Refusal
from engine.errors import Unreadable
from engine.notation import ALL_OR_NONE, LONGEST, names_an_entry, plain
from engine.translate import say
from service.boards import atlas
from service.desk import Desk
from service.games import table_lookup
from service.i18n.catalogue import sayable
from service.replies.commands import (
    absence,
    inviting,
    mail_settings,
    move_lines,
    order_lines,
    questions,
    rematching,
    resigning,
    talking,
)
from service.replies.commands.conversation import Conversation, Line, Reply
from service.replies.commands.game_lines import split_lines
from service.replies.commands.line_forms import has_message, takes_something_back, tidied
from service.replies.quoting import MOST_LINES
from store.games.games import Table

COMMANDS: dict[str, Callable[[Conversation, Line], str]] = {
    "help": questions.show_help,
    "status": questions.show_status,
    "board": questions.show_board,
    "hand": questions.show_hand,
    "my": questions.show_own,
    "history": questions.show_history,
    "moves": questions.show_moves,
    "say": talking.post,
    "stop": mail_settings.stop,
    "start": mail_settings.start,
    "absence": absence.record,
    "invite": inviting.invite,
    "leave": resigning.leave,
    "resign": resigning.resign,
    "rematch": rematching.open_rematch,
    "orders": order_lines.command,
}
"""The commands by their first word; any other line is a move."""
UNLISTED = {"tickets": questions.show_tickets}
"""Moves that read like questions: only a reply to an email that lists moves can play them."""
IN_TALK = {*COMMANDS, *UNLISTED, "my tickets", "my hand", "history all"} - {"rematch"}
"""First lines that make a reply to table talk commands, if they are the whole line; any other
reply to table talk is a message. If one was meant as a message, its answer says what it did: most
only ask something, `stop` mutes mail about the game, and `start` switches mail on again."""
BROKEN_AT = 60
"""Mail programs break longer lines."""
BROKEN = sayable(
    "The line after “say …” is no command, so your mail program may have broken your message into "
    "several lines. Nothing was posted. Write “say” on a line of its own, and the message below it."
)
OVER = sayable(
    "The email you answered was about an earlier decision. The game has moved on since then."
)
TAKEN_BACK = sayable(
    "This line seems to take something back, so nothing in your email was carried out. Please "
    "write again, with only the lines that you mean."
)


class LineResult(NamedTuple):
    """A line of a reply, and what came of it."""

    text: str
    result: str
    ok: bool
    move: bool = False
    """Whether the line was a move; then the result tells it as its own seat may see it."""
    changed: bool = False
    """Whether it has changed anything."""
    plays: bool = False
    """Whether it was meant as a move, carried out or not."""
    shows: bool = False
    """Whether its answer is a part of the letter, such as the board."""
    letter: str = ""
    """The letter of its game, in a reply about several games; `text` is what follows it."""


class Outcome(NamedTuple):
    """What came of a reply."""

    lines: list[LineResult]
    shows: tuple[str, ...] = ()
    """The parts that the answer shows, such as the board."""
    unread: Sequence[str] = ()
    """The lines that were not read, because reading stopped before them."""

    @property
    def changed(self) -> bool:
        """Whether any line has changed something."""
        return any(line.changed for line in self.lines)

    @property
    def is_understood(self) -> bool:
        """Whether every line of the reply was read, and none was refused."""
        return bool(self.lines) and not self.unread and all(line.ok for line in self.lines)

    @property
    def needs_moves(self) -> bool:
        """Whether the answer lists the moves of the next decision: not after mere questions."""
        plays = any(line.plays for line in self.lines)
        return plays or "moves" in self.shows or not self.lines


def carry_out(desk: Desk, reply: Reply) -> Outcome:
    """Carry out the lines of a reply until one is refused."""
    conversation = Conversation(desk, reply)
    message = reply.message or reply.lines
    if reply.is_talk and message and not _is_only_command(message[0]):
        return _posted(conversation)
    if (stopped := taken_back(reply.lines)) is not None:
        return stopped
    results: list[LineResult] = []
    conversation.lines = split_lines(reply.lines, has_letters=False)
    conversation.is_command = is_command
    for line in conversation.lines:
        results.append(run_line(conversation, line.number, line.text))
        if not results[-1].ok:
            break
    unread = reply.lines[max(len(results), conversation.next_line) :]
    return Outcome(results, tuple(conversation.shows), unread)


def run_line(conversation: Conversation, number: int, text: str) -> LineResult:
    """Carry out one line of a reply; the result says why it was refused, if it was."""
    try:
        if number >= MOST_LINES:
            raise Unreadable(say("We read only {most} lines of a reply.", most=MOST_LINES))
        command = tidied(text)
        line = Line(number, command, plain(command[:LONGEST]))
        return _carry_out_line(conversation, line, text)
    except Refusal as refusal:
        if refusal.code == "rate_limited":
            raise  # the same line may work later
        sentence = say(OVER) if refusal.code == "stale" else refusal.sentence
        plays = command_of(text) not in COMMANDS and not conversation.reply.is_talk
        return LineResult(text, sentence, ok=False, plays=plays)


def _carry_out_line(conversation: Conversation, line: Line, text: str) -> LineResult:
    moves, changes, shown = conversation.moves, conversation.changes, len(conversation.shows)
    result = _command(conversation, line)(conversation, line)
    is_move = conversation.moves > moves
    return LineResult(
        "\n".join(conversation.read_as_one) or text,
        result,
        ok=True,
        move=is_move,
        changed=is_move or conversation.changes > changes,
        plays=is_move,
        shows=len(conversation.shows) > shown,
    )


def _command(conversation: Conversation, line: Line) -> Callable[[Conversation, Line], str]:
    """Return the command that a line names; a line that names none is a move."""
    reply = conversation.reply
    if not reply.lists_moves and line.words in UNLISTED:
        return UNLISTED[line.words]
    if reply.is_talk and line.command not in COMMANDS:
        raise Unreadable(say(talking.NO_MOVES))
    if line.command == "say" and _is_broken(conversation, line):
        raise Unreadable(say(BROKEN))
    return COMMANDS.get(line.command, move_lines.play)


def _is_broken(conversation: Conversation, line: Line) -> bool:
    """Return whether a message after `say` seems to go on in the next line, which is no command."""
    desk, reply = conversation.desk, conversation.reply
    rest = reply.lines[line.number + 1 :]
    if not line.arguments or len(line.text) < BROKEN_AT or not rest:
        return False
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, reply.game, reply.account)
    return not looks_like_commands(table, rest)


def _is_only_command(line: str) -> bool:
    """Return whether a line is nothing but a command; “Stop!” is rather said to somebody."""
    return line.strip().removesuffix(".").casefold() in IN_TALK


def lines_to_confirm(lines: Sequence[str], *, is_talk: bool) -> list[str]:
    """Return the lines of a reply as a link carries them out, if its sender is not certain.

    A message to the table gets a `say` above it. Of commands in reply to table talk, which plays no
    moves, the first line that is no command and all after it are left out.
    """
    if not is_talk or not lines:
        return list(lines)
    if not _is_only_command(lines[0]):
        return ["say", *lines]
    return list(takewhile(is_command, lines))


def is_command(line: str) -> bool:
    """Return whether a line is a command, and neither a move nor an order."""
    return command_of(line) in COMMANDS or _plain_line(line) in UNLISTED


def _posted(conversation: Conversation) -> Outcome:
    """Post a reply to table talk as one message."""
    text = "\n".join(conversation.reply.message or conversation.reply.lines)
    try:
        result = LineResult(text, talking.post_reply(conversation), ok=True, changed=True)
    except Refusal as refusal:
        if refusal.code == "rate_limited":
            raise  # it may work later
        result = LineResult(text, refusal.sentence, ok=False)
    return Outcome([result])


def taken_back(lines: Sequence[str], *, has_letters: bool = False) -> Outcome | None:
    """Stop before the first line if a later one takes something back; None if none does.

    `has_letters` says that lines begin with the letter of their game.
    """
    for line in split_lines(lines, has_letters=has_letters):
        text, number = lines[line.number], line.number
        if not number or has_message(line.text):
            continue
        if takes_something_back(text) or takes_something_back(line.text):
            result = LineResult(text, say(TAKEN_BACK), ok=False)
            return Outcome([result], unread=[*lines[:number], *lines[number + 1 :]])
    return None


def looks_like_commands(table: Table, lines: Sequence[str]) -> bool:
    """Return whether the first line begins with a number, a command, or the verb of a move."""
    rules = atlas.ruleset(table.board, table.variants, table.seats)
    words = _plain_line(lines[0]) if lines else ""
    is_verb = words.partition(" ")[0] in (*COMMANDS, *rules.verbs())
    return is_verb or names_an_entry(words) or words in ALL_OR_NONE


def command_of(text: str) -> str:
    """Return the first word of a line in plain form, which a colon may follow."""
    return _plain_line(text.partition("\n")[0]).partition(" ")[0].removesuffix(":")


def _plain_line(line: str) -> str:
    """Return a line in the form in which commands are compared; empty if it is too long."""
    try:
        return plain(tidied(line))
    except Unreadable:
        return ""
