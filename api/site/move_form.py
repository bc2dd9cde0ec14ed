"""The form with which a decision is answered on the page of a game."""

import re
from typing import NamedTuple

from api.http.forms import Form
from service.games.menu_forms import MenuForm
from service.games.move_requests import MoveRequest
from service.views.page_decision import OpenDecision

_NUMBER = re.compile(r"\d{1,6}", re.ASCII)
OLD_LOCOMOTIVES = "wild"
"""The field for the number of locomotives in pages that an older version has rendered."""


class MoveForm(NamedTuple):
    """What was sent, as text."""

    decision_version: str
    """The version at which the decision was opened."""
    page_version: str
    """The version that the page showed."""
    chosen: MenuForm
    """The page shows it again if it is refused."""
    is_old: bool = False
    """Whether it has a field that only an older version understands."""

    @property
    def request(self) -> MoveRequest | None:
        """The move that it asks for; None if nothing was chosen or the form is not ours."""
        choice = self.chosen.choice
        if self.is_old or not (
            choice and _is_number(self.decision_version) and _is_number(self.page_version)
        ):
            return None
        return MoveRequest(choice if self.chosen.entry is None else self.chosen)

    def is_about(self, decision: OpenDecision | None) -> bool:
        """Check whether it answers this decision."""
        return decision is not None and self.decision_version == str(decision.version)


def move_form(form: Form) -> MoveForm:
    """Read the form of a game's page."""
    is_old = bool(form.text(OLD_LOCOMOTIVES))
    return MoveForm(form.text("asked"), form.text("seen"), menu_form(form), is_old)


def menu_form(form: Form) -> MenuForm:
    """Read what was chosen from the menu, on any page.

    On the page of an action link there is no choice beside things to tick: the link names the
    entry.
    """
    choice = form.text("choice")
    things = form.all(f"things-{choice}" if choice else "things")
    return MenuForm(choice, tuple(things), form.text("locomotives"))


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None
