"""From a sentence to what the encoder reads: hashed words with what can be seen of each."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from zlib import crc32

from msgspec import Struct

from tidings.core import shared_analyzer, tokens

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["MARKS", "WORDS", "Reader", "Reading"]

WORDS = 40
"""Words that are read of one sentence."""

MARKS = (
    "in the query",
    "number",
    "capital",
    "stop word",
    "how familiar the word is",
    "how familiar it is beside the next word",
)
"""What is known of each word beside its vector; the last two are of the stream (`StreamView.familiarity`)."""

_DIGIT = re.compile(r"\d")
_KNOWN_WORDS = 100_000


class Reading(Struct, frozen=True):
    """One sentence as read: parallel arrays over its words, and what is new in it to ask about later.

    Attributes:
        ids: row of each word in the table of word vectors (0 is for padding).
        keys: a 32-bit hash of each word's stem; figures keep their digits here, in `ids` only their shape.
        marks: (words, 4) of 0 and 1: in the query, number, capital, stop word.
        places: which word of `text.split()` each is.
        content: the different keys of words that are neither stop words nor in the query.
        numbers: those of them that hold a digit.
    """

    ids: ndarray[Any, Any]
    keys: ndarray[Any, Any]
    marks: ndarray[Any, Any]
    places: tuple[int, ...]
    content: tuple[int, ...]
    numbers: tuple[int, ...]


class Reader:
    """Reads sentences for one query.

    >>> reading = Reader("ferry fire", "english", 1000).read("A ferry burns; 45 saved.")
    >>> reading.marks[:, 0].tolist(), reading.marks[:, 1].tolist()
    ([0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0])
    """

    def __init__(self, query: str, language: str, rows: int) -> None:
        self._entry_of = _words(language, rows)
        self.query = self._read(query)
        self._asked = frozenset(int(key) for key, stop in self.query if not stop)

    def _read(self, text: str) -> list[tuple[int, bool]]:
        entries = (self._entry_of(word) for word in text.split()[: 4 * WORDS])
        return [(entry[1], entry[4]) for entry in entries if entry is not None]

    def query_ids(self, query: str) -> ndarray[Any, Any]:
        """Rows of the query's words that are no stop words; of all its words where there are none else."""
        import numpy as np

        entries = [
            entry for word in query.split()[: 4 * WORDS] if (entry := self._entry_of(word)) is not None
        ]
        kept = [entry[0] for entry in entries if not entry[4]] or [entry[0] for entry in entries]
        return np.array(kept, dtype=np.int64)

    def read(self, text: str) -> Reading:
        """The first 40 words of `text`; words without any letter or digit are left out."""
        import numpy as np

        ids, keys, marks, places = [], [], [], []
        content: dict[int, None] = {}
        numbers: dict[int, None] = {}
        asked, entry_of = self._asked, self._entry_of
        for place, word in enumerate(text.split(maxsplit=WORDS)[:WORDS]):
            entry = entry_of(word)
            if entry is None:
                continue
            row, key, number, capital, stop = entry
            in_query = key in asked
            ids.append(row)
            keys.append(key)
            marks.append((in_query, number, capital, stop))
            places.append(place)
            if not stop and not in_query:
                content[key] = None
                if number:
                    numbers[key] = None
        return Reading(
            np.array(ids, dtype=np.int64),
            np.array(keys, dtype=np.int64),
            np.array(marks, dtype=np.float32).reshape(len(ids), 4),
            tuple(places),
            tuple(content),
            tuple(numbers),
        )


Entry = tuple[int, int, bool, bool, bool]


class _Words(dict[str, "Entry | None"]):
    """Word as written → (row, key, number, capital, stop word); None for one without letters and digits."""

    def __init__(self, language: str, rows: int) -> None:
        super().__init__()
        self._stem = shared_analyzer(language).stem
        self._rows = rows

    def __missing__(self, word: str) -> Entry | None:
        entry = self._look(word[:64])
        if len(word) <= 64:
            if len(self) >= _KNOWN_WORDS:
                self.clear()
            self[word] = entry
        return entry

    def _look(self, word: str) -> Entry | None:
        parts = tokens(word)
        if not parts:
            return None
        stems = [self._stem(part) for part in parts]
        stop = not any(stems)
        text = "".join(parts) if stop else "".join(stems)
        number = _DIGIT.search(text) is not None
        shape = _DIGIT.sub("0", text) if number else text
        row = 1 + crc32(shape.encode("utf-8", "surrogatepass")) % (self._rows - 1)
        return (
            row,
            crc32(text.encode("utf-8", "surrogatepass")),
            number,
            word.lstrip("\"'“‘(")[:1].isupper(),
            stop,
        )


@lru_cache(maxsize=8)
def _words(language: str, rows: int) -> Any:
    return _Words(language, rows).__getitem__
