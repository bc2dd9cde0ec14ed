"""Commands that change something apart from the game: mail, seats at open tables, guests."""

import pytest

from service.desk import Desk
from service.games import invitations, lobby, rematches
from service.replies.commands import resigning, runner
from service.replies.commands.conversation import Reply
from service.replies.commands.runner import Outcome
from store.games import games
from tests.service.support.owing import reachable
from tests.service.support.post import Post, opened


def test_stop_and_start(each_desk: Desk) -> None:
    """`stop` mutes mail about this game only, `start` resumes it; each can be repeated."""
    post = opened(each_desk)
    post.write("stop")
    assert post.seat().muted is not None
    assert post.seat(1).muted is None
    post.write("stop")
    assert post.seat().muted is not None
    assert "“start”" in post.answers()[-1]["lines"][0]["result"]
    post.write("start")

    assert post.seat().muted is None
    assert [("start", True)] == post.results()


def carry_out(post: Post, game: str, *lines: str) -> Outcome:
    """Carry out lines of the first player about another table."""
    return runner.carry_out(post.desk, Reply(post.players[0], game, None, lines, "key"))


def open_table(post: Post) -> str:
    """A table of the first player at which the game has not begun."""
    opened_game = lobby.open_game(post.desk, post.players[0], lobby.NewGame("usa", (), 3), None)
    return str(opened_game["id"])


def test_leaving_an_open_table_takes_a_second_word(desk: Desk) -> None:
    """`leave` says how, `leave yes` frees the seat."""
    post = opened(desk)
    game = open_table(post)
    lobby.join(desk, post.players[1], game, "", None)
    assert [resigning.LEAVE_AGAIN] == [line.result for line in carry_out(post, game, "leave").lines]
    outcome = carry_out(post, game, "leave yes")

    assert outcome.changed
    with desk.database.reading() as tx:
        table = games.table(tx, game)
    assert table is not None
    assert table.seat_of(post.players[0]) is None


def test_a_game_that_has_begun_is_not_left(desk: Desk) -> None:
    """`leave yes` neither leaves nor resigns there."""
    post = opened(desk)
    post.write("leave yes")

    assert [("leave yes", False)] == post.results()
    assert post.seat().resigned is None


def test_a_guest_is_invited_once(desk: Desk) -> None:
    """`invite` takes a name or an address; a mail that is read again invites nobody twice."""
    post = opened(desk)
    reachable(desk, "Guest")
    game = open_table(post)
    for _ in range(2):
        outcome = carry_out(post, game, "invite Guest", "invite new@example.org")
        assert [True, True] == [line.ok for line in outcome.lines]
        assert outcome.changed

    assert 2 == len(invitations.listed(desk, post.players[0], game))


def test_a_guest_without_a_name_or_a_table(desk: Desk) -> None:
    """`invite` alone, an unknown name and a game that has begun are refused."""
    post = opened(desk)
    game = open_table(post)

    assert not carry_out(post, game, "invite").lines[0].ok
    assert not carry_out(post, game, "invite Nobody At All").lines[0].ok
    assert not carry_out(post, post.game, "invite new@example.org").lines[0].ok


def test_a_rematch_counts_as_a_change(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """`rematch` is always answered; as a reply to table talk it is a message."""
    post = opened(desk)
    opened_once = rematches.Rematch(post.game, "USA", (), ())
    monkeypatch.setattr(rematches, "open_rematch", lambda *_: opened_once)
    monkeypatch.setattr(rematches, "sentence", lambda _: "A rematch is open.")

    assert carry_out(post, post.game, "rematch").changed
    post.answer_talk("Rematch!")
    assert ["Rematch!"] == post.messages()
