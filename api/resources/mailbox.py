"""Shows outgoing mail in the browser while there is no mail server; on this machine only."""

import base64

from flask import Blueprint, Response, render_template

from api.http import headers
from api.http.desk import desk
from api.http.local_only import is_local_only
from api.http.problems import Problem
from api.http.request import current_request
from service.notify import mail_folder
from service.notify.mail_folder import Opened

POLICY = f"{headers.SITE['Content-Security-Policy']}; frame-src 'self'"
MAIL_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'; "
    "sandbox allow-popups allow-popups-to-escape-sandbox"
)
"""For the HTML of an email: links can be followed, scripts cannot run."""
BASE_TAG = '<base target="_blank">'
"""Links open in a new tab, not inside the frame."""

blueprint = Blueprint("mailbox", __name__, template_folder="templates")


@blueprint.before_request
def check_local() -> None:
    """Answer 404 to requests from other machines, and to all if there is a mail server."""
    settings = desk().settings
    if settings.smtp_url or not is_local_only(current_request(), settings):
        raise Problem("not_found")


@blueprint.route("/mailbox")
def listed() -> Response:
    """List all emails, newest first."""
    letters = mail_folder.listed(desk().settings)
    return _page(render_template("mailbox/list.html", letters=letters, most=mail_folder.MOST))


@blueprint.route("/mailbox/<id:name>")
def letter(name: str) -> Response:
    """Show one email: its HTML, its text and its headers."""
    return _page(render_template("mailbox/letter.html", letter=_opened(name)))


@blueprint.route("/mailbox/<id:name>/html")
def html(name: str) -> Response:
    """Serve the HTML of an email, for the frame that shows it."""
    letter = _opened(name)
    text = letter.html.replace("<head>", f"<head>{BASE_TAG}", 1)
    for cid, image in letter.images.items():
        data_url = f"data:image/png;base64,{base64.b64encode(image).decode()}"
        text = text.replace(f"cid:{cid}", data_url)
    response = Response(text, mimetype="text/html")
    response.headers["Content-Security-Policy"] = MAIL_POLICY
    return response


@blueprint.route("/mailbox/<id:name>/raw")
def raw(name: str) -> Response:
    """Serve the raw source of an email."""
    source = mail_folder.raw(desk().settings, name)
    if source is None:
        raise Problem("not_found")
    response = Response(source, mimetype="message/rfc822")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.eml"'
    return response


def _opened(name: str) -> Opened:
    letter = mail_folder.opened(desk().settings, name)
    if letter is None:
        raise Problem("not_found")
    return letter


def _page(text: str) -> Response:
    response = Response(text, headers=headers.SITE, mimetype="text/html")
    response.headers["Content-Security-Policy"] = POLICY
    return response
