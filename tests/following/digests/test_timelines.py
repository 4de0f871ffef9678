"""Timelines by day: read and written, and made of runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import every
from tidings.core.errors import FormatError, OutputError, Problems, TidingsError, UsageError
from tidings.core.records import DailyTimeline, Run, TimelineDay, Update
from tidings.following.digests.timeline_files import (
    read_references,
    read_timeline_runs,
    read_timelines,
    timelines_of,
    write_timelines,
)

DASHES = "-" * 32
TEXT = (
    f"2010-04-22\nThe rig sinks . \n{DASHES}\n2010-04-20\nThe rig burns .\n\nEleven are missing .\n{DASHES}\n"
)
JSON = '[["2010-04-22T00:00:00", ["The rig sinks ."]], ["2010-04-20", ["The rig burns .", "Eleven are missing ."]]]\n'
DAYS = (
    TimelineDay("2010-04-22", ("The rig sinks .",)),
    TimelineDay("2010-04-20", ("The rig burns .", "Eleven are missing .")),
)


def put(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


class TestReading:
    @every("name, data", [("a.txt", TEXT), ("a.json", JSON), ("a.jsonl", JSON)])
    def test_three_forms(self, tmp_path: Path, name: str, data: str) -> None:
        assert read_timelines(put(tmp_path / name, data)) == [DailyTimeline("a", DAYS)]

    def test_several_in_one_file(self, tmp_path: Path) -> None:
        read = read_timelines(put(tmp_path / "a.jsonl", JSON + "\n" + JSON))
        assert read == [DailyTimeline("a-1", DAYS), DailyTimeline("a-2", DAYS)]

    def test_a_day_listed_twice_is_kept_twice(self, tmp_path: Path) -> None:
        (read,) = read_timelines(put(tmp_path / "a.txt", TEXT + TEXT))
        assert read.days == DAYS + DAYS

    @every(
        "name, data, message",
        [
            (
                "a.txt",
                f"2010-04-0\nOil .\n{DASHES}\n",
                r"a.txt:1: '2010-04-0' \(expected a date .*no such day",
            ),
            ("a.txt", f"2010-02-30\nOil .\n{DASHES}\n", r"a.txt:1: .*there is no such day"),
            ("a.txt", f"{DASHES}\n{TEXT}", r"a.txt:1: dashes \(expected a date"),
            ("a.txt", "2010-04-20\nOil .\n2010-04-21\nMore .\n", r"a.txt:3: the date 2010-04-21 among"),
            (
                "a.txt",
                TEXT + "2010-04-23\nMore oil .\n",
                r"the end of the file in the day 2010-04-23 \(expected 32",
            ),
            ("a.txt", JSON, r"a.txt:1: .*end the file's name in .json"),
            ("a.txt", "11 us r 1-a 0 1 1.0\n", r"a.txt:1: .*TREC run, which holds no words"),
            ("a.txt", "", r"a.txt: no day \(expected at least one\)"),
            ("a.jsonl", "", r"a.jsonl: no day"),
            (
                "a.jsonl",
                JSON + '[["2010-04-31", ["x"]]]\n',
                r"a.jsonl:2: the date '2010-04-31' \(expected a day",
            ),
            ("a.jsonl", JSON + '[["2010-04-30"]]\n', r"a.jsonl:2: "),
            ("a.jsonl", '[["2010-04-30", "x"]]\n', r"a.jsonl:1: a text in quotes"),
            ("a.json", '{"2010-04-30": ["x"]}', r"a.json: "),
            ("a.json", JSON + JSON, r"a.json: "),
        ],
    )
    def test_a_bad_place(self, tmp_path: Path, name: str, data: str, message: str) -> None:
        with pytest.raises(FormatError, match=message):
            read_timelines(put(tmp_path / name, data))

    @every(
        "name, data, count",
        [
            ("a.txt", TEXT + f"2010-04-0\nOil .\nOil .\n{DASHES}\n", 1),
            ("a.txt", TEXT.replace(DASHES + "\n", "", 1), 1),
            ("a.txt", TEXT[: -len(DASHES) - 1], 1),
            ("a.jsonl", '[["soon", []]]\n' + JSON, 1),
        ],
    )
    def test_lenient_reading_skips_and_counts(self, tmp_path: Path, name: str, data: str, count: int) -> None:
        problems = Problems(lenient=True)
        (read,) = read_timelines(put(tmp_path / name, data), problems=problems)
        assert (read.days, problems.count) == (DAYS, count)


class TestHostile:
    @staticmethod
    def try_both(folder: Path, name: str, data: bytes) -> None:
        (folder / name).write_bytes(data)
        for problems in (None, Problems(lenient=True)):
            try:
                for timeline in read_timelines(folder / name, problems=problems):
                    assert all(day.date for day in timeline.days)
                read_timeline_runs(folder / name, problems=problems)
            except TidingsError as error:
                assert name in str(error)

    @pytest.mark.parametrize("name", ["a.txt", "a.json", "a.jsonl"])
    @given(data=st.binary(max_size=300))
    def test_random_bytes(self, tmp_path_factory: pytest.TempPathFactory, name: str, data: bytes) -> None:
        self.try_both(tmp_path_factory.mktemp("r"), name, data)

    @pytest.mark.parametrize("name", ["a.txt", "a.json", "a.jsonl"])
    @given(data=st.data())
    def test_random_damage(
        self, tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
    ) -> None:
        good = ((TEXT if name == "a.txt" else JSON) * 2).encode()
        at = data.draw(st.integers(0, len(good)))
        until = data.draw(st.integers(at, min(at + 40, len(good))))
        odd = st.sampled_from(
            [b"\n", b"-", b"\xff", b"\r", b'"', b"\xe2\x80\xa8", b"[" * 2000, b"9999-99-99\n", b"{"]
        )
        new = data.draw(st.binary(max_size=4) | odd)
        self.try_both(tmp_path_factory.mktemp("r"), name, good[:at] + new + good[until:])


words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=8)
sentences = (
    st.lists(words, min_size=1, max_size=4).map(" ".join).filter(lambda s: s[0] not in "-0123456789\ufeff")
)
some_days = st.lists(
    st.builds(
        TimelineDay, st.dates().map(lambda date: date.isoformat()), st.lists(sentences, max_size=3).map(tuple)
    ),
    min_size=1,
    max_size=4,
).map(tuple)


class TestWriting:
    @pytest.mark.parametrize("name", ["a.txt", "a.json", "a.jsonl", "a.txt.gz", "a.jsonl.zst"])
    @given(days=some_days)
    def test_there_and_back(
        self, tmp_path_factory: pytest.TempPathFactory, name: str, days: tuple[TimelineDay, ...]
    ) -> None:
        path = tmp_path_factory.mktemp("w") / name
        stripped = tuple(
            TimelineDay(day.date, tuple(s.strip() for s in day.sentences if s.strip())) for day in days
        )
        write_timelines(path, [DailyTimeline("a", stripped)])
        assert read_timelines(path) == [DailyTimeline("a", stripped)]

    @every("sentence", ["", "two\nlines", "2010-04-20", DASHES, "zero\0"])
    def test_what_text_cannot_hold(self, tmp_path: Path, sentence: str) -> None:
        with pytest.raises(UsageError, match=r"cannot hold the sentence .*; write .json"):
            write_timelines(
                tmp_path / "a.txt", [DailyTimeline("a", (TimelineDay("2010-04-20", (sentence,)),))]
            )
        assert not list(tmp_path.iterdir())

    def test_broken_text(self, tmp_path: Path) -> None:
        for name in ("a.txt", "a.jsonl"):
            with pytest.raises(OutputError, match="cannot hold broken text"):
                write_timelines(
                    tmp_path / name, [DailyTimeline("a", (TimelineDay("2010-04-20", ("\udcff",)),))]
                )

    def test_several_need_json_lines(self, tmp_path: Path) -> None:
        two = [DailyTimeline("a", DAYS), DailyTimeline("b", DAYS)]
        with pytest.raises(UsageError, match=r"2 timelines \(expected one\); end the name in .jsonl"):
            write_timelines(tmp_path / "a.txt", two)
        write_timelines(tmp_path / "a.jsonl", two)
        assert [one.days for one in read_timelines(tmp_path / "a.jsonl")] == [DAYS, DAYS]


class TestRuns:
    def test_updates_by_day_in_time_order(self) -> None:
        updates = [
            Update("oil", "b", 0, 86_400, text="It sank ."),
            Update("oil", "a", 0, 86_399, text="The rig\nburns ."),
            Update("flu", "c", 0, 5, text="Fever ."),
        ]
        made = timelines_of(Run("us", "one", updates))
        assert made["oil"].days == (
            TimelineDay("1970-01-01", ("The rig burns .",)),
            TimelineDay("1970-01-02", ("It sank .",)),
        )
        assert list(made) == ["flu", "oil"]

    def test_a_run_without_words_has_no_timeline(self) -> None:
        with pytest.raises(UsageError, match="run us one: update a-0 has no text"):
            timelines_of(Run("us", "one", [Update("oil", "a", 0, 1)]))


class TestFolders:
    def test_files_are_references_of_one_topic(self, tmp_path: Path) -> None:
        for name in ("b.txt", "a.txt", ".hidden.txt", "readme.md"):
            put(tmp_path / name, TEXT)
        (one,) = read_references(tmp_path).values()
        assert [timeline.name for timeline in one] == ["a", "b"]

    def test_sub_folders_are_topics(self, tmp_path: Path) -> None:
        """Where some are marked as topics of a collection, others beside them are something else."""
        for name in ("oil/timelines", "flu", "expected"):
            (tmp_path / name).mkdir(parents=True)
        put(tmp_path / "oil" / "timelines" / "bbc.txt", TEXT)
        put(tmp_path / "flu" / "timelines.jsonl", JSON * 2)
        put(tmp_path / "flu" / "articles.jsonl", "{}\n")
        put(tmp_path / "expected" / "numbers.json", "{}")
        assert {name: len(those) for name, those in read_references(tmp_path).items()} == {"flu": 2, "oil": 1}

    def test_a_folder_without_timelines(self, tmp_path: Path) -> None:
        for read in (read_references, read_timeline_runs):
            with pytest.raises(UsageError, match="a folder without timelines"):
                read(tmp_path)

    def test_a_folder_as_a_run_has_a_file_for_each_topic(self, tmp_path: Path) -> None:
        put(tmp_path / "oil.txt", TEXT)
        (run,) = read_timeline_runs(tmp_path)
        assert run.by_topic and [timeline.name for timeline in run.timelines] == ["oil"]

    @pytest.mark.shared_data
    def test_timeline17(self, shared_data: Path) -> None:
        """Five topics; the text of one has a date that is none, its JSON Lines have not."""
        topics = read_references(shared_data / "tls")
        counts = {name: [len(one.days) for one in those] for name, those in topics.items()}
        assert counts == {
            "H1N1_bbc": [9], "MJ_bbc": [38], "SyrianCrisis_bbc": [13], "bpoil_bbc": [48], "haiti_bbc": [11],
        }  # fmt: skip
        with pytest.raises(FormatError, match=r"bbc.co.uk.txt:60: '2011-04-0' \(expected a date"):
            read_timelines(shared_data / "tls" / "MJ_bbc" / "timelines" / "bbc.co.uk.txt")
