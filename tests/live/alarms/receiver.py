"""A stand-in for who receives webhooks: slow, answering 500, hanging, or all is well, each by its own path.

    python -m tests.live.alarms.receiver PORT FILE

Each request is a line of FILE: path, id of the alarm, its event and number, and what was answered. The first attempt
of each alarm fares as the path says, the others are answered 200.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

__all__ = ["PATHS", "Receiver"]

PATHS = ("fine", "slow", "fails", "hangs", "breaks")


class Receiver:
    """Serves while the `async with` runs; `requests` are all that came, in their order."""

    def __init__(self, port: int = 0, log: Path | None = None, *, slow_s: float = 0.05) -> None:
        self._port, self._log, self._slow_s = port, log, slow_s
        self.requests: list[dict[str, Any]] = []
        self._seen: set[tuple[str, str]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Receiver:
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *failure: object) -> None:
        assert self._server is not None
        self._server.close()

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self._port}/{path}"

    def arrivals(self, path: str) -> list[dict[str, Any]]:
        """The requests of a path that were answered 200, each alarm once, in their order."""
        first = {}
        for request in self.requests:
            if request["path"] == path and request["status"] == 200:
                first.setdefault(request["id"], request)
        return list(first.values())

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                try:
                    head = (await reader.readuntil(b"\r\n\r\n")).decode()
                except (asyncio.IncompleteReadError, ConnectionError):
                    return
                request_line, *lines = head.split("\r\n")
                headers = {
                    name.lower(): value.strip() for name, _, value in (one.partition(":") for one in lines)
                }
                try:
                    body = await reader.readexactly(int(headers.get("content-length", 0)))
                except (asyncio.IncompleteReadError, ConnectionError):
                    return  # the sender was killed
                path = request_line.split()[1].strip("/")
                await self._meet(path, headers, body, writer)
        finally:
            writer.close()

    async def _meet(
        self, path: str, headers: dict[str, str], body: bytes, writer: asyncio.StreamWriter
    ) -> None:
        alarm = json.loads(body)
        is_first = (path, alarm["id"]) not in self._seen
        self._seen.add((path, alarm["id"]))
        if path == "slow":
            await asyncio.sleep(self._slow_s)
        if path == "hangs" and is_first:
            self._note(path, headers, body, 0)
            await asyncio.sleep(3600)
        status = 500 if path == "fails" and is_first else 200
        if path == "breaks" and is_first:
            writer.write(b"HTTP/1.1 2")
            writer.close()
            return
        self._note(path, headers, body, status)
        writer.write(f"HTTP/1.1 {status} -\r\ncontent-length: 0\r\n\r\n".encode())
        await writer.drain()

    def _note(self, path: str, headers: dict[str, str], body: bytes, status: int) -> None:
        alarm = json.loads(body)
        seqs = [item["seq"] for item in alarm["items"]]
        request = {
            "path": path,
            "id": alarm["id"],
            "event": alarm["event_id"],
            "seqs": seqs,
            "status": status,
        }
        if self._log is not None:
            with self._log.open("a") as file:
                file.write(json.dumps(request) + "\n")
        self.requests.append({**request, "headers": headers, "body": body})


async def main(port: int, log: Path) -> None:
    async with Receiver(port, log):
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), Path(sys.argv[2])))
