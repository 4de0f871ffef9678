"""Pipelines of spaCy as recognisers of names: a user's own, behind the same interface as the one of tidings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tidings.analysis.names.mentions import Recogniser, Span, is_name
from tidings.analysis.names.weights import read_recogniser, shipped_recogniser
from tidings.core import UsageError

__all__ = ["SpacyRecogniser", "recogniser_named"]

_PREFIX = "spacy:"
_TYPES = {"PERSON": "PER", "PER": "PER", "ORG": "ORG", "GPE": "LOC", "LOC": "LOC", "FAC": "LOC"}
_ARTICLES = ("the", "a", "an")


class SpacyRecogniser:
    """The names that a pipeline of spaCy finds, as tidings counts them.

    Its PERSON or PER are persons; ORG organizations; GPE, LOC and FAC locations; its other labels no names. An article
    before a name is no part of it, and what `is_name` rejects is none. Sentences are looked at one by one.
    """

    def __init__(self, language: Any) -> None:
        self._language = language

    def spans(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        """For each sentence of a document, the spans of tokens that are names, with their types."""
        return self.spans_of([sentences])[0]

    def spans_of(self, documents: Sequence[Sequence[Sequence[str]]]) -> list[list[list[Span]]]:
        """The spans of each sentence of each document."""
        spans: list[list[list[Span]]] = [[[] for _ in document] for document in documents]
        filled = [
            (own, tokens)
            for document, lines in zip(documents, spans, strict=True)
            for tokens, own in zip(document, lines, strict=True)
            if tokens
        ]
        for parsed, (own, tokens) in zip(
            self._language.pipe([self._parsed(tokens) for _, tokens in filled]), filled, strict=True
        ):
            for entity in parsed.ents:
                start, end = entity.start, entity.end
                while end - start > 1 and tokens[start].lower() in _ARTICLES:
                    start += 1
                kind = _TYPES.get(entity.label_)
                if kind and is_name(" ".join(tokens[start:end])):
                    own.append((start, end, kind))
        return spans

    def _parsed(self, tokens: Sequence[str]) -> Any:
        from spacy.tokens import Doc

        return Doc(self._language.vocab, words=[token if token.strip() else "_" for token in tokens])


@lru_cache(maxsize=2)
def recogniser_named(name: str = "") -> Recogniser:
    """The recogniser that comes with tidings (no name), that of a model file, or a pipeline of spaCy (`spacy:NAME`).

    Raises:
        UsageError: spaCy is not installed, it has no such pipeline, or the pipeline recognises no names; no such file.

    >>> recogniser_named().spans([["Ann", "Lee", "spoke"]])
    [[(0, 2, 'PER')]]
    """
    if not name.startswith(_PREFIX):
        return read_recogniser(name) if name else shipped_recogniser()
    pipeline = name.removeprefix(_PREFIX)
    try:
        import spacy
    except ImportError:
        raise UsageError(
            f"{name}: found no spaCy, expected it to run its pipelines; pip install 'tidings[spacy]'"
        ) from None
    try:
        language = spacy.load(pipeline)
    except (OSError, ValueError, ImportError) as error:
        said = " ".join(str(error).split())[:120]
        raise UsageError(
            f"{name}: found no pipeline that can be loaded ({said}), expected the name or folder of one that is "
            "installed, such as spacy:en_core_web_sm"
        ) from None
    if not {"ner", "entity_ruler", "span_ruler"}.intersection(language.pipe_names):
        steps = ", ".join(language.pipe_names) or "nothing"
        raise UsageError(f"{name}: found a pipeline of {steps}, expected one that recognises names (ner)")
    return SpacyRecogniser(language)
