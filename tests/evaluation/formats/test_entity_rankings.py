"""Entity rankings in JSON Lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import every
from tidings.core.errors import FormatError, Problems, TidingsError
from tidings.core.records import EntityRanking
from tidings.core.records.outputs import RankingRun
from tidings.evaluation.formats.entity_rankings import read_entity_rankings, write_entity_rankings
from tidings.following.outputs.outputs import ranking_line

GOOD = '{"event": "e", "date": "2013-07-24", "entities": ["A", "B"]}\n'


def put(folder: Path, text: str) -> Path:
    (folder / "run.jsonl").write_text(text)
    return folder / "run.jsonl"


def test_one_ranking_a_line(tmp_path: Path) -> None:
    more = '{"event": "e", "date": "2013-07-25", "entities": [], "team": "t", "run": "r"}\n'
    assert read_entity_rankings(put(tmp_path, GOOD + more)) == [
        RankingRun("-", "-", (EntityRanking("e", "2013-07-24", ("A", "B")),)),
        RankingRun("t", "r", (EntityRanking("e", "2013-07-25", ()),)),
    ]


@every(
    "line, said",
    [
        ('{"event": "e", "date": "2013-02-30", "entities": []}', "date '2013-02-30'"),
        ('{"event": "e", "date": "20130224", "entities": []}', "date '20130224'"),
        ('{"event": "", "date": "2013-02-24", "entities": []}', "empty event"),
        ('{"event": "e", "date": "2013-02-24", "entities": [" "]}', "without a name"),
        ('{"event": "e", "date": "2013-02-24"}', "no 'entities'"),
        ('{"event": "e", "date": "2013-02-24", "entities": "A"}', "as 'entities'"),
        ("e 2013-02-24 A", "event, date, entities"),
        (GOOD.strip(), "a second ranking"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, said: str) -> None:
    path = put(tmp_path, GOOD + line + "\n")
    with pytest.raises(FormatError, match=r"run\.jsonl:2: ") as caught:
        read_entity_rankings(path)
    assert said in str(caught.value)
    lenient = Problems(lenient=True)
    assert len(read_entity_rankings(path, problems=lenient)[0].rankings) == lenient.count == 1


def test_a_run_that_ranked_nothing_is_one_where_a_line_names_it(tmp_path: Path) -> None:
    named = '{"kind": "run", "team": "me", "run": "silent"}\n'
    (run,) = read_entity_rankings(put(tmp_path, named))
    assert (run.team, run.name, run.rankings) == ("me", "silent", ())
    (run,) = read_entity_rankings(put(tmp_path, named + GOOD))
    assert run.name != "silent"


def test_an_empty_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no ranking"):
        read_entity_rankings(put(tmp_path, "\n"))


names = st.text(st.characters(codec="utf-8", categories=["L", "P"]), min_size=1, max_size=6)


@given(
    st.dictionaries(st.tuples(names, st.dates()), st.lists(names, max_size=4), min_size=1, max_size=4), names
)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, days: dict, name: str
) -> None:
    path = tmp_path_factory.mktemp("entities") / "run.jsonl.zst"
    rankings = tuple(
        EntityRanking(event, day.isoformat(), tuple(told)) for (event, day), told in days.items()
    )
    write_entity_rankings(path, [RankingRun("t", name, rankings)])
    assert read_entity_rankings(path) == [RankingRun("t", name, rankings)]


@given(st.binary(max_size=80) | st.text(alphabet='{"}:[]ent,1', max_size=60).map(str.encode))
def test_hostile_bytes_give_a_clear_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("entities") / "run.jsonl"
    path.write_bytes(GOOD.encode() + data)
    try:
        assert read_entity_rankings(path)[0].rankings
    except TidingsError as error:
        assert "run.jsonl" in str(error)


def test_a_day_that_names_nobody_has_every_key() -> None:
    line = ranking_line(EntityRanking("e", "2015-01-01", ()))
    lists = {"entities", "types", "scores", "salience", "informativeness", "new", "ids", "evidence"}
    assert {key for key, value in line.items() if not value} == lists


def test_the_later_of_two_rankings_of_a_day_holds_where_they_say_when(tmp_path: Path) -> None:
    line = '{"event": "e", "date": "2013-07-24", "entities": ["%s"], "time": %d}\n'
    (run,) = read_entity_rankings(put(tmp_path, line % ("A", 5) + line % ("B", 9)))
    assert [ranking.entities for ranking in run.rankings] == [("B",)]
    with pytest.raises(FormatError, match="a second ranking"):
        read_entity_rankings(put(tmp_path, line % ("A", 9) + line % ("B", 5)))
