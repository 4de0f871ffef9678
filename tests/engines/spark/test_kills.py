"""Killed in the middle, a query goes on with the same command; and its run is that of an undisturbed process.

Thirty kills are in `python -m tests.engines.spark.kills`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.spark.kills import Example, kill_and_finish

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("spark")]


def test_three_kills_and_a_state_of_the_next_version(tmp_path: Path) -> None:
    """Of the driver between the sink's commit and Spark's, of Java and of the workers in mid-batch."""
    example = Example(tmp_path / "example", files=5, documents=200)
    kinds = ["driver:after", "jvm:mid", "worker:mid"]
    assert kill_and_finish(example, tmp_path / "out.run", kinds, seed=1, version="3") == 3
