"""Numbers for whoever watches the service, in Prometheus' format."""

from time import perf_counter
from typing import NamedTuple

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from api.http.edge import Request
from service.settings import Settings

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class _Series(NamedTuple):
    """Where requests of one kind are counted."""

    requests: Counter
    seconds: Histogram


class Metrics:
    """The numbers of one application; every application counts in a registry of its own."""

    def __init__(self, settings: Settings) -> None:
        self._shared = settings.metrics_dir
        self._registry = CollectorRegistry()
        self._series: dict[tuple[str, str, int], _Series] = {}
        self._requests = Counter(
            "nightmail_requests",
            "Requests answered.",
            ["method", "route", "status"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "nightmail_request_seconds",
            "Time until the answer began.",
            ["route"],
            buckets=SECONDS,
            registry=self._registry,
        )
        self._moves = Counter(
            "nightmail_moves", "Moves played.", ["source"], registry=self._registry
        )

    def answered(self, request: Request, status: int) -> None:
        """Count a request; neither ids nor invented methods make a new series."""
        series = request.method, request.route, status
        known = self._series.get(series) or self._found(*series)
        known.requests.inc()
        known.seconds.observe(perf_counter() - request.began)

    def _found(self, method: str, route: str, status: int) -> "_Series":
        requests = self._requests.labels(method if method in METHODS else "OTHER", route, status)
        found = _Series(requests, self._seconds.labels(route))
        if method in METHODS:  # or somebody could make us remember whatever they invent
            self._series[method, route, status] = found
        return found

    def moved(self, source: str) -> None:
        """Count a move by the door through which it came."""
        self._moves.labels(source).inc()

    def text(self) -> bytes:
        """Everything counted so far; with a folder, by all processes that count in it."""
        if self._shared is None:
            return generate_latest(self._registry)
        gathered = CollectorRegistry()
        MultiProcessCollector(gathered, str(self._shared))  # type: ignore[no-untyped-call]  # it has no types
        return generate_latest(gathered)
