"""The page of a game: the table before it begins, the board while it runs, the result after."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import orjson
from flask import Response, url_for

from api.http import headers
from api.http.app_state import app_state
from api.http.desk import desk
from api.http.forms import current_form
from api.http.long_polls import Stream, Wait
from api.http.request import current_request
from api.site.address import check_address, keep_address
from api.site.boards import drawn
from api.site.form_errors import form_error
from api.site.move_form import MoveForm, move_form
from api.site.session_cookies import clear_seat_cookie
from api.site.tables import invite_all, new_seat
from api.site.visit import (
    Pages,
    members_only,
    page,
    players_only,
    see_other,
    sign_in_url,
    with_status,
)
from api.site.visitors import (
    ended_sentence,
    member,
    player_at,
    seat_visit,
    session_step,
    visitor,
    visitor_at,
)
from engine import Refusal, translate
from service.games import lobby, moves, notebooks, reading, talk
from service.games.ordering import giving
from service.links import seat_sessions
from service.memory.news import of_account, of_game
from service.notify import hook_payloads
from service.notify.hook_payloads import Fault
from service.views import game_page, stale_page
from service.views.game_page import GamePage
from service.views.whole_log import whole_log

MOST_FOLLOWED = 100
"""Games that the tabs of a browser may follow on one stream."""
BEAT = b"event: beat\ndata: {}\n\n"
"""Tells the script that the connection is alive: it cannot see a comment."""
PATIENCE = 1.0
"""Seconds that a page waits for the house after a move."""

FORMS = {("play.invite", "unreadable"): "guests", ("play.join", "unreadable"): "email"}
"""Forms that show certain refusals themselves: the name of the form, which is also its field."""

blueprint = Pages("play", __name__)


def _owner() -> str | None:
    """Return whose notebook is shown: the signed-in visitor's, never that of a seat session."""
    signed_in = visitor()
    return signed_in.account if signed_in else None


def _reader(game: str) -> str | None:
    signed_in = visitor_at(game)
    return signed_in.account if signed_in else None


@blueprint.route("/games/<id:game>")
def show(game: str) -> Response:
    """Show a game as the visitor may see it, now or at an earlier version."""
    return _shown(game, at=_number("at"), of=_number("of"))


def _number(name: str) -> int | None:
    value = current_request().args.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 7 else None


def _shown(
    game: str,
    problem: Refusal | None = None,
    at: int | None = None,
    of: int | None = None,
    typed: Mapping[str, str] = MappingProxyType({}),
    kept: MoveForm | None = None,
) -> Response:
    """Render the page of a game, with a refusal and the refused choice or texts if there are."""
    visit = game_page.visit(desk(), game, _reader(game), at, of, _owner())
    table, shown_page = visit.table, visit.page
    sentence = problem.sentence if problem else None
    if shown_page is None:
        shown: dict[str, Any] = {"game": table, "me": visit.me, "guests": visit.guests}
        shown |= {"nonce": table["nonce"], "talk": visit.messages, "draft": typed.get("text", "")}
        shown |= {"here": _seat_here(game), "strengths": lobby.STRENGTHS}
        if problem and (part := FORMS.get((current_request().endpoint or "", problem.code))):
            shown["form_error"], sentence = form_error(part, problem, current_form(), part), None
        response = page("table", **shown, problem=sentence)
        return _answered(response, table["visibility"], problem)
    response = page(
        "game",
        page=shown_page,
        game=shown_page.game,
        me=visit.me,
        sits=table["sits"],
        nonce=table["nonce"],
        picture=drawn(shown_page.board, shown_page.scene, shown_page.marks),
        talk=visit.messages,
        draft=typed.get("text", ""),
        notebook=visit.notebook,
        has_notebook=table["sits"] and _owner() is not None,
        typed_notes=typed.get("notes"),
        most_notes=notebooks.MOST_NOTES,
        view=_view(typed),
        kept=kept.chosen if kept and kept.is_about(shown_page.decision) else None,
        problem=sentence,
        here=_seat_here(game),
        orders=visit.orders,
        hook_fault=_hook_fault(shown_page),
        ordering=typed.get("orders", ""),
    )
    return _answered(response, table["visibility"], problem)


def _view(typed: Mapping[str, str]) -> str:
    """Return the part of the page that small screens show first: that of a refused form."""
    if "orders" in typed:
        return "log"
    return "notebook" if "notes" in typed else current_request().args.get("view", "")


def _hook_fault(shown: GamePage) -> Fault | None:
    """Return why a webhook of the visitor has not answered the decision on the page."""
    owner, decision = visitor(), shown.decision
    if owner is None or not owner.has_hooks or decision is None or not shown.is_now:
        return None
    since = decision.since or ""
    return hook_payloads.fault(desk(), owner.account, shown.game["id"], decision.version, since)


def shown_again(game: str, problem: Refusal, typed: Mapping[str, str]) -> Response:
    """Render the page of a game with the refusal of a form on it, and what was typed."""
    return _shown(game, problem, typed=typed)


def _seat_here(game: str) -> dict[str, Any] | None:
    """Return what the page says about a session for one seat; None if there is none."""
    visit = seat_visit(game)
    if visit is None:
        return None
    ended = None if visit.is_open else ended_sentence(visit)
    return {"name": visit.visitor.name, "ended": ended, "way_in": sign_in_url()}


def _answered(response: Response, visibility: str, problem: Refusal | None) -> Response:
    """Keep games that are not public out of search engines."""
    if visibility != "public":
        response.headers["X-Robots-Tag"] = headers.SECRET["X-Robots-Tag"]
    return with_status(response, problem) if problem else response


def _back(game: str) -> Response:
    return see_other(url_for("play.show", game=game))


@blueprint.route("/games/<id:game>/move", methods=["POST"])
@players_only
def move(game: str) -> Response:
    """Play what was chosen; a form that is sent twice makes one move."""
    form = move_form(current_form())
    if form.request is None:
        unchosen = translate.say("Please choose an option first. Nothing has been played.")
        return _shown(game, Refusal("unreadable", unchosen), kept=form)
    # The key names the version that the page showed, so that a page makes one move at most.
    request = form.request._replace(
        decision_version=int(form.decision_version),
        key=f"page-{form.page_version}",
        source="page",
        also=session_step(game),
    )
    account = player_at(game).account
    try:
        receipt = moves.submit(desk(), account, game, request)
    except Refusal as refusal:
        return _shown(game, _explained(refusal, game, int(form.page_version)), kept=form)
    current_request().log_fields["move"] = receipt["move"]
    # A script that follows the game shows the moves of the house as they come.
    is_live = current_form().text("live") == "yes"
    if not is_live and game_page.awaits_house(desk(), game, account):
        return see_other(url_for("play.settled", game=game))
    return _back(game)


@blueprint.route("/games/<id:game>/settled")
def settled(game: str) -> Response:
    """Wait a moment for the house to move, and redirect to the game, which shows its move."""
    wait = Wait(PATIENCE, of_game(game))
    if game_page.awaits_house(desk(), game, _reader(game)):
        wait.go_on()
    return _back(game)


def _explained(refusal: Refusal, game: str, page_version: int) -> Refusal:
    """Say what has happened meanwhile, if the page that was sent is older than the game."""
    if refusal.code not in ("stale", "idempotency_mismatch"):
        return refusal
    return Refusal(
        "stale", stale_page.explanation(desk(), game, player_at(game).account, page_version)
    )


@blueprint.route("/games/<id:game>/orders", methods=["POST"])
@members_only
def order(game: str) -> Response:
    """Give standing orders, or take them back."""
    form, account = current_form(), member().account
    text = form.text("orders").strip()
    try:
        if form.text("off") == "yes":
            giving.take_back(desk(), account, game)
        else:
            at_once = form.text("at_once") == "yes"
            giving.give(desk(), account, game, text, at_once=at_once)
    except Refusal as refusal:
        return _shown(game, refusal, typed={"orders": text})
    return see_other(url_for("play.show", game=game, view="log", _anchor="orders"))


@blueprint.route("/games/<id:game>/say", methods=["POST"])
@players_only
def say(game: str) -> Response:
    """Post a message to the table."""
    text, account = current_form().text("text"), player_at(game).account
    try:
        app_state().limiter.count_message(account)
        talk.say(desk(), account, game, text, current_form().idempotency_key())
    except Refusal as refusal:
        return _shown(game, refusal, typed={"text": text})
    return _back(game)


@blueprint.route("/games/<id:game>/join", methods=["POST"])
@members_only
def join(game: str) -> Response:
    """Join the table; the page has shown the commitment before the browser made its nonce."""
    form, account = current_form(), member().account
    try:
        check_address(form, needed=_others_wait(game, account))
        keep_address(form)
        lobby.take_seat(desk(), account, game, new_seat(form), None)
    except Refusal as refusal:
        return _shown(game, refusal)
    return _back(game)


def _others_wait(game: str, account: str) -> bool:
    """Check whether others may have to wait for this player after joining the table."""
    table = game_page.table(desk(), game, account)
    return not table["sits"] and table["status"] == "open" and table["slow"]


@blueprint.route("/games/<id:game>/leave", methods=["POST"])
@members_only
def leave(game: str) -> Response:
    """Leave the table, or resign."""
    if current_form().text("sure") != "yes":
        unsure = translate.say("Please tick the box first. Nothing has changed.")
        return _shown(game, Refusal("unreadable", unsure))
    try:
        lobby.leave(desk(), member().account, game)
    except Refusal as refusal:
        return _shown(game, refusal)
    return see_other(url_for("tables.mine"))


@blueprint.route("/games/<id:game>/sign-out", methods=["POST"])
def sign_out(game: str) -> Response:
    """End a session for one seat of this game."""
    if visit := seat_visit(game):
        seat_sessions.end(desk(), visit.session)
    return clear_seat_cookie(_back(game), game)


@blueprint.route("/games/<id:game>/guests", methods=["POST"])
@members_only
def invite(game: str) -> Response:
    """Invite a player to the table."""
    if member().email is None:
        missing = translate.say(
            "Please add an email address in your settings first: answers come by email."
        )
        return _shown(game, Refusal("unreadable", missing))
    refused = invite_all(member().account, game, current_form().text("guests"))
    if refused:
        return _shown(game, Refusal("unreadable", " ".join(refused)))
    return _back(game)


@blueprint.route("/games/<id:game>/log")
def log(game: str) -> Response:
    """Download the log of a game that is over, if the visitor can see the game."""
    lines = reading.log(desk(), game, _reader(game))
    response = Response("\n".join(lines) + "\n", mimetype="application/jsonl")
    response.headers["Content-Disposition"] = f'attachment; filename="{game}.jsonl"'
    return response


@blueprint.route("/games/<id:game>/history")
def history(game: str) -> Response:
    """Show the log of the whole game with times, or the moves of one player."""
    of = _number("of")
    shown = whole_log(desk(), game, _reader(game), of)
    response = page(
        "history",
        game=shown.game,
        names=shown.names,
        moves=shown.moves,
        of=of,
        colours=shown.colours,
    )
    return _answered(response, shown.game["visibility"], None)


@blueprint.route("/games/<id:game>/why")
@players_only
def why(game: str) -> Response:
    """Explain why the clicked route cannot be claimed now; empty if it can be."""
    route = current_request().args.get("route", "")
    sentence = game_page.why_not(desk(), game, player_at(game).account, route)
    return Response(sentence, mimetype="text/plain")


@blueprint.route("/news")
def news() -> Response:
    """Stream the tags of games to the open tabs of a browser, each when its game has changed."""
    games = current_request().args.getlist("game")[:MOST_FOLLOWED]
    signed_in = visitor()
    topics = [of_game(game) for game in games] + (
        [of_account(signed_in.account)] if signed_in else []
    )
    stream = Stream(signed_in.caller if signed_in else None, *topics, beat=BEAT)
    earlier = stream.state or {}
    tags = {game: _tag(game) for game in games}
    changed = {
        game: tag for game, tag in tags.items() if game not in earlier or earlier[game] != tag
    }
    return stream.piece(b"".join(_event(game, tag) for game, tag in changed.items()), tags)


def _tag(game: str) -> str | None:
    """Return the tag of a game's page; None if the visitor cannot read the game."""
    try:
        return game_page.tag(desk(), game, _reader(game), _owner())
    except Refusal:
        return None


def _event(game: str, tag: str | None) -> bytes:
    name = b"" if tag else b"event: gone\n"
    return b"%bdata: %b\n\n" % (name, orjson.dumps({"game": game, "tag": tag}))
