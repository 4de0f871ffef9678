"""`tidings agreement`, and the nu-, u- and n-curves of `tidings score --curves`."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.evaluation.measures.test_novelty_2001 import TABLE_1, TABLE_2
from tests.sweeps import cases, every
from tidings.cli import run
from tidings.core.records.outputs import JudgedLink
from tidings.evaluation.formats.linked_2001 import write_judges
from tidings.evaluation.study.linked_tables import LinkedTopic, split_topics

LINKED = ROOT / "tests" / "papers" / "linked"


@pytest.fixture
def judges(tmp_path: Path) -> Path:
    """Judges' links that give Table 2 of the corpus paper: topic 20021."""
    links = []
    for event, (agreed, agreement) in TABLE_2.items():
        union = round(agreed / agreement)
        links += [JudgedLink("20021", str(event), 1, f"s{n}") for n in range(union)]
        links += [JudgedLink("20021", str(event), 2, f"s{n}") for n in range(agreed)]
        links += [JudgedLink("20021", str(event), 3, f"s{n}") for n in range(agreed)]
    path = tmp_path / "judges.tsv"
    write_judges(path, links)
    return path


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_table_2_of_the_paper(judges, capsys) -> None:
    assert run(["agreement", str(judges), "--per-event", "-f", "csv"]) == 0
    head, *said = rows(capsys.readouterr().out)
    assert head == ["topic", "event", "agreement"]
    by_event = {event: float(value) for topic, event, value in said if topic == "20021"}
    for event, (_, agreement) in TABLE_2.items():
        assert by_event[str(event)] == pytest.approx(agreement, abs=0.005)
    assert by_event["all"] == pytest.approx(0.974, abs=0.001)


def test_table_1_of_the_paper(tmp_path, capsys) -> None:
    """Twelve topics of one event each, whose shares are the table's: .862 on average."""
    links = []
    for topic, agreement in TABLE_1.items():
        agreed = round(1000 * agreement)
        links += [JudgedLink(str(topic), "1", 1, f"s{n}") for n in range(1000)]
        links += [JudgedLink(str(topic), "1", 3, f"s{n}") for n in range(agreed)]
    write_judges(tmp_path / "judges.tsv", links)
    assert run(["agreement", str(tmp_path), "-f", "tsv"]) == 0
    last = capsys.readouterr().out.splitlines()[-1].split("\t")
    assert last[:2] == ["all", "all"]
    assert float(last[2]) == pytest.approx(0.862, abs=0.0005)


def test_topics_weigh_the_same_however_many_events_they_have(tmp_path, capsys) -> None:
    links = [JudgedLink("a", "1", judge, "s") for judge in (1, 2, 3)]
    links += [JudgedLink("b", str(event), 1, "s") for event in range(3)]
    write_judges(tmp_path / "judges.tsv", links)
    assert run(["agreement", str(tmp_path), "-f", "tsv"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "a\tall\t1.0000",
        "b\tall\t0.0000",
        "all\tall\t0.5000",
    ]


def test_it_writes_files_and_keeps_its_input(judges, tmp_path, capsys) -> None:
    assert run(["agreement", str(judges), "--out", str(tmp_path / "a.md")]) == 0
    assert (tmp_path / "a.md").read_text().startswith("| topic | event | agreement |\n")
    assert run(["agreement", str(judges), "--out", str(judges)]) == 2
    assert "judges as --out" in capsys.readouterr().err


def test_a_folder_without_judges_is_said(tmp_path, capsys) -> None:
    assert run(["agreement", str(tmp_path)]) == 2
    assert "no judges.tsv" in capsys.readouterr().err


class TestTables:
    """Tables 1 to 3 of the corpus paper, of two small topics counted by hand (tests/papers/linked)."""

    @pytest.fixture
    def printed(self, capsys) -> list[list[str]]:
        assert run(["agreement", str(LINKED), "--tables", "-f", "markdown"]) == 0
        lines = capsys.readouterr().out.splitlines()
        return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|")]

    def test_table_1(self, printed) -> None:
        assert ["harbour", "3", "3", "4.50", "0.92"] in printed
        assert ["strike", "2", "2", "–", "0.75"] in printed
        assert ["Average", "2.50", "2.50", "4.50", "0.83"] in printed

    def test_table_2(self, printed) -> None:
        assert ["harbour", "fire", "3", "0.75"] in printed
        assert ["harbour", "denial", "2", "1.00"] in printed

    def test_table_3(self, printed) -> None:
        """harbour: 4 of 10 sentences report nothing, one reports two events; two report one only together."""
        assert ["sentences", "10", "6", "16"] in printed
        assert ["off-event sentences", "40 %", "50 %", "45 %"] in printed
        assert ["single-event sentences", "50 %", "50 %", "50 %"] in printed
        assert ["multi-event sentences", "10 %", "0 %", "5 %"] in printed

    def test_the_split_is_named_or_balanced(self, capsys) -> None:
        assert run(["agreement", str(LINKED), "--tables", "--training", "strike"]) == 0
        shown = capsys.readouterr().out
        assert "Training: strike" in shown and "Test: harbour" in shown
        sizes = (100, 60, 50, 10)
        topics = [LinkedTopic(str(size), 1, {}, size, 0, 0, 0, 0, {}) for size in sizes]
        training, test = split_topics(topics)
        assert [topic.id for topic in training] == ["100", "10"]
        assert [topic.id for topic in test] == ["60", "50"]

    def test_any_collection_has_them(self, capsys) -> None:
        from tidings.sources import bundled

        assert run(["agreement", str(bundled.path()), "--tables"]) == 0
        shown = capsys.readouterr().out.split()
        assert shown[shown.index("santiago-2013") :][:5] == ["santiago-2013", "150", "72", "–", "–"]

    @every(
        "words, said",
        cases(__file__, "wrong wishes are said", lists=True),
    )
    def test_wrong_wishes_are_said(self, words, said, capsys) -> None:
        assert run(["agreement", str(LINKED), *words]) == 2
        assert said in capsys.readouterr().err


class TestCurves:
    @pytest.fixture
    def folder(self, tmp_path) -> Path:
        lines = [
            "topic_id\tevent_id\tsentence_id",
            "t\t1\td-1",
            "t\t2\td-1",
            "t\t2\td-2",
            "t\t3\td-3",
            "t\t-\td-0",
        ]
        (tmp_path / "links.tsv").write_text("\n".join(lines) + "\n")
        ranked = "".join(f"t me r d {n} 100 {9 - place}\n" for place, n in enumerate((1, 0, 2, 3)))
        (tmp_path / "my.run").write_text(ranked)
        return tmp_path

    def score(self, folder: Path, *more: str) -> int:
        return run(["score", str(folder / "my.run"), "-j", str(folder), "--rules", "umass-2001", *more])

    def test_a_row_after_each_sentence(self, folder, capsys) -> None:
        """Ranked 1 (two events), 0 (off-event), 2 (an event told before), 3 (a new one)."""
        assert self.score(folder, "--curves", "-f", "csv") == 0
        head, *points = rows(capsys.readouterr().out)
        assert head == ["team", "run", "event", "sentences", "nu-P", "nu-R", "u-P", "u-R", "n-P", "n-R"]
        assert [[float(cell) for cell in row[3:]] for row in points] == [
            pytest.approx([1, 2, 2 / 3, 1, 1 / 3, 2, 2 / 3], abs=1e-4),
            pytest.approx([2, 1, 2 / 3, 0.5, 1 / 3, 2, 2 / 3], abs=1e-4),
            pytest.approx([3, 2 / 3, 2 / 3, 2 / 3, 2 / 3, 1, 2 / 3], abs=1e-4),
            pytest.approx([4, 0.75, 1, 0.75, 1, 1, 1], abs=1e-4),
        ]

    def test_the_last_row_is_the_score(self, folder, capsys) -> None:
        assert self.score(folder, "--curves", "-f", "jsonl") == 0
        last = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert self.score(folder, "-f", "jsonl", "-m", "nu-P,u-R,n-P") == 0
        for line in capsys.readouterr().out.splitlines():
            one = json.loads(line)
            if one["event"] == "all":
                assert one["value"] == pytest.approx(last[one["measure"]])

    def test_a_page_draws_precision_over_recall(self, folder, tmp_path, capsys) -> None:
        """Figure 3 of the paper: interpolated, at 2/3 of the events still 2 events for 1 sentence, then 3 for 4."""
        assert self.score(folder, "--curves", "--out", str(tmp_path / "figure.html")) == 0
        page = (tmp_path / "figure.html").read_text(encoding="utf-8")
        cells = re.findall(r'<td class="number">([^<]+)</td>', page)
        assert [float(cell) for cell in cells] == [2.0] * 7 + [0.75] * 4
        assert page.count('class="chart"') == 2
        assert "<script" not in page
        assert self.score(folder, "--out", str(tmp_path / "scores.html")) == 2
        assert "only --curves makes one" in capsys.readouterr().err

    def test_other_rules_have_none(self, folder, capsys) -> None:
        from tidings.sources import bundled

        words = ["score", str(folder / "my.run"), "-j", str(bundled.path()), "--curves"]
        assert run(words) == 2
        assert "--curves with trec-2014 (expected umass-2001" in capsys.readouterr().err
