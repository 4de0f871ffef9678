"""What an outlet puts into all its documents: calls to subscribe, to share, to read on; left out of their text."""

from __future__ import annotations

from zlib import crc32

import msgspec
from msgspec.structs import replace

from tidings.core import Document, split

__all__ = ["Boilerplate"]

_EARLIER = 2
_REMEMBERED = 50_000
_MOST_SENTENCES = 2_000


class Boilerplate:
    """Takes out of a text the sentences that two earlier documents of its outlet held word for word.

    What an agency sent to many outlets stays: each outlet is looked at by itself, and two of its documents may share
    what they like. Documents that their source has cut into sentences are left alone, as is one of which nothing would
    be left. The last 50,000 sentences are remembered.

    >>> boilerplate = Boilerplate()
    >>> said = ["A ferry burns.", "All are safe.", "Divers search."]
    >>> documents = [Document(id=s, published_time=1, source="Wire", text=f"{s} Share this story!") for s in said]
    >>> [boilerplate.without(document).text for document in documents]
    ['A ferry burns. Share this story!', 'All are safe. Share this story!', 'Divers search.']
    """

    def __init__(self, remembered: int = _REMEMBERED) -> None:
        self._remembered = remembered
        self._counts: dict[int, int] = {}
        self.sentences = 0

    def without(self, document: Document) -> Document:
        """The document without such sentences, which `sentences` counts; it counts for those that follow."""
        text = document.text
        if not text or document.sentences:
            return document
        spans = split(text, document.language)[:_MOST_SENTENCES]
        outlet = crc32(document.source.encode("utf-8", "surrogatepass"))
        repeated = []
        for key, span in {_key(outlet, text[start:end]): (start, end) for start, end in spans}.items():
            count = self._counts.pop(key, 0)
            self._counts[key] = count + 1
            if count >= _EARLIER:
                repeated.append(span)
        if len(self._counts) > self._remembered:
            self._counts = dict(list(self._counts.items())[self._remembered // 2 :])
        if not repeated or len(repeated) == len(spans):
            return document
        self.sentences += len(repeated)
        return replace(document, text=_cut_out(text, repeated))

    def state(self) -> bytes:
        """What is remembered, as msgpack; `restore` takes it."""
        return msgspec.msgpack.encode((self._counts, self.sentences))

    def restore(self, state: bytes) -> None:
        """Remember what `state` gave, and nothing else."""
        self._counts, self.sentences = msgspec.msgpack.decode(state, type=tuple[dict[int, int], int])


def _key(outlet: int, sentence: str) -> int:
    words = " ".join(sentence.split()).encode("utf-8", "surrogatepass")
    return crc32(words, outlet) << 32 | crc32(words[::-1])


def _cut_out(text: str, spans: list[tuple[int, int]]) -> str:
    """The text without these spans and the space behind each; paragraphs stay apart."""
    parts, at = [], 0
    for start, end in sorted(spans):
        parts.append(text[at:start])
        at = end
    parts.append(text[at:])
    lines = " ".join(parts).split("\n")
    return "\n".join(" ".join(line.split(" ")).strip() for line in lines).strip()
