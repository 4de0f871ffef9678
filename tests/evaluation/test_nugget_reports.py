"""Nuggets as report generation keeps them: read, written, converted and scored; and reports of what was followed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tidings.cli import run as tidings
from tidings.core import FormatError
from tidings.evaluation.formats.nugget_banks import read_assigned_runs, read_nugget_lists
from tidings.evaluation.scoring import scorer_for
from tidings.evaluation.scoring.runs import read_runs
from tidings.sources import bundled, read_judgments

LIST = {"qid": "q1", "query": "Ferry fire", "nuggets": [
    {"text": "12 died", "importance": "vital"}, {"text": "a cable", "importance": "vital"},
    {"text": "it was a Monday", "importance": "okay"}]}  # fmt: skip
PRICE = {
    "question": "How dear?",
    "importance": "okay",
    "answers": {"200": {"answer": "200 euros", "references": []}},
}
BANK = {"query_id": "q2", "title_query": "Wheat", "format_version": "v3", "nugget_bank": {"How dear?": PRICE}}
SUBMITTED = {"metadata": {"topic_id": "q3"}, "nugget_bank": [
    {"question": "Who?", "aggregator_type": "OR", "answers": [{"answer": "Ann", "references": []}]}]}  # fmt: skip


def put(path: Path, *lines: dict) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def assigned(*assignments: str, qid: str = "q1", **more: object) -> dict:
    nuggets = [
        nugget | {"assignment": found} for nugget, found in zip(LIST["nuggets"], assignments, strict=True)
    ]
    return {"qid": qid, "run_id": "us", "nuggets": nuggets} | more


def test_lists_and_banks_of_both_kinds_are_read(tmp_path: Path) -> None:
    judged = read_nugget_lists(put(tmp_path / "a.jsonl", LIST, BANK, SUBMITTED))
    assert [event.id for event in judged.events] == ["q1", "q2", "q3"]
    assert [(nugget.text, nugget.importance) for nugget in judged.nuggets] == [
        ("12 died", 3), ("a cable", 3), ("it was a Monday", 1), ("How dear? 200 euros", 1), ("Who? Ann", 3),
    ]  # fmt: skip


def test_scores_are_those_of_nuggetizer_and_a_topic_without_a_report_has_none(tmp_path: Path) -> None:
    judged = put(tmp_path / "nuggets.jsonl", LIST, BANK)
    sentences = [{"text": "x", "support": "full"}, {"text": "y", "support": "none"}]
    run = put(
        tmp_path / "run.jsonl", assigned("support", "partial_support", "not_support", sentences=sentences)
    )
    (scores,) = scorer_for("nuggetizer", judged).score_file(run)
    values = {str(measure): value for measure, value in scores.per_event["q1"].items()}
    assert values == pytest.approx(
        {
            "strict_vital": 1 / 2,
            "strict_all": 1 / 3,
            "vital": 3 / 4,
            "all": 1 / 2,
            "sentences": 1 / 2,
            "report-F1": 0.4,
        }
    )
    assert scores.silent == ("q2",)
    assert set(scores.per_event["q2"].values()) == {0.0}


def test_sentences_that_nobody_judged_have_no_support(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = put(tmp_path / "nuggets.jsonl", LIST)
    run = put(tmp_path / "run.jsonl", assigned("support", "support", "not_support"))
    assert tidings(["score", str(run), "-j", str(judged), "--rules", "nuggetizer", "--format", "tsv"]) == 0
    head, row = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    values = dict(zip(head, row, strict=True))
    assert (values["strict_vital"], values["sentences"], values["report-F1"]) == ("1.0000", "nan", "nan")


def test_nuggets_that_a_report_leaves_out_count(tmp_path: Path) -> None:
    judged = put(tmp_path / "nuggets.jsonl", LIST)
    short = {"qid": "q1", "nuggets": [LIST["nuggets"][0] | {"assignment": "support"}]}
    (scores,) = scorer_for("nuggetizer", judged).score_file(put(tmp_path / "run.jsonl", short))
    assert {str(one): value for one, value in scores.per_event["q1"].items()}["strict_all"] == pytest.approx(
        1 / 3
    )


@pytest.mark.parametrize(("lines", "found"), [
    ([LIST, LIST], "qid 'q1'"),
    ([{"qid": "", "nuggets": []}], "qid ''"),
    ([{"query_id": "q", "nugget_bank": ["x"]}], "nugget_bank"),
    ([{"qid": "q", "nuggets": [{"text": "a", "importance": "great"}]}], "importance"),
])  # fmt: skip
def test_bad_lists_are_refused_with_their_line(tmp_path: Path, lines: list[dict], found: str) -> None:
    with pytest.raises(FormatError, match=found):
        read_nugget_lists(put(tmp_path / "a.jsonl", *lines))


def test_a_nugget_without_assignment_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="without assignment"):
        read_assigned_runs(put(tmp_path / "a.jsonl", LIST))


def test_a_collection_goes_to_a_list_and_back_to_the_desks_folder(tmp_path: Path) -> None:
    lists, folder = tmp_path / "lists.jsonl", tmp_path / "back"
    assert tidings(["convert", str(bundled.path()), str(lists), "--to", "nuggetizer"]) == 0
    nuggets = json.loads(lists.read_text().splitlines()[0])["nuggets"]
    assert [nugget["importance"] for nugget in nuggets] == sorted(
        (nugget["importance"] for nugget in nuggets), key=("vital", "okay").index
    )
    assert tidings(["convert", str(lists), str(folder), "--from", "nuggetizer", "--to", "judgments"]) == 0
    assert len((folder / "nuggets.jsonl").read_text().splitlines()) == len(nuggets) == 82
    banks = tmp_path / "banks.jsonl"
    assert tidings(["convert", str(bundled.path()), str(banks), "--to", "argue"]) == 0
    assert len(read_nugget_lists(banks).nuggets) == 82


@pytest.mark.parametrize(("kind", "written"), [("nuggetizer", 3), ("argue", 2)])
def test_what_a_file_of_nuggets_cannot_hold_is_counted(
    tmp_path: Path, kind: str, written: int, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "judged", tmp_path / "out.jsonl"
    lists = put(tmp_path / "lists.jsonl", LIST)
    assert tidings(["convert", str(lists), str(folder), "--from", "nuggetizer", "--to", "judgments"]) == 0
    nuggets = [json.loads(line) for line in (folder / "nuggets.jsonl").read_text().splitlines()]
    nuggets[1]["text"] = nuggets[0]["text"]
    put(folder / "nuggets.jsonl", *nuggets)
    capsys.readouterr()
    assert tidings(["convert", str(folder), str(out), "--to", kind]) == 0
    said = capsys.readouterr().err
    assert f"1 topic, {written} nuggets" in said
    assert ("nuggets in the words of another of their topic (1)" in said) == (kind == "argue")
    assert len(read_nugget_lists(out).nuggets) == written


@pytest.mark.parametrize("kind", ["nuggetizer", "argue"])
@pytest.mark.parametrize("content", ["", "\n \n"])
def test_a_file_without_topics_becomes_nothing(
    tmp_path: Path, kind: str, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lists, out = tmp_path / "lists.jsonl", tmp_path / "out"
    lists.write_text(content)
    assert tidings(["convert", str(lists), str(out), "--from", kind]) == 2
    assert "there are no topics" in capsys.readouterr().err
    assert not out.exists()


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("run") / "run.jsonl"
    assert (
        tidings(
            ["follow", str(bundled.path()), "--event", "all", "--system", "cosine", "--out", str(out), "-q"]
        )
        == 0
    )
    return out


def test_updates_are_scored_by_what_they_match(run: Path) -> None:
    (scores,) = scorer_for("nuggetizer", bundled.path()).score_file(run)
    values = {str(measure): value for measure, value in scores.per_event["santiago-2013"].items()}
    judged = read_judgments(bundled.path())
    updates = {update.id for update in read_runs(run)[0].updates}
    matches = [match for match in judged.matches if match.update_id in updates]
    assert values["strict_all"] == pytest.approx(len({match.nugget_id for match in matches}) / 82)
    assert values["sentences"] == pytest.approx(len({match.update_id for match in matches}) / len(updates))


def test_a_report_cites_a_document_for_each_sentence(run: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "report.jsonl"
    assert (
        tidings(["report", "santiago-2013", "--run", str(run), "--out", str(out), "--most-words", "60"]) == 0
    )
    (line,) = out.read_text().splitlines()
    report = json.loads(line)
    assert report["metadata"]["topic_id"] == "santiago-2013"
    assert sum(len(one["text"].split()) for one in report["responses"]) <= 60
    assert report["metadata"]["title"] == read_judgments(bundled.path()).events[0].title
    assert all(one["citations"] for one in report["responses"])
    assert set(report["references"]) == {doc for one in report["responses"] for doc in one["citations"]}
    assert tidings(["report", str(run), "--out", str(tmp_path / "again.jsonl"), "--most-words", "60"]) == 0
    assert (tmp_path / "again.jsonl").read_text() == out.read_text()
    assert tidings(["report", "nothing", "--out", str(out)]) == 2
    assert "--run RUN" in capsys.readouterr().err


def test_an_event_is_looked_for_in_the_store_that_is_there(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    call = ["follow", str(bundled.path()), "--system", "cosine", "--store", "tidings.db", "-q"]
    assert tidings([*call, "--event", "all", "--out", "run.jsonl"]) == 0
    assert tidings(["report", "santiago-2013", "--out", "report.jsonl"]) == 0
    about = json.loads(Path("report.jsonl").read_text())["metadata"]
    title = read_judgments(bundled.path()).events[0].title
    assert (about["topic_id"], about["title"]) == ("santiago-2013", title)
    assert tidings([*call, "--query", "train", "--title", "Derailment", "--out", "mine.jsonl"]) == 0
    assert tidings(["report", "query", "--run", "mine.jsonl", "--out", "report.jsonl"]) == 0
    assert json.loads(Path("report.jsonl").read_text())["metadata"]["title"] == "Derailment"
