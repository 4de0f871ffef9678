"""Everyday use of `score`, `compare`, `explain`: files by their endings, stores, warnings, names that are safe."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import msgspec
import pytest

from tests.sweeps import cases, every
from tidings.cli import run
from tidings.core.records import DataUsed, ModelCard, Run, RunCard, Update
from tidings.core.store import open_store
from tidings.following.outputs.runs import write_runs
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

EVENT = "santiago-2013"
FOLDER = bundled.path()
CARD = RunCard(
    system="tidings",
    model=ModelCard(system="tidings", data=(DataUsed(name="bundled", events=(EVENT,), digest=""),)),
    choice="corpus",
)


def updates(count: int = 3, event: str = EVENT) -> tuple[Update, ...]:
    pool = read_judgments(FOLDER).pool[: 7 * count : 7]
    return tuple(Update(event, one.doc_id, one.sentence_index, one.published_time) for one in pool)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.run"
    write_runs(path, [Run("me", "mine", updates())])
    return path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "runs.db"
    with open_store(str(path)) as opened, opened.begin("kept", {}, card=CARD) as begun:
        begun.commit([], {}, list(updates()), [], finished=True)
    return path


def score(*arguments: object) -> int:
    return run(["score", *map(str, arguments), "--judgments", str(FOLDER)])


class TestForms:
    def test_csv(self, mine, capsys) -> None:
        assert score(mine, "-f", "csv", "-m", "E[G],H") == 0
        rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
        assert rows[0] == ["team", "run", "event", "E[G]", "H"]
        assert rows[1][:3] == ["me", "mine", "all"]

    @pytest.mark.parametrize(
        ("name", "start"),
        cases(__file__, "a file is of the form that its name says"),
    )
    def test_a_file_is_of_the_form_that_its_name_says(self, mine, tmp_path, capsys, name, start) -> None:
        assert score(mine, "-m", "H", "--out", tmp_path / name) == 0
        assert capsys.readouterr().out == ""
        assert (tmp_path / name).read_text().startswith(start)

    def test_the_form_that_is_asked_for_goes_before_the_name(self, mine, tmp_path) -> None:
        assert score(mine, "-m", "H", "--out", tmp_path / "x.data", "-f", "tsv") == 0
        assert (tmp_path / "x.data").read_text().startswith("team\t")

    def test_a_name_that_says_nothing_is_refused_before_any_work(self, mine, tmp_path, capsys) -> None:
        assert score(mine, "--out", tmp_path / "x.foo") == 2
        assert (
            "the file name does not say which format; end it in .txt, .tsv, .csv" in capsys.readouterr().err
        )
        assert not (tmp_path / "x.foo").exists()

    def test_tables_fit_the_terminal(self, mine, capsys, monkeypatch) -> None:
        monkeypatch.setenv("COLUMNS", "60")
        assert score(mine) == 0
        assert max(map(len, capsys.readouterr().out.splitlines())) <= 60


class TestInputsStay:
    def test_a_run_is_not_overwritten(self, mine, capsys, tmp_path) -> None:
        before = mine.read_bytes()
        link = tmp_path / "scores.csv"
        link.symlink_to(mine)
        assert score(mine, "--out", link) == 2
        assert "a run as --out" in capsys.readouterr().err
        assert mine.read_bytes() == before

    def test_nor_are_judgments(self, mine, tmp_path, capsys) -> None:
        judgments = tmp_path / "judged"
        shutil.copytree(FOLDER, judgments)
        before = (judgments / "nuggets.jsonl").read_bytes()
        out = judgments / "nuggets.jsonl"
        assert run(["score", str(mine), "-j", str(judgments), "--out", str(out)]) == 2
        assert "judgments as --out" in capsys.readouterr().err
        assert out.read_bytes() == before

    def test_nor_by_a_page_of_a_comparison(self, mine, tmp_path, capsys) -> None:
        other = tmp_path / "other.run"
        write_runs(other, [Run("me", "other", updates(2))])
        before = other.read_bytes()
        assert run(["compare", str(mine), str(other), "-j", str(FOLDER), "--out", str(other)]) == 2
        assert "a run as --out" in capsys.readouterr().err
        assert other.read_bytes() == before


class TestStores:
    def test_a_store_scores_as_its_updates_in_a_file(self, store, tmp_path, capsys) -> None:
        write_runs(tmp_path / "kept.run", [Run("tidings", "kept", updates())])
        assert score(store, "-f", "tsv") == 0
        from_store = capsys.readouterr().out.splitlines()[1].split("\t")[2:]
        assert score(tmp_path / "kept.run", "-f", "tsv") == 0
        assert capsys.readouterr().out.splitlines()[1].split("\t")[2:] == from_store

    def test_compare_and_explain_take_one(self, store, mine, capsys) -> None:
        assert run(["compare", str(store), str(mine), "-j", str(FOLDER), "-m", "H"]) == 0
        assert "kept" in capsys.readouterr().out
        assert run(["explain", str(store), EVENT, "-j", str(FOLDER)]) == 0
        assert capsys.readouterr().out.startswith(f"kept on {EVENT}")

    @pytest.mark.parametrize(
        ("rules", "lack"),
        [
            ("entities-2015", "no entities; `tidings entities` ranks them"),
            ("crisisfacts-2022", "crisisfacts-2022 scores no updates"),
        ],
    )
    def test_rules_without_updates_say_what_they_lack(self, store, capsys, rules, lack) -> None:
        assert score(store, "--rules", rules) == 2
        assert lack in capsys.readouterr().err

    def test_an_event_that_was_not_judged_is_named_with_the_store(self, tmp_path, capsys) -> None:
        path = tmp_path / "other.db"
        with open_store(str(path)) as opened, opened.begin("kept", {}) as begun:
            begun.commit([], {}, list(updates(1, "elsewhere")), [], finished=True)
        assert score(path) == 2
        assert capsys.readouterr().err.startswith(f"tidings: {path}: event 'elsewhere'")

    def test_a_store_without_updates_is_a_silent_run(self, tmp_path, capsys) -> None:
        path = tmp_path / "empty.db"
        with open_store(str(path)) as opened, opened.begin("kept", {}) as begun:
            begun.commit([], {}, [], [], finished=True)
        assert score(path) == 0
        printed = capsys.readouterr()
        assert "own 0 of 1" in printed.out and "is silent on 1 of 1 events" in printed.err

    @every("rules", ["trec-2014", "paper-2013", "umass-2001", "clusters-2017", "msu-2015", "values-2013"])
    def test_a_run_that_says_nothing_is_scored(self, tmp_path, capsys, rules) -> None:
        path = tmp_path / "silent.jsonl"
        path.write_text('{"kind": "run", "team": "us", "run": "silent"}\n')
        assert score(path, "--rules", rules) == 0
        assert "silent" in capsys.readouterr().out


class TestWarnings:
    LEARNED = "its model learned from 1 of the 1 judged events (santiago-2013): its scores there are not a fair test"

    def test_score_says_what_a_model_learned_from(self, store, capsys) -> None:
        assert score(store) == 0
        assert self.LEARNED in capsys.readouterr().err

    def test_explain_says_it_above_its_lists_and_in_json(self, store, capsys) -> None:
        assert run(["explain", str(store), EVENT, "-j", str(FOLDER)]) == 0
        assert f"Warning: run kept: {self.LEARNED}" in " ".join(capsys.readouterr().out.split())
        assert run(["explain", str(store), EVENT, "-j", str(FOLDER), "-f", "json"]) == 0
        assert self.LEARNED in json.loads(capsys.readouterr().out)["warnings"][0]

    def test_compare_says_it_in_its_notes(self, store, mine, capsys) -> None:
        assert run(["compare", str(store), str(mine), "-j", str(FOLDER), "-m", "H"]) == 0
        said = capsys.readouterr()
        assert self.LEARNED in " ".join(said.out.split())
        assert self.LEARNED in said.err

    def test_pool_against_corpus(self, tmp_path, capsys) -> None:
        """Judgments whose pool is not everything: one run keeps to it, the other does not."""
        folder = tmp_path / "trec"
        assert run(["convert", str(FOLDER), str(folder), "--to", "trec"]) == 0
        write_runs(tmp_path / "pool.run", [Run("a", "pool", updates())])
        outside = msgspec.structs.replace(updates()[0], doc_id="1374699000-elsewhere")
        write_runs(tmp_path / "corpus.run", [Run("a", "corpus", (*updates(), outside))])
        paths = [str(tmp_path / "pool.run"), str(tmp_path / "corpus.run")]
        assert run(["compare", *paths, "-j", str(folder), "-m", "H"]) == 0
        assert "not on equal terms" in capsys.readouterr().out
        assert run(["score", *paths, "-j", str(folder), "-m", "H"]) == 0
        assert "not on equal terms" in capsys.readouterr().err

    def test_runs_on_equal_terms_need_no_words(self, mine, capsys) -> None:
        assert score(mine) == 0
        assert capsys.readouterr().err == ""

    def test_too_few_samples_are_said(self, store, mine, capsys) -> None:
        words = ["compare", str(mine), str(store), "-j", str(FOLDER), "-m", "H"]
        assert run([*words, "--samples", "1", "--resamples", "1"]) == 0
        said = capsys.readouterr()
        assert "--samples 1: p(Tukey)" in said.err
        assert "--resamples 1: too few" in said.err
        assert "--samples 1: p(Tukey)" in said.out
        assert run(words) == 0
        assert "samples" not in capsys.readouterr().err


class TestHostileNames:
    EVIL = "santiago-\x1b[31m\u202e<img/src=x/onerror=alert(1)>|2013"

    @pytest.fixture
    def judged(self, tmp_path) -> Path:
        folder = tmp_path / "evil"
        folder.mkdir()
        for file in FOLDER.iterdir():
            if file.suffix in (".jsonl", ".json"):
                text = file.read_text(encoding="utf-8")
                name = json.dumps(self.EVIL)
                (folder / file.name).write_text(text.replace('"santiago-2013"', name), encoding="utf-8")
        return folder

    @pytest.mark.parametrize("form", ["table", "markdown", "json"])
    def test_explain_prints_no_name_raw(self, judged, tmp_path, capsys, form) -> None:
        write_runs(tmp_path / "evil.jsonl", [Run("me", "mine", updates(3, self.EVIL))])
        path = str(tmp_path / "evil.jsonl")
        assert run(["explain", path, self.EVIL, "-j", str(judged), "-f", form]) == 0
        said = "".join(capsys.readouterr())
        assert "\x1b" not in said
        assert "\u202e" not in said
        assert form != "markdown" or "<img" not in said

    @pytest.mark.parametrize("form", ["table", "tsv", "csv", "markdown", "latex"])
    def test_score_prints_no_name_raw(self, judged, tmp_path, capsys, form) -> None:
        write_runs(tmp_path / "evil.jsonl", [Run("me", "<img>\x1b", updates(3, self.EVIL))])
        path = str(tmp_path / "evil.jsonl")
        assert run(["score", path, "-j", str(judged), "-f", form, "--per-event"]) == 0
        said = "".join(capsys.readouterr())
        assert "\x1b" not in said
        assert form != "markdown" or "<img" not in said


@every(
    "name, line",
    cases(__file__, "numbers without end are one line"),
)
def test_numbers_without_end_are_one_line(tmp_path, capsys, name, line) -> None:
    (tmp_path / name).write_text(line.format(event=EVENT, big="9" * 6000) + "\n")
    assert score(tmp_path / name) == 2
    said = capsys.readouterr().err
    assert f"{name}:1: " in said
    assert len(said) < 400


@every("column", range(5, 9))
def test_numbers_without_end_in_values_are_one_line(tmp_path, capsys, column) -> None:
    cells = [EVENT, "t", "r", "d", "0", "1374699000", "deaths", "1", "1"]
    cells[column] = "9" * 6000
    (tmp_path / "v.run").write_text("\t".join(cells) + "\n")
    code = score(tmp_path / "v.run", "--rules", "values-2013")
    said = capsys.readouterr().err
    assert code in (0, 2)
    assert "Traceback" not in said
    assert len(said) < 400
