"""Questions answered day by day: silence, what is new, and nothing from later."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.store.databases import killed_at
from tidings.cli import run as tidings
from tidings.core import Document
from tidings.following.changes import kept
from tidings.following.changes.answering import (
    FEATURES,
    ChangeTracker,
    QuestionMemory,
    TopicTerms,
    by_days,
    read_day,
    read_document,
)
from tidings.following.changes.formats import Question, Topic, read_change_run

DAY = 86_400
FERRY = Topic(
    "t1",
    "Aurora ferry fire",
    "I want to know what is new of the fire on the ferry Aurora.",
    (
        Question("toll", "How many people were killed or injured in the Aurora ferry fire?", ("named",)),
        Question("cause", "What caused the Aurora ferry fire?"),
    ),
)
TEXTS = (
    (0, "a", "Fire on the ferry Aurora killed 12 people and injured 30, police said."),
    (0, "b", "Wheat prices rose again in Chicago as farmers waited for rain."),
    (1, "c", "The fire on the ferry Aurora killed 12 people and injured 30, police said."),
    (2, "d", "The ferry Aurora fire was caused by a faulty cable, investigators found."),
    (3, "e", "The coach of the team resigned after the cup final."),
)


def documents() -> list[Document]:
    return [Document(id=name, published_time=day * DAY, text=text) for day, name, text in TEXTS]


def answers_of(stream: list[Document]) -> list[dict[str, tuple]]:
    tracker = ChangeTracker([FERRY])
    return [tracker.push(day) for _, day in by_days(stream)]


def scores_of(answers: tuple, qid: str) -> dict[str, float]:
    return {one.doc_id: one.score for answer in answers if answer.qid == qid for one in answer.documents}


def test_a_day_is_silent_where_nothing_is_on_the_topic() -> None:
    first, _, _, last = (day["t1"] for day in answers_of(documents()))
    assert last == ()
    assert set(scores_of(first, "toll")) == {"a"}


def test_what_was_said_before_is_less_likely_to_be_a_change() -> None:
    days = [day["t1"] for day in answers_of(documents())]
    again = [Document(id="c", published_time=0, text=TEXTS[2][2])]
    assert scores_of(days[1], "toll").get("c", 0.0) < scores_of(answers_of(again)[0]["t1"], "toll")["c"]


def test_the_nearest_answer_of_earlier_days_is_known() -> None:
    topic = TopicTerms(FERRY)
    memory = QuestionMemory.of(FERRY.questions[0], topic)
    days = [Document(id=str(day), published_time=day * DAY, text=TEXTS[0][2]) for day in range(2)]
    rows = [
        row
        for document in days
        for _, _, found in read_day(topic, [memory], [read_document(document)])
        for _, row in found
    ]
    nearest = [row[FEATURES.index("nearest answer")] for row in rows]
    assert nearest == [0.0, pytest.approx(1.0)]


def test_the_cause_is_the_first_question_of_the_day_that_tells_it() -> None:
    assert answers_of(documents())[2]["t1"][0].qid == "cause"


def test_nothing_from_a_later_day_counts_nor_the_order_within_one() -> None:
    whole = answers_of(documents())
    assert answers_of(documents()[:3]) == whole[:2]
    crowded = [Document(id=name, published_time=0, text=text) for _, name, text in TEXTS]
    assert answers_of(crowded) == answers_of(crowded[::-1])


def test_a_document_that_two_sources_hold_counts_once() -> None:
    twice = [each for document in documents() for each in (document, document)]
    assert answers_of(twice) == answers_of(documents())


def test_an_example_counts_from_the_day_on_which_it_appears() -> None:
    example = Document(
        id="named", published_time=0, text="The captain of the Aurora spoke of 14 dead after the ferry fire."
    )
    after = Document(
        id="z", published_time=DAY, text="The captain of the Aurora spoke of 15 dead in the ferry fire."
    )
    other = Document(id="nobody", published_time=0, text=example.text)
    named, unnamed = (answers_of([first, after])[1]["t1"] for first in (example, other))
    assert scores_of(named, "toll") != scores_of(unnamed, "toll")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    topics, stream = tmp_path / "topics.jsonl", tmp_path / "stream.jsonl"
    questions = [{"qid": one.qid, "question": one.question, "rel_docs": []} for one in FERRY.questions]
    topics.write_text(
        json.dumps({"tid": "t1", "label": FERRY.label, "narrative": FERRY.narrative, "questions": questions})
    )
    lines = [{"id": name, "text": f"Title\n\n{text}", "url": "", "date": f"2022-03-0{day + 1}T10:00:00.000Z"}
             for day, name, text in TEXTS]  # fmt: skip
    stream.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return topics, stream


def test_the_command_writes_a_run_of_the_tracks_documents(
    files: tuple[Path, Path], tmp_path: Path, capsys
) -> None:
    topics, stream = files
    out = tmp_path / "run.jsonl"
    assert (
        tidings(["follow", str(stream), "--topics", str(topics), "--out", str(out), "--run-name", "us1"]) == 0
    )
    run = read_change_run(out)
    assert run.head.runtag == "us1"
    results = run.answers[0].results
    assert sorted(results) == ["2022-03-01", "2022-03-02", "2022-03-03", "2022-03-04"]
    assert results["2022-03-04"] == ()
    assert results["2022-03-01"][0].documents[0].doc_id == "a"
    assert capsys.readouterr().err.rstrip().endswith("questions answered on 4 days, 1 topic")


@pytest.mark.parametrize(("more", "found"), [
    (["--query", "fire"], "--topics and --query cannot be combined"),
    (["--run-name", "a b"], "--run-name a b: the track takes 1 to 20"),
])  # fmt: skip
def test_what_does_not_go_together_is_refused(
    files: tuple[Path, Path], tmp_path: Path, more: list[str], found: str, capsys
) -> None:
    topics, stream = files
    assert (
        tidings(["follow", str(stream), "--topics", str(topics), "--out", str(tmp_path / "x.jsonl"), *more])
        == 2
    )
    assert found in capsys.readouterr().err
    assert not (tmp_path / "x.jsonl").exists()


def test_topics_without_questions_are_refused_by_their_own_name(files: tuple[Path, Path], capsys) -> None:
    topics, stream = files
    topics.write_text("")
    out = stream.with_name("x.jsonl")
    assert tidings(["follow", str(stream), "--topics", str(topics), "--out", str(out)]) == 2
    assert f"{topics}: there are no questions" in capsys.readouterr().err
    assert not out.exists()


def test_options_that_topics_do_not_use_are_named(files: tuple[Path, Path], capsys) -> None:
    topics, stream = files
    out = stream.with_name("x.jsonl")
    call = ["follow", str(stream), "--topics", str(topics), "--out", str(out)]
    assert tidings([*call, "--system", "centroid", "--about", "5/day"]) == 0
    assert "note: --topics ignores --about, --system" in capsys.readouterr().err
    assert tidings(call) == 0
    assert "note:" not in capsys.readouterr().err


def test_a_run_that_was_stopped_goes_on_and_a_finished_one_with_more_days(
    files: tuple[Path, Path], tmp_path: Path, capsys
) -> None:
    topics, stream = files
    out, whole = tmp_path / "parts.jsonl", tmp_path / "whole.jsonl"
    lines = stream.read_text().splitlines(keepends=True)
    call = ["follow", str(stream), "--topics", str(topics), "--run-name", "us1", "--out"]
    assert tidings([*call, str(whole)]) == 0
    for most in range(1, len(lines) + 1):
        stream.write_text("".join(lines[:most]))
        assert tidings([*call, str(out)]) == 0
    assert "going on after 2 days, the last of them 2022-03-02" in capsys.readouterr().err
    assert out.read_bytes() == whole.read_bytes()
    stream.write_text("".join(lines[1:]))
    assert tidings([*call, str(out)]) == 2
    assert "2022-03-01: its documents differ" in capsys.readouterr().err
    assert tidings([*call, str(out), "--restart"]) == 0
    topics.write_text(topics.read_text().replace("injured", "hurt"))
    assert tidings([*call, str(out)]) == 2
    assert "started with other settings: topic t1" in capsys.readouterr().err


@pytest.mark.kill
def test_a_process_killed_at_work_answers_as_one_that_was_not(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    topics, stream = files
    killed, whole = tmp_path / "killed.jsonl", tmp_path / "whole.jsonl"

    def answer(out: Path) -> None:
        assert tidings(["follow", str(stream), "--topics", str(topics), "--out", str(out), "-q"]) == 0

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(kept, "_COMMIT_EVERY_S", 0.0)
        answer(whole)
        kills = sum(killed_at(statement, lambda: answer(killed)) for statement in range(1, 200, 3))
        answer(killed)
    assert kills > 5
    assert killed.read_bytes() == whole.read_bytes()
