"""Routes that the viewer means to claim, on the picture of a page."""

import re

from pictures import EMPTY, Overlay, page_svg
from service.boards.atlas import board

ROUTE, OTHER = "el_paso-houston", "calgary-winnipeg"


def _groups(svg: str) -> dict[str, str]:
    """What is drawn for each route."""
    return dict(re.findall(r'data-route="([^"]+)">(.*?)(?=<g class="|$)', svg, re.DOTALL))


def test_a_planned_route_has_its_number() -> None:
    """Numbers and lines are drawn on planned routes, and on no others."""
    usa = board("usa")
    planned = _groups(page_svg(usa, Overlay(EMPTY, sketch={ROUTE: (7, True), OTHER: (12, True)})))
    plain = _groups(page_svg(usa, Overlay(EMPTY)))

    assert (">7</text>" in planned[ROUTE], ">12</text>" in planned[OTHER]) == (True, True)
    assert {ROUTE, OTHER} == {id for id in plain if plain[id] != planned[id]}


def test_what_is_no_longer_possible_is_crossed_out() -> None:
    """An impossible route differs in its shape and not only in its colour."""
    usa = board("usa")
    possible, lost = (
        _groups(page_svg(usa, Overlay(EMPTY, sketch={ROUTE: (1, is_possible)})))[ROUTE]
        for is_possible in (True, False)
    )

    assert possible.count("<path") + 1 == lost.count("<path")
    assert ('stroke-dasharray="9 4"' in possible, 'stroke-dasharray="1 7"' in lost) == (True, True)


def test_pointing_at_a_planned_route_says_so() -> None:
    """The title of a planned route names its number, and whether it is still possible."""
    usa = board("usa")
    drawn = _groups(page_svg(usa, Overlay(EMPTY, sketch={ROUTE: (7, True), OTHER: (2, False)})))
    titles = {id: re.findall("<title>(.*?)</title>", group)[0] for id, group in drawn.items()}

    assert titles[ROUTE].endswith(", free, number 7 of your sketch")
    assert titles[OTHER].endswith(", free, number 2 of your sketch, but impossible now")
    assert 2 == sum("sketch" in title for title in titles.values())
