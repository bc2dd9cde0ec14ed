"""Texts that the grammar of docs/orders.md produces."""

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine import Ruleset
from engine.rules.technologies import catalogue, technologies

_PAGE = Path(__file__).parents[3] / "docs" / "orders.md"
_TOKEN = re.compile(r'"[^"]*"|[a-z]+|[\[\]()*/]')
MOST_REPEATED = 2
CHANCE_TO_LEAVE_OUT = 0.6


class NotHere(Exception):
    """The board has no such thing."""


def productions() -> dict[str, list[str]]:
    """The tokens of each rule of the documented grammar."""
    text = _PAGE.read_text(encoding="utf-8").partition("## For programs")[2]
    block = re.sub(r"\s+; .*", "", text.split("```")[1])
    rules = re.findall(r"^([a-z]+) += (.*(?:\n .*)*)", block, re.MULTILINE)
    return {name: _TOKEN.findall(body) for name, body in rules}


class Grammar:
    """Produces random texts that can be ordered by these rules."""

    def __init__(self, rules: Ruleset, rng: random.Random) -> None:
        self._rules, self._rng = rules, rng
        self._productions = productions()

    def text(self) -> str:
        """Produce some orders, without what the board does not have."""
        while True:
            try:
                return " ".join(self._produced(self._productions["orders"]))
            except NotHere:
                continue

    def _produced(self, tokens: Sequence[str]) -> Iterator[str]:
        for is_optional, part in _parts(self._rng.choice(_alternatives(tokens))):
            if is_optional and self._rng.random() < CHANCE_TO_LEAVE_OUT:
                continue
            if len(part) == 1:
                yield from self._word(part[0])
            else:
                yield from self._produced(part[1:-1])

    def _word(self, token: str) -> Iterator[str]:
        if token in self._productions:
            yield from self._produced(self._productions[token])
        elif token.startswith('"'):
            text = token.strip('"')
            self._check(text)
            yield text
        else:
            yield self._leaf(token)

    def _check(self, words: str) -> None:
        """Refuse moves of other boards."""
        has_dice, verbs = self._rules.purse.rolls, self._rules.keys("orders")
        if words in ("station", "buy") and words not in verbs:
            raise NotHere
        if words in ("draw", "take") and has_dice:
            raise NotHere
        if words in ("roll", "reroll all") and not has_dice:
            raise NotHere

    def _leaf(self, name: str) -> str:
        rng, board = self._rng, self._rules.board
        if name == "payment" and self._rules.purse.rolls:
            raise NotHere
        between = "-".join(rng.choice([*board.routes.values()]).cities)
        built = [*board.cities] if "stations" in self._rules.parameters else [between]
        bought = [*catalogue(self._rules).technologies] if self._has_technologies else [between]
        return {
            "newline": "\n",
            "n": str(rng.randint(1, 9)),
            "card": rng.choice(["red", "green", "locomotive"]),
            "payment": rng.choice(["green", "2 red and 1 locomotive", "3 locomotive"]),
            "route": rng.choice([between, *board.routes]),
            "city": rng.choice(built),
            "technology": rng.choice(bought),
        }[name]

    @property
    def _has_technologies(self) -> bool:
        return technologies.name in self._rules.parameters


def _alternatives(tokens: Sequence[str]) -> list[list[str]]:
    """The sequences of tokens between the slashes that are in no brackets."""
    depth, alternatives = 0, [list[str]()]
    for each in tokens:
        depth += _deeper(each)
        if each == "/" and not depth:
            alternatives.append([])
        else:
            alternatives[-1].append(each)
    return alternatives


def _deeper(mark: str) -> int:
    """1 for an opening bracket, -1 for a closing one."""
    return (mark in "([") - (mark in ")]")


def _parts(tokens: Sequence[str]) -> Iterator[tuple[bool, list[str]]]:
    """A sequence in parts, tokens and groups in brackets, and whether each may be left out."""
    at = 0
    while at < len(tokens):
        is_repeated = tokens[at] == "*"
        at += is_repeated
        depth, end = 0, at
        while end == at or depth:
            depth += _deeper(tokens[end])
            end += 1
        group = list(tokens[at:end])
        for _ in range(MOST_REPEATED if is_repeated else 1):
            yield is_repeated or group[0] == "[", group
        at = end
