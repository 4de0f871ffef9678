"""What a sentence says by itself: read once, however many events it interests."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from math import log, sqrt
from operator import attrgetter
from struct import pack, unpack
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tidings.analysis import Article, ArticleReader, find_casualties
from tidings.core import Event, Interest, Sentence, UsageError, is_headline, shared_analyzer
from tidings.following.systems.tidings.query_forms import other_forms, query_words
from tidings.following.systems.tidings.query_words import is_specific, read_terms, spelled_names

RARE = 8.5
"""Weight of a stem that the training events hardly used: -log(2e-4), to one decimal."""

DIMENSIONS = 512
"""Width of the hashed vectors by which the stream is remembered; each stem has two places in it."""

MOST_STEMS = 120
"""Stems that are looked at of one sentence."""

LONGEST_LEARNED = 60
"""Words of the longest sentence that shows what an event is about."""

_MOST_TEXTS = 2_048  # read texts that are remembered: copies come soon after each other
_MOST_INTERESTS = 16_384
_HEAD = 5  # sentences that say what a document is about
_ITEM = 3  # sentences at most of an item that is a headline with a teaser
_HALF = sqrt(0.5)
_DOCUMENT = attrgetter("doc_id")

_CAPITALISED = re.compile(r"\b[A-Z][a-z]+").findall
_SIGNS = re.compile(r"[|:/@#\[\]()_\-]").findall
_NUMBER_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen"
)
_READER = frozenset({"i", "you", "we", "my", "your", "our"})
_CLOSING = frozenset(".!?\"'")


class Looks(Struct, gc=False):
    """The features of a sentence that depend on nothing else, and its stems that are written with a capital."""

    first: tuple[float, ...]
    commas: float
    signs: float
    ends_well: bool
    speaks_to_reader: bool
    names: tuple[str, ...]


class WeighedText(Struct):
    """The first stems of a text, each once with its weight; their sum and the length of the vector they make.

    `numbers` are those of the stems that are numbers; what else is known of the text is kept here once it was asked.
    """

    stems: dict[str, float]
    mass: float
    norm: float
    numbers: tuple[str, ...] = ()
    casualties: dict[str, int] | None = None
    looks: Looks | None = None
    places: dict[int, float] | None = None
    kept_places: dict[int, float] | None = None


class ReadSentence(Struct):
    """A sentence, how many words it has, a mark by which its text is known again, and its stems.

    `held` and `held_emitted` are what it gave when it was held against what events remember (`Postings.pairs`);
    `others` are the stems that an event did not ask for, by those that it did.
    """

    sentence: Sentence
    words: int
    mark: int
    stems: tuple[str, ...]
    weighed: WeighedText | None = None
    held: dict[int, Any] = {}
    held_emitted: dict[int, Any] = {}
    others: dict[frozenset[str], Any] = {}


class ReadArticle(Struct):
    """A document to be read whole: its sentences from where each begins; `article` tells what each of them does.

    `head` are the stems of its title and of its first five sentences.
    """

    article: Article
    head: frozenset[str]
    sentences: list[ReadSentence]


_Fitting = tuple[list[ReadSentence], tuple[int, ...]]


class ReadDocument(Struct):
    """The sentences of a document, and all their stems; once it was read whole, as what, by how sure borders were."""

    sentences: list[ReadSentence]
    stems: frozenset[str]
    articles: dict[float, ReadArticle] = {}
    fitted: tuple[tuple[int, int, int], _Fitting] | None = None

    def fitting(self, least: int, most: int, count: int) -> _Fitting:
        """Of the first sentences, so many, those that can be emitted or learned from; and their marks.

        They have `least` words to `most`, or more up to 60. There are no marks where one is another's. What is found is
        kept for the next who asks for the same.
        """
        key = least, most, count
        if self.fitted is None or self.fitted[0] != key:
            own = [
                sentence
                for sentence in self.sentences[:count]
                if least <= sentence.words <= most or most < sentence.words <= LONGEST_LEARNED
            ]
            marks = tuple([sentence.mark for sentence in own])
            self.fitted = key, (own, marks if len(set(marks)) == len(marks) else ())
        return self.fitted[1]

    def counts(self, asked: frozenset[str]) -> list[tuple[str, int]]:
        """In how many sentences each of these stems is."""
        held = [asked.intersection(sentence.stems) for sentence in self.sentences] if asked else []
        return [(stem, sum(stem in own for own in held)) for stem in asked]

    @property
    def source(self) -> str:
        """Who published it."""
        return self.sentences[0].sentence.source

    @property
    def is_headline(self) -> bool:
        """Whether this is a title alone, as some items of feeds are."""
        first = self.sentences[0].sentence
        return len(self.sentences) == 1 and bool(first.title) and first.text == " ".join(first.title.split())

    @property
    def is_item(self) -> bool:
        """Whether this is a title with a sentence or two, as items of feeds are: both say one thing."""
        return 1 < len(self.sentences) <= _ITEM and is_headline(self.sentences[0].sentence)

    @property
    def is_whole(self) -> bool:
        """Whether this is a document as it was published, not what someone chose of it for an event."""
        return self.sentences[0].sentence.events is None


def find_interest(event: Event, weights: Mapping[str, float], language: str) -> Interest | None:
    """What a document must hold in one of its sentences: two stems of the query, or one of its two rarest.

    A whole document may also hold one that tells something alone (`is_specific`), and other forms and spellings.
    None, everything, for an event whose query and title have no stems.
    """
    stems_of = shared_analyzer(language).stems
    stems = frozenset(stems_of(event.query)) or frozenset(stems_of(event.title))
    if not stems:
        return None
    need, alone = min(2, len(stems)), _rarest(stems, weights)
    pooled = Interest(stems=stems, need=need, alone=alone, language=language)
    is_english = language == "english"
    asked = frozenset(stems_of(query_words(event.query))) if is_english else stems
    if asked and asked != stems:
        stems, need, alone = asked, min(2, len(asked)), _rarest(asked, weights)
    specific = frozenset(stem for stem in stems if is_english and is_specific(stem))
    return Interest(
        stems=stems,
        need=need,
        alone=alone | specific,
        language=language,
        forms=other_forms(stems) if is_english else (),
        names=spelled_names(specific),
        pooled=pooled,
        learns=is_english,
    )


def _with_terms(interest: Interest, added: frozenset[str], struck: frozenset[str]) -> Interest:
    is_english = interest.language == "english"
    stems = (interest.stems | added) - struck
    if not stems:
        raise UsageError(
            "story_terms: every word of the query is struck (expected one that stays, or another query)"
        )
    telling = frozenset(stem for stem in added if not is_english or is_specific(stem))
    return replace(
        interest,
        stems=stems,
        alone=(interest.alone & stems) | telling,
        forms=other_forms(stems) if is_english else (),
        names=(interest.names & stems) | (spelled_names(telling) if is_english else frozenset()),
        pooled=interest.pooled or interest,
    )


def _rarest(stems: frozenset[str], weights: Mapping[str, float]) -> frozenset[str]:
    return frozenset(sorted(stems, key=lambda stem: (-weights.get(stem, RARE), stem))[:2])


class TextReader:
    """Reads texts by one table of weights; what it remembers is a cache, bounded and shared by followers.

    `weights` are those of stems: how rare each is in the news, -log of its share of sentences.

    >>> reader = TextReader({"ferri": 2.0, "fire": 1.0}, "english")
    >>> text = reader.read("Ferry fire: 12 dead.")
    >>> text.stems, text.numbers, casualties_of("Ferry fire: 12 dead.", text)
    ({'ferri': 2.0, 'fire': 1.0, '12': 8.5, 'dead': 8.5}, ('12',), {'deaths': 12})
    """

    def __init__(self, weights: Mapping[str, float], language: str) -> None:
        self.weights = weights
        self.analyzer = shared_analyzer(language)
        self._number_stems = frozenset(map(self.analyzer.stem, _NUMBER_WORDS.split())) - {""}
        self._texts: dict[str, WeighedText] = {}
        self._interests: dict[tuple[str, str, str], Interest | None] = {}
        self._pushed: tuple[Sentence, ...] = ()
        self._documents: list[ReadDocument] = []

    def interest(self, event: Event, terms: str = "") -> Interest | None:
        """What a document must hold to interest an event; see `find_interest`. `terms` are added and struck."""
        key = event.query, event.title, terms
        if key not in self._interests:
            if len(self._interests) >= _MOST_INTERESTS:
                self._interests.clear()
            interest = find_interest(event, self.weights, self.analyzer.language)
            if interest is not None and terms:
                interest = _with_terms(interest, *read_terms(terms, self.analyzer.language))
            self._interests[key] = interest
        return self._interests[key]

    def documents(self, sentences: Sequence[Sentence]) -> list[ReadDocument]:
        """The documents of a push; those of the last tuple, which all followers are given, are read once."""
        if sentences is self._pushed:
            return self._documents
        documents = [self._document(own) for _, own in groupby(sentences, key=_DOCUMENT)]
        if isinstance(sentences, tuple):
            self._pushed, self._documents = sentences, documents
        return documents

    def _document(self, sentences: Iterable[Sentence]) -> ReadDocument:
        own = [self._sentence(sentence) for sentence in sentences]
        return ReadDocument(own, frozenset().union(*[sentence.stems for sentence in own]))

    def article(self, document: ReadDocument, articles: ArticleReader, level: float) -> ReadArticle:
        """The document read whole, once however many followers ask with the same level (see `ArticleReader.read`)."""
        if level not in document.articles:
            article = articles.read([sentence.sentence for sentence in document.sentences], level)
            for read in document.articles.values():
                if read.article.starts == article.starts:
                    document.articles[level] = read
                    return read
            own = [
                self._sentence(cut) if start else read
                for read, cut, start in zip(document.sentences, article.cut, article.starts, strict=True)
            ]
            stems = self.analyzer.stems(document.sentences[0].sentence.title)
            titled = len(own) > 1 and is_headline(own[0].sentence)
            head = frozenset(stems).union(*[sentence.stems for sentence in own[: _HEAD + titled]])
            document.articles[level] = ReadArticle(article, head, own)
        return document.articles[level]

    def _sentence(self, sentence: Sentence) -> ReadSentence:
        text = sentence.text
        return ReadSentence(sentence, len(text.split()), _mark(text), self.analyzer.stems(text))

    def weighed(self, sentence: ReadSentence) -> WeighedText:
        """The stems of a sentence and their weights."""
        if sentence.weighed is None:
            sentence.weighed = self.read(sentence.sentence.text)
        return sentence.weighed

    def read(self, text: str) -> WeighedText:
        """The text's stems and their weights."""
        weighed = self._texts.get(text)
        if weighed is None:
            stems = self.weigh(self.analyzer.stems(text)[:MOST_STEMS])
            numbers = tuple([stem for stem in stems if stem.isdigit() or stem in self._number_stems])
            weighed = WeighedText(stems, sum(stems.values()), norm_of(stems), numbers)
            if len(self._texts) >= _MOST_TEXTS:
                self._texts.clear()
            if len(text) <= 2_000:
                self._texts[text] = weighed
        return weighed

    def weigh(self, stems: Iterable[str]) -> dict[str, float]:
        """Each stem once, with its weight."""
        weight_of = self.weights.get
        return {stem: weight_of(stem, RARE) for stem in stems}

    def looks(self, text: str, weighed: WeighedText) -> Looks:
        """The features that the text has by itself."""
        looks = weighed.looks
        if looks is None:
            looks = weighed.looks = self._look(text, weighed)
        return looks

    def places(self, weighed: WeighedText) -> dict[int, float]:
        """The hashed vector of length 1."""
        if weighed.places is None:
            weighed.places = places_of(weighed.stems, weighed.norm)
        return weighed.places

    def kept_places(self, weighed: WeighedText) -> dict[int, float]:
        """The same as precise as it is remembered, one for all who do."""
        if weighed.kept_places is None:
            weighed.kept_places = as_kept(self.places(weighed))
        return weighed.kept_places

    def _look(self, text: str, weighed: WeighedText) -> Looks:
        words = len(text.split())
        capitalised = _CAPITALISED(text)
        stem_of = self.analyzer.stem
        names = dict.fromkeys([stem_of(word.lower()) for word in capitalised])
        first = (
            words,
            log(words),
            1.0 - len(weighed.stems) / words,
            len(capitalised) / words,
            len(weighed.numbers),
        )
        return Looks(
            first,
            text.count(",") / words,
            len(_SIGNS(text)) / words,
            text[-1:] in _CLOSING,
            not _READER.isdisjoint(text.lower().split()),
            tuple(filter(None, names)),
        )


def casualties_of(text: str, weighed: WeighedText) -> dict[str, int]:
    """So many people of each kind, as the text counts them."""
    casualties = weighed.casualties
    if casualties is None:
        counted = find_casualties(text) if weighed.numbers else ()
        casualties = weighed.casualties = {mention.attribute: int(mention.value) for mention in counted}
    return casualties


def _mark(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) | (len(text) & 0xFFFF) << 32


def norm_of(stems: Mapping[str, float]) -> float:
    """The length of the vector of these weights.

    >>> norm_of({"a": 3.0, "b": 4.0})
    5.0
    """
    return sqrt(sum(weight * weight for weight in stems.values()))


def places_of(stems: Mapping[str, float], norm: float) -> dict[int, float]:
    """The hashed vector, of length 1, of stems with their weights, which make a vector of length `norm`."""
    vector: dict[int, float] = {}
    for stem, weight in stems.items():
        first, first_sign, second, second_sign = two_places(stem)
        if first in vector:
            vector[first] += first_sign * weight
        else:
            vector[first] = first_sign * weight
        if second in vector:
            vector[second] += second_sign * weight
        else:
            vector[second] = second_sign * weight
    return {place: value / norm for place, value in vector.items()}


def as_kept(vector: Mapping[int, float]) -> dict[int, float]:
    """A hashed vector as precise as it is remembered."""
    form = f"<{len(vector)}f"
    return dict(zip(vector, unpack(form, pack(form, *vector.values())), strict=True))


@lru_cache(maxsize=50_000)
def two_places(stem: str) -> tuple[int, float, int, float]:
    """Two places of a stem in the hashed vectors, each with its sign."""
    code = zlib.crc32(stem.encode("utf-8", "surrogatepass"))
    other = zlib.crc32(b"%d" % code)
    return (
        code % DIMENSIONS,
        _HALF if code & 0x10000 else -_HALF,
        other % DIMENSIONS,
        _HALF if other & 0x10000 else -_HALF,
    )
