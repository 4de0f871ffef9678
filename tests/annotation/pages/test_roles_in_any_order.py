"""Invitations, links, demotions, removals and passwords over two projects, in any order, by way of the pages.

Each account belongs to the person who chose its first password. Whatever the leads do, nobody else is signed in with
it, but for one way that is meant: who leads all the projects of an assessor whom their project made may have a link.
"""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.annotation.pages.desks import client_at
from tidings.annotation.store import Desk
from tidings.core.store import open_store
from tidings.web import sign_in

NAMES = ("ada", "ben", "cleo", "dan", "eve")
PEOPLE = st.sampled_from(NAMES)
ACTORS = st.sampled_from(NAMES[:3])
PROJECTS = st.sampled_from((1, 2))
LINK = re.compile(r'value="http://127\.0\.0\.1(/welcome/[^"]+)"')


class Link:
    """A link on the page of somebody: whose account, and whether the rules let them use it, as far as it goes."""

    def __init__(self, path: str, account: str, asked_by: str, meant: bool) -> None:
        self.path, self.account, self.asked_by, self.meant = path, account, asked_by, meant


class Roles(RuleBasedStateMachine):
    """Ada and Cleo lead the first project, Ben the second, in which Dan judges. Eve may come to be."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = open_store(str(Path(self.folder.name) / "desk.db"), durable=False)
        self.desk = Desk(self.store, count(1_700_000_000).__next__)
        for project in ("one", "two"):
            self.desk.projects.add(project)
        for name in NAMES[:4]:
            self.desk.accounts.add(name, f"hash of {name}")
        for name, project, role in (
            ("ada", 1, "lead"),
            ("ben", 2, "lead"),
            ("cleo", 1, "lead"),
            ("dan", 2, "assessor"),
        ):
            self.desk.projects.set_member(project, self.account(name).id, role)
        self.nobody = client_at(self.desk)
        self.links: list[Link] = []
        self.made_by: dict[str, int] = {}
        self.has_led = {"ada", "ben", "cleo"}

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    def account(self, name: str) -> Any:
        return self.desk.accounts.find(name)

    def role(self, name: str, project: int) -> str | None:
        account = self.account(name)
        return None if account is None else self.desk.projects.role(project, account.id)

    def post(self, actor: str, project: int, path: str, **data: str) -> Any:
        """What the pages answer who sits there; nobody there can do without a password, or disabled."""
        account = self.account(actor)
        if account is None or not account.password_hash or account.disabled_time is not None:
            return None
        before = self.role(actor, project)
        answer = self.nobody.post(
            f"/projects/{project}/team/{path}", data=data, headers=self.cookie(account.id)
        )
        expected = {None: {404}, "assessor": {403}, "lead": {200, 303, 404, 422}}
        assert answer.status_code in expected[before]
        return answer

    def cookie(self, account_id: int) -> dict[str, str]:
        token = self.desk.accounts.begin_session(account_id)
        return {"cookie": f"tidings_desk={token}"}

    def keep_link(self, answer: Any, actor: str, name: str, meant: bool) -> None:
        found = LINK.search(answer.text) if answer is not None else None
        if found is not None:
            self.links.append(Link(found[1], name, actor, meant))

    def meant_for(self, actor: str, name: str, project: int) -> bool:
        """Whether a link for an account with a password would be one of those that are meant."""
        account = self.account(name)
        projects = self.desk.projects.of_account(account.id) if account is not None else []
        return (
            self.made_by.get(name) == project
            and name not in self.has_led
            and all(self.role(actor, place.id) == "lead" for place, _ in projects)
        )

    @rule(actor=ACTORS, project=PROJECTS, name=PEOPLE, role=st.sampled_from(("assessor", "lead")))
    def take_in(self, actor: str, project: int, name: str, role: str) -> None:
        new = self.account(name) is None
        may = self.role(actor, project) == "lead"
        answer = self.post(actor, project, "members", name=name, role=role)
        if new and self.account(name) is not None:
            assert may
            self.made_by[name] = project
        if self.role(name, project) == "lead":
            self.has_led.add(name)
        self.keep_link(answer, actor, name, False)

    @rule(actor=ACTORS, project=PROJECTS, name=PEOPLE, role=st.sampled_from(("assessor", "lead", "out")))
    def change_role(self, actor: str, project: int, name: str, role: str) -> None:
        account, may, before = (
            self.account(name),
            self.role(actor, project) == "lead",
            self.role(name, project),
        )
        if account is None:
            return
        self.post(actor, project, f"members/{account.id}/role", role=role)
        assert may or self.role(name, project) == before
        if self.role(name, project) == "lead":
            self.has_led.add(name)

    @rule(actor=ACTORS, project=PROJECTS, name=PEOPLE)
    def ask_for_a_link(self, actor: str, project: int, name: str) -> None:
        account = self.account(name)
        if account is None:
            return
        meant = self.meant_for(actor, name, project)
        answer = self.post(actor, project, f"members/{account.id}/link")
        if answer is not None and LINK.search(answer.text):
            assert self.role(actor, project) == "lead" and account.disabled_time is None
            assert meant or not account.password_hash, f"{actor} has a link for {name}"
        self.keep_link(answer, actor, name, meant)

    @rule(actor=ACTORS, project=PROJECTS, name=PEOPLE, disabled=st.sampled_from(("yes", "no")))
    def disable(self, actor: str, project: int, name: str, disabled: str) -> None:
        account = self.account(name)
        if account is None:
            return
        meant = self.meant_for(actor, name, project)
        self.post(actor, project, f"members/{account.id}/disabled", disabled=disabled)
        if self.account(name).disabled_time != account.disabled_time:
            assert meant, f"{actor} disabled or enabled {name}"

    @precondition(lambda self: self.links)
    @rule(which=st.integers(0, 100), owner=st.booleans())
    def use_a_link(self, which: int, owner: bool) -> None:
        """Whom it is for, or whoever asked for it, chooses a password by it."""
        link = self.links[which % len(self.links)]
        account = self.account(link.account)
        answer = self.nobody.post(link.path, data={"password": "correct horse", "again": "correct horse"})
        self.nobody.cookies.clear()
        if answer.status_code != 303:
            assert answer.status_code == 410
            return
        assert account.disabled_time is None
        if owner or link.asked_by == link.account:
            return
        # They are signed in as somebody else: only before there was a password, or where that is meant.
        assert link.meant or not account.password_hash, f"{link.asked_by} is signed in as {link.account}"
        for project, role in self.desk.projects.of_account(account.id):
            theirs = self.role(link.asked_by, project.id)
            assert theirs == "lead", f"{link.asked_by} ({theirs}) comes into {project.name} as its {role}"

    @rule(name=PEOPLE, project=PROJECTS)
    def pages_show_members_alone_what_their_role_allows(self, name: str, project: int) -> None:
        account = self.account(name)
        if account is None or account.disabled_time is not None:
            return
        cookie, expected = (
            self.cookie(account.id),
            {None: (404, 404), "assessor": (200, 403), "lead": (200, 200)},
        )
        seen = tuple(
            self.nobody.get(f"/projects/{project}{page}", headers=cookie).status_code
            for page in ("", "/team")
        )
        assert seen == expected[self.role(name, project)]

    @invariant()
    def somebody_can_manage_each_project(self) -> None:
        for project in (1, 2):
            able = [
                member.name
                for member in self.desk.projects.members(project)
                if member.role == "lead"
                and (account := self.desk.accounts.get(member.account_id)).password_hash
                and account.disabled_time is None
            ]
            assert able, f"nobody can manage project {project}"


@pytest.mark.parametrize(("examples", "steps"), [(8, 20), pytest.param(400, 40, marks=pytest.mark.long)])
def test_nobody_becomes_somebody_else(examples: int, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # Argon2 takes its time on purpose, and what a hash looks like is nothing to these rules.
    monkeypatch.setattr(sign_in, "hash_password", lambda password: f"hash of {password}")
    run_state_machine_as_test(
        Roles,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=True,
            phases=[Phase.generate],  # to shrink takes minutes; the steps are told in any case
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
