"""Patterns of texts in requests, checked by the parser and published in the OpenAPI document."""

from typing import Any

from marshmallow import ValidationError, validate

TEXT = r"[^\x00-\x1f\x7f]"
INK = r"[^\s\x00-\x1f\x7f]"
ZONE = r"^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$"
"""The form of time zone names; whether a zone exists is checked elsewhere."""
LONGEST_ZONE = 64


class Pattern(validate.Regexp):
    """A pattern that must match the whole text; Python's `$` would allow a trailing newline."""

    def __call__(self, value: Any) -> Any:
        """Return the value if it matches."""
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self._format_error(value))
        return value


LINE = Pattern(f"^{TEXT}*{INK}{TEXT}*$", error="must be a single line without control characters.")
TRIMMED = Pattern(
    f"^({INK}({TEXT}*{INK})?)?$", error="must be a single line without spaces at either end."
)
NOT_BLANK = Pattern(r"^[\s\S]*\S[\s\S]*$", error="must not be empty.")
EMAIL = Pattern(
    r"^ *[^@\s]+@[^@\s]+\.[^@\s]+ *$", error="must be an email address such as ada@example.org."
)
LOCALE = Pattern(
    r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", error="must be a language tag such as en or pt-BR."
)
TIME_ZONE = Pattern(ZONE, error="must be a time zone such as Europe/Paris.")
DAY = Pattern(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", error="must be a date such as 2030-07-01.")
MOMENT = Pattern(
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})$",
    error="must be a time such as 2030-01-31T12:00:00Z.",
)
WEB = Pattern(
    r"^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$", error="must be a URL such as https://example.org/hook."
)
