"""How the desk listens."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor

from tidings.web.serving import listening


def test_answers_are_sent_at_once() -> None:
    """Both halves of an answer, head and body, go out without waiting for the browser's acknowledgement."""

    async def option() -> int:
        at_once: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            taken = writer.get_extra_info("socket")
            at_once.set_result(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with listening("127.0.0.1", 0) as listener:
            port = listener.getsockname()[1]
            server = await asyncio.start_server(answer, sock=listener)
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            found = await at_once
            writer.close()
            server.close()
        return found

    # In a thread of its own: Chromium's driver has a loop in this one.
    with ThreadPoolExecutor(1) as beside:
        assert beside.submit(asyncio.run, option()).result()
