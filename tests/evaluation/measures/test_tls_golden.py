"""ROUGE of timelines and choice of dates, number for number as tilse 0.2.1 has them.

Origin: expected/tilse-0.2.1.json in the shared data is what tilse 0.2.1 prints with the original ROUGE 1.5.5 in Perl.
tls_made_up_timelines.json holds random timelines of a small vocabulary with one to three references, and what tilse
gives for them; for ROUGE-L its evaluator was told to run ROUGE without `-x`. The worked example is of tilse's tests.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.core.records import DailyTimeline, TimelineDay
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.tls import named, prepare
from tidings.evaluation.measures.tls.stems import porter, stems
from tidings.following.digests.timeline_files import read_references, read_timelines

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
        each = prepare(references, named("tls-each")).score({"a": self.ONE})
        assert list(each.per_event) == ["a/t", "a/u"]
        assert each.mean(Measure("R1-concat-R")) == pytest.approx((1 + 0.5) / 2)

    def test_a_silent_topic_counts_when_asked(self) -> None:
        prepared = prepare({"a": [self.ONE], "b": [self.ONE]})
        own, every = (prepared.score({"a": self.ONE}, mean=how) for how in ("own", "all"))
        assert own.silent == every.silent == ("b",)
        assert (own.mean(Measure("date-F")), every.mean(Measure("date-F"))) == (1.0, 0.5)
