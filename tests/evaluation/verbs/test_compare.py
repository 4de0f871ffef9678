"""`tidings compare`, as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sweeps import cases
from tidings.cli import run
from tidings.sources import bundled

EVENT = "santiago-2013"


def write_run(path: Path, name: str, take: slice) -> Path:
    """A run of some matched sentences of the bundled event, told when they were published."""
    documents = [json.loads(line) for line in (bundled.path() / "documents.jsonl").read_text().splitlines()]
    published = {document["id"]: document["published_time"] for document in documents}
    lines = (bundled.path() / "matches.jsonl").read_text().splitlines()
    updates = list(dict.fromkeys(json.loads(line)["update"] for line in lines))[take]
    rows = []
    for update in updates:
        doc, _, index = update.rpartition("-")
        rows.append(f"{EVENT} me {name} {doc} {index} {published[doc]} 1.0")
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    return [
        write_run(tmp_path / "a.run", "few", slice(0, 4)),
        write_run(tmp_path / "b.run", "many", slice(0, 40)),
    ]


def compare(*arguments: object) -> int:
    return run(
        [
            "compare",
            *map(str, arguments),
            "--judgments",
            str(bundled.path()),
            "--resamples",
            "50",
            "--samples",
            "50",
        ]
    )


class TestCompare:
    def test_prints_scores_differences_and_notes(self, runs: list[Path], capsys) -> None:
        assert compare(*runs, "--measures", "H,LC") == 0
        out = capsys.readouterr().out
        assert out.startswith("Scores")
        assert "H against few" in out
        assert "LC against few" in out
        assert "By H (p after Holm's correction), many" in out

    def test_json_equals_what_score_says(self, runs: list[Path], capsys) -> None:
        """Every mean can be traced to `tidings score`."""
        assert compare(*runs, "--baseline", "many", "--format", "json", "-m", "LC,H,E[V]") == 0
        found = json.loads(capsys.readouterr().out)
        run(
            [
                "score",
                *map(str, runs),
                "-j",
                str(bundled.path()),
                "-f",
                "jsonl",
                "--per-event",
                "--mean",
                "all",
            ]
        )
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        values = {(row["run"], row["event"], row["measure"]): row["value"] for row in rows}
        assert found["baseline"] == "many"
        assert [one["measure"] for one in found["measures"]] == ["LC", "H", "E[V]"]
        for one in found["measures"]:
            for name in ("few", "many"):
                assert one["scores"][name][EVENT] == values[name, EVENT, one["measure"]]
                assert one["means"][name] == pytest.approx(values[name, "all", one["measure"]])
        assert found["files"][0]["path"].endswith("a.run")
        assert len(found["files"][0]["sha256"]) == 64
        assert "--baseline many" in found["command"]

    def test_the_command_that_it_states_gives_the_same(self, runs: list[Path], capsys) -> None:
        import shlex

        assert compare(*runs, "-m", "LC", "-f", "json", "--seed", "7", "--correction", "tukey") == 0
        first = json.loads(capsys.readouterr().out)
        assert run([*shlex.split(first["command"])[1:], "-f", "json"]) == 0
        assert json.loads(capsys.readouterr().out) == first

    def test_the_main_measure_stands_first_unless_others_are_asked_for(
        self, runs: list[Path], capsys
    ) -> None:
        assert compare(*runs) == 0
        head = capsys.readouterr().out.splitlines()[2].split()
        assert head[:2] == ["run", "H"]
        assert "updates" not in head, "no run is better for saying more"

    def test_writes_a_page_and_charts(self, runs: list[Path], tmp_path: Path, capsys) -> None:
        page, folder = tmp_path / "out.html", tmp_path / "charts"
        assert compare(*runs, "--out", page, "--charts", folder, "-m", "H") == 0
        assert page.read_text().startswith("<!DOCTYPE html>")
        names = {path.name for path in folder.iterdir()}
        assert {"intervals.svg", "intervals.png", "topics-2.svg", "size.svg", "time.png"} <= names
        said = capsys.readouterr()
        assert "the page is at" in said.err
        assert "<html" not in said.out

    @pytest.mark.parametrize(("form", "start"), [("markdown", "### Scores"), ("latex", "% Scores")])
    def test_other_forms(self, runs: list[Path], capsys, form: str, start: str) -> None:
        assert compare(*runs, "-f", form, "-m", "H", "--per-event") == 0
        assert capsys.readouterr().out.startswith(start)

    def test_without_scipy_the_rest_stands(
        self, runs: list[Path], capsys, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import importlib.util

        find = importlib.util.find_spec
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "scipy" else find(name))
        assert compare(*runs, "-m", "H") == 0
        out = capsys.readouterr().out
        assert "p(t)" not in out
        assert "pip install -e '.[stats]'" in out


class TestWrongInput:
    @pytest.mark.parametrize(
        ("more", "says"),
        cases(__file__, "is said in one line", lists=True),
    )
    def test_is_said_in_one_line(self, runs: list[Path], capsys, more: list[str], says: str) -> None:
        assert compare(*runs, *more) == 2
        said = capsys.readouterr()
        assert says in said.err
        assert said.out == ""

    def test_one_run_is_not_enough_and_one_twice_neither(self, runs: list[Path], capsys) -> None:
        assert compare(runs[0]) == 2
        assert compare(runs[0], runs[0]) == 2
        assert "run 'me few' twice" in capsys.readouterr().err

    def test_charts_need_a_folder(self, runs: list[Path], capsys) -> None:
        assert compare(*runs, "--charts", runs[0]) == 2
        assert "this is a file, not a folder" in capsys.readouterr().err

    def test_nothing_is_written_when_something_is_wrong(self, runs: list[Path], tmp_path: Path) -> None:
        page = tmp_path / "out.html"
        assert compare(*runs, "--out", page, "--baseline", "nobody") == 2
        assert not page.exists()


@pytest.mark.shared_data
def test_the_submitted_runs_keep_their_official_means(shared_data: Path, capsys) -> None:
    """No cunlp run is silent, so its means here are NIST's: H .1162, .0602, .0403 (TREC 2014 table)."""
    folder = shared_data / "trec-ts" / "2014"
    arguments = ["compare", str(folder / "runs" / "cunlp.run.gz"), "-j", str(folder), "-m", "H", "-f", "json"]
    assert run([*arguments, "--baseline", "3AP", "--samples", "500", "--resamples", "500"]) == 0
    found = json.loads(capsys.readouterr().out)["measures"][0]
    assert {name: round(value, 4) for name, value in found["means"].items()} == {
        "1APSalRed": 0.0602,
        "2APSal": 0.1162,
        "3AP": 0.0403,
    }
    assert found["beats"]["2APSal"] == ["1APSalRed", "3AP"]


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("rules", "folder", "file", "main", "sized"),
    [
        ("rts-2017-a", "rts/2017", "synthA.A.run.gz", "EG-1", True),
        ("ttg-2014", "ttg/2014", "", "F1w", False),
    ],
)
def test_other_families_compare_too(
    shared_data: Path, tmp_path: Path, capsys, rules: str, folder: str, file: str, main: str, sized: bool
) -> None:
    """A submitted run against every third line of itself, renamed."""
    import gzip

    whole = next(path for path in (shared_data / folder / "runs").iterdir() if path.name == file or not file)
    lines = gzip.decompress(whole.read_bytes()).decode().splitlines()
    thin, page = tmp_path / "thin.run", tmp_path / "page.html"
    thin.write_text("".join(f"{line.rsplit(None, 1)[0]} thin\n" for line in lines[::3]))
    arguments = ["compare", whole, thin, "-j", shared_data / folder, "--rules", rules, "--out", page]
    assert run([*map(str, arguments), "--samples", "100", "--resamples", "100", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["measures"][0]["measure"] == main
    assert found["measures"][0]["means"][found["baseline"]] != found["measures"][0]["means"]["thin"]
    assert ("against the number of" in page.read_text()) == sized
    assert "Comprehensiveness over time" not in page.read_text()
