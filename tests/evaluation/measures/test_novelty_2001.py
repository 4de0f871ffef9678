"""The measures of 2001, and the agreement of its judges."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from tidings.core.errors import UsageError
from tidings.core.records import Run, Update
from tidings.core.records.outputs import JudgedLink, SentenceLinks
from tidings.evaluation.measures import Measure, UnknownEventError
from tidings.evaluation.measures.novelty_2001 import (
    INFO,
    agreements,
    curve,
    event_agreement,
    interpolate,
    links_of,
    prepare,
    topic_agreement,
)
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

# Khandelwal, Gupta and Allan 2001, Table 1: inter-judge agreement of twelve topics, and the average printed below it.
TABLE_1 = {
    "20008": 0.91, "20020": 0.98, "20021": 0.97, "20022": 0.85, "20024": 0.98, "20026": 0.87,
    "20031": 0.62, "20041": 0.94, "20042": 0.66, "20057": 0.66, "20065": 0.94, "20074": 0.96,
}  # fmt: skip
# Table 2: topic 20021, sentences linked to each event (as agreed) and its agreement.
TABLE_2 = {1: (43, 1.0), 2: (9, 1.0), 3: (33, 0.97), 4: (8, 1.0), 5: (4, 0.8), 6: (5, 1.0), 7: (14, 1.0), 8: (19, 1.0),
           9: (9, 1.0)}  # fmt: skip


class TestAgreement:
    def test_table_1(self) -> None:
        assert round(topic_agreement(TABLE_1.values()), 2) == 0.86

    def test_table_2_gives_the_topic_of_table_1(self) -> None:
        mean = topic_agreement(value for _, value in TABLE_2.values())
        assert round(mean, 3) == 0.974
        assert round(mean, 2) == TABLE_1["20021"]

    def test_table_2_from_links(self) -> None:
        """Judges' links with the table's numbers of sentences give its agreements, and 0.974 for the topic."""
        links = []
        for event, (agreed, agreement) in TABLE_2.items():
            union = round(agreed / agreement)
            for number in range(union):
                links.append(JudgedLink("20021", str(event), 1 + number % 2, f"d-{number}"))
                if number < agreed:
                    links.append(JudgedLink("20021", str(event), 3, f"d-{number}"))
        found = agreements(links)["20021"]
        assert {int(event): round(value, 2) for event, value in found.items()} == {
            event: value for event, (_, value) in TABLE_2.items()
        }
        assert round(topic_agreement(found.values()), 3) == 0.975  # 33 of 34 is .9706, printed as .97: .97451
        assert round(topic_agreement(found.values()), 2) == 0.97

    def test_nothing_marked(self) -> None:
        assert event_agreement(set(), set(), set()) == 1
        assert event_agreement(set(), set(), {"a"}) == 0
        assert topic_agreement([]) == 0

    @given(st.frozensets(st.integers(0, 9)), st.frozensets(st.integers(0, 9)))
    def test_lies_between_nothing_and_all(self, one: frozenset[int], two: frozenset[int]) -> None:
        first, second = frozenset(map(str, one)), frozenset(map(str, two))
        assert event_agreement(first, second, first | second) == 1
        assert 0 <= event_agreement(first, second, first & second) <= 1


# Five sentences; s0 tells of two events, s1 of the first again, s2 of the third, s3 and s4 of none.
LINKS = SentenceLinks(
    "t", (("1", "d-0"), ("2", "d-0"), ("1", "d-1"), ("3", "d-2")), ("d-0", "d-1", "d-2", "d-3", "d-4")
)


def run(*sentences: int, event: str = "t") -> Run:
    """A run that ranks sentences in this order."""
    return Run(
        "me",
        "r",
        [Update(event, "d", one, 100 + place, 1.0 - place / 100) for place, one in enumerate(sentences)],
    )


class TestMeasures:
    def test_by_hand(self) -> None:
        scores = prepare([LINKS]).score(run(3, 1, 0, 4)).per_event["t"]
        assert {
            str(measure): round(value, 6) for measure, value in scores.items() if measure.name != "nu-11pt"
        } == {
            "nu-P": 0.5,  # events 1 and 2 in four sentences
            "nu-R": 0.666667,
            "u-P": 0.5,
            "u-R": 0.666667,
            "n-P": 1.0,  # two events in two on-event sentences
            "n-R": 0.666667,
            "size": 0.8,
            "sentences": 4.0,
        }

    def test_cut_off_at_a_rank(self) -> None:
        scores = prepare([LINKS]).score(
            run(0, 3), [Measure("nu-P", 1), Measure("nu-R", 1), Measure("u-P", 2)]
        )
        assert list(scores.per_event["t"].values()) == [2.0, 2 / 3, 0.5]  # s0 tells two events at once

    def test_a_group_mentions_its_event_when_it_is_whole(self) -> None:
        """Sentences 3 and 4 report event 4 only together (section 3.4): the second of them earns."""
        grouped = prepare([replace(LINKS, groups=(("4", ("d-3", "d-4")),))])
        points = grouped.curve(run(3, 0, 4), "t")
        assert [(point.events, point.useful, point.of_events) for point in points] == [
            (0, 1, 4),
            (2, 2, 4),
            (3, 3, 4),
        ]
        assert grouped.score(run(3, 0, 4), [Measure("nu-R")]).mean(Measure("nu-R")) == 3 / 4
        assert grouped.score(run(4), [Measure("nu-P")]).mean(Measure("nu-P")) == 0

    def test_the_ranking_is_by_confidence_then_time(self) -> None:
        updates = [Update("t", "d", 3, 9, 0.5), Update("t", "d", 0, 5, 0.5), Update("t", "d", 2, 7, 0.9)]
        points = prepare([LINKS]).curve(Run("me", "r", updates), "t")
        assert [point.events for point in points] == [1, 3, 3]

    def test_the_graph_is_interpolated_from_the_right(self) -> None:
        prepared = prepare([LINKS])
        points = prepared.curve(run(1, 3, 0, 2), "t")
        assert [(point.values()["nu-R"], point.precision) for point in points] == [
            (1 / 3, 1.0), (1 / 3, 0.5), (2 / 3, 2 / 3), (1.0, 0.75),
        ]  # fmt: skip
        levels = dict(interpolate(points))
        assert levels[0.0] == levels[0.3] == 1.0
        assert levels[0.4] == levels[1.0] == 0.75  # precision rises again further down
        mean = prepared.score(run(1, 3, 0, 2), [Measure("nu-11pt")]).mean(Measure("nu-11pt"))
        assert mean == pytest.approx((4 * 1.0 + 7 * 0.75) / 11)

    def test_a_repeated_sentence_costs_and_earns_nothing(self) -> None:
        prepared = prepare([LINKS])
        once, twice = (prepared.score(one).per_event["t"] for one in (run(0), run(0, 0)))
        assert twice[Measure("nu-P")] == once[Measure("nu-P")] / 2
        assert twice[Measure("nu-R")] == once[Measure("nu-R")]
        assert twice[Measure("u-R")] == once[Measure("u-R")]

    def test_size_is_not_there_where_the_sentences_are_not_known(self) -> None:
        scores = prepare([SentenceLinks("t", LINKS.links)]).score(run(0))
        assert Measure("size") not in scores.per_event["t"]

    def test_recall_is_of_all_listed_events(self) -> None:
        """Of four listed events one has no sentence: the best run mentions three of them."""
        links = SentenceLinks("t", LINKS.links, LINKS.sentences, events=("1", "4"))
        best, R = run(0, 2), Measure("nu-R")
        assert prepare([links]).score(best).per_event["t"][R] == 3 / 4
        assert prepare([links], listed=False).score(best).per_event["t"][R] == 1

    def test_every_nugget_is_a_listed_event(self, shared_data: Path) -> None:
        """2013: ten topics have 1,168 nuggets, of which sentences of the pool match 509."""
        links = links_of(read_judgments(shared_data / "trec-ts" / "2013"))
        counts = [
            sum(len(topic.events) for topic in prepare(links, listed=listed).topics.values())
            for listed in (True, False)
        ]
        assert counts == [1168, 509]

    def test_silence_scores_nothing(self) -> None:
        scores = prepare([LINKS]).score(Run("me", "r", ()))
        assert set(scores.per_event["t"].values()) == {0.0}
        assert scores.silent == ("t",)

    @given(st.lists(st.integers(0, 6), max_size=12))
    def test_values_lie_within_their_bounds(self, sentences: list[int]) -> None:
        scores = prepare([LINKS]).score(run(*sentences)).per_event["t"]
        for measure, value in scores.items():
            high = INFO[measure.name].high
            assert value >= 0 and (high is None or value <= high)
        nu, n, u = (scores[Measure(name)] for name in ("nu-P", "n-P", "u-P"))
        assert nu <= n
        assert nu == pytest.approx(n * u)  # events/S_r = events/useful * useful/S_r
        assert nu <= 2  # no sentence tells more than two events

    @given(st.permutations(range(5)))
    def test_recall_never_falls_down_the_ranking(self, order: list[int]) -> None:
        prepared = prepare([LINKS])
        points = prepared.curve(run(*order), "t")
        recalls = [point.values()["nu-R"] for point in points]
        assert recalls == sorted(recalls)
        assert recalls[-1] == points[-1].values()["u-R"] == 1
        levels = [precision for _, precision in interpolate(points)]
        assert levels == sorted(levels, reverse=True)
        assert points == curve(prepared.topics["t"], [f"d-{one}" for one in order])


class TestJudgments:
    def test_an_unknown_topic_is_refused(self) -> None:
        with pytest.raises(UnknownEventError, match="other"):
            prepare([LINKS]).score(run(0, event="other"))

    def test_judgments_without_links_are_refused(self) -> None:
        with pytest.raises(UsageError, match="no sentence"):
            prepare([SentenceLinks("t", (), ("d-0",))])

    def test_clusters_are_events(self) -> None:
        """Telling every sentence of the bundled event once tells all its clusters."""
        judgments = read_judgments(Path(bundled.path()))
        updates = [Update(one.event_id, one.doc_id, one.sentence_index, 0) for one in judgments.pool]
        scores = prepare(links_of(judgments)).score(Run("me", "all", updates))
        assert (
            scores.mean(Measure("nu-R")) == scores.mean(Measure("u-R")) == scores.mean(Measure("size")) == 1
        )
