"""Damaged runs and judgments of values, links, entities and facts: a clear error or scores, never a traceback."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tests.sweeps import cases
from tidings.core.errors import Problems, TidingsError
from tidings.evaluation.scoring import scorer_for
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions
from tidings.sources import bundled

PLAIN = (
    b"santiago-2013 me r1 1374691950-canal 0 1374691950 1\n"
    b"santiago-2013 me r1 1374692300-meseta 1 1374692300 .5\n"
)
VALUES = (
    b"santiago-2013 me r1 NULL NULL 1374691260 deaths 79 1\n"
    b"santiago-2013 me r1 1374692300-meseta 1 1374692300 location 42.8,-8.5 .5\n"
)
ENTITIES = b"".join(
    json.dumps(
        {"event": "santiago-2013", "date": f"2013-07-2{day}", "entities": ["Angrois", "Renfe"]}
    ).encode()
    + b"\n"
    for day in (4, 5)
)
FACTS = b"".join(
    json.dumps(
        {"requestID": f"santiago-2013-r{day}", "factText": "A train has derailed.", "unixTimestamp": 1374691950,
         "importance": 0.5, "sources": ["1374691950-canal-0"], "streamID": None}
    ).encode() + b"\n"
    for day in (0, 1)
)  # fmt: skip
RUNS = {
    "values-2013": ("a.run", VALUES),
    "umass-2001": ("a.run", PLAIN),
    "msu-2015": ("a.run", PLAIN),
    "clusters-2017": ("a.run", PLAIN),
    "entities-2015": ("a.jsonl", ENTITIES),
    "crisisfacts-2022": ("a.jsonl", FACTS),
}
FILES = ("values.jsonl", "entities.jsonl", "clusters.jsonl", "requests.jsonl", "links.tsv")
LINKS = b"topic_id\tevent_id\tsentence_id\nsantiago-2013\t1\t1374691950-canal-0\nsantiago-2013\t-\tx-0\n"
REQUEST = b'{"request": "santiago-2013-r0", "event": "santiago-2013", "start": 0, "end": 2000000000}\n'


def damaged(data: bytes, cuts: list[tuple[int, int, bytes]]) -> bytes:
    """The data with stretches replaced."""
    for start, length, put in cuts:
        at = start % (len(data) + 1)
        data = data[:at] + put + data[at + length :]
    return data


bits = st.binary(max_size=4) | st.sampled_from(
    [
        b"\n",
        b"\t",
        b" ",
        b'"',
        b"-",
        b"1e308",
        b"nan",
        b"-1",
        b"NULL",
        b"\xff",
        b"\0",
        b"99999999999999999999",
        b"[",
        b"{}",
    ]
)
cuts = st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 6), bits), min_size=1, max_size=4)


def score(scorer: Scorer, path: Path, problems: Problems) -> None:
    for result in scorer.score_file(path, scorer.measures, problems):
        for values in result.per_event.values():
            assert all(math.isfinite(value) and value >= 0 for value in values.values()), values


@pytest.fixture(scope="module")
def scorers() -> dict[str, Scorer]:
    return {
        rules: scorer_for(rules, Path(bundled.path()), ScoringOptions())
        for rules in RUNS
        if rules != "msu-2015"
    }


def check_run(scorers: dict[str, Scorer], folder: Path, rules: str, data: bytes, lenient: bool) -> None:
    path = folder / RUNS[rules][0]
    path.write_bytes(data)
    try:
        score(scorers[rules], path, Problems(lenient=lenient))
    except TidingsError as error:
        assert "a." in str(error)


@given(st.sampled_from([rules for rules in RUNS if rules != "msu-2015"]), cuts, st.booleans())
def test_damaged_runs(
    scorers: dict[str, Scorer],
    tmp_path_factory: pytest.TempPathFactory,
    rules: str,
    changes: Any,
    lenient: bool,
) -> None:
    data = damaged(RUNS[rules][1], changes)
    check_run(scorers, tmp_path_factory.mktemp("hostile"), rules, data, lenient)


@pytest.mark.long
@pytest.mark.parametrize("rules", [rules for rules in RUNS if rules != "msu-2015"])
def test_a_thousand_damaged_runs(
    scorers: dict[str, Scorer], tmp_path_factory: pytest.TempPathFactory, rules: str
) -> None:
    folder = tmp_path_factory.mktemp("hostile")

    @settings(max_examples=1000)
    @given(cuts, st.booleans())
    def check(changes: Any, lenient: bool) -> None:
        check_run(scorers, folder, rules, damaged(RUNS[rules][1], changes), lenient)

    check()


def folder_with(folder: Path, name: str, changes: Any) -> Path:
    """The bundled event's judgments with one file damaged."""
    for file in ("event.json", "documents.jsonl", "nuggets.jsonl", "matches.jsonl"):
        if not (folder / file).exists():
            (folder / file).write_bytes((Path(bundled.path()) / file).read_bytes())
    whole = {"requests.jsonl": REQUEST, "links.tsv": LINKS}
    data = whole[name] if name in whole else (Path(bundled.path()) / name).read_bytes()[:3000]
    (folder / name).write_bytes(damaged(data.rpartition(b"\n")[0] + b"\n", changes))
    return folder


RULES_OF = cases(__file__, "rules of")


def check_judgments(folder: Path, name: str, changes: Any) -> None:
    rules = RULES_OF[name]
    run = folder / RUNS[rules][0]
    run.write_bytes(RUNS[rules][1])
    try:
        score(scorer_for(rules, folder_with(folder, name, changes), ScoringOptions()), run, Problems())
    except TidingsError as error:
        assert str(error)


@given(st.sampled_from(FILES), cuts)
def test_damaged_judgments(tmp_path_factory: pytest.TempPathFactory, name: str, changes: Any) -> None:
    check_judgments(tmp_path_factory.mktemp("hostile"), name, changes)


@pytest.mark.long
@pytest.mark.parametrize("name", FILES)
def test_a_thousand_damaged_judgments(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    folder = tmp_path_factory.mktemp("hostile")

    @settings(max_examples=1000)
    @given(cuts)
    def check(changes: Any) -> None:
        check_judgments(folder, name, changes)

    check()
