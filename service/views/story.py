"""A game from the point of view of one seat, as plain data for letters and link pages.

Everything comes from what the seat can see: its own view of the state, and events without what
is hidden from it. A letter or a page that shows a story has nothing to hide.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from engine import (
    Board,
    Event,
    Goal,
    Help,
    Option,
    Ruleset,
    State,
    TurnBegan,
    default_for,
    menu,
    question,
    tell,
)
from engine.codec import read_action, read_event
from engine.display import Fact, built, help_for, seat_facts, table_facts
from engine.display import goals as goals_of
from engine.state import decision_of
from engine.text import clean
from engine.translate import say
from engine.values import CityId, Seat
from pictures import Scene, goals, scene_of
from service.desk import Desk
from service.games import seat_looks, seat_names, table_lookup
from service.games.ordering import giving
from service.memory.positions import BEFORE, Position
from service.views.facts import Standing, standing_of
from service.views.menu_entries import NumberedEntry, entries_that_matter, numbered_entries
from service.views.rematch_links import rematch_path
from service.views.reply_examples import Example, examples, with_locomotives
from service.views.retelling import Hide, as_seen_by, awaited_sentence, open_to_all
from service.views.scores import Sheet, sheet_of
from store.database import Transaction
from store.games import games
from store.games.games import Seated, StoredMove, Table

FOR_OTHERS = ("clock", "house", "order")
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


class OpenDecision(NamedTuple):
    """A decision that a seat has to make now."""

    version: int
    """The version at which it was opened, which identifies it."""
    kind: str
    prompt: str
    since: str | None
    deadline: str | None
    entries: tuple[NumberedEntry, ...]
    """The whole menu."""
    shown: tuple[NumberedEntry, ...]
    """The entries that matter most, which letters show."""
    examples: tuple[Example, ...]
    """Answers by text that could be given now."""
    with_locomotives: str
    """An answer with more locomotives or jokers than it takes; empty if there is none."""
    default: str
    """What is played when the time is up, in words."""
    rolls: bool = False
    """Whether it is paid with dice, which have jokers and no locomotives."""
    help: tuple[Help, ...] = ()
    """Explanations of options that are new to the seat, early in a game."""


class Happened(NamedTuple):
    """What has happened, in sentences."""

    mine: tuple[str, ...]
    """What the moves of the seat's own last turn have caused."""
    since: tuple[str, ...]
    """What others have done since."""
    more: bool
    """Whether the beginning of `since` is left out."""
    headline: str = ""
    """What others have done last, if possible something that they built.

    It is told as spectators see it, because it is shown where others can read it.
    """

    @property
    def latest(self) -> str:
        """The last sentence."""
        return next(reversed(self.since or self.mine), "")


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
    rematch: str
    """The path of the form for a new game like this one."""
    orders: Mapping[str, Any] | None = None
    """The seat's standing orders, as the API shows them; None if there is no news of any."""


def of_account(desk: Desk, game: str, account: str) -> Story | None:
    """Return the story for an account; None if it has no seat, or the game has not begun."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
        seat = table.seat_of(account) if table else None
        if table is None or seat is None or table.started is None:
            return None
        return for_seat(desk, tx, table, seat.number)


def for_seat(desk: Desk, tx: Transaction, table: Table, number: Seat) -> Story:
    """Return the story of a game that has begun, for one of its seats.

    A player who has resigned sees what spectators see.
    """
    table, position = table_lookup.settled(desk, tx, table, number)
    seat, names = table.seated[number], seat_names.names_of(table)
    looks = seat_looks.looks_of(table)
    sight = table_lookup.sight_of(table, seat.account)
    view = desk.positions.view(tx, table, position, sight)
    rules, ended = position.rules, position.ended
    log, more = since(tx, table.id, position.version, number)
    tickets = () if sight is None else holdings(rules, view, number)
    decision = _open_decision(table, position, seat, view, tickets)
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
        standing_of(rules, names, looks, view, number),
        _explained(tx, table, position, decision, number),
        sheet_of(rules, ended, names) if ended else None,
        scene_of(rules, view, names, looks),
        fresh(rules, log, number),
        goals(rules.board, {ticket.id: ticket.done for ticket in tickets}),
        rematch_path(table, seat.account),
        None if sight is None else _orders(desk, tx, table, seat, log),
    )


def happened_to(
    log: Sequence[LoggedMove], table: Table, position: Position, seat: Seat, *, more: bool
) -> Happened:
    """Return what a seat's own last turn has caused, and what has happened since."""
    names = seat_names.names_of(table)
    sight = table_lookup.sight_of(table, table.seated[seat].account)
    hide = open_to_all if position.ended else as_seen_by(sight)
    own: list[str] = []
    since: list[str] = []
    for move, body in log:
        sentences = list(sentences_of(position.rules, body, hide, names))
        if _is_own(move, body, seat):
            own += sentences
        elif move.seat == seat:
            since += [_played_for(body, names[seat], sentence) for sentence in sentences]
        else:
            since += sentences
    return Happened(
        tuple(own),
        tuple(since[-MOST_SENTENCES:]),
        more or len(since) > MOST_SENTENCES,
        _headline(position.rules, log, names, seat),
    )


def _played_for(body: Mapping[str, Any], name: str, sentence: str) -> str:
    """Return a sentence about a move that was made for the reader."""
    if body.get("source") == "order":
        return say("Played for you by your orders: {sentence}", sentence=sentence)
    return say("Played for {name}: {sentence}", name=name, sentence=sentence)


def _orders(
    desk: Desk, tx: Transaction, table: Table, seat: Seated, log: Sequence[LoggedMove]
) -> Mapping[str, Any] | None:
    """Return the seat's orders, unless they ended before its player's last move."""
    shown = giving.of_seat(desk, tx, table, seat.account or "")
    if shown is None or shown["ended"] is None:
        return shown
    own = [body["at"] for move, body in log if _is_own(move, body, seat.number)]
    return None if own and own[-1] > shown["ended"] else shown


def _headline(rules: Ruleset, log: Sequence[LoggedMove], names: Sequence[str], seat: Seat) -> str:
    """Return what others have done last, if anything, as everybody may know it."""
    latest = ""
    for move, body in reversed(log):
        if move.seat is None or move.seat == seat:
            continue
        sentences = list(sentences_of(rules, body, as_seen_by(None), names))
        if sentences and built(rules, _events(body)):
            return sentences[0]
        latest = latest or next(reversed(sentences), "")
    return latest


def fresh(rules: Ruleset, log: Sequence[LoggedMove], seat: Seat) -> tuple[str, ...]:
    """Return routes and cities in which others have built since the seat's last move."""
    since = (_events(body) for move, body in log if not _is_own(move, body, seat))
    return built(rules, (event for events in since for event in events))


def _events(body: Mapping[str, Any]) -> Iterator[Event]:
    return map(read_event, body["events"])


def since(tx: Transaction, game: str, version: int, seat: Seat) -> tuple[list[LoggedMove], bool]:
    """Return the log from the seat's own last turn on, and whether that turn was not found."""
    log: list[LoggedMove] = []
    last, turn = version, None
    for step in STEPS_BACK:
        first = max(last - step + 1, 0)
        part = [
            (move, orjson.loads(move.record)) for move in games.moves_between(tx, game, first, last)
        ]
        log, last = part + log, first - 1
        turn = _last_turn(log, seat)
        if turn or last <= BEFORE:  # a turn at the very beginning may have begun before it
            break
    return log[turn or 0 :], turn is None and last > BEFORE


def _last_turn(log: Sequence[LoggedMove], seat: Seat) -> int | None:
    """Return where the last turn of this seat's player begins; None if there is none."""
    own = (at for at in reversed(range(len(log))) if _is_own(*log[at], seat))
    at = next(own, None)
    while at and _is_own(*log[at - 1], seat) and not _begins_turn(log[at - 1][1]):
        at -= 1
    return at


def _begins_turn(body: Mapping[str, Any]) -> bool:
    return any(isinstance(event, TurnBegan) for event in _events(body))


def _is_own(move: StoredMove, body: Mapping[str, Any], seat: Seat) -> bool:
    """Return whether the player at this seat has made the move."""
    return move.seat == seat and body.get("source") not in FOR_OTHERS


def sentences_of(
    rules: Ruleset, body: Mapping[str, Any], hide: Hide, names: Sequence[str]
) -> Iterator[str]:
    """Yield the sentences of a stored move, without what `hide` takes out."""
    for event in _events(body):
        if sentence := tell(rules, hide(event), names):
            yield clean(sentence)


def holdings(rules: Ruleset, view: State, seat: Seat) -> tuple[Goal, ...]:
    """Return the seat's own tickets, and which of them are completed."""
    return tuple(goal for goal in goals_of(rules, view, seat) if not goal.offered)


def _open_decision(
    table: Table, position: Position, seat: Seated, view: State, tickets: Sequence[Goal]
) -> OpenDecision | None:
    rules, decision = position.rules, decision_of(view.awaiting, seat.number)
    if table.status != "running" or seat.house or seat.decision_version is None or decision is None:
        return None
    entries = numbered_entries(rules.board, menu(rules, view, seat.number), tickets)
    shown = entries_that_matter(rules.board, entries)
    return OpenDecision(
        seat.decision_version,
        decision.kind,
        question(rules, view, decision),
        seat.awaited_since,
        seat.deadline,
        entries,
        shown,
        examples(rules, view, shown),
        with_locomotives(rules, shown),
        Option(rules, view, default_for(rules, view, seat.number)).label,
        rolls=rules.purse.rolls,
    )


def _explained(
    tx: Transaction, table: Table, position: Position, decision: OpenDecision | None, seat: Seat
) -> OpenDecision | None:
    """Return the decision with explanations of what is new to the seat, early in a game."""
    if decision is None or position.version > EARLY:
        return decision
    rules = position.rules
    groups = [f"{item.entry.group} {item.entry.about}".strip() for item in decision.entries]
    shared = {text for group in groups for text in help_for(rules, group.split()[0])}
    offered = (text for group in groups for text in help_for(rules, group))
    explained = _help_given(tx, table, position, seat)
    new = dict.fromkeys(text for text in offered if text in shared and text.about not in explained)
    return decision._replace(help=tuple(new)[:MOST_HELP])


def _help_given(tx: Transaction, table: Table, position: Position, seat: Seat) -> set[str]:
    """Return the subjects of help about moves that the seat has made before."""
    rules, explained = position.rules, set()
    for move in games.moves_between(tx, table.id, 0, position.version):
        body = orjson.loads(move.record)
        if _is_own(move, body, seat) and body.get("action"):
            group = Option(rules, position.state, read_action(body["action"])).group
            explained |= {text.about for text in help_for(rules, group)}
    return explained
