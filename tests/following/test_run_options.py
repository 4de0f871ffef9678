"""What a run may be told: declared once, found everywhere; and settings in a file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import tidings
from tests.sweeps import cases, every
from tidings.cli import run
from tidings.core.options import find_settings, options_in, options_of, schema_of
from tidings.following.hosting.settings import RunSettings
from tidings.following.run_options import RunOptions
from tidings.following.stream.loop import LATENESS_S, parse_interval
from tidings.live.pages.routes.editing import FIELDS
from tidings.live.pages.settings import LiveSiteSettings

ADDED = """
import inspect, json, sys
from tidings.core.options import Option, options_in, schema_of
from tidings.following.run_options import RunOptions

options_in(RunOptions)["patience"] = Option(
    help="How long readers wait.", faces=("follow", "api", "library", "spark"), default="3h", unit="DURATION"
)
import tidings, tidings.spark
from tidings.cli import run

run(["follow", "--help-all"])
run(["config", "show"])
print(inspect.signature(tidings.follow))
print(tidings.follow.__doc__)
print(inspect.signature(tidings.spark.follow))
print(json.dumps(schema_of(RunOptions, "api")["properties"]["patience"]))
"""


def test_an_option_is_added_in_one_place(tmp_path: Path) -> None:
    (tmp_path / "tidings.toml").write_text('patience = "5h"\n')
    done = subprocess.run(
        [sys.executable, "-c", ADDED], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    shown = done.stdout
    assert "--patience DURATION" in shown and "How long readers wait (default: 3h)." in " ".join(
        shown.split()
    )
    assert "patience         5h  (tidings.toml)" in shown
    assert shown.count("patience: 'Any' = '3h'") + shown.count("patience='3h'") == 2
    assert "        patience: How long readers wait.\n" in shown
    schema = {"type": "string", "description": "How long readers wait.", "default": "3h"}
    assert json.loads(shown.splitlines()[-1]) == schema


def test_no_default_is_said_otherwise_elsewhere() -> None:
    usual = {name: option.default for name, option in options_in(RunOptions).items()}
    settings = RunSettings()
    assert parse_interval(usual["lateness"]) == settings.lateness_s == LATENESS_S
    assert parse_interval(usual["interval"]) == settings.interval_s
    for name in ("system", "mixed", "pool", "lenient", "restart", "team"):
        assert getattr(settings, name) == usual[name]
    serving = options_of(RunOptions, "serve")
    site = LiveSiteSettings()
    assert (site.system, site.about) == (serving["system"].default, serving["about"].default)


def test_the_schema_has_what_an_event_is_begun_with() -> None:
    assert set(schema_of(RunOptions, "api")["properties"]) == set(FIELDS)


def test_help_shows_fifteen_options_that_fit_80_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for verb in ("follow", "serve", "values", "entities", "digest"):
        assert run([verb, "--help"]) == 0
        shown = capsys.readouterr().out
        options = [line for line in shown.splitlines() if line.startswith("  -") and "--help" not in line]
        assert len(options) <= 16, verb
        assert max(map(len, shown.splitlines())) <= 80
    assert run(["follow", "--help-all"]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    assert "tidings[places])" in shown and "tidings[spark])" in shown and "tidings[quality])" in shown
    for option in options_of(RunOptions, "follow").values():
        assert all(spelling in shown for spelling in option.flags.replace("/", " ").split())


class TestLibrary:
    """Arguments by their names, checked as Python checks them."""

    @every("call", [lambda **more: tidings.follow([], **more), tidings.Tracker])
    def test_an_argument_that_is_none(self, call) -> None:
        with pytest.raises(TypeError, match="unexpected keyword argument 'queri'"):
            call(queri="ferry")


class TestSettings:
    """tidings.toml: beside the sources, here, or as --config names it."""

    @pytest.fixture
    def place(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.chdir(tmp_path)
        data = tmp_path / "data"
        data.mkdir()
        lines = [
            {"id": f"d{n}", "published_time": 60 * n, "text": f"A ferry number {n} burns."} for n in range(3)
        ]
        (data / "documents.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        return tmp_path

    def test_hold_beside_the_sources(self, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (place / "data" / "tidings.toml").write_text(
            'query = "ferry"\nsystem = "first:min_words=0"\nport = 1\n'
        )
        command = ["follow", "data/documents.jsonl", "--out", "run.jsonl"]
        assert run(command) == 2
        assert "port: no such setting" in capsys.readouterr().err
        (place / "data" / "tidings.toml").write_text(
            'query = "ferry"\nteam = "all"\n[follow]\nsystem = "first:min_words=0"\nteam = "mine"\n[serve]\nport = 1\n'
        )
        assert run(command) == 0
        assert "tidings.toml says query, system, team" in capsys.readouterr().err
        updates = [json.loads(line) for line in (place / "run.jsonl").read_text().splitlines()]
        assert {line["team"] for line in updates} == {"mine"}
        assert run([*command[:-1], "other.jsonl", "--team", "theirs", "-q"]) == 0
        assert "tidings.toml" not in capsys.readouterr().err
        assert '"team":"theirs"' in (place / "other.jsonl").read_text().replace(" ", "")

    @pytest.mark.parametrize(
        ("line", "said"),
        cases(__file__, "what cannot stand there"),
    )
    def test_what_cannot_stand_there(
        self, place: Path, line: str, said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (place / "tidings.toml").write_text(line + "\n")
        assert run(["follow", "data", "--query", "ferry", "--out", "run.jsonl"]) == 2
        assert said in capsys.readouterr().err
        assert not (place / "run.jsonl").exists()

    def test_a_file_that_is_named_may_say_more(self, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (place / "mine.toml").write_text(
            'query = ["ferry"]\nsystem = "first:min_words=0"\nstore = "kept.db"\n'
        )
        assert run(["follow", "data", "--config", "mine.toml", "--out", "run.jsonl"]) == 0
        assert (place / "kept.db").exists()
        assert run(["follow", "data", "--config", "none.toml", "--out", "run.jsonl"]) == 2
        assert "none.toml: there is no such file" in capsys.readouterr().err

    def test_are_shown(self, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (place / "data" / "tidings.toml").write_text('zone = "Europe/Madrid"\n[serve]\nport = 8000\n')
        assert run(["config", "show", "data/documents.jsonl", "--verb", "serve"]) == 0
        shown = capsys.readouterr().out.splitlines()
        assert [line.split() for line in shown if "tidings.toml)" in line] == [
            ["port", "8000", "(data/tidings.toml)"]
        ]
        assert run(["config", "show", "--verb", "score"]) == 2

    def test_those_beside_the_sources_come_first(self, place: Path) -> None:
        for folder in (place, place / "data"):
            (folder / "tidings.toml").write_text("")
        assert find_settings(["data/documents.jsonl"], None) == Path("data/tidings.toml")
        assert find_settings(["https://a.example/feed"], None) == Path("tidings.toml")
