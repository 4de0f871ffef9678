"""From corpora to a recogniser: clusters of words first, then the field, then what weighs nothing left out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

from tidings.analysis import FieldWeights, Lexicon
from tidings.core import DataUsed
from tidings.research.training.entities.conventions import brought_to_convention
from tidings.research.training.entities.corpora import read_corpus
from tidings.research.training.entities.field import fit
from tidings.research.training.entities.gathering import LABELS, gather
from tidings.research.training.entities.labelled import LabelledDocument
from tidings.research.training.entities.unlabelled import learn_lexicon, read_unlabelled

__all__ = ["CORPORA", "NameTraining", "data_used", "labelled", "lexicon_of", "train_names"]

CORPORA = ("gmb", "gum", "btc", "wikigold", "wnut")
"""What is learned from; of each the train part."""


class NameTraining(Struct, frozen=True, kw_only=True):
    """How the field is fitted.

    Args:
        penalty: of squared weights.
        rounds: of L-BFGS at most.
        forgotten: share of tokens whose word is hidden in learning.
        caseless: share of sentences learned a second time without capitals.
        lowered: share learned a second time with names in small letters.
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
