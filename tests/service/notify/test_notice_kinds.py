"""Kinds of notices, in the groups that channels treat alike."""

import pytest

from service.notify.notice_kinds import ABOUT_ADDRESSES, ANYWAY, TALK, TURNS
from tests.service.notify.test_preferences import NOON, somebody, time
from workers.channels.mail.channel import MailChannel


def test_every_kind_in_a_group_has_a_letter() -> None:
    """Every kind in a group is a kind of letter, so a misspelled one is found."""
    assert {*TURNS, TALK, *ABOUT_ADDRESSES, *ANYWAY} <= MailChannel.kinds


def test_turns_and_talk_wait_for_preferences() -> None:
    """Turns and table talk follow the preferences; letters about addresses do not."""
    assert ANYWAY.isdisjoint({*TURNS, TALK})
    assert ANYWAY.issuperset(ABOUT_ADDRESSES)


@pytest.mark.parametrize("kind", sorted(MailChannel.kinds))
def test_off_means_off(kind: str) -> None:
    """In mode `off` only the kinds in ANYWAY are sent."""
    assert (kind in ANYWAY) == (time(somebody("off"), NOON, kind) is not None)


@pytest.mark.parametrize("kind", sorted(ANYWAY))
def test_what_was_asked_for_comes_at_once(kind: str) -> None:
    """The kinds in ANYWAY are sent at once, despite quiet hours and digest."""
    night = "2026-06-15T23:30:00.000Z"
    assert night == time(somebody("digest", ("22:00", "07:00")), night, kind)
