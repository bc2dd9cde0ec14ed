"""What a refusal means, by its codes or by its text."""

import pytest

from service.notify import bounce_kinds
from service.notify.bounce_kinds import FULL, GONE, OTHER, OURS, POLICY, TOO_LARGE, Refusal

CODES = {
    "5.1.1": GONE,
    "5.1.2": GONE,
    "5.1.3": GONE,
    "5.1.6": GONE,
    "5.1.10": GONE,
    "5.2.1": GONE,
    "5.1.7": OURS,
    "5.1.8": OURS,
    "5.5.1": OURS,
    "5.2.2": FULL,
    "4.2.2": FULL,
    "5.2.3": TOO_LARGE,
    "5.3.4": TOO_LARGE,
    "5.7.0": POLICY,
    "5.7.1": POLICY,
    "5.7.26": POLICY,
    "5.7.606": POLICY,
    "5.0.0": OTHER,
    "5.1.0": OTHER,
    "5.4.1": OTHER,
    "5.4.4": OTHER,
    "5.5.0": OTHER,
    "5.6.0": OTHER,
}


@pytest.mark.parametrize(("status", "kind"), CODES.items())
def test_codes_have_a_kind(status: str, kind: str) -> None:
    """A code alone has this kind, in the field Status and in the text."""
    is_permanent = status.startswith("5")
    assert Refusal(kind, is_permanent) == bounce_kinds.refusal(None, "no", status)
    assert Refusal(kind, is_permanent) == bounce_kinds.refusal(None, f"smtp; {status} no")


TEXTS = [
    (550, "No such user here", GONE),
    (550, "Requested action not taken: mailbox unavailable", OTHER),
    (550, "mailbox unavailable", OTHER),
    (550, "5.5.0 Requested action not taken: mailbox unavailable", GONE),
    (550, "5.4.1 Recipient address rejected: Access denied.", GONE),
    (550, "<spam.policy@example.org>: User unknown", GONE),
    (550, "5.1.1 user unknown, or blocked because of your reputation", GONE),
    (550, "5.2.1 The account is disabled, or blocked because of your reputation", POLICY),
    (550, "user unknown, or blocked because of your reputation", POLICY),
    (550, "5.7.1 User unknown", POLICY),
    (550, "SPF check failed; mailbox unavailable", POLICY),
    (554, "Client host [198.51.100.7] blocked using bl.example.com", POLICY),
    (550, "Relay access denied", POLICY),
    (553, "Sender address rejected: not owned by user", POLICY),
    (550, "5.2.1 receiving mail at a rate that prevents additional messages", FULL),
    (550, "mailbox <ada@example.org> is full", FULL),
    (552, "Message too large", TOO_LARGE),
    (550, "Administrative prohibition", OTHER),
    (550, "", OTHER),
]
POSTFIX = "<ada@example.org>: Recipient address rejected: "
OF_SERVERS = [
    (550, f"5.1.1 {POSTFIX}User unknown in relay recipient table", GONE),  # Postfix
    (550, f"5.1.1 {POSTFIX}User unknown in local recipient table", GONE),
    (550, f"5.1.1 {POSTFIX}User unknown in virtual mailbox table", GONE),
    (550, f"{POSTFIX}User unknown in relay recipient table", GONE),
    (550, f"5.1.0 {POSTFIX}User unknown in virtual alias table", GONE),
    (554, f"5.7.1 {POSTFIX}Relay access denied", POLICY),
    (554, f"5.7.1 {POSTFIX}Access denied", POLICY),
    (550, "5.1.1 <ada@example.org>... User unknown", GONE),  # Sendmail
    (550, "5.7.1 <ada@example.org>... Relaying denied", POLICY),
    (550, "Unrouteable address", GONE),  # Exim
    (550, "relay not permitted", POLICY),
    (553, "sorry, that domain isn't in my list of allowed rcpthosts", OTHER),  # qmail
    (550, "sorry, no mailbox here by that name. (#5.1.1)", GONE),
    (550, "5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address", GONE),
    (550, "5.7.54 SMTP; Unable to relay recipient in non-accepted domain", POLICY),  # Exchange
    (550, "5.1.1 The email account that you tried to reach does not exist.", GONE),  # Gmail
    (550, "5.2.1 The email account that you tried to reach is inactive.", GONE),
    (552, "5.2.2 The recipient's inbox is out of storage space.", FULL),
    (550, "5.7.26 Unauthenticated email is not accepted due to domain's DMARC policy", POLICY),
    (554, "delivery error: dd This user doesn't have a yahoo.example account", GONE),  # Yahoo
    (550, "5.1.1 unknown user, message blocked", GONE),
    (550, "5.1.1 no such user; too many invalid recipients", GONE),
    (550, "5.1.2 relay: unknown host", GONE),
]
"""Refusals in the words of common servers, each with a code as it sends one."""


@pytest.mark.parametrize(
    ("code", "text", "kind"),
    [*TEXTS, *OF_SERVERS],
    ids=[row[1] for row in [*TEXTS, *OF_SERVERS]],
)
def test_texts_have_a_kind(code: int, text: str, kind: str) -> None:
    """A code of a missing address counts first; other replies are read by text, policy first."""
    assert Refusal(kind, is_permanent=True) == bounce_kinds.refusal(code, text)


def test_policy_wins_over_another_code() -> None:
    """A relay that reports 5.1.1 for a refusal with 5.7.1 mutes nobody."""
    text = "smtp; 550 5.7.1 refused"
    assert Refusal(POLICY, is_permanent=True) == bounce_kinds.refusal(None, text, "5.1.1")


@pytest.mark.parametrize(
    ("code", "text", "is_permanent"),
    [
        (450, "5.1.1 contradicts itself", False),
        (550, "4.2.2 contradicts itself", True),
        (None, "host said: 450 4.2.2 full", False),
        (None, "Remote host said: 450 later", False),
        (None, "Remote host said: 550 no", True),
        (None, "sorry, no mailbox here by that name", True),
    ],
)
def test_a_refusal_is_permanent_or_not(code: int | None, text: str, *, is_permanent: bool) -> None:
    """The SMTP code decides, then the enhanced code, then an SMTP code in the text."""
    assert is_permanent == bounce_kinds.refusal(code, text).is_permanent


@pytest.mark.parametrize("text", ["192.5.1.1", "version 15.1.10.2", "on 2.5.1.1", "5.1.1.9"])
def test_other_numbers_are_no_codes(text: str) -> None:
    """Numbers of hosts and versions are not taken for an enhanced status code."""
    assert bounce_kinds.enhanced_code(text) is None
