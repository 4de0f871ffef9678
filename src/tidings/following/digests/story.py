"""A story: the documents that are about an event, the days that their sentences speak of, and which stand alone.

Days are numbers, `date.toordinal()`; a document's day is that of its publication on the clock of a time zone.

Whether a sentence can be quoted alone is told by rules of the surface (words that open a sentence and point back,
persons, questions, tables, other languages), and what the article model answers: whether the sentence states
something, and whether it can be understood alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, tzinfo
from hashlib import blake2b

from msgspec import Struct
from msgspec.structs import replace

from tidings.analysis import (
    ArticleSentence,
    Openings,
    TimeExpression,
    TimeReader,
    as_written,
    find_casualties,
    shipped_reader,
)
from tidings.core import (
    Document,
    Event,
    Evidence,
    Sentence,
    Vector,
    analyzer_of,
    count_words,
    cut,
    in_their_language,
    is_headline,
    shared_analyzer,
)
from tidings.following.digests.ballast import joined, without_ballast
from tidings.following.digests.chronologies import read_chronology
from tidings.following.digests.relevance import HEAD_SENTENCES, Rarity, Relevance

SHORTEST_WORDS, LONGEST_WORDS = 6, 40
"""Words between blanks that a sentence of a digest has; captions are shorter, glued headlines and lists longer."""

_LEAST_ALONE = _LEAST_STATES = 0.3
"""Probabilities below which a sentence is left out; higher ones cost what references tell."""

_POINTS_BACK = re.compile(
    r"(?:he|she|it(?! (?:is|was|remain(?:s|ed)) (?:still )?(?:un|not (?:yet |immediately )?)(?:clear|known))"
    r"|they|this|that|these|those|but|and|however|his|her|their|its|there|then|so|also|such|here|some"
    r"|another|one|both|meanwhile|or|nor|yet|because|instead)\b",
    re.IGNORECASE,
)
_PERSONS = re.compile(r"\b(?:I|[Ww]e|[Mm]y|[Oo]ur|me|us|'m|[Yy]ou|[Yy]our)\b")
_FURNITURE = re.compile(
    r"^\d{1,2} \w+ \d{2,4} \d\d:\d\d |"
    r"\|\s*Reply|\bclick here\b|\bread more\b|\bjavascript\b|\be-mail\b|\b(?:photo(?:graph)?|image|video|source) ?:"
    r"|^follow (?:the latest|our|us)\b"
    r"|https?://|\bwww\.|\bsubscribe\b|\bcopyright\b",
    re.IGNORECASE,
)
_OPENING_MARKS = "`\"'“‘«([-*•>"
_COMMENT = re.compile(
    r"\s*(?:\d+\s*\.\s*)?At \d{1,2}[:.]\d\d\b.{6,60}?\bwrote\s*:"
    r"|\s*\d{1,2}(?:st|nd|rd|th) \w+ \d{4} ?[-–] ?\d{1,2}:\d\d\b|\s*Added ?: \w+day\b"
    r"|\s*[A-Z][a-z]{2,8} \d{1,2} ?, \d{4} at \d{1,2}:\d\d [ap]m \|"
    r"|.{0,80}\|\s*Reply\b|\s*(?:Posted|Comment(?:ed)?) (?:by|at|on) .{0,60}\d",
    re.IGNORECASE,
)


def begins_comments(text: str) -> bool:
    """Whether a sentence is the head of a reader's comment: all that follows in its document is no article.

    >>> begins_comments("At 6:42 pm on 11 Jun 2009 , James wrote : go ahead"), begins_comments("At 6:42 pm it fell.")
    (True, False)
    """
    return _COMMENT.match(text) is not None


_LABEL = re.compile(
    r"(?:Related|Watch|Listen|Read (?:more|also)|See also|(?:Image|Media|Photo) caption|RT @|Video|Gallery|In pictures"
    r"|Live)\b ?[:@]?|(?:[A-Z][A-Z.'-]+(?:,? [A-Z][A-Z.'-]+){0,4}) ?: ",
)
"""What labels a line as a link, a caption, a retweet or someone's turn to speak."""


_ONLY_SAYS = re.compile(
    r"[^,.;:]{3,60}\b(?:said|says|added|wrote)(?: (?:in|on|at|during) (?:[\w.']+ ){0,3}"
    r"(?:statement|speech|interview|post|letter|email|report|court|conference|parliament|[A-Z][a-z]+day))? ?\.?",
)
"""A sentence that tells who spoke where, and not what."""

_OF_WHOM = re.compile(
    r"(?:As of|Like|Unlike|On|In|By|At|After|Before|Since|During|Last|Earlier)\b[^,]{0,40}, (?:he|she|they|it)\b",
    re.IGNORECASE,
)
_CUT_OFF = ("…", "...")


def is_cut_off(text: str) -> bool:
    """Whether a text breaks off, as the descriptions in many feeds do.

    >>> is_cut_off("The talks in Geneva ended with …"), is_cut_off("The talks in Geneva ended.")
    (True, False)
    """
    return text.rstrip().endswith(_CUT_OFF)


def can_be_quoted(sentence: ArticleSentence, text: str) -> bool:
    """Whether a sentence, shown as `text`, tells something by itself, by its surface and by the article model."""
    return sentence.alone >= _LEAST_ALONE and sentence.states >= _LEAST_STATES and is_readable(text)


def is_readable(text: str) -> bool:
    """Whether a sentence tells something by itself, as far as its surface shows.

    >>> is_readable("The well was sealed on Sunday, officials said."), is_readable("He said it was sealed on Sunday.")
    (True, False)
    >>> is_readable("What do you think of the sealing of the well?"), is_readable("B m n Sinh ho , H Oxford c tr m")
    (False, False)
    >>> is_readable("")
    False
    """
    words = text.split()
    if not SHORTEST_WORDS <= len(words) <= LONGEST_WORDS:
        return False
    if "?" in text or text.lstrip()[:1] in _OPENING_MARKS or _POINTS_BACK.match(text.lstrip()):
        return False
    if text.count("”") > text.count("“"):  # it begins within a quotation
        return False
    if _PERSONS.search(text) or _FURNITURE.search(text) or _LABEL.match(text.lstrip()):
        return False
    if _ONLY_SAYS.fullmatch(text.strip()) or _OF_WHOM.match(text.lstrip()):
        return False
    return _is_language(words)


def _is_language(words: list[str]) -> bool:
    """Whether words are words: few single letters (letters lost in conversion leave them), more letters than digits.

    >>> _is_language("a virus of pigs".split()), _is_language("c m # c o b ng".split())
    (True, False)
    """
    letters = sum(1 for word in words if len(word) == 1 and word.isalpha() and word not in "aAI")
    numbers = sum(1 for word in words if word[:1].isdigit())
    return letters <= 0.2 * len(words) and numbers <= 0.4 * len(words)


_PLANS = re.compile(
    r"(?:(?![,;:]|\b(?:and (?:will|is|are)|who|which|that|after|but|[a-z]{2,}ed)\b).)*?"
    r"(?:\b(?:will|(?:is|are) (?:due|set|expected|scheduled|planning|planned|to)|plans? to)\b|['’]ll\b)"
)
"""A plan that still stood when it was told, and nothing before that was done: `was caught and will be tried`."""
_AHEAD = re.compile(
    r"\b(?:will|would|shall|due|plan\w*|expect\w*|schedul\w*|next|until|till|set to|to be|(?:is|are|was|were) to"
    r"|going to|ahead of|tomorrow|coming|upcoming|agree[sd]? to (?:hold|meet|talk|resume|return|host))\b|'ll\b",
    re.IGNORECASE,
)
_PLANNED_ON = re.compile(
    r"\b(?:will|could|might|due to|scheduled to|set to|expected to|plans? to)\b(?! have\b)"
    r"(?:(?!\b(?:said|says|told|after|since|when|that|as)\b)[^.;]){0,120}\b(?:on|by) \Z"
    r"|\b(?:set|scheduled|planned|due) (?:for|on) \Z",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_FURTHEST_PLAN = 200  # characters before a weekday that are read for what is planned on it
_POSSESSIVE = re.compile(r" ?['’]s\b")
_WEEKDAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day\Z", re.IGNORECASE)


def looks_ahead(text: str) -> bool:
    """Whether a sentence holds words of what is to come.

    >>> looks_ahead("Ministers are due to meet on Friday ."), looks_ahead("Ministers met on Friday .")
    (True, False)
    """
    return _AHEAD.search(text) is not None


def named_days(text: str, times: Sequence[TimeExpression], published: int) -> tuple[int, ...]:
    """The days that time expressions of a sentence mean, each once, in rising order; months and years are no days.

    A weekday that was resolved to a day after the publication is the one before it where nothing looks ahead ("leaking
    from a rig that sank on Thursday"); one that was resolved to a day before it is the one after it where the sentence
    plans something on it ("plans to seal it on Tuesday"). A day without a year is not meant where a later year is
    planned for ("will host the games of 2034 from 10 February"), or where it would be past when it was planned. Beside
    another day that of "Tuesday's earthquake" says which one, and not when something happened.
    """
    days = set()
    ahead = max(map(int, _YEAR.findall(text)), default=0) if looks_ahead(text) else 0
    single = [time for time in times if time.first_day == time.last_day]
    for time in [time for time in single if not _POSSESSIVE.match(text, time.end)] or single:
        day = time.first_day.toordinal()
        is_planned = _PLANNED_ON.search(text[max(0, time.start - _FURTHEST_PLAN) : time.start]) is not None
        if (
            published < day <= published + 7
            and _WEEKDAY.match(text[time.start : time.end])
            and not (is_planned or looks_ahead(text))
        ):
            day -= 7
        elif time.first_day.year < ahead and not _YEAR.search(text[time.start : time.end]):
            continue
        elif day < published and is_planned:
            if published - 7 <= day and _WEEKDAY.match(text[time.start : time.end]):
                day += 7
            elif not _YEAR.search(text[time.start : time.end]):
                continue
        days.add(day)
    return tuple(sorted(days))


def is_past_plan(text: str, published_s: int, now_s: int) -> bool:
    """Whether a sentence only says what will be, on a day that has passed since (days of UTC).

    >>> noon = 1374840000  # Friday 26 July 2013
    >>> plan = "The ministers will meet on Monday, a spokesman said."
    >>> [is_past_plan(text, noon, noon + 4 * 86_400) for text in (plan, "The ministers met on Monday.")]
    [True, False]
    >>> is_past_plan(plan, noon, noon + 3 * 86_400)
    False
    """
    if _PLANS.match(text) is None or find_casualties(text):
        return False
    day, today = (datetime.fromtimestamp(max(0, at), UTC).date() for at in (published_s, now_s))
    last = max(named_days(text, TimeReader(day).read(text), day.toordinal()), default=0)
    return day.toordinal() < last < today.toordinal()


def is_of_other_times(times: Sequence[TimeExpression], published: int) -> bool:
    """Whether time expressions speak of other times alone: none holds the day of publication or the day before.

    >>> from datetime import date
    >>> from tidings.analysis.articles.time_expressions import TimeReader
    >>> day = date(2013, 7, 26)
    >>> [is_of_other_times(TimeReader(day).read(text), day.toordinal()) for text in ("It opened in 1983.", "It opens.")]
    [True, False]
    """
    return bool(times) and not any(
        time.first_day.toordinal() <= published and time.last_day.toordinal() >= published - 1
        for time in times
    )


LEAST_RELEVANCE = 0.3
"""Documents less about the event than this are left out of its story."""

LONGEST_CHARS = 2_000
"""Characters of a sentence that are looked at for days; hostile input holds sentences of millions."""

_LEAST_ABOUT = 0.05
"""Sentences less about the event than this share no word of weight with it, and are not quoted."""

_LATEST = 253402214400
"""The last day of the calendar, in seconds UTC."""

_DAYS_BEFORE = 31
"""Days before the first publication that a story may still tell of."""

_LEAST_SHARE = 0.1
"""Of the documents in one language, from which on the query is looked for as that language reads it."""

_ASKS = re.compile("[?？؟]")

Progress = Callable[[int, int], None]
"""Called with how much is done, and of how much."""


class StorySentence(Struct, eq=False, gc=False):
    """One sentence of a story.

    `document` and `place` number its document in the story and it in its document, from 0. `days` are the days that its
    time expressions name, each once, in rising order. `weight` is how far it and its document are about the event, 0 to
    1. `readable` says whether it can be quoted alone, `start` where its own words begin, behind headline and dateline.
    `elsewhen` says that it speaks of other times than those at which it was published, `chronology` that it is a line
    of one. `alone` and `news_value` are what the article model says, 0 to 1.
    """

    document: int
    place: int
    sentence: Sentence
    stems: tuple[str, ...]
    published: int
    days: tuple[int, ...]
    weight: float
    readable: bool
    start: int
    vector: Vector
    elsewhen: bool = False
    chronology: bool = False
    alone: float = 0.5
    news_value: float = 0.5

    def evidence(self, *, shorten: bool = False) -> Evidence:
        """The sentence with where it comes from, as a digest quotes it, or without what it can do without.

        Its text is as people write it, where the source was cut into tokens.
        """
        text = self.text
        quoted = Evidence.of(replace(self.sentence, text=as_written(text)))
        pieces = without_ballast(text) if shorten else [(0, len(text))]
        if pieces == [(0, len(text))]:
            return quoted
        places = tuple((self.start + start, self.start + end) for start, end in pieces)
        return replace(quoted, text=as_written(joined(text, pieces)), pieces=places)

    @property
    def text(self) -> str:
        """Its own words."""
        return self.sentence.text[self.start :]


class Story(Struct, eq=False):
    """All that is known of an event: sentences in time order, the days they may be told under, and how many documents.

    `first_day` and `last_day` bound the days that a digest may have. `published` gives for each document of the story
    its day in `zone`, `relevance` how far it is about the event.
    """

    event: Event
    sentences: list[StorySentence]
    published: list[int]
    relevance: list[float]
    first_day: int
    last_day: int
    documents_read: int = 0
    first_time: int | None = None
    last_time: int | None = None
    zone: tzinfo = UTC


def day_of(time: int, zone: tzinfo = UTC) -> int:
    """The number of the day on which a time (seconds UTC) falls in a zone; times beyond the calendar are held to it.

    >>> day_of(0), day_of(86400)
    (719163, 719164)
    """
    return datetime.fromtimestamp(min(max(time, 0), _LATEST), zone).toordinal()


def read_story(
    documents: Iterable[Document],
    event: Event,
    *,
    zone: tzinfo = UTC,
    chosen: bool = False,
    progress: Progress = lambda done, total: None,
) -> Story:
    """The story of an event, from documents in any order; one that repeats another word for word counts once.

    With `chosen` the documents were chosen for the event already, and none is left out.

    The event's period bounds the days that may be told, not the documents: later ones speak of earlier days.

    Raises:
        What `documents` raise.

    >>> fire = Document(id="a", published_time=86400, text="A ferry burns at the port. It began on Thursday.")
    >>> story = read_story([fire, fire], Event(id="1", title="", query="ferry fire"))
    >>> [(one.sentence.index, one.days) for one in story.sentences]
    [(0, ()), (1, (719163,))]
    """
    read: set[str] = set()
    kept: dict[bytes, Document] = {}
    for document in documents:
        read.add(document.id)
        progress(len(read), 0)
        digest = _digest_of(document)
        if _order(document) <= _order(kept.setdefault(digest, document)):
            kept[digest] = document
    whole = [_without_headline(cut(document)) for document in sorted(kept.values(), key=_order)]
    whole = [document for document in whole if document.sentences]
    languages = [_language_of(document) for document in whole]
    heads = [
        _head(document, analyzer_of(code).stems) for document, code in zip(whole, languages, strict=True)
    ]
    # The query as each language reads it; a few documents in another one do not make it longer for the others.
    many = {code for code, count in Counter(languages).items() if count >= _LEAST_SHARE * len(whole)} or {""}
    asked = dict.fromkeys(stem for code in sorted(many) for stem in analyzer_of(code).stems(event.query))
    relevance = Relevance(() if chosen else tuple(asked), heads)
    values = list(map(relevance.of_document, heads))
    places = [place for place, value in enumerate(values) if value >= LEAST_RELEVANCE]
    kept_places = places if chosen else relevance.of_event(heads, places, languages)
    about = [(whole[place], values[place]) for place in kept_places]
    sentences: list[StorySentence] = []
    openings = Openings()
    for number, (document, value) in enumerate(about):
        progress(number, len(about))
        sentences += _sentences_of(number, document, value, relevance, zone, openings)
    rarity = Rarity(sentence.stems for sentence in sentences)
    for sentence in sentences:
        sentence.vector = rarity.vector(sentence.stems)
    published = [day_of(document.published_time, zone) for document, _ in about]
    first, last = _bounds(event, published, zone)
    return Story(
        event,
        sentences,
        published,
        [value for _, value in about],
        first,
        last,
        len(read),
        about[0][0].published_time if about else None,
        about[-1][0].published_time if about else None,
        zone,
    )


def _without_headline(document: Document) -> Document:
    """Without the title as a sentence: a digest quotes what is under it, where there is anything."""
    sentences = document.sentences
    if len(sentences) > 1 and is_headline(sentences[0]):
        return replace(document, sentences=sentences[1:])
    return document


def _order(document: Document) -> tuple[int, str, str]:
    return document.published_time, document.id, document.source


def _digest_of(document: Document) -> bytes:
    digest = blake2b(digest_size=16)
    for text in (document.text, *[sentence.text for sentence in document.sentences]):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    if not document.text and not document.sentences:
        digest.update(document.title.encode("utf-8", "surrogatepass"))
    return digest.digest()


def _head(document: Document, stems: Callable[[str], tuple[str, ...]]) -> list[tuple[str, ...]]:
    head = [stems(document.title)] if document.title else []
    return head + [stems(sentence.text[:LONGEST_CHARS]) for sentence in document.sentences[:HEAD_SENTENCES]]


def _sentences_of(
    number: int, document: Document, value: float, relevance: Relevance, zone: tzinfo, openings: Openings
) -> Iterable[StorySentence]:
    published = day_of(document.published_time, zone)
    language = _language_of(document)
    if language:
        yield from _as_they_stand(number, document, value, relevance, published, analyzer_of(language).stems)
        return
    article = shipped_reader().read(_as_read(document.sentences, zone), openings.level(document.source))
    if article.opens_glued is not None:
        openings.learn(document.source, article.opens_glued)
    stems_of = shared_analyzer().stems
    captions = article.captions
    lines = read_chronology([read.sentence.text for read in article.sentences], published)
    for place, (sentence, read) in enumerate(zip(document.sentences, article.sentences, strict=True)):
        if begins_comments(sentence.text[:LONGEST_CHARS]):
            return
        line = lines.get(place)
        text = read.sentence.text[line.start :] if line else read.sentence.text
        stems = stems_of(text)
        days = (line.day,) if line else named_days(text, read.times, published)
        about = relevance.of_sentence(stems)
        yield StorySentence(
            number,
            place,
            sentence,
            stems,
            published,
            days,
            value * about,
            place not in captions and can_be_quoted(read, text) and about >= _LEAST_ABOUT,
            read.start + (line.start if line else 0),
            {},
            is_of_other_times(read.times, published),
            line is not None,
            read.alone,
            read.news_value,
        )


def _language_of(document: Document) -> str:
    """The language of a document that is not in English, else ""."""
    sentences = in_their_language(document.sentences)
    return sentences[0].language if sentences[0].language != "en" else ""


def _as_they_stand(
    number: int,
    document: Document,
    value: float,
    relevance: Relevance,
    published: int,
    stems_of: Callable[[str], tuple[str, ...]],
) -> Iterable[StorySentence]:
    # In a language whose days and whose furniture nobody reads: told under the day on which they were published.
    for place, sentence in enumerate(document.sentences):
        text = sentence.text[:LONGEST_CHARS]
        stems = stems_of(text)
        about = relevance.of_sentence(stems)
        is_plain = SHORTEST_WORDS <= count_words(text) <= LONGEST_WORDS and not _ASKS.search(text)
        readable = is_plain and about >= _LEAST_ABOUT
        yield StorySentence(number, place, sentence, stems, published, (), value * about, readable, 0, {})


def _as_read(sentences: Sequence[Sentence], zone: tzinfo) -> list[Sentence]:
    """Sentences as the article reader takes them: not endless, published on the day of the zone's clock."""
    first = sentences[0]
    offset = zone.utcoffset(
        datetime.fromtimestamp(min(max(first.published_time, 0), _LATEST), UTC).astimezone(zone)
    )
    shift = round(offset.total_seconds()) if offset else 0
    return [
        replace(
            sentence,
            text=sentence.text[:LONGEST_CHARS],
            published_time=min(max(sentence.published_time + shift, 0), _LATEST),
        )
        if shift or len(sentence.text) > LONGEST_CHARS or sentence.published_time > _LATEST
        else sentence
        for sentence in sentences
    ]


def _bounds(event: Event, published: Sequence[int], zone: tzinfo) -> tuple[int, int]:
    first = min(published, default=1) - _DAYS_BEFORE
    last = max(published, default=0)
    if event.start_time is not None:
        first = day_of(event.start_time, zone)
    if event.end_time is not None:
        last = min(last, day_of(event.end_time, zone))
    return max(first, 1), last
