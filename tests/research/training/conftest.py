"""A small year of judged events, and the bench with a system that learns one number."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tidings.following.systems import registry
from tidings.research.training import trainers
from tidings.research.training.labelled_events import JudgedEvent, load_events
from tidings.sources import bundled


@pytest.fixture(scope="session")
def event() -> JudgedEvent:
    """The event that comes with tidings."""
    return load_events([bundled.path()])[0]


@pytest.fixture
def year(tmp_path: Path) -> Path:
    """A folder of four judged events, all made from the bundled one: each has a quarter of its documents."""
    return make_year(tmp_path / "2030", ["A.1", "A.2", "A.3", "A.4"])


def make_year(folder: Path, names: list[str]) -> Path:
    folder.mkdir(parents=True)
    source = bundled.path()
    event = json.loads((source / "event.json").read_text())
    documents = [json.loads(line) for line in (source / "documents.jsonl").read_text().splitlines()]
    share = len(documents) // len(names)
    own = {name: {d["id"] for d in documents[n * share : (n + 1) * share]} for n, name in enumerate(names)}
    (folder / "events.jsonl").write_text("".join(json.dumps(event | {"id": name}) + "\n" for name in names))
    rows = {name: [] for name in ("documents", "nuggets", "matches")}
    nuggets = [json.loads(line) for line in (source / "nuggets.jsonl").read_text().splitlines()]
    matches = [json.loads(line) for line in (source / "matches.jsonl").read_text().splitlines()]
    for name in names:
        rows["documents"] += [d | {"events": [name]} for d in documents if d["id"] in own[name]]
        rows["nuggets"] += [n | {"id": f"{name}-{n['id']}", "event": name} for n in nuggets]
        for match in matches:
            if match["update"].rpartition("-")[0] in own[name]:
                rows["matches"].append(match | {"nugget": f"{name}-{match['nugget']}", "event": name})
    for kind, many in rows.items():
        (folder / f"{kind}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in many))
    return folder


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch):
    """The system `fake` and its trainer, in this process."""
    monkeypatch.setitem(registry._OWN, "fake", "tests.research.training.fake:Fake")
    monkeypatch.setitem(trainers.TRAINERS, "fake", "tests.research.training.fake:train")
    registry._available.cache_clear()
    yield
    registry._available.cache_clear()


@pytest.fixture
def write_plan(tmp_path: Path, year: Path):
    """Writes a plan for the year; given lines are added."""

    def write(*lines: str, systems: str = '["first", "cosine"]') -> Path:
        path = tmp_path / "plan.toml"
        head = [
            f'folders = ["{year}"]',
            f"systems = {systems}",
            f'output = "{tmp_path / "out"}"',
            "workers = 0",
        ]
        path.write_text("\n".join([*head, *lines]) + "\n")
        return path

    return write
