"""No package above the engine names a rule in its code; only bots may."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine import MODULES
from engine.codec import DICE_NAMES
from engine.kinds import ACTIONS, DECISIONS, EVENTS
from engine.values import PASSENGER, PLUS4
from service.boards import atlas

ROOT = Path(__file__).parents[2]
ROOMS = ("pictures", "store", "service", "api", "workers", "cli")
ALSO = {
    "routes": ("service cli", "a part of every map"),
    "tickets": ("service api cli", "a part of every map, and of a picture"),
    "turns": ("workers", "a stream of mail"),
    "pass": ("service api store", "what DMARC says of a letter; a statement of Python"),
    "claim": ("store", "taking on a delivery"),
    "game_started": ("service workers", "a notice"),
}
"""Names of rules that mean something else in some packages: where, and what."""
_QUOTED = re.compile(r"\"(\w+)\"|'(\w+)'")
_KEY = re.compile(r"(?<![.\w-])(\w+)(?=\s*[=:])|(?<=\[)(\w+)(?=\])")
_OTHERWISE = {".py", ".pyc", ".ttf", ".png"}
"""Files that are no data: those with tests of their own, compiled ones, fonts, icons."""
_COPIED = ROOT / "api" / "static" / "docs"
_CODE = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)


@cache
def names(room: str) -> frozenset[str]:
    """The names of rule modules, decisions, actions, events, technologies and special cards."""
    sold = {row["id"] for id in atlas.board_ids() for row in atlas.board(id).technologies}
    kinds = {*ACTIONS, *DICE_NAMES.values(), *DECISIONS, *EVENTS}
    others = {name for name, (rooms, _) in ALSO.items() if room in rooms.split()}
    return frozenset({*MODULES, *kinds, *sold, PLUS4, PASSENGER} - others)


def named(text: str, room: str = "") -> Iterator[str]:
    """The constants in Python code that are names of rules."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and node.value in names(room):
            yield f"{node.value} in line {node.lineno}"


def named_in_template(text: str, room: str = "") -> Iterator[str]:
    """The quoted names of rules in the code of a template, not in its text for people."""
    for code in _CODE.findall(text):
        for pair in _QUOTED.findall(code):
            yield from (word for word in pair if word in names(room))


def named_in_data(text: str, room: str = "") -> Iterator[str]:
    """The names of rules that are quoted in a file of data or a script, or are keys in it."""
    for pattern in (_QUOTED, _KEY):
        for pair in pattern.findall(text):
            yield from (word for word in pair if word in names(room))


def data_files(room: str) -> list[Path]:
    """All files but programs, templates and what is copied from elsewhere."""
    files = [path for path in sorted((ROOT / room).rglob("*")) if path.is_file()]
    apart = [ROOT / room / "templates", _COPIED]
    return [
        path
        for path in files
        if path.suffix not in _OTHERWISE and not any(path.is_relative_to(each) for each in apart)
    ]


@pytest.mark.parametrize("room", ROOMS)
def test_no_program_names_a_rule(room: str) -> None:
    """No Python file names a rule module, decision, action, event or technology."""
    files = sorted((ROOT / room).rglob("*.py"))
    names = {path.name: [*named(path.read_text(encoding="utf-8"), room)] for path in files}

    assert {} == {name: some for name, some in names.items() if some}


@pytest.mark.parametrize("room", ["api", "workers"])
def test_no_template_names_a_rule(room: str) -> None:
    """No template names a rule module, decision, action, event or technology."""
    files = sorted((ROOT / room / "templates").rglob("*.*"))
    names = {
        path.name: [*named_in_template(path.read_text(encoding="utf-8"), room)] for path in files
    }

    assert {} == {name: some for name, some in names.items() if some}


@pytest.mark.parametrize("room", ROOMS)
def test_no_data_name_a_rule(room: str) -> None:
    """No table, script or style sheet names a rule module, decision, action or technology."""
    files = data_files(room)
    names = {path.name: [*named_in_data(path.read_text(encoding="utf-8"), room)] for path in files}

    assert {} == {name: some for name, some in names.items() if some}


def test_a_name_is_found() -> None:
    """Planted faults: names of rules in code, in a template and in data are found."""
    assert ["draw_blind in line 1"] == [
        *named('card = "" if action["type"] == "draw_blind" else 1')
    ]
    assert ["booster in line 2"] == [*named('def help(one):\n    return one == "booster"')]
    assert ["stations"] == [*named_in_template('{% if fact.about == "stations" %}1{% endif %}')]
    assert ["plus4"] == [*named_in_template('{% if card == "plus4" %}+4{% endif %}')]
    assert [] == [*named_in_template("<p>stations</p>{{ _('All stations') }}")]
    assert ["draw_blind"] == [*named_in_data('[kinds]\ndraw_blind = "Draw a card."')]
    assert ["booster", "stations"] == [*named_in_data('[stations]\nid = "booster"')]
    assert [] == [*named_in_data(".stations:hover { color: red }")]
