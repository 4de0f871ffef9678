"""The official table of scores."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.sweeps import every
from tidings.core.errors import FormatError
from tidings.evaluation.formats.official_scores import COLUMNS, read_official_scores

HEAD = "\t".join(["QueryID", "TeamID", "RunID", *COLUMNS.values()])


def table(tmp_path: Path, *rows: str) -> Path:
    path = tmp_path / "scores.tsv"
    path.write_text("\n".join([HEAD, *rows]) + "\n")
    return path


def row(event: str, team: str, *values: object) -> str:
    return "\t".join([event, team, "a", *map(str, values or [0.5] * len(COLUMNS))])


def test_sums_are_left_out(tmp_path) -> None:
    found = read_official_scores(
        table(tmp_path, row("TS14.11", "t"), row("TS14.11", "AVG"), row("MAX", "t"), row("STD", "ALL"), "")
    )
    assert [(one.event, one.team, one.run) for one in found] == [("TS14.11", "t", "a")]
    assert found[0].values == dict.fromkeys(COLUMNS, 0.5)


@every(
    "rows, said",
    [
        ([row("e", "t"), "e\tt\ta\t1"], "scores.tsv:3: 4 columns (expected 13)"),
        ([row("e", "t", *["x"] * len(COLUMNS))], "scores.tsv:2: what is no number"),
        ([row("e", "t", *["nan"] * len(COLUMNS))], "scores.tsv:2: what is no number"),
    ],
)
def test_bad_lines_are_named(tmp_path, rows, said) -> None:
    with pytest.raises(FormatError) as caught:
        read_official_scores(table(tmp_path, *rows))
    assert said in str(caught.value)


def test_another_table_is_refused(tmp_path) -> None:
    path = tmp_path / "other.tsv"
    path.write_text("a\tb\n")
    with pytest.raises(FormatError, match="no column 'QueryID'"):
        read_official_scores(path)


@pytest.mark.shared_data
def test_means_are_the_published_ones(shared_data) -> None:
    path = shared_data / "trec-ts" / "2014" / "expected" / "all-teams.official.tsv"
    found = read_official_scores(path)
    with path.open() as file:
        published = {
            (line["TeamID"], line["RunID"]): line
            for line in csv.DictReader(file, delimiter="\t")
            if line["QueryID"] == "AVG" and line["TeamID"] != "ALL"
        }
    assert len(published) == 24
    for (team, run), line in published.items():
        own = [one.values for one in found if (one.team, one.run) == (team, run)]
        assert len(own) == 15
        for name, column in COLUMNS.items():
            mean = sum(values[name] for values in own) / 15
            assert mean == pytest.approx(float(line[column]), abs=2e-4), (team, run, name)
