"""Digests of code: what a system runs is in them, what it does not run is not."""

from __future__ import annotations

import pytest

from tests.sweeps import cases, every
from tidings.research.experiments import sources
from tidings.research.experiments.sources import code_digest

FILES = cases(__file__, "files")


@pytest.fixture
def digest(tmp_path, monkeypatch):
    """The digest of a module when some files have other contents."""

    def digest(module: str, **changed: str) -> str:
        for name, text in FILES.items():
            folder = tmp_path / name
            folder.mkdir(exist_ok=True)
            home = "__init__.py" if name == "tidings.core.text" else "module.py"
            (folder / home).write_text(changed.get(name.replace(".", "_"), text))
        code_digest.cache_clear()
        return code_digest(module)

    def place(name: str):
        return next(iter((tmp_path / name).glob("*.py")), None) if name in FILES else None

    monkeypatch.setattr(sources, "_place", place)
    yield digest
    code_digest.cache_clear()


@pytest.mark.parametrize(
    ("changed", "counts"),
    [
        ("tidings_following_systems_own", True),
        ("tidings_core_text_words", True),
        ("tidings_core_text_late", True),  # imported within a function, two steps away
        ("tidings_core_text", True),
        ("tidings_following_systems_other", False),
        ("tidings_sources_streams", True),
        ("tidings_evaluation_report", False),  # what is shown changes no result
        ("numpy", False),
    ],
)
@pytest.mark.parametrize("module", ["tidings.following.systems.own", "plugin"])
def test_what_is_imported_counts(digest, module, changed, counts) -> None:
    before = digest(module)
    assert (digest(module, **{changed: FILES[changed.replace("_", ".")] + "\n# changed"}) != before) == counts
    assert digest(module) == before


def test_a_list_of_systems_does_not_count(digest) -> None:
    before = digest("tidings.following.systems.other")
    assert digest("tidings.following.systems.other", tidings_following_systems_registry="ALL = 2") == before


def test_real_systems_count_what_they_run() -> None:
    code_digest.cache_clear()
    names = ("cosine", "first", "lexrank")
    assert len({code_digest(f"tidings.following.systems.{name}") for name in names}) == 3


@pytest.mark.parametrize(
    "name",
    cases(__file__, "every piece depends on what it passes through"),
)
def test_every_piece_depends_on_what_it_passes_through(name, write_plan, tmp_path, monkeypatch) -> None:
    """A changed line there, such as the gain in the sums of a run, makes every result new."""
    from tidings.research.experiments.experiment import Experiment
    from tidings.research.experiments.plan import read_plan

    plan = read_plan(write_plan(systems='["cosine:updates_per_hour=9"]'))
    code_digest.cache_clear()
    before = {job.key for job in Experiment.of(plan).jobs}
    place = sources._place
    copy = tmp_path / "copy.py"
    original = place(f"tidings.{name}")
    assert original is not None
    copy.write_text(original.read_text() + "\nGAIN = 2\n")
    monkeypatch.setattr(sources, "_place", lambda one: copy if one == f"tidings.{name}" else place(one))
    code_digest.cache_clear()
    assert not before & {job.key for job in Experiment.of(plan).jobs}
    monkeypatch.setattr(sources, "_place", place)
    code_digest.cache_clear()
    assert {job.key for job in Experiment.of(plan).jobs} == before


@every(
    "name",
    cases(__file__, "what plays no part makes nothing new"),
)
def test_what_plays_no_part_makes_nothing_new(name, tmp_path, monkeypatch) -> None:
    modules = ("tidings.following.systems.cosine", "tidings.research.experiments.execution")
    code_digest.cache_clear()
    before, place, copy = code_digest(*modules), sources._place, tmp_path / "copy.py"
    original = place(f"tidings.{name}")
    assert original is not None
    copy.write_text(original.read_text() + "\nMORE = 2\n")
    monkeypatch.setattr(sources, "_place", lambda one: copy if one == f"tidings.{name}" else place(one))
    code_digest.cache_clear()
    assert code_digest(*modules) == before
    code_digest.cache_clear()


def test_a_trained_piece_depends_on_its_trainer_too() -> None:
    code_digest.cache_clear()
    execution = "tidings.research.experiments.execution"
    alone = code_digest("tidings.research.systems.ius", execution)
    assert code_digest("tidings.research.training.ius", "tidings.research.systems.ius", execution) != alone
