"""Experiments: what is done once is not done again, and what fails takes nothing else down."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.research.training.conftest import make_year
from tidings.cli import run
from tidings.core.models.files import read_model

FAKE = '["first", {system = "fake", seeds = [0, 1]}]'


def outcome(path: Path, *more: str) -> int:
    return run(["experiment", str(path), *more])


def files(folder: Path, pattern: str) -> dict[str, int]:
    return {str(one): one.stat().st_mtime_ns for one in sorted(folder.rglob(pattern))}


def test_untrained_systems_take_part(write_plan, tmp_path, capsys) -> None:
    assert outcome(write_plan()) == 0
    out = capsys.readouterr().out
    assert "pooled stream, 2030 (4 events)" in out
    assert "(baseline)" in out
    found = json.loads((tmp_path / "out" / "results.json").read_text())
    (table,) = found["tables"]
    assert {row["system"] for row in table["rows"]} == {"first", "cosine"}
    assert table["events"] == ["A.1", "A.2", "A.3", "A.4"]


def test_figures_are_those_of_tidings_compare(write_plan, tmp_path, year, capsys) -> None:
    assert outcome(write_plan()) == 0
    capsys.readouterr()
    runs = [
        str(tmp_path / "out" / "runs" / "pooled" / "2030" / f"{name}.tsv") for name in ("cosine", "first")
    ]
    assert run(["compare", *runs, "--judgments", str(year), "--format", "json", "--measures", "H"]) == 0
    (compared,) = json.loads(capsys.readouterr().out)["measures"]
    rows = json.loads((tmp_path / "out" / "results.json").read_text())["tables"][0]["rows"]
    assert any(value > 0 for scores in compared["scores"].values() for value in scores.values())
    for row in rows:
        mine = {event: figures["H"] for event, figures in row["scores"].items()}
        assert mine == pytest.approx(compared["scores"][row["system"]], abs=1e-12)


class TestTrained:
    @pytest.fixture(autouse=True)
    def _fake(self, fake) -> None:
        return None

    def test_development_events_must_be_there(self, write_plan, capsys) -> None:
        assert outcome(write_plan('development = ["A.9"]', systems=FAKE)) == 2
        assert "development: 'A.9'" in capsys.readouterr().err

    def test_numbers_that_cannot_be_are_refused(self, year, tmp_path, capsys) -> None:
        command = ["train", "fake", "--judgments", str(year), "--out", str(tmp_path / "m.safetensors")]
        assert run([*command, "--seed", "-1"]) == 2
        assert run([*command, "--development", "\u00b2"]) == 2
        assert "--development" in capsys.readouterr().err

    def test_each_fold_has_its_model_with_a_card(self, write_plan, tmp_path, year) -> None:
        assert outcome(write_plan("development = 1", systems=FAKE)) == 0
        models = sorted((tmp_path / "out" / "models").glob("*.safetensors"))
        assert len(models) == 8  # four folds, two seeds
        for path in models:
            card = read_model("fake", path).card
            beside = json.loads(path.with_suffix(".json").read_text())
            used = {event for part in card.data for event in part.events}
            assert len(used) == 3
            assert not used & set(beside["test"])
            assert card.scores["H"] == beside["scores"]["H"]
            assert card.seed == beside["seed"]
            assert [row["step"] for row in beside["curve"]] == [0, 1, 2]

    def test_the_command_on_a_card_makes_the_same_weights(self, write_plan, tmp_path) -> None:
        systems = '[{system = "fake", train = {depth = 3}}]'
        assert outcome(write_plan("development = 1", 'interval = "1h"', systems=systems)) == 0
        path = min((tmp_path / "out" / "models").glob("*.safetensors"))
        made = read_model("fake", path)
        assert "--set depth=3" in made.card.command
        out = tmp_path / "again.safetensors"
        assert run([*shlex.split(made.card.command)[1:], "--out", str(out)]) == 0
        assert out.read_bytes() == path.read_bytes()

    def test_a_row_can_be_trained_in_its_own_way(self, write_plan, tmp_path) -> None:
        own = '{system = "fake", name = "own", development = ["A.3"], train_stream = "mixed", seeds = [7]}'
        assert outcome(write_plan("development = 0", systems=f'["fake", {own}]')) == 0
        commands = [
            read_model("fake", path).card.command for path in (tmp_path / "out" / "models").glob("*.s*")
        ]
        assert len(commands) == 8
        plain = "--stream pooled --interval document --seed 0"
        assert sum(plain in one and one.endswith("--development none") for one in commands) == 4
        special = "--stream mixed --interval document --seed 7"
        assert sum(special in one and one.endswith("--development A.3") for one in commands) == 3
        assert sum(special in one and "--without A.3 --development none" in one for one in commands) == 1

    def test_a_split_by_year_learns_from_one_and_tests_the_other(self, write_plan, tmp_path, year) -> None:
        make_year(tmp_path / "2031", ["B.1", "B.2", "B.3"])
        plan = write_plan('split = {kind = "by-year", train = ["2031"], test = ["2030"]}', systems=FAKE)
        plan.write_text(plan.read_text().replace(f'"{year}"', f'"{year}", "{tmp_path / "2031"}"'))
        assert outcome(plan) == 0
        models = list((tmp_path / "out" / "models").glob("*.safetensors"))
        assert {tuple(read_model("fake", path).settings["events"]) for path in models} == {
            ("B.1", "B.2", "B.3")
        }
        (table,) = json.loads((tmp_path / "out" / "results.json").read_text())["tables"]
        assert table["events"] == ["A.1", "A.2", "A.3", "A.4"]

    def test_a_model_can_be_taken_as_it_is(self, write_plan, tmp_path, year) -> None:
        out = tmp_path / "own.safetensors"
        assert run(["train", "fake", "--judgments", str(year), "--out", str(out), "--seed", "5"]) == 0
        assert outcome(write_plan(systems=f'["first", "fake:model={out}"]')) == 0
        assert not (tmp_path / "out" / "models").exists()
        before = json.loads((tmp_path / "out" / "results.json").read_text())["tables"]
        assert run(["train", "fake", "--judgments", str(year), "--out", str(out), "--seed", "50"]) == 0
        assert outcome(write_plan(systems=f'["first", "fake:model={out}"]')) == 0
        after = json.loads((tmp_path / "out" / "results.json").read_text())["tables"]
        assert updates(before) > updates(after)  # another model is another piece of work

    def test_what_is_done_stays_and_what_is_missing_is_made(self, write_plan, tmp_path, capsys) -> None:
        plan = write_plan(systems=FAKE)
        assert outcome(plan) == 0
        first = capsys.readouterr().out
        before = files(tmp_path / "out", "scores/**/*.json") | files(tmp_path / "out", "models/*")
        victim = next(iter(files(tmp_path / "out", "scores/pooled/fake/*.json")))
        Path(victim).unlink()
        assert outcome(plan) == 0
        again = capsys.readouterr().out
        after = files(tmp_path / "out", "scores/**/*.json") | files(tmp_path / "out", "models/*")
        assert {path for path in after if after[path] != before[path]} == {victim}
        assert without_speed(first) == without_speed(again)

    def test_streams_share_the_models(self, write_plan, tmp_path) -> None:
        assert outcome(write_plan(systems=FAKE)) == 0
        models = files(tmp_path / "out", "models/*")
        thin = 'test_streams = ["pooled", {stream = "pooled", keep = 0.5, seeds = [1, 2]}]'
        assert outcome(write_plan(thin, systems=FAKE)) == 0
        assert files(tmp_path / "out", "models/*") == models
        tables = json.loads((tmp_path / "out" / "results.json").read_text())["tables"]
        rows = {(table["stream"], row["system"]): row["seeds"] for table in tables for row in table["rows"]}
        assert rows == {
            ("pooled", "first"): 1,
            ("pooled", "fake"): 2,
            ("pooled-half", "first"): 2,
            ("pooled-half", "fake"): 4,
        }

    def test_other_trainer_options_are_another_model(self, write_plan, tmp_path) -> None:
        assert outcome(write_plan(systems='[{system = "fake"}]')) == 0
        assert outcome(write_plan(systems='[{system = "fake", train = {depth = 3}}]')) == 0
        assert len(files(tmp_path / "out", "models/*.safetensors")) == 8

    @pytest.mark.parametrize("how", ["fail", "crash"])
    def test_a_failing_system_is_reported_and_the_rest_goes_on(
        self, write_plan, tmp_path, capsys, how
    ) -> None:
        failing = f'[{{system = "fake", train = {{{how} = "A.2"}}}}, "first"]'
        assert outcome(write_plan("development = 0", systems=failing)) == 1
        said = capsys.readouterr()
        assert "3 pieces failed, and 3 that need them were left out" in said.err
        assert "not in the table: fake" in said.err
        assert "first" in said.out
        assert (tmp_path / "out" / "failures").is_dir() == (how == "crash")

    @pytest.mark.long
    def test_learning_curves_are_drawn_and_kept(self, write_plan, tmp_path) -> None:
        assert outcome(write_plan(systems=FAKE), "--draw") == 0
        found = json.loads((tmp_path / "out" / "results.json").read_text())["curves"]
        assert len(found) == 8
        assert [row["H"] for row in found[0]["steps"]] == [0.0, 0.1, 0.2]
        drawn = (tmp_path / "out" / "curves" / "fake.svg").read_text()
        assert "fake: 8 trainings and their mean" in drawn

    def test_dry_run_lists_and_does_nothing(self, write_plan, tmp_path, capsys) -> None:
        assert outcome(write_plan('takes = "two hours"', systems=FAKE), "--dry-run") == 0
        said = capsys.readouterr()
        assert said.out.count("to do  train") == 8
        assert said.err == "17 of 17 pieces to do: 8 trainings, 9 followings; all of them take two hours\n"
        assert not (tmp_path / "out").exists()


def test_official_scores_stand_beside_with_their_caveat(write_plan, tmp_path, capsys) -> None:
    from tidings.evaluation.formats.official_scores import COLUMNS

    path = tmp_path / "official.tsv"
    rows = [("A.1", "worse", 0.1), ("A.1", "better", 0.2), ("A.2", "better", 0.4), ("Z.1", "other", 0.9)]
    lines = ["\t".join([event, "team", run, *[str(value)] * len(COLUMNS)]) for event, run, value in rows]
    path.write_text("\n".join(["\t".join(["QueryID", "TeamID", "RunID", *COLUMNS.values()]), *lines]))
    assert outcome(write_plan(f'official = "{path}"')) == 0
    out = capsys.readouterr().out
    table = out[out.index("Official scores") :].splitlines()
    assert [line.split() for line in table[4:6]] == [
        ["team", "better", *["0.3000"] * 5, "0", "2"],
        ["team", "worse", *["0.1000"] * 5, "0", "1"],
    ]
    assert "chose from the full corpus" in table[-1]
    assert "Official scores" in (tmp_path / "out" / "results.md").read_text()


def test_pages_are_written_where_asked(write_plan, tmp_path) -> None:
    assert outcome(write_plan(), "--draw") == 0
    page = (tmp_path / "out" / "pooled.html").read_text()
    assert "tidings experiment" in page
    assert "cosine" in page


def updates(tables) -> float:
    (row,) = [row for row in tables[0]["rows"] if row["system"].startswith("fake")]
    return sum(scores["updates"] for scores in row["scores"].values())


def test_a_process_that_dies_is_one_failed_piece(write_plan) -> None:
    from multiprocessing import active_children

    from tidings.research.experiments.experiment import Experiment
    from tidings.research.experiments.plan import read_plan

    killed = []

    def watch(what, job, words) -> None:
        if what == "begun" and not killed:
            killed.append(job.key)
            (worker,) = active_children()
            worker.kill()

    found = Experiment.of(read_plan(write_plan()))
    report = found.run(1, watch=watch)
    assert [(one.key, one.why) for one in report.failed] == [(killed[0], "its process was ended by signal 9")]
    assert len(report.done) == 1
    assert [job.key for job in found.left()] == killed


def without_speed(text: str) -> list[str]:
    return [
        line.split("sentences/s")[0] for line in text.splitlines() if not line.startswith(("first", "fake"))
    ]


def test_processes_give_what_one_process_gives(write_plan, tmp_path) -> None:
    assert outcome(write_plan()) == 0
    alone = {path.name: path.read_bytes() for path in (tmp_path / "out" / "scores").rglob("*.tsv")}
    assert outcome(write_plan(), "--fresh", "--workers", "2") == 0
    spread = {path.name: path.read_bytes() for path in (tmp_path / "out" / "scores").rglob("*.tsv")}
    assert alone == spread


@pytest.mark.long
def test_ctrl_c_leaves_with_130_and_the_rest_can_be_done(write_plan, tmp_path) -> None:
    seeds = list(range(1, 101))  # so many pieces that it cannot be through before it is stopped
    streams = ", ".join(f'{{stream = "pooled", keep = 0.{n}, seeds = {seeds}}}' for n in range(10, 99, 12))
    plan = write_plan(f"test_streams = [{streams}]", systems='["allan2001"]')
    command = [sys.executable, "-m", "tidings", "experiment", str(plan), "--workers", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 60
    while not files(tmp_path, "scores/**/*.json") and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 130, said
    assert "the same command goes on" in said
    done = files(tmp_path, "scores/**/*.json")
    assert 0 < len(done) < 800
    listed = subprocess.run([*command, "--dry-run"], capture_output=True, text=True, check=True)
    assert listed.stdout.count("done ") == len(done)
