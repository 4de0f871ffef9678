"""`tidings train`: learn a system's weights from judged events."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from tidings.core import UsageError, refuse_overwriting, say
from tidings.following import describe, parse_interval, steps_progress
from tidings.research.experiments.plan import choose_development
from tidings.research.training.labelled_events import JudgedEvent, load_events
from tidings.research.training.model_files import make_model, train_command
from tidings.research.training.trainers import RANKERS, TRAINERS, Training, trainer_of

StreamName = Literal["pooled", "extended", "mixed"]


def train(
    system: Annotated[
        str,
        typer.Argument(
            metavar="SYSTEM",
            help="apsal, hres, ius, l2s, l2s-cos, matcher, nnrl or tidings; or a ranker of a day's entities: adapter, "
            "no-adapt, sal, inf, taer, ius-entities, entities-tidings.",
            show_default=False,
        ),
    ],
    judgments: Annotated[
        list[Path],
        typer.Option("--judgments", "-j", help="Folder of judged events; may be given several times."),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="MODEL", help="Where the model goes (.safetensors).")
    ],
    stream: Annotated[
        StreamName,
        typer.Option(
            help="What each event is shown: its pool, all duplicates too, or all events of its folder."
        ),
    ] = "pooled",
    development: Annotated[
        list[str] | None,
        typer.Option(
            "--development",
            metavar="EVENT",
            help="Event by which to stop early, not learned from; several times, or how many, or `none`, the default: "
            "what is learned from decides, fold by fold. apsal, ius and matcher learn from it too.",
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without",
            metavar="EVENT",
            help="Event, or year, to leave out altogether; may be given several times.",
        ),
    ] = None,
    views: Annotated[
        list[str] | None,
        typer.Option(
            "--views",
            metavar="FILE",
            help="Page views to learn a ranker of entities from, instead of judgments: hourly dumps, or what "
            "`tidings entities views` wrote; may be given several times.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Seed of everything random.")] = 0,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Option of the trainer; several times. A wrong NAME is answered with those there are.",
        ),
    ] = None,
    interval: Annotated[str, typer.Option(help="Decide per `document`, or every 10m, 1h, ...")] = "document",
) -> None:
    """Train SYSTEM on judged events and write its model file, with a card that says from what and how.

    When to stop is decided by folds: trained without some of the events, it is scored on those, in turn for all; then
    it learns from all of them. With --development it is decided on events that are kept out of learning.
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
    left_out = _left_out(without or [], events)
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
            [one for one in events if one.event.id in stops],
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


def _left_out(names: list[str], events: list[JudgedEvent]) -> list[str]:
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
