"""How the service goes, for the head of each page."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import APIRouter, Request

from tidings.live.pages.navigation import service_line
from tidings.live.pages.visits import Reading, tail_of

__all__ = ["router"]

router = APIRouter(include_in_schema=False)


@router.get("/status")
async def status(request: Request, visitor: Reading) -> dict[str, Any]:
    """How it goes, what time it is for it, and the number of the last output."""
    said: dict[str, Any] = msgspec.to_builtins(service_line(request, tail_of(request).last_seq))
    return said
