"""docs/promises.md and the tests that it names agree."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
FILES = sorted((ROOT / "tests" / "promises").rglob("test_*.py"))
HEADING = re.compile(r"^### (\d+)\. (.+)$", re.MULTILINE)
ROW = re.compile(r"^\| `(tests/\S+\.py)::(\w+)` \| (.+) \| (.+) \| (.+) \|$", re.MULTILINE)
CITED = re.compile(r"\bPromises? (\d+(?:(?:,| and) \d+)*)")


class Row(NamedTuple):
    """A test of a promise, as a row of the document."""

    file: str
    test: str
    does: str
    often: str
    expected: str


def promises() -> dict[int, list[Row]]:
    """The promises by number, each with its tests."""
    parts = HEADING.split(PAGE)[1:]
    return {
        int(number): [Row(*row) for row in ROW.findall(text)]
        for number, text in zip(parts[::3], parts[2::3], strict=True)
    }


@cache
def module(file: str) -> ast.Module:
    """The syntax tree of a test file."""
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


def cited(file: str) -> set[int]:
    """The promises that the docstring of a test file begins with."""
    match = CITED.match(ast.get_docstring(module(file)) or "")
    return {int(number) for number in re.findall(r"\d+", match[1])} if match else set()


def amounts(file: str) -> list[tuple[int, int]]:
    """The counts that differ between `make test` and `make soak`."""
    return [
        (ast.literal_eval(node.args[0]), ast.literal_eval(node.keywords[0].value))
        for node in ast.walk(module(file))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "amount"
    ]


def numbers(text: str) -> set[int]:
    """The whole numbers in a text."""
    return {int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text)}


def test_promises_are_numbered_once() -> None:
    """Promises are numbered from 1 without gaps or repeats, in any order."""
    numbers = [int(number) for number, _ in HEADING.findall(PAGE)]

    assert list(range(1, len(numbers) + 1)) == sorted(numbers)


@pytest.mark.parametrize("number", sorted(promises()))
def test_every_promise_is_tested(number: int) -> None:
    """A promise names at least one test or says that it has none; every named test exists."""
    rows = promises()[number]
    text = PAGE.partition(f"\n### {number}. ")[2].partition("\n### ")[0]

    assert rows or "Not yet tested" in text
    assert [] == [
        row
        for row in rows
        if row.test not in {getattr(node, "name", "") for node in module(row.file).body}
    ]
    assert text.count("`tests/") == len(rows)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_cites_a_promise(path: Path) -> None:
    """A test file's docstring begins with its promise, and the document lists the file there."""
    file = path.relative_to(ROOT).as_posix()
    known = promises()

    assert cited(file), "begin the docstring with “Promise N: …”, as docs/promises.md counts"
    assert cited(file) <= known.keys()
    assert {n for n in cited(file) if file not in {row.file for row in known[n]}} == set()


def test_counts_are_those_of_the_tests() -> None:
    """If a test file has a sample and a full count, its rows name both."""
    counts = dict[str, list[str]]()
    for rows in promises().values():
        for row in rows:
            counts.setdefault(row.file, []).append(row.often)
    for file, cells in counts.items():
        samples = set[int]().union(*(numbers(cell.partition(" / ")[0]) for cell in cells))
        wholes = set[int]().union(*(numbers(cell.partition(" / ")[2]) for cell in cells))
        for sample, soak in amounts(file):
            assert (file, True, True) == (file, sample in samples, soak in wholes)
