"""Judgments and runs of tweets: what is read, what is refused, and that nothing upsets a reader."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, Problems, TidingsError, UsageError
from tidings.core.records import Cluster, Run, Update
from tidings.evaluation.formats.tweet_runs import (
    day_start,
    read_digest_run,
    read_push_run,
    read_timeline_run,
    write_digest_run,
    write_push_run,
    write_timeline_run,
)
from tidings.evaluation.formats.tweets import (
    MobileJudgment,
    find_file,
    read_mobile_qrels,
    read_qrels,
    read_tweet_clusters,
    read_tweet_days,
    read_tweet_judgments,
    write_mobile_qrels,
    write_qrels,
    write_tweet_clusters,
)

GOOD: dict[str, str] = cases(__file__, "good")
READERS: dict[str, Callable[..., Any]] = {
    "push": read_push_run,
    "digest": read_digest_run,
    "timeline": read_timeline_run,
    "qrels": read_qrels,
    "mobile": read_mobile_qrels,
    "days": read_tweet_days,
    "clusters": read_tweet_clusters,
    "flat": read_tweet_clusters,
}


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def put(text: str | bytes, name: str = "file.txt") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return put


class TestPushes:
    """Runs of scenario A."""

    def test_both_ways_of_telling_time(self, write) -> None:
        (run,) = read_push_run(write(GOOD["push"]))
        assert (run.team, run.name) == ("", "us")
        assert list(run.updates) == [
            Update("RTS1", "101", 0, day_start("20170729") + 13 * 3600 + 5 * 60 + 11),
            Update("RTS1", "102", 0, day_start("20170729")),
        ]

    def test_the_year_of_a_time_without_one(self, write) -> None:
        (run,) = read_push_run(write("RTS1 1 0802-00:00:00 us\n"), year=2016)
        assert run.updates[0].time == day_start("20160802")

    def test_blanks_at_line_ends_and_carriage_returns(self, write) -> None:
        """As in a run of 2015 as submitted."""
        (run,) = read_push_run(write("MB226 1 1437367810 us \r\nMB226 2 1437367811 us \r\n"))
        assert (run.name, [update.doc_id for update in run.updates]) == ("us", ["1", "2"])

    def test_topics_without_their_letters(self, write) -> None:
        (run,) = read_push_run(write("226 1 1437367810 us\n"))
        assert run.updates[0].event_id == "MB226"

    def test_one_run_for_each_tag(self, write) -> None:
        runs = read_push_run(write("RTS1 1 5 one\nRTS1 2 6 two\nRTS1 3 7 one\n"))
        assert [(run.name, len(run.updates)) for run in runs] == [("one", 2), ("two", 1)]

    @pytest.mark.parametrize("name", ["silence.run", "silence.run.gz", "silence"])
    def test_an_empty_run_is_called_as_its_file(self, write, name: str) -> None:
        data = gzip.compress(b"") if name.endswith(".gz") else b"\n"
        for read in (read_push_run, read_digest_run, read_timeline_run):
            assert read(write(data, name)) == [Run("", "silence", ())]

    @pytest.mark.parametrize(
        ("line", "said"),
        cases(__file__, "bad lines"),
    )
    def test_bad_lines(self, write, line: str, said: str) -> None:
        path = write(f"RTS1 1 5 us\n{line}\n")
        with pytest.raises(FormatError, match=f"^{path}:2: {said}"):
            read_push_run(path)
        problems = Problems(lenient=True)
        (run,) = read_push_run(path, problems=problems)
        assert (len(run.updates), problems.count) == (1, 1)

    def test_a_lenient_reader_that_finds_nothing_good(self, write) -> None:
        problems = Problems(lenient=True)
        assert read_push_run(write("what is this\n", "odd.run"), problems=problems) == [Run("", "odd", ())]
        assert problems.count == 1


class TestDigests:
    """Runs of scenario B, and timelines."""

    def test_a_line(self, write) -> None:
        (run,) = read_digest_run(write(GOOD["digest"]))
        assert list(run.updates) == [Update("RTS1", "101", 1, day_start("20170729"), 0.5)]
        (run,) = read_timeline_run(write(GOOD["timeline"]))
        assert list(run.updates) == [Update("MB1", "101", 1, 0, 1.0)]

    @pytest.mark.parametrize("day", ["20170230", "2017072", "19691231", "00000101", "2017-7-2"])
    def test_days_that_are_none(self, write, day: str) -> None:
        with pytest.raises(FormatError, match=":1: day"):
            read_digest_run(write(f"{day} RTS1 Q0 101 1 0.5 us\n"))


class TestJudgments:
    """Folders as NIST hands them out."""

    FORMS = cases(__file__, "forms", lists=True)

    @pytest.mark.parametrize("form", FORMS)
    def test_clusters_of_each_year(self, write, form: dict) -> None:
        expected = (Cluster("MB226", "1", ("1", "2")), Cluster("MB226", "2", ("3",)))
        assert read_tweet_clusters(write(json.dumps(form))) == expected
        assert read_tweet_clusters(write("MB226 1 1\nMB226 1 2\nMB226 2 3\n")) == expected

    @every("topic", ["topics", "clusters"])
    def test_a_topic_may_have_the_name_of_a_key(self, tmp_path: Path, topic: str) -> None:
        cluster = Cluster(topic, "c", ("1", "2"), "gloss")
        write_tweet_clusters(tmp_path / "a", [cluster])
        assert read_tweet_clusters(tmp_path / "a") == (cluster,)

    @pytest.mark.parametrize(
        "text",
        ["{", "[]", '{"a": 1}', '{"a": {"clusters": 3}}', '{"a": {"clusters": [[null]]}}',
         '{"a": {"clusters": {"1": {}}}}', '{"topics": []}', "[" * 9999],
    )  # fmt: skip
    def test_clusters_of_another_shape(self, write, text: str) -> None:
        with pytest.raises(FormatError, match=r"file.txt.*.*expected "):
            read_tweet_clusters(write(text))

    def test_a_folder(self, write) -> None:
        write("226 Q0 1 1\n226 Q0 2 2\n", "f/qrels.txt")
        write(gzip.compress(json.dumps(self.FORMS[0]).encode()), "f/clusters-2015.json.gz")
        folder = write("1 20150720 1437350401\n", "f/tweet2dayepoch.txt").parent
        write("MB226 1 1 2\n", "f/mobile-qrels.txt")
        judgments = read_tweet_judgments(folder)
        assert judgments.grades == {"MB226": {"1": 1, "2": 2}}
        assert judgments.days == {"1": "20150720"}
        assert judgments.times == {"1": 1437350401}
        assert len(judgments.clusters) == 2

    def test_files_that_are_missing_or_doubled(self, write, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="no such folder"):
            read_tweet_judgments(tmp_path / "none")
        folder = write("226 Q0 1 1\n", "f/a-qrels.txt").parent
        with pytest.raises(UsageError, match=r"no clusters \(expected a file"):
            read_tweet_judgments(folder)
        write("", "f/b-qrels.txt")
        with pytest.raises(UsageError, match=r"a-qrels.txt and b-qrels.txt \(expected one file"):
            find_file(folder, "qrels", needs="qrels", ends=(".txt",))
        batch = write("", "f/rts-batch-qrels.txt")
        assert find_file(folder, "qrels", needs="qrels", ends=(".txt",)) == batch

    def test_of_a_tweet_judged_twice_the_last_label_stands(self, write) -> None:
        assert read_qrels(write("RTS1 Q0 1 1\nRTS2 Q0 1 0\nRTS1 Q0 1 2\n")) == {
            "RTS1": {"1": 2},
            "RTS2": {"1": 0},
        }

    @pytest.mark.parametrize(
        ("kind", "line"),
        [("qrels", "RTS1 Q0 1 good"), ("qrels", "RTS1 Q0 1"), ("qrels", "RTS1 Q0 1 1.5"), ("days", "1 2017 5"),
         ("days", "1 20171301 5"), ("days", "1 20170729 noon"), ("mobile", "MB1 1 2"), ("flat", "RTS1 c")],
    )  # fmt: skip
    def test_bad_lines(self, write, kind: str, line: str) -> None:
        path = write(f"{GOOD[kind]}{line}\n")
        with pytest.raises(FormatError, match=rf"{path}:{GOOD[kind].count(chr(10)) + 1}: .* \(expected "):
            READERS[kind](path)
        problems = Problems(lenient=True)
        assert READERS[kind](path, problems=problems) == READERS[kind](write(GOOD[kind], "good"))
        assert problems.count == 1


ids = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1, max_size=8).filter(
    lambda text: text.split() == [text] and not text.isdigit() and not text.startswith(("{", "[", "<"))
)
updates = st.builds(Update, ids, ids, st.integers(0, 10**6), st.integers(0, 10**10), st.floats(-1e9, 1e9))


class TestThereAndBack:
    """What is written is read again."""

    @given(st.lists(updates, min_size=1, max_size=9), ids)
    def test_runs(self, tmp_path_factory: pytest.TempPathFactory, told: list[Update], tag: str) -> None:
        path = tmp_path_factory.mktemp("runs") / "a.run"
        pushes = Run("", tag, [Update(one.event_id, one.doc_id, 0, one.time) for one in told])
        write_push_run(path, [pushes])
        assert read_push_run(path) == [pushes]
        digests = [one.time // 86400 * 86400 for one in told]
        lists = Run("", tag, [
            Update(one.event_id, one.doc_id, one.sentence_index, day, one.confidence)
            for one, day in zip(told, digests, strict=True)
        ])  # fmt: skip
        write_digest_run(path, [lists])
        assert read_digest_run(path) == [lists]
        timeline = Run(
            "", tag, [Update(u.event_id, u.doc_id, u.sentence_index, 0, u.confidence) for u in told]
        )
        write_timeline_run(path, [timeline])
        assert read_timeline_run(path) == [timeline]

    @given(st.dictionaries(ids, st.dictionaries(ids, st.integers(-2, 4), min_size=1), min_size=1))
    def test_judgments(self, tmp_path_factory: pytest.TempPathFactory, grades: dict) -> None:
        path = tmp_path_factory.mktemp("judgments") / "file"
        write_qrels(path, grades)
        assert read_qrels(path) == grades
        clusters = tuple(Cluster(topic, "c", tuple(tweets), "gloss") for topic, tweets in grades.items())
        write_tweet_clusters(path, clusters)
        assert read_tweet_clusters(path) == clusters
        assessed = [
            MobileJudgment(topic, tweet, 5, 2) for topic, tweets in grades.items() for tweet in tweets
        ]
        write_mobile_qrels(path, assessed)
        assert read_mobile_qrels(path) == assessed
        tweets = sorted({tweet for judged in grades.values() for tweet in judged})
        days, times = dict.fromkeys(tweets, "20170729"), dict.fromkeys(tweets, 1501286400)
        path.write_text("".join(f"{tweet} 20170729 1501286400\n" for tweet in tweets), encoding="utf-8")
        assert read_tweet_days(path) == (days, times)

    def test_ids_that_a_line_cannot_hold(self, tmp_path: Path) -> None:
        for write_run in (write_push_run, write_digest_run, write_timeline_run):
            with pytest.raises(UsageError, match="expected one without blanks"):
                write_run(tmp_path / "a", [Run("", "a b", [Update("t", "1", 0, 0)])])
            assert not (tmp_path / "a").exists()


pieces = st.one_of(
    st.sampled_from(
        [*GOOD.values(), "RTS1", "101", "Q0", "\t", " ", "\n", "\r", "0729-13:05:11", "-", "{", '"', "[", "]"]
    ),
    st.text(max_size=5),
    st.integers().map(str),
    st.floats().map(str),
)


class TestHostileInput:
    """Any text gives a result or an error that says where; lenient reading skips and counts."""

    @pytest.mark.parametrize("kind", READERS)
    @given(data=st.data())
    def test_any_text(self, tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject) -> None:
        try_any_text(tmp_path_factory.getbasetemp() / f"hostile-{kind}", kind, data)

    @pytest.mark.long
    @pytest.mark.parametrize("kind", READERS)
    @settings(max_examples=1000)
    @given(data=st.data())
    def test_a_thousand(
        self, tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
    ) -> None:
        try_any_text(tmp_path_factory.getbasetemp() / f"hostile-{kind}", kind, data)


def try_any_text(path: Path, kind: str, data: st.DataObject) -> None:
    """One text for one reader, strict and lenient."""
    good = GOOD[kind]
    text = data.draw(
        st.one_of(
            st.binary(max_size=60),
            st.lists(pieces, max_size=12).map("".join).map(str.encode),
            st.tuples(st.integers(0, len(good)), st.binary(max_size=4)).map(
                lambda cut: good[: cut[0]].encode() + cut[1] + good[cut[0] :].encode()
            ),
        )
    )
    path.write_bytes(text)
    for problems in (Problems(), Problems(lenient=True)):
        try:
            READERS[kind](path, problems=problems)
        except TidingsError as error:
            assert str(path) in str(error)
        else:
            assert problems.lenient or not problems.count
