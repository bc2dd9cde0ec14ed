"""The lines of a letter, carried out one after the other until one is refused.

Each line is a move of its own, with a key made of the letter's: whoever reads the same letter
again, after a crash or beside us, finds what was done and goes on from there.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine import Refusal, capped, text_of
from engine.errors import Unreadable
from engine.notation import plain
from engine.text import listed
from engine.translate import say
from service import refusals
from service.boards import atlas
from service.desk import Desk
from service.games import lobby, moves, seat_names, table_lookup
from service.games.move_requests import MoveRequest
from service.i18n.catalogue import sayable
from service.replies import absence_command
from service.replies.quoting import MOST
from store.games import games
from store.games.games import Table

HELP = sayable(
    "Write one thing a line, above the quotation: a move such as “draw” or “claim dieppe-paris "
    "with 2 purple”, the number of an option in the letter that you answer, “status”, “resign”, "
    "“absence 3 Jul - 10 Jul” or “help”. Reading stops at the first line that is refused."
)
ASK_AGAIN = sayable(
    "Resigning is for good: the house plays on for you. If you mean it, answer with the line "
    "“resign yes”."
)
OVER = sayable("The decision that this letter answers is over; the game has moved on since.")
NUMBERS = sayable(
    "A number stands for an option of the letter that you answer, so it can only be the first "
    "move of a reply. Write the move itself."
)
STATUS = {
    "open": sayable("The game is open."),
    "finished": sayable("The game is finished."),
    "abandoned": sayable("The game is abandoned."),
}
"""How a game stands that nobody is awaited in."""
ASKING = ("help", "status")
COMMANDS = (*ASKING, "resign", "absence")

_UP_TO = re.compile(r"pay up to ([0-9]{1,2}) or give up")


class Line(NamedTuple):
    """A line, and what came of it."""

    text: str
    result: str
    ok: bool
    move: bool = False
    """Whether it was played; then the result tells it as its own seat may know it."""


class Letter(NamedTuple):
    """Lines that somebody wrote about one decision."""

    account: str
    game: str
    asked: int
    """The version at which the decision was opened."""
    lines: Sequence[str]
    key: str
    """Tells this letter from all others, also when it is read again."""
    source: str = "mail"


class Carried(NamedTuple):
    """What came of a letter."""

    lines: list[Line]
    stale: bool
    """Whether a move came too late: for a decision that is over."""

    @property
    def changed(self) -> bool:
        """Whether any line has done something, beyond asking us."""
        return any(line.ok and _said(line.text) not in ASKING for line in self.lines)

    def has(self, command: str) -> bool:
        """Whether this was asked for."""
        return any(line.ok and _said(line.text) == command for line in self.lines)


def carry_out(desk: Desk, letter: Letter) -> Carried:
    """Do what a letter says, line by line, as far as it goes."""
    reader = _Reader(desk, letter)
    done: list[Line] = []
    for number, text in enumerate(letter.lines):
        try:
            if number >= MOST:
                raise Unreadable(say("Of a reply only {most} lines are read.", most=MOST))
            before = reader.moves
            result = reader.follow(number, text)
            done.append(Line(text, result, ok=True, move=reader.moves > before))
        except Refusal as refusal:
            if refusal.code == "rate_limited":
                raise  # nothing is wrong with it, and later it may go
            stale = refusal.code == "stale"
            done.append(Line(text, say(OVER) if stale else refusal.sentence, ok=False))
            return Carried(done, stale)
    return Carried(done, stale=False)


def is_meant_for_us(table: Table, lines: Sequence[str]) -> bool:
    """Whether the first line begins as something does that can be carried out."""
    rules = atlas.ruleset(table.board, table.variants, table.seats)
    first = _said(lines[0]).partition(" ")[0] if lines else ""
    return first.isdigit() or first in COMMANDS or first in rules.verbs()


def _said(text: str) -> str:
    """A line as it is compared; too long a one is nothing that we know."""
    try:
        return plain(text)
    except Unreadable:
        return ""


class _Reader:
    """Follows the lines, and knows which decision the next one answers."""

    def __init__(self, desk: Desk, letter: Letter) -> None:
        self.desk = desk
        self.letter = letter
        self.asked: int | None = letter.asked
        self.moves = 0

    def follow(self, number: int, text: str) -> str:
        """Do what a line says; what came of it, in a sentence."""
        said = plain(text)
        commands: dict[str, Callable[[], str]] = {
            "help": lambda: say(HELP),
            "status": self._status,
            "resign": self._ask_again,
            "resign yes": self._resign,
        }
        if said in commands:
            return commands[said]()
        if said.partition(" ")[0] == "absence":
            return absence_command.note(self.desk, self.letter.account, text)
        return self._move(number, text, said)

    def _move(self, number: int, text: str, said: str) -> str:
        if (most := _UP_TO.fullmatch(said)) is not None:
            chosen = self._surcharge(int(most[1]))
            if chosen is None:
                return say("No surcharge is asked for, so there is nothing to pay.")
            text = chosen
        elif self.moves and said.isdigit():
            raise Unreadable(say(NUMBERS))
        if self.asked is None:
            raise refusals.Refused(
                "not_awaited", say("After that nothing more is asked of you now.")
            )
        made = moves.submit(
            self.desk,
            self.letter.account,
            self.letter.game,
            MoveRequest(
                text,
                decision_version=self.asked,
                key=f"{self.letter.key}-{number}",
                source=self.letter.source,
            ),
        )
        self.moves += 1
        # What a move asks of its own seat was opened with the last move that followed from it.
        self.asked = made["version"] if made["decision"] else None
        return " ".join(event["sentence"] for event in made["events"])

    def _surcharge(self, most: int) -> str | None:
        """What ends a tunnel at this price; None if there is no tunnel to be paid."""
        with self.desk.database.reading() as tx:
            table = table_lookup.table_of(tx, self.letter.game, self.letter.account)
            if table.status != "running":
                return None
            table, position = table_lookup.settled(self.desk, tx, table)
        seat = table.seat_of(self.letter.account)
        if seat is None or seat.house:
            return None
        chosen = capped(position.rules, position.state, seat.number, most)
        return None if chosen is None else text_of(position.rules, chosen)

    def _status(self) -> str:
        with self.desk.database.reading() as tx:
            table = table_lookup.table_of(tx, self.letter.game, self.letter.account)
        names = seat_names.names_of(table)
        if table.status != "running":
            return say(STATUS[table.status])
        waits = [names[seat.number] for seat in table.seated if seat.awaited_since]
        return say(
            "The game is at version {version} and waits for {names}.",
            version=table.version,
            names=listed(waits),
        )

    def _ask_again(self) -> str:
        raise refusals.Refused("illegal", say(ASK_AGAIN))

    def _resign(self) -> str:
        with self.desk.database.reading() as tx:
            table = games.table(tx, self.letter.game)
        seat = table.seat_of(self.letter.account) if table else None
        if seat is None or not seat.resigned:  # read again, the letter has done it already
            lobby.leave(self.desk, self.letter.account, self.letter.game)
        self.asked = None
        return say("You have resigned; the house plays on for you.")
