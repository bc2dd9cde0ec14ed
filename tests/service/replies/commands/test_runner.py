"""Carrying out the lines of a reply in order."""

import pytest

from service.desk import Desk
from service.games import reading
from service.replies.commands import move_lines, runner
from service.replies.commands.conversation import Reply
from tests.service.support.post import letter, opened
from tests.service.support.tables import keep_tickets
from tests.service.support.timing import table_at


def test_several_lines_are_played_in_order(each_desk: Desk) -> None:
    """Each line is judged by the position after the line before it."""
    post = opened(each_desk)
    keep_tickets(each_desk, post.game, post.players)

    assert "answered" == post.reply("draw", "", "draw", message_id="<two@example.org>")
    assert [("draw", True), ("draw", True)] == post.results()
    assert "<two@example.org>" == post.answers()[-1]["message_id"]
    assert 5 == post.moves()


def test_a_card_from_the_market_and_one_from_the_deck(desk: Desk) -> None:
    """`take` and `draw` in one reply are a whole turn."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    decision = reading.decision(desk, post.game, post.players[0])
    assert decision is not None
    plain = next(
        entry["text"]
        for entry in decision["menu"]
        if entry["text"].startswith("take ") and "locomotive" not in entry["title"]
    )
    post.reply(plain, "draw")

    assert [(plain, True), ("draw", True)] == post.results()
    assert post.seat(0).decision_version is None


def test_reading_stops_at_the_first_refusal(desk: Desk) -> None:
    """The lines before it are carried out, the lines after it are not read."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    post.reply("draw", "claim nowhere-nothing", "draw")

    assert [("draw", True), ("claim nowhere-nothing", False)] == post.results()
    assert post.seat(0).decision_version is not None


def test_after_the_turn_nothing_more_is_played(desk: Desk) -> None:
    """A line after the end of the player's turn is refused."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    post.reply("draw", "draw", "draw")

    assert [True, True, False] == [ok for _, ok in post.results()]
    assert 5 == post.moves()


def test_a_number_is_an_option_of_that_letter(desk: Desk) -> None:
    """A number works only for the first move, because the next list has not been seen."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    decision = reading.decision(desk, post.game, post.players[0])
    assert decision is not None
    number = next(str(entry["n"]) for entry in decision["menu"] if entry["text"] == "draw")
    post.reply(number, number)

    assert [(number, True), (number, False)] == post.results()
    assert move_lines.NUMBERS == post.answers()[-1]["lines"][-1]["result"]


def test_a_completed_number_is_of_that_letter_too(desk: Desk) -> None:
    """A number with what is paid works only for the first move as well."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    post.reply("draw", "1 with red")

    assert [("draw", True), ("1 with red", False)] == post.results()
    assert move_lines.NUMBERS == post.answers()[-1]["lines"][-1]["result"]


@pytest.mark.parametrize(("line", "kept"), [("1 3", 2), ("1, 2", 2), ("all", 3)])
def test_tickets_are_kept_by_their_numbers(desk: Desk, line: str, kept: int) -> None:
    """Where only tickets are asked for, a line of numbers or “all” keeps them."""
    post = opened(desk)
    post.reply(line)

    assert [(line, True)] == post.results()
    with desk.database.reading() as tx:
        state = desk.positions.of(tx, table_at(desk, post.game)).state
    assert kept == len(state.parts["tickets"].held[0])


def test_a_claim_and_what_its_tunnel_costs(desk: Desk) -> None:
    """After a tunnel claim, `pay up to 9 or give up` ends the turn, whatever the tunnel reveals."""
    post = opened(desk, board="europe")
    keep_tickets(desk, post.game, post.players)
    number = 0
    for _ in range(60):
        number = 0 if post.seat(0).decision_version is not None else 1
        decision = reading.decision(desk, post.game, post.players[number])
        assert decision is not None
        dug = [
            entry for entry in decision["menu"] if entry["reveals"] and entry["group"] == "claim"
        ]
        if dug:
            way = decision["ways"][dug[0]["ways"][0]]
            text = f"{dug[0]['text']} with {way['text']}"
            post.reply(text, "pay up to 9 or give up", number=number)
            break
        post.reply("draw", "draw", number=number)

    assert [True, True] == [ok for _, ok in post.results()]
    assert post.seat(number).decision_version is None


def test_help_and_status_change_nothing(desk: Desk) -> None:
    """`help` and `status` are answered, and the next line is still carried out."""
    post = opened(desk)
    post.reply("Help", "status", "keep all")
    answer = post.answers()[-1]

    assert [True, True, True] == [line["ok"] for line in answer["lines"]]
    assert answer["help"]
    assert answer["status"]
    assert "is waiting for" in answer["lines"][1]["result"]


def test_resigning_takes_a_second_word(desk: Desk) -> None:
    """`resign` alone is refused; `resign yes` resigns."""
    post = opened(desk)
    post.reply("resign", "keep all")
    assert [("resign", False)] == post.results()
    assert post.seat().resigned is None
    raw, address = letter("resign yes"), post.address()
    post.take(raw, address)

    assert post.seat().resigned is not None
    assert [("resign yes", True)] == post.results()


def test_nothing_is_read_after_twenty_lines(desk: Desk) -> None:
    """The twenty-first line is refused, and the rest is not read."""
    post = opened(desk)
    post.reply(*["status"] * 30)

    assert [True] * 20 + [False] == [ok for _, ok in post.results()]


def test_the_answer_names_the_lines_that_were_not_read(desk: Desk) -> None:
    """Reading stops at a misspelt line, and the answer has the lines after it."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    before = post.moves()
    post.reply("clam dieppe-paris", "draw", "status")

    assert [("clam dieppe-paris", False)] == post.results()
    assert ["draw", "status"] == post.answers()[-1]["unread"]
    assert before == post.moves()


def test_nothing_is_unread_after_a_whole_turn(desk: Desk) -> None:
    """Greeting, closing and polite words leave nothing unread."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    post.reply("Hi Nightmail,", "", "Please draw!", "*draw*", "", "Cheers,", "Ada")

    assert [("Please draw!", True), ("*draw*", True)] == post.results()
    assert [] == post.answers()[-1]["unread"]


@pytest.mark.parametrize(
    "line",
    [
        *("no wait, tickets", "Undo", "Edit: take 1", "sorry, that was for another game"),
        *("Stop, that was wrong", "2 instead"),
    ],
)
def test_a_changed_mind_stops_everything(desk: Desk, line: str) -> None:
    """If a later line takes something back, no line is carried out, and the answer says why."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    before = post.moves()
    post.reply("draw", line, "status")

    assert [(line, False)] == post.results()
    answer = post.answers()[-1]
    assert runner.TAKEN_BACK == answer["lines"][0]["result"]
    assert ["draw", "status"] == answer["unread"]
    assert before == post.moves()


@pytest.mark.parametrize("form", ["#{}", "({})", "Option {}, please", "{}. {}", "{}", "{}.\r\n{}"])
def test_an_option_is_played_once_however_it_is_written(desk: Desk, form: str) -> None:
    """The number of an option in many forms, and its copied line, are one move each."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    decision = reading.decision(desk, post.game, post.players[0])
    assert decision is not None
    entry = next(entry for entry in decision["menu"] if entry["text"] == "draw")
    before = post.moves()
    post.reply(form.format(entry["n"], entry["title"]))

    assert before + 1 == post.moves()
    assert [True] == [ok for _, ok in post.results()]


def test_a_copied_line_counts_once_if_it_is_read_again(desk: Desk) -> None:
    """A reply whose answer was lost in a crash is read again, and moves nothing."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    version = post.seat(0).decision_version
    reply = Reply(
        post.players[0], post.game, version, ["1. Draw a card from the deck", "Please draw"], "key"
    )
    first = runner.carry_out(post.desk, reply)
    before = post.moves()

    assert [True, True] == [line.ok for line in first.lines]
    assert first == runner.carry_out(post.desk, reply)
    assert before == post.moves()
