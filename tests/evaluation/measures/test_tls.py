"""Timelines scored by day: what must hold for any timelines."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.cli import run as tidings
from tidings.core.errors import UsageError
from tidings.core.records import DailyTimeline, TimelineDay
from tidings.evaluation.measures import Measure, UnknownEventError
from tidings.evaluation.measures.tls import INFO, MEASURES, prepare, rules_named
from tidings.evaluation.measures.tls.stems import porter, stems
from tidings.evaluation.measures.tls.topic import (
    References,
    cheapest,
    nearest,
    on_common_subsequence,
    union_hits,
)
from tidings.following.digests.timeline_files import read_references, read_timelines

WORDS = cases(__file__, "words")
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)
dates = st.integers(1, 28).map(lambda day: f"2010-04-{day:02}")
days = st.dictionaries(dates, st.lists(sentences, min_size=1, max_size=3), min_size=1, max_size=6)
timelines = days.map(
    lambda those: DailyTimeline("t", tuple(TimelineDay(d, tuple(s)) for d, s in those.items()))
)
some = st.lists(timelines, min_size=1, max_size=3)


def score(ours: DailyTimeline, *references: DailyTimeline, mode: str = "official") -> dict[str, float]:
    scores = prepare({"x": references}, rules_named("tls", mode)).score({"x": ours})
    return {measure.name: value for measure, value in scores.per_event["x"].items()}


class TestIdentities:
    @given(timelines)
    def test_a_timeline_against_itself(self, ours: DailyTimeline) -> None:
        scores = score(ours, ours)
        assert scores["date-F"] == 1
        counted = any(
            set(s.replace("the", "").replace("of", "").split()) for d in ours.days for s in d.sentences
        )
        for variant in ("concat", "agree", "align"):
            assert scores[f"R1-{variant}-F"] == pytest.approx(1.0 if counted else 0.0)

    @given(timelines, some)
    def test_all_values_are_in_their_range(
        self, ours: DailyTimeline, references: list[DailyTimeline]
    ) -> None:
        scores = score(ours, *references)
        assert set(scores) == set(INFO)
        assert all(0 <= value <= 1 + 1e-12 for value in scores.values())

    @given(timelines, timelines)
    def test_dates_swap(self, ours: DailyTimeline, theirs: DailyTimeline) -> None:
        """Precision one way is recall the other way; with one reference that holds for concat and agreement too."""
        there, back = score(ours, theirs), score(theirs, ours)
        for stem in ("date", "R1-concat", "R2-concat", "R1-agree", "R2-agree"):
            assert there[f"{stem}-P"] == pytest.approx(back[f"{stem}-R"])

    @given(timelines, some)
    def test_one_to_one_alignments_stay_below_concat(
        self, ours: DailyTimeline, references: list[DailyTimeline]
    ) -> None:
        scores = score(ours, *references)
        for variant, part in itertools.product(("agree", "align", "align+"), "PR"):
            assert scores[f"R1-{variant}-{part}"] <= scores[f"R1-concat-{part}"] + 1e-12

    @given(timelines, some)
    def test_rouge_l_stays_below_rouge_1(self, ours: DailyTimeline, references: list[DailyTimeline]) -> None:
        scores = score(ours, *references)
        for variant, part in itertools.product(("concat", "agree", "align", "align+", "align+m1"), "PRF"):
            assert scores[f"RL-{variant}-{part}"] <= scores[f"R1-{variant}-{part}"] + 1e-12

    @given(timelines, some, st.randoms())
    def test_the_order_of_sentences_and_days_does_not_matter_for_single_words(
        self, ours: DailyTimeline, references: list[DailyTimeline], random
    ) -> None:
        shuffled = [
            TimelineDay(d.date, tuple(random.sample(d.sentences, len(d.sentences)))) for d in ours.days
        ]
        random.shuffle(shuffled)
        before, after = score(ours, *references), score(DailyTimeline("u", tuple(shuffled)), *references)
        for name in INFO:
            if name.startswith(("R1", "date")):
                assert before[name] == after[name]

    @given(timelines, some)
    def test_far_in_time_aligned_scores_vanish(
        self, ours: DailyTimeline, references: list[DailyTimeline]
    ) -> None:
        moved = DailyTimeline("u", tuple(TimelineDay("2510" + d.date[4:], d.sentences) for d in ours.days))
        scores = score(moved, *references)
        assert scores["R1-agree-F"] == scores["date-F"] == 0
        assert scores["R1-align-F"] < 1e-4
        assert (
            scores["R1-concat-F"]
            == score(DailyTimeline("v", tuple(sorted(ours.days, key=lambda d: d.date))), *references)[
                "R1-concat-F"
            ]
        )


class TestParts:
    @given(
        st.lists(
            st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=4, max_size=4), min_size=1, max_size=4
        )
    )
    def test_the_assignment_is_a_cheapest_one(self, costs: list[list[float]]) -> None:
        pairs = cheapest(costs)
        least = min(
            sum(costs[row][column] for row, column in enumerate(columns))
            for columns in itertools.permutations(range(4), len(costs))
        )
        assert sum(costs[row][column] for row, column in pairs) == least
        turned = cheapest([list(line) for line in zip(*costs, strict=True)])
        assert sum(costs[column][row] for row, column in turned) == least

    @given(st.integers(1, 9), st.integers(1, 9), st.randoms())
    def test_of_equally_cheap_assignments_scipys_is_taken(self, rows: int, columns: int, random) -> None:
        """Scores depend on it: costs of dates are full of ties."""
        optimize = pytest.importorskip("scipy.optimize")
        days = [random.sample(range(12), min(12, size)) for size in (rows, columns)]
        costs = [[1 - 1 / (abs(one - other) + 1) for other in days[1]] for one in days[0]]
        expected = zip(*(side.tolist() for side in optimize.linear_sum_assignment(costs)), strict=True)
        assert cheapest(costs) == list(expected)

    def test_many_to_one_takes_the_first_of_equals(self) -> None:
        assert nearest([[0.5, 0.5], [0.5, 0.1]]) == [(0, 0), (1, 1)]

    items = st.lists(st.sampled_from("abc"), max_size=12)

    @given(items, st.lists(items, min_size=1, max_size=3))
    def test_common_parts_of_multisets(self, ours: list[str], references: list[list[str]]) -> None:
        known = References()
        bits = 0
        for number, reference in enumerate(references):
            bits |= known.add(number, reference)
        expected = sum((Counter(ours) & Counter(reference)).total() for reference in references)
        assert (known.of(ours) & bits).bit_count() == expected

    @given(items, items)
    def test_longest_common_subsequences(self, one: list[str], other: list[str]) -> None:
        lengths = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
        for i, j in itertools.product(range(len(one)), range(len(other))):
            equal = one[i] == other[j]
            lengths[i + 1][j + 1] = lengths[i][j] + 1 if equal else max(lengths[i][j + 1], lengths[i + 1][j])
        found = on_common_subsequence(one, other)
        assert found.bit_count() == lengths[-1][-1]
        words = iter(other)
        assert all(word in words for index, word in enumerate(one) if found >> index & 1)
        assert union_hits([other], [one]) == found.bit_count()


class TestOfficialAndGuideline:
    TWICE = DailyTimeline(
        "t", (TimelineDay("2010-04-20", ("oil leaks",)), TimelineDay("2010-04-20", ("fire",)))
    )

    def test_a_day_listed_twice(self) -> None:
        """tilse keeps the last block alone; with the guidelines both count."""
        ours = DailyTimeline("u", (TimelineDay("2010-04-20", ("oil leaks", "fire")),))
        assert score(ours, self.TWICE)["R1-concat-P"] == pytest.approx(1 / 3)
        assert score(ours, self.TWICE, mode="guideline")["R1-concat-F"] == 1

    @every(
        "text, official, guideline",
        [("oil < leak", 0.5, 1.0), ("oil ^ leak", 0.8, 1.0), ("oil leak naïve", 2 / 3, 0.8)],
    )
    def test_what_is_seen_of_a_sentence(self, text: str, official: float, guideline: float) -> None:
        """tilse hands sentences over as HTML, where `<` ends one and `^` is a word; ROUGE sees ASCII only."""
        ours = DailyTimeline("u", (TimelineDay("2010-04-20", (text,)),))
        theirs = DailyTimeline("v", (TimelineDay("2010-04-20", ("oil leak",)),))
        seen = [score(ours, theirs, mode=mode)["R1-concat-F"] for mode in ("official", "guideline")]
        assert seen == [pytest.approx(official if "<" not in text else 2 / 3), pytest.approx(guideline)]


class TestEdges:
    ONE = DailyTimeline("t", (TimelineDay("2010-04-20", ("oil leaks",)),))

    def test_a_timeline_without_days_scores_nothing(self) -> None:
        """tilse divides by zero."""
        assert set(score(DailyTimeline("u", ()), self.ONE).values()) == {0}

    def test_a_timeline_of_stop_words_scores_nothing(self) -> None:
        ours = DailyTimeline("u", (TimelineDay("2010-04-20", ("the of",)),))
        scores = score(ours, self.ONE)
        assert scores.pop("date-F") == scores.pop("date-P") == scores.pop("date-R") == 1
        assert set(scores.values()) == {0}

    def test_references_must_have_days(self) -> None:
        for references in ([], [self.ONE, DailyTimeline("u", ())]):
            with pytest.raises(UsageError, match="topic x: a reference timeline without days"):
                prepare({"x": references})
        with pytest.raises(UsageError, match="no reference timeline"):
            prepare({})

    def test_a_topic_without_reference(self) -> None:
        prepared = prepare({"TS14.11": [self.ONE]})
        assert prepared.score({"11": self.ONE, "12": self.ONE}, MEASURES[:1]).unjudged == ("12",)
        with pytest.raises(
            UnknownEventError, match=r"no reference timeline for topic '12'; there are some for TS14.11"
        ):
            prepared.score({"12": self.ONE})

    def test_only_what_is_asked_for_is_reported(self) -> None:
        scores = prepare({"x": [self.ONE]}).score({"x": self.ONE}, [Measure("R2-align-P")])
        assert scores.per_event == {"x": {Measure("R2-align-P"): 1.0}}

    def test_unknown_rules(self) -> None:
        with pytest.raises(UsageError, match="known are tls, tls-each"):
            rules_named("tls-2020")


TEXT = "2010-04-20\nThe rig burns .\n" + "-" * 32 + "\n2010-04-22\nThe rig sinks .\n" + "-" * 32 + "\n"


class TestCommandLine:
    def score(self, capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[tuple[str, str], float]:
        assert tidings(["score", *map(str, arguments), "--per-event", "--format", "jsonl"]) == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        return {(row["event"], row["measure"]): row["value"] for row in rows}

    def test_a_file_against_a_file(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "a.txt").write_text(TEXT)
        rows = self.score(capsys, tmp_path / "a.txt", "--rules", "tls", "--judgments", tmp_path / "a.txt")
        assert {name for event, name in rows if event == "a"} == set(INFO)
        assert rows["all", "R1-align+m1-F"] == rows["a", "R2-concat-P"] == rows["a", "date-F"] == 1

    def test_a_run_of_updates_against_topics(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Updates become timelines by the day of their time."""
        for topic in ("oil", "flu"):
            (tmp_path / "topics" / topic).mkdir(parents=True)
            (tmp_path / "topics" / topic / "bbc.txt").write_text(TEXT)
        update = {
            "event": "oil",
            "doc": "d",
            "sentence": 0,
            "time": "2010-04-22T23:59:59Z",
            "text": "The rig sinks .",
        }
        (tmp_path / "us.jsonl").write_text(json.dumps(update | {"team": "us", "run": "one"}) + "\n")
        rows = self.score(capsys, tmp_path / "us.jsonl", "--rules", "tls-each", "-j", tmp_path / "topics")
        assert (rows["oil/bbc", "date-P"], rows["oil/bbc", "date-R"]) == (1.0, 0.5)
        assert rows["flu/bbc", "date-P"] == 0

    def test_a_run_without_words(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "a.txt").write_text(TEXT)
        (tmp_path / "us.jsonl").write_text('{"event":"oil","doc":"d","sentence":0,"time":1}\n')
        assert (
            tidings(["score", str(tmp_path / "us.jsonl"), "--rules", "tls", "-j", str(tmp_path / "a.txt")])
            == 2
        )
        assert "update d-0 has no text" in capsys.readouterr().err

    def test_a_wrong_number_of_timelines(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "a.txt").write_text(TEXT)
        (tmp_path / "two.jsonl").write_text('[["2010-04-20",["x"]]]\n' * 2)
        assert (
            tidings(["score", str(tmp_path / "two.jsonl"), "--rules", "tls", "-j", str(tmp_path / "a.txt")])
            == 2
        )
        assert "timelines for 2 of 1 topics" in capsys.readouterr().err


VARIANTS = cases(__file__, "variants")
PARTS = {"precision": "P", "recall": "R", "f_score": "F"}
KINDS = {"rouge_1": "R1", "rouge_2": "R2", "rouge_l": "RL"}


def wrong(scores: dict[Measure, float], expected: dict) -> tuple[list[str], int]:
    """The measures that differ by more than 1e-9, and how many were compared."""
    numbers = {
        f"{KINDS[kind]}-{VARIANTS[variant]}-{PARTS[part]}": value
        for variant, kinds in expected.items()
        if variant in VARIANTS
        for kind, parts in kinds.items()
        for part, value in parts.items()
    }
    for part, value in expected.get("date_selection", {}).items():
        numbers[f"date-{PARTS[part]}"] = value
    bad = [name for name, value in numbers.items() if abs(scores[Measure(name)] - value) > 1e-9]
    return bad, len(numbers)


def timeline(rows: list) -> DailyTimeline:
    return DailyTimeline("t", tuple(TimelineDay(date, tuple(sentences)) for date, sentences in rows))


@pytest.mark.shared_data
def test_every_number_of_tilse(shared_data: Path) -> None:
    folder = shared_data / "tls"
    pairs = json.loads((folder / "expected" / "tilse-0.2.1.json").read_text())
    compared = 0
    for pair in pairs:
        prepared = prepare(read_references(folder / pair["reference"]))
        (system,) = read_timelines(folder / pair["system"])
        (scores,) = prepared.score({prepared.names[0]: system}).per_event.values()
        bad, count = wrong(scores, pair)
        assert not bad, pair["system"]
        compared += count
    assert (len(pairs), compared) == (13, 13 * 33)


MADE_UP = json.loads(Path(__file__).with_name("tls_made_up_timelines.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", MADE_UP, ids=lambda case: f"{len(case['refs'])} references")
def test_made_up_timelines_with_several_references_and_rouge_l(case: dict) -> None:
    scores = prepare({"x": map(timeline, case["refs"])}).score({"x": timeline(case["pred"])}).per_event["x"]
    assert wrong(scores, case["scores"]) == ([], 45)


def test_the_worked_example() -> None:
    ours = timeline(
        [
            ["2010-01-01", ["Just a test .", "Another sentence ."]],
            ["2010-01-03", ["Some more content .", "Even more !"]],
        ]
    )
    one = timeline([["2010-01-02", ["Just a test ."]], ["2010-01-04", ["This one does not match ."]]])
    two = timeline([["2010-01-05", ["Another timeline !"]]])
    scores = prepare({"x": [one, two]}).score({"x": ours}).per_event["x"]

    def shown(stem: str) -> list[str]:
        return [f"{scores[Measure(f'{stem}-{part}')]:.4f}" for part in "PRF"]

    assert shown("R1-concat") == ["0.1667", "0.3333", "0.2222"]
    assert shown("R1-align+") == ["0.0833", "0.1667", "0.1111"]
    assert shown("date") == ["0.0000", "0.0000", "0.0000"]


# Origin: the stemmer of ROUGE-1.5.5.pl, called on its own.
STEMS = cases(__file__, "stems")  # fmt: skip


@every("word", STEMS)
def test_stems_are_those_of_rouge(word: str) -> None:
    assert porter(word) == STEMS[word]


def test_base_forms_of_irregular_words_are_not_stemmed() -> None:
    """So `studied` and `study` do not match in ROUGE 1.5.5, and neither do they here."""
    assert stems("studied study children caught") == ["study", "studi", "child", "catch"]


class TestAverages:
    """Precision and recall are averaged over topics, and F1 is that of the averages."""

    ONE = timeline([["2010-04-20", ["oil leaks"]]])
    TWO = timeline([["2010-04-20", ["oil leaks fire rescue"]]])

    def test_f1_of_the_averages_not_average_of_f1(self) -> None:
        scores = prepare({"a": [self.TWO], "b": [self.ONE]}).score({"a": self.ONE, "b": self.TWO})
        each = [scores.per_event[event][Measure("R1-concat-F")] for event in "ab"]
        assert each == [pytest.approx(2 / 3)] * 2
        assert scores.mean(Measure("R1-concat-P")) == scores.mean(Measure("R1-concat-R")) == 0.75
        assert scores.mean(Measure("R1-concat-F")) == pytest.approx(0.75)

    def test_tilse_takes_references_together_news_tls_one_by_one(self) -> None:
        references = {"a": [self.ONE, DailyTimeline("u", self.TWO.days)]}
        together = prepare(references).score({"a": self.ONE})
        assert together.per_event["a"][Measure("R1-concat-R")] == pytest.approx(4 / 6)
        each = prepare(references, rules_named("tls-each")).score({"a": self.ONE})
        assert list(each.per_event) == ["a/t", "a/u"]
        assert each.mean(Measure("R1-concat-R")) == pytest.approx((1 + 0.5) / 2)

    def test_a_silent_topic_counts_when_asked(self) -> None:
        prepared = prepare({"a": [self.ONE], "b": [self.ONE]})
        own, every = (prepared.score({"a": self.ONE}, mean=how) for how in ("own", "all"))
        assert own.silent == every.silent == ("b",)
        assert (own.mean(Measure("date-F")), every.mean(Measure("date-F"))) == (1.0, 0.5)
