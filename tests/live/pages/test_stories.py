"""Stories in the feeds: grouped as documents come, shown, followed in two clicks, and alarms of those that spread."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from msgspec.structs import replace

from tests.live.pages.followed import editor, follow_inbox, site
from tests.live.pages.sites import Site, client_of, served
from tests.web.browser.chromium import findings
from tidings.annotation.store import Desk
from tidings.core.records import Update
from tidings.core.records.standing import AlarmChannel, AlarmRule, StorySpread
from tidings.following import FollowedStories, StoryLists
from tidings.live.alarms.watch import RuleWatch
from tidings.live.hosting.service import StoryWatch
from tidings.live.pages.settings import LiveSiteSettings
from tidings.live.store import LIVE_STORIES, LiveStore
from tidings.sources.inbox import StoredInbox
from tidings.web.visitors import COOKIE


def grouped(live: LiveStore, inbox: StoredInbox) -> StoryWatch:
    watch = StoryWatch(live, inbox, RuleWatch(live, live.run, 0, inbox.name))
    assert watch.turn() == inbox.last_seq
    return watch


def test_what_comes_is_grouped_once_and_goes_on(tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db"), count=40) as (live, inbox):
        watch = grouped(live, inbox)
        assert watch.turn() == 0
        lists = StoryLists(live.store, LIVE_STORIES)
        stories = lists.latest(0, 50)
        assert sum(len(story.documents) for story in stories) == 40
        again = StoryWatch(live, inbox, RuleWatch(live, live.run, 0, inbox.name))
        assert again.turn() == 0
        assert lists.latest(0, 50) == stories


def test_a_story_is_shown_and_followed_by_its_profile(tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db"), count=60) as (live, inbox):
        grouped(live, inbox)
        with editor(live) as client:
            page = client.get("/stories").text
            latest = StoryLists(live.store, LIVE_STORIES).latest(0, 50)
            story = max(latest, key=lambda story: len(story.documents))
            assert story.title.split("'")[0] in page
            answer = client.post("/stories/follow", data={"story": story.story})
            assert answer.status_code == 303
            assert "?done=added" in answer.headers["location"]
            followed = FollowedStories(live.store).all()[story.story]
            (standing,) = live.events.all()
            assert f"profile={followed.profile}" in standing.system
            assert (standing.event.query, standing.event.title) == (followed.query, story.title)
            form = client.get(answer.headers["location"]).text
            assert f'value="{standing.event.query}"' in form
            told = follow_inbox(live.store, inbox)
            assert {output.doc_id for output in told if isinstance(output, Update)} & set(story.documents)
            event_page = client.get(f"/events/{standing.event.id}").text
            assert f'href="/stories#s-{story.story}"' in event_page
            assert f'href="/events/{standing.event.id}"' in client.get("/stories").text
            assert client.post("/stories/follow", data={"story": "none"}).status_code == 404


def test_who_may_not_change_anything_follows_nothing(tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db"), count=30) as (live, inbox):
        grouped(live, inbox)
        with client_of(Site(live, None, ()), LiveSiteSettings(read_only=True)) as client:
            assert "/stories/follow" not in client.get("/stories").text
            story = StoryLists(live.store, LIVE_STORIES).latest(0, 1)[0]
            assert client.post("/stories/follow", data={"story": story.story}).status_code == 403


def test_a_story_that_spreads_raises_one_alarm(tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db"), count=40) as (live, inbox):
        channel = live.channels.add(AlarmChannel(name="desk", kind="webhook", address="https://a.example/"))
        when = StorySpread(outlets=2, within_s=2 * 86_400)
        live.rules.add(AlarmRule(name="spread", when=when, channels=(channel.id,)))
        live.rules.add(AlarmRule(name="huge", when=replace(when, outlets=50), channels=(channel.id,)))
        grouped(live, inbox)
        alarms = [delivery.alarm for delivery in live.outbox.latest(50)]
        assert alarms
        assert {alarm.rule for alarm in alarms} == {"spread"}
        assert {alarm.kind for alarm in alarms} == {"story"}
        assert len({alarm.items[0].link for alarm in alarms}) == len(alarms)
        assert "a new story with 2 outlets within" in alarms[0].items[0].text


def test_a_rule_of_stories_is_kept_by_its_form(tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db"), count=2) as (live, _), editor(live) as client:
        fields = {"name": "spread", "kind": "story", "outlets": "4", "within": "2h"}
        assert client.post("/alarms/rules/0", data=fields).status_code == 303
        (rule,) = live.rules.all()
        assert rule.when == StorySpread(outlets=4, within_s=7200)
        assert "new stories with 4 outlets in 2h" in client.get("/alarms").text
        assert 'name="within" value="2h"' in client.get(f"/alarms/rules/{rule.id}").text
        refused = client.post("/alarms/rules/0", data=fields | {"name": "b", "outlets": "1"})
        assert (refused.status_code, "2 to 50 outlets" in refused.text) == (422, True)


@pytest.mark.long
def test_from_the_first_visit_to_a_followed_story_in_two_clicks(page: Any, tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db"), count=60) as (live, inbox):
        grouped(live, inbox)
        accounts = Desk(live.store).accounts
        token = accounts.begin_session(accounts.add("ada").id)
        with served(Site(live, None, ()), LiveSiteSettings(requests_per_s=0)) as address:
            page.context.add_cookies([{"name": COOKIE, "value": token, "url": address}])
            began = monotonic()
            page.goto(address)
            page.get_by_role("link", name="Stories", exact=True).click()
            shown = []
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                shown += [f"{scheme}: {one}" for one in findings(page)]
            page.set_viewport_size({"width": 390, "height": 800})
            assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
            page.set_viewport_size({"width": 1100, "height": 800})
            page.get_by_role("button", name="Follow").first.click()
            page.wait_for_selector(".history li")
            assert monotonic() - began < 60
            assert shown == []
            assert len(live.events.all()) == 1
