import pytest

import bots.plan
import bots.turns.tickets
from bots.arena import Entrant, Match, matches, play
from bots.board_graph import Path, cheapest
from bots.player import HOUSE
from bots.standings import duels
from tests.bots.sitting import positions
from tests.random_games import Table

ORDER = [("medium", "easy"), ("hard", "medium")]
MOST = 400
"""Searches across the board that a decision may take; each takes about 0.1 ms."""


@pytest.mark.parametrize(("stronger", "weaker"), ORDER)
@pytest.mark.parametrize("variants", [(), ("dice",)])
def test_the_stronger_wins(stronger: str, weaker: str, variants: tuple[str, ...]) -> None:
    """In a small sample with fixed seeds the stronger bot wins more than 60 %."""
    rules = Table("usa", variants, 2).rules
    entrants = [Entrant(name, HOUSE[name]) for name in (stronger, weaker)]
    scores = [play(rules, match, "strength") for match in matches(entrants, 2, 24)]

    assert duels(scores)[0].share > 0.6


@pytest.mark.parametrize("name", HOUSE)
@pytest.mark.parametrize("board", ["usa", "europe", "uk"])
def test_decisions_take_bounded_effort(
    name: str, board: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No decision searches the board more than MOST times."""
    searches = 0

    def counted(*args: object) -> Path | None:
        nonlocal searches
        searches += 1
        return cheapest(*args)  # type: ignore[arg-type]  # passed on unchanged

    monkeypatch.setattr(bots.plan, "cheapest", counted)
    monkeypatch.setattr(bots.turns.tickets, "cheapest", counted)
    table = Table(board, (), 3)
    for _, view, seat in positions(table, 0, 9):
        searches = 0
        HOUSE[name](table.rules, view, seat)

        assert searches <= MOST


def test_same_match_same_game() -> None:
    """A match and its seed text determine the game; another text gives another game."""
    rules = Table("europe", (), 2).rules
    match = Match(3, (Entrant("medium", HOUSE["medium"]), Entrant("easy", HOUSE["easy"])))

    assert play(rules, match, "a") == play(rules, match, "a")
    assert play(rules, match, "a") != play(rules, match, "b")
