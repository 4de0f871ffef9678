"""Runs of TREC Temporal Summarization: seven columns, read in bulk where regular and with care where not."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, OutputError, Problems, TidingsError, UsageError
from tidings.core.records import Run, Update
from tidings.following.outputs.trec_runs import read_run, write_run

GOOD = "11 team one 1326506940-43 157 1326510000 2.5\n11 team one 1326506940-43 166 1326510060 0.25\n"


def put(folder: Path, text: str | bytes, name: str = "a.run") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


class TestReading:
    @every("separator", [" ", "\t", "  ", " \t", "\x0b"])
    def test_columns_may_be_apart_by_any_blanks(self, tmp_path: Path, separator: str) -> None:
        (run,) = read_run(put(tmp_path, GOOD.replace(" ", separator)))
        assert (run.team, run.name) == ("team", "one")
        assert list(run.updates) == [
            Update("11", "1326506940-43", 157, 1326510000, 2.5),
            Update("11", "1326506940-43", 166, 1326510060, 0.25),
        ]

    def test_a_file_of_several_runs_in_order_of_first_appearance(self, tmp_path: Path) -> None:
        text = GOOD.replace("one", "two") + GOOD + GOOD.replace("team", "others")
        assert [(run.team, run.name) for run in read_run(put(tmp_path, text))] == [
            ("team", "two"),
            ("team", "one"),
            ("others", "one"),
        ]

    def test_mixed_runs_are_sorted_apart_and_that_is_said(self, tmp_path: Path) -> None:
        first, second = GOOD.splitlines(keepends=True)
        notes: list[str] = []
        runs = read_run(put(tmp_path, first + GOOD.replace("one", "two") + second), notes=notes)
        assert [[update.sentence_index for update in run.updates] for run in runs] == [[157, 166], [157, 166]]
        assert "the lines of its runs are mixed" in notes[0]

    @every("changed", ["\r\n", "\n\n", " \n"])
    def test_line_ends_and_empty_lines_do_not_matter(self, tmp_path: Path, changed: str) -> None:
        plain, other = put(tmp_path, GOOD), put(tmp_path, GOOD.replace("\n", changed), "b.run")
        assert list(read_run(other)[0].updates) == list(read_run(plain)[0].updates)

    def test_without_the_last_line_end(self, tmp_path: Path) -> None:
        assert len(read_run(put(tmp_path, GOOD[:-1]))[0].updates) == 2

    def test_a_header_is_accepted(self, tmp_path: Path) -> None:
        header = "query_id team_id run_id doc_id sentence_id decision_time confidence\n"
        assert len(read_run(put(tmp_path, header + GOOD))[0].updates) == 2

    @every("word", ["inf", "Infinity", "1e999"])
    def test_infinite_confidence_is_a_thousand(self, tmp_path: Path, word: str) -> None:
        (run,) = read_run(put(tmp_path, GOOD.replace("2.5", word)))
        assert run.updates[0].confidence == 1000.0

    def test_whole_numbers_may_end_in_point_zero(self, tmp_path: Path) -> None:
        (run,) = read_run(put(tmp_path, GOOD.replace("1326510000", "1326510000.0")))
        assert run.updates[0].time == 1326510000

    def test_letters_beyond_ascii_and_stray_bytes(self, tmp_path: Path) -> None:
        notes: list[str] = []
        text = GOOD.replace("team", "équipe").encode() + GOOD.replace("team", "équipe").encode("latin-1")
        (run,) = read_run(put(tmp_path, text), notes=notes)
        assert (run.team, len(run.updates)) == ("équipe", 4)
        assert "2 bytes are not UTF-8" in notes[0]

    def test_regular_and_careful_reading_agree(self, tmp_path: Path) -> None:
        # A second blank in one line is enough for the whole file to be read line by line.
        lines = [f"1{n % 3} t r{n % 2} {n}-x {n} {n * 60} {n / 7!r}\n" for n in range(500)]
        regular = read_run(put(tmp_path, "".join(lines)))
        lines[250] = lines[250].replace(" ", "  ")
        careful = read_run(put(tmp_path, "".join(lines)))
        assert [(r.team, r.name, list(r.updates)) for r in regular] == [
            (r.team, r.name, list(r.updates)) for r in careful
        ]


BAD = cases(__file__, "bad")


class TestBadLines:
    @every("name", sorted(BAD))
    def test_each_is_told_with_its_place(self, tmp_path: Path, name: str) -> None:
        line, message = BAD[name]
        path = put(tmp_path, GOOD + line + GOOD)
        with pytest.raises(FormatError) as caught:
            read_run(path)
        assert str(caught.value).startswith(f"{path}:3: ")
        assert message in str(caught.value)

    @every("name", sorted(BAD))
    def test_lenient_reading_skips_and_counts(self, tmp_path: Path, name: str) -> None:
        problems = Problems(lenient=True)
        (run,) = read_run(put(tmp_path, GOOD + BAD[name][0] + GOOD), problems=problems)
        assert (len(run.updates), problems.count) == (4, 1)
        assert problems.summary().startswith("skipped 1 bad line; the first: ")

    def test_two_bad_lines_that_make_up_for_each_other(self, tmp_path: Path) -> None:
        short, long = "11 team one doc 1 60\n", "11 team one doc 1 60 1 1\n"
        with pytest.raises(FormatError) as caught:
            read_run(put(tmp_path, GOOD + short + long))
        assert [problem.line for problem in caught.value.problems] == [3, 4]

    def test_all_are_told_together_up_to_twenty(self, tmp_path: Path) -> None:
        with pytest.raises(FormatError) as caught:
            read_run(put(tmp_path, GOOD + "bad\n" * 50))
        assert [problem.line for problem in caught.value.problems] == list(range(3, 23))
        assert str(caught.value).endswith("... and 30 more such lines")


class TestOtherFiles:
    @every(
        "content, message",
        [
            (b"", "a.run: an empty file (expected a TREC run"),
            (b"\n \n", "an empty file"),
            (
                b'{"event": "11"}\n',
                "a.run:1: JSON (expected a TREC run); tidings' own files end in .jsonl",
            ),
            (b"<html>\n", "a.run:1: XML or HTML"),
            (
                gzip.compress(GOOD.encode(), mtime=0),
                "gzip data (expected plain text); end its name in .gz",
            ),
            (b"\x7fELF\x02\0\0", "binary data"),
            (GOOD.encode("utf-16"), "UTF-16"),
        ],
    )
    def test_each_is_told_for_what_it_is(self, tmp_path: Path, content: bytes, message: str) -> None:
        with pytest.raises(FormatError) as caught:
            read_run(put(tmp_path, content))
        assert message in str(caught.value)

    @given(st.binary(max_size=300))
    def test_no_bytes_at_all_give_anything_but_runs_or_an_error_of_ours(
        self, tmp_path: Path, data: bytes
    ) -> None:
        try:
            assert isinstance(read_run(put(tmp_path, data)), list)
        except TidingsError as error:
            assert str(error).isprintable() or "\n" in str(error)

    @given(
        st.lists(
            st.sampled_from(
                [
                    "11",
                    "t",
                    "r",
                    "d-1",
                    "0",
                    "60",
                    "1.5",
                    "\t",
                    "\n",
                    "nan",
                    "-1",
                    "{",
                    "<",
                    "é",
                    "\x85",
                    "\u2028",
                    "\r",
                ]
            ),
            max_size=60,
        )
    )
    def test_nor_do_pieces_of_runs(self, tmp_path: Path, words: list[str]) -> None:
        problems = Problems(lenient=True)
        try:
            read_run(put(tmp_path, " ".join(words)), problems=problems)
        except TidingsError:
            return


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=8).filter(
    lambda name: name.split() == [name] and not name.lower().startswith(("query_id", "topic", "#", "{", "<"))
)
UPDATES = st.builds(
    Update,
    event_id=NAMES,
    doc_id=NAMES,
    sentence_index=st.integers(0, 10**6),
    time=st.integers(0, 10**10),
    confidence=st.floats(allow_nan=False, allow_infinity=False),
)


class TestWriting:
    @given(st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=3, unique=True), st.data())
    def test_what_is_written_is_read_again(
        self, tmp_path: Path, names: list[tuple[str, str]], data: st.DataObject
    ) -> None:
        runs = [Run(*name, tuple(data.draw(st.lists(UPDATES, min_size=1, max_size=5)))) for name in names]
        path = tmp_path / "a.run.gz"
        write_run(path, runs)
        again = read_run(path)
        assert [(run.team, run.name, list(run.updates)) for run in again] == [
            (run.team, run.name, list(run.updates)) for run in runs
        ]

    def test_an_id_with_a_blank_is_refused(self, tmp_path: Path) -> None:
        run = Run("t", "r", (Update("e", "a doc", 0, 60),))
        with pytest.raises(UsageError, match=r"the document id 'a doc' \(expected one without blanks\)"):
            write_run(tmp_path / "a.run", [run])
        assert not list(tmp_path.iterdir())

    def test_a_missing_folder_is_an_output_error(self, tmp_path: Path) -> None:
        with pytest.raises(OutputError):
            write_run(tmp_path / "none" / "a.run", [])
