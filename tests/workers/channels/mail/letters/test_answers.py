"""Letters that answer replies: what was asked for, and no more than that."""

from email.message import EmailMessage
from typing import Any

import pytest

from service.desk import Desk
from service.games import lobby, talk
from service.replies import mailboxes
from service.replies.commands import guide, runner
from service.replies.commands.conversation import Reply
from service.replies.mailboxes import Mailbox
from tests.random_games import Table, sample_of_tables, tables
from tests.workers.correspondence import Room, composed, delivery, mail, part, room
from workers.channels.mail.letters import render, shown_parts

NOW = "2026-03-01T12:00:00.000Z"
TABLES = sample_of_tables(8, among=[table for table in tables() if table.seats == 2])


def answer(here: Room, seat: int, *lines: str) -> EmailMessage:
    """The letter that answers these lines."""
    reply = Reply(here.players[seat], here.game, None, lines, "key")
    outcome = runner.carry_out(here.desk, reply)
    data: dict[str, Any] = {
        "lines": [line._asdict() for line in outcome.lines],
        "shows": outcome.shows,
        "needs_moves": outcome.needs_moves,
    }
    return mail(here.desk, here.about("letter_answered", seat, data=data))


def box(desk: Desk, message: EmailMessage) -> Mailbox | None:
    """What the Reply-To address of a letter stands for."""
    return mailboxes.find(desk, str(message["Reply-To"]))


def begun(desk: Desk) -> Room:
    """A game after its first moves."""
    here = room(desk, seats=2, pace="days")
    here.play(60)
    return here


HEADINGS = {
    "help": "What you can write",
    "status": "Score so far",
    "board": "The board",
    "hand": "Your hand",
    "my tickets": "Your tickets",
    "history": "What has happened",
}


@pytest.mark.parametrize("line", HEADINGS)
def test_a_question_is_answered_and_nothing_else(desk: Desk, line: str) -> None:
    """The letter has the part that was asked for, and of the open decision only the link."""
    here = begun(desk)
    seat = here.awaited
    message = answer(here, seat, line)
    text = part(message, "plain")

    assert [line] == [
        question for question, heading in HEADINGS.items() if f"\n{heading}\n" in text
    ]
    assert "It is still your turn" in text
    assert "Open my turn:\n" in text
    assert "What you can do" not in text
    decision = here.table.seated[seat].decision_version
    assert Mailbox("reply", here.players[seat], here.game, seat, decision) == box(desk, message)


def test_moves_sends_the_list_again(desk: Desk) -> None:
    """After `moves` the letter has the whole decision."""
    here = begun(desk)
    text = part(answer(here, here.awaited, "moves"), "plain")

    assert "What you can do" in text
    assert "Your next decision" in text


def test_a_question_when_nothing_is_asked(desk: Desk) -> None:
    """The letter says for whom the game waits, and can be answered at the lasting address."""
    here = begun(desk)
    other = 1 - here.awaited
    message = answer(here, other, "hand")
    text = part(message, "plain")

    assert "You have no decision to make at the moment." in text
    assert f"Waiting for {here.table.seated[1 - other].name}" in text
    assert "Score so far" not in text
    assert Mailbox("reply", here.players[other], here.game, other) == box(desk, message)


def test_help_names_every_command(desk: Desk) -> None:
    """The list has an example for each command, each on lines of its own."""
    here = begun(desk)
    text = part(answer(here, here.awaited, "help"), "plain")
    for row in (*guide.MOVES, *guide.COMMANDS):
        assert f"\n    {row.example} – " in text
    assert {*runner.COMMANDS} == {row.example.split()[0] for row in guide.COMMANDS}
    assert f"by mail, write “help” to {desk.settings.service_address}." in " ".join(text.split())


def test_a_board_fits_into_72_columns(desk: Desk) -> None:
    """In the text of an answer no row of the board is wider than 72 characters."""
    here = room(desk, "europe", seats=2)
    here.play(120)
    text = part(answer(here, here.awaited, "board"), "plain")
    board = text.partition("\nThe board\n")[2].partition("\nIt is still your turn\n")[0]

    assert "Kind" in board
    assert [] == [line for line in board.splitlines() if len(line) > 72]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("game_started", None),
        ("seat_caretaken", {"away": 0}),
        ("seat_resigned", None),
        ("letter_answered", {"lines": [], "needs_moves": False}),
        ("letter_answered", {"lines": []}),
        ("message_posted", None),
        ("decision_opened", None),
    ],
)
def test_every_letter_about_a_game_can_be_answered(
    desk: Desk, kind: str, data: dict[str, Any] | None
) -> None:
    """Its Reply-To is an address of the seat that works, and it has a link to the game."""
    here = begun(desk)
    awaited = here.awaited
    seat = awaited if kind == "decision_opened" else 1 - awaited
    more: dict[str, Any] = {"version": here.table.version} if seat != awaited else {}
    if kind == "message_posted":
        more["version"] = talk.say(desk, here.players[awaited], here.game, "Hi!", None)["number"]
    message = mail(desk, here.about(kind, seat, data=data, **more))

    purpose = "talk" if kind == "message_posted" else "reply"
    version = here.table.seated[seat].decision_version
    assert Mailbox(purpose, here.players[seat], here.game, seat, version) == box(desk, message)
    for text in (part(message, "plain"), part(message, "html")):
        assert f"{desk.settings.public_url}/games/{here.game}" in text
        assert "Reply above this line" in text


def test_letters_about_the_end_can_be_answered(desk: Desk) -> None:
    """A game that is over can still be talked about, and its letter has a link to it."""
    here = room(desk, "usa", ("dice",), seats=2)
    here.play(4000)
    message = mail(desk, here.about("game_finished", 0, version=here.table.version))

    assert Mailbox("reply", here.players[0], here.game, 0) == box(desk, message)
    assert f"{desk.settings.public_url}/games/{here.game}" in part(message, "plain")
    text = part(answer(here, 0, "status", "board", "hand", "my tickets", "history all"), "plain")
    assert "The game is finished." in text


def test_an_answer_about_an_open_table(desk: Desk) -> None:
    """Before the game begins the letter says what came of each line, with a link to the table."""
    here = room(desk, seats=2)
    ada = here.players[0]
    game = lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2, title="Sunday"), None)["id"]
    lines = [{"text": "status", "result": "The game has not begun.", "ok": True}]
    about = delivery(ada, "letter_answered", game, 0, -1, {"lines": lines, "title": "Sunday"})
    message = mail(desk, about)

    assert Mailbox("reply", ada, game, 0) == box(desk, message)
    assert "The game has not begun." in part(message, "plain")
    assert f"/games/{game}" in part(message, "plain")
    lobby.leave(desk, ada, game)
    left = mail(desk, about)
    assert desk.settings.service_address == left["Reply-To"]
    assert f"/games/{game}" not in part(left, "plain")


def test_a_doubtful_mail_about_no_decision(desk: Desk) -> None:
    """The letter shows the lines, and has a link to carry them out."""
    here = begun(desk)
    other = 1 - here.awaited
    about = here.about("letter_unsure", other, version=None, data={"lines": ["say Hello"]})
    text = part(mail(desk, about), "plain")

    assert "  | say Hello\n" in text
    assert f"carry them out:\n{desk.settings.public_url}/letter/" in text


def test_a_doubtful_mail_says_why(desk: Desk) -> None:
    """The letter names the reason, and the address that the mail gives as its sender."""
    here = begun(desk)
    data = {"lines": ["draw"], "why": "It is odd.", "sender": "eve@example.com"}
    message = mail(desk, here.about("letter_unsure", here.awaited, data=data))
    text = " ".join(part(message, "plain").split())
    assert "It says that it comes from eve@example.com. It is odd." in text


def test_a_doubtful_mail_before_the_game_begins(desk: Desk) -> None:
    """Commands for a table that waits for players can be confirmed too, unless it is left."""
    ada = room(desk, seats=2).players[0]
    game = lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2, title="Sunday"), None)["id"]
    data = {"lines": ["invite Ben"], "title": "Sunday"}
    about = delivery(ada, "letter_unsure", game, 0, None, data)
    message = mail(desk, about)

    assert "Sunday: please confirm your mail" == message["Subject"]
    assert f"carry them out:\n{desk.settings.public_url}/letter/" in part(message, "plain")
    lobby.leave(desk, ada, game)
    assert composed(desk, about) is None


@pytest.mark.parametrize("kind", ["letter_answered", "letter_unsure"])
def test_the_last_letter_of_its_kind_says_so(desk: Desk, kind: str) -> None:
    """The note that no more letters of this kind follow is in the letter."""
    here = begun(desk)
    data = {"lines": [], "note": "This is the last one."}

    assert "This is the last one." in part(mail(desk, here.about(kind, data=data)), "plain")


def test_parts_that_are_unknown_are_left_out(desk: Desk) -> None:
    """A notice of another release with an unknown part still becomes a letter."""
    here = begun(desk)
    data = {"lines": [], "shows": ["weather", "hand"]}
    text = part(mail(desk, here.about("letter_answered", data=data)), "plain")

    assert "\nYour hand\n" in text
    assert "weather" not in shown_parts._PARTS


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_board_is_narrow_enough_for_every_mail_program(desk: Desk, table: Table) -> None:
    """The board in words has no line that is too long, links aside."""
    here = room(desk, table.board, table.variants, seats=2)
    here.play(90)
    lines = part(answer(here, here.awaited, "board"), "plain").splitlines()

    assert any(HEADINGS["board"] in line for line in lines)
    assert [] == [line for line in lines if len(line) > render.WIDTH and "://" not in line]
