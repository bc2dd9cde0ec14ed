"""Who writes to the service address."""

import pytest

from engine import Refusal
from service.people import mail_limits
from service.replies.service_commands import people
from service.replies.service_commands.writer import Writer
from tests.service.support.office import Office


def test_a_stranger_is_no_player(office: Office) -> None:
    """Without an account there is no player, and the reason says how to become one."""
    with pytest.raises(Refusal, match="sign on"):
        Writer(office.desk, "ada@example.org", None, "").player  # noqa: B018  # it raises


def test_several_accounts_are_no_player(office: Office) -> None:
    """With several accounts at one address the writer has to say which."""
    office.player("Ada", "ada@example.org")
    office.player("Ben", "ada@example.org")
    account, others = people.owners(office.desk, "ada@example.org")
    with pytest.raises(Refusal, match="Ada, Ben"):
        Writer(office.desk, "ada@example.org", account, "", others).player  # noqa: B018  # it raises


def test_unproven_mail_has_one_source(office: Office) -> None:
    """Limits count proven mail by its sender, and all other mail together."""
    proven = Writer(office.desk, "ada@example.org", None, "")
    unproven = Writer(office.desk, "ada@example.org", None, "", is_proven=False)
    sources = ("ada@example.org", mail_limits.UNPROVEN_MAIL)
    assert sources == (proven.source, unproven.source)


def test_each_line_has_its_key(office: Office) -> None:
    """The keys of two lines of a mail differ, and are the same each time."""
    writer = Writer(office.desk, "ada@example.org", None, "letter-1")
    assert ("letter-1-0", "letter-1-1") == (writer.key_of(0), writer.key_of(1))
