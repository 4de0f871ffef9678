"""Accounts, what a site answers to, and what it says where something fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import APIRouter
from fastapi.testclient import TestClient
from starlette.datastructures import Headers

from tests.annotation.pages.desks import People, client_of, desk_with
from tests.sweeps import cases
from tidings.annotation.pages.app import make_app
from tidings.core.errors import ConflictError, StoreError, UsageError
from tidings.web.accounts import LEAST_CHARS, check_password, hash_password
from tidings.web.guards import from_another_site, public_address
from tidings.web.site import make_site
from tidings.web.verb_options import first_account, first_link, has_passwords
from tidings.web.visitors import LARGEST, SiteSettings


class TestAccounts:
    def test_all_are_in_the_order_of_their_names_and_each_is_found_by_its_number(
        self, people: People
    ) -> None:
        accounts = people.desk.accounts
        accounts.add("bertha")
        listed = accounts.all()
        assert [one.name for one in listed] == ["bertha", "first", "lead", "second", "stranger"]
        assert [accounts.get(one.id) for one in listed] == listed
        with pytest.raises(StoreError):
            accounts.get(LARGEST)

    @pytest.mark.parametrize("name", ["", " ", "x" * 65, "a\nb"])
    def test_names_that_are_none_are_refused(self, people: People, name: str) -> None:
        with pytest.raises(UsageError, match="1 to 64 printable"):
            people.desk.accounts.add(name)

    def test_a_name_may_be_as_long_as_is_said(self, people: People) -> None:
        assert people.desk.accounts.add("x" * 64).name == "x" * 64
        with pytest.raises(UsageError, match="already exists"):
            people.desk.accounts.add("X" * 64)

    def test_who_made_an_account_is_forgotten_of_that_one_when_it_leads(self, people: People) -> None:
        desk, project = people.desk, people.project.id
        made = [desk.accounts.add(name, made_in=project) for name in ("one", "two")]
        assert [desk.accounts.made_in(one.id) for one in (*made, people.first)] == [project, project, None]
        desk.projects.set_member(project, made[0].id, "lead")
        assert [desk.accounts.made_in(one.id) for one in made] == [None, project]
        desk.accounts.disable(made[1].id, for_good=False)
        assert desk.accounts.made_in(made[1].id) == project
        desk.accounts.disable(made[1].id)
        assert desk.accounts.made_in(made[1].id) is None

    def test_the_only_lead_who_can_sign_in_stays_one(self, people: People) -> None:
        desk, project = people.desk, people.project.id
        desk.projects.set_member(project, people.first.id, "lead")
        with pytest.raises(UsageError, match="only lead who can sign in"):
            desk.projects.set_member(project, people.lead.id, None, actor_id=people.stranger.id)
        desk.accounts.set_password(people.first.id, "hash")
        desk.projects.set_member(project, people.lead.id, None, actor_id=people.stranger.id)
        assert [one.name for one in desk.projects.members(project) if one.role == "lead"] == ["first"]

    def test_sessions_of_one_account_end_and_those_of_others_stay(self, people: People) -> None:
        first, second = (client_of(people, one) for one in (people.first, people.second))
        people.desk.accounts.set_password(people.first.id, hash_password("correct horse"))
        assert (first.get("/").status_code, second.get("/").status_code) == (303, 200)

    def test_nobody_begins_a_session_with_a_password_that_was_changed(self, people: People) -> None:
        accounts = people.desk.accounts
        accounts.set_password(people.first.id, "new")
        with pytest.raises(UsageError, match="just changed"):
            accounts.begin_session(people.first.id, "old")
        with pytest.raises(UsageError, match="no link is needed"):
            accounts.invite(people.first.id, password_hash="old")
        assert accounts.begin_session(people.first.id, "new")
        accounts.disable(people.first.id)
        with pytest.raises(UsageError, match="disabled"):
            accounts.begin_session(people.first.id)
        accounts.enable(people.first.id)
        assert accounts.begin_session(people.first.id)


class TestPasswords:
    @pytest.mark.parametrize("length", [LEAST_CHARS - 1, 1001])
    def test_of_another_length_are_refused(self, length: int) -> None:
        with pytest.raises(UsageError, match=f"has {length} characters. Use 10 to 1000"):
            hash_password("x" * length)

    @pytest.mark.parametrize("length", [LEAST_CHARS, 1000])
    def test_of_the_least_and_the_greatest_length_are_taken(self, length: int) -> None:
        hashed = hash_password("x" * length)
        assert check_password(hashed, "x" * length)
        assert not check_password(hashed, "y" * length)
        assert not check_password("", "x" * length)


class TestFirstSteps:
    def test_the_first_account_gets_a_link_until_somebody_has_a_password(self, tmp_path: Path) -> None:
        with desk_with(tmp_path / "d.db") as people:
            desk = people.desk
            assert not has_passwords(desk)
            assert first_account(desk, "anybody") == people.lead
            link = first_link(desk, "anybody")
            assert link.startswith("/welcome/")
            invited = desk.accounts.invited(link.removeprefix("/welcome/"))
            assert invited is not None and invited.id == people.lead.id
            desk.accounts.set_password(people.second.id, "hash")
            assert has_passwords(desk)
            assert first_link(desk, "anybody") == ""


@pytest.mark.parametrize(
    ("method", "said", "is_refused"),
    cases(__file__, "what another site made is known by what the browser says"),
)
def test_what_another_site_made_is_known_by_what_the_browser_says(
    method: str, said: dict[str, str], is_refused: bool
) -> None:
    assert from_another_site(method, Headers({"host": "desk", **said}), "http") == is_refused


def test_encrypted_addresses_have_a_port_of_their_own() -> None:
    for origin, is_refused in (
        ("https://desk", False),
        ("https://desk:443", False),
        ("https://desk:80", True),
    ):
        headers = Headers({"host": "desk", "origin": origin})
        assert from_another_site("POST", headers, "https") == is_refused


@pytest.mark.parametrize("url", ["https://desk.example", "http://desk.example:8571", "https://desk.example/"])
def test_a_public_address_is_taken_without_its_slash(url: str) -> None:
    assert public_address(url) == url.removesuffix("/")


@pytest.mark.parametrize("url", ["https://desk.example:0", "https://desk.example//", "https:desk.example"])
def test_what_is_nearly_one_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="not a web address"):
        public_address(url)


failing = APIRouter()


@failing.get("/api/{kind}")
@failing.get("/{kind}")
def fail(kind: str) -> None:
    raise {
        "conflict": ConflictError("somebody was first", current={"seq": 7}),
        "store": StoreError("/secret/desk.db: locked"),
        "usage": UsageError("no such grade"),
        "defect": ZeroDivisionError("of ours"),
    }[kind]


@pytest.fixture
def site(people: People) -> Iterator[TestClient]:
    part = make_app(people.desk).state.part
    app = make_site(part, "tried", [failing], SiteSettings(), openapi_url="/openapi.json")
    yield TestClient(app, "http://127.0.0.1", raise_server_exceptions=False)


class TestFailures:
    @pytest.mark.parametrize(
        ("kind", "status", "words"),
        [
            ("conflict", 409, "somebody was first"),
            ("store", 503, "The store is not available right now."),
            ("usage", 422, "no such grade"),
            ("defect", 500, "Something went wrong. Nothing was saved; try again."),
        ],
    )
    def test_a_page_and_a_program_are_told_the_same(
        self, site: TestClient, kind: str, status: int, words: str
    ) -> None:
        shown, sent = site.get(f"/{kind}"), site.get(f"/api/{kind}")
        assert (shown.status_code, sent.status_code) == (status, status)
        assert words in shown.text and "<html" in shown.text
        assert sent.json()["message"].startswith(words)
        assert "secret" not in shown.text + sent.text
        assert sent.json().get("current") == ({"seq": 7} if kind == "conflict" else None)

    def test_files_are_served_by_the_address_that_pages_name_and_by_no_other(self, people: People) -> None:
        client = client_of(people, None)
        page = client.get("/sign-in").text
        address = next(word for word in page.split('"') if word.startswith("/static/") and ".css" in word)
        answer = client.get(address)
        assert answer.status_code == 200 and "text/css" in answer.headers["content-type"]
        assert "immutable" in answer.headers["cache-control"]
        digest, name = address.split("/")[-2:]
        assert client.get(f"/static/{'0' * len(digest)}/{name}").status_code == 404
        assert client.get(f"/static/{digest}/none.css").status_code == 404
