"""Lists the rules of docs/rules.md that no test mentions.

A test mentions a rule by its id in the docstring (“R-DRAW-6: …”) or in its name (`test_r_draw_6`).
Run it with `python -m tools.rules_covered`; it fails if a rule is not mentioned.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILT = tuple(map(str, range(1, 12)))
"""The chapters of docs/rules.md whose rules are implemented."""
LATER: dict[str, str] = {}
"""Rules of these chapters that need no test yet, and why."""

CHAPTER = re.compile(r"## (\d+)\. ")
RULE = re.compile(r"- \*\*(R-[A-Z]+-[A-Z0-9]+)\*\* ")
ID = re.compile(r"\bR-[A-Z]+-(?:PASS|\d+)\b")


def rules_in(text: str, chapters: Iterable[str]) -> list[str]:
    """Return the ids that these chapters define, in order."""
    included, chapter, rules = set(chapters), "", []
    for line in text.splitlines():
        if line.startswith("## "):
            heading = CHAPTER.match(line)
            chapter = heading[1] if heading else ""
        elif chapter in included and (rule := RULE.match(line)):
            rules.append(rule[1])
    return rules


def named_in(source: str) -> Iterator[str]:
    """Yield the ids that the tests of a file mention."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield from ID.findall(ast.get_docstring(node) or "")
            for word, number in re.findall(r"(?<=_)r_([a-z]+)_([a-z]+|\d+)(?=_|$)", node.name):
                yield f"R-{word}-{number}".upper()


def missing(rules: Iterable[str], tests: Iterable[str]) -> list[str]:
    """Return the rules that none of these test files mentions."""
    named = {id for source in tests for id in named_in(source)}
    return [rule for rule in rules if rule not in named]


def sources() -> list[str]:
    """Return the source of every test file."""
    return [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("*.py"))]


def main() -> int:
    """Print the rules without a test."""
    rules = rules_in((ROOT / "docs" / "rules.md").read_text(encoding="utf-8"), BUILT)
    due = [rule for rule in rules if rule not in LATER]
    left_out = missing(due, sources())
    for rule in left_out:
        print(f"{rule} has no test")
    print(f"{len(due) - len(left_out)} of {len(due)} rules have a test.")
    return 1 if left_out else 0


if __name__ == "__main__":
    sys.exit(main())
