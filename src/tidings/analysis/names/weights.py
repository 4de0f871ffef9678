"""The recogniser's model file (features, weights and word clusters with their card), and recognisers by their names."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tidings.analysis.names.mentions import Recogniser, Span, is_name
from tidings.analysis.names.name_words import Lexicon
from tidings.analysis.names.recogniser import FieldWeights, NameRecogniser
from tidings.core import FormatError, Model, ModelCard, Problem, UsageError, pip_install, write_model_bytes

SYSTEM = "names"
"""What a card of this kind of model says it is for."""
_LARGEST = 64_000_000
_SHIPPED = "names.safetensors"


@lru_cache(maxsize=1)
def shipped_recogniser() -> NameRecogniser:
    """The recogniser that comes with tidings, read once.

    >>> shipped_recogniser().spans([["Barack", "Obama", "flew", "to", "Berlin", "."]])
    [[(0, 2, 'PER'), (4, 5, 'LOC')]]
    """
    return read_recogniser()


def read_recogniser(path: str | Path = "") -> NameRecogniser:
    """The recogniser of a model file, or the one that comes with tidings where `path` is empty.

    Raises:
        UsageError: no such file, too large a one, or the model of something else.
        FormatError: no model file.
    """
    return NameRecogniser(read_weights(path)[0])


def read_weights(path: str | Path = "") -> tuple[FieldWeights, ModelCard]:
    """The weights of a model file with their card; see `read_recogniser`."""
    if not str(path):
        data = resources.files("tidings.analysis.names").joinpath("weights", _SHIPPED).read_bytes()
        return _parse(data, _SHIPPED)
    try:
        size = Path(path).stat().st_size
        if not Path(path).is_file() or size > _LARGEST:
            raise UsageError(f"{path}: a model is a plain file of at most {_LARGEST:,} bytes")
        data = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: the model of names cannot be read: {error.strerror}") from None
    return _parse(data, str(path))


def weights_bytes(field: FieldWeights, card: ModelCard) -> bytes:
    """The bytes of a model file; the same model gives the same bytes."""
    names = sorted(field.rows)
    words = sorted(field.lexicon.clusters)
    levels = len(next(iter(field.lexicon.clusters.values()), ()))
    arrays = {
        "features": _letters(names),
        "weights": np.ascontiguousarray(field.weights[[field.rows[name] for name in names]]).astype(
            np.float16
        ),
        "moves": np.asarray(field.moves, np.float32),
        "starts": np.asarray(field.starts, np.float32),
        "words": _letters(words),
        "clusters": np.array([field.lexicon.clusters[word] for word in words], np.uint16).reshape(-1, levels),
        "capitals": np.array([field.lexicon.capitals.get(word, -1) for word in words], np.int8),
    }
    return write_model_bytes(
        Model(card=card, arrays=arrays, settings={"labels": list(field.labels), "trust": field.trust})
    )


def _letters(lines: list[str]) -> np.ndarray[Any, Any]:
    return np.frombuffer("\n".join(lines).encode("utf-8"), np.uint8)


def _lines(array: np.ndarray[Any, Any]) -> list[str]:
    return array.tobytes().decode("utf-8").split("\n") if array.size else []


class _Settings(msgspec.Struct):
    labels: tuple[str, ...]
    trust: float


def _parse(data: bytes, name: str) -> tuple[FieldWeights, ModelCard]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        arrays = load(data)
        length = int.from_bytes(data[:8], "little")
        said = msgspec.json.decode(data[8 : 8 + length]).get("__metadata__", {})
        card = msgspec.json.decode(said["card"], type=ModelCard)
        if card.system != SYSTEM:
            raise UsageError(f"{name}: this is a model of {card.system!r}, which recognises no names")
        settings = msgspec.json.decode(said["settings"], type=_Settings)
        field = _field(arrays, settings)
    except (SafetensorError, msgspec.MsgspecError, KeyError, ValueError, TypeError) as error:
        found = f"{type(error).__name__}: {error}"[:200]
        raise FormatError([Problem(name, 0, found, "a model file of names (safetensors)")]) from None
    return field, msgspec.structs.replace(card, digest=hashlib.sha256(data).hexdigest())


def _field(arrays: dict[str, Any], settings: _Settings) -> FieldWeights:
    labels = len(settings.labels)
    names, words = _lines(arrays["features"]), _lines(arrays["words"])
    expected = {
        "weights": (len(names), labels),
        "moves": (labels, labels),
        "starts": (labels,),
        "capitals": (len(words),),
    }
    for key, shape in expected.items():
        if arrays[key].shape != shape:
            raise ValueError(f"array {key!r} of shape {arrays[key].shape}, expected {shape}")
        if arrays[key].dtype.kind == "f" and not np.isfinite(arrays[key]).all():
            raise ValueError(f"array {key!r} with values that are no numbers")
    if arrays["clusters"].ndim != 2 or len(arrays["clusters"]) != len(words):
        raise ValueError("clusters that do not fit the words")
    lexicon = Lexicon(
        dict(zip(words, map(tuple, arrays["clusters"].tolist()), strict=True)),
        {word: rate for word, rate in zip(words, arrays["capitals"].tolist(), strict=True) if rate >= 0},
    )
    return FieldWeights(
        settings.labels,
        {feature: row for row, feature in enumerate(names)},
        arrays["weights"].astype(np.float32),
        arrays["moves"],
        arrays["starts"],
        lexicon,
        settings.trust,
    )


_PREFIX = "spacy:"
_TYPES = {"PERSON": "PER", "PER": "PER", "ORG": "ORG", "GPE": "LOC", "LOC": "LOC", "FAC": "LOC"}
_ARTICLES = ("the", "a", "an")


class SpacyRecogniser:
    """The names that a pipeline of spaCy finds, as tidings counts them.

    Its PERSON or PER are persons; ORG organizations; GPE, LOC and FAC locations; its other labels no names. An article
    before a name is no part of it, and what `is_name` rejects is none. Sentences are looked at one by one.
    """

    def __init__(self, language: Any) -> None:
        self._language = language

    def spans(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        """For each sentence of a document, the spans of tokens that are names, with their types."""
        return self.spans_of([sentences])[0]

    def spans_of(self, documents: Sequence[Sequence[Sequence[str]]]) -> list[list[list[Span]]]:
        """The spans of each sentence of each document."""
        spans: list[list[list[Span]]] = [[[] for _ in document] for document in documents]
        filled = [
            (own, tokens)
            for document, lines in zip(documents, spans, strict=True)
            for tokens, own in zip(document, lines, strict=True)
            if tokens
        ]
        for parsed, (own, tokens) in zip(
            self._language.pipe([self._parsed(tokens) for _, tokens in filled]), filled, strict=True
        ):
            for entity in parsed.ents:
                start, end = entity.start, entity.end
                while end - start > 1 and tokens[start].lower() in _ARTICLES:
                    start += 1
                kind = _TYPES.get(entity.label_)
                if kind and is_name(" ".join(tokens[start:end])):
                    own.append((start, end, kind))
        return spans

    def _parsed(self, tokens: Sequence[str]) -> Any:
        from spacy.tokens import Doc

        return Doc(self._language.vocab, words=[token if token.strip() else "_" for token in tokens])


@lru_cache(maxsize=2)
def recogniser_named(name: str = "") -> Recogniser:
    """The recogniser that comes with tidings (no name), that of a model file, or a pipeline of spaCy (`spacy:NAME`).

    Raises:
        UsageError: spaCy is not installed, it has no such pipeline, or the pipeline recognises no names; no such file.

    >>> recogniser_named().spans([["Ann", "Lee", "spoke"]])
    [[(0, 2, 'PER')]]
    """
    if not name.startswith(_PREFIX):
        return read_recogniser(name) if name else shipped_recogniser()
    pipeline = name.removeprefix(_PREFIX)
    try:
        import spacy
    except ImportError:
        raise UsageError(
            f"{name}: no spaCy installed, which runs such pipelines. Run: {pip_install('[spacy]')}"
        ) from None
    try:
        language = spacy.load(pipeline)
    except (OSError, ValueError, ImportError) as error:
        said = " ".join(str(error).split())[:120]
        raise UsageError(
            f"{name}: no pipeline that can be loaded ({said}) (expected the name or folder of one that is "
            "installed, such as spacy:en_core_web_sm)"
        ) from None
    if not {"ner", "entity_ruler", "span_ruler"}.intersection(language.pipe_names):
        steps = ", ".join(language.pipe_names) or "nothing"
        raise UsageError(f"{name}: this pipeline has {steps}, but nothing that recognises names (ner)")
    return SpacyRecogniser(language)
