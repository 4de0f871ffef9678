"""A story that is asked for by an article of it: the article, and the words by which its story is followed."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from tidings.core import Content, Document, Problems, ReadingOptions, UsageError, shared_analyzer

_MARKS = ".,;:!?\"'()[]`“”‘’"


def read_article(
    place: str,
    reading: ReadingOptions | None = None,
    *,
    problems: Problems | None = None,
    pool: str = "sampled",
) -> Document:
    """The article at an address, or in a file; when it was written does not matter, as its words alone are followed.

    Raises:
        UsageError: there is none, or several; an address that may not be asked.
        FormatError: what stands there cannot be read.
    """
    from tidings.sources import fetch, is_address, open_reading

    undated = replace(reading or ReadingOptions(), file_times=True)
    source: str | Content = place
    if is_address(place):
        source = fetch(place, allow_private=undated.allow_private)
        source.modified_time = 0  # any time lets a page without a date be read
    articles = list(open_reading([source], undated, problems=problems, pool=pool))
    if len(articles) != 1:
        raise UsageError(f"{place}: {len(articles):,} articles (expected the address or the file of one)")
    return articles[0]


def query_of_article(article: Document, place: str = "an article") -> tuple[str, str]:
    """(the words that an article uses most, where it repeats none its names and key words; its title)

    Raises:
        UsageError: it has none; the message names `place`.

    >>> text = "Dam burst floods Brennholm. The dam burst at noon. Brennholm was flooded as the dam gave way."
    >>> query_of_article(Document(id="a", published_time=60, title="Dam burst floods Brennholm", text=text))
    ('dam brennholm burst floods', 'Dam burst floods Brennholm')
    """
    from tidings.following.grouping.stored import StoryKeeper, story_query

    keeper = StoryKeeper()
    for _ in keeper.push_many([article]):
        pass
    stories = keeper.tracker.stories()
    query = _main_words(article) or (story_query(stories[0]) if stories else "")
    if not query:
        raise UsageError(f"{place}: no names or key words in it (expected an article)")
    return query, article.title or (stories[0].title if stories else "") or query


_FEWEST_MENTIONS, _MOST_MENTIONS, _WORDS = 3, 8, 4
_LEAD_CHARS, _BEGINNING_CHARS = 400, 1500
_OF_TITLE, _OF_NAME = 2, 1.5
"""A word of the title counts as two mentions more, and a name half as much again."""
_SELDOM, _OF_FIRST = 10.0, 0.6
"""Beside a name that an article repeats much, and that stands at the beginning of less than a hundredth of the news,
a third or fourth word must count this share of it."""


def _main_words(article: Document) -> str:
    """The words of its title and beginning that an English article uses most; "" where it repeats fewer than two."""
    from tidings.following.background import usual
    from tidings.following.systems.tidings.query_words import is_specific

    if article.language not in ("", "en"):
        return ""
    text = article.text or " ".join(sentence.text for sentence in article.sentences)
    stems = shared_analyzer("english").stems
    mentions, title, lead = Counter(stems(text)), set(stems(article.title)), set(stems(text[:_LEAD_CHARS]))
    worth: dict[str, tuple[float, str, bool]] = {}
    for written in f"{article.title} {text[:_BEGINNING_CHARS]}".split():
        word = written.strip(_MARKS).removesuffix("'s").removesuffix("’s")
        if not word.isalnum() or len(found := stems(word)) != 1 or found[0] in worth:
            continue
        (stem,) = found
        count = mentions[stem] + _OF_TITLE * (stem in title) + (stem in lead)
        if len(word) > len("of") and count >= _FEWEST_MENTIONS and is_specific(stem):
            is_name = usual(stem).is_name or word[0].isupper()
            tells = usual(stem).is_name and usual(stem).head < _SELDOM and count >= _MOST_MENTIONS
            worth[stem] = (min(count, _MOST_MENTIONS) * (_OF_NAME if is_name else 1.0), word, tells)
    best = sorted(worth.values(), key=lambda one: -one[0])[:_WORDS]
    if best and best[0][2]:
        best = [*best[:2], *(one for one in best[2:] if one[0] >= _OF_FIRST * best[0][0])]
    return " ".join(word.lower() for _, word, _ in best) if len(best) > 1 else ""
