"""An address fetched once, by the same client as polls feeds."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

from tidings.core import Content, UsageError

if TYPE_CHECKING:
    from tidings.core import Response

_OPTION = '--allow-private (in Python reading={"allow_private": True})'
_MOST_HOPS = 8  # redirects of one request
_MOST_S = 60.0
"""For all redirects together."""


def fetch(url: str, *, allow_private: bool = False, contact: str = "") -> Content:
    """What stands at an address of the web.

    Raises:
        UsageError: nothing does, or it cannot or may not be fetched.
    """
    response = _aside(url, allow_private, contact)
    problem = response.error or ("" if response.status == 200 else f"an answer {response.status}")
    if response.location:
        problem = "redirects without end"
    if problem:
        raise UsageError(
            f"{url}: nothing ({problem}) (expected a feed, a page, a table or an archive); check the address"
        )
    content_type = response.headers.get("content-type", "")
    return Content(url, data=response.body, url=response.url, content_type=content_type)


def _aside(url: str, allow_private: bool, contact: str) -> Response:
    # In a thread of its own: a notebook, among others, has a loop running in this one. Nobody waits for its end where
    # Ctrl-C came in the meantime, as the end of an executor would: a server may hang.
    answer: Future[Response] = Future()

    def ask() -> None:
        try:
            answer.set_result(asyncio.run(_fetch(url, allow_private, contact)))
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that asked
            answer.set_exception(error)

    threading.Thread(target=ask, name="tidings-fetch", daemon=True).start()
    return answer.result()


async def _fetch(url: str, allow_private: bool, contact: str) -> Response:
    from tidings.core import Client, Response, user_agent

    try:
        async with (
            asyncio.timeout(_MOST_S),
            Client(user_agent(contact), allow_private=allow_private, option=_OPTION) as client,
        ):
            response = await client.fetch(url)
            for _ in range(_MOST_HOPS):
                if not response.location:
                    break
                response = await client.fetch(response.location)
            return response
    except TimeoutError:
        return Response(url=url, error=f"no complete answer within {_MOST_S:g} s")
