"""Who may ask how often: counted by token and by address, in this process or in Redis."""

import time
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from threading import Lock
from typing import Protocol

import structlog
from limits.errors import StorageError
from limits.storage import RedisStorage
from structlog.typing import FilteringBoundLogger

from api.http.edge import Request, asked
from api.http.problems import Problem
from api.http.request_facts import Allowance
from engine.tongue import say, says
from service.setting_values import Rate
from service.settings import Settings

PATIENCE = 0.25
"""Seconds that a request waits for Redis; then it is counted here."""
AGAIN = 5.0
"""Seconds after which a Redis that did not answer is asked again."""

log: FilteringBoundLogger = structlog.get_logger()


class Counts(Protocol):
    """Something that counts under a name that is forgotten by and by."""

    def incr(self, key: str, expiry: int) -> int: ...


class Memory:
    """Counts of this process. Those of the window before are dropped at its end, all at once.

    The storage in memory that comes with `limits` starts a thread for a hit after a pause, which
    takes 200 µs; this one takes less than 2.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: dict[int, tuple[int, dict[str, int]]] = {}

    def incr(self, key: str, expiry: int) -> int:
        window = int(time.time() // expiry)
        with self._lock:
            kept, counts = self._counts.get(expiry, (window, {}))
            if kept != window:
                counts = {}
            counts[key] = used = counts.get(key, 0) + 1
            self._counts[expiry] = window, counts
            return used


class Shared:
    """Counts of all processes, in Redis; while it does not answer, those of this process."""

    def __init__(self, url: str) -> None:
        uri = url.replace("unix://", "redis+unix://", 1)
        self._redis = RedisStorage(
            uri,
            key_prefix="nightmail:limit",
            wrap_exceptions=True,
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
        )
        self._memory = Memory()
        self._asleep_until: float | None = None

    def incr(self, key: str, expiry: int) -> int:
        asleep = self._asleep_until
        if asleep is None or time.monotonic() >= asleep:
            try:
                count = self._redis.incr(key, expiry)
            except StorageError:
                if asleep is None:
                    log.warning("redis is away; rate limits are counted by process")
                self._asleep_until = time.monotonic() + AGAIN
            else:
                if asleep is not None:
                    log.info("redis is back")
                self._asleep_until = None
                return count
        return self._memory.incr(key, expiry)


class Limiter:
    """Counts requests in windows that begin by the clock, the same for all processes.

    So one increment says everything: how many there were, and when it begins anew.
    """

    def __init__(self, settings: Settings) -> None:
        self._counts: Counts = Shared(settings.redis_url) if settings.redis_url else Memory()
        self._settings = settings

    def admit(self, request: Request, kind: str = "address") -> None:
        """Count a request of this address; each kind has the whole allowance for itself."""
        self._spend(request, self._settings.rate_limit_address, f"{kind}:{_place(request)}")

    def admit_token(self, request: Request, token: str) -> None:
        """Count a request of this token."""
        self._spend(request, self._settings.rate_limit_token, f"token:{token}")

    def admit_account(self) -> None:
        """Count a new account of the address that the request in hand comes from."""
        request = asked()
        self._spend(request, self._settings.rate_limit_accounts, f"account:{_place(request)}")

    def admit_sign_in(self) -> None:
        """Count a request for a letter to sign in, or to confirm an address once more.

        Letters themselves are counted in the database (`service.people.mail_limits`).
        """
        request = asked()
        self._spend(request, self._settings.rate_limit_sign_ins, f"sign-in:{_place(request)}")

    def admit_message(self, account: str) -> None:
        """Count something that this account says: each is told to everybody at the table."""
        self._spend(asked(), self._settings.rate_limit_messages, f"message:{account}")

    def fail(self, request: Request) -> None:
        """Count a wrong token of this address.

        This comes after the look-up, so that whoever shares an address with a guesser gets in.
        """
        self._spend(request, self._settings.rate_limit_failures, f"failure:{_place(request)}")

    def _spend(self, request: Request, rate: Rate, key: str) -> None:
        if request.is_again:
            return
        window, since = divmod(time.time(), rate.seconds)
        used = self._counts.incr(f"{key}:{window:.0f}", rate.seconds)
        allowance = Allowance(rate.amount, max(0, rate.amount - used), ceil(rate.seconds - since))
        # The answer tells the scarcest of the allowances that the request has used.
        if request.allowance is None or allowance.remaining <= request.allowance.remaining:
            request.allowance = allowance
        if used > rate.amount:
            raise Problem(
                "rate_limited",
                say("Too many requests; try again in {time}.", time=_wait(allowance.reset)),
                retry_after=allowance.reset,
            )


def _wait(seconds: int) -> str:
    """How long that is, as people say it."""
    if seconds < 120:
        return says("{n} second", "{n} seconds", seconds)
    return says("{n} minute", "{n} minutes", ceil(seconds / 60))


def source() -> str:
    """Where the request in hand comes from, as letters are counted for it."""
    return _place(asked())


def _place(request: Request) -> str:
    return place(request.remote_addr or "")


@lru_cache(maxsize=1 << 12)
def place(address: str) -> str:
    """Whom an address stands for: with IPv6 a household owns a whole network of them."""
    try:
        known = ip_address(address)
    except ValueError:
        return "unknown"  # a socket file has no address
    if isinstance(known, IPv6Address):
        return str(known.ipv4_mapped or IPv6Network((known, 64), strict=False))
    return str(known)
