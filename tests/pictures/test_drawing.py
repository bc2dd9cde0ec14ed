"""The pictures of boards, as SVG."""

import re
from xml.etree import ElementTree as ET

import pytest

import pictures
from engine.display import Chip
from engine.values import COLOURS
from pictures import EMPTY, Scene, seats, shapes
from pictures.palette import PALETTES, Theme
from service.boards import atlas
from tests.pictures.measuring import SVG, spaces
from tests.random_games import Table, played

BOARDS = atlas.board_ids()
NAMES = ("Ada", "Ben", "Cem", "Dora", "Eli")


def scene(**more: object) -> Scene:
    """An empty board with three players."""
    return EMPTY._replace(names=NAMES[:3])._replace(**more)  # type: ignore[arg-type]


def groups(drawn: str, kind: str) -> dict[str, ET.Element]:
    """The routes or cities of an interactive picture."""
    root = ET.fromstring(drawn)  # noqa: S314  # our own
    matching = (group for group in root.iter(f"{SVG}g") if group.get("class") == kind)
    return {group.attrib[f"data-{kind}"]: group for group in matching}


def title(group: ET.Element) -> str | None:
    """The text for screen readers of a group."""
    return group.findtext(f"{SVG}title")


@pytest.mark.parametrize("board", BOARDS)
def test_everything_on_the_board_is_drawn(board: str) -> None:
    """Every city and its name, and every route with its number of spaces, is in the picture."""
    laid = atlas.board(board)
    drawn = pictures.svg(laid, EMPTY, interactive=True)
    routes = groups(drawn, "route")
    assert {id: route.length for id, route in laid.routes.items()} == {
        id: spaces(group) for id, group in routes.items()
    }
    assert list(laid.cities) == list(groups(drawn, "city"))
    written = re.sub(r"</text><text[^>]*>", " ", drawn)
    assert [] == [city.name for city in laid.cities.values() if city.name not in written]


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize(
    "table",
    [
        Table("usa", (), 5),
        Table("europe", (), 5),
        Table("uk", ("advanced_technologies",), 4),
        Table("marklin", (), 5),
        Table("germany", (), 5),
    ],
    ids=str,
)
def test_a_whole_game_can_be_drawn(table: Table, theme: Theme) -> None:
    """The trains and stations of a finished game are drawn, in less than 150 kB."""
    view, names = played(table, 0).game.state, NAMES[: table.seats]
    board, scene = table.rules.board, pictures.scene_of(table.rules, view, names)
    last = [*scene.claimed, *scene.pieces]
    drawn = pictures.svg(board, scene, theme=theme, last=last, interactive=True)
    routes, cities = groups(drawn, "route"), groups(drawn, "city")
    for id, owners in scene.claimed.items():
        assert board.routes[id].length == spaces(routes[id])
        assert f'fill="{seats.SEATS[owners[0]].ink}"' in ET.tostring(routes[id], "unicode")
        assert "claimed by" in str(title(routes[id]))
    for id, owner in scene.pieces.items():
        assert [str(owner + 1)] == [text.text for text in cities[id].iter(f"{SVG}text")]
    assert len(drawn.encode()) < 150_000


def test_nothing_on_the_board_is_written_too_small() -> None:
    """Numbers of passengers, stations and chips have at least eleven units, on 1400 units."""
    laid = atlas.board("marklin")
    there = scene(
        pawns={"koln": [0], "mainz": [0, 1]},
        pieces={"kiel": 2},
        chips={"berlin": (Chip("black", "7"),)},
    )
    root = ET.fromstring(pictures.svg(laid, there))  # noqa: S314  # our own
    sizes = {text.text: text.get("font-size") for text in root.iter(f"{SVG}text")}

    assert {"1", "2", "3", "7"} <= {*sizes}
    assert 11 <= min(float(size) for size in sizes.values() if size)


def test_what_a_screen_reader_says() -> None:
    """Routes have price and owner, cities their stations and the viewer's tickets, as titles."""
    europe = atlas.board("europe")
    there = scene(
        claimed={"berlin-wien": [1]},
        closed=["berlin-frankfurt-red"],
        pieces={"wien": 0},
        words={"wien": "station of Ada (red)"},
    )
    drawn = pictures.svg(europe, there, tickets={"wien": False, "roma": True}, interactive=True)
    titles = {id: title(group) for id, group in groups(drawn, "route").items()}
    assert "Berlin–Wien, green route of length 3, claimed by Ben (blue)" == titles["berlin-wien"]
    assert "Berlin–Frankfurt, red route of length 3, closed" == titles["berlin-frankfurt-red"]
    assert "Roma–Venezia, black route of length 2, free" == titles["roma-venezia"]
    assert (
        "Palermo–Smyrna, gray ferry of length 6 with 2 locomotives, free"
        == titles["palermo-smyrna"]
    )
    cities = {id: title(group) for id, group in groups(drawn, "city").items()}
    assert "Wien, station of Ada (red), your ticket, not completed" == cities["wien"]
    assert "Roma, your ticket, completed" == cities["roma"]
    assert "Sofia" == cities["sofia"]


def test_several_owners_share_a_route() -> None:
    """A route with two owners shows trains of both."""
    drawn = pictures.svg(
        atlas.board("uk"), scene(claimed={"hull-norwich": [0, 2]}), interactive=True
    )
    route = groups(drawn, "route")["hull-norwich"]
    inks = [
        (path.get("fill"), path.attrib["d"].count("M"))
        for path in route.iter(f"{SVG}path")
        if path.get("stroke-width") == "1.5"
    ]
    assert [(seats.SEATS[0].ink, 2), (seats.SEATS[2].ink, 2)] == inks


@pytest.mark.parametrize("interactive", [False, True])
def test_a_strict_page_may_show_it(interactive: bool) -> None:  # noqa: FBT001
    """The SVG has no style, no script, no external resource and no duplicate id."""
    drawn = pictures.svg(atlas.board("europe"), scene(), interactive=interactive)
    assert [] == re.findall(r"style|<script|\son\w+=|href|url\(|<image|<use", drawn)
    ids = re.findall(r' id="([^"]*)"', drawn)
    assert len(ids) == len(set(ids))
    assert drawn.count("http") == 1


def test_the_same_table_gives_the_same_picture() -> None:
    """The order in which facts are given does not change the picture."""
    usa = atlas.board("usa")
    routes = list(usa.routes)[:6]
    first = scene(claimed={id: [n % 3] for n, id in enumerate(routes)})
    other = first._replace(claimed=dict(reversed(list(first.claimed.items()))))
    assert pictures.svg(usa, first, last=routes) == pictures.svg(usa, other, last=set(routes))


def test_what_is_new_is_lit() -> None:
    """The last move, a ticket and a closed route change the picture; an unknown id does not."""
    usa, (first, second) = atlas.board("usa"), ["dallas-houston-1", "dallas-houston-2"]
    there = scene(claimed={first: [0]})
    drawn = {
        pictures.svg(usa, there),
        pictures.svg(usa, there, last=[first]),
        pictures.svg(usa, there, last=["miami"]),
        pictures.svg(usa, there, tickets={"miami": True}),
        pictures.svg(usa, there, tickets={"miami": False}),
        pictures.svg(usa, there._replace(closed=[second])),
    }
    assert 6 == len(drawn)
    assert pictures.svg(usa, there) == pictures.svg(usa, there, last=["nowhere"], tickets={})


def test_names_are_no_mark_up() -> None:
    """A player's name is escaped, and shortened if it is too long."""
    evil = ("</svg><script>", "B & C", "x" * 300)
    drawn = pictures.svg(atlas.board("usa"), scene(names=evil, claimed={"dallas-houston-1": [0]}))
    root = ET.fromstring(drawn)  # noqa: S314  # our own
    assert [] == list(root.iter(f"{SVG}script"))
    texts = [str(text.text) for text in root.iter(f"{SVG}text")]
    assert "1 </svg><script>" in texts
    assert "2 B & C" in texts
    assert texts[-1].endswith("x…")


def test_colours_are_never_needed() -> None:
    """Every colour of a route and every seat has its own shape."""
    on_spaces = [shapes.COLOURS[colour] for colour in COLOURS]
    assert len(COLOURS) == len({repr(shape) for shape in on_spaces if shape})
    assert len(seats.SEATS) == len({repr(shapes.PATTERNS[look.pattern]) for look in seats.SEATS})


def test_goals_are_the_ends_of_tickets() -> None:
    """A city is done if all its tickets are; a ticket to a country marks all its cities."""
    uk = atlas.board("uk")
    to_france = next(id for id, ticket in uk.tickets.items() if "france" in ticket.ends)
    goals = pictures.goals(uk, {to_france: True})
    assert {"france_west", "france_east"} < set(goals)
    usa = atlas.board("usa")
    first, second = [id for id, ticket in usa.tickets.items() if "los_angeles" in ticket.ends][:2]
    mixed = pictures.goals(usa, {first: True, second: False})
    assert mixed["los_angeles"] is False
    assert True in mixed.values()


def test_described() -> None:
    """The description names the board and the routes of each player."""
    usa = atlas.board("usa")
    text = pictures.described(usa, scene(claimed={"dallas-houston-1": [1]}))
    assert f"Board {usa.name}; routes claimed: Ada (red) 0, Ben (blue) 1, Cem (green) 0." == text
    assert f"Board {usa.name}." == pictures.described(usa, EMPTY)
