"""What the service counts, for Prometheus."""

from __future__ import annotations

import os

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

CONTENT_TYPE = CONTENT_TYPE_LATEST
MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"
"""With several workers: the folder through which they add up."""

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """Counters of one application."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._counted: dict[tuple[str, int], tuple[Counter, Histogram]] = {}
        self._asked: dict[tuple[str, str], Counter] = {}
        self.requests = Counter(
            "should_i_roll_requests",
            "Requests answered.",
            ["route", "status"],
            registry=self._registry,
        )
        self.seconds = Histogram(
            "should_i_roll_request_seconds",
            "Time from a request's head to the end of its answer.",
            ["route"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self.advice = Counter(
            "should_i_roll_advice",
            "Questions answered, by way: known, table or turn.",
            ["game", "way"],
            registry=self._registry,
        )
        self.reviews = Counter(
            "should_i_roll_reviews", "Game records reviewed.", ["game"], registry=self._registry
        )
        self.refused = Counter(
            "should_i_roll_refused",
            "Questions refused, by problem type.",
            ["problem"],
            registry=self._registry,
        )
        self.waiting = Gauge(
            "should_i_roll_waiting_turns",
            "Questions that wait for a turn to be solved.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        self.ready = Gauge(
            "should_i_roll_ready",
            "1 once the tables are verified.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )

    def count(self, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered; what is counted for a route is looked up once."""
        key = route, status
        found = self._counted.get(key)
        if found is None:
            found = self.requests.labels(route, str(status)), self.seconds.labels(route)
            self._counted[key] = found
        found[0].inc()
        found[1].observe(seconds)

    def asked(self, game: str, way: str) -> None:
        """Count a question that was answered."""
        key = game, way
        found = self._asked.get(key)
        if found is None:
            found = self._asked[key] = self.advice.labels(game, way)
        found.inc()

    def page(self) -> bytes:
        """Return the page that Prometheus reads; of all workers, if there are several."""
        if MULTIPROCESS not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
