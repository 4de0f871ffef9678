"""Words with a capital that are no names, or none of theirs: in headlines, and at the beginning of a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tidings.analysis.names.gazetteers import BODY_WORDS, gazetteers
from tidings.analysis.names.mentions import Span
from tidings.core import ENGLISH

_FEWEST_WORDS, _LEAST_LETTERS = 4, 4


def is_title_case(tokens: Sequence[str]) -> bool:
    """Whether all words of a sentence that are not short begin with a capital.

    >>> is_title_case("Iran Temporarily Closes Strait Of Hormuz Amid US Nuclear Talks".split())
    True
    >>> is_title_case("Iran closes the Strait of Hormuz".split()), is_title_case("Barack Obama".split())
    (False, False)
    """
    long = [token for token in tokens if len(token) >= _LEAST_LETTERS and token.isalpha()]
    return len(long) >= _FEWEST_WORDS and all(token[0].isupper() for token in long)


def own_names(
    sentences: Sequence[Sequence[str]], spans: Sequence[Sequence[Span]], capitals: Mapping[str, int]
) -> list[list[Span]]:
    """The spans of a document's sentences, those of headlines in title case without words that are no names.

    What is a name in a sentence of the document that is no such headline stays whole, and so does a body. An owner and
    a place are two names ("Berlinale's Gaza row"), and a plural that is written small is none at the beginning of a
    sentence ("Carmakers warn").

    Args:
        sentences, spans: of the document.
        capitals: how often a word stands with a capital (0: hardly ever).

    >>> headline = "Iran Temporarily Closes Strait Of Hormuz Amid US Nuclear Talks".split()
    >>> own_names([headline], [[(0, 1, "LOC"), (2, 6, "LOC")]], {"closes": 0, "of": 0})
    [[(0, 1, 'LOC'), (3, 6, 'LOC')]]
    """
    in_headline = [bool(own) and is_title_case(tokens) for tokens, own in zip(sentences, spans, strict=True)]
    known = {
        _low(tokens[start:end])
        for tokens, own, is_headline in zip(sentences, spans, in_headline, strict=True)
        for start, end, _ in own
        if not is_headline
    }
    return [
        [
            part
            for span in own
            for piece in (_pieces(tokens, span, known, capitals) if is_headline else (span,))
            for part in _parts(tokens, piece)
            if not _is_plural(tokens, part, capitals)
        ]
        for tokens, own, is_headline in zip(sentences, spans, in_headline, strict=True)
    ]


def _parts(tokens: Sequence[str], span: Span) -> Iterator[Span]:
    start, end, kind = span
    for at in range(start + 1, end - 1) if kind == "ORG" else ():
        if tokens[at] in ("'s", "’s") and _is_place(_low(tokens[at + 1 : end])):
            yield start, at, kind
            yield at + 1, end, "LOC"
            return
    yield span


def _is_plural(tokens: Sequence[str], span: Span, capitals: Mapping[str, int]) -> bool:
    low = tokens[span[0]].lower()
    is_small = low.endswith("makers") or (low.endswith("ers") and capitals.get(low) == 0)
    return is_small and span == (0, 1, "ORG")


def _low(tokens: Sequence[str]) -> tuple[str, ...]:
    return tuple(token.lower() for token in tokens)


def _pieces(
    tokens: Sequence[str], span: Span, known: set[tuple[str, ...]], capitals: Mapping[str, int]
) -> Iterator[Span]:
    start, end, kind = span
    low = _low(tokens[start:end])
    listed = gazetteers()
    if low in known or not BODY_WORDS.isdisjoint(low) or _is_listed(low):
        yield span
        return
    begin, is_said = 0, tokens[-1] != "?"  # `Will Smith Apologizes`, but `Will Starmer Go?`
    for at in range(len(low) + 1):
        is_border = at == len(low) or (
            capitals.get(low[at]) == 0 and low[at] not in ENGLISH and low[at] not in listed.words
        )
        if not is_border:
            continue
        stop = at
        while begin < stop and low[begin] in ENGLISH and not (is_said and _is_person(low[begin:stop])):
            begin += 1
        while begin < stop and low[stop - 1] in ENGLISH and not _is_person(low[begin:stop]):
            stop -= 1
        if begin < stop:
            is_whole = stop - begin == len(low)
            marks = listed.words.get(low[begin], ())
            is_word = stop - begin == 1 and low[begin] not in capitals and not marks
            if stop - begin == 1 and kind == "ORG" and marks and _OF_PEOPLE.issuperset(marks):
                yield span  # a surname alone is no organisation: `Black Lives Matter`
                return
            if is_whole or not is_word:
                yield start + begin, start + stop, kind
        begin = at + 1


def _is_person(words: tuple[str, ...]) -> bool:
    # `Theresa May`.
    listed = gazetteers()
    return len(words) > 1 and all(
        mark in listed.words.get(word, ()) for mark, word in zip(("given", "family"), words[-2:], strict=True)
    )


def _is_place(words: tuple[str, ...]) -> bool:
    return any("place" in mark or "country" in mark for mark in gazetteers().words.get(" ".join(words), ()))


_OF_PEOPLE = frozenset(("first", "last", "given", "family"))


def _is_listed(words: tuple[str, ...]) -> bool:
    listed = gazetteers()
    return (len(words) == 1 and words[0] in listed.words) or any(
        phrase == words for phrase, _ in listed.phrases.get(words[0], ())
    )
