"""Operations on destinations of messages, such as a Discord channel or a device."""

from typing import Any, cast

from flask import Response

from api.http.auth import caller
from api.http.conditions import idempotency_key
from api.http.desk import desk, json_response
from api.schemas.destination_schemas import (
    Destination,
    DestinationList,
    DestinationRequest,
    DestinationUpdate,
)
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, may_refuse, takes
from service.notify.destinations import documents, managing
from service.people.tokens import Caller

PREFIX = "/v1/me/destinations"

blueprint = Blueprint(
    "destinations",
    __name__,
    url_prefix=PREFIX,
    description="Where messages for people go: devices, chats and rooms on other services.",
)


def _caller() -> Caller:
    """Return the caller with the type that `tokens.caller_of` returns."""
    return cast(Caller, caller())


@blueprint.route("")
@needs("manage")
@blueprint.response(200, DestinationList)
def list_destinations() -> Response:
    """List your destinations, oldest first, and the channels on which you can have more.

    Those that are switched off are listed as well, with the reason. Addresses are not shown.
    """
    document = {
        "destinations": managing.listed(desk(), _caller()),
        "channels": documents.channel_documents(desk()),
    }
    return json_response(document)


@blueprint.route("", methods=["POST"])
@needs("manage")
@blueprint.arguments(DestinationRequest)
@blueprint.response(201, Destination)
@may_refuse("destination_exists", "gone", "idempotency_mismatch")
@takes("Idempotency-Key")
def create_destination(body: dict[str, Any]) -> Response:
    """Create a destination; send a test to see whether messages arrive.

    On some channels you have to send a code from there first; `connect` says how. Messages say
    only that something is asked and of whom, also where nobody else reads.
    """
    document = managing.create(desk(), _caller(), body, idempotency_key())
    response = json_response(document, 201)
    response.headers["Location"] = f"{PREFIX}/{document['id']}"
    return response


@blueprint.route("/<id:destination>")
@needs("manage")
@blueprint.response(200, Destination)
def read_destination(destination: str) -> Response:
    """Get one of your destinations.

    It says when a message last arrived, and what went wrong last.
    """
    return json_response(managing.read(desk(), _caller(), destination))


@blueprint.route("/<id:destination>", methods=["PATCH"])
@needs("manage")
@blueprint.arguments(DestinationUpdate, required=False)
@blueprint.response(200, Destination)
@may_refuse("destination_exists")
def change_destination(body: dict[str, Any], destination: str) -> Response:
    """Update a destination, or switch it on or off; fields that are left out stay as they are.

    To change its address, create another one and remove this one.
    """
    return json_response(managing.change(desk(), _caller(), destination, body))


@blueprint.route("/<id:destination>", methods=["DELETE"])
@needs("manage")
@blueprint.response(204)
def delete_destination(destination: str) -> Response:
    """Remove a destination.

    Messages that are still waiting are not sent any more.
    """
    managing.delete(desk(), _caller(), destination)
    return Response(status=204)


@blueprint.route("/<id:destination>/test", methods=["POST"])
@needs("manage")
@blueprint.response(202, Destination)
@may_refuse("rate_limited", "idempotency_mismatch")
@takes("Idempotency-Key")
def test_destination(destination: str) -> Response:
    """Send a test message once; `test` of the destination shows the result.

    A test is sent even if the destination is switched off, and is not tried again if it fails.
    """
    document = managing.send_test(desk(), _caller(), destination, idempotency_key())
    return json_response(document, 202)
