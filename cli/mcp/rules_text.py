"""Finds rules by id or by words in the document of all rules, and in the help of a board."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

RULE = re.compile(r"- \*\*(R-[A-Z0-9-]+)\*\* (.*)")
HEADING = re.compile(r"#+ (.*)")
ID = re.compile(r"R-[A-Z0-9]+(?:-[A-Z0-9]+)?", re.IGNORECASE)
MOST = 5
"""Rules in one answer to a question in words."""
SHORTEST = 3
"""Letters of the shortest word that is looked for."""


class Rule(NamedTuple):
    """A rule, or a text of help about a choice."""

    id: str
    section: str
    text: str

    def line(self) -> str:
        """Return the rule with its id and section."""
        return f"{self.id} ({self.section}): {self.text}"


def rules_in(document: str) -> Iterator[Rule]:
    """Yield the numbered rules of the document, each with the heading above it."""
    section, rule = "", None
    for line in document.splitlines():
        if match := RULE.match(line):
            if rule:
                yield rule
            rule = Rule(match[1], section, match[2])
        elif rule and line.startswith("  "):
            rule = rule._replace(text=f"{rule.text} {line.strip()}")
        else:
            if rule:
                yield rule
            rule = None
            if heading := HEADING.match(line):
                section = heading[1]
    if rule:
        yield rule


def matching(rules: Iterable[Rule], query: str) -> Sequence[Rule]:
    """Return the rules with the ids in a query; without an id, those with most of its words."""
    rules = list(rules)
    if ids := {id.upper() for id in ID.findall(query)}:
        return [rule for rule in rules if rule.id in ids or _family(rule.id) in ids]
    looked_for = {stem for word in _words(query) if len(stem := _stem(word)) >= SHORTEST}
    scored = [(len(looked_for & {*map(_stem, _words(" ".join(rule)))}), rule) for rule in rules]
    best = sorted((row for row in scored if row[0]), key=lambda row: -row[0])
    return [rule for _, rule in best[:MOST]]


def _family(id: str) -> str:
    """Return the id without its number."""
    return id.rpartition("-")[0]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _stem(word: str) -> str:
    """Return a word without the endings of plurals and of verbs."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST:
            return word.removesuffix(ending)
    return word
