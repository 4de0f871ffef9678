"""Runs as JSON Lines: outputs of every kind in one file, and where the run is from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, Problems
from tidings.core.records import (
    DataUsed,
    EntityRanking,
    Event,
    Evidence,
    ModelCard,
    Run,
    RunCard,
    Support,
    Update,
    ValueUpdate,
)
from tidings.following.outputs.outputs import read_updates, write_outputs
from tidings.following.outputs.runs import card_path, read_runs, write_runs

UPDATE = Update("e", "a-1", 3, 120, 0.5, "A ferry burns.", 60, "Wire")
VALUE = ValueUpdate("e", 130, "deaths", (2.0,), 0.8, "a-1", 3, (Evidence("a-1", 3, "Two died.", 60, "Wire"),))
PLACE = ValueUpdate("e", 131, "location", (42.88, -8.54))
RANKING = EntityRanking("e", "1970-01-01", ("Renfe", "Adif"), 140, ("org", "org"), (0.9, 0.2))
SUPPORT = Support(
    "e", 150, "a-1", 3, Evidence("b-1", 0, "A ferry burns!", 90, "Post", "Fire", "https://p.example/1")
)
NEAR = Support("e", 160, "a-1", 3, Evidence("c-1", 2), same=False)
SUPPORT_LINE = cases(__file__, "support line")
BARE = EntityRanking("e", "1970-01-02", ("Renfe",))
CARD = RunCard(
    system="tidings:level=0.2",
    model=ModelCard(
        system="tidings",
        data=(DataUsed(name="2013", events=("TS13.1", "TS13.2"), digest="ab"),),
        scores={"H": 0.25},
    ),
    choice="pool",
    events=(Event(id="e", title="Ferry", query="ferry fire", start_time=0, type="accident"),),
)

cards = st.builds(
    RunCard,
    system=st.sampled_from(["", "first", "tidings:model=a b.safetensors"]),
    model=st.none() | st.just(CARD.model),
    choice=st.sampled_from(["", "pool", "corpus"]),
    events=st.sampled_from([(), CARD.events]),
)


class TestKinds:
    def test_each_kind_is_a_line_of_its_own_in_the_order_given(self, tmp_path: Path) -> None:
        path = tmp_path / "o.jsonl"
        outputs = [VALUE, UPDATE, RANKING, PLACE, BARE, SUPPORT]
        write_outputs(path, outputs, team="us", run="all", card=CARD)
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        assert [line["kind"] for line in lines] == [
            "run",
            "value",
            "update",
            "entities",
            "value",
            "entities",
            "support",
        ]
        assert {(line["team"], line["run"]) for line in lines} == {("us", "all")}
        assert lines[1]["value"] == 2.0
        assert lines[1]["evidence"] == [
            {"doc": "a-1", "sentence": 3, "text": "Two died.", "published_time": 60, "source": "Wire"}
        ]
        assert lines[4]["value"] == [42.88, -8.54]
        assert read_updates(path) == [
            Run("us", "all", (UPDATE,), CARD, (VALUE, PLACE), (RANKING, BARE), (SUPPORT,))
        ]

    def test_whole_runs_are_written_as_they_were(self, tmp_path: Path) -> None:
        path = tmp_path / "o.jsonl"
        runs = [
            Run("us", "a", (UPDATE,), CARD, (VALUE, PLACE), (RANKING,), (SUPPORT, NEAR)),
            Run("us", "b", (), None, (), (BARE,)),
        ]
        write_runs(path, runs)
        assert read_runs(path) == runs

    @given(cards)
    def test_any_card_is_read_again(self, tmp_path_factory: pytest.TempPathFactory, card: RunCard) -> None:
        folder = tmp_path_factory.mktemp("cards")
        for name in ("o.jsonl", "o.run", "o.run.gz"):
            write_runs(folder / name, [Run("us", "a", (UPDATE,), card)])
            assert read_runs(folder / name)[0].card == card

    def test_a_card_is_one_line_also_of_a_run_without_updates(self, tmp_path: Path) -> None:
        path = tmp_path / "o.jsonl"
        for run in (Run("us", "a", (), CARD), Run("us", "a", (UPDATE,), CARD, (VALUE,))):
            write_runs(path, [run])
            assert path.read_text().count('"kind":"run"') == 1

    def test_a_line_without_kind_is_an_update(self, tmp_path: Path) -> None:
        path = tmp_path / "o.jsonl"
        path.write_text('{"event": "e", "doc": "a", "sentence": 0, "time": 5}\n')
        assert read_runs(path) == [Run("", "", (Update("e", "a", 0, 5),))]

    @every(
        "line, message",
        cases(__file__, "what makes no sense is said with its line", lists=True),
    )
    def test_what_makes_no_sense_is_said_with_its_line(
        self, tmp_path: Path, line: dict[str, object], message: str
    ) -> None:
        path = tmp_path / "o.jsonl"
        path.write_text('{"event": "e", "doc": "a", "sentence": 0, "time": 5}\n' + json.dumps(line) + "\n")
        with pytest.raises(FormatError, match=r"o\.jsonl:2: ") as caught:
            read_runs(path)
        assert message in str(caught.value)
        problems = Problems(lenient=True)
        assert len(read_runs(path, problems=problems)[0].updates) == 1
        assert problems.count == 1

    def test_a_run_that_says_nothing_is_a_run(self, tmp_path: Path) -> None:
        path = tmp_path / "o.jsonl"
        write_runs(path, [Run("us", "a", (), CARD)])
        (run,) = read_runs(path)
        assert (run.updates, run.card) == ((), CARD)


class TestCardBesideTrec:
    def test_columns_hold_updates_only(self, tmp_path: Path) -> None:
        path = tmp_path / "o.run"
        write_runs(path, [Run("us", "a", (UPDATE,), CARD, (VALUE,), (RANKING,))])
        assert path.read_text() == "e\tus\ta\ta-1\t3\t120\t0.5\n"
        assert read_runs(path)[0].card == CARD
        assert json.loads(card_path(path).read_text())["choice"] == "pool"

    def test_several_runs_have_each_its_own(self, tmp_path: Path) -> None:
        path = tmp_path / "o.run"
        other = RunCard(system="first", choice="corpus")
        runs = [Run("us", name, (UPDATE,), card) for name, card in (("a", CARD), ("b", other), ("c", None))]
        write_runs(path, runs)
        assert [run.card for run in read_runs(path)] == [CARD, other, None]

    def test_a_run_without_card_leaves_none_of_an_earlier_one(self, tmp_path: Path) -> None:
        path = tmp_path / "o.run"
        write_runs(path, [Run("us", "a", (UPDATE,), CARD)])
        write_runs(path, [Run("us", "a", (UPDATE,))])
        assert [file.name for file in tmp_path.iterdir()] == ["o.run"]
        assert read_runs(path)[0].card is None

    @every("text", ["", "{", '{"choice": "all"}', '"run"', "[" * 50_000, '{"events": [{}]}'])
    def test_a_damaged_card_is_said_with_its_name(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "o.run"
        write_runs(path, [Run("us", "a", (UPDATE,))])
        card_path(path).write_text(text)
        with pytest.raises(FormatError, match=r"o\.run\.card\.json: "):
            read_runs(path)

    def test_standard_output_has_none(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        write_runs("-", [Run("us", "a", (UPDATE,), CARD)])
        assert list(tmp_path.iterdir()) == []


def test_converting_keeps_the_card_and_says_what_columns_cannot_hold(tmp_path: Path) -> None:
    from tidings.evaluation.convert import convert

    titled = Update("e", "a-1", 3, 120, 0.5, "", 0, "", "Ferry", "https://example.org/a")
    write_runs(
        tmp_path / "o.jsonl", [Run("us", "a", (titled,), CARD, (VALUE, PLACE), (RANKING,), (SUPPORT,))]
    )
    notes = convert(tmp_path / "o.jsonl", tmp_path / "o.run").notes
    for words in ("titles (1)", "addresses (1)", "values (2)", "entity rankings (1)", "support updates (1)"):
        assert any(words in note for note in notes)
    convert(tmp_path / "o.run", tmp_path / "back.jsonl")
    assert read_runs(tmp_path / "back.jsonl")[0].card == CARD
