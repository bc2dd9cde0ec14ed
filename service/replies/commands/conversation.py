"""What the commands of one reply share: who wrote it, about which game, and what it has done."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from service.desk import Desk
from service.replies.commands.game_lines import GameLine


class Reply(NamedTuple):
    """The lines that a player wrote in reply to a letter about a game."""

    account: str
    game: str
    decision_version: int | None
    """The version at which the decision was opened; None if the letter was about none."""
    lines: Sequence[str]
    key: str
    """Identifies the reply, also when it is read again; part of each line's idempotency key."""
    source: str = "mail"
    is_talk: bool = False
    """Whether it answers a letter about table talk; then it plays no moves."""
    message: Sequence[str] = ()
    """The lines with greetings and thanks, for a message to people; empty if there are none."""
    has_gaps: bool = False
    """Whether lines between those of the message, such as quotations, are not part of it."""

    @property
    def lists_moves(self) -> bool:
        """Whether the letter that it answers has numbered moves."""
        return self.decision_version is not None


class Line(NamedTuple):
    """A line of a reply."""

    number: int
    """Its place in the reply, from 0."""
    text: str
    """As it was written."""
    words: str
    """In the plain form in which commands are compared."""

    @property
    def command(self) -> str:
        """The first word, which a colon may follow."""
        return self.words.partition(" ")[0].removesuffix(":")

    @property
    def arguments(self) -> str:
        """Everything after the first word, in plain form."""
        return self.words.partition(" ")[2]

    @property
    def raw_arguments(self) -> str:
        """Everything after the first word, as it was written."""
        return self.text.strip().partition(" ")[2].strip()


class Conversation:
    """Carries the state from one line of a reply to the next."""

    def __init__(self, desk: Desk, reply: Reply) -> None:
        self.desk = desk
        self.reply = reply
        self.decision_version: int | None = reply.decision_version
        """The decision that the next move answers; None if there is none left."""
        self.moves = 0
        """How many moves were made."""
        self.changes = 0
        """How many commands have changed something, apart from moves."""
        self.shows: list[str] = []
        """The parts that the answer has to show, such as the board, in order and each once."""
        self.next_line = 0
        """The first line that is not read yet."""
        self.lines: Sequence[GameLine] = ()
        """All lines about this game, in order."""
        self.is_command: Callable[[str], bool] = bool
        """Tells whether a line is a command and no move."""
        self.ordered: set[int] = set()
        """The places of lines that are kept as orders for later turns."""
        self.read_as_one: list[str] = []
        """The lines that were read as one command, if they are several."""

    def show(self, part: str) -> None:
        """Have the answer show this part."""
        if part not in self.shows:
            self.shows.append(part)

    def lines_after(self, line: Line) -> list[str]:
        """Return all lines after this one as a message to people; none is read as a command."""
        lines, message = self.reply.lines, self.reply.message
        first, rest = lines[line.number], list(lines[line.number + 1 :])
        if first in message:
            rest = list(message[message.index(first) + 1 :])
        self.next_line = len(lines)
        self.read_as_one = [line.text, *rest]
        return rest
