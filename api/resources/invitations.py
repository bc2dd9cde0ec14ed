"""Operations on invitations to a table, by name or by email address."""

from typing import Any

import marshmallow as ma
from flask import Response
from marshmallow import fields, validate

from api.http.auth import caller
from api.http.conditions import idempotency_key
from api.http.desk import desk, json_response
from api.http.rate_limits import client_network
from api.schemas.fields import EITHER_OR, RequestSchema, ResponseSchema, text_field, time_field
from api.schemas.patterns import EMAIL, LINE
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, may_refuse, takes
from service.games.inviting import invitations
from service.people.names import LONGEST_NAME
from service.people.profile import LONGEST_ADDRESS

STATES = ("open", "accepted", "declined", "withdrawn")

blueprint = Blueprint(
    "invitations",
    __name__,
    url_prefix="/v1/games/<id:game>/invitations",
    description="Invitations to a table.",
)


class InvitationRequest(RequestSchema):
    """Whom to invite: the name of an account, or an email address."""

    keywords = EITHER_OR

    name = fields.String(
        validate=[validate.Length(1, LONGEST_NAME), LINE],
        metadata={"description": "The name of an account."},
    )
    email = fields.String(
        validate=[validate.Length(3, LONGEST_ADDRESS), EMAIL],
        metadata={"description": "It receives an email about this table."},
    )

    @ma.validates_schema
    def check_one_given(self, data: dict[str, object], **_: object) -> None:
        """Refuse a body with both fields or with neither."""
        if len(data) != 1:
            raise ma.ValidationError("Send either “name” or “email”.")


class Invitation(ResponseSchema):
    """An invitation to a table."""

    id = text_field("An opaque id.")
    host = text_field("Who sent the invitation.")
    name = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Who was invited; null for an email address without an account."},
    )
    email = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The invited address, while the invitation is open; only the host "
            "sees it."
        },
    )
    state = fields.String(
        required=True,
        validate=validate.OneOf(STATES),
        metadata={"description": "What has become of it."},
    )
    at = time_field("When it was sent.")
    reserved_until = time_field(
        "Until when a seat is reserved for the guest; null if none is.", maybe=True
    )
    waits = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether the guest waits because all free seats are reserved. The next "
            "seat that is freed is reserved for the guest who has waited longest."
        },
    )


class InvitationList(ResponseSchema):
    """All invitations to a table."""

    invitations = fields.List(
        fields.Nested(Invitation), required=True, metadata={"description": "All of them."}
    )


@blueprint.route("")
@needs("read")
@blueprint.response(200, InvitationList)
def list_invitations(game: str) -> Response:
    """List the invitations to a table where you have a seat.

    Email addresses are only shown to those who invited them, and never to connected apps.
    """
    listed = invitations.listed(desk(), caller().account, game)
    if caller().is_app:
        listed = [invitation | {"email": None} for invitation in listed]
    return json_response({"invitations": listed})


@blueprint.route("", methods=["POST"])
@needs("play")
@blueprint.arguments(InvitationRequest)
@blueprint.response(201, Invitation)
@may_refuse("seat_taken", "already_started", "too_many_open", "idempotency_mismatch")
@takes("Idempotency-Key")
def create_invitation(body: dict[str, Any], game: str) -> Response:
    """Invite somebody to a table where you have a seat.

    A free seat is reserved for them until they decline, you withdraw the invitation, or the time
    in `reserved_until` has come: 7 days, or 2 hours if a decision may take less than an hour. If
    all free seats are reserved, they wait until one is freed. The table becomes private, unless
    its `visibility` was chosen when it was opened.

    They get an email with a link, and may decline; whoever has waited for a seat gets a second
    one. An address that wants no mail from us gets none.
    """
    host, key = caller().account, idempotency_key()
    return json_response(invitations.invite(desk(), host, game, body, key, client_network()), 201)


@blueprint.route("/<id:invitation>", methods=["DELETE"])
@needs("play")
@blueprint.response(204)
def withdraw_invitation(game: str, invitation: str) -> Response:
    """Withdraw one of your invitations; its link stops working.

    Somebody who has already taken a seat keeps it.
    """
    invitations.withdraw(desk(), caller().account, game, invitation)
    return Response(status=204)
