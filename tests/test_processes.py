"""Work in processes of their own: used again, ended in time whatever they are at, and never left alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.sweeps import every
from tidings.core.processes import OverrunError, Worker, WorkerError

MODULE = """
import os, re, sys
from tidings.core.processes import serve

def work(question, answer):
    print("what is printed is no answer")
    if question == b"stuck":
        re.match("(a*)*b", "a" * 40)  # holds the interpreter's lock for years
    if question == b"fail":
        raise ValueError
    if question == b"large":
        answer(b"x" * (1 << 31))
    for part in question.split():
        answer(part + b" %d" % os.getpid())

serve(work, most_bytes=int(os.environ.get("MOST_BYTES", "0")))
"""


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_worker.py").write_text(MODULE)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path), str(ROOT / "src"))))


def test_one_process_answers_again_and_again() -> None:
    worker = Worker("a_worker")
    try:
        assert list(worker.ask(b"a b", 60)) == [b"a %d" % worker.pid, b"b %d" % worker.pid]
        assert list(worker.ask(b"", 60)) == []
        assert len(list(worker.ask(b"c " * 10_000, 60))) == 10_000
    finally:
        worker.close()


def test_what_takes_too_long_is_ended_even_where_python_cannot_be_interrupted() -> None:
    worker = Worker("a_worker")
    try:
        with pytest.raises(OverrunError, match=r"^took longer than 0.05 s$"):
            list(worker.ask(b"stuck", 0.05))
        with pytest.raises(WorkerError):
            list(worker.ask(b"a", 60))
    finally:
        worker.close()


@every("question", [b"fail", b"large"])
def test_what_ends_by_itself_is_told(question: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOST_BYTES", str(1 << 30))
    worker = Worker("a_worker")
    try:
        with pytest.raises(WorkerError, match="ended with 1"):
            list(worker.ask(question, 60))
    finally:
        worker.close()


PARENT = """
import sys, time
from tidings.core.processes import Worker
worker = Worker("a_worker")
list(worker.ask(b"a", 60))
print(worker.pid, flush=True)
if sys.argv[1]:
    list(worker.ask(b"stuck", 0.2))
time.sleep(600)
"""


@every("question", ["", "stuck"])
def test_it_ends_with_whoever_began_it(question: str) -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT, question], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        handle = os.pidfd_open(pid)
        parent.send_signal(signal.SIGKILL)
    try:
        import select

        assert select.select([handle], [], [], 60)[0], "it outlived whoever began it"
    finally:
        os.close(handle)
