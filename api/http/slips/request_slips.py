"""Sentences for the commonest slips of client authors: what went wrong, and how to correct it.

Tokens are never repeated in them.
"""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any

import marshmallow as ma
from werkzeug.routing import MapAdapter

from engine.text import listed, shown

TOKEN = re.compile(r"nm_[A-Za-z0-9_-]{1,128}")
ADVICE = "Send it as a header: Authorization: Bearer nm_…"
TOKEN_HEADERS = frozenset({"x-api-key", "api-key", "x-auth-token", "x-access-token"})
"""Headers in which other services expect a token."""
TOKEN_PARAMETERS = frozenset({"token", "access_token", "api_key", "apikey"})
MOST_KNOWN = 30
"""Names that a sentence lists; more would hide the rest of it."""
PREFIX = "/v1"


def bad_authorization(header: str) -> str | None:
    """Explain an Authorization header without a bearer token; None if it has one."""
    text = header.strip()
    scheme, _, rest = text.partition(" ")
    if scheme.lower() == "bearer":
        return _bad_token(rest.strip())
    if TOKEN.fullmatch(text):
        return "The word “Bearer” is missing before the token: Authorization: Bearer nm_…"
    named = f"“{shown(scheme)}”" if re.fullmatch("[A-Za-z-]{1,20}", scheme) else "another scheme"
    return f"The Authorization header must have the scheme “Bearer”, not {named}: Bearer nm_…"


def _bad_token(text: str) -> str | None:
    if TOKEN.fullmatch(text):
        return None
    bare = text.strip("\"'<>“”")
    if TOKEN.fullmatch(bare):
        return "The token must not be in quotes or brackets: Authorization: Bearer nm_…"
    if not text:
        return "The token is missing after “Bearer”: Authorization: Bearer nm_…"
    if text.startswith("whsec_"):
        return "This is the secret of a webhook and not a token; tokens begin with nm_."
    return "This is not a token of Nightmail; tokens begin with nm_, and have no spaces."


def misplaced_token(headers: Iterable[str], parameters: Iterable[str]) -> str | None:
    """Explain a token that came in another header or in the query; None if there is none."""
    if TOKEN_HEADERS.intersection(map(str.lower, headers)):
        return f"A token in this header is not read. {ADVICE}"
    if TOKEN_PARAMETERS.intersection(parameters):
        return f"A token must not be in the query, which is logged on its way. {ADVICE}"
    return None


def similar_path(urls: MapAdapter, path: str) -> str | None:
    """Return the path of the API that was probably meant; None if none is similar."""
    for candidate in _candidates(path):
        is_other = candidate != path and candidate.startswith(f"{PREFIX}/")
        if is_other and urls.allowed_methods(candidate):
            return candidate
    return None


def _candidates(path: str) -> Iterator[str]:
    plain = re.sub("/{2,}", "/", path).rstrip("/")
    yield plain
    yield PREFIX + plain
    yield re.sub(r"^(?:/api)?(?:/v[0-9]+)*/", f"{PREFIX}/", plain)


def unknown_path(path: str) -> str:
    """Explain which path was probably meant."""
    return f"There is nothing at this address. Did you mean {path}?"


def page_for_people(path: str) -> str:
    """Explain to a program that it called a page."""
    return f"This address is a page for people. Programs use {path}."


def wrong_method(methods: Iterable[str]) -> str:
    """Explain which methods an address supports."""
    return f"This address supports {listed(sorted(methods))}."


def wrong_media_type(mimetype: str) -> str:
    """Explain that a body must be sent as JSON."""
    needed = "Send JSON with Content-Type: application/json"
    if not mimetype:
        return f"{needed}; this body came without a Content-Type."
    if mimetype == "application/x-www-form-urlencoded":
        return f"{needed}; this body came as a form. With curl, add -H 'Content-Type: …' to -d."
    return f"{needed}; this body came as {shown(mimetype)}."


def unquoted_version(header: str) -> str:
    """Explain that a version must be in quotes."""
    version = header.strip()
    example = version if re.fullmatch("[0-9]{1,9}(?:-[0-9]{1,9})?", version) else "57"
    return f'If-Match must be a version in quotes, such as "{example}".'


def unknown_field(name: str, schema: Any) -> str | None:
    """Name the known fields of a schema, or the one that was probably meant."""
    if not isinstance(schema, ma.Schema):
        return None
    known = [field.data_key or own for own, field in schema.load_fields.items()]
    if close := get_close_matches(name.lower(), known, 1, 0.7):
        return f"Unknown field; did you mean “{close[0]}”?"
    if not known or len(known) > MOST_KNOWN:
        return None
    return f"Unknown field; known are {listed([f'“{each}”' for each in known])}."


def inside(schema: Any, key: object) -> Any:
    """Return the schema of a field's value, or of the items of a list; None if it has none."""
    field = schema.load_fields.get(str(key)) if isinstance(schema, ma.Schema) else schema
    if isinstance(key, int) and isinstance(field, ma.fields.List):
        field = field.inner
    return field.schema if isinstance(field, ma.fields.Nested) else field
