"""The recipe “Add a map” of CONTRIBUTING.md, followed step by step with the map of docs/maps.md."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.maps.reading import MAPS
from tools import layout

ROOT = Path(__file__).parents[2]
NIGHTMAIL = [sys.executable, "-c", "from cli.main import main; main()"]
RECIPE = (
    (ROOT / "CONTRIBUTING.md")
    .read_text(encoding="utf-8")
    .partition("### Add a map\n")[2]
    .partition("\n### ")[0]
)
PAGE = (ROOT / "docs" / "maps.md").read_text(encoding="utf-8")
MAP = PAGE.partition("```toml\n")[2].partition("```")[0]
PLAN = """\
width = 700
height = 500
middle = [1.3, 51.9]
parallels = [51.0, 53.0]
scale = 240.0
"""
"""The first keys of a picture, which the author has to write."""
QUICKER = {"tools.layout toy": "tools.layout toy 1500", "--games 200": "--games 20"}
"""Shorter runs of the recipe's commands, enough for a small map."""
BOARDS = """
import sys
from tests.api.serving import fresh_app
app, desk = fresh_app("sqlite:///" + sys.argv[1] + "/nightmail.db")
print([board["id"] for board in app.test_client().get("/v1/boards").json["boards"]])
"""
GOLDEN = """
from tools.golden import Recipe, game_of
print(game_of(Recipe("toy", (), 2, "1")).is_over)
"""


def commands() -> list[str]:
    """The commands in the recipe, for a board with the id toy."""
    names = re.findall(r"`((?:nightmail|python) [^`]+)`", RECIPE.replace("<board>", "toy"))
    for slow, quick in QUICKER.items():
        names = [command.replace(slow, quick) for command in names]
    return names


class Author:
    """An author with a map in a folder outside the project."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.board = folder / "maps" / "toy"
        self.board.mkdir(parents=True)
        (self.board / "map.toml").write_text(MAP, encoding="utf-8")
        (self.board / "picture.toml").write_text(PLAN, encoding="utf-8")

    def run(self, command: str, *more: str, at: Path | None = None) -> str:
        """Run a command, which must succeed, and return its output."""
        words = [*command.split(), *more]
        words[:1] = [sys.executable] if words[0] == "python" else NIGHTMAIL
        done = subprocess.run(
            words,
            cwd=at or self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert 0 == done.returncode, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Author:
    """An author who has written the map and the first keys of its picture."""
    return Author(tmp_path_factory.mktemp("author"))


@pytest.fixture(scope="module")
def laid(author: Author, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The picture's plan after step 4, run from another folder."""
    author.run(commands()[1], at=tmp_path_factory.mktemp("elsewhere"))
    return (author.board / "picture.toml").read_text(encoding="utf-8")


def test_the_recipe_names_its_commands() -> None:
    """The recipe contains the commands that are run below, in this order."""
    assert [
        "nightmail maps maps/toy/map.toml",
        "python -m tools.layout toy 1500",
        "nightmail selfplay --board toy --games 20 --check",
    ] == commands()


def test_the_map_holds(author: Author) -> None:
    """Step 2: the check reports the map as valid at all four of its tables."""
    assert "maps/toy/map.toml: valid (3 cities, 4 routes, 3 tickets, 4 tables)\n" == author.run(
        commands()[0]
    )


def test_the_picture_is_laid_out(laid: str) -> None:
    """Step 4: the layout is added to the author's file, whatever the current folder."""
    assert laid.startswith(PLAN)
    assert {"ash", "elm", "oak"} == set(re.findall(r"^(\w+) = \{ move", laid, re.MULTILINE))


def test_no_layout_without_a_board() -> None:
    """Step 4: an unknown board is refused with a list of the boards."""
    known = ", ".join(MAPS)
    with pytest.raises(SystemExit, match=f"there is no board “atlantis”; there are: {known}"):
        layout.main("atlantis")


@pytest.mark.usefixtures("laid")
def test_the_tests_of_pictures_take_up_the_board(author: Author) -> None:
    """Step 4: the tests of pictures include the new board, and pass."""
    result = author.run(
        "python -m pytest -q -p no:cacheprovider -k toy tests/pictures/test_plans.py",
        "tests/pictures/test_overlaps.py",
        at=ROOT,
    )

    assert re.search(r"^\d+ passed", result, re.MULTILINE)


def test_random_players_find_no_violation(author: Author) -> None:
    """Step 5: random games are played to the end without violating a law."""
    assert author.run(commands()[2]).endswith("\nno violations\n")


def test_a_golden_game_can_be_written(author: Author) -> None:
    """Step 6: a recipe for the board gives a game that ends."""
    assert "True\n" == author.run("python -c", GOLDEN)


def test_the_board_is_listed(author: Author, tmp_path: Path) -> None:
    """Afterwards the service and the command line list the board with the others."""
    boards = sorted([*MAPS, "toy"])
    assert f"{boards}\n" == author.run("python -c", BOARDS, str(tmp_path))
    assert "\ntoy  Toy\n" in author.run("nightmail maps")
