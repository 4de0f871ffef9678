"""Clusters and grades as files: whose count, in which order, and back again."""

from __future__ import annotations

from pathlib import Path

from tests.annotation.pages.desks import People, desk_with
from tidings.annotation.desk.exchange.exporting import (
    clusters_that_count,
    export_judgments,
    relevance_grades,
    write_cluster_files,
)
from tidings.annotation.store import Act
from tidings.core.records import Cluster, Event, Judgments, PooledUpdate
from tidings.core.records.judgments import FINAL, Change, DeskItem, JudgedObject
from tidings.evaluation.formats.tweets import read_qrels, read_tweet_clusters


def item(name: str, time: int, number: int) -> DeskItem:
    return DeskItem(1, 1, "update", name, number, time, None)


def cluster(layer: str, name: str, version: int, **value: object) -> JudgedObject:
    return JudgedObject(1, layer, "cluster", name, version, {"label": name.upper(), **value})


def member(layer: str, update: str, version: int, name: str | None) -> JudgedObject:
    return JudgedObject(1, layer, "membership", update, version, {"cluster": name})


ITEMS = [item("late", 30, 1), item("early", 10, 2), item("middle", 20, 3)]


class TestDecided:
    def test_members_are_in_time_order_and_clusters_by_number(self) -> None:
        objects = [
            cluster("judge-1", "a", 1, number=2),
            cluster("judge-1", "b", 2, number=1),
            *(member("judge-1", name, 3 + n, "a") for n, name in enumerate(["unknown", "late", "early"])),
            member("judge-1", "middle", 9, "b"),
        ]
        assert clusters_that_count("E", objects, ITEMS) == [
            Cluster("E", "b", ("middle",), "B"),
            Cluster("E", "a", ("early", "late", "unknown"), "A"),
        ]

    def test_it_is_one_judges_clustering_and_no_mixture(self) -> None:
        objects = [
            cluster("judge-1", "first", 1),
            member("judge-1", "late", 2, "first"),
            cluster("judge-2", "more", 3),
            member("judge-2", "early", 4, "more"),
            member("judge-2", "middle", 5, None),
        ]
        assert clusters_that_count("E", objects, ITEMS) == [Cluster("E", "more", ("early",), "MORE")]
        assert clusters_that_count("E", objects[:4], ITEMS) == [Cluster("E", "first", ("late",), "FIRST")]

    def test_final_ones_come_first_and_one_without_members_stays_only_there(self) -> None:
        objects = [
            cluster("judge-1", "own", 1, number=1),
            cluster("judge-1", "empty", 2, number=2),
            member("judge-1", "late", 3, "own"),
            member("judge-1", "early", 4, "own"),
            member("judge-1", "middle", 5, "old"),
            cluster(FINAL, "old", 6),
            cluster(FINAL, "none", 7),
            member(FINAL, "late", 8, "old"),
        ]
        assert clusters_that_count("E", objects, ITEMS) == [
            Cluster("E", "old", ("middle", "late"), "OLD"),
            Cluster("E", "none", (), "NONE"),
            Cluster("E", "own", ("early",), "OWN"),
        ]

    def test_grades_are_final_or_the_first_judges_or_what_the_place_says(self) -> None:
        def graded(layer: str, update: str, version: int, grade: int) -> JudgedObject:
            return JudgedObject(1, layer, "relevance", update, version, {"grade": grade})

        objects = [
            graded("judge-2", "late", 1, 0),
            graded("judge-1", "late", 2, 2),
            graded("judge-1", "early", 3, 1),
            graded(FINAL, "early", 4, 2),
            cluster("judge-1", "a", 5),
            member("judge-1", "late", 6, "a"),
            member("judge-1", "middle", 7, None),
            member("judge-1", "other", 8, "a"),
            member("judge-2", "another", 9, "a"),
        ]
        grades = relevance_grades(objects, ITEMS)
        assert list(grades.items()) == [("early", 2), ("middle", 0), ("late", 0), ("other", 1)]


def judgments(clusters: tuple[Cluster, ...] = ()) -> Judgments:
    pool = tuple(
        PooledUpdate("RTS1", f"t{n}", 0, text, published_time=100 * (3 - n))
        for n, text in enumerate(["A fire.", "Fire!", "Rain."])
    )
    event = Event(id="RTS1", title="Fire", query="fire")
    return Judgments(name="tweets", events=(event,), pool=pool, clusters=clusters)


def record(people: People, *changes: Change) -> None:
    people.desk.log.record(people.project.id, Act(key="by-a-test", operation="x", topic=1), list(changes))


def test_what_is_written_is_read_and_imported_and_written_the_same(tmp_path: Path) -> None:
    with desk_with(tmp_path / "a.db", judgments()) as people:
        assert write_cluster_files(people.desk, people.project, tmp_path) == []
        record(
            people,
            Change("judge-2", "cluster", "c9", {"label": "fire", "number": 1}),
            Change("judge-2", "membership", "t0-0", {"cluster": "c9"}),
            Change("judge-2", "membership", "t1-0", {"cluster": "c9"}),
            Change("judge-2", "relevance", "t0-0", {"grade": 2}),
            Change("judge-2", "relevance", "t2-0", {"grade": 0}),
        )
        written = write_cluster_files(people.desk, people.project, tmp_path)
        assert [path.name for path in written] == ["clusters.json", "qrels.txt"]
        exported = export_judgments(people.desk, people.project).clusters
    clusters = read_tweet_clusters(tmp_path / "clusters.json")
    assert clusters == exported == (Cluster("RTS1", "c9", ("t1-0", "t0-0"), "fire"),)
    grades = read_qrels(tmp_path / "qrels.txt")
    assert grades == {"RTS1": {"t2-0": 0, "t1-0": 1, "t0-0": 2}}
    again = tmp_path / "again"
    again.mkdir()
    with desk_with(tmp_path / "b.db", judgments(clusters)) as people:
        changes = [Change("final", "relevance", one, {"grade": n}) for one, n in grades["RTS1"].items()]
        record(people, *changes)
        for path in write_cluster_files(people.desk, people.project, again):
            assert path.read_bytes() == (tmp_path / path.name).read_bytes()
