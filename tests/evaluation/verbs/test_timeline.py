"""`tidings timeline`, on files of the ferry fire (tests/evaluation/report/ferry.py)."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.evaluation.report.ferry import EVENT, JUDGMENTS, UPDATES
from tests.sweeps import cases
from tidings.cli import run as tidings
from tidings.core.records import Run, Update


@pytest.fixture
def run_file(tmp_path: Path) -> Path:
    """The run as tidings' own updates."""
    from tidings.following.outputs.runs import write_runs

    path = tmp_path / "run.jsonl"
    write_runs(path, [Run("harbour", "cosine", UPDATES)])
    return path


@pytest.fixture
def trec_run(tmp_path: Path) -> Path:
    """The run in TREC's columns, which hold no text."""
    from tidings.following.outputs.runs import write_runs

    path = tmp_path / "ferry.run.gz"
    write_runs(path, [Run("harbour", "cosine", UPDATES)])
    return path


@pytest.fixture
def judgments(tmp_path: Path) -> Path:
    """The judgments as a folder of tidings' own; here every sentence of the documents is judged."""
    folder = tmp_path / "ferry"
    folder.mkdir()

    def write(name: str, rows: list[dict[str, object]]) -> None:
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))

    event = {"id": EVENT.id, "title": EVENT.title, "query": EVENT.query, "type": EVENT.type}
    (folder / "event.json").write_text(json.dumps(event | {"start": EVENT.start_time, "end": EVENT.end_time}))
    write(
        "documents.jsonl",
        [
            {
                "id": one.doc_id,
                "published_time": one.published_time,
                "source": one.source,
                "title": "",
                "sentences": [{"id": 0, "text": one.text}],
            }
            for one in UPDATES
        ],
    )
    write(
        "nuggets.jsonl",
        [
            {
                "event": one.event_id,
                "id": one.id,
                "time": one.time,
                "importance": one.importance,
                "text": one.text,
            }
            for one in JUDGMENTS.nuggets
        ],
    )
    write(
        "matches.jsonl",
        [
            {
                "event": one.event_id,
                "update": one.update_id,
                "nugget": one.nugget_id,
                "start": one.start,
                "end": one.end,
            }
            for one in JUDGMENTS.matches
        ],
    )
    return folder


class TestPrinting:
    """In the terminal."""

    def test_shows_a_run_of_updates(self, run_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert tidings(["timeline", str(run_file), "--width", "100"]) == 0
        out = capsys.readouterr().out
        assert "19:24 ● Coast Radio  At least 12 people were killed" in out
        assert "emitted by harbour cosine" in out

    def test_shows_what_updates_earned(
        self, run_file: Path, judgments: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert tidings(["timeline", str(run_file), "--judgments", str(judgments), "--width", "100"]) == 0
        out = capsys.readouterr().out
        assert "Fire on the ferry Estrela" in out
        assert "★★★ At least 12 dead  −18min" in out
        assert "Covered 4 of 6 nuggets" in out

    def test_finds_texts_and_sources_in_the_pool_of_the_judgments(
        self, trec_run: Path, judgments: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert tidings(["timeline", str(trec_run), "-j", str(judgments), "--width", "100"]) == 0
        out = capsys.readouterr().out
        assert "19:24 ● " in out
        assert "At least 12 people were killed" in out
        assert "holds no text" not in out

    def test_finds_texts_in_a_stream(
        self, trec_run: Path, judgments: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        stream = str(judgments / "documents.jsonl")
        assert tidings(["timeline", str(trec_run), "--stream", stream, "--width", "100"]) == 0
        assert "Coast Radio  At least 12 people were killed" in capsys.readouterr().out

    def test_says_which_texts_it_lacks(self, trec_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert tidings(["timeline", str(trec_run)]) == 0
        printed = capsys.readouterr()
        assert "[a1-0: the run holds no text]" in printed.out
        assert "updates have no text in the run" in printed.err and "--stream" in printed.err

    def test_shows_another_time_zone(self, run_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert tidings(["timeline", str(run_file), "--zone", "Asia/Tokyo"]) == 0
        out = capsys.readouterr().out
        assert "times are Asia/Tokyo" in out
        assert "03:42 ●" in out

    def test_keeps_to_the_width(self, run_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert tidings(["timeline", str(run_file), "--width", "60"]) == 0
        assert max(map(len, capsys.readouterr().out.splitlines())) <= 60


class TestPage:
    """On a page."""

    def test_is_written_whole(self, run_file: Path, judgments: Path, tmp_path: Path) -> None:
        page = tmp_path / "page.html"
        assert tidings(["timeline", str(run_file), "-j", str(judgments), "--out", str(page)]) == 0
        text = page.read_text(encoding="utf-8")
        assert text.startswith("<!DOCTYPE html>")
        assert text.endswith("</html>")
        assert 'id="scores"' in text

    def test_can_be_compressed_by_its_name(self, run_file: Path, tmp_path: Path) -> None:
        page = tmp_path / "page.html.gz"
        assert tidings(["timeline", str(run_file), "--out", str(page)]) == 0
        assert gzip.decompress(page.read_bytes()).startswith(b"<!DOCTYPE html>")

    def test_leaves_the_old_one_when_something_is_wrong(
        self, run_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        page = tmp_path / "page.html"
        page.write_text("the old one")
        assert tidings(["timeline", str(run_file), "--out", str(page), "--event", "nowhere"]) == 2
        assert page.read_text() == "the old one"

    def test_into_a_folder_that_is_not_there_is_the_users_error(
        self, run_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert tidings(["timeline", str(run_file), "--out", str(tmp_path / "no" / "page.html")]) == 2
        assert "page.html" in capsys.readouterr().err


class TestMistakes:
    """Answered in one message, with exit code 2."""

    @pytest.mark.parametrize(
        ("arguments", "message"),
        cases(__file__, "in names", lists=True),
    )
    def test_in_names(
        self,
        run_file: Path,
        judgments: Path,
        arguments: list[str],
        message: str,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        assert tidings(["timeline", str(run_file), "-j", str(judgments), *arguments]) == 2
        assert message in capsys.readouterr().err

    def test_unknown_rules(self, run_file: Path, judgments: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert tidings(["timeline", str(run_file), "-j", str(judgments), "--rules", "trec-1999"]) == 2
        assert "unknown rules 'trec-1999'" in capsys.readouterr().err

    def test_missing_files(self, tmp_path: Path, run_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert tidings(["timeline", str(tmp_path / "none.jsonl")]) == 2
        assert tidings(["timeline", str(run_file), "-j", str(tmp_path / "nowhere")]) == 2
        assert tidings(["timeline", str(run_file), "--stream", str(tmp_path / "none.jsonl")]) == 2
        assert "Traceback" not in capsys.readouterr().err

    def test_a_file_with_several_runs_or_events(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from tidings.following.outputs.runs import write_runs

        path = tmp_path / "many.jsonl"
        write_runs(path, [Run("a", "x", UPDATES), Run("a", "y", UPDATES[:1])])
        assert tidings(["timeline", str(path)]) == 2
        assert "--run: a x, a y" in capsys.readouterr().err
        two = (UPDATES[0], Update("OTHER", "z", 0, UPDATES[0].time, text="Rain."))
        write_runs(path, [Run("a", "x", two)])
        assert tidings(["timeline", str(path)]) == 2
        assert "--event: FERRY.1, OTHER" in capsys.readouterr().err
        assert tidings(["timeline", str(path), "--event", "OTHER"]) == 0


@pytest.mark.shared_data
def test_a_run_of_the_track_gets_its_official_headline(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """2APSal on Costa Concordia; H and C as in NIST's table of 2014 (expected/), here to four decimals."""
    folder = shared_data / "trec-ts" / "2014"
    run = str(folder / "runs" / "cunlp.run.gz")
    assert tidings(["timeline", run, "--run", "2APSal", "--event", "11", "-j", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "Costa Concordia disaster and recovery" in out
    assert "H 0.0862" in out


class TestStores:
    """A run that is still in its store."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> str:
        from tidings.core.records import RunCard
        from tidings.core.store import open_store

        path = str(tmp_path / "runs.db")
        told = replace(EVENT, title="Fire on the ferry", start_time=None, end_time=None)
        other = replace(EVENT, id="other", title="Something else")
        with open_store(path) as opened:
            for name in ("first", "second"):
                with opened.begin(name, {}, card=RunCard(events=(told, other))) as stored:
                    stored.commit([], {}, [replace(UPDATES[1], title=name), UPDATES[0]], [], finished=True)
        return path

    def test_is_shown_with_its_title(self, store: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert tidings(["timeline", store, "--run", "second", "--event", EVENT.id]) == 0
        shown = capsys.readouterr().out
        assert "Fire on the ferry\n" in shown
        assert "open · times are UTC" in shown
        assert "2 updates" in shown
        assert "emitted by second" in shown

    def test_is_chosen_by_name(self, store: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert tidings(["timeline", store, "--event", EVENT.id]) == 2
        assert "choose with --run: first, second" in capsys.readouterr().err

    def test_stays_as_it_is(self, store: str, capsys: pytest.CaptureFixture[str]) -> None:
        before = Path(store).read_bytes()
        assert tidings(["timeline", store, "--run", "first", "--event", EVENT.id, "--out", store]) == 2
        assert "the run as --out" in capsys.readouterr().err
        assert Path(store).read_bytes() == before


class TestOverwriting:
    """A page never takes the place of what it was made from."""

    @pytest.mark.parametrize("way", ["itself", "link", "symlink", "dots"])
    @pytest.mark.parametrize("which", ["run", "judgments", "stream"])
    def test_is_refused_by_any_name(
        self, which: str, way: str, run_file: Path, judgments: Path, tmp_path: Path
    ) -> None:
        source = {
            "run": run_file,
            "judgments": judgments / "nuggets.jsonl",
            "stream": judgments / "documents.jsonl",
        }[which]
        target = tmp_path / "page.html"
        if way == "link":
            target.hardlink_to(source)
        elif way == "symlink":
            target.symlink_to(source)
        else:
            target = source if way == "itself" else source.parent / ".." / source.parent.name / source.name
        before = source.read_bytes()
        arguments = [
            "timeline",
            str(run_file),
            "-j",
            str(judgments),
            "--stream",
            str(judgments / "documents.jsonl"),
        ]
        assert tidings([*arguments, "--out", str(target)]) == 2
        assert source.read_bytes() == before
