"""Sessions for one seat: what “Open my turn” in a letter and accepting an invitation open.

Such a session lets a browser see one game with the eyes of one seat, play there and talk at the
table, and nothing else. It is for one decision, and lasts a day at most. A move that is made in
the session hands it on to the decision of the same seat that follows directly, such as the second
card of a turn. A decision that is made in any other way ends it.

A session that was opened by accepting an invitation is for the table until the game begins, and
then for the first decision of the seat.

Opening the page of the link changes nothing; a choice on it opens the session.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

from engine.state import decision_of
from engine.text import clean, shortened
from engine.translate import say
from service import refusals
from service.desk import Desk
from service.games.decided_moves import DecidedMove
from service.links import link_actions, link_state, signed_links
from service.links.link_state import Payload, Place
from service.memory.news import of_game
from service.people import tokens
from service.people.sessions import Visitor
from service.people.tokens import LONGEST_LABEL, Caller
from store import timestamps
from store.database import Transaction
from store.games import games
from store.people import accounts
from store.people import seat_sessions as session_rows
from store.people.seat_sessions import SeatSession
from store.people.signed_links import seat_links

Page = dict[str, Any]
MoveStep = Callable[[Transaction, DecidedMove], None]
"""Runs in the transaction that stores a move; what it raises undoes the move."""

LIFETIME = timedelta(days=1)
"""How long a session lasts at most; its link can open another one while its decision is open."""
MOST_SESSIONS = 20
"""Sessions for seats of one account; with the next one the oldest ends."""


class SeatVisit(NamedTuple):
    """A browser at a seat, with the state of its session."""

    visitor: Visitor
    """The player, without scopes and without the email address."""
    session: SeatSession
    stands: str
    """The state of the session: open, stale, late, void or gone."""
    title: str
    """The title of the game."""

    @property
    def is_open(self) -> bool:
        return self.stands == "open"


def turn_page(desk: Desk, payload: Payload) -> Page:
    """Show the page of a turn link, with what everybody at the table may know."""
    with desk.database.reading() as tx:
        place = link_state.place_of(tx, payload)
        stands = link_state.decision_state(desk, payload, place)
        if place is None or stands == "void":
            return {"stands": stands}
        page = link_actions.page_head(tx, place, stands)
        if stands != "open":
            return page | {"events": link_actions.events_since(desk, tx, payload, place, "stale")}
    return page | {"next": link_actions.next_decision(desk, payload)}


def open_session(desk: Desk, payload: Payload, browser: str) -> str | None:
    """Open a session with a turn link; the text of its cookie, or None if the link is not open."""
    minted = tokens.mint(desk, "", None)
    with desk.database.writing() as tx:
        place = link_state.place_of(tx, payload)
        if place is None:
            return None
        tokens.lock_account(tx, place.account)
        if link_state.decision_state(desk, payload, place) != "open":
            return None
        _make_room(tx, place.account)
        at = desk.now()
        session = SeatSession(
            id=minted.id,
            account=place.account,
            game=payload["game"],
            seat=payload["seat"],
            decision_version=payload["asked"],
            links=payload["links"],
            label=shortened(clean(browser), LONGEST_LABEL) or "?",
            created=at,
            expires=timestamps.later(at, LIFETIME),
        )
        session_rows.add(tx, session, minted.digest)
    return minted.text


def open_at_table(desk: Desk, game: str, account: str, browser: str) -> str | None:
    """Open a session for a seat that was just taken with an invitation; the text of its cookie.

    Before the game begins it is for the table, and then for the first decision of the seat. None
    if the seat has nothing to decide in a game that has begun.
    """
    minted = tokens.mint(desk, "", None)
    with desk.database.writing() as tx:
        tokens.lock_account(tx, account)
        table = games.table(tx, game)
        seat = table.seat_of(account) if table else None
        if table is None or seat is None:
            return None
        version = session_rows.BEFORE_THE_GAME if table.status == "open" else seat.decision_version
        if version is None:
            return None
        _make_room(tx, account)
        at = desk.now()
        session = SeatSession(
            id=minted.id,
            account=account,
            game=game,
            seat=seat.number,
            decision_version=version,
            links=seat.links,
            label=shortened(clean(browser), LONGEST_LABEL) or "?",
            created=at,
            expires=timestamps.later(at, LIFETIME),
        )
        session_rows.add(tx, session, minted.digest)
    return minted.text


def _make_room(tx: Transaction, account: str) -> None:
    """End the oldest sessions of an account, if there are too many."""
    existing = session_rows.of_account(tx, account)
    for oldest in existing[: max(0, len(existing) - MOST_SESSIONS + 1)]:
        session_rows.end(tx, account, oldest.id)


def visit_of(desk: Desk, cookie: str, game: str) -> SeatVisit | None:
    """Return the session for a seat of this game that a cookie names, even if it is not open."""
    digest = tokens.digest_of(cookie)
    if digest is None:
        return None
    with desk.database.reading() as tx:
        session = session_rows.by_hash(tx, digest)
        if session is None or session.game != game:
            return None
        return _visit(desk, tx, session)


def _visit(desk: Desk, tx: Transaction, session: SeatSession) -> SeatVisit | None:
    account = accounts.account(tx, session.account)
    if account is None:
        return None
    caller = Caller(account.id, session.id, frozenset(), session.expires)
    visitor = Visitor(
        caller, account.name, account.locale, account.time_zone, email=None, confirmed=False
    )
    # The fields of a link's payload, as `link_state` reads them.
    payload = {
        "game": session.game,
        "seat": session.seat,
        "asked": session.decision_version,
        "links": session.links,
        "until": session.expires,
    }
    place = link_state.place_of(tx, payload)
    if place is not None and place.account != session.account:
        place = None  # somebody else sits there now
    if session.decision_version == session_rows.BEFORE_THE_GAME:
        stands = _state_before_game(desk, payload, place)
    else:
        stands = link_state.decision_state(desk, payload, place)
    return SeatVisit(visitor, session, stands, place.table.title if place else "")


def _state_before_game(desk: Desk, payload: Payload, place: Place | None) -> str:
    """Return the state of a session that was opened before the game: open until the game begins."""
    if place is None:
        return "gone"
    if place.seat.links != payload["links"]:
        return "void"
    if signed_links.is_expired(desk, payload):
        return "late"
    return "open" if place.table.status == "open" else "stale"


def hand_on(session: SeatSession) -> MoveStep:
    """Hand a session on to the seat's next decision, in the transaction of a move made in it.

    The move is refused if the session has ended meanwhile, or is not for the decision it makes.
    """

    def step(tx: Transaction, decided: DecidedMove) -> None:
        links = seat_links(tx, session.game, session.seat)
        is_valid = links is not None and links.links == session.links
        is_its_decision = (
            session.decision_version == decided.table.seated[session.seat].decision_version
        )
        goes_on = decision_of(decided.after.state.awaiting, session.seat) is not None
        # If nothing follows, it stays with the decision that is closed now.
        next_decision = decided.after.version if goes_on else session.decision_version
        handed_on = session_rows.hand_on(tx, session.id, session.decision_version, next_decision)
        if not (is_valid and is_its_decision and handed_on):
            raise refusals.Refused("forbidden", say("Your session for this turn has ended."))

    return step


def end(desk: Desk, session: SeatSession) -> None:
    """End a session."""
    with desk.database.writing() as tx:
        session_rows.end(tx, session.account, session.id)
    desk.news.publish(of_game(session.game))


def list_open(desk: Desk, account: str) -> list[SeatVisit]:
    """List the open sessions for seats of an account, the oldest first."""
    with desk.database.reading() as tx:
        visits = [_visit(desk, tx, session) for session in session_rows.of_account(tx, account)]
    return [visit for visit in visits if visit is not None and visit.is_open]


def end_by_id(desk: Desk, account: str, id: str) -> None:
    """End a session of an account from another browser, if it has not ended already."""
    with desk.database.reading() as tx:
        sessions = [session for session in session_rows.of_account(tx, account) if session.id == id]
    for session in sessions:
        end(desk, session)


def tidy(desk: Desk) -> None:
    """Delete the sessions that have expired."""
    with desk.database.writing() as tx:
        session_rows.forget_expired(tx, desk.now())
