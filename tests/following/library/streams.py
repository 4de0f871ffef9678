"""Made-up documents for the checks of the public face."""

from __future__ import annotations

import random

from tests.following.systems.streams import words
from tidings.core.records import Document, Event

FERRY = Event(id="ferry", title="Ferry fire", query="ferry fire port", start_time=2_000, end_time=60_000)
STORM = Event(id="storm", title="Storm", query="storm coast")


def documents(seed: int, number: int = 60, *, shuffled_s: int = 400, gap_s: int = 700) -> list[Document]:
    """Documents of one to three sentences, out of order by up to `shuffled_s` seconds and now and then by far more."""
    rng = random.Random(seed)
    time, made = 0, []
    for count in range(number):
        time += rng.randint(0, gap_s)
        shown = max(0, time - rng.randint(0, shuffled_s))
        if rng.random() < 0.02:
            shown = max(0, time - 20_000)
        text = " ".join(f"{words(rng, rng.random() < 0.8).capitalize()}." for _ in range(rng.randint(1, 3)))
        made.append(
            Document(
                id=f"d{count}", published_time=shown, source=f"paper{count % 3}", title=f"T{count}", text=text
            )
        )
    return made
