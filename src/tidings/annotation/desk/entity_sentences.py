"""The sentences with which entities of a day are shown to their judges, chosen as Tran and others (2015) say.

For an entity of an (event, day) that is one sentence: from the document of the day that matches the event's query best
(BM25 among the documents of that day) of those that name the entity, and of its sentences that do the longest. Of equal
documents the earlier one counts, of equal sentences the first. Documents are seen once, and little is kept of each.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from unicodedata import east_asian_width

from msgspec import Struct

from tidings.core import Document, Event, Sentence, analyzer_of, bare_event_id, cut, shared_analyzer
from tidings.following import Statistics, bm25

_WITHOUT_BLANKS = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF))
"""Thai and Lao, Burmese, Khmer: words stand without blanks between them, as in Chinese and Japanese."""
_APOSTROPHES = "'’ʼ"
_MOST_NAMES = 200  # of an entity, to bound the pattern that looks for them
_MOST_CHARACTERS = 300


class NameFinder:
    """Finds names as whole words, written as they are given, with a capital in front, or all in capitals.

    `us` is not found where `US` is asked for, nor `may` where `May` is: only what is given in lower case is found
    with others. Endings that a language adds to names are not known.

    >>> finder = NameFinder(["Alberto Núñez Feijóo", "Feijóo", "class 730"])
    >>> finder.spans("FEIJÓO: the Class 730 train"), finder.spans("the Feijóos")
    ([(0, 6), (12, 21)], [])
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._pattern = _pattern(tuple(dict.fromkeys(" ".join(name.split()) for name in names)))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Half-open spans of characters, in order; the longest name where several begin at one place."""
        if self._pattern is None:
            return []
        return [match.span() for match in self._pattern.finditer(text)]

    def names_one(self, text: str) -> bool:
        """Whether the text says any of them."""
        return self._pattern is not None and self._pattern.search(text) is not None


@lru_cache(maxsize=4_096)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    written: dict[str, None] = {}
    for name in names[:_MOST_NAMES]:
        if name and len(name) <= _MOST_CHARACTERS:
            for form in (name, name[0].upper() + name[1:], name.upper()):
                written[form] = None
    if not written:
        return None
    return re.compile("|".join(map(_one, sorted(written, key=lambda form: (-len(form), form)))))


def _one(name: str) -> str:
    words = r"\s+".join(
        "".join(f"[{_APOSTROPHES}]" if char in _APOSTROPHES else re.escape(char) for char in word)
        for word in name.split()
    )
    before = r"(?<!\w)" if _is_bounded(name[0]) else ""
    after = r"(?!\w)" if _is_bounded(name[-1]) else ""
    return f"{before}{words}{after}"


def _is_bounded(char: str) -> bool:
    # Whether a word that begins or ends with it has to end there.
    if not (char.isalnum() or char == "_"):
        return False
    return east_asian_width(char) != "W" and not any(
        low <= ord(char) <= high for low, high in _WITHOUT_BLANKS
    )


def parts_of(text: str, names: Iterable[str]) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is one of the names.

    >>> parts_of("In Angrois it rains.", ["Angrois"])
    [('In ', False), ('Angrois', True), (' it rains.', False)]
    """
    pieces: list[tuple[str, bool]] = []
    at = 0
    for start, end in NameFinder(names).spans(text):
        pieces += [(text[at:start], False), (text[start:end], True)]
        at = end
    pieces.append((text[at:], False))
    return [(piece, named) for piece, named in pieces if piece]


class NamedSentence(Struct, frozen=True):
    """A sentence that names an entity, and its id."""

    id: str
    text: str


def day_of(time: int) -> str:
    """The day (UTC) of a time, as YYYY-MM-DD; times outside of 1 to 9999 AD are of the nearest day in it.

    >>> day_of(1374691260)
    '2013-07-24'
    """
    low, high = -62135596800, 253402300799
    return datetime.fromtimestamp(min(max(time, low), high), UTC).date().isoformat()


def day_before(day: str) -> str:
    """The day before.

    >>> day_before("2013-08-01")
    '2013-07-31'
    """
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()


class _Page(Struct):
    # A document as it is ranked, with the longest sentence of each name.
    frequencies: dict[str, int]
    length: int
    time: int
    id: str
    named: dict[str, NamedSentence]


class DaySentences:
    """What documents of an event's days say of its entities.

    Args:
        event: whose query ranks the documents.
        names: of each entity all its names, by the entity; those of all days, so that `before` can be asked too.
        days: only documents of these are kept.

    >>> event = Event(id="fire", title="", query="ferry fire")
    >>> sentences = DaySentences(event, {"Nador": ("Nador",)}, ["2024-05-01"])
    >>> for name, text in (("a", "Nador is quiet today, as Nador is."), ("b", "A ferry is on fire at Nador.")):
    ...     sentences.add(Document(id=name, published_time=1714557600, text=text))
    >>> sentences.best("2024-05-01", "Nador")
    NamedSentence(id='b-0', text='A ferry is on fire at Nador.')
    """

    def __init__(self, event: Event, names: Mapping[str, Iterable[str]], days: Collection[str]) -> None:
        self._event = event
        self._finders = {entity: NameFinder(of_entity) for entity, of_entity in names.items()}
        self._all = NameFinder(name for of_entity in names.values() for name in of_entity)
        self._days: dict[str, list[_Page]] = {day: [] for day in days}
        self._holding: dict[str, dict[str, int]] = {day: {} for day in days}
        self._language = event.languages[0] if event.languages else ""
        self._query: dict[str, tuple[str, ...]] = {}

    def add(self, document: Document) -> None:
        """See one document. Of one that came before, in an earlier version, both are kept."""
        day = day_of(document.published_time)
        if day not in self._days:
            return
        sentences = [sentence for sentence in cut(document).sentences if self._is_ours(sentence)]
        if not sentences:
            return
        language = sentences[0].language or document.language or self._language
        analyzer = analyzer_of(language) if language else shared_analyzer()
        query = self._query.setdefault(analyzer.language, analyzer.stems(self._event.query))
        page = _Page({}, 0, document.published_time, document.id, {})
        for sentence in sentences:
            stems = analyzer.stems(sentence.text)
            page.length += len(stems)
            for stem in stems:
                if stem in query:
                    page.frequencies[stem] = page.frequencies.get(stem, 0) + 1
            if self._all.names_one(sentence.text):
                self._note(page, sentence)
        holding = self._holding[day]
        for stem in page.frequencies:
            holding[stem] = holding.get(stem, 0) + 1
        self._days[day].append(page)

    def _is_ours(self, sentence: Sentence) -> bool:
        bare = bare_event_id(self._event.id)
        return sentence.events is None or bare in map(bare_event_id, sentence.events)

    def _note(self, page: _Page, sentence: Sentence) -> None:
        for entity, finder in self._finders.items():
            there = page.named.get(entity)
            if (there is None or len(there.text) < len(sentence.text)) and finder.names_one(sentence.text):
                page.named[entity] = NamedSentence(sentence.id, sentence.text)

    def best(self, day: str, entity: str) -> NamedSentence | None:
        """The sentence that shows the entity on the day; None where no document of it names it."""
        pages = self._days.get(day, [])
        naming = [page for page in pages if entity in page.named]
        if not naming:
            return None
        seen = Statistics(len(pages), sum(page.length for page in pages), self._holding[day])
        weights = {stem: 1.0 for stems in self._query.values() for stem in stems}
        best = min(
            naming,
            key=lambda page: (-bm25(weights, page.frequencies, page.length, seen), page.time, page.id),
        )
        return best.named[entity]
