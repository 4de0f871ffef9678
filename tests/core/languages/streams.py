"""Sixty short articles over a week, of the written sentences: what came first, repeats, and other news."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from tidings.core.records import Document

__all__ = ["LANGUAGES", "START", "fact_of", "stream"]

LANGUAGES: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("floods.toml").read_text(encoding="utf-8")
)
START = 1_772_409_600  # Monday, 2 March 2026
_STEP_S = 10_000
_COUNT = 60


def stream(code: str) -> list[Document]:
    """The articles in the order of their times; none says its language.

    Every sixth place begins a fact: its first wording, then other outlets' wordings and, of the latest facts, repeats,
    each with a sentence of other news beside it; between them articles of other news alone.
    """
    language = LANGUAGES[code]
    facts, others, outlets = language["facts"], language["others"], language["outlets"]
    blank = "" if code in ("zh", "ja") else " "
    documents = []
    for number in range(_COUNT):
        fact, place = divmod(number, 6)
        other = others[(number * 5 + 1) % len(others)]
        if fact >= len(facts) or place in (2, 4):
            texts = [other, others[(number * 3 + 2) % len(others)]]
        else:
            wordings = facts[fact]
            wording = wordings[{0: 0, 1: 1, 3: len(wordings) - 1, 5: 0}[place]]
            texts = [wording, other]
            if place == 5 and fact:
                texts = [facts[fact - 1][0], wording]
        documents.append(
            Document(
                id=f"{code}-{number:02}",
                published_time=START + number * _STEP_S,
                source=outlets[number % len(outlets)],
                text=blank.join(texts),
            )
        )
    return documents


def fact_of(code: str, text: str) -> int | None:
    """Which fact a sentence states; None for other news."""
    for number, wordings in enumerate(LANGUAGES[code]["facts"]):
        if any(text in wording or wording in text for wording in wordings):
            return number
    return None
