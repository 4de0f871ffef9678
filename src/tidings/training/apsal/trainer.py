"""Trains `apsal`: a latent space of all training texts, and for each event a Gaussian process of salience."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct

from tidings.errors import UsageError
from tidings.records import Update
from tidings.systems.apsal import FEATURE_GROUPS, FEATURES, Apsal, LatentSpace, columns, store_processes
from tidings.systems.features import FeatureExtractor, WordModels
from tidings.systems.interval_followers import Batch, IntervalFollower
from tidings.text import shared_analyzer
from tidings.training.apsal.factorization import factorize
from tidings.training.apsal.gaussian_process import fit_process
from tidings.training.labelled_events import JudgedEvent
from tidings.training.options import read_options
from tidings.training.trainers import Learned, Training
from tidings.training.word_models import learn_words, words_without

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

__all__ = ["ApsalOptions", "salience_targets", "train"]


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
    """Learn from `events`; the `development` events join them, since nothing here is stopped early."""
    import numpy as np

    options = read_options(ApsalOptions, training.options, training.system)
    events = [*events, *development]
    rng = np.random.default_rng(training.seed)
    steps = len(events) + 2
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
    processes = []
    for number, (event, words) in enumerate(zip(events, words_without(events), strict=True)):
        training.progress(1 + number, steps, f"salience of {event.event.id}")
        rows, stems = _read(event, words, system)
        if len(rows) < 2:
            continue
        some = np.sort(rng.permutation(len(rows))[: options.samples])
        targets = salience_targets(space, [stems[i] for i in some], event, system.language)
        processes.append(
            fit_process(
                rows[some][:, columns()],
                targets,
                groups,
                rng,
                restarts=options.restarts,
                iterations=options.iterations,
            )
        )
    if not processes:
        raise UsageError(
            "training apsal: found no event with two sentences that match its query, expected some"
        )
    training.progress(1 + len(events), steps, "word models")
    learned = learn_words(events, system.language).trimmed(options.word_terms)
    arrays, settings = learned.export()
    arrays["word_counts"] = np.asarray(arrays["word_counts"]).clip(0, 65_535).astype(np.uint16)
    arrays |= store_processes(processes) | {"factors": factors, "idf": idf}
    settings |= {
        "features": list(FEATURES),
        "terms": " ".join(terms),
        "missing": options.missing,
        "ridge": options.ridge,
        "options": msgspec.to_builtins(options),
    }
    training.progress(steps, steps, "done")
    return Learned(arrays, settings)


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
