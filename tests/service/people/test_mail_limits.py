"""Limits on letters that strangers can cause."""

from dataclasses import replace

import pytest

from service.desk import Desk
from service.people import mail_limits, opt_outs
from service.refusals import Refused
from service.setting_values import Rate
from store.tables import mail_counts
from tests.service.support.newcomers import rows
from tests.service.support.timing import by_hand

EMAIL = "dan@example.org"


def _may_send(desk: Desk, kind: str, email: str = EMAIL) -> bool:
    with desk.database.writing() as tx:
        return mail_limits.may_send(desk, tx, kind, email)


def _admit(desk: Desk, source: str | None, email: str = EMAIL) -> None:
    with desk.database.writing() as tx:
        mail_limits.admit(desk, tx, source, email)


def test_a_client_is_refused_and_told_how_long_to_wait(each_desk: Desk) -> None:
    """A client is refused a sixth letter to one mailbox in an hour; another client is not."""
    desk, hands = by_hand(each_desk)
    for _ in range(5):
        _admit(desk, "127.0.0.1")
        hands.on(minutes=10)
    with pytest.raises(Refused, match="too many emails") as refused:
        _admit(desk, "127.0.0.1", "Dan+again@example.org")

    assert ("rate_limited", 600) == (refused.value.code, refused.value.more["retry_after"])
    _admit(desk, "127.0.0.2")
    hands.on(minutes=10)
    _admit(desk, "127.0.0.1")


def test_a_client_has_a_limit_for_all_mailboxes(desk: Desk) -> None:
    """A client's letters to all mailboxes are limited by `rate_limit_letters`."""
    few = (Rate(2, 3600),)
    desk = desk._replace(settings=replace(desk.settings, rate_limit_letters=few))
    for n in range(2):
        _admit(desk, "127.0.0.1", f"dan{n}@example.org")
    with pytest.raises(Refused):
        _admit(desk, "127.0.0.1", "dan3@example.org")


def test_without_a_source_nothing_is_counted(desk: Desk) -> None:
    """Letters without a source, from an operator's commands, are not counted."""
    for _ in range(20):
        _admit(desk, None)
    assert [] == rows(desk, mail_counts, "subject")


@pytest.mark.parametrize(
    ("kind", "most"), [("invited", 3), ("confirm_address", 10), ("sign_in", 20)]
)
def test_a_mailbox_gets_so_many_letters_a_day(desk: Desk, kind: str, most: int) -> None:
    """A mailbox gets a limited number of letters of a kind a day, and more the next day."""
    desk, hands = by_hand(desk)

    assert [True] * most + [False] == [_may_send(desk, kind) for _ in range(most + 1)]
    hands.on(days=1, seconds=1)
    assert _may_send(desk, kind)


def test_strangers_do_not_use_up_links_to_sign_in(desk: Desk) -> None:
    """Confirmation letters use up the limit of invitations, but not that of sign-in links."""
    while _may_send(desk, "confirm_address"):
        pass

    assert not _may_send(desk, "invited")
    assert _may_send(desk, "sign_in")


def test_a_reader_who_has_opted_out_gets_none(desk: Desk) -> None:
    """A reader who has opted out gets no invitation, and nothing is counted."""
    with desk.database.writing() as tx:
        opt_outs.add(desk, tx, EMAIL)

    assert not _may_send(desk, "invited")
    assert [] == rows(desk, mail_counts, "subject")


def test_a_host_may_invite_so_often(desk: Desk) -> None:
    """Each host's invitations are limited by `rate_limit_invitations`."""
    few = (Rate(1, 3600),)
    desk = desk._replace(settings=replace(desk.settings, rate_limit_invitations=few))
    with desk.database.writing() as tx:
        mail_limits.admit_invitation(desk, tx, "ada")
        mail_limits.admit_invitation(desk, tx, "ben")
        with pytest.raises(Refused):
            mail_limits.admit_invitation(desk, tx, "ada")
