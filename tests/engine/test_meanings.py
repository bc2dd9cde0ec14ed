"""Classes and types say what actions, events and their fields mean."""

from dataclasses import dataclass
from typing import Annotated, get_type_hints

from engine import ENDINGS, GameEnded
from engine.checks import conform
from engine.codec import read_event
from engine.kinds import ACTIONS, DECISIONS, EVENTS, Secret
from engine.meanings import meaning_of, summary_of, values_of
from engine.values import CARDS, HIDDEN, Card, Seat


def test_every_kind_is_described() -> None:
    """Every action, event and decision has a docstring of its own."""
    kinds = [*ACTIONS.values(), *EVENTS.values(), *DECISIONS.values()]

    assert [] == [kind.__name__ for kind in kinds if not summary_of(kind)]


def test_a_class_without_docstring_has_no_summary() -> None:
    """The list of fields that a dataclass gets instead is not a description."""

    @dataclass
    class Plain:
        seat: Seat

    assert "" == summary_of(Plain)


def test_a_type_says_what_its_fields_mean() -> None:
    """A field means what its type says, also if it is optional or secret."""
    assert "The seat's number, from 0." == meaning_of(Seat)
    assert "The card." == meaning_of(Card | None) == meaning_of(Secret[Card])
    assert "" == meaning_of(str)


def test_a_field_may_say_it_better() -> None:
    """The text of a field counts more than that of its type."""
    assert "The winner." == meaning_of(Annotated[Seat, "The winner."])
    assert "The winner." == meaning_of(Annotated[Seat | None, "The winner."])


def test_values_are_published_and_not_checked() -> None:
    """`OneOf` lists the values of a text; stored events with others can still be read."""
    hint = get_type_hints(GameEnded, include_extras=True)["reason"]
    body = {"type": "game_ended", "reason": "fire", "winners": [], "results": []}

    assert (*CARDS, HIDDEN) == values_of(Card)
    assert ENDINGS == values_of(hint)
    assert GameEnded("fire", (), ()) == read_event(body)


def test_a_parameter_may_have_a_meaning() -> None:
    """A text beside the type of a parameter is not taken for a lower bound."""
    assert 2 == conform(2, Seat, "parameters.seat")
