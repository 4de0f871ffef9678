"""What whoever watches over the service asks: is it well, and how far is it."""

from __future__ import annotations

from importlib.util import find_spec

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import JSONResponse

from tidings.core import TidingsError
from tidings.live.hosting.supervision import LONGEST_TURN_S, ServiceStatus
from tidings.live.pages.metrics import metrics_page
from tidings.live.pages.visits import Watching, live_of, tail_of
from tidings.live.store.numbers import StoreNumbers, store_numbers

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
_UNWELL = ("failed", "stopped")
_UNAVAILABLE = 503


@router.get("/healthz")
def health(request: Request) -> Response:
    """200 where the store can be asked and what this process runs follows and polls, else 503 with what is wrong.

    Either way it says when was committed last.
    """
    live, status = live_of(request), _status(request)
    state = "serving" if status is None else status.state
    try:
        numbers, trouble = store_numbers(live.store, live.run), ""
    except TidingsError:  # what is wrong stands in the log; whoever asks here may be anybody
        numbers, trouble = StoreNumbers(), "the store cannot be asked"
    if not trouble and status is not None and (idle_s := status.idle_s) > LONGEST_TURN_S:
        trouble = f"no feed has been looked at for {idle_s} s; restart the service if this lasts"
    if (
        not trouble
        and status is not None
        and numbers.queue
        and (stalled_s := status.stalled_s) > LONGEST_TURN_S
    ):
        trouble = f"{numbers.queue} documents wait, and none was followed for {stalled_s} s"
    if not trouble and status is not None and status.recovering and state not in _UNWELL:
        trouble = "what follows had to be begun again, and has not run for a minute since"
    is_well = not trouble and state not in _UNWELL
    told = {"status": "ok" if is_well else "unwell", "state": state, "last_commit": numbers.last_commit}
    return JSONResponse(told | ({"trouble": trouble} if trouble else {}), 200 if is_well else _UNAVAILABLE)


@router.get("/metrics")
def metrics(request: Request, watching: Watching) -> Response:
    """Documents, delay, queue, decisions, open streams and deliveries, as Prometheus reads them."""
    if find_spec("prometheus_client") is None:
        raise HTTPException(404, "found no prometheus-client; install it with `pip install tidings[web]`")
    live = live_of(request)
    numbers = store_numbers(live.store, live.run)
    content, kind = metrics_page(numbers, _status(request), tail_of(request).readers)
    return Response(content, headers={"content-type": kind})


def _status(request: Request) -> ServiceStatus | None:
    status: ServiceStatus | None = request.app.state.status() if request.app.state.status else None
    return status
