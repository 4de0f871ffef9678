"""What a judge is worth, on questions with known answers: a function, and a server that answers by a rule."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import numpy as np
import pytest

from tests.analysis.judges.stand_in import running
from tidings.cli import run as tidings
from tidings.core import UsageError
from tidings.evaluation.judging.measuring import (
    Answer,
    Question,
    area_under_curve,
    figures_of,
    judge_named,
    labelled_questions,
    match_questions,
    story_questions,
)
from tidings.sources import bundled, read_judgments


def answers(*likely: float | None) -> list[Answer]:
    """Answers to questions whose answers are yes, no, yes, no, …"""
    return [
        Answer(Question("news", "?", "a", "b", number % 2 == 0, number % 2 == 0), each, 0.5)
        for number, each in enumerate(likely)
    ]


def test_a_judge_that_is_always_right_and_sure() -> None:
    figures = figures_of("news", answers(1.0, 0.0, 1.0, 0.0))
    assert (figures.accuracy.value, figures.area.value, figures.model_area.value) == (1, 1, 1)
    assert (figures.brier.value, figures.calibration.value, figures.seconds) == (0, 0, 0.5)
    assert figures.accuracy.low < 0.6  # four questions show little


def test_one_that_is_sure_and_wrong_is_badly_calibrated_and_half_is_no_answer_that_is_right() -> None:
    wrong = figures_of("news", answers(0.0, 1.0, 0.0, 1.0))
    assert (wrong.accuracy.value, wrong.area.value, wrong.brier.value, wrong.calibration.value) == (
        0,
        0,
        1,
        1,
    )
    half = figures_of("news", answers(0.5, 0.5, 0.5, 0.5))
    assert (half.accuracy.value, half.area.value, half.calibration.value) == (0, 0.5, 0)


def test_every_figure_has_an_interval_around_it() -> None:
    figures = figures_of("news", answers(*(0.9, 0.2, 0.6, 0.7, 0.3, 0.1) * 8))
    for each in (figures.accuracy, figures.area, figures.brier, figures.calibration):
        assert 0 <= each.low < each.high <= 1
    assert figures.brier.low < figures.brier.value < figures.brier.high


def test_questions_without_an_answer_count_as_wrong() -> None:
    figures = figures_of("news", answers(1.0, 0.0, None, None))
    assert (figures.questions, figures.answered, figures.accuracy.value) == (4, 2, 0.5)
    with pytest.raises(UsageError, match="answered none of 2 questions"):
        figures_of("news", answers(None, None))


def test_the_area_is_that_of_pairs_in_their_order() -> None:
    draws = np.random.default_rng(1)
    scores, right = draws.integers(0, 5, 60).astype(float), draws.integers(0, 2, 60).astype(float)
    pairs = [(one > other) + (one == other) / 2 for one in scores[right == 1] for other in scores[right == 0]]
    assert area_under_curve(scores, right) == pytest.approx(np.mean(pairs))


def test_half_of_the_questions_are_to_be_answered_yes_and_the_matcher_knows_most() -> None:
    questions = match_questions(read_judgments(bundled.path()), 60, random.Random(1))
    assert sum(question.answer for question in questions) == len(questions) / 2 == 30
    figures = figures_of("match", [Answer(each, float(each.answer), 0) for each in questions])
    assert figures.model_area.value > 0.8
    again = match_questions(read_judgments(bundled.path()), 60, random.Random(1))
    assert again == questions


def test_stories_are_told_from_their_sisters(tmp_path: Path) -> None:
    said = {"1ecb": "A ferry burned off Brennholm", "1ecbplus": "A ferry burned in Nador harbour"}
    lines = [
        {"id": f"{event}-{n}", "event": event, "sentences": [text, f"{text} on day {n}."]}
        for event, text in said.items()
        for n in range(4)
    ]
    path = tmp_path / "ecbplus.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    questions = story_questions(path, 10, random.Random(0))
    assert {question.answer for question in questions} == {True, False}
    same = [question.first.split("\n")[0] == question.second.split("\n")[0] for question in questions]
    assert same == [question.answer for question in questions]


def test_what_has_no_labels_is_named_and_bad_labels_are_refused(tmp_path: Path) -> None:
    said: list[str] = []
    assert labelled_questions(["story"], None, 10, 0, said.append) == {}
    assert "stories/ecbplus.jsonl.gz" in said[0]
    (tmp_path / "stories").mkdir()
    (tmp_path / "stories" / "ecbplus.jsonl.gz").write_bytes(b"no gzip")
    with pytest.raises(UsageError, match="not labels of story"):
        labelled_questions(["story"], tmp_path, 10, 0, said.append)


def test_a_server_is_asked_and_measured(capsys) -> None:
    def rule(prompt: str) -> str:
        return json.dumps({"yes": 0.9 if len(prompt) > 300 else 0.1})

    with running(rule) as server:
        call = [
            "judge",
            "measure",
            f"{server.url},model=small",
            "--task",
            "match",
            "--most",
            "20",
            "--format",
            "tsv",
        ]
        assert tidings(call) == 0
        assert len(server.prompts) == 20
        server.usage = {"prompt_tokens": 400, "completion_tokens": 8, "total_tokens": 408}
        assert tidings(call) == 0
        server.usage = {"total_tokens": "many"}
        assert tidings(call) == 0
        assert "First text:" in server.prompts[0]
        server.rule = lambda prompt: "I cannot say"
        assert tidings(call) == 2
    output = capsys.readouterr()
    head, *rows = (line.split("\t") for line in output.out.splitlines())
    row = dict(zip(head, rows[0], strict=True))
    assert (row["task"], row["asked"], row["answered"]) == ("match", "20", "20")
    assert [own[-1] for own in rows if own[0] == "match"] == ["–", "408", "–"]
    assert "answered none of 20 questions of match" in output.err


def test_a_function_is_a_judge(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "my_judge.py").write_text("def yes(question, first, second):\n    return second == 'b'\n")
    monkeypatch.chdir(tmp_path)
    name, ask = judge_named("my_judge:yes")
    assert (name, ask(Question("news", "?", "a", "b", True, 0)), ask(Question("news", "?", "a", "c", True, 0))) == (
        "yes", (1.0, 0), (0.0, 0),
    )  # fmt: skip


@pytest.mark.parametrize(("judge", "found"), [
    ("nothing", "give URL,model=NAME or module:function"),
    ("no_such_module:f", "No module named"),
    ("json:no_such_function", "no_such_function"),
    ("http://localhost:1/v1", "no model"),
])  # fmt: skip
def test_a_judge_that_is_none_is_refused(judge: str, found: str, capsys) -> None:
    assert tidings(["judge", "measure", judge]) == 2
    assert found in capsys.readouterr().err


def test_a_function_says_how_likely_yes_is_or_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_judges.py").write_text(
        "sure = lambda question, first, second: True\nsilent = lambda *texts: None\nwords = lambda *texts: 'yes'\n"
        "high = lambda *texts: 7\nnumber = 3\n"
    )
    monkeypatch.chdir(tmp_path)
    asked = Question("news", "?", "a", "b", True, True)
    assert judge_named("my_judges:sure")[1](asked) == (1, 0)
    assert judge_named("my_judges:silent")[1](asked) == (None, 0)
    for name, said in (("words", "returned 'yes'"), ("high", "returned 7")):
        with pytest.raises(UsageError, match=f"{said}.*from 0 to 1"):
            judge_named(f"my_judges:{name}")[1](asked)
    with pytest.raises(UsageError, match="expected a function"):
        judge_named("my_judges:number")
