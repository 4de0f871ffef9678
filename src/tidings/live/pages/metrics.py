"""What whoever watches over the service is told, as Prometheus reads it (needs the extra `web`)."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from tidings.live.hosting.supervision import ServiceStatus
from tidings.live.store.numbers import StoreNumbers

__all__ = ["metrics_page"]

_STATES = ("starting", "following", "ended", "failed", "stopped")


def metrics_page(numbers: StoreNumbers, status: ServiceStatus | None, open_streams: int) -> tuple[bytes, str]:
    """The page, and what kind of page it says it is.

    Args:
        numbers: of the store.
        status: how the service goes that this process runs; None where it runs none.
        open_streams: how many readers are told what is new.
    """
    prometheus: Any = import_module("prometheus_client")
    registry = prometheus.CollectorRegistry()
    registry.register(_Once(list(_families(numbers, status, open_streams))))
    return prometheus.generate_latest(registry), prometheus.CONTENT_TYPE_LATEST


class _Once:
    """Gives what was counted for this page."""

    def __init__(self, families: list[Any]) -> None:
        self._families = families

    def collect(self) -> list[Any]:
        """All of it."""
        return self._families


def _families(numbers: StoreNumbers, status: ServiceStatus | None, open_streams: int) -> Iterator[Any]:
    core: Any = import_module("prometheus_client.core")

    def counter(name: str, words: str, values: dict[str, int], label: str = "") -> Any:
        family = core.CounterMetricFamily(name, words, labels=[label] if label else [])
        for value, count in values.items():
            family.add_metric([value] if label else [], count)
        return family

    def gauge(name: str, words: str, values: dict[str, float], label: str = "") -> Any:
        family = core.GaugeMetricFamily(name, words, labels=[label] if label else [])
        for value, count in values.items():
            family.add_metric([value] if label else [], count)
        return family

    yield counter("tidings_documents", "Documents that came.", {"": numbers.documents})
    yield counter("tidings_followed_documents", "Documents that were followed.", {"": numbers.followed})
    yield gauge(
        "tidings_queue_documents", "Documents that came and were not followed yet.", {"": numbers.queue}
    )
    yield gauge(
        "tidings_delay_seconds",
        "How far what was followed last is behind what came last.",
        {"": numbers.delay_s},
    )
    yield gauge("tidings_inbox_documents", "Documents that the inbox keeps.", {"": numbers.kept})
    yield gauge("tidings_inbox_bytes", "Their size.", {"": numbers.kept_bytes})
    yield counter("tidings_decisions", "What was told, by kind.", numbers.outputs, "kind")
    yield gauge("tidings_events", "Standing events, by state.", dict(numbers.events), "state")
    yield gauge(
        "tidings_last_commit_timestamp_seconds",
        "When the run was committed last.",
        {"": numbers.last_commit},
    )
    yield gauge("tidings_open_streams", "Readers that are told what is new.", {"": open_streams})
    alarms = {"waiting": float(numbers.alarms_waiting), "delivered": float(numbers.alarms_delivered)}
    yield gauge("tidings_alarms", "Alarms of the outbox, by what came of them.", alarms, "delivery")
    if status is not None:
        states = {state: float(state == status.state) for state in _STATES}
        yield gauge("tidings_follower_state", "1 for the state of the process that follows.", states, "state")
        yield counter(
            "tidings_follower_starts", "How often the process that follows was begun.", {"": status.starts}
        )
