"""Carries out the lines of a reply, one after the other, until one is refused.

Each line is a move of its own, with an idempotency key made from the reply's. A process that reads
the same reply again, after a crash or at the same time, finds what was done and goes on from there.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine import Refusal
from engine.errors import Unreadable
from engine.notation import ALL_OR_NONE, names_an_entry, plain
from engine.translate import say
from service.boards import atlas
from service.desk import Desk
from service.i18n.catalogue import sayable
from service.replies.commands import absence, move_lines, questions, rematching, resigning
from service.replies.commands.conversation import Conversation, Line, Reply
from service.replies.commands.line_forms import has_message, takes_something_back, tidied
from service.replies.quoting import MOST_LINES
from store.games.games import Table

COMMANDS: dict[str, Callable[[Conversation, Line], str]] = {
    "help": questions.show_help,
    "status": questions.show_status,
    "resign": resigning.resign,
    "absence": absence.record,
    "rematch": rematching.open_rematch,
}
"""The commands by their first word; any other line is a move."""
QUESTIONS = ("help", "status")
"""Commands that change nothing."""
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
    letter: str = ""
    """The letter of its game, in a reply about several games; `text` is what follows it."""
    stale: bool = False
    """Whether it was refused because its decision is over."""


class Outcome(NamedTuple):
    """What came of a reply."""

    lines: list[LineResult]
    stale: bool
    """Whether a move came too late, for a decision that is over."""
    unread: Sequence[str] = ()
    """The lines that were not read, because reading stopped before them."""

    @property
    def changed(self) -> bool:
        """Whether any line has changed something."""
        return any(line.ok and command_of(line.text) not in QUESTIONS for line in self.lines)

    def has(self, command: str) -> bool:
        """Whether this command was carried out."""
        return any(line.ok and command_of(line.text) == command for line in self.lines)


def carry_out(desk: Desk, reply: Reply) -> Outcome:
    """Carry out the lines of a reply until one is refused."""
    if (stopped := taken_back(reply.lines)) is not None:
        return stopped
    conversation = Conversation(desk, reply)
    results: list[LineResult] = []
    for number, text in enumerate(reply.lines):
        results.append(run_line(conversation, number, text))
        if not results[-1].ok:
            break
    unread = reply.lines[len(results) :]
    return Outcome(results, any(line.stale for line in results), unread)


def run_line(conversation: Conversation, number: int, text: str) -> LineResult:
    """Carry out one line of a reply; the result says why it was refused, if it was."""
    try:
        if number >= MOST_LINES:
            raise Unreadable(say("We read only {most} lines of a reply.", most=MOST_LINES))
        before = conversation.moves
        command = tidied(text)
        line = Line(number, command, plain(command))
        result = COMMANDS.get(line.command, move_lines.play)(conversation, line)
    except Refusal as refusal:
        if refusal.code == "rate_limited":
            raise  # the same line may work later
        if refusal.code == "stale":
            return LineResult(text, say(OVER), ok=False, stale=True)
        return LineResult(text, refusal.sentence, ok=False)
    return LineResult(text, result, ok=True, move=conversation.moves > before)


def taken_back(lines: Sequence[str]) -> Outcome | None:
    """Stop before the first line if a later one takes something back; None if none does."""
    for number, text in enumerate(lines):
        if has_message(text):
            break  # the lines below it are part of the message
        if number and takes_something_back(text) and command_of(text) not in COMMANDS:
            result = LineResult(text, say(TAKEN_BACK), ok=False)
            return Outcome([result], stale=False, unread=[*lines[:number], *lines[number + 1 :]])
    return None


def looks_like_commands(table: Table, lines: Sequence[str]) -> bool:
    """Whether the first line begins with a number, a command, or a verb of the board's moves."""
    rules = atlas.ruleset(table.board, table.variants, table.seats)
    words = _plain_line(lines[0]) if lines else ""
    is_verb = words.partition(" ")[0] in (*COMMANDS, *rules.verbs())
    return is_verb or names_an_entry(words) or words in ALL_OR_NONE


def command_of(text: str) -> str:
    """The first word of a line in plain form, which a colon may follow."""
    return _plain_line(text).partition(" ")[0].removesuffix(":")


def _plain_line(line: str) -> str:
    """A line in the form in which commands are compared; empty if it is too long."""
    try:
        return plain(tidied(line))
    except Unreadable:
        return ""
