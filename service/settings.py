"""Every setting, read once from the environment; a wrong one stops the start with one line."""

import os
import re
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

from engine.words import shown

T = TypeVar("T")

SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
SHORTEST_KEY = 32
LOOPBACK = re.compile(r"127\.0\.0\.1:[0-9]{1,5}")


class SettingError(ValueError):
    """A setting that cannot be; one line that names it and says what is expected."""


class Rate(NamedTuple):
    """So many in so many seconds."""

    amount: int
    seconds: int


class Row(NamedTuple):
    """One setting, as the documentation lists it."""

    name: str
    default: str
    meaning: str
    larger: str | None = None
    """The default with PostgreSQL, where it is another."""
    secret: bool = False


ROWS = {
    row.name: row
    for row in (
        Row("DATA_DIR", "var", "folder for the database file and what else is kept"),
        Row(
            "DATABASE_URL",
            "sqlite:///var/nightmail.db",
            "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME; the file lies in DATA_DIR",
            secret=True,
        ),
        Row(
            "REDIS_URL",
            "",
            "redis://, rediss:// or unix://; counts rate limits, and wakes workers",
            secret=True,
        ),
        Row(
            "PUBLIC_URL",
            "http://127.0.0.1:8000",
            "the address by which people reach us; follows BIND on 127.0.0.1",
        ),
        Row(
            "SECRET_KEYS",
            "",
            "separated by commas, the first signs, all verify, each of 32 characters or more; "
            "with SQLite one is made and kept in DATA_DIR",
            secret=True,
        ),
        Row(
            "SMTP_URL",
            "",
            "smtp:// (with STARTTLS if it is offered), smtp+starttls:// or smtps://, with "
            "USER:PASSWORD@ if need be; without it mail goes into the folder mail in DATA_DIR",
            secret=True,
        ),
        Row("MAIL_FROM", "", "address that mail comes from; else nightmail@ and MAIL_DOMAIN"),
        Row("MAIL_DOMAIN", "", "domain that answers go to; else the host of PUBLIC_URL"),
        Row("MAIL_AUTHSERV", "", "name by which our own mail server signs Authentication-Results"),
        Row("INBOX_BIND", "127.0.0.1:8025", "HOST:PORT on which answers are taken in"),
        Row("INBOX_PROTOCOL", "smtp", "smtp or lmtp"),
        Row(
            "INBOUND_SECRET",
            "",
            "for mail providers that bring answers by HTTP; without it only this machine may, "
            "and only while the database is a file",
            secret=True,
        ),
        Row(
            "WEBHOOK_TARGETS",
            "",
            "public, or any: also this machine, private networks and http; without it any, as "
            "long as PUBLIC_URL is on this machine",
        ),
        Row("WEBHOOK_PORTS", "443,8443", "ports that hooks may use while targets are public"),
        Row("BIND", "127.0.0.1:8000", "HOST:PORT or unix:PATH to listen on"),
        Row("WEB_WORKERS", "1", "web processes", larger="2"),
        Row("WEB_THREADS", "32", "requests answered at once by each of them"),
        Row("TRUSTED_PROXIES", "0", "how many proxies of ours stand in front"),
        Row("LOG_FORMAT", "console", "json or console", larger="json"),
        Row("LOG_LEVEL", "info", "debug, info, warning or error"),
        Row("RATE_LIMIT_TOKEN", "600/minute", "requests a token"),
        Row("RATE_LIMIT_ADDRESS", "1200/minute", "requests an address"),
        Row("RATE_LIMIT_ACCOUNTS", "30/hour", "new accounts an address"),
        Row("RATE_LIMIT_SIGN_INS", "30/hour", "letters to sign in that an address asks for"),
        Row("RATE_LIMIT_MESSAGES", "30/minute", "messages an account says at its tables"),
        Row("RATE_LIMIT_FAILURES", "30/minute", "wrong tokens an address"),
        Row("OPEN_GAMES", "20", "tables at which an account may wait for players"),
        Row("RUNNING_GAMES", "200", "tables at which an account may play"),
        Row(
            "BOT_GAMES",
            "20",
            "games between bots that may run for one bot",
        ),
        Row("PROMETHEUS_MULTIPROC_DIR", "", "folder in which several web processes count together"),
    )
}
"""Every setting there is, in the order of the documentation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the operator has chosen; made by `Settings.of`."""

    data_dir: Path
    database_url: str = field(repr=False)
    redis_url: str | None = field(repr=False)
    public_url: str
    secret_keys: tuple[str, ...] = field(repr=False)
    smtp_url: str | None = field(repr=False)
    mail_from: str
    mail_domain: str
    mail_authserv: str | None
    inbox_bind: str
    inbox_protocol: str
    inbound_secret: str | None = field(repr=False)
    webhook_targets: str
    webhook_ports: frozenset[int]
    bind: str
    web_workers: int
    web_threads: int
    trusted_proxies: int
    log_format: str
    log_level: str
    rate_limit_token: Rate
    rate_limit_address: Rate
    rate_limit_accounts: Rate
    rate_limit_sign_ins: Rate
    rate_limit_messages: Rate
    rate_limit_failures: Rate
    open_games: int
    running_games: int
    bot_games: int
    metrics_dir: Path | None

    @property
    def embedded(self) -> bool:
        """One process does everything, with a database file and no other server."""
        return is_embedded(self.database_url)

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Settings":
        """The settings in these variables; an empty one counts as not set."""
        data_dir = Path(_Reader(environ).read("DATA_DIR", str))
        said = _said(environ)
        usual = {
            "DATABASE_URL": f"sqlite:///{data_dir}/nightmail.db",
            "PUBLIC_URL": _reached_at(_Reader(said).read("BIND", _bind)),
        }
        reader = _Reader(usual | said)
        database_url = reader.read("DATABASE_URL", _database)
        reader.larger = not is_embedded(database_url)
        public_url = reader.read("PUBLIC_URL", _public)
        domain = reader.read("MAIL_DOMAIN", _domain) or _domain_of(public_url)
        return cls(
            data_dir=data_dir,
            database_url=database_url,
            redis_url=reader.read("REDIS_URL", _redis),
            public_url=public_url,
            secret_keys=reader.read("SECRET_KEYS", _keys) or (_own_key(reader, data_dir),),
            smtp_url=reader.read("SMTP_URL", _smtp),
            mail_from=reader.read("MAIL_FROM", _address) or f"nightmail@{domain}",
            mail_domain=domain,
            mail_authserv=reader.read("MAIL_AUTHSERV", _domain) or None,
            inbox_bind=reader.read("INBOX_BIND", _bind),
            inbox_protocol=reader.read("INBOX_PROTOCOL", _one_of("smtp", "lmtp")),
            inbound_secret=reader.read("INBOUND_SECRET", _secret),
            webhook_targets=reader.read("WEBHOOK_TARGETS", _one_of("public", "any", ""))
            or ("any" if is_local(public_url) else "public"),
            webhook_ports=reader.read("WEBHOOK_PORTS", _ports),
            bind=reader.read("BIND", _bind),
            web_workers=reader.read("WEB_WORKERS", _whole(1, 1000)),
            web_threads=reader.read("WEB_THREADS", _whole(1, 1000)),
            trusted_proxies=reader.read("TRUSTED_PROXIES", _whole(0, 10)),
            log_format=reader.read("LOG_FORMAT", _one_of("json", "console")),
            log_level=reader.read("LOG_LEVEL", _one_of("debug", "info", "warning", "error")),
            rate_limit_token=reader.read("RATE_LIMIT_TOKEN", _rate),
            rate_limit_address=reader.read("RATE_LIMIT_ADDRESS", _rate),
            rate_limit_accounts=reader.read("RATE_LIMIT_ACCOUNTS", _rate),
            rate_limit_sign_ins=reader.read("RATE_LIMIT_SIGN_INS", _rate),
            rate_limit_messages=reader.read("RATE_LIMIT_MESSAGES", _rate),
            rate_limit_failures=reader.read("RATE_LIMIT_FAILURES", _rate),
            open_games=reader.read("OPEN_GAMES", _whole(1, 1_000_000)),
            running_games=reader.read("RUNNING_GAMES", _whole(1, 1_000_000)),
            bot_games=reader.read("BOT_GAMES", _whole(1, 1_000_000)),
            metrics_dir=reader.read("PROMETHEUS_MULTIPROC_DIR", _folder),
        )


def table() -> Iterator[tuple[str, str, str]]:
    """Name, default and meaning of every setting, for the documentation."""
    for row in ROWS.values():
        larger = f" ({row.larger} with PostgreSQL)" if row.larger else ""
        yield row.name, f"{row.default or 'none'}{larger}", row.meaning


def is_local(url: str) -> bool:
    """Whether this address is of use on this machine only."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def is_embedded(database_url: str) -> bool:
    """Whether this database is a file that needs no server."""
    return database_url.startswith("sqlite:")


class _Wrong(Exception):
    """What was expected instead; becomes a SettingError with the name."""


class _Reader:
    """Reads one setting after the other, and names the one that is wrong."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.larger = False

    def read(self, name: str, meant: Callable[[str], T]) -> T:
        row = ROWS[name]
        default = row.larger if self.larger and row.larger else row.default
        said = self.environ.get(name, "").strip() or default
        try:
            return meant(said)
        except _Wrong as wrong:
            quoted = "is not right" if row.secret else f"is “{shown(said)}”"
            raise SettingError(f"{name} {quoted}; it must be {wrong}.") from None


def _said(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: said for name, said in environ.items() if said.strip()}


def _database(said: str) -> str:
    if re.fullmatch(r"sqlite:///(?!:memory:).+", said):
        return said
    if match := re.fullmatch(r"postgres(?:ql)?(?:\+psycopg)?(://.+)", said):
        return f"postgresql+psycopg{match[1]}"
    raise _Wrong("sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME")


def _folder(said: str) -> Path | None:
    return Path(said) if said else None


def _redis(said: str) -> str | None:
    if said and not re.match(r"(redis|rediss|unix)://.", said):
        raise _Wrong("redis://HOST:PORT/NUMBER, rediss://… or unix://PATH")
    return said or None


def _smtp(said: str) -> str | None:
    if said and not re.match(r"(smtp|smtp\+starttls|smtps)://[^/?#\s]+/?$", said):
        raise _Wrong("smtp://HOST:PORT, smtp+starttls://… or smtps://…, with USER:PASSWORD@ before")
    return said or None


def _domain(said: str) -> str:
    if said and not re.fullmatch(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?", said.lower()):
        raise _Wrong("a name such as mail.example.org")
    return said.lower()


def _domain_of(url: str) -> str:
    """The host of an address, if mail could go there."""
    host = urlsplit(url).hostname or ""
    return host if re.search(r"[a-z]", host) and ":" not in host else "nightmail.localhost"


def _address(said: str) -> str:
    if said and not re.fullmatch(
        r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9.-]{1,255}", said
    ):
        raise _Wrong("an address such as nightmail@example.org")
    return said


def _secret(said: str) -> str | None:
    if said and (len(said) < SHORTEST_KEY or not said.isprintable()):
        raise _Wrong(f"{SHORTEST_KEY} characters or more")
    return said or None


def _ports(said: str) -> frozenset[int]:
    if not re.fullmatch(r"[0-9]{1,5}(,[0-9]{1,5})*", said):
        raise _Wrong("ports separated by commas, such as 443,8443")
    return frozenset(map(int, said.split(",")))


def _reached_at(bind: str) -> str:
    """Where people on this machine reach what listens here; elsewhere only the operator knows."""
    return f"http://{bind}" if LOOPBACK.fullmatch(bind) else ""


def _public(said: str) -> str:
    try:
        parts = urlsplit(said)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        fits = False
    if not fits or not re.fullmatch(r"https?://[^/?#@\s]+/?", said):
        raise _Wrong("http://HOST or https://HOST, with a port if need be and nothing after it")
    return said.rstrip("/")


def _keys(said: str) -> tuple[str, ...]:
    keys = tuple(key.strip() for key in said.split(",")) if said else ()
    if any(len(key) < SHORTEST_KEY or not key.isprintable() for key in keys):
        raise _Wrong(f"keys of {SHORTEST_KEY} characters or more, separated by commas")
    return keys


def _own_key(reader: _Reader, folder: Path) -> str:
    if reader.larger:
        raise SettingError(
            "SECRET_KEYS is not set; with PostgreSQL it must be: "
            f"keys of {SHORTEST_KEY} characters or more, separated by commas."
        )
    path = folder / "secret.key"
    if not path.exists():
        _keep_new_key(path)
    key = path.read_text(encoding="ascii").strip()
    if len(key) < SHORTEST_KEY:
        raise SettingError(f"{path} holds no key; remove it, and a new one is made.")
    return key


def _keep_new_key(path: Path) -> None:
    """Make the file whole or not at all; of two processes that try, both read the same key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)  # only its owner can read it
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{secrets.token_urlsafe(48)}\n")
        os.link(name, path)
    except FileExistsError:
        pass  # somebody else was quicker
    finally:
        Path(name).unlink()


def _bind(said: str) -> str:
    match = re.fullmatch(r"(?:\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(\d{1,5})|unix:\S+", said)
    if not match or (match[1] and not 0 < int(match[1]) < 65536):
        raise _Wrong("HOST:PORT or unix:PATH")
    return said


def _whole(least: int, most: int) -> Callable[[str], int]:
    def meant(said: str) -> int:
        if not re.fullmatch(r"[0-9]{1,7}", said) or not least <= int(said) <= most:
            raise _Wrong(f"a whole number from {least} to {most}")
        return int(said)

    return meant


def _one_of(*words: str) -> Callable[[str], str]:
    def meant(said: str) -> str:
        if said.lower() not in words:
            raise _Wrong(f"{', '.join(words[:-1])} or {words[-1]}")
        return said.lower()

    return meant


def _rate(said: str) -> Rate:
    match = re.fullmatch(r"([1-9][0-9]{0,8})/(second|minute|hour|day)", said)
    if not match:
        raise _Wrong("a number and a time, such as 600/minute")
    return Rate(int(match[1]), SECONDS[match[2]])
