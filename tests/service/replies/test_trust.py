"""The sender of a letter, and the DMARC results of our own mail server."""

import pytest

from service.replies import incoming_mail, trust
from service.replies.trust import Verdict
from tests.service.support.post import MX


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("ada@example.org", "ada@example.org"),
        ("<Ada@Example.ORG>", "ada@example.org"),
        ("Ada Lovelace <ada@example.org>", "ada@example.org"),
        ('"ada@evil.example" <ada@example.org>', "ada@example.org"),
        ("=?utf-8?q?Ad=C3=A1?= <ada@example.org>", "ada@example.org"),
        ("Lovelace, Ada <ada@example.org>", "ada@example.org"),
        ("Lovelace, Ada, Countess <ada@example.org>", "ada@example.org"),
        ('"Lovelace, Ada" <ada@example.org>', "ada@example.org"),
        ("ada@example.org, Mallory <mallory@evil.example>", None),
        ("Mallory <mallory@evil.example>, Ada <ada@example.org>", None),
        ('"Lovelace", Ada <ada@example.org>', None),
        ("Friends: Lovelace, Ada <ada@example.org>;", None),
        ("Lovelace (Ada), Ada <ada@example.org>", None),
        ("Lovelace; Ada <ada@example.org>", None),
        ("Lovelace, Ada <ada@example.org>, Ben", None),
        ("Lovelace, ada@example.org", None),
        ("alice@example.org <bob@evil.example>", None),
        ("<alice@example.org>@evil.example", None),
        ("<alice@example.org> <bob@evil.example>", None),
        ("alice@example.org, bob@evil.example", None),
        ("alice@example.org (bob@evil.example)", None),
        ("(comment) alice@example.org", None),
        ('"x" <alice@example.org> "y"', None),
        ('"a"b" <alice@example.org>', None),
        ("Friends: alice@example.org;", None),
        ("alice @example.org", None),
        ("< alice@example.org>", None),
        ('"alice bob"@example.org', None),
        ("", None),
    ],
)
def test_an_address_is_read_in_one_way_or_not_at_all(header: str, expected: str | None) -> None:
    """Threat 6: no display name, comment or second address makes one look like another."""
    assert expected == trust.address_in(header)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (f"{MX}; dmarc=pass header.from=example.org", True),
        (f"{MX} 1; spf=fail; dmarc=pass (p=none) header.from=example.org", True),
        (f"{MX.upper()};\r\n\tdkim=pass;\r\n\tdmarc = pass header.from = Example.org", True),
        (f"{MX}; dmarc=pass", False),
        (f"{MX}; dmarc=pass header.from=example.org; dmarc=fail header.from=example.org", False),
        (f"{MX}; dmarc=pass header.from=sub.example.org", False),
        (f"{MX}; (dmarc=pass header.from=example.org)", False),
        (f"{MX}; spf=pass smtp.mailfrom=x dmarc=pass header.from=example.org", False),
        (f'{MX}; spf=pass reason="; dmarc=pass header.from=example.org"', False),
        (f"{MX}.evil.example; dmarc=pass header.from=example.org", False),
        (f"evil.example ({MX}); dmarc=pass header.from=example.org", False),
        (f"; {MX}; dmarc=pass header.from=example.org", False),
        ("none", False),
    ],
)
def test_a_verdict_is_read_exactly(value: str, expected: bool) -> None:  # noqa: FBT001  # a table
    """RFC 8601: only our own server, only DMARC, only the domain of From."""
    raw = f"Authentication-Results: {value}\r\nReceived: by {MX}\r\nFrom: a@example.org\r\n\r\n"
    letter = incoming_mail.read(raw.encode())

    assert expected == (Verdict.PASS is trust.dmarc_verdict(letter, MX, "example.org"))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (f"{MX}; dmarc=pass header.from=example.org", Verdict.PASS),
        (f"{MX}; dmarc=fail header.from=example.org", Verdict.FAIL),
        (f"{MX}; dmarc=pass header.from=evil.example", Verdict.FAIL),
        (f"{MX}; dmarc=none header.from=example.org; dmarc=fail header.from=x", Verdict.FAIL),
        (f"{MX}; dmarc=pass header.from=example.org; dmarc=none", Verdict.NONE),
        (f"{MX}; dmarc=none header.from=example.org", Verdict.NONE),
        (f"{MX}; dmarc=temperror header.from=example.org", Verdict.NONE),
        (f"{MX}; dmarc=permerror header.from=example.org", Verdict.NONE),
        (f"{MX}; dkim=pass; spf=pass", Verdict.NONE),
        ("mx.example.com; dmarc=fail header.from=example.org", Verdict.NONE),
        (f"{MX}; none", Verdict.NONE),
    ],
)
def test_a_missing_result_is_no_failure(value: str, expected: Verdict) -> None:
    """A domain without DMARC is told apart from a forged sender."""
    raw = f"Authentication-Results: {value}\r\nReceived: by {MX}\r\nFrom: a@example.org\r\n\r\n"
    letter = incoming_mail.read(raw.encode())

    assert expected is trust.dmarc_verdict(letter, MX, "example.org")
    assert Verdict.NONE is trust.dmarc_verdict(letter, None, "example.org")
