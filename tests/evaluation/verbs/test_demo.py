"""`tidings demo`: what every user sees first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tidings.cli import run as tidings
from tidings.evaluation.verbs.demo import EVENT, program


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of one demo and what it printed."""
    folder = tmp_path_factory.mktemp("demo") / "demo out"
    with pytest.MonkeyPatch.context() as patch:
        import io
        import sys

        out = io.StringIO()
        patch.setattr(sys, "stdout", out)
        assert tidings(["demo", "--out", str(folder)]) == 0
    return folder, out.getvalue()


class TestDemo:
    """The bundled event, start to finish."""

    def test_tells_the_event_by_day(self, shown: tuple[Path, str]) -> None:
        _, text = shown
        assert "Santiago de Compostela derailment" in text
        assert "── Wednesday 24 July 2013 (UTC)" in text
        assert "── Friday 26 July 2013" in text

    def test_marks_the_toll_as_it_rises(self, shown: tuple[Path, str]) -> None:
        _, text = shown
        assert text.index(" 2 dead") < text.index("35 dead") < text.index("56 dead") < text.index("80 dead")

    def test_ends_with_scores_and_their_meaning(self, shown: tuple[Path, str]) -> None:
        _, text = shown
        assert "the headline of the track" in text
        assert "recall:" in text

    @pytest.mark.parametrize(
        ("system", "known"),
        [
            ("tidings", True),
            pytest.param("tidings:updates_per_hour=5", True, marks=pytest.mark.long),
            ("cosine", False),
            pytest.param("l2s-cos", False, marks=pytest.mark.long),
        ],
    )
    def test_says_whether_the_model_knew_the_event(
        self, system: str, known: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert tidings(["demo", "--out", str(tmp_path / "out"), "--fast", "--system", system]) == 0
        assert ("not a fair test" in " ".join(capsys.readouterr().out.split())) is known

    def test_names_commands_that_work(
        self, shown: tuple[Path, str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        import shlex

        _, text = shown
        lines = [line.strip() for line in text.splitlines()]
        for verb in ("timeline", "score"):
            command = next(line for line in lines if line.startswith(f"tidings {verb} "))
            assert tidings(shlex.split(command)[1:]) == 0
        assert capsys.readouterr().out

    def test_names_the_command_as_it_can_be_called(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import sys

        monkeypatch.setattr(sys, "argv", ["my env/bin/tidings", "demo"])
        monkeypatch.setenv("PATH", "/nowhere")
        assert program() == "'my env/bin/tidings'"
        monkeypatch.setattr(sys, "argv", ["-m"])
        assert program() == "tidings"

    def test_leaves_the_page_the_run_and_the_event(self, shown: tuple[Path, str]) -> None:
        folder, _ = shown
        page = (folder / f"{EVENT}.html").read_text(encoding="utf-8")
        assert 'id="nuggets"' in page
        assert (folder / "run.jsonl").stat().st_size > 0
        assert (folder / EVENT / "documents.jsonl").exists()

    def test_gives_the_same_run_and_page_again(self, shown: tuple[Path, str], tmp_path: Path) -> None:
        folder, _ = shown
        assert tidings(["demo", "--out", str(tmp_path / "again"), "--fast"]) == 0
        for name in ("run.jsonl", f"{EVENT}.html"):
            assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()

    def test_paced_gives_the_same_updates_as_unpaced(self, shown: tuple[Path, str], tmp_path: Path) -> None:
        """A stream that comes slowly is committed in other pieces; the updates are the same."""
        import io

        from rich.console import Console

        from tidings.core.records import Update
        from tidings.evaluation.verbs.demo import follow_event
        from tidings.following.hosting import DEFAULT_SYSTEM
        from tidings.following.outputs.runs import read_runs
        from tidings.following.systems import make
        from tidings.sources.streams import read_events, read_stream

        folder, _ = shown
        event = read_events(folder / EVENT)[0]
        documents = list(read_stream(folder / EVENT))
        console = Console(file=io.StringIO(), width=80)
        outputs, tally = follow_event(console, event, documents, make(DEFAULT_SYSTEM), tmp_path, 0.8)
        updates = [output for output in outputs if isinstance(output, Update)]
        assert updates == list(read_runs(folder / "run.jsonl")[0].updates)
        assert (tmp_path / "run.jsonl").read_bytes() == (folder / "run.jsonl").read_bytes()
        assert tally.late_count == 1

    def test_is_what_following_the_event_gives(self, shown: tuple[Path, str], tmp_path: Path) -> None:
        """The demo hides nothing: `tidings follow` on its event with its system tells the same."""
        from tidings.following.hosting import DEFAULT_SYSTEM
        from tidings.following.outputs.runs import read_runs

        folder, _ = shown
        out = str(tmp_path / "run.jsonl")
        assert (
            tidings(["follow", str(folder / EVENT), "--system", DEFAULT_SYSTEM, "--out", out, "--quiet"]) == 0
        )
        assert list(read_runs(out)[0].updates) == list(read_runs(folder / "run.jsonl")[0].updates)

    def test_says_which_document_came_too_late(self, shown: tuple[Path, str]) -> None:
        _, text = shown
        assert "One document was left out" in text

    def test_runs_with_any_system(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert tidings(["demo", "--fast", "--system", "first", "--out", str(tmp_path)]) == 0
        assert "The result" in capsys.readouterr().out


class TestMistakes:
    """Answered before anything is written."""

    def test_an_unknown_system(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert tidings(["demo", "--system", "cosinus", "--out", str(tmp_path / "out")]) == 2
        assert "cosine" in capsys.readouterr().err
        assert not (tmp_path / "out").exists()

    def test_a_file_where_the_folder_should_go(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "out").write_text("mine")
        assert tidings(["demo", "--out", str(tmp_path / "out")]) == 2
        assert (tmp_path / "out").read_text() == "mine"
