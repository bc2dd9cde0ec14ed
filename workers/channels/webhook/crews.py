"""The lane of webhooks: threads in three crews, for quick, new and failing hooks."""

import threading
import time
from collections import Counter, deque
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

import structlog

from service.desk import Desk
from service.notify import hook_claims, outbox
from service.notify.outbox import Delivery, Outcome
from workers.lanes.sender import Sender, attempted, send
from workers.lanes.work_loop import WorkLoop

CREWS = {"quick": 16, "new": 8, "failing": 8}
"""The number of threads in each crew: for hooks whose last answer came quickly, for hooks of which
nothing is known yet, and for failing hooks. So a hook that hangs, even for the first time, takes
no thread from those that are quick."""
QUICKLY = 1.0
"""Seconds within which a hook has to answer to be known as quick."""
RUN = 10
"""Deliveries that are sent to one hook in a row before other hooks have their turn."""

log = structlog.get_logger()
Run = list[Delivery]


class Crews:
    """Hands out runs of deliveries to a pool of threads."""

    def __init__(self, desk: Desk, stopping: threading.Event, sender: Sender[Any]) -> None:
        self._desk = desk
        self._sender = sender
        self._stopping = stopping
        self._handing_out = WorkLoop("hooks", stopping, self._hand_out)
        self._pool = ThreadPoolExecutor(sum(CREWS.values()), thread_name_prefix="hook")
        self._finished: SimpleQueue[str] = SimpleQueue()
        """Runs that are over. Each is known by the id of its first delivery: a hook may be given
        the next run before we hear that its last one is over."""
        self._accounts: dict[str, str] = {}
        """The account of each claimed run."""
        self._crew_of: dict[str, str] = {}
        """The crew of each run that has begun."""
        self._waiting: deque[Run] = deque()
        """Runs for hooks of which nothing is known, until their crew has a thread free."""
        self._quick: set[str] = set()
        """Hooks whose last answer came quickly."""

    def start(self) -> None:
        self._handing_out.start()

    def wake(self) -> None:
        """Look for due deliveries now."""
        self._handing_out.wake()

    def join(self) -> None:
        """Wait for the calls that are being made; runs that have not begun are given back."""
        self._handing_out.join()
        self._pool.shutdown()
        for run in self._waiting:
            outbox.give_back(self._desk, run)
        self._sender.close()

    def _hand_out(self) -> None:
        """Hand out what is due, as long as there is anything, and a thread is free."""
        while not self._stopping.is_set():
            while not self._finished.empty():
                first = self._finished.get_nowait()
                del self._accounts[first], self._crew_of[first]
            claimed = self._claim("failing")
            for run in claimed:
                self._begin(run, "failing")
            for run in self._claim("quick"):
                claimed.append(run)
                if run[0].hook in self._quick:
                    self._begin(run, "quick")
                else:
                    self._waiting.append(run)
            self._begin_waiting()
            if not claimed and self._finished.empty():
                return

    def _claim(self, crew: str) -> list[Run]:
        """Claim runs for failing hooks, or for all others; the database knows no quick ones."""
        free, failing = self._free(crew), crew == "failing"
        if free <= 0:
            return []
        calling = Counter(self._accounts.values())
        most = 1 if failing else RUN
        claimed = hook_claims.claim(self._desk, free, failing=failing, calling=calling, run=most)
        runs: dict[str, Run] = {}
        for delivery in claimed:
            runs.setdefault(delivery.hook or "", []).append(delivery)
        self._accounts |= {run[0].id: run[0].account for run in runs.values()}
        return list(runs.values())

    def _free(self, crew: str) -> int:
        """Return the number of threads of a crew that are free."""
        return CREWS[crew] - sum(crew == other for other in self._crew_of.values())

    def _begin(self, run: Run, crew: str) -> None:
        self._crew_of[run[0].id] = crew
        self._pool.submit(self._send_run, run)

    def _begin_waiting(self) -> None:
        """Begin runs for new hooks; those that have waited too long are given back."""
        while self._waiting:
            late = not outbox.is_in_time(self._desk, self._waiting[0])
            if not late and self._free("new") <= 0:
                return
            run = self._waiting.popleft()
            if late:
                del self._accounts[run[0].id]
                outbox.give_back(self._desk, run)
            else:
                self._begin(run, "new")

    def _send_run(self, run: Run) -> None:
        """Send one delivery after another, until one does not arrive or the lease runs out."""
        goes_on, at = True, 0
        try:
            while goes_on:
                delivery, rest = run[at], run[at + 1 :]
                began = time.monotonic()
                outcome = attempted(send, self._sender, [delivery])
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
        except BaseException:  # nothing is lost: the lease ends, and it is sent again
            log.exception("the outcome of a delivery could not be stored")
        finally:
            self._finished.put(run[0].id)
            self._handing_out.wake()

    def _learn(self, delivery: Delivery, outcome: Outcome, seconds: float) -> None:
        """Note whether a hook is quick; a superseded delivery was not sent and shows nothing."""
        if outcome.state == "sent" and seconds <= QUICKLY:
            self._quick.add(delivery.hook or "")
        elif outcome.state != "superseded":
            self._quick.discard(delivery.hook or "")
