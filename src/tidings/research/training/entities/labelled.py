"""Text with labelled names: sentences of tokens, and the documents that they make."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["LabelledDocument", "LabelledSentence", "Span"]

Span = tuple[int, int, str]
"""Tokens start..end (half-open) are a name of a type."""


class LabelledSentence(Struct, frozen=True):
    """Tokens and the spans of tokens that are names; `tags` are parts of speech, where the corpus has them."""

    tokens: tuple[str, ...]
    spans: tuple[Span, ...]
    tags: tuple[str, ...] = ()


class LabelledDocument(Struct, frozen=True):
    """Sentences that belong together; `part` is `train` or `dev`, `genre` what kind of text it is."""

    id: str
    corpus: str
    genre: str
    part: str
    sentences: tuple[LabelledSentence, ...]
