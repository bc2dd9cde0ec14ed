"""The table that decides about incoming mail, also for the headers of common mail providers."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from service.replies import incoming_mail, sorting
from service.replies.arrival import Arrival, Destination
from service.replies.incoming_mail import Letter
from service.replies.sorting import MACHINES, RULES, Fate
from service.replies.trust import Verdict
from tests.service.support.post import PASSED, RECEIVED

OWNER = "seat0@example.org"
PROVIDERS: list[dict[str, str]] = tomllib.loads(
    (Path(__file__).parent / "provider_headers.toml").read_text(encoding="utf-8")
)["provider"]


def _raw(headers: str, *lines: str) -> bytes:
    """A mail with these headers; the usual ones stand where it has none of its own."""
    usual = {
        "From": f"Ada <{OWNER}>",
        "Subject": "Re: your turn",
        "Date": "Mon, 2 Mar 2026 18:30:00 +0000",
        "Message-ID": "<1@mail.example.org>",
    }
    own = [line for line in headers.splitlines() if line]
    missing = [name for name in usual if not any(line.startswith(f"{name}:") for line in own)]
    above = [f"Authentication-Results: {PASSED}", f"Received: {RECEIVED}"]
    head = [*above, *own, *(f"{name}: {usual[name]}" for name in missing)]
    return "\r\n".join([*head, "", *(lines or ["keep all"]), ""]).encode()


def _letter(headers: str = "", *lines: str) -> Letter:
    return incoming_mail.read(_raw(headers, *lines))


def _arrival(letter: Letter | None = None, **more: Any) -> Arrival:
    """A reply of the owner that is certain and was not received before."""
    usual = Arrival(
        letter or _letter(), OWNER, Destination.DECISION, OWNER, Verdict.PASS, has_commands=True
    )
    return usual._replace(**more)


def test_there_are_more_than_twenty_providers() -> None:
    """The headers of at least twenty providers and programs are checked."""
    assert len({provider["name"] for provider in PROVIDERS}) == len(PROVIDERS) >= 20


@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider["name"])
def test_what_a_person_writes_is_read(provider: dict[str, str]) -> None:
    """A reply with the headers of this provider is carried out."""
    letter = _letter(provider["personal"])
    rule = sorting.sort(_arrival(letter))

    assert ("certain", Fate.CARRY_OUT) == (rule.reason, rule.fate)
    assert ("keep all",) == letter.lines


@pytest.mark.parametrize(
    "provider",
    [provider for provider in PROVIDERS if "vacation" in provider],
    ids=lambda provider: provider["name"],
)
def test_what_an_autoresponder_writes_is_dropped(provider: dict[str, str]) -> None:
    """An automatic reply of this provider is neither answered nor kept."""
    letter = _letter(provider["vacation"], "I am away.")
    rule = sorting.sort(_arrival(letter))

    assert rule in MACHINES
    assert Fate.DROP is rule.fate


CASES: dict[str, Arrival] = {
    "beyond_limits": _arrival(Letter((), "", (), ()), is_readable=False),
    "report": _arrival(_letter("Content-Type: multipart/report; boundary=b")),
    "null_sender": _arrival(envelope_from="<>"),
    "auto_submitted": _arrival(_letter("Auto-Submitted: auto-replied")),
    "bulk": _arrival(_letter("Precedence: bulk")),
    "autoresponder": _arrival(_letter("X-Autorespond: yes")),
    "mailing_list": _arrival(_letter("List-Id: <a.example.org>")),
    "daemon": _arrival(_letter("From: MAILER-DAEMON@example.org")),
    "automatic_subject": _arrival(_letter("Subject: Out of office: Re: your turn")),
    "no_report": _arrival(destination=Destination.COMPLAINTS),
    "to_service": _arrival(destination=Destination.SERVICE),
    "no_game": _arrival(destination=Destination.ACCOUNT),
    "received_before": _arrival(is_copy=True),
    "no_seat": _arrival(destination=Destination.NO_SEAT),
    "no_confirmed_address": _arrival(owner=None),
    "certain": _arrival(),
    "too_late": _arrival(verdict=Verdict.NONE, destination=Destination.NO_DECISION),
    "bouncing": _arrival(verdict=Verdict.NONE, is_bouncing=True),
    "no_lines": _arrival(_letter()._replace(lines=()), verdict=Verdict.NONE),
    "no_commands": _arrival(verdict=Verdict.FAIL, has_commands=False),
    "unclear_sender": _arrival(_letter(f"From: {OWNER}, Eve <eve@evil.test>")),
    "another_sender": _arrival(_letter("From: Eve <eve@example.org>")),
    "dmarc_failed": _arrival(verdict=Verdict.FAIL),
    "odd": _arrival(_letter()._replace(is_odd=True)),
    "dmarc_missing": _arrival(verdict=Verdict.NONE),
}
"""A mail for each rule, which differs from a legitimate one in one thing, or in few."""


@pytest.mark.parametrize("reason", CASES)
def test_each_rule_has_its_mail(reason: str) -> None:
    """The table decides about each of these mails for the reason that is meant."""
    assert reason == sorting.sort(CASES[reason]).reason


def test_every_rule_has_a_case_and_a_sentence() -> None:
    """No rule of the table is without a test, and every reason has a sentence of its own."""
    assert list(CASES) == [rule.reason for rule in RULES]
    every = [*RULES, sorting.ANSWERED_ENOUGH, sorting.UNREACHABLE]
    assert len(every) == len({rule.sentence for rule in every})
    assert all(rule.sentence.endswith(".") for rule in every)
    assert all(sorting.sentence_of(rule.reason) == rule.sentence for rule in every)


def test_only_certain_mail_is_carried_out() -> None:
    """Exactly one rule carries out, and only a proved sender reaches it."""
    (rule,) = [rule for rule in RULES if rule.fate is Fate.CARRY_OUT]
    legitimate = _arrival()
    doubts = [
        legitimate._replace(verdict=Verdict.NONE),
        legitimate._replace(verdict=Verdict.FAIL),
        legitimate._replace(owner="ben@example.org"),
        legitimate._replace(owner=None),
        legitimate._replace(letter=legitimate.letter._replace(is_odd=True)),
    ]

    assert rule.applies(legitimate)
    assert not any(map(rule.applies, doubts))


@pytest.mark.parametrize("verdict", list(Verdict))
@pytest.mark.parametrize("destination", list(Destination))
@pytest.mark.parametrize("has_commands", [True, False])
def test_every_mail_has_a_fate(
    verdict: Verdict,
    destination: Destination,
    has_commands: bool,  # noqa: FBT001  # a table
) -> None:
    """There is a rule for every mail, and only the owner's mail can be asked about each time."""
    for sender in (OWNER, "eve@evil.test", "nonsense"):
        letter = _letter(f"From: {sender}")
        rule = sorting.sort(
            _arrival(letter, verdict=verdict, destination=destination, has_commands=has_commands)
        )
        assert rule in RULES
        assert not rule.asks_each or (sender == OWNER and verdict is Verdict.NONE)


def test_feedback_id_is_on_personal_mail_too() -> None:
    """A Feedback-ID alone does not make a mail automatic."""
    mail = Arrival(_letter("Feedback-ID: i0123456a:Fastmail"), OWNER)
    assert sorting.sort(mail) not in MACHINES


def test_an_owner_with_the_address_of_a_daemon_is_read() -> None:
    """The owner of an account with the address postmaster@ is no machine to us."""
    letter = _letter("From: postmaster@example.org")
    mail = _arrival(letter, envelope_from="postmaster@example.org")

    assert "certain" == sorting.sort(mail._replace(owner="postmaster@example.org")).reason
    assert "daemon" == sorting.sort(mail).reason


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("=?utf-8?B?6Ieq5Yqo5Zue5aSNOnlvdXIgdHVybg==?=", True),
        ("=?iso-8859-1?Q?R=E9ponse_automatique_=3A_x?=", True),
        ("AUTOMATIC REPLY: x", True),
        ("Re: Out of office, a game", False),
        ("=?nonsense?B?6Ieq?= x", False),
        ("=?utf-8?B?6Ieq5Y?= x", False),
        ("=?idna?Q?a.b?=", False),
        ("=?utf-8?B?" * 1000, False),
    ],
)
def test_subjects_are_decoded(subject: str, expected: bool) -> None:  # noqa: FBT001  # a table
    """The subject of an automatic reply is recognised in any language and encoding."""
    rule = sorting.sort(_arrival(_letter(f"Subject: {subject}")))

    assert expected == (rule.reason == "automatic_subject")
