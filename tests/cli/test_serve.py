import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import psutil
import pytest

from tests.cli.running import run
from tests.support.child_servers import free_port
from tests.support.waiting import until

NIGHTMAIL = [sys.executable, "-c", "from cli.main import main; main()"]
ROOT = Path(__file__).parent.parent.parent
PATIENCE = 30.0
SLACK = 5.0
"""Extra seconds to allow for on a busy machine."""
OURS = ("DATA_DIR", "DATABASE_URL", "REDIS_URL", "SECRET_KEYS", "BIND", "PUBLIC_URL", "WEB_WORKERS")


def surroundings(folder: Path, **environ: str) -> dict[str, str]:
    """The environment of a command, with no settings but these."""
    kept = {name: value for name, value in os.environ.items() if name not in OURS}
    return {**kept, "DATA_DIR": str(folder / "data"), "PYTHONPATH": str(ROOT), **environ}


class Served:
    """A running `nightmail serve`."""

    def __init__(self, folder: Path, environ: dict[str, str]) -> None:
        self.out, self.err = folder / "out", folder / "err"
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(
                [*NIGHTMAIL, "serve"], stdout=out, stderr=err, env=environ, cwd=folder
            )
        self.url = f"http://{environ['BIND']}"

    def ask(self, path: str, body: str | None = None, **headers: str) -> Any:
        """Send a request, and return the JSON of the response."""
        data = body.encode() if body is not None else None
        request = Request(self.url + path, data, headers)  # noqa: S310  # our own address
        with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310  # likewise
            return json.load(answer)

    def family(self, size: int) -> list[psutil.Process]:
        """Wait for this number of web processes, and return them."""
        end = time.monotonic() + PATIENCE
        while True:
            children = psutil.Process(self.process.pid).children(recursive=True)
            # Python's resource tracker is a child as well, but no web process.
            processes = [
                process
                for process in children
                if "resource_tracker" not in " ".join(process.cmdline())
            ]
            if len(processes) == size:
                return processes
            assert time.monotonic() < end, self.err.read_text()
            time.sleep(0.02)

    def wait(self) -> None:
        """Wait until /readyz succeeds."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.ask("/readyz")
            except (URLError, OSError):
                assert self.process.poll() is None, self.err.read_text()
                assert time.monotonic() < end, self.err.read_text()
                time.sleep(0.02)
            else:
                return


@contextmanager
def serving(folder: Path, **environ: str) -> Iterator[Served]:
    """Run `nightmail serve` until the block ends."""
    bind = f"127.0.0.1:{free_port()}"
    served = Served(folder, surroundings(folder, BIND=bind, **environ))
    try:
        served.wait()
        yield served
    finally:
        if served.process.poll() is None:
            served.process.terminate()
        served.process.wait(PATIENCE)


def curls(output: str) -> list[list[str]]:
    """The words of each curl command in a text."""
    joined = output.replace("\\\n", " ")
    return [shlex.split(line) for line in re.findall(r"curl [^|\n]*", joined)]


def pasted(served: Served, words: list[str], token: str) -> Any:
    """Send the request of a printed curl command, and return the JSON of the response."""
    path = next(word for word in words if word.startswith("http")).removeprefix(served.url)
    body = words[words.index("-d") + 1] if "-d" in words else None
    headers = [words[at + 1] for at, word in enumerate(words) if word == "-H"]
    named = dict(header.replace("$TOKEN", token).split(": ", 1) for header in headers)
    return served.ask(path, body, **named)


def test_what_is_printed_can_be_pasted(tmp_path: Path) -> None:
    """The printed curl commands create an account, open a game and list its first decision."""
    with serving(tmp_path) as served:
        text = served.out.read_text()
        account, game, decisions = curls(text)
        token = pasted(served, account, "")["token"]["token"]
        opened = pasted(served, game, token)
        listed = pasted(served, decisions, token)["decisions"]

    assert text.startswith("Created the database at revision ")
    assert f"listens on {served.url}; open it in a browser and play" in text
    assert ("running", opened["id"]) == (opened["status"], listed[0]["game"])
    assert re.fullmatch("nm_[A-Za-z0-9]*", token)
    assert (tmp_path / "data" / "nightmail.db").is_file()


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_in_good_order(tmp_path: Path, sent: signal.Signals) -> None:
    """SIGTERM and Ctrl-C end the service with status 0, and no process stays behind."""
    with serving(tmp_path, WEB_WORKERS="2") as served:
        family = served.family(2)
        served.process.send_signal(sent)

        assert 0 == served.process.wait(PATIENCE), served.err.read_text()
    assert not any(child.is_running() for child in family)
    assert "Traceback" not in served.err.read_text()


def test_two_processes_share_one_database(tmp_path: Path) -> None:
    """With two web processes, every request can read an account that was just created."""
    with serving(tmp_path, WEB_WORKERS="2") as served:
        served.family(2)
        kind = {"Content-Type": "application/json"}
        for number in range(12):
            made = served.ask("/v1/accounts", json.dumps({"name": f"Player {number}"}), **kind)
            bearer = {"Authorization": f"Bearer {made['token']['token']}"}

            assert [made["account"]] * 3 == [served.ask("/v1/me", **bearer) for _ in range(3)]
    assert "Traceback" not in served.err.read_text()


def test_a_second_start_finds_the_database(tmp_path: Path) -> None:
    """After a restart the account is still there, and `nightmail token` gives it a new token."""
    kind = {"Content-Type": "application/json"}
    with serving(tmp_path) as served:
        account = served.ask("/v1/accounts", '{"name": "Ada"}', **kind)["account"]
    made = command(tmp_path, "token", "Ada")
    with serving(tmp_path) as served:
        bearer = {"Authorization": f"Bearer {made.stdout.strip()}"}

        again = served.ask("/v1/me", **bearer)
        assert account | {"calendar": again["calendar"]} == again  # its URL has another port
        assert "already" in served.out.read_text()
    assert (0, 1, "") == (made.returncode, made.stdout.count("\n"), made.stderr)


def command(folder: Path, *words: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end."""
    return subprocess.run(
        [*NIGHTMAIL, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        env=surroundings(folder, **environ),
        cwd=folder,
    )


@pytest.mark.parametrize("words", [("serve",), ("web",), ("db", "upgrade"), ("token", "Ada")])
def test_a_wrong_setting_ends_the_start(tmp_path: Path, words: tuple[str, ...]) -> None:
    """A wrong setting gives one line that explains it and status 2; no database is made."""
    done = command(tmp_path, *words, WEB_THREADS="many")

    assert (2, "") == (done.returncode, done.stdout)
    assert "WEB_THREADS is “many”; it must be a whole number from 1 to 1000.\n" == done.stderr
    assert not (tmp_path / "data" / "nightmail.db").exists()


@pytest.mark.parametrize("name", ["serve", "web"])
def test_a_public_bind_needs_an_address(tmp_path: Path, name: str) -> None:
    """A public BIND without PUBLIC_URL ends the start with one line and status 2."""
    done = command(tmp_path, name, BIND=f"0.0.0.0:{free_port()}")

    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert done.stderr.startswith("PUBLIC_URL is not set; others can reach BIND “0.0.0.0:")
    assert not (tmp_path / "data").exists()


def test_a_folder_that_cannot_be_made_ends_the_start(tmp_path: Path) -> None:
    """A DATA_DIR that cannot be created ends the start with one line and status 2."""
    (tmp_path / "file").touch()
    done = command(tmp_path, "serve", DATA_DIR=str(tmp_path / "file" / "data"))

    assert (2, "") == (done.returncode, done.stdout)
    assert "DATA_DIR cannot be used: Not a directory.\n" == done.stderr


@pytest.mark.parametrize("name", ["serve", "web"])
def test_a_port_that_is_taken_ends_the_start(tmp_path: Path, name: str) -> None:
    """A port in use ends the start with one line and status 1; no database is made."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        bind = f"127.0.0.1:{taken.getsockname()[1]}"
        done = command(tmp_path, name, BIND=bind)

    assert (1, "") == (done.returncode, done.stdout)
    assert done.stderr.startswith(f"cannot listen on {bind}: address already in use; ")
    assert 1 == done.stderr.count("\n")
    assert not (tmp_path / "data" / "nightmail.db").exists()


def test_an_upgrade_says_from_where_to_where(tmp_path: Path) -> None:
    """The first upgrade says that it created the database, the second that it is up to date."""
    first, second = command(tmp_path, "db", "upgrade"), command(tmp_path, "db", "upgrade")

    assert (0, "") == (first.returncode, first.stderr)
    assert re.fullmatch(r"Created the database at revision \w+\.\n", first.stdout)
    assert re.fullmatch(r"The database is already at revision \w+\.\n", second.stdout)


def test_a_database_that_is_away_is_one_line(tmp_path: Path) -> None:
    """An unreachable database gives one line without the password, and status 1."""
    url = f"postgresql://me:hunter2@127.0.0.1:{free_port()}/n"
    done = command(tmp_path, "db", "upgrade", DATABASE_URL=url, SECRET_KEYS="k" * 32)

    assert (1, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert done.stderr.startswith("the database cannot be used: ")
    assert "hunter2" not in done.stderr


def test_nobody_gets_a_token_for_an_unknown_name(tmp_path: Path) -> None:
    """`nightmail token` fails with status 1 without a database, and for an unknown name."""
    early = command(tmp_path, "token", "Ada")
    command(tmp_path, "db", "upgrade")
    late = command(tmp_path, "token", "Ada")

    assert (1, "") == (early.returncode, early.stdout)
    assert "run: nightmail db upgrade" in early.stderr
    assert (1, "") == (late.returncode, late.stdout)
    assert "there is no account with the name “Ada”.\n" == late.stderr


@pytest.mark.parametrize("words", [("serve",), ("web",), ("db",), ("db", "upgrade"), ("token",)])
def test_help_has_an_example(words: tuple[str, ...]) -> None:
    """The help of a command has an example and its exit status."""
    result = run(*words, "--help")

    assert 0 == result.exit_code
    assert re.search(rf"Example: .*nightmail {' '.join(words)}", result.stdout)
    assert "Exit status" in result.stdout
    assert 100 >= max(map(len, result.stdout.splitlines()))


def test_it_stops_under_load(tmp_path: Path) -> None:
    """On SIGTERM long polls are answered, streams end with a retry hint, and it stops soon."""
    with serving(tmp_path) as served, ExitStack() as stack:
        made = served.ask("/v1/accounts", '{"name": "Ada"}', **{"Content-Type": "application/json"})
        lines = []
        for path in ("/v1/me/decisions?wait=59", "/v1/me/stream") * 20:
            host, _, port = served.url.removeprefix("http://").rpartition(":")
            line = stack.enter_context(socket.create_connection((host, int(port)), PATIENCE))
            token = made["token"]["token"]
            head = f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n"
            line.sendall(head.encode())
            lines.append(line)
        streams = [line.makefile("rb") for line in lines[1::2]]
        for stream in streams:
            while stream.readline() != b"retry: 1000\n":
                pass
        time.sleep(1)  # for the long polls to begin, which cannot be observed
        began = time.monotonic()
        served.process.terminate()
        polled = [line.makefile("rb").read() for line in lines[::2]]
        ended = [stream.read() for stream in streams]

        assert 0 == served.process.wait(PATIENCE), served.err.read_text()
        assert time.monotonic() - began < 5 + SLACK
    assert all(b'{"decisions":[]}' in answer for answer in polled)
    assert all(b"retry: 1000\n" in rest for rest in ended)
    assert "Traceback" not in served.err.read_text()


def test_it_listens_on_a_socket_file(tmp_path: Path) -> None:
    """The service listens on a socket file, even if a killed server has left that file."""
    path = tmp_path / "web.sock"
    for _ in range(2):
        environ = surroundings(tmp_path, BIND=f"unix:{path}")
        process = subprocess.Popen([*NIGHTMAIL, "serve"], env=environ, cwd=tmp_path)
        try:
            until(path.is_socket, "it listens")
            with socket.socket(socket.AF_UNIX) as line:
                until(lambda line=line: line.connect_ex(str(path)) == 0, "it lets us in")  # type: ignore[misc]
                line.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
                assert b" 200 OK" in line.recv(1000)
        finally:
            process.kill()
            process.wait()
