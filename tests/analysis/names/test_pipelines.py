"""A pipeline of spaCy as a recogniser of names; spaCy itself is not needed, a stand-in takes its place."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.sweeps import cases
from tidings.analysis.names.tagging import tag_lines
from tidings.analysis.names.weights import SpacyRecogniser, recogniser_named, shipped_recogniser
from tidings.cli import run
from tidings.core.errors import UsageError

NAMES = cases(__file__, "names")


class Doc:
    def __init__(self, vocab: object, words: list[str]) -> None:
        assert all(words), "spaCy takes no empty words"
        self.words = words
        self.ents: list[SimpleNamespace] = []


class Language:
    vocab = object()
    pipe_names = ("tok2vec", "ner")

    def pipe(self, docs: Iterable[Doc]) -> Iterator[Doc]:
        for doc in docs:
            for at, word in enumerate(doc.words):
                if word in NAMES:
                    start = at - 1 if at and doc.words[at - 1] in ("the", "The") else at
                    doc.ents.append(SimpleNamespace(start=start, end=at + 1, label_=NAMES[word]))
            yield doc


@pytest.fixture
def spacy(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    module, tokens = ModuleType("spacy"), ModuleType("spacy.tokens")

    def load(name: str) -> Any:
        if name == "absent":
            raise OSError("[E050] Can't find model 'absent'.\nIt doesn't seem to be a package")
        return SimpleNamespace(pipe_names=["tagger"]) if name == "tagging" else Language()

    module.load, tokens.Doc = load, Doc  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spacy", module)
    monkeypatch.setitem(sys.modules, "spacy.tokens", tokens)
    recogniser_named.cache_clear()
    yield module
    recogniser_named.cache_clear()


def test_names_are_those_of_tidings(spacy: ModuleType) -> None:
    recogniser = recogniser_named("spacy:small")
    assert isinstance(recogniser, SpacyRecogniser)
    documents = [
        [["Ann", "saw", "the", "Louvre", "on", "Monday"], []],
        [["", "IBM", "9", "the", "Paris", "an"]],
    ]
    expected = [[[(0, 1, "PER"), (3, 4, "LOC")], []], [[(1, 2, "ORG"), (4, 5, "LOC")]]]
    assert recogniser.spans_of(documents) == expected
    assert recogniser.spans(documents[0]) == expected[0]
    tagged = next(iter(tag_lines(["Ann left Paris."], recogniser)))
    assert [(one.start, one.end, one.type) for one in tagged.mentions] == [(0, 3, "PER"), (9, 14, "LOC")]


def test_it_is_a_choice_of_the_verb(
    spacy: ModuleType, tmp_path: Any, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "lines"
    path.write_text("The Louvre .\n")
    assert run(["tag", str(path), "--recogniser", "spacy:small"]) == 0
    assert capsysbinary.readouterr().out == b"The [Louvre LOC] .\n"


@pytest.mark.parametrize(
    ("given", "said"),
    cases(__file__, "what does not fit is said in a line", lists=True),
)
def test_what_does_not_fit_is_said_in_a_line(
    spacy: ModuleType, given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["tag", "-", *given]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_without_spacy_it_is_said_how_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(UsageError, match=r"no spaCy.*pip install -e '\.\[spacy\]'"):
        recogniser_named("spacy:small-and-absent")


def test_no_name_is_the_one_that_comes_with_tidings() -> None:
    assert recogniser_named() is shipped_recogniser()
