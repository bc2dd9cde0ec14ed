"""Boards as clients see them."""

import pytest

from engine.translate import speaking
from service.boards import atlas, board_documents
from service.refusals import Refused
from tests.support.pseudo_language import Marked


def test_a_board_is_kept_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cached document is in English, even if the first reader had another language."""
    monkeypatch.setattr(
        board_documents, "_board", board_documents._board.__wrapped__
    )  # not cached yet
    with speaking(Marked()):
        text = board_documents.board("usa", ["dice"]).text
    assert board_documents.board("usa", ["dice"]).text == text
    assert b"Boston\xe2\x80\x93New York (red)" in text


def test_a_tag_is_that_of_the_text() -> None:
    """Other variants have another tag; the order of variants makes no difference."""
    plain = board_documents.board("usa", [])
    dice = board_documents.board("usa", ["dice"])

    assert plain.tag != dice.tag
    assert board_documents.board("usa", ["usa_1910", "dice"]) == board_documents.board(
        "usa", ["dice", "usa_1910"]
    )


def test_only_tickets_that_can_be_dealt_are_listed() -> None:
    """The tickets depend on the variants, and are fewer than all tickets of the map."""
    plain = board_documents.board_data("usa", [])
    big = board_documents.board_data("usa", ["usa_1910"])

    names = {ticket["id"] for ticket in plain["tickets"]}
    assert names != {ticket["id"] for ticket in big["tickets"]}
    assert names < set(atlas.board("usa").tickets)


def test_fields_of_rules_that_are_not_in_play_are_empty() -> None:
    """All boards have the same fields; without its rule a field is empty."""
    usa = board_documents.board_data("usa", [])
    uk = board_documents.board_data("uk", [])

    assert set(usa) == set(uk)
    assert [] == usa["technologies"]
    assert uk["technologies"]


def test_an_unknown_board_or_variant_is_refused() -> None:
    """The refusal of a board lists the boards; that of a variant names the variant."""
    with pytest.raises(Refused, match=r"The boards are: .*usa"):
        board_documents.board("atlantis", [])
    with pytest.raises(Refused, match=r"variant: .*nonsense"):
        board_documents.board("usa", ["nonsense"])


def test_names_are_those_of_the_reader() -> None:
    """Boards and variants are named in the reader's language."""
    with speaking(Marked()):
        assert "⟦USA⟧" == board_documents.board_name("usa")
        (dice,) = board_documents.variant_names("usa", ["dice"])
    assert dice.startswith("⟦")
