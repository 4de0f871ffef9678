"""Tests, intervals and corrections, against SciPy's own and against what must hold."""

from __future__ import annotations

import math
from itertools import product
from math import isnan
from random import Random

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.evaluation.measures import Measure, MeasureInfo, RunScores
from tidings.evaluation.measures.agreement import kendall_tau_b, least_squares, pearson_r, sign
from tidings.evaluation.measures.run_comparison import Settings, compare_scores
from tidings.evaluation.measures.significance import (
    bootstrap_interval,
    cohens_d,
    holm,
    mean,
    randomization_test,
    randomized_tukey,
    t_test,
    wins_ties_losses,
)

scores = st.floats(-1, 1).map(lambda value: round(value, 3))
samples_of = st.lists(scores, min_size=2, max_size=9)


def drawn(n: int, shift: float, seed: int) -> list[float]:
    draw = Random(seed)
    return [draw.gauss(shift, 0.1) for _ in range(n)]


class TestRandomisation:
    @given(samples_of)
    def test_counts_every_assignment_of_signs(self, differences: list[float]) -> None:
        observed = abs(math.fsum(differences)) - 1e-9
        hits = sum(
            abs(math.fsum(sign * value for sign, value in zip(signs, differences, strict=True))) >= observed
            for signs in product((1, -1), repeat=len(differences))
        )
        found = randomization_test(differences)
        assert found.exact
        assert found.arrangements == 2 ** len(differences)
        assert found.p == pytest.approx(hits / 2 ** len(differences), abs=1e-12)

    def test_equals_scipys_exact_permutation_test(self) -> None:
        stats = pytest.importorskip("scipy.stats")
        for seed in range(5):
            differences = drawn(12, 0.05, seed)
            theirs = stats.permutation_test(
                (differences,),
                lambda x, axis: x.mean(axis=axis),
                permutation_type="samples",
                n_resamples=math.inf,
                vectorized=True,
            )
            assert randomization_test(differences).p == pytest.approx(theirs.pvalue, abs=1e-12)

    def test_drawn_signs_come_near_to_the_exact_answer(self) -> None:
        """40 topics that differ are too many to count; 30 of them are not, and adding ties must change nothing."""
        stats = pytest.importorskip("scipy.stats")
        differences = drawn(60, 0.025, 3)
        found = randomization_test(differences, samples=20_000, seed=1)
        assert not found.exact
        assert found.arrangements == 20_000
        # Four standard errors of the drawn share, and what the t-test says about so many normal differences.
        theirs = stats.ttest_1samp(differences, 0).pvalue
        assert found.p == pytest.approx(theirs, abs=4 * math.sqrt(theirs / 20_000) + 0.004)

    def test_the_same_seed_gives_the_same_p_and_another_seed_another(self) -> None:
        differences = drawn(60, 0.02, 4)
        assert randomization_test(differences, seed=1) == randomization_test(differences, seed=1)
        assert randomization_test(differences, seed=1).p != randomization_test(differences, seed=2).p

    @given(samples_of)
    def test_ties_and_direction_do_not_matter(self, differences: list[float]) -> None:
        p = randomization_test(differences).p
        assert randomization_test([*differences, 0.0, 0.0]).p == pytest.approx(p)
        assert randomization_test([-value for value in differences]).p == pytest.approx(p)

    def test_is_never_zero_when_drawn(self) -> None:
        assert randomization_test([1.0] * 50, samples=99).p == 0.01

    def test_rounding_does_not_break_ties_between_sums(self) -> None:
        """.1 + .2 - .3 is not 0 in floating point; three equal sizes have p = 1/4 or 1, nothing else."""
        assert randomization_test([0.1, 0.2, 0.3]).p == 0.25
        assert randomization_test([0.1, 0.2, -0.3]).p == 1.0


class TestStudent:
    @given(samples_of)
    def test_equals_scipys(self, differences: list[float]) -> None:
        stats = pytest.importorskip("scipy.stats")
        if max(differences) - min(differences) < 1e-6:
            return
        zeros = [0.0] * len(differences)
        theirs = stats.ttest_rel(differences, zeros)
        found = t_test(differences)
        assert found is not None
        assert (found.t, found.df) == (pytest.approx(theirs.statistic, abs=1e-9), theirs.df)
        assert found.p == pytest.approx(theirs.pvalue, abs=1e-9)

    def test_equal_differences_are_certain_or_nothing(self) -> None:
        sure, nothing = t_test([0.2, 0.2]), t_test([0.0, 0.0])
        assert sure is not None and (sure.t, sure.p) == (math.inf, 0.0)
        assert nothing is not None and (nothing.t, nothing.p) == (0.0, 1.0)

    def test_says_how_to_get_scipy(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import sys

        monkeypatch.setitem(sys.modules, "scipy.special", None)
        with pytest.raises(UsageError, match=r"pip install -e '\.\[stats\]'"):
            t_test([0.1, 0.2])


class TestBootstrap:
    @pytest.mark.parametrize("method", ["percentile", "bca"])
    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_comes_near_scipys(self, method: str, seed: int) -> None:
        """Both draw 20,000 resamples from other streams: ends agree within a fraction of the interval's width."""
        stats = pytest.importorskip("scipy.stats")
        numpy = pytest.importorskip("numpy")
        values = [value**3 * 20 for value in drawn(15, 0.3, seed)]  # skewed, so that BCa differs
        theirs = stats.bootstrap(
            (values,), numpy.mean, n_resamples=20_000, method=method, random_state=seed
        ).confidence_interval
        found = bootstrap_interval(values, resamples=20_000, method=method, seed=seed)  # type: ignore[arg-type]
        width = theirs.high - theirs.low
        assert found.low == pytest.approx(theirs.low, abs=0.04 * width)
        assert found.high == pytest.approx(theirs.high, abs=0.04 * width)

    def test_bca_leans_to_the_long_tail(self) -> None:
        values = [0.0] * 10 + [0.1, 0.2, 1.5]
        plain = bootstrap_interval(values, method="percentile")
        leaning = bootstrap_interval(values, method="bca")
        assert leaning.high > plain.high
        assert leaning.low > plain.low

    @given(samples_of)
    def test_lies_within_the_values_and_repeats(self, values: list[float]) -> None:
        found = bootstrap_interval(values, resamples=200)
        assert min(values) - 1e-12 <= found.low <= found.high <= max(values) + 1e-12
        assert found == bootstrap_interval(values, resamples=200)

    def test_covers_the_truth_about_as_often_as_it_says(self) -> None:
        held = 0
        for seed in range(200):
            found = bootstrap_interval(drawn(30, 0.0, seed), resamples=400, seed=5)
            held += found.low <= 0 <= found.high
        assert 0.88 <= held / 200 <= 0.98

    def test_refuses_a_level_that_is_none(self) -> None:
        with pytest.raises(UsageError, match="0 < level < 1"):
            bootstrap_interval([1, 2], level=1.5)


class TestCorrections:
    def test_holm_on_the_textbook_example(self) -> None:
        # p.adjust(c(.01, .02, .03, .04, .05), "holm") in R
        assert holm([0.01, 0.02, 0.03, 0.04, 0.05]) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])

    @given(st.lists(st.floats(0, 1), max_size=8))
    def test_holm_never_lowers_keeps_order_and_stays_below_bonferroni(self, p: list[float]) -> None:
        corrected = holm(p)
        for one, other in zip(p, corrected, strict=True):
            assert one <= other <= min(1.0, len(p) * one) + 1e-12
        assert [corrected[place] for place in sorted(range(len(p)), key=p.__getitem__)] == sorted(corrected)

    def test_tukey_of_two_runs_is_the_randomization_test(self) -> None:
        one, other = drawn(12, 0.35, 1), drawn(12, 0.28, 2)
        exact = randomization_test([a - b for a, b in zip(one, other, strict=True)]).p
        assert randomized_tukey([one, other], samples=20_000)[0, 1] == pytest.approx(
            exact, abs=4 * math.sqrt(exact / 20_000)
        )

    def test_tukey_comes_near_the_parametric_one(self) -> None:
        """For normal scores without topic effects, SciPy's Tukey HSD asks nearly the same."""
        stats = pytest.importorskip("scipy.stats")
        runs = [drawn(40, shift, number) for number, shift in enumerate((0.0, 0.05, 0.06))]
        theirs = stats.tukey_hsd(*runs).pvalue
        found = randomized_tukey(runs, samples=10_000)
        for one, other in found:
            assert found[one, other] == pytest.approx(theirs[one, other], abs=0.05)

    def test_tukey_is_stricter_than_each_pair_alone(self) -> None:
        runs = [drawn(10, 0.02 * number, number) for number in range(5)]
        for (one, other), p in randomized_tukey(runs, samples=5_000).items():
            alone = randomization_test([a - b for a, b in zip(runs[one], runs[other], strict=True)]).p
            assert p >= alone - 0.02

    def test_tukey_deals_with_more_runs_than_orders_can_be_listed_for(self) -> None:
        runs = [[0.1 * number, 0.2, 0.3] for number in range(9)]
        found = randomized_tukey(runs, samples=50)
        assert len(found) == 36
        assert all(0 < p <= 1 for p in found.values())

    def test_tukey_refuses_runs_of_unequal_length(self) -> None:
        with pytest.raises(UsageError, match="equally many"):
            randomized_tukey([[1.0, 2.0], [1.0]])


class TestEffects:
    def test_size_and_count(self) -> None:
        assert cohens_d([0.1, 0.3, 0.2]) == pytest.approx(2.0)
        assert wins_ties_losses([0.1, 0.0, -0.1, 0.2]) == (2, 1, 1)
        assert mean([]) == 0


G, V = Measure("G"), Measure("V")
INFO = {
    name: MeasureInfo(name, name, "", "", "", 0.0, None, 0.0, better, "made", "")
    for name, better in (("G", "higher"), ("V", "lower"))
}
FAST = Settings(samples=500, resamples=200)


def scored(run: str, values: list[float], silent: tuple[str, ...] = (), team: str = "t") -> RunScores:
    per_event = {f"e{number}": {G: value, V: value} for number, value in enumerate(values)}
    return RunScores(team, run, (G, V), per_event, silent=silent)


class TestComparison:
    low, high = [0.1, 0.2, 0.1, 0.3, 0.2, 0.1, 0.2], [0.3, 0.5, 0.2, 0.6, 0.5, 0.3, 0.6]

    def test_marks_go_to_the_better_run_by_the_measures_own_direction(self) -> None:
        found = compare_scores([scored("low", self.low), scored("high", self.high)], INFO, "low", FAST)
        more, less = found.measures
        assert (more.beats, more.best) == (((), (0,)), (1,))
        assert (less.beats, less.best) == (((1,), ()), (0,))
        pair = more.against[1]
        assert pair is not None and (pair.wins, pair.ties, pair.losses) == (7, 0, 0)
        assert less.against[1] is not None and less.against[1].wins == 0
        assert pair.randomization.p == 2 / 2**7

    def test_a_silent_topic_counts_and_is_named(self) -> None:
        quiet = RunScores("t", "quiet", (G, V), {"e0": {G: 0.7, V: 0.7}}, silent=("e1",))
        found = compare_scores([scored("low", self.low), quiet], INFO, None, FAST)
        assert found.topics == tuple(f"e{number}" for number in range(7))
        assert found.measures[0].scores[1] == (0.7, 0, 0, 0, 0, 0, 0)
        assert found.runs[1].silent == ("e1",)

    def test_a_value_that_is_none_takes_the_topic_out_for_all(self) -> None:
        broken = scored("nan", [math.nan, *self.high[1:]])
        found = compare_scores([scored("low", self.low), broken], INFO, None, FAST).measures[0]
        assert found.left_out == ("e0",)
        assert len(found.scores[0]) == len(found.topics) == 6

    def test_a_topic_that_nobody_has_a_value_for_is_left_out(self) -> None:
        """Some events lack the judgments that a measure needs; what only one run lacks is its silence."""
        one, other = scored("one", self.low), scored("other", self.high)
        del one.per_event["e1"][G], other.per_event["e1"][G], other.per_event["e2"][G]
        found = compare_scores([one, other], INFO, None, FAST).measures
        assert found[0].left_out == ("e1",)
        assert found[0].scores[1][1] == 0
        assert found[1].left_out == ()

    def test_holm_is_over_the_pairs_with_the_baseline(self) -> None:
        runs = [scored(name, drawn(9, shift, 1 + int(shift * 100))) for name, shift in
                (("a", 0.1), ("b", 0.2), ("c", 0.25))]  # fmt: skip
        first = compare_scores(runs, INFO, "a", FAST).measures[0]
        pairs = [pair for pair in first.against if pair]
        assert [pair.holm for pair in pairs] == holm([pair.randomization.p for pair in pairs])

    def test_names_are_short_where_that_is_enough(self) -> None:
        found = compare_scores(
            [scored("x", self.low, team="a"), scored("x", self.high, team="b")], INFO, "b x", FAST
        )
        assert [run.name for run in found.runs] == ["a x", "b x"]
        assert found.baseline == 1

    @every(
        "runs, baseline, says",
        cases(__file__, "says what is wrong", lists=True),
    )
    def test_says_what_is_wrong(self, runs: list[str], baseline: str | None, says: str) -> None:
        with pytest.raises(UsageError, match=says):
            compare_scores([scored(name, self.low) for name in runs], INFO, baseline, FAST)

    def test_uncorrected_marks_are_at_least_as_many(self) -> None:
        runs = [scored(str(number), drawn(8, 0.04 * number, number)) for number in range(5)]
        marks = {}
        for how in ("none", "holm", "tukey"):
            found = compare_scores(runs, INFO, None, Settings(samples=500, resamples=50, correction=how))
            marks[how] = sum(map(len, found.measures[0].beats))
        assert marks["none"] >= max(marks["holm"], marks["tukey"])


class TestSilenceIsNotBrevity:
    """A run silent on 14 of 15 topics is not the winner of 14 by a measure of which less is better."""

    LOW = MeasureInfo("V", "", "", "", "", 0.0, None, 0.0, "lower", "made", "")

    def compared(self, quiet_on: int):
        V = Measure("V")
        topics = [f"e{n}" for n in range(15)]
        speaks = RunScores("t", "speaks", (V,), {one: {V: 2.0 + n / 10} for n, one in enumerate(topics)})
        values = {one: {V: 0.0 if n >= 15 - quiet_on else 3.0} for n, one in enumerate(topics)}
        quiet = RunScores("t", "quiet", (V,), values, silent=tuple(topics[15 - quiet_on :]))
        return compare_scores([speaks, quiet], {"V": self.LOW}, settings=Settings(samples=50, resamples=50))

    def test_topics_without_a_word_are_left_out_for_all(self) -> None:
        measure = self.compared(14).measures[0]
        assert measure.topics == ("e0",)
        assert measure.unspoken == measure.left_out == tuple(f"e{n}" for n in range(1, 15))
        assert (measure.against[1].wins, measure.against[1].losses) == (0, 1)
        assert measure.best == (0,)

    def test_a_run_that_says_nothing_at_all_is_neither_best_nor_tested(self) -> None:
        measure = self.compared(15).measures[0]
        assert (measure.topics, measure.best) == ((), ())
        assert measure.beats == ((), ())

    def test_where_silence_is_the_worst_it_counts(self) -> None:
        """An error in kilometres: who predicts nothing is half the earth off, and loses there."""
        error = MeasureInfo("V", "", "", "", "", 0.0, 9.0, 9.0, "lower", "made", "")
        V = Measure("V")
        speaks = RunScores("t", "speaks", (V,), {"e0": {V: 2.0}, "e1": {V: 3.0}})
        quiet = RunScores("t", "quiet", (V,), {"e0": {V: 1.0}, "e1": {V: 9.0}}, silent=("e1",))
        measure = compare_scores(
            [speaks, quiet], {"V": error}, settings=Settings(samples=50, resamples=50)
        ).measures[0]
        assert (measure.topics, measure.unspoken) == (("e0", "e1"), ())
        assert (measure.against[1].wins, measure.against[1].losses) == (1, 1)

    def test_it_is_said(self) -> None:
        from tidings.evaluation.report.comparison_tables import silence

        assert any("saying nothing is not being brief" in line for line in silence(self.compared(3)))
        assert not any("finite" in line for line in silence(self.compared(3)))


class TestStudentized:
    """The interval whose ends are those of t, resampled."""

    SKEWED = (0.01, 0.02, 0.02, 0.03, 0.05, 0.05, 0.08, 0.1, 0.2, 0.5)

    def test_equals_a_calculation_by_hand(self) -> None:
        """Drawn apart, with other random numbers, from an even sample: the width agrees to a few per cent."""
        values, draw = (-0.5, -0.3, -0.2, -0.1, -0.05, 0.05, 0.1, 0.2, 0.3, 0.5), Random(5)
        n = len(values)

        def error(some: list[float]) -> float:
            about = sum(some) / n
            return math.sqrt(sum((one - about) ** 2 for one in some) / (n - 1) / n)

        ratios = []
        for _ in range(40_000):
            sample = draw.choices(values, k=n)
            ratios.append(sum(sample) / n / error(sample))
        ratios.sort()
        width = error(list(values)) * (ratios[39_000] - ratios[1_000])
        found = bootstrap_interval(values, method="studentized", resamples=40_000)
        assert found.method == "studentized"
        assert found.high - found.low == pytest.approx(width, rel=0.03)
        assert abs(found.high + found.low) < 0.03 * width

    def test_is_wider_and_leans_with_the_skew(self) -> None:
        wide = bootstrap_interval(self.SKEWED, method="studentized")
        narrow = bootstrap_interval(self.SKEWED)
        assert wide.high - wide.low > narrow.high - narrow.low
        assert wide.high - mean(self.SKEWED) > mean(self.SKEWED) - wide.low

    def test_follows_scale_and_place(self) -> None:
        one = bootstrap_interval(self.SKEWED, method="studentized", resamples=500)
        other = bootstrap_interval(
            [3 - 10 * value for value in self.SKEWED], method="studentized", resamples=500
        )
        assert other.low == pytest.approx(3 - 10 * one.high)
        assert other.high == pytest.approx(3 - 10 * one.low)

    def test_without_a_bound_it_is_the_other(self) -> None:
        """One of ten differs: a third of all resamples are of equal values."""
        values = [0.0] * 9 + [0.4]
        found = bootstrap_interval(values, method="studentized", resamples=500)
        assert found == bootstrap_interval(values, method="bca", resamples=500)

    def test_it_holds_the_mean_more_often(self) -> None:
        draw = Random(1)
        held = {"bca": 0, "studentized": 0}
        for _ in range(150):
            values = [draw.expovariate(1.0) for _ in range(12)]
            for method in held:
                interval = bootstrap_interval(values, method=method, resamples=200)
                held[method] += interval.low <= 1.0 <= interval.high
        assert held["studentized"] > held["bca"]


@every(
    "settings, said",
    [
        (Settings(), 0),
        (Settings(samples=100), 0),
        (Settings(samples=98), 1),
        (Settings(samples=1, resamples=1), 2),
        (Settings(resamples=200), 0),
        (Settings(resamples=199), 1),
    ],
)
def test_too_few_draws_are_warned_of(settings, said) -> None:
    assert len(settings.warnings()) == said


def test_kendall_by_hand() -> None:
    # Six pairs: 4 concordant, 1 discordant, 1 tied in the second series.
    assert kendall_tau_b([1, 2, 3, 4], [1, 3, 2, 3]) == pytest.approx(3 / (6 * 5) ** 0.5)
    assert kendall_tau_b([1, 2, 3], [3, 2, 1]) == -1
    assert isnan(kendall_tau_b([1, 1, 1], [1, 2, 3]))
    assert isnan(kendall_tau_b([1, 2, 3], [2, 2, 2]))
    assert isnan(kendall_tau_b([1], [2]))


def test_what_only_rounding_made_is_no_difference() -> None:
    assert sign(0.1 + 0.2 - 0.3) == 0
    assert (sign(1e-11), sign(-1e-11)) == (1, -1)
    assert kendall_tau_b([0.3, 0.1 + 0.2, 1], [1, 2, 3]) == pytest.approx(kendall_tau_b([0, 0, 1], [1, 2, 3]))


def test_pearson_and_the_line_by_hand() -> None:
    x, y = [0, 1, 2, 3], [1, 3, 2, 4]
    # Centred: x −1.5 −.5 .5 1.5, y −1.5 .5 −.5 1.5: Σxy 4, Σx² 5, Σy² 5.
    assert pearson_r(x, y) == pytest.approx(0.8)
    line = least_squares(x, y)
    assert (line.slope, line.intercept, line.r2) == pytest.approx((0.8, 1.3, 0.64))
    assert line.at(10) == pytest.approx(9.3)


def test_where_nothing_varies() -> None:
    assert isnan(pearson_r([1, 1], [1, 2]))
    assert isnan(least_squares([1, 1], [1, 2]).slope)
    level = least_squares([1, 2], [4, 4])
    assert (level.slope, level.intercept) == (0, 4)
    assert isnan(level.r2)
    assert isnan(least_squares([1], [1]).slope)


def test_as_many_figures_are_expected() -> None:
    for measure in (kendall_tau_b, pearson_r, least_squares):
        with pytest.raises(ValueError, match=r"1 figures beside 2"):
            measure([1], [1, 2])


@pytest.mark.long
def test_as_scipy_has_them() -> None:
    stats = pytest.importorskip("scipy.stats")
    draw = Random(3)
    for size in (2, 5, 30):
        x = [draw.randrange(8) / 7 for _ in range(size)]
        y = [one + draw.randrange(5) / 3 for one in x]
        if len(set(x)) < 2 or len(set(y)) < 2:
            continue
        assert kendall_tau_b(x, y) == pytest.approx(stats.kendalltau(x, y).statistic)
        assert pearson_r(x, y) == pytest.approx(stats.pearsonr(x, y).statistic)
        theirs, ours = stats.linregress(x, y), least_squares(x, y)
        assert (ours.slope, ours.intercept, ours.r2) == pytest.approx(
            (theirs.slope, theirs.intercept, theirs.rvalue**2)
        )
