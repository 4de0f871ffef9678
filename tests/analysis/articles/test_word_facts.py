"""The quick ways to words and to plain text give what the slow ones would."""

from __future__ import annotations

import random
import re

import pytest

from tests.sweeps import cases, every
from tidings.analysis.articles import surfaces
from tidings.analysis.articles.reader import lower_rest
from tidings.analysis.articles.surfaces import (
    CAPITAL,
    CUE_SHIFT,
    DIGIT,
    ED,
    ENGLISH,
    LONE_LETTER,
    OTHER,
    SENTENCE_FEATURES,
    Surfaces,
    find_facts,
    plain,
)
from tidings.analysis.articles.time_words import word_cues

WORD = re.compile(r"\w+(?:['.-]\w+)*")
PARTS = cases(__file__, "parts")
TOKENS = [
    *" ,.;:!?%)]([$£#'\"",
    *" " * 9,
    "n't",
    "'s",
    "'re",
    "''",
    "``",
    "-LRB-",
    "-RRB-",
    "a",
    "b2",
    " ' ",
    " ,",
]


def made_up(parts: list[str], count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return ["".join(rng.choices(parts, k=rng.randint(0, 14))) for _ in range(count)]


def test_words_are_those_that_the_pattern_finds() -> None:
    for text in made_up(PARTS, 1_500, 1):
        assert find_facts(text) == [find_facts(word)[0] for word in WORD.findall(text)], text


def test_blanks_of_tokenisers_go_whether_they_are_one_or_two() -> None:
    for text in made_up(TOKENS, 1_500, 2):
        single = re.sub(" +", " ", text)
        joined = surfaces._SPACE_AFTER.sub("", surfaces._SPACE_BEFORE.sub("", single))
        assert surfaces._join_marks(single) == joined, text


@every(
    "word, facts",
    cases(__file__, "facts of a word"),
)
def test_facts_of_a_word(word: str, facts: int) -> None:
    asked = CAPITAL | DIGIT | LONE_LETTER | ED | ENGLISH | OTHER
    assert find_facts(word)[0] & asked == facts
    assert find_facts(word)[0] >> CUE_SHIFT == word_cues(word)


def test_a_sentence_looks_the_same_among_others() -> None:
    texts = [
        "But he said: the company was charged on Friday!",
        "",
        '"Is it $20m?" I asked.',
        "By John Smith BBC News",
        "The ferry, which he saw, burnt (again) – Read more on this | programme",
        "É b c 12",
    ]
    together = Surfaces(texts)
    for number, text in enumerate(texts):
        alone = Surfaces([text])
        assert together.rows[number].tolist() == alone.rows[0].tolist()
        assert together.cues[number] == alone.cues[0]


@pytest.mark.parametrize(
    ("text", "features"),
    cases(__file__, "features of a sentence"),
)
def test_features_of_a_sentence(text: str, features: dict[str, float]) -> None:
    row = dict(zip(SENTENCE_FEATURES, Surfaces([text]).rows[0].tolist(), strict=True))
    assert {name: row[name] for name in features} == pytest.approx(features)


def test_plain_letters_are_counted_as_all_are() -> None:
    assert lower_rest("FERRY FIRE, 12 DEAD") == "Ferry fire, 12 dead"
    assert lower_rest("FERRY FIRE é DEAD") == "Ferry fire é dead"
    assert lower_rest("FERRY FIre, 12 dead") == "FERRY FIre, 12 dead"
    assert plain("( a )") == "(a)"
