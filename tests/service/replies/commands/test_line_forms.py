"""Lines of a reply, tidied before they are read."""

import pytest

from engine import menu, read
from engine.errors import Unreadable
from service.replies.commands.line_forms import has_message, takes_something_back, tidied
from tests.random_games import Table, played, tables
from tests.service.replies.corpus.printed import printed


@pytest.mark.parametrize(
    "line",
    [
        *("3", "#3", "3)", "3.", "(3)", "[3]", "*3*", "**3**", "_3_", "“3”", '"3"', "'3'", "3!"),
        *("Option 3", "option #3", "Option: 3", "number 3", "no. 3", "nr. 3", "Nr 3", "№ 3"),
        *("n° 3", "n.º 3", "move 3", "I choose 3", "I take option 3", "I'll take option 3"),
        *("3 please", "please 3", "3, please!", "3 thanks", "ok 3", "3 👍", "3 :-)", "- 3", "• 3"),
        *("bitte 3", "3 bitte", "Nummer 3, bitte", "ich nehme Option 3", "ich wähle 3", "3 danke"),
        *("3 s'il vous plaît", "3, s’il te plaît", "svp 3", "je choisis l'option 3", "3 merci"),
        *("por favor 3", "opción 3, gracias", "elijo la opción 3", "opção 3 por favor"),
        *("3 obrigado", "opțiunea 3, te rog", "varianta 3", "3 vă rog", "aleg 3"),
        *("opzione 3, per favore", "scelgo l'opzione 3", "3 grazie"),
        *("optie 3 alsjeblieft", "ik kies 3", "3 aub", "*3* please!"),
    ],
)
def test_forms_of_a_number(line: str) -> None:
    """The usual ways to write the number of an option are read as that number."""
    assert "3" == tidied(line).removesuffix(":")


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("Please draw!", "draw"),
        ("draw, thank you", "draw"),
        ("“claim paris-dieppe with 1 red”", "claim paris-dieppe with 1 red"),
        ("#12 with green please", "12: with green"),
        ("3) with 2 red", "3: with 2 red"),
        ("1, 3 please", "1, 3"),
        ("status?", "status?"),
        ("keep 1 and 2, grazie", "keep 1 and 2"),
    ],
)
def test_polite_words_and_marks_are_left_out(line: str, command: str) -> None:
    """The command stays as it was written."""
    assert command == tidied(line)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("Option 1: 2 3", "1: 2 3"),
        ("Option 1 2 3", "1: 2 3"),
        ("no. 1 2", "1: 2"),
        ("1. 2 3", "1: 2 3"),
        ("1) 2 3", "1: 2 3"),
        ("1: 2 3", "1: 2 3"),
        ("(1) 2 and 3", "1: 2 and 3"),
        ("#1 2", "1: 2"),
        ("Option 1", "1:"),
        ("I choose 1 3", "1 3"),
        ("1.", "1"),
    ],
)
def test_a_label_stays_apart_from_the_numbers_after_it(line: str, command: str) -> None:
    """The number of an option keeps a mark, so that it is not read as one of a list."""
    assert command == tidied(line)


@pytest.mark.parametrize(
    "line",
    [
        *("I take 3", "take 3", "ich nehme 3", "no 3", "3?", "3 or 4?", "3rd time lucky", "~~3~~"),
        *("not 3", "10:30", "+49 170 1234567", "1 3", "3€", "A3", "please", "say thanks", "n3"),
        *("say 3 please!", "3.5"),
    ],
)
def test_what_may_mean_something_else_stays(line: str) -> None:
    """Doubts, refusals, dates and messages are not made into numbers."""
    assert line == tidied(line) or "please" == line


@pytest.mark.parametrize(
    "line",
    [
        *("no wait", "No, 5", "wait, 5", "actually 5", "Actually, draw", "or 4", "I meant 5"),
        *("nein", "doch lieber 5", "stattdessen draw", "non, 5", "plutôt 5", "mejor 5", "não, 5"),
        *("de fapt 5", "anzi 5", "liever 5", "scratch that", "I changed my mind", "instead 5"),
        *(
            "👎",
            "❌ 3",
            "Undo",
            "Wrong!",
            "Ignore the above.",
            "scrap that",
            "hold on",
            "disregard",
        ),
        *("Edit: take 1", "Sorry, wrong. I mean take 1", "sorry, that was for another game"),
        *("2 instead", "take 1 instead", "stop, that was wrong", "Danke, aber erst morgen"),
        *("Merci, mais plus tard", "però no", "mas não", "dar nu", "maar niet", "不要"),
    ],
)
def test_lines_that_take_something_back(line: str) -> None:
    """A change of mind is noticed in many languages."""
    assert takes_something_back(line)


@pytest.mark.parametrize(
    "line",
    [
        *("no. 3", "draw", "Sorry for the delay", "Nice game so far", "pay up to 2 or give up"),
        *("absence cancel", "absence 3. Mai bis 10. Mai", "claim essen-berlin", "keep none"),
    ],
)
def test_lines_that_take_nothing_back(line: str) -> None:
    """Numbers, commands and chatter take nothing back."""
    assert not takes_something_back(line)


def test_no_move_denies_anything() -> None:
    """No place and no line of a menu, on any board, has a word that takes something back."""
    denied: list[str] = []
    for table in tables():
        board = table.rules.board
        texts = [city.name for city in board.cities.values()]
        texts += [place.name for place in board.places.values()]
        if table.seats == 3:
            for step in played(table, 0).steps[::40]:
                for entry in menu(table.rules, step.state, step.seat):
                    texts += [entry.text, printed(1, entry, "Paris–Wien (8)")[0]]
        denied += filter(takes_something_back, texts)

    assert [] == denied


def test_a_message_may_deny_something() -> None:
    """A line that begins a message is known as one, also below the letter of a game."""
    assert has_message("say I don't know")
    assert has_message("B say: not yet")
    assert not has_message("Ben, say no")


@pytest.mark.parametrize(
    "line",
    [
        *("Option 1: 2 3", "1: 2 3", "1. 2 3", "1) 2 3", "(1) 2, 3", "Option 1 2", "no. 1 2"),
        *("Option 1", "1: all", "#1 2 3"),
    ],
)
def test_the_number_of_an_option_is_no_ticket(line: str) -> None:
    """In a choice of tickets a label is refused with an example, and no ticket is kept."""
    table = Table("europe", (), 3)
    first = played(table, 0).steps[0]

    with pytest.raises(Unreadable, match="“keep 1 3”"):
        read(table.rules, first.state, first.seat, tidied(line))


@pytest.mark.parametrize("line", ["1 3", "1, 3", "I choose 1 3", "keep 1 3", "1. keep 1 3"])
def test_numbers_of_tickets_are_read(line: str) -> None:
    """Numbers without a label mean tickets, where these are all there is to choose."""
    table = Table("europe", (), 3)
    first = played(table, 0).steps[0]
    expected = read(table.rules, first.state, first.seat, "keep 1 3")

    assert expected == read(table.rules, first.state, first.seat, tidied(line))
