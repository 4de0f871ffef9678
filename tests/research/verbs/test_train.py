"""`tidings train`, as a user calls it."""

from __future__ import annotations

import gzip
from datetime import date, timedelta

import pytest

from tests.research.training.conftest import fake, make_year
from tests.sweeps import cases
from tidings.cli import run
from tidings.core.models.files import read_model
from tidings.sources.bundled import path as bundled_path

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
    cases(__file__, "mistakes are said", lists=True),
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


PEOPLE = {"Mariano_Rajoy": 300, "Spain": 9000, "Renfe": 40, "Galicia": 500, "Madrid": 4000}
"""Pages with their usual views of a day: made up."""


def write_dumps(folder) -> list[str]:
    """Made-up hourly dumps of page views in the format of the public ones, twelve hours a day, a burst each day."""
    folder.mkdir()
    paths = []
    for number in range(20):
        day = (date(2013, 7, 16) + timedelta(days=number)).strftime("%Y%m%d")
        for hour in range(1, 13):
            path = folder / f"pagecounts-{day}-{hour:02d}0000.gz"
            lines = ["en Main_Page 9999 123", "de Spain 77 1", "commons.m Spain 5 6", "broken line"]
            for place, (title, usual) in enumerate(PEOPLE.items()):
                burst = 30 if number >= 8 and number % len(PEOPLE) == place else 1
                lines.append(f"en {title} {usual * burst // 24 + number} 4321")
            path.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
            paths.append(str(path))
    return paths


@pytest.mark.parametrize("kind", ["adapter", "ius", "taer"])
def test_rankers_of_entities_learn_from_page_views(kind, year, tmp_path, capsys) -> None:
    """Section 4.2: View Outlier Ratio of linked entities; what judgments say is not looked at."""
    pytest.importorskip("scipy")
    dumps = [word for path in write_dumps(tmp_path / "dumps") for word in ("--views", path)]
    out = tmp_path / "model.safetensors"
    system = "ius-entities" if kind == "ius" else kind
    words = ["train", system, "--judgments", str(year), "--set", "grade=no", "--out", str(out), *dumps]
    assert run(words) == 0
    assert f"entities-{kind} learned from 4 events" in capsys.readouterr().err
    model = read_model(f"entities-{kind}", out)
    assert "View Outlier Ratio of page views" in model.card.notes
    assert "pagecounts-20130716-010000.gz" in model.card.notes
    assert model.card.command.count("--views") == 20 * 12
    (year / "matches.jsonl").write_text((year / "matches.jsonl").read_text().splitlines()[0] + "\n")
    again = tmp_path / "again.safetensors"
    assert run([*words[:6], "--out", str(again), *dumps]) == 0
    assert all(
        (model.array(name) == read_model(f"entities-{kind}", again).array(name)).all()
        for name in model.arrays
    )
    rankings = tmp_path / "rankings.jsonl"
    bundled = str(bundled_path())
    assert (
        run(
            [
                "entities",
                bundled,
                "--event",
                "all",
                "--system",
                f"{system}:model={out}",
                "--out",
                str(rankings),
            ]
        )
        == 0
    )
    assert rankings.read_text().count('"kind":"entities"') >= 5


def test_page_views_that_teach_nothing_are_refused(year, tmp_path, capsys) -> None:
    views = tmp_path / "views.jsonl"
    views.write_text(
        '{"entity": "Nobody", "title": "Nobody", "date": "2013-07-25", "views": 9, "vor": null}\n'
    )
    words = ["--judgments", str(year), "--out", str(tmp_path / "m.safetensors"), "--views", str(views)]
    assert run(["train", "sal", *words]) == 2
    assert "no page views to learn from" in capsys.readouterr().err
    assert run(["train", "l2s", *words]) == 2
    assert "l2s does not learn from page views" in capsys.readouterr().err
    views.write_text('{"title": "Nobody", "date": "2013-07-25"}\n')
    assert run(["train", "sal", *words]) == 2
    assert "views.jsonl:1" in capsys.readouterr().err
