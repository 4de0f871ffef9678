"""What a judge that is never wrong would bring `tidings`, by how often it may be asked: an upper bound.

    python scripts/table_of_judge.py ../shared/data/trec-ts/2013 ../shared/data/trec-ts/2014

The judge is no model: it says yes to a sentence that NIST's assessors matched with a nugget which no update has told
yet. Printed is the mean H over the events of all folders, with updates and questions an event; before that, how near
to the level the nearest 15 % of all candidates are.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from tidings.core.records import Event, Sentence
from tidings.following.systems.stages import Surroundings
from tidings.following.systems.tidings.follower import Tidings
from tidings.research.training.labelled_events import JudgedEvent, load_events

SETTINGS = [(0.06, 0), (0.06, 50), (0.06, 200), (0.2, 50), (0.2, 200), (100.0, 200)]


class Oracle:
    """Knows which nuggets a sentence tells, and which were told."""

    def __init__(self, event: JudgedEvent) -> None:
        self.event = event
        self.nuggets_by_text: dict[str, frozenset[int]] = {}
        for sentence, _ in event.sentences:
            nuggets = event.nuggets_of(sentence)
            self.nuggets_by_text[sentence.text] = (
                self.nuggets_by_text.get(sentence.text, frozenset()) | nuggets
            )
        self.emitted: set[str] = set()
        self.questions = 0
        self.outcomes: dict[str, int] = {}

    def is_news(self, event: Event, sentence: Sentence, updates: Sequence[tuple[int, str]]) -> bool | None:
        """Whether the sentence tells a nugget that no update told."""
        self.questions += 1
        covered = frozenset[int]().union(*(self.nuggets_by_text[text] for text in self.emitted))
        return bool(self.nuggets_by_text[sentence.text] - covered)


def measured(event: JudgedEvent, band: float, calls: int) -> tuple[float, float, int]:
    """H, updates and questions."""
    oracle = Oracle(event)
    system = Tidings(judge="http://oracle.example", model="oracle", band=band, calls=calls)
    follower = system.start(event.event)
    follower.enter(Surroundings(judge=oracle))
    updates = []
    noted = follower._asking.note
    follower._asking.note = lambda time, text: (oracle.emitted.add(text), noted(time, text))[1]
    for sentences, now in event.pushes:
        updates += follower.push(sentences, now)
    updates += follower.finish(event.end)
    return event.score(updates)["H"], float(len(updates)), oracle.questions


def distances(events: Sequence[JudgedEvent]) -> list[float]:
    """How far from the level each candidate's worth is, in order."""
    distances: list[float] = []
    for event in events:
        follower = Tidings().start(event.event)

        def worth(features: Any, worth: Any = follower._worth, level: float = follower._level) -> Any:
            value = worth(features)
            distances.append(abs(value - level))
            return value

        follower._worth = worth
        event.run(follower)
    return sorted(distances)


def main(folders: list[str]) -> None:
    events = load_events(folders)
    near = distances(events)
    print(f"the nearest 15 % of {len(near):,} candidates: within {near[len(near) * 15 // 100]:.3f}\n")
    print(f"| band | calls | H, mean of {len(events)} events | updates an event | questions an event |")
    print("|---|---|---|---|---|")
    for band, calls in SETTINGS:
        figures = [measured(event, band, calls) for event in events]
        height, updates, questions = (sum(column) / len(figures) for column in zip(*figures, strict=True))
        print(f"| {band:g} | {calls:,} | {height:.3f} | {updates:.0f} | {questions:.0f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
