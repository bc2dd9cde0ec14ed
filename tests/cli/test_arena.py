import csv
from pathlib import Path

import pytest

from tests.cli.running import run

GAMES = ("--games", "2", "--seed", "s", "--bots", "medium,easy")
PORT = ("--port", "1", "--processes", "2")


def test_same_seed_gives_the_same_table(tmp_path: Path) -> None:
    """The same seed gives the same output and CSV file, also with two processes."""
    first = run("arena", *GAMES, "--csv", str(tmp_path / "a"), "--plot", str(tmp_path / "a.svg"))
    again = run("arena", *GAMES, "--csv", str(tmp_path / "b"), "--processes", "2")

    assert (0, first.stdout) == (again.exit_code, again.stdout)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg ")


def test_every_game_has_a_line(tmp_path: Path) -> None:
    """The CSV file has a row for each game, with bots, draw, winners and moves."""
    run("arena", *GAMES, "--csv", str(tmp_path / "games.csv"))
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    assert ["medium", "easy"] == [row["bot 1"] for row in rows]
    assert ["0", "0"] == [row["draw"] for row in rows]
    assert all(int(row["moves"]) > 50 and row["winners"] for row in rows)


def test_arena_says_who_is_stronger() -> None:
    """The output compares the pair, with a 95 % interval, and rates the bots."""
    output = run("arena", *GAMES).stdout

    assert "medium against easy" in output
    assert "95 % interval" in output
    assert "rating" in output


@pytest.mark.parametrize("option", ["--csv", "--plot"])
@pytest.mark.parametrize("place", ["nowhere/a", ""])
def test_files_that_cannot_be_written(tmp_path: Path, option: str, place: str) -> None:
    """A file that cannot be written gives status 2 before any output."""
    done = run("arena", *GAMES, option, str(tmp_path / place))

    assert (2, "") == (done.exit_code, done.stdout)
    assert option in done.stderr


def test_no_secret_is_made_up_for_the_house() -> None:
    """An arena of house bots prints no secret for signatures."""
    assert "signed with" not in run("arena", *GAMES).stderr


def test_wrong_words_are_refused() -> None:
    """Unknown bots or boards, a single bot, and --port with two processes give status 2."""
    for words in (("--bots", "easy,nobody"), ("--bots", "easy"), ("--board", "mars"), PORT):
        assert 2 == run("arena", *words).exit_code
