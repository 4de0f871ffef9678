"""Making a model: training, scoring on the events that stopped it, and writing the file with its card."""

from __future__ import annotations

import hashlib
import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tidings.core import (
    DataUsed,
    ModelCard,
    System,
    UsageError,
    format_duration,
    pip_install,
    write_bytes,
    write_model_bytes,
)
from tidings.following import innermost, make, replace_innermost
from tidings.research.training.labelled_events import JudgedEvent
from tidings.research.training.trainers import NEVER_STOP_EARLY, Training, trainer_of


def train_command(
    system: str,
    folders: Sequence[str],
    stream: str,
    interval_s: int,
    seed: int,
    *,
    without: Sequence[str],
    development: Sequence[str],
    options: Mapping[str, str],
    views: Sequence[str] = (),
) -> str:
    """The command that repeats a training, but for --out.

    >>> train_command("ius", ["a"], "pooled", 0, 1, without=["e1"], development=[], options={})
    'tidings train ius --judgments a --stream pooled --interval document --seed 1 --without e1 --development none'
    """
    words = ["tidings", "train", system]
    pairs = [("--judgments", folder) for folder in folders]
    interval = format_duration(interval_s) if interval_s else "document"
    pairs += [("--stream", stream), ("--interval", interval), ("--seed", str(seed))]
    pairs += [("--without", event) for event in without]
    pairs += [("--development", event) for event in development or ["none"]]
    pairs += [("--views", path) for path in views]
    pairs += [("--set", f"{name}={value}") for name, value in options.items()]
    return shlex.join([*words, *(word for pair in pairs for word in pair)])


def with_model(system: System, path: str | Path) -> System:
    """The system with another model file.

    Raises:
        UsageError: it has no option `model`.
    """
    decider = innermost(system)
    if not isinstance(decider, Struct) or not hasattr(decider, "model"):
        raise UsageError(f"system {system.name!r}: no option 'model' (expected one in a system that learns)")
    changed: Any = msgspec.structs.replace(decider, model=str(path))
    return replace_innermost(system, changed)


def make_model(
    system: str,
    events: Sequence[JudgedEvent],
    development: Sequence[JudgedEvent],
    training: Training,
    command: str,
    out: Path,
) -> tuple[ModelCard, list[dict[str, float]], str]:
    """Train a system, score it on the development events, and write the model with its card to `out`.

    Returns the card, the learning curve and the SHA-256 of the file.
    """
    from tidings import __version__

    if system in NEVER_STOP_EARLY:
        events, development = [*events, *development], []
    learned = trainer_of(system)(events, development, training)
    card = ModelCard(
        system=system,
        version=__version__,
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        command=command,
        seed=training.seed,
        data=_list_used(events, "learned from") + _list_used(development, "stopped by"),
        scores=dict(learned.scores),
        about_scores=learned.about_scores,
        notes=learned.notes,
    )
    if development:
        with _draft(out, write_model_bytes(learned.model(card))) as draft:
            decider = with_model(make(system), draft)
            each = [event.score(event.run(decider)) for event in development]
        scores = {name: sum(figures[name] for figures in each) / len(each) for name in each[0]}
        about = f"means over the events that stopped training: {', '.join(e.event.id for e in development)}"
        card = msgspec.structs.replace(card, scores=scores, about_scores=about)
    data = write_model_bytes(learned.model(card))
    write_bytes(out, data)
    curve = [{key: float(value) for key, value in row.items()} for row in learned.curve]
    return card, curve, hashlib.sha256(data).hexdigest()


@contextmanager
def _draft(out: Path, data: bytes) -> Iterator[Path]:
    import tempfile

    with tempfile.TemporaryDirectory(prefix="tidings-") as folder:
        draft = Path(folder) / f"{out.stem}.safetensors"
        draft.write_bytes(data)
        yield draft


def _list_used(events: Sequence[JudgedEvent], how: str) -> tuple[DataUsed, ...]:
    groups: dict[tuple[str, str], list[str]] = {}
    for event in events:
        groups.setdefault((event.year, event.digest), []).append(event.event.id)
    return tuple(
        DataUsed(name=f"{year} ({how})", events=tuple(ids), digest=digest)
        for (year, digest), ids in groups.items()
    )


_NAMES = {"sklearn": "scikit-learn", "scipy": "SciPy"}


def need(module: str, extra: str = "train") -> Any:
    """A module of a package that comes with an extra of tidings.

    Raises:
        UsageError: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise UsageError(
            f"Training needs {_NAMES.get(package, package)}. Run: {pip_install(f'[{extra}]')}"
        ) from None
