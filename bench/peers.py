"""The same work by other libraries, where they are installed (`pip install -r requirements/bench.txt`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec

from bench.frame import Row, speed
from bench.text_speed import altered


def sentence_spans(article: str) -> list[Row]:
    """Cutting one long text into sentences."""
    megabytes = len(article.encode("utf-8", "surrogateescape")) / 1e6
    rows = []
    if find_spec("sentencex"):
        from sentencex import segment

        spans = "sentence spans by sentencex"
        rows.append(speed(spans, megabytes, lambda: list(segment("en", article)), "MB", times=1))
    if find_spec("pysbd"):
        import pysbd

        piece = article[:20_000]
        small = len(piece.encode("utf-8", "surrogateescape")) / 1e6
        cut = pysbd.Segmenter(language="en", clean=False).segment
        rows.append(speed("sentence spans by pysbd", small, lambda: cut(piece), "MB", "20 kB only", 1))
    return rows


def near_duplicates(sentences: Sequence[tuple[str, ...]], threshold: float = 0.5) -> list[Row]:
    """Looking up and adding each sentence of a stream, with the share of true pairs that is found."""
    from tidings.core import NearDuplicates, shingles

    stream = [shingles(stems) for stems in altered(list(sentences)[:12_894], 5_000)]
    exact = NearDuplicates(threshold=threshold)
    truth: set[tuple[int, int]] = set()
    for number, members in enumerate(stream):
        truth.update((number, int(key)) for key, _ in exact.find(members, number))
        exact.add(str(number), members, number)
    rows = []
    for name, look_up in (("rensa", _rensa), ("datasketch", _datasketch)):
        if find_spec(name):
            found: set[tuple[int, int]] = set()

            def work(found: set[tuple[int, int]] = found, look_up: Callable = look_up) -> None:
                found.clear()
                found.update(look_up(stream, threshold))

            row = speed(f"near-duplicates by {name}", len(stream), work, "sentences", times=1)
            share = len(found & truth) / len(truth) if truth else 1.0
            rows.append((*row[:3], f"finds {share:.3f} of the pairs, forgets nothing"))
    return rows


def _rensa(stream: Sequence[frozenset[str]], threshold: float) -> set[tuple[int, int]]:
    from rensa import RMinHash, RMinHashLSH

    index = RMinHashLSH(threshold=threshold, num_perm=64, num_bands=16)
    pairs = set()
    for number, members in enumerate(stream):
        sketch = RMinHash(num_perm=64, seed=1)
        sketch.update(list(members))
        pairs.update((number, int(other)) for other in index.query(sketch))
        index.insert(number, sketch)
    return pairs


def _datasketch(stream: Sequence[frozenset[str]], threshold: float) -> set[tuple[int, int]]:
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=threshold, num_perm=64)
    pairs = set()
    for number, members in enumerate(stream):
        sketch = MinHash(num_perm=64, seed=1)
        sketch.update_batch([member.encode("utf-8", "surrogateescape") for member in members])
        pairs.update((number, int(other)) for other in index.query(sketch))
        index.insert(str(number), sketch)
    return pairs
