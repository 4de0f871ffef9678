"""A stream made up from a seed: wire-like documents, some about the storm, many repeating each other."""

from __future__ import annotations

import json
import random
from pathlib import Path

TEXT = """
harbour council road bridge market school river night morning police crowd train field doctor minister signal
engine weather forecast island village tower window letter garden station kitchen summer number budget league
"""
WORDS = TEXT.split()
START = 1_400_000_000


def write_stream(path: Path, documents: int, *, seed: int = 1, sentences: int = 4) -> Path:
    """`documents` documents of `sentences` sentences each, a minute or so apart, a little out of order."""
    chance = random.Random(seed)
    time = START
    with path.open("w", encoding="utf-8") as file:
        for number in range(documents):
            time += chance.randrange(90)
            said = []
            for _ in range(sentences):
                words = chance.choices(WORDS, k=chance.randrange(6, 18))
                if chance.random() < 0.25:
                    words[:0] = ["storm", "damage", str(chance.randrange(2000))]
                said.append(" ".join(words).capitalize() + ".")
            record = {
                "id": f"doc-{number:06d}",
                "published_time": time - chance.randrange(300),
                "source": chance.choice(["wire", "gazette", "radio"]),
                "title": said[0],
                "sentences": said,
            }
            file.write(json.dumps(record) + "\n")
    return path
