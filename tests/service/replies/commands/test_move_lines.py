"""Moves in a reply: by number, in words, and up to a limit."""

import pytest

from service.desk import Desk
from service.games import reading
from service.replies.commands import move_lines
from tests.service.support.post import opened
from tests.service.support.tables import keep_tickets
from tests.service.support.timing import table_at


def test_after_the_turn_nothing_more_is_played(desk: Desk) -> None:
    """A line after the end of the player's turn is kept for the next turn."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    post.reply("draw", "draw", "draw")

    assert [True, True, True] == [ok for _, ok in post.results()]
    assert post.answers()[-1]["lines"][-1]["result"].startswith("Kept for later: draw.")
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
