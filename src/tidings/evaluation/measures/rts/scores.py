"""Scores of real-time summarization: for each topic the mean over its days, then the mean over topics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from tidings.core import Run, UsageError
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.rts.days import Day, digest_days, push_days
from tidings.evaluation.measures.rts.judged import TopicJudgments, Tweets, prepare_topics
from tidings.evaluation.measures.rts.rules import MODES, Mode, Rules, named
from tidings.evaluation.measures.scores import RunScores, assemble, chosen

__all__ = ["ALPHAS", "PreparedTweets", "TopicDays", "check_mode", "median", "prepare"]

ALPHAS = {"GMP@.33": 0.33, "GMP@.5": 0.5, "GMP@.66": 0.66}
_Lists = dict[str, dict[int, list[tuple[str, int]]]]


@dataclass(frozen=True, slots=True)
class TopicDays:
    """One run on one topic: what it earned and why.

    Attributes:
        values: each measure by its name.
        days: each day of the evaluation, with every tweet that was told.
        latencies: seconds from the first tweet of a cluster to the push, for pushes that earned something.
    """

    topic: str
    values: dict[str, float]
    days: tuple[Day, ...]
    latencies: tuple[int, ...]


@dataclass(slots=True)
class PreparedTweets:
    """Judgments made ready under one rule set and mode; scores any number of runs."""

    rules: Rules
    mode: Mode
    topics: dict[str, TopicJudgments]
    day_of: Mapping[str, str]
    time_of: Mapping[str, int]
    _number: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Number the days."""
        self._number = {day: at for at, day in enumerate(self.rules.calendar())}

    def score(self, run: Run, measures: Iterable[Measure] | None = None) -> RunScores:
        """Score one run; a run without updates scores too, for it was right about silent days.

        Topics that were not judged are left out, as the official scripts do. Latencies are averaged over all pushes of
        the run that earned something, and `pushes` are summed.
        """
        wanted = tuple(measures) if measures is not None else tuple(map(Measure, self.rules.measures))
        lists = self._lists(run)
        outcomes = {topic: self._topic(topic, lists.get(topic, {})) for topic in self.topics}
        latencies = [latency for outcome in outcomes.values() for latency in outcome.latencies]
        overall = {
            "latency_mean": sum(latencies) / len(latencies) if latencies else 0.0,
            "latency_median": median(latencies),
            "pushes": sum(outcome.values["pushes"] for outcome in outcomes.values()),
        }
        return assemble(
            run.team,
            run.name,
            wanted,
            {topic: chosen(outcome.values, wanted) for topic, outcome in outcomes.items()},
            sorted({update.event_id for update in run.updates}),
            silence=False,
            overall=chosen(overall, wanted),
        )

    def explain(self, run: Run, topic: str) -> TopicDays:
        """One run on one topic, day by day.

        Raises:
            UsageError: the topic was not judged.
        """
        if topic not in self.topics:
            raise UsageError(f"found topic {topic!r}, expected one that was judged: {', '.join(self.topics)}")
        return self._topic(topic, self._lists(run).get(topic, {}))

    def _topic(self, topic: str, lists: dict[int, list[tuple[str, int]]]) -> TopicDays:
        judged, rules = self.topics[topic], self.rules
        if rules.task == "digest":
            days = digest_days(judged, lists, rules, self.mode)
            return TopicDays(topic, _digest_values(days, rules), tuple(days), ())
        days = push_days(judged, lists, self.time_of, rules, self.mode)
        latencies = tuple(
            one.latency_s for day in days for one in day.tweets if one.gain > 0 and one.latency_s is not None
        )
        return TopicDays(topic, _push_values(days, latencies, rules, self.mode), tuple(days), latencies)

    def _lists(self, run: Run) -> _Lists:
        if self.rules.task == "digest":
            return self._digests(run)
        return self._official_pushes(run) if self.mode == "official" else self._guideline_pushes(run)

    def _digests(self, run: Run) -> _Lists:
        lists: _Lists = {}
        start = self.rules.start_time()
        # The scripts take the lines as they stand; the guidelines go by rank.
        updates = run.updates
        if self.mode == "guideline":
            updates = sorted(updates, key=lambda update: update.sentence_index)
        for update in updates:
            day = (update.time - start) // 86400
            if update.event_id in self.topics and 0 <= day < self.rules.days:
                lists.setdefault(update.event_id, {}).setdefault(day, []).append((update.doc_id, 0))
        return lists

    def _official_pushes(self, run: Run) -> _Lists:
        shift, early, number = self.rules.clock_shift_s, self.rules.drop_early, self._number
        lists: _Lists = {}
        last: dict[tuple[str, str], int] = {}
        repeated = False
        for update in run.updates:
            topic, tweet = update.event_id, update.doc_id
            posted = self.time_of.get(tweet)
            if posted is None or topic not in self.topics:
                continue
            time = update.time + shift
            day = number.get(self.day_of[tweet])
            if day is None or (early and time < posted):
                continue
            lists.setdefault(topic, {}).setdefault(day, []).append((tweet, time))
            repeated = repeated or (topic, tweet) in last
            last[topic, tweet] = time
        if repeated:
            # The scripts keep one time for each tweet: that of its last push.
            for topic, by_day in lists.items():
                for day, tweets in by_day.items():
                    by_day[day] = [(tweet, last[topic, tweet]) for tweet, _ in tweets]
        return lists

    def _guideline_pushes(self, run: Run) -> _Lists:
        start, days, daily = self.rules.start_time(), self.rules.days, self.rules.daily
        lists: _Lists = {}
        for update in sorted(run.updates, key=lambda update: update.time):
            topic, tweet = update.event_id, update.doc_id
            if topic not in self.topics:
                continue
            posted = self.day_of.get(tweet)
            day = (update.time - start) // 86400 if posted is None else self._number.get(posted, -1)
            if not 0 <= day < days:
                continue
            pushes = lists.setdefault(topic, {}).setdefault(day, [])
            if len(pushes) < daily:  # the broker takes no more
                pushes.append((tweet, update.time))
        return lists


def prepare(tweets: Tweets, rules: Rules | str = "rts-2017-a", mode: Mode = "official") -> PreparedTweets:
    """Make judgments ready for scoring, once for many runs.

    Raises:
        UsageError: nothing was judged, or files of different years are mixed.
    """
    rules = named(rules) if isinstance(rules, str) else rules
    if rules.task == "mobile":
        raise UsageError(f"rules {rules.name} are about assessments on telephones; use prepare_mobile")
    check_mode(mode)
    return PreparedTweets(rules, mode, prepare_topics(tweets, rules, mode), tweets.days, tweets.times)


def check_mode(mode: str) -> None:
    """Raise `UsageError` for a mode that is none."""
    if mode not in MODES:
        raise UsageError(f"unknown mode {mode!r}, expected {' or '.join(MODES)}")


def _push_values(days: list[Day], latencies: tuple[int, ...], rules: Rules, mode: Mode) -> dict[str, float]:
    official = mode == "official"
    values = _variants("EG", days, rules, lambda day: day.gain / day.emitted, capped=not official)
    values |= _variants(
        "nCG", days, rules, lambda day: day.gain / day.best if day.best else 0.0, capped=not official
    )
    # The scripts compute what pushes on silent days cost, and then lose it.
    painful = [day for day in days if day.emitted and not (official and day.silent)]
    for name, alpha in ALPHAS.items():
        values[name] = sum(alpha * day.gain - (1 - alpha) * day.pain for day in painful) / len(days)
    return values | {
        "ELG": values["EG-1"],
        "nCG": values["nCG-1"],
        "latency_mean": sum(latencies) / len(latencies) if latencies else 0.0,
        "latency_median": median(latencies),
        "pushes": float(sum(day.emitted for day in painful)),
    }


def _digest_values(days: list[Day], rules: Rules) -> dict[str, float]:
    values = _variants(
        "nDCG@10", days, rules, lambda day: day.gain / day.best if day.best else 0.0, capped=True
    )
    return values | {"pushes": float(sum(day.emitted for day in days))}


def _variants(
    stem: str, days: list[Day], rules: Rules, eventful: Callable[[Day], float], *, capped: bool
) -> dict[str, float]:
    """The mean over days in its three variants, which part on silent days only.

    Summed day by day, as the scripts do, so that figures which end in a five are rounded as theirs.
    """
    zero = one = proportional = 0.0
    for day in days:
        if day.silent:
            emitted = min(day.emitted, rules.daily) if capped else day.emitted
            one += not day.emitted
            proportional += 1 - emitted / rules.daily
        elif day.emitted:
            value = eventful(day)
            zero, one, proportional = zero + value, one + value, proportional + value
    n = len(days)
    return {f"{stem}-0": zero / n, f"{stem}-1": one / n, f"{stem}-p": proportional / n}


def median(values: Iterable[int]) -> float:
    """The middle value, or the mean of the two in the middle; 0 of nothing.

    >>> median([3, 1, 2]), median([4, 1, 2, 3]), median([])
    (2.0, 2.5, 0.0)
    """
    ordered = sorted(values)
    half = len(ordered) // 2
    if not ordered:
        return 0.0
    return float(ordered[half]) if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
