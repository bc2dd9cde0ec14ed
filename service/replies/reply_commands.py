"""Carries out the lines of a reply, one after the other, until one is refused.

Each line is a move of its own, with an idempotency key made from the reply's. A process that reads
the same reply again, after a crash or at the same time, finds what was done and goes on from there.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine import Refusal, capped, text_of
from engine.errors import Unreadable
from engine.notation import ALL_OR_NONE, names_an_entry, plain
from engine.text import listed
from engine.translate import say
from service import refusals
from service.boards import atlas
from service.desk import Desk
from service.games import lobby, moves, seat_names, table_lookup
from service.games.move_requests import MoveRequest
from service.i18n.catalogue import sayable
from service.replies import absence_command
from service.replies.quoting import MOST_LINES
from store.games import games
from store.games.games import Table

HELP = sayable(
    "Write one command per line, above the quoted email: a move such as “draw” or “claim "
    "dieppe-paris with 1 purple”, the number of an option in the email you are answering, "
    "perhaps with what you pay (“12 with green”), "
    "“status”, “resign”, “absence 3 Jul - 10 Jul” or “help”. We stop at the first line that "
    "does not work."
)
ASK_AGAIN = sayable(
    "Resigning cannot be undone: the house plays on for you. If you are sure, reply with the "
    "line “resign yes”."
)
OVER = sayable(
    "The email you answered was about an earlier decision. The game has moved on since then."
)
NUMBERS = sayable(
    "A number stands for an option in the email you are answering, so it only works for the "
    "first move of a reply. Please write out the move instead."
)
STATUS = {
    "open": sayable("The game is open."),
    "finished": sayable("The game is finished."),
    "abandoned": sayable("The game is abandoned."),
}
"""The answer to “status” for a game that waits for nobody."""
QUESTIONS = ("help", "status")
"""Commands that change nothing."""
COMMANDS = (*QUESTIONS, "resign", "absence")

_PAY_UP_TO = re.compile(r"pay up to ([0-9]{1,2}) or give up")


class LineResult(NamedTuple):
    """A line of a reply, and what came of it."""

    text: str
    result: str
    ok: bool
    move: bool = False
    """Whether the line was a move; then the result tells it as its own seat may see it."""


class Reply(NamedTuple):
    """The lines that a player wrote in reply to a letter about a decision."""

    account: str
    game: str
    decision_version: int
    """The version at which the decision was opened."""
    lines: Sequence[str]
    key: str
    """Identifies the reply, also when it is read again; part of each line's idempotency key."""
    source: str = "mail"


class Outcome(NamedTuple):
    """What came of a reply."""

    lines: list[LineResult]
    stale: bool
    """Whether a move came too late, for a decision that is over."""

    @property
    def changed(self) -> bool:
        """Whether any line has changed something."""
        return any(line.ok and _plain_line(line.text) not in QUESTIONS for line in self.lines)

    def has(self, command: str) -> bool:
        """Whether this command was carried out."""
        return any(line.ok and _plain_line(line.text) == command for line in self.lines)


def carry_out(desk: Desk, reply: Reply) -> Outcome:
    """Carry out the lines of a reply until one is refused."""
    runner = _Runner(desk, reply)
    results: list[LineResult] = []
    for number, text in enumerate(reply.lines):
        try:
            if number >= MOST_LINES:
                raise Unreadable(say("We read only {most} lines of a reply.", most=MOST_LINES))
            before = runner.moves
            result = runner.run(number, text)
            results.append(LineResult(text, result, ok=True, move=runner.moves > before))
        except Refusal as refusal:
            if refusal.code == "rate_limited":
                raise  # the same line may work later
            stale = refusal.code == "stale"
            results.append(LineResult(text, say(OVER) if stale else refusal.sentence, ok=False))
            return Outcome(results, stale)
    return Outcome(results, stale=False)


def looks_like_commands(table: Table, lines: Sequence[str]) -> bool:
    """Whether the first line begins with a number, a command, or a verb of the board's moves."""
    rules = atlas.ruleset(table.board, table.variants, table.seats)
    line = _plain_line(lines[0]) if lines else ""
    first = line.partition(" ")[0]
    is_verb = first in COMMANDS or first in rules.verbs()
    return is_verb or names_an_entry(line) or line in ALL_OR_NONE


def _plain_line(line: str) -> str:
    """A line in the form in which commands are compared; empty if it is too long."""
    try:
        return plain(line)
    except Unreadable:
        return ""


class _Runner:
    """Carries out lines, and keeps track of the decision that the next one answers."""

    def __init__(self, desk: Desk, reply: Reply) -> None:
        self.desk = desk
        self.reply = reply
        self.decision_version: int | None = reply.decision_version
        self.moves = 0

    def run(self, number: int, text: str) -> str:
        """Carry out a line, and return a sentence that says what came of it."""
        command = plain(text)
        commands: dict[str, Callable[[], str]] = {
            "help": lambda: say(HELP),
            "status": self._status,
            "resign": self._confirm_resigning,
            "resign yes": self._resign,
        }
        if command in commands:
            return commands[command]()
        if command.partition(" ")[0] == "absence":
            return absence_command.record_absence(self.desk, self.reply.account, text)
        return self._move(number, text, command)

    def _move(self, number: int, text: str, command: str) -> str:
        if (most := _PAY_UP_TO.fullmatch(command)) is not None:
            chosen = self._surcharge(int(most[1]))
            if chosen is None:
                return say("There is no surcharge to pay.")
            text = chosen
        elif self.moves and names_an_entry(command):
            raise Unreadable(say(NUMBERS))
        if self.decision_version is None:
            raise refusals.Refused(
                "not_awaited", say("Your turn is over, so there is no decision left for you.")
            )
        receipt = moves.submit(
            self.desk,
            self.reply.account,
            self.reply.game,
            MoveRequest(
                text,
                decision_version=self.decision_version,
                key=f"{self.reply.key}-{number}",
                source=self.reply.source,
            ),
        )
        self.moves += 1
        # The next decision of the same seat was opened at the version after this move.
        self.decision_version = receipt["version"] if receipt["decision"] else None
        return " ".join(event["sentence"] for event in receipt["events"])

    def _surcharge(self, most: int) -> str | None:
        """The move that pays a tunnel's surcharge of at most `most` cards; None if none is due."""
        with self.desk.database.reading() as tx:
            table = table_lookup.table_of(tx, self.reply.game, self.reply.account)
            if table.status != "running":
                return None
            table, position = table_lookup.settled(self.desk, tx, table)
        seat = table.seat_of(self.reply.account)
        if seat is None or seat.house:
            return None
        chosen = capped(position.rules, position.state, seat.number, most)
        return None if chosen is None else text_of(position.rules, chosen)

    def _status(self) -> str:
        with self.desk.database.reading() as tx:
            table = table_lookup.table_of(tx, self.reply.game, self.reply.account)
        names = seat_names.names_of(table)
        if table.status != "running":
            return say(STATUS[table.status])
        waits = [names[seat.number] for seat in table.seated if seat.awaited_since]
        return say(
            "The game is at version {version} and is waiting for {names}.",
            version=table.version,
            names=listed(waits),
        )

    def _confirm_resigning(self) -> str:
        raise refusals.Refused("illegal", say(ASK_AGAIN))

    def _resign(self) -> str:
        with self.desk.database.reading() as tx:
            table = games.table(tx, self.reply.game)
        seat = table.seat_of(self.reply.account) if table else None
        if seat is None or not seat.resigned:  # the reply may be read a second time
            lobby.leave(self.desk, self.reply.account, self.reply.game)
        self.decision_version = None
        return say("You have resigned. The house plays on for you.")
