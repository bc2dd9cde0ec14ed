"""Finds mail providers that refuse most of our letters, so that the operator is warned.

A missing DNS record or a bad reputation makes a provider refuse everything. Letters and refusals
are counted by the domain of the recipient; no address and no text of a server is stored.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from threading import Lock

import structlog

from service.desk import Desk
from store import timestamps
from store.notify import mail_providers
from store.notify.mail_providers import Counts

__all__ = ["Counts", "Tally", "count_refusal", "refusing", "tidy"]

WINDOW = timedelta(hours=1)
"""How far back letters are counted."""
LEAST = 10
"""Refused letters below which nobody is warned."""
STORE_EVERY = timedelta(minutes=1)
"""How often a tally is stored while nothing is refused."""
_TEN_MINUTES = len("2026-01-01T12:3")
"""Characters of a timestamp that letters are counted by: up to the tens of the minutes."""

log = structlog.get_logger()


class Tally:
    """Counts the letters that a process sends; stored now and then, and after each refusal."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lock = Lock()
        self._accepted: Counter[str] = Counter()
        self._next = ""

    def add(self, email: str, *, refused: bool) -> None:
        """Count a letter that a server has accepted, or refused for reasons of policy."""
        domain, now = _domain_of(email), self._desk.now()
        with self._lock:
            if not refused:
                self._accepted[domain] += 1
                if now < self._next:
                    return
            accepted, self._accepted = self._accepted, Counter()
            self._next = timestamps.later(now, STORE_EVERY)
        counts = [Counts(name, letters, 0) for name, letters in accepted.items()]
        counts += [Counts(domain, 1, 1)] if refused else []
        # In one order everywhere: two processes that lock the same rows must not wait for each
        # other.
        _record(self._desk, sorted(counts))


def count_refusal(desk: Desk, email: str) -> None:
    """Count a refusal by a report; the letter itself was counted when it was sent."""
    _record(desk, [Counts(_domain_of(email), 0, 1)])


def _domain_of(email: str) -> str:
    return email.rpartition("@")[2].lower()


def _record(desk: Desk, new: Iterable[Counts]) -> None:
    """Add to the counts, and log a warning when a domain begins to refuse most letters."""
    now = desk.now()
    since = timestamps.later(now, -WINDOW)
    began: list[Counts] = []
    with desk.database.noting() as tx:
        for more in new:
            mail_providers.count(tx, now[:_TEN_MINUTES], more)
            for after in mail_providers.counted(tx, since, more.domain) if more.refused else ():
                before = Counts(
                    more.domain, after.letters - more.letters, after.refused - more.refused
                )
                if _refuses(after) and not _refuses(before):
                    began.append(after)
    for counts in began:
        log.warning("a mail provider refuses most of our letters", **counts._asdict())


def refusing(desk: Desk) -> list[Counts]:
    """Return the domains that refuse most of our letters."""
    with desk.database.reading() as tx:
        counted = mail_providers.counted(tx, timestamps.later(desk.now(), -WINDOW))
    return [counts for counts in counted if _refuses(counts)]


def _refuses(counts: Counts) -> bool:
    return counts.refused >= LEAST and 2 * counts.refused > counts.letters


def tidy(desk: Desk) -> None:
    """Delete counts that are too old to matter."""
    with desk.database.writing() as tx:
        mail_providers.forget(tx, timestamps.later(desk.now(), -2 * WINDOW))
