"""Deliverer: sends what is owed, as long as its process lives.

Three threads work side by side, so that a mail server that hangs holds up no hook, and a hook
that hangs holds up no mail: one spreads notices, one sends letters one by one, one hands out what
hooks are to be told to a small crew. Each looks by itself every now and then; the bell only makes
it sooner.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol, TypeVar

import structlog

from service import outbox
from service.desk import Desk
from service.outbox import Delivery, Outcome

LOOK_EVERY = 1.0
"""Seconds between two looks when nobody rings."""
PAUSE = 5.0
"""Seconds to wait after something went wrong, such as a database that is away."""
LETTERS = 10
"""So many are claimed at a time; what cannot be sent before the claim lapses is given back."""
CREW = 16
"""So many hooks are told something at the same time."""

log = structlog.get_logger()
T = TypeVar("T")


class Mail(Protocol):
    """The channel of letters."""

    def deliver(self, letter: list[Delivery]) -> Outcome:
        """Send one letter that tells of these."""


class Hooks(Protocol):
    """The channel of hooks."""

    def deliver(self, delivery: Delivery) -> Outcome:
        """Tell one hook one thing."""


class Deliverer:
    """Sends what is owed, by threads of this process."""

    def __init__(self, desk: Desk, mail: Mail, hooks: Hooks) -> None:
        self._desk = desk
        self._mail = mail
        self._hooks = hooks
        self._stopping = threading.Event()
        self._spread = _Round("spread", self._stopping, self._spread_all)
        self._post = _Round("mail", self._stopping, self._send_letters)
        self._tell = _Round("hooks", self._stopping, self._hand_out)
        self._crew = ThreadPoolExecutor(CREW, thread_name_prefix="hook")
        self._busy: set[Future[None]] = set()

    def start(self) -> None:
        for one in self._rounds:
            one.start()

    def wake(self) -> None:
        """Something may be there to send."""
        self._spread.wake()

    def stop(self) -> None:
        """Finish what is being sent, and nothing more."""
        self._stopping.set()
        for one in self._rounds:
            one.wake()
        for one in self._rounds:
            one.join()
        self._crew.shutdown()

    @property
    def _rounds(self) -> tuple["_Round", ...]:
        return self._spread, self._post, self._tell

    def _spread_all(self) -> None:
        while not self._stopping.is_set() and outbox.spread(self._desk):
            self._post.wake()
            self._tell.wake()

    def _send_letters(self) -> None:
        while not self._stopping.is_set() and (letters := outbox.claim_mail(self._desk, LETTERS)):
            for letter in letters:
                if self._stopping.is_set() or not outbox.is_in_time(self._desk, letter):
                    outbox.give_back(self._desk, letter)
                    continue
                # Settled before the next is sent: so a crash sends at most one letter twice.
                outcome = _tried(self._mail.deliver, letter)
                outbox.settle(self._desk, [(one, outcome) for one in letter])

    def _hand_out(self) -> None:
        while not self._stopping.is_set() and (free := CREW - len(self._busy)) > 0:
            claimed = outbox.claim_for_hooks(self._desk, free)
            if not claimed:
                return
            for delivery in claimed:
                task = self._crew.submit(self._tell_hook, delivery)
                self._busy.add(task)
                task.add_done_callback(self._told)

    def _tell_hook(self, delivery: Delivery) -> None:
        outcome = _tried(self._hooks.deliver, delivery)
        outbox.settle(self._desk, [(delivery, outcome)])

    def _told(self, done: Future[None]) -> None:
        self._busy.discard(done)
        self._tell.wake()
        if error := done.exception():
            log.error("a hook was told, and it could not be written down", exc_info=error)


def _tried(deliver: Callable[[T], Outcome], what: T) -> Outcome:
    """What came of it; a fault of ours is no reason to stop, and it may be mended by tomorrow."""
    try:
        return deliver(what)
    except Exception as error:  # whatever it is, the others still have to be sent
        log.exception("a delivery failed by a fault of ours")
        return Outcome("again", error=f"our own fault: {type(error).__name__}")


class _Round:
    """A thread that does its work whenever it is woken, and by itself every now and then."""

    def __init__(self, name: str, stopping: threading.Event, work: Callable[[], None]) -> None:
        self._name = name
        self._stopping = stopping
        self._work = work
        self._rung = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        self._rung.set()

    def join(self) -> None:
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._rung.clear()
            try:
                self._work()
            except Exception:  # such as a database that is away: it comes back
                log.exception("delivering has to wait", part=self._name)
                self._stopping.wait(PAUSE)
            else:
                self._rung.wait(LOOK_EVERY)
