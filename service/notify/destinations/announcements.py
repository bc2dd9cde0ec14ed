"""What destinations are told: that something is asked and of whom, and never what is held.

Every text is made of what spectators see, also for destinations that only their owner reads: a
message may be shown on a locked screen, and passes through foreign servers. The link is that of
the game's page, which shows what its visitor may see; it signs nobody in.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

from engine.text import clean, listed, shortened
from engine.translate import say
from service.desk import Desk
from service.games import seat_names
from service.i18n import dates
from service.i18n.catalogue import speaking_to
from service.notify.destinations.message_types import TEST
from service.notify.notice_kinds import TURNS
from service.notify.outbox import Delivery
from store import timestamps
from store.database import Transaction
from store.games import games, messages
from store.games.games import Seated, Table

TITLE = "Nightmail"
LONGEST = 800
"""The most characters of a message; the service with the tightest limit allows 2000, escaped."""


class Line(NamedTuple):
    """What a message says of one event."""

    event: str
    """The same for every delivery about this event at a place."""
    delivery: str
    about: str
    """The title of the game."""
    text: str
    path: str


class Announcement(NamedTuple):
    """A message to a destination, as plain text."""

    id: str
    """The same in every attempt to send it."""
    lines: tuple[Line, ...]
    tag: str
    """The same for messages of which only the latest matters."""
    link: str
    link_label: str
    until: str | None = None
    """When it is void, if that is known."""

    @property
    def title(self) -> str:
        """What it is about: the title of the game, if it is about one."""
        titles = {line.about for line in self.lines}
        return titles.pop() if len(titles) == 1 else TITLE

    @property
    def body(self) -> str:
        """What it says, below its title."""
        is_one = len({line.about for line in self.lines}) == 1
        texts = [line.text if is_one else f"{line.about}: {line.text}" for line in self.lines]
        return shortened("\n".join(dict.fromkeys(texts)), LONGEST)

    @property
    def text(self) -> str:
        """What it says, with its title."""
        separator = "\n" if len(self.lines) > 1 else ": "
        return f"{self.title}{separator}{self.body}"

    def restricted_to(self, events: frozenset[str]) -> "Announcement":
        """Return the same message about these events only."""
        return self._replace(lines=tuple(line for line in self.lines if line.event in events))


class Context(NamedTuple):
    """What a line is written of."""

    desk: Desk
    tx: Transaction
    table: Table
    names: Sequence[str]
    delivery: Delivery
    is_shared: bool


def announcement(
    desk: Desk, deliveries: Sequence[Delivery], locale: str, *, is_shared: bool
) -> Announcement | None:
    """Return the message about these deliveries; None if there is nothing left to tell."""
    with speaking_to(locale), desk.database.reading() as tx:
        lines: dict[str, Line] = {}
        until: list[str] = []
        for delivery in deliveries:
            line, void = _line(desk, tx, delivery, is_shared=is_shared)
            if line is not None:
                lines.setdefault(line.event, line)
                until.append(void or "")
        if not lines:
            return None
        paths = {line.path for line in lines.values()}
        path = "/games" if len(paths) > 1 else next(iter(paths))
        label = say("Open the game") if path.startswith("/games/") else say("Open Nightmail")
        return Announcement(
            deliveries[0].id,
            tuple(lines.values()),
            _tag(path, deliveries[0].kind),
            f"{desk.settings.public_url}{path}",
            label,
            max(until) if all(until) else None,
        )


def _tag(path: str, kind: str) -> str:
    """Return the tag of a message: a new turn replaces an old one, and talk replaces talk."""
    return f"{path.rpartition('/')[2]} {'turn' if kind in TURNS else kind}"


def _line(
    desk: Desk, tx: Transaction, delivery: Delivery, *, is_shared: bool
) -> tuple[Line | None, str | None]:
    """Return what a message says of a delivery, and until when that matters."""
    if delivery.kind == TEST:
        works = say("This is a test: messages arrive here.")
        return Line(f"{TEST} {delivery.id}", delivery.id, TITLE, works, "/games"), None
    table = games.table(tx, delivery.game or "")
    own = table.seat_of(delivery.account) if table else None
    if table is None or own is None or own.resigned:
        return None, None
    names = [clean(name) for name in seat_names.names_of(table)]
    context = Context(desk, tx, table, names, delivery, is_shared)
    text = WRITERS[delivery.kind](context)
    if text is None:
        return None, None
    line = Line(_event(context), delivery.id, clean(table.title), text, f"/games/{table.id}")
    return line, _void(context)


def _event(context: Context) -> str:
    """Return the name of the event of a delivery.

    In a room it is one event that several players have to decide at the same time.
    """
    delivery = context.delivery
    words = [delivery.kind, delivery.game, delivery.version]
    is_for_all = delivery.kind in ("game_started", "game_finished", "message_posted")
    if not is_for_all and not (context.is_shared and delivery.kind == "decision_opened"):
        words.append(delivery.seat)
    return " ".join(map(str, words))


def _void(context: Context) -> str | None:
    seat = _open_seat(context)
    return seat.deadline if seat else None


def _open_seat(context: Context) -> Seated | None:
    """Return the seat whose decision is the subject, if that is still open."""
    delivery, table = context.delivery, context.table
    if delivery.seat is None or table.status != "running":
        return None
    seat = table.seated[delivery.seat]
    is_open = seat.awaited_since and seat.decision_version == delivery.version
    return seat if is_open and not (seat.house or seat.resigned) else None


def _opened(context: Context) -> str | None:
    seat = _open_seat(context)
    if seat is None:
        return None
    left = _time_left(context, seat.deadline)
    if not context.is_shared:
        return say("It is your move. {time} left.", time=left) if left else say("It is your move.")
    if _is_mid_turn(context):
        return None
    who = [
        context.names[other.number]
        for other in context.table.seated
        if other.awaited_since
        and other.decision_version == context.delivery.version
        and not (other.house or other.resigned)
    ]
    if len(who) > 1:
        return say("Waiting for the decisions of {names}.", names=listed(who))
    (name,) = who
    if left:
        return say("It is the move of {name}. {time} left.", name=name, time=left)
    return say("It is the move of {name}.", name=name)


def _is_mid_turn(context: Context) -> bool:
    """Return whether the seat itself made the move that opened its decision.

    A room is told when a turn begins, and not of each step of it.
    """
    delivery = context.delivery
    version = delivery.version or 0
    log = games.moves_between(context.tx, delivery.game or "", version, version)
    return any(move.seat == delivery.seat for move in log)


def _reminded(context: Context) -> str | None:
    seat = _open_seat(context)
    left = _time_left(context, seat.deadline) if seat else None
    if seat is None or left is None:
        return None
    if not context.is_shared:
        return say("Reminder: {time} left for your move.", time=left)
    name = context.names[seat.number]
    return say("Reminder: {time} left for the move of {name}.", time=left, name=name)


def _expired(context: Context) -> str | None:
    if not context.is_shared:
        return say("Your time was up, so the clock moved for you.")
    name = context.names[context.delivery.seat or 0]
    return say("The time of {name} was up, so the clock moved.", name=name)


def _started(context: Context) -> str | None:
    return say("The game has started: {names}.", names=listed(list(context.names)))


def _finished(_: Context) -> str | None:
    return say("The game is over.")


def _talked(context: Context) -> str | None:
    delivery = context.delivery
    rows = messages.several(context.tx, delivery.game or "", [delivery.version or 0])
    if not rows or rows[0].account == delivery.account:
        return None
    return say("{name} has written at the table.", name=clean(rows[0].name))


def _time_left(context: Context, deadline: str | None) -> str | None:
    """Return the time until a deadline in words; None if there is none, or it has passed."""
    if deadline is None:
        return None
    left = timestamps.read(deadline) - timestamps.read(context.desk.now())
    return dates.duration(left) if left > timedelta(minutes=1) else None


WRITERS: Mapping[str, Callable[[Context], str | None]] = {
    "decision_opened": _opened,
    "decision_reminder": _reminded,
    "decision_expired": _expired,
    "game_started": _started,
    "game_finished": _finished,
    "message_posted": _talked,
}
