"""Train the recogniser of names and write its model file with a card.

    python scripts/train_names.py --data ../shared/data --out src/tidings/analysis/names/weights/names.safetensors

The folder of data holds `ner` (labelled corpora) and texts without labels. `--without gum` leaves a corpus out, labels
and words.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from frame import parser as command_line, today
from name_scores import measure
from name_training import (
    CORPORA,
    NameTraining,
    data_used,
    labelled,
    lexicon_of,
    train_names,
)

import tidings
from tidings.analysis.names.recogniser import NameRecogniser
from tidings.analysis.names.weights import SYSTEM, weights_bytes
from tidings.core.files.writing import write_atomically
from tidings.core.records import ModelCard
from tidings.following.verbs.progress_line import steps_progress


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--without", action="append", default=[], choices=CORPORA)
    given = parser.parse_args()
    names = [name for name in CORPORA if name not in given.without]
    corpora = labelled(given.data, names)
    lexicon = lexicon_of(given.data, corpora, given.seed)
    training = NameTraining(seed=given.seed)
    with steps_progress("training") as progress:
        field = train_names(corpora, lexicon, training, progress)
    recogniser = NameRecogniser(field)
    measured = {**corpora, **labelled(given.data, ["ewt", *given.without])}
    scores = {}
    for name, documents in measured.items():
        held_back = documents if name in given.without else [one for one in documents if one.part == "dev"]
        if held_back:
            scores[f"F1 {name}"] = round(measure(held_back, recogniser.spans)["all", "all"].f1, 4)
    words = ["python", "scripts/train_names.py", "--data", str(given.data), "--seed", str(given.seed)]
    card = ModelCard(
        system=SYSTEM,
        version=tidings.__version__,
        date=today(),
        command=shlex.join([*words, *(word for one in given.without for word in ("--without", one))]),
        seed=given.seed,
        data=data_used(given.data, names),
        scores=scores,
        about_scores="F1 of whole names with their types, on documents that were not learned from",
        notes=f"{len(field.rows):,} features; {len(lexicon.clusters):,} words in clusters",
    )
    with write_atomically(given.out) as file:
        file.write(weights_bytes(field, card))
    print(
        f"{given.out}: {given.out.stat().st_size:,} bytes;",
        "  ".join(f"{k} {v:.3f}" for k, v in scores.items()),
    )


if __name__ == "__main__":
    main()
