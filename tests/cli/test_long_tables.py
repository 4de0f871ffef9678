"""`compare` and `explain` into files and as plain columns."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tidings.cli import run as tidings
from tidings.core.records import Run, Update
from tidings.following.outputs.outputs import write_updates
from tidings.sources import bundled
from tidings.sources.streams import read_stream

EVENT = "santiago-2013"


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    documents = list(read_stream(bundled.path()))
    told = [
        Update(EVENT, one.id, 0, one.published_time + 5, text=one.text.split(". ")[0]) for one in documents
    ]
    for name, count in (("few", 9), ("many", 60)):
        write_updates(tmp_path / f"{name}.jsonl", [Run("", name, tuple(told[:count]))])
    return [str(tmp_path / "few.jsonl"), str(tmp_path / "many.jsonl")]


def command(verb: str, *arguments: str) -> list[str]:
    quick = ["--samples", "20", "--resamples", "20"] if verb == "compare" else []
    return [verb, *arguments, "-j", str(bundled.path()), *quick]


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


class TestCompare:
    def test_csv_has_a_row_for_each_run_and_measure(self, runs: list[str], capsys) -> None:
        assert tidings([*command("compare", *runs), "-m", "H,C", "-f", "csv"]) == 0
        lines = rows(capsys.readouterr().out)
        assert tidings([*command("compare", *runs), "-m", "H,C", "-f", "json"]) == 0
        whole = json.loads(capsys.readouterr().out)
        assert [(line["measure"], line["run"]) for line in lines] == [
            ("H", "few"), ("H", "many"), ("C", "few"), ("C", "many")
        ]  # fmt: skip
        for line in lines:
            measure = next(one for one in whole["measures"] if one["measure"] == line["measure"])
            assert float(line["mean"]) == pytest.approx(measure["means"][line["run"]], abs=1e-6)
            assert line["baseline"] == "few"
            if line["run"] == "few":
                assert {line["difference"], line["p"], line["wins"]} == {""}
            else:
                pair = measure["against_baseline"][0]
                assert float(line["difference"]) == pytest.approx(pair["mean_difference"], abs=1e-6)
                assert [line["wins"], line["losses"]] == [str(pair["wins"]), str(pair["losses"])]
                assert float(line["p_holm"]) == pytest.approx(pair["p_holm"], abs=1e-6)

    def test_with_topics_a_row_for_each_of_them(self, runs: list[str], capsys) -> None:
        assert tidings([*command("compare", *runs), "-m", "updates", "-f", "tsv", "--per-event"]) == 0
        lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
        assert lines == [
            ["measure", "run", "topic", "value", "silent"],
            ["updates", "few", EVENT, "9.000000", ""],
            ["updates", "many", EVENT, "60.000000", ""],
        ]

    @pytest.mark.parametrize(
        ("ending", "begins"),
        [("csv", "measure,run,"), ("tsv", "measure\trun"), ("md", "### Scores"), ("tex", "% Scores"),
         ("json", "{"), ("txt", "Scores")],
    )  # fmt: skip
    def test_the_ending_says_the_form(self, runs, ending: str, begins: str, tmp_path: Path, capsys) -> None:
        out = tmp_path / f"result.{ending}"
        assert tidings([*command("compare", *runs), "-m", "C", "--out", str(out)]) == 0
        assert capsys.readouterr().out == ""
        assert out.read_text().startswith(begins)
        assert out.read_text().endswith("\n")

    def test_an_ending_that_says_nothing_is_refused(self, runs, tmp_path: Path, capsys) -> None:
        assert tidings([*command("compare", *runs), "--out", str(tmp_path / "result.xls")]) == 2
        assert "the file name does not say which format" in capsys.readouterr().err

    def test_tables_fit_a_narrow_terminal_and_files_do_not_care(
        self, runs, tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "48")
        assert tidings([*command("compare", *runs), "-m", "C"]) == 0
        tables = capsys.readouterr().out.partition("Notes")[0]
        assert max(map(len, tables.splitlines())) <= 48
        out = tmp_path / "wide.txt"
        assert tidings([*command("compare", *runs), "-m", "C", "--out", str(out)]) == 0
        assert max(map(len, out.read_text().partition("Notes")[0].splitlines())) > 60

    def test_two_outputs_are_two_files(self, runs, tmp_path: Path, capsys) -> None:
        both = str(tmp_path / "x.json")
        assert tidings([*command("compare", *runs), "--out", both, "--out", both]) == 2
        assert "the same file as --out and --out" in capsys.readouterr().err


class TestExplain:
    def test_csv_has_every_nugget_and_update(self, runs: list[str], capsys) -> None:
        assert tidings([*command("explain", runs[1], EVENT), "-f", "csv", "--limit", "1"]) == 0
        lines = rows(capsys.readouterr().out)
        assert tidings([*command("explain", runs[1], EVENT), "-f", "json"]) == 0
        whole = json.loads(capsys.readouterr().out)
        for kind in ("missed", "told", "earned", "wasted"):
            listed = [line for line in lines if line["list"] == kind]
            key = "nugget" if kind in ("missed", "told") else "update"
            assert [line["id"] for line in listed] == [one[key] for one in whole[kind]]
            assert [int(line["time"]) for line in listed] == [one["time"] for one in whole[kind]]
            assert [float(line["gain"] or 0) for line in listed] == pytest.approx(
                [one["latency_gain"] for one in whole[kind]], abs=1e-6
            )
        assert {line["list"] for line in lines} == {"missed", "told", "earned", "wasted"}
        assert [line["latency_s"] for line in lines if line["list"] == "told"] == [
            str(one["latency_s"]) for one in whole["told"]
        ]
        assert [line["why"] for line in lines if line["list"] == "wasted"] == [
            one["why"] for one in whole["wasted"]
        ]

    @pytest.mark.parametrize(
        ("only", "lists"), [("missed", {"missed"}), ("earned", {"told", "earned"}), ("wasted", {"wasted"})]
    )
    def test_only_some(self, runs: list[str], only: str, lists: set[str], capsys) -> None:
        assert tidings([*command("explain", runs[1], EVENT), "-f", "csv", "--only", only]) == 0
        assert {line["list"] for line in rows(capsys.readouterr().out)} == lists

    @pytest.mark.parametrize(
        ("ending", "begins"),
        [("csv", "list,id,"), ("tsv", "list\tid"), ("md", "# many"), ("json", "{"), ("txt", "many on")],
    )
    def test_the_ending_says_the_form(self, runs, ending: str, begins: str, tmp_path: Path, capsys) -> None:
        out = tmp_path / f"why.{ending}"
        assert tidings([*command("explain", runs[1], EVENT), "--out", str(out)]) == 0
        assert capsys.readouterr().out == ""
        assert out.read_text().startswith(begins)

    def test_no_name_steers_a_terminal_or_a_page(self, tmp_path: Path, capsys) -> None:
        update = Update(EVENT, "d\x1b[31m<img/onerror=x>|", 0, 1374700000, text="\x1b]0;x\x07<b>|`")
        write_updates(tmp_path / "r.jsonl", [Run("t\u202e", "<script>", (update,))])
        for form in ("table", "csv", "tsv", "markdown", "json"):
            assert tidings([*command("explain", str(tmp_path / "r.jsonl"), EVENT), "-f", form]) == 0
            out = capsys.readouterr().out
            assert not {"\x1b", "\x07", "\u202e"} & set(out)
            if form == "markdown":
                assert "<img" not in out
                assert "<script" not in out
