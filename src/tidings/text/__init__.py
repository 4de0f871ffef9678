"""Sentences, tokens, stems, language models, vectors, near-duplicates and numbers in text."""

from tidings.text.casualties import Casualties, find_casualties, find_numbers
from tidings.text.language_model import LanguageModel
from tidings.text.near_duplicates import NearDuplicates, jaccard, shingles
from tidings.text.sentences import cut, split
from tidings.text.tokens import Analyzer, shared_analyzer, tokens
from tidings.text.vectors import VectorIndex, cosine, unit_vector

__all__ = [
    "Analyzer",
    "Casualties",
    "LanguageModel",
    "NearDuplicates",
    "VectorIndex",
    "cosine",
    "cut",
    "find_casualties",
    "find_numbers",
    "jaccard",
    "shared_analyzer",
    "shingles",
    "split",
    "tokens",
    "unit_vector",
]
