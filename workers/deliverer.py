"""Deliverer: sends what is owed, as long as its process lives.

Three threads work side by side, so that a mail server that hangs holds up no hook, and a hook
that hangs holds up no mail: one spreads notices, one sends letters one by one, one hands out what
hooks are to be told to a small crew. Each looks by itself every now and then; the bell only makes
it sooner.
"""

import threading
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar

import structlog

from service import outbox
from service.desk import Desk
from service.outbox import Delivery, Outcome
from workers.rounds import Round

LETTERS = 10
"""So many are claimed at a time, and composed while those before them are sent; what cannot be
sent before the claim lapses is given back."""
CREW = 16
"""So many hooks are told something at the same time."""
RUN = 10
"""So many deliveries a hook is told one after another before others have their turn."""

log = structlog.get_logger()
T = TypeVar("T")


class Mail(Protocol):
    """The channel of letters."""

    def prepare(self, letter: list[Delivery]) -> object:
        """Compose one letter that tells of these; also while another is being sent."""

    def send(self, letter: list[Delivery], prepared: Any) -> Outcome:
        """Send a letter that was prepared."""

    def close(self) -> None:
        """Give back what is kept between two letters."""


class Hooks(Protocol):
    """The channel of hooks."""

    def deliver(self, delivery: Delivery) -> Outcome:
        """Tell one hook one thing."""

    def close(self) -> None:
        """Give back what is kept between two deliveries."""


class Deliverer:
    """Sends what is owed, by threads of this process."""

    def __init__(self, desk: Desk, mail: Mail, hooks: Hooks) -> None:
        self._desk = desk
        self._mail = mail
        self._hooks = hooks
        self._stopping = threading.Event()
        self._spread = Round("spread", self._stopping, self._spread_all)
        self._post = Round("mail", self._stopping, self._send_letters)
        self._tell = Round("hooks", self._stopping, self._hand_out)
        self._composing = ThreadPoolExecutor(1, thread_name_prefix="composing")
        self._crew = ThreadPoolExecutor(CREW, thread_name_prefix="hook")
        self._back: SimpleQueue[str] = SimpleQueue()
        """Hooks that were told what there was to tell."""
        self._out: dict[str, str] = {}
        """By hook that is being told: whose it is."""
        self._failing: set[str] = set()

    def start(self) -> None:
        for one in self._rounds:
            one.start()

    def wake(self) -> None:
        """Something may be there to send, also without a notice: a ping, or something again."""
        for one in self._rounds:
            one.wake()

    def stop(self) -> None:
        """Finish what is being sent, and nothing more."""
        self._stopping.set()
        for one in self._rounds:
            one.wake()
        for one in self._rounds:
            one.join()
        self._composing.shutdown()
        self._crew.shutdown()
        self._mail.close()
        self._hooks.close()

    @property
    def _rounds(self) -> tuple[Round, ...]:
        return self._spread, self._post, self._tell

    def _spread_all(self) -> None:
        while not self._stopping.is_set() and outbox.spread(self._desk):
            self._post.wake()
            self._tell.wake()

    def _send_letters(self) -> None:
        ahead: deque[tuple[list[Delivery], Future[object]]] = deque()
        while True:
            if len(ahead) <= LETTERS // 2 and not self._stopping.is_set():
                for letter in outbox.claim_mail(self._desk, LETTERS):
                    ahead.append((letter, self._composing.submit(self._mail.prepare, letter)))
            if not ahead:
                return
            letter, page = ahead.popleft()
            wait([] if self._stopping.is_set() else [page])
            if self._stopping.is_set() or not outbox.is_in_time(self._desk, letter):
                page.cancel()
                outbox.give_back(self._desk, letter)
                continue
            # Settled before the next is sent: so a crash sends at most one letter twice.
            outcome = _tried(partial(self._send, page), letter)
            outbox.settle(self._desk, [(one, outcome) for one in letter])

    def _send(self, page: Future[object], letter: list[Delivery]) -> Outcome:
        return self._mail.send(letter, page.result())

    def _hand_out(self) -> None:
        """Give the crew what is due, as long as somebody of it is free."""
        while not self._stopping.is_set():
            while not self._back.empty():
                hook = self._back.get_nowait()
                self._out.pop(hook, None)
                self._failing.discard(hook)
            claimed = self._claimed(CREW - len(self._out), failing=False)
            # Whoever hangs may hold half of the crew, and never the other half.
            claimed += self._claimed(CREW // 2 - len(self._failing), failing=True)
            for run in claimed:
                self._crew.submit(self._tell_hook, run)
            if not claimed and self._back.empty():
                return

    def _claimed(self, most: int, *, failing: bool) -> list[list[Delivery]]:
        free = min(most, CREW - len(self._out))
        if free <= 0:
            return []
        out = Counter(self._out.values())
        run = 1 if failing else RUN
        claimed = outbox.claim_for_hooks(self._desk, free, failing=failing, out=out, run=run)
        runs: dict[str, list[Delivery]] = {}
        for one in claimed:
            runs.setdefault(one.hook or "", []).append(one)
        self._out |= {hook: told[0].account for hook, told in runs.items()}
        self._failing |= set(runs) if failing else set()
        return list(runs.values())

    def _tell_hook(self, run: list[Delivery]) -> None:
        """One after the other, until one does not arrive or the time is over."""
        goes_on, at = True, 0
        try:
            while goes_on:
                delivery, rest = run[at], run[at + 1 :]
                outcome = _tried(self._hooks.deliver, delivery)
                goes_on = (
                    bool(rest)
                    and outcome.state in ("sent", "superseded")
                    and not self._stopping.is_set()
                    and outbox.is_in_time(self._desk, rest)
                )
                untried = () if goes_on else rest
                settled = [(delivery, outcome)]
                outbox.settle(self._desk, settled, untried=untried, goes_on=goes_on)
                at += 1
        except BaseException:  # nothing is lost: the claims lapse, and it is told once more
            log.exception("what was told could not be written down")
        finally:
            self._back.put(run[0].hook or "")
            self._tell.wake()


def _tried(deliver: Callable[[T], Outcome], what: T) -> Outcome:
    """What came of it; a fault of ours is no reason to stop, and it may be mended by tomorrow."""
    try:
        return deliver(what)
    except BaseException as error:  # whatever it is, also of a library that is no Python
        log.exception("a delivery failed by a fault of ours")
        return Outcome("again", error=f"our own fault: {type(error).__name__}")
