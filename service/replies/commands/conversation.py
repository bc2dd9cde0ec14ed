"""What the commands of one reply share: who wrote it, about which game, and what it has done."""

from collections.abc import Sequence
from typing import NamedTuple

from service.desk import Desk


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
