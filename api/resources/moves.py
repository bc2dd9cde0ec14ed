"""Playing: what is asked, and the answer to it."""

from typing import Any

from flask import Response

from api.http import paging
from api.http.auth import caller
from api.http.conditions import expected_versions, idempotency_key, tell_tag
from api.http.desk import answer, desk, who
from api.http.edge import asked
from api.http.frame import frame
from api.schemas.game_requests import DecisionsAsked, MoveWanted
from api.schemas.game_schemas import DecisionAsked, DecisionsListed, MoveMade
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, may_refuse, takes, tells_tag
from service.games import moves, reading
from service.games.move_requests import from_body

blueprint = Blueprint("moves", __name__, url_prefix="/v1", description="Decisions and moves.")


@blueprint.route("/me/decisions")
@needs("read")
@blueprint.arguments(DecisionsAsked, location="query")
@blueprint.response(200, DecisionsListed)
def list_decisions(wanted: dict[str, Any]) -> Response:
    """List every decision that awaits me, in all my games, the most urgent first."""
    account, limit = caller().account, wanted["limit"]
    after = paging.place(wanted.get("cursor"))

    places: list[tuple[str, str]] = []
    decisions: list[dict[str, Any]] = []

    def look() -> bool:
        places[:], decisions[:] = reading.awaiting(desk(), account, after, limit)
        return bool(decisions)

    if wanted["wait"]:
        with desk().bell.place(*who()):
            desk().bell.wait(account, look, wanted["wait"])
    else:
        look()
    response = answer({"decisions": decisions})
    if places[limit:]:
        paging.link_next(response, cursor=paging.cursor(*places[limit - 1]))
    return response


@blueprint.route("/games/<id:game>/decision")
@needs("read")
@blueprint.response(200, DecisionAsked)
@blueprint.alt_response(204, description="Nothing is asked of me now.")
def read_decision(game: str) -> Response:
    """Read what is asked of me in a game, with everything I may answer."""
    found = reading.decision(desk(), game, caller().account)
    return answer(found) if found else Response(status=204)


@blueprint.route("/games/<id:game>/moves", methods=["POST"])
@needs("play")
@blueprint.arguments(MoveWanted)
@blueprint.response(201, MoveMade)
@may_refuse("not_awaited", "game_over", "stale", "illegal", "ambiguous", "idempotency_mismatch")
@takes("If-Match", "Idempotency-Key")
@tells_tag
def make_move(wanted: dict[str, Any], game: str) -> Response:
    """Make a move, as an action or as text; a refused one changes nothing."""
    request = from_body(wanted)._replace(versions=expected_versions(), key=idempotency_key())
    made = moves.submit(desk(), caller().account, game, request)
    tell_tag(made.pop("tag"))
    asked().notes["move"] = made["move"]
    frame().metrics.moved(request.source)
    return answer(made, 201)
