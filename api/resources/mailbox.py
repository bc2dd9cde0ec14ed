"""The mail that would have been sent, to be read in a browser; only on a developer's machine."""

import base64

from flask import Blueprint, Response, render_template

from api.http.desk import desk
from api.http.edge import asked
from api.http.local_only import is_ourselves
from api.http.problems import Problem
from service.notify import mail_folder
from service.notify.mail_folder import Opened

POLICY = (
    "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
INSIDE = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'; "
    "sandbox allow-popups allow-popups-to-escape-sandbox"
)
"""For the letter itself: it can be looked at, and its links followed; nothing in it can run."""
BESIDE = '<base target="_blank">'
"""A link opens beside the mailbox, not inside it."""

blueprint = Blueprint("mailbox", __name__, template_folder="templates")


@blueprint.before_request
def only_here() -> None:
    """To everybody else there is no such page."""
    settings = desk().settings
    if settings.smtp_url or not is_ourselves(asked(), settings):
        raise Problem("not_found")


@blueprint.route("/mailbox")
def listed() -> Response:
    """All letters, the newest first."""
    letters = mail_folder.listed(desk().settings)
    return _page(render_template("mailbox/list.html", letters=letters, most=mail_folder.MOST))


@blueprint.route("/mailbox/<id:name>")
def letter(name: str) -> Response:
    """One letter: how it looks, its text, and its headers."""
    return _page(render_template("mailbox/letter.html", letter=_opened(name)))


@blueprint.route("/mailbox/<id:name>/html")
def html(name: str) -> Response:
    """The HTML of a letter alone, for the frame in which it is shown."""
    found = _opened(name)
    shown = found.html.replace("<head>", f"<head>{BESIDE}", 1)
    for cid, image in found.images.items():
        inside = f"data:image/png;base64,{base64.b64encode(image).decode()}"
        shown = shown.replace(f"cid:{cid}", inside)
    response = Response(shown, mimetype="text/html")
    response.headers["Content-Security-Policy"] = INSIDE
    return response


@blueprint.route("/mailbox/<id:name>/raw")
def raw(name: str) -> Response:
    """A letter as it would have been sent."""
    found = mail_folder.raw(desk().settings, name)
    if found is None:
        raise Problem("not_found")
    response = Response(found, mimetype="message/rfc822")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.eml"'
    return response


@blueprint.route("/mailbox.css")
def style() -> Response:
    """How the pages look."""
    return Response(render_template("mailbox/mailbox.css"), mimetype="text/css")


def _opened(name: str) -> Opened:
    found = mail_folder.opened(desk().settings, name)
    if found is None:
        raise Problem("not_found")
    return found


def _page(text: str) -> Response:
    response = Response(text, mimetype="text/html")
    response.headers["Content-Security-Policy"] = POLICY
    return response
