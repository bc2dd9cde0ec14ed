"""The legend of a picture shows what the board has, and nothing else."""

from xml.etree import ElementTree as ET

import pytest

import pictures
from engine.names import called
from engine.values import COLOURS, FERRY, GRAY, TUNNEL
from pictures import EMPTY
from service.boards import atlas
from tests.pictures.measuring import SVG


def _texts(drawn: str) -> list[str]:
    root = ET.fromstring(drawn)  # noqa: S314  # our own
    return [str(text.text) for text in root.iter(f"{SVG}text")]


def _key(board: str, *, rolls: bool = False) -> set[str]:
    """The words of the legend: those of the picture that are no city's name."""
    drawn = pictures.svg(atlas.board(board), EMPTY._replace(rolls=rolls))
    names = {part for city in atlas.board(board).cities.values() for part in city.name.split()}
    return {text for text in _texts(drawn) if not names & set(text.split())}


@pytest.mark.parametrize("board", atlas.board_ids())
def test_the_legend_has_the_signs_of_the_board(board: str) -> None:
    """Each colour and kind of route on the board has a sign, and there is no other."""
    routes = atlas.board(board).routes.values()
    colours = {called(route.colour) for route in routes if route.colour != GRAY}
    kinds = {route.kind for route in routes}
    key = _key(board)
    assert colours == key & {called(colour) for colour in COLOURS}
    assert ("any colour" in key) == any(route.colour == GRAY for route in routes)
    assert ("tunnel" in key) == (TUNNEL in kinds)
    assert ("ferry, with locomotive" in key) == (FERRY in kinds)


def test_boards_differ() -> None:
    """The USA have neither tunnels nor ferries, Europe has both."""
    special = {"tunnel", "ferry, with locomotive"}
    assert set() == _key("usa") & special
    assert special == _key("europe") & special


def test_with_dice_colours_mean_nothing() -> None:
    """With dice the legend names no colours, and jokers take the place of locomotives."""
    assert {"the colours of routes do not matter"} == _key("usa", rolls=True)
    assert {
        "the colours of routes do not matter",
        "ferry, with joker",
        "tunnel",
    } == _key("europe", rolls=True)


@pytest.mark.parametrize(("variants", "rolls"), [(("dice",), True), ((), False)])
def test_a_scene_knows_whether_dice_are_rolled(variants: tuple[str, ...], *, rolls: bool) -> None:
    """The scene of a game says so, whatever rule brings the dice."""
    rules = atlas.ruleset("usa", variants, 2)
    assert rolls == pictures.scene_of(rules, rules.initial, ["Ada", "Ben"]).rolls
