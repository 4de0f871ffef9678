"""A finder of names that needs no model: runs of words from a list, with their types."""

from __future__ import annotations

from collections.abc import Sequence

from tests.sweeps import cases

TYPES = cases(__file__, "types")
KINDS = {word: kind for kind, words in TYPES.items() for word in words.split()}


class ListedNames:
    """Names are runs of listed words of one type, whatever their capitals."""

    def spans(self, sentences: Sequence[Sequence[str]]) -> list[list[tuple[int, int, str]]]:
        return [self._of(tokens) for tokens in sentences]

    def _of(self, tokens: Sequence[str]) -> list[tuple[int, int, str]]:
        spans: list[tuple[int, int, str]] = []
        for at, token in enumerate(tokens):
            kind = KINDS.get(token.lower(), "")
            if kind and spans and spans[-1][1] == at and spans[-1][2] == kind:
                spans[-1] = (spans[-1][0], at + 1, kind)
            elif kind:
                spans.append((at, at + 1, kind))
        return spans
