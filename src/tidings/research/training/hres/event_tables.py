"""Events as tables: what the follower would read of each stream, and what each sentence is worth."""

from __future__ import annotations

from collections.abc import Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, Struct

from tidings.core import Sentence
from tidings.evaluation import latency_discount
from tidings.following import Array
from tidings.research.systems.hres import Hres, ReadSentence, SentenceReader
from tidings.research.systems.hres_memory import MARKS
from tidings.research.training.labelled_events import JudgedEvent, prepared_clusters

Count = Annotated[int, Meta(ge=0, le=10_000)]
Share = Annotated[float, Meta(ge=0, le=10)]


class HresOptions(Struct, frozen=True, kw_only=True):
    """How to train `hres`; given as texts by `--set name=value`.

    Attributes:
        hops: rows b of the attention matrix A.
        attention: learned; uniform gives all words of a sentence the same weight (to see what attention adds).
        query: whether encoder and attention may see the query; the gate always does.
        penalty: weight of |A Aᵀ - I|².
        dropout: share of inputs that are hidden at random while encoder and imitation learn.
        words: rows of the table of hashed word vectors.
        size: numbers of a word vector.
        units: hidden numbers of each direction of the BiLSTM.
        memory: numbers of the policy's recurrent memory.
        overlap, max_words: the gate of the system that will run.
        texts: rounds over sentences of the streams, matching or not (96 of each stream a round), in which the encoder
            learns to guess hidden words, and which sentences are copies of each other or of one document.
        passes: passes over the matching sentences in which it learns relevance, gain and likeness.
        level: gain per verbosity from which the oracle tells; 0: for each event the level of its best H, which
            the policy cannot know.
        imitation: rounds of imitating the greedy oracle.
        steps: rounds of REINFORCE.
        events: events that a round of REINFORCE plays, drawn again for each.
        rollouts: streams played out for each event and round.
        reward: hres-new = eg_weight EG + ncg_weight nCG + latency_weight latency, formula (1) of the appendix; hres =
            the same without latency; h = H itself.
        eg_weight, ncg_weight, latency_weight: λ₁, λ₂ and λ₃ of formula (1), .15, .8 and .05 by its section 3.
        without: one term to leave out of the reward: eg, ncg, latency or silence (credit for silent days).
        baseline: what a reward is compared with: the mean of the event's other rollouts, what the policy would do
            without chance (self-critical), or nothing.
        entropy: weight of the entropy that keeps the policy trying.
        rate: learning rate of the encoder before imitation.
        encoder_rate: its learning rate in imitation and REINFORCE; 0 leaves it as it is.
        policy_rate: learning rate of the policy in REINFORCE.
        clip: greatest length of a gradient.
        patience: checks without a better development reward after which REINFORCE ends.
        check: rounds of REINFORCE between checks.
    """

    hops: Annotated[int, Meta(ge=1, le=16)] = 4
    attention: Literal["learned", "uniform"] = "learned"
    query: bool = True
    penalty: Share = 0.02
    dropout: Annotated[float, Meta(ge=0, lt=1)] = 0.3
    words: Annotated[int, Meta(ge=16, le=65_536)] = 8192
    size: Annotated[int, Meta(ge=2, le=64)] = 32
    units: Annotated[int, Meta(ge=2, le=256)] = 16
    memory: Annotated[int, Meta(ge=1, le=256)] = 16
    overlap: Annotated[int, Meta(ge=0, le=20)] = 1
    max_words: Annotated[int, Meta(ge=0, le=1000)] = 40
    texts: Count = 4
    passes: Count = 2
    level: Share = 0.1
    imitation: Count = 14
    steps: Count = 10
    events: Annotated[int, Meta(ge=1, le=1000)] = 6
    rollouts: Annotated[int, Meta(ge=2, le=256)] = 12
    reward: Literal["hres", "hres-new", "h"] = "hres-new"
    eg_weight: Share = 0.15
    ncg_weight: Share = 0.8
    latency_weight: Share = 0.05
    without: Literal["", "eg", "ncg", "latency", "silence"] = ""
    baseline: Literal["rollouts", "self-critical", "none"] = "rollouts"
    entropy: Share = 0.003
    rate: Share = 0.003
    encoder_rate: Share = 0.0005
    policy_rate: Share = 0.003
    clip: Annotated[float, Meta(gt=0)] = 1.0
    patience: Annotated[int, Meta(ge=1)] = 8
    check: Annotated[int, Meta(ge=1)] = 5


@dataclass(frozen=True)
class Days:
    """One event's days (UTC) as the track of pushed tweets scores them, its nuggets taken as clusters.

    Attributes:
        count: how many days.
        best: Z of each day, the ten greatest gains that its clusters offer; 0: a silent day.
        day: of each sentence; -1 for one published outside the event.
        cluster: of each sentence; -1 for one that earns nothing.
        gain: .5 or 1 for a sentence of a cluster, else 0.
        delay: seconds from the first sentence of its cluster to its push.
    """

    count: int
    best: list[float]
    day: list[int]
    cluster: list[int]
    gain: list[float]
    delay: list[int]


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence of the stream with nothing known of the stream: rows of its words, their marks, its document."""

    ids: Array
    marks: Array
    document: str


@dataclass(frozen=True, eq=False)
class Stream:
    """One event's sentences that pass the gate, in order.

    Attributes:
        sentences: as read. times: when each arrives (the push's time).
        texts: every sentence of the stream, whether it passes the gate or not.
        spans: for each sentence its matches (nugget, first matched word, first word after), as scored.
        lengths: words of each sentence as the scorer counts them.
        gains: R of each nugget.
        nugget_times: when each nugget came to be known. total: sum of R. ideal: best mean R of k updates.
        days: what each sentence is worth by EG and nCG.
        laid: what rollouts make of it once and for all (`tidings.research.training.hres.rollouts`).
    """

    event: JudgedEvent
    query_ids: Array
    sentences: list[ReadSentence]
    times: list[int]
    texts: list[Text]
    spans: list[list[tuple[int, int, int]]]
    lengths: list[int]
    gains: list[float]
    nugget_times: list[int]
    mean_words: float
    total: float
    ideal: list[float]
    days: Days
    laid: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.sentences)

    def latency(self, nugget: int, time: int) -> float:
        """L = 1 - (2/π) arctan((time - nugget's time) / 6 h), within 0..2."""
        return latency_discount(self.nugget_times[nugget], time)

    def earn(self, number: int, emitted: AbstractSet[int]) -> tuple[set[int], float, float]:
        """(new nuggets, their gain with latency, verbosity) of emitting a sentence after updates with these nuggets."""
        fresh: set[int] = set()
        covered: set[int] = set()
        for nugget, start, end in self.spans[number]:
            if nugget not in emitted:
                fresh.add(nugget)
                covered.update(range(start, end))
        gain = sum(self.gains[n] * self.latency(n, self.times[number]) for n in fresh)
        return fresh, gain, 1 + max(0, self.lengths[number] - len(covered)) / self.mean_words


def read_stream_of(event: JudgedEvent, system: Hres, rows: int) -> Stream:
    """Play an event's stream to the reading part of a follower, and look its sentences up in the judgments."""
    reader = SentenceReader(system, event.event, rows)
    judged = event.judged
    read_sentences: list[ReadSentence] = []
    times: list[int] = []
    texts: list[Text] = []
    for sentences, now in event.pushes:
        for sentence in sentences:
            reading = reader.read(sentence.text)
            marks = np.pad(reading.marks, ((0, 0), (0, len(MARKS) - 4)))
            texts.append(Text(reading.ids, marks, sentence.doc_id))
            read = reader.see(sentence, now)
            if read is not None:
                read_sentences.append(read)
                times.append(now)
    lengths = []
    for each in read_sentences:
        prepared = judged.texts.get(each.sentence.id)
        lengths.append(prepared[1] if prepared else 1)
    return Stream(
        event,
        reader.query_ids,
        read_sentences,
        times,
        texts,
        [event.spans_of(each.sentence) for each in read_sentences],
        lengths,
        event.gains,
        event.times,
        judged.mean_words,
        judged.total_gain,
        judged.ideal,
        _days(event, [each.sentence for each in read_sentences], times),
    )


def _days(event: JudgedEvent, sentences: Sequence[Sentence], times: Sequence[int]) -> Days:
    prepared = prepared_clusters(event)
    (topic,) = prepared.topics.values()
    number = {name: at for at, name in enumerate(prepared.rules.calendar())}
    start, count, daily = prepared.rules.start_time(), prepared.rules.days, prepared.rules.daily
    names = {name: at for at, name in enumerate(topic.first_time)}
    days = Days(
        count, [sum(sorted(best.values(), reverse=True)[:daily]) for best in topic.best], [], [], [], []
    )
    for sentence, time in zip(sentences, times, strict=True):
        posted = prepared.day_of.get(sentence.id)
        day = (time - start) // 86_400 if posted is None else number.get(posted, -1)
        day = day if 0 <= day < count else -1
        cluster = topic.cluster_of[day].get(sentence.id) if day >= 0 else None
        days.day.append(day)
        days.cluster.append(-1 if cluster is None else names[cluster])
        days.gain.append(0.0 if cluster is None else topic.gains[sentence.id])
        days.delay.append(0 if cluster is None else max(0, time - topic.first_time[cluster]))
    return days


def gains_at_first(stream: Stream) -> list[tuple[float, float]]:
    """For each sentence (gain with latency, verbosity), were all its nuggets new."""
    return [stream.earn(number, frozenset())[1:] for number in range(len(stream))]


DAILY_LIMIT = 10  # updates of a day that count
LATENCY_S = 86_400  # an update this late earns nothing for latency


@dataclass(frozen=True)
class Outcome:
    """What decisions came to.

    Attributes:
        eg, ncg: EG-1 and nCG-1 of `tidings.evaluation.measures.nuggets_as_clusters` by the guidelines: means over
        the event's
            days, a silent day counting 1 if nothing was emitted on it, else 0.
        eg_0, ncg_0: the same with 0 for silent days.
        latency: 1 - min(1, mean seconds from a cluster's first sentence to its telling / 86400); 0 if none was emitted.
        H, nelg, LC: of the track's measures (nE[LG]), without rounding.
        updates: how many updates.
    """

    eg: float
    ncg: float
    eg_0: float
    ncg_0: float
    latency: float
    H: float
    nelg: float
    LC: float
    updates: int


def outcome(stream: Stream, emitted: Sequence[int]) -> Outcome:
    """Of emitting the sentences with these numbers, in order.

    Only a day's first ten updates count for EG, nCG and latency, as the track's broker takes no more; H counts all.
    """
    eg, ncg, silent, delays = _by_day(stream, emitted)
    nelg, LC = _by_gain(stream, emitted)
    H = 2 * nelg * LC / (nelg + LC) if nelg + LC else 0.0
    count = stream.days.count
    delay = sum(delays) / len(delays) if delays else LATENCY_S
    latency = 1 - min(1.0, delay / LATENCY_S)
    credit = silent / count
    return Outcome(
        eg / count + credit, ncg / count + credit, eg / count, ncg / count, latency, H, nelg, LC, len(emitted)
    )


def _by_day(stream: Stream, emitted: Sequence[int]) -> tuple[float, float, int, list[int]]:
    """Sums over the days of EG and nCG, silent days kept silent, and the delay of each update that earned something."""
    days = stream.days
    numbers, gains = [0] * days.count, [0.0] * days.count
    clusters: set[int] = set()
    delays: list[int] = []
    for number in emitted:
        day, cluster = days.day[number], days.cluster[number]
        if day < 0 or numbers[day] >= DAILY_LIMIT:
            continue
        numbers[day] += 1
        if cluster >= 0 and cluster not in clusters:
            clusters.add(cluster)
            gains[day] += days.gain[number]
            delays.append(days.delay[number])
    eg = ncg = 0.0
    silent = 0
    for there, gain, best in zip(numbers, gains, days.best, strict=True):
        if not best:
            silent += not there
        elif there:
            eg += gain / there
            ncg += gain / best
    return eg, ncg, silent, delays


def _by_gain(stream: Stream, emitted: Sequence[int]) -> tuple[float, float]:
    """nE[LG] and LC."""
    nuggets: set[int] = set()
    gain = verbosity = 0.0
    for number in emitted:
        fresh, own, words = stream.earn(number, nuggets)
        nuggets |= fresh
        gain += own
        verbosity += words
    if not emitted or not stream.ideal:
        return 0.0, 0.0
    nelg = gain / verbosity / stream.ideal[min(len(emitted), len(stream.ideal)) - 1]
    return nelg, gain / stream.total if stream.total else 0.0


def reward_of(result: Outcome, options: HresOptions) -> float:
    """R = λ₁ EG + λ₂ nCG + λ₃ latency, or what the options make of it; H where that is asked for.

    The appendix of HRES, section 3, formula (1). That latency is turned into 1 - min(1, seconds / 86,400), so that a
    reward grows when news comes sooner, is ours: the formula has neither sign nor scale.
    """
    if options.reward == "h":
        return result.H
    weights = {"eg": options.eg_weight, "ncg": options.ncg_weight, "latency": options.latency_weight}
    if options.reward == "hres":
        weights["latency"] = 0.0
    if options.without in weights:
        weights[options.without] = 0.0
    eg, ncg = (result.eg_0, result.ncg_0) if options.without == "silence" else (result.eg, result.ncg)
    return weights["eg"] * eg + weights["ncg"] * ncg + weights["latency"] * result.latency


def oracle(stream: Stream) -> tuple[float, list[int]]:
    """The gain per verbosity from which to tell that gives the best H, and what is emitted then."""
    best = (-1.0, 1.0, list[int]())
    for level in (0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.13, 0.16, 0.2, 0.25, 0.3, 0.4, 0.5):
        emitted = _tell(stream, level)
        H = outcome(stream, emitted).H
        if best[0] < H:
            best = (H, level, emitted)
    return best[1], best[2]


def _tell(stream: Stream, level: float) -> list[int]:
    emitted_nuggets: set[int] = set()
    emitted = []
    for number in range(len(stream)):
        fresh, gain, verbosity = stream.earn(number, emitted_nuggets)
        if fresh and gain / verbosity >= level:
            emitted.append(number)
            emitted_nuggets |= fresh
    return emitted
