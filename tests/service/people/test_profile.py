"""The fields of an account: mail addresses and absences."""

from datetime import date

import pytest

from service.people import profile
from service.refusals import Refused

ADDRESSES = {
    "a@b.co": "a@b.co",
    " ada@example.org ": "ada@example.org",
    "o'neil/x=y@sub.Example.ORG": "o'neil/x=y@sub.example.org",
    "ada@münchen.de": "ada@xn--mnchen-3ya.de",
    "ada@MÜNCHEN.de": "ada@xn--mnchen-3ya.de",
    "ada@xn--mnchen-3ya.de": "ada@xn--mnchen-3ya.de",
    "x" * 64 + "@example.org": "x" * 64 + "@example.org",
}


@pytest.mark.parametrize(("text", "kept"), ADDRESSES.items())
def test_addresses_are_normalised(text: str, kept: str) -> None:
    """An address is kept as mail is sent to it: the domain in lower-case ASCII."""
    assert kept == profile.checked_email(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "@", "ada", "ada@", "@example.org", "ada@example", "ada@@example.org",
        "a@b@example.org", "ada@example..org", "ada@.example.org", "ada@example.org.",
        "ada@-example.org", "ada@exam_ple.org", ".ada@example.org", "ada.@example.org",
        "a..da@example.org", "a da@example.org", "ada@exa mple.org", "ada@example.org\n",
        "ada\r\nBcc: x@example.org", "ada\0@example.org", "ada@example.org\0",
        '"ada"@example.org', "ada@[127.0.0.1]", "ada@127.0.0.1", "ada(x)@example.org",
        "Ada <ada@example.org>", "ada@example.org,ben@example.org", "<ada@example.org>@evil.org",
        "ädä@example.org", "ada@straße.de", "ada@\uff45xample.org", "ada@example\u3002org",
        "ada@\u200dexample.org", "ada@\ud800.org", "ada@\u202eexample.org",
        "x" * 65 + "@example.org", "ada@" + "x" * 64 + ".org", "ada@" + "x." * 125 + "org",
        "ada@" + "é." * 100 + "org",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(text: str) -> None:
    """An address to which no mail can be sent, or that could mean another, is refused."""
    with pytest.raises(Refused) as refused:
        profile.checked_email(text)
    assert ("unreadable", "email") == (refused.value.code, refused.value.more["errors"][0]["at"])


TODAY = date(2030, 7, 10)


def _days(*text: str) -> list[dict[str, str]]:
    return [dict(zip(("from", "to"), absence.split("…"), strict=True)) for absence in text]


@pytest.mark.parametrize(
    ("before", "requested"),
    [
        ([], []),
        ([], ["2030-07-10…2030-07-10"]),
        ([], ["2030-07-01…2030-07-10"]),
        ([], ["2030-08-01…2030-08-03", "2030-08-04…2030-08-04"]),
        ([], ["2030-08-01…2030-09-11"]),
        ([], ["2030-11-20…2031-02-11"]),
        ([], ["2030-08-01…2030-09-11", "2031-01-01…2031-02-11"]),
        (["2030-01-01…2030-01-05"], ["2030-01-01…2030-01-05", "2030-08-01…2030-08-03"]),
        (["2029-01-01…2029-02-11"], ["2030-08-01…2030-09-11"]),
        (["2030-08-01…2030-09-11"], ["2030-08-02…2030-09-12"]),
    ],
)
def test_absences_that_can_be(before: list[str], requested: list[str]) -> None:
    """Up to 42 days in a calendar year, in order; those to come can be changed at will."""
    assert _days(*requested) == profile.merged_absences(_days(*before), _days(*requested), TODAY)


@pytest.mark.parametrize(
    ("before", "requested"),
    [
        ([], ["2030-08-01…2030-09-12"]),
        ([], ["2030-08-01…2030-08-30", "2030-10-01…2030-10-13"]),
        ([], ["2030-11-19…2030-12-31"]),
        ([], ["0001-01-01…9999-12-31"]),
        ([], ["2030-08-03…2030-08-01"]),
        ([], ["2030-08-01…2030-08-03", "2030-08-03…2030-08-05"]),
        ([], ["2030-09-01…2030-09-03", "2030-08-01…2030-08-03"]),
        ([], ["2030-07-01…2030-07-09"]),
        ([], ["2140-08-01…2140-08-02"]),
        ([], ["9999-12-31…9999-12-31"]),
        (["2030-07-01…2030-07-09"], ["2030-07-01…2030-07-08"]),
        (["2030-01-01…2030-01-20"], ["2030-08-01…2030-08-23"]),
        (["2030-07-01…2030-07-20"], ["2030-08-01…2030-09-03"]),
        ([], ["2030-02-30…2030-08-03"]),
        ([], ["20300801…20300803"]),
        ([], ["2030-W31-4…2030-W31-5"]),
        ([], ["2030-08-01\n…2030-08-03"]),
        ([], ["2030-08-01T00:00…2030-08-03"]),
    ],
)
def test_absences_that_cannot_be(before: list[str], requested: list[str]) -> None:
    """Too many days, wrong dates, overlaps and past days are refused; past days still count."""
    with pytest.raises(Refused) as refused:
        profile.merged_absences(_days(*before), _days(*requested), TODAY)
    assert "unreadable" == refused.value.code


@pytest.mark.parametrize(
    ("before", "requested", "kept"),
    [
        (["2030-01-01…2030-01-05"], [], ["2030-01-01…2030-01-05"]),
        (["2030-07-01…2030-07-20"], [], ["2030-07-01…2030-07-09"]),
        (["2030-07-01…2030-07-20"], ["2030-07-01…2030-07-10"], ["2030-07-01…2030-07-10"]),
        (["2029-12-30…2030-01-02"], [], ["2030-01-01…2030-01-02"]),
        (["2029-01-01…2029-01-05"], [], []),
        (
            ["2030-01-01…2030-01-05", "2030-07-09…2030-08-01"],
            [],
            ["2030-01-01…2030-01-05", "2030-07-09…2030-07-09"],
        ),
        (
            ["2030-01-01…2030-01-05"],
            ["2030-08-01…2030-08-02"],
            ["2030-01-01…2030-01-05", "2030-08-01…2030-08-02"],
        ),
    ],
)
def test_used_days_stay(before: list[str], requested: list[str], kept: list[str]) -> None:
    """Past days of this year stay in the list, and recent ones of last year."""
    assert _days(*kept) == profile.merged_absences(_days(*before), _days(*requested), TODAY)
