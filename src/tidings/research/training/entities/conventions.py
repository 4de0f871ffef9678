"""What counts as a name, and how each corpus is brought to it.

A name is written as one: persons without title or role (`Obama`, not `President Obama`), organizations and places
without an article in small letters, whole (`University of York` is one name, `York` in it none). Facilities and
countries are locations. No names: what people are called after a place, a faith or a creed (`Iraqi`, `Muslims`),
nominal phrases (`the president`), works, products and events, the sign of a handle alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from tidings.analysis import RELIGIONS, ROLES, TITLES, gazetteers, is_name, short_form
from tidings.research.training.entities.labelled import LabelledDocument, LabelledSentence, Span

__all__ = ["brought_to_convention"]

_NEVER_ALONE = RELIGIONS | {"web", "internet", "mr", "mrs", "ms", "dr"}


def brought_to_convention(documents: Iterable[LabelledDocument]) -> list[LabelledDocument]:
    """The same documents with their names as this project counts them."""
    documents = list(documents)
    usual = _usual_types(documents)
    return [
        replace(
            document,
            sentences=tuple(_mended(sentence, document.corpus, usual) for sentence in document.sentences),
        )
        for document in documents
    ]


def _mended(sentence: LabelledSentence, corpus: str, usual: dict[str, str]) -> LabelledSentence:
    spans = []
    for span in sentence.spans:
        mended = _name(sentence, span, corpus, usual)
        if mended:
            spans.append(mended)
    return replace(sentence, spans=tuple(spans))


def _name(sentence: LabelledSentence, span: Span, corpus: str, usual: dict[str, str]) -> Span | None:
    start, end, kind = span
    tokens = sentence.tokens
    if tokens[start] == "the" and end - start > 1:
        start += 1
    if kind == "PER":
        while end - start > 1 and short_form(tokens[start]) in TITLES:
            start += 1
    while corpus in ("gmb", "btc") and end - start > 1 and tokens[end - 1] in ("'s", "’s", "'", ",", "."):
        if tokens[end - 1] == "." and len(tokens[end - 2]) <= 2:
            break
        end -= 1
    low = " ".join(tokens[start:end]).lower()
    demonym = low in gazetteers().demonyms
    tag = sentence.tags[start] if corpus == "gmb" else ""
    if demonym and not (tag.startswith("NNP") and kind in ("PER", "ORG") and end - start > 1):
        return None
    if kind == "GPE":
        kind = "LOC"
        if tag.startswith(("JJ", "NNS")) and end - start == 1 and not _place(low):
            return None
    if end - start == 1:
        word = short_form(tokens[start])
        if word in _NEVER_ALONE or (kind == "PER" and word in TITLES | ROLES):
            return None
    if not is_name(" ".join(tokens[start:end])):
        return None
    if corpus == "gmb":
        kind = usual.get(low, kind)
    return start, end, kind


def _place(low: str) -> bool:
    return any(mark in ("country", "place") for mark in gazetteers().words.get(low, ()))


def _usual_types(documents: list[LabelledDocument]) -> dict[str, str]:
    # GMB was tagged by machine: what it calls a name nearly always it means everywhere.
    counts: dict[str, Counter[str]] = {}
    for document in documents:
        if document.corpus != "gmb":
            continue
        for sentence in document.sentences:
            for start, end, kind in sentence.spans:
                low = " ".join(sentence.tokens[start:end]).lower()
                counts.setdefault(low, Counter())["LOC" if kind == "GPE" else kind] += 1
    usual = {}
    for low, kinds in counts.items():
        if "country" in gazetteers().words.get(low, ()):
            usual[low] = "LOC"
        elif sum(kinds.values()) >= 8:
            usual[low] = kinds.most_common(1)[0][0]
    return usual | {"u.n.": "ORG", "united nations": "ORG", "west bank": "LOC"}
