"""Markdown that would keep a server busy is shown as it was written, and what is shown often is read once."""

from __future__ import annotations

from typing import Any

import pytest

from tidings.web import pages


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were read as Markdown."""
    texts: list[str] = []
    parser = pages._markdown_parser()

    class Noting:
        def render(self, text: str) -> Any:
            texts.append(text)
            return parser.render(text)

    monkeypatch.setattr(pages, "_markdown_parser", Noting)
    pages.markdown.cache_clear()
    return texts


@pytest.mark.parametrize("text", ["[" * 2_001, "[a](b) " * 2_001, "x" * 100_001, "a <b> " * 20_000])
def test_what_would_take_long_is_shown_as_it_is(read: list[str], text: str) -> None:
    shown = str(pages.markdown(text))
    assert not read and "<b>" not in shown
    assert shown == f"<pre>{text.replace('<', '&lt;').replace('>', '&gt;')}</pre>"


def test_what_takes_little_time_is_read(read: list[str]) -> None:
    assert str(pages.markdown("[" * 2_000)).startswith("<p>") and read


def test_a_text_is_read_once(read: list[str]) -> None:
    shown = {str(pages.markdown("Be *kind*, see [this](https://a.example/).")) for _ in range(3)}
    assert len(read) == len(shown) == 1 and "<em>kind</em>" in shown.pop()
