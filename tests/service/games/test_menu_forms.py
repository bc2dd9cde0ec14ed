"""The form in which an entry of the menu is chosen."""

import pytest

from engine import Action, Chosen, Entry, Unreadable
from engine.menu import Choice, Thing, Way
from service.games.menu_forms import NO_NUMBER, MenuForm, choice_of
from service.games.move_requests import MoveRequest

_THINGS = (Thing(1, "die 1"), Thing(2, "die 2"), Thing("a-b", "A–B"), Thing("3", "3"))
_CHOICE = Choice(_THINGS, 1, 4, lambda _: Action(), "R-DICE-1")
_WAY = Way("2 blue", "2 blue", (Action(),))
MENU = (
    Entry("claim", "a-b", "Claim A–B", "claim a-b", "claim a-b with", "payment", (_WAY,)),
    Entry("keep", "", "Keep", "keep", "keep", "keep", choice=_CHOICE),
)


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        (MenuForm(choice_of(1, _WAY)), Chosen(1, "2 blue")),
        (MenuForm("1:"), Chosen(1, "")),
        (MenuForm("1:2 blue", locomotives="3"), Chosen(1, "2 blue", 3)),
        (MenuForm("1:2 blue", locomotives="many"), Chosen(1, "2 blue", NO_NUMBER)),
        (MenuForm("1:2 blue", locomotives="9999"), Chosen(1, "2 blue", NO_NUMBER)),
        (MenuForm("2", ("2", "a-b", "3")), Chosen(2, things=(2, "a-b", "3"))),
        (MenuForm("2", ("7", "no")), Chosen(2, things=("7", "no"))),
        (MenuForm("2"), Chosen(2, things=())),
        (MenuForm("1", ("1",)), Chosen(1, things=("1",))),
    ],
)
def test_a_form_becomes_an_answer(form: MenuForm, answer: Chosen) -> None:
    """A form means an entry with a way and a number, or with the entry's own things."""
    assert answer == form.answer(MENU)


@pytest.mark.parametrize("choice", ["", "0:", "3", "draw", "1.1", "99999:"])
def test_a_form_without_an_entry_is_refused(choice: str) -> None:
    """A choice that names no entry of the menu is refused."""
    with pytest.raises(Unreadable, match="There is no move"):
        MenuForm(choice).answer(MENU)


def test_different_forms_are_different_requests() -> None:
    """The digest of a request depends on everything that the form says."""
    forms = [MenuForm("1:"), MenuForm("1:", locomotives="1"), MenuForm("1"), MenuForm("1", ("1",))]

    assert len(forms) == len({MoveRequest(form).digest for form in forms})
    assert MoveRequest(forms[0]).digest == MoveRequest(MenuForm("1:")).digest
