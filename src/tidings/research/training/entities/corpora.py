"""Corpora with labelled names, read as sentences of tokens with spans, documents kept apart.

Readers give what a corpus says, with types mapped to PER, ORG and LOC; `conventions` then brings it to the project's
own notion of a name.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

from tidings.analysis import spans_of_labels
from tidings.core import FormatError, Problem, UsageError
from tidings.research.training.entities.gum import read_gum
from tidings.research.training.entities.labelled import LabelledDocument, LabelledSentence

__all__ = ["DEVELOPMENT", "read_corpus"]

_TYPES = {
    "per": "PER",
    "person": "PER",
    "org": "ORG",
    "group": "ORG",
    "corporation": "ORG",
    "geo": "LOC",
    "loc": "LOC",
    "location": "LOC",
    "gpe": "GPE",
}

DEVELOPMENT = frozenset(
    (
        *("exposure", "librarians", "byron", "emperor", "loan", "negligence", "cyclone", "gaming"),
        *("homeopathic", "iodine", "impeachment", "inauguration", "athens", "coron"),
    )
)
"""The documents of GUM that are kept for measuring."""

_FILES: dict[str, tuple[tuple[str, str], ...]] = {
    "gmb": (("gmb/gmb-part.conll.gz", "train"),),
    "btc": (
        ("btc/btc-a.conll.gz", "train"),
        ("btc/btc-b.conll.gz", "train"),
        ("btc/btc-e.conll.gz", "train"),
        ("btc/btc-f.conll.gz", "train"),
        ("btc/btc-g.conll.gz", "train"),
        ("btc/btc-h.conll.gz", "dev"),
    ),
    "wikigold": (("wikigold/wikigold.conll.gz", "train"),),
    "wnut": (("wnut17/wnut17train.conll.gz", "train"), ("wnut17/emerging.dev.conll.gz", "dev")),
    "ewt": (("ewt/uner-en-ewt-dev.iob2.gz", "dev"),),
}
_SINGLE = {"btc", "wnut", "gmb"}
"""Corpora whose sentences stand alone: each is a document."""


def read_corpus(folder: str | Path, name: str) -> list[LabelledDocument]:
    """The documents of one corpus: gmb, gum, btc, wikigold, wnut or ewt.

    Raises:
        UsageError: no such corpus or no such file.
        FormatError: a line that is none of the corpus.
    """
    folder = Path(folder)
    if name == "gum":
        return [
            LabelledDocument(
                document.id,
                "gum",
                document.genre,
                "dev" if document.id.rsplit("_", 1)[-1] in DEVELOPMENT else "train",
                document.sentences,
            )
            for document in read_gum(folder / "gum")
        ]
    if name not in _FILES:
        raise UsageError(f"found corpus {name!r}, expected one of gum, {', '.join(_FILES)}")
    documents = []
    for file, part in _FILES[name]:
        for number, sentences in enumerate(_documents(folder / file, name)):
            documents.append(LabelledDocument(f"{file}:{number}", name, name, part, tuple(sentences)))
    return documents


def _documents(path: Path, name: str) -> Iterator[list[LabelledSentence]]:
    held: list[LabelledSentence] = []
    for rows in _blocks(path):
        begins = rows[0][0] == "-DOCSTART-" or any(row[0].startswith("# newdoc") for row in rows)
        if held and (name in _SINGLE or begins):
            yield held
            held = []
        words = [row for row in rows if not row[0].startswith("# ") and row[0] != "-DOCSTART-"]
        if words:
            held.append(_sentence(words, name, path))
    if held:
        yield held


def _sentence(rows: list[list[str]], name: str, path: Path) -> LabelledSentence:
    word, label = (1, 2) if name == "ewt" else (0, -1)
    labels = []
    for row in rows:
        if len(row) <= word + (name == "ewt"):
            raise FormatError([Problem(str(path), 0, f"{row!r}", "a token and its label")])
        mark, dash, kind = row[label].partition("-")
        known = _TYPES.get(kind.lower()) if dash and len(row) > 1 else None
        labels.append(f"{mark}-{known}" if known else "O")
    tags = tuple(row[1] for row in rows) if name == "gmb" else ()
    return LabelledSentence(tuple(row[word] for row in rows), tuple(spans_of_labels(labels)), tags)


def _blocks(path: Path) -> Iterator[list[list[str]]]:
    try:
        text = gzip.decompress(path.read_bytes()).decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"{path}: found no readable file ({error}), expected a corpus") from None
    block: list[list[str]] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if not line.strip():
            if block:
                yield block
            block = []
        elif line.startswith("# "):
            block.append([line])
        elif "\t" in line:
            block.append(line.split("\t"))
        else:
            block.append(line.split())
    if block:
        yield block
