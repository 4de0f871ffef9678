"""The work of an experiment, in pieces: each trains one model or follows a few events with one system.

Each is keyed by a digest of the code it runs, among others, so that results of other code are not taken for its own.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tidings.core import UsageError
from tidings.following import as_decider, describe, innermost, make
from tidings.research.experiments.plan import Entry, Fold, Listed, Plan, TestStream, folds_of, slug
from tidings.research.training.labelled_events import JudgedEvent, StreamKind
from tidings.research.training.trainers import TRAINERS

_PASSED_THROUGH = (
    *(
        "core.records",
        "core.errors",
        "core.columns",
        "core.tasks",
        "core.protocols",
        "core.text",
        "core.models",
    ),
    *("core.files", "sources", "analysis"),
    *("following.stream", "following.outputs", "following.systems", "following.digests"),
    *("evaluation.measures", "evaluation.formats"),
    *("research.systems", "research.training", "research.experiments"),
)
"""The parts of the wings that a result passes through."""
_NOT_PASSED_THROUGH = ("sources.polling", "sources.inbox", "sources.bundled")
# These name what there is or which pieces there are, and both stand in the key of each: a new line in them changes no
# result.
_LISTS = {
    "tidings.following.systems.registry",
    "tidings.research.training",
    "tidings.research.training.trainers",
    "tidings.research.experiments.experiment",
    "tidings.research.experiments.jobs",
    "tidings.research.experiments.plan",
}


@lru_cache(maxsize=128)
def code_digest(*modules: str) -> str:
    """SHA-256 over the source of these modules and of all that they import of the parts that a result passes through.

    A file of words beside a module, of the same name (.toml), counts as part of it.

    Those are all but the command line, pages, stores and hosts: who reads, orders, decides and measures is in it. A
    module outside of tidings (a plug-in) counts with its own file only.

    >>> code_digest("tidings.following.systems.cosine") == code_digest("tidings.following.systems.sumbasic")
    False
    """
    source_of: dict[str, bytes] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        place = _place(name)
        if place is None or name in source_of:
            continue
        source, words = place.read_bytes(), place.with_suffix(".toml")
        source_of[name] = source + (words.read_bytes() if words.is_file() else b"")
        if name in modules or _ours(name):
            waiting += [module for module in _imports(name, place, source) if _ours(module)]
    digest = hashlib.sha256()
    for name in sorted(source_of):
        digest.update(name.encode() + b"\0" + hashlib.sha256(source_of[name]).digest())
    return digest.hexdigest()


def _ours(name: str) -> bool:
    return (
        _is_within(name, _PASSED_THROUGH) and not _is_within(name, _NOT_PASSED_THROUGH) and name not in _LISTS
    )


def _is_within(name: str, parts: tuple[str, ...]) -> bool:
    return f"{name}.".startswith(tuple(f"tidings.{part}." for part in parts))


@lru_cache(maxsize=1024)
def _place(name: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


@lru_cache(maxsize=1024)
def _imports(name: str, place: Path, source: bytes) -> tuple[str, ...]:
    return tuple(_import(name, place, source))


def _import(name: str, place: Path, source: bytes) -> Iterator[str]:
    home = name if place.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(home.split(".")[: len(home.split(".")) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module or "") if part)
            homes = _face(module)
            yield from (homes.get(alias.name, module) for alias in node.names)
            # `from package import module` names a file too; a name that is none is left out later.
            yield from (f"{module}.{alias.name}" for alias in node.names)


@lru_cache(maxsize=64)
def _face(wing: str) -> dict[str, str]:
    """The module in which each name stands that a wing's face offers; empty for what is no wing."""
    place = _place(wing) if wing.count(".") == 1 else None
    stub = place.with_suffix(".pyi") if place is not None else None
    if stub is None or not stub.is_file():
        return {}
    return {
        alias.name: f"{wing}.{node.module}" if node.module else wing
        for node in ast.parse(stub.read_bytes()).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


class Stream(Struct, frozen=True, kw_only=True):
    """One stream exactly: kind, share of sentences, the seed of that draw, decision interval."""

    stream: StreamKind
    keep: float = 1.0
    seed: int = 0
    interval_s: int = 0


class TrainJob(Struct, frozen=True, kw_only=True, tag="train"):
    """Train one model. All that its weights depend on goes into `key`; `folders` and `out` do not."""

    entry: str
    system: str
    options: dict[str, str]
    stream: Stream
    fold: Fold
    data: dict[str, str]
    code: str
    seed: int
    folders: tuple[str, ...]
    out: str
    key: str = ""

    @property
    def result(self) -> Path:
        """The file whose presence says that this is done."""
        return Path(self.out) / f"{slug(self.system)}-{self.key[:16]}.json"

    @property
    def model(self) -> Path:
        """The model file."""
        return self.result.with_suffix(".safetensors")


class FollowJob(Struct, frozen=True, kw_only=True, tag="follow"):
    """Follow the test events of one fold with one system, and score what it tells.

    `trained` is the key of the training that it needs; `model` the file that this gives.
    """

    entry: str
    system: str
    stream: Stream
    stream_name: str
    fold: str
    test: tuple[str, ...]
    data: dict[str, str]
    code: str
    measures: tuple[str, ...]
    seed: int
    trained: str
    weights: str
    folders: tuple[str, ...]
    out: str
    model: str = ""
    key: str = ""

    @property
    def result(self) -> Path:
        """The file of scores, whose presence says that this is done."""
        return Path(self.out) / f"{slug(self.fold)}-{self.key[:16]}.json"

    @property
    def run(self) -> Path:
        """The run in TREC's format."""
        return self.result.with_suffix(".tsv")


Job = TrainJob | FollowJob

_EXECUTION = "tidings.research.experiments.execution"
"""What does a piece: everything that it reads, follows and measures with is imported from there."""

_NO_PART = {"entry", "folders", "out", "key", "model", "stream_name"}


def digest_of(value: Any, leave: frozenset[str] = frozenset()) -> str:
    """SHA-256 of a value's JSON with its keys in order, without the keys in `leave`."""
    plain = msgspec.to_builtins(value)
    if isinstance(plain, dict):
        plain = {key: value for key, value in plain.items() if key not in leave}
    return hashlib.sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()


def learns(entry: Entry) -> bool:
    """Whether an experiment trains this system: it has a trainer and is not told which weights to take."""
    return entry.learn and entry.kind in TRAINERS and not _named_model(entry.system)


def plan_jobs(plan: Plan, events: Sequence[JudgedEvent]) -> list[Job]:
    """All work of a plan: each training before what needs it, and no training twice."""
    from tidings.following import parse_interval

    listed = [Listed(event.event.id, event.year) for event in events]
    data = {event.event.id: event.digest for event in events}
    jobs: dict[str, Job] = {}
    for entry in plan.entries:
        interval_s = parse_interval(entry.interval or plan.interval)
        if not learns(entry):
            tested = _list_tested(plan, listed)
            for follow in _follows(plan, entry, interval_s, "all", tested, data, 0, None):
                jobs[follow.key] = follow
            continue
        stops = plan.stops_by(entry)
        for name in () if isinstance(stops, int) else stops:
            if name not in data:
                raise UsageError(f"development: {name!r} (expected a number, or ids among {', '.join(data)})")
        for fold in folds_of(listed, plan.split, stops):
            for seed in entry.seeds or plan.seeds:
                train = _make_training(plan, entry, interval_s, fold, data, seed)
                jobs[train.key] = train
                for follow in _follows(plan, entry, interval_s, fold.name, fold.test, data, seed, train):
                    jobs[follow.key] = follow
    return list(jobs.values())


def _list_tested(plan: Plan, listed: Sequence[Listed]) -> tuple[str, ...]:
    names = plan.split.test
    tested = tuple(entry.id for entry in listed if not names or entry.id in names or entry.year in names)
    if not tested:
        folds_of(listed, plan.split)  # says what is wrong
    return tested


def _make_training(
    plan: Plan, entry: Entry, interval_s: int, fold: Fold, data: dict[str, str], seed: int
) -> TrainJob:
    used = (*fold.train, *fold.development)
    module, stream = TRAINERS[entry.kind].partition(":")[0], plan.learns_on(entry)
    job = TrainJob(
        entry=entry.name,
        system=entry.kind,
        options=entry.options,
        stream=_stream(stream, stream.draws[0], interval_s),
        fold=fold,
        data={event: data[event] for event in used},
        code=code_digest(module, describe(entry.kind).build.__module__, _EXECUTION),
        seed=seed,
        folders=plan.folders,
        out=str(plan.models_folder),
    )
    # The tested events play no part in training: the same model serves whatever it is tested on.
    fold_used = msgspec.structs.replace(fold, name="", test=())
    key = digest_of(msgspec.structs.replace(job, fold=fold_used), frozenset(_NO_PART))
    return msgspec.structs.replace(job, key=key)


def _follows(
    plan: Plan,
    entry: Entry,
    interval_s: int,
    fold: str,
    test: tuple[str, ...],
    data: dict[str, str],
    seed: int,
    train: TrainJob | None,
) -> list[FollowJob]:
    jobs = []
    for stream in plan.streams:
        for draw in stream.draws:
            job = FollowJob(
                entry=entry.name,
                system=entry.system,
                stream=_stream(stream, draw, interval_s),
                stream_name=stream.name,
                fold=fold,
                test=test,
                data={event: data[event] for event in test},
                code=code_digest(*_modules(entry.system), _EXECUTION),
                measures=tuple(map(str, plan.wanted)),
                seed=seed,
                trained=train.key if train else "",
                weights="" if train else _weights(entry.system),
                folders=plan.folders,
                out=str(Path(plan.output) / "scores" / stream.name / slug(entry.name)),
                model=str(train.model) if train else "",
            )
            jobs.append(msgspec.structs.replace(job, key=digest_of(job, frozenset(_NO_PART))))
    return jobs


def _stream(stream: TestStream, draw: int, interval_s: int) -> Stream:
    return Stream(stream=stream.stream, keep=stream.keep, seed=draw, interval_s=interval_s)


def _named_model(spec: str) -> str:
    decider = innermost(make(spec))
    return str(msgspec.structs.asdict(decider).get("model", "")) if isinstance(decider, Struct) else ""


def _modules(spec: str) -> list[str]:
    """Where the system comes from, and whatever limits it."""
    decider = as_decider(make(spec))
    return [type(part).__module__ for part in (*decider.stages, decider.system)]


def _weights(spec: str) -> str:
    """A digest of the weights that a system takes when nothing is trained for it."""
    card = make(spec).card
    return card.digest if card is not None else ""
