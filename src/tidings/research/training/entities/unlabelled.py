"""Clusters of words and how they are capitalised, learned from text without labels."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from tidings.analysis import Lexicon

__all__ = ["learn_lexicon", "read_unlabelled"]

_TOKEN = re.compile(
    r"[^\W\d_]+(?:[-'’.][^\W\d_]+)*\.?(?<![^\W\d_]{3}\.)|\d+(?:[.,:]\d+)*|[^\w\s]", re.UNICODE
)
_DIGITS = re.compile(r"\d")


def read_unlabelled(folder: Path) -> Iterator[list[str]]:
    """Sentences of tokens from the texts beside the judgments: pools of sentences, articles, news items, tweets."""
    for year in ("2013", "2014"):
        for path in sorted((folder / "trec-ts" / year).glob("updates_sampled.tsv.gz")):
            with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
                for line in file:
                    yield _TOKEN.findall(line.rstrip("\n").split("\t")[-1])
    for path in sorted(folder.glob("tls/*/articles.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                for paragraph in json.loads(line)["text"].split("\n"):
                    yield _TOKEN.findall(paragraph)
    for path in sorted(folder.glob("salience/wikinews.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                for part in json.loads(line)["document"]:
                    yield _TOKEN.findall(part.get("value", ""))
    for path in sorted(folder.glob("feeds/news/*.xml")):
        text = path.read_text(encoding="utf-8", errors="replace")
        for item in re.findall(
            r"<(?:title|description)>((?:(?!<(?:title|description)>).)*?)</", text, re.DOTALL
        ):
            words = re.sub(r"<[^<>]*>|<!\[CDATA\[|\]\]>|&\w+;", " ", item)
            yield _TOKEN.findall(words)


def learn_lexicon(
    sentences: Iterable[Sequence[str]],
    *,
    seed: int = 0,
    sizes: tuple[int, ...] = (48, 192, 768),
    least: int = 5,
) -> Lexicon:
    """Words of at least `least` occurrences, grouped by what stands around them, and how they are capitalised.

    A word is described by its positive pointwise mutual information with the 3,000 most frequent words one and two
    places before and behind, reduced to 64 dimensions by singular value decomposition; k-means groups the directions.
    """
    import numpy as np
    from scipy.sparse import coo_matrix
    from sklearn.cluster import MiniBatchKMeans
    from sklearn.utils.extmath import randomized_svd

    lows, upper, inside, counts = _counted(sentences)
    words = [word for word, count in counts.most_common() if count >= least]
    index = {word: at for at, word in enumerate(words)}
    contexts = 3000
    encoded = [np.array([index.get(low, -1) for low in sentence], dtype=np.int64) for sentence in lows]
    parts: list[Any] = []
    for distance in (-2, -1, 1, 2):
        left: list[Any] = []
        right: list[Any] = []
        for ids in encoded:
            if len(ids) > abs(distance):
                a, b = (
                    (ids[:-distance], ids[distance:]) if distance > 0 else (ids[-distance:], ids[:distance])
                )
                good = (a >= 0) & (b >= 0) & (b < contexts)
                left.append(a[good])
                right.append(b[good])
        a, b = np.concatenate(left), np.concatenate(right)
        table = coo_matrix((np.ones(len(a)), (a, b)), shape=(len(words), contexts)).tocsr().tocoo()
        rows = np.asarray(table.sum(axis=1)).ravel() + 1e-9
        columns = np.asarray(table.sum(axis=0)).ravel() ** 0.75 + 1e-9
        share = columns / columns.sum()
        value = np.log(table.data / (rows[table.row] * share[table.col]))
        keep = value > 0
        parts.append(coo_matrix((value[keep], (table.row[keep], table.col[keep])), shape=table.shape).tocsr())
    from scipy.sparse import hstack

    matrix = hstack(parts).tocsr()
    u, s, _ = randomized_svd(matrix, n_components=64, n_iter=4, random_state=seed)
    vectors = u * np.sqrt(s)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    groups = [
        MiniBatchKMeans(size, random_state=seed, n_init=3, batch_size=4096, max_iter=60).fit_predict(vectors)
        for size in sizes
    ]
    capitals = {word: int(4 * upper[word] / inside[word] + 0.5) for word in words if inside[word] >= 3}
    return Lexicon({word: tuple(int(group[at]) for group in groups) for word, at in index.items()}, capitals)


def _counted(
    sentences: Iterable[Sequence[str]],
) -> tuple[list[list[str]], Counter[str], Counter[str], Counter[str]]:
    # Tokens in lower case; how often each stands in capitals inside a sentence, how often at all there, how often.
    upper: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    lows = []
    for tokens in sentences:
        low = [_DIGITS.sub("0", token.lower()) for token in tokens]
        lows.append(low)
        counts.update(low)
        letters = [token for token in tokens if token[:1].isalpha()]
        if len(letters) < 5 or sum(token[:1].isupper() for token in letters) * 2 > len(letters):
            continue
        for before, token in pairwise(tokens):
            if token[:1].isalpha() and before not in ('"', "“", ":", ".", "''", "``"):
                word = _DIGITS.sub("0", token.lower())
                inside[word] += 1
                upper[word] += token[:1].isupper()
    return lows, upper, inside, counts
