"""`tidings reuse`, as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.cli import run as tidings
from tidings.core.records import Run, Update
from tidings.following.outputs.outputs import write_updates
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

EVENT = "santiago-2013"


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    ids = list(dict.fromkeys(one.update_id for one in read_judgments(bundled.path()).matches))
    parts = {"one": ids[:40], "two": ids[30:50], "three": ids[45:48]}
    paths = []
    for team, own in parts.items():
        updates = []
        for at, update in enumerate(own):
            doc, _, index = update.rpartition("-")
            updates.append(Update(EVENT, doc, int(index), 1374700000 + at, 1 - at / 100))
        paths.append(str(tmp_path / f"{team}.jsonl"))
        write_updates(paths[-1], [Run(team, "r", tuple(updates))])
    return paths


def reuse(*arguments: object) -> int:
    return tidings(["reuse", str(bundled.path()), *map(str, arguments)])


def test_what_is_lost_and_mended(runs: list[str], tmp_path: Path, capsys) -> None:
    matches = tmp_path / "matches.jsonl"
    assert tidings(["match", "-j", str(bundled.path()), "--out", str(matches)]) == 0
    capsys.readouterr()
    given = (*runs, "--matches", matches, "--draws", 3, "--depth", 5, "--depth", 30)
    assert reuse(*given) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("Can these judgments be reused?\n\n3 runs over 1 event of")
    assert "with automatic matches" in shown.out and "expected over draws" in shown.out
    assert not shown.err
    out = tmp_path / "r.json"
    assert reuse(*given, "--out", out) == 0
    made = json.loads(out.read_text())
    assert [one["run"] for one in made["left"]] == ["one r", "two r", "three r"]
    assert [one["lost"] for one in made["left"]] == [30, 7, 0]
    first = made["left"][0]
    assert first["people"] < first["mended"]["decided"]
    assert [one["depth"] for one in made["depths"]] == [5, 30]
    assert made["people"]["moved"] >= 0
    assert made["automatic"]["absolute"] > 0 and made["expected"]["absolute"] > 0
    assert made["command"].startswith("tidings reuse ")
    assert "--depth 5 --depth 30" in made["command"]
    assert list(made["files"]) == runs
    assert f"the report is at {out}" in capsys.readouterr().err


@pytest.mark.long
def test_forms_for_papers(runs: list[str], capsys) -> None:
    for form, mark in (("markdown", "# Can these"), ("latex", r"\begin{tabular}")):
        assert reuse(*runs, "--judged-only", "--depth", 5, "-f", form) == 0
        assert mark in capsys.readouterr().out


@pytest.mark.long
def test_without_a_matcher(runs: list[str], tmp_path: Path, capsys) -> None:
    assert reuse(*runs, "--judged-only", "--by", "team", "--depth", 5) == 0
    assert "automatic matches" not in capsys.readouterr().out
    assert reuse(*runs, "--judged-only", "--measure", "LC", "-f", "json") == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["measure"], made["automatic"], made["covered"]) == ("LC", None, None)
    assert [one["depth"] for one in made["depths"]] == [5, 10, 20, 40]
    assert made["left"][0]["mended"] is None


@pytest.mark.long
def test_a_page_has_its_charts_and_shows_no_strangers_marks(runs: list[str], tmp_path: Path) -> None:
    path = Path(runs[0])
    path.write_text(path.read_text().replace('"one"', '"<script>alert(1)</script>"'))
    page = tmp_path / "r.html"
    assert reuse(*runs, "--judged-only", "--depth", 5, "--out", page) == 0
    html = page.read_text()
    assert "<script" not in html
    assert "automatic matches" not in html
    assert html.count("<figure>") == html.count("<svg") == 3
    assert "http://" not in html.replace("http://www.w3.org/", "")


REFUSED = tuple(cases(__file__, "refused"))


@every("options, said", REFUSED)
def test_what_makes_no_sense_is_refused(runs: list[str], capsys, options, said) -> None:
    assert reuse(*runs, *options) == 2
    assert said in capsys.readouterr().err


def test_one_run_is_too_few(runs: list[str], capsys) -> None:
    assert reuse(runs[0], "--judged-only") == 2
    assert "1 run (expected at least two to leave out in turn)" in capsys.readouterr().err


@every(
    "verb",
    {
        "match": ["-j", "{}", "--out", "gone/m.jsonl"],
        "cluster": ["-j", "{}", "--out", "gone/m.jsonl"],
        "reuse": ["{}", "a.jsonl", "b.jsonl", "--out", "gone/m.html"],
        "study": ["{}", "{}", "--suggest", "gone/m.tsv"],
        "score": ["a.jsonl", "-j", "{}", "--out", "gone/m.tsv"],
    }.items(),
)
def test_a_folder_that_is_not_there_is_missed_before_anything_is_done(
    verb, monkeypatch, tmp_path, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    name, given = verb
    assert tidings([name, *(one.format(bundled.path()) for one in given)]) == 2
    error = capsys.readouterr().err
    assert "there is no folder gone; make it first" in error
    assert len(error.splitlines()) == 1
