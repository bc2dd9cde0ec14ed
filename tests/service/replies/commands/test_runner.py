"""Carrying out the lines of a reply in order."""

import pytest

from service.desk import Desk
from service.games import reading
from service.replies.commands import runner
from service.replies.commands.conversation import Reply
from tests.service.support.post import opened
from tests.service.support.tables import keep_tickets


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


def test_help_and_status_change_nothing(desk: Desk) -> None:
    """`help` and `status` are answered, and the next line is still carried out."""
    post = opened(desk)
    post.reply("Help", "status", "keep all")
    answer = post.answers()[-1]

    assert [True, True, True] == [line["ok"] for line in answer["lines"]]
    assert ["help", "status"] == answer["shows"]
    assert "is waiting for" in answer["lines"][1]["result"]


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
