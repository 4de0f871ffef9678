"""Articles read whole: each sentence with what it does, how likely it is news, and its text without what stands before.

    sentences of a document ──▶ entries, borders ──▶ features ──▶ four learned answers for each sentence

The answers are probabilities, learned from sentences read by people (`labels/articles`): that it states something
(rather than asks, quotes, opines or is no sentence of the article), that it tells news of the day of publication or
the day before, that it can be understood alone, and that it does all three.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from tidings.analysis.articles.borders import PLACES, clause_end, is_glued, lead_start
from tidings.analysis.articles.features import (
    FEATURES,
    DocumentKind,
    entry_start,
    explains,
    find_entries,
    find_kind,
    read_features,
)
from tidings.analysis.articles.furniture import (
    dateline_end,
    is_caption,
    is_credited,
    is_cut_short,
    label_end,
    loose_credit_end,
    points_to_page,
)
from tidings.analysis.articles.surfaces import Surfaces, plain
from tidings.analysis.articles.time_expressions import TimeExpression, TimeReader
from tidings.analysis.articles.time_words import find_cues
from tidings.core import (
    Forest,
    Model,
    Sentence,
    Trees,
    UsageError,
    check_arrays,
    is_headline,
    prepare,
    read_model,
    trees_shapes,
)

if TYPE_CHECKING:
    from numpy import ndarray


_SHARE = 0.8
_FEWEST_LETTERS = 12
_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTERS = _CAPITALS + _CAPITALS.lower()


def lower_rest(text: str) -> str:
    """The text in lower case behind its first one where nearly all of it is in capitals, else as it is.

    It keeps its length, so that places in the one are places in the other.

    >>> lower_rest("FERRY FIRE OFF NADOR KILLS 12, POLICE SAY."), lower_rest("NATO and the EU agree")
    ('Ferry fire off nador kills 12, police say.', 'NATO and the EU agree')
    """
    letters, capitals = _count(text)
    if letters < _FEWEST_LETTERS or capitals < _SHARE * letters:
        return text
    small = text[:1] + text[1:].lower()
    return small if len(small) == len(text) else text


def _count(text: str) -> tuple[int, int]:
    # Letters, and those that are capitals.
    if not text.isascii():
        return sum(map(str.isalpha, text)), sum(map(str.isupper, text))
    signs = text.encode()
    without = len(signs.translate(None, _CAPITALS))
    return len(signs) - len(signs.translate(None, _LETTERS)), len(signs) - without


_VERB = (
    r"(?:said|says|told|tells|announced|announces|confirmed|confirms|reported|reports|warned|warns|added|adds|claimed|"
    r"claims|insisted|insists|admitted|admits|estimated|estimates|declared|declares|stated|states|denied|denies)"
)
_NAME = r"(?:[A-Z][\w.'-]{0,60}|\d+|of|the|for|and|de|la|al|in|'s)"
# One or several of these without a blank between, told apart in one way only: else digits could be split in many.
_SMALL = r"(?:\d|of|the|for|and|de|la|al|in|'s)"
_NAMES = rf"(?:{_SMALL}*[A-Z][\w.'-]{{0,60}}|{_SMALL}+)"
_COMMON = (
    r"(?:officials?|police|authorities|witnesses|activists|rescuers|doctors|sources?|reports?|experts|scientists|"
    r"spokes(?:man|woman|person|people)|ministers?|ministry|government|army|military|agency|company|prosecutors|"
    r"lawyers|residents|investigators|president|mayor|governor|court|department|group|media|television|radio|"
    r"observers|analysts|researchers|relatives|owners?|they|he|she)"
)
_NOUN = (
    rf"(?:(?:an?|the|one|two|some|several|his|her|its|their)\s+)?(?:[\w'-]{{1,60}}\s+){{0,4}}?{_COMMON}"
    rf"(?:\s+of\s+{_NAMES})?"
)
_SOURCE = rf"(?:{_NOUN}(?:\s+{_NAME}){{0,5}}|(?:[Tt]he\s+)?[A-Z][\w.'-]{{0,60}}(?:\s+{_NAME}){{0,7}})"
_ACCORDING = re.compile(rf"\b[Aa]ccording to ({_SOURCE})")
_AFTER = re.compile(rf"[,\"]\s+(?:{_VERB})\s+({_SOURCE})\s*[.,\"]")
_BEFORE = re.compile(
    rf"(?:^|[,;\"–-]\s*)({_SOURCE})(?:,[^,]{{1,60}},)?\s+(?:has\s+|have\s+|also\s+)?{_VERB}\b"
)


def find_speaker(text: str) -> str:
    """The source that a sentence names for what it tells, as it names it; empty where it names none.

    >>> find_speaker("Twelve people died in the fire, according to the coast guard's spokesman.")
    "the coast guard's spokesman"
    >>> find_speaker("Officials in Bilbao said the ferry had been checked in May.")
    'Officials in Bilbao'
    >>> find_speaker("A ferry burnt off the coast on Friday.")
    ''
    """
    shown = plain(text)[:1_000]
    for pattern in (_ACCORDING, _AFTER, _BEFORE):
        match = pattern.search(shown)
        if match:
            return match[1].strip(" .,")
    return ""


QUESTIONS = ("news_value", "states", "news", "alone")
"""What is asked of each sentence: all three of the others, whether it states, tells news, can stand alone."""

_BORDER = 0.5
_BORDER_WITH_TITLE = 3.0
_GLUED = 2.0
_LIKELY, _DOUBTFUL, _DOUBTFUL_CLAUSE = 0.0, -3.0, -1.2
_OPENING_SENTENCES = 5
_LEAD_SENTENCES = 4
_NEWS_DAYS = (-1, 0, 1, 2, 6)
"""Days before that of publication, which is tomorrow in other zones; there its weekday is taken for last week's."""
_FULL_LINE = re.compile(
    r"\n[a-z]|(?:,|\b(?:an?|the|of|off|in|at|on|to|for|from|by|with|near|and|or|but|that|who|as|was|were|is|are|has|have"
    r"|had|its|his|her|their|said)) ?\n"
)
"""A line that ends where it was full: the next goes on in lower case, or it ends with a word that wants another."""
_BEGUN = re.compile(r"[\"'“‘`(]*[A-Z\d]")
_SHORTEST = 20
_TITLE_WORDS = 3


class ArticleSentence(Struct, gc=False):
    """A sentence of an article.

    `sentence` has the number that it has in the document, and the text from where the sentence proper begins: headline,
    caption, byline, dateline and an entry's time of day are cut at the border. `start` is how many characters that
    were. `news_value`, `states`, `news` and `alone` are probabilities, 0 to 1. `mode` says what it does: `states`,
    `asks`, `quotes`, `opines`, `supposes`, or `none` (no sentence of the article). `part` is `lead`, `body`,
    `quotation`, `background`, `links` or `comment`. `times` are the time expressions of the cut text.
    """

    sentence: Sentence
    start: int
    times: list[TimeExpression]
    news_value: float
    states: float
    news: float
    alone: float
    mode: str
    part: str

    @property
    def speaker(self) -> str:
        """Who says it, in the sentence's own words; empty where it names nobody."""
        return find_speaker(self.sentence.text)


class ArticleModel:
    """The learned answers: for each question the mean of a logistic sum and of boosted trees, and the border table."""

    def __init__(
        self, trees: Sequence[Trees], mean: Any, scale: Any, weights: Any, biases: Any, borders: Any
    ) -> None:
        self.trees, self.mean, self.scale, self.weights, self.biases = trees, mean, scale, weights, biases
        self.borders = borders

    @cached_property
    def _forest(self) -> Forest:
        return Forest(self.trees)

    @classmethod
    def of(cls, model: Model) -> ArticleModel:
        """From a model file; raises UsageError where it does not fit this version."""
        if list(model.settings.get("features", ())) != list(FEATURES):
            raise UsageError(
                f"{model.file}: a model of articles that weighs other features (expected those of this version): "
                f"{', '.join(FEATURES)}"
            )
        shapes = {"mean": "(features)", "scale": "(features)", "biases": "(questions)", "borders": "(places)"}
        shapes |= {"weights": "(questions, features)"}
        for question in QUESTIONS:
            shapes |= trees_shapes(question)
        sizes = {"features": len(FEATURES), "questions": len(QUESTIONS), "places": PLACES}
        arrays = check_arrays(model, shapes, sizes, nonzero=("scale",))
        trees = [
            Trees.read(model.arrays, model.settings, question).checked(len(FEATURES))
            for question in QUESTIONS
        ]
        return cls(
            trees, arrays["mean"], arrays["scale"], arrays["weights"], arrays["biases"], arrays["borders"]
        )

    def answer(self, rows: ndarray[Any, Any]) -> ndarray[Any, Any]:
        """The probabilities of the QUESTIONS, in their order, for each row of features: shape [rows, questions]."""
        import numpy as np

        linear = ((rows - self.mean) / self.scale) @ self.weights.T + self.biases
        boosted = self._forest.predict(rows)
        odds = np.clip(np.stack([linear, boosted]).astype(float), -30.0, 30.0)
        mean: ndarray[Any, Any] = (1.0 / (1.0 + np.exp(-odds))).mean(axis=0)
        return mean


class Article:
    """A document read whole, each part of it when it is asked for.

    Where its sentences begin costs little; the rest is read for all of them at once. `sentences` are cut there. A title
    that stands first is read by itself, as a sentence of one, so that what follows is read as it would be without it.
    """

    def __init__(self, sentences: Sequence[Sentence], model: ArticleModel, level: float) -> None:
        self._stored, self._model, self._level = sentences, model, level
        titled = int(len(sentences) > 1 and is_headline(sentences[0]))
        body = sentences[titled:]
        entries = find_entries([sentence.text for sentence in body])
        self._titled = titled
        self._entries = [titled + number for number in entries]
        self._dateline = dateline_end([sentence.text for sentence in body])
        self.starts = [
            *(label_end(sentence.text) for sentence in sentences[:titled]),
            *_starts(body, entries, self._dateline, model.borders, titled, level),
        ]
        """How many characters are cut from each sentence."""
        self.cut = [
            replace(sentence, text=sentence.text[start:]) if start else sentence
            for sentence, start in zip(sentences, self.starts, strict=True)
        ]
        """The sentences, each from where it begins."""

    @cached_property
    def opens_glued(self) -> bool | None:
        """Whether a headline seems to stand before the first sentence; None where there is a title, or no beginning."""
        opening = self._stored[0] if self._stored else None
        if opening is None or self._titled or opening.index or opening.title.strip():
            return None
        return is_glued(opening.text, self._model.borders, _BORDER)

    @property
    def _opens_doubtfully(self) -> bool:
        """Whether nearly all articles of the source begin with headline or caption, and this one's end is unclear.

        It is where nothing was cut and a border may stand, or where one may stand between two clauses; a dateline makes
        it clear.
        """
        if self._level >= _BORDER or self.opens_glued is None or self._dateline[1]:
            return False
        text, borders = self.cut[0].text, self._model.borders
        if not self.starts[0] and is_glued(text, borders, level=_DOUBTFUL):
            return True
        return clause_end(text, 0, borders, _DOUBTFUL_CLAUSE) > 0

    @cached_property
    def captions(self) -> frozenset[int]:
        """The numbers of the sentences that describe a picture."""
        first, dated = self._titled + self._dateline[0], self._dateline[1]
        numbers = set()
        for number in range(self._titled, len(self._stored)):
            text, start = self._stored[number].text, self.starts[number]
            # What stands before a dateline says nothing of what stands behind it.
            shown = (text[start:], 0) if dated and number == first else (text, start)
            if is_caption(*shown, self._published):
                numbers.add(number)
        return frozenset(numbers)

    @cached_property
    def unfit(self) -> frozenset[int]:
        """The numbers of the sentences that cannot be emitted.

        They stand before the article or beside it (highlights, captions of pictures), are cut short by the page, or, in
        an article that explains or comments, name no day of the last three. Where no sentence at the head of a report
        with a dateline names one, it is a feature: of that, what neither names one nor says who says so is unfit.
        """
        if not self._stored:
            return frozenset()
        texts = [sentence.text for sentence in self._stored]
        first = self._titled + self._dateline[0]
        numbers = {*range(self._titled, first), *self.captions}
        if self._opens_doubtfully:
            numbers.add(0)
        for number, text in enumerate(texts):
            if number >= self._titled and (is_cut_short(text) or points_to_page(self.cut[number].text)):
                numbers.add(number)
            near = self._titled < number < self._titled + _OPENING_SENTENCES
            if number > self._titled and (is_credited(text) or (near and loose_credit_end(text))):
                numbers.add(number - 1)
        dates = [self._is_dated(times) for times in self._features[0]]
        if explains(self._stored[0].title, self._stored[0].url):
            numbers.update(number for number, is_dated in enumerate(dates) if not is_dated)
        elif self._is_feature(dates, first):
            says = (self.rows[:, _SAYING] > 0).tolist()
            numbers.update(number for number, is_dated in enumerate(dates) if not (is_dated or says[number]))
        return frozenset(numbers)

    def _is_feature(self, dates: Sequence[bool], first: int) -> bool:
        """Whether no sentence at the head of an agency's report names its day; a flash may name none at all."""
        head = slice(first, first + _LEAD_SENTENCES)
        if not self._dateline[1] or any(dates[head]):
            return False
        return len(dates) - first > _LEAD_SENTENCES or any(self._features[0][head])

    def _is_dated(self, times: Sequence[TimeExpression]) -> bool:
        return any(time.value[:10] in self._news_days for time in times)

    @cached_property
    def _news_days(self) -> frozenset[str]:
        return frozenset(str(self._published - timedelta(days=ago)) for ago in _NEWS_DAYS)

    @cached_property
    def _published(self) -> date:
        return _day_of(self._stored[0])

    @cached_property
    def _lowered(self) -> list[str]:
        return [lower_rest(sentence.text) for sentence in self.cut]

    @cached_property
    def surfaces(self) -> Surfaces:
        """What the sentences look like."""
        texts = list(self._lowered)
        if self._titled and texts[0][-1].isalnum():
            texts[0] += "."
        return Surfaces(texts)

    @cached_property
    def answers(self) -> ndarray[Any, Any]:
        """The probabilities of the QUESTIONS for each sentence, shape [sentences, questions]."""
        return self._model.answer(self.rows)

    @cached_property
    def kind(self) -> DocumentKind:
        """What the document is."""
        surfaces = Surfaces(self.surfaces.texts[1:]) if self._titled else self.surfaces
        return find_kind(surfaces, self._entries)

    @cached_property
    def modes(self) -> list[str]:
        """What each sentence does (see `ArticleSentence`)."""
        states, insides = self.answers[:, 1].tolist(), (self.rows[:, _INSIDE] > 0).tolist()
        return [
            _mode(self.surfaces, number, state, inside)
            for number, (state, inside) in enumerate(zip(states, insides, strict=True))
        ]

    @property
    def rows(self) -> ndarray[Any, Any]:
        """The features of the sentences, float32 of shape [sentences, features]."""
        rows: ndarray[Any, Any] = self._features[1]
        return rows

    @cached_property
    def sentences(self) -> list[ArticleSentence]:
        """The sentences in order, each with what it does."""
        answers, times = self.answers.tolist(), self._features[0]
        opening = {*self._entries, self._titled + self._dateline[0]}
        sentences = []
        for number, (value, states, news, alone) in enumerate(answers):
            mode = self.modes[number]
            part = _part(mode, states, news, self.kind, number in opening)
            sentence, start = self.cut[number], self.starts[number]
            sentences.append(
                ArticleSentence(
                    sentence, start, times[number], value, states, news, alone, mode=mode, part=part
                )
            )
        return sentences

    @cached_property
    def _features(self) -> tuple[list[list[TimeExpression]], ndarray[Any, Any]]:
        import numpy as np

        surfaces, count = self.surfaces, len(self.cut)
        if not count:
            return [], np.zeros((0, len(FEATURES)), dtype=np.float32)
        times: list[list[TimeExpression]] = []
        parts = []
        # The article begins with its dateline: what stands before is read by itself.
        begins = {*range(self._titled), *self._entries, self._titled + self._dateline[0], count}
        for first, last in pairwise(sorted(begins)):
            reader = TimeReader(self._published)
            own = [
                # The cues of its looks are not those of a text in capitals.
                reader.read(sentence.text, cues if small is sentence.text else find_cues(sentence.text))
                for sentence, small, cues in zip(
                    self.cut[first:last], self._lowered[first:last], surfaces.cues[first:last], strict=True
                )
            ]
            times += own
            parts.append(read_features(surfaces, own, self._published, slice(first, last)))
        return times, parts[0] if len(parts) == 1 else np.concatenate(parts)


class ArticleReader:
    """Reads documents sentence by sentence; what it reads depends on the document alone."""

    def __init__(self, model: ArticleModel) -> None:
        self._model = model

    @classmethod
    def of(cls, model: Model) -> ArticleReader:
        """From a model file; raises UsageError where it does not fit this version."""
        return cls(ArticleModel.of(model))

    def read(self, sentences: Sequence[Sentence], level: float = _BORDER) -> Article:
        """The article that these are the sentences of, in their order.

        `level` is how sure a headline before a first sentence without a title must be (see `Openings`).

        >>> reader = shipped_reader()
        >>> texts = ["LONDON (Reuters) - A ferry burnt on Friday.", "Why is not known.", "Have your say."]
        >>> article = reader.read([Sentence("d", number, text, 1374849600) for number, text in enumerate(texts)])
        >>> article.kind, article.sentences[0].sentence.text
        ('report', 'A ferry burnt on Friday.')
        >>> article.sentences[0].news_value > article.sentences[2].news_value
        True
        """
        return Article(sentences, self._model, level)

    def is_glued(self, text: str) -> bool:
        """Whether a heading or a caption nearly certainly stands before a sentence: it cannot be emitted as it is."""
        return is_glued(text, self._model.borders, _GLUED)

    def rows(self, sentences: Sequence[Sentence]) -> ndarray[Any, Any]:
        """The features of the sentences of a document, float32 of shape [sentences, features]."""
        return self.read(sentences).rows


def _day_of(sentence: Sentence) -> date:
    return datetime.fromtimestamp(sentence.published_time, UTC).date()


def _starts(
    sentences: Sequence[Sentence],
    entries: Sequence[int],
    dateline: tuple[int, int],
    borders: ndarray[Any, Any],
    titled: int,
    untitled: float,
) -> list[int]:
    starts = [0] * len(sentences)
    if len(entries) > 1:
        for number in entries:
            starts[number] = entry_start(sentences[number].text)
    texts = [sentence.text for sentence in sentences]
    published = _day_of(sentences[0]) if sentences else None
    before, end = dateline
    if end and not starts[before]:
        starts[before] = end
    lines = _lines_are_whole(texts)
    last = max(_OPENING_SENTENCES, before + 1)
    for number, (sentence, text) in enumerate(zip(sentences, texts, strict=True)):
        if starts[number]:
            continue
        at = _line_start(text) if lines else 0
        if number < last:
            title = sentence.title.strip()
            at = at or (_title_end(text, title) if number == 0 else 0)
            opening = number == 0 and sentence.index == titled and not at
            level, loose = (_BORDER_WITH_TITLE, inf) if title else (max(untitled, _BORDER), _BORDER)
            at += lead_start(
                text[at:], borders, level=level, loose=loose, opening=opening, published=published
            )
            if opening and not title and untitled <= _BORDER:
                for _ in range(2):  # two captions, or two highlights
                    at = clause_end(text, at, borders, _LIKELY)
            if number and not at:
                at = loose_credit_end(text)
                at += lead_start(text[at:], borders, level=level, opening=False) if at else 0
        starts[number] = at
    return starts


def _lines_are_whole(texts: Sequence[str]) -> bool:
    """Whether a line of these texts ends where a paragraph ends, and not where a line of print was full."""
    return any("\n" in text for text in texts) and not any(map(_FULL_LINE.search, texts))


def _line_start(text: str) -> int:
    """Where the last line of a sentence begins if it could stand alone: what is above are headings; else 0."""
    at = text.rfind("\n") + 1
    return at if len(text) - at > _SHORTEST and _BEGUN.match(text, at) else 0


def _title_end(text: str, title: str) -> int:
    """Where the title ends that a text repeats before its first sentence; 0 where that sentence only begins like it."""
    if not title or not text.startswith(title) or len(text) - len(title) <= _SHORTEST:
        return 0
    rest = text[len(title) :]
    proper = rest.lstrip(" \n\t.:|-–—")
    gap = rest[: len(rest) - len(proper)]
    if not gap or not (proper[:1].isupper() or proper[:1].isdigit() or proper[:1] in "\"'“‘`"):
        return 0
    if len(title.split()) < _TITLE_WORDS and not gap.strip() and "\n" not in gap:
        return 0
    return len(text) - len(proper)


_INSIDE, _SAYING = FEATURES.index("inside_quote"), FEATURES.index("saying")


def _part(mode: str, states: float, news: float, kind: DocumentKind, opens: bool) -> str:
    if kind == "comments":
        return "comment"
    if mode == "none":
        return "links"
    if mode == "quotes":
        return "quotation"
    if opens:
        return "lead"
    return "background" if news < 0.3 and states >= 0.5 else "body"


def _mode(surfaces: Surfaces, number: int, states: float, inside: bool) -> str:
    if surfaces.asks[number] and states < 0.5:
        return "asks"
    if (inside or surfaces.begins_quote[number]) and states < 0.6:
        return "quotes"
    if states >= 0.5:
        return "states"
    if surfaces.furniture[number] or surfaces.foreign[number] or surfaces.words[number] < 4:
        return "none"
    return "supposes" if surfaces.modal[number] and not surfaces.first[number] else "opines"


def shipped_reader() -> ArticleReader:
    """The reader with the model that comes along, made once."""
    return prepare(read_model("articles"), _reader)


def _reader(model: Model) -> ArticleReader:
    return ArticleReader.of(model)
