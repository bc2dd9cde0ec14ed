"""Lines that are copied from the menu of an email, on every board."""

import random

import pytest

from engine import Refusal, read
from engine.errors import Ambiguous, Unreadable
from engine.menu import Entry, menu, number_of
from engine.notation import ticket_name
from tests.amounts import amount
from tests.random_games import Step, Table, played, sample_of_tables, tables
from tests.service.replies.corpus.printed import printed

BOARDS = sample_of_tables(10, turn=2, among=[table for table in tables() if table.seats == 3])
STEPS = amount(6, soak=12)
"""Positions at each table."""


def _steps(table: Table) -> list[Step]:
    return random.Random(str(table)).sample(played(table, 0).steps, STEPS)


def _title(table: Table, step: Step, entries: tuple[Entry, ...], text: str) -> str:
    """The title of the entry as which a text is read, also if it leaves open how to pay."""
    try:
        action = read(table.rules, step.state, step.seat, text)
    except Ambiguous as refusal:
        (entry,) = (
            entry
            for entry in entries
            if all(text.startswith(entry.lead) for text in refusal.candidates)
        )
        return entry.title
    return entries[number_of(table.rules, entries, action) - 1].title


@pytest.mark.parametrize("table", BOARDS, ids=str)
def test_a_line_of_the_menu_is_read_back(table: Table) -> None:
    """Each printed line means its entry: whole, broken, and without its number."""
    ticket = ticket_name(table.rules, min(table.rules.board.tickets))
    for step in _steps(table):
        entries = menu(table.rules, step.state, step.seat)
        for number, entry in enumerate(entries, 1):
            if entry.choice:
                continue
            for lines in (printed(number, entry), printed(number, entry, ticket)):
                whole = " ".join(line.strip() for line in lines)
                first = whole if lines[0].rstrip(",;")[-1].isdigit() else lines[0].strip()
                for text in {whole, first}:
                    assert entry.title == _title(table, step, entries, text), text
                    unnumbered = text.partition(". ")[2]
                    assert entry.title == _title(table, step, entries, unnumbered), text


@pytest.mark.parametrize("table", BOARDS, ids=str)
def test_nothing_may_be_added_to_a_copied_line(table: Table) -> None:
    """A copied line with another number, or with words of the player, is not guessed at."""
    for step in _steps(table):
        entries = menu(table.rules, step.state, step.seat)
        for number, entry in enumerate(entries, 1):
            other = number % len(entries)
            if entry.choice or entries[other].title == entry.title:
                continue
            line = " ".join(text.strip() for text in printed(number, entry))
            title = line.partition(". ")[2]
            for text in (
                *(f"{other + 1}. {title}", f"{line} or not", f"{line}?? no", f"not {title}"),
                *(f"{title} or 4", f"{line}, no {other + 1}", f"{entry.title} or {other + 1}"),
            ):
                with pytest.raises(Refusal):
                    read(table.rules, step.state, step.seat, text)


def test_a_claim_needs_no_with() -> None:
    """`claim a-b 1 black` means `claim a-b with 1 black`; a wrong route is still named."""
    table = Table("europe", (), 3)
    for step in played(table, 0).steps:
        for entry in menu(table.rules, step.state, step.seat):
            if entry.group == "claim":
                claim = f"{entry.text} with {entry.ways[0].text}"
                expected = read(table.rules, step.state, step.seat, claim)
                brief = claim.replace(" with ", " ")
                assert expected == read(table.rules, step.state, step.seat, brief)
                with pytest.raises(Unreadable, match="no route “nowhere-paris”"):
                    read(table.rules, step.state, step.seat, "claim nowhere-paris 1 black")
                return
    pytest.fail("nothing was claimed")
