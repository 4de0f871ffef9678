"""Who may sign in: accounts with passwords (argon2id), their sessions, links and roles in projects."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from functools import cache
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from msgspec import to_builtins
from sqlalchemy import Connection, Row, and_, delete, func, or_, select

from tidings.core import (
    Account,
    Role,
    Store,
    StoreError,
    UsageError,
    desk_accounts,
    desk_assignments,
    desk_failures,
    desk_invitations,
    desk_made_accounts,
    desk_members,
    desk_projects,
    desk_sessions,
    insert_numbered,
    insert_row,
    row_values,
    set_columns,
)
from tidings.web.entrance import Entrances, token_digest

if TYPE_CHECKING:
    from argon2 import PasswordHasher


def change_membership(
    connection: Connection,
    project_id: int,
    account_id: int,
    role: Role | None,
    now: int,
    actor_id: int | None,
) -> None:
    """Give an account its role in a project, as `Projects.set_member` says."""
    ours = (desk_members.c.project_id == project_id, desk_members.c.account_id == account_id)
    # One change of a project's members after the other, as of its log.
    connection.execute(select(desk_projects.c.id).where(desk_projects.c.id == project_id).with_for_update())
    before = connection.execute(select(desk_members.c.role).where(*ours)).scalar()
    account = connection.execute(select(desk_accounts).where(desk_accounts.c.id == account_id)).one()
    if before == "lead" and role != "lead":
        if actor_id is not None:
            _need_other_lead(connection, project_id, account_id, account.name, actor_id)
        end_invitations_of_projects(connection, account_id, now, project_id)
    if before != role and (before is None or role is None or account.password_hash):
        end_invitations(connection, account_id, now)
    if role == "lead":
        # Whoever has led is nobody else's to sign in as, whatever becomes of them.
        connection.execute(delete(desk_made_accounts).where(desk_made_accounts.c.account_id == account_id))
    connection.execute(delete(desk_members).where(*ours))
    if role is not None:
        row = {"project_id": project_id, "account_id": account_id, "role": role}
        insert_row(connection, desk_members, row)
    else:
        mine = (desk_assignments.c.project_id == project_id, desk_assignments.c.account_id == account_id)
        connection.execute(delete(desk_assignments).where(*mine))


def _need_other_lead(
    connection: Connection, project_id: int, account_id: int, name: str, actor_id: int
) -> None:
    # Whoever acts is signed in; the others may never open their links.
    able = and_(desk_accounts.c.password_hash != "", desk_accounts.c.disabled_time.is_(None))
    query = (
        select(desk_members.c.account_id)
        .join(desk_accounts, desk_accounts.c.id == desk_members.c.account_id)
        .where(
            desk_members.c.project_id == project_id,
            desk_members.c.role == "lead",
            desk_members.c.account_id != account_id,
            or_(desk_members.c.account_id == actor_id, able),
        )
    )
    if connection.execute(query).first() is None:
        raise UsageError(
            f"{name} is the only lead who can sign in. First make someone else a lead who has a password."
        )


def end_invitations(connection: Connection, account_id: int, now: int) -> None:
    """Links of an account that were not used yet work no more."""
    query = select(desk_invitations).where(
        desk_invitations.c.account_id == account_id, desk_invitations.c.used_time.is_(None)
    )
    for row in connection.execute(query).all():
        set_columns(connection, desk_invitations, row._asdict(), used_time=now)


def end_invitations_of_projects(connection: Connection, lead_id: int, now: int, project_id: int = 0) -> None:
    """End those of all members of a project, or of all projects that an account leads.

    Whoever leads a project may have kept a link that they asked for, and must gain nothing by it afterwards.
    """
    led = select(desk_members.c.project_id).where(
        desk_members.c.account_id == lead_id, desk_members.c.role == "lead"
    )
    if project_id:
        led = led.where(desk_members.c.project_id == project_id)
    query = select(desk_members.c.account_id).where(desk_members.c.project_id.in_(led)).distinct()
    for account_id in connection.execute(query).scalars().all():
        end_invitations(connection, account_id, now)


LEAST_CHARS = 10  # of a password
_MOST_CHARS = 1000  # of a password: hashing longer ones takes long
_AT_ONCE = BoundedSemaphore(4)
"""Each takes 64 MiB: more at once could take a machine's memory."""


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


def hash_password(password: str) -> str:
    """The hash that is kept; UsageError for a password of fewer than `LEAST_CHARS` or more than 1,000 characters."""
    if not LEAST_CHARS <= len(password) <= _MOST_CHARS:
        raise UsageError(f"The password has {len(password)} characters. Use {LEAST_CHARS} to {_MOST_CHARS}.")
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


KNOWN_FOR_S = 180 * 86400
"""For so long it is remembered in which browsers an account signed in."""
_NAME_CHARS = 64


class Accounts:
    """The accounts of a store. `clock` gives the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def add(
        self, name: str, password_hash: str = "", *, as_written: bool = False, made_in: int | None = None
    ) -> Account:
        """A new account.

        Args:
            name: whose; names that differ in case alone are the same.
            password_hash: empty where the password is still to be chosen.
            as_written: take a name that differs from another's in case alone, as older stores may hold it.
            made_in: the project whose lead makes it.

        Raises:
            UsageError: the name is taken, empty, too long or not printable.
        """
        name = name.strip()
        if not name or len(name) > _NAME_CHARS or not name.isprintable():
            raise UsageError(
                f"The account name {name!r} is not valid. Use 1 to {_NAME_CHARS} printable characters."
            )
        with self._store.writing() as connection:
            taken = [name] if _by_name(connection, name) is not None else _alike(connection, name)
            if taken and (taken == [name] or not as_written):
                raise UsageError(f"An account named {taken[0]} already exists. Choose another name.")
            row = {
                "name": name,
                "password_hash": password_hash,
                "created_time": int(self._clock()),
                "disabled_time": None,
            }
            made = insert_numbered(connection, desk_accounts, row)
            del made["digest"]
            if made_in is not None:
                insert_row(connection, desk_made_accounts, {"account_id": made["id"], "project_id": made_in})
            return Account(**made)

    def made_in(self, account_id: int) -> int | None:
        """The project whose leads made an account, as long as it has led nothing and no operator disabled it."""
        query = select(desk_made_accounts).where(desk_made_accounts.c.account_id == account_id)
        row = self._store.row(query)
        if row is None:
            return None
        found = row_values(desk_made_accounts, row, str(self._store), f"who made account {account_id}")
        return int(found["project_id"])

    def all(self) -> list[Account]:
        """All accounts, by name."""
        found = self._store.rows(select(desk_accounts).order_by(desk_accounts.c.name))
        return [self._account(row) for row in found]

    def find(self, name: str) -> Account | None:
        """The account of that name, written as it is; else the only one whose name differs in case alone."""
        with self._store.asking() as connection:
            row = _by_name(connection, name.strip())
            if row is None and len(alike := _alike(connection, name.strip())) == 1:
                row = _by_name(connection, alike[0])
        return None if row is None else self._account(row)

    def get(self, account_id: int) -> Account:
        """The account of that number; StoreError where there is none."""
        with self._store.asking() as connection:
            return self._get(connection, account_id)

    def set_password(self, account_id: int, password_hash: str) -> None:
        """Give it another password; its sessions end, and so do links that waited to choose one."""
        with self._store.writing() as connection:
            self._change(connection, account_id, password_hash=password_hash)
            self._end_sessions(connection, account_id)
            end_invitations(connection, account_id, int(self._clock()))

    def disable(self, account_id: int, *, for_good: bool = True) -> None:
        """Let nobody sign in with it any more; its judgments stay.

        With `for_good` false those who lead the project that made it may enable it again. Links that wait for members
        of projects which it leads end, too.
        """
        now = int(self._clock())
        with self._store.writing() as connection:
            self._change(connection, account_id, disabled_time=now)
            self._end_sessions(connection, account_id)
            end_invitations(connection, account_id, now)
            end_invitations_of_projects(connection, account_id, now)
            if for_good:
                connection.execute(
                    delete(desk_made_accounts).where(desk_made_accounts.c.account_id == account_id)
                )

    def enable(self, account_id: int) -> None:
        """Let it sign in again."""
        with self._store.writing() as connection:
            self._change(connection, account_id, disabled_time=None)

    def begin_session(self, account_id: int, password_hash: str | None = None) -> str:
        """Sign an account in; gives the token for its cookie, of which only a digest is kept.

        UsageError where it is disabled, or no longer has the password that was looked at.
        """
        token, now = secrets.token_urlsafe(32), int(self._clock())
        row: dict[str, Any] = {
            "token_digest": token_digest(token),
            "account_id": account_id,
            "created_time": now,
            "seen_time": now,
            "ended_time": None,
        }
        with self._store.writing() as connection:
            account = self._get(connection, account_id)
            if account.disabled_time is not None:
                raise UsageError("This account is disabled. Ask a project lead.")
            if password_hash not in (None, account.password_hash):
                raise UsageError("The password was just changed. Sign in with the new one.")
            insert_numbered(connection, desk_sessions, row)
        return token

    def end_session(self, token: str) -> None:
        """Sign out."""
        query = select(desk_sessions).where(desk_sessions.c.token_digest == token_digest(token))
        with self._store.writing() as connection:
            row = connection.execute(query).one_or_none()
            if row is not None and row.ended_time is None:
                set_columns(connection, desk_sessions, row._asdict(), ended_time=int(self._clock()))

    def has_signed_in(self, account_id: int, browser: str) -> bool:
        """Whether an account signed in, with a token that has this digest, in the last `KNOWN_FOR_S` seconds."""
        query = select(desk_sessions.c.id).where(
            desk_sessions.c.token_digest == browser,
            desk_sessions.c.account_id == account_id,
            desk_sessions.c.created_time > int(self._clock()) - KNOWN_FOR_S,
        )
        with self._store.asking() as connection:
            return connection.execute(query).first() is not None

    def invite(self, account_id: int, *, password_hash: str | None = None, valid_s: int = 7 * 86400) -> str:
        """A token with which the account's password can be chosen once; those from before work no more.

        UsageError where the account is disabled, or its password is no longer the one that was looked at.
        """
        token, now = secrets.token_urlsafe(24), int(self._clock())
        with self._store.writing() as connection:
            account = self._get(connection, account_id)
            if account.disabled_time is not None:
                raise UsageError(f"{account.name} is disabled: enable the account before asking for a link.")
            if password_hash not in (None, account.password_hash):
                raise UsageError(f"{account.name} has just chosen a password: no link is needed.")
            end_invitations(connection, account_id, now)
            row = {
                "token_digest": token_digest(token),
                "account_id": account_id,
                "expires_time": now + valid_s,
                "used_time": None,
            }
            insert_row(connection, desk_invitations, row)
        return token

    def invited(self, token: str) -> Account | None:
        """Whom a link is for; None where it was used, is too old, or never was, or the account is disabled."""
        with self._store.asking() as connection:
            row = self._invitation(connection, token)
            return None if row is None else self._get(connection, row["account_id"])

    def accept(self, token: str, password_hash: str | None = None) -> Account | None:
        """Use a link up, giving its account a password; without one, only to sign in. None as `invited` says.

        With the password all other links of the account are used up, too: who has an older one chooses no other.
        """
        with self._store.writing() as connection:
            row = self._invitation(connection, token)
            if row is None:
                return None
            set_columns(connection, desk_invitations, row, used_time=int(self._clock()))
            if password_hash is not None:
                end_invitations(connection, row["account_id"], int(self._clock()))
                self._change(connection, row["account_id"], password_hash=password_hash)
                self._end_sessions(connection, row["account_id"])
            return self._get(connection, row["account_id"])

    def failures(self, who: str, *, within_s: int) -> int:
        """How many sign-ins of `who` (a name or an address) failed in the last `within_s` seconds."""
        since = int(self._clock()) - within_s
        query = select(func.count()).where(desk_failures.c.who == who, desk_failures.c.time > since)
        with self._store.asking() as connection:
            return int(connection.execute(query).scalar_one())

    def note_attempt(self, *whos: str, forget_after_s: int = 86400) -> list[int]:
        """Count an attempt to sign in as failed, until `forget` is told that it did not; gives its numbers."""
        now = int(self._clock())
        with self._store.writing() as connection:
            connection.execute(delete(desk_failures).where(desk_failures.c.time < now - forget_after_s))
            rows = [insert_numbered(connection, desk_failures, {"who": who, "time": now}) for who in whos]
        return [row["id"] for row in rows]

    def forget(self, attempts: Sequence[int], who: str | None = None) -> None:
        """These attempts did not fail; with `who`, whose sign-in went well, no failure of theirs counts any more."""
        with self._store.writing() as connection:
            connection.execute(delete(desk_failures).where(desk_failures.c.id.in_(attempts)))
            if who is not None:
                connection.execute(delete(desk_failures).where(desk_failures.c.who == who))

    def _account(self, found: Row[Any]) -> Account:
        row = row_values(desk_accounts, found, str(self._store), f"account {found.id}")
        del row["digest"]
        return Account(**row)

    def _get(self, connection: Connection, account_id: int) -> Account:
        found = connection.execute(
            select(desk_accounts).where(desk_accounts.c.id == account_id)
        ).one_or_none()
        if found is None:
            raise StoreError(f"{self._store}: there is no account {account_id}")
        return self._account(found)

    def _change(self, connection: Connection, account_id: int, **changes: Any) -> None:
        set_columns(connection, desk_accounts, to_builtins(self._get(connection, account_id)), **changes)

    def _end_sessions(self, connection: Connection, account_id: int) -> None:
        query = select(desk_sessions).where(
            desk_sessions.c.account_id == account_id, desk_sessions.c.ended_time.is_(None)
        )
        for row in connection.execute(query).all():
            set_columns(connection, desk_sessions, row._asdict(), ended_time=int(self._clock()))

    def _invitation(self, connection: Connection, token: str) -> dict[str, Any] | None:
        query = select(desk_invitations).where(desk_invitations.c.token_digest == token_digest(token))
        found = connection.execute(query).one_or_none()
        if found is None or found.used_time is not None or found.expires_time < self._clock():
            return None
        row = row_values(desk_invitations, found, str(self._store), "an invitation")
        return row if self._get(connection, row["account_id"]).disabled_time is None else None


def _by_name(connection: Connection, name: str) -> Row[Any] | None:
    return connection.execute(select(desk_accounts).where(desk_accounts.c.name == name)).one_or_none()


def _alike(connection: Connection, name: str) -> list[str]:
    folded = same_name(name)
    return [
        other
        for other in connection.execute(select(desk_accounts.c.name)).scalars()
        if same_name(other) == folded
    ]


def same_name(name: str) -> str:
    """What names have in common that differ in case alone.

    >>> same_name("LEAD") == same_name("lead"), same_name("Strauß") == same_name("STRAUSS")
    (True, True)
    """
    return normalize("NFC", normalize("NFC", name.strip()).casefold())


class SiteAccounts:
    """The accounts of a store, and who is signed in. `clock` gives the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self.store = store
        self.clock = clock
        self.entrances = Entrances(store, clock)
        self.accounts = Accounts(store, clock)
