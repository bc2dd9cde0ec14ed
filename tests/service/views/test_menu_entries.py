"""Which entries of a menu matter, and for which tickets."""

from collections import Counter
from random import Random

import pytest

from engine import Goal, menu
from engine.display import goals
from service.views.menu_entries import (
    FEW,
    MOST,
    NumberedEntry,
    entries_that_matter,
    numbered_entries,
    titled,
)
from tests.amounts import amount
from tests.random_games import Table, played, sample_of_tables
from tests.scenes import scene

POSITIONS = amount(6, soak=60)
TABLES = sample_of_tables(10, turn=3)


def _positions(table: Table) -> list[tuple[list[NumberedEntry], list[Goal]]]:
    """Menus and tickets of positions in a game of hoarders."""
    rules, game = table.rules, played(table, 1)
    positions = []
    for step in Random(f"{table} entries").sample(game.steps, POSITIONS):
        held = [goal for goal in goals(rules, step.state, step.seat) if not goal.offered]
        offered = menu(rules, step.state, step.seat)
        positions.append((list(numbered_entries(rules.board, offered, held)), held))
    return positions


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_what_matters_is_shown(table: Table) -> None:
    """Short menus are shown whole; of others, draws, and routes for tickets before all else."""
    board = table.rules.board
    for entries, _ in _positions(table):
        shown = entries_that_matter(board, entries)
        assert min(len(entries), MOST) == len(shown)
        assert sorted(shown, key=lambda item: item.number) == list(shown)
        assert [item.number for item in entries] == [*range(1, len(entries) + 1)]
        left_out = [item for item in entries if item not in shown]
        assert all(item.entry.about for item in left_out)
        groups = Counter(item.entry.group for item in entries)
        serving = [item for item in entries if item.serves and item.entry.about in board.routes]
        if any(item in left_out for item in serving):
            others = [item for item in shown if item.entry.about and item not in serving]
            few = [item for item in others if groups[item.entry.group] <= FEW]
            assert few == [item for item in others if item.entry.about in board.cities]
            assert few == others


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_routes_serve_what_tickets_lack(table: Table) -> None:
    """A route serves the open tickets that lack a route between its cities, and no other."""
    board = table.rules.board
    served = 0
    for entries, held in _positions(table):
        for item in entries:
            route = board.routes.get(item.entry.about)
            if route is None:
                continue
            between = {id for id, other in board.routes.items() if other.cities == route.cities}
            lacking = tuple(goal.name for goal in held if between & set(goal.missing or ()))
            assert lacking == item.serves
            served += bool(lacking)
    assert served or "dice" in table.variants


def test_rides_of_passengers_are_shown() -> None:
    """However many routes serve tickets, a letter shows the rides of the few passengers."""
    game = scene("""
        marklin · ada ben · turn ada
        ada holds 8 red 8 blue 8 green 8 white 3 passenger
        ada owns danemark_2-kiel
        ada has passengers in kiel
    """)
    board = game.rules.board
    offered = numbered_entries(board, menu(game.rules, game.state, 0), [])
    entries = [item._replace(serves=("a ticket",), needs=1) for item in offered]
    shown = entries_that_matter(board, entries)

    assert len(entries) > MOST == len(shown)
    assert ["Let the passenger in Kiel ride"] == [
        item.entry.title for item in shown if item.entry.group == "ride"
    ]


def test_a_selection_that_forgets_tickets_is_noticed() -> None:
    """Planted fault: entries in the order of the menu would leave out routes for tickets."""
    table = Table("europe", (), 3)
    board = table.rules.board
    missed = 0
    for entries, _ in _positions(table):
        first = entries[:MOST]
        missed += sum(
            item not in first and item.serves != () for item in entries_that_matter(board, entries)
        )
    assert missed


def test_titles_say_what_is_special() -> None:
    """The title of a claim says that it is a tunnel or a ferry, after the points."""
    titles = {
        titled(item.entry)
        for table in (Table("europe", (), 3), Table("europe", ("dice",), 2))
        for entries, _ in _positions(table)
        for item in entries
    }
    assert "Claim Angora–Constantinople (2 points, tunnel)" in titles
    assert any(title.endswith("(2 points, ferry)") for title in titles)
    assert "Claim Dieppe–Paris (1 point)" in titles
