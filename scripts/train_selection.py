"""Learn from which weights the choice of the next update begins, and say how well it does on topics left out.

python scripts/train_selection.py ../shared/data/trec-ts/2013            # writes selection.safetensors
python scripts/train_selection.py ../shared/data/trec-ts/2013 --table    # each topic by the weights of the others
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from frame import WEIGHTS, heading, parser as command_line, today, write_model

from tidings import __version__
from tidings.core.models.files import Model
from tidings.core.records import DataUsed, ModelCard, bare_event_id
from tidings.evaluation.selection.selection import Prior, TermMatrix, fit_logistic
from tidings.evaluation.selection.simulation import JudgedTopic, judged_topics, simulate, topic_selection
from tidings.sources.streams import read_judgments

SHIPPED = WEIGHTS / "selection.safetensors"
_PENALTY = 1.0
_TOPIC = 1_000.0
"""What the examples of a topic count together."""
_NOTHING = Prior(np.zeros(10), np.zeros(6), 1.0)


@dataclass(frozen=True)
class Example:
    """A topic as features, with and without its nuggets, and the links of each update."""

    topic: JudgedTopic
    features: np.ndarray
    without_nuggets: np.ndarray
    links: np.ndarray

    @classmethod
    def of(cls, topic: JudgedTopic) -> Example:
        """Of a judged topic."""
        selection = topic_selection(topic, prior=_NOTHING)
        links = [
            len(frozenset().union(*(topic.matches.get(copy, frozenset()) for copy in one.copies)))
            for one in selection.texts.candidates
        ]
        without = topic_selection(topic, nuggets=False, prior=_NOTHING)
        return cls(topic, selection.features, without.features, np.array(links, dtype=float))


def learn_prior(topics: Sequence[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """The weights of features by logistic regression over topics that count alike.

    Args:
        topics: of each its features, a row for each update, and how many links each update has.
    """
    features = np.concatenate([rows for rows, _ in topics])
    links = np.concatenate([counts for _, counts in topics])
    importance = np.concatenate([_TOPIC * _shares(counts) for _, counts in topics])
    nothing = np.zeros(0, dtype=np.int64)
    terms = TermMatrix(nothing, nothing, np.zeros(0), len(features), 0)
    penalty = np.full(features.shape[1], _PENALTY)
    return fit_logistic(terms, features, (links > 0).astype(np.float64), importance, penalty)


def _shares(links: np.ndarray) -> np.ndarray:
    counted = np.where(links > 0, links, 1.0)
    return np.asarray(counted / counted.sum())


def learn(examples: Sequence[Example]) -> Prior:
    """The prior of some topics."""
    links = [one.links[one.links > 0].mean() for one in examples]
    return Prior(
        learn_prior([(one.features, one.links) for one in examples]),
        learn_prior([(one.without_nuggets, one.links) for one in examples]),
        float(np.mean(links)),
    )


def table(examples: Sequence[Example], most: int) -> Iterator[str]:
    """Matches found of each topic, by what was learned on the others."""
    yield heading(
        "order | nuggets | 10 % | 25 % | 50 % | least of a topic | judged for 90 % | most of a topic | area",
        2,
    )
    priors = [learn([other for other in examples if other is not one]) for one in examples]
    for nuggets in (True, False):
        for by in ("likeness", "terms", "uncertainty", "yield"):
            courses = [
                simulate(one.topic, topic_selection(one.topic, nuggets, prior), by, most=most)
                for one, prior in zip(examples, priors, strict=True)
            ]
            found = [[course.found("matches", share) for course in courses] for share in (0.1, 0.25, 0.5)]
            needed = [course.needed("matches", 0.9) for course in courses]
            area = np.mean([np.mean(course.matches) / course.matches[-1] for course in courses])
            cells = [*map(np.mean, found), min(found[2]), np.mean(needed), max(needed), area]
            yield (
                f"| {by} | {'known' if nuggets else 'not'} | " + " | ".join(f"{x:.3f}" for x in cells) + " |"
            )


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--most", type=int, default=10)
    given = parser.parse_args()
    judgments = read_judgments(given.folder)
    examples = [Example.of(topic) for topic in judged_topics(judgments)]
    if given.table:
        for line in table(examples, given.most):
            print(line, flush=True)
        return
    made = learn(examples)
    data = "".join(
        hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(given.folder.glob("*.gz"))
    )
    card = ModelCard(
        system="selection",
        version=__version__,
        date=today(),
        command="python scripts/train_selection.py ../shared/data/trec-ts/2013",
        data=(
            DataUsed(
                name=judgments.name,
                events=tuple(one.topic.event.id for one in examples),
                digest=hashlib.sha256(data.encode()).hexdigest(),
            ),
        ),
        notes="A weight for each feature of an update (constant first), with and without a list of nuggets.",
    )
    arrays = {
        "with_nuggets": made.with_nuggets.astype(np.float32),
        "without_nuggets": made.without_nuggets.astype(np.float32),
    }
    titles = {bare_event_id(one.topic.event.id): one.topic.event.title for one in examples}
    settings = {"links": round(made.links, 4), "topics": titles}
    written = write_model(given.out, Model(card=card, arrays=arrays, settings=settings))
    print(f"{written}, learned from {len(examples)} topics")


if __name__ == "__main__":
    main()
