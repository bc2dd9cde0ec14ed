"""Tables: my games, open ones, and a new one."""

from typing import Any

from flask import Response, url_for

from api.desk import desk
from api.edge import asked
from api.forms import Form, sent
from api.site.trouble import trouble
from api.site.visit import Pages, member, members_only, page, seen_other, visitor, with_status
from engine import Refusal
from engine.tongue import say
from service import boards, game_lists, invitations, lobby
from service.lobby import STRENGTHS, VISIBILITIES, Opened
from service.pace import PACES

MOST = 50
FIRST_BOARD = "usa"
MOST_GUESTS = 10

blueprint = Pages("tables", __name__)


@blueprint.route("/games")
@members_only
def mine() -> Response:
    """My games, the most urgent first."""
    return page("games", games=game_lists.mine(desk(), member().account))


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
    known = {one["id"]: one for one in boards.summaries()}
    shown = page(
        "new_game",
        boards=list(known.values()),
        board=known.get(board, known[FIRST_BOARD]),
        form=form,
        trouble=trouble("new", refusal, form) if refusal else None,
        strengths=STRENGTHS,
        paces=list(PACES),
        visibilities=VISIBILITIES,
    )
    return with_status(shown, refusal) if refusal else shown


@blueprint.route("/games/new", methods=["POST"])
@members_only
def create() -> Response:
    """Open a table and sit down at it; whoever is named is asked to come."""
    form, host = sent(), member().account
    try:
        made = lobby.open_game(desk(), host, _wanted(form), form.key())
    except Refusal as refusal:
        return _new(form.text("board"), form, refusal)
    refused = invite_all(host, made["id"], form.text("guests").splitlines())
    if refused:
        return page("opened", game=made, refused=refused)
    return seen_other(url_for("play.show", game=made["id"]))


def _wanted(form: Form) -> Opened:
    return Opened(
        board=form.text("board"),
        variants=tuple(form.all("variants")),
        seats=_number(form, "seats", 2),
        pace=form.text("pace") or "days",
        visibility=form.text("visibility") or "public",
        title=form.text("title") or None,
        bots={strength: _number(form, strength, 0) for strength in STRENGTHS},
    )


def _number(form: Form, name: str, default: int) -> int:
    said = form.text(name)
    return int(said) if said.isascii() and said.isdigit() and len(said) < 4 else default


def invite_all(host: str, game: str, lines: list[str]) -> list[str]:
    """Ask everybody who is named, one on a line, by name or address; what was refused."""
    refused = []
    named = list(dict.fromkeys(filter(None, map(str.strip, lines))))
    for line in named[:MOST_GUESTS]:
        guest: dict[str, Any] = {"email" if "@" in line else "name": line}
        try:
            invitations.invite(desk(), host, game, guest, None)
        except Refusal as refusal:
            refused.append(f"{line}: {refusal.sentence}")
    if len(named) > MOST_GUESTS:
        refused.append(say("Ten people can be asked at once; the rest were not."))
    return refused
