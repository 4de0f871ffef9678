"""Every address of the live pages: who may not come in stays out, and no input makes the server fail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from msgspec.structs import replace

from tests.live.pages.streaming import EVENTS, QUICK, Telling, telling_in, update
from tests.sweeps import cases, every
from tests.web.routes import dependencies, routes_of
from tidings.annotation.store import Desk
from tidings.core.records import ValueUpdate
from tidings.core.records.standing import StandingEvent
from tidings.live.pages import visits
from tidings.live.pages.app import make_app
from tidings.live.pages.routes import ROUTERS
from tidings.web.guards import POLICY
from tidings.web.visitors import COOKIE

OPEN_TO_ALL = {"/sign-in", "/sign-out", "/welcome/{token}", "/healthz", "/metrics"}
"""Who is not signed in signs in there; and what watches a server asks these, which tell nothing of what is followed."""

ROUTES = routes_of(ROUTERS)
GUARDED = [(method, route) for method, route in ROUTES if route.path not in OPEN_TO_ALL]
ENDLESS = ("/stream",)


def address(route: APIRoute) -> str:
    """The route's address with something in each place."""
    path = route.path.replace("{event_id}", "ferry").replace("{event}", "ferry")
    return re.sub(r"\{\w+(:\w+)?\}", "1", path)


def method_for(method: str, route: APIRoute) -> str:
    """Of what would never end, the head."""
    return "HEAD" if route.path.endswith(ENDLESS) else method


@pytest.fixture(scope="module")
def telling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Telling]:
    with telling_in(str(tmp_path_factory.mktemp("routes") / "live.db")) as made:
        for event in EVENTS:
            made.live.events.add(StandingEvent(event=event), "test")
        made.tell(update(1), update(2, "storm"), ValueUpdate("ferry", 130, "deaths", (2.0,)))
        yield made


@pytest.fixture(scope="module")
def token(telling: Telling) -> str:
    accounts = Desk(telling.store).accounts
    return accounts.begin_session(accounts.add("editor").id)


@pytest.fixture(scope="module")
def doors(telling: Telling, token: str) -> Iterator[dict[str, TestClient]]:
    """A client for each, kept open: to begin one takes as long as many requests."""
    closed, read_only = replace(QUICK, open_reading=False), replace(QUICK, read_only=True)
    with ExitStack() as stack:
        made = {}
        for name, settings in (("open", QUICK), ("closed", closed), ("read only", read_only)):
            app = make_app(telling.live, settings)
            client = partial(TestClient, app, base_url="http://127.0.0.1", follow_redirects=False)
            made[name] = stack.enter_context(client(raise_server_exceptions=False))
            made[f"{name}, signed in"] = client(raise_server_exceptions=False, cookies={COOKIE: token})
        yield made


def named(route: tuple[str, APIRoute]) -> str:
    return f"{route[0]} {route[1].path}"


@every("route", GUARDED)
def test_names_who_may_come_in(route: tuple[str, APIRoute]) -> None:
    """Reading or editing, and editing for whatever is no question, but that a reader may say what was seen."""
    used = dependencies(route[1])
    assert used & {visits.reading, visits.editing}, named(route)
    if route[0] != "GET" and route[1].path != "/api/seen":
        assert visits.editing in used, named(route)


class TestDoors:
    """Who comes in where."""

    def test_nothing_is_read_where_only_accounts_may(self, doors: dict[str, TestClient]) -> None:
        for method, route in GUARDED:
            answer = doors["closed"].request(method_for(method, route), address(route))
            if answer.status_code == 303:
                assert answer.headers["location"].startswith("/sign-in?next="), route.path
            else:
                assert answer.status_code == 401, (route.path, answer.status_code)

    def test_who_is_signed_in_reads_everything(self, doors: dict[str, TestClient]) -> None:
        for method, route in GUARDED:
            if method == "GET":
                answer = doors["closed, signed in"].request(method_for(method, route), address(route))
                assert answer.status_code in (200, 303, 404), (route.path, answer.status_code)

    def test_nobody_changes_anything_where_nobody_may(self, doors: dict[str, TestClient]) -> None:
        for method, route in GUARDED:
            if visits.editing in dependencies(route):
                answer = doors["read only, signed in"].request(method, address(route))
                assert answer.status_code == 403, (route.path, answer.status_code)

    def test_nobody_changes_anything_who_is_not_signed_in(self, doors: dict[str, TestClient]) -> None:
        for method, route in GUARDED:
            if visits.editing in dependencies(route):
                answer = doors["open"].request(method, address(route))
                assert answer.status_code in (303, 401), (route.path, answer.status_code)

    def test_another_site_changes_nothing(self, doors: dict[str, TestClient]) -> None:
        for method, route in ROUTES:
            if method != "GET":
                answer = doors["open, signed in"].request(
                    method, address(route), headers={"sec-fetch-site": "cross-site"}
                )
                assert answer.status_code == 403, route.path

    def test_another_name_is_answered_nothing(self, doors: dict[str, TestClient]) -> None:
        for method, route in ROUTES:
            answer = doors["open"].request(
                method_for(method, route), address(route), headers={"host": "evil.example"}
            )
            assert answer.status_code == 400, route.path

    def test_every_answer_carries_the_safe_headers_and_none_fails(self, doors: dict[str, TestClient]) -> None:
        for method, route in ROUTES:
            if method == "GET":
                answer = doors["open, signed in"].request(method_for(method, route), address(route))
                assert answer.status_code < 500, (route.path, answer.text)
                assert answer.headers["content-security-policy"] == POLICY
                assert answer.headers["x-content-type-options"] == "nosniff"


class TestUnderAPath:
    """Behind a proxy that serves the pages under a path, all addresses in them have it."""

    @every("is_taken_off", [True, False])
    @pytest.mark.long
    def test_every_page_leads_to_addresses_under_it(
        self, is_taken_off: bool, telling: Telling, token: str
    ) -> None:
        from lxml import html

        app = make_app(telling.live, replace(QUICK, root_path="/live"))
        client = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False, cookies={COOKIE: token})
        before = "" if is_taken_off else "/live"
        seen = 0
        for method, route in ROUTES:
            if method != "GET" or route.path.endswith(ENDLESS):
                continue
            answer = client.get(before + address(route))
            if location := answer.headers.get("location"):
                assert location.startswith(("/live/", "http://127.0.0.1/live/")), route.path
            if not answer.headers.get("content-type", "").startswith("text/html"):
                continue
            for element in html.fromstring(answer.text).iter():
                for name, value in element.attrib.items():
                    if name in ("href", "src", "action", "formaction") or name.startswith("data-"):
                        is_ours = value.startswith("/") and not value.startswith("//")
                        assert not is_ours or value.startswith("/live"), (route.path, name, value)
                        seen += is_ours
        assert seen > 5

    def test_what_needs_an_account_leads_to_the_sign_in_under_it(self, telling: Telling) -> None:
        app = make_app(telling.live, replace(QUICK, root_path="/live", open_reading=False))
        client = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
        answer = client.get("/live/events/ferry?kind=update")
        assert answer.headers["location"] == "/live/sign-in?next=%2Fevents%2Fferry%3Fkind%3Dupdate"
        assert client.get("/live/api/events").status_code == 401


class TestHostileRequests:
    """Requests made up from the description of the API: refused or done, never a failure of the server."""

    @pytest.mark.long
    @pytest.mark.parametrize("is_signed_in", [False, True])
    def test_many_of_each(self, is_signed_in: bool, tmp_path: Path) -> None:
        import schemathesis
        from hypothesis import HealthCheck, Phase, given, settings

        with telling_in(str(tmp_path / "live.db")) as telling:
            for event in EVENTS:
                telling.live.events.add(StandingEvent(event=event), "test")
            telling.tell(update(1), update(2, "storm"))
            app = make_app(telling.live, QUICK)
            client = TestClient(app, base_url="http://127.0.0.1")
            if is_signed_in:
                accounts = Desk(telling.store).accounts
                client.cookies.set(COOKIE, accounts.begin_session(accounts.add("editor").id))
            count = 0
            for found in schemathesis.openapi.from_dict(app.openapi()).get_all_operations():
                operation = found.ok()
                count += 1

                @settings(
                    max_examples=60,
                    phases=[Phase.generate],
                    suppress_health_check=list(HealthCheck),
                )
                @given(case=operation.as_strategy())
                def no_failure(case: Any) -> None:
                    sent = case.as_transport_kwargs(base_url="http://127.0.0.1")
                    path = re.sub(r"^http://127\.0\.0\.1", "", sent["url"])
                    # Most of what is made up names no event: half of it is sent to the one that is there.
                    for target in (path, re.sub(r"/events/[^/?]*", "/events/ferry", path)):
                        is_endless = target.split("?")[0].endswith(ENDLESS)
                        answer = client.request(
                            "HEAD" if is_endless else sent["method"],
                            target,
                            params=sent.get("params"),
                            headers=sent.get("headers"),
                            json=sent.get("json"),
                        )
                        assert answer.status_code < 500, (sent, answer.text)

                no_failure()
            assert count >= 10
            marks = {entry.mark.mark for entry in telling.live.events.log() if entry.mark is not None}
            assert marks == ({"not-about", "known"} if is_signed_in else set())


ODD_PLACES = cases(__file__, "odd places")


@every("place", ODD_PLACES)
def test_an_odd_event_is_one_that_is_not_there(place: str, doors: dict[str, TestClient]) -> None:
    for path in ("/events/{}", "/events/{}/atom.xml", "/api/events/{}/updates", "/api/events/{}/stream"):
        answer = doors["open"].get(path.format(place))
        assert answer.status_code in (404, 422), (path, answer.status_code)
        assert "<script>" not in answer.text.replace('<script type="module"', "")
