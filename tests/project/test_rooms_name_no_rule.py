"""No room above the engine decides anything by the name of a rule (bots are players, and may)."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine import MODULES
from engine.codec import DICE_NAMES
from engine.kinds import ACTIONS, DECISIONS, EVENTS
from service.boards import atlas

ROOT = Path(__file__).parents[2]
ROOMS = ("pictures", "store", "service", "api", "workers", "cli")
ALSO = {
    "routes": ("service", "a part of every map"),
    "tickets": ("service api", "a part of every map, and of a picture"),
    "turns": ("workers", "a stream of mail"),
    "pass": ("service api", "what DMARC says of a letter"),
    "claim": ("store", "taking on a delivery"),
    "game_started": ("service workers", "a notice"),
}
"""Names of rules that mean something else in some rooms, and what."""
_QUOTED = re.compile(r"\"(\w+)\"|'(\w+)'")
_CODE = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)


@cache
def names(room: str) -> frozenset[str]:
    """What rules are called, what they ask, what is done and happens, and what is sold."""
    sold = {row["id"] for id in atlas.board_ids() for row in atlas.board(id).technologies}
    kinds = {*ACTIONS, *DICE_NAMES.values(), *DECISIONS, *EVENTS}
    others = {name for name, (rooms, _) in ALSO.items() if room in rooms.split()}
    return frozenset({*MODULES, *kinds, *sold} - others)


def named(text: str, room: str = "") -> Iterator[str]:
    """The texts of a program that are the name of a rule, wherever they stand."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and node.value in names(room):
            yield f"{node.value} in line {node.lineno}"


def named_in_template(text: str, room: str = "") -> Iterator[str]:
    """The same in the code of a template, whose texts for people stand outside of it."""
    for code in _CODE.findall(text):
        for pair in _QUOTED.findall(code):
            yield from (word for word in pair if word in names(room))


@pytest.mark.parametrize("room", ROOMS)
def test_no_program_names_a_rule(room: str) -> None:
    """Not a rule module, nor a decision, an action, an event or a technology."""
    files = sorted((ROOT / room).rglob("*.py"))
    found = {path.name: [*named(path.read_text(encoding="utf-8"), room)] for path in files}

    assert {} == {name: some for name, some in found.items() if some}


@pytest.mark.parametrize("room", ["api", "workers"])
def test_no_template_names_a_rule(room: str) -> None:
    """A page and a letter show what they are given."""
    files = sorted((ROOT / room / "templates").rglob("*.*"))
    found = {
        path.name: [*named_in_template(path.read_text(encoding="utf-8"), room)] for path in files
    }

    assert {} == {name: some for name, some in found.items() if some}


def test_a_name_is_found() -> None:
    """Planted faults: a decision by the kind of an action, a field, and a fact in a template."""
    assert ["draw_blind in line 1"] == [
        *named('card = "" if action["type"] == "draw_blind" else 1')
    ]
    assert ["booster in line 2"] == [*named('def help(one):\n    return one == "booster"')]
    assert ["stations"] == [*named_in_template('{% if fact.about == "stations" %}1{% endif %}')]
    assert [] == [*named_in_template("<p>stations</p>{{ _('All stations') }}")]
