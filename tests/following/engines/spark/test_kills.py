"""Killed in the middle, a query goes on with the same command; and its run is that of an undisturbed process.

Thirty kills are in `python -m tests.following.engines.spark.kills`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.following.engines.spark.kills import Example, batches, check, run

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("spark")]


def test_four_kills_and_a_state_of_the_next_version(tmp_path: Path) -> None:
    """Of Java and of the driver between the sink's commit and Spark's, and of Java and the workers in mid-batch."""
    example, out = Example(tmp_path / "example", files=5, documents=200), tmp_path / "out.run"
    command = example.command(out)
    for moment in ("after:1", "mid:1:0.5"):
        code, said = run(command, f"jvm:{moment}")
        lines = said.splitlines()
        assert code == 2 and lines[0].startswith("killed jvm"), said
        assert len(lines) == 2 and lines[1].startswith("tidings: Spark's Java ended before the query did"), (
            said
        )
    code, said = run(command, "driver:after:1")
    assert code == -9 and said.startswith("killed driver"), said
    assert len(batches(Path(f"{out}.checkpoint"))) < 4  # so that states are taken up by what follows
    code, said = run(command, "worker:mid:1:0.3", version="3")
    assert code == 0 and said.startswith("killed worker"), said
    check(example, out)
