"""Commands that ask something and change nothing."""

import pytest

from service.desk import Desk
from service.games import lobby
from service.replies.commands import runner
from service.replies.commands.conversation import Reply
from tests.service.support.owing import change
from tests.service.support.post import opened
from tests.service.support.tables import keep_tickets

PARTS = {
    "help": "help",
    "status": "status",
    "board": "board",
    "hand": "hand",
    "my tickets": "my tickets",
    "my hand": "hand",
    "history": "history",
    "history all": "history all",
    "moves": "moves",
}


@pytest.mark.parametrize("line", PARTS)
def test_a_question_asks_for_a_part_of_the_letter(desk: Desk, line: str) -> None:
    """Each question names the part that the letter shows, and changes nothing."""
    post = opened(desk)
    outcome = runner.carry_out(desk, Reply(post.players[0], post.game, None, [line], "key"))

    assert [True] == [result.ok for result in outcome.lines]
    assert (PARTS[line],) == outcome.shows
    assert not outcome.changed
    assert (line == "moves") == outcome.needs_moves


@pytest.mark.parametrize("line", ["my goodness", "history 7 weeks"])
def test_an_unclear_question_is_refused(desk: Desk, line: str) -> None:
    """The answer says what can be written instead."""
    post = opened(desk)
    post.write(line)

    assert [(line, False)] == post.results()
    assert [] == post.answers()[-1]["shows"]


def test_status_says_until_when_in_the_readers_zone(desk: Desk) -> None:
    """The status names who is awaited, each with the deadline in the reader's time zone."""
    post = opened(desk, pace="days").at("2026-05-01T12:00:00.000Z")
    keep_tickets(post.desk, post.game, post.players)
    change(desk, post.players[1], time_zone="Asia/Tokyo")
    post.write("status", number=1)

    sentence = post.answers()[-1]["lines"][0]["result"]
    assert sentence.startswith("The game is waiting for ")
    assert "(until " in sentence
    assert "JST" in sentence


def test_moves_when_no_decision_waits(desk: Desk) -> None:
    """Nothing is listed, and the answer says that there is no decision."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    post.write("moves", number=1)

    assert [] == post.answers()[-1]["shows"]
    assert "no decision" in post.answers()[-1]["lines"][0]["result"]


def test_before_the_game_begins(desk: Desk) -> None:
    """`status` counts the free seats, and there is no board to show."""
    post = opened(desk)
    game = lobby.open_game(desk, post.players[0], lobby.NewGame("usa", (), 3), None)["id"]
    reply = Reply(post.players[0], game, None, ["status", "board"], "key")
    status, board = runner.carry_out(desk, reply).lines

    assert "free seats: 2." in status.result
    assert not board.ok


def test_a_mere_question_needs_no_list_of_moves(desk: Desk) -> None:
    """The list of moves is sent after a move, refused or not, and not after other lines."""
    post = opened(desk)
    for line, needs in [("status", False), ("say Hi", False), ("resign", False), ("fly", True)]:
        post.reply(line)
        assert needs == post.answers()[-1]["needs_moves"], line
    post.reply("keep all")
    assert post.answers()[-1]["needs_moves"]
