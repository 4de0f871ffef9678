"""What reads a stranger's text, each as a function of one text: whatever the text, its work must not outgrow it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tidings.analysis.articles.as_written import as_written
from tidings.analysis.articles.reader import find_speaker, shipped_reader
from tidings.analysis.articles.surfaces import plain
from tidings.analysis.judges.questions import read_pairs
from tidings.analysis.names.tagging import tag_lines, token_spans
from tidings.analysis.names.weights import recogniser_named
from tidings.analysis.values.counts import find_casualties, find_counts
from tidings.analysis.values.mentions import find_mentions
from tidings.analysis.values.numbers import find_quantities, find_sums
from tidings.annotation.desk.differences import differences
from tidings.annotation.revisions import without_markup
from tidings.core import shared_analyzer
from tidings.core.display.plain import clean, safe_url
from tidings.core.display.tables import latex_text, markdown_text
from tidings.core.records import Document, Event, PooledUpdate, Sentence
from tidings.core.text.date_fields import find_date
from tidings.core.text.languages import detect
from tidings.core.text.near_duplicates import shingles
from tidings.core.text.sentences import cut, split
from tidings.core.text.stated_times import StatedTimes
from tidings.core.text.tokens import analyzer_of
from tidings.evaluation.clustering import cluster_updates
from tidings.evaluation.matching.pair_features import stated_numbers
from tidings.evaluation.matching.pairs_out import heaviest_span
from tidings.evaluation.matching.texts import EventTexts
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.registry import make
from tidings.live.store.search import parse_query, search_words
from tidings.sources.items.documents import one_line, tidy_outlet, tidy_text
from tidings.sources.items.versions import document_id

__all__ = ["FUNCTIONS"]

_LANGUAGES = ("en", "de", "fr", "ru", "ar", "zh", "ja", "th", "ko")


def _in_all_languages(call: Callable[[str, str], object]) -> Callable[[str], None]:
    def called(text: str) -> None:
        for language in _LANGUAGES:
            call(text, language)

    return called


def _read_as_article(text: str) -> None:
    shipped_reader().read([Sentence("d", 0, text, 1_400_000_000, title=text[:200])])


@cache
def _names() -> object:
    return recogniser_named("")


def _find_names(text: str) -> None:
    list(tag_lines([text], _names()))  # type: ignore[arg-type]


_EVENT = Event(id="e", title="A word and a fire", query="word fire")


def _follow(system: str) -> Callable[[str], None]:
    decider = make(system)

    def called(text: str) -> None:
        article = Document(
            id="d", published_time=60, text=f"A word of a fire.\n\n{text}", title="Word of fire"
        )
        pooled = Document(
            id="p",
            published_time=120,
            sentences=(Sentence("p", 0, f"A word of fire. {text}", 120, title=text),),
        )
        for _ in follow_stream([article, pooled], [_EVENT], decider):
            pass

    return called


def _cluster(text: str) -> None:
    cluster_updates([PooledUpdate("e", "d", 0, text), PooledUpdate("e", "d", 1, f"{text} word")])


def _tell_differences(text: str) -> None:
    differences(text, f"{text} word")


FUNCTIONS: dict[str, Callable[[str], object]] = {
    "articles.as_written": lambda text: as_written(f"{text} , he said ."),
    "articles.plain_text": plain,
    "articles.reader": _read_as_article,
    "articles.speakers": find_speaker,
    "desk.differences": _tell_differences,
    "entities.names": _find_names,
    "entities.tagging": token_spans,
    "follow": _follow("tidings"),
    "follow, with values and entities": _follow("tidings:values=yes,entities=yes"),
    "formats.revisions.wikitext": without_markup,
    "judges.reading": read_pairs,
    "judgments.clustering": _cluster,
    "judgments.matching.numbers": lambda text: stated_numbers(text, shared_analyzer("english")),
    "judgments.matching.texts": lambda text: EventTexts((), [PooledUpdate("e", "d", 0, text)]),
    "judgments.selection.spans": lambda text: heaviest_span(text, {"word": 1, "fire": 1}, shared_analyzer()),
    "report.escaping.latex": latex_text,
    "report.escaping.markdown": markdown_text,
    "report.plain": safe_url,
    "sources.identity": lambda text: document_id("", text, f"http://a.example/{text}", text),
    "sources.tidying": tidy_text,
    "sources.tidying.line": one_line,
    "sources.tidying.outlet": lambda text: tidy_outlet(text, ""),
    "store.live.words": search_words,
    "store.live.words.query": parse_query,
    "text.casualties": find_casualties,
    "text.counts": _in_all_languages(find_counts),
    "text.date_fields": find_date,
    "text.languages": detect,
    "text.near_duplicates": lambda text: shingles(shared_analyzer("english").stems(text)),
    "text.sentences": _in_all_languages(split),
    "text.sentences.documents": lambda text: cut(Document(id="d", published_time=0, text=text)),
    "text.showing": clean,
    "text.stated_times": lambda text: StatedTimes().read(text),
    "text.tokens": _in_all_languages(lambda text, language: analyzer_of(language).stems(text)),
    "values.mentions": find_mentions,
    "values.money": find_sums,
    "values.numbers": find_quantities,
}
"""Each by the place of what it calls."""
