"""Examples of answers: each can be given at once, and means what the letter says."""

from random import Random

import pytest

from engine import Option, menu, read
from engine.display import goals
from engine.rules.tickets import KeepTickets
from service.views.menu_entries import entries_that_matter, numbered_entries
from service.views.reply_examples import examples, with_locomotives
from tests.amounts import amount
from tests.random_games import Table, played, sample_of_tables

POSITIONS = amount(6, soak=60)


@pytest.mark.parametrize("table", sample_of_tables(10, turn=5), ids=str)
def test_examples_can_be_sent(table: Table) -> None:
    """Each example is read as the action that its label tells; there are three if there can be."""
    rules = table.rules
    for game in range(3):
        steps = played(table, game).steps
        for step in Random(f"{table} examples").sample(steps, POSITIONS):
            state, seat = step.state, step.seat
            held = [goal for goal in goals(rules, state, seat) if not goal.offered]
            entries = numbered_entries(rules.board, menu(rules, state, seat), held)
            shown = entries_that_matter(rules.board, entries)
            reply_examples = examples(rules, state, shown)
            for example in reply_examples:
                action = read(rules, state, seat, example.text)
                assert Option(rules, state, action).label == example.label
            assert len({example.text for example in reply_examples}) == len(reply_examples)
            assert len(reply_examples) == 3 or len(entries) <= 2
            if text := with_locomotives(rules, shown):
                read(rules, state, seat, text)


@pytest.mark.parametrize("table", sample_of_tables(), ids=str)
def test_examples_of_a_choice_choose_different_things(table: Table) -> None:
    """The first tickets can be answered by number, with “all” and in words, each time others."""
    rules, steps = table.rules, played(table, 0).steps
    step = next(step for step in steps if isinstance(step.action, KeepTickets))
    entries = numbered_entries(rules.board, menu(rules, step.state, step.seat), ())
    reply_examples = examples(rules, step.state, entries)
    assert (1, "all") == (len(entries), reply_examples[1].text)
    assert [True, True, False] == [
        example.text.split()[0] in ("1", "all") for example in reply_examples
    ]
    assert 3 == len(
        {read(rules, step.state, step.seat, example.text) for example in reply_examples}
    )
