"""Every address of the desk: who may not come in stays out, and no input makes the server fail."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, Phase, given, settings

from tests.annotation.pages.desks import People, bundled_judgments, client_of, desk_with
from tests.web.routes import dependencies, routes_of
from tidings.annotation.pages import visits
from tidings.annotation.pages.app import make_app
from tidings.annotation.pages.routes import ROUTERS
from tidings.web import visitors
from tidings.web.guards import POLICY

OPEN_TO_ALL = {"/sign-in", "/sign-out", "/welcome/{token}"}
ROUTES = routes_of(ROUTERS)
GUARDED = [(method, route) for method, route in ROUTES if route.path not in OPEN_TO_ALL]
IN_PROJECT = [(method, route) for method, route in GUARDED if "{project}" in route.path]


def named(given: list[tuple[str, APIRoute]]) -> Any:
    return pytest.mark.parametrize(
        ("method", "route"), given, ids=[f"{method} {route.path}" for method, route in given]
    )


def address(route: APIRoute, project: int = 1) -> str:
    """The route's address with something in each place."""
    path = route.path.replace("{project}", str(project)).replace("{topic}", "1")
    return re.sub(r"\{\w+(:\w+)?\}", "1", path)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    with desk_with(tmp_path_factory.mktemp("desk") / "desk.db", bundled_judgments(judged=False)) as made:
        elsewhere = made.desk.projects.add("another")
        made.desk.projects.set_member(elsewhere.id, made.stranger.id, "lead")
        yield made


@pytest.fixture(scope="module")
def doors(people: People) -> Iterator[dict[str, Any]]:
    """A client for each, kept open: to begin one takes as long as many requests."""
    accounts = {"nobody": None, "lead": people.lead, "first": people.first, "stranger": people.stranger}
    with ExitStack() as stack:
        yield {name: stack.enter_context(client_of(people, account)) for name, account in accounts.items()}


@named(GUARDED)
class TestEveryRoute:
    def test_names_who_may_come_in(self, method: str, route: APIRoute) -> None:
        used = dependencies(route)
        assert visitors.signed_in in used
        if "{project}" in route.path:
            assert visits.in_project in used
        if "{topic}" in route.path:
            assert visits.in_topic in used

    def test_is_closed_to_who_is_not_signed_in(
        self, doors: dict[str, Any], method: str, route: APIRoute
    ) -> None:
        answer = doors["nobody"].request(method, address(route))
        if route.path.startswith("/api/"):
            assert answer.status_code == 401 and answer.json()["message"]
        else:
            assert answer.status_code == 303 and answer.headers["location"].startswith("/sign-in?next=")


@named(IN_PROJECT)
def test_another_project_is_as_if_it_were_not_there(
    doors: dict[str, Any], method: str, route: APIRoute
) -> None:
    """The stranger leads another project, and is nobody in this one."""
    there, nowhere = (doors["stranger"].request(method, address(route, project)) for project in (1, 999))
    assert there.status_code == nowhere.status_code == 404
    assert there.text == nowhere.text


LEADS_ONLY = [
    (method, route)
    for method, route in IN_PROJECT
    if dependencies(route) & {visits.lead_of, visits.lead_in_topic}
]


@named(LEADS_ONLY)
def test_what_leads_do_is_refused_to_others(doors: dict[str, Any], method: str, route: APIRoute) -> None:
    assert doors["first"].request(method, address(route)).status_code == 403


@named([(method, route) for method, route in ROUTES if method == "GET"])
def test_every_answer_carries_the_safe_headers(doors: dict[str, Any], method: str, route: APIRoute) -> None:
    answer = doors["lead"].get(address(route))
    assert answer.status_code < 500
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"
    assert "unsafe" not in POLICY


def test_no_file_outside_the_folder_is_given(people: People) -> None:
    client = client_of(people, None)
    from tidings.annotation.pages.app import PART
    from tidings.web.pages import static_digest

    assert client.get(f"/static/{static_digest(PART)}/desk.css").status_code == 200
    for name in ("..%2fapp.py", "%2e%2e/app.py", "../app.py", "nothing.js"):
        assert client.get(f"/static/{static_digest(PART)}/{name}").status_code == 404


class TestHostileRequests:
    """Requests made up from the description of the API: refused or done, never a failure of the server."""

    def try_all(self, path: Path, examples: int) -> int:
        import schemathesis

        with desk_with(path, bundled_judgments(judged=False)) as people:
            app = make_app(people.desk)
            schema = schemathesis.openapi.from_dict(app.openapi())
            cookies = dict(client_of(people, people.lead).cookies)
            client = client_of(people, people.lead)
            count = 0
            for found in schema.get_all_operations():
                operation = found.ok()
                count += 1

                @settings(
                    max_examples=examples,
                    phases=[Phase.generate],
                    suppress_health_check=list(HealthCheck),
                )
                @given(case=operation.as_strategy())
                def no_failure(case: Any) -> None:
                    sent = case.as_transport_kwargs(base_url="http://127.0.0.1")
                    sent["cookies"] = cookies
                    path_of = re.sub(r"^http://127\.0\.0\.1", "", sent["url"])
                    # Most of what is made up names no project: half of it is sent to the one that is there.
                    for target in (
                        path_of,
                        re.sub(r"/projects/[^/]*/topics/[^/]*", "/projects/1/topics/1", path_of),
                    ):
                        answer = client.request(
                            sent["method"], target, params=sent.get("params"), json=sent.get("json")
                        )
                        assert answer.status_code < 500, (sent, answer.text)

                no_failure()
            return count

    @pytest.mark.long
    def test_many_of_each(self, tmp_path: Path) -> None:
        assert self.try_all(tmp_path / "desk.db", 50) >= 10


ODD_BODIES = [
    b"",
    b"{",
    b"[]",
    b"null",
    b'"text"',
    b"{}",
    b'{"key": "\\ud800\\ud800"}',
    b"[" * 3000,
    b"\xff\xfe",
]
ODD_VALUES = ["", "\x00", "\ud800", "x" * 400, -1, 2**70, 0.5, None, True, [], {}, ["\x00"], "<script>"]


def bodies_of(route: APIRoute) -> list[bytes]:
    """Odd bodies, and a body of the right fields with an odd value in all of them."""
    if route.body_field is None or not hasattr(route.body_field.field_info.annotation, "model_fields"):
        return ODD_BODIES
    fields = route.body_field.field_info.annotation.model_fields
    made = [dict.fromkeys(fields, value) | {"key": f"key-{n:08}"} for n, value in enumerate(ODD_VALUES)]
    return ODD_BODIES + [json.dumps(body).encode() for body in made]


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.long)])
@named([(method, route) for method, route in IN_PROJECT if method != "GET"])
def test_odd_bodies_are_refused_and_nothing_fails(
    doors: dict[str, Any], method: str, route: APIRoute, every: int
) -> None:
    """By default every fourth of them, others for each route."""
    for body in bodies_of(route)[len(route.path) % every :: every]:
        answer = doors["lead"].request(
            method, address(route), content=body, headers={"content-type": "application/json"}
        )
        assert answer.status_code < 500, body
