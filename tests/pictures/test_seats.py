"""The colours of seats: unlike those of routes, unlike each other, and chosen or by number."""

import re
from itertools import combinations
from pathlib import Path

import pytest

import pictures
from engine.values import Route
from pictures import SEATS, Scene, Theme, looks_of
from pictures.palette import DARK, LIGHT, PALETTES
from service.boards import atlas
from tests.pictures.colour_distance import BLINDNESS, contrast, distance

UNLIKE_ROUTES = 12.0
"""The least distance of a seat's colour from that of a route; 2 can just be seen."""
UNLIKE_SEATS = 15.0
UNLIKE_FOR_ALL = 7.0
"""The least distance of two seats for people who cannot tell all colours apart."""
READABLE = 4.5
STYLE = Path(pictures.__file__).parent.parent / "api" / "static" / "pages" / "pages.css"
DAY_AND_NIGHT: tuple[Theme, ...] = ("light", "dark")


def _routes() -> list[Route]:
    return [route for id in atlas.board_ids() for route in atlas.board(id).routes.values()]


@pytest.mark.parametrize("theme", DAY_AND_NIGHT)
@pytest.mark.parametrize("look", SEATS, ids=lambda look: look.name)
def test_trains_stand_out_from_routes(look: pictures.Look, theme: Theme) -> None:
    """The colour of a seat is unlike that of every route of every board, by day and by night."""
    paints = PALETTES[theme].paints
    near = {
        colour: distance(look.ink, paints[colour].fill)
        for colour in {route.colour for route in _routes()}
    }
    assert UNLIKE_ROUTES <= min(near.values()), near


def test_seats_are_unlike_each_other() -> None:
    """No two seats have nearly the same colour."""
    for look, other in combinations(SEATS, 2):
        assert UNLIKE_SEATS <= distance(look.ink, other.ink), (look.name, other.name)


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_seats_are_unlike_each_other_for_the_colour_blind(blindness: str) -> None:
    """Colours of seats differ for people with each kind of colour blindness; patterns help."""
    for look, other in combinations(SEATS, 2):
        near = distance(look.ink, other.ink, blindness)
        assert UNLIKE_FOR_ALL <= near, (look.name, other.name, near)


def test_the_distance_is_that_of_the_trade() -> None:
    """Black and white are 100 apart; red and green grow alike without green cones."""
    assert 100 == pytest.approx(distance("#000000", "#ffffff"), abs=0.01)
    assert 0 == distance("#336699", "#336699", "deuteranopia")
    assert distance("#c62828", "#1b7f3b", "deuteranopia") < 5 < distance("#c62828", "#1b7f3b")


@pytest.mark.parametrize("look", SEATS, ids=lambda look: look.name)
def test_text_on_a_seat_can_be_read(look: pictures.Look) -> None:
    """Numbers and patterns have enough contrast with the colour below them."""
    assert READABLE <= contrast(look.ink, look.on_ink)


def test_pages_have_the_same_colours() -> None:
    """The style sheet gives seats the colours of the pictures."""
    style = dict(re.findall(r"\.seat\.(\w+) \{ background: (#\w+);", STYLE.read_text("utf-8")))
    assert {look.name: look.ink for look in SEATS} == style


def test_routes_are_still_told_apart() -> None:
    """The colours of routes differ from each other and from the land."""
    for palette in (LIGHT, DARK):
        fills = {name: paint.fill for name, paint in palette.paints.items()}
        for look, other in combinations({**fills, "land": palette.land}.items(), 2):
            assert distance(look[1], other[1]) >= 4.5, (look, other)


def test_without_a_choice_the_number_decides() -> None:
    """Seats without a chosen colour have the same one as ever."""
    assert ["red", "blue", "green", "yellow", "black"] == _names([None] * 5)


def test_a_chosen_colour_belongs_to_the_player() -> None:
    """A player keeps the chosen colour at any seat; who would have had it gets one that is free."""
    assert ["blue", "red", "green"] == _names(["blue", None, None])
    assert ["purple", "red", "green"] == _names(["purple", "red", None])
    assert ["green", "red", "blue", "yellow"] == _names(["green", "red", None, None])


def test_no_two_seats_share_a_colour() -> None:
    """Whatever was chosen, all seats look different."""
    for chosen in combinations([*pictures.COLOURS], 3):
        for places in ([*chosen, None, None], [None, *chosen, None], [None, None, *chosen]):
            assert 5 == len(set(_names(places)))


def test_the_picture_has_the_chosen_colours() -> None:
    """Trains, stations and the legend are drawn in the colours that were chosen."""
    board = atlas.board("europe")
    chosen = looks_of(["turquoise", None])
    there = Scene({"berlin-wien": [0]}, (), {"roma": 0}, ("Ada", "Ben"), looks=chosen)
    drawn = pictures.svg(board, there)
    assert 3 == drawn.count(f'fill="{chosen[0].ink}"')
    assert SEATS[0].ink not in drawn
    assert "Ada (turquoise) 1, Ben (blue) 0" in pictures.described(board, there)


def _names(chosen: list[str | None]) -> list[str]:
    return [look.name for look in looks_of(chosen)]
