"""The page of a game: the table before it begins, the board while it runs, the result after."""

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import partial
from time import monotonic
from typing import Any

from flask import Response, url_for

from api.http import headers
from api.http.app_state import app_state
from api.http.desk import desk
from api.http.forms import current_form
from api.http.rate_limits import network_of
from api.http.request import current_request
from api.resources.events import LONGEST_STREAM, STREAM
from api.site.address import check_address, keep_address
from api.site.boards import drawn
from api.site.form_errors import form_error
from api.site.tables import invite_all
from api.site.visit import Pages, member, members_only, page, see_other, visitor, with_status
from engine import Refusal, tongue
from service.desk import Desk
from service.games import invitations, lobby, moves, reading, talk
from service.people import tokens
from service.people.sessions import Visitor
from service.views import game_page, stale_page

MOST_SAID = 50
PATIENCE = 1.0
"""Seconds that a page waits for the house after a move."""
BEAT = 5.0
"""Seconds after which a silent stream says that it is still there, and finds out who has gone."""

FORMS = {("play.invite", "unreadable"): "guests", ("play.join", "unreadable"): "email"}
"""What is said beside the form of a waiting table that was sent: its part, and its field."""

blueprint = Pages("play", __name__)


def _reader() -> str | None:
    known = visitor()
    return known.account if known else None


@blueprint.route("/games/<id:game>")
def show(game: str) -> Response:
    """A game as the visitor may see it, now or at an earlier version."""
    return _shown(game, at=_number("at"), of=_number("of"))


def _number(name: str) -> int | None:
    said = current_request().args.get(name, "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 7 else None


def _shown(
    game: str,
    problem: Refusal | None = None,
    at: int | None = None,
    of: int | None = None,
    said: str = "",
) -> Response:
    """How things stand, and what was refused, if anything was."""
    account = _reader()
    table, me = game_page.table(desk(), game, account)
    talked = talk.lately(desk(), account, game, MOST_SAID)
    sentence = problem.sentence if problem else None
    if table["started"] is None:
        guests = invitations.listed(desk(), account, game) if account and me is not None else []
        shown: dict[str, Any] = {"game": table, "me": me, "guests": guests}
        shown |= {"nonce": table["nonce"]}
        shown |= {"talk": talked, "said": said}
        if problem and (part := FORMS.get((current_request().endpoint or "", problem.code))):
            shown["form_error"], sentence = form_error(part, problem, current_form(), part), None
        response = page("table", **shown, problem=sentence)
        return _answered(response, table["visibility"], problem)
    found = game_page.page(desk(), game, account, at, of)
    response = page(
        "game",
        page=found,
        game=found.game,
        me=me,
        sits=table["sits"],
        nonce=table["nonce"],
        picture=drawn(found.board, found.scene, found.marks),
        talk=talked,
        said=said,
        problem=sentence,
    )
    return _answered(response, table["visibility"], problem)


def _answered(response: Response, visibility: str, problem: Refusal | None) -> Response:
    """Search engines are told of public games alone."""
    if visibility != "public":
        response.headers["X-Robots-Tag"] = headers.SECRET["X-Robots-Tag"]
    return with_status(response, problem) if problem else response


def _back(game: str) -> Response:
    return see_other(url_for("play.show", game=game))


@blueprint.route("/games/<id:game>/move", methods=["POST"])
@members_only
def move(game: str) -> Response:
    """Play what was chosen; sent twice it is one move."""
    form = current_form()
    opened, seen, choice = form.text("asked"), form.text("seen"), form.text("choice")
    numbers = all(said.isascii() and said.isdigit() and len(said) < 7 for said in (opened, seen))
    if not choice or not numbers:
        unchosen = tongue.say("Please choose an option first. Nothing has been played.")
        return _shown(game, Refusal("unreadable", unchosen))
    # Not by the decision: whoever buys a technology is asked the same again.
    wanted = moves.Wanted(text=choice, asked=int(opened), key=f"page-{seen}", source="page")
    try:
        made = moves.submit(desk(), member().account, game, wanted)
    except Refusal as refusal:
        return _shown(game, _explained(refusal, game, int(seen)))
    current_request().log_fields["move"] = made["move"]
    app_state().metrics.count_move(wanted.source)
    _wait_for_house(game)
    return _back(game)


def _explained(refusal: Refusal, game: str, seen: int) -> Refusal:
    """Say what has happened meanwhile, if the page that was sent is older than the game."""
    if refusal.code not in ("stale", "idempotency_mismatch"):
        return refusal
    return Refusal("stale", stale_page.told(desk(), game, member().account, seen))


def _wait_for_house(game: str) -> None:
    """Give the house a moment to answer, so that most often the next page shows what it did."""
    here, account = desk(), member().account
    with (
        suppress(Refusal),
        here.bell.place(account, network_of(current_request().remote_addr or "")),
    ):
        here.bell.wait(game, lambda: not game_page.awaits_house(here, game, account), PATIENCE)


@blueprint.route("/games/<id:game>/say", methods=["POST"])
@members_only
def say(game: str) -> Response:
    """Say something to the table."""
    text, account = current_form().text("text"), member().account
    try:
        app_state().limiter.count_message(account)
        talk.say(desk(), account, game, text, current_form().idempotency_key())
    except Refusal as refusal:
        return _shown(game, refusal, said=text)
    return _back(game)


@blueprint.route("/games/<id:game>/join", methods=["POST"])
@members_only
def join(game: str) -> Response:
    """Sit down; the page has shown the commitment before the browser made its nonce."""
    form, account = current_form(), member().account
    try:
        check_address(form, needed=_others_wait(game, account))
        keep_address(form)
        lobby.join(desk(), account, game, form.text("nonce"), None)
    except Refusal as refusal:
        return _shown(game, refusal)
    return _back(game)


def _others_wait(game: str, account: str) -> bool:
    """Whether sitting down there makes others wait for somebody who is not in front of a page."""
    table, me = game_page.table(desk(), game, account)
    return me is None and table["status"] == "open" and table["slow"]


@blueprint.route("/games/<id:game>/leave", methods=["POST"])
@members_only
def leave(game: str) -> Response:
    """Leave the table, or resign."""
    if current_form().text("sure") != "yes":
        unsure = tongue.say("Please tick the box first. Nothing has changed.")
        return _shown(game, Refusal("unreadable", unsure))
    try:
        lobby.leave(desk(), member().account, game)
    except Refusal as refusal:
        return _shown(game, refusal)
    return see_other(url_for("tables.mine"))


@blueprint.route("/games/<id:game>/guests", methods=["POST"])
@members_only
def invite(game: str) -> Response:
    """Ask somebody to the table."""
    if member().email is None:
        missing = tongue.say(
            "Please add an email address in your settings first: answers come by mail."
        )
        return _shown(game, Refusal("unreadable", missing))
    refused = invite_all(member().account, game, current_form().text("guests"))
    if refused:
        return _shown(game, Refusal("unreadable", " ".join(refused)))
    return _back(game)


@blueprint.route("/games/<id:game>/log")
def log(game: str) -> Response:
    """The log of a game that is over, to be saved: also of a private one, whose players it is."""
    lines = reading.log(desk(), game, _reader())
    response = Response("\n".join(lines) + "\n", mimetype="application/jsonl")
    response.headers["Content-Disposition"] = f'attachment; filename="{game}.jsonl"'
    return response


@blueprint.route("/games/<id:game>/why")
@members_only
def why(game: str) -> Response:
    """Why a route that was pressed cannot be claimed now: a sentence, or nothing."""
    said = game_page.why_not(
        desk(), game, member().account, current_request().args.get("route", "")
    )
    return Response(said, mimetype="text/plain")


@blueprint.route("/games/<id:game>/news")
def news(game: str) -> Response:
    """Tell whoever looks at the page when it has changed: a stream of tags."""
    here, known = desk(), visitor()
    seen = game_page.tag(here, game, _reader())  # refused now, not in the midst of the stream
    address = network_of(current_request().remote_addr or "")
    stack = ExitStack()
    stack.enter_context(here.bell.place(known.account if known else address, address))
    response = Response(
        _tags(here, game, known, current_request().args.get("seen", seen)), mimetype=STREAM
    )
    response.call_on_close(stack.close)
    response.headers["X-Accel-Buffering"] = "no"  # a proxy must not hold events back
    return response


def _tags(here: Desk, game: str, known: Visitor | None, seen: str) -> Iterator[bytes]:
    until, account = monotonic() + LONGEST_STREAM, known.account if known else None

    def is_other(than: str) -> bool:
        return game_page.tag(here, game, account) != than

    yield b"retry: 2000\n\n"
    while monotonic() < until:
        try:
            here.bell.wait(game, partial(is_other, seen), BEAT)
            last, seen = seen, game_page.tag(here, game, account)
        except Refusal:  # a private game has begun without this guest
            return
        if known and not tokens.holds(here, known.caller):
            return
        yield b"data: %b\n\n" % seen.encode() if seen != last else b": still here\n\n"
