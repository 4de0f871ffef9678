"""Train the rankers of entities and write their model files, with cards that say how good they are on other events.

    python scripts/train_entity_rankers.py --data ../shared/data --out src/tidings/core/models/weights

The folder of data holds the judged events of TREC Temporal Summarization (`trec-ts/2013`, `trec-ts/2014`). The scores
in a card are of rankers that learned from all events but the one that they rank. `--only tidings` trains one.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from frame import parser as command_line, today, write_model

import tidings
from tidings.analysis.names.weights import shipped_recogniser
from tidings.core.models.files import Model
from tidings.core.records import DataUsed, ModelCard
from tidings.following.entities.ranking import LINEAR_KINDS
from tidings.following.verbs.progress import steps_progress
from tidings.research.training.entities.judged_days import LabelKind, judged_days
from tidings.research.training.entities.ranker_training import (
    MEASURES,
    RankerTraining,
    learn_linear,
    leave_one_out,
    model_parts,
    score_rankings,
)
from tidings.research.training.labelled_events import JudgedEvent, load_events

KINDS: tuple[LabelKind, ...] = ("match", "first mention")


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", action="append", default=[], choices=LINEAR_KINDS)
    given = parser.parse_args()
    events = load_events([given.data / "trec-ts" / year for year in ("2013", "2014")])
    recogniser = shipped_recogniser()
    days = [day for event in events for day in judged_days(event, recogniser)]
    command = [
        "python",
        "scripts/train_entity_rankers.py",
        "--data",
        str(given.data),
        "--out",
        str(given.out),
    ]
    for kind in given.only or LINEAR_KINDS:
        training = RankerTraining(kind=kind)
        with steps_progress("training") as progress:
            ranked = leave_one_out(days, training, progress=progress)
        scores = {}
        for label in KINDS:
            scored = score_rankings(days, ranked, label)
            scores |= {f"{measure} {label}": round(scored.mean(measure), 4) for measure in MEASURES[:4]}
        arrays, settings = model_parts(learn_linear(days, training))
        card = ModelCard(
            system=f"entities-{kind}",
            version=tidings.__version__,
            date=today(),
            command=shlex.join([*command, "--only", kind]),
            seed=training.seed,
            data=_used(events),
            scores=scores,
            about_scores="means over days, each event ranked by what learned from the others",
            notes=f"{sum(map(len, training.columns().values()))} features",
        )
        place = given.out / f"entities-{kind}.safetensors"
        written = write_model(place, Model(card=card, arrays=arrays, settings=settings))
        print(f"{written};", "  ".join(f"{k} {v:.3f}" for k, v in scores.items()))


def _used(events: list[JudgedEvent]) -> tuple[DataUsed, ...]:
    years: dict[tuple[str, str], list[str]] = {}
    for event in events:
        years.setdefault((event.year, event.digest), []).append(event.event.id)
    return tuple(
        DataUsed(name=year, events=tuple(ids), digest=digest) for (year, digest), ids in years.items()
    )


if __name__ == "__main__":
    main()
