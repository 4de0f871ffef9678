"""Rankings that end, scored by hand, and runs of Change Detection in both spellings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases
from tidings.cli import run as tidings
from tidings.core import FormatError, UsageError
from tidings.evaluation.measures.changedet import truncated_scores
from tidings.evaluation.scoring import scorer_for
from tidings.following.changes.formats import read_change_run, write_change_run

TOPIC = {"tid": "t", "label": "Fire", "narrative": "A fire.",
         "questions": [{"qid": "q_1", "question": "Where?"}, {"qid": "q_2", "question": "Who?"}]}  # fmt: skip
HEAD = cases(__file__, "head", lists=True)
CHANGES = "t\t2026-01-01\tq_1\ta\t10\nt\t2026-01-01\tq_1\tb\t5\nt\t2026-01-02\t-\t-\t0\n"


def answer(qid: str, rank: int, *documents: str) -> dict:
    ranked = [{"doc_id": doc_id, "score": 1.0} for doc_id in documents]
    return {"qid": qid, "question-rank": rank, "question-text": "?", "doc-ranking": ranked}


def put(folder: Path, *lines: dict) -> Path:
    path = folder / "run.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    folder = tmp_path / "judged"
    folder.mkdir()
    (folder / "topics.jsonl").write_text(json.dumps(TOPIC) + "\n")
    (folder / "changes.tsv").write_text(CHANGES)
    return folder


def test_a_list_that_ends_is_scored_with_its_terminal_document() -> None:
    # One of two relevant documents, in the second place: the terminal document comes third and is worth a half.
    scores = truncated_scores([0, 10], [10, 10])
    assert scores["RR"] == pytest.approx(1 / 2)
    assert scores["RBP"] == pytest.approx(0.5 * 0.5 + 0.5 * 0.25)
    assert scores["AP"] == pytest.approx((1 / 2 + 0.5 * 1.5 / 3) / 3)
    assert scores["nDCG"] == pytest.approx((10 / 1.584963 + 5 / 2) / (10 + 10 / 1.584963 + 10 / 2), rel=1e-5)


def test_silence_is_right_where_nothing_changed_and_wrong_elsewhere() -> None:
    assert set(truncated_scores([], []).values()) == {1.0}
    assert set(truncated_scores([], [5]).values()) == {0.0}
    assert truncated_scores([0], []) == pytest.approx(
        {"RR": 0.5, "RBP": 0.5, "nDCG": 0.630930, "AP": 0.5}, abs=1e-6
    )


@given(
    st.lists(st.sampled_from([1, 5, 10]), max_size=6),
    st.lists(st.sampled_from([0, 1, 5, 10]), max_size=6),
    st.data(),
)
def test_no_list_is_worth_more_than_the_best(
    relevant: list[int], others: list[int], data: st.DataObject
) -> None:
    listed = data.draw(st.permutations(relevant))[: data.draw(st.integers(0, len(relevant)))]
    scores = truncated_scores([*listed, *(0 for gain in others if not gain)], relevant)
    assert all(0 <= value <= 1 + 1e-9 for value in scores.values())


def test_minor_documents_count_little() -> None:
    found, missed = truncated_scores([10], [10, 1]), truncated_scores([1], [10, 1])
    for name in ("RR", "nDCG", "AP"):
        assert found[name] > 0.9
        assert missed[name] < 0.4


def test_the_best_list_may_end_before_what_is_worth_least() -> None:
    # r of [10]: 1 and the terminal 10/11; of [10, 1]: 1, .1 and the terminal 1.
    short, whole = 1 + 10 / 11 * (1 + 10 / 11) / 2, 1 + 0.1 * 1.1 / 2 + 2.1 / 3
    assert truncated_scores([10], [10, 1])["AP"] == pytest.approx(1)
    assert truncated_scores([10, 1], [10, 1])["AP"] == pytest.approx(whole / short)


def test_days_of_the_universe_that_nobody_judged_had_no_change(judged: Path, tmp_path: Path, capsys) -> None:
    run = put(tmp_path, HEAD, {"topic": "t", "results": {"2026-01-03": [answer("q_1", 0, "c")]}})
    days = tmp_path / "days.txt"
    days.write_text("2026-01-01\n2026-01-02\n2026-01-03\n")

    def silence(*more: str) -> float:
        call = ["score", str(run), "-j", str(judged), "--rules", "changedet-2026", "--format", "long"]
        assert tidings([*call, "-m", "document-silence", "--per-event", *more]) == 0
        rows = [line.split() for line in capsys.readouterr().out.splitlines()]
        return float(next(row[-1] for row in rows if "t" in row))

    # Of q_1's days without a change one of two is answered where the third counts; q_2 is silent on all.
    assert (silence(), silence("--universe", str(days))) == (1, pytest.approx((1 / 2 + 1) / 2))
    days.write_text("2026-01-01\nMonday\n")
    call = ["score", str(run), "-j", str(judged), "--rules", "changedet-2026", "--universe", str(days)]
    assert tidings(call) == 2
    assert f"{days}:2" in capsys.readouterr().err
    days.write_text("")
    assert tidings(call) == 2
    assert f"{days}: there are no days" in capsys.readouterr().err


def test_a_whole_list_in_its_order_is_worth_all() -> None:
    assert truncated_scores([10, 10], [10, 10]) == pytest.approx(
        dict.fromkeys(("RR", "RBP", "nDCG", "AP"), 1.0)
    )


def test_means_go_over_units_and_an_absent_day_ties_all_questions(judged: Path, tmp_path: Path) -> None:
    scorer = scorer_for("changedet-2026-draft", judged)
    days = {"2026-01-01": [answer("q_1", 0, "a", "b")], "2026-01-02": []}
    right = {
        str(m): v
        for m, v in scorer.score_file(put(tmp_path, HEAD, {"topic": "t", "results": days}))[0]
        .per_event["t"]
        .items()
    }
    assert (
        right["document-AP"]
        == right["question-AP"]
        == right["document-silence"]
        == right["question-silence"]
        == 1
    )
    del days["2026-01-02"]
    absent = {
        str(m): v
        for m, v in scorer.score_file(put(tmp_path, HEAD, {"topic": "t", "results": days}))[0]
        .per_event["t"]
        .items()
    }
    assert (absent["document-silence"], absent["question-silence"]) == (1, 0)
    assert absent["question-RR"] == pytest.approx((1 + 1 / 3) / 2)
    assert absent["question-RR-answered"] == 1


def test_a_question_that_its_topic_lacks_is_refused_unless_the_run_named_it(
    judged: Path, tmp_path: Path
) -> None:
    scorer = scorer_for("changedet-2026-draft", judged)
    new = put(tmp_path, HEAD, {"topic": "t", "results": {"2026-01-01": [answer("us_1", 0)]}})
    values = {str(measure): value for measure, value in scorer.score_file(new)[0].per_event["t"].items()}
    # Three questions on two days, the new one from its first day on; one unit has an answer, which the run misses.
    assert values["document-RR"] == pytest.approx(5 / 6)
    later = put(tmp_path, HEAD, {"topic": "t", "results": {"2026-01-02": [answer("us_1", 0)]}})
    values = {str(measure): value for measure, value in scorer.score_file(later)[0].per_event["t"].items()}
    assert values["document-RR"] == pytest.approx((1 / 2 + 1 + 1) / 3)  # it is not missed on the day before
    # From a day that nobody judged on: on the second it ties with the others, being the topic's by then.
    days = {"2025-12-31": [answer("us_1", 0)], "2026-01-01": []}
    early = put(tmp_path, HEAD, {"topic": "t", "results": days})
    values = {str(measure): value for measure, value in scorer.score_file(early)[0].per_event["t"].items()}
    assert values["question-RR"] == pytest.approx((0 + 1 / 4) / 2)
    other = put(tmp_path, HEAD, {"topic": "t", "results": {"2026-01-01": [answer("q_9", 0)]}})
    with pytest.raises(UsageError, match="q_9 on 2026-01-01, which topic t lacks"):
        scorer.score_file(other)


def test_both_spellings_are_read_and_the_guidelines_is_written(tmp_path: Path) -> None:
    day = {"results": [{"qid": "q_1", "question_rank": 0, "doc_ranking": [{"doc_id": "a", "score": 1}]}]}
    written = put(tmp_path, HEAD, {"topic": "t", "results": {"2026-01-01": day}})
    run = read_change_run(written)
    write_change_run(tmp_path / "again.jsonl", run)
    lines = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text().splitlines()]
    assert lines[1]["results"]["2026-01-01"][0]["doc-ranking"] == [{"doc_id": "a", "score": 1.0}]
    assert read_change_run(tmp_path / "again.jsonl") == run


@pytest.mark.parametrize(("lines", "found"), [
    ([{"topic": "t", "results": {}}], "a topic before the runtag"),
    ([HEAD | {"runtag": "a b"}], "runtag 'a b'"),
    ([HEAD, {"topic": "t", "results": {"1 May": []}}], "day '1 May'"),
    ([HEAD, {"topic": "t", "results": {"2026-01-01": [answer("q_1", -1)]}}], "question-rank -1"),
    ([HEAD, {"topic": "t", "results": {"2026-01-01": [answer("q_1", 0, *map(str, range(101)))]}}], "101 documents"),
    ([HEAD, {"topic": "t", "results": {"2026-01-01": [answer("q_1", 0, "a", "a")]}}], "doc_id 'a'"),
])  # fmt: skip
def test_a_bad_run_is_refused_with_its_line(tmp_path: Path, lines: list[dict], found: str) -> None:
    with pytest.raises(FormatError, match=found):
        read_change_run(put(tmp_path, *lines))


def test_the_command_scores_a_run(judged: Path, tmp_path: Path, capsys) -> None:
    path = put(tmp_path, HEAD, {"topic": "t", "results": {"2026-01-01": [answer("q_1", 0, "a")]}})
    assert tidings(["score", str(path), "-j", str(judged), "--rules", "changedet-2026-draft"]) == 0
    assert "document-AP" in capsys.readouterr().out
