"""Sentence spans."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.text.hard_sentences import cases
from tidings.records import Document, Sentence
from tidings.text.sentences import cut, split

newsy = st.text(
    st.one_of(st.sampled_from(list("abcABC.!?…。 \n\t\"'”’)(1,-")), st.characters(exclude_categories=[])),
    max_size=120,
)


class TestHardCases:
    @pytest.mark.parametrize(("text", "expected"), cases(), ids=range(len(cases())))
    def test_case(self, text, expected):
        assert [text[start:end] for start, end in split(text)] == expected


class TestSpans:
    @given(newsy)
    @example("a. \u2003B")
    @example("!\n\n.\n\n!")
    def test_spans_tile_the_text(self, text):
        """In order, without overlap, trimmed, and leaving out nothing but white space."""
        last = 0
        for start, end in split(text):
            assert start < end
            assert text[last:start].strip() == ""
            assert text[start:end] == text[start:end].strip()
            last = end
        assert text[last:].strip() == ""

    @given(newsy)
    def test_splitting_is_stable(self, text):
        """Text without white space around it begins and ends with its first and last span."""
        spans = split(text.strip())
        assert not text.strip() or (spans[0][0] == 0 and spans[-1][1] == len(text.strip()))

    @pytest.mark.parametrize("text", ["", "   ", "\n\n", "\t"])
    def test_nothing_in_white_space(self, text):
        assert split(text) == []

    def test_hostile_text_takes_no_long_time(self):
        """Each of these is a quarter of a megabyte; the splitter does work in proportion to it."""
        for unit in ("a", ".", ". ", "A. ", "\n", "\"'", "x.Y", "U.S. ", "\x00", "…"):
            text = unit * (250_000 // len(unit))
            spans = split(text)
            assert all(start < end for start, end in spans)


class TestCut:
    def test_sentences_know_their_place(self):
        document = Document(id="d", published_time=7, source="wire", text="  One fire. Two fires.\n\nEnd")
        sentences = cut(document).sentences
        assert [s.text for s in sentences] == ["One fire.", "Two fires.", "End"]
        assert all(document.text[s.start :].startswith(s.text) for s in sentences)
        assert [(s.doc_id, s.index, s.published_time, s.source) for s in sentences] == [
            ("d", i, 7, "wire") for i in range(3)
        ]

    def test_what_is_split_stays_split(self):
        document = Document(id="d", published_time=7, sentences=(Sentence("d", 4, "One. Two.", 7),))
        assert cut(document) is document
