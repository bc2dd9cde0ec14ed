"""The story of a game as one seat may know it: what a mail or a page shows, as plain data.

Everything comes from what the seat can see: its own view of the state, and events without what
is hidden from it. Nobody who renders a story has to hide anything.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from engine.notation import city_name, route_name
from engine.rules.routes import edge_of, edges_of
from engine.rules.technologies import catalogue
from engine.rules.tickets import wants
from engine.state import asked_of
from engine.values import CityId, Seat, TicketId
from engine.words import clean, count, listed, signed
from pictures import Scene, built, goals, of_seat, scene_of
from service import reading
from service.desk import Desk
from service.positions import BEFORE, Position
from service.retelling import Hide, as_seen_by, open_to_all
from service.scores import Sheet, sheet_of
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


class Fact(NamedTuple):
    label: str
    value: str


class Rank(NamedTuple):
    """One seat's line of the score table so far."""

    seat: Seat
    name: str
    colour: str
    me: bool
    cells: tuple[str, ...]


class Standing(NamedTuple):
    """The score table so far: what everybody may know."""

    columns: tuple[str, ...]
    rows: tuple[Rank, ...]


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
        standing_of(table, seen, number),
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
            since += [f"Played for {names[seat]}: {sentence}" for sentence in said]
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
    wanted = [f"{names[asked.seat]} to {waiting(rules, asked)}" for asked in view.awaiting]
    return f"Awaited: {listed(wanted)}." if wanted else ""


def hand_of(rules: Ruleset, seen: Mapping[str, Any], seat: Seat) -> tuple[Fact, ...]:
    """What a seat has before it."""
    mine = seen["seats"][seat]
    found = []
    if "cards" in mine:
        cards = listed([f"{n} {card}" for card, n in mine["cards"].items()]) or "none"
        total = count(sum(mine["cards"].values()), "card")
        found.append(Fact("Hand", f"{cards} ({total})"))
    if "tokens" in mine:
        tokens = [f"{n} {kind}" for kind, n in mine["tokens"].items() if n]
        found.append(Fact("Tokens", listed(tokens) or "none"))
    found.append(Fact("Trains", str(mine["trains"])))
    if "stations" in mine:
        built = listed([city_name(rules, id) for id in mine["stations"]])
        left = f"{mine['stations_left']} left"
        found.append(Fact("Stations", f"{left}; built in {built}" if built else left))
    if "technologies" in mine:
        found.append(Fact("Technologies", _technologies(rules, mine["technologies"]) or "none"))
    return tuple(found)


def _technologies(rules: Ruleset, ids: Sequence[str]) -> str:
    known = catalogue(rules).technologies
    return listed([known[id].name for id in ids])


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


def laid_out(rules: Ruleset, seen: Mapping[str, Any]) -> tuple[Fact, ...]:
    """What lies in the middle, for everybody to see."""
    found = []
    if "market" in seen:
        market = [f"{n} {card or 'nothing'}" for n, card in enumerate(seen["market"], 1)]
        found.append(Fact("Market", ", ".join(market)))
        discards = count(sum(seen["discards"].values()), "card")
        found.append(Fact("Deck", f"{count(seen['deck'], 'card')}, and {discards} discarded"))
    if seen.get("dice"):
        used = set(seen["dice_used"])
        dice = [
            f"{n} {face}{' (used)' if n in used else ''}" for n, face in enumerate(seen["dice"], 1)
        ]
        found.append(Fact("Dice", ", ".join(dice)))
    found.append(Fact("Tickets left", str(seen["tickets_left"])))
    if "technologies_left" in seen:
        left = {id: n for id, n in seen["technologies_left"].items() if n}
        known = catalogue(rules).technologies
        sale = ", ".join(f"{n} × {known[id].name}" for id, n in left.items())
        found.append(Fact("For sale", sale or "nothing"))
    if seen["turns_left"] is not None:
        found.append(Fact("Last round", f"{count(seen['turns_left'], 'turn')} still to begin"))
    return tuple(found)


_COLUMNS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "Points": ("route_points", signed),
    "Trains": ("trains", str),
    "Cards": ("cards", lambda cards: str(sum(cards.values()))),
    "Tokens": ("tokens", lambda tokens: str(sum(tokens.values()))),
    "Tickets": ("tickets", lambda ids: str(len(ids))),
    "Stations": ("stations_left", str),
    "Technologies": ("technologies", lambda ids: str(len(ids))),
}
"""Labels of the score table, where their values stand, and how they are written."""


def standing_of(table: Table, seen: Mapping[str, Any], me: Seat | None) -> Standing:
    """The score table so far."""
    names, first = reading.names_of(table), seen["seats"][0]
    columns = [label for label, (key, _) in _COLUMNS.items() if key in first]
    rows = []
    for seat, row in enumerate(seen["seats"]):
        cells = tuple(_COLUMNS[label][1](row[_COLUMNS[label][0]]) for label in columns)
        colour = of_seat(seat).name
        rows.append(Rank(seat, names[seat], colour, seat == me, cells))
    return Standing(tuple(columns), tuple(rows))


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
    "draw": "Draw cards",
    "tickets": "Draw tickets",
    "keep": "Keep tickets",
    "roll": "Roll dice",
    "end": "End your turn",
    "pass": "Pass",
    "tunnel": "The tunnel",
}


def title_of(rules: Ruleset, group: str) -> str:
    """A group's name for people."""
    if group in _TITLES:
        return _TITLES[group]
    verb, _, what = group.partition(" ")
    if what in rules.board.routes:
        what = route_name(rules, what)
    elif what in rules.board.cities:
        what = city_name(rules, what)
        verb = "build a station in" if verb == "station" else verb
    elif verb == "token":
        return f"Take a {what} token"
    return f"{verb.capitalize()} {what.replace('_', ' ')}".strip()
