"""Tables: my games, open ones, and a new one."""

from typing import Any

from flask import Response, jsonify, url_for

from api.http.desk import desk
from api.http.edge import asked
from api.http.forms import Form, sent
from api.http.rate_limits import source
from api.site.address import check_address, keep_address
from api.site.trouble import trouble
from api.site.visit import Pages, member, members_only, page, seen_other, visitor, with_status
from engine import Refusal
from engine.translate import say
from service import refusals
from service.boards import board_documents
from service.clocks import pace
from service.clocks.pace import PACES
from service.games import commitments, invitations, lobby
from service.games.lobby import STRENGTHS, VISIBILITIES, NewGame
from service.views import game_lists

MOST = 50
FIRST_BOARD = "usa"
MOST_GUESTS = 10
BOT_OF_THE_FORM = {strength: int(strength == "easy") for strength in STRENGTHS}
"""The bots of the form as it comes: a game against one of them, which begins at once."""

blueprint = Pages("tables", __name__)


@blueprint.route("/games")
@members_only
def mine() -> Response:
    """My games, the most urgent first."""
    found = game_lists.mine(desk(), member().account)
    return page("games", games=found, strengths=STRENGTHS)


@blueprint.route("/games/open")
def listed() -> Response:
    """Tables at which a seat is free."""
    known = visitor()
    found = game_lists.open_to(desk(), known.account if known else None, MOST)
    return page("open_games", games=found)


@blueprint.route("/games/new")
@members_only
def new() -> Response:
    """What somebody may want to play."""
    return _new(asked().args.get("board", FIRST_BOARD), Form({}))


def _new(board: str, form: Form, refusal: Refusal | None = None) -> Response:
    known = {one["id"]: one for one in board_documents.summaries()}
    shown = page(
        "new_game",
        boards=list(known.values()),
        board=known.get(board, known[FIRST_BOARD]),
        form=form,
        trouble=trouble("new", refusal, form) if refusal else None,
        strengths=STRENGTHS,
        paces=list(PACES),
        visibilities=VISIBILITIES,
        bots=BOT_OF_THE_FORM,
    )
    return with_status(shown, refusal) if refusal else shown


@blueprint.route("/games/new", methods=["POST"])
@members_only
def create() -> Response:
    """Open a table and sit down at it; whoever is named is asked to come."""
    form, host = sent(), member().account
    try:
        guests = _named(form.text("guests"))
        wanted = _with_room(_wanted(form), len(guests))
        check_address(form, needed=bool(guests) or _others_wait(wanted))
        keep_address(form)
        made = lobby.open_game(desk(), host, wanted, form.key())
    except Refusal as refusal:
        return _new(form.text("board"), form, refusal)
    refused = invite_all(host, made["id"], form.text("guests"))
    if refused:
        return page("opened", game=made, refused=refused)
    return seen_other(url_for("play.show", game=made["id"]))


@blueprint.route("/games/commitment", methods=["POST"])
@members_only
def commit() -> Response:
    """Commit to a seed for a browser's script, which makes its nonce after it has this answer."""
    made = commitments.create(desk(), member().account, None)
    response = jsonify(commitment=made["commitment"])
    response.headers["Cache-Control"] = "no-store"
    return response


def _wanted(form: Form) -> NewGame:
    return NewGame(
        board=form.text("board"),
        variants=tuple(form.all("variants")),
        seats=_number(form, "seats", 2),
        pace=form.text("pace") or "days",
        visibility=form.text("visibility") or "public",
        title=form.text("title") or None,
        bots={strength: _number(form, strength, 0) for strength in STRENGTHS},
        commitment=form.text("commitment"),
        nonce=form.text("nonce"),
    )


def _with_room(wanted: NewGame, guests: int) -> NewGame:
    """A table at which people who are invited find a seat: the bot of the form makes room."""
    if not guests:
        return wanted
    taken = 1 + sum((wanted.bots or {}).values())
    if wanted.bots == BOT_OF_THE_FORM and taken + guests > wanted.seats:
        return wanted._replace(bots={})
    if taken == wanted.seats:
        full = say("There is no seat for the people you invite: choose fewer bots or more seats.")
        raise refusals.unreadable(full, "bots")
    return wanted


def _others_wait(wanted: NewGame) -> bool:
    """Whether it is a slow game with other people; refused if such a game cannot be."""
    settings = lobby.check_settings(wanted)
    return len(settings.bots) < settings.seats - 1 and pace.read(settings.pace).is_slow


def _number(form: Form, name: str, default: int) -> int:
    said = form.text(name)
    return int(said) if said.isascii() and said.isdigit() and len(said) < 4 else default


def _named(guests: str) -> list[str]:
    """Everybody whom a field names, one on each line."""
    return list(dict.fromkeys(filter(None, map(str.strip, guests.splitlines()))))


def invite_all(host: str, game: str, guests: str) -> list[str]:
    """Ask everybody who is named, one on a line, by name or address; what was refused."""
    refused = []
    named = _named(guests)
    for line in named[:MOST_GUESTS]:
        guest: dict[str, Any] = {"email" if "@" in line else "name": line}
        try:
            invitations.invite(desk(), host, game, guest, None, source())
        except Refusal as refusal:
            refused.append(f"{line}: {refusal.sentence}")
    if len(named) > MOST_GUESTS:
        refused.append(say("Ten people can be asked at once; the rest were not."))
    return refused
