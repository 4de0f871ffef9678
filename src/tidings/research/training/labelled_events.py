"""Events with their streams and judgments, as trainers and experiments see them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from msgspec import structs

from tidings.core import (
    Document,
    Event,
    Follower,
    Judgments,
    Output,
    Run,
    Sentence,
    System,
    Update,
    UsageError,
)
from tidings.evaluation import (
    RULES,
    Measure,
    MeasureInfo,
    Mode,
    Prepared,
    PreparedEvent,
    every_measure,
    prepare,
    prepare_event,
    published_time,
    score_days,
)
from tidings.following import SystemBase, follow_stream
from tidings.sources import read_judgments, read_stream

if TYPE_CHECKING:
    from tidings.evaluation import PreparedTweets


StreamKind = Literal["pooled", "extended", "mixed"]
"""pooled: each event's judged pool; extended: with all exact duplicates; mixed: every event sees the extended
pools of all events of its folder, so that finding what is relevant is part of the task."""

Push = tuple[Sequence[Sentence], int]
"""What a follower is given at once: sentences in time order, and the time."""

MEASURES = tuple(Measure(name) for name in ("nE[G]", "nE[LG]", "C", "LC", "H"))


@dataclass(frozen=True, eq=False)
class JudgedEvent:
    """One event: what streams past, and what of it was judged to be news.

    Attributes:
        event: what is followed.
        year: name of the folder it comes from ("2014").
        pushes: the stream as a follower is given it, in time order.
        prepared: the judgments of this event alone, ready to score.
        digest: SHA-256 over the judgments' files.
        finish_time: when a follower is asked for what it still holds; None: at the event's end, or with the last push.
        judgments: all of the folder, as they were read.
    """

    event: Event
    year: str
    pushes: list[Push]
    prepared: Prepared
    digest: str
    finish_time: int | None = None
    judgments: Judgments | None = None

    @property
    def judged(self) -> PreparedEvent:
        """Its judgments, ready to score."""
        return self.prepared.events[self.event.id]

    @property
    def sentences(self) -> Iterable[tuple[Sentence, int]]:
        """Every sentence of the stream with the time of its push."""
        return ((sentence, now) for sentences, now in self.pushes for sentence in sentences)

    def is_judged(self, sentence: Sentence) -> bool:
        """Whether the sentence, or an exact copy of it, was in the event's pool."""
        return sentence.id in self.judged.texts

    def nuggets_of(self, sentence: Sentence) -> frozenset[int]:
        """The nuggets that the sentence matches, as numbers into `gains` and `times`."""
        return frozenset(span[0] for span in self.spans_of(sentence))

    def spans_of(self, sentence: Sentence) -> list[tuple[int, int, int]]:
        """(nugget, first matched word, first word after) for each match of the sentence."""
        judged = self.judged.texts.get(sentence.id)
        return list(self.judged.spans(judged[0])) if judged else []

    def verbosity(self, sentence: Sentence, new: AbstractSet[int] | None = None) -> float:
        """V(u) if the sentence is the first to tell the nuggets `new`, or all it matches (the default).

        V(u) = 1 + (words of u - words of u in spans of new nuggets) / mean words of a nugget; a sentence outside the
        pool has 1 + 1/mean. Range >= 1.
        """
        event = self.judged
        judged = event.texts.get(sentence.id)
        if judged is None:
            return 1.0 + 1.0 / event.mean_words
        covered: set[int] = set()
        for nugget, start, end in event.spans(judged[0]):
            if new is None or nugget in new:
                covered.update(range(start, end))
        return 1.0 + (judged[1] - len(covered)) / event.mean_words

    @property
    def gains(self) -> list[float]:
        """R(n) of each nugget, e^importance / e^3."""
        return self.judged.gains

    @property
    def times(self) -> list[int]:
        """When each nugget came to be known (seconds UTC)."""
        return self.judged.times

    @property
    def nugget_texts(self) -> list[str]:
        """The text of each nugget."""
        return [nugget.text for nugget in self.judged.nuggets]

    @property
    def importances(self) -> list[int]:
        """The importance of each nugget as assessors gave it, 0 to 3 (2013 holds a few -1)."""
        return [nugget.importance for nugget in self.judged.nuggets]

    def run(self, system: System | Follower) -> list[Update]:
        """What a system (or a fresh follower) tells of the event, to its end."""
        follower = system.start(self.event) if isinstance(system, System) else system
        outputs: list[Output] = []
        for sentences, now in self.pushes:
            outputs += follower.push(sentences, now)
        outputs += follower.finish(self.end)
        return [output for output in outputs if isinstance(output, Update)]

    @property
    def end(self) -> int:
        """The time at which followers finish: never before their last push."""
        last = self.pushes[-1][1] if self.pushes else 0
        end = self.finish_time if self.finish_time is not None else self.event.end_time
        return last if end is None else max(last, end)

    def score(self, updates: Sequence[Update], measures: Sequence[Measure] = MEASURES) -> dict[str, float]:
        """The official figures of these updates on this event, with `updates` and `words` emitted."""
        scores = self.prepared.score(Run("tidings", "training", tuple(updates)), measures, mean="all")
        scored = scores.per_event[self.event.id]
        figures = {str(measure): float(scored[measure]) for measure in measures}
        figures["updates"] = float(len(updates))
        figures["words"] = float(sum(len(update.text.split()) for update in updates))
        return figures


class _Recorder(SystemBase, frozen=True):
    """A system that tells nothing and keeps what each event is offered."""

    name: ClassVar[str] = "recorder"

    pushes: dict[str, list[Push]]
    ends: dict[str, int]

    def start(self, event: Event) -> Follower:
        return _Recording(self, event.id)


class _Recording:
    def __init__(self, recorder: _Recorder, event_id: str) -> None:
        self._pushes = recorder.pushes.setdefault(event_id, [])
        self._ends, self._event_id = recorder.ends, event_id

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        self._pushes.append((list(sentences), now))
        return []

    def finish(self, now: int) -> list[Update]:
        self._ends[self._event_id] = now
        return []

    def state(self) -> bytes:
        return b""

    def restore(self, data: bytes) -> None:
        return None


def load_events(
    folders: Sequence[str | Path],
    stream: StreamKind = "pooled",
    *,
    interval_s: int = 0,
    keep: float = 1.0,
    seed: int = 0,
) -> list[JudgedEvent]:
    """Every judged event of these folders with its stream, in the order of the folders and of their events.

    Scored by the rules of 2014 (of 2013's TS13.5 the assessment that the official figures rest on). An event without
    any pooled sentence (2013's TS13.7) is left out. With `keep` below 1 each sentence stays in the stream with that
    probability, decided by `seed` and the sentence's id; the judgments stay whole.

    Raises:
        UsageError: a folder has no judged events; FormatError: a file is damaged.
    """
    rules = replace(RULES["trec-2014"], assessments=RULES["trec-2013"].assessments)
    loaded: list[JudgedEvent] = []
    for folder in folders:
        place = Path(folder)
        pool = "sampled" if stream == "pooled" or not any(place.glob("*extended*")) else "extended"
        judgments = read_judgments(place, pool=pool)
        prepared = prepare(judgments, rules)
        events = [event for event in judgments.events if _has_pool(prepared, event)]
        if not events:
            raise UsageError(f"{folder}: no event with nuggets (expected some); nothing can be learned here")
        twice = {event.id for event in events} & {other.event.id for other in loaded}
        if twice:
            raise UsageError(
                f"{folder}: event {min(twice)} a second time (expected each in one folder); name the folder once"
            )
        recorder = _Recorder(pushes={}, ends={})
        documents: Iterable[Document] = read_stream(place, pool=pool)
        if keep < 1.0:
            documents = _thin(documents, keep, seed)
        for _ in follow_stream(documents, events, recorder, interval_s=interval_s, mixed=stream == "mixed"):
            pass
        digest = _digest(place)
        for event in events:
            pushes = recorder.pushes.get(event.id, [])
            alone = Prepared(rules, {event.id: prepared.events[event.id]}, (event.id,))
            end = recorder.ends.get(event.id)
            loaded.append(JudgedEvent(event, place.resolve().name, pushes, alone, digest, end, judgments))
    return loaded


def _has_pool(prepared: Prepared, event: Event) -> bool:
    judged = prepared.events.get(event.id)
    return judged is not None and bool(judged.texts)


def _thin(documents: Iterable[Document], keep: float, seed: int) -> Iterator[Document]:
    for document in documents:
        kept = tuple(sentence for sentence in document.sentences if _share(f"{seed}:{sentence.id}") < keep)
        if kept:
            yield structs.replace(document, sentences=kept)


def _share(text: str) -> float:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") / 2**64


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file():
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


FIGURES: dict[str, MeasureInfo] = every_measure("trec_ts", "nuggets_as_clusters")
FIGURES["latency_by_event"] = replace(
    FIGURES["latency_mean"],
    name="latency_by_event",
    title="Mean latency, event by event",
    formula="mean over events of the mean of push time - posting of the first text of the cluster",
    meaning="How late news comes, each event counting the same; events where nothing earned are left out.",
)
"""What experiments can measure: by nuggets, as the track did, and by nuggets taken as clusters."""

POOLED = {"latency_mean": ("latency_sum", "earning")}
"""Figures that are no means over events: Σ of the one over Σ of the other, as `tidings score` has them."""


@lru_cache(maxsize=512)
def prepared_clusters(event: JudgedEvent, mode: Mode = "guideline") -> PreparedTweets:
    """The event's judgments as clusters, made once for each event and mode.

    A sentence's time of publishing is that of the stream; of judged sentences that the stream leaves out, the seconds
    with which TREC's ids begin.
    """
    published = {sentence.id: sentence.published_time for sentence, _ in event.sentences}
    return prepare_event(
        event.judged, lambda name: published[name] if name in published else published_time(name), mode
    )


def score_as_clusters(
    event: JudgedEvent, updates: Sequence[Update], mode: Mode = "guideline"
) -> dict[str, float]:
    """The figures of these updates on this event by the measures of real-time summarization, by name.

    EG, nCG and GMP as `tidings.evaluation.measures.rts` computes them over the event's days, with all their
    variants; latencies in seconds, nan where no update earned anything, since silence is not early, `latency_sum` over
    the `earning` updates; `pushes` that count; `updates` and `words`. By the guidelines days are silent whatever the
    run emitted, every needless update is a pain, and ten updates a day count.
    """
    scored = score_days(prepared_clusters(event, mode), updates)
    figures = dict(scored.values)
    if not scored.latencies:
        figures["latency_mean"] = figures["latency_median"] = float("nan")
    figures["latency_by_event"] = figures["latency_mean"]
    figures["latency_sum"], figures["earning"] = float(sum(scored.latencies)), float(len(scored.latencies))
    figures["updates"] = float(len(updates))
    figures["words"] = float(sum(len(update.text.split()) for update in updates))
    return figures
