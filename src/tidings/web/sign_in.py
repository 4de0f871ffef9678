"""Signing in and out, and choosing a password by a link."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from tidings.core import UsageError
from tidings.web.accounts import KNOWN_FOR_S, check_password, hash_password, same_name
from tidings.web.entrance import token_digest
from tidings.web.guards import neighbourhood
from tidings.web.pages import page, root_of
from tidings.web.visitors import COOKIE, accounts_of, settings_of, visitor_or_none

sign_in_router = APIRouter(include_in_schema=False)

KNOWN = "tidings_known"
"""The cookie of a browser in which someone has signed in before."""

_TOO_MANY = 429  # HTTP: too many attempts
_WRONG = 403  # HTTP: wrong name or password
_GONE = 410  # HTTP: a link that was used

Words = Annotated[str, Form(max_length=2000)]


@sign_in_router.get("/sign-in")
def show(request: Request, next: Annotated[str, Query(max_length=500)] = "/") -> Response:  # noqa: A002
    """The page on which one signs in."""
    if visitor_or_none(request) is not None:
        return RedirectResponse(root_of(request) + _inside(next), status_code=303)
    return page(request, "sign_in.html.j2", next=_inside(next), name="", problem="")


@sign_in_router.post("/sign-in")
def sign_in(request: Request, name: Words, password: Words, next: Words = "/") -> Response:  # noqa: A002
    """Sign in, unless too many tries failed."""
    desk, settings = accounts_of(request), settings_of(request)
    account = desk.accounts.find(name)
    who, where = f"name {same_name(name)[:100]}", f"address {neighbourhood(_address(request))}"
    both, within = f"{who} from {where}", settings.failures_within_s
    browser = request.cookies.get(KNOWN, "")
    # Counted before it is looked at: many at once are no way around the limits. What an address tries in vain while it
    # has to wait counts against nobody else's signing in by that name.
    of_name: list[int] = []
    if account is not None and desk.accounts.has_signed_in(account.id, browser):
        # Whose browser it is signed in there before: what others guess, from here or anywhere, shuts nobody out of it.
        both = f"{who} in browser {browser}"
        attempts = desk.accounts.note_attempt(both)
        if desk.accounts.failures(both, within_s=within) > settings.failures:
            return _wait(request, within, name, next)
    else:
        attempts = desk.accounts.note_attempt(both, where)
        if (
            desk.accounts.failures(both, within_s=within) > settings.failures
            or desk.accounts.failures(where, within_s=within) > 10 * settings.failures
        ):
            return _wait(request, within, name, next)
        of_name, within = desk.accounts.note_attempt(who), settings.name_failures_within_s
        if desk.accounts.failures(who, within_s=within) > settings.name_failures:
            desk.accounts.forget(of_name)
            return _wait(request, within, name, next)
    usable = account is not None and account.disabled_time is None
    right = check_password(account.password_hash if account and usable else "", password)
    if account is None or not right:
        problem = "Wrong name or password."
        return page(request, "sign_in.html.j2", _WRONG, next=_inside(next), name=name, problem=problem)
    desk.accounts.forget([*attempts, *of_name], both)
    return _sign_in(request, account.id, _inside(next), account.password_hash)


def _wait(request: Request, seconds: int, name: str, there: str) -> Response:
    problem = (
        f"Too many failed sign-ins. Wait {-(-seconds // 60)} minutes, then try again, or use a browser in which you "
        "signed in before."
    )
    answer = page(request, "sign_in.html.j2", _TOO_MANY, next=_inside(there), name=name, problem=problem)
    answer.headers["retry-after"] = str(seconds)
    return answer


@sign_in_router.post("/sign-out")
def sign_out(request: Request) -> Response:
    """End the session of the cookie."""
    if token := request.cookies.get(COOKIE, ""):
        accounts_of(request).accounts.end_session(token)
    answer = RedirectResponse(f"{root_of(request)}/sign-in", status_code=303)
    answer.delete_cookie(COOKIE, path="/")
    return answer


@sign_in_router.get("/welcome/{token}")
def welcome(request: Request, token: str) -> Response:
    """The page on which who was sent a link chooses a password."""
    accounts = accounts_of(request).accounts
    account = accounts.accept(token) if settings_of(request).links_sign_in else accounts.invited(token)
    if account is None:
        return _say_used(request)
    if settings_of(request).links_sign_in:
        return _sign_in(request, account.id, "/")
    return page(request, "welcome.html.j2", token=token, account=account, problem="")


@sign_in_router.post("/welcome/{token}")
def choose(request: Request, token: str, password: Words, again: Words) -> Response:
    """Choose it, and be signed in."""
    accounts = accounts_of(request).accounts
    account = accounts.invited(token)
    if account is None:
        return _say_used(request)
    try:
        if password != again:
            raise UsageError("The passwords do not match.")
        hashed = hash_password(password)
    except UsageError as error:
        return page(request, "welcome.html.j2", 422, token=token, account=account, problem=str(error))
    accepted = accounts.accept(token, hashed)
    return _say_used(request) if accepted is None else _sign_in(request, accepted.id, "/")


def _say_used(request: Request) -> Response:
    words = "This link has been used or has expired. Ask a project lead for a new one."
    return page(request, "message.html.j2", _GONE, title="This link no longer works", message=words)


def _sign_in(request: Request, account_id: int, there: str, password_hash: str | None = None) -> Response:
    settings = settings_of(request)
    token = accounts_of(request).accounts.begin_session(account_id, password_hash)
    answer = RedirectResponse(root_of(request) + there, status_code=303)
    # The second says that someone signed in here, and outlasts the first; nobody is signed in by it.
    for name, value, max_age in (
        (COOKIE, token, settings.longest_s),
        (KNOWN, token_digest(token), KNOWN_FOR_S),
    ):
        answer.set_cookie(
            name, value, max_age=max_age, path="/", secure=settings.https, httponly=True, samesite="lax"
        )
    return answer


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _inside(address: str) -> str:
    """An address on this desk; where it is another's, the first page.

    >>> _inside("/projects/1"), _inside("//elsewhere.example"), _inside("/\\\\elsewhere.example")
    ('/projects/1', '/', '/')
    """
    if not address.startswith("/") or address.startswith(("//", "/\\")) or not address.isprintable():
        return "/"
    return address
