"""The calendar feed, which its signed address opens without a token."""

from flask import Response

from api.http.conditions import not_modified, unchanged
from api.http.desk import desk
from api.schemas.spec import Blueprint, tagged
from service.clocks import calendar

blueprint = Blueprint(
    "calendar", __name__, url_prefix="/calendar", description="Deadlines for calendar programs."
)


@blueprint.route("/<string:signed>.ics")
@blueprint.response(200, {"type": "string"}, content_type="text/calendar")
@tagged
def read_calendar(signed: str) -> Response:
    """Read my deadlines and absences as a calendar (RFC 5545).

    The address stands in `/v1/me` as `calendar`. Whoever knows it can read it, and no more than
    that: the titles of my games, when I have to decide, and when I am away.
    """
    page = calendar.feed(desk(), signed)
    if unchanged(page.tag):
        return not_modified()
    return Response(page.text, mimetype="text/calendar")
