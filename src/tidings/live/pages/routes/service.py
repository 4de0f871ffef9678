"""How the service goes: for the head of each page, for whoever watches over it, and its sources; and readers' marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from tidings.core import ReaderMark, TidingsError, Update, pip_install
from tidings.live.hosting.feed_health import inboxes_health
from tidings.live.hosting.supervision import LONGEST_TURN_S, ServiceStatus
from tidings.live.pages.answers import WRITING, EventId
from tidings.live.pages.navigation import service_line
from tidings.live.pages.visits import Editing, Reading, Watching, live_of, tail_of
from tidings.live.store.numbers import StoreNumbers, store_numbers
from tidings.web import page

service_router = APIRouter(include_in_schema=False)


@service_router.get("/status")
async def status(request: Request, visitor: Reading) -> dict[str, Any]:
    """How it goes, what time it is for it, and the number of the last output."""
    line: dict[str, Any] = msgspec.to_builtins(service_line(request, tail_of(request).last_seq))
    return line


sources_router = APIRouter(include_in_schema=False)


@sources_router.get("/sources")
def sources(request: Request, visitor: Reading) -> Response:
    """Each feed's health, its last answer, its delay, its documents, and what of it was dropped and why."""
    return page(request, "sources.html.j2", inboxes=inboxes_health(live_of(request)))


marks_router = APIRouter(prefix="/api")


class MarkBody(BaseModel):
    """A mark of an update, by its number; `withdrawn` takes back what was said of it."""

    model_config = ConfigDict(extra="forbid")

    update: Annotated[int, Field(ge=1, le=2**53)]
    mark: Literal["not-about", "known"]
    withdrawn: bool = False


@marks_router.post("/events/{event_id}/marks", **WRITING)
def mark(request: Request, visitor: Editing, event_id: EventId, body: MarkBody) -> dict[str, Any]:
    """Mark an update as off topic or already known; similar sentences are held back."""
    live = live_of(request)
    if live.events.find(event_id) is None:
        raise HTTPException(404, "There is no such story.")
    numbered = live.outputs.after(body.update - 1, event_id=event_id, kinds=["update"], limit=1)
    update = numbered[0].output if numbered and numbered[0].seq == body.update else None
    if not isinstance(update, Update):
        raise HTTPException(404, "There is no such update in this story.")
    text = update.text.encode("utf-8", "replace").decode()  # halves of characters, which the log cannot hold
    mark = ReaderMark(update_id=update.id, text=text, mark=body.mark, withdrawn=body.withdrawn)
    entry = live.events.mark(event_id, mark, visitor.account.name)
    return {"entry": entry.seq, "update": body.update, "mark": body.mark, "withdrawn": body.withdrawn}


_STATES = ("starting", "following", "ended", "failed", "stopped")


def metrics_page(numbers: StoreNumbers, status: ServiceStatus | None, open_streams: int) -> tuple[bytes, str]:
    """The page, and what kind of page it says it is.

    Args:
        numbers: of the store.
        status: how the service goes that this process runs; None where it runs none.
        open_streams: how many readers have an open stream of updates.
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

    def metric(kind: Any, name: str, words: str, values: Mapping[str, float], label: str = "") -> Any:
        family = kind(name, words, labels=[label] if label else [])
        for value, count in values.items():
            family.add_metric([value] if label else [], count)
        return family

    counter = partial(metric, core.CounterMetricFamily)
    gauge = partial(metric, core.GaugeMetricFamily)
    yield counter("tidings_documents", "Documents received.", {"": numbers.documents})
    yield counter("tidings_followed_documents", "Documents followed.", {"": numbers.followed})
    yield gauge("tidings_queue_documents", "Documents received and not followed yet.", {"": numbers.queue})
    yield gauge(
        "tidings_delay_seconds",
        "Seconds from the latest followed document to the latest received one.",
        {"": numbers.delay_s},
    )
    yield gauge("tidings_inbox_documents", "Documents in the inbox.", {"": numbers.kept})
    yield gauge("tidings_inbox_bytes", "Their size.", {"": numbers.kept_bytes})
    yield counter("tidings_decisions", "Outputs, by kind.", numbers.outputs, "kind")
    yield gauge("tidings_events", "Standing events, by state.", numbers.events, "state")
    yield gauge(
        "tidings_last_commit_timestamp_seconds",
        "When the run was last committed.",
        {"": numbers.last_commit},
    )
    yield gauge("tidings_open_streams", "Readers with an open stream of updates.", {"": open_streams})
    alarms = {"waiting": numbers.alarms_waiting, "delivered": numbers.alarms_delivered}
    yield gauge("tidings_alarms", "Alarms in the outbox, by outcome.", alarms, "delivery")
    if status is not None:
        states = {state: state == status.state for state in _STATES}
        yield gauge(
            "tidings_follower_state", "1 for the current state of the follower process.", states, "state"
        )
        yield counter(
            "tidings_follower_starts",
            "How many times the follower process was started.",
            {"": status.starts},
        )


watching_router = APIRouter(include_in_schema=False)
_UNWELL = ("failed", "stopped")
_UNAVAILABLE = 503


@watching_router.get("/healthz")
def health(request: Request) -> Response:
    """200 where the store can be asked and what this process runs follows and polls, else 503 with what is wrong.

    Either way it says when was committed last.
    """
    live, status = live_of(request), _status(request)
    state = "serving" if status is None else status.state
    try:
        numbers, trouble = store_numbers(live.store, live.run), ""
    except TidingsError:  # what is wrong stands in the log; whoever asks here may be anyone
        numbers, trouble = StoreNumbers(), "the store cannot be read"
    if not trouble and status is not None and (idle_s := status.idle_s) > LONGEST_TURN_S:
        trouble = f"no feed has been checked for {idle_s} s; restart the service if this persists"
    if (
        not trouble
        and status is not None
        and numbers.queue
        and (stalled_s := status.stalled_s) > LONGEST_TURN_S
    ):
        trouble = f"{numbers.queue} articles are waiting and none has been read for {stalled_s} s"
    if not trouble and status is not None and status.recovering and state not in _UNWELL:
        trouble = "the follower process was restarted and has not yet run for a minute"
    is_well = not trouble and state not in _UNWELL
    answer = {"status": "ok" if is_well else "unwell", "state": state, "last_commit": numbers.last_commit}
    return JSONResponse(answer | ({"trouble": trouble} if trouble else {}), 200 if is_well else _UNAVAILABLE)


@watching_router.get("/metrics")
def metrics(request: Request, watching: Watching) -> Response:
    """Documents, delay, queue, decisions, open streams and deliveries, as Prometheus reads them."""
    if find_spec("prometheus_client") is None:
        raise HTTPException(404, f"No prometheus-client installed. Run: {pip_install('[web]')}")
    live = live_of(request)
    numbers = store_numbers(live.store, live.run)
    content, kind = metrics_page(numbers, _status(request), tail_of(request).readers)
    return Response(content, headers={"content-type": kind})


def _status(request: Request) -> ServiceStatus | None:
    status: ServiceStatus | None = request.app.state.status() if request.app.state.status else None
    return status
