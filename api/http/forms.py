"""Reads the forms of our pages."""

import json
from collections.abc import Mapping
from hashlib import sha256

from werkzeug.exceptions import ClientDisconnected

from api.http.json_body import refuse_bad_characters
from api.http.problems import Problem
from api.http.request import current_request
from engine.translate import say

KEY = "key"
"""The field with a random key, in forms that create something."""
CSRF_FIELD = "csrf_token"
"""The field with the CSRF token, which is masked anew in every page."""
URLENCODED = "application/x-www-form-urlencoded"
MOST_FIELDS = 1_000
"""Fields in a form, counted before parsing; Werkzeug only limits multipart forms."""


class Form:
    """The fields of a form, as text."""

    def __init__(self, fields: Mapping[str, list[str]]) -> None:
        self._fields = fields

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def text(self, name: str) -> str:
        """Return the stripped text of a field; empty if the form has no such field."""
        return next(iter(self.all(name)), "").strip()

    def idempotency_key(self) -> str | None:
        """Derive an idempotency key: the same form sent twice has the same key.

        The page puts a random key into the form; without one there is no idempotency key.
        """
        if not self.text(KEY):
            return None
        content = {name: values for name, values in self._fields.items() if name != CSRF_FIELD}
        digest = sha256(json.dumps(sorted(content.items())).encode()).hexdigest()
        return f"form-{digest[:40]}"

    def all(self, name: str) -> list[str]:
        """Return all values of a field, such as ticked boxes."""
        return self._fields.get(name, [])


def current_form() -> Form:
    """Parse the form of the current request."""
    request = current_request()
    try:
        if request.mimetype == URLENCODED and request.get_data().count(b"&") >= MOST_FIELDS:
            raise Problem("unreadable", say("The form has too many fields."))
        fields = request.form.to_dict(flat=False)
    except (OSError, ClientDisconnected):
        raise Problem("unreadable", say("The form is broken or incomplete.")) from None
    for name, values in fields.items():
        for text in (name, *values):
            refuse_bad_characters(text, say("The form"))
    return Form(fields)
