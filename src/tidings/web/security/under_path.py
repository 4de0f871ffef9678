"""A site that a proxy serves under a path, whether the proxy takes that off the addresses or leaves it."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["UnderPath"]


class UnderPath:
    """ASGI middleware that says under which path the application stands (`root_path`), and lets addresses have it."""

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self.app = app
        self._root_path = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] == "http":
            root, path = self._root_path, scope["path"]
            whole = path if path == root or path.startswith(f"{root}/") else root + path
            scope = {**scope, "root_path": root, "path": whole}
        await self.app(scope, receive, send)
