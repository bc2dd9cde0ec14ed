"""The commands `resign` and `leave`."""

import pytest

from service.desk import Desk
from service.games import lobby
from service.replies.commands import resigning
from store.games import games
from store.notify import received_mail
from tests.service.support.post import letter, opened


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


def test_leaving_an_open_table_takes_a_second_word(desk: Desk) -> None:
    """`leave` says how, `leave yes` frees the seat."""
    post = opened(desk).at_open_table()
    lobby.join(desk, post.players[1], post.game, "", None)
    assert [resigning.LEAVE_AGAIN] == [line.result for line in post.carry_out("leave").lines]

    assert post.carry_out("leave yes").changed
    assert not _is_seated(desk, post.game, post.players[0])


def _is_seated(desk: Desk, game: str, account: str) -> bool:
    with desk.database.reading() as tx:
        table = games.table(tx, game)
    return table is not None and table.seat_of(account) is not None


def test_a_game_that_has_begun_is_not_left(desk: Desk) -> None:
    """`leave yes` neither leaves nor resigns there."""
    post = opened(desk)
    post.write("leave yes")

    assert [("leave yes", False)] == post.results()
    assert post.seat().resigned is None


@pytest.mark.parametrize("is_alone", [False, True])
def test_leaving_is_answered_after_a_crash(
    each_desk: Desk,
    monkeypatch: pytest.MonkeyPatch,
    is_alone: bool,  # noqa: FBT001  # a table
) -> None:
    """If a crash loses the answer, the next delivery sends it, also if the table is deleted."""
    post = opened(each_desk).at_open_table()
    if not is_alone:
        lobby.join(each_desk, post.players[1], post.game, "", None)
    raw, address = letter("Leave yes!"), post.lasting_address()
    with monkeypatch.context() as broken:
        broken.setattr(received_mail, "add", _crash)
        with pytest.raises(RuntimeError):
            post.take(raw, address)
    assert not _is_seated(each_desk, post.game, post.players[0])

    assert "answered" == post.take(raw, address)
    assert [("Leave yes!", True)] == post.results()
    (answer,) = post.answers()
    assert (post.game, 0) == (answer["row"].game, answer["row"].seat)
    assert answer["title"]
    assert "seen" == post.take(raw, address)


def _crash(*_: object) -> None:
    raise RuntimeError("the power is gone")


def test_only_the_owner_is_told_of_a_seat_that_is_left(desk: Desk) -> None:
    """Mail that is not certain, or has other lines, is kept when the seat is gone."""
    post = opened(desk).at_open_table()
    lobby.join(desk, post.players[1], post.game, "", None)
    address = post.lasting_address()
    post.write("leave yes")

    assert "held" == post.take(letter("leave yes", authentication_results=None), address)
    assert "held" == post.take(letter("status"), address)
