"""An address fetched once, by the same client as polls feeds."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tidings.errors import UsageError
from tidings.formats.content import Content

if TYPE_CHECKING:
    from tidings.sources.polling.client import Response

__all__ = ["fetch"]

_MOST_HOPS = 8


def fetch(url: str, *, allow_private: bool = False, contact: str = "") -> Content:
    """What stands at an address of the web.

    Raises:
        UsageError: nothing does, or it cannot or may not be fetched.
    """
    # In a thread of its own: a notebook, among others, has a loop running in this one.
    with ThreadPoolExecutor(1, "tidings-fetch") as thread:
        response = thread.submit(lambda: asyncio.run(_fetched(url, allow_private, contact))).result()
    problem = response.error or ("" if response.status == 200 else f"an answer {response.status}")
    if response.location:
        problem = "redirects without end"
    if problem:
        raise UsageError(
            f"{url}: found nothing ({problem}), expected a feed, a page, a table or an archive; check the address"
        )
    content_type = response.headers.get("content-type", "")
    return Content(url, data=response.body, url=response.url, content_type=content_type)


async def _fetched(url: str, allow_private: bool, contact: str) -> Response:
    from tidings.sources.polling.client import Client, user_agent

    async with Client(user_agent(contact), allow_private=allow_private) as client:
        response = await client.fetch(url)
        for _ in range(_MOST_HOPS):
            if not response.location:
                break
            response = await client.fetch(response.location)
        return response
