"""Carries out the lines of a mail to the service address, until one is refused."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine import Refusal
from engine.errors import Unreadable
from engine.notation import plain
from engine.translate import say
from service.i18n.catalogue import sayable
from service.refusals import unreadable
from service.replies.commands.conversation import Line
from service.replies.commands.line_forms import tidied
from service.replies.commands.runner import taken_back
from service.replies.quoting import MOST_LINES
from service.replies.service_commands import people, tables
from service.replies.service_commands.writer import Answer, Writer

HELP = (
    sayable("sign on Ada – become a player, under the name Ada"),
    sayable("games – your games, and tables that wait for players"),
    sayable("open europe 3 – open a game for three on the board europe"),
    sayable("open usa 4 daily private easy – with a pace, hidden from others, and with a bot"),
    sayable("join CODE – take a seat at a table"),
    sayable("invite CODE ben@example.org – invite someone to your table, by address or by name"),
    sayable("leave CODE yes – leave a table that has not begun"),
    sayable("rematch – play your last game again with the same players"),
    sayable("absence 3 Jul - 10 Jul – you are away; deadlines wait for you"),
    sayable("digest daily – one email a day; also: merged, each turn, off"),
    sayable("zone Europe/Paris – the time zone of your emails"),
    sayable("language en – the language of your emails"),
)
"""The commands, each with what it does."""


class ServiceLine(NamedTuple):
    """A line of a mail, and what came of it."""

    text: str
    result: str
    ok: bool
    items: tuple[str, ...] = ()
    changed: bool = False
    """Whether it has changed anything."""


class ServiceOutcome(NamedTuple):
    """What came of a mail."""

    lines: list[ServiceLine]
    unread: Sequence[str] = ()
    """The lines that were not read, because reading stopped before them."""

    @property
    def is_understood(self) -> bool:
        """Whether there were lines, and all of them were carried out."""
        return bool(self.lines) and all(line.ok for line in self.lines)

    @property
    def changed(self) -> bool:
        """Whether any line has changed something."""
        return any(line.changed for line in self.lines)


def show_help(*_: object) -> Answer:
    """List the commands."""
    sentence = say("You can write one command per line to this address:")
    return Answer(sentence, tuple(map(say, HELP)), changed=False)


COMMANDS: dict[str, Callable[[Writer, Line], Answer]] = {
    "help": show_help,
    "sign": people.sign_on,
    "as": people.act_as,
    "games": tables.list_games,
    "open": tables.open_table,
    "join": tables.join,
    "invite": tables.invite,
    "leave": tables.leave,
    "rematch": tables.open_rematch,
    "absence": people.set_absence,
    "digest": people.set_mail,
    "zone": people.set_zone,
    "language": people.set_language,
}
"""The commands by their first word."""


def carry_out(writer: Writer, lines: Sequence[str]) -> ServiceOutcome:
    """Carry out lines until one is refused, and return what came of each."""
    if (stopped := taken_back(lines)) is not None:
        refused = [ServiceLine(line.text, line.result, ok=False) for line in stopped.lines]
        return ServiceOutcome(refused, stopped.unread)
    results: list[ServiceLine] = []
    for number, text in enumerate(lines[:MOST_LINES]):
        try:
            line = _read(number, text)
            command = COMMANDS.get(line.command)
            if command is None:
                raise unreadable(say("We do not know this command. “help” lists those we know."))
            answer = command(writer, line)
        except Refusal as refusal:
            if refusal.code == "rate_limited" and writer.account is not None:
                raise  # the same line may work later
            results.append(ServiceLine(text, refusal.sentence, ok=False))
            break
        result = ServiceLine(text, answer.sentence, ok=True, items=answer.items)
        results.append(result._replace(changed=answer.changed))
    return ServiceOutcome(results, lines[len(results) :])


def needs_no_proof(writer: Writer, lines: Sequence[str]) -> bool:
    """Return whether a mail only signs on or accepts an invitation to its sender.

    Signing on leads to a letter to the sender's address, and the code of an invitation was only in
    the letter to it, so it does not matter who has written the From header.
    """
    line = _first_line(lines)
    if line is None or len(lines) > 1:
        return False
    is_newcomer = writer.account is None and line.command == "sign"
    return is_newcomer or people.is_invited_by(writer, line)


def says_yes(lines: Sequence[str]) -> bool:
    """Return whether the first line is “yes”."""
    line = _first_line(lines)
    return line is not None and line.words == "yes"


def looks_like_commands(lines: Sequence[str]) -> bool:
    """Return whether the first line begins with a command."""
    line = _first_line(lines)
    return line is not None and line.command in COMMANDS


def _first_line(lines: Sequence[str]) -> Line | None:
    """Return the first line of a mail; None if there is none, or it is too long to be read."""
    try:
        return _read(0, lines[0]) if lines else None
    except Unreadable:
        return None


def _read(number: int, text: str) -> Line:
    """Return a line without the marks and polite words around it."""
    words = tidied(text)
    return Line(number, words, plain(words))
