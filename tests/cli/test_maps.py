import re
from pathlib import Path

import pytest

from service.boards import atlas
from tests.cli.running import run

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "maps.md").read_text(encoding="utf-8")
TOY = PAGE.partition("```toml\n")[2].partition("```")[0]


def _check(path: Path, text: str) -> tuple[int, str, str]:
    path.write_text(text, encoding="utf-8")
    result = run("maps", str(path))
    return result.exit_code, result.stdout, result.stderr.replace(str(path), "MAP")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a map file to write."""
    return tmp_path / "map.toml"


@pytest.fixture
def toy() -> str:
    """The map of docs/maps.md, without its dice variant and its ferry."""
    plain = TOY.partition("[variants.dice]")[0]
    return plain.replace('"ferries", ', "").replace(', kind = "ferry", locomotives = 1', "")


def test_boards_are_listed() -> None:
    """`maps` lists all boards with their sizes, and variants with summaries and exclusions."""
    listed = run("maps")

    assert 0 == listed.exit_code
    assert re.search(
        r"^usa  USA\n  2 to 5 seats · 36 cities · 100 routes · 30 tickets$",
        listed.stdout,
        re.MULTILINE,
    )
    assert "  new_edition  New edition\n    The 33 tickets" in listed.stdout
    assert "    Not with usa_1910, usa_1910_mega, usa_1910_big_cities.\n" in listed.stdout
    assert [] == [name for name in atlas.board_ids() if f"{name}  " not in listed.stdout]


def test_bundled_maps_hold() -> None:
    """All bundled maps are valid, without a warning."""
    checked = run("maps", "--check")

    assert (0, "") == (checked.exit_code, checked.stderr)
    assert len(atlas.board_ids()) == checked.stdout.count(": valid (")


def test_authors_map_holds(path: Path, toy: str) -> None:
    """A valid map gives one line with its numbers of cities, routes, tickets and tables."""
    assert (0, "MAP: valid (3 cities, 4 routes, 3 tickets, 2 tables)\n", "") == (
        (report := _check(path, toy))[0],
        report[1].replace(str(path), "MAP"),
        report[2],
    )


WRONG = {
    "not TOML": ("id = ", "id : ", "MAP: is not a TOML file: "),
    "a date": ("trains = 20", "trains = 1979-05-27", "MAP: parameters.routes.trains: is a date"),
    "misspelt key": ("trains = 20", "trians = 20", "MAP: parameters.routes"),
    "unknown module": ('"cards",', '"cards", "rockets",', "MAP: modules: there is no rule module"),
    "no points": ("4 = 7", "5 = 7", "MAP: parameters.routes.points: no points for length 4"),
    "too few tickets": ("dealt = 1", "dealt = 9", "MAP: parameters.tickets: too few tickets"),
    "wrong type": ('name = "Toy"', "name = 5", "MAP: name: must be text, not a whole number"),
}


@pytest.mark.parametrize("name", WRONG)
def test_error_is_named_with_its_place(path: Path, toy: str, name: str) -> None:
    """An error in a map gives one line with file, place and reason, and status 1."""
    old, new, message = WRONG[name]
    assert old in toy

    status, out, err = _check(path, toy.replace(old, new, 1))

    assert (1, "") == (status, out)
    assert err.startswith(message), err
    assert 1 == err.count("\n")


def test_several_rows_are_named_at_once(path: Path, toy: str) -> None:
    """Each wrong route and ticket is named, without errors that only follow from another."""
    text = toy.replace('colour = "red", ', 'colour = "mauve",').replace("length = 3", "length = 0")
    text = text.replace("points = 4,", "points = 0,")

    _, _, err = _check(path, text)

    assert [
        "MAP: routes[ash-elm-1].colour: “mauve” is not a route colour",
        "MAP: routes[elm-oak].length: must be at least 1",
        "MAP: tickets[ash-oak].points: must be at least 1",
    ] == err.splitlines()


def test_error_of_one_table_names_it(path: Path, toy: str) -> None:
    """An error that occurs only with a variant or a number of seats names it."""
    variant = "[variants.big]\nname = 'Big'\nsummary = 'More.'\nset.tickets = { dealt = 2 }\n"
    few = "too few tickets in regular to deal (first seen with"

    _, _, with_variant = _check(path, toy + variant)
    _, _, with_more_seats = _check(path, toy.replace("[2, 3]", "[2, 4]"))

    assert with_variant.endswith(f"{few} big)\n")
    assert with_more_seats.endswith(f"{few} 4 seats)\n")
    assert [1, 1] == [with_variant.count("\n"), with_more_seats.count("\n")]


def test_odd_things_are_warnings(path: Path, toy: str) -> None:
    """Isolated cities, impossible tickets and unused decks are warnings; the map is valid."""
    lonely = '{ id = "yew", name = "Yew", lat = 1.0, lon = 1.0 },\n'
    hopeless = '{ id = "ash-yew", cities = ["ash", "yew"], points = 1, decks = ["attic"] },\n'
    text = toy.replace("cities = [\n", f"cities = [\n{lonely}", 1)
    text = text.replace("tickets = [\n", f"tickets = [\n{hopeless}", 1)

    status, out, err = _check(path, text)

    assert 0 == status
    assert "valid (4 cities" in out
    assert [
        "MAP: warning: cities[yew]: no route leads here",
        "MAP: warning: tickets[ash-yew]: no routes join its two ends",
        "MAP: warning: tickets: nothing plays with the deck “attic”",
    ] == err.splitlines()


def test_board_in_pieces_is_a_warning(path: Path, toy: str) -> None:
    """A board whose routes are not all connected gives a warning."""
    cities = "".join(f'{{ id = "{id}", name = "X", lat = 1, lon = 1 }},\n' for id in "xy")
    text = toy.replace("cities = [\n", f"cities = [\n{cities}", 1)
    text = text.replace(
        "routes = [\n",
        'routes = [\n{ id = "x-y", cities = ["x", "y"], length = 2, colour = "red" },\n',
        1,
    )

    _, _, err = _check(path, text)

    assert "MAP: warning: routes: the board falls into 2 pieces\n" == err


def test_several_files_are_all_checked(tmp_path: Path, toy: str) -> None:
    """Bad files among several give status 1, and every file is reported."""
    good, bad, gone = (tmp_path / name for name in ("good.toml", "bad.toml", "gone.toml"))
    good.write_text(toy, encoding="utf-8")
    bad.write_bytes(b"\xff\xfe")

    result = run("maps", str(bad), str(gone), str(good))

    assert 1 == result.exit_code
    assert f"{good}: valid" in result.stdout
    assert [f"{bad}: is not a TOML file", f"{gone}: cannot be read"] == [
        ": ".join(line.split(": ")[:2]) for line in result.stderr.splitlines()
    ]


@pytest.mark.parametrize("text", ["x = " + "[" * 50_000, "x = " + "9" * 5000, ""])
def test_monstrous_files_are_refused(path: Path, text: str) -> None:
    """Very deep nesting, a huge number and an empty file give one line and status 1."""
    status, _, err = _check(path, text)

    assert (1, 1) == (status, err.count("\n"))
