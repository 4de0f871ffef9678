"""Nuggets, matches, pooled updates and duplicates of TREC Temporal Summarization."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, Problems, TidingsError
from tidings.core.records import Match, Nugget, PooledUpdate
from tidings.sources.trec import judgments as trec

NUGGETS = (
    "query_id\tnugget_id\ttimestamp\timportance\tnugget_len\tnugget_text\n"
    'TS14.11\tVMTS14.11.001\t1326600584\t2\t17\t"quoted" as it is\n'
    "TS14.11\tVMTS14.11.002\t1326600584\t-1\t7\t5 dead \n"
)
MATCHES = (
    "query_id\tupdate_id\tnugget_id\tmatch_start\tmatch_end\tauto_p\n"
    "TS14.11\t60-a-0\tVMTS14.11.001\t5\t9\t0\n"
    "TS14.11\t60-a-0\tVMTS14.11.002\t0\t4\t1\n"
)
POOL = (
    "query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\tupdate_text\n"
    "TS14.11\t60-a-0\t60-a\t0\t20\tNULL\tCafé fire kills two .\n"
    "TS14.11\t60-b-3\t60-b\t3\t20\t60-a-0\tCafé fire kills two .\n"
)
READERS: dict[str, tuple[Callable[..., Any], str]] = {
    "nuggets": (trec.read_nuggets, NUGGETS),
    "matches": (trec.read_matches, MATCHES),
    "pool": (trec.read_pool, POOL),
}
KINDS = sorted(READERS)


def put(folder: Path, text: str | bytes, name: str = "a.tsv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


class TestReading:
    def test_nuggets_keep_quotes_blanks_and_importance(self, tmp_path: Path) -> None:
        assert trec.read_nuggets(put(tmp_path, NUGGETS)) == [
            Nugget("TS14.11", "VMTS14.11.001", 1326600584, 2, '"quoted" as it is', 17),
            Nugget("TS14.11", "VMTS14.11.002", 1326600584, -1, "5 dead ", 7),
        ]

    def test_matches_keep_their_offsets(self, tmp_path: Path) -> None:
        assert trec.read_matches(put(tmp_path, MATCHES)) == [
            Match("TS14.11", "60-a-0", "VMTS14.11.001", 5, 9),
            Match("TS14.11", "60-a-0", "VMTS14.11.002", 0, 4, True),
        ]

    def test_offsets_count_characters(self, tmp_path: Path) -> None:
        (pooled, _) = trec.read_pool(put(tmp_path, POOL))
        fire, cafe = trec.read_matches(put(tmp_path, MATCHES), [pooled])
        assert pooled.text[fire.start : fire.end] == "fire"
        assert pooled.text[cafe.start : cafe.end] == "Café"

    def test_spans_beyond_their_text_are_noted(self, tmp_path: Path) -> None:
        pool = trec.read_pool(put(tmp_path, POOL))
        notes: list[str] = []
        trec.read_matches(put(tmp_path, MATCHES.replace("\t9\t", "\t99\t")), pool, notes=notes)
        assert notes == [f"{tmp_path}/a.tsv: 1 spans reach beyond the end of their update's text"]

    def test_pool_rows_stay_in_order_with_repeats(self, tmp_path: Path) -> None:
        rows = trec.read_pool(put(tmp_path, POOL + POOL.splitlines(keepends=True)[1]))
        assert [(row.id, row.duplicate_of, row.listed_length) for row in rows] == [
            ("60-a-0", "", 20),
            ("60-b-3", "60-a-0", 20),
            ("60-a-0", "", 20),
        ]

    def test_the_pool_says_whether_it_had_a_header(self, tmp_path: Path) -> None:
        assert trec.read_pool_table(put(tmp_path, POOL))[1] is False
        rows, headless = trec.read_pool_table(put(tmp_path, POOL.partition("\n")[2]))
        assert (len(rows), headless) == (2, True)

    def test_duplicates_go_both_ways(self, tmp_path: Path) -> None:
        assert trec.read_duplicates(put(tmp_path, "1-a-0\t2-b-0\n")) == {"1-a-0": "2-b-0", "2-b-0": "1-a-0"}

    @every("kind", KINDS)
    def test_the_header_may_be_apart_by_blanks_or_missing(self, tmp_path: Path, kind: str) -> None:
        read, text = READERS[kind]
        header, _, rows = text.partition("\n")
        expected = read(put(tmp_path, text))
        assert read(put(tmp_path, header.replace("\t", "    ") + "\n" + rows)) == expected
        assert read(put(tmp_path, rows)) == expected
        assert read(put(tmp_path, header.upper() + "\r\n" + rows.replace("\n", "\r\n"))) == expected

    @every("kind", ["nuggets", "matches"])
    def test_a_header_in_another_order_is_obeyed(self, tmp_path: Path, kind: str) -> None:
        read, text = READERS[kind]
        turned = "".join(
            "\t".join([cells[0], *cells[:0:-1]]) + "\n"
            for cells in (line.split("\t") for line in text.splitlines())
        )
        assert read(put(tmp_path, turned)) == read(put(tmp_path, text, "b.tsv"))

    def test_a_tab_in_the_text_belongs_to_it(self, tmp_path: Path) -> None:
        rows = trec.read_pool(put(tmp_path, POOL.replace("kills two", "kills\ttwo")))
        assert [row.text for row in rows] == ["Café fire kills\ttwo ."] * 2

    def test_line_separators_of_other_kinds_are_part_of_the_text(self, tmp_path: Path) -> None:
        rows = trec.read_pool(put(tmp_path, POOL.replace("kills two", "kills\u2028\x85two")))
        assert rows[0].text == "Café fire kills\u2028\x85two ."


BAD = cases(__file__, "bad")


class TestBadLines:
    @every("name", sorted(BAD))
    def test_each_is_told_with_its_place(self, tmp_path: Path, name: str) -> None:
        kind, good, bad, message = BAD[name]
        read, text = READERS[kind]
        assert good in text
        path = put(tmp_path, text.replace(good, bad, 1))
        with pytest.raises(FormatError) as caught:
            read(path)
        assert str(caught.value).startswith(f"{path}:")
        assert message in str(caught.value)

    @every("kind", KINDS)
    def test_lenient_reading_skips_and_counts(self, tmp_path: Path, kind: str) -> None:
        read, text = READERS[kind]
        problems = Problems(lenient=True)
        assert len(read(put(tmp_path, text + "rubbish\n"), problems=problems)) == 2
        assert problems.count == 1

    @every("kind", KINDS)
    def test_no_rows_at_all(self, tmp_path: Path, kind: str) -> None:
        read, text = READERS[kind]
        with pytest.raises(FormatError, match="an empty file"):
            read(put(tmp_path, ""))
        header = put(tmp_path, text.partition("\n")[0])
        if kind == "matches":
            assert not read(header)  # of an event whose nuggets nobody has matched yet
            return
        with pytest.raises(FormatError, match="a header and no rows"):
            read(header)

    @pytest.mark.parametrize("kind", KINDS)
    @given(data=st.binary(max_size=300))
    def test_garbage_gives_rows_or_an_error_of_ours(self, tmp_path: Path, kind: str, data: bytes) -> None:
        try:
            assert isinstance(READERS[kind][0](put(tmp_path, data)), list)
        except TidingsError:
            return

    @pytest.mark.parametrize("kind", KINDS)
    @given(data=st.data())
    def test_a_good_table_with_one_thing_changed_too(
        self, tmp_path: Path, kind: str, data: st.DataObject
    ) -> None:
        read, text = READERS[kind]
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 4))
        put_in = data.draw(
            st.sampled_from(["", "\t", "\n", "-", "9" * 30, "é", "\x00", "\r", "NaN", "\ud800"])
        )
        changed = (text[:at] + put_in + text[at + cut :]).encode("utf-8", "surrogatepass")
        try:
            read(put(tmp_path, changed), problems=Problems(lenient=data.draw(st.booleans())))
        except TidingsError:
            return


IDS = st.from_regex(r"[A-Za-z0-9.é]{1,8}", fullmatch=True).filter(
    lambda one: one.lower() not in {"query", "null"}
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r\0\ufeff"), max_size=30)
TIMES = st.integers(0, 10**10)


class TestWriting:
    @given(
        st.lists(
            st.builds(
                Nugget,
                event_id=IDS,
                id=IDS,
                time=TIMES,
                importance=st.integers(-1, 3),
                text=TEXTS,
                listed_length=st.integers(1, 99),
            ),
            min_size=1,
            max_size=6,
            unique_by=lambda nugget: nugget.id,
        )
    )
    def test_nuggets(self, tmp_path: Path, nuggets: list[Nugget]) -> None:
        trec.write_nuggets(tmp_path / "a.tsv", nuggets)
        assert trec.read_nuggets(tmp_path / "a.tsv") == nuggets

    @given(
        st.lists(
            st.builds(
                lambda event, update, nugget, start, length, automatic: Match(
                    event, update, nugget, start, start + length, automatic
                ),
                *(IDS, IDS, IDS, st.integers(0, 99), st.integers(0, 99), st.booleans()),
            ),
            min_size=1,
            max_size=6,
        )
    )
    def test_matches(self, tmp_path: Path, matches: list[Match]) -> None:
        trec.write_matches(tmp_path / "a.tsv.gz", matches)
        assert trec.read_matches(tmp_path / "a.tsv.gz") == matches

    @given(
        st.lists(
            st.builds(
                PooledUpdate,
                event_id=IDS,
                doc_id=IDS,
                sentence_index=st.integers(0, 999),
                text=TEXTS,
                duplicate_of=st.just("") | IDS,
                listed_length=st.integers(1, 99),
            ),
            min_size=1,
            max_size=6,
        ),
        st.booleans(),
    )
    def test_pools(self, tmp_path: Path, pool: list[PooledUpdate], headless: bool) -> None:
        trec.write_pool(tmp_path / "a.tsv", pool, headless=headless)
        assert trec.read_pool_table(tmp_path / "a.tsv") == (pool, headless)

    def test_duplicates(self, tmp_path: Path) -> None:
        pairs = {"1-a-0": "2-b-0", "2-b-0": "1-a-0"}
        trec.write_duplicates(tmp_path / "a.tsv", pairs)
        assert trec.read_duplicates(tmp_path / "a.tsv") == pairs

    def test_line_ends_in_a_text_become_blanks_and_that_is_said(self, tmp_path: Path) -> None:
        notes: list[str] = []
        trec.write_pool(tmp_path / "a.tsv", [PooledUpdate("e", "d", 0, "a\nb\tc")], notes=notes)
        assert trec.read_pool(tmp_path / "a.tsv")[0].text == "a b c"
        assert "inside 1 rows became blanks" in notes[0]
