"""Sentences, tokens, stems, language models, vectors and near-duplicates in text."""
