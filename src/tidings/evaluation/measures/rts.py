"""The measures of real-time summarization: Microblog 2015, RTS 2016 and 2017, equal to the official scripts.

judgments of tweets ──prepare──▶ Prepared ──score(run)──▶ RunScores
                                         └─explain(run, topic)──▶ TopicDays
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import TYPE_CHECKING, Literal

from tidings.core import Run, UsageError
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.rts_rules import MODES, Mode, Rules, rules_named
from tidings.evaluation.measures.run_scores import RunScores, assemble, choose_values

if TYPE_CHECKING:
    from tidings.evaluation.formats.tweets import TweetJudgments


@dataclass(frozen=True, slots=True)
class TopicJudgments:
    """One topic.

    Attributes:
        grades: tweet to label: all that were judged.
        gains: tweet to gain, for tweets of clusters.
        cluster_of: for each day of the evaluation, tweet posted on it to its cluster.
        best: for each day, cluster to the greatest gain of its tweets of that day; in guideline mode only clusters that
            are worth something, so that a day is silent when there is none.
        first_time: cluster to the second in which its first tweet was posted.
    """

    id: str
    grades: Mapping[str, int]
    gains: dict[str, float] = field(default_factory=dict)
    cluster_of: list[dict[str, str]] = field(default_factory=list)
    best: list[dict[str, float]] = field(default_factory=list)
    first_time: dict[str, int] = field(default_factory=dict)


def prepare_topics(tweets: TweetJudgments, rules: Rules, mode: Mode) -> dict[str, TopicJudgments]:
    """Each judged topic, sorted by name as the official scripts print them.

    Raises:
        UsageError: nothing was judged; no judged tweet is of the evaluation's days; or a cluster holds a tweet
            without label or day, or is of no judged topic.
    """
    if not tweets.grades:
        raise UsageError(f"{tweets.name}: no topic is judged, so nothing can be scored")
    number = {day: at for at, day in enumerate(rules.calendar())}
    posted = sorted(set(tweets.days.values()))
    if posted and number.keys().isdisjoint(posted):
        raise UsageError(
            f"{tweets.name}: tweets of {posted[0]} to {posted[-1]} (expected some of {min(number)} to "
            f"{max(number)}, the days of {rules.name}); these are judgments of another year: give its --rules"
        )
    topics = {
        topic: TopicJudgments(
            topic, tweets.grades[topic], cluster_of=[{} for _ in number], best=[{} for _ in number]
        )
        for topic in sorted(tweets.grades)
    }
    for cluster in tweets.clusters:
        topic = topics.get(cluster.event_id)
        if topic is None:
            raise UsageError(
                f"{tweets.name}: there are clusters of topic {cluster.event_id}, which the qrels do not judge; "
                "give qrels and clusters of the same year"
            )
        for tweet in cluster.update_ids:
            _add(topic, cluster.id, tweet, tweets, number, rules, mode)
        if cluster.update_ids:
            topic.first_time[cluster.id] = tweets.times[cluster.update_ids[0]]
    return topics


def _add(
    topic: TopicJudgments,
    cluster: str,
    tweet: str,
    tweets: TweetJudgments,
    number: dict[str, int],
    rules: Rules,
    mode: Mode,
) -> None:
    label, day = topic.grades.get(tweet), tweets.days.get(tweet)
    if label is None or day is None:
        lacks = "qrels" if label is None else "table of days"
        raise UsageError(
            f"{tweets.name}: tweet {tweet} is in cluster {cluster} of topic {topic.id} but not in the {lacks}; "
            "give files of the same year"
        )
    gain = topic.gains[tweet] = rules.gain(label, mode)
    at = number.get(day)
    if at is None or (mode == "guideline" and gain <= 0):
        return
    topic.cluster_of[at][tweet] = cluster
    best = topic.best[at]
    best[cluster] = max(best.get(cluster, gain), gain)


Status = Literal["new", "repeated", "irrelevant", "unjudged"]
_DIGEST_LENGTH = 100  # tweets of a day that the guidelines allow


@dataclass(frozen=True, slots=True)
class ScoredTweet:
    """One tweet of a run.

    `status`: new (the first of its cluster), repeated (its cluster was covered before), irrelevant (judged, of no
    cluster that day), unjudged (nobody looked at it). `latency_s` is the time from the posting of the first
    tweet of its cluster to the push.
    """

    tweet: str
    time: int
    status: Status
    cluster: str
    gain: float
    latency_s: int | None


@dataclass(frozen=True, slots=True)
class Day:
    """One day of one topic.

    Attributes:
        day: YYYYMMDD, UTC.
        silent: there was nothing to emit.
        emitted: how many tweets of the run count.
        gain: sum of gains of the first ten, or their discounted sum (DCG) in a digest.
        best: Z, the most that ten tweets could have earned (a digest: the ideal DCG).
        pain: emitted tweets that earned nothing.
        tweets: each of them; on a silent day the official scripts do not look at any.
    """

    day: str
    silent: bool
    emitted: int
    gain: float
    best: float
    pain: int
    tweets: list[ScoredTweet]


def score_day_lists(
    topic: TopicJudgments,
    lists: dict[int, list[tuple[str, int]]],
    times: Mapping[str, int],
    rules: Rules,
    mode: Mode,
) -> list[Day]:
    """Scenario A: the (tweet, push time) pairs of each day; scenario B: the (tweet, 0) pairs of each day by rank.

    `times` says when judged tweets were posted.
    """
    digest = rules.task == "digest"
    days: list[Day] = []
    emitted_clusters: set[str] = set()
    for number, name in enumerate(rules.calendar()):
        listed: Sequence[tuple[str, int]] = lists.get(number, ())
        if digest and mode == "guideline":
            listed = listed[:_DIGEST_LENGTH]
        open_best, silent = _offer(topic, number, emitted_clusters, mode)
        if silent and mode == "official":
            days.append(Day(name, True, len(listed), 0.0, 0.0, len(listed), []))
            continue
        scored: list[ScoredTweet] = []
        for tweet, time in listed:
            outcome = _tell(topic, number, tweet, time, emitted_clusters)
            if digest:
                outcome = replace(outcome, latency_s=None)
            if outcome.status == "new":
                outcome = _pay(outcome, open_best, times, rules, mode)
            scored.append(outcome)
        total = _discount if digest else sum
        gain = total([outcome.gain for outcome in scored[: rules.daily]])
        best = total(sorted(open_best.values(), reverse=True)[: rules.daily])
        pain = sum(outcome.gain <= 0 for outcome in scored)
        days.append(Day(name, silent, len(scored), gain, best, pain, scored))
    return days


def _pay(
    tweet: ScoredTweet, best: dict[str, float], posted: Mapping[str, int], rules: Rules, mode: Mode
) -> ScoredTweet:
    gain = best.get(tweet.cluster, tweet.gain) if rules.cluster_gain and mode == "official" else tweet.gain
    if rules.latency_discount:
        minutes = (tweet.time - posted[tweet.tweet]) // 60
        if mode == "guideline":
            minutes = max(0, minutes)
        gain *= max(0.0, (100 - minutes) / 100)
    return replace(tweet, gain=gain)


def _offer(
    topic: TopicJudgments, number: int, emitted_clusters: set[str], mode: Mode
) -> tuple[dict[str, float], bool]:
    # What can be earned: officially, clusters that this very run has covered before are no longer there.
    best = topic.best[number]
    if mode == "official" and emitted_clusters:
        best = {cluster: gain for cluster, gain in best.items() if cluster not in emitted_clusters}
    return best, not best


def _tell(
    topic: TopicJudgments, number: int, tweet: str, time: int, emitted_clusters: set[str]
) -> ScoredTweet:
    cluster = topic.cluster_of[number].get(tweet)
    if cluster is None:
        return ScoredTweet(tweet, time, "irrelevant" if tweet in topic.grades else "unjudged", "", 0.0, None)
    if cluster in emitted_clusters:
        return ScoredTweet(tweet, time, "repeated", cluster, 0.0, None)
    emitted_clusters.add(cluster)
    latency = max(0, time - topic.first_time[cluster])
    return ScoredTweet(tweet, time, "new", cluster, topic.gains[tweet], latency)


def _discount(gains: Sequence[float]) -> float:
    return sum((math.pow(2, gain) - 1) / math.log2(rank + 2) for rank, gain in enumerate(gains))


ALPHAS = {"GMP@.33": 0.33, "GMP@.5": 0.5, "GMP@.66": 0.66}
_Lists = dict[str, dict[int, list[tuple[str, int]]]]


@dataclass(frozen=True, slots=True)
class TopicDays:
    """One run on one topic: what it earned and why.

    Attributes:
        values: each measure by its name.
        days: each day of the evaluation, with every tweet that was emitted.
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
        return assemble(
            run.team,
            run.name,
            wanted,
            {topic: choose_values(outcome.values, wanted) for topic, outcome in outcomes.items()},
            sorted({update.event_id for update in run.updates}),
            silence=False,
            overall=choose_values(run_values(outcomes.values()), wanted),
        )

    def explain(self, run: Run, topic: str) -> TopicDays:
        """One run on one topic, day by day.

        Raises:
            UsageError: the topic was not judged.
        """
        if topic not in self.topics:
            raise UsageError(f"topic {topic!r} was not judged; judged are {', '.join(self.topics)}")
        return self._topic(topic, self._lists(run).get(topic, {}))

    def _topic(self, topic: str, lists: dict[int, list[tuple[str, int]]]) -> TopicDays:
        judged, rules = self.topics[topic], self.rules
        days = score_day_lists(judged, lists, self.time_of, rules, self.mode)
        if rules.task == "digest":
            return TopicDays(topic, _digest_values(days, rules), tuple(days), ())
        latencies = tuple(
            tweet.latency_s
            for day in days
            for tweet in day.tweets
            if tweet.gain > 0 and tweet.latency_s is not None
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


def prepare(
    tweets: TweetJudgments, rules: Rules | str = "rts-2017-a", mode: Mode = "official"
) -> PreparedTweets:
    """Make judgments ready for scoring, once for many runs.

    Raises:
        UsageError: nothing was judged, or files of different years are mixed.
    """
    rules = rules_named(rules) if isinstance(rules, str) else rules
    if rules.task == "mobile":
        raise UsageError(f"rules {rules.name} are about assessments on telephones; use prepare_mobile")
    check_mode(mode)
    return PreparedTweets(rules, mode, prepare_topics(tweets, rules, mode), tweets.days, tweets.times)


def check_mode(mode: str) -> None:
    """Raise `UsageError` for a mode that is none."""
    if mode not in MODES:
        raise UsageError(f"unknown mode {mode!r} (expected {' or '.join(MODES)})")


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
        **_latencies(latencies),
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


def run_values(outcomes: Iterable[TopicDays]) -> dict[str, float]:
    """What a run earned over all topics: latencies over all of its pushes, and how many these are."""
    topics = list(outcomes)
    latencies = [latency for topic in topics for latency in topic.latencies]
    return _latencies(latencies) | {"pushes": sum(topic.values["pushes"] for topic in topics)}


def _latencies(latencies: Sequence[int]) -> dict[str, float]:
    return {
        "latency_mean": sum(latencies) / len(latencies) if latencies else 0.0,
        "latency_median": float(median(latencies)) if latencies else 0.0,
    }
