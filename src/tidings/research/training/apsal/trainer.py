"""Trains `apsal`: a latent space of all training texts, for each event a Gaussian process of salience, and the limits.

What is told hangs on how many sentences an update must stand for and on how like an earlier one it may be. Both are
chosen by leaving events out: each is followed under every pair of GROUPS and SIMILARITIES with the processes of the
others, and the pair with the best mean H is taken, each similarity with its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from tidings.core import Update, UsageError, shared_analyzer
from tidings.following import Batch, FeatureExtractor, IntervalFollower, WordModels
from tidings.research.systems.apsal import Apsal, ApsalFollower, Exemplar
from tidings.research.systems.apsal_knowledge import (
    FEATURE_GROUPS,
    FEATURES,
    GaussianProcess,
    Knowledge,
    LatentSpace,
    columns,
    store_processes,
)
from tidings.research.training.apsal.factorization import factorize
from tidings.research.training.apsal.gaussian_process import fit_process
from tidings.research.training.folds import summit
from tidings.research.training.labelled_events import JudgedEvent
from tidings.research.training.options import read_options
from tidings.research.training.trainers import Learned, Training
from tidings.research.training.word_models import learn_words, words_without

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

__all__ = ["GROUPS", "SIMILARITIES", "ApsalOptions", "limit_scores", "salience_targets", "train"]

GROUPS = (1, 2)
SIMILARITIES = (0.2264, 0.3, 0.4, 0.5)


class ApsalOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the trainer."""

    samples: Annotated[
        int, Meta(ge=10, description="sentences that each process learns from; paper: 1000")
    ] = 140
    restarts: Annotated[int, Meta(ge=1, description="starting points of each fit; paper: 10")] = 2
    iterations: Annotated[int, Meta(ge=1, description="steps of each fit; paper: 20")] = 20
    size: Annotated[int, Meta(ge=2, description="length of the latent vectors; Guo and Diab: 100")] = 40
    terms: Annotated[int, Meta(ge=1, description="stems known to the latent space")] = 3_500
    word_terms: Annotated[int, Meta(ge=1, description="terms of the word models that are kept")] = 4_000
    missing: Annotated[float, Meta(gt=0, le=1, description="weight of terms that a text lacks")] = 0.01
    ridge: Annotated[float, Meta(gt=0, description="penalty on the length of latent vectors")] = 20.0
    texts: Annotated[int, Meta(ge=1, description="most texts that the latent space is learned from")] = 20_000


def train(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Learn from `events`; the `development` events join them, since nothing here is stopped early.

    The curve has a row for each of SIMILARITIES: the mean H of events left out under each of GROUPS.
    """
    import numpy as np

    options = read_options(ApsalOptions, training.options, training.system)
    events = [*events, *development]
    rng = np.random.default_rng(training.seed)
    steps = 2 * len(events) + 2
    training.progress(0, steps, "latent space")
    system = Apsal()
    terms, idf, factors = factorize(
        _texts(events, system.language, options.texts, training.seed),
        size=options.size,
        terms=options.terms,
        missing=options.missing,
        ridge=options.ridge,
        seed=training.seed,
    )
    factors = factors.astype(np.float16)
    idf = idf.astype(np.float32)
    space = LatentSpace(terms, idf, factors, options.missing, options.ridge)
    groups = np.repeat(np.arange(len(FEATURE_GROUPS)), [len(names) for names in FEATURE_GROUPS.values()])
    left_out = words_without(events)
    processes: dict[int, GaussianProcess] = {}
    for number, (event, words) in enumerate(zip(events, left_out, strict=True)):
        training.progress(1 + number, steps, f"salience of {event.event.id}")
        rows, stems = _read(event, words, system)
        if len(rows) < 2:
            continue
        some = np.sort(rng.permutation(len(rows))[: options.samples])
        targets = salience_targets(space, [stems[i] for i in some], event, system.language)
        processes[number] = fit_process(
            rows[some][:, columns()],
            targets,
            groups,
            rng,
            restarts=options.restarts,
            iterations=options.iterations,
        )
    if not processes:
        raise UsageError(
            "training apsal: found no event with two sentences that match its query, expected some"
        )
    scores = []
    for number, (event, words) in enumerate(zip(events, left_out, strict=True)):
        training.progress(1 + len(events) + number, steps, f"limits without {event.event.id}")
        others = [process for place, process in processes.items() if place != number] or list(
            processes.values()
        )
        scores.append(
            limit_scores(event, Knowledge(words, space, others, GROUPS[0], SIMILARITIES[0]), system)
        )
    means = np.mean(scores, axis=0)
    group, similarity = summit(means)
    training.progress(1 + 2 * len(events), steps, "word models")
    learned = learn_words(events, system.language).trimmed(options.word_terms)
    arrays, settings = learned.export()
    arrays["word_counts"] = np.asarray(arrays["word_counts"]).clip(0, 65_535).astype(np.uint16)
    arrays |= store_processes(list(processes.values())) | {"factors": factors, "idf": idf}
    settings |= {
        "features": list(FEATURES),
        "terms": " ".join(terms),
        "missing": options.missing,
        "ridge": options.ridge,
        "group": GROUPS[group],
        "similarity": SIMILARITIES[similarity],
        "options": msgspec.to_builtins(options),
    }
    training.progress(steps, steps, "done")
    curve = [
        {"step": limit, **{f"H-{one}": float(means[row, column]) for row, one in enumerate(GROUPS)}}
        for column, limit in enumerate(SIMILARITIES)
    ]
    return Learned(arrays, settings, curve)


def salience_targets(
    space: LatentSpace, texts: Sequence[Sequence[str]], event: JudgedEvent, language: str
) -> Floats:
    """For each text the highest cosine of its latent vector to any nugget's; −1..1."""
    stems_of = shared_analyzer(language).stems
    nuggets = space.vectors([stems_of(text) for text in event.nugget_texts])
    salience: Floats = (space.vectors(texts) @ nuggets.T).max(axis=1)
    return salience


def _texts(events: Sequence[JudgedEvent], language: str, most: int, seed: int) -> list[tuple[str, ...]]:
    import numpy as np

    stems_of = shared_analyzer(language).stems
    distinct: dict[str, None] = {}
    for event in events:
        for sentence, _ in event.sentences:
            if len(sentence.text) <= 500:
                distinct[sentence.text] = None
    texts = list(distinct)
    if len(texts) > most:
        some = np.sort(np.random.default_rng(seed).permutation(len(texts))[:most])
        texts = [texts[i] for i in some]
    return [stems_of(text) for text in texts]


class _Recorder(ApsalFollower):
    """Tells nothing and keeps the exemplars of each interval, which no limit changes."""

    def __init__(self, system: Apsal, event: JudgedEvent, knowledge: Knowledge) -> None:
        super().__init__(system, event.event, knowledge)
        self.intervals: list[tuple[list[Exemplar], int]] = []

    def _decide(self, batch: Batch, now: int) -> list[Update]:
        self.intervals.append((self.exemplars(batch, now), now))
        return []


def limit_scores(event: JudgedEvent, knowledge: Knowledge, system: Apsal) -> Floats:
    """H of an event under each of GROUPS and SIMILARITIES, of shape (groups, similarities)."""
    import numpy as np

    recorder = _Recorder(system, event, knowledge)
    event.run(recorder)

    def score(group: int, similarity: float) -> float:
        limited = replace(system, group=group, similarity=similarity)
        follower = ApsalFollower(limited, event.event, knowledge)
        updates = [one for each, now in recorder.intervals for one in follower.choose(each, now)]
        return event.score(updates)["H"]

    return np.array([[score(group, similarity) for similarity in SIMILARITIES] for group in GROUPS])


class _Reader(IntervalFollower):
    """Tells nothing and keeps the features of each sentence as a follower would have computed them."""

    def __init__(self, system: Apsal, event: JudgedEvent, words: WordModels) -> None:
        super().__init__(system, event.event)
        self._extractor = FeatureExtractor(event.event, system.language, words=words)
        self.rows: list[list[float]] = []
        self.stems: list[tuple[str, ...]] = []

    def _decide(self, batch: Batch, now: int) -> list[Update]:
        for one in self._extractor.see([waiting.sentence for waiting in batch.waiting], now):
            self.rows.append(one.row)
            self.stems.append(one.stems)
        return []

    def _encode(self) -> bytes:
        return b""

    def _decode(self, data: bytes) -> None:
        return None


def _read(event: JudgedEvent, words: WordModels, system: Apsal) -> tuple[Floats, list[tuple[str, ...]]]:
    import numpy as np

    reader = _Reader(system, event, words)
    event.run(reader)
    return np.array(reader.rows, dtype=float), reader.stems
