"""Pages with the documentation for players and for authors of clients and bots."""

from flask import Response

from api.http.problems import Problem
from api.site.documentation import library
from api.site.visit import Pages, page

blueprint = Pages("documentation", __name__)


@blueprint.route("/docs")
def listed() -> Response:
    """List all documents, and the API reference."""
    groups = [(group, list(library.entries(group))) for group in library.GROUPS]
    return page("docs/list", groups=groups)


@blueprint.route("/docs/<path:name>")
def show(name: str) -> Response:
    """Show a document with its table of contents."""
    if name not in library.names():
        raise Problem("not_found")
    return page("docs/document", document=library.document(name))
