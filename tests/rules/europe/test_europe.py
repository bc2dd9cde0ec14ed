import random
from collections.abc import Iterator

import pytest

from engine import Game, replay
from engine.rules.tickets import ChooseTickets, TicketsOffered, tickets
from engine.rules.turns import GameEnded
from engine.values import ScoreLine
from service.boards.atlas import ruleset
from tests.scenes import ADA, BEN, CEM, Scene, scene

SEATS = (2, 3, 4, 5)
VARIANTS = ((), ("europa_1912",), ("europa_1912_mega",), ("europa_1912_big_cities",))


def opened(seats: int, *variants: str) -> Game:
    """A new game, in which every seat has to choose its first tickets."""
    return Game(ruleset("europe", variants, seats), "opening", b"europe" + bytes(26))


def offers(game: Game) -> Iterator[TicketsOffered]:
    """What every seat is offered at the start."""
    return (event for event in game.events if isinstance(event, TicketsOffered))


def decks(game: Game, ids: tuple[str, ...]) -> list[str]:
    """The first deck of each of these tickets."""
    return [game.rules.board.tickets[id].decks[0] for id in ids]


@pytest.mark.parametrize("seats", SEATS)
def test_each_seat_is_dealt_a_long_ticket_and_three_regular_ones(seats: int) -> None:
    """Each seat gets a long and three regular tickets and keeps at least two (R-EUR-1, R-EUR-2)."""
    game = opened(seats)

    assert [["long", "regular", "regular", "regular"]] * seats == [
        decks(game, event.tickets) for event in offers(game)
    ]
    assert [ChooseTickets(seat, 2, opening=True) for seat in range(seats)] == list(
        game.state.awaiting
    )


@pytest.mark.parametrize("seats", SEATS)
def test_long_tickets_that_are_not_dealt_leave_the_game(seats: int) -> None:
    """After the deal the deck has regular tickets only (R-EUR-1)."""
    game = opened(seats)

    deck = tickets.part(game.state).unseen

    assert 40 - 3 * seats == len(deck)
    assert {"regular"} == set(decks(game, deck))


def test_long_ticket_may_be_returned() -> None:
    """A seat may keep two regular tickets and return the long one (R-EUR-2)."""
    game = opened(2)
    mine = next(offers(game)).tickets

    game.play(0, f"keep {mine[2]} {mine[3]}")

    assert mine[2:] == tickets.part(game.state).held[0]


def test_two_tickets_are_kept_at_least() -> None:
    """A seat may keep two, three or four tickets, but not one (R-EUR-2)."""
    game = opened(2)

    assert {2, 3, 4} == {len(option.text.split()) - 1 for option in game.options(0)}


@pytest.mark.parametrize("seats", SEATS)
def test_tickets_returned_at_the_start_leave_the_game(seats: int) -> None:
    """Tickets returned at the start do not go under the deck (R-EUR-3)."""
    game = opened(seats)
    before = tickets.part(game.state).unseen
    for seat in range(seats):
        game.play(seat, "keep 1 2")

    part = tickets.part(game.state)

    assert ((), before) == (part.under, part.unseen)


def test_later_tickets_are_regular_and_go_under_the_deck() -> None:
    """Later, three regular tickets are drawn, and those not kept go under the deck (R-EUR-4)."""
    game = opened(2)
    for seat in (0, 1):
        game.play(seat, "keep all")
    game.play(0, "tickets")
    drawn = tickets.part(game.state).offers[0]

    assert ["regular"] * 3 == decks(game, drawn)
    assert ChooseTickets(0, 1, opening=False) == game.state.awaiting[0]

    game.play(0, "keep 2")
    assert (drawn[0], drawn[2]) == tickets.part(game.state).under


def test_last_tickets_come_from_under_the_deck() -> None:
    """With one regular ticket left on top, the next two are returned ones (R-EUR-4)."""
    play = scene("""
        europe · ada ben · turn ada
        ada has tickets the rest
        ticket top brest-venezia
        ticket bottom berlin-roma madrid-dieppe paris-wien
    """).do("ada: tickets")

    assert ("brest-venezia", "berlin-roma", "madrid-dieppe") == play.tickets.offers[ADA]


@pytest.mark.parametrize(
    ("variant", "dealt", "least", "deck", "drawn"),
    [
        ("europa_1912", ["long"] + ["regular"] * 3, 2, 59, 3),
        ("europa_1912_mega", ["long"] * 2 + ["regular"] * 5, 3, 89, 3),
        ("europa_1912_big_cities", ["regular"] * 5, 2, 45, 4),
    ],
)
def test_variants_have_decks_of_their_own(
    variant: str, dealt: list[str], least: int, deck: int, drawn: int
) -> None:
    """Each variant of Europa 1912 has its own deal and deck (R-EUR-1, R-EUR-2, R-EUR-4)."""
    game = opened(2, variant)
    first = next(offers(game))
    regular = dealt.count("regular")

    assert (dealt.count("long"), len(dealt), least) == (
        first.long,
        len(first.tickets),
        first.least,
    )
    assert dealt.count("long") == sum("long" in deck for deck in decks(game, first.tickets))
    assert deck - 2 * regular == len(tickets.part(game.state).unseen)
    assert drawn == tickets.parameters(game.rules).drawn


def test_lengths_and_points_of_the_board() -> None:
    """There are routes of 1, 2, 3, 4, 6 and 8 spaces, and 8 scores 21 (R-EUR-5)."""
    rules = ruleset("europe")

    assert {1, 2, 3, 4, 6, 8} == {route.length for route in rules.board.routes.values()}
    play = scene("""
        europe · ada ben · turn ada
        ada holds 8 white
        next cards: red red red
    """).do("ada: claim petrograd-stockholm with 8 white")
    assert 21 == play.network.points[ADA]


def ended(facts: str, names: str = "ada ben") -> Scene:
    """The game after Ada's last turn, in which she only draws."""
    play = scene(f"europe · {names} · last turn ada\n{facts.strip()}")
    return play.do("ada: draw", "ada: draw")


def test_all_who_tie_for_the_longest_trail_get_ten() -> None:
    """All seats that tie for the longest trail get ten points (R-EUR-6)."""
    play = ended(
        """
        ada owns brest-pamplona
        ben owns moskva-petrograd
        cem owns brest-paris
        """,
        "ada ben cem",
    )
    bonus = ScoreLine("longest_trail", 10)

    assert [True, True, False] == [bonus in result.lines for result in play.end.results]


def test_tie_goes_to_the_most_completed_tickets() -> None:
    """With equal totals, the seat with the most completed tickets wins (R-TIE-3, R-TIE-1)."""
    play = ended("""
        ben owns budapest-sarajevo sarajevo-sofia
        ben has tickets budapest-sofia
        ben has 5 points
        ada has 20 points
    """)

    assert [32, 32] == [result.total for result in play.end.results]
    assert (BEN,) == play.end.winners


def test_tie_goes_to_the_fewest_stations() -> None:
    """With equal totals and tickets, the seat with the fewest stations wins (R-TIE-3)."""
    play = ended("""
        ada owns brest-pamplona
        ada has 4 points
        ada has stations in paris wien
        ben owns brest-paris
        ben has 10 points
        ben has stations in roma
    """)

    assert [18, 18] == [result.total for result in play.end.results]
    assert (4, 3) == tuple(result.trail for result in play.end.results)
    assert (BEN,) == play.end.winners


def test_tie_goes_to_the_longest_trail_of_the_tied() -> None:
    """With equal tickets and stations, the longest trail of a tied seat wins (R-TIE-3)."""
    play = ended(
        """
        ada owns brest-dieppe
        ada has 30 points
        ben owns brest-paris
        ben has 30 points
        cem owns moskva-petrograd
        """,
        "ada ben cem",
    )

    assert (2, 3, 4) == tuple(result.trail for result in play.end.results)
    assert (BEN,) == play.end.winners
    assert [2, 1, 3] == [result.rank for result in play.end.results]


def test_tie_that_nothing_breaks_is_a_shared_victory() -> None:
    """If tickets, stations and trails are equal, the victory is shared (R-TIE-5, R-EUR-6)."""
    play = ended("""
        ada owns brest-pamplona
        ben owns moskva-petrograd
    """)

    assert (ADA, BEN) == play.end.winners
    assert ["Ada and Ben share the victory"] == [
        sentence.split(": ")[1].split(" with")[0]
        for sentence in play.sentences
        if "share" in sentence
    ]


def test_criteria_look_only_at_the_tied() -> None:
    """A seat with the most tickets but fewer points takes no part in the tie-break (R-TIE-0)."""
    play = ended(
        """
        ada has 40 points
        ben has 40 points
        cem owns budapest-sarajevo sarajevo-sofia
        cem has tickets budapest-sofia
        """,
        "ada ben cem",
    )

    assert (ADA, BEN) == play.end.winners
    assert 3 == play.end.results[CEM].rank


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("variants", VARIANTS, ids=lambda names: "-".join(names) or "plain")
def test_game_is_played_to_its_end(variants: tuple[str, ...], seats: int) -> None:
    """In a whole game nothing is lost, and each total adds up (R-FINAL-1, R-DECK-4)."""
    rules = ruleset("europe", variants, seats)
    game, rng = Game(rules, "whole", bytes(32)), random.Random(seats)
    while not game.is_over:
        seat = rng.choice(game.awaited)
        actions = game.options(seat).actions
        kind = rng.choice(sorted({action.kind for action in actions}))
        game.play(seat, rng.choice([action for action in actions if action.kind == kind]))
        for account in rules.all("accounts"):
            account(rules, game.state)

    ended = game.events[-1]
    assert isinstance(ended, GameEnded)
    assert replay(rules, game.events) == game.state
    for result in ended.results:
        scored = {line.kind for line in result.lines}
        assert {"routes", "tickets_completed", "tickets_failed", "stations"} <= scored
        assert result.total == sum(line.points for line in result.lines)
