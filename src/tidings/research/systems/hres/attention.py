"""Which words each hop of `hres` looks at."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from tidings.core import UsageError

__all__ = ["Attention", "attend"]


class Attention(Struct, frozen=True):
    """A sentence as the encoder reads it.

    Attributes:
        words: the sentence's words as written, at most 40.
        weights: for each hop one weight per word, 0 to 1; they sum to 1 (words without letters and digits have 0).
        relevance: probability that the sentence tells a nugget, by the encoder alone, with nothing known of a stream.
        gain: what it expects the sentence to earn per verbosity, as a share of .3; 0 to 1.
    """

    words: tuple[str, ...]
    weights: tuple[tuple[float, ...], ...]
    relevance: float
    gain: float


def attend(text: str, query: str, model: str | Path = "", *, language: str = "english") -> Attention:
    """The attention of one sentence (`Network.attend`), as the first of a stream about `query`.

    Raises:
        UsageError: no word in the sentence, or no such model.
    """
    import numpy as np

    from tidings.core import Sentence, prepared, read_model
    from tidings.research.systems.hres.memory import CONTEXT
    from tidings.research.systems.hres.network import Network
    from tidings.research.systems.hres.surface import StreamView
    from tidings.research.systems.hres.words import WORDS, Reader

    network = prepared(read_model("hres", model), Network)
    reader = Reader(query, language, network.rows)
    reading = reader.read(text)
    if not len(reading.ids):
        raise UsageError(f"found no word in {text[:60]!r}, expected a sentence; say some words to look at")
    view = StreamView(0)
    marks = np.concatenate((reading.marks, view.familiarity(reading)), axis=1)
    surface = network.standard(view.look(reading, Sentence("", 0, text, 0), 0)[None])
    encoded = network.encode([reading.ids], [marks], reader.query_ids(query))
    logits = network.judge(encoded.sentences, surface, np.zeros((1, len(CONTEXT)), dtype=np.float32))
    words = tuple(text.split(maxsplit=WORDS)[:WORDS])
    rows = []
    for hop in encoded.attention[0]:
        row = [0.0] * len(words)
        for place, weight in zip(reading.places, hop.tolist(), strict=True):
            row[place] = weight
        rows.append(tuple(row))
    relevance, gain = (1 / (1 + np.exp(-np.clip(logits[0], -30, 30)))).tolist()
    return Attention(words, tuple(rows), relevance, gain)
