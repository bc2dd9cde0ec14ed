"""The page of a game as plain data, for its players and for spectators.

Everything comes from what the reader may see: their view of the state, and events without what is
hidden from them. A template has nothing to hide.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine import (
    Board,
    Event,
    GameEnded,
    Goal,
    Ruleset,
    State,
    log_seen_by,
    replay,
)
from engine.display import (
    Fact,
    Uncovered,
    built,
    end_in_sight,
    seat_facts,
    table_facts,
    uncovered,
    why_shut,
)
from engine.display import goals as goals_of
from engine.notation import route_name
from engine.state import decision_of
from engine.values import Seat
from pictures import Scene, goals, scene_of
from service.clocks import paces
from service.desk import Desk
from service.games import notebooks, reading, seat_looks, seat_names, table_lookup, talk
from service.games.inviting import invitations
from service.games.notebooks import OwnNotebook
from service.games.ordering import giving
from service.games.seating import hosting, reservations, rotation
from service.memory.positions import Position, events_of
from service.views import story
from service.views.board_marks import Marks, final_marks
from service.views.facts import Standing, standing_of
from service.views.menu_sections import Item
from service.views.page_decision import OpenDecision, market_slots, open_decision
from service.views.retelling import as_seen_by, awaited_sentence, open_to_all
from service.views.scores import Sheet, sheet_of, verdict_for
from service.views.story import Happened
from service.views.ticket_cards import TicketCard, letters_by_city, letters_by_ticket, ticket_cards
from store.database import Transaction
from store.games import games
from store.games.games import Table

Document = dict[str, Any]

RECENT_MOVES = 24
"""Moves that the page describes to a spectator."""
RECENT_MESSAGES = 50
"""Messages of the table talk on a page."""


class GamePage(NamedTuple):
    """A game that has begun, as its page shows it."""

    game: Document
    """The game as lists of games show it."""
    board: Board
    me: Seat | None
    at: int
    """The version that is shown; the game may have moved on since."""
    tag: str
    colours: tuple[str, ...]
    awaited: str
    """A sentence about who is awaited; empty when the game is over."""
    hand: Mapping[str, int] | None
    market: Sequence[str | None] | None
    tickets: tuple[TicketCard, ...]
    """All tickets that the reader holds, or may choose now."""
    facts: tuple[Fact, ...]
    end: str
    """How near the end of the game is; empty if there is nothing to say."""
    standing: Standing
    happened: Happened
    decision: OpenDecision | None
    sheet: Sheet | None
    scene: Scene
    marks: Marks
    uncovered: Uncovered | None = None
    """What the last move has revealed for a route, such as the cards for a tunnel."""
    uncovered_for: str = ""
    """The name of that route."""

    @property
    def is_now(self) -> bool:
        """Whether the latest version is shown."""
        return bool(self.at == self.game["version"])

    @property
    def held(self) -> tuple[TicketCard, ...]:
        """The tickets that the reader has kept."""
        return tuple(card for card in self.tickets if not card.goal.offered)

    @property
    def letters(self) -> Mapping[str, str]:
        """The letter of each ticket, by its id."""
        return letters_by_ticket(self.tickets)

    @property
    def slots(self) -> list[tuple[str, Item | None]]:
        """The deck, whose card is "", and the open cards; each with the entry that takes it."""
        return market_slots(self.market or (), self.decision.items if self.decision else ())

    @property
    def draws(self) -> bool:
        """Whether the reader may now take a card from the market."""
        return self.decision is not None and any(
            item.entry.card is not None for item in self.decision.items
        )


class Visit(NamedTuple):
    """Everything that one view of a game's page shows."""

    table: Document
    """The table as `table` describes it."""
    me: Seat | None
    """The seat whose view of the game the reader gets; None for a spectator."""
    messages: list[Document]
    """The latest table talk, the oldest first."""
    guests: list[Document]
    """Who was invited, for those who sit at a table that is not full yet."""
    page: GamePage | None
    """None before the game begins."""
    notebook: OwnNotebook | None = None
    """The reader's notebook, on the current page of a game in which they have or had a seat."""
    orders: Document | None = None
    """The reader's own standing orders, as the API shows them."""


def tag_of(table: Table) -> str:
    """Return a text that changes with the page: by a move, a message, or a new player."""
    return f"{table.tag}-{table.last_message}-{len(table.seated)}"


def tag(desk: Desk, id: str, account: str | None, owner: str | None = None) -> str:
    """Return the tag of a game's page now; `owner` is the account that also sees its notebook."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
        version = notebooks.version(tx, id, owner) if owner and table.seat_of(owner) else 0
    return _with_notebook(tag_of(table), version)


def _with_notebook(tag: str, version: int) -> str:
    return f"{tag}-{version}" if version else tag


def awaits_house(desk: Desk, id: str, account: str | None) -> bool:
    """Return whether the house has an open decision in a game."""
    with desk.database.reading() as tx:
        seated = table_lookup.table_of(tx, id, account).seated
    return any(seat.house and seat.awaited_since for seat in seated)


def table(desk: Desk, id: str, account: str | None) -> Document:
    """Return a table as lists of games show it, and what its page says to this account.

    That is the page's `tag`, the `nonce` that the account has given, whether it has a seat
    (`sits`, also after it has resigned) and whether the game may take days (`slow`).
    """
    with desk.database.reading() as tx:
        return _table_document(table_lookup.table_of(tx, id, account), account)


def _table_document(table: Table, account: str | None) -> Document:
    seat = table.seat_of(account)
    return reading.summary(table) | {
        "tag": tag_of(table),
        "sits": seat is not None,
        "nonce": seat.nonce if seat else "",
        "slow": paces.read(table.pace).is_slow,
        "colours": seat_looks.free_colours(table),
        "hosts": account is not None and hosting.host_of(table) == account,
    }


def visit(
    desk: Desk,
    id: str,
    account: str | None,
    at: int | None = None,
    of: Seat | None = None,
    owner: str | None = None,
) -> Visit:
    """Return a game's page for this account, now or at version `at`; the table is loaded once.

    After the end the board shows the longest trail and the tickets of the seat `of`.
    `owner` is the account that also sees its notebook: nobody does in a session for one seat.
    """
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
        page, notebook = None, None
        if table.started is not None:
            table, page = _page(desk, tx, table, account, at, of)
            if owner and page.is_now and table.seat_of(owner) is not None:
                notebook = notebooks.of_table(desk, tx, table, owner)
                page = _with_sketch(page, notebook)
        is_waiting = table.started is None and table.seat_of(account) is not None
        document = _table_document(table, account)
        if not is_waiting:  # a player sees the reservations with the invitations
            reserved = reservations.as_seen(tx, [table], account, desk.now())
            document.update(reserved[table.id]._asdict())
        document["begins"] = rotation.first_name(tx, table)
        return Visit(
            document,
            table_lookup.sight_of(table, account),
            talk.latest(tx, table, RECENT_MESSAGES),
            invitations.of_table(desk, tx, table, account) if account and is_waiting else [],
            page,
            notebook,
            _orders(desk, tx, table, owner),
        )


def _orders(desk: Desk, tx: Transaction, table: Table, account: str | None) -> Document | None:
    """Return the reader's own orders while the game is running."""
    is_player = table_lookup.sight_of(table, account) is not None
    if account is None or table.status != "running" or not is_player:
        return None
    return giving.of_seat(desk, tx, table, account)


def _with_sketch(page: GamePage, notebook: OwnNotebook) -> GamePage:
    """Return the page of a notebook's owner: its tag changes with the notebook, too.

    The board shows the sketch as long as its owner plays.
    """
    page = page._replace(tag=_with_notebook(page.tag, notebook.notebook.version))
    if page.me is None or page.game["status"] != "running":
        return page
    return page._replace(marks=page.marks._replace(sketch=notebook.numbers))


def _page(
    desk: Desk,
    tx: Transaction,
    table: Table,
    account: str | None,
    at: int | None,
    of: Seat | None,
) -> tuple[Table, GamePage]:
    """Return the page of a game that has begun, and the table that it was made from."""
    table, position = table_lookup.settled(desk, tx, table)
    seat = table_lookup.sight_of(table, account)
    if at is None or at >= position.version:
        return table, _current(desk, tx, table, position, seat, of)
    return table, _earlier(tx, table, position, seat, max(at, 0))


def why_not(desk: Desk, id: str, account: str, route: str) -> str:
    """Return why the account cannot claim this route now; empty if it can, or is not awaited."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, id, account)
        seat = table_lookup.sight_of(table, account)
        if seat is None or table.status != "running":
            return ""
        table, position = table_lookup.settled(desk, tx, table)
        view = desk.positions.view(tx, table, position, seat)
    rules, decision = position.rules, decision_of(view.awaiting, seat)
    if decision is None or route not in rules.board.routes:
        return ""
    return why_shut(rules, view, decision, route)


def _current(
    desk: Desk,
    tx: Transaction,
    table: Table,
    position: Position,
    seat: Seat | None,
    of: Seat | None,
) -> GamePage:
    view = desk.positions.view(tx, table, position, seat)
    page = _from_state(table, position, seat, view)
    ended, names = position.ended, seat_names.names_of(table)
    if seat is None:
        happened, last, newest = _recently(tx, table, position)
    else:
        log, more = story.since(tx, table.id, position.version, seat)
        happened = story.happened_to(log, table, position, seat, more=more)
        last, newest = story.fresh(position.rules, log, seat), events_of(log[-1][0])
    turned = uncovered(position.rules, newest)
    decision = open_decision(table, position, seat, [card.goal for card in page.held])
    return page._replace(
        at=position.version,
        happened=happened,
        uncovered=turned,
        uncovered_for=route_name(position.rules, turned.place) if turned else "",
        decision=decision,
        sheet=_sheet(position.rules, ended, names, seat) if ended else None,
        marks=(
            final_marks(position.rules, view, ended, _seat_shown(ended, seat, of))
            if ended
            else page.marks._replace(
                last=frozenset(last) | ({turned.place} if turned else set()),
                can=decision.places if decision else frozenset(),
            )
        ),
    )


def _earlier(
    tx: Transaction, table: Table, position: Position, seat: Seat | None, at: int
) -> GamePage:
    log = games.moves_between(tx, table.id, 0, at)
    events = [event for move in log for event in events_of(move)]
    is_over = position.ended is not None
    view = replay(position.rules, events if is_over else log_seen_by(events, seat))
    hide = open_to_all if is_over else as_seen_by(seat)
    names, body = seat_names.names_of(table), json.loads(log[-1].record)
    sentences = tuple(story.sentences_of(position.rules, body, hide, names))
    page = _from_state(table, position, seat, view)
    marks = page.marks._replace(last=frozenset(built(position.rules, events_of(log[-1]))))
    return page._replace(at=at, happened=Happened((), sentences, more=False), marks=marks)


def _from_state(table: Table, position: Position, seat: Seat | None, view: State) -> GamePage:
    """Return the parts of a page that need the state only, and no log."""
    rules, names, looks = position.rules, seat_names.names_of(table), seat_looks.looks_of(table)
    own_facts: tuple[Fact, ...] = ()
    tickets: tuple[Goal, ...] = ()
    if seat is not None:
        own_facts, tickets = seat_facts(rules, view, seat), goals_of(rules, view, seat)
    on_table = table_facts(rules, view)
    hand, market = _cards(own_facts), _cards(on_table)
    cards = ticket_cards(rules.board, tickets)
    return GamePage(
        reading.summary(table),
        rules.board,
        seat,
        position.version,
        tag_of(table),
        tuple(look.name for look in looks),
        awaited_sentence(rules, view, names) if table.status == "running" else "",
        None if hand is None else {card: n for card, n in hand if card},
        None if market is None else [card for card, _ in market],
        cards,
        (*own_facts, *on_table),
        end_in_sight(rules, view, names, seat) if table.status == "running" else "",
        standing_of(rules, names, looks, view, seat),
        Happened((), (), more=False),
        None,
        None,
        scene_of(rules, view, names, looks),
        Marks(
            goals=goals(rules.board, {goal.id: goal.done for goal in tickets}),
            letters=letters_by_city(cards),
        ),
    )


def _cards(facts: Sequence[Fact]) -> tuple[tuple[str | None, int], ...] | None:
    """Return the cards of the first fact that has any; None if no fact has."""
    return next((fact.cards for fact in facts if fact.cards is not None), None)


def _sheet(rules: Ruleset, ended: GameEnded, names: Sequence[str], me: Seat | None) -> Sheet:
    sheet = sheet_of(rules, ended, names)
    return sheet if me is None else sheet._replace(verdict=verdict_for(ended, names, me))


def _seat_shown(ended: GameEnded, me: Seat | None, of: Seat | None) -> Seat:
    """Return whose trail is shown after the end: the seat `of`, the reader's, or a winner's."""
    if of is not None and of < len(ended.results):
        return of
    return ended.winners[0] if me is None else me


def _recently(
    tx: Transaction, table: Table, position: Position
) -> tuple[Happened, tuple[str, ...], Sequence[Event]]:
    """Return the latest moves in sentences, for a spectator, and where the last round has built.

    Last come the events of the newest move.
    """
    last, names = position.version, seat_names.names_of(table)
    hide = open_to_all if position.ended else as_seen_by(None)
    log = games.moves_between(tx, table.id, max(0, last - RECENT_MOVES), last)
    sentences = [
        sentence
        for move in log
        for sentence in story.sentences_of(position.rules, json.loads(move.record), hide, names)
    ]
    round_events = [event for move in log[-table.seats :] for event in events_of(move)]
    happened = Happened((), tuple(sentences), last > RECENT_MOVES)
    return happened, built(position.rules, round_events), events_of(log[-1])
