"""Disconnecting an app, on the settings page."""

from flask import Response, url_for

from api.http.desk import desk
from api.site.visit import Pages, members_only, see_other
from api.site.visitors import member
from service.people.oauth import connected_apps

blueprint = Pages("oauth_apps", __name__)


@blueprint.route("/settings/apps/<id:grant>/disconnect", methods=["POST"])
@members_only
def disconnect(grant: str) -> Response:
    """End the access of an app."""
    connected_apps.disconnect(desk(), member().caller, grant)
    return see_other(url_for("settings.show", saved="apps", _anchor="apps"))
