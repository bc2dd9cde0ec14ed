"""A form that was refused: its page comes again with what was typed, and names the wrong field."""

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
"""What the interface calls otherwise than our forms do."""
BY_CODE = {"name_taken": "name"}
"""Refusals that are about one field, though they do not say so."""


class Trouble(NamedTuple):
    """What is wrong with a form, and all that was typed into it."""

    part: str
    """Which form of the page it is."""
    sentence: str
    fields: tuple[str, ...]
    """The names of the fields that are wrong; none if it is the whole."""
    form: Form


def trouble(part: str, refusal: Refusal, form: Form, field: str | None = None) -> Trouble:
    """What a page says about a form that was refused; about this field, if it names none."""
    for error in getattr(refusal, "more", {}).get("errors", ()):
        at, says = error["at"], error["says"]
        return Trouble(part, says[:1].upper() + says[1:], FIELDS.get(at, (at,)), form)
    about = field or BY_CODE.get(refusal.code)
    return Trouble(part, refusal.sentence, (about,) if about else (), form)
