"""Deliverer: sends what is owed, as long as its process lives.

Three threads work side by side, so that a mail server that hangs holds up no hook, and a hook
that hangs holds up no mail: one spreads notices, one sends letters one by one, one hands out what
hooks are to be told to a small crew. Each looks by itself every now and then; the bell only makes
it sooner.
"""

import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar

import structlog

from service.desk import Desk
from service.notify import outbox
from service.notify.outbox import Delivery, Outcome
from service.people import sessions
from workers.background.rounds import Round

LETTERS = 20
"""So many are claimed at a time, and composed while those before them are sent; what cannot be
sent before the claim lapses is given back."""
CREW = {"quick": 16, "new": 8, "failing": 8}
"""So many hooks are told something at the same time, by what is known of them: that the last
answer came quickly, nothing, or that nothing arrives. Each kind has a crew of its own, so whoever
hangs, be it for the first time, takes nothing from those that are quick."""
QUICKLY = 1.0
"""Seconds in which a hook has to take what it is told to be known as quick."""
RUN = 10
"""So many deliveries a hook is told one after another before others have their turn."""

log = structlog.get_logger()
T = TypeVar("T")


class Mail(Protocol):
    """The channel of letters."""

    def prepare(self, letter: list[Delivery]) -> Future[Any]:
        """Compose one letter that tells of these, while others are being sent."""

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
        self._crew = ThreadPoolExecutor(sum(CREW.values()), thread_name_prefix="hook")
        self._back: SimpleQueue[str] = SimpleQueue()
        """Runs that are over. Each is known by its first delivery: a hook may be given the next one
        before we hear that its last is over."""
        self._out: dict[str, str] = {}
        """By run that is claimed: whose it is."""
        self._told: dict[str, str] = {}
        """By run that is being told: what was known of its hook."""
        self._waiting: deque[list[Delivery]] = deque()
        """What hooks of which nothing is known are to be told, as soon as their crew has time."""
        self._quick: set[str] = set()

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
        self._crew.shutdown()
        for run in self._waiting:
            outbox.give_back(self._desk, run)
        self._mail.close()
        self._hooks.close()

    @property
    def _rounds(self) -> tuple[Round, ...]:
        return self._spread, self._post, self._tell

    def _spread_all(self) -> None:
        while not self._stopping.is_set() and outbox.spread(self._desk):
            self._post.wake()
            self._tell.wake()
        # Last, so that everything else is told even if no address can be looked up.
        if sessions.answer_requests(self._desk):
            self._spread.wake()

    def _send_letters(self) -> None:
        ahead: deque[tuple[list[Delivery], Future[Any]]] = deque()
        while True:
            if len(ahead) <= LETTERS // 2 and not self._stopping.is_set():
                for letter in outbox.claim_mail(self._desk, LETTERS):
                    ahead.append((letter, self._mail.prepare(letter)))
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

    def _send(self, page: Future[Any], letter: list[Delivery]) -> Outcome:
        return self._mail.send(letter, page.result())

    def _hand_out(self) -> None:
        """Give the crew what is due, as long as somebody of it is free."""
        while not self._stopping.is_set():
            while not self._back.empty():
                over = self._back.get_nowait()
                del self._out[over], self._told[over]
            claimed = self._claimed("failing")
            for run in claimed:
                self._begin(run, "failing")
            for run in self._claimed("quick"):
                claimed.append(run)
                if run[0].hook in self._quick:
                    self._begin(run, "quick")
                else:
                    self._waiting.append(run)
            self._begin_waiting()
            if not claimed and self._back.empty():
                return

    def _claimed(self, known: str) -> list[list[Delivery]]:
        """Runs for hooks that are failing, or for all others, which only we know to be quick."""
        free, failing = self._free(known), known == "failing"
        if free <= 0:
            return []
        out = Counter(self._out.values())
        most = 1 if failing else RUN
        claimed = outbox.claim_for_hooks(self._desk, free, failing=failing, out=out, run=most)
        runs: dict[str, list[Delivery]] = {}
        for one in claimed:
            runs.setdefault(one.hook or "", []).append(one)
        self._out |= {run[0].id: run[0].account for run in runs.values()}
        return list(runs.values())

    def _free(self, known: str) -> int:
        return CREW[known] - sum(known == one for one in self._told.values())

    def _begin(self, run: list[Delivery], known: str) -> None:
        self._told[run[0].id] = known
        self._crew.submit(self._tell_hook, run)

    def _begin_waiting(self) -> None:
        """Those that have waited too long are left to the next claim."""
        while self._waiting:
            late = not outbox.is_in_time(self._desk, self._waiting[0])
            if not late and self._free("new") <= 0:
                return
            run = self._waiting.popleft()
            if late:
                del self._out[run[0].id]
                outbox.give_back(self._desk, run)
            else:
                self._begin(run, "new")

    def _tell_hook(self, run: list[Delivery]) -> None:
        """One after the other, until one does not arrive or the time is over."""
        goes_on, at = True, 0
        try:
            while goes_on:
                delivery, rest = run[at], run[at + 1 :]
                began = time.monotonic()
                outcome = _tried(self._hooks.deliver, delivery)
                self._learn(delivery, outcome, time.monotonic() - began)
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
            self._back.put(run[0].id)
            self._tell.wake()

    def _learn(self, delivery: Delivery, outcome: Outcome, seconds: float) -> None:
        """What is superseded was not told, so it says nothing about a hook."""
        if outcome.state == "sent" and seconds <= QUICKLY:
            self._quick.add(delivery.hook or "")
        elif outcome.state != "superseded":
            self._quick.discard(delivery.hook or "")


def _tried(deliver: Callable[[T], Outcome], what: T) -> Outcome:
    """What came of it; a fault of ours is no reason to stop, and it may be mended by tomorrow."""
    try:
        return deliver(what)
    except BaseException as error:  # whatever it is, also of a library that is no Python
        log.exception("a delivery failed by a fault of ours")
        return Outcome("again", error=f"our own fault: {type(error).__name__}")
