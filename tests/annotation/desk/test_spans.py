"""Spans of one text in another: exact under white space, honest where words are missing."""

from __future__ import annotations

from hypothesis import given, strategies as st

from tests.sweeps import every
from tidings.annotation.desk.operations.matches import realign

WORDS = st.lists(st.sampled_from(["ferry", "burns", "é", "🚢", "12", "the"]), min_size=1, max_size=8)
GAPS = st.sampled_from([" ", "  ", "\n", " \t "])


def quoted(start: int, end: int, text: str, other: str) -> str | None:
    place = realign(start, end, text, other)
    return None if place is None else other[place[0] : place[1]]


class TestWhiteSpaceAlone:
    @given(st.data())
    def test_the_same_words_are_found_whatever_stands_between_them(self, data: st.DataObject) -> None:
        words = data.draw(WORDS)
        one, other = ("".join(data.draw(GAPS) + word for word in words) for _ in range(2))
        start = data.draw(st.integers(0, len(one) - 1))
        end = data.draw(st.integers(start + 1, len(one)))
        found = quoted(start, end, one, other)
        assert "".join((found or "").split()) == "".join(one[start:end].split())
        assert found is None or found.strip() == found or one == other

    def test_of_space_alone_there_is_no_place(self) -> None:
        assert realign(1, 3, "A  B", "A  B") is None and realign(1, 3, "A  B", "A B") is None

    def test_in_the_text_itself_a_span_stays(self) -> None:
        assert realign(1, 4, "A  B 🚢", "A  B 🚢") == (1, 4)


class TestNearlyTheSame:
    def test_a_span_is_found_by_its_words(self) -> None:
        one, other = "A ferry burned off Bari.", "Police: a FERRY burned today off the coast of Bari."
        assert quoted(2, 14, one, other) == "FERRY burned"
        assert quoted(2, 18, one, other) == "FERRY burned today off"

    def test_the_whole_text_becomes_the_whole_other(self) -> None:
        assert quoted(0, 8, "A ferry.", " Two ferries. ") == "Two ferries."

    def test_words_that_are_not_there_have_no_place(self) -> None:
        one = "A ferry burned off Bari and 12 died."
        assert realign(28, 36, one, "A ferry burned off Bari and sank.") is None

    def test_half_of_the_words_are_enough_and_fewer_are_not(self) -> None:
        one = "Ferry burned off Bari today."
        assert quoted(0, 12, one, "The ferry sank today.") == "ferry"
        assert realign(0, 16, one, "The ferry sank today.") is None

    @every("start, end", [(3, 3), (4, 3), (-1, 2), (0, 99)])
    def test_what_is_no_span_has_no_place(self, start: int, end: int) -> None:
        assert realign(start, end, "A ferry.", "A ferry.") is None

    @given(WORDS, WORDS, st.data())
    def test_what_is_found_is_always_a_span_of_words(
        self, ours: list[str], theirs: list[str], data: st.DataObject
    ) -> None:
        one, other = " ".join(ours), " ".join(theirs)
        start = data.draw(st.integers(0, len(one) - 1))
        end = data.draw(st.integers(start + 1, len(one)))
        place = realign(start, end, one, other)
        if place is not None:
            assert 0 <= place[0] < place[1] <= len(other)
            assert other[place[0] : place[1]].strip()
