"""docs/rules.md uses the names of decisions and actions that the API has."""

import re
from dataclasses import fields
from pathlib import Path

import engine.rules  # noqa: F401  # declares every kind
from engine.codec import DICE_NAMES, wire_name
from engine.kinds import ACTIONS, DECISIONS

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"
CHAPTER = PAGE.read_text(encoding="utf-8").partition("\n## 7. ")[2].partition("\n## ")[0]
COMPOUND = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")


def first_column(*numbers: str) -> set[str]:
    """The names in the first column of the tables in these sections of chapter 7."""
    rows = set[str]()
    for number in numbers:
        section = CHAPTER.partition(f"\n### {number} ")[2].partition("\n### ")[0]
        rows |= set(re.findall(r"^\| (`?[a-z].*?) \|", section, re.MULTILINE)[1:])
    return {name for row in rows for name in re.findall(r"`([a-z_]+)`", row) or [row]}


def test_every_decision_is_in_the_tables() -> None:
    """Sections 7.2 and 7.3 list exactly the decisions of the engine."""
    assert set(DECISIONS) == first_column("7.2", "7.3")


def test_every_action_is_in_the_table() -> None:
    """Section 7.1 lists exactly the names of the actions."""
    assert {*ACTIONS, *DICE_NAMES.values()} == first_column("7.1")


def test_no_other_name_is_made_up() -> None:
    """Every compound name in the chapter is that of a decision, an action or its parameter."""
    known = {*DECISIONS, *ACTIONS, *DICE_NAMES.values()}
    for made in ACTIONS.values():
        known |= {wire_name(part) for part in fields(made)}  # type: ignore[arg-type]  # kinds are dataclasses

    assert set() == set(COMPOUND.findall(CHAPTER)) - known
