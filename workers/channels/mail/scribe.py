"""Scribe: composes letters beside whoever sends them; when there are many, in another process.

Composing is hard work for Python, which does one thing at a time in one process: who sends much
would send slowly, and who also answers requests would answer slowly.
"""

import socket
import subprocess
import sys
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import cast

import structlog

from service.desk import Desk
from service.settings import Settings
from workers.channels.mail import mate
from workers.channels.mail.letters.compose import Composed, Composer
from workers.channels.mail.mate import Letter, Written

MANY = 20
"""So many letters"""
WITHIN = 5.0
"""in so many seconds are worth another process,"""
PATIENCE = 10.0
"""which is given up after so many seconds, long before the claim of a letter lapses."""

PAUSE = 10.0
"""Seconds between the beginnings of two."""

log = structlog.get_logger()


class Scribe:
    """Composes letters in the order in which it is told of them."""

    def __init__(self, desk: Desk, *, pictures: bool = True) -> None:
        self._composer = Composer(desk, pictures=pictures)
        self._hand = ThreadPoolExecutor(1, thread_name_prefix="composing")
        self._settings, self._pictures = desk.settings, pictures
        self._lately: deque[float] = deque(maxlen=MANY)
        self._mate: _Mate | None = None
        self._next_call = 0.0

    def begin(self, letter: Letter) -> Future[Composed | None]:
        """A letter that tells of these, later; None if nobody is to be told of them any more."""
        self._lately.append(time.monotonic())
        if self._mate is None or self._mate.is_gone:
            self._mate = self._called() if self._has_much_to_do() else None
        mate = self._mate if self._mate and self._mate.begins(letter) else None
        return self._hand.submit(self._composed, letter, mate)

    def close(self) -> None:
        """Finish what was begun, and let the other process go."""
        self._hand.shutdown()
        if self._mate is not None:
            self._mate.dismiss()

    def _has_much_to_do(self) -> bool:
        lately = self._lately
        return len(lately) == MANY and lately[-1] - lately[0] < WITHIN

    def _called(self) -> "_Mate | None":
        """Another process, unless one was begun just now: it would not live any longer."""
        if time.monotonic() < self._next_call:
            return None
        self._next_call = time.monotonic() + PAUSE
        try:
            return _Mate(self._settings, pictures=self._pictures)
        except OSError:  # no more processes, files or memory; then it goes without
            log.warning("no other process can be begun to compose", exc_info=True)
            return None

    def _composed(self, letter: Letter, mate: "_Mate | None") -> Composed | None:
        done, composed = mate.answer(letter) if mate else (False, None)
        # What the other could not do is done here, where it is told what was wrong.
        return composed if done else self._composer.composed(letter)


class _Mate:
    """The other process, as this one knows it."""

    def __init__(self, settings: Settings, *, pictures: bool) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:  # theirs is closed here, so that each hears when the other is gone
            command = [sys.executable, "-m", mate.__name__, str(theirs.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()])  # noqa: S603
            self._line = Connection(ours.detach())
        self._is_ready = False
        self.is_gone = False
        try:
            self._line.send((settings, pictures))
        except OSError:  # it has died already
            self.dismiss()
        log.info("another process helps to compose", pid=self._process.pid)

    def begins(self, letter: Letter) -> bool:
        """Whether it takes this on; it is still getting ready at first, and may have gone."""
        try:
            if not self._is_ready and self._line.poll():
                self._is_ready = self._line.recv() == mate.READY
            if self._is_ready:
                self._line.send(letter)
        except (EOFError, OSError):
            self.dismiss()
        return self._is_ready and not self.is_gone

    def answer(self, letter: Letter) -> Written:
        """What it has made of a letter that it took on."""
        try:
            while self._line.poll(PATIENCE):
                asked, written = self._line.recv()
                if asked == letter[0].id:  # nobody came for those before it
                    return cast(Written, written)
        except (EOFError, OSError):
            pass  # it had nothing to do for long, or somebody has killed it
        self.dismiss()
        return False, None

    def dismiss(self) -> None:
        """It keeps nothing that could be lost."""
        self.is_gone = True
        self._process.kill()
        self._process.wait()
        self._line.close()
