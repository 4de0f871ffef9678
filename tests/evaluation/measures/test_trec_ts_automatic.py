"""What nobody judged, scored by possible matches: against sums by hand."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import pytest

from tidings.core.errors import UsageError
from tidings.core.records import Event, Judgments, Match, Nugget, PooledUpdate, PossibleMatch, Run, Update
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.trec_ts import prepare, rules_named
from tidings.evaluation.measures.trec_ts.automatic import (
    AutomaticJudgments,
    Expected,
    judge_automatically,
    log_odds_shift,
    shift_odds,
)

R1 = exp(-2)
"""The gain of a nugget of importance 1; of 3 it is 1."""


def pooled(doc: str, text: str, event: str = "e", twin: str = "") -> PooledUpdate:
    return PooledUpdate(event, doc, 0, text, twin)


def pair(doc: str, nugget: str, probability: float, event: str = "e", end: int = 0) -> PossibleMatch:
    return PossibleMatch(event, f"{doc}-0", nugget, probability, 0, end)


JUDGED = Judgments(
    name="two events",
    events=tuple(Event(id=one, title="", query="") for one in "ef"),
    nuggets=(
        Nugget("e", "dead", 0, 3, "nine people died here"),
        Nugget("e", "fire", 0, 1, "a fire burned down"),
        Nugget("f", "rain", 0, 3, "it rained for days"),
    ),
    matches=(Match("e", "seen-0", "fire", 0, 4),),
    pool=(pooled("seen", "fire in town"), pooled("dull", "nothing at all"), pooled("wet", "rain", "f")),
)


def judged(
    *matches: PossibleMatch,
    told: tuple[PooledUpdate, ...] = (),
    instead: bool = False,
    rules: str = "trec-2014",
) -> AutomaticJudgments:
    return judge_automatically(prepare(JUDGED, rules), JUDGED, matches, told, instead=instead)


def run(*docs: str, event: str = "e") -> Run:
    return Run("us", "a", tuple(Update(event, doc, 0, number) for number, doc in enumerate(docs)))


def values(
    automatic: AutomaticJudgments, one: Run, measure: str, **how: float
) -> tuple[float, float, Expected]:
    scores = automatic.score(one, [Measure(measure)], threshold=0.5, **how)  # type: ignore[arg-type]
    wanted = Measure(measure)
    return scores.people.mean(wanted), scores.decided.mean(wanted), scores.overall[wanted]


def test_a_pair_counts_from_the_threshold_on_and_is_drawn_by_its_probability() -> None:
    told = (pooled("new", "nine died"),)
    people, decided, drawn = values(judged(pair("new", "dead", 0.5), told=told), run("new"), "C", draws=2000)
    assert (people, decided) == (0, pytest.approx(1 / (1 + R1)))
    assert drawn.mean == pytest.approx(0.5 / (1 + R1), abs=0.04)
    assert (drawn.low, drawn.high) == (0, pytest.approx(decided))
    assert values(judged(pair("new", "dead", 0.499), told=told), run("new"), "C")[1] == 0


def test_what_people_judged_stays_as_they_judged_it() -> None:
    automatic = judged(pair("dull", "dead", 1.0), pair("seen", "dead", 1.0), pair("seen", "fire", 0.0))
    for people, decided, drawn in [
        values(automatic, run("seen", "dull"), name) for name in ("C", "H", "E[V]")
    ]:
        assert drawn.low == drawn.high == pytest.approx(people) == pytest.approx(decided)
    assert people > 0


def test_words_without_a_pair_are_judged_to_say_nothing_and_cost_their_length() -> None:
    told = (pooled("new", "one two three four five"),)
    people, decided, _ = values(judged(told=told), run("new"), "E[V]")
    assert people == pytest.approx(1 + 1 / 4), "nobody's: one word"
    assert decided == pytest.approx(1 + 5 / 4)


def test_matched_words_are_counted_where_the_words_are_known() -> None:
    told = (pooled("new", "one two three four five"),)
    _, decided, _ = values(judged(pair("new", "dead", 0.9, end=9), told=told), run("new"), "E[V]")
    assert decided == pytest.approx(1 + (5 - 2) / 4)
    _, decided, _ = values(judged(pair("new", "dead", 0.9, end=9)), run("new"), "E[V]")
    assert decided == pytest.approx(1 + 1 / 4), "words that are not known are one"


def test_what_neither_words_nor_pairs_are_known_of_counts_as_the_rules_have_it() -> None:
    automatic = judged(pair("new", "dead", 0.9))
    counts = automatic.score(run("new", "far", "seen"), [Measure("C")], threshold=0.5).updates
    assert (counts.emitted, counts.people, counts.copies, counts.program, counts.nobody) == (3, 1, 0, 1, 1)
    assert values(automatic, run("new", "far"), "updates")[1] == 2
    skipped = judge_automatically(
        prepare(JUDGED, rules_named("trec-2014", unpooled="skip")), JUDGED, [pair("new", "dead", 0.9)]
    )
    assert values(skipped, run("new", "far"), "updates")[:2] == (0, 1)


def test_a_copy_of_judged_words_is_judged_as_people_judged_these() -> None:
    told = (pooled("copy", "fire  in town"), pooled("copy-of-copy", "fire in town"))
    automatic = judged(pair("copy", "dead", 1.0), told=told)
    assert values(automatic, run("copy"), "C")[1] == pytest.approx(R1 / (1 + R1))
    assert values(automatic, run("copy", "seen", "copy-of-copy"), "E[G]")[1] == pytest.approx(
        R1 / (3 * (1 + 3 / 4))
    )
    counts = automatic.score(run("copy", "seen"), [Measure("C")], threshold=0.5).updates
    assert (counts.people, counts.copies, counts.program) == (1, 1, 0)


def test_copies_are_drawn_once_and_earn_once() -> None:
    told = (pooled("new", "nine died"), pooled("again", "nine died"))
    pairs = [pair(doc, "dead", 0.5) for doc in ("new", "again")]
    automatic = judged(*pairs, told=told)
    both, one = (values(automatic, run(*docs), "C", draws=400)[2] for docs in (("new", "again"), ("new",)))
    assert both == one, "two lots would make three chances of four"


def test_equal_words_have_equal_lots_where_the_pool_does_not_link_them() -> None:
    twins = replace_pool((pooled("new", "nine died"), pooled("again", "nine died")))
    pairs = [pair(doc, name, 0.4) for doc in ("new", "again") for name in ("fire", "dead")]
    automatic = judge_automatically(prepare(twins), twins, pairs, instead=True)
    both, one = (values(automatic, run(*docs), "C", draws=300)[2] for docs in (("new", "again"), ("again",)))
    assert both == one
    assert 0 < one.low < one.high or one.low == 0


def replace_pool(pool: tuple[PooledUpdate, ...]) -> Judgments:
    return Judgments(name="twins", events=JUDGED.events, nuggets=JUDGED.nuggets, pool=pool)


def test_nuggets_of_an_update_are_drawn_apart() -> None:
    told = (pooled("new", "nine died"),)
    pairs = [pair("new", "dead", 0.5), pair("new", "fire", 0.5)]
    scores = judged(*pairs, told=told).score(run("new"), [Measure("C")], threshold=0.6, draws=60)
    assert scores.overall[Measure("C")].high == pytest.approx(1.0), "both"
    assert scores.overall[Measure("C")].low == 0, "none"
    assert scores.decided.mean(Measure("C")) == 0
    assert scores.draws == 60


def test_draws_hang_on_the_seed_alone() -> None:
    told = tuple(pooled(f"n{number}", f"text {number}") for number in range(6))
    pairs = [pair(one.doc_id, "dead", 0.1) for one in told]
    first = values(judged(*pairs, told=told), run("n1", "n2"), "H", draws=50)[2]
    fewer = judged(*reversed(pairs[1:3]), told=told[1:3])
    assert values(fewer, run("n1", "n2"), "H", draws=50)[2] == first
    assert values(judged(*pairs, told=told), run("n1", "n2"), "H", draws=50, seed=1)[2] != first


def test_draws_do_not_hang_on_the_order_of_the_file_and_events_are_drawn_apart() -> None:
    told = (pooled("new", "nine died"), pooled("late", "nine died", "f"))
    pairs = [pair("new", "dead", 0.5), pair("new", "fire", 0.4), pair("late", "rain", 0.5, "f")]
    drawn = [values(judged(*own, told=told), run("new"), "C", draws=60)[2] for own in (pairs, pairs[::-1])]
    assert drawn[0] == drawn[1]
    both = Run("us", "a", (*run("new").updates, *run("late", event="f").updates))
    scores = judged(pairs[0], pairs[2], told=told).score(both, [Measure("C")], threshold=0.5, draws=400)
    middle = scores.overall[Measure("C")].mean
    assert middle == pytest.approx((1 / (1 + R1) + 1) / 4, abs=0.05)
    few = judged(pairs[0], pairs[2], told=told).score(both, [Measure("C")], threshold=0.5, draws=7)
    one, other = few.per_event["e"][Measure("C")].mean * (1 + R1), few.per_event["f"][Measure("C")].mean
    assert one != pytest.approx(other), "equal words of two events have lots of their own"


def test_a_spread_moves_all_of_an_event_together() -> None:
    told = tuple(pooled(f"n{number}", f"text {number}") for number in range(6))
    one = run(*(update.doc_id for update in told))
    automatic = judged(*(pair(update.doc_id, "dead", 0.5) for update in told), told=told)
    narrow, wide = (values(automatic, one, "C", draws=400, spread=spread)[2] for spread in (0.0, 5.0))
    assert narrow.mean == pytest.approx((1 - 0.5**6) / (1 + R1), abs=0.03), "hardly ever none of six"
    assert wide.mean < narrow.mean - 0.1, "none of them in many a draw"
    certain = judged(pair("n1", "dead", 1.0), told=told)
    drawn = values(certain, run("n1"), "C", spread=3.0)[2]
    assert drawn.low == drawn.high == pytest.approx(1 / (1 + R1)), "what is sure stays so"


def test_a_shift_is_of_log_odds() -> None:
    automatic = judged(pair("new", "dead", 0.5), told=(pooled("new", "nine died"),))
    even = values(automatic, run("new"), "C", draws=3000, spread=5.0)[2]
    assert even.mean == pytest.approx(0.5 / (1 + R1), abs=0.04), "up as often as down"


def test_instead_of_people_nothing_of_theirs_is_left() -> None:
    automatic = judged(pair("dull", "dead", 0.9), instead=True)
    people, decided, _ = values(automatic, run("seen", "dull"), "C")
    assert (people, decided) == (pytest.approx(R1 / (1 + R1)), pytest.approx(1 / (1 + R1)))
    counts = automatic.score(run("seen", "dull"), [Measure("C")], threshold=0.5).updates
    assert (counts.people, counts.program) == (0, 2)


def test_in_place_of_people_a_linked_copy_is_judged_as_its_twin() -> None:
    linked = replace_pool((pooled("new", "nine died"), pooled("again", "nine died", twin="new-0")))
    automatic = judge_automatically(prepare(linked), linked, [pair("new", "dead", 0.9)], instead=True)
    assert values(automatic, run("again"), "C")[1] == pytest.approx(1 / (1 + R1))


def test_means_go_over_what_is_told_of_or_over_all_and_so_do_their_intervals() -> None:
    told = (pooled("new", "nine died"), pooled("late", "it rained", "f"))
    automatic = judged(pair("new", "dead", 0.5), pair("late", "rain", 0.5, "f"), told=told)
    C = Measure("C")
    alone = automatic.score(run("late", event="f"), [C], threshold=0.5, draws=200)
    assert alone.decided.over == ("f",)
    assert alone.overall[C] == alone.per_event["f"][C]
    over_all = automatic.score(run("late", event="f"), [C], threshold=0.5, draws=200, mean="all")
    assert over_all.decided.mean(C) == over_all.people.mean(C) + 0.5
    assert over_all.overall[C].mean == pytest.approx(alone.overall[C].mean / 2)
    assert over_all.per_event["e"][C] == Expected(0.0, 0.0, 0.0)
    many = [pair(doc, "dead", 0.5) for doc in ("new",)] + [pair("late", "rain", 0.5, "f")]
    both = Run("us", "a", (*run("new").updates, *run("late", event="f").updates))
    drawn = judged(*many, told=told).score(both, [C], threshold=0.5, draws=200)
    means = {round(drawn.overall[C].low, 9), round(drawn.overall[C].high, 9)}
    assert means == {0.0, round((1 / (1 + R1) + 1) / 2, 9)}, "events are drawn apart: none, or both"
    assert drawn.overall[C].mean == pytest.approx(sum(one[C].mean for one in drawn.per_event.values()) / 2)


def test_pairs_of_other_events_and_nuggets_are_passed_over() -> None:
    told = (pooled("new", "nine died"),)
    automatic = judged(
        pair("new", "rain", 1.0), pair("new", "dead", 1.0, "g"), pair("new", "dead", 0.0), told=told
    )
    assert values(automatic, run("new"), "C")[1:] == (0, Expected(0.0, 0.0, 0.0))


def test_a_silent_run_has_zeros(capsys) -> None:
    scores = judged().score(Run("us", "a", ()), [Measure("C")], threshold=0.5)
    assert scores.overall[Measure("C")] == Expected(0.0, 0.0, 0.0)
    assert scores.updates == replace(scores.updates, emitted=0, people=0, copies=0, program=0, nobody=0)


def test_settings_that_make_no_sense_are_refused() -> None:
    for how in ({"threshold": 1.1}, {"threshold": -0.1}, {"draws": 0}, {"spread": -1.0}):
        with pytest.raises(UsageError, match="expected a threshold from 0 to 1"):
            judged().score(run("seen"), [Measure("C")], **{"threshold": 0.5, **how})  # type: ignore[arg-type]


def test_what_people_judged_of_an_event_moves_what_is_said_of_the_rest() -> None:
    many = [pooled(f"p{number}", f"text {number}") for number in range(30)]
    likely = Judgments(
        name="likely",
        events=JUDGED.events,
        nuggets=JUDGED.nuggets,
        pool=(*many, pooled("copy", "text 0", twin="p0-0")),
        matches=tuple(Match("e", one.id, "dead", 0, 4) for one in many[:27]),
    )
    pairs = [pair(one.doc_id, "dead", 0.1) for one in likely.pool]
    pairs += [pair("new", "dead", 0.1), pair("late", "rain", 0.1, "f")]
    told = (pooled("new", "a new text"), pooled("late", "another", "f"))
    prepared = prepare(likely)

    def said(calibrate: float, instead: bool = False, *, least: float = 0.5) -> float:
        automatic = judge_automatically(prepared, likely, pairs, told, instead=instead, calibrate=calibrate)
        scores = automatic.score(run("new"), [Measure("C")], threshold=least, draws=1)
        return scores.decided.mean(Measure("C"))

    assert (said(0.0), said(1.0)) == (0, pytest.approx(1 / (1 + R1))), "nine in ten are matched"
    assert said(100.0, least=0.89) > 0
    assert said(100.0, least=0.905) == 0, "a copy is not asked twice"
    assert said(0.01) == 0, "hardly allowed"
    assert said(1.0, instead=True) == 0, "people are not asked"
    other = judge_automatically(prepared, likely, pairs, told, calibrate=1.0)
    scores = other.score(run("late", event="f"), [Measure("C")], threshold=0.2, draws=1)
    assert scores.decided.mean(Measure("C")) == 0, "each event by its own"


def test_shifts_are_held_in_bounds() -> None:
    assert log_odds_shift([(0.5, True)] * 9, 1000.0) == pytest.approx(12.0, abs=1e-3)
    assert log_odds_shift([(1e-320, False), (0.5, False)], 1.0) < 0
    assert log_odds_shift([(1.0, False), (0.0, True)], 1.0) == 0
    assert log_odds_shift([(0.3, True)], 0.0) == 0
    assert log_odds_shift([(0.5, True), (0.5, False)], 1.0) == pytest.approx(0, abs=1e-9)
    one_of_one = log_odds_shift([(0.5, True)], 1.0)
    assert one_of_one == pytest.approx(1 - 1 / (1 + exp(-one_of_one))), "the slope is 0 there"
    assert shift_odds(1e-320, 3.0) == pytest.approx(exp(-27), rel=1e-6)


def test_what_was_told_and_judged_is_peoples() -> None:
    told = (pooled("seen", "fire in town"), pooled("new", "nine died"))
    counts = judged(told=told).score(run("seen", "new"), [Measure("C")], threshold=0.5).updates
    assert (counts.people, counts.copies, counts.program) == (1, 0, 1)
