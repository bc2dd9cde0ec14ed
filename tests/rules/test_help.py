"""Help texts for players who meet a choice for the first time."""

from itertools import pairwise

import pytest

from engine import Ruleset, options
from engine.display import all_help, help_for, published
from service.boards import atlas
from tests.scenes import ADA, scene

TECHNOLOGIES = {
    "wales_concession": "region in its name",
    "ireland_france_concession": "region in its name",
    "scotland_concession": "region in its name",
    "mechanical_stoker": "routes of 3 spaces",
    "superheated_boiler": "routes of 4, 5 or 6 spaces",
    "propellers": "claim ferries",
    "booster": "Any 3 cards count as a locomotive, instead of 4.",
    "boiler_lagging": "Every route that you claim from now on is worth 1 more point.",
    "steam_turbines": "Every ferry that you claim from now on is worth 2 more points.",
    "double_heading": "every ticket that you have completed is worth 2 more points",
    "right_of_way": "a route that another player has already claimed",
    "thermocompressor": "two routes in the turn in which you buy it",
    "water_tender": "three from the deck instead of the usual two",
    "risky_contracts": "gain 20 points",
    "equalising_beam": "gain 15 points",
    "diesel_power": "pay 1 less than the cost of a route",
}
"""What the rules say of each (R-TECH-3, R-TECH-9 to 12, R-UK-5, R-ADV-1 to 5)."""


def about(rules: Ruleset) -> set[str]:
    """The subjects that have a help text in a game."""
    return {text.about for text in all_help(rules)}


def test_every_technology_says_what_it_is_good_for() -> None:
    """The board's document and the option to buy it have the help text of each technology."""
    rules = atlas.ruleset("uk", ("advanced_technologies",), 3)
    texts = {row["id"]: row["help"] for row in published(rules)["technologies"]}

    assert TECHNOLOGIES.keys() == texts.keys()
    for id, words in TECHNOLOGIES.items():
        assert words in texts[id]
        assert texts[id] in [text.text for text in help_for(rules, f"buy {id.replace('_', '-')}")]


@pytest.mark.parametrize(
    ("board", "variants", "expected"),
    [
        ("usa", (), {"double_route", "locomotive", "ticket"}),
        (
            "europe",
            (),
            {"double_route", "locomotive", "ticket", "ferry", "tunnel", "station"},
        ),
        (
            "europe",
            ("dice",),
            {
                "double_route", "dice", "single_and_double", "token", "ticket", "tickets_for_dice",
                "ferry", "tunnel", "station",
            },
        ),
        (
            "uk",
            (),
            {
                "double_route", "locomotive", "instead_of_locomotive", "ticket", "terminus",
                "ferry", "technology",
            },
        ),
        (
            "nordic",
            (),
            {
                "double_route", "locomotive", "locomotive_routes", "ferry", "cards_for_a_symbol",
                "any_cards", "tunnel", "ticket", "tickets_not_kept",
            },
        ),
        (
            "nordic",
            ("dice",),
            {
                "double_route", "dice", "single_and_double", "token", "ticket", "tickets_for_dice",
                "tickets_not_kept", "ferry", "tunnel",
            },
        ),
        (
            "switzerland",
            (),
            {
                "double_route", "locomotive", "locomotive_routes", "tunnel", "ticket",
                "tickets_not_kept", "terminus", "country_tickets",
            },
        ),
        (
            "germany",
            (),
            {
                "double_route", "triple_route", "locomotive", "ticket", "terminus", "ticket_mix",
                "coloured_passengers",
            },
        ),
        (
            "marklin",
            (),
            {
                "double_route", "triple_route", "locomotive", "plus4", "passenger_card", "ticket",
                "terminus", "ticket_mix", "passenger",
            },
        ),
        (
            "marklin",
            ("dice",),
            {
                "double_route", "triple_route", "dice", "single_and_double", "token", "ticket",
                "terminus", "tickets_for_dice", "ticket_mix", "passenger",
            },
        ),
    ],
)  # fmt: skip
def test_what_is_explained(board: str, variants: tuple[str, ...], expected: set[str]) -> None:
    """A board explains exactly the things that can be met on it."""
    assert expected == about(atlas.ruleset(board, variants, 2))


@pytest.mark.parametrize(
    ("route", "expected"),
    [
        ("brest-dieppe", []),
        ("amsterdam-london", ["ferry"]),
        ("venezia-zurich", ["tunnel"]),
        ("berlin-frankfurt-red", ["double_route"]),
    ],
)
def test_a_route_is_explained_by_what_it_is(route: str, expected: list[str]) -> None:
    """A ferry, a tunnel or a double route is explained as what it is; a plain route is not."""
    rules = atlas.ruleset("europe", (), 2)

    assert expected == [text.about for text in help_for(rules, f"claim {route}")]


def test_help_speaks_of_what_pays() -> None:
    """Help in a dice game does not mention cards (R-DICE-20, R-DICE-21, R-DICE-25)."""
    rules = atlas.ruleset("europe", ("dice",), 2)
    texts = {text.about: text.text for text in all_help(rules)}

    assert [] == [id for id, text in texts.items() if "card" in text]
    assert "a joker" in texts["ferry"]
    assert "die that shows a station or a joker" in texts["station"]


@pytest.mark.parametrize(
    ("seats", "words"), [(3, "closed to everybody"), (4, "Another player may")]
)
def test_the_other_track_depends_on_the_seats(seats: int, words: str) -> None:
    """Help says whether a claim closes the other track, by number of seats (R-DBL-2, R-DBL-3)."""
    (text,) = help_for(atlas.ruleset("usa", (), seats), "claim")[:1]

    assert words in text.text


@pytest.mark.parametrize(
    ("seats", "words"), [(3, "As soon as two are claimed, the third is closed"), (4, "other two")]
)
def test_the_third_track_depends_on_the_seats(seats: int, words: str) -> None:
    """Help on a triple route says when its last track is closed, and nothing of two (R-GER-3)."""
    rules = atlas.ruleset("germany", (), seats)
    texts = {text.about: text.text for text in help_for(rules, "claim dortmund-dusseldorf-1")}

    assert words in texts["triple_route"]
    assert "double_route" not in texts


def test_triple_routes_take_double_dice() -> None:
    """R-DICE-29: help with dice says that triple routes cost doubles, where there are any."""
    for board, named in (("germany", True), ("usa", False)):
        texts = {text.about: text.text for text in all_help(atlas.ruleset(board, ("dice",), 2))}
        assert named == ("double or triple route" in texts["single_and_double"])


def test_the_example_of_a_ride_is_on_the_board() -> None:
    """R-MAR-28: the ride that help gives as an example goes along routes of the board."""
    rules = atlas.ruleset("marklin", (), 2)
    texts = {text.about: text.text for text in all_help(rules)}
    example = texts["passenger"].partition("“ride ")[2].partition("”")[0].split()
    pairs = {frozenset(route.cities) for route in rules.board.routes.values()}

    assert 3 == len({*example})
    assert {frozenset(pair) for pair in pairwise(example)} <= pairs


def test_every_group_of_options_has_a_title() -> None:
    """Every group of options in a scene with cards, stations and routes has a title."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 3 green 1 locomotive
    """)
    groups = {option.group.split()[0] for option in options(play.rules, play.state, ADA)}

    assert {"draw", "claim", "station", "tickets"} == groups
    assert groups <= set(play.rules.keys("titles"))
