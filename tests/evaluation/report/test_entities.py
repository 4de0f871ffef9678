"""Entities by day for readers: the track of a page, and the lines in a terminal."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from tidings.cli import run as tidings
from tidings.core.records import EntityRanking, Event, Evidence, Run, RunCard
from tidings.evaluation.report.page import render_page
from tidings.following.outputs.outputs import write_updates
from tidings.following.report.entities import GAP, HEIGHT, STEP, TOP, WIDTH, entity_track, show_entities
from tidings.following.report.timeline import build_timeline

EVENT = Event(id="e", title="Ferry fire", query="ferry fire")
SAID = Evidence(
    "d", 0, "Maria Rossi left the <b>ferry</b>.", 60, "Coast Radio", "Fire", "https://example.org/1"
)


def ranking(date: str, *names: str, ids: tuple[int, ...] = (), new: tuple[bool, ...] = ()) -> EntityRanking:
    count = len(names)
    return EntityRanking(
        "e",
        date,
        names,
        60,
        types=("PER",) * count,
        scores=tuple(float(count - n) for n in range(count)),
        salience=(0.5,) * count,
        informativeness=(0.25,) * count,
        new=new or (False,) * count,
        evidence=(SAID,) * count,
        ids=ids,
    )


class TestTrack:
    def test_an_entity_flows_by_its_id_though_its_name_changes(self) -> None:
        days = [
            ranking("2014-12-31", "Rossi", "Genoa", ids=(1, 2)),
            ranking("2015-01-01", "Maria Rossi", ids=(1,)),
        ]
        track = entity_track(days)
        assert track is not None
        assert [column.name for column in track.columns] == ["31 Dec 2014", "1 Jan 2015"]
        assert len(track.flows) == 1
        assert track.columns[1].cells[0].days_shown == "2 days, 31 Dec 2014 to 1 Jan 2015"
        assert track.columns[0].cells[1].days_shown == "this day alone"

    def test_a_flow_leads_from_the_right_edge_of_a_cell_to_the_left_edge_of_the_next(self) -> None:
        days = [ranking("2015-01-01", "A", "B"), ranking("2015-01-02", "B", "C")]
        track = entity_track(days)
        assert track is not None
        (flow,) = track.flows
        numbers = [float(part) for part in flow.path.replace("M", "").replace("C", " ").split()]
        assert numbers[:2] == [WIDTH, TOP + STEP + HEIGHT / 2]
        assert numbers[-2:] == [WIDTH + GAP, TOP + HEIGHT / 2]
        assert (track.width, track.height) == (2 * WIDTH + GAP, TOP + 2 * STEP)

    def test_does_not_flow_over_a_day_that_does_not_show_it(self) -> None:
        days = [ranking("2015-01-01", "A"), ranking("2015-01-02", "B"), ranking("2015-01-03", "A")]
        track = entity_track(days)
        assert track is not None
        assert track.flows == ()

    def test_only_the_first_of_a_day_and_the_later_ranking_of_two(self) -> None:
        days = [ranking("2015-01-01", "A"), ranking("2015-01-01", *"BCDEFGH")]
        track = entity_track(days, most=3)
        assert track is not None
        assert [cell.name for cell in track.columns[0].cells] == ["B", "C", "D"]

    def test_names_of_nearly_every_day_leave_room_for_those_of_the_day(self) -> None:
        days = [
            ranking(f"2015-01-{n:02d}", "A", "B", "C", "D", f"E{n}", f"F{n}", f"G{n}") for n in range(1, 8)
        ]
        track = entity_track(days, most=4)
        assert track is not None
        shown = [[(cell.name, cell.place) for cell in column.cells] for column in track.columns]
        assert shown[2] == [("A", 1), ("B", 2), ("E3", 5), ("F3", 6)]
        few = entity_track(days[:5], most=4)
        assert few is not None
        assert [cell.name for cell in few.columns[0].cells] == ["A", "B", "C", "D"]

    def test_nothing_without_names(self) -> None:
        assert entity_track([]) is None
        assert entity_track([ranking("2015-01-01")]) is None

    def test_a_run_that_gives_names_alone(self) -> None:
        track = entity_track([EntityRanking("e", "2015-01-01", ("A",))])
        assert track is not None
        cell = track.columns[0].cells[0]
        assert (cell.type_name, cell.is_new, cell.salience, cell.sentence, cell.source) == (
            "",
            False,
            "",
            "",
            None,
        )


class TestPage:
    def test_names_sentences_and_sources_are_there_and_escaped(self) -> None:
        said = [ranking("2015-01-01", "Maria <i>Rossi", "B", new=(True, False))]
        page = render_page(build_timeline(EVENT, [], rankings=said), charts=False)
        assert "Maria &lt;i&gt;Rossi" in page
        assert "<i>" not in page
        assert 'href="https://example.org/1"' in page
        assert page.count("popovertarget=") == 4
        assert page.count(", new</span>") == 1
        assert "says nothing" not in page

    def test_has_no_such_part_without_names(self) -> None:
        page = render_page(build_timeline(EVENT, []), charts=False)
        assert "entity" not in page
        assert "No updates." in page

    def test_of_a_run_of_entities_alone(self, tmp_path: Path) -> None:
        run = Run("us", "r", (), RunCard(events=(EVENT,)), (), (ranking("2015-01-01", "Maria Rossi"),))
        write_updates(tmp_path / "r.jsonl", [run])
        assert tidings(["timeline", str(tmp_path / "r.jsonl"), "--out", str(tmp_path / "p.html")]) == 0
        assert "Maria Rossi" in (tmp_path / "p.html").read_text()

    def test_of_a_run_of_entities_alone_in_a_terminal(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        days = ranking("2015-01-01", "Paul Klein"), ranking("2015-01-01", "Maria Rossi")
        write_updates(tmp_path / "r.jsonl", [Run("us", "r", (), RunCard(events=(EVENT,)), (), days)])
        assert tidings(["timeline", str(tmp_path / "r.jsonl")]) == 0
        said = capsys.readouterr().out
        assert "1 Jan 2015  Maria Rossi" in said
        assert "Paul Klein" not in said
        assert "says nothing" not in said


def printed(one: EntityRanking, event: Event | None = None) -> str:
    console = Console(file=io.StringIO(), width=200, no_color=True)
    show_entities(console, event, one)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_day_in_a_terminal() -> None:
    said = printed(ranking("2015-01-01", "Maria Rossi", "B", new=(True, False)), EVENT)
    assert said == (
        "Ferry fire  1 Jan 2015  Maria Rossi (person, new) · B (person)\n"
        "    Maria Rossi left the <b>ferry</b>.  Coast Radio\n"
    )
    assert printed(EntityRanking("e", "2015-01-02", ())) == "2 Jan 2015  nobody is named\n"
