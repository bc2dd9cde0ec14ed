"""Refusals of the service."""

from engine import Refusal
from engine.translate import speaking
from service import refusals
from tests.support.pseudo_language import Marked


def test_a_refusal_carries_fields_for_programs() -> None:
    """They stand beside the code and the sentence."""
    refusal = refusals.stale(7)

    assert isinstance(refusal, Refusal)
    assert ("stale", {"version": 7}) == (refusal.code, refusal.more)
    assert "The game has moved on: it is now at version 7." == refusal.sentence


def test_a_refused_value_names_its_field() -> None:
    """Once in the sentence, for people, and once as a place, for programs."""
    refusal = refusals.unreadable("must not be empty.", "name")

    assert "name: must not be empty." == refusal.sentence
    assert {"errors": [{"at": "name", "says": "must not be empty."}]} == refusal.more
    assert {} == refusals.unreadable("must be JSON.").more


def test_fields_that_people_fill_in_are_translated() -> None:
    """Others are known to programs alone, and keep their names; so does the place."""
    with speaking(Marked()):
        title, key = refusals.unreadable("x", "title"), refusals.unreadable("x", "Idempotency-Key")

    assert ("⟦title⟧: x", "title") == (title.sentence, title.more["errors"][0]["at"])
    assert "Idempotency-Key: x" == key.sentence


def test_what_is_not_found_is_a_game_by_default() -> None:
    """Other things are named."""
    assert "There is no such game." == refusals.not_found().sentence
    assert ("not_found", "No token.") == (
        refusals.not_found("No token.").code,
        refusals.not_found("No token.").sentence,
    )
