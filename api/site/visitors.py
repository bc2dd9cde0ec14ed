"""Looks up who visits a page: a signed-in visitor, or a browser with a session for one seat."""

from flask import g

from api.http.app_state import app_state
from api.http.desk import desk
from api.http.problems import Problem
from api.http.request import current_request
from api.site.session_cookies import seat_cookie, session_cookie
from engine.translate import say
from service.i18n import catalogue
from service.links import seat_sessions
from service.links.seat_sessions import MoveStep, SeatVisit
from service.people import sessions
from service.people.sessions import Visitor

ENDED = {
    "stale": catalogue.sayable("This move has been made."),
    "late": catalogue.sayable("Your time here is up."),
    "void": catalogue.sayable("The email was reported as forwarded, so its links have ended."),
}
"""Why a session for one seat has ended, by its state."""


def visitor() -> Visitor | None:
    """Return the signed-in visitor, looked up once per request; None if nobody is signed in."""
    if "visitor" not in g:
        cookie = session_cookie()
        g.visitor = sessions.visitor_of(desk(), cookie) if cookie else None
        if g.visitor:
            app_state().limiter.count_token(current_request(), g.visitor.caller.token)
    signed_in: Visitor | None = g.visitor
    return signed_in


def seat_visit(game: str) -> SeatVisit | None:
    """Return the browser's session for one seat of a game, open or ended; None if there is none.

    While somebody is signed in, the browser's sessions for seats count for nothing.
    """
    if visitor() is not None:
        return None
    visits: dict[str, SeatVisit | None] = g.setdefault("seat_visits", {})
    if game not in visits:
        cookie = seat_cookie(game)
        visits[game] = visit = seat_sessions.visit_of(desk(), cookie, game) if cookie else None
        if visit:
            app_state().limiter.count_token(current_request(), visit.session.id)
    return visits[game]


def visitor_at(game: str) -> Visitor | None:
    """Return who may see this game as a player, move there and talk at the table.

    That is the signed-in visitor, or a browser with an open session for one seat of this game.
    Such a session gives no other rights: all other pages use `visitor`, which ignores it, and the
    API reads no cookies.
    """
    visit = seat_visit(game)
    return visit.visitor if visit and visit.is_open else visitor()


def player_at(game: str) -> Visitor:
    """Return who plays this game, in a view that requires a player."""
    signed_in = visitor_at(game)
    if signed_in is None:
        raise Problem("unauthenticated")
    return signed_in


def session_step(game: str) -> MoveStep | None:
    """Return what the transaction of a move has to do for a session for one seat, if there is one.

    It hands the session on to the seat's next decision, or refuses the move if it has ended.
    """
    visit = seat_visit(game)
    return seat_sessions.hand_on(visit.session) if visit else None


def game_in_url() -> str:
    """Return the game whose page or form is requested; empty on all other pages."""
    return str((current_request().view_args or {}).get("game", ""))


def member() -> Visitor:
    """Return the signed-in visitor, on a page that requires one."""
    signed_in = visitor()
    if signed_in is None:
        raise Problem("unauthenticated")
    return signed_in


def ended_sentence(visit: SeatVisit) -> str:
    """Say why a session for one seat has ended."""
    return say(ENDED.get(visit.stands, ENDED["stale"]))
