"""Events that are added, changed and ended while a query runs, by the file that names them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

import pytest
from msgspec.structs import replace

from tidings.core.records import Event
from tidings.following.engines.spark.host import SparkOptions, host_on_spark
from tidings.following.hosting.settings import RunSettings
from tidings.following.outputs.runs import read_runs
from tidings.following.verbs.options import choose

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("session")]

STEP_S = 1000
FERRY = {"id": "ferry", "title": "Ferry", "query": "ferry"}
STORM = {"id": "storm", "title": "Storm", "query": "storm"}
PHASES = [
    [FERRY],
    [FERRY, STORM],
    [FERRY | {"query": "harbour"}, STORM],
    [FERRY | {"query": "harbour"}],
    [FERRY | {"query": "harbour"}],
]
"""The events of each phase; in each, the same documents come, and one that lets time go on."""
TOLD = [
    ("ferry", "p0-0"),
    ("ferry", "p1-0"),
    ("ferry", "p2-2"),
    ("ferry", "p3-2"),
    ("ferry", "p4-2"),
    ("storm", "p1-1"),
    ("storm", "p2-1"),
]
PATIENCE_S = 200


class Desk:
    """Changes the events in their file and lets documents come, when those before have been read."""

    def __init__(self, place: Path) -> None:
        self.folder, self.file, self.phase = place / "in", place / "events.jsonl", 0
        self.folder.mkdir()
        self.said, self.is_given = 0, False
        self.write_events()

    def write_events(self) -> None:
        self.file.write_text("".join(json.dumps(event) + "\n" for event in PHASES[self.phase]))

    def events(self) -> list[Event]:
        return list(choose({"event": [str(self.file)], "query": None, "sources": [str(self.folder)]}))

    def give(self) -> None:
        time = 10_000 + self.phase * STEP_S
        texts = [f"The {word} is seen in phase {self.phase}." for word in ("ferry", "storm", "harbour")]
        texts.append("Nothing of interest to anybody.")
        lines = [
            {"id": f"p{self.phase}-{at}", "published_time": time + at * 200, "sentences": [text]}
            for at, text in enumerate(texts)
        ]
        part = self.folder / f".phase-{self.phase}.jsonl"
        part.write_text("".join(json.dumps(line) + "\n" for line in lines))
        # A file of long ago: what was copied with its time.
        if self.phase == 2:
            os.utime(part, (1_000_000_000, 1_000_000_000))
        part.rename(self.folder / part.name.removeprefix("."))
        self.said += len(lines)
        self.is_given = True

    def go_on(self, documents: int) -> None:
        """The next step, where all documents have been read; whether they have been decided makes no difference."""
        if documents < self.said:
            return
        if not self.is_given:
            self.give()
        elif self.phase + 1 < len(PHASES):
            self.phase, self.is_given = self.phase + 1, False
            self.write_events()


def test_events_of_a_file_that_changes(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    out = tmp_path / "out.jsonl"
    settings = RunSettings(
        streams=(str(desk.folder),),
        events=tuple(desk.events()),
        event_files=(str(desk.file),),
        system="first:min_words=0",
        lateness_s=60,
        out=str(out),
        format="jsonl",
    )
    options = SparkOptions(master="local[2]", partitions=2, live=True)
    begun = monotonic()

    with host_on_spark(settings, options) as run:

        def events() -> Sequence[Event]:
            desk.go_on(run.query.progress.documents)
            return desk.events()

        def stop() -> bool:
            assert monotonic() < begun + PATIENCE_S, (desk.phase, run.emitted, run.query.progress)
            return run.emitted >= len(TOLD)

        assert not run.follow(stop, events)
        assert not run.query.progress.refused
    emitted = [(update.event_id, update.doc_id) for run in read_runs(out) for update in run.updates]
    assert sorted(emitted) == TOLD
    # The card has those that came later, and an event that was changed as it is now.
    card = read_runs(out)[0].card
    assert card is not None
    assert [(event.id, event.query) for event in card.events] == [("ferry", "harbour"), ("storm", "storm")]
    # Begun again, after the events were changed once more while nobody looked.
    settings = replace(settings, events=(Event(**STORM),))
    with host_on_spark(settings, options) as run:
        assert [event.id for event in run.query.events.ever] == ["ferry", "storm"]
