"""What the page of a game shows, as plain data: the same things for a seat and for spectators.

Everything comes from what the reader may see: the view of the state with their eyes, and events
without what is hidden from them. Whoever renders it has nothing to hide.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from engine import (
    Board,
    GameEnded,
    Goal,
    Help,
    Option,
    Ruleset,
    State,
    log_seen_by,
    options,
    replay,
)
from engine.display import (
    Fact,
    built,
    help_for,
    highlights,
    seat_facts,
    table_facts,
    title_of,
    why_shut,
)
from engine.display import goals as goals_of
from engine.names import called
from engine.notation import city_name, route_name
from engine.state import decision_of
from engine.translate import say
from engine.values import FERRY, TUNNEL, Seat
from pictures import Scene, goals, of_seat, scene_of
from service.clocks import pace as paces
from service.desk import Desk
from service.games import decisions, reading, seat_names, table_lookup
from service.memory.positions import Position, events_of
from service.views import story
from service.views.facts import Standing, standing_of
from service.views.retelling import as_seen_by, open_to_all
from service.views.scores import Sheet, sheet_of
from service.views.story import Happened
from store.database import Transaction
from store.games import games
from store.games.games import Table

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
    help: tuple[Help, ...] = ()
    """What explains this group, beyond what explains its sort."""


class Sort(NamedTuple):
    """Groups in which the same sort of thing is done."""

    verb: str
    title: str
    groups: tuple[Group, ...]
    help: tuple[Help, ...] = ()
    """What explains all of them."""

    @property
    def is_on_board(self) -> bool:
        """Whether its groups are found on the board."""
        return any(group.place for group in self.groups)

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
    tickets: tuple[Goal, ...]
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
        return tag_of(table_lookup.table_of(tx, id, account))


def awaits_house(desk: Desk, id: str, account: str | None) -> bool:
    """Whether something is asked of the house in a game."""
    with desk.database.reading() as tx:
        seated = table_lookup.table_of(tx, id, account).seated
    return any(seat.house and seat.awaited_since for seat in seated)


def table(desk: Desk, id: str, account: str | None) -> tuple[Document, Seat | None]:
    """What a list of games says of a game that this account may know of, and whose eyes it has.

    Also the tag of its page, the `nonce` that this account has given, and whether it has a seat
    there (`sits`), even one that it has resigned.
    """
    with desk.database.reading() as tx:
        found = table_lookup.table_of(tx, id, account)
    mine = found.seat_of(account)
    document = reading.summary(found) | {
        "tag": tag_of(found),
        "sits": mine is not None,
        "nonce": mine.nonce if mine else "",
        "slow": paces.read(found.pace).is_slow,
    }
    return document, table_lookup.sight_of(found, account)


def page(
    desk: Desk, id: str, account: str | None, at: int | None = None, of: Seat | None = None
) -> GamePage:
    """The page of a game that has begun, now or at an earlier version.

    After the end the board shows the longest trail and the tickets of one seat.
    """
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
        table, position = table_lookup.settled(desk, tx, table)
        seat = table_lookup.sight_of(table, account)
        if at is None or at >= position.version:
            return _now(desk, tx, table, position, seat, of)
        return _then(tx, table, position, seat, max(at, 0))


def why_not(desk: Desk, id: str, account: str, route: str) -> str:
    """Why a seat that is asked cannot claim this route now; empty if it can, or is not asked."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
        seat = table_lookup.sight_of(table, account)
        if seat is None or table.status != "running":
            return ""
        table, position = table_lookup.settled(desk, tx, table)
        view = desk.positions.view(tx, table, position, seat)
    rules, asked = position.rules, decision_of(view.awaiting, seat)
    if asked is None or route not in rules.board.routes:
        return ""
    return why_shut(rules, view, asked, route)


def _now(
    desk: Desk,
    tx: Transaction,
    table: Table,
    position: Position,
    seat: Seat | None,
    of: Seat | None,
) -> GamePage:
    view = desk.positions.view(tx, table, position, seat)
    page = _shown(table, position, seat, view)
    ended, names = position.ended, seat_names.names_of(table)
    if seat is None:
        happened, last = _lately(tx, table, position)
    else:
        log, more = story.since(tx, table.id, position.version, seat)
        happened = story.happened_to(log, table, position, seat, more=more)
        last = story.fresh(position.rules, log, seat)
    return page._replace(
        at=position.version,
        happened=happened,
        asked=_asked(table, position, seat),
        sheet=sheet_of(position.rules, ended, names) if ended else None,
        marks=(
            _of_seat(position.rules, view, ended, _best(ended, seat, of))
            if ended
            else page.marks._replace(last=frozenset(last))
        ),
    )


def _then(
    tx: Transaction, table: Table, position: Position, seat: Seat | None, at: int
) -> GamePage:
    log = games.moves_between(tx, table.id, 0, at)
    events = [event for move in log for event in events_of(move)]
    over = position.ended is not None
    view = replay(position.rules, events if over else log_seen_by(events, seat))
    hide = open_to_all if over else as_seen_by(seat)
    names, body = seat_names.names_of(table), json.loads(log[-1].record)
    told = tuple(story.sentences_of(position.rules, body, hide, names))
    page = _shown(table, position, seat, view)
    marks = page.marks._replace(last=frozenset(built(position.rules, events_of(log[-1]))))
    return page._replace(at=at, happened=Happened((), told, more=False), marks=marks)


def _shown(table: Table, position: Position, seat: Seat | None, view: State) -> GamePage:
    """What of a page comes from a state alone."""
    rules, names = position.rules, seat_names.names_of(table)
    mine: tuple[Fact, ...] = ()
    found: tuple[Goal, ...] = ()
    if seat is not None:
        mine, found = seat_facts(rules, view, seat), goals_of(rules, view, seat)
    on_table = table_facts(rules, view)
    hand, market = _cards(mine), _cards(on_table)
    return GamePage(
        reading.summary(table),
        rules.board,
        seat,
        position.version,
        tag_of(table),
        tuple(of_seat(number).name for number in range(table.seats)),
        story.awaited_now(rules, view, names) if table.status == "running" else "",
        None if hand is None else {card: n for card, n in hand if card},
        None if market is None else [card for card, _ in market],
        tuple(goal for goal in found if not goal.offered),
        (*mine, *on_table),
        standing_of(rules, names, view, seat),
        Happened((), (), more=False),
        None,
        None,
        scene_of(rules, view, names),
        Marks(goals=goals(rules.board, {goal.id: goal.done for goal in found})),
    )


def _cards(facts: Sequence[Fact]) -> tuple[tuple[str | None, int], ...] | None:
    """The cards among facts, which are drawn; None if there are none."""
    return next((fact.cards for fact in facts if fact.cards is not None), None)


def _best(ended: GameEnded, me: Seat | None, of: Seat | None) -> Seat:
    """Whose trail is shown after the end: whose was asked for, mine, or a winner's."""
    if of is not None and of < len(ended.results):
        return of
    return ended.winners[0] if me is None else me


def _of_seat(rules: Ruleset, state: State, ended: GameEnded, seat: Seat) -> Marks:
    result = ended.results[seat]
    tickets = dict.fromkeys(result.completed, True) | dict.fromkeys(result.failed, False)
    return Marks(frozenset(highlights(rules, state, seat)), goals(rules.board, tickets), seat)


def _lately(tx: Transaction, table: Table, position: Position) -> tuple[Happened, tuple[str, ...]]:
    """What has happened lately, for somebody who has not moved, and where."""
    last, names = position.version, seat_names.names_of(table)
    hide = open_to_all if position.ended else as_seen_by(None)
    log = games.moves_between(tx, table.id, max(0, last - LATELY), last)
    told = [
        sentence
        for move in log
        for sentence in story.sentences_of(position.rules, json.loads(move.record), hide, names)
    ]
    lately = [event for move in log[-table.seats :] for event in events_of(move)]
    return Happened((), tuple(told), last > LATELY), built(position.rules, lately)


def _asked(table: Table, position: Position, seat: Seat | None) -> Asked | None:
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
        tuple(_sorts(position.rules, options(position.rules, position.state, seat))),
    )


def _sorts(rules: Ruleset, listed: Iterable[Option]) -> Iterator[Sort]:
    groups: dict[str, list[Way]] = {}
    for n, option in enumerate(listed, 1):
        groups.setdefault(option.group, []).append(_way(n, option))
    sorts: dict[str, list[Group]] = {}
    for name, ways in groups.items():
        sorts.setdefault(name.partition(" ")[0], []).append(_group(rules, name, ways))
    for verb, found in sorts.items():
        shared = help_for(rules, verb)
        own = (
            group._replace(help=tuple(text for text in group.help if text not in shared))
            for group in found
        )
        yield Sort(verb, title_of(rules, verb), tuple(own), shared)


def _group(rules: Ruleset, name: str, ways: Sequence[Way]) -> Group:
    what = name.partition(" ")[2]
    place = what if what in rules.board.routes or what in rules.board.cities else None
    title, detail = _title(rules, name, what), _detail(rules, what)
    return Group(name, title, detail, place, tuple(ways), help_for(rules, name))


def _title(rules: Ruleset, name: str, what: str) -> str:
    """A group's name for people; of a place, where the heading says what is done there."""
    if what in rules.board.routes:
        return route_name(rules, what)
    return city_name(rules, what) if what in rules.board.cities else title_of(rules, name)


def _detail(rules: Ruleset, what: str) -> str:
    """What a route costs; nothing for anything else."""
    route = rules.board.routes.get(what)
    if route is None:
        return ""
    said = f"{route.length} {called(route.colour)}"
    if route.kind == FERRY:
        return say("{route}, ferry", route=said)
    return say("{route}, tunnel", route=said) if route.kind == TUNNEL else said


def _way(n: int, option: Option) -> Way:
    return Way(n, option.text, option.label, option.reveals, option.card)
