"""Sentences, tokens, stems, language models, vectors and near-duplicates in text.

Names are looked up when first used, so that whoever only shows text loads none of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tidings.core.text.language_model import LanguageModel
    from tidings.core.text.near_duplicates import NearDuplicates, jaccard, shingles
    from tidings.core.text.sentences import cut, split
    from tidings.core.text.tokens import Analyzer, shared_analyzer
    from tidings.core.text.vectors import VectorIndex, cosine, unit_vector

__all__ = [
    "Analyzer",
    "LanguageModel",
    "NearDuplicates",
    "VectorIndex",
    "cosine",
    "cut",
    "jaccard",
    "shared_analyzer",
    "shingles",
    "split",
    "unit_vector",
]

_HOMES = {
    "Analyzer": "tokens",
    "LanguageModel": "language_model",
    "NearDuplicates": "near_duplicates",
    "VectorIndex": "vectors",
    "cosine": "vectors",
    "cut": "sentences",
    "jaccard": "near_duplicates",
    "shared_analyzer": "tokens",
    "shingles": "near_duplicates",
    "split": "sentences",
    "unit_vector": "vectors",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
