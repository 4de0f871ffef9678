"""`tidings digest` and `tidings.digest`: documents or a followed run in, the story so far out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tidings
from tests.following.digests.stories import DOCUMENTS, FERRY, at, document
from tests.sweeps import cases, every
from tidings.cli import run
from tidings.core.errors import TidingsError, UsageError
from tidings.core.records import Event, Run, RunCard, Update
from tidings.following.library.arguments import ArgumentTypeError, ArgumentValueError
from tidings.following.outputs.outputs import write_updates
from tidings.sources.own.documents import write_documents
from tidings.sources.own.events import write_event


@pytest.fixture
def stream(tmp_path: Path) -> str:
    write_documents(tmp_path / "news.jsonl", DOCUMENTS)
    return str(tmp_path / "news.jsonl")


def told(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


class TestVerb:
    def test_prints_the_story(self, stream: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["digest", stream, "--query", "ferry fire", "--dates", "2", "--sentences", "1"]) == 0
        said = capsys.readouterr()
        assert "Wednesday 1 May 2024" in said.out
        assert "4 documents read, 3 about the story: 2 days" in said.err

    def test_writes_where_each_sentence_stands(self, stream: str, tmp_path: Path) -> None:
        out = tmp_path / "d.jsonl"
        assert run(["digest", stream, "--query", "ferry fire", "--out", str(out), "-q"]) == 0
        days = told(out)
        assert [day["date"] for day in days] == ["2024-05-01", "2024-05-02", "2024-05-20"]
        assert days[0]["sentences"][0] == {
            "doc": "a",
            "sentence": 1,
            "text": "Fire broke out on the ferry Aurora off the port of Nador on Wednesday.",
            "published_time": at("2024-05-01"),
            "source": "Wire",
            "title": "Ferry burns off Nador",
            "url": "https://example.org/a",
        }

    def test_shortens_and_says_so(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        towed = "The burnt ferry Aurora was towed 84 km (52 miles) to a shipyard, officials said."
        write_documents(tmp_path / "news.jsonl", [*DOCUMENTS, document("e", "2024-05-10", towed)])
        command = ["digest", str(tmp_path / "news.jsonl"), "--query", "ferry fire", "-q"]
        assert run([*command, "--shorten", "--out", str(tmp_path / "short.jsonl")]) == 0
        assert run([*command, "--out", str(tmp_path / "whole.jsonl")]) == 0
        short, whole = (
            {(one["doc"], one["sentence"]): one for day in told(tmp_path / name) for one in day["sentences"]}
            for name in ("short.jsonl", "whole.jsonl")
        )
        assert "pieces" not in json.dumps(list(whole.values()))
        shortened = {key: one for key, one in short.items() if "pieces" in one}
        assert [one["text"] for one in shortened.values()] == [
            "The burnt ferry Aurora was towed 84 km to a shipyard."
        ]
        for key, one in shortened.items():
            left = "".join(whole[key]["text"][start:end] for start, end in one["pieces"])
            assert left.lower() == one["text"].lower()
        assert run([*command, "--shorten"]) == 0
        assert capsys.readouterr().out.count("(shortened)") == 1

    @pytest.mark.parametrize("name", ["d.txt", "d.json", "d.md", "d.html", "d.jsonl"])
    def test_the_same_command_writes_the_same(self, stream: str, tmp_path: Path, name: str) -> None:
        command = ["digest", stream, "--query", "ferry fire", "--out", str(tmp_path / name), "-q"]
        assert run(command) == 0
        first = (tmp_path / name).read_bytes()
        assert run(command) == 0
        assert (tmp_path / name).read_bytes() == first
        assert b"sank on Thursday" in first

    def test_a_form_can_be_asked_for(self, stream: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["digest", stream, "--query", "ferry fire", "--format", "text"]) == 0
        assert capsys.readouterr().out.startswith("2024-05-01\n")

    @pytest.mark.parametrize("system", ["ours", "datewise", "clust", "submodular"])
    def test_takes_every_system(self, stream: str, tmp_path: Path, system: str) -> None:
        out = tmp_path / "d.jsonl"
        assert (
            run(["digest", stream, "--query", "ferry fire", "--system", system, "--out", str(out), "-q"]) == 0
        )
        assert {day["system"] for day in told(out)} == {system}

    def test_the_period_bounds_the_days(self, stream: str, tmp_path: Path) -> None:
        out = tmp_path / "d.jsonl"
        period = ["--start", "2024-05-02T00:00:00Z", "--end", "2024-05-10T00:00:00Z"]
        assert run(["digest", stream, "--query", "ferry fire", *period, "--out", str(out), "-q"]) == 0
        assert [day["date"] for day in told(out)] == ["2024-05-02"]

    def test_takes_an_event_file(
        self, stream: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write_event(tmp_path / "event.json", [FERRY])
        assert run(["digest", stream, "--event", str(tmp_path / "event.json")]) == 0
        assert "Ferry fire" in capsys.readouterr().out

    def test_grows_with_its_stream(self, stream: str, tmp_path: Path) -> None:
        out = tmp_path / "d.jsonl"
        write_documents(stream, DOCUMENTS[:2])
        command = ["digest", stream, "--query", "ferry fire", "--out", str(out), "-q"]
        assert run(command) == 0
        assert [day["date"] for day in told(out)] == ["2024-05-01", "2024-05-02"]
        write_documents(stream, DOCUMENTS)
        assert run(command) == 0
        assert [day["date"] for day in told(out)][-1] == "2024-05-20"

    @pytest.mark.parametrize(
        ("arguments", "said"),
        cases(__file__, "says what is wrong", lists=True),
    )
    def test_says_what_is_wrong(
        self, stream: str, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["digest", stream, *arguments]) == 2
        words = capsys.readouterr().err
        assert said in words
        assert "Traceback" not in words

    def test_a_missing_stream_is_named(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["digest", "no.jsonl", "--query", "ferry"]) == 2
        assert "no.jsonl" in capsys.readouterr().err

    def test_bad_lines_are_refused_or_counted(self, stream: str, capsys: pytest.CaptureFixture[str]) -> None:
        with Path(stream).open("a") as file:
            file.write('{"id": "bad"}\n')
        command = ["digest", stream, "--query", "ferry fire"]
        assert run(command) == 2
        assert ":5:" in capsys.readouterr().err
        assert run([*command, "--lenient"]) == 0
        assert ":5:" in capsys.readouterr().err

    def test_documents_that_share_an_id_are_said(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        one, other = (
            document("a", "2024-05-01", "A ferry is on fire."),
            document("a", "2024-05-02", "A ferry sank."),
        )
        write_documents(tmp_path / "twice.jsonl", [one, other])
        assert run(["digest", str(tmp_path / "twice.jsonl"), "--query", "ferry", "-q"]) == 0
        said = capsys.readouterr().err
        assert "1 document has the id of another one, but other words (a in " in said
        assert "their sentences cannot be told apart" in said


class TestOfARun:
    def follow(self, stream: str, tmp_path: Path, *more: str) -> str:
        store = str(tmp_path / "kept.db")
        out = str(tmp_path / "told.jsonl")
        command = [
            "follow",
            stream,
            "--query",
            "ferry fire",
            "--system",
            "cosine",
            "--out",
            out,
            "--store",
            store,
        ]
        assert run([*command, *more, "-q"]) == 0
        return store

    def test_a_store_is_told_of(
        self, stream: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        store = self.follow(stream, tmp_path)
        for kept in (store, f"sqlite:///{store}", str(tmp_path / "told.jsonl")):
            out = tmp_path / "d.jsonl"
            assert run(["digest", kept, "--out", str(out), "-q"]) == 0
            days = told(out)
            assert days[0]["date"] == "2024-05-01"
            assert days[0]["sentences"][0]["title"] == "Ferry burns off Nador"

    def test_a_period_is_told_of_a_run_that_had_one(self, stream: str, tmp_path: Path) -> None:
        store = self.follow(stream, tmp_path, "--start", "2024-05-01T00:00:00Z")
        out = tmp_path / "d.jsonl"
        for options, days in (
            ((), ["2024-05-01", "2024-05-02"]),
            (("--start", "2024-05-02T00:00:00Z"), ["2024-05-02"]),
            (("--end", "2024-05-01T12:00:00Z"), ["2024-05-01"]),
        ):
            assert run(["digest", store, *options, "--out", str(out), "-q"]) == 0
            assert [day["date"] for day in told(out)] == days

    def test_one_event_of_several_must_be_named(
        self, stream: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        store = self.follow(stream, tmp_path, "--query", "bank shares")
        assert run(["digest", store]) == 2
        assert "2 events (ferry-fire, bank-shares) (expected one" in capsys.readouterr().err
        assert run(["digest", store, "--event", "bank-shares"]) == 0
        assert "Shares of the bank fell" in capsys.readouterr().out
        assert run(["digest", store, "--event", "storm"]) == 2
        assert "expected one of the run: ferry-fire, bank-shares" in capsys.readouterr().err

    def test_a_run_that_is_not_there_or_tells_nothing_is_said(
        self, stream: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        store = self.follow(stream, tmp_path)
        assert run(["digest", store, "--run", "nope"]) == 2
        assert "no run 'nope'" in capsys.readouterr().err
        values = str(tmp_path / "values.jsonl")
        assert run(["values", stream, "--query", "ferry fire", "--out", values, "-q"]) == 0
        assert run(["digest", values, "--out", str(tmp_path / "d.md")]) == 2
        assert "a run without updates that have text" in capsys.readouterr().err
        assert not (tmp_path / "d.md").exists()

    def test_documents_beside_a_run_are_refused(
        self, stream: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        store = self.follow(stream, tmp_path)
        assert run(["digest", store, stream]) == 2
        assert "expected one kind of them" in capsys.readouterr().err

    def test_updates_are_told_from_documents(self, tmp_path: Path) -> None:
        update = Update("e", "d", 2, at("2024-05-02"), text="The ferry Aurora sank on Thursday off Nador.")
        write_updates(tmp_path / "told.jsonl", [Run("us", "a", (update,))])
        digest = tidings.digest(tmp_path / "told.jsonl")
        assert [(day.date, day.sentences[0].sentence_index) for day in digest.days] == [("2024-05-02", 2)]

    def test_what_was_told_of_an_event_is_about_it(self, tmp_path: Path) -> None:
        told = Update("ferry", "d", 0, at("2024-05-02"), text="Tugs towed the Aurora to Nador on Thursday.")
        run_of = Run("us", "a", (told,), RunCard(system="first", events=(FERRY,)))
        write_updates(tmp_path / "told.jsonl", [run_of])
        assert [day.date for day in tidings.digest(tmp_path / "told.jsonl").days] == ["2024-05-02"]


class TestFromPython:
    def test_gives_the_verbs_digest(self, stream: str) -> None:
        assert tidings.digest(stream, query="ferry fire") == tidings.digest(
            list(DOCUMENTS), query="ferry fire"
        )

    def test_of_a_run(self) -> None:
        told = tidings.follow(list(DOCUMENTS), events=FERRY, system="cosine").to_run()
        digest = tidings.digest(told)
        assert digest.event == FERRY
        assert digest.days[0].date == "2024-05-01"
        assert tidings.digest(told, events=FERRY) == digest

    def test_does_not_touch_what_a_run_tells_of_others(self) -> None:
        told = tidings.follow(list(DOCUMENTS), query=["ferry fire", "bank shares"], system="cosine").to_run()
        with pytest.raises(ArgumentTypeError, match="the run is of several events"):
            tidings.digest(told)
        digest = tidings.digest(told, events=Event(id="bank-shares", title="", query=""))
        assert {one.doc_id for day in digest.days for one in day.sentences} == {"d"}

    @every(
        "options, error, said",
        [
            ({}, ArgumentTypeError, "neither query nor events"),
            ({"query": "ferry", "dates": 0}, ArgumentValueError, "dates: 0"),
            ({"query": "ferry", "sentences": 1.5}, ArgumentTypeError, "sentences: 1.5"),
            ({"query": "ferry", "system": "x"}, UsageError, "system 'x'"),
            ({"query": ["ferry", "bank"]}, ArgumentValueError, "2 events"),
        ],
    )
    def test_says_what_is_wrong(
        self, options: dict[str, object], error: type[TidingsError], said: str
    ) -> None:
        with pytest.raises(error, match=said):
            tidings.digest(list(DOCUMENTS), **options)

    def test_takes_dicts(self) -> None:
        one = document("x", "2024-05-01", "The ferry Aurora is on fire off the port of Nador.")
        as_dict = {"id": "x", "published_time": one.published_time, "text": one.text}
        assert tidings.digest([as_dict], query="ferry fire").days[0].sentences[0].doc_id == "x"
