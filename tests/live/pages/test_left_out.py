"""What was left out: listed with its reasons, searched, and told after all where a reader says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.pages.followed import documents, editor, fill, follow_inbox, santiago, site
from tidings.core.records import Update
from tidings.following.systems.ledger import DOCUMENTS, Group, Ledger
from tidings.live.pages.settings import LiveSiteSettings

ADDRESS = "/events/{}/left-out"


def test_each_sentence_has_its_reason_and_what_a_reader_wants_is_told_next(tmp_path: Path) -> None:
    standing = santiago("tidings", "10/day")
    name = standing.event.id
    with site(str(tmp_path / "live.db"), standing) as (live, inbox), editor(live) as client:
        said = client.get("/api" + ADDRESS.format(name)).json()
        assert sum(said["counts"].values()) > len(said["items"]) > 20
        assert all(len(group["outlets"]) > 1 for group in said["developments"])
        told = {one.output.id for one in live.outputs.after(0, kinds=["update"])}
        for one in said["items"]:
            assert one["sentence"] not in told and one["text"]
            assert (one["reason"] == "repeats") == bool(one["repeats"]) or one["reason"] == "repeats"
        page = client.get(ADDRESS.format(name)).text
        own = sum(count for reason, count in said["counts"].items() if reason != "off-topic")
        assert f"Left out: {own:,} sentences" in page
        assert f"Left out: {own:,} sentences" in client.get(f"/events/{name}").text
        edited = client.get(f"/edit/events/{name}").text
        assert "Updates are selected by the standard method" in edited and "<code>tidings" not in edited
        wanted = next(one for one in said["items"] if one["reason"] == "background")
        word = max(wanted["text"].split(), key=len).strip(".,")
        found = client.get("/api" + ADDRESS.format(name), params={"q": word, "reason": "background"}).json()
        assert wanted in found["items"] and all(word.lower() in one["text"].lower() for one in found["items"])
        assert client.get("/api" + ADDRESS.format(name), params={"q": "zebra"}).json()["items"] == []
        body = {"sentence": wanted["sentence"]}
        assert client.post("/api" + ADDRESS.format(name), json=body).status_code == 200
        fill(inbox, documents(42)[40:])
        outputs = follow_inbox(live.store, inbox)
        assert [one.text for one in outputs if isinstance(one, Update) and one.id == wanted["sentence"]] == [
            wanted["text"]
        ]
        left = client.get("/api" + ADDRESS.format(name)).json()["items"]
        assert wanted["sentence"] not in {one["sentence"] for one in left}


def test_page_and_programs_are_told_of_the_same_developments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = [Group(f"Dam {n} burst.", ["Wire", "Post"]) for n in range(5)]
    groups += [Group("A plan.", ["Wire"]), Group("A bridge fell.", [], DOCUMENTS)]
    standing, ledger = santiago(), Ledger(groups=groups)
    with site(str(tmp_path / "live.db"), standing, count=2) as (live, _), editor(live) as client:
        monkeypatch.setattr(type(live.outputs), "ledger", lambda self, event_id: ledger)
        said = client.get("/api" + ADDRESS.format(standing.event.id)).json()["developments"]
        assert len(said) == len(ledger.developments) == 6
        assert said[0] == {"text": "A bridge fell.", "outlets": [], "articles": DOCUMENTS}
        page = client.get(ADDRESS.format(standing.event.id)).text
        assert page.count("burst.”") == 4 and "1 more" in page and "A plan" not in page
        assert '“A bridge fell.” <span class="hint">6 articles</span>' in page


def test_what_is_not_there_cannot_be_wanted(tmp_path: Path) -> None:
    standing = santiago()
    with site(str(tmp_path / "live.db"), standing, count=2) as (live, _), editor(live) as client:
        address = "/api" + ADDRESS.format(standing.event.id)
        assert client.post(address, json={"sentence": "none-0"}).status_code == 404
        assert client.post("/api" + ADDRESS.format("none"), json={"sentence": "none-0"}).status_code == 404
        assert client.get("/api" + ADDRESS.format("none")).status_code == 404


def test_nobody_says_so_where_pages_are_for_reading_alone(tmp_path: Path) -> None:
    standing, settings = santiago(), LiveSiteSettings(read_only=True)
    with (
        site(str(tmp_path / "live.db"), standing, count=2) as (live, _),
        editor(live, settings) as client,
    ):
        assert "data-wanted" not in client.get(ADDRESS.format(standing.event.id)).text
