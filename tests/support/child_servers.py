"""Server processes as children of the tests: started, stopped, killed, and cleaned up."""

import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psutil

JANITOR = Path(__file__).with_name("janitor.py")
PATIENCE = 30.0


class Broken(Exception):
    """A server did not start or stop, or no port was free."""


def unprivileged() -> dict[str, Any]:
    """Arguments with which Popen drops root, because PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def free_port() -> int:
    """Find a free port on the loopback.

    It is below the kernel's ephemeral ports, so that no outgoing connection takes it while a
    killed server is down.
    """
    for port in random.Random().sample(range(20_000, 32_000), 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise Broken("a hundred ports are taken")


def _over(process: psutil.Process) -> bool:
    """Whether a process has ended; in a container it can stay a zombie that nobody reaps."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


class Child:
    """One server process and its folder, which is removed with it."""

    stopping = signal.SIGTERM

    def __init__(self) -> None:
        # Not in TMPDIR: the path of a socket must be short, and accessible to another user.
        self.home = Path(tempfile.mkdtemp(prefix="nightmail-", dir="/tmp"))
        self.home.chmod(0o711)
        self.process: subprocess.Popen[bytes] | None = None
        self._janitor = subprocess.Popen(
            [sys.executable, "-I", "-S", str(JANITOR), str(self.home)],
            stdin=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def folder(self, name: str) -> Path:
        """Make a folder that only the server can read and write."""
        made = self.home / name
        made.mkdir(mode=0o700)
        self._give(made)
        return made

    def within_reach(self, program: Path, parcels: Sequence[Path]) -> Path:
        """The path of the program, or of a copy if the server's user cannot access the program.

        All parcels are copied side by side, because a program finds its libraries beside it.
        """
        ways = [program, *program.parents]
        if os.geteuid() != 0 or not parcels or all(way.stat().st_mode & 0o001 for way in ways):
            return program
        copy = self.home / "install"
        for parcel in parcels:
            shutil.copytree(parcel, copy / parcel.name, symlinks=True)
        for path in [copy, *copy.rglob("*")]:
            self._give(path)
        return copy / program.relative_to(parcels[0].parent)

    def run(self, command: Sequence[str | Path]) -> None:
        """Run a program to its end, as the server's user."""
        done = subprocess.run(command, capture_output=True, check=False, **self._surroundings())
        if done.returncode != 0:
            raise Broken(f"{command[0]}: {done.stderr.decode(errors='replace')}")

    def launch(
        self, command: Sequence[str | Path], ready: Callable[[int], bool], stdin: bytes = b""
    ) -> None:
        """Start the server, write its configuration to its standard input, and wait for it."""
        if self.process is not None:
            raise Broken("it is running already")
        with (self.home / "log").open("ab") as log:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=log, stderr=log, **self._surroundings()
            )
        self.process = process
        self._tell_janitor(process.pid)
        assert process.stdin is not None
        process.stdin.write(stdin)
        process.stdin.close()
        end = time.monotonic() + PATIENCE
        while not ready(process.pid):
            if process.poll() is not None or time.monotonic() > end:
                self.kill9()
                raise Broken(f"{command[0]} did not start: {self.last_words()}")
            time.sleep(0.01)

    def stop(self) -> None:
        """Stop the server gracefully, if it is running."""
        if self.process is None:
            return
        self.process.send_signal(self.stopping)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill9()
            raise Broken(f"it did not stop: {self.last_words()}") from None
        self._forget()

    def kill9(self) -> None:
        """Kill the server and its children with SIGKILL, and wait until they are gone."""
        if self.process is None:
            return
        family: list[psutil.Process] = []
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGSTOP)  # so that it starts no more children
            family = psutil.Process(self.process.pid).children(recursive=True)
            self.process.kill()
            for child in family:
                if not _over(child):
                    child.kill()
        # Reap the child: while its process id exists, PostgreSQL does not start again.
        self.process.wait(PATIENCE)
        end = time.monotonic() + PATIENCE
        while not all(map(_over, family)):
            if time.monotonic() > end:
                raise Broken("children of the killed server are still there")
            time.sleep(0.01)
        self._forget()

    def close(self) -> None:
        """Stop the server and remove its folder."""
        try:
            self.stop()
        finally:
            shutil.rmtree(self.home, ignore_errors=True)
            assert self._janitor.stdin is not None
            self._janitor.stdin.close()
            self._janitor.wait(PATIENCE)

    def last_words(self) -> str:
        """The end of the server's log."""
        return (self.home / "log").read_text(encoding="utf-8", errors="replace")[-2000:]

    def _forget(self) -> None:
        self.process = None
        self._tell_janitor(0)

    def _tell_janitor(self, pid: int) -> None:
        assert self._janitor.stdin is not None
        self._janitor.stdin.write(f"{pid}\n")
        self._janitor.stdin.flush()

    def _give(self, path: Path) -> None:
        user = unprivileged()
        if user:
            os.chown(path, user["user"], user["group"], follow_symlinks=False)

    def _surroundings(self) -> dict[str, Any]:
        # A session of its own, so that Ctrl-C in the terminal reaches the tests and not the server.
        surroundings = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
        return {"cwd": self.home, "env": surroundings, "start_new_session": True, **unprivileged()}
