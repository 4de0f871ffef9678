"""Signing in and out, and choosing a password by a link."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from tidings.errors import UsageError
from tidings.web.pages import page
from tidings.web.security.passwords import check_password, hash_password
from tidings.web.visits import COOKIE, desk_of, settings_of, visitor_or_none

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

_TOO_MANY = 429
_WRONG = 403
_GONE = 410

Words = Annotated[str, Form(max_length=2000)]


@router.get("/sign-in")
def show(request: Request, next: Annotated[str, Query(max_length=500)] = "/") -> Response:  # noqa: A002
    """The page on which one signs in."""
    if visitor_or_none(request) is not None:
        return RedirectResponse(_inside(next), status_code=303)
    return page(request, "sign_in.html.j2", next=_inside(next), name="", problem="")


@router.post("/sign-in")
def sign_in(request: Request, name: Words, password: Words, next: Words = "/") -> Response:  # noqa: A002
    """Sign in, unless too many tries failed."""
    desk, settings = desk_of(request), settings_of(request)
    address = request.client.host if request.client else ""
    who, where = f"name {name.strip().casefold()[:100]}", f"address {address}"
    within = settings.failures_within_s
    # Counted before it is looked at: many at once are no way around the limit.
    attempts = desk.accounts.note_attempt(who, where)
    if (
        desk.accounts.failures(who, within_s=within) > settings.failures
        or desk.accounts.failures(where, within_s=within) > 10 * settings.failures
    ):
        problem = f"Too many sign-ins failed. Wait {-(-within // 60)} minutes, then try again."
        answer = page(request, "sign_in.html.j2", _TOO_MANY, next=_inside(next), name=name, problem=problem)
        answer.headers["retry-after"] = str(within)
        return answer
    account = desk.accounts.find(name)
    usable = account is not None and account.disabled_time is None
    right = check_password(account.password_hash if account and usable else "", password)
    if account is None or not right:
        problem = "This name and password do not belong together."
        return page(request, "sign_in.html.j2", _WRONG, next=_inside(next), name=name, problem=problem)
    desk.accounts.forget(attempts, who)
    return _signed_in(request, account.id, _inside(next))


@router.post("/sign-out")
def sign_out(request: Request) -> Response:
    """End the session of the cookie."""
    if token := request.cookies.get(COOKIE, ""):
        desk_of(request).accounts.end_session(token)
    answer = RedirectResponse("/sign-in", status_code=303)
    answer.delete_cookie(COOKIE, path="/")
    return answer


@router.get("/welcome/{token}")
def welcome(request: Request, token: str) -> Response:
    """The page on which who was sent a link chooses a password."""
    accounts = desk_of(request).accounts
    account = accounts.accept(token) if settings_of(request).links_sign_in else accounts.invited(token)
    if account is None:
        return _used(request)
    if settings_of(request).links_sign_in:
        return _signed_in(request, account.id, "/")
    return page(request, "welcome.html.j2", token=token, account=account, problem="")


@router.post("/welcome/{token}")
def choose(request: Request, token: str, password: Words, again: Words) -> Response:
    """Choose it, and be signed in."""
    accounts = desk_of(request).accounts
    account = accounts.invited(token)
    if account is None:
        return _used(request)
    try:
        if password != again:
            raise UsageError("The two are not the same.")
        hashed = hash_password(password)
    except UsageError as error:
        return page(request, "welcome.html.j2", 422, token=token, account=account, problem=str(error))
    accepted = accounts.accept(token, hashed)
    return _used(request) if accepted is None else _signed_in(request, accepted.id, "/")


def _used(request: Request) -> Response:
    words = "This link was used, or it is too old. Ask who leads the project for a new one."
    return page(request, "message.html.j2", _GONE, title="This link does not work any more", message=words)


def _signed_in(request: Request, account_id: int, there: str) -> Response:
    settings = settings_of(request)
    token = desk_of(request).accounts.begin_session(account_id)
    answer = RedirectResponse(there, status_code=303)
    answer.set_cookie(
        COOKIE,
        token,
        max_age=settings.longest_s,
        path="/",
        secure=settings.https,
        httponly=True,
        samesite="lax",
    )
    return answer


def _inside(address: str) -> str:
    """An address on this desk; where it is another's, the first page.

    >>> _inside("/projects/1"), _inside("//elsewhere.example"), _inside("/\\\\elsewhere.example")
    ('/projects/1', '/', '/')
    """
    if not address.startswith("/") or address.startswith(("//", "/\\")) or not address.isprintable():
        return "/"
    return address
