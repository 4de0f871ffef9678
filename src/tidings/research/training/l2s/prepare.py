"""Streams as the search sees them: features, likeness and nuggets of the sentences that could be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tidings.core import Sentence, shared_analyzer
from tidings.following import FeatureExtractor, WordModels, build_gate
from tidings.research.systems.l2s import L2S
from tidings.research.training.labelled_events import JudgedEvent

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["Stream", "look", "nugget_likeness"]


@dataclass(eq=False)
class Stream:
    """The tellable sentences of one event in time order.

    Attributes:
        rows: static features [n, features].
        change: the change of documents per hour at each sentence.
        vectors: their unit vectors.
        nuggets: the nuggets of each as bits of a whole number.
        salience: what the trees are to predict.
        sentences: (sentence, time of its push).
    """

    event: JudgedEvent
    rows: ndarray[Any, Any]
    change: ndarray[Any, Any]
    vectors: list[dict[str, float]]
    nuggets: list[int]
    salience: ndarray[Any, Any]
    sentences: list[tuple[Sentence, int]]

    def likeness(self, chosen: Sequence[int]) -> ndarray[Any, Any]:
        """The cosines of the chosen sentences to each other [k, k]."""
        import numpy as np

        place: dict[str, int] = {}
        for number in chosen:
            for stem in self.vectors[number]:
                place.setdefault(stem, len(place))
        table = np.zeros((len(chosen), len(place)), dtype=np.float32)
        for line, number in enumerate(chosen):
            for stem, weight in self.vectors[number].items():
                table[line, place[stem]] = weight
        cosines: ndarray[Any, Any] = (table @ table.T).astype(float)
        return cosines


def look(event: JudgedEvent, words: WordModels, system: L2S, *, noisy: int = 3) -> Stream:
    """What a follower of `system` would see of an event, with labels.

    A sentence of more than `noisy` nuggets counts as holding none (a list or a page rather than a sentence).
    """
    import numpy as np

    stems_of = shared_analyzer(system.language).stems
    relevant = build_gate(replace(system, min_words=0, max_words=0), event.event)
    gate = build_gate(system, event.event)
    extractor = FeatureExtractor(event.event, system.language, words=words, max_terms=system.max_terms)
    rows, change, vectors, nuggets, salience, kept = [], [], [], [], [], []
    likeness = nugget_likeness(event, extractor, system.language)
    for sentences, now in event.pushes:
        looked: list[Sentence] = []
        taken: dict[str, int] = {}
        for sentence in sentences:
            if relevant.admits(sentence.text, stems_of(sentence.text)):
                taken[sentence.doc_id] = taken.get(sentence.doc_id, 0) + 1
                if taken[sentence.doc_id] <= system.first_sentences:
                    looked.append(sentence)
        if not looked:
            continue
        featured = extractor.see(looked, now)
        pace = extractor.change(now)
        for one in featured:
            if not one.stems or not gate.admits(one.sentence.text, one.stems):
                continue
            matched = event.nuggets_of(one.sentence)
            rows.append(one.row)
            change.append(pace)
            vectors.append(one.vector)
            nuggets.append(sum(1 << nugget for nugget in matched) if len(matched) <= noisy else 0)
            salience.append(likeness(one.vector))
            kept.append((one.sentence, now))
    width = len(FeatureExtractor.names)
    return Stream(
        event,
        np.array(rows, dtype=float).reshape(len(rows), width),
        np.array(change, dtype=float),
        vectors,
        nuggets,
        np.array(salience, dtype=float),
        kept,
    )


def nugget_likeness(event: JudgedEvent, extractor: FeatureExtractor, language: str) -> Any:
    """A function: vector of a sentence → its highest cosine to any nugget of the event, within 0..1."""
    stems_of = shared_analyzer(language).stems
    postings: dict[str, list[tuple[int, float]]] = {}
    for number, text in enumerate(event.nugget_texts):
        for stem, weight in extractor.vector(stems_of(text)).items():
            postings.setdefault(stem, []).append((number, weight))

    def highest(vector: dict[str, float]) -> float:
        cosines: dict[int, float] = {}
        for stem, weight in vector.items():
            for number, other in postings.get(stem, ()):
                cosines[number] = cosines.get(number, 0.0) + weight * other
        return min(1.0, max(cosines.values(), default=0.0))

    return highest
