"""What goes wrong with run files in daily work is said, for every rule set; what may not change a score does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.cli import run as tidings
from tidings.evaluation.scoring import RULE_SETS
from tidings.sources import bundled

YEAR_S = 31_536_000
Row = dict[str, object]


@dataclass(frozen=True)
class Task:
    """A form of runs: a line's columns, and rows that score something.

    `known` is the column that judgments know outputs by, `time` that of times (None: the form has none).
    """

    line: str
    rows: tuple[Row, ...]
    measure: str
    known: str = "doc"
    time: str | None = "time"
    ending: str = ".run"
    ordered: bool = False
    repeats: bool = True

    def text(self, rows: tuple[Row, ...] | list[Row]) -> str:
        """The rows as a file."""
        if self.line:
            return "".join(self.line.format(**row) + "\n" for row in rows)
        return "".join(json.dumps(row) + "\n" for row in rows)


UPDATES = tuple(
    {"topic": "santiago-2013", "doc": doc, "sentence": sentence, "time": time, "confidence": confidence}
    for doc, sentence, time, confidence in (
        ("1374691950-canal", 0, 1374692000, 0.9),
        ("1374692300-meseta", 0, 1374692400, 0.8),
        ("1374692300-meseta", 1, 1374692410, 0.7),
    )
)
TREC = "{topic} us one {doc} {sentence} {time} {confidence}"
FIRST = 1501286400
"""29 July 2017."""
PUSHES = tuple({"topic": "RTS1", "doc": tweet, "time": FIRST + 86400 * (tweet - 1) + 9} for tweet in (1, 2))
PUSH = "{topic} {doc} {time} us"
FACTS = tuple(
    {
        "requestID": "santiago-2013-r0", "factText": text, "unixTimestamp": time, "importance": 0.5,
        "sources": [source], "streamID": None, "informationNeeds": [],
    }
    for text, time, source in (
        ("A train has derailed.", 1374691950, "1374691950-canal-0"),
        ("It was an Alvia.", 1374692400, "1374692300-meseta-1"),
    )
)  # fmt: skip
CHANGES = tuple(cases(__file__, "changes", lists=True))
TASKS = {
    "trec-2014": Task(TREC, UPDATES, "C"),
    "trec-2013": Task(TREC, UPDATES, "C"),
    "umass-2001": Task(TREC, UPDATES, "nu-P"),
    "msu-2015": Task(TREC, UPDATES, "MSU"),
    "clusters-2017": Task(TREC, UPDATES, "nuggets:EG"),
    "nuggets-as-clusters": Task(TREC, UPDATES, "EG-1"),
    "nuggetizer": Task(TREC, UPDATES, "strict_all"),
    "values-2013": Task(
        "{topic} us one {doc} {sentence} {time} {attribute} {value} 1",
        tuple({**row, "attribute": "deaths", "value": value} for row, value in zip(UPDATES, (2, 20, 30), strict=True)),
        "EE[deaths]", known="attribute",
    ),
    "entities-2015": Task(
        "",
        tuple(
            {"event": "santiago-2013", "date": date, "entities": ["Alvia", "Angrois"]}
            for date in ("2013-07-24", "2013-07-25")
        ),
        "P@1", known="entities", time="date", ending=".jsonl",
    ),
    "crisisfacts-2022": Task("", FACTS, "C-2022", known="sources", time="unixTimestamp", ending=".jsonl"),
    "changedet-2026-draft": Task("", CHANGES, "document-AP", known="", time=None, ending=".jsonl", ordered=True),
    "rts-2017-a": Task(PUSH, PUSHES, "EG-1"),
    "rts-2016-mobile": Task(
        PUSH, tuple({"topic": "RTS1", "doc": tweet, "time": 1470100000} for tweet in (1, 2)), "P-strict"
    ),
    "rts-2017-b": Task(
        "{time} {topic} Q0 {doc} 1 1 us",
        tuple({"topic": "RTS1", "doc": tweet, "time": day} for tweet, day in ((1, 20170729), (2, 20170730))),
        "nDCG@10-p", ordered=True,
    ),
    "ttg-2014": Task(
        "{topic} Q0 {doc} 1 1 us", tuple({"topic": "RTS1", "doc": tweet} for tweet in (1, 2)), "cP", time=None
    ),
    "tls": Task(
        "{date}\n{text}\n" + "-" * 32,
        tuple(
            {"date": date, "text": text}
            for date, text in (("2013-07-24", "A train derailed near Santiago ."), ("2013-07-25", "79 are dead ."))
        ),
        "date-F", known="date", time="date", ending=".txt", ordered=True,
    ),
}  # fmt: skip


def changed(rows: tuple[Row, ...], column: str, change: Callable[[object], object]) -> list[Row]:
    return [{**row, column: change(row[column])} for row in rows]


def made_strange(value: object) -> object:
    if isinstance(value, list):
        return [f"x{one}" for one in value]
    return (
        f"x{value}"
        if isinstance(value, str) and value != "deaths"
        else "displaced"
        if value == "deaths"
        else 99
    )


def shifted(value: object, seconds: int) -> object:
    if isinstance(value, str):
        return f"{int(value[:4]) + (1 if seconds > 0 else -1)}{value[4:]}"
    assert isinstance(value, int)
    return value + (10_000 if seconds > 0 else -10_000) if value < 10**8 else value + seconds


def other_ids(task: Task) -> str:
    if not task.known:
        return task.text(task.rows).replace('"doc_id": "a"', '"doc_id": "x"')
    if task.known == "date":
        return task.text(changed(task.rows, "date", lambda date: f"2009{str(date)[4:]}"))
    return task.text(changed(task.rows, task.known, made_strange))


def other_topics(task: Task) -> str:
    text = task.text(task.rows)
    return text.replace("santiago-2013", "ferry-2012").replace("RTS1", "RTS9").replace("2013-07", "2009-07")


def a_year(task: Task, way: int) -> str:
    return (
        task.text(changed(task.rows, task.time, lambda time: shifted(time, way * YEAR_S)))
        if task.time
        else ""
    )


def in_milliseconds(task: Task) -> str:
    if task.time in (None, "date") or task.ordered:
        return ""
    return task.text(changed(task.rows, str(task.time), lambda time: int(str(time)) * 1000))


def broken(task: Task) -> str:
    return task.text(task.rows) + "not a line of this\n"


def cut(task: Task) -> str:
    text = task.text(task.rows)
    return text[: text.rindex(" ")]


def swapped(task: Task) -> str:
    if not task.line or task.time in (None, "date"):
        return ""
    first, second = "{" + str(task.time) + "}", "{topic}"
    parts = task.line.replace(first, "\0").replace(second, first).replace("\0", second)
    return "".join(parts.format(**row) + "\n" for row in task.rows)


CARELESS: dict[str, Callable[[Task], str]] = {
    "lines twice": lambda task: task.text(task.rows) * 2,
    "each line twice": lambda task: task.text([row for row in task.rows for _ in range(2)]),
    "other ids": other_ids,
    "other topics": other_topics,
    "a year later": lambda task: a_year(task, 1),
    "a year earlier": lambda task: a_year(task, -1),
    "milliseconds": in_milliseconds,
    "a broken line": broken,
    "cut off": cut,
    "columns swapped": swapped,
}
HARMLESS: dict[str, Callable[[Task], str]] = {
    "lines in another order": lambda task: task.text(task.rows if task.ordered else task.rows[::-1]),
    "byte order mark and CRLF": lambda task: "\ufeff" + task.text(task.rows).replace("\n", "\r\n"),
    "no line end at the end": lambda task: task.text(task.rows).rstrip("\n"),
}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments of tweets and a reference timeline."""
    folder = tmp_path_factory.mktemp("judged")
    (folder / "batch-qrels.txt").write_text("RTS1 Q0 1 2\nRTS1 Q0 2 1\n")
    (folder / "batch-clusters.json").write_text('{"RTS1": {"clusters": {"c": {"tweets": ["1"]}}}}')
    (folder / "batch-tweets2dayepoch.txt").write_text(f"1 20170729 {FIRST}\n2 20170730 {FIRST + 86400}\n")
    (folder / "mobile-qrels.txt").write_text("RTS1 1 1470100000 2\nRTS1 2 1470100000 0\n")
    topic = {"tid": "RTS1", "label": "", "narrative": "", "questions": [{"qid": "q_1", "question": "Where?"}]}
    (folder / "topics.jsonl").write_text(json.dumps(topic) + "\n")
    (folder / "changes.tsv").write_text("RTS1\t2013-07-24\tq_1\ta\t10\n")
    ttg = folder / "ttg"
    ttg.mkdir()
    (ttg / "qrels.txt").write_text("RTS1 Q0 1 2\nRTS1 Q0 2 1\n")
    (ttg / "clusters.json").write_text('{"topics": {"RTS1": {"clusters": [["1"]]}}}')
    (folder / "tls.txt").write_text("2013-07-24\nA train derailed .\n" + "-" * 32 + "\n")
    return folder


def judgments_for(rules: str, judged: Path) -> Path:
    special = {"tweets": judged, "changedet": judged, "tls": judged / "tls.txt"}
    if rules == "ttg-2014":
        return judged / "ttg"
    return special.get(RULE_SETS[rules], Path(bundled.path()))


def scored(
    rules: str, text: str, judged: Path, folder: Path, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, str, str]:
    """The exit code, the figures and what was said."""
    path = folder / f"one{TASKS[rules].ending}"
    path.write_bytes(text.encode())
    arguments = ["score", str(path), "-j", str(judgments_for(rules, judged)), "--rules", rules]
    code = tidings([*arguments, "-m", TASKS[rules].measure, "-f", "csv", *more])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_task_of_every_family_is_here() -> None:
    assert {RULE_SETS[rules] for rules in TASKS} == set(RULE_SETS.values())


@pytest.mark.parametrize("rules", TASKS)
def test_what_is_careless_is_said(
    rules: str, judged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = TASKS[rules]
    usual = scored(rules, task.text(task.rows), judged, tmp_path, capsys)
    assert (usual[0], " of " in usual[2] and "tweets" in usual[2]) == (0, False)
    unremarked = []
    for name, change in CARELESS.items():
        text = change(task)
        if text and text != task.text(task.rows):
            code, _, said = scored(rules, text, judged, tmp_path, capsys)
            if code != 2 and (code != 0 or not set(said.splitlines()) - set(usual[2].splitlines())):
                unremarked.append((name, code, said))
    assert unremarked == []


@every("rules", TASKS)
def test_what_may_not_change_a_score_does_not(
    rules: str, judged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = TASKS[rules]
    usual = scored(rules, task.text(task.rows), judged, tmp_path, capsys)
    for name, change in HARMLESS.items():
        assert scored(rules, change(task), judged, tmp_path, capsys) == usual, name


@every("rules", TASKS)
def test_a_run_of_which_no_line_is_left_is_an_error(
    rules: str, judged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, figures, said = scored(rules, "nothing of this\nnor this\n", judged, tmp_path, capsys, "--lenient")
    assert (code, figures) == (2, "")
    assert "Traceback" not in said


UPDATE_TASKS = ("trec-2014", "umass-2001", "msu-2015", "clusters-2017", "nuggets-as-clusters")


@pytest.mark.parametrize("rules", UPDATE_TASKS)
@pytest.mark.parametrize(
    ("name", "words"),
    cases(__file__, "how many updates are odd is said in one line"),
)
def test_how_many_updates_are_odd_is_said_in_one_line(
    rules: str, name: str, words: str, judged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, said = scored(rules, CARELESS[name](TASKS[rules]), judged, tmp_path, capsys)
    known, one = ("are judged", "is judged")
    if rules != "umass-2001":
        known, one = ("are in the pool", "is in the pool")
    assert code == 0
    assert words.format(known=known, one=one) in said
    assert sum("run us one: of" in line for line in said.splitlines()) == 1


def test_the_line_is_a_field_of_json_and_quiet_keeps_it_off_standard_error(
    judged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = CARELESS["lines twice"](TASKS["trec-2014"])
    code, figures, said = scored("trec-2014", text, judged, tmp_path, capsys, "--quiet", "-f", "json")
    assert (code, said) == (0, "")
    content = json.loads(figures)
    counts = content["runs"][0]["counts"]
    assert (counts["outputs"], counts["judged"], counts["repeated"], counts["early"]) == (6, 6, 3, 0)
    assert any("3 appear more than once" in note for note in content["notes"])


def test_a_comparison_says_it_too(judged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = TASKS["trec-2014"]
    (tmp_path / "a.run").write_text(task.text(task.rows) * 2)
    (tmp_path / "b.run").write_text(task.text(task.rows).replace(" one ", " two "))
    arguments = ["compare", str(tmp_path / "a.run"), str(tmp_path / "b.run"), "-j", str(bundled.path())]
    more = ["-m", "C", "--samples", "10", "--resamples", "10", "-f", "json"]
    assert tidings([*arguments, *more]) == 0
    said = capsys.readouterr()
    assert "run one: of 6 updates, 6 are in the pool, 3 appear more than once" in said.err
    content = json.loads(said.out)
    assert [run["counts"]["repeated"] for run in content["runs"]] == [3, 0]
    assert any("3 appear more than once" in note for note in content["notes"])


def test_the_library_has_them_as_attributes() -> None:
    from tidings import score

    update = {"event": "santiago-2013", "doc": "1374691950-canal", "sentence": 0, "time": 5}
    scores = score([update, update], bundled.path(), measures="C")
    counts = scores.runs[0].counts
    assert counts is not None
    assert (counts.outputs, counts.judged, counts.repeated, counts.early) == (2, 2, 1, 2)
    assert any("2 were decided before their document existed" in note for note in scores.notes)
