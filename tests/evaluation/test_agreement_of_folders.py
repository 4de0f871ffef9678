"""Several judges' folders compared: figures, disagreements, the verb."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from msgspec.structs import replace

from tidings.cli import run as tidings
from tidings.core.records import Cluster, Event, Judgments, Match, Nugget, PooledUpdate
from tidings.evaluation.judgment_agreement import compare_judgments
from tidings.sources import bundled
from tidings.sources.own.judgments import write_own_judgments
from tidings.sources.streams import read_judgments

POOL = tuple(PooledUpdate("e", "d", number, "The ferry burns.") for number in range(6))
STORM = Event(id="e", title="Storm", query="storm")
NUGGETS = (Nugget("e", "n1", 5, 1, "fire"), Nugget("e", "n2", 5, 1, "ferry"))


def judge(links=(), clusters=(), **options) -> Judgments:
    matches = tuple(Match("e", f"d-{at}", nugget, start, end) for at, nugget, start, end in links)
    made = tuple(Cluster("e", str(n), tuple(f"d-{at}" for at in own)) for n, own in enumerate(clusters))
    return Judgments(
        **{"name": "x", "pool": POOL, "nuggets": NUGGETS, "matches": matches, "clusters": made} | options
    )


def test_figures_of_two_judges() -> None:
    one = judge([(0, "n1", 0, 8), (1, "n1", 0, 4), (2, "n2", 0, 4)])
    other = judge([(0, "n1", 4, 8), (1, "n2", 0, 4)])
    made = compare_judgments([one, other]).events[0]
    assert (made.updates, made.relevant) == (6, 3)
    # 5 of 6 labels agree; 5 of 12 are relevant: (5/6 − (25 + 49)/144) / (1 − (25 + 49)/144)
    assert made.kappa == pytest.approx((5 / 6 - 74 / 144) / (1 - 74 / 144))
    assert made.links == pytest.approx(2 / 5)
    assert made.spans == pytest.approx(2 / 3)


def test_each_disagreement_is_named_once() -> None:
    one = judge([(0, "n1", 0, 8), (1, "n1", 0, 4), (2, "n2", 0, 4)])
    other = judge([(0, "n1", 4, 8), (1, "n2", 0, 4)])
    found = compare_judgments([one, other]).disagreements
    assert [(one.kind, one.update_id, one.nugget_id, one.answers) for one in found] == [
        ("span", "d-0", "n1", ("0-8", "4-8")),
        ("link", "d-1", "n1", ("0-4", "no")),
        ("link", "d-1", "n2", ("no", "0-4")),
        ("relevance", "d-2", "", ("yes", "no")),
    ]


def test_clusters_are_compared_where_both_have_them() -> None:
    made = compare_judgments([judge(clusters=[[0, 1], [2, 3]]), judge(clusters=[[0, 1, 5], [2, 3]])]).events[
        0
    ]
    assert (made.ari, made.ami) == (1, pytest.approx(1))
    assert made.relevant == 5


def test_judges_with_nuggets_of_their_own_are_not_compared_by_links() -> None:
    other = judge([(0, "a", 0, 8)], nuggets=(Nugget("e", "a", 5, 1, "fire"),))
    made = compare_judgments([judge([(0, "n1", 0, 8)]), other]).events[0]
    assert made.links != made.links
    assert made.kappa == 1


def test_updates_that_one_has_not_seen_do_not_count() -> None:
    made = compare_judgments([judge(), judge(pool=POOL[:4])])
    assert made.events[0].updates == 4


def test_one_judge_is_refused() -> None:
    with pytest.raises(ValueError, match="at least two"):
        compare_judgments([judge()])


@pytest.fixture
def folders(tmp_path: Path) -> list[str]:
    """The bundled judgments, and the same without every tenth match."""
    whole = read_judgments(bundled.path())
    fewer = replace(whole, matches=tuple(match for n, match in enumerate(whole.matches) if n % 10))
    write_own_judgments(tmp_path / "b", fewer)
    return [str(bundled.path()), str(tmp_path / "b")]


def test_the_verb_compares_folders(folders: list[str], tmp_path: Path, capsys) -> None:
    listed = tmp_path / "list.tsv"
    assert tidings(["agreement", *folders, "-f", "csv", "--disagreements", str(listed)]) == 0
    row = next(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert row["event"] == "santiago-2013"
    assert float(row["spans"]) == 1
    assert float(row["ari"]) == 1
    matches = len(read_judgments(folders[0]).matches)
    gone = len(range(0, matches, 10))
    assert float(row["links"]) == pytest.approx(2 * (matches - gone) / (2 * matches - gone), abs=0.02)
    head, *lines = listed.read_text().splitlines()
    assert head.split("\t")[:4] == ["event", "kind", "update", "nugget"]
    assert lines
    assert {line.split("\t")[1] for line in lines} <= {"relevance", "link"}


def test_folders_without_a_common_event_are_refused(folders: list[str], tmp_path: Path, capsys) -> None:
    write_own_judgments(
        tmp_path / "c", judge(pool=(PooledUpdate("e", "5-d", 0, "The ferry burns."),), events=(STORM,))
    )
    assert tidings(["agreement", folders[0], str(tmp_path / "c")]) == 2
    assert "no event that all of" in capsys.readouterr().err
    assert tidings(["agreement", folders[0], "--disagreements", str(tmp_path / "x")]) == 2
