"""Plans of experiments: which systems learn from which events and are tested on which streams, in one TOML file."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from tidings import __version__
from tidings.core import (
    FormatError,
    Problem,
    UsageError,
    mismatch_of,
    missing_of,
    read_text,
    refuse_overwriting,
    unknown_of,
    write_bytes,
)
from tidings.evaluation import Measure, parse_measure
from tidings.following import make, parse_interval, spec_of
from tidings.research.training.labelled_events import FIGURES, StreamKind

P = TypeVar("P", bound=Struct)

_ALL_KEYS = "docs/research/training.md lists all keys"


class PlanFile:
    """A plan as text; problems are collected, and raised together."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.text = read_text(path)
        self._problems: list[Problem] = []

    def read(self, shape: type[P], /, **choices: Any) -> P:
        """The plan, whose keys are the fields of `shape`; `choices` are the literal types of some of them.

        Raises:
            FormatError: not TOML, an unknown or missing key, a value of the wrong kind.
        """
        try:
            return msgspec.convert(tomllib.loads(self.text), shape)
        except RecursionError:
            self.wrong("", "brackets within brackets, too many to be read", "a plan")
        except tomllib.TOMLDecodeError as error:
            self.wrong(0, f"no TOML: {error}", "", "docs/research/training.md shows what plans look like")
        except msgspec.ValidationError as error:
            self._note_mistyped(str(error), choices)
        except ValueError as error:
            self.wrong("", f"a value that cannot be read ({str(error)[:80]})", "shorter numbers")
        raise FormatError(self._problems) from None

    def wrong(self, key: str | int, found: str, expected: str, mend: str = "") -> None:
        """Note a problem with the value of a key, or in a line."""
        line = self._line(key) if isinstance(key, str) else key
        self._problems.append(Problem(str(self.path), line, found, expected, mend))

    def check(self) -> None:
        """Raise a FormatError where a problem was noted."""
        if self._problems:
            raise FormatError(self._problems)

    def spare_judgments(self, folders: Iterable[str], **outputs: str | Path) -> None:
        """Note where results would be written among the judgments that are read; `outputs` by their keys."""
        for key, place in outputs.items():
            for folder in folders:
                if Path(place).resolve() == Path(folder).resolve():
                    self.wrong(key, f"{key}: the judged events of {folder}", "another folder")

    def _note_mistyped(self, message: str, choices: Mapping[str, Any]) -> None:
        unknown, key = unknown_of(message)
        if missing := missing_of(message):
            self.wrong("", f"no key {missing[0]!r}", "", _ALL_KEYS)
        elif wrong := mismatch_of(message):
            self.wrong(key, f"{key}: {wrong.found}", wrong.expected + wrong.bound)
        elif unknown:
            self.wrong(unknown, f"the unknown key {unknown!r}", "a key of plans", _ALL_KEYS)
        else:
            name = key.rpartition(".")[2].partition("[")[0]
            listed = ", ".join(map(str, get_args(choices.get(name))))
            self.wrong(
                key,
                f"{key}: {message.partition(' - at ')[0]}",
                f"one of {listed}" if listed else "another value",
                _ALL_KEYS,
            )

    def _line(self, key: str) -> int:
        """The line that sets a key such as split.kind or systems[2].train; 0 where it cannot be told."""
        for part in reversed(re.sub(r"\[[^\[\]]*\]", "", key).split(".")):
            for number, line in enumerate(self.text.splitlines(), 1):
                if part and re.match(rf"\s*\[*{re.escape(part)}\b|.*[{{,]\s*{re.escape(part)}\s*=", line):
                    return number
        return 0


Share = Annotated[float, Meta(gt=0, le=1)]
Count = Annotated[int, Meta(ge=0)]
Seed = Annotated[int, Meta(ge=0, lt=2**32)]  # what all learners take


def slug(text: str) -> str:
    """A text made fit for the name of a file.

    >>> slug("cosine:similarity=0.3,overlap=1")
    'cosine-similarity=0.3-overlap=1'
    """
    return re.sub(r"[^\w.=+]+", "-", text).strip("-.") or "unnamed"


SplitKind = Literal["leave-one-event-out", "folds", "by-year"]


class TestStream(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What streams past: a kind of pool, thinned to a share of its sentences or whole.

    A thinned stream is drawn once for each of `seeds`; its figures are means over them.
    """

    stream: StreamKind
    keep: Share = 1.0
    seeds: Annotated[tuple[int, ...], Meta(min_length=1)] = (0,)

    @property
    def name(self) -> str:
        """How tables and folders call it.

        >>> TestStream(stream="pooled").name, TestStream(stream="pooled", keep=0.5).name
        ('pooled', 'pooled-half')
        """
        if self.keep == 1.0:
            return self.stream
        return f"{self.stream}-half" if self.keep == 0.5 else f"{self.stream}-keep-{self.keep:g}"

    @property
    def draws(self) -> tuple[int, ...]:
        """The seeds that make a difference: one for a whole stream."""
        return self.seeds if self.keep < 1.0 else (0,)


class Split(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which events are learned from and which are tested.

    `train` and `test` name years (folders) or events; empty means all. leave-one-event-out: each tested event
    with a model that learned from all others. folds: the tested events in so many groups, each as a whole left out.
    by-year: one model from the events of `train`, tested on those of `test`.
    """

    kind: SplitKind = "leave-one-event-out"
    train: tuple[str, ...] = ()
    test: tuple[str, ...] = ()
    folds: Annotated[int, Meta(ge=2)] = 5


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row of the tables: a system with its options, and how it is trained.

    Attributes:
        system: as `--system` takes it, `name:option=value,...`.
        name: how tables call it; the system itself by default.
        train: options of the trainer.
        learn: False takes the model that the system names, or the one that comes with tidings.
        interval: decision interval of this system instead of the plan's.
        seeds, development, train_stream: of its training, instead of the plan's.
    """

    system: str
    name: str = ""
    train: dict[str, str | int | float | bool] = {}
    learn: bool = True
    interval: str = ""
    seeds: tuple[Seed, ...] = ()
    development: Count | tuple[str, ...] | None = None
    train_stream: StreamKind | TestStream | None = None

    @property
    def kind(self) -> str:
        """The registered name of the system."""
        return self.system.partition(":")[0].strip()

    @property
    def options(self) -> dict[str, str]:
        """The trainer's options as texts, as `--set` gives them."""
        return {
            key: ("yes" if value else "no") if isinstance(value, bool) else str(value)
            for key, value in self.train.items()
        }


class Plan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An experiment. Paths are relative to the folder in which the command runs, as everywhere in tidings.

    Attributes:
        folders: judgments, one folder for each year.
        systems: rows of the tables.
        output: folder of runs, scores and tables.
        title: said above the tables.
        takes: how long all of it takes, said before it begins.
        split: what is learned from, what is tested.
        train_stream: the stream to learn on.
        test_streams: one table for each.
        interval: decision interval, `document` or a duration.
        seeds: each learned system is trained once with each; figures are means over them.
        development: how many of the events to learn from are set aside to stop early by, or which; with none, systems
            that stop early do so by folds of the events that they learn from.
        measures: columns of the tables; the first is the main one. EG-1, nCG-1, GMP@.5 and their like take nuggets as
            clusters.
        baseline: the row that significance is against, or `best`: the best by the main measure that is not `ours`.
        ours: systems that `best` does not choose from.
        models: folder of trained models, which plans can share.
        t_test: also test by t, for which SciPy is needed.
        official: TREC's table of the scores of all teams, to be shown beside.
        workers: processes; 0 does all of it in this one.
    """

    folders: Annotated[tuple[str, ...], Meta(min_length=1)]
    systems: Annotated[tuple[str | Entry, ...], Meta(min_length=1)]
    output: Annotated[str, Meta(min_length=1)]
    title: str = ""
    takes: str = ""
    split: Split = Split()
    train_stream: StreamKind | TestStream = "pooled"
    test_streams: Annotated[tuple[StreamKind | TestStream, ...], Meta(min_length=1)] = ("pooled",)
    interval: str = "document"
    seeds: Annotated[tuple[Seed, ...], Meta(min_length=1)] = (0,)
    development: Count | tuple[str, ...] = 0
    measures: Annotated[tuple[str, ...], Meta(min_length=1)] = ("H", "nE[G]", "nE[LG]", "C", "LC")
    baseline: str = "best"
    ours: tuple[str, ...] = ("tidings",)
    t_test: bool = False
    models: str = ""
    official: str = ""
    workers: Count = 2

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The systems, each with a name."""
        named = (Entry(system=entry) if isinstance(entry, str) else entry for entry in self.systems)
        return tuple(
            msgspec.structs.replace(entry, name=entry.name or entry.system.strip()) for entry in named
        )

    @property
    def streams(self) -> tuple[TestStream, ...]:
        """The streams to test on."""
        return tuple(map(_stream, self.test_streams))

    def learns_on(self, entry: Entry) -> TestStream:
        """The stream that a system learns on."""
        return _stream(self.train_stream if entry.train_stream is None else entry.train_stream)

    def stops_by(self, entry: Entry) -> int | tuple[str, ...]:
        """The events that stop its training: how many, or which."""
        return self.development if entry.development is None else entry.development

    @property
    def wanted(self) -> tuple[Measure, ...]:
        """The measures."""
        return tuple(parse_measure(name, FIGURES) for name in self.measures)

    @property
    def models_folder(self) -> Path:
        """Where models are kept."""
        return Path(self.models or f"{self.output}/models")


def _stream(named_stream: StreamKind | TestStream) -> TestStream:
    return TestStream(stream=named_stream) if isinstance(named_stream, str) else named_stream


def read_plan(path: str | Path, only: Sequence[str] = ()) -> Plan:
    """The plan in a file, checked as far as that goes without the data.

    `only` keeps the systems of these names (those of the tables, or registered ones), and only they are looked at.

    Raises:
        FormatError: not TOML, an unknown or missing key, a value of the wrong kind, an unknown system or measure.
        UsageError: no such file, or `only` names what the plan lacks.
    """
    file = PlanFile(path)
    plan = file.read(
        Plan, kind=SplitKind, stream=StreamKind, train_stream=StreamKind, test_streams=StreamKind
    )
    if only:
        chosen = _choose(path, plan, only)
        there = plan.baseline in {entry.name for entry in chosen}
        baseline_listed = plan.baseline in {entry.name for entry in plan.entries}
        # Who asks for some rows and not for the baseline gets the best of them for one.
        baseline = "best" if baseline_listed and not there else plan.baseline
        plan = msgspec.structs.replace(plan, systems=chosen, baseline=baseline)
    _check(file, plan)
    file.check()
    file.spare_judgments(plan.folders, output=plan.output, models=plan.models_folder)
    file.check()
    pages = [f"{stream.name}.html" for stream in plan.streams]
    written = {f"output {name}": Path(plan.output) / name for name in ("results.md", "results.json", *pages)}
    inputs: dict[str, Iterable[str | Path | None]] = {
        "the plan": [path],
        "the official scores": [plan.official or None],
        "judgments": plan.folders,
        "a model of a system": [value for entry in plan.entries for value in entry.options.values()],
    }
    refuse_overwriting(written, inputs)
    return plan


def _choose(path: str | Path, plan: Plan, only: Sequence[str]) -> tuple[Entry, ...]:
    names = [name for text in only for name in re.split(r"[\s,]+", text) if name]
    if not names:
        listed = ", ".join(entry.name for entry in plan.entries)
        raise UsageError(f"no name in --only {' '.join(only)!r} (expected some of {listed})")
    for name in names:
        if not any(name in (entry.name, entry.kind) for entry in plan.entries):
            listed = ", ".join(entry.name for entry in plan.entries)
            raise UsageError(f"{path}: no system {name!r} in this plan (expected one of {listed})")
    return tuple(entry for entry in plan.entries if entry.name in names or entry.kind in names)


def _check(file: PlanFile, plan: Plan) -> None:
    for entry in plan.entries:
        try:
            spec_of(make(entry.system))
            parse_interval(entry.interval or plan.interval)
        except UsageError as error:
            file.wrong("systems", f"{entry.name}: {error}", "")
    for what, names in (
        ("systems", [slug(entry.name) for entry in plan.entries]),
        ("test_streams", [stream.name for stream in plan.streams]),
    ):
        for name in sorted({name for name in names if names.count(name) > 1}):
            file.wrong(what, f"{name} twice", "each once (a system can be given another `name`)")
    for key in ("output", "models"):
        if "\0" in getattr(plan, key):
            file.wrong(key, f"{key}: a name with a zero byte", "the name of a folder")
    for entry in plan.entries:
        if entry.name.split() != [entry.name]:
            file.wrong("systems", f"the name {entry.name!r}", "one without blanks")
    try:
        plan.wanted  # noqa: B018 parsing is the check
    except UsageError as error:
        file.wrong(
            "measures", str(error), "", "or EG-1 and the like, for which nuggets are taken as clusters"
        )
    if plan.baseline != "best" and plan.baseline not in {entry.name for entry in plan.entries}:
        listed = ", ".join(entry.name for entry in plan.entries)
        file.wrong("baseline", f"the baseline {plan.baseline!r}", f"best, or one of {listed}")
    if plan.split.kind == "by-year" and not (plan.split.train and plan.split.test):
        file.wrong(
            "split", "a split by year without train or test", 'both, as in train = ["2013"], test = ["2014"]'
        )
    if any(len(plan.learns_on(entry).draws) > 1 for entry in plan.entries):
        file.wrong("train_stream", "several seeds", "one: a model learns from one stream")


class Listed(Struct, frozen=True):
    """An event as a split sees it."""

    id: str
    year: str


class Fold(Struct, frozen=True, kw_only=True):
    """One model's events, by id: learned from, stopped by, tested on. No event is in two of them."""

    name: str
    train: tuple[str, ...]
    development: tuple[str, ...]
    test: tuple[str, ...]


def folds_of(events: Sequence[Listed], split: Split, development: int | Sequence[str] = 0) -> list[Fold]:
    """The folds of a split; every tested event is in the test part of exactly one.

    Raises:
        UsageError: the split names what is not there, or leaves nothing to learn from.

    >>> events = [Listed("a", "2013"), Listed("b", "2013"), Listed("c", "2014")]
    >>> [(fold.train, fold.test) for fold in folds_of(events, Split())]
    [(('b', 'c'), ('a',)), (('a', 'c'), ('b',)), (('a', 'b'), ('c',))]
    """
    tested, learned = _find(events, split.test, "test"), _find(events, split.train, "train")
    return [_fold(name, test, learned, development) for name, test in _groups(tested, learned, split)]


def choose_development(train: Sequence[str], how: int | Sequence[str], salt: str = "") -> tuple[str, ...]:
    """The events of `train` to stop early by: those named, or so many, drawn by a hash of their ids and `salt`.

    At least one event is left to learn from.

    >>> choose_development(["a", "b", "c"], 1, "fold") == choose_development(["c", "b", "a"], 1, "fold")
    True
    """
    if not isinstance(how, int):
        return tuple(event for event in train if event in set(how))
    ranked = sorted(train, key=lambda event: hashlib.sha256(f"{salt}\n{event}".encode()).digest())
    chosen = set(ranked[: max(0, min(how, len(train) - 1))])
    return tuple(event for event in train if event in chosen)


def _find(events: Sequence[Listed], names: Sequence[str], what: str) -> list[str]:
    for name in names:
        if not any(name in (event.id, event.year) for event in events):
            years = ", ".join(dict.fromkeys(event.year for event in events))
            raise UsageError(
                f"split.{what}: {name!r} (expected a year ({years}) or the id of a judged event)"
            )
    return [event.id for event in events if not names or event.id in names or event.year in names]


def _groups(tested: list[str], learned: list[str], split: Split) -> Iterator[tuple[str, tuple[str, ...]]]:
    if split.kind == "leave-one-event-out":
        yield from ((event, (event,)) for event in tested)
    elif split.kind == "folds":
        count = min(split.folds, len(tested))
        # Dealt in turn, so that every fold has events of every year.
        yield from ((f"fold-{number + 1}", tuple(tested[number::count])) for number in range(count))
    else:
        both = set(tested) & set(learned)
        if both:
            raise UsageError(
                f"split: {', '.join(sorted(both))} in train and in test (expected each in one of them)"
            )
        yield "all", tuple(tested)


def _fold(name: str, test: tuple[str, ...], learned: list[str], development: int | Sequence[str]) -> Fold:
    rest = [event for event in learned if event not in test]
    if not rest:
        raise UsageError(f"split: nothing to learn from beside {name} (expected two events or more)")
    stops = choose_development(rest, development, " ".join(test))
    train = tuple(event for event in rest if event not in stops)
    if not train:
        raise UsageError(
            f"development: all of {name}'s events to learn from (expected some left); name fewer"
        )
    return Fold(name=name, train=train, development=stops, test=test)


_TASK = re.compile(r"^[^\S\n]*task\s*=", re.MULTILINE)


class EntityPlan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An experiment with rankers of entities. Paths are relative to the folder in which the command runs.

    Attributes:
        task: `entities`; other plans have no such key.
        folders: judgments with streams, one folder for each year.
        output: folder of the tables, one Markdown file for each.
        title: said above the tables.
        takes: how long all of it takes, said before it begins.
        tables: which, by their numbers in the paper.
        event: the event of Table 5; the last one by default.
    """

    task: Literal["entities"]
    folders: Annotated[tuple[str, ...], Meta(min_length=1)]
    output: Annotated[str, Meta(min_length=1)]
    title: str = ""
    takes: str = ""
    tables: Annotated[tuple[Literal[2, 3, 4, 5], ...], Meta(min_length=1)] = (2, 3, 4, 5)
    event: str = ""

    def path_of(self, table: int) -> Path:
        """Where a table is kept."""
        return Path(self.output) / f"table-{table}.md"

    @property
    def _mark(self) -> str:
        words = msgspec.json.encode([msgspec.structs.replace(self, tables=(2,), takes=""), __version__])
        return f"<!-- {sha256(words).hexdigest()[:16]} -->"

    def kept(self, table: int) -> str | None:
        """A table that was made of the same plan by this version of tidings; None where there is none."""
        path = self.path_of(table)
        if not path.is_file():
            return None
        mark, _, text = path.read_text(encoding="utf-8").partition("\n")
        return text if mark == self._mark else None

    def keep(self, table: int, lines: Iterator[str]) -> str:
        """Write a table, whole or not at all; gives its text."""
        text = "\n".join(lines).rstrip("\n") + "\n"
        Path(self.output).mkdir(parents=True, exist_ok=True)
        write_bytes(self.path_of(table), f"{self._mark}\n{text}".encode())
        return text


def asks_for_entities(path: str | Path) -> bool:
    """Whether a plan has the key `task`."""
    return _TASK.search(read_text(path)) is not None


def read_entity_plan(path: str | Path) -> EntityPlan:
    """The plan in a file.

    Raises:
        FormatError: not TOML, an unknown or missing key, a value of the wrong kind, an output among judgments.
        UsageError: a folder that is not there.
    """
    file = PlanFile(path)
    plan = file.read(EntityPlan)
    for folder in plan.folders:
        if not Path(folder).is_dir():
            raise UsageError(f"{path}: no folder {folder} (expected judgments with their pool)")
    file.spare_judgments(plan.folders, output=plan.output)
    file.check()
    return plan
