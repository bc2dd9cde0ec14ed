"""Prometheus metrics of requests, and of what others count."""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import NamedTuple

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from api.http.request import Request
from service.notify.mail_providers import Counts
from service.settings import Settings

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class _Series(NamedTuple):
    """The counter and the histogram of one kind of request."""

    requests: Counter
    seconds: Histogram


class Metrics:
    """The metrics of one application, in a registry of its own."""

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
            "Time to the first byte of the response.",
            ["route"],
            buckets=BUCKETS,
            registry=self._registry,
        )

    def count_request(self, request: Request, status: int) -> None:
        """Count a request; neither ids nor made-up methods create a new series."""
        labels = request.method, request.route, status
        series = self._series.get(labels) or self._new_series(*labels)
        series.requests.inc()
        series.seconds.observe(perf_counter() - request.began)

    def _new_series(self, method: str, route: str, status: int) -> "_Series":
        requests = self._requests.labels(method if method in METHODS else "OTHER", route, status)
        series = _Series(requests, self._seconds.labels(route))
        if method in METHODS:  # made-up methods must not fill the memory
            self._series[method, route, status] = series
        return series

    def include(self, collector: Collector) -> None:
        """Add what is counted elsewhere in this process."""
        self._registry.register(collector)

    def text(self, refusing: Sequence[Counts] = ()) -> bytes:
        """Render all metrics, and the mail providers that refuse most of our letters.

        With METRICS_DIR these are the metrics of all processes that share it.
        """
        gathered = self._registry
        if self._shared is not None:
            gathered = CollectorRegistry()
            MultiProcessCollector(gathered, str(self._shared))  # type: ignore[no-untyped-call]  # untyped in prometheus_client
        refusals = CollectorRegistry()
        refusals.register(_Refusals(refusing))
        return generate_latest(gathered) + generate_latest(refusals)


class _Refusals(Collector):
    """A gauge that has a sample only for domains that refuse most letters."""

    def __init__(self, refusing: Sequence[Counts]) -> None:
        self._refusing = refusing

    def collect(self) -> Iterator[GaugeMetricFamily]:
        meaning = "Letters that a provider refused in the last hour, if it refuses most of them."
        gauge = GaugeMetricFamily("nightmail_mail_refused", meaning, labels=["domain"])
        for counts in self._refusing:
            gauge.add_metric([counts.domain], counts.refused)
        yield gauge
