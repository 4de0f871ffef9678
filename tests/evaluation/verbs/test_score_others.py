"""`tidings score` with the rules for values, linked sentences, readers, clusters, entities and daily facts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.cli import run
from tidings.sources import bundled

RUNS = {
    "values-2013": "santiago-2013 me r1 NULL NULL 1374691260 deaths 79 1\n",
    "umass-2001": "santiago-2013 me r1 1374691950-canal 0 1374691950 1\n",
    "msu-2015": "santiago-2013 me r1 1374691950-canal 0 1374691950 1\n",
    "clusters-2017": "santiago-2013 me r1 1374691950-canal 0 1374691950 1\n",
    "nuggets-as-clusters": "santiago-2013 me r1 1374691950-canal 0 1374691950 1\n",
    "entities-2015": json.dumps(
        {"event": "santiago-2013", "date": "2013-07-24", "entities": ["Angrois"], "team": "me", "run": "r1"}
    ),
    "crisisfacts-2022": json.dumps(
        {"requestID": "santiago-2013-r0", "factText": "A train has derailed.", "unixTimestamp": 1374691950,
         "importance": 1, "sources": ["1374691950-canal-0"], "streamID": None, "informationNeeds": []}
    ),
}  # fmt: skip
RUNS["crisisfacts-2023"] = RUNS["crisisfacts-2022"]
MEASURES = cases(__file__, "measures")


def put(folder: Path, rules: str, text: str | None = None) -> Path:
    text = RUNS[rules] if text is None else text
    path = folder / ("run.jsonl" if text.startswith("{") else "values.run")
    path.write_text(text)
    return path


def scored(path: Path, rules: str, capsys, *options: str) -> list[dict]:
    assert (
        run(["score", str(path), "-j", str(bundled.path()), "--rules", rules, "-f", "jsonl", *options]) == 0
    )
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@every("rules", RUNS)
def test_every_family_gives_its_measures_for_each_event_unrounded(tmp_path: Path, capsys, rules: str) -> None:
    rows = scored(put(tmp_path, rules), rules, capsys, "--per-event")
    events = [row for row in rows if not row["event"].startswith("all")]
    assert list(dict.fromkeys(row["measure"] for row in rows)) == MEASURES[rules].split()
    assert {row["event"].split("/")[0] for row in events} == {"santiago-2013"}
    assert all(isinstance(row["value"], float) for row in rows)


def test_the_values_are_those_of_the_library(tmp_path: Path, capsys) -> None:
    values = {
        row["measure"]: row["value"] for row in scored(put(tmp_path, "values-2013"), "values-2013", capsys)
    }
    assert values["EE[deaths]"] < values["EE0[deaths]"]
    assert values["EE[location]"] == values["EE0[location]"] == 20038.0


def test_guideline_is_half_the_equator(tmp_path: Path, capsys) -> None:
    path = put(tmp_path, "values-2013")
    rows = scored(path, "values-2013", capsys, "--mode", "guideline", "-m", "EE[location]")
    assert rows[0]["value"] == pytest.approx(20037.508, abs=1e-3)


def test_topics_with_values_are_judgments_enough(tmp_path: Path, capsys) -> None:
    """A topics file of 2013 as its guidelines print one: the toll of the end, and a storm that moves."""
    (tmp_path / "topics.xml").write_text(
        "<events><event><id>6</id><title>Hurricane Sandy</title><start>1351090800</start><end>1351954800</end>"
        "<query>hurricane sandy</query><type>storm</type><locations><location>"
        "<value><latitude>18.0</latitude><longitude>-76.8</longitude><time>1351090800</time></value>"
        "<value><latitude>40.7</latitude><longitude>-74.0</longitude><time>1351522800</time></value>"
        "</location></locations>"
        "<deaths><value><count>233</count><time>1351954800</time></value></deaths></event></events>"
    )
    path = tmp_path / "values.run"
    path.write_text(
        "6 me r1 NULL NULL 1351090700 deaths 0 1\n6 me r1 NULL NULL 1351090700 location 18.0,-76.8 1\n"
    )
    assert (
        run(["score", str(path), "-j", str(tmp_path), "--rules", "values-2013", "-f", "jsonl", "--per-event"])
        == 0
    )
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    values = {row["measure"]: row["value"] for row in rows if row["event"] == "6"}
    assert values["EE[deaths]"] == values["EE0[deaths]"] == 233
    # The storm moves half way through: half of the 2,531 km from 18 N 76.8 W to 40.7 N 74 W.
    assert values["EE[location]"] == pytest.approx(2531 / 2, rel=1e-3)


def test_measures_are_cut_off_at_a_rank(tmp_path: Path, capsys) -> None:
    rows = scored(put(tmp_path, "entities-2015"), "entities-2015", capsys, "-m", "P@2,SRDP@5")
    assert {row["measure"] for row in rows} == {"P@2", "SRDP@5"}


@every("rules", RUNS)
def test_an_unknown_event_is_named_with_its_line(tmp_path: Path, capsys, rules: str) -> None:
    odd = put(tmp_path, rules, RUNS[rules].replace("santiago-2013", "elsewhere"))
    assert run(["score", str(odd), "-j", str(bundled.path()), "--rules", rules]) == 2
    said = capsys.readouterr().err
    assert f"{odd.name}:1: " in said and "elsewhere" in said


@every("rules", RUNS)
def test_a_bad_line_is_named_or_skipped_and_counted(tmp_path: Path, capsys, rules: str) -> None:
    bad = put(tmp_path, rules, RUNS[rules].rstrip("\n") + "\nnot a line of this\n")
    arguments = ["score", str(bad), "-j", str(bundled.path()), "--rules", rules]
    assert run(arguments) == 2
    assert f"{bad.name}:2: " in capsys.readouterr().err
    assert run([*arguments, "--lenient"]) == 0
    assert "skipped 1 bad line" in capsys.readouterr().err


def test_links_of_2001_in_their_own_table(tmp_path: Path, capsys) -> None:
    links = "topic_id\tevent_id\tsentence_id\nsantiago-2013\t1\t1374691950-canal-0\nsantiago-2013\t-\tx-0\n"
    (tmp_path / "links.tsv").write_text(links)
    path = put(tmp_path, "umass-2001")
    assert run(["score", str(path), "-j", str(tmp_path), "--rules", "umass-2001", "-f", "jsonl"]) == 0
    values = {row["measure"]: row["value"] for row in map(json.loads, capsys.readouterr().out.splitlines())
              if row["event"] == "all"}  # fmt: skip
    assert (values["nu-R"], values["size"]) == (1.0, 0.5)


def test_requests_of_ones_own(tmp_path: Path, capsys) -> None:
    folder = tmp_path / "judged"
    folder.mkdir()
    for file in Path(bundled.path()).glob("*.json*"):
        (folder / file.name).write_bytes(file.read_bytes())
    request = {"request": "whole", "event": "santiago-2013", "start": 0, "end": "2013-12-31T00:00:00Z"}
    (folder / "requests.jsonl").write_text(json.dumps(request))
    path = put(tmp_path, "crisisfacts-2022", RUNS["crisisfacts-2022"].replace("santiago-2013-r0", "whole"))
    assert run(["score", str(path), "-j", str(folder), "--rules", "crisisfacts-2022"]) == 0


@every(
    "rules, said",
    [("values-2013", "no target values"), ("entities-2015", "no graded entities"), ("clusters-2017", "no event"),
     ("msu-2015", "no nuggets"), ("umass-2001", "no sentence"), ("crisisfacts-2023", "no nugget")],
)  # fmt: skip
def test_a_folder_without_such_judgments(tmp_path: Path, capsys, rules: str, said: str) -> None:
    folder = tmp_path / "judged"
    folder.mkdir()
    for name in ("event.json", "documents.jsonl"):
        (folder / name).write_bytes((Path(bundled.path()) / name).read_bytes())
    assert run(["score", str(put(tmp_path, rules)), "-j", str(folder), "--rules", rules]) == 2
    assert said in capsys.readouterr().err
