"""Lines that are no commands are refused in every position, on every board."""

import pytest

from engine import Refusal, menu, read
from service.replies.commands.line_forms import takes_something_back, tidied
from tests.random_games import Table, played, sample_of_tables, tables

LINES = (
    *("3rd time lucky", "1 reply", "2 attachments", "+49 170 1234567", "0170 1234567", "10:30"),
    *("1 Main Street", "3 July 2026", "3.7.2026", "03/07/2026", "1/2", "1-2", "1.5", "-1", "2026"),
    *("1 or 2", "1 or 2?", "1?", "1 maybe", "maybe 1", "not 1", "no 1", "1 no", "1 later", "1 x"),
    *("Option 1 or 2", "1+2", "1 & 2", "(1) (2)", "1 of 3", "1%", "1€", "#1 fan", "1st", "page 1"),
    *("don't draw", "do not draw", "draw?", "draw or tickets", "Should I draw?", "draw not"),
    *("Draw on, friends", "draw no conclusions", "draw later", "draw nothing", "never draw"),
    *("take care", "take your time", "take it easy", "I take 1", "ich nehme 1", "take 1 or 2"),
    *("keep calm", "keep it up", "keep all or none", "pass the salt", "end of message"),
    *("all good", "none of your business", "give up?", "pay attention", "buy some milk"),
    *("I claim nothing", "claim", "claim that!", "claim dieppe-paris?", "claim dieppe-paris maybe"),
    *("1 with red?", "1 with love", "~~1~~", "1 (no)", "1 👎", "❌ 1", "draw 👎", "> 1", "| 1"),
    *("Draw a card from the deck?", "Draw a card from the deck, not", "A", "vote 1", "please no 1"),
    *("Draw a card from the deck 👎", "tickets?", "tickets tomorrow", "1 thanks no", "one"),
)  # fmt: skip
STEPS = 8
SIMPLE = [table for table in tables() if table.seats == 3 and len(table.variants) < 2]


@pytest.mark.parametrize("table", sample_of_tables(8, among=SIMPLE), ids=str)
def test_nothing_is_guessed(table: Table) -> None:
    """Doubts, refusals, prose, dates and telephone numbers are never read as a move."""
    steps = played(table, 0).steps
    guesses = []
    for step in steps[:: len(steps) // STEPS]:
        for line in LINES:
            try:
                action = read(table.rules, step.state, step.seat, tidied(line))
            except Refusal:
                continue
            if not takes_something_back(line):
                guesses.append((line, action))

    assert [] == guesses


def test_a_list_of_numbers_is_no_entry_with_a_thing() -> None:
    """“1 and 2” might mean two dice, two moves, or the second thing of the first move."""
    table = Table("usa", ("dice",), 3)
    for step in played(table, 0).steps[:80]:
        if len(menu(table.rules, step.state, step.seat)) > 1:
            for line in ("1 and 2", "1, 2"):
                with pytest.raises(Refusal):
                    read(table.rules, step.state, step.seat, line)
