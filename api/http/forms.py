"""What a form on one of our pages sends."""

import json
from collections.abc import Mapping
from hashlib import sha256

from werkzeug.exceptions import ClientDisconnected

from api.http.edge import asked
from api.http.json_body import refuse_odd
from api.http.problems import Problem
from engine.tongue import say

KEY = "key"
"""The field in which a form that makes something holds a word that no other has."""
MARK = "mark"
"""The field in which a form says that it comes from a page of ours; it differs in every page."""
URLENCODED = "application/x-www-form-urlencoded"
MOST_FIELDS = 1_000
"""Fields of a form, counted before they are read; Werkzeug counts only the parts of a multipart."""


class Form:
    """The fields of a form, as plain text."""

    def __init__(self, fields: Mapping[str, list[str]]) -> None:
        self._fields = fields

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def text(self, name: str) -> str:
        """What stands in a field, without the space around it; nothing if there is none."""
        return next(iter(self.all(name)), "").strip()

    def key(self) -> str | None:
        """Tells this form from every other: sent twice it has the same, changed it has another.

        The page has given it a random word; without one it is not told apart.
        """
        if not self.text(KEY):
            return None
        kept = {name: values for name, values in self._fields.items() if name != MARK}
        said = json.dumps(sorted(kept.items()))
        return f"form-{sha256(said.encode()).hexdigest()[:40]}"

    def all(self, name: str) -> list[str]:
        """Everything that was ticked under one name."""
        return self._fields.get(name, [])


def sent() -> Form:
    """The form of the request in hand."""
    request = asked()
    try:
        if request.mimetype == URLENCODED and request.get_data().count(b"&") >= MOST_FIELDS:
            raise Problem("unreadable", say("The form has too many fields."))
        fields = request.form.to_dict(flat=False)
    except (OSError, ClientDisconnected):
        raise Problem("unreadable", say("The form is broken, or ends too early.")) from None
    for name, values in fields.items():
        for text in (name, *values):
            refuse_odd(text, say("The form"))
    return Form(fields)
