"""Lines of a letter's menu that are copied into a reply."""

import re

import pytest

from engine import read
from engine.errors import Ambiguous
from engine.menu import menu, number_of
from service.desk import Desk
from service.memory.positions import Position
from tests.workers.channels.mail.letters.test_turns import TABLES
from tests.workers.correspondence import mail, part, room

PRINTED = re.compile(r"^ +([0-9]+)\. (.+)$", re.MULTILINE)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_each_line_of_the_menu_can_be_copied(
    desk: Desk, table: tuple[str, tuple[str, ...]]
) -> None:
    """A line of the letter that is sent back means its entry, with and without its number."""
    here = room(desk, *table)
    here.play(40)
    with desk.database.reading() as tx:
        position = desk.positions.of(tx, here.table)
    entries = menu(position.rules, position.state, here.awaited)
    lines = PRINTED.findall(part(mail(desk, here.about("decision_opened")), "plain"))

    assert lines
    for number, words in lines:
        entry = entries[int(number) - 1]
        if entry.choice is None and not words.rstrip(",;")[-1].isdigit():
            assert entry.title == _title_read(position, here.awaited, f"{number}. {words}")
            assert entry.title == _title_read(position, here.awaited, words)


def _title_read(position: Position, seat: int, line: str) -> str:
    """The title of the entry as which a line is read, also if it leaves open how to pay."""
    entries = menu(position.rules, position.state, seat)
    try:
        action = read(position.rules, position.state, seat, line)
    except Ambiguous as refusal:
        return next(
            entry.title for entry in entries if refusal.candidates[0].startswith(entry.lead)
        )
    return entries[number_of(position.rules, entries, action) - 1].title
