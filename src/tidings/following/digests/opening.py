"""The opening of a digest: up to five quotations that can be read aloud before the days.

    happened   the sentence that is most like what is said of the day that documents name most; where no day stands
               out, of a long story of many documents that of its best day, else that of a first report most like
               what is said of the busiest days; none with an old figure
    stands     the newest sentence that gives the current toll, of a long story a recent one; without one, the main
               report of the last day, of a long story the newest beginning of a report about it; none is older than
               `happened`
    disputed   the newest sentence in which someone denies or disputes something that nobody has admitted since
    next       a plan with the first day to come after the last publication
    unknown    a recent sentence that says what is not known, if none has told the cause, the name or who did it since

Recent is the last quarter of the time that the story takes, and seven days at least.

All stand in documents that hold the core of the query in title and head, and hold a word of it themselves (`happened`
the core); where no sentence does, they are the first ones below such a title. `stands` is no copy of `happened`. A line
that nothing fits is left out; no sentence is quoted twice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby

from msgspec.structs import replace

from tidings.analysis import as_written, find_casualties, shipped_reader
from tidings.core import ATTRIBUTES, Evidence, OpeningLine, ValueUpdate, shared_analyzer
from tidings.following.digests.relevance import HEAD_SENTENCES, core_of, dot, mean_of
from tidings.following.digests.story import Story, StorySentence, is_cut_off, looks_ahead
from tidings.following.values.value_tracker import ValueTracker

_LONGEST_CHARS = 320
_BUSIEST_DAYS = 3
_FRESH_DAYS = 7
_EARLY = 1.25
"""By how much a report of the first of the busiest days is favoured."""
_FIRST = 3
_LEADS = 1.15
"""By how much one of the first sentences of a document is favoured."""
_FEWEST_NAMING, _AHEAD_OF_OTHERS = 4, 1.3
_LONG_DAYS, _MANY = 14, 30
_NEWS, _ABOUT = 0.6, 0.2
"""The news value and the weight of what is news about a long story."""
_MOST_COMPARED = 2_000
_PEOPLE = ("deaths", "missing", "injuries", "displaced")
_DISPUTED = re.compile(
    r"(?<!\bno )\b(?:(?:den(?:y|ies|ying)|denied)\b(?! (?:access|entry|bail|visas?|parole)\b"
    r"| (?:the|an?|his|her|its|their) (?:chance|right|opportunity|requests?|appeals?|bids?|motions?|petitions?)\b)"
    r"|disputed? (?=the|that|claims?|any)"
    r"|disputes|reject(?:s|ed|ing)? (?:the )?(?:claims?|accusations?|allegations?|criticism|reports?|suggestions?)"
    r"|contradict(?:s|ed|ing)|conflicting (?:reports?|accounts?|claims?)|refut(?:e[sd]?|ing))\b",
    re.IGNORECASE,
)
_SETTLED = re.compile(
    r"\b(?:admit(?:s|ted)?|acknowledg(?:es?|ed)|conced(?:es?|ed)|confess(?:es|ed)?|ple(?:aded|ads|d) guilty"
    r"|found guilty|convicted|sentenced|jailed|acquitted|withdrew|retract(?:s|ed)?|apologi[sz](?:es?|ed))\b",
    re.IGNORECASE,
)
_COPIED = 0.9
_SHARED = 2
"""Stems beside the query's that a sentence must share with a dispute to settle it."""
_FEARED = re.compile(r"\b(?:may|might|could) (?:have|be)\b|\bfear(?:ed|s)\b", re.IGNORECASE)
_POSSIBLE = re.compile(r"\b(?:may|might|could|fear(?:ed|s))\b")
_JUST_DONE = re.compile(r"\b(?:has|have) (?:been )?\w+(?:ed|en)\b")
"""What tells news though it names a year: `has been jailed for the fire of 2013`."""
_UNKNOWN = re.compile(
    r"\b(?:(?:(?:is|are|was|were) not (?:yet )?|not yet )known(?! (?:to be|to have|as|for)\b)"
    r"|not (?:yet )?been (?:established|identified|determined)"
    r"|(?:is|was|are|were|remains?|remained) (?:still )?(?:unclear|unknown)|not (?:yet |immediately )?clear"
    r"|still (?:missing|unaccounted)"
    r"|no (?:immediate )?(?:word (?:on|of|from)|claim of responsibility)"
    r"|no(?: |-?)(?:one|group|body|organi[sz]ation) (?:has )?(?:yet )?claimed responsibility"
    r"|did not (?:immediately )?(?:say|specify|identify)|investigating (?:the cause|how|why)"
    r"|(?:cause|motive)\b[^.;]{0,40}\bunder investigation)\b",
    re.IGNORECASE,
)

_HAPPENED = (
    r"(?:accident|attack|blackout|blast|blaze|collapse|collision|crash|derailment|disaster|explosion|failure"
    r"|fire|flood|illness|landslide|leak|outage|outbreak|poisoning|sinking|spill|stampede|tragedy|wreck)"
)
_VICTIMS = r"(?:victims?|dead|bod(?:y|ies)|remains|casualties|killed)"
_ANSWERS = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(answer, re.IGNORECASE))
    for asked, answer in (
        (
            r"\bcauses?\b|\bwhy\b|\bwhat (?:caused|led|sparked|started|triggered)\b|\bhow (?!many|much|long|far|old)",
            r"\b(?:was|were|is|been) (?:caused|triggered|sparked|started|set off|blamed|due|the result|traced)"
            r" (?:by|on|to|of|in|when)\b|\bcaused (?:the|this) (?:[\w'’-]+ ){0,2}?"
            rf"{_HAPPENED}|\bthe cause (?:was|is)\b(?! (?:not|un|still|under))"
            rf"|\bblame[sd]? [^.;]{{1,60}}? for (?:the|this|causing) (?:[\w'’-]+ ){{0,2}}?{_HAPPENED}",
        ),
        (
            # Whose bodies were found, and who did it, are two questions.
            rf"^(?!.*\b{_VICTIMS}\b).*(?:\bidentif|\bwho\b)",
            rf"^(?!.*\b{_VICTIMS}\b).*\b(?:(?:identified|named) (?:\w+ ){{0,5}}?as|police (?:named|identified))\b",
        ),
        (
            rf"\b{_VICTIMS}\b.*\bidentif|\bidentif.*\b{_VICTIMS}\b",
            rf"\b(?:{_VICTIMS} (?:\w+ ){{0,3}}?|police )(?:were |was )?(?:named|identified)\b"
            rf"|\b(?:named|identified) (?:\w+ ){{0,4}}?{_VICTIMS}\b",
        ),
        (r"\bresponsibility\b", r"^(?!.*\b(?:no|nobody|none|never|not)\b).*\bclaimed responsibility\b"),
    )
)
"""What is not known, and what tells it."""


def opening_lines(story: Story, best: Sequence[StorySentence] = ()) -> tuple[OpeningLine, ...]:
    """The opening of a story, in the order in which it is read; `best` are the sentences of its days, best day first.

    >>> from tidings.core.records import Document, Event
    >>> from tidings.following.digests.story import read_story
    >>> said = (
    ...     "A ferry fire at the port of Selde killed four people on Monday night, harbor police said.",
    ...     "The owner of the ferry denied that the fire doors were locked.",
    ...     "The cause of the fire on the ferry is not known, the coast guard said.",
    ... )
    >>> documents = [Document(id=f"d{n}", published_time=n * 86400, text=text) for n, text in enumerate(said, 4)]
    >>> story = read_story(documents, Event(id="1", title="", query="ferry fire"))
    >>> [(line.kind, line.sentence.doc_id) for line in opening_lines(story)]
    [('happened', 'd4'), ('disputed', 'd5'), ('unknown', 'd6')]
    """
    query = frozenset(shared_analyzer().stems(story.event.query or story.event.title))
    most = core_of(len(query))
    core, need = _of_core(story, query, most), most
    if not core and most > 1:
        core, need = _of_core(story, query, most - 1), most - 1
    if not core:
        core, need = _of_core(story, query, most, titled=True), most
    if not core:
        return ()
    lines: list[OpeningLine] = []
    used: set[tuple[str, int]] = set()

    def add(kind: str, found: Evidence | None, note: str = "") -> None:
        if found is not None and (found.doc_id, found.sentence_index) not in used:
            used.add((found.doc_id, found.sentence_index))
            lines.append(OpeningLine(kind, found, note))

    published = [one.published for one in core]
    quarter = max(_FRESH_DAYS, (max(published) - min(published)) // 4)
    recent = [one for one in core if one.published > max(published) - quarter]
    values = _values(story)
    toll, note = _toll(values, core)
    if toll is not None and _is_long(core) and toll.published_time < recent[0].sentence.published_time:
        toll, note = None, ""  # of an event that a long story told of once
    happened = _happened(story, core, query, need, values, best)
    if happened is None and toll is None:
        return ()
    is_same = toll == happened or (
        happened is not None
        and toll is not None
        and (_is_copy(toll.text, happened.text) or is_cut_off(toll.text))
    )
    add("happened", happened, note if is_same and toll else "")
    if not is_same:
        add("stands", toll or (_latest(core, happened, best) if happened else None), note)
    settled = [one for one in core if _SETTLED.search(one.text)]

    def is_disputed(one: StorySentence) -> bool:
        own = frozenset(one.stems) - query
        return _DISPUTED.search(one.text) is not None and not any(
            later.sentence.published_time > one.sentence.published_time
            and len(own.intersection(later.stems)) >= _SHARED
            for later in settled
        )

    add("disputed", _newest(core, is_disputed, used))
    add("next", *_next(story, core))

    answered = _answered(core)

    def is_unknown(one: StorySentence) -> bool:
        return _UNKNOWN.search(one.text) is not None and not any(
            time > one.sentence.published_time and asked.search(one.text) for asked, time in answered
        )

    add("unknown", _newest(recent, is_unknown, used))
    return tuple(lines)


def _answered(core: Sequence[StorySentence]) -> list[tuple[re.Pattern[str], int]]:
    """What asks for what was told, and not only feared or doubted, with when it was told last."""
    told = [
        one for one in core
        if not (_UNKNOWN.search(one.text) or _FEARED.search(one.text) or _DISPUTED.search(one.text))
    ]  # fmt: skip
    times = (
        (asked, [one.sentence.published_time for one in told if answer.search(one.text)])
        for asked, answer in _ANSWERS
    )
    return [(asked, max(when)) for asked, when in times if when]


def _of_core(story: Story, query: frozenset[str], need: int, titled: bool = False) -> list[StorySentence]:
    """What can be quoted of documents that hold so much of the query in their beginning, in time order.

    Where `titled` says so, the first sentence below a title that holds so much, though it holds none of it itself.
    """
    core = []
    for _, together in groupby(story.sentences, key=lambda one: one.document):
        document = list(together)
        title = frozenset(shared_analyzer().stems(document[0].sentence.title))
        if titled:
            document = document[:1] if len(query & title) >= need else []
        head = title.union(*(one.stems for one in document[:HEAD_SENTENCES]))
        if len(query & head) >= need:
            core += [
                one
                for one in document
                if one.readable
                and len(one.sentence.text) <= _LONGEST_CHARS
                and not is_cut_off(one.text)
                and (titled or not query or not query.isdisjoint(one.stems))
            ]
    return core


def _values(story: Story) -> dict[str, ValueUpdate]:
    tracker, values = ValueTracker(story.event), dict[str, ValueUpdate]()
    heads = []
    for one in story.sentences:
        if one.place == 0 and one.sentence.title:
            heads.append(replace(one.sentence, text=one.sentence.title))
        if one.place < HEAD_SENTENCES:
            heads.append(one.sentence)
    for time, together in groupby(heads, key=lambda one: one.published_time):
        values |= {value.attribute: value for value in tracker.read(list(together), time)}
    return values


def _toll(values: Mapping[str, ValueUpdate], core: Sequence[StorySentence]) -> tuple[Evidence | None, str]:
    """The newest sentence that gives the first of the figures that stand, with the number in words."""
    for attribute in _PEOPLE:
        value = values.get(attribute)
        if value is not None and value.value[0]:
            number, label = f"{value.qualifier} {value.value[0]:,.0f}".strip(), ATTRIBUTES[attribute].label
            differ = [f"{one:,.0f}" for one in _still_reported(value, core)]
            said = next((one.evidence() for one in reversed(core) if _counts(one, value)), None)
            said = said or _whole(value.evidence)
            return said, f"{number} {label}" + (f" (reports differ: {' to '.join(differ)})" if differ else "")
    return None, ""


def _whole(said: Sequence[Evidence]) -> Evidence:
    """The newest of these before which no headline stands, else the newest, as people write it."""
    is_glued = shipped_reader().is_glued
    chosen = next((one for one in reversed(said) if not is_glued(one.text)), said[-1])
    return replace(chosen, text=as_written(chosen.text))


def _counts(one: StorySentence, value: ValueUpdate, number: float | None = None) -> bool:
    wanted = value.value[0] if number is None else number
    return any(
        counted.attribute == value.attribute and counted.value == wanted
        for counted in find_casualties(as_written(one.text))
    )


def _still_reported(value: ValueUpdate, core: Sequence[StorySentence]) -> tuple[float, ...]:
    """The range of a figure, where another number than its own was given since its own was first."""
    since = min((one.published_time for one in value.evidence if one.published_time), default=value.time)
    others = [number for number in value.reported if number != value.value[0]]
    later = [one for one in core if one.sentence.published_time >= since]
    return value.reported if any(_counts(one, value, number) for number in others for one in later) else ()


def _happened(
    story: Story,
    core: Sequence[StorySentence],
    query: frozenset[str],
    need: int,
    values: Mapping[str, ValueUpdate],
    best: Sequence[StorySentence],
) -> Evidence | None:
    """Of what holds the core of the query and no figure that has changed since: what tells of the day most named.

    Where no day stands out, a first report.
    """
    stems_of = shared_analyzer().stems

    def holds(one: StorySentence, number: float, *others: str) -> bool:
        return len(query.intersection((*one.stems, *stems_of(" ".join(others))))) >= number

    def may_stand(one: StorySentence) -> bool:
        text = one.text
        return not (
            looks_ahead(text) or _DISPUTED.search(text) or _UNKNOWN.search(text) or _FEARED.search(text)
        ) and all(
            counted.value in (*values[counted.attribute].value, *values[counted.attribute].reported)
            for counted in find_casualties(as_written(text))
            if counted.attribute in values
        )

    standing = [one for one in core if may_stand(one)]
    day = _founding_day(core)
    if day is not None and (of_day := [one for one in standing if day in one.days and holds(one, need / 2)]):
        centre = mean_of(one.vector for one in core if day in one.days)
        return _best(of_day, lambda one: dot(one.vector, centre) * (_LEADS if one.place < _FIRST else 1.0))
    is_long = max(story.published) - min(story.published) > _LONG_DAYS
    if is_long and len({one.document for one in core}) >= _MANY:
        for one in best:
            if may_stand(one) and holds(one, need / 2) and len(one.text) <= _LONGEST_CHARS:
                return one.evidence()
    standing = [one for one in standing if holds(one, need, one.sentence.title)]
    first = [one for one in standing if one.place < _FIRST]
    days = [day for day, _ in Counter(story.published).most_common(_BUSIEST_DAYS)]
    centre = mean_of(one.vector for one in core if one.place < _FIRST and one.published in days)
    begun = min(days) + 1
    return _best(first, lambda one: dot(one.vector, centre) * (_EARLY if one.published <= begun else 1.0))


def _founding_day(core: Sequence[StorySentence]) -> int | None:
    """The day that most documents name, on it or later, where these are four and a third more than of any other day."""
    naming = Counter(
        day for _, day in {(one.document, day) for one in core for day in one.days if day <= one.published}
    )
    (day, count), (_, second) = [*naming.most_common(2), (0, 0), (0, 0)][:2]
    return day if count >= max(_FEWEST_NAMING, _AHEAD_OF_OTHERS * second) else None


def _latest(
    core: Sequence[StorySentence], happened: Evidence, best: Sequence[StorySentence]
) -> Evidence | None:
    """The main report of the last day, of another document, and no older than what happened.

    Where the days tell of what was published later than anything of the core, it is that. Of a long story, whose last
    documents may only mention it, it is the newest beginning that is news about it.
    """
    last = core[-1].published
    if _is_long(core):
        in_time = sorted((*core, *best), key=lambda one: (one.published, -one.place))
        return next((one.evidence() for one in reversed(in_time) if _is_news(one, happened)), None)
    if (newest_day := max((one.published for one in best), default=last)) > last:
        return next(one.evidence() for one in best if one.published == newest_day)
    newest = [one for one in core if one.published == last and one.place < _FIRST and not one.elsewhen]
    centre = mean_of(one.vector for one in newest)
    since = happened.published_time
    return _best(
        (
            one
            for one in newest
            if one.sentence.doc_id != happened.doc_id
            and one.sentence.published_time >= since
            and not _is_copy(one.text, happened.text)
            and not _UNKNOWN.search(one.text)
        ),
        lambda one: dot(one.vector, centre),
    )


def _is_long(core: Sequence[StorySentence]) -> bool:
    return (
        core[-1].published - core[0].published > _LONG_DAYS and len({one.document for one in core}) >= _MANY
    )


def _is_news(one: StorySentence, happened: Evidence) -> bool:
    text = one.text
    return (
        one.place < _FIRST
        and one.news_value >= _NEWS
        and one.weight >= _ABOUT
        and (not one.elsewhen or _JUST_DONE.search(text) is not None)
        and not (looks_ahead(text) or _UNKNOWN.search(text) or _POSSIBLE.search(text))
        and one.sentence.published_time >= happened.published_time
        and one.sentence.doc_id != happened.doc_id
        and not _is_copy(text, happened.text)
    )


def _is_copy(text: str, other: str) -> bool:
    """Whether two quotations are the words of one agency: nine in ten of the stems of each are the other's."""
    one, another = (frozenset(shared_analyzer().stems(words)) for words in (text, other))
    return len(one & another) >= _COPIED * max(len(one), len(another))


def _next(story: Story, core: Sequence[StorySentence]) -> tuple[Evidence | None, str]:
    last = max(story.published)
    plans = [
        (day, one)
        for one in core
        if one.published > last - _FRESH_DAYS and looks_ahead(one.sentence.text)
        for day in one.days
        if day > last
    ]
    if not plans:
        return None, ""
    day, one = min(plans, key=lambda plan: (plan[0], -plan[1].weight))
    when = date.fromordinal(day)
    return one.evidence(), f"{when:%A} {when.day} {when:%B} {when.year}"


def _newest(
    core: Sequence[StorySentence], holds: Callable[[StorySentence], bool], used: set[tuple[str, int]]
) -> Evidence | None:
    """Of the sentences of which something holds, the one most about the event in the last week that has any."""
    found = [one for one in core if (one.sentence.doc_id, one.sentence.index) not in used and holds(one)]
    if not found:
        return None
    last = found[-1].published
    return _best((one for one in found if one.published > last - _FRESH_DAYS), lambda one: one.weight)


def _best(sentences: Iterable[StorySentence], worth: Callable[[StorySentence], float]) -> Evidence | None:
    chosen = max(list(sentences)[-_MOST_COMPARED:], key=lambda one: round(worth(one), 12), default=None)
    return None if chosen is None else chosen.evidence()
