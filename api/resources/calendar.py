"""The calendar feed, whose signed URL needs no token."""

from flask import Response

from api.http.conditions import not_modified, unchanged
from api.http.desk import desk
from api.schemas.spec import Blueprint, has_etag
from service.clocks import calendar

blueprint = Blueprint(
    "calendar", __name__, url_prefix="/calendar", description="Deadlines as a calendar feed."
)


@blueprint.route("/<string:signed>.ics")
@blueprint.response(
    200, {"type": "string", "description": "The calendar."}, content_type="text/calendar"
)
@has_etag
def read_calendar(signed: str) -> Response:
    """Get your deadlines and absences as a calendar (RFC 5545).

    `/v1/me` has the URL as `calendar`. Anyone who knows it can read the titles of your games, your
    deadlines and your absences, and nothing else.
    """
    feed = calendar.feed(desk(), signed)
    if unchanged(feed.tag):
        return not_modified()
    return Response(feed.text, mimetype="text/calendar")
