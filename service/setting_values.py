"""Parses the values of settings; a wrong one raises `Wrong`."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
"""Seconds of each unit of time."""
SHORTEST_KEY = 32
"""The least number of characters in a secret."""


class Wrong(Exception):
    """A wrong value; the text is what was expected, as the end of "it must be …"."""


class Rate(NamedTuple):
    """A number of requests in a number of seconds."""

    amount: int
    seconds: int


def database(text: str) -> str:
    """Parse DATABASE_URL; a PostgreSQL URL gets the name of the driver."""
    if re.fullmatch(r"sqlite:///(?!:memory:).+", text):
        return text
    if url := _psycopg(text):
        return url
    raise Wrong("sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME")


def postgres(text: str) -> str | None:
    """Parse a PostgreSQL URL; None if it is empty."""
    url = _psycopg(text)
    if text and not url:
        raise Wrong("postgresql://USER:PASSWORD@HOST/NAME")
    return url


def _psycopg(text: str) -> str | None:
    """Return the URL with the name of the driver, if it is a PostgreSQL URL."""
    match = re.fullmatch(r"postgres(?:ql)?(?:\+psycopg)?(://.+)", text)
    return f"postgresql+psycopg{match[1]}" if match else None


def folder(text: str) -> Path | None:
    """Parse a path; None if it is empty."""
    return Path(text) if text else None


def redis(text: str) -> str | None:
    """Parse a Redis URL; None if it is empty."""
    if text and not re.match(r"(redis|rediss|unix)://.", text):
        raise Wrong("redis://HOST:PORT/NUMBER, rediss://… or unix://PATH")
    return text or None


def smtp(text: str) -> str | None:
    """Parse the URL of a mail server; None if it is empty."""
    if text and not re.match(r"(smtp|smtp\+starttls|smtps)://[^/?#\s]+/?$", text):
        raise Wrong("smtp://USER:PASSWORD@HOST:PORT, smtp+starttls://… or smtps://…")
    return text or None


def domain(text: str) -> str:
    """Parse a domain name, which may be empty."""
    if text and not re.fullmatch(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?", text.lower()):
        raise Wrong("a name such as mail.example.org")
    return text.lower()


def address(text: str) -> str:
    """Parse an email address, which may be empty."""
    if text and not re.fullmatch(
        r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9.-]{1,255}", text
    ):
        raise Wrong("an address such as nightmail@example.org")
    return text


def secret(text: str) -> str | None:
    """Parse a secret; None if it is empty."""
    if text and (len(text) < SHORTEST_KEY or not text.isprintable()):
        raise Wrong(f"{SHORTEST_KEY} characters or more")
    return text or None


def ports(text: str) -> frozenset[int]:
    """Parse a list of ports."""
    if not re.fullmatch(r"[0-9]{1,5}(,[0-9]{1,5})*", text):
        raise Wrong("ports separated by commas, such as 443,8443")
    return frozenset(map(int, text.split(",")))


def public(text: str) -> str:
    """Parse PUBLIC_URL: a scheme and a host, without a path."""
    try:
        parts = urlsplit(text)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        fits = False
    if not fits or not re.fullmatch(r"https?://[^/?#@\s]+/?", text):
        raise Wrong("http://HOST or https://HOST, with a port if need be and nothing after it")
    return text.rstrip("/")


def maybe_public(text: str) -> str | None:
    """Parse the URL of a server, without a path; None if it is empty."""
    return public(text) if text else None


def foreign_token(text: str) -> str | None:
    """Parse a token that another service has given; None if it is empty."""
    if text and not re.fullmatch(r"[!-~]{8,500}", text):
        raise Wrong("the token as that service has given it, without spaces")
    return text or None


def telegram_bot(text: str) -> str | None:
    """Parse the name of a bot on Telegram; None if it is empty."""
    name = text.removeprefix("@")
    if name and not re.fullmatch(r"[A-Za-z0-9_]{3,32}", name):
        raise Wrong("the name of a bot such as nightmail_bot")
    return name or None


def matrix_user(text: str) -> str | None:
    """Parse the id of an account on Matrix; None if it is empty."""
    if text and not re.fullmatch(r"@[!-9;-~]{1,120}:[A-Za-z0-9.:\[\]-]{1,120}", text):
        raise Wrong("an account such as @nightmail:example.org")
    return text or None


def keys(text: str) -> tuple[str, ...]:
    """Parse SECRET_KEYS, which may be empty."""
    keys = tuple(key.strip() for key in text.split(",")) if text else ()
    if any(len(key) < SHORTEST_KEY or not key.isprintable() for key in keys):
        raise Wrong(f"keys of {SHORTEST_KEY} characters or more, separated by commas")
    return keys


def bind(text: str) -> str:
    """Parse an address to listen on."""
    match = re.fullmatch(r"(?:\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(\d{1,5})|unix:\S+", text)
    if not match or (match[1] and not 0 < int(match[1]) < 65536):
        raise Wrong("HOST:PORT or unix:PATH")
    return text


def whole(least: int, most: int) -> Callable[[str], int]:
    """Make a parser for a whole number within these bounds."""

    def parsed(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,7}", text) or not least <= int(text) <= most:
            raise Wrong(f"a whole number from {least} to {most}")
        return int(text)

    return parsed


def one_of(*words: str) -> Callable[[str], str]:
    """Make a parser for one of these words; an empty word allows an empty value."""

    def parsed(text: str) -> str:
        if text.lower() not in words:
            *most, last = filter(None, words)  # an empty word means that it is not set
            raise Wrong(f"{', '.join(most)} or {last}")
        return text.lower()

    return parsed


def rate(text: str) -> Rate:
    """Parse a rate, such as 600/minute."""
    match = re.fullmatch(r"([1-9][0-9]{0,8})/(second|minute|hour|day)", text)
    if not match:
        raise Wrong("a number per unit of time, such as 600/minute")
    return Rate(int(match[1]), SECONDS[match[2]])


def rates(text: str) -> tuple[Rate, ...]:
    """Parse several rates, separated by commas."""
    try:
        return tuple(rate(part.strip()) for part in text.split(","))
    except Wrong:
        raise Wrong(
            "numbers per unit of time, separated by commas, such as 10/hour,30/day"
        ) from None
