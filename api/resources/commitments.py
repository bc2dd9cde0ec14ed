"""Operations on commitments, which fix a game's seed before its opener sends a nonce."""

from flask import Response

from api.http.auth import caller
from api.http.conditions import idempotency_key
from api.http.desk import desk, json_response
from api.schemas.commitment_schemas import Commitment
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, may_refuse, takes
from service.games import commitments

blueprint = Blueprint(
    "commitments",
    __name__,
    url_prefix="/v1/commitments",
    description="Commitments to the seeds of games.",
)


@blueprint.route("", methods=["POST"])
@needs("play")
@blueprint.response(201, Commitment)
@may_refuse("idempotency_mismatch")
@takes("Idempotency-Key")
def create_commitment() -> Response:
    """Have the house commit to the seed of a game, before you open it with your own nonce.

    Send the commitment and a nonce that nobody can guess when you open the game: neither side can
    then have chosen the cards. It is valid for a day and for one game.
    """
    return json_response(commitments.create(desk(), caller().account, idempotency_key()), 201)
