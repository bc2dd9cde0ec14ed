"""Form errors: a refused form is shown again with its input and marks the wrong field."""

from typing import NamedTuple

from api.http.forms import Form
from engine import Refusal
from service.games.lobby import STRENGTHS

FIELDS: dict[str, tuple[str, ...]] = {
    "notifications.mode": ("mode",),
    "notifications.quiet_hours": ("quiet_from", "quiet_to"),
    "absences": ("from", "to"),
    "bots": STRENGTHS,
}
"""Form fields whose names differ from the API's."""
BY_CODE = {"name_taken": "name"}
"""The form field for refusals that do not name one."""


class FormError(NamedTuple):
    """What is wrong with a form, and what was typed into it."""

    part: str
    """Which form on the page."""
    sentence: str
    fields: tuple[str, ...]
    """The names of the wrong fields; empty if the error is about the whole form."""
    form: Form


def form_error(part: str, refusal: Refusal, form: Form, field: str | None = None) -> FormError:
    """Make a form error of a refusal; it is about `field` if the refusal names none."""
    for error in getattr(refusal, "more", {}).get("errors", ()):
        at, says = error["at"], error["says"]
        return FormError(part, says[:1].upper() + says[1:], FIELDS.get(at, (at,)), form)
    wrong = field or BY_CODE.get(refusal.code)
    return FormError(part, refusal.sentence, (wrong,) if wrong else (), form)
