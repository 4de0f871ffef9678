"""Options of trainers: what people write is read, and what is wrong is said in the same words for all."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from tests.sweeps import every
from tidings.core.errors import UsageError
from tidings.research.training.trainers import TRAINERS, Training, read_options, trainer_of


class Options(Struct, frozen=True, kw_only=True):
    rate: Annotated[float, Meta(gt=0)] = 0.5
    rounds: Annotated[int, Meta(ge=1)] = 2
    noisy: bool = False
    kind: Literal["few", "many"] = "few"
    limit: float | None = None


@every(
    "given, expected",
    [
        ({}, Options()),
        ({"rate": ".25", "rounds": " 3 "}, Options(rate=0.25, rounds=3)),
        ({"rate": "1e-3", "limit": "2"}, Options(rate=0.001, limit=2.0)),
        ({"noisy": "yes", "kind": "many"}, Options(noisy=True, kind="many")),
        ({"noisy": "False"}, Options(noisy=False)),
    ],
)
def test_texts_become_values(given, expected) -> None:
    assert read_options(Options, given, "own") == expected


@every(
    "given, words",
    [
        ({"rat": "1"}, "option 'rat' (expected one of rate, rounds, noisy, kind, limit"),
        ({"rate": "0"}, "option rate: '0' (expected a number > 0"),
        ({"rate": "nan"}, "option rate: 'nan' (expected a number"),
        ({"rate": "-inf"}, "option rate: '-inf' (expected a number"),
        ({"rounds": "0"}, "option rounds: '0' (expected a whole number >= 1"),
        ({"rounds": "2.5"}, "option rounds: '2.5' (expected a whole number"),
        ({"rounds": "9" * 5000}, "option rounds: '999"),
        ({"noisy": "perhaps"}, "option noisy: 'perhaps' (expected yes or no"),
        ({"kind": "some"}, "option kind: 'some' (expected one of"),
    ],
)
def test_what_is_wrong_is_said(given, words) -> None:
    with pytest.raises(UsageError) as caught:
        read_options(Options, given, "own")
    assert str(caught.value).startswith("training own: ") and words in str(caught.value)


@every(
    "system, name, text",
    [
        *((system, "speeed", "1") for system in TRAINERS),
        ("apsal", "samples", "1"),
        ("ius", "depth", "99"),
        ("l2s", "samples", "0"),
        ("l2s", "ridge", "much"),
        ("l2s", "iterations", "1"),
        ("nnrl", "discount", "1"),
        ("nnrl", "rounds", "many"),
        ("nnrl", "select", "F1"),
        ("tidings", "rounds", "x"),
        ("tidings", "rounds", "0"),
        ("tidings", "ridge", "nan"),
    ],
)
def test_all_trainers_refuse_in_the_same_words(event, system, name, text) -> None:
    if system == "hres":
        pytest.importorskip("torch")
    named = rf"training {system}: option ('speeed' \(expected one of|{name}: '{text}' \(expected )"
    with pytest.raises(UsageError, match=named):
        trainer_of(system)([event], [], Training(system, {name: text}))


def test_a_language_that_is_unknown_is_refused(event) -> None:
    with pytest.raises(UsageError, match="klingon"):
        trainer_of("tidings")([event], [], Training("tidings", {"language": "klingon"}))
