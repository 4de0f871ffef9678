"""Changes of a standing event are taken up by every system without losing what was told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from tests.sweeps import cases, every
from tidings.core.protocols import Saved
from tidings.core.records import Document, Update
from tidings.core.records.standing import StandingEvent
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.registry import available
from tidings.following.systems.standing import standing_system
from tidings.sources import bundled
from tidings.sources.streams import read_events, read_stream

EVENT = replace(read_events(bundled.path())[0], start_time=None, end_time=None)
OTHER = replace(EVENT, title="Another", query="santiago angrois railway accident", languages=("en", "es"))
PACES = ("", "10/day", "2/hour", "up to 40/day")
QUICK = ("cosine", "cosine:updates_per_hour=6", "tidings:values=yes,entities=yes", "lexrank")
MORE = tuple(cases(__file__, "more"))


class Kept:
    """A checkpoint in memory."""

    def __init__(self, states: Mapping[str, bytes]) -> None:
        self.states = dict(states)

    def load(self) -> Saved:
        return Saved(states=self.states)

    def commit(
        self, positions: object, states: Mapping[str, bytes], *_: object, finished: bool = False
    ) -> None:
        self.states.update(states)


def followed(
    standing: StandingEvent, documents: Sequence[Document], state: bytes | None = None
) -> tuple[list[str], bytes]:
    """The texts that are told, and what is remembered."""
    kept = Kept({} if state is None else {EVENT.id: state})
    systems = {EVENT.id: standing_system(standing)}
    steps = follow_stream(documents, [standing.event], systems, kept, lateness_s=0)
    texts = [one.text for _, outputs in steps for one in outputs if isinstance(one, Update)]
    return texts, kept.states[EVENT.id]


def told_again(documents: Sequence[Document]) -> list[Document]:
    """The same a day later, as other outlets' articles."""
    return [
        replace(
            one,
            id=f"{one.id}-again",
            published_time=one.published_time + 86_400,
            sentences=tuple(
                replace(sentence, doc_id=f"{one.id}-again", published_time=sentence.published_time + 86_400)
                for sentence in one.sentences
            ),
        )
        for one in documents
    ]


def check(system: str, count: int, paces: Sequence[str]) -> None:
    documents = sorted(read_stream(bundled.path()), key=lambda one: one.published_time)[:count]
    again = told_again(documents)
    for about in paces:
        before = StandingEvent(event=EVENT, system=system, about=about)
        texts, state = followed(before, documents)
        assert texts or about, "an example without updates shows nothing"  # a low pace may leave none
        unchanged, _ = followed(before, again, state)
        same = replace(before, event=replace(EVENT, languages=("en", "es")))
        assert followed(same, again, state)[0] == unchanged
        for now in (replace(before, event=OTHER), *(replace(before, about=pace) for pace in PACES)):
            later, _ = followed(now, again, state)
            if set(unchanged).isdisjoint(texts):  # it remembers what it told
                assert set(later).isdisjoint(texts), (system, about, now)


@every("system", QUICK)
def test_what_was_told_is_remembered(system: str) -> None:
    check(system, 14, ("", "up to 40/day"))


@pytest.mark.long
@every("system", [*available(), *MORE])
def test_what_was_told_is_remembered_by_every_system(system: str) -> None:
    check(system, 60, PACES)
