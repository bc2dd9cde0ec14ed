"""Values of settings: what each parser accepts, and what it refuses."""

import re
from pathlib import Path

import pytest

from service import setting_values as values
from service.setting_values import Rate, Wrong

KEY, OTHER_KEY = "a" * 32, "b" * 40


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
@pytest.mark.parametrize("parse", ["database", "postgres"])
def test_every_name_of_postgresql_means_psycopg(parse: str, scheme: str) -> None:
    """Every URL scheme for PostgreSQL is rewritten to name the psycopg driver."""
    url = getattr(values, parse)(f"{scheme}://u:p@h:5/n?x=1")

    assert "postgresql+psycopg://u:p@h:5/n?x=1" == url


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        ("database", "sqlite:///var/nightmail.db", "sqlite:///var/nightmail.db"),
        ("folder", "var/metrics", Path("var/metrics")),
        ("redis", "rediss://:p@h:6379/1", "rediss://:p@h:6379/1"),
        ("redis", "unix:///run/redis", "unix:///run/redis"),
        ("smtp", "smtp+starttls://u:p@h:587", "smtp+starttls://u:p@h:587"),
        ("domain", "Mail.Example.ORG", "mail.example.org"),
        ("address", "night.mail+x@example.org", "night.mail+x@example.org"),
        ("secret", KEY, KEY),
        ("ports", "443,8443", frozenset({443, 8443})),
        ("public", "https://t.example:8443/", "https://t.example:8443"),
        ("keys", f" {OTHER_KEY} , {KEY} ", (OTHER_KEY, KEY)),
        ("bind", "[::1]:9000", "[::1]:9000"),
        ("bind", "unix:/run/nightmail", "unix:/run/nightmail"),
        ("rate", "600/minute", Rate(600, 60)),
        ("rates", "10/hour, 30/day", (Rate(10, 3600), Rate(30, 86400))),
    ],
)
def test_a_right_value_is_parsed(parse: str, text: str, value: object) -> None:
    """Domains are lowercase, a public URL has no trailing slash, and keys keep their order."""
    assert value == getattr(values, parse)(text)


@pytest.mark.parametrize(
    ("parse", "value"),
    [
        *((parse, None) for parse in ("postgres", "folder", "redis", "smtp", "secret")),
        *((parse, "") for parse in ("domain", "address")),
        ("keys", ()),
    ],
)
def test_what_may_be_left_out_may_be_empty(parse: str, value: object) -> None:
    """An empty text is the absence of a value, not a wrong one."""
    assert value == getattr(values, parse)("")


@pytest.mark.parametrize(
    ("parse", "text", "expected"),
    [
        ("database", "", "sqlite:///FILE or postgresql://"),
        ("database", "sqlite:///:memory:", "sqlite:///FILE or postgresql://"),
        ("postgres", "sqlite:///n.db", "postgresql://"),
        ("redis", "redis://", "redis://HOST:PORT/NUMBER"),
        ("smtp", "smtp://h/path", "smtp://USER:PASSWORD@HOST:PORT"),
        ("domain", "-example.org", "a name such as mail.example.org"),
        ("address", "nightmail", "an address such as nightmail@example.org"),
        ("secret", "a" * 31, "32 characters or more"),
        ("secret", "a" * 32 + "\n", "32 characters or more"),
        ("ports", "", "ports separated by commas"),
        ("ports", "443;8443", "ports separated by commas"),
        ("public", "https://u@t.example", "http://HOST or https://HOST"),
        ("public", "https://t.example:99999", "http://HOST or https://HOST"),
        ("public", "https://[::1", "http://HOST or https://HOST"),
        ("keys", f"{KEY},short", "keys of 32 characters or more"),
        ("bind", "127.0.0.1:65536", "HOST:PORT or unix:PATH"),
        ("rate", "0/minute", "a number per unit of time, such as 600/minute"),
        ("rates", "3/hour,9", "numbers per unit of time, separated by commas"),
    ],
)
def test_a_wrong_value_is_refused(parse: str, text: str, expected: str) -> None:
    """The error says what was expected."""
    with pytest.raises(Wrong, match=f"^{re.escape(expected)}"):
        getattr(values, parse)(text)


def test_a_whole_number_has_bounds() -> None:
    """Both bounds are allowed; signs, fractions and digits of other scripts are not."""
    parse = values.whole(2, 10)
    assert [2, 10] == [parse("2"), parse("10")]

    for text in ("1", "11", "", "+3", "3.0", "\N{FULLWIDTH DIGIT THREE}"):
        with pytest.raises(Wrong, match=r"^a whole number from 2 to 10$"):
            parse(text)


def test_a_word_is_one_of_a_list() -> None:
    """Capitals do not matter; the error lists the words."""
    parse = values.one_of("smtp", "lmtp", "none")
    assert "lmtp" == parse("LMTP")

    with pytest.raises(Wrong, match=r"^smtp, lmtp or none$"):
        parse("http")
