"""The tables of docs/evaluation/collections.md that depend on runs: written by a script, and still what it writes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
import write_evaluation_tables as script


def test_the_page_has_a_place_for_each_table() -> None:
    places = dict(script._PLACE.findall(script.PAGE.read_text(encoding="utf-8")))
    assert places.keys() == script.TABLES.keys()
    for name, table in places.items():
        assert table.count("\n") >= 3, f"{name} is empty: run scripts/write_evaluation_tables.py"


def test_a_figure_that_moved_is_drift_and_its_last_digit_is_not() -> None:
    row = "| τ | .874, 24 of 1,069 | −.0017 |"
    assert script.same(row, row.replace(".874", ".875").replace(".0017", ".0016"))
    for old, new in ((".874", ".876"), ("24", "25"), ("1,069", "1,070"), ("τ", "r"), ("−", "+")):
        assert not script.same(row, row.replace(old, new)), (old, new)


def test_tables_are_written_with_figures_to_the_right() -> None:
    written = script.markdown([("what", "τ", "text"), ("one|two", ".5", "a"), ("three", "−.1", ".2")])
    assert written.splitlines() == [
        "| what | τ | text |",
        "| --- | ---: | --- |",
        "| one\\|two | .5 | a |",
        "| three | −.1 | .2 |",
    ]
    # What begins with a year is no figure.
    assert script.markdown([("what", "τ"), ("2014, all", ".5")]).splitlines()[1] == "| --- | ---: |"


@pytest.mark.long
def test_no_table_has_drifted(shared_data, tmp_path) -> None:
    """About twenty minutes: runs, studies, matchers and reuse, all made anew."""
    words = [sys.executable, script.__file__, str(shared_data), "--work", str(tmp_path), "--check"]
    checked = subprocess.run(words, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
