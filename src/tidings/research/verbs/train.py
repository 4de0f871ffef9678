"""`tidings train`: learn a system's weights from judged events."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from tidings.core import UsageError, described, refuse_overwriting, say
from tidings.following import describe, parse_interval, steps_progress
from tidings.research.experiments.plan import choose_development
from tidings.research.training.labelled_events import JudgedEvent, load_events
from tidings.research.training.model_files import make_model, train_command
from tidings.research.training.trainers import RANKERS, TRAINERS, Training, trainer_of

StreamName = Literal["pooled", "extended", "mixed"]


@described(__file__)
def train(
    system: str,
    judgments: list[Path],
    out: Path,
    stream: StreamName = "pooled",
    development: list[str] | None = None,
    without: list[str] | None = None,
    views: list[str] | None = None,
    seed: int = 0,
    settings: list[str] | None = None,
    interval: str = "document",
) -> None:
    """Train SYSTEM on judged events and write its model file, with a card that says how it was made.

    When to stop is decided by cross-validation over the training events; then the model is trained on all of them. With
    --development, it is decided on events that are kept out of training.
    """
    ranker = f"entities-{system.removeprefix('entities-').removesuffix('-entities')}"
    if ranker in RANKERS and (views or system not in TRAINERS):
        system = ranker
    trainer_of(system)
    if system != "matcher" and system not in RANKERS:
        describe(system)
    if views and system not in RANKERS:
        listed = ", ".join(RANKERS)
        raise UsageError(
            f"--views: {system} does not learn from page views. Rankers of entities do: {listed}"
        )
    options = _options(settings or [])
    if not out.parent.is_dir() or out.is_dir():
        raise UsageError(
            f"{out}: no folder to write to, or a folder itself; choose the name of a file for --out"
        )
    refuse_overwriting(
        {"--out": out},
        {"judgments": judgments, "what --set names": options.values(), "--views": views or []},
    )
    interval_s = parse_interval(interval)
    events = load_events(judgments, stream, interval_s=interval_s)
    left_out = _list_left_out(without or [], events)
    ids = [event.event.id for event in events if event.event.id not in left_out]
    stops = set(choose_development(ids, _development(development or ["none"], ids)))
    learned = [event for event in events if event.event.id in ids and event.event.id not in stops]
    if not learned:
        raise UsageError("no event left to learn from; name fewer to leave out or to stop by")
    command = train_command(
        system,
        [str(folder) for folder in judgments],
        stream,
        interval_s,
        seed,
        without=left_out,
        development=[event for event in ids if event in stops],
        options=options,
        views=views or (),
    )
    with steps_progress(f"training {system}") as progress:
        training = Training(system, options, seed, 1, progress, views or ())
        card, curve, _ = make_model(
            system,
            learned,
            [event for event in events if event.event.id in stops],
            training,
            command,
            out,
        )

    words = f"{len(curve)} steps looked at" if curve else "no learning curve"
    events_words = f"{len(learned)} event" + ("" if len(learned) == 1 else "s")
    say(f"{system} learned from {events_words} ({words}); the model is at {out}", prefix="")
    if card.scores:
        shown = "  ".join(f"{name} {value:.4f}" for name, value in card.scores.items())
        say(f"{card.about_scores}: {shown}", prefix="")


def _options(texts: list[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--set {text!r} (expected NAME=VALUE, such as --set epochs=3)")
        values[name.strip().replace("-", "_")] = value.strip()
    return values


def _list_left_out(names: list[str], events: list[JudgedEvent]) -> list[str]:
    for name in names:
        if not any(name in (event.event.id, event.year) for event in events):
            listed = ", ".join(event.event.id for event in events)
            raise UsageError(f"--without {name!r} (expected the folder's name or one of {listed})")
    return [event.event.id for event in events if event.event.id in names or event.year in names]


def _development(names: list[str], ids: list[str]) -> int | list[str]:
    if names == ["none"]:
        return 0
    if len(names) == 1 and names[0].isdecimal():
        return int(names[0])
    for name in names:
        if name not in ids:
            raise UsageError(
                f"--development {name!r} (expected `none`, a number, or one of {', '.join(ids)})"
            )
    return names
