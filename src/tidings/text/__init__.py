"""Sentences, tokens, stems, language models, vectors, near-duplicates and numbers in text."""

from tidings.text.tokens import Analyzer, shared_analyzer, tokens

__all__ = ["Analyzer", "shared_analyzer", "tokens"]
