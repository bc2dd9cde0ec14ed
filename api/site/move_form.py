"""The form with which a decision is answered on the page of a game."""

import re
from typing import Any, NamedTuple

from api.http.forms import Form
from service.views.game_page import OpenDecision

_CHOICE = re.compile(r"(\d{1,4})(?::(.*))?", re.ASCII)
"""The number of an entry, and the text of a way; without a way, things are chosen."""
_NUMBER = re.compile(r"\d{1,6}", re.ASCII)


class MoveForm(NamedTuple):
    """What was sent, as text; the page shows it again if it is refused."""

    asked: str
    """The version at which the decision was opened."""
    seen: str
    """The version that the page showed."""
    choice: str
    things: tuple[str, ...]
    """The things that were ticked for the chosen entry."""
    locomotives: str
    """With how many locomotives or jokers to pay; empty for the fewest."""

    @property
    def body(self) -> dict[str, Any] | None:
        """The move as the API takes it; None if nothing was chosen or the form is not ours."""
        if not (_is_number(self.asked) and _is_number(self.seen)):
            return None
        match = _CHOICE.fullmatch(self.choice)
        if match is None:
            return {"text": self.choice} if self.choice else None
        entry, way = int(match[1]), match[2]
        if way is None:
            return {"choose": {"entry": entry, "things": [*map(_value, self.things)]}}
        if not self.locomotives:
            return {"choose": {"entry": entry, "way": way}}
        if not _is_number(self.locomotives):
            return None
        return {"choose": {"entry": entry, "way": way, "locomotives": int(self.locomotives)}}

    @property
    def entry(self) -> str:
        """The number of the chosen entry."""
        return self.choice.partition(":")[0]

    def is_about(self, decision: OpenDecision | None) -> bool:
        """Whether it answers this decision."""
        return decision is not None and self.asked == str(decision.version)


def move_form(form: Form) -> MoveForm:
    """Read the form."""
    choice = form.text("choice")
    return MoveForm(
        form.text("asked"),
        form.text("seen"),
        choice,
        tuple(form.all(f"things-{choice}")),
        form.text("locomotives"),
    )


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def _value(text: str) -> str | int:
    """A thing as actions have it: dice are numbers, everything else has an id."""
    return int(text) if _is_number(text) else text
