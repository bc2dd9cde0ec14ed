"""The settings: their defaults, and the line with which a wrong one ends the program."""

import multiprocessing
import stat
from pathlib import Path

import pytest

from service.setting_values import Rate
from service.settings import SettingError, Settings, table

KEYS = {"SECRET_KEYS": "k" * 32}
LARGER = {"DATABASE_URL": "postgresql://u:hunter2@db/n", **KEYS}


def test_defaults_are_those_of_the_embedded_mode() -> None:
    """Without any variables the service is one process with a database file, on loopback."""
    settings = Settings.of(KEYS)

    assert settings.embedded
    assert "sqlite:///var/nightmail.db" == settings.database_url
    assert "http://127.0.0.1:8000" == settings.public_url
    assert ("127.0.0.1:8000", 1, 8) == (
        settings.bind,
        settings.web_workers,
        settings.web_threads,
    )
    assert ("console", "info") == (settings.log_format, settings.log_level)
    assert (None, 0, 20) == (settings.redis_url, settings.trusted_proxies, settings.open_games)
    assert Rate(600, 60) == settings.rate_limit_token
    assert Rate(1200, 60) == settings.rate_limit_address
    assert Rate(30, 3600) == settings.rate_limit_accounts
    assert (Rate(10, 3600), Rate(30, 86400)) == settings.rate_limit_invitations
    assert (Rate(30, 3600), Rate(100, 86400)) == settings.rate_limit_letters
    assert Rate(30, 60) == settings.rate_limit_messages
    assert Rate(30, 60) == settings.rate_limit_failures


def test_with_postgresql_some_defaults_are_others() -> None:
    """With PostgreSQL there are two web processes, and the log format is JSON."""
    settings = Settings.of(LARGER)

    assert not settings.embedded
    assert (2, "json") == (settings.web_workers, settings.log_format)


def test_the_database_lies_in_the_data_folder() -> None:
    """The database file is in DATA_DIR, unless DATABASE_URL says otherwise."""
    assert (
        "sqlite:////srv/n/nightmail.db" == Settings.of(KEYS | {"DATA_DIR": "/srv/n"}).database_url
    )


def test_an_empty_variable_counts_as_not_set() -> None:
    """An empty or blank variable counts as not set, as in a file that lists every variable."""
    settings = Settings.of(KEYS | {"DATABASE_URL": "", "WEB_THREADS": " ", "REDIS_URL": ""})

    assert Settings.of(KEYS) == settings


@pytest.mark.parametrize(
    ("bind", "reached"),
    [
        ("127.0.0.1:9000", "http://127.0.0.1:9000"),
        ("localhost:9000", "http://localhost:9000"),
        ("[::1]:9000", "http://[::1]:9000"),
        ("unix:/run/nightmail", "http://127.0.0.1:8000"),
    ],
)
def test_the_public_address_follows_bind(bind: str, reached: str) -> None:
    """The default public URL follows BIND; with a socket file it is http://127.0.0.1:8000."""
    assert reached == Settings.of(KEYS | {"BIND": bind}).public_url
    environ = {"BIND": bind, "PUBLIC_URL": "https://t.example"}
    assert "https://t.example" == Settings.of(KEYS | environ).public_url


@pytest.mark.parametrize("bind", ["0.0.0.0:8000", "[::]:8000", "192.168.0.7:80", "t.example:80"])
def test_whoever_listens_to_others_says_by_which_address(bind: str) -> None:
    """Without PUBLIC_URL a service that others can reach does not start; one line says so."""
    with pytest.raises(SettingError) as caught:
        Settings.of(KEYS | {"BIND": bind})

    expected = f"PUBLIC_URL is not set; others can reach BIND “{bind}”, so it must be "
    assert str(caught.value).startswith(expected)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("chosen", "targets"),
    [
        ({}, "any"),
        ({"BIND": "[::1]:9000"}, "any"),
        ({"PUBLIC_URL": "https://t.example"}, "public"),
        ({"BIND": "0.0.0.0:80", "PUBLIC_URL": "https://t.example"}, "public"),
        ({"BIND": "0.0.0.0:80", "PUBLIC_URL": "http://127.0.0.1"}, "public"),
        ({"BIND": "unix:/run/nightmail"}, "public"),
        ({"TRUSTED_PROXIES": "1"}, "public"),
        ({"BIND": "0.0.0.0:80", "PUBLIC_URL": "http://t.lan", "WEBHOOK_TARGETS": "any"}, "any"),
    ],
    ids=range(8),
)
def test_hooks_reach_this_machine_only_while_it_serves_itself(
    chosen: dict[str, str], targets: str
) -> None:
    """A service that others can reach calls public webhook targets only, unless set otherwise."""
    assert targets == Settings.of(KEYS | chosen).webhook_targets


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("DATABASE_URL", "mysql://u:hunter2@h/n"),
        ("DATABASE_URL", "sqlite://"),
        ("DATABASE_URL", "sqlite:///:memory:"),
        ("DATABASE_URL", "hunter2"),
        ("REDIS_URL", "http://:hunter2@h"),
        ("PUBLIC_URL", "ftp://t.example"),
        ("PUBLIC_URL", "t.example"),
        ("PUBLIC_URL", "https://"),
        ("PUBLIC_URL", "https://t.example/path"),
        ("PUBLIC_URL", "https://t.example?x"),
        ("PUBLIC_URL", "https://t.example:99999"),
        ("PUBLIC_URL", "https://u@t.example"),
        ("SECRET_KEYS", "hunter2"),
        ("SECRET_KEYS", f"{'k' * 32},hunter2"),
        ("SECRET_KEYS", f"{'k' * 32},"),
        ("BIND", "8000"),
        ("BIND", "127.0.0.1:99999"),
        ("BIND", "127.0.0.1:0"),
        ("WEB_WORKERS", "0"),
        ("WEB_WORKERS", "two"),
        ("WEB_THREADS", "-1"),
        ("WEB_THREADS", "\N{FULLWIDTH DIGIT THREE}"),
        ("TRUSTED_PROXIES", "yes"),
        ("TELEGRAM_BOT", "my bot"),
        ("TELEGRAM_TOKEN", "hunter2"),
        ("TELEGRAM_API", "telegram"),
        ("MATRIX_HOMESERVER", "matrix.example.org"),
        ("MATRIX_USER", "nightmail"),
        ("MATRIX_TOKEN", "hunter2"),
        ("LOG_FORMAT", "xml"),
        ("LOG_LEVEL", "loud"),
        ("RATE_LIMIT_TOKEN", "600"),
        ("RATE_LIMIT_ADDRESS", "0/minute"),
        ("RATE_LIMIT_ACCOUNTS", "3/fortnight"),
        ("RATE_LIMIT_FAILURES", "3 / minute"),
        ("RATE_LIMIT_LETTERS", "3/hour,9"),
        ("OPEN_GAMES", "1.5"),
    ],
)
def test_a_wrong_setting_is_named_in_one_line(name: str, message: str) -> None:
    """The error names the setting, what is expected and, unless it is secret, the value."""
    with pytest.raises(SettingError) as caught:
        Settings.of(KEYS | {name: message})
    line = str(caught.value)

    assert line.startswith(f"{name} is ")
    assert "; it must be " in line
    assert "\n" not in line
    assert "hunter2" not in line
    assert "is not right" in line or f"“{message}”" in line


def test_a_setting_may_be_left_empty_without_being_offered_empty() -> None:
    """The error names the values of WEBHOOK_TARGETS; that it may be empty is not one of them."""
    with pytest.raises(SettingError, match=r"; it must be public or any\.$"):
        Settings.of(KEYS | {"WEBHOOK_TARGETS": "private"})


def test_a_wrong_setting_cannot_break_the_line() -> None:
    """The value is escaped and shortened before it is printed."""
    with pytest.raises(SettingError) as caught:
        Settings.of(KEYS | {"LOG_LEVEL": "a\n\x1b[2J" + "x" * 500})

    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 150


def test_with_postgresql_a_key_must_be_given() -> None:
    """With PostgreSQL SECRET_KEYS must be set: machines could not share a generated key."""
    with pytest.raises(SettingError, match=r"^SECRET_KEYS is not set; with PostgreSQL it must be"):
        Settings.of({"DATABASE_URL": LARGER["DATABASE_URL"]})


def test_secrets_are_not_shown() -> None:
    """The repr of the settings contains neither keys nor passwords."""
    shown = repr(Settings.of(LARGER | {"REDIS_URL": "redis://:hunter2@r"}))

    assert "hunter2" not in shown
    assert "kkkk" not in shown


def test_a_key_is_made_once(tmp_path: Path) -> None:
    """The generated key is long, kept for the next start, and readable by its owner only."""
    environ = {"DATA_DIR": str(tmp_path / "new" / "folder")}
    first, second = Settings.of(environ).secret_keys, Settings.of(environ).secret_keys
    path = tmp_path / "new" / "folder" / "secret.key"

    assert first == second
    assert len(first[0]) >= 32
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert [path] == list(path.parent.iterdir())


def test_an_empty_key_file_is_not_taken(tmp_path: Path) -> None:
    """An empty key file stops the start."""
    (tmp_path / "secret.key").write_text("")

    with pytest.raises(SettingError, match="holds no key; remove it"):
        Settings.of({"DATA_DIR": str(tmp_path)})


def _made(folder: str) -> tuple[str, ...]:
    return Settings.of({"DATA_DIR": folder}).secret_keys


def test_two_processes_agree_on_the_key(tmp_path: Path) -> None:
    """Processes that start at the same time all use the same key."""
    with multiprocessing.get_context("fork").Pool(4) as pool:
        for number in range(20):
            folder = str(tmp_path / str(number))
            assert 1 == len(set(pool.map(_made, [folder] * 4, chunksize=1)))


def test_every_setting_is_in_the_table() -> None:
    """The documentation lists the name, default and meaning of every setting."""
    rows = list(table())

    assert ("WEB_WORKERS", "1 (2 with PostgreSQL)", "web processes") in rows
    assert ("LOG_LEVEL", "info", "debug, info, warning or error") in rows
    assert len(rows) == len(Settings.__slots__)
