"""Every page of both sites as axe-core sees it, light and dark, for strangers and for people who are signed in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fastapi import APIRouter

from tests.annotation.pages import desks
from tests.live.pages import followed, sites
from tests.web.browser.chromium import findings, ready
from tests.web.routes import routes_of
from tidings.annotation.pages.routes import ROUTERS as DESK_ROUTERS
from tidings.annotation.store import Desk
from tidings.core.records.standing import AlarmChannel, AlarmRule, UpdateAbove
from tidings.live.pages.routes import ROUTERS as LIVE_ROUTERS
from tidings.live.pages.settings import LiveSiteSettings
from tidings.web.visitors import COOKIE


def paths_of(routers: Iterable[APIRouter], names: Mapping[str, str]) -> list[str]:
    """Where each of a site's pages is, with these names in its places, and 1 in the others."""
    return [
        re.sub(r"\{(\w+)(:\w+)?\}", lambda place: names.get(place[1], "1"), route.path)
        for method, route in routes_of(routers)
        if method == "GET" and not route.path.startswith("/api/")
    ]


def checked(browser: Any, address: str, paths: Iterable[str], token: str) -> tuple[set[str], list[str]]:
    """Which paths are pages for whoever has this session, and what axe-core finds on them."""
    context = browser.browser.new_context(viewport={"width": 1280, "height": 900})
    if token:
        context.add_cookies([{"name": COOKIE, "value": token, "url": address}])
    page = context.new_page()
    pages, found = set(), []
    for path in paths:
        answer = context.request.get(address + path, max_redirects=0)
        if (answer.status >= 300 and answer.status != 410) or "<html" not in answer.text():
            continue
        page.goto(address + path)
        ready(page)
        pages.add(path)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found += [f"{path} ({scheme}): {one}" for one in findings(page)]
    context.close()
    return pages, found


def test_live_pages(browser: Any, tmp_path: Path) -> None:
    standing = followed.santiago("tidings:values=yes,entities=yes", "10/day")
    event = standing.event.id
    with followed.site(str(tmp_path / "live.db"), standing) as (live, _):
        channel = live.channels.add(
            AlarmChannel(name="Hook", kind="webhook", address="https://hooks.example")
        )
        live.rules.add(AlarmRule(name="All", when=UpdateAbove(worth=0.4), channels=(channel.id,)))
        accounts = Desk(live.store).accounts
        token = accounts.begin_session(accounts.add("editor").id)
        update = live.outputs.after(0, kinds=["update"])[0].seq
        site = sites.Site(live, None, ())  # type: ignore[arg-type]  # nothing is told
        with sites.served(site, LiveSiteSettings(requests_per_s=0)) as address:
            preview = browser.request.post(
                f"{address}/edit/preview", form={"query": "train"}, headers={"cookie": f"{COOKIE}={token}"}
            ).url.rpartition("/")[2]
            paths = paths_of(LIVE_ROUTERS, {"event_id": event, "seq": str(update), "name": preview})
            paths += [
                "/alarms/rules/0",
                "/search?q=train",
                f"/events/{event}?kind=figures",
                "/away?since=2013-07-01",
            ]
            strangers, found = checked(browser, address, paths, "")
            editors, more = checked(browser, address, paths, token)
    assert found + more == []
    assert len(strangers) >= 12
    assert len(editors) >= 19


def test_desk_pages(browser: Any, tmp_path: Path) -> None:
    paths = paths_of(DESK_ROUTERS, {})
    with (
        desks.desk_with(tmp_path / "desk.db", desks.bundled_judgments()) as people,
        desks.served(people) as address,
    ):
        accounts = people.desk.accounts
        strangers, found = checked(browser, address, paths, "")
        assessors, more = checked(browser, address, paths, accounts.begin_session(people.first.id))
        leads, most = checked(browser, address, paths, accounts.begin_session(people.lead.id))
    assert found + more + most == []
    assert strangers == {"/sign-in", "/welcome/1"}
    assert len(leads) >= 20
    assert leads - assessors == {
        f"/projects/1/{page}" for page in ("agreement", "team", "topics/1/adjudication")
    }
