"""Passwords: argon2id with the parameters that its library recommends."""

from __future__ import annotations

from functools import cache
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from tidings.core import UsageError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

__all__ = ["LEAST_CHARS", "check_password", "hash_password"]

LEAST_CHARS = 10
_MOST_CHARS = 1000
_AT_ONCE = BoundedSemaphore(4)
"""Each takes 64 MiB: more at once could take a machine's memory."""


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


def hash_password(password: str) -> str:
    """The hash that is kept; UsageError for a password of fewer than `LEAST_CHARS` or more than 1,000 characters."""
    if not LEAST_CHARS <= len(password) <= _MOST_CHARS:
        raise UsageError(
            f"found a password of {len(password)} characters, expected {LEAST_CHARS} to {_MOST_CHARS}"
        )
    with _AT_ONCE:
        return _hasher().hash(password.encode("utf-8", "surrogatepass"))


def check_password(password_hash: str, password: str) -> bool:
    """Whether the password is the account's. It takes as long where there is no account: give an empty hash then."""
    from argon2.exceptions import InvalidHashError, VerificationError

    if len(password) > _MOST_CHARS:
        return False
    known = bool(password_hash)
    try:
        with _AT_ONCE:
            _hasher().verify(password_hash or _nobody(), password.encode("utf-8", "surrogatepass"))
    except (VerificationError, InvalidHashError):
        return False
    return known


@cache
def _nobody() -> str:
    return _hasher().hash("a hash to compare with where there is no account")
