"""The grammar of docs/orders.md: all that it produces can be read, and is written as it is read."""

import random

import pytest

from engine import Refusal
from engine.orders import Orders, read_orders, written
from tests.amounts import amount
from tests.engine.orders.grammar import Grammar
from tests.random_games import Table

TEXTS = amount(150, soak=5000)
TABLES = [
    Table("usa", (), 3),
    Table("europe", (), 3),
    Table("europe", ("dice",), 3),
    Table("uk", ("advanced_technologies",), 3),
    Table("nordic", (), 2),
    Table("marklin", (), 3),
]


def shape(orders: Orders) -> list[object]:
    """What orders mean, without the wishes themselves, which are equal only by their texts."""
    return [
        (
            step.turns,
            step.bound and step.bound.text,
            [task._replace(wish=None, meanwhile=None) for task in step.tasks],
            [task.wish and task.wish.text for task in step.tasks],
            [task.meanwhile and task.meanwhile.wish for task in step.tasks if not task.waits],
        )
        for step in orders.steps
    ]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_what_the_grammar_produces_can_be_read(table: Table) -> None:
    """No text of the grammar is unreadable, and the written form reads back as the same orders."""
    grammar, read = Grammar(table.rules, random.Random(f"grammar {table}")), 0
    unread: list[str] = []
    for _ in range(TEXTS):
        text = grammar.text()
        try:
            orders = read_orders(table.rules, text)
        except Refusal as refusal:
            unread += [f"{text!r}: {refusal.sentence}"] if refusal.code == "unreadable" else []
            continue
        again = read_orders(table.rules, written(orders))
        assert written(orders) == written(again)
        assert shape(orders) == shape(again)
        read += 1
    assert [] == unread
    assert read > TEXTS // 4
