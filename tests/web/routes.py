"""The routes of a site, for tests of all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute

__all__ = ["dependencies", "routes_of"]


def routes_of(routers: Iterable[APIRouter]) -> list[tuple[str, APIRoute]]:
    return [
        (method, route)
        for router in routers
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in sorted(route.methods)
    ]


def dependencies(route: APIRoute) -> set[Any]:
    found, waiting = set(), [route.dependant]
    while waiting:
        one = waiting.pop()
        found.add(one.call)
        waiting += one.dependencies
    return found
