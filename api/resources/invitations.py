"""Invitations: asking somebody to a table, by name or by mail."""

from typing import Any

import marshmallow as ma
from flask import Response
from marshmallow import fields, validate

from api.http.auth import caller
from api.http.conditions import idempotency_key
from api.http.desk import answer, desk
from api.http.rate_limits import source
from api.schemas.fields import EITHER_OR, Answer, Body
from api.schemas.game_schemas import moment, words
from api.schemas.patterns import EMAIL, LINE
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, may_refuse, takes
from service.games import invitations
from service.people.names import LONGEST_NAME
from service.people.profile import LONGEST_ADDRESS

STATES = ("open", "accepted", "declined", "withdrawn")

blueprint = Blueprint(
    "invitations",
    __name__,
    url_prefix="/v1/games/<id:game>/invitations",
    description="Asking others to a table.",
)


class InvitationWanted(Body):
    """Whom to ask: by the name of an account, or by a mail address."""

    keywords = EITHER_OR

    name = fields.String(validate=[validate.Length(1, LONGEST_NAME), LINE])
    email = fields.String(
        validate=[validate.Length(3, LONGEST_ADDRESS), EMAIL],
        metadata={"description": "Gets one letter about this table, whoever reads it."},
    )

    @ma.validates_schema
    def one_of_both(self, data: dict[str, object], **_: object) -> None:
        """Refuse an invitation of nobody, or of two."""
        if len(data) != 1:
            raise ma.ValidationError("There must be either a “name” or an “email”.")


class InvitationSeen(Answer):
    """Somebody who was asked to a table."""

    id = words("Its name.")
    host = words("Who has asked.")
    name = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Who was asked; null while it is an address that nobody is yet."},
    )
    email = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The address that was asked, while it is open; for its host."},
    )
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    at = moment("When.")


class InvitationsListed(Answer):
    """Everybody who was asked to a table."""

    invitations = fields.List(fields.Nested(InvitationSeen), required=True)


@blueprint.route("")
@needs("read")
@blueprint.response(200, InvitationsListed)
def list_invitations(game: str) -> Response:
    """List who was asked to a table at which I sit."""
    return answer({"invitations": invitations.listed(desk(), caller().account, game)})


@blueprint.route("", methods=["POST"])
@needs("play")
@blueprint.arguments(InvitationWanted)
@blueprint.response(201, InvitationSeen)
@may_refuse("seat_taken", "already_started", "too_many_open", "idempotency_mismatch")
@takes("Idempotency-Key")
def invite(wanted: dict[str, Any], game: str) -> Response:
    """Ask somebody to a table at which I sit; an account is told by its channels."""
    host, key = caller().account, idempotency_key()
    return answer(invitations.invite(desk(), host, game, wanted, key, source()), 201)


@blueprint.route("/<id:invitation>", methods=["DELETE"])
@needs("play")
@blueprint.response(204)
def withdraw_invitation(game: str, invitation: str) -> Response:
    """Take back an invitation of mine; its link does nothing any more."""
    invitations.withdraw(desk(), caller().account, game, invitation)
    return Response(status=204)
