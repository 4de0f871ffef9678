"""No verb writes over what it reads: by the same name, through a symbolic link, as another hard link, by a detour."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest
from typer.main import get_command

from tests.research.training.conftest import fake, make_year
from tests.sweeps import cases
from tidings.annotation.store import Desk
from tidings.cli import VERBS, make_app, run as tidings
from tidings.core.models.files import read_model, write_model_bytes
from tidings.core.records import Run, Update
from tidings.core.store import open_store
from tidings.following.outputs.outputs import write_updates
from tidings.sources import bundled
from tidings.sources.streams import read_stream

__all__ = ["fake"]

PLAN = 'folders = ["year"]\nsystems = ["first"]\noutput = "out"\n[split]\nkind = "leave-one-event-out"\n'


@pytest.fixture(scope="module")
def made_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one of everything that verbs read."""
    tmp_path = tmp_path_factory.mktemp("place")
    copytree(bundled.path(), tmp_path / "event")
    make_year(tmp_path / "year", ["A.1", "A.2", "A.3"])
    document = next(iter(read_stream(tmp_path / "event")))
    update = Update("santiago-2013", document.id, 0, document.published_time)
    write_updates(tmp_path / "run.jsonl", [Run("us", "a", (update,))])
    write_updates(tmp_path / "other.jsonl", [Run("us", "b", (update,))])
    (tmp_path / "run.tsv").write_text(f"santiago-2013\tus\ta\t{document.id}\t0\t{update.time}\t1\n")
    (tmp_path / "run.tsv.card.json").write_text(json.dumps({"team": "us", "run": "a", "system": "first"}))
    with open_store(str(tmp_path / "kept.db")) as store, store.begin("kept", {}) as kept:
        kept.commit([], {}, [update], [], finished=True)
    with open_store(str(tmp_path / "desk.db")) as store:
        Desk(store).projects.add("p")
    (tmp_path / "judges.tsv").write_text("topic\tevent\tjudge\tsentence\nt\te\t1\td-0\nt\te\t3\td-0\n")
    (tmp_path / "topics.jsonl").write_text('{"tid": "t", "label": "x", "narrative": "", "questions": []}\n')
    (tmp_path / "plan.toml").write_text(PLAN)
    (tmp_path / "entities.toml").write_text('task = "entities"\nfolders = ["year"]\noutput = "out"\n')
    (tmp_path / "pagecounts-20130415-140000").write_text("en Renfe 997 123091092\n")
    (tmp_path / "model.safetensors").write_bytes(b"a model")
    return tmp_path


@pytest.fixture
def place(made_place: Path, tmp_path: Path) -> Path:
    """A copy of that folder, to stand in while a verb runs."""
    return copytree(made_place, tmp_path, dirs_exist_ok=True)


Command = Callable[[str], list[str]]

SCORE: list[str] = ["score", "run.jsonl", "-j", "event", "--out"]
COMPARE = cases(__file__, "compare")
EXPLAIN = ["explain", "run.jsonl", "santiago-2013", "-j", "event", "--out"]
CASES: dict[str, tuple[list[str], str, str]] = {
    "score": ([*SCORE, "{}"], "run.jsonl", "x.jsonl"),
    "score, judgments": ([*SCORE, "{}"], "event/nuggets.jsonl", "x.jsonl"),
    "score, matches": (
        ["score", "run.jsonl", "-j", "event", "--matches", "other.jsonl", "-f", "csv", "--out", "{}"],
        "other.jsonl", "x",
    ),
    "score, card": (["score", "run.tsv", "-j", "event", "-f", "csv", "--out", "{}"], "run.tsv.card.json", "x"),
    "score, store": (["score", "kept.db", "-j", "event", "-f", "csv", "--out", "{}"], "kept.db", "x"),
    "score, store by URL": (
        ["score", "sqlite:///kept.db", "-j", "event", "-f", "csv", "--out", "{}"], "kept.db", "x"
    ),
    "compare --out": ([*COMPARE, "-f", "csv", "--out", "{}"], "other.jsonl", "x"),
    "compare, page": ([*COMPARE, "--out", "{}"], "event/event.json", "x.html"),
    "explain": ([*EXPLAIN, "{}", "-f", "csv"], "run.jsonl", "x"),
    "explain, judgments": ([*EXPLAIN, "{}", "-f", "csv"], "event/matches.jsonl", "x"),
    "timeline": (["timeline", "run.jsonl", "--out", "{}"], "run.jsonl", "x.html"),
    "timeline, stream": (
        ["timeline", "run.jsonl", "--stream", "event", "--out", "{}"], "event/documents.jsonl", "x.html"
    ),
    "timeline, store by URL": (["timeline", "sqlite:///kept.db", "--out", "{}"], "kept.db", "x.html"),
    "agreement": (["agreement", "judges.tsv", "-f", "csv", "--out", "{}"], "judges.tsv", "x"),
    "convert": (["convert", "run.tsv", "{}", "--from", "run", "--to", "updates"], "run.tsv", "x.jsonl"),
    "convert, part of a folder": (["convert", "event", "{}", "--to", "documents"], "event/documents.jsonl", "x"),
    "convert, card": (["convert", "run.tsv", "{}", "--from", "run", "--to", "updates"], "run.tsv.card.json", "x"),
    "pool": (["pool", "run.jsonl", "--stream", "event", "--out", "{}"], "run.jsonl", "x.tsv"),
    "match": (["match", "run.jsonl", "-j", "event", "--out", "{}"], "run.jsonl", "x.jsonl"),
    "cluster": (["cluster", "run.jsonl", "-j", "event", "--out", "{}"], "run.jsonl", "x.jsonl"),
    "cluster, judgments": (["cluster", "-j", "event", "--out", "{}"], "event/clusters.jsonl", "x.jsonl"),
    "match --answers": (
        ["match", "-j", "event", "--judge", "http://h/v1,model=m", "--out", "y", "--answers", "{}"],
        "event/nuggets.jsonl", "x.jsonl",
    ),
    "match --importance": (
        ["match", "-j", "event", "--judge", "http://h/v1,model=m", "--out", "y", "--importance", "{}"],
        "event/nuggets.jsonl", "x.tsv",
    ),
    "reuse": (
        ["reuse", "event", "run.jsonl", "other.jsonl", "--judged-only", "-f", "json", "--out", "{}"], "run.jsonl", "x"
    ),
    "study": (["study", "event", "event", "run.jsonl", "-f", "json", "--out", "{}"], "run.jsonl", "x.md"),
    "study, judgments": (
        ["study", "event", "event", "run.jsonl", "-f", "json", "--out", "{}"], "event/clusters.jsonl", "x.md"
    ),
    "study, categories": (
        ["study", "event", "event", "run.jsonl", "--suggest", "{}", "--out", "study.md"], "event/nuggets.jsonl", "x.tsv"
    ),
    "assess simulate": (
        ["assess", "simulate", "event", "--by", "time", "--out", "{}"], "event/matches.jsonl", "x.csv"
    ),
    "read": (["read", "event/documents.jsonl", "--out", "{}"], "event/documents.jsonl", "x.jsonl"),
    "follow": (
        ["follow", "event/documents.jsonl", "--query", "train", "--system", "first", "--out", "{}"],
        "event/documents.jsonl", "x.jsonl",
    ),
    "follow, event file": (
        ["follow", "event/documents.jsonl", "--event", "event/event.json", "--system", "first", "--out", "{}"],
        "event/event.json", "x.jsonl",
    ),
    "follow, topics": (
        ["follow", "event/documents.jsonl", "--topics", "topics.jsonl", "--out", "{}"], "topics.jsonl", "x.jsonl"
    ),
    "report": (["report", "run.jsonl", "--out", "{}"], "run.jsonl", "x.jsonl"),
    "judge measure": (
        ["judge", "measure", "math:dist", "--data", "event", "--format", "table", "--out", "{}"],
        "event/nuggets.jsonl", "x.md",
    ),
    "stories": (["stories", "event/documents.jsonl", "--out", "{}"], "event/documents.jsonl", "x.jsonl"),
    "digest": (
        ["digest", "event/documents.jsonl", "--query", "train", "-f", "text", "--out", "{}"],
        "event/documents.jsonl", "x.jsonl",
    ),
    "digest, event file": (
        ["digest", "event/documents.jsonl", "--event", "event/event.json", "-f", "text", "--out", "{}"],
        "event/event.json", "x.jsonl",
    ),
    "digest, store by URL": (["digest", "sqlite:///kept.db", "-f", "text", "--out", "{}"], "kept.db", "x"),
    "values": (
        ["values", "event/documents.jsonl", "--query", "train", "--out", "{}"], "event/documents.jsonl", "x.jsonl"
    ),
    "entities": (
        ["entities", "event/documents.jsonl", "--query", "train", "--out", "{}"], "event/documents.jsonl", "x.jsonl"
    ),
    "entities views": (
        ["entities", "views", "Renfe", "--dump", "pagecounts-20130415-140000", "--out", "{}"],
        "pagecounts-20130415-140000", "x.jsonl",
    ),
    "train": (["train", "fake", "-j", "year", "--out", "{}"], "year/nuggets.jsonl", "x"),
    "train, what it begins with": (
        ["train", "fake", "-j", "year", "--set", "depth=model.safetensors", "--out", "{}"],
        "model.safetensors", "x",
    ),
    "tag": (["tag", "event/documents.jsonl", "-f", "text", "--out", "{}"], "event/documents.jsonl", "x"),
    "tag, model": (
        ["tag", "event/documents.jsonl", "--model", "model.safetensors", "-f", "jsonl", "--out", "{}"],
        "model.safetensors", "x",
    ),
    "explain --entity": (
        ["explain", "--entity", "Ann", "run.jsonl", "--query", "b", "--day", "2013-07-24", "-f", "json", "--out", "{}"],
        "run.jsonl", "x.json",
    ),
    "systems attention": (
        ["systems", "attention", "model.safetensors", "a", "--query", "b", "--out", "{}"],
        "model.safetensors", "x.html",
    ),
    "systems attention, alone": (
        ["systems", "attention", "model.safetensors", "a", "--query", "b", "--out", "{}"],
        "model.safetensors", "x.svg",
    ),
    "experiment --out": (["experiment", "plan.toml", "--out", "{}"], "plan.toml", "x.md"),
    "experiment --out, judgments": (
        ["experiment", "entities.toml", "--out", "{}"], "year/nuggets.jsonl", "x.md"
    ),
}  # fmt: skip

INSIDE: dict[str, tuple[list[str], str, str]] = {
    "compare --charts": ([*COMPARE, "--charts", "charts"], "run.jsonl", "charts/intervals.svg"),
    "experiment": (["experiment", "plan.toml"], "plan.toml", "out/results.md"),
    "experiment, judgments": (["experiment", "plan.toml"], "year/nuggets.jsonl", "out/results.json"),
    "experiment, entities": (["experiment", "entities.toml"], "year/nuggets.jsonl", "out/table-2.md"),
    "experiment, page": (["experiment", "plan.toml", "--draw"], "year/matches.jsonl", "out/pooled.html"),
    "demo": (
        ["demo", "--fast", "--no-open", "--out", "demo", "--system", "tidings:model=model.safetensors"],
        "model.safetensors",
        "demo/santiago-2013.html",
    ),
    "assess export": (
        ["assess", "export", "--project", "p", "--store", "desk.db", "--out", "judged"], "desk.db", "judged/nuggets.tsv"
    ),
    "convert to a folder": (["convert", "event", "trec", "--to", "trec"], "event/nuggets.jsonl", "trec/nuggets.tsv"),
}  # fmt: skip
"""Where the verb names its files itself: a link waits there."""


def assert_refused(command: list[str], source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = source.read_bytes()
    assert tidings(command) == 2
    assert source.read_bytes() == before
    words = capsys.readouterr().err
    assert "what is read stays as it is" in words
    assert "Traceback" not in words


def link(target: Path, source: Path, way: str) -> None:
    target.parent.mkdir(exist_ok=True)
    if way == "link":
        target.hardlink_to(source)
    else:
        target.symlink_to(source)


@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize(
    "way", ["itself", "symlink", *(pytest.param(way, marks=pytest.mark.long) for way in ("link", "detour"))]
)
@pytest.mark.parametrize("name", CASES)
def test_what_is_read_is_never_written(
    name: str, way: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    command, read, written = CASES[name]
    source = place / read
    target = read if way == "itself" else f"event/../{read}" if way == "detour" else written
    if way in ("link", "symlink"):
        link(place / written, source, way)
    assert_refused([part.replace("{}", target) for part in command], source, capsys)


@pytest.mark.parametrize("way", ["link", pytest.param("symlink", marks=pytest.mark.long)])
@pytest.mark.parametrize("name", INSIDE)
def test_nor_through_links_in_a_folder_of_outputs(
    name: str, way: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    command, read, written = INSIDE[name]
    link(place / written, place / read, way)
    if name == "demo":
        (place / read).write_bytes(write_model_bytes(read_model("tidings")))
    assert_refused(command, place / read, capsys)


def test_a_folder_is_not_converted_onto_itself(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    (place / "same").symlink_to(place / "event")
    for target in ("event", "same", "event/../event"):
        command = ["convert", "event", target, "--from", "judgments", "--to", "trec"]
        assert_refused(command, place / "event" / "nuggets.jsonl", capsys)


def test_every_verb_that_writes_is_here() -> None:
    """A verb with an option for a file to write has a case above."""
    writing = {"--out", "--charts"}
    verbs = set()
    for verb in VERBS:
        commands = vars(get_command(make_app([verb])))["commands"]
        if any(writing & set(parameter.opts) for parameter in commands[verb].params):
            verbs.add(verb)
    tried = {max((verb for verb in VERBS if name.startswith(verb)), key=len) for name in (*CASES, *INSIDE)}
    assert (verbs - {"systems", "measures"}) | {"convert"} == tried  # those two read no file
