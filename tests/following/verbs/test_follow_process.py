"""`tidings follow` as a process of its own: signals, pipes, full disks, folders that may not be written.

A run and the weights that decide it: other weights are another run.

Runs that cannot be: nothing on standard input, an output that is a link to itself.
"""

from __future__ import annotations

import io
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.following.kill.streams import write_stream
from tests.research.training.conftest import fake
from tidings.cli import run
from tidings.core.models.files import Model, write_model_bytes
from tidings.core.records import ModelCard
from tidings.sources import bundled

COMMAND = [sys.executable, "-m", "tidings", "follow"]
QUERY = ["--query", "storm damage", "--system", "first"]


def follow(*args: str | Path, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, args)], capture_output=True, text=True, check=False, timeout=300, **options
    )


def line(number: int, time: int | None = None) -> str:
    said = f"Storm damage number {number}."
    return (
        json.dumps(
            {"id": f"d{number}", "published_time": number if time is None else time, "sentences": [said]}
        )
        + "\n"
    )


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_stream(tmp_path_factory.mktemp("stream") / "documents.jsonl", 2_500)


@pytest.fixture(scope="module")
def undisturbed(stream: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    out = tmp_path_factory.mktemp("undisturbed") / "out.run"
    assert follow(stream, *QUERY, "--out", out).returncode == 0
    return out.read_bytes()


@pytest.mark.kill
class TestInterrupt:
    @pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
    def test_what_was_decided_is_kept_and_the_same_command_goes_on(
        self, stream: Path, undisturbed: bytes, tmp_path: Path, number: signal.Signals
    ) -> None:
        out = tmp_path / "out.run"
        # A pipe that is not written to the end holds the process in the middle of its stream.
        fifo = tmp_path / "stream"
        os.mkfifo(fifo)
        command = [fifo, *QUERY, "--out", out, "--store", tmp_path / "run.db"]
        process = subprocess.Popen([*COMMAND, *map(str, command)], stderr=subprocess.PIPE, text=True)
        content = stream.read_bytes()
        with fifo.open("wb") as pipe:
            pipe.write(content[: len(content) // 2])
            pipe.flush()
            wait_for_updates(tmp_path / "run.db", 500)
            process.send_signal(number)
            _, said = process.communicate(timeout=120)
        assert process.returncode == 130
        assert "stopped after" in said
        assert "the same command goes on from here" in said
        assert not out.exists()
        again = subprocess.Popen([*COMMAND, *map(str, command)])
        with fifo.open("wb") as pipe:
            pipe.write(content)
        assert again.wait(timeout=120) == 0
        assert out.read_bytes() == undisturbed

    @pytest.mark.long
    def test_a_file_is_left_in_the_middle_too(self, stream: Path, undisturbed: bytes, tmp_path: Path) -> None:
        out = tmp_path / "out.run"
        command = [*COMMAND, str(stream), *QUERY, "--out", str(out)]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        while not Path(f"{out}.db").exists() and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
        assert process.returncode == 130, said
        assert "Traceback" not in said
        assert not out.exists()
        assert subprocess.run(command, check=False).returncode == 0
        assert out.read_bytes() == undisturbed

    def test_while_waiting_for_standard_input(self, tmp_path: Path) -> None:
        command = ["-", *QUERY, "--lateness", "0", "--out", "-", "--store", str(tmp_path / "run.db")]
        process = subprocess.Popen(
            [*COMMAND, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        process.stdin.write(line(1))
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=120) == 130
        _, said = process.communicate()
        assert "stopped after 1 document," in said
        assert "Fatal" not in said


def wait_for_updates(store: Path, count: int) -> None:
    for _ in range(2400):
        if store.exists():
            reader = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
            try:
                if reader.execute("SELECT count(*) FROM updates").fetchone()[0] >= count:
                    return
            except sqlite3.OperationalError:
                pass
            finally:
                reader.close()
        time.sleep(0.05)
    pytest.fail("nothing was committed in two minutes")


class TestLive:
    def test_each_update_is_told_before_the_next_document_comes(self, tmp_path: Path) -> None:
        command = ["-", *QUERY, "--lateness", "0", "--out", "-", "--store", str(tmp_path / "run.db")]
        process = subprocess.Popen(
            [*COMMAND, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for number in range(5):
            process.stdin.write(line(number))
            process.stdin.flush()
            assert process.stdout.readline().split("\t")[3] == f"d{number}"
        process.stdin.close()
        assert process.wait(timeout=120) == 0
        process.stdout.close()

    @pytest.mark.long
    def test_standard_input_goes_on_or_comes_again(self, tmp_path: Path) -> None:
        out = tmp_path / "out.run"

        def pipe(first: int, last: int) -> subprocess.CompletedProcess[str]:
            text = "".join(line(number) for number in range(first, last))
            return follow("-", *QUERY, "--out", out, input=text)

        def told() -> list[str]:
            return [row.split("\t")[3] for row in out.read_text().splitlines()]

        assert pipe(0, 10).returncode == 0
        assert pipe(10, 20).returncode == 0
        assert told() == [f"d{number}" for number in range(20)]
        assert pipe(0, 25).returncode == 0  # from the beginning
        assert told() == [f"d{number}" for number in range(25)]
        assert pipe(25, 25).returncode == 0  # nothing
        assert told() == [f"d{number}" for number in range(25)]
        other = pipe(3, 30)
        assert other.returncode == 2
        assert "the stream is not the one that this run started with" in other.stderr

    def test_a_reader_that_goes_away_is_no_error(self, stream: Path) -> None:
        process = subprocess.Popen(
            [*COMMAND, str(stream), *QUERY, "--out", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        process.stdout.read(10)
        process.stdout.close()
        said = process.stderr.read().decode()
        process.stderr.close()
        assert process.wait(timeout=120) == 141, said
        assert "Traceback" not in said


class TestFull:
    """A disk without room: said, nothing half written, and the run goes on once there is room."""

    @pytest.mark.parametrize("limit", [pytest.param(20_000, marks=pytest.mark.long), 350_000])
    def test_a_limit_on_the_size_of_files(
        self, stream: Path, undisturbed: bytes, tmp_path: Path, limit: int
    ) -> None:
        out = tmp_path / "out.run"

        def limited() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        done = follow(stream, *QUERY, "--out", out, preexec_fn=limited)
        assert done.returncode == 2, done.stderr
        assert str(out) in done.stderr
        assert "make room" in done.stderr
        assert "Traceback" not in done.stderr
        assert not out.exists()
        assert [path.name for path in tmp_path.iterdir() if path.suffix == ".tmp"] == []
        assert follow(stream, *QUERY, "--out", out).returncode == 0
        assert out.read_bytes() == undisturbed

    @pytest.mark.long
    def test_the_output_alone_does_not_fit(self, stream: Path, undisturbed: bytes, tmp_path: Path) -> None:
        """The store is elsewhere; an output that was there stays as it was."""
        assert len(undisturbed) > 80_000
        with small_disk(tmp_path / "disk", "60k") as disk:
            out = disk / "out.run"
            out.write_text("as it was\n")
            command = [stream, *QUERY, "--out", out, "--store", tmp_path / "run.db"]
            done = follow(*command)
            assert done.returncode == 2
            assert f"{out}: " in done.stderr
            assert out.read_text() == "as it was\n"
            assert [path.name for path in disk.iterdir()] == ["out.run"]
            subprocess.run(["mount", "-o", "remount,size=20m", str(disk)], check=True)
            assert follow(*command).returncode == 0
            assert out.read_bytes() == undisturbed

    @pytest.mark.long
    def test_the_store_does_not_fit(self, stream: Path, undisturbed: bytes, tmp_path: Path) -> None:
        with small_disk(tmp_path / "disk", "300k") as disk:
            out = tmp_path / "out.run"
            command = [stream, *QUERY, "--out", out, "--store", disk / "run.db"]
            done = follow(*command)
            assert done.returncode == 2
            assert f"{disk / 'run.db'}: the store cannot be written, the disk may be full" in done.stderr
            assert not out.exists()
            subprocess.run(["mount", "-o", "remount,size=50m", str(disk)], check=True)
            assert follow(*command).returncode == 0
            assert out.read_bytes() == undisturbed


class small_disk:  # noqa: N801 - used as a function
    """A tmpfs of `size`; skips, saying so, where none may be mounted."""

    def __init__(self, folder: Path, size: str) -> None:
        self.folder, self.size = folder, size

    def __enter__(self) -> Path:
        self.folder.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={self.size}", "tmpfs", str(self.folder)]
        try:
            mounted = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            pytest.skip("no `mount` here: a full disk is tested by a limit on the size of files only")
        if mounted.returncode:
            pytest.skip(
                f"no disk may be mounted here ({mounted.stderr.strip()}): tested by a limit on files only"
            )
        return self.folder

    def __exit__(self, *error: object) -> None:
        subprocess.run(["umount", "-l", str(self.folder)], check=True)


class TestFolders:
    @pytest.fixture
    def locked_folder(self, tmp_path: Path) -> Iterator[Path]:
        folder = tmp_path / "locked"
        folder.mkdir()
        folder.chmod(0o555)
        for parent in tmp_path.parents:
            if (
                parent.stat().st_uid == os.geteuid()
                and not parent.stat().st_mode & 0o001
                and parent != Path("/")
            ):
                parent.chmod(parent.stat().st_mode | 0o001)
        tmp_path.chmod(0o755)
        yield folder
        folder.chmod(0o755)

    def test_one_that_may_not_be_written(self, stream: Path, locked_folder: Path) -> None:
        """Root may write anywhere, so the process drops that right where it has it."""
        code = (
            "import ctypes, os, sys\n"
            "if os.geteuid() == 0:\n"
            "    libc = ctypes.CDLL(None, use_errno=True)\n"
            "    for capability in (0, 1, 2):\n"  # CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            "        libc.prctl(24, capability, 0, 0, 0)\n"  # PR_CAPBSET_DROP
            "    os.execvp(sys.argv[1], sys.argv[1:])\n"
            "os.execvp(sys.argv[1], sys.argv[1:])\n"
        )
        out = locked_folder / "out.run"
        command = [sys.executable, "-c", code, *COMMAND, str(stream), *QUERY, "--out", str(out)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 2, done.stderr
        assert f"{locked_folder}" in done.stderr
        assert "may not be written" in done.stderr
        assert list(locked_folder.iterdir()) == []

    def test_one_that_is_not_there(self, stream: Path, tmp_path: Path) -> None:
        done = follow(stream, *QUERY, "--out", tmp_path / "no" / "out.run")
        assert done.returncode == 2
        assert f"{tmp_path / 'no'} does not exist" in done.stderr
        done = follow(stream, *QUERY, "--out", tmp_path / "out.run", "--store", tmp_path / "no" / "run.db")
        assert done.returncode == 2
        assert f"{tmp_path / 'no'} does not exist" in done.stderr


class TestTwo:
    def test_a_second_process_on_the_same_run_is_refused(self, tmp_path: Path) -> None:
        out = tmp_path / "out.run"
        first = subprocess.Popen([*COMMAND, "-", *QUERY, "--out", str(out)], stdin=subprocess.PIPE)
        try:
            while f"{first.pid}\n" not in [lock.read_text() for lock in tmp_path.glob("*.lock")]:
                assert first.poll() is None
                time.sleep(0.01)
            second = follow("-", *QUERY, "--out", out, input=line(1))
            assert second.returncode == 2
            assert f"process {first.pid} is following it now" in second.stderr
            first.stdin.write(line(5).encode())
            first.stdin.close()
            assert first.wait(timeout=120) == 0
        finally:
            first.kill()
            first.wait()
        assert [row.split("\t")[3] for row in out.read_text().splitlines()] == ["d5"]


class TestStores:
    def test_a_file_that_is_no_store(self, stream: Path, tmp_path: Path) -> None:
        notes = tmp_path / "notes.txt"
        notes.write_text("these are my notes\n" * 50)
        done = follow(stream, *QUERY, "--out", tmp_path / "out.run", "--store", notes)
        assert done.returncode == 2
        assert "store of tidings" in done.stderr
        assert notes.read_text() == "these are my notes\n" * 50

    def test_a_store_of_a_newer_version(self, tmp_path: Path) -> None:
        out = tmp_path / "out.run"
        stream = write_stream(tmp_path / "documents.jsonl", 50)
        assert follow(stream, *QUERY, "--out", out).returncode == 0
        before = out.read_bytes()
        store = sqlite3.connect(f"{out}.db")
        store.execute("UPDATE meta SET value = '99'")
        store.commit()
        store.close()
        done = follow(stream, *QUERY, "--out", out, "--restart")
        assert done.returncode == 2
        assert "a store of version 99 (expected 1)" in done.stderr
        assert out.read_bytes() == before


def test_nothing_on_standard_input_is_said(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = follow("-", *QUERY, "--out", out, stdin=subprocess.DEVNULL)
    assert (done.returncode, out.exists()) == (2, False)
    assert done.stderr.strip().splitlines()[-1] == (
        "tidings: -: no document on standard input (expected documents, one a line); "
        "check the command before the pipe"
    )


__all__ = ["fake"]


def test_going_on_with_other_weights_is_refused(tmp_path, fake, capsys) -> None:
    model, out = tmp_path / "m.safetensors", tmp_path / "run.jsonl"
    command = ["follow", str(bundled.path()), "--system", f"fake:model={model}", "--out", str(out), "--quiet"]

    def learn(every: int) -> None:
        arrays = {"every": np.array([every], dtype=np.int32)}
        model.write_bytes(write_model_bytes(Model(card=ModelCard(system="fake"), arrays=arrays)))

    learn(3)
    assert run(command) == 0
    assert run(command) == 0  # the same weights: nothing to do
    learn(4)
    capsys.readouterr()
    assert run(command) == 2
    said = capsys.readouterr().err
    assert "model" in said and "--restart" in said
    assert run([*command, "--restart"]) == 0


def test_a_card_says_which_file_it_is_of() -> None:
    from tidings.following.systems.registry import make

    card = make("ius").card
    assert card is not None and len(card.digest) == 64


def test_nothing_on_standard_input_is_no_finished_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("what an earlier run told\n")
    for _ in range(2):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
        assert run(["follow", "-", "--query", "storm", "--out", str(out)]) == 2
        assert "no document on standard input" in capsys.readouterr().err
        assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
        assert out.read_text() == "what an earlier run told\n"


def test_an_output_that_is_a_link_to_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stream, out = tmp_path / "news.jsonl", tmp_path / "out.jsonl"
    stream.write_text('{"id": "d", "published_time": 60, "text": "A storm is near."}\n')
    out.symlink_to(out)
    assert run(["follow", str(stream), "--query", "storm", "--out", str(out)]) == 2
    assert "a link that leads back to itself" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"news.jsonl", "out.jsonl"}
