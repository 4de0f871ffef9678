"""Plans: what may stand in them, and what is said of what may not."""

from __future__ import annotations

import pytest

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, UsageError
from tidings.research.experiments import jobs
from tidings.research.experiments.jobs import code_digest
from tidings.research.experiments.plan import (
    Listed,
    Split,
    TestStream as Stream,
    choose_development,
    folds_of,
    read_plan,
)

EVENTS = [Listed("A.1", "2030"), Listed("A.2", "2030"), Listed("B.1", "2031"), Listed("B.2", "2031")]


def test_what_is_left_out_has_its_default(write_plan) -> None:
    plan = read_plan(write_plan())
    assert [entry.name for entry in plan.entries] == ["first", "cosine"]
    assert plan.streams == (Stream(stream="pooled"),)
    assert plan.development == 0
    assert str(plan.models_folder).endswith("out/models")


def test_systems_and_streams_can_say_more(write_plan) -> None:
    path = write_plan(
        'test_streams = ["mixed", {stream = "pooled", keep = 0.5, seeds = [1, 2]}]',
        systems='["first", {system = "cosine:similarity=0.2", name = "strict", interval = "1h"}]',
    )
    plan = read_plan(path)
    assert [(entry.name, entry.kind) for entry in plan.entries] == [("first", "first"), ("strict", "cosine")]
    assert [(one.name, one.draws) for one in plan.streams] == [("mixed", (0,)), ("pooled-half", (1, 2))]


@pytest.mark.parametrize(
    ("lines", "systems", "said"),
    cases(__file__, "mistakes are named with their line", lists=True),
)
def test_mistakes_are_named_with_their_line(write_plan, lines, systems, said) -> None:
    path = write_plan(*lines, systems=systems) if systems else write_plan(*lines)
    with pytest.raises(FormatError) as caught:
        read_plan(path)
    assert said in str(caught.value)


def test_only_looks_at_nothing_else(write_plan) -> None:
    path = write_plan(systems='["first", "system-to-come"]')
    with pytest.raises(FormatError):
        read_plan(path)
    assert [entry.name for entry in read_plan(path, ["first"]).entries] == ["first"]
    with pytest.raises(UsageError, match="no system 'second' in this plan"):
        read_plan(path, ["second"])


@pytest.mark.parametrize("kind", ["leave-one-event-out", "folds"])
@pytest.mark.parametrize("development", [0, 1, ["A.2"]])
def test_every_event_is_tested_once_and_never_by_what_it_taught(kind, development) -> None:
    folds = folds_of(EVENTS, Split(kind=kind, folds=2), development)
    assert sorted(event for fold in folds for event in fold.test) == [event.id for event in EVENTS]
    for fold in folds:
        parts = [set(fold.train), set(fold.development), set(fold.test)]
        assert set.union(*parts) == {event.id for event in EVENTS}
        assert sum(map(len, parts)) == len(EVENTS)
        assert fold.train


def test_a_split_by_year_keeps_the_years_apart() -> None:
    (fold,) = folds_of(EVENTS, Split(kind="by-year", train=("2030",), test=("2031",)), 1)
    assert (len(fold.train), len(fold.development), fold.test) == (1, 1, ("B.1", "B.2"))
    with pytest.raises(UsageError, match=r"B\.1"):
        folds_of(EVENTS, Split(kind="by-year", train=("2030", "B.1"), test=("2031",)))
    with pytest.raises(UsageError, match="1999"):
        folds_of(EVENTS, Split(test=("1999",)))


def test_tested_events_can_be_restricted() -> None:
    folds = folds_of(EVENTS, Split(test=("2031",)))
    assert [fold.test for fold in folds] == [("B.1",), ("B.2",)]
    assert folds[0].train == ("A.1", "A.2", "B.2")


def test_development_events_do_not_depend_on_the_order() -> None:
    ids = [event.id for event in EVENTS]
    assert set(choose_development(ids, 2, "x")) == set(choose_development(ids[::-1], 2, "x"))
    assert len(choose_development(ids, 9)) == 3
    drawn = {choose_development(ids, 1, str(salt)) for salt in range(30)}
    assert len(drawn) == 4


def test_a_baseline_that_is_not_asked_for_is_replaced(write_plan) -> None:
    """Some rows of a plan can be run before its baseline is there."""
    path = write_plan('baseline = "cosine"', systems='["first", "cosine", "random"]')
    assert read_plan(path).baseline == "cosine"
    assert read_plan(path, ["first", "random"]).baseline == "best"
    assert read_plan(path, ["first", "cosine"]).baseline == "cosine"


@every(
    "text, words",
    [
        ("a = " + "[" * 50_000, "brackets within brackets"),
        ("folders = " + "[" * 5_000 + "]" * 5_000, "brackets within brackets"),
        ("seeds = [" + "9" * 6_000 + "]", "a value that cannot be read"),
        ('folders = ["' + "x" * 9_000, "TOML"),
        ("a." * 4_000 + "b = 1", "unknown key"),
    ],
)
def test_hostile_plans_are_refused_in_one_line(tmp_path, text, words) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(FormatError, match=words) as caught:
        read_plan(path)
    assert "plan.toml" in str(caught.value)


@pytest.mark.parametrize("only", [[","], ["", " , "]])
def test_only_nothing_is_refused(write_plan, only) -> None:
    with pytest.raises(UsageError, match="no name in --only"):
        read_plan(write_plan(), only)


def test_results_are_not_written_among_what_is_read(write_plan, year, tmp_path) -> None:
    (tmp_path / "link").symlink_to(year)
    for line in (
        f'models = "{year}"',
        f'models = "{tmp_path / "link"}"',
        f'models = "{year}/../{year.name}"',
    ):
        with pytest.raises(FormatError, match=r"plan\.toml:5: models: the judged events of"):
            read_plan(write_plan(line))
    plan = write_plan()
    plan.write_text(plan.read_text().replace(str(tmp_path / "out"), str(year)))
    with pytest.raises(FormatError, match="output: the judged events"):
        read_plan(plan)


def test_results_do_not_replace_the_official_scores_or_the_plan(write_plan, tmp_path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "results.json").write_text("scores")
    (tmp_path / "scores.tsv").symlink_to(tmp_path / "out" / "results.json")
    with pytest.raises(UsageError, match=r"the official scores as output results\.json"):
        read_plan(write_plan(f'official = "{tmp_path / "scores.tsv"}"'))
    plan = write_plan().rename(tmp_path / "out" / "results.md")
    with pytest.raises(UsageError, match=r"the plan as output results\.md"):
        read_plan(plan)


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

    monkeypatch.setattr(jobs, "_place", place)
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
    place = jobs._place
    copy = tmp_path / "copy.py"
    original = place(f"tidings.{name}")
    assert original is not None
    copy.write_text(original.read_text() + "\nGAIN = 2\n")
    monkeypatch.setattr(jobs, "_place", lambda one: copy if one == f"tidings.{name}" else place(one))
    code_digest.cache_clear()
    assert not before & {job.key for job in Experiment.of(plan).jobs}
    monkeypatch.setattr(jobs, "_place", place)
    code_digest.cache_clear()
    assert {job.key for job in Experiment.of(plan).jobs} == before


@every(
    "name",
    cases(__file__, "what plays no part makes nothing new"),
)
def test_what_plays_no_part_makes_nothing_new(name, tmp_path, monkeypatch) -> None:
    modules = ("tidings.following.systems.cosine", "tidings.research.experiments.execution")
    code_digest.cache_clear()
    before, place, copy = code_digest(*modules), jobs._place, tmp_path / "copy.py"
    original = place(f"tidings.{name}")
    assert original is not None
    copy.write_text(original.read_text() + "\nMORE = 2\n")
    monkeypatch.setattr(jobs, "_place", lambda one: copy if one == f"tidings.{name}" else place(one))
    code_digest.cache_clear()
    assert code_digest(*modules) == before
    code_digest.cache_clear()


def test_a_trained_piece_depends_on_its_trainer_too() -> None:
    code_digest.cache_clear()
    execution = "tidings.research.experiments.execution"
    alone = code_digest("tidings.research.systems.ius", execution)
    assert code_digest("tidings.research.training.ius", "tidings.research.systems.ius", execution) != alone
