"""Sentence spans."""

from __future__ import annotations

import pytest
from hypothesis import example, given, strategies as st

from tests.core.text.hard_sentences import cases
from tests.sweeps import every
from tidings.core.records import Document, Sentence
from tidings.core.text.sentences import cut, split

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

    @every("text", ["", "   ", "\n\n", "\t"])
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

    def test_a_blank_line_ends_a_sentence_even_behind_an_abbreviation(self):
        text = "Shares fell most in the U.S.\n\nPolice said so."
        assert [text[start:end] for start, end in split(text)] == [
            "Shares fell most in the U.S.",
            "Police said so.",
        ]

    def test_what_is_split_stays_split(self):
        document = Document(id="d", published_time=7, sentences=(Sentence("d", 4, "One. Two.", 7),))
        assert cut(document) is document


class TestTitles:
    @every(
        "title, text, expected",
        [
            ("Ferry burns", "All saved. So far.", [(0, 0, "Ferry burns"), (1, 0, "All saved."), (2, 11, "So far.")]),
            ("Ferry  burns ", "All were saved.", [(0, 0, "Ferry burns"), (1, 0, "All were saved.")]),
            ("Ferry burns", "FERRY BURNS!\nAll were saved.", [(0, 0, "FERRY BURNS!"), (1, 13, "All were saved.")]),
            ("Ferry burns", "Ferry burns off Nador.", [(0, 0, "Ferry burns off Nador.")]),
            ("Ferry burns", "A ferry burns.", [(0, 0, "Ferry burns"), (1, 0, "A ferry burns.")]),
            ("...", "All were saved.", [(0, 0, "All were saved.")]),
            ("渡船起火", "全部获救。", [(0, 0, "渡船起火"), (1, 0, "全部获救。")]),
            ("Ferry burns", " ", [(0, 0, "Ferry burns")]),
            ("", "All were saved.", [(0, 0, "All were saved.")]),
        ],
    )  # fmt: skip
    def test_a_title_is_the_first_sentence_unless_the_text_begins_with_it(
        self, title: str, text: str, expected: list[tuple[int, int, str]]
    ) -> None:
        sentences = cut(Document(id="d", published_time=1, title=title, text=text)).sentences
        assert [(one.index, one.start, one.text) for one in sentences] == expected

    def test_documents_that_came_cut_stay_as_they_are(self) -> None:
        document = Document(
            id="d", published_time=1, title="Ferry burns", sentences=(Sentence("d", 0, "All were saved.", 1),)
        )
        assert cut(document) is document

    def test_what_follows_a_title_is_read_as_without_it(self) -> None:
        from tidings.analysis.articles.reader import shipped_reader

        text = "NADOR (Reuters) - A ferry burnt on Friday, police said. Why is not known. Have your say."
        plain = shipped_reader().read(cut(Document(id="d", published_time=1374849600, text=text)).sentences)
        titled = shipped_reader().read(
            cut(
                Document(id="d", published_time=1374849600, title="Ferry burns off Nador", text=text)
            ).sentences
        )
        assert titled.starts == [0, *plain.starts] and titled.kind == plain.kind
        assert [one.sentence.text for one in titled.sentences[1:]] == [
            one.sentence.text for one in plain.sentences
        ]
        for one, other in zip(titled.sentences[1:], plain.sentences, strict=True):
            assert one.news_value == pytest.approx(other.news_value, abs=1e-4)
            assert (one.mode, one.part) == (other.mode, other.part)
