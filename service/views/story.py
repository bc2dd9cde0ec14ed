"""A game from the point of view of one seat, as plain data for letters and link pages.

Everything comes from what the seat can see: its own view of the state, and events without what
is hidden from it. A letter or a page that shows a story has nothing to hide.
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
)
from engine.codec import read_action, read_event
from engine.display import Fact, built, help_for, seat_facts, table_facts, title_of
from engine.display import goals as goals_of
from engine.state import decision_of
from engine.text import clean
from engine.translate import say
from engine.values import CityId, Seat
from pictures import Scene, goals, scene_of
from service.desk import Desk
from service.games import seat_names, table_lookup
from service.memory.positions import BEFORE, Position
from service.views.facts import Standing, standing_of
from service.views.retelling import Hide, as_seen_by, awaited_sentence, open_to_all
from service.views.scores import Sheet, sheet_of
from store.database import Transaction
from store.games import games
from store.games.games import Seated, StoredMove, Table

FOR_OTHERS = ("clock", "house")
"""Sources of moves that were made for a player, not by the player."""
EARLY = 40
"""Up to this version letters explain what is new to a player."""
MOST_HELP = 3
"""Explanations in one letter."""
STEPS_BACK = (8, 40, 160)
"""How many moves are read at a time to find a seat's last one; mostly it is near."""
MOST_SENTENCES = 80
"""Sentences about the moves since a seat's last one."""

LoggedMove = tuple[StoredMove, Any]
"""A stored move, and its record as JSON."""


class Choice(NamedTuple):
    """One option, as a letter lists it."""

    n: int
    text: str
    label: str


class Group(NamedTuple):
    """Options that share a heading and a link."""

    name: str
    title: str
    options: tuple[Choice, ...]


class OpenDecision(NamedTuple):
    """A decision that a seat has to make now."""

    version: int
    """The version at which it was opened, which identifies it."""
    kind: str
    prompt: str
    since: str | None
    deadline: str | None
    groups: tuple[Group, ...]
    default: Choice
    """What is played when the time is up."""
    help: tuple[Help, ...] = ()
    """Explanations of options that are new to the seat, early in a game."""


class Happened(NamedTuple):
    """What has happened, in sentences."""

    mine: tuple[str, ...]
    """What the seat's own last move has caused."""
    since: tuple[str, ...]
    """What others have done since."""
    more: bool
    """Whether the beginning of `since` is left out."""


class Story(NamedTuple):
    """A game as one seat may see it."""

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
    """A sentence about who is awaited; empty when the game is over."""
    hand: tuple[Fact, ...]
    tickets: tuple[Goal, ...]
    table: tuple[Fact, ...]
    standing: Standing
    decision: OpenDecision | None
    sheet: Sheet | None
    """The score sheet, after the end."""
    scene: Scene
    """What the picture of the board shows."""
    fresh: tuple[str, ...]
    """Routes and cities in which others have built since the seat's last move."""
    goals: Mapping[CityId, bool]
    """Cities in which the seat's tickets end, and whether all tickets there are completed."""


def of_account(desk: Desk, game: str, account: str) -> Story | None:
    """The story for an account; None if it has no seat, or the game has not begun."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
        seat = table.seat_of(account) if table else None
        if table is None or seat is None or table.started is None:
            return None
        return for_seat(desk, tx, table, seat.number)


def for_seat(desk: Desk, tx: Transaction, table: Table, number: Seat) -> Story:
    """The story of a game that has begun, for one of its seats.

    A player who has resigned sees what spectators see.
    """
    table, position = table_lookup.settled(desk, tx, table, number)
    seat, names = table.seated[number], seat_names.names_of(table)
    sight = table_lookup.sight_of(table, seat.account)
    view = desk.positions.view(tx, table, position, sight)
    rules, ended = position.rules, position.ended
    log, more = since(tx, table.id, position.version, number)
    tickets = () if sight is None else holdings(rules, view, number)
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
        awaited_sentence(rules, view, names),
        () if sight is None else seat_facts(rules, view, number),
        tickets,
        table_facts(rules, view),
        standing_of(rules, names, view, number),
        _explained(tx, table, position, _open_decision(table, position, seat, view), number),
        sheet_of(rules, ended, names) if ended else None,
        scene_of(rules, view, names),
        fresh(rules, log, number),
        goals(rules.board, {ticket.id: ticket.done for ticket in tickets}),
    )


def happened_to(
    log: Sequence[LoggedMove], table: Table, position: Position, seat: Seat, *, more: bool
) -> Happened:
    """What a seat's own last move has caused, and what has happened since."""
    names = seat_names.names_of(table)
    sight = table_lookup.sight_of(table, table.seated[seat].account)
    hide = open_to_all if position.ended else as_seen_by(sight)
    mine: list[str] = []
    since: list[str] = []
    for move, body in log:
        sentences = list(sentences_of(position.rules, body, hide, names))
        if _is_own(move, body, seat):
            mine = sentences
        elif move.seat == seat:
            since += [
                say("Played for {name}: {sentence}", name=names[seat], sentence=sentence)
                for sentence in sentences
            ]
        else:
            since += sentences
    return Happened(
        tuple(mine), tuple(since[-MOST_SENTENCES:]), more or len(since) > MOST_SENTENCES
    )


def fresh(rules: Ruleset, log: Sequence[LoggedMove], seat: Seat) -> tuple[str, ...]:
    """Routes and cities in which others have built since the seat's last move."""
    since = (body["events"] for move, body in log if not _is_own(move, body, seat))
    return built(rules, (read_event(event) for events in since for event in events))


def since(tx: Transaction, game: str, version: int, seat: Seat) -> tuple[list[LoggedMove], bool]:
    """The log from the seat's own last move on, and whether that move was not found."""
    log: list[LoggedMove] = []
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
    """Whether the player at this seat has made the move."""
    return move.seat == seat and body.get("source") not in FOR_OTHERS


def sentences_of(
    rules: Ruleset, body: Mapping[str, Any], hide: Hide, names: Sequence[str]
) -> Iterator[str]:
    """The sentences of a stored move, without what `hide` takes out."""
    for event in map(read_event, body["events"]):
        if sentence := tell(rules, hide(event), names):
            yield clean(sentence)


def holdings(rules: Ruleset, view: State, seat: Seat) -> tuple[Goal, ...]:
    """The seat's own tickets, and which of them are completed."""
    return tuple(goal for goal in goals_of(rules, view, seat) if not goal.offered)


def _open_decision(
    table: Table, position: Position, seat: Seated, view: State
) -> OpenDecision | None:
    rules, decision = position.rules, decision_of(view.awaiting, seat.number)
    if table.status != "running" or seat.house or seat.decision_version is None or decision is None:
        return None
    listed = options(rules, view, seat.number)
    groups: dict[str, list[Choice]] = {}
    for n, option in enumerate(listed, 1):
        groups.setdefault(option.group, []).append(Choice(n, option.text, option.label))
    default = default_for(rules, view, seat.number)
    chosen = next(n for n, action in enumerate(listed.actions) if action == default)
    return OpenDecision(
        seat.decision_version,
        decision.kind,
        question(rules, view, decision),
        seat.awaited_since,
        seat.deadline,
        tuple(
            Group(name, title_of(rules, name), tuple(choices)) for name, choices in groups.items()
        ),
        Choice(chosen + 1, listed[chosen].text, listed[chosen].label),
    )


def _explained(
    tx: Transaction, table: Table, position: Position, decision: OpenDecision | None, seat: Seat
) -> OpenDecision | None:
    """The decision with explanations of what is new to the seat, early in a game."""
    if decision is None or position.version > EARLY:
        return decision
    rules = position.rules
    shared = {text for group in decision.groups for text in help_for(rules, group.name.split()[0])}
    offered = (text for group in decision.groups for text in help_for(rules, group.name))
    known = _known_help(tx, table, position, seat)
    new = dict.fromkeys(text for text in offered if text in shared and text.about not in known)
    return decision._replace(help=tuple(new)[:MOST_HELP])


def _known_help(tx: Transaction, table: Table, position: Position, seat: Seat) -> set[str]:
    """The subjects of help about moves that the seat has made before."""
    rules, known = position.rules, set()
    for move in games.moves_between(tx, table.id, 0, position.version):
        body = orjson.loads(move.record)
        if _is_own(move, body, seat) and body.get("action"):
            group = Option(rules, position.state, read_action(body["action"])).group
            known |= {text.about for text in help_for(rules, group)}
    return known
