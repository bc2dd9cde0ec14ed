"""Rate limits by token and by client address, counted in this process or in Redis."""

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

from api.http.problems import Problem
from api.http.request import Request, current_request
from api.http.request_facts import Allowance
from engine.translate import say, says
from service.setting_values import Rate
from service.settings import Settings

REDIS_TIMEOUT = 0.25
"""Seconds that a request waits for Redis before it is counted in this process."""
REDIS_RETRY = 5.0
"""Seconds after a failure until Redis is tried again."""

log: FilteringBoundLogger = structlog.get_logger()


class Counter(Protocol):
    """Counts hits under a key that expires."""

    def incr(self, key: str, expiry: int) -> int: ...


class MemoryCounter:
    """Counts the hits of this process; all counts of a window are dropped when it ends.

    The in-memory storage of `limits` starts a thread for the first hit after a pause, which takes
    200 µs; this one takes less than 2.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: dict[int, tuple[int, dict[str, int]]] = {}

    def incr(self, key: str, expiry: int) -> int:
        window = int(time.time() // expiry)
        with self._lock:
            counted, counts = self._counts.get(expiry, (window, {}))
            if counted != window:
                counts = {}
            counts[key] = used = counts.get(key, 0) + 1
            self._counts[expiry] = window, counts
            return used


class RedisCounter:
    """Counts the hits of all processes in Redis; falls back to this process if Redis is down."""

    def __init__(self, url: str) -> None:
        uri = url.replace("unix://", "redis+unix://", 1)
        self._redis = RedisStorage(
            uri,
            key_prefix="nightmail:limit",
            wrap_exceptions=True,
            socket_timeout=REDIS_TIMEOUT,
            socket_connect_timeout=REDIS_TIMEOUT,
        )
        self._memory = MemoryCounter()
        self._retry_at: float | None = None

    def incr(self, key: str, expiry: int) -> int:
        retry_at = self._retry_at
        if retry_at is None or time.monotonic() >= retry_at:
            try:
                count = self._redis.incr(key, expiry)
            except StorageError:
                if retry_at is None:
                    log.warning("redis is down; rate limits are counted by process")
                self._retry_at = time.monotonic() + REDIS_RETRY
            else:
                if retry_at is not None:
                    log.info("redis is back")
                self._retry_at = None
                return count
        return self._memory.incr(key, expiry)


class Limiter:
    """Counts requests in fixed windows, which begin at the same time in all processes.

    Counting a request and checking its limit takes a single increment.
    """

    def __init__(self, settings: Settings) -> None:
        self._counter: Counter = (
            RedisCounter(settings.redis_url) if settings.redis_url else MemoryCounter()
        )
        self._settings = settings

    def count_request(self, request: Request, kind: str = "address") -> None:
        """Count a request by client address; each kind of request has a limit of its own."""
        self._count(request, self._settings.rate_limit_address, f"{kind}:{_network(request)}")

    def count_token(self, request: Request, token: str) -> None:
        """Count a request by token."""
        self._count(request, self._settings.rate_limit_token, f"token:{token}")

    def count_account(self) -> None:
        """Count a new account by the client address of the current request."""
        request = current_request()
        self._count(request, self._settings.rate_limit_accounts, f"account:{_network(request)}")

    def count_sign_in(self) -> None:
        """Count a request for a sign-in link or another confirmation mail.

        The emails themselves are counted in the database (`service.people.mail_limits`).
        """
        request = current_request()
        self._count(request, self._settings.rate_limit_sign_ins, f"sign-in:{_network(request)}")

    def count_device(self) -> None:
        """Count a request for the codes of a device."""
        request = current_request()
        self._count(request, self._settings.rate_limit_sign_ins, f"device:{_network(request)}")

    def count_user_code(self, account: str) -> None:
        """Count a code of a device that an account enters.

        Right ones count, too: else somebody who guesses could go on, and succeed, when blocked.
        """
        rate = self._settings.rate_limit_failures
        self._count(current_request(), rate, f"user-code:{account}")

    def count_message(self, account: str) -> None:
        """Count a message of this account, since the whole table is notified of each."""
        self._count(current_request(), self._settings.rate_limit_messages, f"message:{account}")

    def count_failure(self, request: Request) -> None:
        """Count an invalid token or link by client address.

        Requests with a valid token are not refused because of it, so others who share the address
        are not locked out.
        """
        self._count(request, self._settings.rate_limit_failures, f"failure:{_network(request)}")

    def _count(self, request: Request, rate: Rate, key: str) -> None:
        if request.is_again:
            return
        window, since = divmod(time.time(), rate.seconds)
        used = self._counter.incr(f"{key}:{window:.0f}", rate.seconds)
        allowance = Allowance(rate.amount, max(0, rate.amount - used), ceil(rate.seconds - since))
        # The response headers show the limit that is closest to being used up.
        if request.allowance is None or allowance.remaining <= request.allowance.remaining:
            request.allowance = allowance
        if used > rate.amount:
            raise Problem(
                "rate_limited",
                say("Too many requests; try again in {time}.", time=_duration(allowance.reset)),
                retry_after=allowance.reset,
            )


def _duration(seconds: int) -> str:
    """Write a duration for people."""
    if seconds < 120:
        return says("{n} second", "{n} seconds", seconds)
    return says("{n} minute", "{n} minutes", ceil(seconds / 60))


def client_network() -> str:
    """Return the network of the current client, by which emails are counted."""
    return _network(current_request())


def _network(request: Request) -> str:
    return network_of(request.remote_addr or "")


@lru_cache(maxsize=1 << 12)
def network_of(address: str) -> str:
    """Return the address itself for IPv4, and its /64 network for IPv6, which one client owns."""
    try:
        ip = ip_address(address)
    except ValueError:
        return "unknown"  # a Unix socket has no address
    if isinstance(ip, IPv6Address):
        return str(ip.ipv4_mapped or IPv6Network((ip, 64), strict=False))
    return str(ip)
