"""Commitments: the seed of a game is fixed before whoever opens the game gives a nonce."""

from flask import Response

from api.http.auth import caller
from api.http.conditions import idempotency_key
from api.http.desk import answer, desk
from api.schemas.commitment_schemas import CommitmentMade
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, may_refuse, takes
from service.games import commitments

blueprint = Blueprint(
    "commitments", __name__, url_prefix="/v1/commitments", description="Fair chance, beforehand."
)


@blueprint.route("", methods=["POST"])
@needs("play")
@blueprint.response(201, CommitmentMade)
@may_refuse("idempotency_mismatch")
@takes("Idempotency-Key")
def create_commitment() -> Response:
    """Let the house commit to the seed of a game, before I open it with a nonce of mine."""
    return answer(commitments.create(desk(), caller().account, idempotency_key()), 201)
