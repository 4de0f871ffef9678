"""What a comparison says in words: figures as papers print them, the finding, and how it was computed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tidings.core import clean, score
from tidings.evaluation.measures.significance import Comparison, MeasureComparison, Pair
from tidings.evaluation.report.origins import caveat

__all__ = ["Provenance", "figure", "finding", "marks", "method", "p_text", "signed", "silence", "verdict_p"]

_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where the figures come from, so that each can be had again.

    `files` are (path, SHA-256) of the runs; `notes` are further remarks, such as skipped lines.
    """

    command: str = ""
    judgments: str = ""
    rules: str = ""
    options: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def p_text(p: float | None) -> str:
    """A p-value as papers print it.

    >>> p_text(0.03125), p_text(0.00001), p_text(1.0), p_text(None)
    ('.0312', '<.0001', '1', '–')
    """
    if p is None or math.isnan(p):
        return "–"
    if p < 0.0001:
        return "<.0001"
    return "1" if p >= 0.99995 else f"{p:.4f}"[1:]


def signed(value: float) -> str:
    """A difference with its sign.

    >>> signed(0.0312), signed(-2.5), signed(0.0)
    ('+0.0312', '−2.5000', '0.0000')
    """
    if not math.isfinite(value):
        return ("+∞" if value > 0 else "−∞") if math.isinf(value) else "–"
    text = score(abs(value))
    return (
        text
        if not value or not any(one in "123456789" for one in text)
        else ("+" if value > 0 else "−") + text
    )


def figure(value: float) -> str:
    """A score as text prints it, with a true minus.

    >>> figure(-0.19524), figure(62898.5)
    ('−0.1952', '62,898.5')
    """
    return score(value).replace("-", "−")


def marks(comparison: Comparison, measure: MeasureComparison, run: int) -> str:
    """The letters of the runs that this one is significantly better than."""
    return "".join(comparison.runs[place].letter for place in measure.beats[run])


def verdict_p(comparison: Comparison, pair: Pair) -> float:
    """The p-value by which a pair with the baseline is judged, as the settings' correction says."""
    return {"holm": pair.holm, "tukey": pair.tukey}.get(comparison.settings.correction, pair.randomisation.p)


def finding(comparison: Comparison, measure: MeasureComparison) -> str:
    """A few sentences: which runs differ from the baseline by this measure, and what that must not be taken for."""
    return _verdict(comparison, measure) + _caveats(comparison, measure)


def _caveats(comparison: Comparison, measure: MeasureComparison) -> str:
    runs: dict[str, list[str]] = {}
    for pair in measure.against:
        if pair and (why := caveat(comparison, pair.run)):
            runs.setdefault(why, []).append(clean(comparison.runs[pair.run].name))
    if not runs:
        return ""
    said = "; ".join(f"{_listed(names)}: {why}" for why, names in runs.items())
    return f" This does not say which system is better ({said}; see the notes)."


def _verdict(comparison: Comparison, measure: MeasureComparison) -> str:
    baseline = clean(comparison.runs[comparison.baseline].name)
    alpha = comparison.settings.alpha
    how_p = {"holm": "p after Holm's correction", "tukey": "p of randomised Tukey HSD"}
    by = f"By {measure.measure} ({how_p.get(comparison.settings.correction, 'p uncorrected')}),"
    pairs = [pair for pair in measure.against if pair]
    better: list[str] = []
    worse: list[str] = []
    apart: list[str] = []
    rest: list[str] = []
    for pair in pairs:
        p = p_text(verdict_p(comparison, pair))
        p = f"p < {p[1:]}" if p.startswith("<") else f"p = {p}"
        said = f"{clean(comparison.runs[pair.run].name)} ({signed(pair.mean)}, {p})"
        if verdict_p(comparison, pair) >= alpha or not pair.mean:
            rest.append(said)
        elif not measure.sign:
            apart.append(said)
        else:
            (better if measure.sign * pair.mean > 0 else worse).append(said)
    parts = [
        f"{_listed(names)} {'are' if len(names) > 1 else 'is'} significantly {how} {baseline}"
        for names, how in ((better, "better than"), (worse, "worse than"), (apart, "different from"))
        if names
    ]
    if not parts and len(pairs) == 1:
        name = clean(comparison.runs[pairs[0].run].name)
        return f"{by} {name} does not differ significantly from {baseline}{rest[0].removeprefix(name)}."
    if not parts:
        return f"{by} none of the runs differs significantly from {baseline}: {_listed(rest)}."
    end = ""
    if rest:
        end = f" No significant difference from {baseline}: {_listed(rest)}."
    return f"{by} {'; '.join(parts)}.{end}"


def method(comparison: Comparison) -> list[str]:
    """How every figure was computed, in sentences that can go into a paper."""
    settings, runs = comparison.settings, len(comparison.runs)
    tests = {pair.randomisation for measure in comparison.measures for pair in measure.against if pair}
    exact = sorted({test.arrangements for test in tests if test.exact})
    drawn = any(not test.exact for test in tests)
    how = []
    if exact:
        how.append(
            f"all {' or '.join(f'{count:,}' for count in exact)} assignments of signs are counted (exact)"
        )
    if drawn:
        how.append(f"{settings.samples:,} random assignments of signs are drawn (seed {settings.seed})")
    said = {
        "holm": "the two-sided randomisation test with Holm's correction over all pairs of runs",
        "tukey": "randomised Tukey HSD",
        "none": "the two-sided randomisation test, uncorrected",
    }[settings.correction]
    kind = {
        "bca": "bias-corrected and accelerated (BCa)",
        "percentile": "percentile",
        "studentized": "studentized (bootstrap-t)",
    }[settings.interval]
    sentences = [
        f"Means are over all judged topics ({len(comparison.topics)}), a silent one counting as the measure's value of "
        "silence (0 for most), so they can be lower than official means over a run's own topics.",
        f"p: paired randomisation test on the mean difference from the baseline, two-sided; {'; '.join(how)}.",
    ]
    if settings.with_t:
        sentences.append("p(t): paired t-test, two-sided.")
    sentences += [
        f"p(Holm): p after Holm's correction over the {runs - 1} comparison{'s' if runs > 2 else ''} with the "
        "baseline, for each measure by itself.",
        f"p(Tukey): randomised Tukey HSD over all pairs of runs ({runs * (runs - 1) // 2}), {settings.samples:,} "
        f"shuffles (seed {settings.seed}).",
        f"{100 * settings.level:g} % confidence intervals of the mean difference: {kind} bootstrap over topics, "
        f"{settings.resamples:,} resamples (seed {settings.seed}).{_coverage(comparison)}",
        "d: Cohen's d for paired samples, the mean difference over the standard deviation of the differences.",
        f"Marks: a run is better than those whose letters it bears, at p < {settings.alpha:g} by {said}, for each "
        "measure by itself. Measures are not corrected for each other.",
    ]
    if len(comparison.topics) < 2:
        sentences.append("One topic is too few: nothing can be tested on it, and no run be found to differ.")
    return sentences


def _coverage(comparison: Comparison) -> str:
    """What such intervals hold in truth where topics are few (measured by `python -m bench.coverage`)."""
    if len(comparison.topics) >= 50 or comparison.settings.interval == "studentized":
        return ""
    return (
        " Of so few topics such intervals are too narrow: of 95 % ones from 15 skewed differences 84 to 93 in 100 hold "
        "the true mean, of --interval studentized 90 to 96 (docs/comparing.md)."
    )


def silence(comparison: Comparison) -> list[str]:
    """Which topics each run was silent on, and which a measure left out."""
    said = []
    for run in comparison.runs:
        if run.silent:
            many = f"{len(run.silent)} of {len(comparison.topics)} topics"
            said.append(
                f"{clean(run.name)} is silent on {many} ({_some(run.silent)}): counted as silence there."
            )
        if run.unjudged:
            said.append(
                f"{clean(run.name)} tells of {_some(run.unjudged)}, for which there are no judgments: left out."
            )
    by_topics: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for measure in comparison.measures:
        empty = tuple(topic for topic in measure.left_out if topic not in measure.unspoken)
        for topics, why in (
            (empty, "no finite value there"),
            (measure.unspoken, "a run is silent there, and to say nothing is not to be brief"),
        ):
            if topics:
                by_topics.setdefault((topics, why), []).append(str(measure.measure))
    for (topics, why), names in by_topics.items():
        said.append(f"{_listed(names)} left {_some(topics)} out for all runs: {why}.")
    return said


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(clean(name) for name in names[:_SHOWN])
    return shown + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "none"
