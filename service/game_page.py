"""What the page of a game shows, as plain data: the same things for a seat and for spectators.

Everything comes from what the reader may see: the view of the state with their eyes, and events
without what is hidden from them. Whoever renders it has nothing to hide.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import Connection

from engine import Board, Ruleset, State, log_seen_by, replay, shown
from engine.names import called
from engine.notation import city_name, route_name
from engine.options import actions_for
from engine.rules.routes import ClaimRoute, edges_of, why_unclaimable
from engine.rules.turns import GameEnded
from engine.state import asked_of
from engine.tongue import say
from engine.trails import longest_trail
from engine.values import Seat
from pictures import Scene, built, goals, of_seat, scene_of
from service import decisions, reading, story
from service.desk import Desk
from service.facts import Fact, Standing, hand_of, laid_out, standing_of
from service.positions import Position, events_of
from service.retelling import as_seen_by, open_to_all
from service.scores import Sheet, sheet_of
from service.story import Happened, Holding
from store import games
from store.games import Table

Document = dict[str, Any]

LATELY = 24
"""So many moves are told to somebody who has made none."""


class Way(NamedTuple):
    """One option."""

    n: int
    text: str
    label: str
    reveals: bool
    card: str | None
    """The card in the market that it takes; empty for one from the deck."""


class Group(NamedTuple):
    """Options that belong to one place on the board, or to one thing."""

    name: str
    title: str
    detail: str
    place: str | None
    """The route or city on the board by which they can be found."""
    ways: tuple[Way, ...]


class Sort(NamedTuple):
    """Groups in which the same sort of thing is done."""

    verb: str
    groups: tuple[Group, ...]

    @property
    def ways(self) -> list[Way]:
        return [way for group in self.groups for way in group.ways]


class Asked(NamedTuple):
    """The reader's open decision."""

    asked: int
    """The version at which it was opened, which names it."""
    kind: str
    prompt: str
    since: str | None
    deadline: str | None
    default: str
    sorts: tuple[Sort, ...]


class Marks(NamedTuple):
    """What is marked on the board."""

    last: frozenset[str] = frozenset()
    """Routes and cities of what was done last; after the end, of a seat's longest trail."""
    goals: Mapping[str, bool] = MappingProxyType({})
    """Cities in which tickets end, and whether all of those are completed."""
    seat: Seat | None = None
    """Whose trail and tickets they are, after the end."""


class GamePage(NamedTuple):
    """A game as its page shows it."""

    game: Document
    """What a list of games says of it."""
    board: Board
    me: Seat | None
    at: int
    """The version that is shown; the game may be farther."""
    tag: str
    colours: tuple[str, ...]
    awaited: str
    hand: Mapping[str, int] | None
    market: Sequence[str | None] | None
    deck: int | None
    tickets: tuple[Holding, ...]
    facts: tuple[Fact, ...]
    standing: Standing
    happened: Happened
    asked: Asked | None
    sheet: Sheet | None
    scene: Scene
    marks: Marks

    @property
    def is_now(self) -> bool:
        """Whether it shows the game as it stands."""
        return bool(self.at == self.game["version"])

    @property
    def draws(self) -> bool:
        """Whether the cards in the market are options now."""
        return self.asked is not None and any(
            way.card is not None for sort in self.asked.sorts for way in sort.ways
        )


def tag_of(table: Table) -> str:
    """Tells whether anything on the page has changed: a move, a coming or going, a word."""
    return f"{table.tag}-{table.said}-{len(table.seated)}"


def tag(desk: Desk, id: str, account: str | None) -> str:
    """The tag of a game's page now."""
    with desk.database.reading() as tx:
        return tag_of(reading.table_of(tx, id, account))


def awaits_house(desk: Desk, id: str, account: str | None) -> bool:
    """Whether something is asked of the house in a game."""
    with desk.database.reading() as tx:
        seated = reading.table_of(tx, id, account).seated
    return any(seat.house and seat.awaited_since for seat in seated)


def table(desk: Desk, id: str, account: str | None) -> tuple[Document, Seat | None]:
    """What a list of games says of a game that this account may know of, and where it sits."""
    with desk.database.reading() as tx:
        found = reading.table_of(tx, id, account)
    document = reading.summary(found) | {"tag": tag_of(found)}
    return document, reading.sight_of(found, account)


def page(
    desk: Desk, id: str, account: str | None, at: int | None = None, of: Seat | None = None
) -> GamePage:
    """The page of a game that has begun, now or at an earlier version.

    After the end the board shows the longest trail and the tickets of one seat.
    """
    with desk.database.reading() as tx:
        table = reading.table_of(tx, id, account)
        table, position = reading.settled(desk, tx, table)
        seat = reading.sight_of(table, account)
        if at is None or at >= position.version:
            return _now(desk, tx, table, position, seat, of)
        return _then(tx, table, position, seat, max(at, 0))


def why_not(desk: Desk, id: str, account: str, route: str) -> str:
    """Why a seat that is asked cannot claim this route now; empty if it can, or is not asked."""
    with desk.database.reading() as tx:
        table = reading.table_of(tx, id, account)
        seat = reading.sight_of(table, account)
        if seat is None or table.status != "running":
            return ""
        table, position = reading.settled(desk, tx, table)
        view = desk.positions.view(tx, table, position, seat)
    rules, asked = position.rules, asked_of(view.awaiting, seat)
    found = rules.board.routes.get(route)
    if asked is None or found is None:
        return ""
    offered = (one.route for one in actions_for(rules, view, asked) if isinstance(one, ClaimRoute))
    return "" if route in offered else why_unclaimable(rules, view, asked, found)


def _now(
    desk: Desk,
    tx: Connection,
    table: Table,
    position: Position,
    seat: Seat | None,
    of: Seat | None,
) -> GamePage:
    view = desk.positions.view(tx, table, position, seat)
    page = _shown(table, position, seat, view)
    ended, names = position.ended, reading.names_of(table)
    if seat is None:
        happened, last = _lately(tx, table, position)
    else:
        log, more = story.since(tx, table.id, position.version, seat)
        happened = story.happened_to(log, table, position, seat, more=more)
        last = story.fresh(log, seat)
    return page._replace(
        at=position.version,
        happened=happened,
        asked=_asked(table, position, seat, page.market or ()),
        sheet=sheet_of(position.rules, ended, names) if ended else None,
        marks=(
            _of_seat(position.rules, view, ended, _best(ended, seat, of))
            if ended
            else page.marks._replace(last=frozenset(last))
        ),
    )


def _then(tx: Connection, table: Table, position: Position, seat: Seat | None, at: int) -> GamePage:
    log = games.moves_between(tx, table.id, 0, at)
    events = [event for move in log for event in events_of(move)]
    over = position.ended is not None
    view = replay(position.rules, events if over else log_seen_by(events, seat))
    hide = open_to_all if over else as_seen_by(seat)
    names, body = reading.names_of(table), json.loads(log[-1].record)
    told = tuple(story.sentences_of(position.rules, body, hide, names))
    page = _shown(table, position, seat, view)
    marks = page.marks._replace(last=frozenset(built(events_of(log[-1]))))
    return page._replace(at=at, happened=Happened((), told, more=False), marks=marks)


def _shown(table: Table, position: Position, seat: Seat | None, view: State) -> GamePage:
    """What of a page comes from a state alone."""
    rules, seen, names = position.rules, shown(position.rules, view), reading.names_of(table)
    mine = None if seat is None else seen["seats"][seat]
    facts = laid_out(rules, seen)
    tickets: tuple[Holding, ...] = ()
    marks = Marks()
    if seat is not None and mine is not None:
        facts = (*hand_of(rules, seen, seat), *facts)
        tickets = story.holdings(rules, view, mine["tickets"], seat)
        held = {ticket.id: ticket.done for ticket in tickets}
        marks = Marks(goals=goals(rules.board, held | dict.fromkeys(mine["offered"], False)))
    return GamePage(
        reading.summary(table),
        rules.board,
        seat,
        position.version,
        tag_of(table),
        tuple(of_seat(number).name for number in range(table.seats)),
        story.awaited_now(rules, view, names) if table.status == "running" else "",
        mine.get("cards") if mine else None,
        seen.get("market"),
        seen.get("deck"),
        tickets,
        facts,
        standing_of(names, seen, seat),
        Happened((), (), more=False),
        None,
        None,
        scene_of(seen, names),
        marks,
    )


def _best(ended: GameEnded, me: Seat | None, of: Seat | None) -> Seat:
    """Whose trail is shown after the end: whose was asked for, mine, or a winner's."""
    if of is not None and of < len(ended.results):
        return of
    return ended.winners[0] if me is None else me


def _of_seat(rules: Ruleset, state: State, ended: GameEnded, seat: Seat) -> Marks:
    result = ended.results[seat]
    trail = longest_trail(edges_of(rules, state, seat))
    tickets = dict.fromkeys(result.completed, True) | dict.fromkeys(result.failed, False)
    return Marks(frozenset(trail.routes), goals(rules.board, tickets), seat)


def _lately(tx: Connection, table: Table, position: Position) -> tuple[Happened, tuple[str, ...]]:
    """What has happened lately, for somebody who has not moved, and where."""
    last, names = position.version, reading.names_of(table)
    hide = open_to_all if position.ended else as_seen_by(None)
    log = games.moves_between(tx, table.id, max(0, last - LATELY), last)
    told = [
        sentence
        for move in log
        for sentence in story.sentences_of(position.rules, json.loads(move.record), hide, names)
    ]
    lately = [event for move in log[-table.seats :] for event in events_of(move)]
    return Happened((), tuple(told), last > LATELY), built(lately)


def _asked(
    table: Table, position: Position, seat: Seat | None, market: Sequence[str | None]
) -> Asked | None:
    if seat is None or table.status != "running" or table.seated[seat].house:
        return None
    sits = table.seated[seat]
    if sits.asked is None:
        return None
    found = decisions.document(table, position, seat, sits.awaited_since, sits.deadline)
    if found is None:
        return None
    return Asked(
        sits.asked,
        found["kind"],
        found["prompt"],
        found["since"],
        found["deadline"],
        found["options"][found["default"] - 1]["label"],
        tuple(_sorts(position.rules, found["options"], market)),
    )


def _sorts(
    rules: Ruleset, options: Sequence[Document], market: Sequence[str | None]
) -> Iterator[Sort]:
    groups: dict[str, list[Document]] = {}
    for option in options:
        groups.setdefault(option["group"], []).append(option)
    sorts: dict[str, list[Group]] = {}
    for name, some in groups.items():
        verb, _, what = name.partition(" ")
        known = what if what in rules.board.routes or what in rules.board.cities else None
        title, detail = _title(rules, name, what), _detail(rules, what)
        ways = tuple(_way(option, market) for option in some)
        sorts.setdefault(verb, []).append(Group(name, title, detail, known, ways))
    for verb, found in sorts.items():
        yield Sort(verb, tuple(found))


def _title(rules: Ruleset, name: str, what: str) -> str:
    """A group's name for people; of a place, where the heading says what is done there."""
    if what in rules.board.routes:
        return route_name(rules, what)
    return city_name(rules, what) if what in rules.board.cities else story.title_of(rules, name)


def _detail(rules: Ruleset, what: str) -> str:
    """What a route costs; nothing for anything else."""
    route = rules.board.routes.get(what)
    if route is None:
        return ""
    said = f"{route.length} {called(route.colour)}"
    if route.kind == "ferry":
        return say("{route}, ferry", route=said)
    return say("{route}, tunnel", route=said) if route.kind == "tunnel" else said


def _way(option: Document, market: Sequence[str | None]) -> Way:
    action = option["action"]
    card = "" if action["type"] == "draw_blind" else None
    if action["type"] == "draw_face_up":
        card = market[action["slot"] - 1]
    return Way(option["n"], option["text"], option["label"], option["reveals"], card)
