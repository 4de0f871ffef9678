"""Live pages as one application."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from fastapi import FastAPI

from tidings.evaluation import support_markup
from tidings.following import pieces, source_of
from tidings.live.alarms.deliveries import Deliveries
from tidings.live.alarms.settings import DeliverySettings
from tidings.live.hosting.previews import Previews
from tidings.live.hosting.supervision import ServiceStatus
from tidings.live.pages.navigation import frame_of
from tidings.live.pages.routes import ROUTERS
from tidings.live.pages.settings import LiveSiteSettings
from tidings.live.pages.tail import Tail
from tidings.live.store import LiveStore
from tidings.web import SiteAccounts, SitePart, make_site

PART = SitePart(
    Path(__file__).parent, lambda: {"pieces": pieces, "source": source_of, "support": support_markup}
)
"""The templates and scripts of these pages."""


def make_app(
    live: LiveStore,
    settings: LiveSiteSettings | None = None,
    status: Callable[[], ServiceStatus] | None = None,
    deliveries: DeliverySettings | None = None,
) -> FastAPI:
    """The live pages of a store, as an ASGI application.

    Args:
        live: what is shown.
        settings: how.
        status: says how the service goes that follows; None where this process runs none.
        deliveries: how alarms are delivered; None where this process delivers none.
    """
    settings = settings or LiveSiteSettings()
    app = make_site(PART, "tidings: live", ROUTERS, settings, openapi_url="/openapi.json")
    app.state.live, app.state.desk, app.state.status = live, SiteAccounts(live.store), status
    app.state.frame = frame_of
    app.state.delivery_settings, app.state.deliveries = deliveries or DeliverySettings(), None
    app.state.previews = previews = Previews()
    app.state.tail = tail = Tail(live.outputs, settings.look_every_s)
    app.state.ending = tail.end_streams

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            if deliveries is not None:
                app.state.deliveries = await stack.enter_async_context(Deliveries(live, deliveries))
            await tail.start()
            try:
                yield
            finally:
                previews.stop()
                await tail.stop()

    app.router.lifespan_context = lifespan
    return app
