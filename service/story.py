"""The story of a game as one seat may know it: what a mail or a page shows, as plain data.

Everything comes from what the seat can see: its own view of the state, and events without what
is hidden from it. Nobody who renders a story has to hide anything.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Connection

from engine import (
    Board,
    Ruleset,
    State,
    default_for,
    options,
    question,
    shown,
    tell,
    waiting,
)
from engine.codec import read_event
from engine.links import best_links
from engine.names import called
from engine.notation import city_name, route_name
from engine.rules.routes import edge_of, edges_of
from engine.rules.technologies import catalogue
from engine.rules.tickets import wants
from engine.state import asked_of
from engine.tongue import say
from engine.values import CityId, Seat, TicketId
from engine.words import clean, listed
from pictures import Scene, built, goals, scene_of
from service import reading
from service.desk import Desk
from service.facts import Fact, Standing, hand_of, laid_out, standing_of
from service.positions import BEFORE, Position
from service.retelling import Hide, as_seen_by, open_to_all
from service.scores import Sheet, sheet_of
from service.words import sayable
from store import games
from store.games import Seated, StoredMove, Table

FOR_OTHERS = ("clock", "house")
"""Sources of moves that a seat has not made itself."""
STEPS_BACK = (8, 40, 160)
"""So far back is looked for a seat's last move, a little at first: mostly it is near."""
MOST_SENTENCES = 80


Told = tuple[StoredMove, Any]
"""A move as it is stored, and its record as plain data."""


class Choice(NamedTuple):
    """One option, as a mail lists it."""

    n: int
    text: str
    label: str


class Group(NamedTuple):
    """Options that are shown together, and played by one link."""

    name: str
    title: str
    options: tuple[Choice, ...]


class Asked(NamedTuple):
    """An open decision."""

    asked: int
    kind: str
    prompt: str
    since: str | None
    deadline: str | None
    groups: tuple[Group, ...]
    default: Choice
    """What is played if the time is over."""


class Happened(NamedTuple):
    """What happened up to now."""

    mine: tuple[str, ...]
    """What the seat's own last move brought."""
    since: tuple[str, ...]
    more: bool
    """Whether there was more than is told."""


class Holding(NamedTuple):
    """A ticket in hand."""

    id: TicketId
    name: str
    points: int
    done: bool


class Story(NamedTuple):
    """A game as one seat may know it."""

    game: str
    title: str
    board: Board
    status: str
    version: int
    head: str
    commitment: str
    seat: Seat
    name: str
    happened: Happened
    awaited: str
    """Who has to do what now, in a sentence; empty when the game is over."""
    hand: tuple[Fact, ...]
    tickets: tuple[Holding, ...]
    table: tuple[Fact, ...]
    standing: Standing
    asked: Asked | None
    sheet: Sheet | None
    """The score sheet, after the end."""
    scene: Scene
    """What a picture shows,"""
    fresh: tuple[str, ...]
    """what of it is new: routes and cities since the seat's last move,"""
    goals: Mapping[CityId, bool]
    """and where the seat's own tickets end."""


def of_account(desk: Desk, game: str, account: str) -> Story | None:
    """The story for whoever sits there with this account; None if nobody does, or none began."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
        seat = table.seat_of(account) if table else None
        if table is None or seat is None or table.started is None:
            return None
        return told(desk, tx, table, seat.number)


def told(desk: Desk, tx: Connection, table: Table, number: Seat) -> Story:
    """The story of a game that has begun, for one of its seats."""
    table, position = reading.settled(desk, tx, table, number)
    seat, names = table.seated[number], reading.names_of(table)
    view = desk.positions.view(tx, table, position, number)
    rules, seen = position.rules, shown(position.rules, view)
    ended = position.ended
    log, more = since(tx, table.id, position.version, number)
    tickets = holdings(rules, view, seen["seats"][number]["tickets"], number)
    return Story(
        table.id,
        table.title,
        rules.board,
        table.status,
        position.version,
        position.head.hex(),
        table.commitment,
        number,
        names[number],
        happened_to(log, table, position, number, more=more),
        awaited_now(rules, view, names),
        hand_of(rules, seen, number),
        tickets,
        laid_out(rules, seen),
        standing_of(names, seen, number),
        _asked(table, position, seat, view),
        sheet_of(rules, ended, names) if ended else None,
        scene_of(seen, names),
        fresh(log, number),
        goals(rules.board, {ticket.id: ticket.done for ticket in tickets}),
    )


def happened_to(
    log: Sequence[Told], table: Table, position: Position, seat: Seat, *, more: bool
) -> Happened:
    """What a seat's own last move brought, and what has happened since."""
    names = reading.names_of(table)
    hide = open_to_all if position.ended else as_seen_by(seat)
    mine: list[str] = []
    since: list[str] = []
    for move, body in log:
        said = list(sentences_of(position.rules, body, hide, names))
        if _is_own(move, body, seat):
            mine = said
        elif move.seat == seat:
            since += [
                say("Played for {name}: {sentence}", name=names[seat], sentence=sentence)
                for sentence in said
            ]
        else:
            since += said
    return Happened(
        tuple(mine), tuple(since[-MOST_SENTENCES:]), more or len(since) > MOST_SENTENCES
    )


def fresh(log: Sequence[Told], seat: Seat) -> tuple[str, ...]:
    """Where others have built since; what everybody sees anyway."""
    since = (body["events"] for move, body in log if not _is_own(move, body, seat))
    return built(read_event(event) for events in since for event in events)


def since(tx: Connection, game: str, version: int, seat: Seat) -> tuple[list[Told], bool]:
    """The log from the seat's own last move on, and whether it begins before that."""
    log: list[Told] = []
    last = version
    for step in STEPS_BACK:
        first = max(last - step + 1, 0)
        part = [
            (move, orjson.loads(move.record)) for move in games.moves_between(tx, game, first, last)
        ]
        for at in reversed(range(len(part))):
            if _is_own(*part[at], seat):
                return part[at:] + log, False
        log, last = part + log, first - 1
        if last <= BEFORE:
            return log, False
    return log, True


def _is_own(move: StoredMove, body: Mapping[str, Any], seat: Seat) -> bool:
    return move.seat == seat and body.get("source") not in FOR_OTHERS


def sentences_of(
    rules: Ruleset, body: Mapping[str, Any], hide: Hide, names: Sequence[str]
) -> Iterator[str]:
    """What one stored move caused, for somebody from whom this is hidden."""
    for event in map(read_event, body["events"]):
        if said := tell(rules, hide(event), names):
            yield clean(said)


def awaited_now(rules: Ruleset, view: State, names: Sequence[str]) -> str:
    """Who has to do what, in a sentence; empty when nobody has."""
    wanted = [
        say("{name} to {act}", name=names[asked.seat], act=waiting(rules, asked))
        for asked in view.awaiting
    ]
    return say("Awaited: {wanted}.", wanted=listed(wanted)) if wanted else ""


def holdings(rules: Ruleset, view: State, ids: Sequence[str], seat: Seat) -> tuple[Holding, ...]:
    """The seat's own tickets, and which of them its routes complete by now."""
    lent = [
        [edge_of(route) for route in some]
        for run in rules.all("lends")
        for some in run(rules, view, seat)
    ]
    best = best_links(edges_of(rules, view, seat), wants(rules, ids), lent)
    tickets = rules.board.tickets
    return tuple(
        Holding(
            id,
            "–".join(city_name(rules, end) for end in tickets[id].ends),
            tickets[id].points,
            id in best.completed,
        )
        for id in ids
    )


def _asked(table: Table, position: Position, seat: Seated, view: State) -> Asked | None:
    rules, asked = position.rules, asked_of(view.awaiting, seat.number)
    if table.status != "running" or seat.house or seat.asked is None or asked is None:
        return None
    listed = options(rules, view, seat.number)
    groups: dict[str, list[Choice]] = {}
    for n, option in enumerate(listed, 1):
        groups.setdefault(option.group, []).append(Choice(n, option.text, option.label))
    default = default_for(rules, view, seat.number)
    chosen = next(n for n, action in enumerate(listed.actions) if action == default)
    return Asked(
        seat.asked,
        asked.kind,
        question(rules, view, asked),
        seat.awaited_since,
        seat.deadline,
        tuple(Group(name, title_of(rules, name), tuple(some)) for name, some in groups.items()),
        Choice(chosen + 1, listed[chosen].text, listed[chosen].label),
    )


_TITLES = {
    "draw": sayable("Draw cards"),
    "tickets": sayable("Draw tickets"),
    "keep": sayable("Keep tickets"),
    "roll": sayable("Roll dice"),
    "end": sayable("End your turn"),
    "pass": sayable("Pass"),
    "tunnel": sayable("The tunnel"),
}


def title_of(rules: Ruleset, group: str) -> str:
    """A group's name for people."""
    if group in _TITLES:
        return say(_TITLES[group])
    verb, _, what = group.partition(" ")
    if verb == "claim":
        return say("Claim {route}", route=route_name(rules, what))
    if verb == "station":
        return say("Build a station in {city}", city=city_name(rules, what))
    if verb == "token":
        return say("Take a {kind} token", kind=called(what))
    if verb == "buy":
        bought = catalogue(rules).technologies[what.replace("-", "_")]
        return say("Buy {technology}", technology=bought.spoken)
    raise LookupError(f"the group {group} has no title")
