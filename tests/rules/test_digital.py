"""Digital, asynchronous play (rules 8)."""

import inspect
from collections.abc import Iterator

import pytest

from engine import Ambiguous, Chance, Game, Illegal, NotAwaited, State, default_for, options, replay
from engine.rules.cards import CardDrawn, CardTaken, DrawBlind, DrawSecondCard, HandDealt, cards
from engine.rules.routes import RouteClaimed, routes
from engine.rules.tickets import ChooseTickets, OpeningClosed, OpeningTicketsChosen, tickets
from engine.rules.turns import GameEnded, GameStarted, TakeTurn, turns
from engine.values import SLOT
from engine.views import seen_by
from service.boards.atlas import ruleset
from tests.scenes import ADA, BEN, CEM, counted, scene

SPECTATOR = None


def fresh(seed: int = 7, seats: int = 3) -> Game:
    """A game that has just been set up."""
    return Game(ruleset("usa", (), seats), "digital", bytes([seed]))


def positions(every: int = 9) -> Iterator[Game]:
    """Positions of one game, one after every few moves."""
    game = fresh(5)
    while not game.is_over:
        if game.version % every == 0:
            yield game
        seat = game.awaited[-1]
        actions = game.options(seat).actions
        game.play(seat, actions[Chance(b"bot", "bot", game.version).below(len(actions))])


def seating(seed: int) -> tuple[int, ...]:
    """The seating of a game with this seed."""
    started = fresh(seed).events[0]
    assert isinstance(started, GameStarted)
    return started.seating


def test_seats_are_drawn_by_lot() -> None:
    """R-DIG-1: every order of the joiners comes up, and all can learn it."""
    assert 6 == len({seating(seed) for seed in range(60)})
    assert all({0, 1, 2} == set(seating(seed)) for seed in range(60))
    assert fresh().events[0] == seen_by(fresh().events[0], SPECTATOR)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_start_choice_in_any_order(order: tuple[int, ...]) -> None:
    """R-DIG-2: all seats are asked at once, answer in any order, and come to the same position."""
    game = fresh()
    for done, seat in enumerate(order):
        assert set(range(3)) - set(order[:done]) == set(game.awaited)
        game.play(seat, "keep 1 2")

    assert (TakeTurn(ADA),) == game.state.awaiting
    assert (2, 2, 2) == tuple(map(len, tickets.part(game.state).held))


def test_start_choice_is_final() -> None:
    """R-DIG-2: a seat that has chosen has no options, and a second choice is refused."""
    game = fresh()
    game.play(BEN, "keep 1 2")

    assert [] == list(game.options(BEN))
    with pytest.raises(NotAwaited):
        game.play(BEN, "keep all")


@pytest.mark.parametrize("text", ["keep 1 2", "keep 2 3", "keep all"])
@pytest.mark.parametrize("viewer", [ADA, CEM, SPECTATOR])
def test_start_choice_is_hidden_until_the_last(text: str, viewer: int | None) -> None:
    """R-DIG-2: until the last has chosen, nobody sees what or how many another seat kept."""
    game, other = fresh(), fresh()
    game.play(BEN, text)
    other.play(BEN, "keep 1 3")

    assert OpeningTicketsChosen(BEN, None, None) == game.seen_by(viewer)[-1]
    assert other.view(viewer) == game.view(viewer)
    assert 0 == len(tickets.part(game.view(viewer)).held[BEN])


def test_number_kept_is_told_when_all_have_chosen() -> None:
    """R-DIG-2: with the last choice the numbers are public, and the tickets are not."""
    game = fresh()
    for seat, text in enumerate(("keep 1 2", "keep all", "keep 2 3")):
        game.play(seat, text)

    (closed,) = (event for event in game.seen_by(SPECTATOR) if isinstance(event, OpeningClosed))
    assert (2, 3, 2) == closed.kept
    assert (("?",) * 2, ("?",) * 3, ("?",) * 2) == tickets.part(game.view(SPECTATOR)).held


def test_hands_and_market_are_seen_during_the_choice() -> None:
    """R-DIG-2: a seat knows its hand and the market while it chooses its tickets."""
    game = fresh()
    mine, full = cards.part(game.view(BEN)), cards.part(game.state)

    assert isinstance(game.state.awaiting[BEN], ChooseTickets)
    assert full.hands[BEN] == mine.hands[BEN]
    assert full.market == mine.market


def public(state: State) -> list[object]:
    """What everybody may know at any time, worked out from a state or a view."""
    network, hands, held = routes.part(state), cards.part(state), tickets.part(state)
    opening = any(
        isinstance(decision, ChooseTickets) and decision.opening for decision in state.awaiting
    )
    return [
        network,
        [sum(hand) for hand in hands.hands],
        hands.market,
        sum(hands.deck),
        hands.discards,
        [] if opening else [len(ids) for ids in held.held],
        held.fresh + len(held.under),
        state.awaiting,
        turns.part(state),
    ]


@pytest.mark.parametrize("viewer", [ADA, CEM, SPECTATOR])
def test_public_things(viewer: int | None) -> None:
    """R-DIG-3: every view shows pieces, scores, market, counts, decisions and the last round."""
    for game in positions():
        assert public(game.state) == public(game.view(viewer))


def test_discards_are_open_and_the_deck_has_no_order() -> None:
    """R-DIG-4: the discards are known card by card; the deck is counted and has no order."""
    for game in positions(29):
        view = cards.part(game.view(SPECTATOR))
        assert cards.part(game.state).discards == view.discards
        assert len(SLOT) == len(view.deck) == len(cards.part(game.state).deck)


def test_order_of_the_unseen_tickets_says_nothing() -> None:
    """R-DIG-4: unseen tickets stand in the order of the map, not in that of coming draws."""
    for game in positions(29):
        unseen = tickets.part(game.state).unseen
        assert tuple(id for id in game.rules.board.tickets if id in unseen) == unseen


@pytest.mark.parametrize("viewer", [BEN, SPECTATOR])
def test_private_things(viewer: int | None) -> None:
    """R-DIG-5: others know neither the tickets nor the blind cards of a seat."""
    for game in positions():
        view = game.view(viewer)
        shown = tickets.part(view)
        assert {"?"} >= {*shown.held[ADA], *shown.offers[ADA]}
        dealt = [event for event in game.seen_by(viewer) if isinstance(event, HandDealt)]
        assert [event.seat == viewer for event in dealt] == [
            "?" not in event.cards for event in dealt
        ]


def test_owner_knows_all_of_it() -> None:
    """R-DIG-5: a seat knows its own cards, tickets and options."""
    for game in positions():
        view = game.view(ADA)
        assert cards.part(game.state).hands[ADA] == cards.part(view).hands[ADA]
        assert tickets.part(game.state).held[ADA] == tickets.part(view).held[ADA]
        assert tickets.part(game.state).offers[ADA] == tickets.part(view).offers[ADA]
        assert game.options(ADA).actions == options(game.rules, view, ADA).actions


def test_cards_taken_are_public_and_cards_drawn_are_not() -> None:
    """R-DIG-6: all see which market card was taken; a blind card is known to its drawer only."""
    play = scene("usa · ada ben cem · turn ada\nnext cards: red black")
    taken, drawn, *_ = play.do("ada: take 1", "ada: draw").events

    for viewer in (BEN, CEM, SPECTATOR):
        assert CardTaken(ADA, 1, "purple", "red") == seen_by(taken, viewer)
        assert CardDrawn(ADA, "?") == seen_by(drawn, viewer)
    assert CardDrawn(ADA, "black") == seen_by(drawn, ADA)


def test_spectators_see_no_hidden_thing() -> None:
    """R-DIG-7: what a spectator sees, every seat sees too, and of no seat any secret."""
    for game in positions(29):
        assert all(
            "?" in event.cards for event in game.seen_by(SPECTATOR) if isinstance(event, HandDealt)
        )
        for seat in range(3):
            for mine, theirs in zip(game.seen_by(seat), game.seen_by(SPECTATOR), strict=True):
                assert theirs == seen_by(mine, SPECTATOR)


def test_colour_of_a_payment_is_never_guessed() -> None:
    """R-DIG-8: a claim that can be paid in several colours is asked back, with the ways."""
    play = scene("usa · ada ben · turn ada\nada holds 2 red 2 blue 1 locomotive")

    refusal = play.refused("ada: claim duluth-omaha")
    assert isinstance(refusal, Ambiguous)
    assert "ambiguous" == refusal.code
    assert (
        "claim duluth-omaha-1 with 2 blue",
        "claim duluth-omaha-1 with 2 red",
    ) == refusal.candidates


def test_fewest_locomotives_are_meant() -> None:
    """R-DIG-8: where payments differ only in locomotives, the fewest are paid."""
    play = scene("usa · ada ben · turn ada\nada holds 2 red 3 locomotive")

    play.do("ada: claim chicago-duluth")

    assert counted(["red"] * 2 + ["locomotive"]) == play.cards.discards


def test_payment_is_taken_as_given() -> None:
    """R-DIG-8: exactly the named cards are paid, though others would do."""
    play = scene("usa · ada ben · turn ada\nada holds 3 red 3 locomotive")

    play.do("ada: claim chicago-duluth with 1 red 2 locomotive")
    claimed = play.events[0]
    assert isinstance(claimed, RouteClaimed)
    assert "1 red 2 locomotive" == str(claimed.payment)
    assert ["red", "red", "locomotive"] == play.hand(ADA)


def test_nothing_is_taken_back() -> None:
    """R-DIG-10: no word takes a move back, and an accepted card stays where it is."""
    play = scene("usa · ada ben · turn ada").do("ada: take 1")

    assert (DrawSecondCard(ADA),) == play.state.awaiting
    for text in ("undo", "back", "take back"):
        assert "unreadable" == play.refused(f"ada: {text}").code
    assert ["purple"] == play.hand(ADA)


def test_everything_is_shown_at_the_end() -> None:
    """R-DIG-11: at the end all see all tickets, and the score of each seat line by line."""
    *_, game = positions(1)
    while not game.is_over:
        (seat,) = game.awaited
        game.play(seat, game.options(seat).actions[0])
    ended = game.seen_by(SPECTATOR)[-1]

    assert game.state == game.view(SPECTATOR)
    assert isinstance(ended, GameEnded)
    for seat, result in enumerate(ended.results):
        assert set(tickets.part(game.state).held[seat]) == {*result.completed, *result.failed}
        assert ["routes", "tickets_completed", "tickets_failed"] == [
            line.kind for line in result.lines[:3]
        ]
        assert result.total == sum(line.points for line in result.lines)
        assert 1 <= result.rank <= 3


def test_trying_does_not_draw_again() -> None:
    """R-DIG-12: a refused attempt and a repeated one do not change what is drawn."""
    drawn = []
    for tries in range(3):
        game = fresh()
        for seat in range(3):
            game.play(seat, "keep all")
        for _ in range(tries):
            with pytest.raises(Illegal):
                game.play(ADA, "pass")
        drawn.append(game.play(ADA, DrawBlind()))

    assert drawn[0] == drawn[1] == drawn[2]


def test_options_see_no_chance() -> None:
    """R-DIG-12: options and replays have no access to chance, so nobody can look ahead."""
    for run in (options, replay, default_for):
        assert "chance" not in inspect.signature(run).parameters


def test_another_secret_draws_otherwise() -> None:
    """R-DIG-12: the draws follow from the service's secret alone."""
    draws = {Chance(bytes([n]), "digital", 1).below(10**9) for n in range(50)}

    assert 50 == len(draws)


def test_no_rule_for_the_absent() -> None:
    """R-DIG-13: a whole game offers the actions of the rules, and neither clock nor resignation."""
    offered = {
        action.kind
        for game in positions(1)
        for seat in game.awaited
        for action in game.options(seat).actions
    }

    assert {"keep_tickets", "draw_face_up", "draw_blind", "draw_tickets", "claim"} == offered


def test_card_is_drawn_for_who_does_not_answer() -> None:
    """R-DIG-13: what a service may do for an absent seat spends nothing and promises nothing."""
    play = scene("usa · ada ben · turn ada")

    assert DrawBlind() == default_for(play.rules, play.state, ADA)
