"""`tidings train`, as a user calls it."""

from __future__ import annotations

import pytest

from tests.research.training.conftest import fake, make_year
from tidings.cli import run
from tidings.core.models.files import read_model

__all__ = ["fake"]


@pytest.fixture
def year(tmp_path):
    return make_year(tmp_path / "2030", ["A.1", "A.2", "A.3", "A.4"])


def train(year, *more: object) -> int:
    return run(["train", "fake", "--judgments", str(year), *map(str, more)])


def test_writes_a_model_with_a_card(fake, year, tmp_path, capsys) -> None:
    out = tmp_path / "fake.safetensors"
    assert train(year, "--out", out, "--seed", 3, "--set", "depth=2", "--development", "A.2") == 0
    assert "fake learned from 3 events" in capsys.readouterr().err
    model = read_model("fake", out)
    assert model.settings["events"] == ["A.1", "A.3", "A.4"]
    assert int(model.array("every")[0]) == 7
    card = model.card
    assert (card.system, card.seed, card.notes) == ("fake", 3, "counts events")
    assert [part.events for part in card.data] == [("A.1", "A.3", "A.4"), ("A.2",)]
    assert card.command.split()[:3] == ["tidings", "train", "fake"]
    assert card.command.endswith("--development A.2 --set depth=2")
    assert 0 <= card.scores["H"] <= 1


def test_no_event_is_set_aside_unless_said(fake, year, tmp_path) -> None:
    assert train(year, "--out", tmp_path / "a.safetensors", "--development", "2") == 0
    assert len(read_model("fake", tmp_path / "a.safetensors").settings["events"]) == 2
    for more in ([], ["--development", "none"]):
        assert train(year, "--out", tmp_path / "b.safetensors", *more) == 0
        model = read_model("fake", tmp_path / "b.safetensors")
        assert len(model.settings["events"]) == 4
        assert model.card.scores == {}


def test_events_and_years_can_be_left_out(fake, year, tmp_path, capsys) -> None:
    out = tmp_path / "a.safetensors"
    assert train(year, "--out", out, "--without", "A.2", "--development", "none") == 0
    assert read_model("fake", out).settings["events"] == ["A.1", "A.3", "A.4"]
    assert train(year, "--out", out, "--without", "2030") == 2
    assert "no event left to learn from" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--development", "A.9"], "expected `none`, a number, or one of A.1"),
        (["--without", "A.9"], "expected the folder's name or one of A.1"),
        (["--set", "depth"], "expected NAME=VALUE"),
        (["--interval", "soon"], "interval 'soon'"),
        (["--set", "fail=A.1", "--development", "none"], "A.1 (expected another event)"),
    ],
)
def test_mistakes_are_said(fake, year, tmp_path, capsys, more, said) -> None:
    assert train(year, "--out", tmp_path / "x.safetensors", *more) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "x.safetensors").exists()


def test_what_learns_nothing_cannot_be_trained(year, tmp_path, capsys) -> None:
    assert run(["train", "first", "--judgments", str(year), "--out", str(tmp_path / "x.safetensors")]) == 2
    assert "'first' learns nothing" in capsys.readouterr().err


def test_the_model_does_not_replace_what_it_learns_from(tmp_path, capsys) -> None:
    from shutil import copytree

    from tidings.sources import bundled

    folder = tmp_path / "event"
    copytree(bundled.path(), folder)
    (tmp_path / "m.safetensors").symlink_to(folder / "nuggets.jsonl")
    before = (folder / "nuggets.jsonl").read_bytes()
    for out in (folder / "nuggets.jsonl", tmp_path / "m.safetensors"):
        assert run(["train", "ius", "--judgments", str(folder), "--out", str(out)]) == 2
        assert "judgments as --out" in capsys.readouterr().err
    assert (folder / "nuggets.jsonl").read_bytes() == before
