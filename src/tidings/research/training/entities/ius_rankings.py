"""The sentence-based baseline: `ius` follows each event, and entities are ranked by how many of its updates name them.

The paper turns the incremental update summaries of McCreadie, Macdonald and Ounis (CIKM 2014) into entities; how, it
does not say. Reconstructed: an entity's score is the number of the day's updates that mention it, equals by id, and
whom no update mentions stands behind by the number of sentences.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tidings.core import ModelCard, write_model_bytes
from tidings.following import make
from tidings.research.training.entities.judged_days import JudgedDay
from tidings.research.training.labelled_events import JudgedEvent
from tidings.research.training.model_files import with_model
from tidings.research.training.trainers import Training, trainer_of

__all__ = ["rank_by_updates", "updates_of_ius"]


def updates_of_ius(
    events: Sequence[JudgedEvent],
    *,
    folds: int = 6,
    progress: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> set[str]:
    """The ids of the sentences that `ius` tells of the events, each followed by a model that learned from other ones.

    The events are left out in so many groups, since learning takes a while.
    """
    told: set[str] = set()
    train = trainer_of("ius")
    with tempfile.TemporaryDirectory(prefix="tidings-") as folder:
        for fold in range(folds):
            progress(fold, folds, f"ius, fold {fold + 1}")
            tested = events[fold::folds]
            others = [event for event in events if event not in tested]
            learned = train(others, [], Training("ius"))
            place = Path(folder) / f"ius-{fold}.safetensors"
            place.write_bytes(write_model_bytes(learned.model(ModelCard(system="ius"))))
            system = with_model(make("ius"), place)
            for event in tested:
                told.update(f"{event.event.id} {update.id}" for update in event.run(system))
    return told


def rank_by_updates(days: Sequence[JudgedDay], told: set[str]) -> list[list[int]]:
    """The ids of each day's entities, by how many of the sentences in `told` ("event sentence") mention them."""
    ranked = []
    for one in days:
        documents = one.day.documents
        scores = {}
        for entity in one.day.entities:
            places = {(mention.document, mention.sentence) for mention in entity.mentions}
            ids = {documents[document].sentences[sentence].id for document, sentence in places}
            named = sum(f"{one.event_id} {sentence_id}" in told for sentence_id in ids)
            scores[entity.id] = (-named, -len(places), entity.id)
        ranked.append(sorted(scores, key=lambda number: scores[number]))
    return ranked
