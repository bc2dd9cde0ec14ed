"""Set-up (rules 1.1)."""

import pytest

from engine import Game, MapError, Refusal
from engine.rules.cards import HandDealt, cards
from engine.rules.market import MarketFilled, MarketSwept
from engine.rules.routes import routes
from engine.rules.tickets import ChooseTickets, OpeningClosed, TicketsOffered, tickets
from engine.rules.turns import TakeTurn, TurnBegan
from service.boards.atlas import board, ruleset
from tests.scenes import ADA, BEN, CEM

every_number = pytest.mark.parametrize("seats", [2, 3, 4, 5])


def fresh(seats: int = 3, seed: int = 7) -> Game:
    """A game that has just been set up."""
    return Game(ruleset("usa", (), seats), "set-up", bytes([seed]))


def started(seats: int = 3, seed: int = 7) -> Game:
    """A game after every seat has kept its first two tickets."""
    game = fresh(seats, seed)
    for seat in range(seats):
        game.play(seat, "keep 1 2")
    return game


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_number_of_seats(seats: int) -> None:
    """R-SETUP-1: the USA board is for two to five, and no other number can be seated."""
    assert (2, 5) == board("usa").seats

    with pytest.raises(MapError, match="2 to 5 seats"):
        ruleset("usa", (), seats)


@every_number
def test_trains_and_score(seats: int) -> None:
    """R-SETUP-2: each seat starts with 45 trains, no route and no points."""
    part = routes.part(fresh(seats).state)

    assert (45,) * seats == part.trains
    assert (0,) * seats == part.points
    assert {} == part.owners


def test_all_the_cards() -> None:
    """R-SETUP-3: there are twelve cards of each of eight colours and fourteen locomotives."""
    deck = cards.part(ruleset("usa").initial).deck

    assert (*[12] * 8, 14, 0, 0, 0) == deck
    assert 110 == sum(deck)


@every_number
def test_deal(seats: int) -> None:
    """R-SETUP-4: each seat gets four cards, five lie face up, and the rest is the deck."""
    part = cards.part(fresh(seats).state)

    assert [4] * seats == [sum(hand) for hand in part.hands]
    assert 5 == sum(card is not None for card in part.market)
    assert 110 - 4 * seats - 5 == sum(part.deck) + sum(part.discards)
    assert 0 == sum(part.discards)


def test_deal_is_secret() -> None:
    """R-SETUP-4: each seat sees its own hand, and of the others that they have four cards."""
    game = fresh()
    hands = [event for event in game.seen_by(ADA) if isinstance(event, HandDealt)]

    assert [False, True, True] == ["?" in event.cards for event in hands]
    assert [4, 4, 4] == [len(event.cards) for event in hands]


def test_sweep_at_set_up() -> None:
    """R-SETUP-5: a first market with three locomotives is swept, and no other is."""
    swept = 0
    for seed in range(256):
        events = fresh(2, seed).moves[0].events
        first = next(event for event in events if isinstance(event, MarketFilled))
        sweeps = [event for event in events if isinstance(event, MarketSwept)]
        assert (first.cards.count("locomotive") >= 3) == bool(sweeps)
        swept += bool(sweeps)

    assert 0 < swept < 20


@every_number
def test_tickets_are_dealt(seats: int) -> None:
    """R-SETUP-6: each seat is offered three tickets, no two alike, and must keep two."""
    game = fresh(seats)
    part = tickets.part(game.state)

    assert [3] * seats == [len(ids) for ids in part.offers]
    assert 3 * seats == len({id for ids in part.offers for id in ids})
    assert 30 - 3 * seats == part.fresh
    assert tuple(ChooseTickets(seat, 2, opening=True) for seat in range(seats)) == (
        game.state.awaiting
    )


def test_tickets_are_dealt_secretly() -> None:
    """R-SETUP-6: each seat sees the tickets it is offered, and of the others only the number."""
    offers = [event for event in fresh().seen_by(BEN) if isinstance(event, TicketsOffered)]

    assert [True, False, True] == [("?",) * 3 == event.tickets for event in offers]


def test_every_choice_of_two_or_three() -> None:
    """R-SETUP-6: any two or all three may be kept, and nothing else is offered."""
    game = fresh()
    a, b, c = tickets.part(game.state).offers[ADA]

    assert [f"keep {a} {b}", f"keep {a} {c}", f"keep {b} {c}", f"keep {a} {b} {c}"] == [
        option.text for option in game.options(ADA)
    ]


def refusal_of(game: Game, seat: int, text: str) -> tuple[str, str | None, str]:
    """Code, rule and sentence of a refusal that changes nothing."""
    before = game.state
    with pytest.raises(Refusal) as caught:
        game.play(seat, text)
    assert before is game.state
    return caught.value.code, caught.value.rule, caught.value.sentence


@pytest.mark.parametrize("text", ["keep 1", "keep none"])
def test_too_few_kept(text: str) -> None:
    """R-SETUP-6: fewer than two tickets cannot be kept at the start."""
    assert ("illegal", "R-SETUP-6", "You must keep at least 2 tickets.") == refusal_of(
        fresh(), ADA, text
    )


def test_no_turn_before_all_have_chosen() -> None:
    """R-SETUP-7: the first turn begins with the last choice, whichever seat makes it."""
    game = fresh()
    for seat in (BEN, ADA):
        game.play(seat, "keep all")
        assert not any(isinstance(event, TurnBegan) for event in game.events)
        assert "not_awaited" == refusal_of(game, seat, "draw")[0]

    events = game.play(CEM, "keep all")
    assert TurnBegan(ADA) == events[-1]
    assert (TakeTurn(ADA),) == game.state.awaiting


@pytest.mark.parametrize("text", ["draw", "take 1", "tickets", "pass"])
def test_nothing_else_before_the_choice(text: str) -> None:
    """R-SETUP-7: no other action is possible before the tickets are chosen."""
    assert "illegal" == refusal_of(fresh(), ADA, text)[0]


def test_returned_tickets_go_under_the_deck_together() -> None:
    """R-SETUP-8: with the last choice all returned tickets lie at the bottom, and no others."""
    game = fresh()
    offers = tickets.part(game.state).offers
    for seat in (CEM, ADA):
        game.play(seat, "keep 1 2")
        assert () == tickets.part(game.state).under
    events = game.play(BEN, "keep 1 2")

    assert {ids[2] for ids in offers} == set(tickets.part(game.state).under)
    assert OpeningClosed((2, 2, 2), tickets.part(game.state).under) == events[1]


def test_returned_tickets_are_shuffled() -> None:
    """R-SETUP-8: every order of the returned tickets comes up, by seat and by the map's order."""
    by_seat, by_map = set(), set()
    for seed in range(60):
        game = fresh(3, seed)
        third = [ids[2] for ids in tickets.part(game.state).offers]
        listed = [id for id in game.rules.board.tickets if id in third]
        for seat in range(3):
            game.play(seat, "keep 1 2")
        under = tickets.part(game.state).under
        by_seat.add(tuple(map(third.index, under)))
        by_map.add(tuple(map(listed.index, under)))

    assert (6, 6) == (len(by_seat), len(by_map))


def test_nobody_learns_what_was_returned() -> None:
    """R-SETUP-8: each seat knows its own returned ticket, and no seat the bottom of the deck."""
    game = started()

    for viewer in (ADA, BEN, CEM, None):
        (closed,) = (event for event in game.seen_by(viewer) if isinstance(event, OpeningClosed))
        assert OpeningClosed((2, 2, 2), ("?", "?", "?")) == closed


def test_returned_tickets_come_last() -> None:
    """R-SETUP-8: the bottom is drawn when the deck above it is used up."""
    game = started(2)
    under = tickets.part(game.state).under
    while tickets.part(game.state).fresh:
        (seat,) = game.awaited
        game.play(seat, "tickets")
        assert set(under).isdisjoint(tickets.part(game.state).offers[seat])
        game.play(seat, "keep all")
    (seat,) = game.awaited
    game.play(seat, "tickets")

    assert under == tickets.part(game.state).offers[seat]


@every_number
def test_play_goes_round(seats: int) -> None:
    """R-SETUP-9: seat 0 begins, and play goes round in seat order."""
    game = started(seats)
    order = []
    for _ in range(2 * seats):
        (seat,) = game.awaited
        order.append(seat)
        game.play(seat, "tickets")
        game.play(seat, "keep 1")

    assert [*range(seats)] * 2 == order


def test_set_up_follows_from_chance_alone() -> None:
    """R-SETUP-4: the same chance deals the same cards, another deals others."""
    assert fresh(3, 1).moves == fresh(3, 1).moves
    assert fresh(3, 1).moves != fresh(3, 2).moves
