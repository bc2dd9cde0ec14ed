"""The story of a game as one seat may know it: what a mail or a page shows, as plain data.

Everything comes from what the seat can see: its own view of the state, and events without what
is hidden from it. Nobody who renders a story has to hide anything.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from engine import (
    Board,
    Goal,
    Help,
    Option,
    Ruleset,
    State,
    default_for,
    options,
    question,
    tell,
    waiting,
)
from engine.codec import read_action, read_event
from engine.display import Fact, built, help_for, seat_facts, table_facts, title_of
from engine.display import goals as goals_of
from engine.state import decision_of
from engine.text import clean, listed
from engine.translate import say
from engine.values import CityId, Seat
from pictures import Scene, goals, scene_of
from service.desk import Desk
from service.games import seat_names, table_lookup
from service.memory.positions import BEFORE, Position
from service.views.facts import Standing, standing_of
from service.views.retelling import Hide, as_seen_by, open_to_all
from service.views.scores import Sheet, sheet_of
from store.database import Transaction
from store.games import games
from store.games.games import Seated, StoredMove, Table

FOR_OTHERS = ("clock", "house")
"""Sources of moves that a seat has not made itself."""
EARLY = 40
"""So many moves of a game explain what is new to a seat; after that it has seen enough."""
MOST_HELP = 3
"""So much is explained in one letter."""
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
    help: tuple[Help, ...] = ()
    """What explains options of a sort that the seat has not chosen yet, early in a game."""


class Happened(NamedTuple):
    """What happened up to now."""

    mine: tuple[str, ...]
    """What the seat's own last move brought."""
    since: tuple[str, ...]
    more: bool
    """Whether there was more than is told."""


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
    tickets: tuple[Goal, ...]
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


def told(desk: Desk, tx: Transaction, table: Table, number: Seat) -> Story:
    """The story of a game that has begun, for one of its seats.

    To whoever has resigned it tells what spectators may know.
    """
    table, position = table_lookup.settled(desk, tx, table, number)
    seat, names = table.seated[number], seat_names.names_of(table)
    eyes = table_lookup.sight_of(table, seat.account)
    view = desk.positions.view(tx, table, position, eyes)
    rules, ended = position.rules, position.ended
    log, more = since(tx, table.id, position.version, number)
    tickets = () if eyes is None else holdings(rules, view, number)
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
        () if eyes is None else seat_facts(rules, view, number),
        tickets,
        table_facts(rules, view),
        standing_of(rules, names, view, number),
        _explained(tx, table, position, _asked(table, position, seat, view), number),
        sheet_of(rules, ended, names) if ended else None,
        scene_of(rules, view, names),
        fresh(rules, log, number),
        goals(rules.board, {ticket.id: ticket.done for ticket in tickets}),
    )


def happened_to(
    log: Sequence[Told], table: Table, position: Position, seat: Seat, *, more: bool
) -> Happened:
    """What a seat's own last move brought, and what has happened since."""
    names = seat_names.names_of(table)
    eyes = table_lookup.sight_of(table, table.seated[seat].account)
    hide = open_to_all if position.ended else as_seen_by(eyes)
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


def fresh(rules: Ruleset, log: Sequence[Told], seat: Seat) -> tuple[str, ...]:
    """Where others have built since; what everybody sees anyway."""
    since = (body["events"] for move, body in log if not _is_own(move, body, seat))
    return built(rules, (read_event(event) for events in since for event in events))


def since(tx: Transaction, game: str, version: int, seat: Seat) -> tuple[list[Told], bool]:
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


def holdings(rules: Ruleset, view: State, seat: Seat) -> tuple[Goal, ...]:
    """The seat's own tickets, and which of them its routes complete by now."""
    return tuple(goal for goal in goals_of(rules, view, seat) if not goal.offered)


def _asked(table: Table, position: Position, seat: Seated, view: State) -> Asked | None:
    rules, asked = position.rules, decision_of(view.awaiting, seat.number)
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


def _explained(
    tx: Transaction, table: Table, position: Position, asked: Asked | None, seat: Seat
) -> Asked | None:
    """The decision with help for what is new to the seat, as long as the game is young."""
    if asked is None or position.version > EARLY:
        return asked
    rules = position.rules
    shared = {text for group in asked.groups for text in help_for(rules, group.name.split()[0])}
    offered = (text for group in asked.groups for text in help_for(rules, group.name))
    known = _met(tx, table, position, seat)
    new = dict.fromkeys(text for text in offered if text in shared and text.about not in known)
    return asked._replace(help=tuple(new)[:MOST_HELP])


def _met(tx: Transaction, table: Table, position: Position, seat: Seat) -> set[str]:
    """What the seat's own moves so far were explained by."""
    rules, met = position.rules, set()
    for move in games.moves_between(tx, table.id, 0, position.version):
        body = orjson.loads(move.record)
        if _is_own(move, body, seat) and body.get("action"):
            group = Option(rules, position.state, read_action(body["action"])).group
            met |= {text.about for text in help_for(rules, group)}
    return met
