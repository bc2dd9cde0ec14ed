"""The form with which a decision is answered on the page of a game."""

import re
from typing import NamedTuple

from api.http.forms import Form
from engine import Chosen
from service.views.game_page import OpenDecision

_CHOICE = re.compile(r"(\d{1,4})(?:\.(\d{1,4}))?", re.ASCII)
"""The number of an entry, and of one of its ways; an entry without a way has things to choose."""
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
    wild: str
    """With how many locomotives or jokers to pay; empty for the fewest."""

    @property
    def answer(self) -> Chosen | str | None:
        """The answer; None if nothing was chosen, or if the form is not one of ours."""
        if not (_is_number(self.asked) and _is_number(self.seen)):
            return None
        found = _CHOICE.fullmatch(self.choice)
        if found is None:
            return self.choice or None  # a move in notation, which is read like any other
        if found[2] is None:
            return Chosen(int(found[1]), things=tuple(map(_value, self.things)))
        if self.wild and not _is_number(self.wild):
            return None
        return Chosen(int(found[1]), int(found[2]), int(self.wild) if self.wild else None)

    @property
    def entry(self) -> str:
        """The number of the chosen entry."""
        return self.choice.partition(".")[0]

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
        form.text("wild"),
    )


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def _value(text: str) -> str | int:
    """A thing as actions have it: dice are numbers, everything else has an id."""
    return int(text) if _is_number(text) else text
