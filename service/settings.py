"""The settings, read once from the environment; a wrong one ends the program with one line."""

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

from engine.text import shown
from service import setting_values as values
from service.setting_values import SHORTEST_KEY, Rate
from store.private_files import make_folder

T = TypeVar("T")

KEY_FILE = "secret.key"
"""The file in DATA_DIR that holds the generated key, if SECRET_KEYS is not set."""


class SettingError(ValueError):
    """A wrong setting; the text is one line that names it and says what is expected."""


class Row(NamedTuple):
    """A setting as the documentation lists it."""

    name: str
    default: str
    meaning: str
    larger: str | None = None
    """The default with PostgreSQL, if it differs."""
    secret: bool = False


ROWS = {
    row.name: row
    for row in (
        Row("DATA_DIR", "var", "folder for the database file and all other files"),
        Row(
            "DATABASE_URL",
            "sqlite:///var/nightmail.db",
            "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME; by default a file in DATA_DIR",
            secret=True,
        ),
        Row(
            "DATABASE_DIRECT_URL",
            "",
            "address of PostgreSQL itself, if DATABASE_URL leads to a pooler such as PgBouncer",
            secret=True,
        ),
        Row("DATABASE_POOL", "10", "connections to the database that a process may hold"),
        Row(
            "REDIS_URL",
            "",
            "redis://, rediss:// or unix://; counts rate limits for all processes, "
            "and wakes workers",
            secret=True,
        ),
        Row(
            "PUBLIC_URL",
            "http://127.0.0.1:8000",
            "the address at which people reach the service; follows BIND while that is on "
            "this machine, and must be set otherwise",
        ),
        Row(
            "SECRET_KEYS",
            "",
            "keys of 32 characters or more, separated by commas; the first signs, all verify; "
            "with SQLite one is generated and kept in DATA_DIR",
            secret=True,
        ),
        Row(
            "SMTP_URL",
            "",
            "smtp:// (with STARTTLS if it is offered), smtp+starttls:// or smtps://; "
            "USER:PASSWORD@ before the host is sent only over TLS or on this machine; without "
            "SMTP_URL mail is written to the folder mail in DATA_DIR",
            secret=True,
        ),
        Row("MAIL_FROM", "", "address that mail comes from; by default nightmail@ and MAIL_DOMAIN"),
        Row("MAIL_DOMAIN", "", "domain that replies go to; by default the host of PUBLIC_URL"),
        Row("MAIL_AUTHSERV", "", "name with which your mail server begins Authentication-Results"),
        Row("INBOX_BIND", "127.0.0.1:8025", "HOST:PORT or unix:PATH on which replies are received"),
        Row("INBOX_PROTOCOL", "smtp", "smtp or lmtp"),
        Row(
            "INBOUND_SECRET",
            "",
            "secret of mail providers that deliver replies by HTTP; without it only this "
            "machine may deliver them, and only with SQLite",
            secret=True,
        ),
        Row(
            "WEBHOOK_TARGETS",
            "",
            "public, or any, which allows this machine, private networks and http, too; by "
            "default any if BIND and PUBLIC_URL are on this machine and no proxy is in front, "
            "otherwise public",
        ),
        Row("WEBHOOK_PORTS", "443,8443", "ports that hooks may use if WEBHOOK_TARGETS is public"),
        Row("TELEGRAM_BOT", "", "name of your Telegram bot, such as nightmail_bot"),
        Row("TELEGRAM_TOKEN", "", "token of that bot, from @BotFather", secret=True),
        Row("TELEGRAM_API", "https://api.telegram.org", "where Telegram's bots are served"),
        Row("MATRIX_HOMESERVER", "", "https://HOST of the homeserver of your Matrix account"),
        Row("MATRIX_USER", "", "that account, such as @nightmail:example.org"),
        Row("MATRIX_TOKEN", "", "access token of that account", secret=True),
        Row("BIND", "127.0.0.1:8000", "HOST:PORT or unix:PATH to listen on"),
        Row("WEB_WORKERS", "1", "web processes", larger="2"),
        Row(
            "WEB_THREADS",
            "8",
            "requests that each web process handles at once; waiting requests do not count",
        ),
        Row(
            "WEB_CONNECTIONS",
            "8000",
            "connections of each web process; further ones are answered with 503",
        ),
        Row("WAITING_ACCOUNT", "64", "requests of an account that may wait in each web process"),
        Row(
            "WAITING_ADDRESS",
            "1000",
            "requests of a network address that may wait in each web process",
        ),
        Row("WAITING_PROCESS", "5000", "requests that may wait in each web process"),
        Row("TRUSTED_PROXIES", "0", "number of your own proxies in front"),
        Row("LOG_FORMAT", "console", "json or console", larger="json"),
        Row("LOG_LEVEL", "info", "debug, info, warning or error"),
        Row("RATE_LIMIT_TOKEN", "600/minute", "requests of a token"),
        Row("RATE_LIMIT_ADDRESS", "1200/minute", "requests of a network address"),
        Row("RATE_LIMIT_ACCOUNTS", "30/hour", "new accounts of a network address"),
        Row(
            "RATE_LIMIT_SIGN_INS",
            "30/hour",
            "sign-in emails that a network address asks for, and separately codes for devices",
        ),
        Row(
            "RATE_LIMIT_INVITATIONS",
            "10/hour,30/day",
            "invitations that an account sends; several rates may apply together",
        ),
        Row(
            "RATE_LIMIT_LETTERS",
            "30/hour,100/day",
            "emails to others that a network address or a sender of mail causes: "
            "invitations, confirmations, sign-ins",
        ),
        Row("RATE_LIMIT_MESSAGES", "30/minute", "table talk messages of an account"),
        Row(
            "RATE_LIMIT_FAILURES",
            "30/minute",
            "wrong tokens and codes of a network address, codes of devices that an account enters",
        ),
        Row("OPEN_GAMES", "20", "open tables at which an account may sit"),
        Row("RUNNING_GAMES", "200", "running games in which an account may play"),
        Row("BOT_GAMES", "20", "running games between bots in which a bot may play"),
        Row("PROMETHEUS_MULTIPROC_DIR", "", "folder for the metrics of several web processes"),
        Row(
            "METRICS_TOKEN",
            "",
            "bearer token with which another machine reads /metrics; 32 characters or more",
            secret=True,
        ),
    )
}
"""All settings, in the order of the documentation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The values of all settings; made by `Settings.of`."""

    data_dir: Path
    database_url: str = field(repr=False)
    database_direct_url: str | None = field(repr=False)
    database_pool: int
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
    telegram_bot: str | None
    telegram_token: str | None = field(repr=False)
    telegram_api: str
    matrix_homeserver: str | None
    matrix_user: str | None
    matrix_token: str | None = field(repr=False)
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
    def service_address(self) -> str:
        """The address of the service itself, where commands are received."""
        own = self.mail_from.lower().endswith(f"@{self.mail_domain}")
        return self.mail_from if own else f"nightmail@{self.mail_domain}"

    @property
    def embedded(self) -> bool:
        """Whether one process does everything, with a database file and no other server."""
        return is_embedded(self.database_url)

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Settings":
        """Read the settings from these variables; an empty one counts as not set."""
        data_dir = Path(_Reader(environ).read("DATA_DIR", str))
        variables = _nonempty(environ)
        bind = _Reader(variables).read("BIND", values.bind)
        if "PUBLIC_URL" not in variables:
            _refuse_public(bind)
        defaults = {
            "DATABASE_URL": f"sqlite:///{data_dir}/nightmail.db",
            "PUBLIC_URL": f"http://{bind}" if is_local(f"//{bind}") else "",
        }
        reader = _Reader(defaults | variables)
        database_url = reader.read("DATABASE_URL", values.database)
        reader.larger = not is_embedded(database_url)
        public_url = reader.read("PUBLIC_URL", values.public)
        proxies = reader.read("TRUSTED_PROXIES", values.whole(0, 10))
        alone = is_local(public_url) and is_local(f"//{bind}") and not proxies
        domain = reader.read("MAIL_DOMAIN", values.domain) or _domain_of(public_url)
        return cls(
            data_dir=data_dir,
            database_url=database_url,
            database_direct_url=reader.read("DATABASE_DIRECT_URL", values.postgres),
            database_pool=reader.read("DATABASE_POOL", values.whole(2, 1000)),
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
            telegram_bot=reader.read("TELEGRAM_BOT", values.telegram_bot),
            telegram_token=reader.read("TELEGRAM_TOKEN", values.foreign_token),
            telegram_api=reader.read("TELEGRAM_API", values.public),
            matrix_homeserver=reader.read("MATRIX_HOMESERVER", values.maybe_public),
            matrix_user=reader.read("MATRIX_USER", values.matrix_user),
            matrix_token=reader.read("MATRIX_TOKEN", values.foreign_token),
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
    """Return name, default and meaning of every setting, for the documentation."""
    for row in ROWS.values():
        larger = f" ({row.larger} with PostgreSQL)" if row.larger else ""
        yield row.name, f"{row.default or 'none'}{larger}", row.meaning


def is_local(url: str) -> bool:
    """Return whether this URL leads to this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def is_embedded(database_url: str) -> bool:
    """Return whether this database is a file that needs no server."""
    return database_url.startswith("sqlite:")


class _Reader:
    """Reads one setting after the other; an error names the setting."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.larger = False

    def read(self, name: str, parse: Callable[[str], T]) -> T:
        row = ROWS[name]
        default = row.larger if self.larger and row.larger else row.default
        value = self.environ.get(name, "").strip() or default
        try:
            return parse(value)
        except values.Wrong as wrong:
            quoted = "is not right" if row.secret else f"is “{shown(value)}”"
            raise SettingError(f"{name} {quoted}; it must be {wrong}.") from None


def _nonempty(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that are not empty."""
    return {name: value for name, value in environ.items() if value.strip()}


def _domain_of(url: str) -> str:
    """Return the host of a URL, if it can be the domain of an email address."""
    host = urlsplit(url).hostname or ""
    return host if re.search(r"[a-z]", host) and ":" not in host else "nightmail.localhost"


def _refuse_public(bind: str) -> None:
    """Refuse a BIND that other machines can reach while PUBLIC_URL is not set.

    Links would lead nowhere, and everybody could do what is meant for this machine alone.
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
    """Create the file atomically, so that two processes that try both read the same key."""
    make_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent)  # only its owner can read it
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{secrets.token_urlsafe(48)}\n")
        os.link(name, path)
    except FileExistsError:
        pass  # another process was quicker
    finally:
        Path(name).unlink()
