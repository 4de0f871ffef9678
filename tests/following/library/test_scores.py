"""`tidings.score`: the command line's numbers, whatever form a run has."""

from __future__ import annotations

import json
import subprocess
import sys

import msgspec
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tidings
from tests.sweeps import every
from tidings.cli import run as command
from tidings.core.errors import TidingsError, UsageError
from tidings.core.records import Run, Update
from tidings.evaluation.library.runs import as_runs
from tidings.evaluation.measures import Measure
from tidings.evaluation.scoring import scorer_for
from tidings.following.outputs.runs import read_runs, write_runs
from tidings.sources import bundled

EVENT = bundled.path()


@pytest.fixture(scope="module")
def ours() -> Run:
    return tidings.follow(EVENT, events=EVENT, system="cosine").to_run("ours", "us")


@pytest.fixture(scope="module")
def expected(ours):
    return tidings.score(ours, EVENT)


def columns(run: Run) -> dict[str, list]:
    return {
        "team": [run.team for _ in run.updates],
        "run": [run.name for _ in run.updates],
        "event": [update.event_id for update in run.updates],
        "doc": [update.doc_id for update in run.updates],
        "sentence": [update.sentence_index for update in run.updates],
        "time": [update.time for update in run.updates],
        "confidence": [update.confidence for update in run.updates],
        "text": [update.text for update in run.updates],
    }


def printed(capsys, *arguments: str) -> list[dict]:
    """What the command line scores, unrounded."""
    assert command(["score", *arguments, "--format", "jsonl", "--per-event"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def assert_equals_command(scores, lines):
    """Each value of each event, and each mean, is exactly the command's."""
    by_event = {
        (one["team"], one["run"], one["event"], one["measure"]): one["value"]
        for one in lines
        if not one["event"].startswith("all")
    }
    assert {(row.team, row.run, row.event, row.measure): row.value for row in scores} == by_event
    means = [one for one in lines if one["event"] == "all"]
    assert means
    for one in means:
        name = f"{one['team']} {one['run']}".strip()
        assert scores.mean(one["measure"], name) == one["value"]


class TestForms:
    def test_the_command_line_says_the_same(self, ours, expected, tmp_path, capsys):
        write_runs(tmp_path / "ours.jsonl", [ours])
        lines = printed(capsys, str(tmp_path / "ours.jsonl"), "--judgments", str(EVENT))
        assert_equals_command(expected, lines)
        assert_equals_command(tidings.score(pd.DataFrame(columns(ours)), EVENT), lines)

    @pytest.mark.parametrize(
        "make",
        [
            lambda run: pd.DataFrame(columns(run)),
            lambda run: pl.DataFrame(columns(run)),
            lambda run: pa.table(columns(run)),
            lambda run: pd.DataFrame(columns(run)).assign(
                time=lambda f: pd.to_datetime(f["time"], unit="s", utc=True)
            ),
            lambda run: pd.DataFrame(columns(run)).rename(
                columns={
                    "event": "query_id",
                    "team": "team_id",
                    "run": "run_id",
                    "doc": "doc_id",
                    "sentence": "sentence_id",
                    "time": "decision_time",
                }
            ),
            lambda run: (
                pl.DataFrame(columns(run))
                .with_columns(update=pl.col("doc") + "-" + pl.col("sentence").cast(pl.String))
                .drop("doc", "sentence")
            ),
            lambda run: [run],
            lambda run: iter([run]),
            lambda run: tidings.follow(EVENT, events=EVENT, system="cosine").to_run("ours", "us"),
        ],
        ids=[
            "pandas",
            "polars",
            "arrow",
            "datetimes",
            "TREC's names",
            "update ids",
            "a list",
            "an iterator",
            "followed",
        ],
    )
    def test_every_form_of_a_run(self, make, ours, expected):
        assert tidings.score(make(ours), EVENT).rows() == expected.rows()

    @pytest.mark.parametrize(
        "make",
        [
            lambda run: list(run.updates),
            lambda run: (update for update in run.updates),
            lambda run: [msgspec.structs.asdict(update) for update in run.updates],
            lambda run: [
                {"event": u.event_id, "update": u.id, "time": u.time, "confidence": u.confidence}
                for u in run.updates
            ],
            lambda run: {"x": run},
            lambda run: {"x": list(run.updates)},
            lambda run: pd.DataFrame(columns(run)).drop(columns=["team", "run"]),
            lambda run: tidings.follow(EVENT, events=EVENT, system="cosine"),
        ],
        ids=[
            "updates",
            "a generator",
            "dicts",
            "lines",
            "named run",
            "named updates",
            "no names",
            "output stream",
        ],
    )
    def test_every_form_without_a_name(self, make, ours, expected):
        values = [(row.event, row.measure, row.value) for row in tidings.score(make(ours), EVENT)]
        assert values == [(row.event, row.measure, row.value) for row in expected]

    def test_names(self, ours):
        updates = list(ours.updates)
        names = [one.run for one in tidings.score([updates, updates], EVENT, measures="C").runs]
        assert names == ["run-1", "run-2"]
        assert [one.run for one in tidings.score({"a": updates, "b": ours}, EVENT, measures="C").runs] == [
            "a",
            "b",
        ]
        assert [one.run for one in tidings.score(updates, EVENT, measures="C").runs] == ["run"]

    def test_paths_and_stores(self, ours, expected, tmp_path):
        write_runs(tmp_path / "ours.run", [ours])
        for path in (tmp_path / "ours.run", str(tmp_path / "ours.run")):
            assert tidings.score(path, EVENT).rows() == expected.rows()
        both = tidings.score([tmp_path / "ours.run", {"again": ours}], EVENT)
        assert [one.run for one in both.runs] == ["ours", "again"]

    def test_judgments_that_were_read(self, ours, expected):
        assert tidings.score(ours, tidings.read_judgments(EVENT)).rows() == expected.rows()

    def test_an_empty_run_is_silent(self):
        scores = tidings.score([], EVENT, mean="all")
        assert scores.mean("H") == 0
        assert "silent on 1 of 1 events" in scores.notes[0]

    def test_infinite_confidence_counts_as_a_thousand(self, ours):
        frame = pd.DataFrame(columns(ours))
        frame["confidence"] = np.inf
        frame.loc[3, "confidence"] = -np.inf
        (run,) = as_runs(frame, scorer_for("trec-2014", EVENT))
        assert {update.confidence for update in run.updates} == {1000.0, -1000.0}
        assert run.updates[3].confidence == -1000.0

    def test_whole_numbers_are_ids(self):
        rows = [{"event": 11, "doc": 5, "sentence": 0.0, "time": 60.0}]
        for frame in (pd.DataFrame(rows), pl.DataFrame(rows)):
            with pytest.raises(UsageError, match="11"):
                tidings.score(frame, EVENT)


BAD = {"event": "santiago-2013", "doc": "x", "sentence": 0, "time": 60}


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        (3, TypeError, r"run: an int \(expected a Run,"),
        (None, TypeError, "run: None"),
        (b"x", TypeError, "run: a bytes"),
        ([3], TypeError, "run-1: an int"),
        ([BAD, 3], TypeError, r"item 2: an int \(expected an Update or a dict\)"),
        ([BAD, {**BAD, "time": "soon"}], ValueError, "item 2: time"),
        ([{**BAD, "sentence": -1}], ValueError, r"item 1: sentence: -1 \(expected a number from 0\)"),
        ([{**BAD, "sentence": "one"}], TypeError, "item 1: sentence: a str"),
        ([{**BAD, "sentence": True}], ValueError, "sentence: True"),
        ([{**BAD, "confidence": "high"}], TypeError, "item 1: confidence: a str"),
        ([{**BAD, "confidence": float("nan")}], ValueError, "item 1: confidence: nan"),
        ([{**BAD, "event": None}], ValueError, "item 1: no event"),
        ([{"event": "e", "time": 60, "doc": "x"}], ValueError, "item 1: no sentence"),
        ([{"event": "e", "time": 60, "update": "x"}], ValueError, "expected DOC-NUMBER"),
        ([Run("", "a", ()), BAD], TypeError, "item 2: a dict among runs"),
        (pd.DataFrame({"event": ["e"]}), ValueError, r"columns event \(expected also time, doc and sentence"),
        (pd.DataFrame([BAD, {**BAD, "doc": None}]), ValueError, "row 2: no doc"),
        (pl.LazyFrame([BAD]), TypeError, "collect"),
        ("nowhere.run", TidingsError, "nowhere.run"),
        ([Update("santiago-2013", "x", 0, "soon")], ValueError, "item 1: time"),
        ([Update("no-such-event", "x", 0, 60)], UsageError, "no-such-event"),
    ],
    ids=str,
)
def test_what_is_no_run_is_refused(given, kind, message):
    with pytest.raises(kind, match=message) as caught:
        tidings.score(given, EVENT)
    assert isinstance(caught.value, TidingsError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"judgments": 3}, TypeError, "judgments: an int"),
        ({"judgments": "nowhere"}, TidingsError, "nowhere"),
        ({"judgments": EVENT, "rules": 3}, TypeError, "rules: an int"),
        ({"judgments": EVENT, "rules": "trec-1999"}, UsageError, "trec-2014"),
        ({"judgments": EVENT, "measures": 3}, TypeError, "measures: an int"),
        ({"judgments": EVENT, "measures": [3]}, TypeError, "measures: an int"),
        ({"judgments": EVENT, "measures": "HH"}, UsageError, "unknown measure 'HH'"),
    ],
    ids=str,
)
def test_what_is_wrong_beside_the_run(arguments, kind, message):
    with pytest.raises(kind, match=message):
        tidings.score([BAD], **arguments)


class TestScores:
    def test_measures_may_be_chosen(self, ours):
        wanted = (Measure("C", 3600), Measure("H"))
        for measures in ("C@3600,H", ["C@3600", "H"], wanted, "C@3600 H", ["C@3600,H", "H"]):
            assert tidings.score(ours, EVENT, measures=measures).measures == wanted
        assert tidings.score(ours, EVENT, measures=Measure("H")).measures == (Measure("H"),)

    @every(
        "backend, kind",
        [(None, pd.DataFrame), ("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)],
    )
    def test_to_frame_is_long(self, expected, backend, kind):
        frame = expected.to_frame(backend)
        assert isinstance(frame, kind)
        assert len(frame) == len(expected) == len(expected.rows())
        names = frame.column_names if backend == "pyarrow" else list(frame.columns)
        assert names == ["team", "run", "event", "measure", "value", "counted"]

    def test_the_mean_of_what_counts_is_the_mean(self, expected):
        frame = expected.to_frame()
        means = frame[frame.counted].groupby("measure").value.mean()
        for measure in expected.measures:
            assert means[str(measure)] == pytest.approx(expected.mean(measure))

    def test_a_frame_of_nothing(self):
        assert len(tidings.score([], EVENT, measures=[]).to_frame()) >= 0

    @every("backend, message", [("excel", "one of pandas"), ("pyarrow", "pip install pyarrow")])
    def test_a_backend_that_is_not_there(self, expected, backend, message, monkeypatch):
        from tidings.following.library import documents as frames

        monkeypatch.setattr(frames, "find_spec", lambda name: None)
        with pytest.raises(ValueError, match=message):
            expected.to_frame(backend)

    def test_without_any_backend(self, expected, monkeypatch):
        from tidings.following.library import documents as frames

        monkeypatch.setattr(frames, "find_spec", lambda name: None)
        with pytest.raises(ValueError, match="none of pandas, polars, pyarrow"):
            expected.to_frame()
        monkeypatch.setattr(frames, "find_spec", lambda name: name == "polars" or None)
        assert isinstance(expected.to_frame(), pl.DataFrame)

    def test_mean_asks_which_run(self, ours):
        scores = tidings.score({"a": ours, "b": []}, EVENT, measures="H", mean="all")
        assert scores.mean("H", "a") > scores.mean("H", "b") == 0
        with pytest.raises(ValueError, match=r"2 runs \(expected the name of one of a, b\)"):
            scores.mean("H")
        with pytest.raises(ValueError, match="no runs called 'c'"):
            scores.mean("H", "c")
        with pytest.raises(ValueError, match=r"'C' \(expected one of H\)"):
            scores.mean("C", "a")

    def test_it_prints_as_the_command_does(self, ours, expected):
        assert "H" in repr(expected).splitlines()[0].split()
        assert f"{expected.mean('H'):.4f}" in repr(expected)

    def test_html_is_escaped(self, ours):
        scores = tidings.score({'<script>alert("x")</script>': ours}, EVENT, measures="H")
        html = scores._repr_html_()
        assert "<script>" not in html
        assert "&lt;script&gt;" in html
        assert f"{scores.mean('H'):.4f}" in html


class TestReadRun:
    def test_one_of_a_file(self, ours, tmp_path):
        write_runs(tmp_path / "two.run", [ours, Run("us", "other", ours.updates[:2])])
        assert tidings.read_run(tmp_path / "two.run", "other").name == "other"
        assert tidings.read_run(tmp_path / "two.run", "us ours") == read_runs(tmp_path / "two.run")[0]
        with pytest.raises(ValueError, match=r"2 runs \(us ours, us other\) \(expected one\)"):
            tidings.read_run(tmp_path / "two.run")
        with pytest.raises(ValueError, match="no run called 'third'"):
            tidings.read_run(tmp_path / "two.run", "third")

    def test_of_a_store(self, tmp_path):
        stream = tidings.follow(EVENT, events=EVENT, system="cosine", store=tmp_path / "run.db")
        updates = tuple(stream)
        kept = tidings.read_run(tmp_path / "run.db")
        assert tuple(kept.updates) == updates
        scores = tidings.score(tmp_path / "run.db", EVENT)
        assert [row.value for row in scores] == [row.value for row in tidings.score(kept, EVENT)]

    @every("read", [tidings.read_run, tidings.read_documents, tidings.read_judgments])
    def test_what_is_no_path_is_refused(self, read):
        with pytest.raises(TypeError, match=r"path: an int \(expected a path\)"):
            read(3)
        with pytest.raises(TidingsError, match="nowhere"):
            read("nowhere")


@pytest.mark.shared_data
def test_a_submitted_run_as_a_table_scores_as_the_command_says(shared_data, capsys, tmp_path):
    """cunlp's runs of 2014, as a table, have the command's numbers in each digit."""
    folder = shared_data / "trec-ts" / "2014"
    path = folder / "runs" / "cunlp.run.gz"
    names = ["query_id", "team_id", "run_id", "doc_id", "sentence_id", "decision_time", "confidence"]
    frame = pd.read_csv(path, sep=r"\s+", names=names, header=None)
    frame = frame[frame.run_id == "2APSal"]
    scores = tidings.score(pl.from_pandas(frame), folder)
    lines = [one for one in printed(capsys, str(path), "--judgments", str(folder)) if one["run"] == "2APSal"]
    assert_equals_command(scores, lines)


def test_it_does_not_need_a_table_package():
    code = (
        "import sys\n"
        "for name in ('pandas', 'polars', 'pyarrow', 'narwhals'): sys.modules[name] = None\n"
        "import tidings\n"
        "from tidings import bundled\n"
        "run = tidings.follow(bundled.path(), events=bundled.path(), system='first')\n"
        "print(len(tidings.score(run, bundled.path()).rows()))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(ran.stdout) > 10


class TestOrigins:
    """What must stand beside scores so that no comparison hides it."""

    def test_a_model_that_learned_from_the_judged_event_is_named(self):
        run = tidings.follow(EVENT, events=EVENT, system="tidings").to_run("learned")
        scores = tidings.score(run, EVENT, measures="H")
        assert any("learned from 1 of the 1 judged events" in note for note in scores.notes)
        assert "learned from 1 of the 1 judged events" in scores._repr_html_()
        assert "learned from 1 of the 1 judged events" in repr(scores)
        renamed = tidings.score({"mine": run}, EVENT, measures="H")
        assert any(note.startswith("run mine: its model learned") for note in renamed.notes)

    def test_one_that_learned_nothing_is_not(self, expected):
        assert not any("learned" in note for note in expected.notes)

    def test_a_comparison_says_it_too(self, ours):
        learned = tidings.follow(EVENT, events=EVENT, system="tidings").to_run("learned")
        compared = tidings.compare([learned, ours], EVENT, measures="H", samples=20, resamples=20)
        assert "learned from 1 of the 1 judged events" in compared._repr_html_()
        assert "learned from 1 of the 1 judged events" in repr(compared)
