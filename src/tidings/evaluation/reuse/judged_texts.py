"""Which judged texts each run tells: what would not have been judged had a run not been there, or been pooled less."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from tidings.core import Run
from tidings.evaluation.measures.trec_ts import Prepared
from tidings.evaluation.measures.trec_ts.event_updates import EventUpdates
from tidings.evaluation.measures.trec_ts.prepared import PreparedEvent

__all__ = ["JudgedTexts", "by_confidence"]

Texts = dict[str, frozenset[str]]
"""Ids under which texts were judged, by event."""


def by_confidence(emitted: EventUpdates) -> list[str]:
    """The ids of what a run tells of an event, the surest first, each once; the order of the file breaks ties."""
    confidences = emitted.confidences()
    order = sorted(range(len(emitted)), key=lambda number: -confidences[number])
    return list(dict.fromkeys(emitted.ids[number] for number in order))


class JudgedTexts:
    """Judgments made ready, and the judged texts that runs tell; a text counts once, whatever copies of it there are.

    Attributes:
        prepared: the judgments.
        told: of each run the texts that it tells.
        all: all judged texts.
    """

    def __init__(self, prepared: Prepared, runs: Sequence[Run]) -> None:
        self.prepared = prepared
        self._splits = [prepared.split(run) for run in runs]
        self.told: list[Texts] = [
            {
                name: self._of(prepared.events[name], emitted.ids)
                for name, emitted in split.items()
                if name in prepared.events
            }
            for split in self._splits
        ]
        self.all: Texts = {
            name: frozenset(judged for judged, _ in event.texts.values()) | event.matches.keys()
            for name, event in prepared.events.items()
        }

    @staticmethod
    def _of(event: PreparedEvent, ids: Iterable[str]) -> frozenset[str]:
        return frozenset(
            event.texts[one][0] if one in event.texts else one
            for one in ids
            if one in event.texts or one in event.matches
        )

    def only_of(self, runs: Collection[int]) -> Texts:
        """The texts that some of these runs tell and no other run does."""
        own: dict[str, set[str]] = {}
        others: dict[str, set[str]] = {}
        for number, told in enumerate(self.told):
            side = own if number in runs else others
            for name, texts in told.items():
                side.setdefault(name, set()).update(texts)
        return {name: frozenset(texts - others.get(name, set())) for name, texts in own.items()}

    def below(self, depth: int) -> Texts:
        """The texts that are among no run's `depth` surest updates of their event."""
        taken: dict[str, set[str]] = {}
        for split in self._splits:
            for name, emitted in split.items():
                if name in self.prepared.events:
                    ids = by_confidence(emitted)[:depth]
                    taken.setdefault(name, set()).update(self._of(self.prepared.events[name], ids))
        return {name: texts - taken.get(name, set()) for name, texts in self.all.items()}

    def without(self, texts: Mapping[str, Collection[str]]) -> tuple[Prepared, dict[str, list[str]]]:
        """The judgments as if nobody had seen these texts; and the ids of the updates that nobody has seen then."""
        events: dict[str, PreparedEvent] = {}
        removed: dict[str, list[str]] = {}
        for name, event in self.prepared.events.items():
            gone = texts.get(name, ())
            ids = [one for one, (judged, _) in event.texts.items() if judged in gone] if gone else []
            removed[name] = [*ids, *(one for one in gone if one not in event.texts)]
            events[name] = event.without_texts({*ids, *gone}) if gone else event
        return Prepared(self.prepared.rules, events, self.prepared.listed), removed
