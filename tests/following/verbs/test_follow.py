"""`tidings follow`: what it writes, how it goes on, and what it says when something is wrong."""

from __future__ import annotations

import gzip
import json
import os
import re
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.cli import run
from tidings.core.records import Document
from tidings.following.verbs.nothing_found import nothing_found

DAY = 1_400_000_000 // 86400 * 86400


def write_documents(path: Path, times: list[int], *, first: int = 0) -> Path:
    lines = [
        json.dumps(
            {
                "id": f"d{number}",
                "published_time": DAY + time,
                "source": "wire",
                "title": "Storm",
                "sentences": [f"Storm number {number} is here.", "Something else."],
            }
        )
        for number, time in enumerate(times, first)
    ]
    text = "".join(line + "\n" for line in lines)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode(), mtime=0))
    else:
        path.write_text(text)
    return path


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "documents.jsonl", list(range(0, 6000, 60)))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder / "storm.run"


QUERY = ["--query", "storm", "--system", "first"]


def rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text().splitlines()]


class TestOutput:
    @pytest.mark.parametrize(
        ("option", "words"),
        cases(__file__, "a name that cannot be written is refused before anything is followed"),
    )
    def test_a_name_that_cannot_be_written_is_refused_before_anything_is_followed(
        self,
        documents: Path,
        out: Path,
        capfd: pytest.CaptureFixture[str],
        option: tuple[str, str],
        words: str,
    ) -> None:
        assert run(["follow", str(documents), *QUERY, *option, "--out", str(out)]) == 2
        error = capfd.readouterr().err
        assert option[0] in error
        assert words in error
        assert list(out.parent.iterdir()) == []

    def test_jsonl_takes_names_with_blanks(self, documents: Path, out: Path) -> None:
        out = out.with_suffix(".jsonl")
        assert run(["follow", str(documents), *QUERY, "--team", "a b", "--out", str(out)]) == 0
        assert json.loads(out.read_text().splitlines()[0])["team"] == "a b"

    def test_a_trec_run_has_seven_columns_in_the_order_of_decision(self, documents: Path, out: Path) -> None:
        assert run(["follow", str(documents), *QUERY, "--out", str(out), "--team", "us"]) == 0
        found = rows(out)
        assert len(found) == 100
        assert found[3][:6] == ["query", "us", "first", "d3", "0", str(DAY + 180)]
        assert float(found[3][6]) > 0
        assert sorted(path.name for path in out.parent.iterdir()) == [
            "storm.run",
            "storm.run.card.json",
            "storm.run.db",
        ]

    def test_a_name_in_jsonl_holds_updates_with_their_text(self, documents: Path, out: Path) -> None:
        out = out.with_suffix(".jsonl")
        assert run(["follow", str(documents), *QUERY, "--out", str(out), "--interval", "1h"]) == 0
        card, first = map(json.loads, out.read_text().splitlines()[:2])
        event = {"id": "query", "title": "storm", "query": "storm"}
        assert card == {
            "kind": "run",
            "team": "tidings",
            "run": "first",
            "system": "first",
            "choice": "corpus",
            "events": [event],
        }
        assert first["kind"] == "update"
        assert first["text"] == "Storm number 0 is here."
        assert (first["event"], first["doc"], first["sentence"], first["source"]) == (
            "query",
            "d0",
            0,
            "wire",
        )
        assert first["update"] == "d0-0"
        assert first["time"] == DAY + 3600

    def test_a_dash_prints_the_same(
        self, documents: Path, out: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["follow", str(documents), *QUERY, "--out", str(out)]) == 0
        capfd.readouterr()
        assert run(["follow", str(documents), *QUERY, "--out", "-"]) == 0
        assert capfd.readouterr().out == out.read_text()

    def test_a_dash_prints_updates_with_their_texts_if_asked(
        self, documents: Path, out: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        told = out.with_suffix(".jsonl")
        assert run(["follow", str(documents), *QUERY, "--out", str(told)]) == 0
        capfd.readouterr()
        assert run(["follow", str(documents), *QUERY, "--out", "-", "--format", "jsonl"]) == 0
        assert capfd.readouterr().out == told.read_text()

    def test_a_compressed_stream_and_output(self, tmp_path: Path, documents: Path, out: Path) -> None:
        packed = write_documents(tmp_path / "documents.jsonl.gz", list(range(0, 6000, 60)))
        run(["follow", str(documents), *QUERY, "--out", str(out)])
        assert run(["follow", str(packed), *QUERY, "--out", str(out) + ".gz"]) == 0
        assert gzip.decompress(Path(f"{out}.gz").read_bytes()) == out.read_bytes()

    def test_several_streams_are_merged_by_time(self, tmp_path: Path, out: Path) -> None:
        one = write_documents(tmp_path / "a.jsonl", [0, 100, 200])
        two = write_documents(tmp_path / "b.jsonl", [50, 100, 300], first=10)
        assert run(["follow", str(one), str(two), *QUERY, "--out", str(out)]) == 0
        assert [row[3] for row in rows(out)] == ["d0", "d10", "d1", "d11", "d2", "d12"]

    def test_a_summary_is_said_unless_quiet(
        self, documents: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run(["follow", str(documents), *QUERY, "--out", str(out)])
        said = capsys.readouterr()
        assert said.out == ""
        for part in ("100 documents", "200 sentences", "100 updates", "query 100", "storm.run.db"):
            assert part in said.err
        run(["follow", str(documents), *QUERY, "--out", str(out), "--restart", "--quiet"])
        said = capsys.readouterr()
        assert said.out == said.err == ""

    def test_updates_are_shown_when_asked_for(
        self, documents: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run(["follow", str(documents), *QUERY, "--out", str(out), "--show"])
        said = capsys.readouterr().out
        assert "Storm number 0 is here." in said
        assert "Storm number 99 is here." in said


class TestEvents:
    @pytest.fixture
    def event(self, tmp_path: Path) -> Path:
        path = tmp_path / "storm.json"
        record = {
            "id": "s1",
            "title": "Storm",
            "query": "storm",
            "type": "storm",
            "start": DAY + 60,
            "end": DAY + 180,
        }
        path.write_text(json.dumps(record))
        return path

    def test_an_event_file(self, documents: Path, event: Path, out: Path) -> None:
        assert (
            run(["follow", str(documents), "--event", str(event), "--system", "first", "--out", str(out)])
            == 0
        )
        assert [(row[0], row[3]) for row in rows(out)] == [("s1", "d1"), ("s1", "d2"), ("s1", "d3")]

    def test_an_event_file_and_a_query_in_one_pass(self, documents: Path, event: Path, out: Path) -> None:
        assert run(["follow", str(documents), "--event", str(event), *QUERY, "--out", str(out)]) == 0
        assert {row[0] for row in rows(out)} == {"s1", "query"}

    def test_a_query_has_times_in_seconds_or_iso(self, documents: Path, out: Path) -> None:
        period = ["--start", str(DAY + 120), "--end", "2014-05-13T00:04:00Z"]
        assert run(["follow", str(documents), *QUERY, *period, "--out", str(out)]) == 0
        assert [row[3] for row in rows(out)] == ["d2", "d3", "d4"]

    @pytest.mark.parametrize(
        ("options", "message"),
        cases(__file__, "what does not fit is said and nothing is written", lists=True),
    )
    def test_what_does_not_fit_is_said_and_nothing_is_written(
        self, documents: Path, out: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["follow", str(documents), *options, "--out", str(out)]) == 2
        assert message in capsys.readouterr().err
        assert list(out.parent.iterdir()) == []

    def test_an_output_that_would_overwrite_what_is_read(
        self, documents: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = documents.read_bytes()
        assert run(["follow", str(documents), *QUERY, "--out", str(documents)]) == 2
        assert "a stream as --out (expected another file)" in capsys.readouterr().err
        assert run(["follow", str(documents), *QUERY, "--out", str(tmp_path)]) == 2
        assert "a folder" in capsys.readouterr().err
        both = str(tmp_path / "x")
        assert run(["follow", str(documents), *QUERY, "--out", both, "--store", both]) == 2
        assert "as --out and --store" in capsys.readouterr().err
        assert documents.read_bytes() == before
        assert [path.name for path in tmp_path.iterdir()] == ["documents.jsonl"]

    @pytest.mark.parametrize("link", ["symlink_to", "hardlink_to"])
    def test_no_link_leads_around_it(
        self, link: str, documents: Path, event: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Streams, event files and models are all read; none is written over, whatever it is called."""
        model = tmp_path / "cosine.model"
        model.write_bytes(b"learned")
        card = tmp_path / "storm.run.card.json"
        card.write_text(event.read_text())
        for what, place in (("a stream", documents), ("an event file", event)):
            other = tmp_path / f"other-{place.stem}"
            getattr(other, link)(place)
            for outputs in (["--out", str(other)], ["--out", str(tmp_path / "x"), "--store", str(other)]):
                command = ["follow", str(documents), "--event", str(event), "--system", "first", *outputs]
                assert run(command) == 2
                assert f"{other}: {what} as {outputs[-2]}" in capsys.readouterr().err
        assert model.read_bytes() == b"learned"
        beside = ["--event", str(card), "--out", str(tmp_path / "storm.run")]
        assert run(["follow", str(documents), *beside, "--system", "first"]) == 2
        assert "an event file as the card of --out" in capsys.readouterr().err

    def test_a_model_is_not_written_over(
        self, documents: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        import shutil
        from importlib import resources

        model = tmp_path / "my.safetensors"
        shipped = resources.files("tidings.core.models").joinpath("weights", "tidings.safetensors")
        shutil.copyfile(str(shipped), model)
        before = model.read_bytes()
        for system in (f"tidings:model={model}", f"tidings:model={model},updates_per_hour=5"):
            command = ["follow", str(documents), "--query", "storm", "--system", system, "--out", str(model)]
            assert run(command) == 2
            assert "a model of the system as --out" in capsys.readouterr().err
        assert model.read_bytes() == before

    def test_a_folder_of_input_keeps_its_files_but_takes_new_ones(
        self, event: Path, documents: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = documents.parent
        event.rename(folder / "event.json")
        for name in ("documents.jsonl", "event.json"):
            assert run(["follow", str(folder), "--system", "first", "--out", str(folder / name)]) == 2
            assert "a stream as --out" in capsys.readouterr().err
        for _ in range(2):
            assert run(["follow", str(folder), "--system", "first", "--out", str(folder / "r.jsonl")]) == 0

    def test_a_url_is_said_to_be_one(
        self, documents: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for url in ("s3://example.org/feed.jsonl", "FTP://example.org/a"):
            assert run(["follow", url, *QUERY, "--out", str(out)]) == 2
            assert f"{url}: a URL as a stream" in capsys.readouterr().err
            assert run(["follow", str(documents), "--event", url, "--out", str(out)]) == 2
            assert f"{url}: a URL as --event" in capsys.readouterr().err
        assert list(out.parent.iterdir()) == []

    def test_two_queries_are_two_events_with_their_titles(self, documents: Path, out: Path) -> None:
        out = out.with_suffix(".jsonl")
        queries = ["--query", "storm", "--title", "The storm", "--query", "The number?", "--title", "Rest"]
        assert run(["follow", str(documents), *queries, "--system", "first", "--out", str(out)]) == 0
        card, *lines = map(json.loads, out.read_text().splitlines())
        assert [(event["id"], event["title"]) for event in card["events"]] == [
            ("storm", "The storm"),
            ("the-number", "Rest"),
        ]
        assert {line["event"] for line in lines} == {"storm", "the-number"}
        assert {line["title"] for line in lines} == {"Storm"}

    def test_a_file_of_events_names_the_line_that_is_wrong(
        self, documents: Path, event: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        good = json.loads(event.read_text())
        many = event.with_name("many.jsonl")
        command = ["follow", str(documents), "--event", str(many), "--system", "first", "--out", str(out)]
        for wrong, message in (
            (good, "many.jsonl:2: event 's1' more than once"),
            ({"id": "s2"}, "many.jsonl:2: no 'query'"),
            ({**good, "id": "s2", "end": 0}, "many.jsonl:2: start"),
        ):
            many.write_text("".join(json.dumps(line) + "\n" for line in (good, wrong)))
            assert run(command) == 2
            assert message in capsys.readouterr().err
        many.write_text("".join(json.dumps({**good, "id": name}) + "\n" for name in ("s1", "s2")))
        assert run(command) == 0
        assert [row[0] for row in rows(out)] == ["s1", "s2"] * 3

    @pytest.mark.parametrize("option", ["--query", "--title"])
    def test_bytes_that_are_no_text(
        self, option: str, documents: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        query = ["--query", "storm"] if option == "--title" else []
        assert run(["follow", str(documents), *query, option, "\udcff", "--out", str(out)]) == 2
        assert f"{option} '\ufffd' with bytes that are not UTF-8" in capsys.readouterr().err
        assert list(out.parent.iterdir()) == []

    @every("form", ["trec", "jsonl"])
    def test_ids_cannot_steer_the_terminal(
        self, form: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        stream, event = tmp_path / "d.jsonl", tmp_path / "e.json"
        document = {"id": "a\x1b[31m\u202e\x7f\x9b", "published_time": DAY, "text": "A storm."}
        stream.write_text(json.dumps(document))
        event.write_text(json.dumps({"id": "e\u202e", "query": "storm"}))
        command = ["follow", str(stream), "--event", str(event), "--system", "first:min_words=0"]
        assert run([*command, "--out", "-", "--format", form]) == 0
        printed = capfd.readouterr().out
        assert not set("\x1b\u202e\x7f\x9b") & set(printed)
        assert "a\\u001b[31m\\u202e\\u007f\\u009b" in printed
        assert "e\\u202e" in printed
        if form == "jsonl":
            assert json.loads(printed.splitlines()[1])["doc"] == document["id"]

    def test_documents_that_share_an_id_are_said(
        self, documents: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        twice = {"id": "d5", "published_time": DAY + 6000, "text": "Another storm."}
        documents.write_text(documents.read_text() + json.dumps(twice) + "\n")
        assert run(["follow", str(documents), *QUERY, "--out", str(out), "--quiet"]) == 0
        said = capsys.readouterr().err
        assert f"1 document has the id of another one, but other words (d5 in {documents})" in said

    def test_a_refused_command_leaves_nothing(self, documents: Path, out: Path) -> None:
        documents.write_text("no document\n")
        assert run(["follow", str(documents), *QUERY, "--out", str(out)]) == 2
        assert (
            run(["follow", str(documents), *QUERY, "--system", "apsal:model=/nowhere", "--out", str(out)])
            == 2
        )
        assert list(out.parent.iterdir()) == []

    def test_a_stream_that_is_not_there(self, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["follow", "nowhere.jsonl", *QUERY, "--out", str(out)]) == 2
        assert "nowhere.jsonl" in capsys.readouterr().err
        assert not out.exists()


@contextmanager
def piped(documents: Path) -> Iterator[Path]:
    """A pipe that gives a file's documents, once: what cannot be read again is not sorted."""
    pipe = documents.with_suffix(".pipe")
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(documents.read_bytes()), daemon=True)
    writer.start()
    yield pipe
    writer.join(10)


class TestLate:
    def test_what_is_too_late_is_counted_and_listed_with_its_place(
        self, tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        rest = list(range(3700, 3800))
        stream = write_documents(tmp_path / "d.jsonl", [0, 3600, 2999, 3000, 10, 20, 30, *rest])
        with piped(stream) as pipe:
            assert run(["follow", str(pipe), *QUERY, "--out", str(out), "--quiet"]) == 0
        said = capsys.readouterr().err
        assert "4 documents left out, because they came too late" in said
        assert f"{pipe}: document 3 (d2) of 2014-05-13T00:49:59+00:00, expected 2014-05-13T00:50:00" in said
        assert "and 1 more" in said
        assert "--lateness" in said
        assert [row[3] for row in rows(out)][:4] == ["d0", "d3", "d1", "d7"]
        assert len(rows(out)) == 103
        with sqlite3.connect(f"{out}.db") as store:
            assert store.execute("SELECT ordinal FROM late_documents").fetchall() == [(3,), (5,), (6,), (7,)]
            assert store.execute("SELECT late FROM positions").fetchall() == [(4,)]
        store.close()

    def test_more_lateness_lets_it_in(self, tmp_path: Path, out: Path) -> None:
        stream = write_documents(tmp_path / "d.jsonl", [0, 3600, 2999, 10])
        with piped(stream) as pipe:
            assert run(["follow", str(pipe), *QUERY, "--out", str(out), "--lateness", "1h"]) == 0
        assert [row[3] for row in rows(out)] == ["d0", "d3", "d2", "d1"]

    @pytest.mark.parametrize("times", [range(6000, 0, -60), [*range(0, 6000, 60), *[0] * 6]])
    def test_a_pipe_that_is_not_in_order_is_refused_and_not_written(
        self, tmp_path: Path, out: Path, times: Sequence[int], capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Newest first, or more than one in twenty out of order: what was decided is not what the pipe gave."""
        stream = write_documents(tmp_path / "d.jsonl", list(times))
        command = ["follow", str(stream.with_suffix(".pipe")), *QUERY, "--out", str(out)]
        for attempt in range(2):  # the same again is no way out
            with piped(stream) as pipe:
                assert run(command) == 2
            said = capsys.readouterr().err
            assert attempt or f"of {pipe}" in said
            assert "came too late, expected at most 5%" in said
            assert "sort it by published_time, or raise --lateness" in said
            assert not out.exists()
        with piped(stream):
            assert run([*command, "--lateness", "2h", "--restart"]) == 0
        assert len(rows(out)) == len(times)

    def test_one_in_twenty_is_taken(self, tmp_path: Path, out: Path) -> None:
        stream = write_documents(tmp_path / "d.jsonl", [*range(0, 5700, 60), *[0] * 5])
        with piped(stream) as pipe:
            assert run(["follow", str(pipe), *QUERY, "--out", str(out)]) == 0
        assert len(rows(out)) == 95


class TestAgain:
    def test_a_finished_run_says_so_and_writes_the_same(
        self, documents: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        command = ["follow", str(documents), *QUERY, "--out", str(out)]
        run(command)
        before = out.read_bytes()
        out.unlink()
        capsys.readouterr()
        assert run(command) == 0
        assert "this run is finished (100 updates)" in capsys.readouterr().err
        assert out.read_bytes() == before

    def test_a_stream_that_has_grown_is_followed_on(self, tmp_path: Path, documents: Path, out: Path) -> None:
        command = ["follow", str(documents), *QUERY, "--out", str(out)]
        run(command)
        more = write_documents(tmp_path / "more.jsonl", list(range(6000, 7000, 60)), first=100)
        documents.write_bytes(documents.read_bytes() + more.read_bytes())
        assert run(command) == 0
        assert [row[3] for row in rows(out)] == [f"d{number}" for number in range(117)]

    @pytest.mark.parametrize(
        ("options", "setting"),
        cases(__file__, "other settings are refused naming them", lists=True),
    )
    def test_other_settings_are_refused_naming_them(
        self, documents: Path, out: Path, options: list[str], setting: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        command = ["follow", str(documents), *QUERY, "--out", str(out)]
        run(command)
        before = out.read_bytes()
        capsys.readouterr()
        assert run([*command, *options]) == 2
        said = capsys.readouterr().err
        assert setting in said
        assert "--restart" in said
        assert out.read_bytes() == before

    def test_restart_begins_anew(self, documents: Path, out: Path) -> None:
        command = ["follow", str(documents), *QUERY, "--out", str(out)]
        run(command)
        assert run([*command, "--interval", "1h", "--restart"]) == 0
        assert rows(out)[0][5] == str(DAY + 3600)
        assert len(rows(out)) == 100

    def test_another_stream_under_the_same_name_is_noticed(
        self, documents: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        command = ["follow", str(documents), *QUERY, "--out", str(out)]
        run(command)
        write_documents(documents, list(range(0, 6000, 60)), first=7)
        assert run(command) == 2
        assert "the stream is not the one that this run started with" in capsys.readouterr().err

    def test_a_store_elsewhere_holds_many_runs(self, tmp_path: Path, documents: Path, out: Path) -> None:
        store = tmp_path / "all.db"
        for name in ("a.run", "b.run"):
            command = [
                "follow",
                str(documents),
                *QUERY,
                "--out",
                str(out.with_name(name)),
                "--store",
                str(store),
            ]
            assert run(command) == 0
        assert sorted(path.name for path in out.parent.glob("*.run*")) == [
            "a.run",
            "a.run.card.json",
            "b.run",
            "b.run.card.json",
        ]
        from tidings.core.store import open_store

        with open_store(f"sqlite:///{store}") as opened:
            assert [info.name for info in opened.runs()] == [
                str(out.with_name(n)) for n in ("a.run", "b.run")
            ]


class TestBadInput:
    def test_a_gzip_cut_off_in_mid_stream_keeps_what_was_decided_and_goes_on_once_mended(
        self, tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        stream = write_documents(tmp_path / "d.jsonl.gz", list(range(0, 300_000, 60)))
        whole = stream.read_bytes()
        command = ["follow", str(stream), *QUERY, "--out", str(out), "--interval", "15m"]
        stream.write_bytes(whole[: len(whole) // 2])
        assert run(command) == 2
        assert "d.jsonl.gz" in capsys.readouterr().err
        assert not out.exists()
        with sqlite3.connect(f"{out}.db") as store:
            kept = store.execute("SELECT count(*) FROM updates").fetchone()[0]
        store.close()
        assert 500 < kept < 4_800
        stream.write_bytes(whole)
        assert run(command) == 0
        assert f"going on with this run, after {kept:,} updates" in capsys.readouterr().err
        other = out.with_name("other.run")
        run(["follow", str(stream), *QUERY, "--out", str(other), "--interval", "15m"])
        assert out.read_bytes() == other.read_bytes()

    def test_bad_lines_end_the_run_unless_lenient(
        self, documents: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with documents.open("a") as file:
            file.write('{"id": 5}\nnot json\n')
        command = ["follow", str(documents), *QUERY, "--out", str(out)]
        assert run(command) == 2
        assert f"{documents}:101" in capsys.readouterr().err
        assert not out.exists()
        assert run([*command, "--lenient", "--restart", "--quiet"]) == 0
        assert "skipped 2 bad lines" in capsys.readouterr().err
        assert len(rows(out)) == 100

    def test_a_follower_that_raises(
        self, documents: Path, out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from tidings.following.systems.first import FirstFollower

        monkeypatch.setattr(FirstFollower, "push", lambda *args: 1 / 0)
        assert run(["follow", str(documents), *QUERY, "--out", str(out)]) == 2
        said = capsys.readouterr().err
        assert "system 'first' failed on event query" in said
        assert "ZeroDivisionError" in said
        assert not out.exists()


@pytest.mark.shared_data
class TestPool:
    def test_all_events_of_2014_in_one_pass(self, shared_data: Path, out: Path) -> None:
        """`first` tells the first pooled sentence of each document, of those in an event's period."""
        folder = shared_data / "trec-ts" / "2014"
        assert (
            run(
                [
                    "follow",
                    str(folder),
                    "--event",
                    "all",
                    "--system",
                    "first:overlap=0,min_words=0,max_words=0",
                    "--out",
                    str(out),
                ]
            )
            == 0
        )
        import xml.etree.ElementTree as ET

        periods = {
            topic.findtext("id").strip(): (int(topic.findtext("start")), int(topic.findtext("end")))
            for topic in ET.parse(folder / "topics.xml").getroot().iter("event")
        }
        first: dict[tuple[str, str], int] = {}
        with gzip.open(folder / "updates_sampled.tsv.gz", "rt", encoding="latin-1", newline="\n") as pool:
            next(pool)
            for line in pool:
                event, _, doc, index = line.split("\t")[:4]
                start, end = periods[event.partition(".")[2]]
                if start <= int(doc.partition("-")[0]) <= end:
                    key = (event.partition(".")[2], doc)
                    first[key] = min(int(index), first.get(key, 10**9))
        found = {(row[0].rpartition(".")[2], row[3]): int(row[4]) for row in rows(out)}
        assert found == first

    def test_a_silent_event_is_not_told_to_mix_what_is_mixed(
        self, documents: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        early = ["--query", "storm", "--start", "1", "--end", "2"]
        assert run(["follow", str(documents), *early, "--out", str(out)]) == 0
        assert "--mixed" in capsys.readouterr().err
        assert run(["follow", str(documents), *early, "--out", str(out), "--mixed", "--restart"]) == 0
        said = capsys.readouterr().err
        assert "nothing was offered to query: no document is of their time and speaks of them" in said
        assert "--mixed" not in said

    @pytest.mark.parametrize(
        ("content", "said"), [("", "an empty file"), ("plain words", "no feed and no page")]
    )
    def test_what_is_no_feed_is_called_what_it_is(
        self, content: str, said: str, tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "feed.xml").write_text(content)
        assert run(["follow", str(tmp_path / "feed.xml"), "--query", "storm", "--out", str(out)]) == 2
        assert said in capsys.readouterr().err
        assert not out.exists()

    def test_several_feeds_without_a_match_are_no_error(
        self, tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        date = "<pubDate>Thu, 25 Jul 2013 10:00:00 GMT</pubDate>"
        item = "<item><guid>{0}</guid><title>Storm nears {0}</title>" + date + "</item>"
        feeds = [tmp_path / "one.xml", tmp_path / "two.xml"]
        for feed in feeds:
            feed.write_text(f"<rss version='2.0'><channel>{item.format(feed.stem)}</channel></rss>")
        assert run(["follow", *map(str, feeds), "--query", "earthquake", "--out", str(out)]) == 0
        said = capsys.readouterr().err
        assert "words of 'earthquake' that never occur: earthquake" in said
        assert "written to" in said
        assert "--mixed" not in said

    def test_a_run_that_finds_nothing_says_why_and_what_there_is(
        self, documents: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        command = ["follow", str(documents), "--query", "earthquake strom", "--out", str(out)]
        assert run(command) == 0
        said = capsys.readouterr().err
        assert "words of 'earthquake strom' that never occur: earthquake, strom (nearest: storm" in said
        assert re.search(r"the largest stories here: .+ \(\d+ articles?\)", said)
        assert run(["timeline", str(out)]) == 0
        assert "No updates." in capsys.readouterr().out
        assert run([*command, "--restart", "--quiet"]) == 0
        assert "never occur" not in capsys.readouterr().err
        assert run(["follow", str(documents), *QUERY, "--out", str(out), "--restart"]) == 0
        assert "largest stories" not in capsys.readouterr().err

    def test_a_query_of_one_word_that_occurs_is_called_no_word_of_several(self) -> None:
        fire = Document(id="a", published_time=0, title="Fire", text="A ferry burned off Lisbon on Monday.")
        assert "'ferry' occurs, but in no article" in nothing_found(["ferry"], [fire])[0]
        assert "every word of 'ferry lisbon' occurs" in nothing_found(["ferry lisbon"], [fire])[0]

    def test_a_run_says_by_which_words_it_followed_and_takes_others(
        self, tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        towns = ("Tripoli", "Misrata", "Benghazi", "Sirte", "Zawiya")
        lines = [
            {
                "id": town,
                "published_time": 86_400 * number,
                "title": f"Gadhafi forces attack {town}",
                "text": f"Forces loyal to Moammar Gadhafi attacked {town} on Monday, killing {number + 2} people.",
            }
            for number, town in enumerate(towns, start=1)
        ]
        (tmp_path / "news.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        command = ["follow", str(tmp_path / "news.jsonl"), "--query", "Gaddafi", "--out", str(out)]
        assert run(command) == 0
        said = capsys.readouterr().err
        assert (
            "query is followed by Gaddafi (also Gadhafi); terms of its story:" in said and "Moammar" in said
        )
        assert run([*command, "--restart", "--quiet"]) == 0
        assert "followed by" not in capsys.readouterr().err
        assert run([*command, "--restart", "--story-terms", "-gadhafi"]) == 0
        said = capsys.readouterr().err
        assert "0 updates" in said and "the nearest stories here: " not in said
        assert run([*command, "--restart", "--story-terms", "the"]) == 2
        assert "story_terms: 'the' (expected a specific word" in capsys.readouterr().err

    def test_the_nearest_stories_are_named_where_nothing_was_found(
        self, tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        flood = [f"Flood in Calgary closes bridge {number}" for number in range(5)]
        titles = [*flood, "Carnival opens in Rio"]
        lines = [
            {
                "id": f"d{number}",
                "published_time": 60 * number,
                "title": title,
                "text": f"{title}, police said today.",
            }
            for number, title in enumerate(titles)
        ]
        (tmp_path / "news.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        command = ["follow", str(tmp_path / "news.jsonl"), "--out", str(out), "--restart", "--query"]
        assert run([*command, "samba dancers killed Rio-Carnival parade stampede 2031 Copacabana"]) == 0
        assert "the nearest stories here: Carnival opens in Rio" in capsys.readouterr().err

    def test_standard_input_twice_is_refused(self, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["follow", "-", "-", *QUERY, "--out", str(out)]) == 2
        assert "- as a stream more than once" in capsys.readouterr().err
        assert not list(out.parent.glob("storm*"))

    def test_a_query_of_ones_own_is_offered_pooled_sentences_when_mixed(
        self, shared_data: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        command = [
            "follow",
            str(shared_data / "trec-ts" / "2014"),
            "--query",
            "storm damage",
            "--out",
            str(out),
        ]
        assert run(command) == 0
        assert "nothing was offered to query" in capsys.readouterr().err
        assert rows(out) == []
        assert run([*command, "--mixed", "--restart"]) == 0
        assert "nothing was offered" not in capsys.readouterr().err
        assert rows(out)

    def test_one_event_alone_is_told_as_in_company(self, shared_data: Path, out: Path) -> None:
        folder = str(shared_data / "trec-ts" / "2014")
        for name, event in (("all", "all"), ("one", "11")):
            target = str(out.with_name(name))
            assert run(["follow", folder, "--event", event, "--system", "cosine", "--out", target]) == 0
        everything = rows(out.with_name("all"))
        alone = rows(out.with_name("one"))
        assert alone
        assert [row for row in everything if row[0] == alone[0][0]] == alone
