"""What is known about a mail when it arrives."""

import pytest

from service.replies import incoming_mail
from service.replies.arrival import Arrival
from service.replies.trust import Verdict


def arrival(sender: str, owner: str, verdict: Verdict) -> Arrival:
    """A mail with this From header to the owner of an address."""
    letter = incoming_mail.read(f"From: {sender}\r\n\r\nkeep all\r\n".encode())
    return Arrival(letter, sender, owner=owner, verdict=verdict)


@pytest.mark.parametrize(
    ("sender", "email", "expected"),
    [
        ("ada@example.org", "ada@example.org", True),
        ("ADA@Example.org", "ada@example.org", True),
        ("ada+games@example.org", "ada@example.org", True),
        ("ada@example.org", "ada+games@example.org", True),
        ("ada+work@example.org", "ada+games@example.org", True),
        ("ada+games@example.com", "ada@example.org", False),
        ("adam@example.org", "ada@example.org", False),
        ("ada.l@example.org", "adal@example.org", False),
        ("+games@example.org", "+work@example.org", False),
    ],
)
def test_a_tag_leads_to_the_same_mailbox(sender: str, email: str, expected: bool) -> None:  # noqa: FBT001  # a table
    """An address with a tag after `+` is the owner's, if DMARC passed for its domain."""
    mail = arrival(sender, email, Verdict.PASS)

    assert expected == mail.is_from_owner == mail.is_certain


@pytest.mark.parametrize(
    ("sender", "verdict", "is_certain", "may_be_forged"),
    [
        ("ada@example.org", Verdict.PASS, True, False),
        ("ada@example.org", Verdict.NONE, False, False),
        ("ada@example.org", Verdict.FAIL, False, True),
        ("eve@example.com", Verdict.PASS, False, True),
        ("nonsense", Verdict.PASS, False, True),
    ],
)
def test_a_sender_is_certain_only_with_proof(
    sender: str,
    verdict: Verdict,
    is_certain: bool,  # noqa: FBT001  # a table
    may_be_forged: bool,  # noqa: FBT001  # a table
) -> None:
    """The owner's address alone proves nothing; another address, or a failed check, is doubtful."""
    mail = arrival(sender, "ada@example.org", verdict)

    assert (is_certain, may_be_forged) == (mail.is_certain, mail.may_be_forged)
