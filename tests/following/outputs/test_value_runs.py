"""Value tracking runs of nine columns, with the rules of the track's checker."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, Problems, TidingsError, UsageError
from tidings.core.records import ValueUpdate
from tidings.core.records.outputs import TREC_ATTRIBUTES, ValueRun
from tidings.following.outputs.trec_runs import read_value_runs, write_value_runs

GOOD = (
    "6 team VT1 NULL NULL 1351090800 deaths 0 1\n"
    "6\tteam\tVT1\t1351100000-abc\t3\t1351100000\tlocations\t18.2,-76.8\t.5\n"
    "6 team VT2 1351100000-abc 4 1351100000 financialimpact 1.5e9 inf\n"
)


def put(folder: Path, text: str) -> Path:
    path = folder / "values.run"
    path.write_text(text)
    return path


def test_lines_become_values_of_each_run(tmp_path: Path) -> None:
    one, two = read_value_runs(put(tmp_path, GOOD.replace("\t", " ")))
    assert (one.team, one.name, two.name) == ("team", "VT1", "VT2")
    assert one.updates == (
        ValueUpdate("6", 1351090800, "deaths", (0.0,)),
        ValueUpdate("6", 1351100000, "location", (18.2, -76.8), 0.5, "1351100000-abc", 3),
    )
    assert two.updates[0].confidence == 1000.0


@every(
    "line, said",
    cases(__file__, "a bad line is named with its number"),
)
def test_a_bad_line_is_named_with_its_number(tmp_path: Path, line: str, said: str) -> None:
    path = put(tmp_path, GOOD.replace("\t", " ") + line + "\n")
    with pytest.raises(FormatError, match=r"values\.run:4: ") as caught:
        read_value_runs(path)
    assert said in str(caught.value)
    lenient = Problems(lenient=True)
    assert sum(len(run.updates) for run in read_value_runs(path, problems=lenient)) == 3
    assert lenient.count == 1


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="empty file"):
        read_value_runs(put(tmp_path, ""))


@given(text=st.text(max_size=200) | st.text(alphabet="6 trd0\t\nNUL,.-deaths1", max_size=200))
def test_hostile_text_gives_a_clear_error_or_runs(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.mktemp("values") / "a.run"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        runs = read_value_runs(path)
    except TidingsError as error:
        assert "a.run" in str(error)
    else:
        assert all(run.updates for run in runs)


numbers = st.floats(0, 1e12)
updates = st.builds(
    lambda event, time, attribute, value, lat, lon, doc: ValueUpdate(
        event, time, attribute, (lat, lon) if attribute == "location" else (value,), 1.0, doc, 2 if doc else -1
    ),
    st.sampled_from(["1", "TS13.6"]), st.integers(0, 10**10), st.sampled_from(TREC_ATTRIBUTES), numbers,
    st.floats(-90, 90), st.floats(-180, 180), st.sampled_from(["", "1351100000-abc"]),
)  # fmt: skip


@given(st.lists(updates, min_size=1, max_size=8))
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, told: list[ValueUpdate]
) -> None:
    path = tmp_path_factory.mktemp("values") / "a.run.gz"
    run = ValueRun("team", "run", tuple(told))
    write_value_runs(path, [run])
    assert read_value_runs(path) == [run]


def test_a_name_with_a_blank_is_refused(tmp_path: Path) -> None:
    run = ValueRun("a team", "run", (ValueUpdate("6", 1, "deaths", (1.0,)),))
    with pytest.raises(UsageError, match="blanks"):
        write_value_runs(tmp_path / "a.run", [run])
    assert not list(tmp_path.iterdir())
