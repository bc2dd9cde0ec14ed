"""The operation that lists mail that was not carried out."""

from flask import Response

from api.http.auth import caller
from api.http.desk import desk, json_response
from api.schemas.held_mail_schemas import HeldMailList
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint
from service.replies import held_mail

blueprint = Blueprint(
    "held_mail", __name__, url_prefix="/v1", description="Mail that was not carried out."
)


@blueprint.route("/me/held-mail")
@needs("read", apps=False)
@blueprint.response(200, HeldMailList)
def list_held_mail() -> Response:
    """List your mail that was not carried out, newest first.

    It came to an address of yours, and nothing was played, for example because we could not be sure
    that you wrote it. The settings page shows the same, with links to play the lines.
    """
    return json_response({"mail": held_mail.listed(desk(), caller().account)})
