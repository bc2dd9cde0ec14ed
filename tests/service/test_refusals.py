"""Refusals of the service."""

from engine import Refusal
from engine.translate import speaking
from service import refusals
from tests.support.pseudo_language import Marked


def test_a_refusal_carries_fields_for_programs() -> None:
    """A refusal has a code and a sentence, and `more` holds fields for programs."""
    refusal = refusals.stale(7)

    assert isinstance(refusal, Refusal)
    assert ("stale", {"version": 7}) == (refusal.code, refusal.more)
    assert "The game has moved on: it is now at version 7." == refusal.sentence


def test_a_refused_value_names_its_field() -> None:
    """The sentence names the field for people, and `errors` names it for programs."""
    refusal = refusals.unreadable("must not be empty.", "name")

    assert "name: must not be empty." == refusal.sentence
    assert {"errors": [{"at": "name", "says": "must not be empty."}]} == refusal.more
    assert {} == refusals.unreadable("must be JSON.").more


def test_fields_that_people_fill_in_are_translated() -> None:
    """The sentence translates `title` but not `Idempotency-Key`; `at` is not translated."""
    with speaking(Marked()):
        title, key = refusals.unreadable("x", "title"), refusals.unreadable("x", "Idempotency-Key")

    assert ("⟦title⟧: x", "title") == (title.sentence, title.more["errors"][0]["at"])
    assert "Idempotency-Key: x" == key.sentence


def test_what_is_not_found_is_a_game_by_default() -> None:
    """`not_found` says that there is no game, unless it is given another sentence."""
    assert "There is no such game." == refusals.not_found().sentence
    assert ("not_found", "No token.") == (
        refusals.not_found("No token.").code,
        refusals.not_found("No token.").sentence,
    )
