"""Tables of the docs: each says where its figures come from, and a long test makes them anew."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
import write_tables as script
from table_of_stories import LabelledFeeds, interval_of, shares_of_pairs

from tests.conftest import ROOT

MEASURED = 8
"""A table with so many cells that begin with a decimal has been measured, or says that it was not."""


def test_every_table_with_figures_says_where_they_come_from() -> None:
    for page in script.PAGES:
        text = page.read_text(encoding="utf-8")
        for block in re.finditer(r"(?:^\|.*\n)+", text, re.MULTILINE):
            above = text[: block.start()].rstrip().rpartition("\n")[2]
            written = "<!-- results " in text or above.startswith("<!-- ")
            if len(re.findall(r"\| [*`−+–-]*[\d,]*\.\d", block[0])) >= MEASURED:
                where = f"{page.relative_to(ROOT)}:{text[: block.start()].count(chr(10)) + 1}"
                assert written, (
                    f"{where}: a table with figures (scripts/write_tables.py says how to name its source)"
                )


def test_names_of_tables_are_those_of_the_script() -> None:
    places = [place for page in script.PAGES for place in script._PLACE.findall(page.read_text("utf-8"))]
    named = {source for kind, source, _ in places if " " not in source and kind != "no "}
    assert named == script.TABLES.keys()


def test_a_figure_that_moved_is_drift_and_its_last_digit_is_not() -> None:
    row = "| τ | .874, 24 of 1,069 | −.0017 |"
    assert script.same(row, row.replace(".874", ".875").replace(".0017", ".0016"))
    for old, new in ((".874", ".876"), ("24", "25"), ("1,069", "1,070"), ("τ", "r"), ("−", "+")):
        assert not script.same(row, row.replace(old, new)), (old, new)


def test_pairs_and_intervals_of_stories_are_counted_over_all_orders() -> None:
    gold = {"a": "fire", "b": "fire", "c": "flood", "d": "flood"}
    right, apart = gold, {name: name for name in gold}
    together = dict.fromkeys(gold, "one")
    feeds = LabelledFeeds([], gold, together)
    assert shares_of_pairs([right], feeds) == ["1.00 (1.00–1.00)"] * 3
    assert shares_of_pairs([right, apart], feeds)[2] == "0.50 (0.50–0.50)"
    assert [cell[:4] for cell in shares_of_pairs([together], feeds)] == ["0.33", "1.00", "1.00"]
    assert interval_of([right], gold) == (1.0, 1.0)
    low, high = interval_of([gold | {"d": "d"}], gold)
    assert low < 1.0 == high


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


def test_a_table_is_taken_from_what_a_command_prints() -> None:
    printed = "seen\n| who | day | H |\n|---|---|---|\n| a | 1 | .4 |\n| a | 2 | .6 |\n\nwho  C\na    .1\n"
    page = "| who | day | H |\n|---|---|---:|\n| a | 2 | .5 |"
    assert script.anew(page, printed).endswith("\n| a | 2 | .6 |")
    assert script.anew("| who | C |\n|---|---:|\n| a | .2 |", printed).endswith("\n| a | .1 |")
    with pytest.raises(SystemExit, match="not printed"):
        script.anew(page.replace("| a |", "| b |"), printed)
    with pytest.raises(SystemExit, match="not printed"):
        script.anew(page.replace("| H |", "| h |"), printed)


@pytest.mark.long
def test_no_table_has_drifted(shared_data, tmp_path) -> None:
    """An hour or two: whatever a command prints in less than one, made anew."""
    words = [sys.executable, script.__file__, str(shared_data), "--work", str(tmp_path), "--check"]
    checked = subprocess.run(words, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
