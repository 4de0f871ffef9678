"""`tidings assess simulate`: figures, curves, page and chart of a small collection, and what it refuses."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path

from tests.sweeps import cases, every
from tidings.cli import run
from tidings.core.models.files import read_model
from tidings.core.records import Event
from tidings.evaluation.selection.selection import learned_from
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

BUNDLED = str(bundled.path())


def test_the_table_has_an_order_by_column(capsys) -> None:
    assert run(["assess", "simulate", BUNDLED, "--by", "yield", "--by", "time", "-f", "csv"]) == 0
    head, *rows = csv.reader(capsys.readouterr().out.splitlines())
    assert head == ["figure", "time", "yield"]
    figures = {row[0]: row[1:] for row in rows}
    time, promise = (float(cell.removesuffix(" %")) for cell in figures["matches found, 50 % judged"])
    assert time < promise <= 100
    assert figures["in one queue over all topics, 50 % judged"][0] == "–"
    assert "judged until 90 % are found" in figures


def test_fewer_nuggets_are_found_early_where_none_is_known_in_advance(capsys) -> None:
    found = []
    for given in ([], ["--without-nuggets"]):
        assert run(["assess", "simulate", BUNDLED, "--by", "yield", "-f", "csv", *given]) == 0
        rows = dict(csv.reader(capsys.readouterr().out.splitlines()))
        found.append(float(rows["nuggets found, 50 % judged"].removesuffix(" %")))
    assert found[0] > found[1] + 5


def test_curves_page_and_chart_are_written(tmp_path, capsys) -> None:
    out, html, chart = (str(tmp_path / name) for name in ("curves.tsv", "page.html", "chart.svg"))
    given = ["--by", "random", "--by", "likeness", "--seeds", "2", "--target", "0.8", "--without-nuggets"]
    assert run(["assess", "simulate", BUNDLED, *given, "--out", out, "--out", html, "--out", chart]) == 0
    rows = list(csv.DictReader(Path(out).read_text(encoding="utf-8").splitlines(), delimiter="\t"))
    assert [(row["order"], row["seed"]) for row in rows if row["percent"] == "50"] == [
        ("random", "0"),
        ("random", "1"),
        ("likeness", "0"),
    ]
    pairs = {(match.update_id, match.nugget_id) for match in read_judgments(BUNDLED).matches}
    assert {int(row["matches"]) for row in rows if row["percent"] == "100"} == {len(pairs)}
    page = Path(html).read_text(encoding="utf-8")
    assert "Less work for the same collection" in page and "--without-nuggets" in page
    assert "80 % are found" in page and "<script" not in page
    assert not re.search(r"(src|href)=\"(?!#|data:)", page)
    assert Path(chart).read_text(encoding="utf-8").startswith("<svg")
    assert "judged until 80 % are found" in capsys.readouterr().out


def test_topics_are_shown_one_by_one(capsys) -> None:
    assert run(["assess", "simulate", BUNDLED, "--by", "likeness", "--per-topic", "-f", "tsv"]) == 0
    head, row = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    assert head == ["topic", "title", "updates", "matches", "likeness at 50 %", "likeness for 90 %"]
    assert row[0] == read_judgments(BUNDLED).events[0].id and row[4].endswith(" %")


@every(
    "given, said",
    cases(__file__, "what is not there is refused before anything is judged", lists=True),
)
def test_what_is_not_there_is_refused_before_anything_is_judged(given, said, capsys) -> None:
    assert run(["assess", "simulate", BUNDLED, *given]) == 2
    captured = capsys.readouterr()
    assert said in captured.err and not captured.out
    assert len(captured.err.splitlines()) == 1


def test_suggestions_are_counted_with_and_without_the_matcher(capsys) -> None:
    assert run(["assess", "simulate", BUNDLED, "--suggestions", "-f", "csv"]) == 0
    head, *rows = csv.reader(capsys.readouterr().out.splitlines())
    assert head[:3] == ["suggested by", "matches", "first right"]
    assert [row[:2] for row in rows] == [
        ["likeness", "none"],
        ["matcher first", "none"],
        ["likeness", "known"],
        ["matcher first", "known"],
    ]
    first = [float(row[2]) for row in rows]
    assert first[0] < min(first[1], first[2])  # the matcher helps, and so do known matches
    assert all(0 < float(cell) <= 1 for row in rows for cell in row[2:])


def test_a_collection_without_matches_is_refused(tmp_path, capsys) -> None:
    folder = tmp_path / "event"
    shutil.copytree(BUNDLED, folder)
    (folder / "matches.jsonl").write_text("")
    assert run(["assess", "simulate", str(folder)]) == 2
    assert "no topic has a pool and matches" in capsys.readouterr().err


def test_topics_that_the_weights_learned_from_are_counted_aloud(monkeypatch, capsys) -> None:
    monkeypatch.setattr("tidings.evaluation.selection.selection.learned_from", list)
    assert run(["assess", "simulate", BUNDLED, "--by", "time", "-f", "tsv"]) == 0
    assert "weights that were learned on 1 of these 1 topics" in capsys.readouterr().err


def test_the_weights_know_the_topics_that_they_learned_from() -> None:
    known = read_model("selection").settings["topics"]
    assert len(known) == 9
    number, title = next(iter(known.items()))
    events = [Event(id=f"TS13.{number}", title=title, query=""), Event(id=number, title="Another", query="")]
    assert learned_from(events) == events[:1]
