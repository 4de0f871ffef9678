"""The rules of the measures, one by one, and what must hold for any run."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import every
from tidings.core.errors import UsageError
from tidings.core.records import Event, Judgments, Match, Nugget, PooledUpdate, Run, Update
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.trec_ts import (
    RULES,
    coverage,
    explain,
    latency_discount,
    prepare,
    rules_named,
)
from tidings.evaluation.measures.trec_ts.explanations import losses
from tidings.evaluation.measures.trec_ts.prepared import whole_word_span

HOUR = 3600
EVENT = Event(id="TS14.1", title="A fire", query="fire", start_time=0, end_time=10 * HOUR)


def judgments(**changes) -> Judgments:
    """One event: three nuggets of two words each, four judged sentences, one of them a copy."""
    given = {
        "name": "small",
        "events": (EVENT,),
        "nuggets": (
            Nugget("TS14.1", "N1", HOUR, 3, "ten dead"),
            Nugget("TS14.1", "N2", 2 * HOUR, 1, "school burns"),
            Nugget("TS14.1", "N3", 3 * HOUR, 2, "mayor came"),
        ),
        "matches": (
            Match("TS14.1", "a-0", "N1", 0, 8),
            Match("TS14.1", "b-0", "N1", 0, 8),
            Match("TS14.1", "b-0", "N2", 13, 25),
            Match("TS14.1", "d-0", "N3", 0, 3),
        ),
        "pool": (
            PooledUpdate("TS14.1", "a", 0, "ten dead"),
            PooledUpdate("TS14.1", "b", 0, "ten dead and school burns today"),
            PooledUpdate("TS14.1", "c", 0, "ten dead", duplicate_of="a-0"),
            PooledUpdate("TS14.1", "d", 0, "the mayor came"),
            PooledUpdate("TS14.1", "e", 0, "weather stays fine"),
        ),
    }
    return Judgments(**(given | changes))


def run(*told: tuple[str, int], event: str = "1") -> Run:
    return Run("team", "run", tuple(Update(event, doc, 0, time) for doc, time in told))


def value(
    name: str, *told: tuple[str, int], rules: str = "trec-2014", at: int | None = None, **options
) -> float:
    measure = Measure(name, at)
    scores = prepare(judgments(), rules_named(rules, **options)).score(run(*told), [measure])
    return scores.per_event["TS14.1"][measure]


def R(importance: int) -> float:
    return math.exp(importance - 3)


ALL_R = R(3) + R(1) + R(2)


class TestWorkedValues:
    def test_latency_discount_at_the_handy_places(self) -> None:
        # TREC 2013 metrics, formula 22, alpha = six hours.
        assert [round(latency_discount(0, hours * HOUR), 3) for hours in (-6, 0, 6, 24)] == [
            1.5,
            1.0,
            0.5,
            0.156,
        ]

    def test_the_one_best_update_is_normalised_to_one_over_its_verbosity(self) -> None:
        # "ten dead" is matched from end to end, of which the scorers count one of two words: V = 1 + 1/2.
        assert value("nE[G]", ("a", HOUR)) == pytest.approx(1 / 1.5)
        assert value("nE[LG]", ("a", HOUR)) == pytest.approx(1 / 1.5)
        assert value("E[V]", ("a", HOUR)) == pytest.approx(1.5)

    def test_an_unpooled_update_is_one_word_and_no_gain(self) -> None:
        assert value("E[V]", ("x", HOUR)) == pytest.approx(1 + 1 / 2)
        assert value("updates", ("x", HOUR)) == 1
        assert value("updates", ("x", HOUR), unpooled="skip") == 0

    def test_the_verbosity_of_unpooled_updates_weighs_by_their_lines(self) -> None:
        """Two of V 1.5 at weights 1 and 1/2: 2.25 over two updates and the sum of weights 1.5."""
        assert value("cE[V]", ("x", 0), ("y", 1)) == pytest.approx(2.25 / (2 * 1.5))

    def test_comprehensiveness_is_the_share_of_weight(self) -> None:
        assert value("C", ("a", 0), ("b", 1)) == pytest.approx((R(3) + R(1)) / ALL_R)
        assert value("C", ("a", 0), ("b", 1), relevance="binary") == pytest.approx(2 / 3)

    def test_a_repeated_nugget_neither_earns_nor_counts_as_matched(self) -> None:
        scored = prepare(judgments(), "trec-2014")
        first, second = explain(scored, run(("a", 0), ("b", 1)), "1").updates
        assert [nugget.id for nugget in second.new] == ["N2"]
        assert [nugget.id for nugget in second.repeated] == ["N1"]
        assert second.matched_words == 2 and second.words == 6
        assert first.status == "new"

    def test_a_copy_of_what_was_told_earns_nothing(self) -> None:
        told = explain(prepare(judgments(), "trec-2014"), run(("a", 0), ("c", 1)), "1")
        assert [item.status for item in told.updates] == ["new", "repeated"]

    def test_a_copy_earns_what_its_original_would(self) -> None:
        assert value("C", ("c", 0)) == value("C", ("a", 0)) > 0

    def test_cut_off_in_time_is_before_tau(self) -> None:
        # S_tau holds updates with u.t < tau (formula 1): at exactly tau is too late.
        assert value("C", ("a", HOUR), at=HOUR) == 0
        assert value("C", ("a", HOUR - 1), at=HOUR) > 0
        assert value("updates", ("a", 1), ("b", HOUR), at=HOUR) == 1

    def test_unjudged_updates_are_cut_off_before_tau_too(self) -> None:
        assert value("updates", ("x", HOUR), at=HOUR) == 0
        assert value("updates", ("x", HOUR - 1), at=HOUR) == 1
        assert value("updates", ("a", 1), ("x", HOUR - 1), ("y", HOUR), ("z", HOUR + 1), at=HOUR) == 2
        assert value("cE[V]", ("x", HOUR - 1), ("y", HOUR), at=HOUR) == pytest.approx(1 + 1 / 2)

    def test_the_integral_is_coverage_times_the_time_left(self) -> None:
        assert value("I[C]", ("a", 4 * HOUR)) == pytest.approx(R(3) / ALL_R * 6 * HOUR)
        assert value("nI[C]", ("a", 4 * HOUR)) == pytest.approx(R(3) / ALL_R * 0.6)
        assert value("nI[C]", ("a", 11 * HOUR)) == 0
        assert value("I[C]", ("a", -HOUR)) == pytest.approx(R(3) / ALL_R * 10 * HOUR)

    def test_z_knows_no_more_nuggets_than_there_are(self) -> None:
        told = [("a", 0), ("b", 1), ("d", 2), ("e", 3), ("x", 4)]
        assert value("nE[G]", *told) == pytest.approx(value("E[G]", *told) / (ALL_R / 3))

    def test_z_of_one_update_is_the_best_nugget_alone(self) -> None:
        assert value("nE[G]", ("d", 0)) == pytest.approx(value("E[G]", ("d", 0)) / R(3))
        assert value("nE[G]", ("d", 0), ("e", 1)) == pytest.approx(
            value("E[G]", ("d", 0), ("e", 1)) / ((R(3) + R(2)) / 2)
        )

    def test_nuggets_of_importance_nought_are_dropped_from_2014_on(self) -> None:
        nuggets = (*judgments().nuggets, Nugget("TS14.1", "N4", 0, 0, "whatever this is", listed_length=3))
        kept = {
            rules: len(prepare(judgments(nuggets=nuggets), rules).events["TS14.1"].nuggets) for rules in RULES
        }
        assert kept == {"trec-2013": 4, "paper-2013": 4, "trec-2014": 3, "trec-2015": 3}

    def test_ties_in_time_keep_the_order_of_the_file(self) -> None:
        told = explain(prepare(judgments(), "trec-2014"), run(("b", 0), ("a", 0)), "1")
        assert [item.update.doc_id for item in told.updates] == ["b", "a"]
        assert [item.status for item in told.updates] == ["new", "repeated"]


class TestYears:
    def test_2013_skips_unpooled_updates_and_keeps_unimportant_nuggets(self) -> None:
        nuggets = (*judgments().nuggets, Nugget("TS14.1", "N4", 0, -1, "whatever", listed_length=1))
        scores = prepare(judgments(nuggets=nuggets), "trec-2013").score(
            run(("a", 0), ("x", 1)), [Measure("C")]
        )
        assert scores.per_event["TS14.1"][Measure("C")] == pytest.approx(R(3) / (ALL_R + R(-1)))

    def test_2015_reads_duplicates_and_scales_confidence(self) -> None:
        with_twin = judgments(duplicates={"z-0": "e-0"})
        scored = prepare(with_twin, "trec-2015")
        verbosity = Measure("E[V]")
        assert scored.score(run(("z", 0)), [verbosity]).per_event["TS14.1"][verbosity] == pytest.approx(
            1 + 3 / 2
        )
        assert value("cC", ("a", 0), rules="trec-2015") == pytest.approx(0.5 * value("C", ("a", 0)))

    def test_2015_latency_is_per_match_and_2014_per_update(self) -> None:
        told = [("a", HOUR), ("e", HOUR)]
        assert value("E[L]", *told, rules="trec-2015") == pytest.approx(1.0)
        assert value("E[L]", *told, rules="trec-2014") == pytest.approx(0.5)

    def test_nugget_times_can_be_taken_from_the_runs(self) -> None:
        early = run(("b", 0))
        for mode, expected in (("earliest", 0), ("updates", 0)):
            scored = prepare(judgments(), rules_named("trec-2015", nugget_time=mode), runs=[early])
            assert scored.events["TS14.1"].times[:2] == [expected, expected]
            assert scored.events["TS14.1"].times[2] == 3 * HOUR

    def test_a_pool_without_header_loses_its_first_row_as_the_scripts_lose_it(self) -> None:
        scores = prepare(judgments(pool_headless=True), "trec-2014").score(
            run(("a", HOUR)), [Measure("E[V]")]
        )
        assert scores.per_event["TS14.1"][Measure("E[V]")] == pytest.approx(1.5)
        assert "a-0" not in prepare(judgments(pool_headless=True), "trec-2014").events["TS14.1"].texts


class TestSilence:
    def two_events(self) -> Judgments:
        more = replace_event(judgments(), "TS14.2")
        base = judgments()
        return Judgments(
            name="two",
            events=base.events + more.events,
            nuggets=base.nuggets + more.nuggets,
            matches=base.matches + more.matches,
            pool=base.pool + more.pool,
        )

    def test_a_silent_event_is_left_out_of_the_official_mean_and_reported(self) -> None:
        scores = prepare(self.two_events()).score(run(("a", 0)), [Measure("C")])
        assert scores.silent == ("TS14.2",)
        assert scores.mean(Measure("C")) == scores.per_event["TS14.1"][Measure("C")]

    def test_silence_costs_in_the_mean_over_all(self) -> None:
        scores = prepare(self.two_events()).score(run(("a", 0)), [Measure("C")], mean="all")
        assert scores.mean(Measure("C")) == scores.per_event["TS14.1"][Measure("C")] / 2

    def test_an_empty_run_scores_nothing(self) -> None:
        scores = prepare(self.two_events()).score(Run("t", "r", ()))
        assert scores.over == () and all(scores.mean(measure) == 0 for measure in scores.measures)

    def test_an_event_without_nuggets_is_left_out_and_named(self) -> None:
        listed = judgments(events=(EVENT, replace_id(EVENT, "TS14.7")))
        scores = prepare(listed).score(run(("a", 0), event="7"))
        assert scores.unjudged == ("TS14.7",)

    def test_an_unknown_event_is_an_error_that_names_the_known(self) -> None:
        with pytest.raises(UsageError, match=r"event '99'.*TS14\.1"):
            prepare(judgments()).score(run(("a", 0), event="99"))

    def test_time_needs_the_events_period(self) -> None:
        with pytest.raises(UsageError, match=r"topics\.xml"):
            prepare(judgments(events=())).score(run(("a", 0)), [Measure("C", 60)])

    def test_an_event_without_a_period_is_left_out_of_measures_over_time_alone(self) -> None:
        """NIST's nuggets of 2013 hold TEST1 and TEST2, which have no topic."""
        own = judgments()
        prepared = prepare(judgments(nuggets=(*own.nuggets, Nugget("TS14.TEST", "M1", 0, 3, "rain"))))
        cut, area, C = Measure("C", 2 * HOUR), Measure("nI[C]"), Measure("C")
        scores = prepared.score(run(("a", HOUR)), [cut, area, C], mean="all")
        assert scores.undated == ("TS14.TEST",)
        assert scores.per_event["TS14.TEST"] == {C: 0.0}
        assert scores.mean(cut) == scores.per_event["TS14.1"][cut] == 2 * scores.mean(C)
        assert prepared.score(run(("a", HOUR)), [C]).undated == ()

    def test_no_nuggets_no_scores(self) -> None:
        with pytest.raises(UsageError, match="no nuggets"):
            prepare(judgments(nuggets=()))


def replace_id(event: Event, event_id: str) -> Event:
    return Event(
        id=event_id,
        title=event.title,
        query=event.query,
        start_time=event.start_time,
        end_time=event.end_time,
    )


def replace_event(base: Judgments, event_id: str) -> Judgments:
    return Judgments(
        name=base.name,
        events=tuple(replace_id(event, event_id) for event in base.events),
        nuggets=tuple(Nugget(event_id, n.id, n.time, n.importance, n.text) for n in base.nuggets),
        matches=tuple(Match(event_id, m.update_id, m.nugget_id, m.start, m.end) for m in base.matches),
        pool=tuple(
            PooledUpdate(event_id, p.doc_id, p.sentence_index, p.text, p.duplicate_of) for p in base.pool
        ),
    )


TOLD = st.lists(st.tuples(st.sampled_from("abcdex"), st.integers(-HOUR, 12 * HOUR)), max_size=12)
RULE = st.sampled_from(sorted(RULES))


class TestWhatHoldsForAnyRun:
    @given(TOLD, RULE)
    def test_values_stay_in_their_ranges(self, told, rules) -> None:
        from tidings.evaluation.measures.trec_ts import INFO

        scores = prepare(judgments(), rules).score(run(*told), [Measure(name) for name in INFO])
        for measure, got in scores.per_event["TS14.1"].items():
            info = INFO[measure.name]
            assert got >= info.low - 1e-12
            assert info.high is None or got <= info.high + 1e-12

    @given(TOLD, st.sampled_from("abcdex"), st.integers(-HOUR, 12 * HOUR), RULE)
    def test_comprehensiveness_never_falls_when_an_update_is_added(self, told, doc, time, rules) -> None:
        assert value("C", *told, (doc, time), rules=rules) >= value("C", *told, rules=rules) - 1e-12

    @given(TOLD, st.sampled_from("ex"), st.integers(-HOUR, 12 * HOUR), RULE)
    def test_an_irrelevant_update_never_raises_expected_gain(self, told, doc, time, rules) -> None:
        for name in ("E[G]", "E[LG]"):
            assert value(name, *told, (doc, time), rules=rules) <= value(name, *told, rules=rules) + 1e-12

    @given(TOLD, RULE)
    def test_the_harmonic_mean_lies_between_its_parts(self, told, rules) -> None:
        low, high = sorted((value("nE[LG]", *told, rules=rules), value("LC", *told, rules=rules)))
        assert low - 1e-12 <= value("H", *told, rules=rules) <= high + 1e-12

    @given(TOLD)
    def test_the_order_of_lines_matters_only_for_ties_and_line_weights(self, told) -> None:
        distinct = list({time: (doc, time) for doc, time in told}.values())
        for name in ("E[G]", "nE[LG]", "C", "H", "E[V]", "E[L]"):
            assert value(name, *distinct) == pytest.approx(value(name, *reversed(distinct)))

    @given(TOLD, RULE)
    def test_the_explanation_adds_up_to_the_score(self, told, rules) -> None:
        scored = prepare(judgments(), rules)
        told_run = run(*told)
        explained = explain(scored, told_run, "1")
        total = sum(item.gain for item in explained.updates)
        measure = Measure("C")
        assert scored.score(told_run, [measure]).per_event["TS14.1"][measure] == pytest.approx(
            total / scored.events["TS14.1"].total_gain
        )
        assert sum(item.gain for item in explained.nuggets) == pytest.approx(total)
        curve = [point.comprehensiveness for point in explained.curve]
        assert curve == sorted(curve)

    @given(TOLD, RULE)
    def test_the_integral_is_the_area_under_the_cut_off_curve(self, told, rules) -> None:
        times = sorted({time for _, time in told if 0 < time < EVENT.end_time})
        edges = [0, *times, EVENT.end_time]
        area = sum(value("C", *told, rules=rules, at=end) * (end - start) for start, end in pairwise(edges))
        assert value("I[C]", *told, rules=rules) == pytest.approx(area)


class TestEventIds:
    """Runs write an event with its year's prefix or without; another year's event is not this one."""

    @every("written", ["1", "TS14.1"])
    def test_with_and_without_prefix_are_the_same(self, written: str) -> None:
        scores = prepare(judgments(), "trec-2014").score(run(("a", HOUR), event=written), [Measure("C")])
        assert scores.mean(Measure("C")) > 0

    def test_another_year_is_unknown(self) -> None:
        with pytest.raises(UsageError, match=r"event 'TS13\.1' .*expected one of TS14\.1\)"):
            prepare(judgments(), "trec-2014").score(run(("a", HOUR), event="TS13.1"))

    def test_judgments_without_prefix_take_any(self) -> None:
        bare = judgments(
            events=(replace_id(EVENT, "1"),),
            nuggets=(Nugget("1", "N1", HOUR, 3, "ten dead"),),
            matches=(Match("1", "a-0", "N1", 0, 8),),
            pool=(PooledUpdate("1", "a", 0, "ten dead"),),
        )
        scores = prepare(bare, "trec-2014").score(run(("a", HOUR), event="TS14.1"), [Measure("C")])
        assert scores.mean(Measure("C")) == 1.0


def test_rules_are_values() -> None:
    assert rules_named("trec-2014") == replace(RULES["trec-2014"])
    with pytest.raises(UsageError, match="unknown rules"):
        rules_named("trec-1999")


class TestThePaperOf2013:
    """`paper-2013`: relevance by (19) and (20), verbosity by (24), where the script of 2013 does otherwise."""

    def prepared(self, importances=(2, 1, 0), **options):
        nuggets = tuple(
            Nugget("TS14.1", one.id, one.time, importance, one.text, 2)
            for one, importance in zip(judgments().nuggets, importances, strict=True)
        )
        return prepare(judgments(nuggets=nuggets), rules_named("paper-2013", **options))

    def value(self, name: str, *told: tuple[str, int], **options) -> float:
        scores = self.prepared(**options).score(run(*told), [Measure(name)])
        return scores.per_event["TS14.1"][Measure(name)]

    def test_relevance_is_over_the_topics_highest_importance(self) -> None:
        """(19): importances 2, 1, 0 weigh 1, 1/e, 1/e^2; the script has 1/e, 1/e^2, 1/e^3 for them."""
        event = self.prepared().events["TS14.1"]
        assert event.gains == pytest.approx([1.0, math.exp(-1), math.exp(-2)])
        assert self.value("C", ("a", HOUR)) == pytest.approx(1 / (1 + math.exp(-1) + math.exp(-2)))
        assert self.value("E[G]", ("a", HOUR)) == pytest.approx(1.0)
        script = prepare(judgments(nuggets=tuple(event.nuggets)), "trec-2013").events["TS14.1"]
        assert script.gains == pytest.approx([math.exp(-1), math.exp(-2), math.exp(-3)])

    def test_binary_relevance_is_importance_above_nought(self) -> None:
        """(20): -1 is not relevant; the script takes it for relevant."""
        paper = self.prepared((3, 0, -1), relevance="binary").events["TS14.1"]
        assert paper.gains == [1.0, 0.0, 0.0]
        script = prepare(
            judgments(nuggets=tuple(paper.nuggets)), rules_named("trec-2013", relevance="binary")
        )
        assert script.events["TS14.1"].gains == [1.0, 0.0, 1.0]

    def test_an_update_that_says_nothing_but_nuggets_has_verbosity_one(self) -> None:
        """(24): "ten dead" matched from end to end; the scripts' last word never counts, which makes it 1 + 1/2."""
        assert self.value("E[V]", ("a", HOUR)) == pytest.approx(1.0)
        assert value("E[V]", ("a", HOUR)) == pytest.approx(1.5)

    def test_words_beyond_the_matches_cost(self) -> None:
        """Of "ten dead and school burns today" two words match nothing; nuggets have two on average: 1 + 2/2."""
        assert self.value("E[V]", ("b", HOUR)) == pytest.approx(2.0)

    def test_a_nugget_told_again_still_covers_its_words(self) -> None:
        """(24) counts all text that matches a nugget: "and today" alone is too much, told again or not."""
        assert self.value("E[V]", ("a", HOUR), ("b", 2 * HOUR)) == pytest.approx((1.0 + 2.0) / 2)
        assert self.value("E[V]", ("a", HOUR), ("c", 2 * HOUR)) == pytest.approx(1.0)

    def test_a_match_that_cuts_words_covers_them_whole(self) -> None:
        """Characters 0..3 of "the mayor came" are "the": two words of three are left over."""
        assert self.value("E[V]", ("d", HOUR)) == pytest.approx(1 + 2 / 2)

    @every(
        "start, end, words",
        [(0, 6, (0, 1)), (0, 7, (0, 1)), (6, 8, (1, 2)), (5, 8, (0, 2)), (7, 13, (1, 2)), (6, 7, (0, 0))],
    )
    def test_words_are_those_touched(self, start, end, words) -> None:
        assert whole_word_span("eighty people", start, end) == words
        start, end = start + (start > 6) * 2, end + (end > 6) * 2
        assert whole_word_span("eighty\u00a0\n people", start, end) == words, "any blanks part words"

    def test_a_no_break_space_parts_words(self) -> None:
        """Nugget VMTS14.12.022 of the track is "January 28, 2012 ended" with two of them: four words."""
        dated = judgments(nuggets=(Nugget("TS14.1", "N1", 0, 3, "January\u00a028,\u00a02012 ended", 1),))
        assert prepare(dated, "paper-2013").events["TS14.1"].mean_words == 4
        assert prepare(dated, "trec-2014").events["TS14.1"].mean_words == 2

    def test_offsets_are_of_characters_in_the_tracks_folders_too(self) -> None:
        """Characters 6..10 of the text are "dead"; bytes 6..10 lie within its first word."""
        text = "ééééé dead today"
        changes = {
            "pool": (PooledUpdate("TS14.1", "a", 0, text, "", 3),),
            "matches": (Match("TS14.1", "a-0", "N1", 6, 10),),
            "byte_spans": True,
        }
        paper = prepare(judgments(**changes), "paper-2013").events["TS14.1"]
        script = prepare(judgments(**changes), "trec-2013").events["TS14.1"]
        assert paper.spans("a-0") == [(0, 1, 2)]
        assert script.spans("a-0") == [(0, 0, 0)]

    def test_the_papers_measures_are_shown_unasked(self) -> None:
        shown = [str(one) for one in prepare(judgments(), "paper-2013").score(run(("a", HOUR))).measures]
        assert shown == ["updates", "EG", "ELG", "E[G]", "E[LG]", "C", "LC", "E[V]", "E[L]"]

    def test_expected_gain_as_printed_is_an_average_over_updates(self) -> None:
        """(10), (11): "ten dead and school burns today" gains 1 for N1 and 1/e for N2; (12) divides by its V of 2."""
        gain = 1 + math.exp(-1)
        assert self.value("EG", ("b", HOUR)) == pytest.approx(gain)
        assert self.value("E[G]", ("b", HOUR)) == pytest.approx(gain / 2)
        assert self.value("EG", ("a", HOUR), ("c", 2 * HOUR)) == pytest.approx(1 / 2)

    def test_latency_is_in_the_printed_gain_as_in_the_other(self) -> None:
        """ "ten dead" six hours late weighs 1/2."""
        assert self.value("ELG", ("a", 7 * HOUR)) == pytest.approx(self.value("EG", ("a", HOUR)) / 2)

    def test_an_update_outside_the_pool_counts(self) -> None:
        """S of (10) holds all updates of a run, whoever judged them; the script skips this one."""
        assert self.value("EG", ("a", HOUR), ("nobody", HOUR)) == pytest.approx(1 / 2)
        script = prepare(judgments(), "trec-2013").score(
            run(("a", HOUR), ("nobody", HOUR)), [Measure("updates")]
        )
        assert script.mean(Measure("updates")) == 1

    def test_the_mean_goes_over_all_listed_events(self) -> None:
        """(13): the silent topic counts with 0; nuggets of an event that no topic lists are no evaluation event."""
        own = judgments()
        others = tuple(Nugget(topic, "M1", 0, 3, "rain", 1) for topic in ("TS14.2", "TS14.TEST"))
        listed = (*own.events, Event(id="TS14.2", title="", query="", start_time=0, end_time=HOUR))
        both = judgments(nuggets=(*own.nuggets, *others), events=listed)
        C = Measure("C")
        alone = prepare(own, "paper-2013").score(run(("a", HOUR)), [C]).mean(C)
        scores = prepare(both, "paper-2013").score(run(("a", HOUR)), [C])
        assert scores.over == ("TS14.1", "TS14.2") and scores.mean(C) == pytest.approx(alone / 2)
        assert prepare(both, "trec-2013").score(run(("a", HOUR)), [C]).over == ("TS14.1",)
        assert len(prepare(both, "paper-2013").score(run(("a", HOUR)), [C], mean="all").over) == 3


def counts(*told: tuple[str, int], rules: str = "paper-2013") -> dict[str, int]:
    prepared = prepare(judgments(), rules)
    _, lost = losses(prepared.events["TS14.1"], explain(prepared, run(*told), "1"))
    return {loss.cause: loss.count for loss in lost}


@every("time, late", [(HOUR - 1, 0), (HOUR, 0), (HOUR + 1, 1)])
def test_a_nugget_told_at_its_time_is_not_late(time, late) -> None:
    assert counts(("a", time))["lateness"] == late


def test_an_update_of_nothing_but_nuggets_is_not_wordy() -> None:
    assert counts(("a", HOUR))["verbosity"] == 0
    assert counts(("b", HOUR))["verbosity"] == 1


@every("time", [-HOUR, 0])
def test_what_is_told_by_the_start_is_known_from_it(time) -> None:
    steps = coverage(prepare(judgments(), "trec-2014"), run(("a", time)))["TS14.1"]
    known = pytest.approx(R(3) / ALL_R)
    assert steps == [(0, known), (EVENT.end_time - EVENT.start_time, known)]


def test_coverage_steps_where_something_new_is_told() -> None:
    steps = coverage(prepare(judgments(), "trec-2014"), run(("a", 5), ("c", 6), ("b", 7)))["TS14.1"]
    assert [moment for moment, _ in steps] == [0, 5, 7, 10 * HOUR]
    assert [share for _, share in steps] == pytest.approx(
        [0, R(3) / ALL_R, (R(3) + R(1)) / ALL_R, (R(3) + R(1)) / ALL_R]
    )
