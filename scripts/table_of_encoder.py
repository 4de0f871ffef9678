"""What `encoder=` brings on judged events and on one event in several languages, by how near an update must be.

    PYTHONPATH=. python scripts/table_of_encoder.py use ../shared/data/trec-ts/2013 ../shared/data/trec-ts/2014

Printed is the mean H by nearness, for the events of each folder, and for the first folder the mean H where each event
is followed with the nearness that is best on the others. Then, for the invented flood of tests/languages in German,
Spanish, French, Arabic, Chinese and Japanese at once, by `across`: updates, and how many of its nine facts they tell.
"""

from __future__ import annotations

import sys
from typing import Any

from tests.core.languages.streams import LANGUAGES, fact_of, stream

from tidings.analysis.judges.encoders import open_encoder
from tidings.core.records import Event, Update
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.assembly import assemble
from tidings.following.systems.registry import make
from tidings.research.training.labelled_events import load_events

NEARNESSES = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)


ACROSS = (0.4, 0.45, 0.5, 0.55, 0.6, 0.65)


def languages(encoder: str, spoken: tuple[str, ...]) -> None:
    """One event in several languages at once."""
    query = " ".join(LANGUAGES[code]["query"] for code in spoken)
    documents = sorted(
        (one for code in spoken for one in stream(code)), key=lambda one: (one.published_time, one.id)
    )
    print(f"{' '.join(spoken)}: {len(documents)} documents\nacross  updates  facts")
    for across in (None, *ACROSS):
        options = f":encoder={encoder},across={across}" if across else ""
        system = assemble(f"centroid{options}")
        event = Event(id="flood", title="Flood", query=query)
        texts = [
            one.text
            for _, outputs in follow_stream(documents, [event], system)
            for one in outputs
            if isinstance(one, Update)
        ]
        facts = [
            next((fact for code in spoken if (fact := fact_of(code, text)) is not None), None)
            for text in texts
        ]
        print(f"{across or 'none':6}  {len(texts):7}  {len(set(facts) - {None}):5}", flush=True)


def encode(texts: list[str]) -> list[Any]:
    """What the encoder gives, each text asked about once for all settings."""
    for text in texts:
        if text not in VECTORS:
            VECTORS[text] = open_encoder(sys.argv[1])([text])[0]
    return [VECTORS[text] for text in texts]


VECTORS: dict[str, Any] = {}


def main(encoder: str, folders: list[str]) -> None:
    specs = {"none": "tidings"} | {
        f"{nearness:g}": f"tidings:encoder={encoder},nearness={nearness}" for nearness in NEARNESSES
    }
    for place, folder in enumerate(folders):
        events = load_events([folder])
        heights = {
            name: [event.score(event.run(make(spec)))["H"] for event in events]
            for name, spec in specs.items()
        }
        print(f"{folder}, {len(events)} events")
        print("nearness  H")
        for name, column in heights.items():
            print(f"{name:8}  {sum(column) / len(column):.4f}")
        if place:
            continue
        left_out, chosen = 0.0, []
        for number in range(len(events)):
            best = max(heights, key=lambda name, number=number: sum(heights[name]) - heights[name][number])
            chosen.append(best)
            left_out += heights[best][number] / len(events)
        print(f"left out  {left_out:.4f} (chosen: {', '.join(chosen)})", flush=True)


if __name__ == "__main__":
    main("__main__:encode", sys.argv[2:])
    languages("__main__:encode", ("de", "es", "fr"))
    languages("__main__:encode", ("de", "es", "fr", "ar", "zh", "ja"))
