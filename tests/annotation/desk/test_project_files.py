"""A project as a folder, and made again from it: log, people and all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.annotation.pages.desks import People, bundled_judgments, desk_with
from tests.sweeps import cases, every
from tidings.annotation.desk.exchange.bringing import restore
from tidings.annotation.desk.exchange.folders import export_folder
from tidings.annotation.store import Act, Claim, Desk
from tidings.cli import run as tidings
from tidings.core.errors import FormatError, OutputError, StoreError, UsageError
from tidings.core.records import Cluster, Event, Judgments, Nugget, PooledUpdate
from tidings.core.records.judgments import FINAL, SHARED, Assignment, Change, judge_layer
from tidings.core.store import open_store
from tidings.evaluation.formats.desk_lines import read_desk_lines
from tidings.sources.streams import read_judgments

POOL = tuple(
    PooledUpdate("storm", f"{n}0-d", 0, f"It rains, says Łucja {n}.", published_time=n * 10, source="Wire")
    for n in range(1, 5)
)
GIVEN = Judgments(
    name="collection",
    events=(Event(id="storm", title="A storm", query="storm", start_time=0, end_time=99),),
    nuggets=(Nugget("storm", "n1", 10, 2, "rain"),),
    pool=POOL,
)


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[People]:
    """A project on which three have worked: matches, an undone one, clusters, merged events, notes, a decision."""
    with desk_with(tmp_path / "desk.db", GIVEN, judges=2) as people:
        log, project = people.desk.log, people.project.id
        first, second = judge_layer(people.first.id), judge_layer(people.second.id)

        def act(key: str, account: int, *changes: Change, **more: object) -> None:
            done = Act(key=key, operation=key, topic=1, account_id=account, **more)  # type: ignore[arg-type]
            log.record(project, done, list(changes))

        span = {"matches": [{"nugget": "n1", "start": 15, "end": 20, "automatic": False}]}
        claim = Claim("matching", "10-d-0", 2)
        act(
            "match",
            people.first.id,
            Change(first, "matches", "10-d-0", span),
            claim=claim,
            made_ms=5,
            shown="d",
        )
        act("none", people.second.id, Change(second, "matches", "10-d-0", {"matches": []}), assisted="alike")
        act("undo", people.second.id, Change(second, "matches", "10-d-0", None), undoes="none")
        act("place", people.first.id, Change(first, "cluster", "c1", {"label": "rain"}),
            Change(first, "membership", "20-d-0", {"cluster": "c1"}),
            Change(first, "membership", "30-d-0", {"cluster": None}))  # fmt: skip
        act(
            "merge",
            people.lead.id,
            Change(SHARED, "merged-event", "e1", {"text": first, "from": [[first, "a"]]}),
        )
        act("decide", people.lead.id, Change(FINAL, "matches", "40-d-0", {"matches": []}))
        people.desk.projects.assign(Assignment(project, 1, "matching", people.second.id))
        people.desk.projects.change(replace(people.project, guidelines="Be *kind*.", idle_s=60))
        people.project = people.desk.projects.get(project)  # type: ignore[assignment]
        yield people


def lines_of(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "judgments.jsonl").read_text().splitlines()]


class TestFolder:
    def test_is_read_by_the_scorers(self, judged: People, tmp_path: Path) -> None:
        done = export_folder(judged.desk, judged.project, tmp_path / "out")
        back = read_judgments(tmp_path / "out")
        assert {path.name for path in done.paths} == {path.name for path in (tmp_path / "out").iterdir()}
        assert [(match.update_id, match.start, match.end) for match in back.matches] == [("10-d-0", 15, 21)]
        assert back.clusters == (Cluster("storm", "c1", ("20-d-0",), "rain"),)
        assert back.events == GIVEN.events and back.nuggets == (replace(GIVEN.nuggets[0], listed_length=4),)
        assert (tmp_path / "out" / "qrels.txt").read_text() == "storm Q0 20-d-0 1\nstorm Q0 30-d-0 0\n"
        assert "collection" not in (tmp_path / "out" / "clusters.json").read_text()
        assert (done.unjudged, done.notes) == (0, ())

    def test_of_one_judge_has_what_they_judged_alone(self, judged: People, tmp_path: Path) -> None:
        export_folder(judged.desk, judged.project, tmp_path / "out", layer=judge_layer(judged.first.id))
        back = read_judgments(tmp_path / "out")
        assert [row.id for row in back.pool] == ["10-d-0", "20-d-0", "30-d-0"]
        assert not (tmp_path / "out" / "judgments.jsonl").exists()
        export_folder(judged.desk, judged.project, tmp_path / "final", layer=FINAL)
        assert [row.id for row in read_judgments(tmp_path / "final").pool] == ["40-d-0"]

    @pytest.mark.parametrize("layer", [None, "judge"])
    def test_written_again_has_nothing_left_of_before(
        self, judged: People, tmp_path: Path, layer: str | None
    ) -> None:
        out, own = tmp_path / "out", judge_layer(judged.first.id)
        names = {"topics.xml", "nuggets.tsv", "matches.tsv", "updates_sampled.tsv", "mine.txt", "export.json"}
        names |= {"links.tsv", "merged_events.jsonl", "judgments.jsonl"} if layer is None else set()
        layer = layer and own
        export_folder(judged.desk, judged.project, out, layer=layer, compressed=".gz")
        (out / "mine.txt").write_text("stays")
        none = [Change(own, "cluster", "c1", None)]
        none += [Change(own, "membership", f"{n}0-d-0", None) for n in (2, 3)]
        act = Act(key="gone", operation="gone", topic=1, account_id=judged.first.id)
        judged.desk.log.record(judged.project.id, act, none)
        done = export_folder(judged.desk, judged.project, out, layer=layer)
        assert {path.name for path in out.iterdir()} == names and done.unjudged == 2
        assert {path.name for path in done.paths} == names - {"mine.txt"}
        listed = json.loads((out / "export.json").read_text())["files"]
        assert listed == sorted(names - {"mine.txt", "export.json"})

    @pytest.mark.parametrize(
        "name", ["nuggets.tsv", "matches.tsv.gz", "updates_sampled.extended.tsv", "export.json"]
    )
    def test_what_no_export_wrote_is_not_replaced(self, judged: People, tmp_path: Path, name: str) -> None:
        out = tmp_path / "out"
        out.mkdir()
        (out / name).write_bytes(b"mine")
        (out / "judges.tsv").write_text("mine")
        with pytest.raises(UsageError, match=rf"{re.escape(name)}: no export wrote this file.*--overwrite"):
            export_folder(judged.desk, judged.project, out)
        assert {path.name for path in out.iterdir()} == {name, "judges.tsv"}
        assert (out / name).read_bytes() == b"mine"
        export_folder(judged.desk, judged.project, out, overwrite=True)
        assert "judges.tsv" not in {path.name for path in out.iterdir()}
        assert read_judgments(out).nuggets == read_judgments(self.elsewhere(judged, tmp_path)).nuggets

    def test_other_files_of_a_folder_stay(self, judged: People, tmp_path: Path) -> None:
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "judges.tsv").write_text("mine")
        for _ in range(2):
            export_folder(judged.desk, judged.project, tmp_path / "out")
        assert (tmp_path / "out" / "judges.tsv").read_text() == "mine"

    def test_a_list_says_nothing_of_what_exports_never_write(self, judged: People, tmp_path: Path) -> None:
        out = tmp_path / "out"
        export_folder(judged.desk, judged.project, out)
        (tmp_path / "mine").write_text("stays")
        listed = json.loads((out / "export.json").read_text())
        listed["files"] += ["../mine", "judges.tsv"]
        (out / "export.json").write_text(json.dumps(listed))
        export_folder(judged.desk, judged.project, out)
        assert (tmp_path / "mine").exists()

    def test_one_that_fails_leaves_all_as_it_was(
        self, judged: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        out = self.elsewhere(judged, tmp_path)
        before = {path.name: path.read_bytes() for path in out.iterdir()}

        def full(*_: object, **__: object) -> None:
            raise OutputError(f"{_[2]}/links.tsv: could not be written")

        monkeypatch.setattr("tidings.annotation.desk.exchange.folders.export_event_links", full)
        for folder in (out, tmp_path / "new"):
            with pytest.raises(OutputError, match=rf"^{re.escape(str(folder))}/links\.tsv: "):
                export_folder(judged.desk, judged.project, folder, anonymous=True)
        assert {path.name: path.read_bytes() for path in out.iterdir()} == before
        assert not (tmp_path / "new").exists()

    def test_ended_in_the_middle_it_is_put_right_by_the_next(
        self, judged: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import os

        whole, out, moved = self.elsewhere(judged, tmp_path), tmp_path / "out", []

        def end_soon(source: Path, target: Path, real: Any = os.replace) -> None:
            if Path(source).parent.name.startswith(".export-") and Path(target).parent == out:
                moved.append(target)
                if len(moved) == 3:
                    raise KeyboardInterrupt
            real(source, target)

        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(os, "replace", end_soon)
            export_folder(judged.desk, judged.project, out)
        export_folder(judged.desk, judged.project, out)
        assert {path.name: path.read_bytes() for path in out.iterdir()} == {
            path.name: path.read_bytes() for path in whole.iterdir()
        }

    def elsewhere(self, people: People, folder: Path) -> Path:
        export_folder(people.desk, people.project, folder / "elsewhere")
        return folder / "elsewhere"


class TestHistory:
    def test_says_who_judged_what_and_when(self, judged: People, tmp_path: Path) -> None:
        export_folder(judged.desk, judged.project, tmp_path / "out")
        entries = [line for line in lines_of(tmp_path / "out") if line["record"] == "judgment"]
        assert [(one.get("by"), one["operation"], one.get("assisted")) for one in entries[1:4]] == [
            ("first", "match", None), ("second", "none", "alike"), ("second", "undo", None)]  # fmt: skip
        assert all(isinstance(one["recorded_ms"], int) for one in entries)

    def test_can_do_without_names(self, judged: People, tmp_path: Path) -> None:
        export_folder(judged.desk, judged.project, tmp_path / "out", anonymous=True)
        words = (tmp_path / "out" / "judgments.jsonl").read_text()
        assert '"first"' not in words and '"second"' not in words and '"lead"' in words  # the role
        assert [line["name"] for line in lines_of(tmp_path / "out") if line["record"] == "account"] == [
            "judge 1", "judge 2", "judge 3"]  # fmt: skip

    @pytest.mark.parametrize("before", [0, 3])
    def test_makes_the_project_again(self, judged: People, tmp_path: Path, before: int) -> None:
        """In a store of other people too, where accounts have other numbers."""
        export_folder(judged.desk, judged.project, tmp_path / "out")
        lines = list(read_desk_lines(tmp_path / "out" / "judgments.jsonl"))
        with open_store(str(tmp_path / "other.db")) as opened:
            other = Desk(opened)
            for n in range(before):
                other.accounts.add(f"stranger {n}")
            done = restore(other, lines, "collection")
            assert (done.entries, done.items, set(done.new_accounts)) == (9, 5, {"lead", "first", "second"})
            assert restore(other, lines, "collection").entries == 0
            ours, theirs = judged.desk, other
            project = replace(done.project, created_time=judged.project.created_time, last_seq=0)
            assert project == replace(judged.project, last_seq=0)
            assert [(m.name, m.role) for m in theirs.projects.members(project.id)] == [
                (m.name, m.role) for m in ours.projects.members(project.id)
            ]
            theirs.log.replay(project.id)
            export_folder(other, project, tmp_path / "again")
            for name in ("matches.tsv", "clusters.json", "qrels.txt", "merged_events.jsonl", "topics.xml"):
                assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()
            first = theirs.accounts.find("first")
            assert first is not None and first.password_hash == ""
            assert theirs.claims.holders(project.id, 1, "matching") == {"10-d-0": (first.id,)}
            merged = theirs.log.object(project.id, 1, SHARED, "merged-event", "e1")
            assert merged is not None
            own = judge_layer(judged.first.id)
            assert merged.value == {"text": own, "from": [[judge_layer(first.id), "a"]]}
            if not before:
                assert lines_of(tmp_path / "again") == lines_of(tmp_path / "out")
                assert theirs.log.objects(project.id) == ours.log.objects(project.id)

    def test_people_whose_names_differ_in_case_alone_stay_two(self, judged: People, tmp_path: Path) -> None:
        path = self.written(judged, tmp_path / "one")
        path.write_text(path.read_text().replace('"second"', '"FIRST"'))
        lines = list(read_desk_lines(path))
        with open_store(str(tmp_path / "other.db")) as opened:
            accounts = Desk(opened).accounts
            accounts.add("Lead")
            accounts.add("first")
            assert restore(Desk(opened), lines, "copy").new_accounts == ("FIRST",)
            assert [one.name for one in accounts.all()] == ["FIRST", "Lead", "first"]
            assert {one.account_id for one in Desk(opened).log.entries(1)} == {None, 1, 2, 3}

    def test_goes_on_where_a_project_stopped(self, judged: People, tmp_path: Path) -> None:
        lines = list(read_desk_lines(self.written(judged, tmp_path / "one")))
        with desk_with(tmp_path / "other.db") as other:
            restore(other.desk, lines[:-4], "copy")
            assert restore(other.desk, lines, "copy").entries == 4
            act = Act(key="mine", operation="note", topic=1)
            place = other.desk.projects.find("copy")
            assert place is not None
            other.desk.log.record(place.id, act, [Change(SHARED, "note", "x", {"text": "hm"})])
            with pytest.raises(
                UsageError, match="the project copy has judgments that the file does not have"
            ):
                restore(other.desk, lines, "copy")
            with pytest.raises(StoreError, match="instead of 1"):
                other.desk.projects.add_topic(other.project.id, Event(id="other", title="", query=""))
                restore(other.desk, lines, "collection")

    def test_one_that_was_ended_in_the_middle_is_made_whole(
        self, judged: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from tidings.annotation.store import objects

        lines = list(read_desk_lines(self.written(judged, tmp_path / "one")))
        with open_store(str(tmp_path / "other.db")) as opened:
            with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):

                def end(*_: object, **__: object) -> None:
                    raise KeyboardInterrupt

                patched.setattr(objects, "set_columns", end)
                restore(Desk(opened), lines, "copy")
            assert Desk(opened).log.count_objects(1) == {}
            assert restore(Desk(opened), lines, "copy").entries == 9
            assert Desk(opened).log.objects(1) == judged.desk.log.objects(judged.project.id)

    def written(self, people: People, folder: Path) -> Path:
        export_folder(people.desk, people.project, folder)
        return folder / "judgments.jsonl"

    @pytest.mark.parametrize(
        ("old", "new", "found"),
        cases(__file__, "what does not fit is said by line"),
    )
    def test_what_does_not_fit_is_said_by_line(
        self, judged: People, tmp_path: Path, old: str, new: str, found: str
    ) -> None:
        path = self.written(judged, tmp_path / "out")
        words = path.read_text()
        assert old in words
        path.write_text(words.replace(old, new, 1))
        with pytest.raises(FormatError, match=found):
            list(read_desk_lines(path))

    def test_an_empty_one_is_none(self, tmp_path: Path) -> None:
        (tmp_path / "judgments.jsonl").write_text("")
        with pytest.raises(FormatError):
            list(read_desk_lines(tmp_path / "judgments.jsonl"))


class TestVerbs:
    def test_a_folder_comes_and_goes(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        from tidings.sources import bundled

        where = ["--project", "c", "--store", str(tmp_path / "d.db")]
        assert tidings(["assess", "import", str(bundled.path()), *where]) == 0
        assert tidings(["assess", "export", *where, "--out", str(tmp_path / "out"), "--compress", "gz"]) == 0
        assert tidings(["assess", "import", str(tmp_path / "out"), "--project", "d", *where[2:]]) == 0
        assert capsys.readouterr().err.splitlines() == [
            "tidings: c: 1 topic, 536 new items, 1,101 new or other judgments",
            "tidings: 85 new entities of days, 85 grades",
            f"tidings: {tmp_path / 'out'}: 1 topic, 82 nuggets, 477 matches, 72 clusters, 536 pooled updates",
            "tidings: d: 1 topic, 623 new items, 1,186 judgments of its log",
        ]
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "nuggets.tsv").write_text("mine")
        out = [*where, "--out", str(tmp_path / "mine"), "--layer", "judge-9"]
        assert tidings(["assess", "export", *out]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.endswith("choose another folder, or replace what is there with --overwrite")
        assert tidings(["assess", "export", *out, "--overwrite"]) == 0
        given, back = bundled_judgments(), read_judgments(tmp_path / "out")
        assert (back.clusters, back.entities) == (given.clusters, given.entities)

    @every(
        "words, said",
        cases(__file__, "what is wrong is said in a line", lists=True),
    )
    def test_what_is_wrong_is_said_in_a_line(
        self, words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:  # fmt: skip
        monkeypatch.chdir(tmp_path)
        assert tidings(["assess", *words, "--project", "p", "--store", "s.db"]) == 2
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 1 and said in lines[0]
        assert not (tmp_path / "s.db").exists()
