"""Hostile text costs no more than linear time: the expressions of the source, and what reads texts with them."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.growing_functions import FUNCTIONS
from tests.growth import Expression, expressions, grows_too_fast, read_listing, texts_of
from tests.hostile_seeds import SEEDS

_MENDING = (
    "\nRun `python -m bench.growth --write`: it tries them on hostile texts, and lists those that pass."
)


def test_every_expression_of_the_source_is_listed() -> None:
    found = {one.line for one in expressions()}
    listed = set(read_listing())
    new, gone = sorted(found - listed), sorted(listed - found)
    assert not new, "these expressions are new:\n" + "\n".join(new) + _MENDING
    assert not gone, "these expressions are no more:\n" + "\n".join(gone) + _MENDING


def test_an_expression_that_grows_with_the_square_is_noticed() -> None:
    careless = Expression("module", "finditer", " +x", re.compile(" +x"))
    careful = Expression("module", "finditer", "(?<! ) ++x", re.compile("(?<! ) ++x"))
    assert grows_too_fast(careless.run, 16_000, {"blanks": " "}) == ["blanks"]
    assert grows_too_fast(careful.run, 16_000, {"blanks": " "}) == []


def test_hostile_texts_are_read_at_once() -> None:
    # In a process of its own with a limit far above the need: what takes the square of these lengths takes hours.
    program = (
        "from tests.growing_functions import FUNCTIONS; from tests.growth import texts_of\n"
        "for seed in (' ', '1', 'A', 'a. ', '-', '<a '):\n"
        "    for name in ('articles.plain_text', 'articles.speakers', 'sources.tidying', 'text.sentences', 'follow'):\n"
        "        for text in texts_of(seed, 1_000_000 if name == 'articles.plain_text' else 20_000):\n"
        "            FUNCTIONS[name](text)\n"
        "FUNCTIONS['articles.as_written']('a \" ' * 250_000)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


@pytest.mark.long
def test_no_expression_grows_faster_than_its_text() -> None:
    fast = {
        one.line: seeds
        for one in expressions()
        if one.pattern is not None and (seeds := grows_too_fast(one.run, 8_000))
    }
    assert not fast


@pytest.mark.long
@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_reader_grows_faster_than_its_text(name: str) -> None:
    assert grows_too_fast(FUNCTIONS[name], 80_000) == []


def test_the_seeds_stand_between_words_too() -> None:
    assert [len(text) for text in texts_of(SEEDS["blanks"], 100)] == [100, 114]
