"""Automatic clusters: average linkage by hand and against SciPy's, what is alike, and what clusters are made of."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.sweeps import every
from tidings.cli import run as tidings
from tidings.core.errors import LimitError
from tidings.core.records import Cluster, Judgments, Match, Nugget, PooledUpdate
from tidings.evaluation import clustering as automatic
from tidings.evaluation.clustering import (
    LEVEL,
    average_linkage,
    by_event,
    cluster_judgments,
    cluster_updates,
    read_clusters,
)
from tidings.evaluation.measures.agreement import adjusted_rand
from tidings.evaluation.study.collection import collect
from tidings.sources import bundled
from tidings.sources.streams import read_judgments


def pool(*texts: str, event: str = "e") -> list[PooledUpdate]:
    return [PooledUpdate(event, f"d{number}", 0, text) for number, text in enumerate(texts)]


def slow_average_linkage(likeness: np.ndarray, level: float) -> list[list[int]]:
    """The two groups of the highest mean likeness merged, again and again."""
    groups = [[number] for number in range(len(likeness))]
    while len(groups) > 1:
        mean, one, other = max(
            (float(likeness[np.ix_(a, b)].mean()), -i, -j)
            for i, a in enumerate(groups)
            for j, b in enumerate(groups[:i])
        )
        if mean < level:
            break
        groups[-other] = sorted(groups[-other] + groups.pop(-one))
    return sorted(groups)


class TestLinkage:
    @every("seed", range(25))
    def test_is_that_of_merging_the_best_two_again_and_again(self, seed: int) -> None:
        draw = np.random.default_rng(seed)
        upper = np.triu(draw.random((13, 13)), 1)
        likeness = upper + upper.T
        level = float(draw.uniform(0.2, 0.8))
        assert average_linkage(likeness.copy(), level) == slow_average_linkage(likeness, level)

    @pytest.mark.long  # loading SciPy takes a second
    def test_is_scipys(self) -> None:
        hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
        upper = np.triu(np.random.default_rng(7).random((60, 60)), 1)
        likeness = upper + upper.T
        made = average_linkage(likeness.copy(), 0.55)
        tree = hierarchy.linkage((1 - likeness)[np.triu_indices(60, 1)], "average")
        labels = hierarchy.fcluster(tree, 0.45, "distance")
        assert {tuple(np.flatnonzero(labels == label)) for label in set(labels)} == set(map(tuple, made))

    @every("seed", range(20))
    def test_of_equal_likenesses_too_no_two_groups_are_left_to_merge(self, seed: int) -> None:
        upper = np.triu(np.random.default_rng(seed).integers(1, 4, (12, 12)), 1) / 5
        likeness = upper + upper.T
        groups = average_linkage(likeness.copy(), 0.35)
        assert sorted(number for group in groups for number in group) == list(range(12))
        means = [likeness[np.ix_(a, b)].mean() for a in groups for b in groups if a is not b]
        assert max(means, default=0.0) < 0.35

    def test_ends_where_all_are_equally_alike(self) -> None:
        assert average_linkage(np.full((9, 9), 0.5), 0.5) == [list(range(9))]
        assert average_linkage(np.full((9, 9), 0.5), 0.51) == [[number] for number in range(9)]

    def test_of_one_and_of_none(self) -> None:
        assert average_linkage(np.ones((1, 1)), 0.1) == [[0]]
        assert average_linkage(np.ones((0, 0)), 0.1) == []


class TestLikeness:
    def test_is_the_share_of_rarity_of_the_lighter_text(self) -> None:
        """It is 1 where one text holds all that the other does."""
        updates = pool("ferry fire fire", "ferry fire coast police", "goal", "the and")
        assert len(cluster_updates(updates, level=0.999)) == 3
        assert len(cluster_updates(pool("ferry coast police", "goal", "the and"), level=0.001)) == 3

    def test_many_texts_are_grouped_part_by_part_as_they_are_in_one_table(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        draw = np.random.default_rng(5)
        words = [chr(97 + one) * 3 + chr(97 + other) for one in range(12) for other in range(20)]
        updates = pool(*(" ".join(draw.choice(words, 6)) for _ in range(300)))
        whole = cluster_updates(updates)
        monkeypatch.setattr(automatic, "_TOGETHER", 0)
        assert cluster_updates(updates) == whole
        assert 30 < len(whole) < 300


class TestClusters:
    TEXTS = (
        "A goal was scored.",
        "The ferry  burned",
        "The ferry  burned",
        "Ferry burned today",
        "A late goal",
    )

    def test_copies_are_where_their_text_is_and_the_label_is_the_middle(self) -> None:
        made = cluster_updates(pool(*self.TEXTS), level=0.3)
        assert made == (
            Cluster("e", "c1", ("d0-0", "d4-0"), "A goal was scored."),
            Cluster("e", "c2", ("d1-0", "d2-0", "d3-0"), "The ferry burned"),
        )
        middle = cluster_updates(pool("fire harbour", "fire harbour crew police", "crew police"), level=0.1)
        assert [one.label for one in middle] == ["fire harbour crew police"]

    def test_are_of_the_chosen_alone_in_the_order_of_the_updates(self) -> None:
        made = cluster_updates(pool(*self.TEXTS), {"d3-0", "d1-0", "d0-0"})
        assert [one.update_ids for one in made] == [("d0-0",), ("d1-0", "d3-0")]
        backwards = [*pool(*self.TEXTS)[::-1], *pool(*self.TEXTS)]
        assert [one.update_ids for one in cluster_updates(backwards)] == [
            ("d4-0", "d0-0"), ("d3-0", "d2-0", "d1-0")
        ]  # fmt: skip
        assert cluster_updates(pool(*self.TEXTS), set()) == cluster_updates([]) == ()

    def test_the_level_decides(self) -> None:
        updates = pool("ferry fire coast", "ferry goal crew", "police line")
        sizes = [len(cluster_updates(updates, level=level)) for level in (0.1, LEVEL, 0.5)]
        assert sizes == [2, 2, 3]

    def test_without_words_each_text_is_alone(self) -> None:
        assert len(cluster_updates(pool("the", "and", "the"))) == 2

    def test_too_many_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(automatic, "_MOST_LINKED", 3)
        with pytest.raises(LimitError, match="e: 4 different texts are alike, more than the 3 that"):
            cluster_updates(pool(*self.TEXTS))

    def test_of_judgments_event_by_event(self) -> None:
        updates = (*pool(*self.TEXTS), *pool("The ferry burned", event="f"))
        judged = Judgments(
            name="j",
            pool=updates,
            nuggets=(Nugget("e", "N", 0, 1, "Goal"),),
            matches=(Match("e", "d0-0", "N", 0, 1), Match("e", "d1-0", "unlisted", 0, 1)),
        )
        assert [(one.event_id, len(one.update_ids)) for one in cluster_judgments(judged)] == [
            ("e", 2), ("e", 3), ("f", 1)
        ]  # fmt: skip
        assert [one.update_ids for one in cluster_judgments(judged, least=3)] == [("d1-0", "d2-0", "d3-0")]
        assert [one.update_ids for one in cluster_judgments(judged, relevant=True)] == [("d0-0",)]
        further = [PooledUpdate("e", "r", 0, "Another goal"), updates[1], PooledUpdate("g", "r", 0, "New")]
        made = cluster_judgments(judged, further, relevant=True)
        assert [(one.event_id, one.update_ids) for one in made] == [("e", ("d0-0", "r-0")), ("g", ("r-0",))]

    def test_on_the_bundled_event_they_are_somewhat_like_peoples(self) -> None:
        judged = read_judgments(bundled.path())
        made = by_event(cluster_judgments(judged, relevant=True))["santiago-2013"]
        people = by_event(judged.clusters)["santiago-2013"]
        both = sorted(made.keys() & people.keys())
        agreed = adjusted_rand([made[name] for name in both], [people[name] for name in both])
        assert len(both) == 344
        assert agreed == pytest.approx(0.369, abs=0.03)


class TestComparison:
    def test_an_update_of_several_clusters_is_of_the_first(self) -> None:
        twice = [Cluster("e", "c1", ("a", "b")), Cluster("e", "c2", ("b", "c"))]
        assert by_event(twice) == {"e": {"a": "c1", "b": "c1", "c": "c2"}}


class TestVerb:
    FOLDER = str(bundled.path())

    def test_writes_what_study_reads(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        out = tmp_path / "clusters.jsonl"
        assert tidings(["cluster", "-j", self.FOLDER, "--out", str(out), "--relevant", "--least", "2"]) == 0
        made = read_clusters(out)
        expected = cluster_judgments(read_judgments(self.FOLDER), relevant=True, least=2)
        assert made == expected
        updates = sum(len(one.update_ids) for one in made)
        assert f"{len(made)} clusters of {updates} updates are in {out}" in capsys.readouterr().err
        assert tidings(["study", self.FOLDER, str(out), "--seeds", "1", "-f", "json"]) == 0
        counts = json.loads(capsys.readouterr().out)["counts"]
        assert counts[0]["clusters"] == len(made)

    def test_updates_of_runs_are_grouped_too(self, tmp_path: Path) -> None:
        run = tmp_path / "run.jsonl"
        line = {"event": "santiago-2013", "doc": "9-new", "sentence": 0, "time": 1374700000}
        run.write_text(json.dumps(line | {"text": "The driver is accused of 79 counts of homicide."}) + "\n")
        out = tmp_path / "c.jsonl"
        assert tidings(["cluster", str(run), "-j", self.FOLDER, "--out", str(out), "--relevant"]) == 0
        (own,) = [one for one in read_clusters(out) if "9-new-0" in one.update_ids]
        assert len(own.update_ids) > 1

    def test_no_nuggets_are_needed(self, tmp_path: Path) -> None:
        event = {"id": "TS14.1", "title": "t", "query": "q", "start_time": 0, "end_time": 9}
        (tmp_path / "event.json").write_text(json.dumps(event))
        document = {"id": "d", "published_time": 1, "sentences": ["A ferry burned."]}
        (tmp_path / "documents.jsonl").write_text(json.dumps(document) + "\n")
        line = {"event": "1", "doc": "r", "sentence": 0, "time": 5, "text": "The ferry burned."}
        (tmp_path / "run.jsonl").write_text(json.dumps(line) + "\n")
        out = tmp_path / "c.jsonl"
        assert tidings(["cluster", str(tmp_path / "run.jsonl"), "-j", str(tmp_path), "--out", str(out)]) == 0
        assert [(one.event_id, one.update_ids) for one in read_clusters(out)] == [("TS14.1", ("d-0", "r-0"))]

    @every(
        "lack, options, words",
        [
            ("matches.jsonl", ["--relevant"], "--relevant needs updates"),
            ("documents.jsonl", [], "no pooled updates"),
        ],
    )
    def test_what_lacks_is_said(
        self, lack: str, options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        event = {"id": "e", "title": "t", "query": "q", "start_time": 0, "end_time": 9}
        (tmp_path / "event.json").write_text(json.dumps(event))
        document = {"id": "d", "published_time": 1, "sentences": ["A ferry burned."]}
        lines = json.dumps(document) + "\n" if lack != "documents.jsonl" else ""
        (tmp_path / "documents.jsonl").write_text(lines)
        assert tidings(["cluster", "-j", str(tmp_path), "--out", str(tmp_path / "c"), *options]) == 2
        assert words in capsys.readouterr().err


def test_a_study_with_automatic_clusters(capsys: pytest.CaptureFixture[str]) -> None:
    judged = read_judgments(bundled.path())
    made = collect([judged], silver="automatic")
    assert made.silver == "automatic"
    assert made.judgments.clusters == cluster_judgments(judged, relevant=True)
    assert (
        tidings(["study", str(bundled.path()), "--silver", "automatic", "--seeds", "1", "-f", "markdown"])
        == 0
    )
    words = capsys.readouterr().out
    assert "silver ones, made of the words of updates that match nuggets" in words
    assert "made by a program from the words of the updates that match nuggets" in words
