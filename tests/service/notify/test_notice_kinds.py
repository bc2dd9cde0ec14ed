"""Kinds of notices, in the groups that channels treat alike."""

import pytest

from service.notify.notice_kinds import ABOUT_ADDRESSES, ANYWAY, TALK, TURNS
from tests.service.notify.test_preferences import NOON, somebody, time
from workers.channels.mail.channel import MailChannel


def test_every_kind_in_a_group_has_a_letter() -> None:
    """A misspelled kind would belong to no notice."""
    assert {*TURNS, TALK, *ABOUT_ADDRESSES, *ANYWAY} <= MailChannel.kinds


def test_turns_and_talk_wait_for_preferences() -> None:
    """They can be muted and merged, so they are not among those that are sent anyway."""
    assert ANYWAY.isdisjoint({*TURNS, TALK})
    assert ANYWAY.issuperset(ABOUT_ADDRESSES)


@pytest.mark.parametrize("kind", sorted(MailChannel.kinds))
def test_off_means_off(kind: str) -> None:
    """But for what somebody has asked for, or has to know of."""
    assert (kind in ANYWAY) == (time(somebody("off"), NOON, kind) is not None)


@pytest.mark.parametrize("kind", sorted(ANYWAY))
def test_what_was_asked_for_comes_at_once(kind: str) -> None:
    """An answer does not wait for the morning."""
    night = "2026-06-15T23:30:00.000Z"
    assert night == time(somebody("digest", ("22:00", "07:00")), night, kind)
