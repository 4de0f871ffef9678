"""Likenesses of updates and nuggets, what they give as matches, and how good a matcher is, by hand."""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import numpy as np
import pytest

from tests.evaluation.matching.test_learned import event_of
from tests.sweeps import every
from tidings.cli import run as tidings
from tidings.core.errors import UsageError
from tidings.core.records import Judgments, Match, Nugget, PooledUpdate, Run, Update
from tidings.evaluation.formats.judge_answers import read_possible_matches
from tidings.evaluation.matching import neighbours
from tidings.evaluation.matching.learned import (
    JudgedPairs,
    average_precision,
    best_threshold,
    calibration,
    judged_event_texts,
    mean_average_precision,
    precision_recall,
)
from tidings.evaluation.matching.likeness import BaselineMatcher, Likeness, term_vectors
from tidings.evaluation.matching.neighbours import by_neighbours
from tidings.evaluation.matching.texts import EventTexts, emitted_updates, match_events, update_time
from tidings.following.outputs.outputs import write_updates
from tidings.sources import bundled
from tidings.sources.streams import read_judgments


def nugget(number: int, text: str, time: int = 0) -> Nugget:
    return Nugget("TS1.1", f"N{number}", time, 1, text)


def update(number: int, text: str, doc: str = "") -> PooledUpdate:
    return PooledUpdate("TS1.1", doc or f"{1700000000 + number}-d", number, text)


UPDATES = [
    update(0, "The ferry burned off the coast"),
    update(1, "The ferry burned off the coast"),
    update(2, "Police said the fire was out"),
    update(3, "A goal was scored"),
]
NUGGETS = [nugget(0, "ferry burned"), nugget(1, "police and fire crews"), nugget(2, "the and")]


def test_rarity_counts_distinct_texts_and_copies_are_one_text() -> None:
    event = EventTexts(NUGGETS, UPDATES)
    assert event.text_of == [0, 0, 1, 2]
    assert event.rarity[event.columns["ferri"]] == pytest.approx(log(4 / 1.5))
    assert event.rarity[event.columns["crew"]] == pytest.approx(log(4 / 0.5))
    assert event.times.tolist() == [1700000000, 1700000002, 1700000003]


def test_containment_is_the_share_of_rarity_that_the_text_holds() -> None:
    likeness = Likeness.of(EventTexts(NUGGETS, UPDATES))
    held, crew = log(4 / 1.5), log(4 / 0.5)
    assert likeness.contained[0].tolist() == pytest.approx([1, 0, 0])
    assert likeness.contained[1, 1] == pytest.approx(2 * held / (2 * held + crew))
    assert (likeness.soft >= likeness.contained - 1e-6).all()
    assert likeness.contained[:, 2].tolist() == [0, 0, 0], "a nugget of stop words is contained nowhere"


def test_terms_in_like_company_are_alike_and_rare_ones_have_no_vector() -> None:
    texts = [
        "ferry sank near port",
        "boat sank near port",
        "goal scored by striker",
        "goal missed by striker",
    ]
    event = EventTexts([], [update(number, text) for number, text in enumerate(texts * 2)])
    assert len(event.texts) == 4
    vectors = term_vectors(event.terms, event.held_by, least=1)
    boat, ferry, goal = (vectors[event.columns[stem]] for stem in ("boat", "ferri", "goal"))
    assert boat @ ferry > 0.9
    assert abs(boat @ goal) < 0.3
    rare = term_vectors(event.terms, event.held_by)
    assert not rare[event.columns["boat"]].any()


@every(
    "doc, published, expected",
    [
        ("1330003205-a", 0, 1330003205),
        ("1330003205-a", 7, 7),
        ("doc-1", 0, 0),
        ("²-1", 0, 0),
        ("9" * 30, 0, 0),
    ],
)
def test_the_time_of_an_update(doc: str, published: int, expected: int) -> None:
    assert update_time(PooledUpdate("e", doc, 0, "x", published_time=published)) == expected


def test_pairs_come_in_the_order_of_the_updates_copies_too() -> None:
    pairs = list(BaselineMatcher("containment", 0.3).match(NUGGETS, UPDATES))
    assert [(one.update_id[-1], one.nugget_id) for one in pairs] == [("0", "N0"), ("1", "N0"), ("2", "N1")]
    assert UPDATES[0].text[pairs[0].start : pairs[0].end] == "ferry burned"
    assert {one.event_id for one in pairs} == {"TS1.1"}


def test_exact_asks_for_all_stems_in_a_row() -> None:
    updates = [update(0, "ferries burning now"), update(1, "the ferry had not burned, it sank, burned")]
    pairs = list(BaselineMatcher("exact").match([nugget(0, "a ferry burned")], updates))
    assert [one.update_id for one in pairs] == [updates[0].id, updates[1].id]
    assert not list(BaselineMatcher("exact").match([nugget(0, "burned ferry")], updates))
    assert not list(BaselineMatcher("exact").match([nugget(0, "ferr")], updates))


@every("by", ["exact", "containment", "bm25", "cosine", "soft", "sum"])
def test_every_likeness_is_within_0_and_1_and_empty_sides_give_nothing(by: str) -> None:
    pairs = list(BaselineMatcher(by, 0.0).match(NUGGETS, UPDATES))
    assert pairs and all(0 < one.probability <= 1 for one in pairs)
    assert not list(BaselineMatcher(by).match([], UPDATES))
    assert not list(BaselineMatcher(by).match(NUGGETS, []))
    alone = BaselineMatcher(by, 0.0).match(NUGGETS, UPDATES[:1])
    assert [one.nugget_id for one in alone] == ["N0"]


def test_a_matcher_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"there is no matcher 'best'; there are learned.*containment"):
        BaselineMatcher("best")


def test_average_precision_of_ties_is_the_mean_over_their_orders() -> None:
    tied = JudgedPairs(np.array([0.5, 0.5]), np.array([True, False]), 1)
    assert average_precision(tied) == pytest.approx((1 + 1 / 2) / 2)
    three = JudgedPairs(np.array([0.9, 0.5, 0.5, 0.5]), np.array([False, True, True, False]), 3)
    orders = [(1 / 2 + 2 / 3), (1 / 2 + 2 / 4), (1 / 3 + 2 / 4)]
    assert average_precision(three) == pytest.approx(sum(orders) / 3 / 3), "one match was never given"
    assert mean_average_precision({"a": tied, "b": JudgedPairs(np.zeros(0), np.zeros(0, bool), 0)}) == 0.75
    assert average_precision(JudgedPairs(np.zeros(0), np.zeros(0, bool), 2)) == 0.0


def test_precision_recall_and_the_threshold_count_what_was_never_given() -> None:
    events = [JudgedPairs(np.array([0.9, 0.4]), np.array([True, False]), 3)]
    assert precision_recall(events, 0.5) == pytest.approx((1, 1 / 3, 1 / 2))
    assert best_threshold(events) == 0.9
    level = [JudgedPairs(np.array([0.5, 0.5, 0.5]), np.array([True, False, False]), 1)]
    assert best_threshold(level) == 0.5
    assert precision_recall(level, best_threshold(level)) == pytest.approx((1 / 3, 1, 1 / 2))


def test_a_probability_of_one_is_in_the_last_bin() -> None:
    (one,) = calibration([JudgedPairs(np.array([1.0, 0.95]), np.array([True, False]), 1)])
    assert (one.count, one.said, one.seen) == (2, pytest.approx(0.975), 0.5)


def test_judged_texts_are_matched_as_any_of_their_copies() -> None:
    matches = (
        Match("TS1.1", UPDATES[1].id, "N0", 0, 3),
        Match("TS1.1", "gone-1", "N0", 0, 3),
        Match("TS1.1", UPDATES[2].id, "gone", 0, 3),
    )
    judgments = Judgments(name="x", nuggets=tuple(NUGGETS), matches=matches, pool=tuple(UPDATES))
    (event,) = judged_event_texts(judgments)
    assert event.matched.tolist() == [[True, False, False], [False] * 3, [False] * 3]


def test_what_runs_told_is_read_beside_the_pool_and_alone_given() -> None:
    judgments = Judgments(name="x", nuggets=tuple(NUGGETS), pool=tuple(UPDATES))
    given = [
        Update("1", "1700000009-n", 4, 0, text="A ferry burned"),
        Update("1", "1700000009-n", 4, 0, text="A ferry burned"),
        Update("1", UPDATES[2].doc_id, 2, 0),
        Update("1", "1700000010-n", 0, 0),
        Update("2", "1700000010-n", 0, 0, text="ferry burned"),
    ]
    told, wordless = emitted_updates(judgments, given, {one.id: one.text for one in UPDATES})
    assert ([one.id for one in told], wordless) == (["1700000009-n-4", UPDATES[2].id], 1)
    pairs = list(match_events(BaselineMatcher("containment"), judgments, told))
    assert {one.update_id for one in pairs} == {"1700000009-n-4", UPDATES[2].id}
    assert {one.event_id for one in pairs} == {"TS1.1"}
    pooled = list(match_events(BaselineMatcher("containment"), judgments))
    assert {one.update_id for one in pooled} == {one.id for one in UPDATES[:3]}


def test_the_verb_matches_the_pool_and_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = str(bundled.path()), tmp_path / "matches.jsonl"
    assert tidings(["match", "-j", folder, "--by", "sum", "--out", str(out)]) == 0
    pairs = read_possible_matches(out)
    judged = {(match.update_id, match.nugget_id) for match in read_judgments(folder).matches}
    best = sorted(pairs, key=lambda one: -one.probability)[:10]
    assert sum((one.update_id, one.nugget_id) in judged for one in best) >= 5
    assert "may be a match" in "".join(capsys.readouterr())
    update_id = best[0].update_id
    doc, _, index = update_id.rpartition("-")
    write_updates(
        tmp_path / "run.jsonl", [Run("us", "a", (Update("santiago-2013", doc, int(index), 1374684000),))]
    )
    assert tidings(["match", str(tmp_path / "run.jsonl"), "-j", folder, "--by", "sum", "-o", str(out)]) == 0
    assert {json.loads(line)["update"] for line in out.read_text().splitlines()} == {update_id}


def test_errors_of_the_verb_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = str(bundled.path()), str(tmp_path / "x.jsonl")
    write_updates(tmp_path / "run.jsonl", [Run("us", "a", (Update("other", "d", 0, 1, text="words"),))])
    for args in (
        ["match", "-j", folder, "-o", out, "--by", "best"],
        ["match", "-j", str(tmp_path / "none"), "-o", out],
        ["match", str(tmp_path / "run.jsonl"), "-j", folder, "-o", out],
    ):
        assert tidings(args) == 2
        said = capsys.readouterr().err.strip()
        assert len(said.splitlines()) == 1
        assert said.startswith("tidings: ")
    assert not Path(out).exists()


def neighbours_of(texts: list[str], nuggets: list[str]):
    event = event_of(nuggets, texts)
    base = np.arange(len(texts) * len(nuggets), dtype=np.float32).reshape(len(texts), -1) / 10
    return event, base, by_neighbours(event, base, event.tf_idf())


def test_neighbours_vote_by_their_cosines_and_a_text_is_no_neighbour_of_its_own() -> None:
    texts = ["ferry burned port", "ferry burned coast", "ferry sank", "goal scored late", "goal missed late"]
    event, base, (_, votes, nearest) = neighbours_of(texts, ["ferry", "goal"])
    full = np.zeros((len(texts), event.width))
    full[event.entry_texts, event.entry_terms] = event.tf_idf()
    assert np.linalg.norm(full, axis=1) == pytest.approx(1)
    full[:, event.held_by < 2] = 0
    cosines = full @ full.T
    np.fill_diagonal(cosines, -1)
    for row in range(len(texts)):
        others = [other for other in range(len(texts)) if other != row]
        shares = cosines[row, others].clip(0)
        assert votes[row] == pytest.approx(shares @ base[others] / shares.sum(), abs=1e-5)
        assert nearest[row] == pytest.approx(shares.mean(), abs=1e-5)


def test_feedback_leaves_the_text_itself_out() -> None:
    texts = [
        "ferry burned port",
        "ferry burned coast",
        "ferry burned",
        "port ferry",
        "goal late",
        "goal late two",
    ]
    event, base, (feedback, _, _) = neighbours_of([*texts, "goal port"], ["ferry"])
    rows = np.zeros((len(event.texts), event.width))
    rows[event.entry_texts, event.entry_terms] = event.tf_idf()
    rows[:, event.held_by < 2] = 0
    for text in range(len(event.texts)):
        best = [one for one in np.argsort(-base[:, 0]) if one != text][:5]
        mean = base[best, 0] @ rows[best]
        assert feedback[text, 0] == pytest.approx(rows[text] @ mean / np.linalg.norm(mean), abs=1e-5)


def test_of_many_texts_a_part_is_looked_at_and_blocks_make_no_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [f"ferry burned {word} {other}" for word in "abcdefg" for other in "hijklm"]
    event, base, whole = neighbours_of(texts, ["ferry burned", "a h"])
    likeness = Likeness.of(event)
    monkeypatch.setattr(neighbours, "_AT_ONCE", 7)
    monkeypatch.setattr(neighbours, "_TEXTS_AT_ONCE", 5)
    monkeypatch.setattr("tidings.evaluation.matching.likeness._AT_ONCE", 5)
    for one, other in zip(whole, by_neighbours(event, base, event.tf_idf()), strict=True):
        assert one == pytest.approx(other, abs=1e-5)
    assert Likeness.of(event).base == pytest.approx(likeness.base, abs=1e-5)
    monkeypatch.setattr(neighbours, "MOST_REFERENCES", 9)
    _, votes, _ = by_neighbours(event, base, event.tf_idf())
    assert votes.shape == base.shape
    assert not np.allclose(votes, whole[1])


def test_the_highest_are_the_first_of_equal_ones() -> None:
    values = np.array([0, 2, 1, 2, 2, 1], dtype=np.float32)
    assert [neighbours.highest(values, count).tolist() for count in (1, 2, 4, 6, 9)] == [
        [1],
        [1, 3],
        [1, 3, 4, 2],
        [1, 3, 4, 2, 5, 0],
        [1, 3, 4, 2, 5, 0],
    ]


def test_a_text_that_says_a_term_twice_says_it_a_logarithm_more() -> None:
    event = event_of([], ["ferry ferry burned", "ferry ferry", "burned coast"])
    twice, once = event.tf_idf()[:2]
    ferry, burned = (event.rarity[event.columns[stem]] for stem in ("ferri", "burn"))
    assert twice / once == pytest.approx((1 + np.log(2)) * ferry / burned, rel=1e-5)


def test_a_missing_term_counts_as_like_as_the_likest_term_of_the_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = event_of(["ferry"], ["boat ship", "ship boat", "ship", "goal"])
    vectors = np.zeros((event.width, 2), dtype=np.float32)
    for stem, vector in (("ferri", (1.0, 0.0)), ("boat", (0.9, 0.19**0.5)), ("ship", (0.7, 0.51**0.5))):
        vectors[event.columns[stem]] = vector
    monkeypatch.setattr("tidings.evaluation.matching.likeness.term_vectors", lambda terms, held_by: vectors)
    soft = Likeness.of(event).soft[:, 0]
    assert soft.tolist() == pytest.approx([0.64, 0.64, 0.32, 0.0], abs=1e-5), ".8 of (cosine - .5) / .5"
