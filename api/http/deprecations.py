"""Marks operations as deprecated: in the document, and in the headers of their responses.

docs/api-policy.md says what clients may rely on.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from email.utils import format_datetime
from typing import Any, NamedTuple

from flask import Flask

POLICY = "/docs/api-policy#deprecation"
Headers = list[tuple[str, str]]


class Deprecation(NamedTuple):
    """Since when an operation is deprecated, when it ends, and what replaces it."""

    since: date
    sunset: date | None = None
    """When it stops working; None if that is not decided yet."""
    instead: str | None = None
    """The operation id of its replacement."""

    def sentence(self) -> str:
        """Return what the document says about it."""
        parts = [f"Deprecated since {self.since.isoformat()}."]
        if self.instead:
            parts.append(f"Use `{self.instead}` instead.")
        if self.sunset:
            parts.append(f"It stops working on {self.sunset.isoformat()}.")
        return " ".join(parts)

    def headers(self) -> Headers:
        """Return `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to the policy."""
        headers = [
            ("Deprecation", f"@{_midnight(self.since).timestamp():.0f}"),
            ("Link", f'<{POLICY}>; rel="deprecation"; type="text/html"'),
        ]
        if self.sunset:
            headers.append(("Sunset", format_datetime(_midnight(self.sunset), usegmt=True)))
        return headers


def headers_by_endpoint(app: Flask) -> Mapping[str, Headers]:
    """Return the headers of every deprecated operation of an application."""
    return {
        endpoint: deprecation.headers()
        for endpoint, view in app.view_functions.items()
        if (deprecation := _deprecation(view))
    }


def _deprecation(view: Callable[..., Any]) -> Deprecation | None:
    facts: dict[str, Any] = getattr(view, "_apidoc", {}).get("nightmail", {})
    return facts.get("deprecation")


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
