"""Mail to the lasting address of a seat, which is about no decision."""

from typing import Any

import pytest

from service.desk import Desk
from service.games import moves, reading
from service.games.move_requests import MoveRequest
from service.replies import mailboxes, receive
from service.replies.commands import move_lines
from store.notify import received_mail
from tests.service.support.post import letter, opened
from tests.service.support.tables import keep_tickets


def result(post_answers: list[dict[str, object]]) -> str:
    """The result of the last line of the last answer."""
    lines = post_answers[-1]["lines"]
    assert isinstance(lines, list)
    return str(lines[-1]["result"])


def test_a_move_answers_the_decision_that_is_open(each_desk: Desk) -> None:
    """Moves that are written out are played, one after the other."""
    post = opened(each_desk)
    keep_tickets(each_desk, post.game, post.players)

    assert "answered" == post.write("draw", "draw")
    assert [("draw", True), ("draw", True)] == post.results()
    assert 5 == post.moves()


def test_after_the_turn_nothing_more_is_played(desk: Desk) -> None:
    """A third move in one mail does not answer a decision that it cannot know: it is an order."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    post.write("draw", "draw", "draw")

    assert [True, True, True] == [ok for _, ok in post.results()]
    assert 5 == post.moves()


def test_a_later_turn_is_not_played(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the others move while a mail is read, its last line does not begin the next turn."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    submit, made = moves.submit, []

    def with_others(*arguments: Any) -> dict[str, Any]:
        receipt = submit(*arguments)
        made.append(receipt)
        if len(made) == 2:
            for _ in range(2):
                submit(desk, post.players[1], post.game, MoveRequest("draw"))
        return receipt

    monkeypatch.setattr(moves, "submit", with_others)
    post.write("draw", "draw", "draw")

    assert [True, True, True] == [ok for _, ok in post.results()]
    assert post.seat().decision_version is not None
    assert 7 == post.moves()


@pytest.mark.parametrize("line", ["1", "1 with green", "1 3", "all", "none"])
def test_a_number_is_refused(desk: Desk, line: str) -> None:
    """No list of moves was sent with this address, so a number means nothing there."""
    post = opened(desk)
    post.write(line)

    assert [(line, False)] == post.results()
    assert move_lines.NO_LIST == result(post.answers())
    assert 1 == post.moves()


def test_a_move_when_no_decision_waits(desk: Desk) -> None:
    """The answer says that no decision is waiting, and nothing is played."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    post.write("draw", number=1)

    assert [("draw", False)] == post.results()
    assert move_lines.NOTHING_WAITS == result(post.answers())
    assert 3 == post.moves()


def test_a_mail_that_is_read_again_plays_nothing_twice(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a crash in the middle, the same mail finds its own moves and message."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    raw, address = letter("say Hello", "draw", "draw"), post.lasting_address()
    with monkeypatch.context() as broken:
        broken.setattr(received_mail, "add", _crash)
        broken.setattr(received_mail, "spend", lambda *_: True)
        with pytest.raises(RuntimeError):
            post.take(raw, address)
    assert [] == post.answers()

    assert "answered" == post.take(raw, address)
    assert [True, True, True] == [ok for _, ok in post.results()]
    assert ["Hello"] == post.messages()
    assert 5 == post.moves()
    assert "seen" == post.take(raw, address)


def _crash(*_: object) -> None:
    raise RuntimeError("the power is gone")


def test_tickets_are_shown_and_not_drawn(desk: Desk) -> None:
    """`tickets`, which is a move in reply to a list, is a question where there was no list."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    post.write("tickets")

    assert ["my tickets"] == post.answers()[-1]["shows"]
    assert 3 == post.moves()
    decision = reading.decision(desk, post.game, post.players[0])
    assert decision is not None
    assert "tickets" in [entry["text"] for entry in decision["menu"]]
    post.reply("tickets")
    assert 4 == post.moves()


def test_an_address_of_a_voided_seat_is_gone(desk: Desk) -> None:
    """Both addresses are void when the player says that a letter was forwarded."""
    post = opened(desk)
    addresses = [post.lasting_address(), post.talk_address()]
    assert len(set(addresses)) == 2
    with desk.database.writing() as tx:
        mailboxes.void(tx, post.game, 0)

    assert [False, False] == [receive.accepts(post.desk, address) for address in addresses]


def test_another_sender_is_not_believed(desk: Desk) -> None:
    """A mail from elsewhere does nothing, and its owner is told."""
    post = opened(desk)
    raw = letter("draw", authentication_results=None)

    assert "unsure" == post.take(raw, post.lasting_address())
    assert 1 == post.moves()
    assert ["draw"] == post.answers("letter_unsure")[-1]["lines"]


def test_an_address_is_stored_once(each_desk: Desk) -> None:
    """Storing the address for table talk twice changes nothing, in both databases."""
    post = opened(each_desk)

    assert post.talk_address() == post.talk_address()
    assert receive.accepts(post.desk, post.talk_address())
