"""The order of updates of articles that come together."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tidings.following.systems.tidings.candidates import main_first


def _document(doc_id: str, *texts: str) -> Any:
    return SimpleNamespace(
        sentences=[SimpleNamespace(sentence=SimpleNamespace(doc_id=doc_id, text=text)) for text in texts]
    )


def _update(doc_id: str, text: str, confidence: float = 0.8) -> Any:
    return SimpleNamespace(doc_id=doc_id, text=text, confidence=confidence)


def _weigh(text: str) -> tuple[dict[str, float], float]:
    stems = dict.fromkeys(text.split(), 1.0)
    return stems, len(stems) ** 0.5


def test_what_other_articles_open_with_too_is_first() -> None:
    documents = [
        _document("a", "ferry inspected", "crew rested"),
        _document("b", "ferry burnt"),
        _document("c", "ferry burnt"),
    ]
    own, shared = _update("a", "crew rested"), _update("b", "ferry burnt")
    assert main_first([own, shared], documents, _weigh) == [shared, own]
    likelier = _update("c", "ferry burnt", 0.9)
    assert main_first([shared, likelier], documents[1:], _weigh)[0] is likelier
    assert main_first([own, shared], documents[:1], _weigh) == [own, shared], "of one article as it is told"


def test_what_an_article_says_itself_does_not_count() -> None:
    documents = [_document("a", "crew rested"), _document("b", "port shut"), _document("c", "ferry docked")]
    own, shared = _update("a", "crew rested"), _update("b", "ferry burnt")
    assert main_first([own, shared], documents, _weigh) == [shared, own]
