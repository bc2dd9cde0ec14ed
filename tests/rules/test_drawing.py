"""Drawing train cards (rules 1.3)."""

import pytest

from engine.rules.cards import CardDrawn, CardTaken, DrawFaceUp, DrawSecondCard, NoSecondCard
from engine.rules.turns import TakeTurn, TurnBegan
from tests.scenes import ADA, BEN, scene

TABLE = "usa · ada ben · turn ada\n"


@pytest.mark.parametrize(
    ("first", "second", "script", "hand"),
    [
        ("take 1", "take 5", "black black", ["purple", "green"]),
        ("take 2", "draw", "black red", ["blue", "red"]),
        ("draw", "take 3", "red black", ["orange", "red"]),
        ("draw", "draw", "yellow red", ["yellow", "red"]),
    ],
)
def test_two_cards_in_any_mix(first: str, second: str, script: str, hand: list[str]) -> None:
    """R-DRAW-1: the action gives two cards, each from the market or blind, in any mix."""
    play = scene(TABLE + f"next cards: {script}")

    play.do(f"ada: {first}")
    assert DrawSecondCard(ADA) == play.decision_of(ADA)

    play.do(f"ada: {second}")
    assert hand == play.hand(ADA)
    assert TakeTurn(BEN) == play.decision_of(BEN)


def test_replaced_before_the_second_is_chosen() -> None:
    """R-DRAW-2: a market card is replaced at once, in its own slot, and may be the second card."""
    play = scene(TABLE + "market red red blue white green\nnext cards: black")

    play.do("ada: take 3")
    assert ("red", "red", "black", "white", "green") == play.cards.market
    assert (CardTaken(ADA, 3, "blue", "black"),) == play.events

    assert ["blue", "black"] == play.do("ada: take 3").hand(ADA)


def test_face_up_locomotive_is_the_whole_draw() -> None:
    """R-DRAW-3: a face-up locomotive taken first ends the action with one card."""
    play = scene(TABLE + "market red locomotive blue white green\nnext cards: black")

    play.do("ada: take 2")
    assert ["locomotive"] == play.hand(ADA)
    assert (CardTaken(ADA, 2, "locomotive", "black"), TurnBegan(BEN)) == play.events


def test_locomotive_that_lies_there_is_no_second_card() -> None:
    """R-DRAW-4: a face-up locomotive cannot be the second card."""
    play = scene(TABLE + "market red locomotive blue white green\nnext cards: black")
    play.do("ada: take 1")

    refusal = play.refused("ada: take 2")
    assert ("illegal", "R-DRAW-4") == (refusal.code, refusal.rule)
    assert "A face-up locomotive cannot be the second card." == refusal.sentence
    assert ["draw", "take 1", "take 3", "take 4", "take 5"] == play.texts(ADA)


def test_locomotive_that_has_just_appeared_is_no_second_card() -> None:
    """R-DRAW-4: a locomotive that has just replaced the first card cannot be the second card."""
    play = scene(TABLE + "next cards: locomotive").do("ada: take 1")

    refusal = play.refused((ADA, DrawFaceUp(1)))
    assert ("illegal", "R-DRAW-4") == (refusal.code, refusal.rule)
    assert ["draw", "take 2", "take 3", "take 4", "take 5"] == play.texts(ADA)


def test_locomotive_after_a_sweep_is_no_second_card() -> None:
    """R-DRAW-4: a locomotive that a sweep has laid cannot be the second card."""
    play = scene(
        TABLE
        + """market red locomotive locomotive white green
        next cards: locomotive blue locomotive black black red
        """
    ).do("ada: take 1")

    assert ("blue", "locomotive", "black", "black", "red") == play.cards.market
    assert ["draw", "take 1", "take 3", "take 4", "take 5"] == play.texts(ADA)
    assert "R-DRAW-4" == play.refused("ada: take locomotive").rule


def test_blind_locomotive_is_an_ordinary_card() -> None:
    """R-DRAW-5: a locomotive drawn blind does not stop the second draw, blind or open."""
    play = scene(TABLE + "next cards: locomotive locomotive").do("ada: draw")

    assert ["draw", "take 1", "take 2", "take 3", "take 4", "take 5"] == play.texts(ADA)

    play.do("ada: draw")
    assert ["locomotive", "locomotive"] == play.hand(ADA)
    assert TakeTurn(BEN) == play.decision_of(BEN)


def test_the_second_card_is_not_optional() -> None:
    """R-DRAW-6: after the first card the only options are to draw the second."""
    play = scene(TABLE + "ada holds 12 red").do("ada: take 1")

    assert ["draw", "take 1", "take 2", "take 3", "take 4", "take 5"] == play.texts(ADA)
    assert "R-ACT-PASS" == play.refused("ada: pass").rule
    assert "R-TURN-1" == play.refused("ada: tickets").rule
    assert "illegal" == play.refused("ada: claim chicago-duluth with 3 red").code


def test_no_second_card_where_only_locomotives_are_left() -> None:
    """R-DRAW-6: without deck, discards and coloured market cards the turn ends with one card."""
    play = scene(
        TABLE
        + """market locomotive locomotive locomotive locomotive red
        deck nothing
        ben holds the rest
        """
    ).do("ada: take 5")

    assert ["red"] == play.hand(ADA)
    assert (CardTaken(ADA, 5, "red", None), NoSecondCard(ADA), TurnBegan(BEN)) == play.events
    assert "There is no second card for Ada to draw." in play.sentences


def test_no_second_card_after_the_last_blind_one() -> None:
    """R-DRAW-6: if the first card was the last of the deck, the turn may end with one card."""
    play = scene(
        TABLE
        + """market locomotive locomotive locomotive locomotive locomotive
        deck 1 blue
        ben holds the rest
        """
    ).do("ada: draw")

    assert (CardDrawn(ADA, "blue"), NoSecondCard(ADA), TurnBegan(BEN)) == play.events


def test_hand_has_no_limit() -> None:
    """R-DRAW-7: a seat that holds almost every card may draw on."""
    play = scene(TABLE + "market red - - - -\ndeck nothing\nada holds the rest")

    assert 110 == len(play.do("ada: take 1").hand(ADA))


def test_face_up_cards_may_be_taken_when_nothing_replaces_them() -> None:
    """R-DRAW-8: without deck and discards the market can still be taken, and is not refilled."""
    play = scene(
        TABLE + "market red locomotive blue - -\ndeck nothing\nben holds the rest\nada has 2 trains"
    )
    assert ["take 1", "take 2", "take 3"] == play.texts(ADA, "take") + play.texts(ADA, "draw")

    play.do("ada: take 1")
    assert (None, "locomotive", "blue", None, None) == play.cards.market
    assert ["take 3"] == play.texts(ADA)

    assert ["blue", "red"] == play.do("ada: take 3").hand(ADA)


def test_last_locomotive_may_be_taken_first() -> None:
    """R-DRAW-8: a locomotive that is left may be taken as the first card, which ends the turn."""
    play = scene(TABLE + "market - locomotive - - -\ndeck nothing\nben holds the rest")

    play.do("ada: take 2")
    assert (CardTaken(ADA, 2, "locomotive", None), TurnBegan(BEN)) == play.events


def test_drawing_is_impossible_when_everything_is_empty() -> None:
    """R-DRAW-8: only without deck, discards and market is there nothing to draw."""
    play = scene(TABLE + "market - - - - -\ndeck nothing\nben holds the rest")

    assert [] == play.texts(ADA, "take") + play.texts(ADA, "draw")
    blind, open_card = play.refused("ada: draw"), play.refused("ada: take 1")
    assert ("illegal", "R-DECK-3") == (blind.code, blind.rule)
    assert ("illegal", "R-DRAW-8") == (open_card.code, open_card.rule)


@pytest.mark.parametrize("slot", [0, 6, 99])
def test_there_are_five_slots(slot: int) -> None:
    """R-MKT-1: a slot that the market does not have is refused."""
    refusal = scene(TABLE).refused((ADA, DrawFaceUp(slot)))

    assert ("illegal", "R-MKT-1") == (refusal.code, refusal.rule)


@pytest.mark.parametrize("text", ["take", "take mauve", "take everything"])
def test_words_for_no_card_cannot_be_read(text: str) -> None:
    """R-DRAW-8: a text that names no card is refused as unreadable, also with an empty slot."""
    play = scene(TABLE + "market red - - - -\ndeck nothing\nben holds the rest")

    assert "unreadable" == play.refused(f"ada: {text}").code
