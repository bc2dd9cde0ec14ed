"""Pages that list games, and the page that opens one."""

from typing import Any

from flask import Response, jsonify, url_for

from api.http.desk import desk
from api.http.forms import Form, current_form
from api.http.json_body import refuse_bad_characters
from api.http.rate_limits import client_network
from api.http.request import current_request
from api.site.address import check_address, keep_address
from api.site.form_errors import form_error
from api.site.visit import Pages, members_only, page, see_other, with_status
from api.site.visitors import member, visitor
from engine import Refusal
from engine.translate import say
from pictures import COLOURS
from service import refusals
from service.boards import atlas, board_documents
from service.clocks import paces
from service.clocks.paces import PACES
from service.games import commitments, lobby
from service.games.inviting import invitations
from service.games.lobby import STRENGTHS, VISIBILITIES, NewGame, NewSeat
from service.notify.destinations import managing
from service.views import game_lists, rematch_links
from service.views.game_lists import TableFilter

MOST = 50
"""Open games on the page."""
FIRST_BOARD = "usa"
MOST_GUESTS = 10
"""People who can be invited at once."""
DEFAULT_BOTS = {strength: int(strength == STRENGTHS[0]) for strength in STRENGTHS}
"""The bots preselected in the form: one, so that the game starts at once."""

blueprint = Pages("tables", __name__)


@blueprint.route("/games")
@members_only
def mine() -> Response:
    """Show the visitor's games, most urgent first."""
    games = game_lists.own_games(desk(), member().account)
    return page(
        "games",
        games=game_lists.scored(desk(), games),
        strengths=STRENGTHS,
        paused=managing.paused(desk(), member().account),
    )


@blueprint.route("/games/open")
def listed() -> Response:
    """Show the tables with a free seat."""
    signed_in, table_filter = visitor(), _table_filter()
    games = game_lists.open_to(desk(), signed_in.account if signed_in else None, MOST, table_filter)
    boards = board_documents.summaries()
    most = max(board["seats"][1] for board in boards)
    return page(
        "open_games",
        games=games,
        table_filter=table_filter,
        boards=boards,
        paces=list(PACES),
        most_seats=most,
    )


def _table_filter() -> TableFilter:
    """Return the filter in the query string; what is not understood counts for nothing."""
    query = current_request().args
    seats = query.get("seats", "")
    return TableFilter(
        query.get("board") if query.get("board") in atlas.board_ids() else None,
        query.get("pace") if query.get("pace") in PACES else None,
        int(seats) if seats.isascii() and seats.isdigit() and len(seats) == 1 else None,
        known=query.get("known") == "1",
    )


@blueprint.route("/games/new")
@members_only
def new() -> Response:
    """Show the form for a new game; the query string can fill it in, as it does for a rematch."""
    query = current_request().args.to_dict(flat=False)
    fields = {name: query[name] for name in rematch_links.FIELDS if name in query}
    for text in (text for values in fields.values() for text in values):
        refuse_bad_characters(text, say("The form"))
    return _new(current_request().args.get("board", FIRST_BOARD), Form(fields))


def _new(board: str, form: Form, refusal: Refusal | None = None) -> Response:
    boards = {summary["id"]: summary for summary in board_documents.summaries()}
    response = page(
        "new_game",
        boards=list(boards.values()),
        board=boards.get(board, boards[FIRST_BOARD]),
        form=form,
        form_error=form_error("new", refusal, form) if refusal else None,
        strengths=STRENGTHS,
        paces=list(PACES),
        visibilities=VISIBILITIES,
        bots=DEFAULT_BOTS,
        colours=COLOURS,
    )
    return with_status(response, refusal) if refusal else response


@blueprint.route("/games/new", methods=["POST"])
@members_only
def create() -> Response:
    """Open a table, take a seat, and invite everybody who is named."""
    form, host = current_form(), member().account
    try:
        guests = _named(form.text("guests"))
        game = _with_room(_game(form), len(guests))
        if guests and game.visibility is None:
            game = game._replace(visibility="private")
        check_address(form, needed=bool(guests) or _others_wait(game))
        keep_address(form)
        opened = lobby.open_game(desk(), host, game, form.idempotency_key())
    except Refusal as refusal:
        return _new(form.text("board"), form, refusal)
    refused = invite_all(host, opened["id"], form.text("guests"))
    if refused:
        return page("opened", game=opened, refused=refused)
    return see_other(url_for("play.show", game=opened["id"]))


@blueprint.route("/games/commitment", methods=["POST"])
@members_only
def commit() -> Response:
    """Make a commitment for the script, which then chooses a nonce."""
    commitment = commitments.create(desk(), member().account, None)
    response = jsonify(commitment=commitment["commitment"])
    response.headers["Cache-Control"] = "no-store"
    return response


def _game(form: Form) -> NewGame:
    return NewGame(
        board=form.text("board"),
        variants=tuple(form.all("variants")),
        seats=_number(form, "seats", 2),
        pace=form.text("pace") or "days",
        visibility=form.text("visibility") or None,
        title=form.text("title") or None,
        bots={strength: _number(form, strength, 0) for strength in STRENGTHS},
        commitment=form.text("commitment"),
        nonce=form.text("nonce"),
        colour=form.text("colour") or None,
    )


def new_seat(form: Form) -> NewSeat:
    """Return the seat that a form asks for."""
    return NewSeat(form.text("nonce"), form.text("colour") or None)


def _with_room(game: NewGame, guests: int) -> NewGame:
    """Make room for invited people: remove the preselected bot if it takes their seat."""
    if not guests:
        return game
    taken = 1 + sum((game.bots or {}).values())
    if game.bots == DEFAULT_BOTS and taken + guests > game.seats:
        return game._replace(bots={})
    if taken == game.seats:
        full = say("There is no seat left for your guests. Choose fewer bots or more seats.")
        raise refusals.unreadable(full, "bots")
    return game


def _others_wait(game: NewGame) -> bool:
    """Check whether this is a slow game with other people; refuse an impossible game."""
    settings = lobby.check_settings(game)
    return len(settings.bots) < settings.seats - 1 and paces.read(settings.pace).is_slow


def _number(form: Form, name: str, default: int) -> int:
    text = form.text(name)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else default


def _named(guests: str) -> list[str]:
    """Split a field into the people it names, one per line, without duplicates."""
    return list(dict.fromkeys(filter(None, map(str.strip, guests.splitlines()))))


def invite_all(host: str, game: str, guests: str) -> list[str]:
    """Invite everybody who is named, by name or email address; return what was refused."""
    refused = []
    named = _named(guests)
    for line in named[:MOST_GUESTS]:
        guest: dict[str, Any] = {"email" if "@" in line else "name": line}
        try:
            invitations.invite(desk(), host, game, guest, None, client_network())
        except Refusal as refusal:
            refused.append(f"{line}: {refusal.sentence}")
    if len(named) > MOST_GUESTS:
        refused.append(say("You can invite ten people at once; the rest were not invited."))
    return refused
