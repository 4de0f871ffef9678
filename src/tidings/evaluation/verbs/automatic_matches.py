"""What verbs share that take a program's judgments: their options, possible matches, and updates with their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.evaluation.measures.trec_ts.calibration import SPREAD, THRESHOLD

if TYPE_CHECKING:
    from tidings.core import Judgments, Matcher, PooledUpdate, PossibleMatch, Run


def worded_updates(
    judged: Judgments, runs: Iterable[Run], streams: Sequence[str]
) -> tuple[list[PooledUpdate], int]:
    """What runs told of judged events, each once and with its words; and how many lack them.

    Words are an update's own, else those of the pool, else those of the documents of `streams`.
    """
    from tidings.evaluation.matching.emitted import emitted_updates
    from tidings.following import known_texts
    from tidings.sources import read_stream

    updates = [update for run in runs for update in run.updates]
    texts = {update.id: update.text for update in judged.pool}
    if streams and (missing := [update for update in updates if not update.text and update.id not in texts]):
        texts |= {
            key: said.text for key, said in known_texts(missing, None, map(read_stream, streams)).items()
        }
    return emitted_updates(judged, updates, texts)


def updates_of_runs(judged: Judgments, runs: Sequence[str], streams: Sequence[str]) -> list[PooledUpdate]:
    """What the runs of these files told of judged events, as `worded_updates` finds it.

    How many have none is said.

    Raises:
        UsageError: not one has.
    """
    from tidings.core import UsageError, say
    from tidings.evaluation.scoring.runs import read_runs

    worded, wordless = worded_updates(judged, [run for path in runs for run in read_runs(path)], streams)
    if wordless:
        say(f"left out {wordless:,} updates whose words stand nowhere; name the documents with --stream")
    if not worded:
        raise UsageError(
            f"{runs[0]}: no update of a judged event has its words; "
            "give the documents with --stream, or other judgments"
        )
    return worded


ThresholdOption = Annotated[
    float | None,
    typer.Option(
        "--threshold",
        min=0.0,
        max=1.0,
        help="The least probability of a match decided on.",
        show_default=f"{THRESHOLD:g}",
    ),
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Of the draws.", show_default="0")]
SpreadOption = Annotated[
    float | None,
    typer.Option(
        "--spread",
        min=0.0,
        help="How far the matcher may be off for a whole event, in log-odds (standard deviation).",
        show_default=f"{SPREAD:g}",
    ),
]
CalibrateOption = Annotated[
    bool,
    typer.Option(
        "--calibrate/--no-calibrate",
        help="Move the matcher's probabilities to what people judged of each event.",
    ),
]


def matcher_of(model: str) -> Matcher:
    """The learned matcher, with pairs that are hardly likely left out."""
    from tidings.evaluation.matching.learned import NuggetMatcher

    return NuggetMatcher(model, least=0.01)


def read_matches(path: Path, judged: Judgments) -> Sequence[PossibleMatch]:
    """The pairs of a file that was made for these judgments.

    Raises:
        UsageError: none of them is of a judged event and its nuggets.
    """
    from tidings.core import UsageError, bare_event_id
    from tidings.evaluation.formats.judge_answers import read_possible_matches

    matches = read_possible_matches(path)
    nuggets = {(bare_event_id(nugget.event_id), nugget.id) for nugget in judged.nuggets}
    if not any((bare_event_id(match.event_id), match.nugget_id) in nuggets for match in matches):
        raise UsageError(
            f"{path}: no pair is of a judged event and one of its nuggets; give what `tidings match` wrote with "
            "these judgments"
        )
    return matches


def learned_words(judged: Judgments, model: str) -> list[str]:
    """A line where the matcher learned from events that are judged here, else nothing."""
    from tidings.core import read_model

    events = {event for used in read_model("matcher", model).card.data for event in used.events}
    learned = {nugget.event_id for nugget in judged.nuggets} & events
    if not learned:
        return []
    return [
        f"the matcher learned from {len(learned)} of the judged events: how it does on them is no test of it; --model "
        "takes other weights"
    ]
