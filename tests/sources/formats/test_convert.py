"""`tidings convert` and the library's `convert`: kinds by name, what is kept, and that losses are said."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest

from tests.sweeps import cases, every
from tidings.cli import run as run_command
from tidings.core.errors import FormatError, OutputError, Problems, UsageError
from tidings.core.records import Document, Event, Run, Sentence, Update
from tidings.evaluation.convert import convert, kind_of_source, kind_of_target
from tidings.following.outputs.runs import read_runs, write_runs
from tidings.sources import bundled
from tidings.sources.own.documents import write_documents
from tidings.sources.own.events import write_event
from tidings.sources.streams import read_events, read_judgments, read_stream

RUN = "11\tt\tr\t60-a\t0\t120\t0.5\n11\tt\tr\t60-b\t3\t180\t1.5\n"
DOCUMENTS = (
    '{"id":"60-a","published_time":60,"source":"Wire","title":"Fire",'
    '"sentences":[{"text":"A ferry burns.","events":["e"]},{"text":"Two died.","events":["e","f"]}]}\n'
)
TOPICS = (
    "<events><event><id>1</id><title>T</title><start>5</start><end>9</end><query>q</query></event></events>"
)


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


class TestKinds:
    @every(
        "source, target, kinds",
        cases(__file__, "by name"),
    )
    def test_by_name(self, source: str, target: str, kinds: tuple[str, str]) -> None:
        kind = kind_of_source(source, target=target)
        assert (kind, kind_of_target(target, kind)) == kinds

    def test_json_lines_to_json_lines_must_be_said(self) -> None:
        with pytest.raises(UsageError, match="may hold documents, updates or events; say which"):
            kind_of_source("a.jsonl", target="b.jsonl")
        assert kind_of_source("a.jsonl", "documents", "b.jsonl") == "documents"

    def test_standard_input_must_be_said(self) -> None:
        with pytest.raises(UsageError, match="standard input has no name, so say what it is"):
            kind_of_source("-")

    def test_an_unknown_kind_has_a_suggestion(self) -> None:
        with pytest.raises(
            UsageError, match=r"--from 'update' \(expected one of .*\); did you mean updates\?"
        ):
            kind_of_source("a", "update")

    def test_what_cannot_be_made(self) -> None:
        with pytest.raises(UsageError, match="cannot make topics of run; expected --to updates or run"):
            kind_of_target("a.xml", "run", "topics")
        with pytest.raises(UsageError, match="the name does not fit anything that topics can become"):
            kind_of_target("a.tsv", "topics")


class TestFiles:
    def test_a_run_there_and_back(self, tmp_path: Path) -> None:
        source = put(tmp_path, "a.run", RUN)
        there = convert(source, tmp_path / "a.jsonl")
        back = convert(tmp_path / "a.jsonl", tmp_path / "b.run")
        assert (tmp_path / "b.run").read_text() == RUN
        assert there.notes == back.notes == []
        assert there.counts == ["2 updates", "1 run"]

    def test_updates_with_texts_lose_them_and_that_is_said(self, tmp_path: Path) -> None:
        line = '{"event":"e","doc":"d","sentence":0,"time":60,"text":"x","source":"s","published_time":60}\n'
        done = convert(put(tmp_path, "a.jsonl", line), tmp_path / "a.run")
        assert done.notes == [
            "a file of kind run cannot hold texts (1)",
            "a file of kind run cannot hold sources (1)",
            "a file of kind run cannot hold published times (1)",
            "a file of kind run cannot hold runs without a name (1); they got one",
        ]

    def test_documents_become_a_pool(self, tmp_path: Path) -> None:
        done = convert(put(tmp_path, "a.jsonl", DOCUMENTS), tmp_path / "a.tsv")
        lines = (tmp_path / "a.tsv").read_text().splitlines()
        assert lines[1:] == [
            "e\t60-a-0\t60-a\t0\t14\tNULL\tA ferry burns.",
            "e\t60-a-1\t60-a\t1\t9\tNULL\tTwo died.",
            "f\t60-a-1\t60-a\t1\t9\tNULL\tTwo died.",
        ]
        assert [note.partition(" hold ")[2] for note in done.notes] == ["titles (1)", "sources (1)"]

    def test_and_a_pool_documents(self, tmp_path: Path) -> None:
        convert(put(tmp_path, "a.jsonl", DOCUMENTS), tmp_path / "a.tsv")
        done = convert(tmp_path / "a.tsv", tmp_path / "b.jsonl")
        (document,) = read_stream(tmp_path / "b.jsonl")
        assert [sentence.text for sentence in document.sentences] == ["A ferry burns.", "Two died."]
        assert [sentence.events for sentence in document.sentences] == [("e",), ("e", "f")]
        assert "listed lengths (3)" in " ".join(done.notes)

    def test_sentences_without_events_cannot_become_a_pool(self, tmp_path: Path) -> None:
        source = put(tmp_path, "a.jsonl", '{"id":"a","published_time":60,"text":"A ferry burns."}\n')
        with pytest.raises(UsageError, match="sentence 'a-0' names no events"):
            convert(source, tmp_path / "a.tsv")
        assert not (tmp_path / "a.tsv").exists()

    def test_topics_and_events(self, tmp_path: Path) -> None:
        convert(put(tmp_path, "a.xml", TOPICS), tmp_path / "a.json")
        convert(tmp_path / "a.json", tmp_path / "b.xml")
        assert (
            read_events(tmp_path / "a.json")
            == read_events(tmp_path / "b.xml")
            == read_events(tmp_path / "a.xml")
        )

    def test_tracked_values_have_no_place_in_events(self, tmp_path: Path) -> None:
        values = "<deaths><value><count>3</count><time>7</time></value></deaths></event>"
        source = put(tmp_path, "a.xml", TOPICS.replace("</event>", values))
        assert convert(source, tmp_path / "a.json").notes == [
            "a file of kind events cannot hold tracked values (1)"
        ]
        assert convert(source, tmp_path / "b.xml").notes == []
        assert "<count>3</count>" in (tmp_path / "b.xml").read_text()

    def test_a_file_may_be_written_over_itself(self, tmp_path: Path) -> None:
        path = put(tmp_path, "a.jsonl", DOCUMENTS)
        before = list(read_stream(path))
        convert(path, path, source_kind="documents")
        assert list(read_stream(path)) == before


class TestFolders:
    def test_the_bundled_event_becomes_trec_and_says_what_it_loses(self, tmp_path: Path) -> None:
        done = convert(bundled.path(), tmp_path / "trec")
        own, trec = read_judgments(bundled.path()), read_judgments(tmp_path / "trec")
        assert [n.text for n in own.nuggets] == [n.text for n in trec.nuggets]
        assert own.matches == trec.matches
        assert [(u.event_id, u.id, u.text) for u in own.pool] == [
            (u.event_id, u.id, u.text) for u in trec.pool
        ]
        assert sorted(own.values, key=repr) == sorted(trec.values, key=repr)
        notes = " ".join(done.notes)
        for lost in (
            "clusters",
            "graded entities",
            "sources of updates",
            "titles, addresses and whole texts",
        ):
            assert lost in notes

    def test_a_folder_without_matches_can_be_read_again(self, tmp_path: Path) -> None:
        own = Path(copytree(bundled.path(), tmp_path / "own"))
        (own / "matches.jsonl").unlink()
        convert(own, tmp_path / "trec")
        trec = read_judgments(tmp_path / "trec")
        assert trec.matches == ()
        assert len(trec.nuggets) == len(read_judgments(own).nuggets) > 0
        (tmp_path / "trec" / "matches.tsv").write_text("")
        with pytest.raises(FormatError, match="an empty file"):
            read_judgments(tmp_path / "trec")

    def test_a_copy_of_an_own_folder_is_whole(self, tmp_path: Path) -> None:
        convert(bundled.path(), tmp_path / "copy", target_kind="judgments")
        own, copy = read_judgments(bundled.path()), read_judgments(tmp_path / "copy")
        assert (own.events, own.nuggets, own.matches, own.pool) == (
            copy.events,
            copy.nuggets,
            copy.matches,
            copy.pool,
        )
        assert (own.clusters, own.entities, own.values) == (copy.clusters, copy.entities, copy.values)
        assert list(read_stream(bundled.path())) == list(read_stream(tmp_path / "copy"))

    def test_single_parts_of_a_folder(self, tmp_path: Path) -> None:
        convert(bundled.path(), tmp_path / "a.jsonl")
        assert list(read_stream(tmp_path / "a.jsonl")) == list(read_stream(bundled.path()))
        assert convert(bundled.path(), tmp_path / "a.tsv").counts
        done = convert(bundled.path(), tmp_path / "a.xml")
        assert done.notes[-1] == "only the events were written, none of the judgments"

    def test_a_file_where_the_folder_should_be(self, tmp_path: Path) -> None:
        with pytest.raises(OutputError, match="is a file, but this is written as a folder"):
            convert(bundled.path(), put(tmp_path, "a", "x"), target_kind="trec")


class TestFaults:
    def test_a_bad_line_leaves_the_old_output(self, tmp_path: Path) -> None:
        target = put(tmp_path, "a.tsv", "old")
        with pytest.raises(FormatError):
            convert(put(tmp_path, "a.jsonl", DOCUMENTS + "rubbish\n"), target)
        assert target.read_text() == "old"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "a.tsv"]

    def test_lenient_reading_counts(self, tmp_path: Path) -> None:
        problems = Problems(lenient=True)
        convert(put(tmp_path, "a.run", RUN + "rubbish\n"), tmp_path / "a.jsonl", problems=problems)
        assert problems.count == 1
        assert len(read_runs(tmp_path / "a.jsonl")[0].updates) == 2


class TestCommand:
    def test_it_says_what_it_did_on_standard_error(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        source = put(tmp_path, "a.run", RUN + "rubbish\n")
        assert run_command(["convert", str(source), str(tmp_path / "a.jsonl"), "--lenient"]) == 0
        out, err = capsys.readouterr()
        assert out == ""
        assert f"skipped 1 bad line; the first: {source}:3: 1 columns" in err
        assert err.endswith("tidings: run to updates: wrote 2 updates, 1 run\n")

    def test_bad_input_is_one_message_and_exit_code_2(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run_command(["convert", str(tmp_path / "none.run"), str(tmp_path / "a.jsonl")]) == 2
        assert "there is no such file; check the name" in capsys.readouterr().err
        source = put(tmp_path, "a.run", RUN)
        assert run_command(["convert", str(source), str(tmp_path / "a.jsonl"), "--pool", "all"]) == 2
        assert "expected sampled or extended" in capsys.readouterr().err

    def test_from_a_pipe_to_a_pipe(self) -> None:
        command = [sys.executable, "-m", "tidings", "convert", "-", "-", "--from", "run", "--to", "updates"]
        program = [sys.executable, "-c", f"import sys; from tidings.cli import main; main({command[3:]!r})"]
        done = subprocess.run(program, input=RUN.encode(), capture_output=True, check=True)
        assert done.stdout.count(b"\n") == 2
        assert done.stdout.startswith(b'{"kind":"update","event":"11","update":"60-a-0"')


@every("prefix", ["<", "{", "[{", "<?xml"])
def test_ids_that_look_like_another_format_come_back(prefix: str, tmp_path: Path) -> None:
    document = Document(
        id=f"{prefix}100-a",
        published_time=100,
        sentences=(Sentence(f"{prefix}100-a", 0, "A ferry burns.", 100),),
    )
    own = tmp_path / "own"
    own.mkdir()
    write_documents(own / "documents.jsonl", [document])
    write_event(own / "event.json", Event(id=f"{prefix}e", title="t", query="q", start_time=1, end_time=9))
    text = json.dumps({"event": f"{prefix}e", "id": f"{prefix}n", "time": 5, "importance": 1, "text": "t"})
    (own / "nuggets.jsonl").write_text(text + "\n")
    (own / "pool.jsonl").write_text(
        json.dumps({"event": f"{prefix}e", "update": document.sentences[0].id}) + "\n"
    )
    match = {
        "event": f"{prefix}e",
        "update": document.sentences[0].id,
        "nugget": f"{prefix}n",
        "start": 0,
        "end": 3,
    }
    (own / "matches.jsonl").write_text(json.dumps(match) + "\n")
    judgments = read_judgments(own)
    convert(own, tmp_path / "trec", target_kind="trec")
    again = read_judgments(tmp_path / "trec")
    assert [one.id for one in again.nuggets] == [one.id for one in judgments.nuggets]
    assert [row.id for row in again.pool] == [row.id for row in judgments.pool]
    write_runs(tmp_path / "a.run", [Run("team", "name", (Update(f"{prefix}e", document.id, 0, 100),))])
    assert read_runs(tmp_path / "a.run")[0].updates[0].doc_id == document.id


class TestItself:
    def test_no_file_becomes_another_kind_in_place_through_links_too(self, tmp_path: Path) -> None:
        run, link, hard = tmp_path / "a.jsonl", tmp_path / "link.jsonl", tmp_path / "hard.jsonl"
        run.write_text('{"event":"e","doc":"d","sentence":0,"time":5,"text":"A ferry burns."}\n')
        link.symlink_to(run)
        hard.hardlink_to(run)
        before = run.read_bytes()
        for target in (run, link, hard):
            with pytest.raises(UsageError, match="IN as OUT"):
                convert(run, target, source_kind="updates", target_kind="run")
        assert run.read_bytes() == before
        assert link.is_symlink()

    def test_no_folder_is_written_over_itself(self, tmp_path: Path) -> None:
        folder = tmp_path / "own"
        folder.mkdir()
        write_event(folder / "event.json", Event(id="e", title="t", query="q", start_time=1, end_time=9))
        (tmp_path / "link").symlink_to(folder)
        for kind in ("trec", "judgments"):
            with pytest.raises(UsageError, match="same folder"):
                convert(folder, tmp_path / "link", source_kind="judgments", target_kind=kind)


def test_a_url_is_named_whole(capsys: pytest.CaptureFixture[str]) -> None:
    from tidings.cli import run

    assert run(["convert", "https://example.org/x.jsonl", "-"]) == 2
    assert "https://example.org/x.jsonl: addresses cannot be read here" in capsys.readouterr().err
