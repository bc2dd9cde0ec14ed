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
from service import setting_values as values
from service.setting_values import SHORTEST_KEY, Rate
from store.private_files import make_folder

T = TypeVar("T")

KEY_FILE = "secret.key"
"""The file in DATA_DIR in which a key of our own is kept."""


class SettingError(ValueError):
    """A setting that cannot be; one line that names it and says what is expected."""


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
            "the address by which people reach us; follows BIND while that is on this machine, and "
            "must be set if it is not",
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
            "USER:PASSWORD@ if need be, which is told only inside TLS or to this machine; without "
            "it mail goes into the folder mail in DATA_DIR",
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
            "public, or any: also this machine, private networks and http; without it any if BIND "
            "and PUBLIC_URL are on this machine and no proxy is in front, else public",
        ),
        Row("WEBHOOK_PORTS", "443,8443", "ports that hooks may use while targets are public"),
        Row("BIND", "127.0.0.1:8000", "HOST:PORT or unix:PATH to listen on"),
        Row("WEB_WORKERS", "1", "web processes", larger="2"),
        Row("WEB_THREADS", "8", "requests worked on at once by each of them; waiting takes none"),
        Row("WEB_CONNECTIONS", "8000", "connections that each of them answers; beyond it 503"),
        Row("WAITING_ACCOUNT", "64", "requests of an account that may wait in each of them"),
        Row("WAITING_ADDRESS", "1000", "requests of an address that may wait in each of them"),
        Row("WAITING_PROCESS", "5000", "requests that may wait in each of them"),
        Row("TRUSTED_PROXIES", "0", "how many proxies of ours stand in front"),
        Row("LOG_FORMAT", "console", "json or console", larger="json"),
        Row("LOG_LEVEL", "info", "debug, info, warning or error"),
        Row("RATE_LIMIT_TOKEN", "600/minute", "requests a token"),
        Row("RATE_LIMIT_ADDRESS", "1200/minute", "requests an address"),
        Row("RATE_LIMIT_ACCOUNTS", "30/hour", "new accounts an address"),
        Row("RATE_LIMIT_SIGN_INS", "30/hour", "letters to sign in that an address asks for"),
        Row(
            "RATE_LIMIT_INVITATIONS",
            "10/hour,30/day",
            "people an account asks to its tables; several rates may hold together",
        ),
        Row(
            "RATE_LIMIT_LETTERS",
            "30/hour,100/day",
            "letters to others that an address asks for: invitations, confirmations, sign-ins",
        ),
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
        Row(
            "METRICS_TOKEN",
            "",
            "bearer token with which another machine reads /metrics; 32 characters or more",
            secret=True,
        ),
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
    web_connections: int
    waiting_account: int
    waiting_address: int
    waiting_process: int
    trusted_proxies: int
    log_format: str
    log_level: str
    rate_limit_token: Rate
    rate_limit_address: Rate
    rate_limit_accounts: Rate
    rate_limit_sign_ins: Rate
    rate_limit_invitations: tuple[Rate, ...]
    rate_limit_letters: tuple[Rate, ...]
    rate_limit_messages: Rate
    rate_limit_failures: Rate
    open_games: int
    running_games: int
    bot_games: int
    metrics_dir: Path | None
    metrics_token: str | None = field(repr=False)

    @property
    def embedded(self) -> bool:
        """One process does everything, with a database file and no other server."""
        return is_embedded(self.database_url)

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Settings":
        """The settings in these variables; an empty one counts as not set."""
        data_dir = Path(_Reader(environ).read("DATA_DIR", str))
        said = _said(environ)
        bind = _Reader(said).read("BIND", values.bind)
        if "PUBLIC_URL" not in said:
            _refuse_public(bind)
        usual = {
            "DATABASE_URL": f"sqlite:///{data_dir}/nightmail.db",
            "PUBLIC_URL": f"http://{bind}" if is_local(f"//{bind}") else "",
        }
        reader = _Reader(usual | said)
        database_url = reader.read("DATABASE_URL", values.database)
        reader.larger = not is_embedded(database_url)
        public_url = reader.read("PUBLIC_URL", values.public)
        proxies = reader.read("TRUSTED_PROXIES", values.whole(0, 10))
        alone = is_local(public_url) and is_local(f"//{bind}") and not proxies
        domain = reader.read("MAIL_DOMAIN", values.domain) or _domain_of(public_url)
        return cls(
            data_dir=data_dir,
            database_url=database_url,
            redis_url=reader.read("REDIS_URL", values.redis),
            public_url=public_url,
            secret_keys=reader.read("SECRET_KEYS", values.keys) or (_own_key(reader, data_dir),),
            smtp_url=reader.read("SMTP_URL", values.smtp),
            mail_from=reader.read("MAIL_FROM", values.address) or f"nightmail@{domain}",
            mail_domain=domain,
            mail_authserv=reader.read("MAIL_AUTHSERV", values.domain) or None,
            inbox_bind=reader.read("INBOX_BIND", values.bind),
            inbox_protocol=reader.read("INBOX_PROTOCOL", values.one_of("smtp", "lmtp")),
            inbound_secret=reader.read("INBOUND_SECRET", values.secret),
            webhook_targets=reader.read("WEBHOOK_TARGETS", values.one_of("public", "any", ""))
            or ("any" if alone else "public"),
            webhook_ports=reader.read("WEBHOOK_PORTS", values.ports),
            bind=bind,
            web_workers=reader.read("WEB_WORKERS", values.whole(1, 1000)),
            web_threads=reader.read("WEB_THREADS", values.whole(1, 1000)),
            web_connections=reader.read("WEB_CONNECTIONS", values.whole(1, 1_000_000)),
            waiting_account=reader.read("WAITING_ACCOUNT", values.whole(1, 1_000_000)),
            waiting_address=reader.read("WAITING_ADDRESS", values.whole(1, 1_000_000)),
            waiting_process=reader.read("WAITING_PROCESS", values.whole(1, 1_000_000)),
            trusted_proxies=proxies,
            log_format=reader.read("LOG_FORMAT", values.one_of("json", "console")),
            log_level=reader.read("LOG_LEVEL", values.one_of("debug", "info", "warning", "error")),
            rate_limit_token=reader.read("RATE_LIMIT_TOKEN", values.rate),
            rate_limit_address=reader.read("RATE_LIMIT_ADDRESS", values.rate),
            rate_limit_accounts=reader.read("RATE_LIMIT_ACCOUNTS", values.rate),
            rate_limit_sign_ins=reader.read("RATE_LIMIT_SIGN_INS", values.rate),
            rate_limit_invitations=reader.read("RATE_LIMIT_INVITATIONS", values.rates),
            rate_limit_letters=reader.read("RATE_LIMIT_LETTERS", values.rates),
            rate_limit_messages=reader.read("RATE_LIMIT_MESSAGES", values.rate),
            rate_limit_failures=reader.read("RATE_LIMIT_FAILURES", values.rate),
            open_games=reader.read("OPEN_GAMES", values.whole(1, 1_000_000)),
            running_games=reader.read("RUNNING_GAMES", values.whole(1, 1_000_000)),
            bot_games=reader.read("BOT_GAMES", values.whole(1, 1_000_000)),
            metrics_dir=reader.read("PROMETHEUS_MULTIPROC_DIR", values.folder),
            metrics_token=reader.read("METRICS_TOKEN", values.secret),
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
        except values.Wrong as wrong:
            quoted = "is not right" if row.secret else f"is “{shown(said)}”"
            raise SettingError(f"{name} {quoted}; it must be {wrong}.") from None


def _said(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: said for name, said in environ.items() if said.strip()}


def _domain_of(url: str) -> str:
    """The host of an address, if mail could go there."""
    host = urlsplit(url).hostname or ""
    return host if re.search(r"[a-z]", host) and ":" not in host else "nightmail.localhost"


def _refuse_public(bind: str) -> None:
    """Refuse to listen to others without knowing by which address they come.

    Links would lead nowhere, and what is open to this machine alone would be open to them.
    """
    if not bind.startswith("unix:") and not is_local(f"//{bind}"):
        raise SettingError(
            f"PUBLIC_URL is not set; others can reach BIND “{shown(bind)}”, so it must be the "
            "address that they use, such as https://trains.example.org."
        )


def _own_key(reader: _Reader, folder: Path) -> str:
    if reader.larger:
        raise SettingError(
            "SECRET_KEYS is not set; with PostgreSQL it must be: "
            f"keys of {SHORTEST_KEY} characters or more, separated by commas."
        )
    path = folder / KEY_FILE
    if not path.exists():
        _keep_new_key(path)
    key = path.read_text(encoding="ascii").strip()
    if len(key) < SHORTEST_KEY:
        raise SettingError(f"{path} holds no key; remove it, and a new one is made.")
    return key


def _keep_new_key(path: Path) -> None:
    """Make the file whole or not at all; of two processes that try, both read the same key."""
    make_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent)  # only its owner can read it
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{secrets.token_urlsafe(48)}\n")
        os.link(name, path)
    except FileExistsError:
        pass  # somebody else was quicker
    finally:
        Path(name).unlink()
