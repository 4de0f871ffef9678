"""Converting into a folder that is there: another collection's judgments stay unless they are to be replaced."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tidings.cli import run
from tidings.sources import bundled

BUNDLED = Path(str(bundled.path()))


@pytest.fixture
def trec(tmp_path: Path) -> Path:
    """A TREC folder of one nugget."""
    folder = tmp_path / "trec"
    folder.mkdir()
    (folder / "nuggets.tsv").write_text(
        "query_id\tnugget_id\ttimestamp\timportance\tlength\ttext\nTS1\tn1\t60\t1\t1\tstorm\n"
    )
    (folder / "matches.tsv").write_text(
        "query_id\tupdate_id\tnugget_id\tmatch_start\tmatch_end\tauto_p\nTS1\t60-a-0\tn1\t0\t5\t0\n"
    )
    (folder / "updates_sampled.tsv").write_text(
        "query_id\tupdate_id\tdocument_id\tsentence_id\tupdate_length\tduplicate_id\tupdate_text\n"
        "TS1\t60-a-0\t60-a\t0\t1\tNULL\tstorm\n"
    )
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A folder with another collection, and a file that is none of it."""
    folder = tmp_path / "other"
    folder.mkdir()
    for path in BUNDLED.iterdir():
        if path.is_file():
            (folder / path.name).write_bytes(path.read_bytes())
    (folder / "notes.txt").write_text("mine")
    return folder


@pytest.mark.parametrize("kind", ["judgments", "trec"])
def test_judgments_that_are_there_stay_unless_they_may_be_replaced(
    kind: str, trec: Path, other: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(other)
    command = ["convert", str(trec), str(other), "--from", "trec", "--to", kind]
    assert run(command) == 2
    assert "holds judgments already" in capsys.readouterr().err
    assert contents(other) == before
    assert run([*command, "--overwrite"]) == 0
    assert run([*command[:2], str(tmp_path / "new" / "one"), *command[3:]]) == 0
    after = contents(other)
    assert after.pop("notes.txt") == b"mine"
    kept = {name: data for name, data in after.items() if name in before and data == before[name]}
    assert {name for name in kept if name.endswith((".jsonl", ".json", ".tsv", ".xml"))} <= {"README.md"}
    assert contents(tmp_path / "new" / "one").items() <= after.items()


def test_replacing_that_fails_midway_changes_nothing(trec: Path, other: Path) -> None:
    """The second file is too long for what may be written."""
    before = contents(other)
    pool = trec / "updates_sampled.tsv"
    more = [f"TS1\t60-b-{number}\t60-b\t{number}\t1\tNULL\t{'storm ' * 20}\n" for number in range(200)]
    pool.write_text(pool.read_text() + "".join(more))
    script = (
        "import resource, signal, sys; from tidings.cli import main;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); main(sys.argv[1:])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "convert", trec, other, "--to", "judgments", "--overwrite"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "could not be written" in done.stderr) == (2, True), done.stderr
    assert str(other / "documents.jsonl") in done.stderr
    assert contents(other) == before
