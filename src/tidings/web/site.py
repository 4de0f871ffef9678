"""What the desk and live pages are served by alike: files, what guards every route, and how errors are shown."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from importlib import import_module
from ipaddress import ip_network
from pkgutil import iter_modules
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, RedirectResponse
from msgspec import to_builtins
from starlette.exceptions import HTTPException
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tidings import __version__
from tidings.core import ConflictError, StoreError, TidingsError
from tidings.web.guards import (
    OWN,
    BodyLimit,
    CrossSiteGuard,
    HeadAsGet,
    HostGuard,
    RateLimit,
    SafeHeaders,
    UnderPath,
)
from tidings.web.pages import SitePart, page, root_of, static_digest, static_files, style_of_colours
from tidings.web.sign_in import sign_in_router
from tidings.web.visitors import SignInNeeded, SiteSettings

_FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}
_CONFLICT, _UNPROCESSABLE, _UNAVAILABLE = 409, 422, 503
_STORE_FAILED = "The store is not available right now. Try again later. The cause is in the server's log."
_log = logging.getLogger(__name__)


def make_site(
    part: SitePart, title: str, routers: Sequence[APIRouter], settings: SiteSettings, *, openapi_url: str
) -> FastAPI:
    """An ASGI application with the templates, static files and routes of one of the sites."""
    app = FastAPI(
        title=title,
        version=__version__,
        openapi_url=openapi_url,
        docs_url=None,
        redoc_url=None,
    )
    app.root_path = settings.root_path
    app.state.part = part
    app.state.settings = settings
    for router in routers:
        app.include_router(router)
    app.add_api_route("/static/{digest}/{name}", _file, include_in_schema=False)
    app.add_api_route("/colours.css", _colours, include_in_schema=False)
    app.add_exception_handler(SignInNeeded, _to_sign_in)
    app.add_exception_handler(TidingsError, _answer_error)
    app.add_exception_handler(HTTPException, _answer_refusal)
    app.add_exception_handler(RequestValidationError, _answer_misunderstanding)
    app.add_exception_handler(Exception, _answer_failure)
    # From the innermost to the outermost.
    app.add_middleware(BodyLimit, most=settings.longest_body)
    app.add_middleware(HeadAsGet)
    app.add_middleware(CrossSiteGuard)
    app.add_middleware(HostGuard, names=OWN.union(settings.hosts))
    if settings.requests_per_s:
        app.add_middleware(RateLimit, per_s=settings.requests_per_s, at_once=settings.requests_at_once)
    if settings.root_path:
        app.add_middleware(UnderPath, root_path=settings.root_path)
    if settings.trusted_proxies:
        # It writes into the scope itself, and so says who asks to what stands around it, such as a log of requests.
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=_networks(settings.trusted_proxies))
    app.add_middleware(SafeHeaders)
    return app


def routers_below(package: str) -> tuple[APIRouter, ...]:
    """The routers that the files of a package make, and that of signing in."""
    files = sorted(info.name for info in iter_modules(import_module(package).__path__))
    made = [vars(import_module(f"{package}.{name}")).values() for name in files]
    found = [sign_in_router, *(value for values in made for value in values if isinstance(value, APIRouter))]
    return tuple({id(router): router for router in found}.values())


def _networks(proxies: Sequence[str]) -> list[str]:
    # An address within a network stands for the network, and nothing is taken for a name. Where one listens for IPv6
    # too, those of IPv4 come as IPv6.
    networks = [ip_network(proxy, strict=False) for proxy in proxies]
    mapped = [
        f"::ffff:{network.network_address}/{96 + network.prefixlen}"
        for network in networks
        if network.version == 4
    ]
    return [*map(str, networks), *mapped]


def _file(request: Request, digest: str, name: str) -> Response:
    # Only files that stand there, asked by name, and none outside their folders.
    part = request.app.state.part
    path = static_files(part).get(name)
    if path is None or digest != static_digest(part):
        return PlainTextResponse("not found", status_code=404)
    kind = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}.get(path.suffix)
    return FileResponse(path, media_type=kind, headers=_FOR_EVER)


def _colours() -> Response:
    return Response(
        style_of_colours(), media_type="text/css", headers={"cache-control": "public, max-age=3600"}
    )


def _path(request: Request) -> str:
    # A proxy that serves the site under a path may take it off, or leave it.
    return request.url.path.removeprefix(root_of(request))


def _is_api(request: Request) -> bool:
    # Programs read these: they want no page.
    path = _path(request)
    return path.startswith("/api/") or path.endswith((".json", ".xml"))


def _to_sign_in(request: Request, error: Exception) -> Response:
    if _is_api(request):
        return JSONResponse(
            {"message": "You have been signed out. Sign in again; nothing is lost."}, status_code=401
        )
    from urllib.parse import quote

    there = _path(request) + (f"?{request.url.query}" if request.url.query else "")
    return RedirectResponse(f"{root_of(request)}/sign-in?next={quote(there, safe='')}", status_code=303)


def _answer_error(request: Request, error: Exception) -> Response:
    if isinstance(error, ConflictError):
        status, more = _CONFLICT, {"current": to_builtins(error.current)}
    elif isinstance(error, StoreError):
        status, more = _UNAVAILABLE, {}
    else:
        status, more = _UNPROCESSABLE, {}
    if isinstance(error, StoreError) and getattr(request.state, "visitor", None) is None:
        # It may say where the store lies, which strangers need not know.
        _log.error("%s", error)
        return _answer(request, status, _STORE_FAILED, **more)
    return _answer(request, status, str(error), **more)


def _answer_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _answer(request, error.status_code, str(error.detail), headers=error.headers)


def _answer_misunderstanding(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return _answer(request, _UNPROCESSABLE, f"{where}: {first['msg']}")


def _answer_failure(request: Request, error: Exception) -> Response:
    # A defect of ours: the terminal has its traceback, the visitor a sentence.
    return _answer(request, 500, "Something went wrong. Nothing was saved; try again.")


def _answer(request: Request, status: int, message: str, headers: Any = None, **more: Any) -> Response:
    if _is_api(request):
        return JSONResponse({"message": message, **more}, status_code=status, headers=headers)
    answer = page(request, "message.html.j2", status, title="Something went wrong", message=message)
    answer.headers.update(headers or {})
    return answer
