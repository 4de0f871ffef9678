"""However a stream is cut into files and dealt, Spark gives the run of one process, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.following.engines.spark.runs import BUNDLED, cut, in_order, on_spark, on_this_machine
from tests.sweeps import every

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("session")]

EVENT = ["--event", str(BUNDLED / "event.json")]
TEXT = "A train derailed near Santiago. The train left Madrid for Santiago, and people on the train died."
SYSTEMS = {
    "cosine": ("run", 4),
    "centroid": ("run", 16),
    "tidings": ("jsonl", 1),
    "sumbasic --interval 1h": ("run", 16),
    "tidings:values=yes": ("jsonl", 4),
}


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    return (BUNDLED / "documents.jsonl").read_bytes().splitlines()


@every("system", SYSTEMS)
def test_a_folder_of_files_cut_anywhere(system: str, lines: list[bytes], tmp_path: Path) -> None:
    """Late documents within the bound among them; a batch takes some of the files."""
    form, partitions = SYSTEMS[system]
    options = [*EVENT, "--system", *system.split()]
    expected = on_this_machine(tmp_path / f"here.{form}", in_order(lines, tmp_path / "all.jsonl"), *options)
    assert expected.count(b"\n") > 10, "a run without updates shows nothing"
    folder = cut(lines, tmp_path / "parts", files=5, seed=len(system))
    layout = ["--partitions", str(partitions), "--files-per-batch", "2"]
    assert on_spark(tmp_path / f"there.{form}", folder, *options, *layout) == expected


def test_the_story_of_an_article(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<title>Train derails</title><article><p>{TEXT}</p></article>")
    options = [BUNDLED, "--story", str(page)]
    expected = on_this_machine(tmp_path / "here.jsonl", *options)
    assert b"Article: Train derails" in expected.splitlines()[0]
    assert on_spark(tmp_path / "there.jsonl", *options, "--partitions", "2") == expected


def test_a_folder_as_it_is(tmp_path: Path) -> None:
    """The order of the documents of one second is that of the stream."""
    options = [BUNDLED, "--system", "cosine"]
    expected = on_this_machine(tmp_path / "here.run", *options)
    assert on_spark(tmp_path / "there.run", *options, "--partitions", "2") == expected
