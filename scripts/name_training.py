"""From corpora to a recogniser: clusters of words first, then the field, then what weighs nothing left out."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from name_corpora import (
    LabelledDocument,
    LabelledSentence,
    brought_to_convention,
    read_corpus,
)
from name_field import Gathered, fit

from tidings.analysis.names.name_words import Lexicon, WordFacts, context_features, is_caseless, look_at
from tidings.analysis.names.recogniser import FieldWeights
from tidings.core.records.outputs import DataUsed
from tidings.following.entities.ranker import Array
from tidings.research.training.model_files import need

LABELS = ("O", "B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "I-LOC")
OFFSETS = (0, -1, 1, -2, 2)
"""From where a token is looked at, in the order of the parts of a gathering."""


class Gathering(Struct, frozen=True):
    """The matrices, and the name of each of their features: what is seen, and from where."""

    gathered: Gathered
    names: tuple[str, ...]


def labels_of(sentence: LabelledSentence) -> list[int]:
    """The number of each token's label, in BIO form."""
    labels = [0] * len(sentence.tokens)
    for start, end, kind in sentence.spans:
        number = LABELS.index(f"B-{kind}")
        labels[start] = number
        labels[start + 1 : end] = [number + 1] * (end - start - 1)
    return labels


def gather(
    sentences: Sequence[LabelledSentence],
    lexicon: Lexicon,
    *,
    least: int = 2,
    least_pairs: int = 3,
    forgotten: float = 0.1,
    caseless: float = 0.12,
    lowered: float = 0.0,
    seed: int = 0,
) -> Gathering:
    """The matrices of these sentences.

    Args:
        sentences: what is learned from.
        lexicon: clusters of words.
        least: how often a feature of one token must occur; `least_pairs` the same for several tokens.
        forgotten: the share of tokens whose word is hidden, so that shape, clusters and neighbours are learned too.
        caseless: the share of sentences that are learned a second time without capitals.
        lowered: the share that is learned a second time with its names in lower case.
        seed: for which ones.
    """
    chance = random.Random(seed)
    seen: dict[tuple[bool, bool, str], int] = {}
    facts_of: list[WordFacts] = []
    shown: list[tuple[tuple[str, ...], ...]] = []
    sequences: list[tuple[list[int], list[int], list[list[str]]]] = []
    for sentence in _with_lowered(sentences, lowered, seed):
        plain = is_caseless(list(sentence.tokens))
        ways = [plain, True] if not plain and chance.random() < caseless else [plain]
        for way in ways:
            rows, facts, hidden = [], [], []
            for token in sentence.tokens:
                hide = chance.random() < forgotten
                key = (way, hide, token)
                row = seen.get(key)
                if row is None:
                    row = seen[key] = len(facts_of)
                    fact = look_at(token, way, lexicon)
                    facts_of.append(fact)
                    own = tuple(one for one in fact.own if not hide or one[:2] not in _WORD)
                    shown.append((own, fact.near, fact.far))
                rows.append(row)
                facts.append(facts_of[row])
                hidden.append(hide)
            context = context_features(facts)
            context = [
                [one for one in line if not hide or one[:2] not in _WORD]
                for line, hide in zip(context, hidden, strict=True)
            ]
            sequences.append((rows, labels_of(sentence), context))
    return _matrices(shown, sequences, least, least_pairs)


def _with_lowered(
    sentences: Sequence[LabelledSentence], share: float, seed: int
) -> Iterator[LabelledSentence]:
    chance = random.Random(f"lowered {seed}")
    for sentence in sentences:
        yield sentence
        if sentence.spans and chance.random() < share:
            tokens = list(sentence.tokens)
            for start, end, _ in sentence.spans:
                tokens[start:end] = [token.lower() for token in tokens[start:end]]
            yield replace(sentence, tokens=tuple(tokens))


_WORD = ("w=", "l=", "b-", "b+", "e=", "f=", "p4", "x4", "m=")


def _matrices(
    shown: list[tuple[tuple[str, ...], ...]],
    sequences: list[tuple[list[int], list[int], list[list[str]]]],
    least: int,
    least_pairs: int,
) -> Gathering:
    tokens = sum(len(rows) for rows, _, _ in sequences)
    choices: dict[int, Array] = {}
    labels = np.fromiter((label for _, line, _ in sequences for label in line), np.int64, tokens)
    ranges, at = [], 0
    for rows, _, _ in sequences:
        ranges.append((at, at + len(rows)))
        at += len(rows)
    ids = np.fromiter((row for rows, _, _ in sequences for row in rows), np.int64, tokens)
    start_of = np.zeros(tokens, np.int64)
    end_of = np.zeros(tokens, np.int64)
    for start, end in ranges:
        start_of[start:end], end_of[start:end] = start, end
    for offset in OFFSETS:
        places = np.arange(tokens) + offset
        inside = (places >= start_of) & (places < end_of)
        choices[offset] = np.where(inside, ids[np.clip(places, 0, tokens - 1)], -1)
    parts: list[tuple[Any, Any]] = []
    names: list[str] = []
    for offset in OFFSETS:
        used = Counter[str]()
        frequency = np.bincount(choices[offset][choices[offset] >= 0], minlength=len(shown))
        for line, count in zip(shown, frequency, strict=True):
            for feature in line[abs(offset)]:
                used[feature] += int(count)
        bound = least if not offset else least_pairs * abs(offset)
        index = {feature: number for number, feature in enumerate(f for f, n in used.items() if n >= bound)}
        names += [f"{offset}{feature}" for feature in index]
        kinds = _incidence([line[abs(offset)] for line in shown], index)
        good = np.flatnonzero(choices[offset] >= 0)
        chosen = need("scipy.sparse").csr_matrix(
            (np.ones(len(good), np.float32), (good, choices[offset][good])), shape=(tokens, len(shown))
        )
        parts.append((chosen, kinds))
    counts = Counter(feature for _, _, context in sequences for line in context for feature in line)
    index = {
        feature: number for number, feature in enumerate(f for f, n in counts.items() if n >= least_pairs)
    }
    names += index
    lines = [line for _, _, context in sequences for line in context]
    parts.append((None, _incidence(lines, index)))
    return Gathering(Gathered(tuple(parts), tuple(ranges), labels), tuple(names))


def _incidence(lines: Sequence[Sequence[str]], index: dict[str, int]) -> Any:
    columns: list[int] = []
    ends = [0]
    for line in lines:
        columns += {index[feature] for feature in line if feature in index}
        ends.append(len(columns))
    data = np.ones(len(columns), np.float32)
    return need("scipy.sparse").csr_matrix(
        (data, np.array(columns, np.int64), np.array(ends, np.int64)), shape=(len(lines), len(index))
    )


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


_LEAST = 5
_CLUSTERS = (48, 192, 768)
"""How many groups of words, coarse to fine."""


def learn_lexicon(
    sentences: Iterable[Sequence[str]],
    *,
    seed: int = 0,
) -> Lexicon:
    """Words of at least five occurrences, grouped by what stands around them, and how they are capitalised.

    A word is described by its positive pointwise mutual information with the 3,000 most frequent words one and two
    places before and behind, reduced to 64 dimensions by singular value decomposition; k-means groups the directions.
    """
    from scipy.sparse import coo_matrix, hstack
    from sklearn.cluster import MiniBatchKMeans
    from sklearn.utils.extmath import randomized_svd

    lows, upper, inside, counts = _counted(sentences)
    words = [word for word, count in counts.most_common() if count >= _LEAST]
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
    matrix = hstack(parts).tocsr()
    u, s, _ = randomized_svd(matrix, n_components=64, n_iter=4, random_state=seed)
    vectors = u * np.sqrt(s)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    groups = [
        MiniBatchKMeans(size, random_state=seed, n_init=3, batch_size=4096, max_iter=60).fit_predict(vectors)
        for size in _CLUSTERS
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


CORPORA = ("gmb", "gum", "btc", "wikigold", "wnut")
"""What is learned from; of each the train part."""


class NameTraining(Struct, frozen=True, kw_only=True):
    """How the field is fitted.

    Args:
        penalty: of squared weights.
        rounds: of L-BFGS at most.
        forgotten: share of tokens whose word is hidden in learning.
        caseless: share of sentences learned a second time without capitals.
        lowered: share learned a second time with names in lower case.
        smallest: a feature none of whose weights reaches this is left out of the model.
        trust: how much a token's other occurrences in its document count (`second_look`).
        seed: of everything random.
    """

    penalty: float = 0.5
    rounds: int = 70
    forgotten: float = 0.1
    caseless: float = 0.12
    lowered: float = 0.06
    smallest: float = 0.03
    trust: float = 1.0
    seed: int = 0


def labelled(folder: Path, names: Collection[str] = CORPORA) -> dict[str, list[LabelledDocument]]:
    """The documents of each corpus, brought to the project's notion of a name; `folder` holds `ner`."""
    return {name: brought_to_convention(read_corpus(folder / "ner", name)) for name in names}


def lexicon_of(folder: Path, corpora: dict[str, list[LabelledDocument]], seed: int = 0) -> Lexicon:
    """Clusters of the words of the unlabelled texts in `folder` and of what is learned from."""

    def sentences() -> Iterator[Sequence[str]]:
        yield from read_unlabelled(folder)
        for documents in corpora.values():
            for document in documents:
                if document.part == "train":
                    for sentence in document.sentences:
                        yield sentence.tokens

    return learn_lexicon(sentences(), seed=seed)


def train_names(
    corpora: dict[str, list[LabelledDocument]],
    lexicon: Lexicon,
    training: NameTraining,
    progress: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> FieldWeights:
    """A recogniser's weights, learned from the train part of the corpora."""
    sentences = [
        sentence
        for documents in corpora.values()
        for document in documents
        if document.part == "train"
        for sentence in document.sentences
    ]
    gathering = gather(
        sentences,
        lexicon,
        forgotten=training.forgotten,
        caseless=training.caseless,
        lowered=training.lowered,
        seed=training.seed,
    )
    fitted = fit(
        gathering.gathered, len(LABELS), penalty=training.penalty, rounds=training.rounds, progress=progress
    )
    kept = np.flatnonzero(np.abs(fitted.weights).max(axis=1) >= training.smallest)
    return FieldWeights(
        LABELS,
        {gathering.names[row]: number for number, row in enumerate(kept.tolist())},
        fitted.weights[kept],
        fitted.moves.astype(np.float32),
        fitted.starts.astype(np.float32),
        lexicon,
        training.trust,
    )


def data_used(folder: Path, names: Collection[str]) -> tuple[DataUsed, ...]:
    """What the card says of the corpora: their names, with a digest over their files."""
    used = []
    for name in names:
        place = "wnut17" if name == "wnut" else name
        digest = hashlib.sha256()
        for path in sorted((folder / "ner" / place).glob("*.gz")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        used.append(DataUsed(name=f"{name} (learned from)", events=(), digest=digest.hexdigest()))
    return tuple(used)
