"""The command `invite`."""

from service.desk import Desk
from service.games.inviting import invitations
from tests.service.support.owing import reachable
from tests.service.support.post import opened


def test_a_guest_is_invited_once(desk: Desk) -> None:
    """`invite` takes a name or an address; a mail that is read again invites nobody twice."""
    post = opened(desk).at_open_table()
    reachable(desk, "Guest")
    for _ in range(2):
        outcome = post.carry_out("invite Guest", "invite new@example.org")
        assert [True, True] == [line.ok for line in outcome.lines]
        assert outcome.changed

    assert 2 == len(invitations.listed(desk, post.players[0], post.game))


def test_a_guest_without_a_name_or_a_table(desk: Desk) -> None:
    """`invite` alone, an unknown name and a game that has begun are refused."""
    post = opened(desk)
    waiting = post.at_open_table()

    assert not waiting.carry_out("invite").lines[0].ok
    assert not waiting.carry_out("invite Nobody At All").lines[0].ok
    assert not post.carry_out("invite new@example.org").lines[0].ok
