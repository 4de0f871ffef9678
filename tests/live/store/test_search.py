"""Searching the updates of a run, on both databases: an index that is caught up, made again, and never in the way."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.live.pages.sites import FERRY, STORM, Site, live_in, update
from tidings.annotation.store import Desk
from tidings.core.store import open_store
from tidings.live.store import LIVE_RUN, LiveStore

ODD = [
    *"\"'*():^-+~!&|<>\\%_;",
    '"',
    '""',
    "AND",
    "NEAR(",
    "words:",
    "a* OR",
    "- -",
    "x" * 5000,
    "\ud800",
    "\U000e0001",
    "زلزال",
    "' ; DROP TABLE outputs; --",
    "e\u0301",
    "\u0300",
    "½²",
]


def found(site: Site, words: str, **options: object) -> list[int]:
    return [one.seq for one in site.live.search.find(words, **options).items]  # type: ignore[arg-type]


def test_words_are_found_newest_first_as_beginnings_without_accents(any_store: str) -> None:
    with live_in(any_store, (FERRY, STORM)) as site:
        site.tell(
            update(1, "The ferry caught fire near Córdoba."),
            update(2, "Two people died.", title="Ferry fire"),
            update(3, "The storm reached the fire station.", event="storm"),
            update(4, "地震が発生した。"),
        )
        assert found(site, "fire") == [3, 2, 1]
        assert found(site, "fire", event_id="ferry") == [2, 1]
        assert found(site, "FERR cordoba") == [1]
        assert found(site, '"fire station"') == [3] and found(site, '"station fire"') == []
        assert found(site, "fire -station") == [2, 1]
        assert found(site, "地震") == [4] and found(site, "coast radio 地震") == [4]
        assert found(site, "震が") == [4] and found(site, "震か") == []
        assert found(site, "") == [] == found(site, "zz0event0")
        site.tell(update(5, "Another fire."))
        assert found(site, "fire") == [5, 3, 2, 1]
        page = site.live.search.find("fire", limit=2)
        assert [one.seq for one in page.items] == [5, 3] and page.older == 3
        page = site.live.search.find("fire", before=page.older, limit=2)
        assert [one.seq for one in page.items] == [2, 1] and page.older is None


def test_odd_queries_are_answered(any_store: str) -> None:
    with live_in(any_store) as site:
        site.tell(update(1, "A fire."))
        for words in ODD:
            site.live.search.find(words)
            site.live.search.find(words, before=2**53)
        assert not site.live.search._is_mended  # none of them seemed to be damage
        assert found(site, "fire", before=2**53) == [1]


def test_the_index_of_another_run_is_made_anew(any_store: str) -> None:
    with live_in(any_store) as site:
        site.tell(update(1, "An old fire."), update(2, "More of it."))
        assert found(site, "old") == [1]
    with (
        open_store(any_store) as store,
        store.begin(LIVE_RUN, {"streams": "other"}, events=[FERRY], restart=True) as run,
    ):
        with store.writing() as connection:
            begun_before = "UPDATE live_search_state SET created_time = created_time - 1, run_id = :run"
            connection.execute(text(begun_before), {"run": LiveStore(store).outputs.end().run_id})
        run.commit((), {}, [update(3, "A new fire.")], (), events=[FERRY])
        live = LiveStore(store)
        assert [one.output.text for one in live.search.find("fire").items] == ["A new fire."]
        assert not live.search.find("old").items


def test_a_damaged_index_is_made_anew_and_without_one_the_last_updates_are_looked_through(
    any_store: str,
) -> None:
    with live_in(any_store) as site:
        site.tell(update(1, "A fire."))
        assert found(site, "fire") == [1]
        with site.live.store.writing() as connection:
            connection.execute(text("DROP TABLE live_search"))
            connection.execute(text("CREATE TABLE live_search (other INTEGER)"))
        assert found(site, "fire") == [1] and site.live.search._is_mended
        assert found(LiveSite(site), "fire") == [1]  # and from there on by the index
    with open_store(any_store, read_only=True) as store:
        assert [one.seq for one in LiveStore(store).search.find("fire").items] == [1]


class LiveSite:
    """The same store, seen by another process."""

    def __init__(self, site: Site) -> None:
        self.live = LiveStore(site.live.store)


def test_nobody_who_searches_waits_for_who_writes(tmp_path: Path) -> None:
    """While another program holds the store locked, the index answers as it is; where there is none, the updates do."""
    path = tmp_path / "live.db"
    with live_in(f"sqlite:///{path}?timeout=2", (FERRY,)) as site:
        site.tell(update(1, "A fire."))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            page = site.live.search.find("fire")
            assert [one.seq for one in page.items] == [1]
            other.execute("ROLLBACK")
            assert found(site, "fire") == [1]
            site.tell(update(2, "Another fire."))
            other.execute("BEGIN IMMEDIATE")
            page = site.live.search.find("fire")
            assert [one.seq for one in page.items] == [1] and not page.is_complete
            # Nor does who is signed in wait until it is noted that they were seen.
            accounts = Desk(site.live.store, clock=lambda: 1000.0).accounts
            other.execute("ROLLBACK")
            token = accounts.begin_session(accounts.add("Ann").id)
            other.execute("BEGIN IMMEDIATE")
            entered = Desk(site.live.store, clock=lambda: 2000.0).entrances.enter(
                token, idle_s=5000, longest_s=5000
            )
            assert entered is not None and entered.account.name == "Ann"
            other.execute("ROLLBACK")
        page = site.live.search.find("fire")
        assert [one.seq for one in page.items] == [2, 1] and page.is_complete


@pytest.mark.long
def test_ten_thousand_updates_are_searched_page_by_page(any_store: str) -> None:
    with live_in(any_store) as site:
        site.tell(*(update(n, f"Fire number {n}.") for n in range(10_000)))
        seen, before = [], None
        while True:
            page = site.live.search.find("fire", before=before, limit=999)
            seen += [one.seq for one in page.items]
            before = page.older
            if before is None:
                break
        assert seen == list(range(10_000, 0, -1))
        assert found(site, "number 777") == [
            seq for seq in range(10_000, 0, -1) if str(seq - 1).startswith("777")
        ]


def test_a_store_that_may_only_be_read_is_looked_through_page_by_page(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    with live_in(path) as site:
        site.tell(*(update(n, "A fire." if n == 1 else "Rain.") for n in range(1, 703)))
    with open_store(path, read_only=True) as store:
        assert [one.seq for one in LiveStore(store).search.find("fire").items] == [1]
