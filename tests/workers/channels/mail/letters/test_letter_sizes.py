"""Letters stay small, whatever is in a hand: mail programs cut what is long."""

import random
from itertools import cycle
from pathlib import Path

import pytest

from engine import Move
from service.views import menu_entries
from tests.amounts import SOAKING, amount
from tests.random_games import Table, played, sample_of_tables
from tests.workers.channels.mail.letters.positions import (
    HOARDED,
    Letters,
    turn_with_cards,
    turn_with_most_tickets,
)
from tests.workers.correspondence import part
from workers.channels.mail.letters import entries, phrases, turns
from workers.channels.mail.letters.merged import MOST_GAMES, MOST_PICTURES

MOST_HTML = 80_000
MOST_TEXT = 20_000
POSITIONS = amount(4, soak=120)
"""Positions at each table: more than 10,000 at all tables."""
GAMES = amount(2, soak=4)
"""Random games at each table, of which every third is one of hoarders."""


def _sizes(letters: Letters, log: list[Move], seat: int) -> tuple[int, int]:
    message = letters.about(log, seat)
    return len(part(message, "html").encode()), len(part(message, "plain").encode())


def _several_games() -> list[tuple[Table, int]]:
    """Tables and numbers of games; in the sample one number for each table, in turn."""
    numbers = (2, MOST_PICTURES, MOST_PICTURES + 1, MOST_GAMES + 1)
    some = sample_of_tables(8, turn=6)
    if SOAKING:
        return [(table, number) for table in some for number in numbers]
    return list(zip(some, cycle(numbers), strict=False))


@pytest.mark.parametrize("table", sample_of_tables(10, turn=4), ids=str)
def test_letters_stay_small(table: Table, tmp_path: Path) -> None:
    """HTML takes at most 80 KB and text 20 KB, in positions of random games, hoarded included."""
    letters = Letters(tmp_path, table)
    rng = random.Random(f"{table} sizes")
    for number in range(POSITIONS):
        game = played(table, HOARDED if number % 2 else rng.randrange(GAMES))
        at = rng.randrange(len(game.steps))
        html, text = _sizes(letters, list(game.game.moves[: at + 1]), game.steps[at].seat)
        assert (html <= MOST_HTML, text <= MOST_TEXT) == (True, True), (number, at, html, text)
    log, seat = turn_with_most_tickets(table) if "dice" not in table.variants else (None, 0)
    if log is not None:
        html, text = _sizes(letters, log, seat)
        assert (html <= MOST_HTML, text <= MOST_TEXT) == (True, True), (html, text)


@pytest.mark.parametrize(("table", "games"), _several_games(), ids=str)
def test_letters_about_several_games_stay_small(
    table: Table, games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same holds for letters about several games, here the same one several times."""
    opened = turns._open  # several games at the same position take long to play
    monkeypatch.setattr(turns, "_open", lambda *about: opened(*about) * games)
    letters = Letters(tmp_path, table)
    game = played(table, HOARDED)
    at = random.Random(f"{table} {games}").randrange(len(game.steps))
    positions = [(list(game.game.moves[: at + 1]), game.steps[at].seat)]
    if "dice" not in table.variants:
        positions += [turn_with_most_tickets(table)]
    for log, seat in positions:
        html, text = _sizes(letters, log, seat)
        assert (html <= MOST_HTML, text <= MOST_TEXT) == (True, True), (html, text)


def test_a_letter_without_bounds_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: a letter that shows every entry with every way is too large."""
    monkeypatch.setattr(menu_entries.entries_that_matter, "__defaults__", (10_000,))
    monkeypatch.setattr(entries.ways_in_words, "__defaults__", (10_000,))
    monkeypatch.setattr(phrases, "MOST_OPEN", 10_000)
    table = Table("europe", (), 3)
    _html, text = _sizes(Letters(tmp_path, table), *turn_with_cards(table, 40))
    assert text > MOST_TEXT
