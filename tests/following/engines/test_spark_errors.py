"""What a user meets before Spark begins: one line, with what to do; and no Spark is asked."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.sweeps import cases, every
from tidings.cli import run
from tidings.core.errors import StoreError, TidingsError, UsageError
from tidings.core.records import Event
from tidings.core.store import open_store
from tidings.following.engines.settings import EngineSettings
from tidings.following.engines.spark import host as session
from tidings.following.engines.spark.query import (
    BatchSink,
    SparkQuery,
    SparkQuerySettings,
    _explain,
    forget_checkpoint,
)
from tidings.following.engines.spark.rows import Kind
from tidings.following.engines.spark.stream_files import StreamFile
from tidings.following.hosting.sources import choose_events

BUNDLED = str(ROOT / "src" / "tidings" / "sources" / "bundled" / "santiago-2013")
VERSIONS = {"pyspark": "4.3.0", "pandas": "2.3.3", "pyarrow": "26.0.1", "protobuf": "7.36.2"}
STORM = Event(id="storm", title="Storm", query="storm")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    """Packages as if they were installed, and a Java of version 17; to be changed."""
    versions = dict(VERSIONS)

    def version(name: str) -> str:
        if name not in versions:
            raise PackageNotFoundError(name)
        return versions[name]

    monkeypatch.setattr(session, "version", version)
    make_java(tmp_path / "home", 'openjdk version "17.0.15" 2025-04-15')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    return versions


def make_java(home: Path, words: str) -> None:
    (home / "bin").mkdir(parents=True, exist_ok=True)
    java = home / "bin" / "java"
    java.write_text(f"#!/bin/sh\necho '{words}' >&2\n")
    java.chmod(0o755)


def message_of(call: Callable[[], Any]) -> str:
    with pytest.raises(TidingsError) as raised:
        call()
    text = str(raised.value)
    assert "\n" not in text
    assert raised.value.exit_code == 2
    return text


class TestPackages:
    def test_those_that_serve(self, installed: dict[str, str]) -> None:
        """And the oldest of each that does; the one before it does not."""
        session.check_packages()
        installed |= {"pyspark": "4.1.0", "pandas": "2.2.0", "pyarrow": "15.0.0", "protobuf": "5.26"}
        session.check_packages()
        installed["pyspark"] = "4.0.9"
        assert message_of(session.check_packages).startswith("pyspark 4.0.9 (expected 4.1 or later")

    @every(
        "name, version, words",
        cases(__file__, "a line for each that does not"),
    )
    def test_a_line_for_each_that_does_not(
        self, installed: dict[str, str], name: str, version: str | None, words: str
    ) -> None:
        installed |= VERSIONS
        if version is None:
            del installed[name]
        else:
            installed[name] = version
        assert words in message_of(session.check_packages)


class TestJava:
    @every("words", ['openjdk version "17.0.15"', 'java version "21" 2023-09-19'])
    def test_one_that_serves(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: str) -> None:
        make_java(tmp_path, words)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))
        session.check_java()

    @every(
        "words, found",
        cases(__file__, "one that is too old"),
    )
    def test_one_that_is_too_old(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: str, found: str
    ) -> None:
        make_java(tmp_path, words)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))
        assert found in message_of(session.check_java)

    def test_none_by_its_variable(self, installed: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("JAVA_HOME", "/nowhere")
        assert message_of(session.check_java).startswith("no Java by JAVA_HOME=/nowhere (expected version 17")

    def test_none_at_all(
        self, installed: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.delenv("JAVA_HOME")
        monkeypatch.setenv("PATH", str(tmp_path))
        assert "no Java by the PATH" in message_of(session.check_java)

    def test_one_that_does_not_start(self, installed: dict[str, str], tmp_path: Path) -> None:
        java = tmp_path / "home" / "bin" / "java"
        java.write_bytes(b"no program")
        java.chmod(0o644)
        assert "this Java does not start" in message_of(session.check_java)

    @every(
        "master, told",
        [
            ("local", True),
            ("local[2,4]", True),
            ("local-cluster[2,1,1024]", False),
            ("spark://host:7077", False),
            ("", False),
        ],
    )
    def test_it_compiles_less_on_this_machine_alone(
        self, monkeypatch: pytest.MonkeyPatch, master: str, told: bool
    ) -> None:
        for name in ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"):
            monkeypatch.delenv(name, raising=False)
        assert bool(session._java_options(master)) == told
        monkeypatch.setenv("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=4")
        assert not session._java_options(master)


class TestTheCommandLine:
    """Exit code 2, one line, and nothing left behind."""

    @every(
        "options, words",
        [
            ((BUNDLED, "--out", "-"), "--out - (expected a file"),
            (("-", "--query", "storm", "--out", "o.run"), "expected files or a folder"),
            ((f"{BUNDLED}/documents.jsonl", "--query", "train", "--out", "o.run", "--live"), "--live"),
            ((BUNDLED, "--out", "o.run", "--partitions", "0"), "--partitions"),
            ((BUNDLED, "--out", "o.run", "--system", "nobodys"), "nobodys"),
        ],
    )
    def test_what_does_not_fit(
        self,
        installed: dict[str, str],
        monkeypatch: pytest.MonkeyPatch,
        tmp_path_factory: pytest.TempPathFactory,
        capsys: pytest.CaptureFixture[str],
        options: tuple[str, ...],
        words: str,
    ) -> None:
        folder = tmp_path_factory.mktemp("run")
        monkeypatch.chdir(folder)
        assert run(["follow", *options, "--engine", "spark"]) == 2
        said = capsys.readouterr().err
        assert words in said
        assert "Traceback" not in said
        assert not list(folder.iterdir())

    @every("gone", ["pyspark", "java"])
    def test_what_is_not_installed(
        self,
        installed: dict[str, str],
        gone: str,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path_factory: pytest.TempPathFactory,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        folder = tmp_path_factory.mktemp("run")
        installed |= VERSIONS
        if gone == "java":
            monkeypatch.setenv("JAVA_HOME", "/nowhere")
        else:
            del installed[gone]
        out = folder / "o.run"
        assert run(["follow", BUNDLED, "--engine", "spark", "--out", str(out)]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "no " in said.lower()
        assert not list(folder.iterdir())

    def test_an_option_of_spark_without_it(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        assert run(["follow", BUNDLED, "--partitions", "2", "--out", str(tmp_path / "o.run")]) == 2
        assert "--partitions needs --engine spark" in capsys.readouterr().err


def test_a_folder_into_which_nothing_has_come_yet_needs_no_topics(tmp_path: Path) -> None:
    """Where the events are in a file; where they are not, what is missing is said."""
    [event] = choose_events([f"{BUNDLED}/event.json"], [str(tmp_path)])
    assert event.id == "santiago-2013"
    assert "no topics" in message_of(lambda: choose_events(["all"], [str(tmp_path)]))


def never() -> Any:
    raise AssertionError("a session was asked for")


def make_query(place: Path, *, store: str | None = None, system: str = "cosine", **layout: Any) -> SparkQuery:
    settings = SparkQuerySettings(checkpoint=str(place / "checkpoint"), **layout)
    keeper = open_store(store or str(place / "store.db"))
    keeper.__enter__()
    entered = keeper.begin("run", {}, events=[STORM])
    return SparkQuery(never, settings, EngineSettings(system=system), entered.__enter__())


class TestCheckpoints:
    def test_one_goes_on_with_the_same_settings(self, tmp_path: Path) -> None:
        make_query(tmp_path, folder="/in")
        make_query(tmp_path, folder="/in", store=str(tmp_path / "again.db"))

    @every(
        "layout, words",
        cases(__file__, "one of other settings is refused"),
    )
    def test_one_of_other_settings_is_refused(
        self, layout: dict[str, Any], words: str, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        folder = tmp_path_factory.mktemp("run")
        make_query(folder, folder="/in")
        assert words in message_of(lambda: make_query(folder, store=str(folder / "again.db"), **layout))

    def test_a_damaged_one(self, tmp_path: Path) -> None:
        make_query(tmp_path, folder="/in")
        (tmp_path / "checkpoint" / "layout").write_bytes(b"nothing")
        words = message_of(lambda: make_query(tmp_path, folder="/in", store=str(tmp_path / "again.db")))
        assert "cannot be read; start over with --restart" in words

    def test_a_folder_that_nothing_may_be_written_to(self, tmp_path: Path) -> None:
        (tmp_path / "checkpoint").write_text("a file is in the way")
        words = message_of(lambda: make_query(tmp_path, folder="/in"))
        assert "choose another --checkpoint" in words

    def test_what_a_killed_beginning_left_is_not_read(self, tmp_path: Path) -> None:
        """Files were listed, but the layout was not written: they may be those of other streams."""
        left = tmp_path / "checkpoint" / "files"
        left.mkdir(parents=True)
        (left / "000000007.jsonl").write_text("{}")
        make_query(tmp_path, folder="/in")
        assert not list(left.iterdir())

    def test_a_run_that_has_lost_its_checkpoint_is_not_followed_by_another(self, tmp_path: Path) -> None:
        """Its batches would be taken for those that the run has, and left out."""
        settings = SparkQuerySettings(checkpoint=str(tmp_path / "checkpoint"), folder="/in")
        engine = EngineSettings(system="cosine")
        with (
            open_store(str(tmp_path / "store.db")) as keeper,
            keeper.begin("run", {}, events=[STORM]) as kept,
        ):
            SparkQuery(never, settings, engine, kept)._sink.keep([], 0)
            SparkQuery(never, settings, engine, kept)
            forget_checkpoint(tmp_path / "checkpoint")
            words = message_of(lambda: SparkQuery(never, settings, engine, kept))
        assert "a run that another checkpoint has followed" in words

    def test_files_are_listed_in_an_order_that_spark_keeps(self, tmp_path: Path) -> None:
        """By their times, in milliseconds: those of the same one it reads in any order."""
        files = tuple(StreamFile(f"{number}.jsonl", (), number) for number in range(300))
        make_query(tmp_path, files=files, files_per_batch=2)
        listed = sorted((tmp_path / "checkpoint" / "files").iterdir())
        times = [int(path.stat().st_mtime * 1000) for path in listed]
        assert len(times) == 150 and all(one < other for one, other in pairwise(times))

    def test_only_checkpoints_are_removed(self, tmp_path: Path) -> None:
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "letter.txt").write_text("dear")
        assert "a folder that is no checkpoint" in message_of(lambda: forget_checkpoint(tmp_path / "mine"))
        forget_checkpoint(tmp_path / "none")


class TestChanges:
    def test_each_version_of_the_events_is_said_once(self, tmp_path: Path) -> None:
        query = make_query(tmp_path, folder="/in")
        fire = Event(id="fire", title="Fire", query="fire")
        control = tmp_path / "checkpoint" / "control"
        for events in ([STORM], [STORM], [STORM, fire], [STORM, fire], [fire]):
            query.follow(events)
        assert sorted(path.name for path in control.iterdir()) == ["events-000001.json", "events-000002.json"]
        # Killed between the version and its announcement.
        query.events.write([STORM, fire])
        query.follow([STORM, fire])
        assert (control / "events-000003.json").read_text() == '{"changed":["storm"],"version":3}'

    def test_the_end_is_said_once(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """One that was killed after it was said ends without saying it again: followers are asked once."""
        query = make_query(tmp_path, folder="/in")
        query.follow([STORM])
        query._sink.progress.last_time = 60
        monkeypatch.setattr(query, "_run", lambda stop, at_once: False)
        assert not query.run_to_end()
        runs: list[bool] = []
        monkeypatch.setattr(query, "_run", lambda stop, at_once: runs.append(at_once) or True)
        query._say("end", {"end": 60, "version": 0})
        assert query.run_to_end()
        assert len(runs) == 1


class TestTheSink:
    def test_a_batch_that_is_done_again_is_computed_and_changes_nothing(self, tmp_path: Path) -> None:
        """Without being computed, Spark would not learn from it how far time has come."""
        sink, computed = make_query(tmp_path, folder="/in")._sink, []
        tally = SimpleNamespace(kind=Kind.TALLY, packed=b'{"documents":3,"last_time":60}')

        class Frame:
            def collect(self) -> list[Any]:
                computed.append(1)
                return [tally]

        for batch in (0, 0, 1, 0):
            sink(Frame(), batch)
        assert len(computed) == 4
        assert (sink.progress.batch, sink.progress.documents, sink.progress.last_time) == (1, 6, 60)

    def test_events_of_a_version_that_nobody_committed_are_the_runs_with_the_next_batch(
        self, tmp_path: Path
    ) -> None:
        """Also where who wrote the version was killed before its next commit."""
        fire = Event(id="fire", title="Fire", query="fire")
        query = make_query(tmp_path, folder="/in")
        query.follow([STORM])
        query.follow([fire])
        sink = BatchSink(query._sink._run, tmp_path / "bad", query.events)
        sink.keep([], 0)
        assert sink._run.events() == (STORM, fire)
        monitored: list[Any] = []
        sink._run.commit = lambda *given, **options: monitored.append(options["events"])
        sink.keep([], 1)
        query.follow([STORM, fire])
        sink.keep([], 2)
        assert monitored == [None, query.events.ever] and query.events.ever == (fire, STORM)


class TestWhatFailedInAQuery:
    @every(
        "text, words",
        cases(__file__, "it is one line"),
    )
    def test_it_is_one_line(self, text: str, words: str) -> None:
        said = message_of(lambda: raise_it(_explain(RuntimeError(text))))
        assert said.startswith(words)

    def test_the_store_and_the_usage_are_told_apart(self) -> None:
        assert isinstance(_explain(RuntimeError("tidings.core.errors.StoreError: it full")), StoreError)
        assert isinstance(_explain(RuntimeError("tidings.core.errors.UsageError: it wrong")), UsageError)


def raise_it(error: Exception) -> None:
    raise error
