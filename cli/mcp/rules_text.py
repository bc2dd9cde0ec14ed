"""Finds rules by id or by words in the document of all rules, and in the help of a board."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import log
from typing import NamedTuple

RULE = re.compile(r"- \*\*(R-[A-Z0-9-]+)\*\* (.*)")
HEADING = re.compile(r"#+ (.*)")
ID = re.compile(r"R-[A-Z0-9]+(?:-[A-Z0-9]+)?", re.IGNORECASE)
MOST = 5
"""Rules in one answer to a question in words."""
QUESTION_WORDS = {"and", "are", "can", "does", "for", "from", "how", "the", "what", "when", "which"}
"""Words of questions that say nothing of what is asked."""
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
    """Return the rules with the ids in a query; without an id, those with its rarest words.

    A word counts twice if the section has it, too.
    """
    rules = list(rules)
    if ids := {id.upper() for id in ID.findall(query)}:
        return [rule for rule in rules if rule.id in ids or _family(rule.id) in ids]
    texts = [({*_stems(rule.id)} | {*_stems(rule.section)}, {*_stems(rule.text)}) for rule in rules]
    counts = Counter(stem for title, text in texts for stem in title | text)
    looked_for = {stem: log(len(rules) / counts[stem]) for stem in _stems(query) if counts[stem]}
    scores = [
        sum(weight * ((stem in title) + (stem in text)) for stem, weight in looked_for.items())
        for title, text in texts
    ]
    best = sorted(zip(scores, rules, strict=True), key=lambda row: -row[0])
    return [rule for score, rule in best[:MOST] if score]


def _family(id: str) -> str:
    """Return the id without its number."""
    return id.rpartition("-")[0]


def _stems(text: str) -> list[str]:
    words = re.findall(r"\w+", text.casefold())
    stems = (_stem(word) for word in words if word not in QUESTION_WORDS)
    return [stem for stem in stems if len(stem) >= SHORTEST]


def _stem(word: str) -> str:
    """Return a word without the endings of plurals and of verbs."""
    for ending in ("ies", "ing", "ed", "es", "s", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST:
            return word.removesuffix(ending)
    return word
