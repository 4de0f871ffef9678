"""Learn from assessors' matches what the matcher weighs, and write its model file.

python scripts/train_matcher.py ../shared/data/trec-ts/2013 ../shared/data/trec-ts/2014     # the shipped weights
python scripts/train_matcher.py ../shared/data/trec-ts/2013 --out matcher-2013.safetensors  # of 2013 alone
"""

from __future__ import annotations

import argparse
import hashlib
from datetime import UTC, datetime
from pathlib import Path

from tidings import __version__
from tidings.formats import read_judgments
from tidings.formats.files.writing import write_atomically
from tidings.judgments.matching.judged import judged_event_texts
from tidings.judgments.matching.learning import JudgedRows, judged_rows, learn_matcher
from tidings.models.files import Model, write_model_bytes
from tidings.records import DataUsed, ModelCard

SHIPPED = Path(__file__).parents[1] / "src" / "tidings" / "models" / "weights" / "matcher.safetensors"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    given = parser.parse_args()
    events: list[JudgedRows] = []
    used: list[DataUsed] = []
    for folder in given.folders:
        own = [judged_rows(event) for event in judged_event_texts(read_judgments(folder))]
        digests = "".join(
            hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("*.gz"))
        )
        digest = hashlib.sha256(digests.encode()).hexdigest()
        used.append(DataUsed(name=folder.name, events=tuple(one.event_id for one in own), digest=digest))
        events += own
    arrays, settings = learn_matcher(events).export()
    card = ModelCard(
        system="matcher",
        version=__version__,
        date=datetime.now(UTC).strftime("%Y-%m-%d"),
        command=" ".join(["python scripts/train_matcher.py", *map(str, given.folders)]),
        data=tuple(used),
        notes="Figures in docs/matching.md are of weights learned from 2013 alone and tested on 2014; "
        f"learned from {sum(one.total for one in events):,} matched pairs of distinct texts and nuggets.",
    )
    data = write_model_bytes(Model(card=card, arrays=arrays, settings=settings))
    with write_atomically(given.out) as file:
        file.write(data)
    print(f"{given.out.name}: {len(data):,} bytes, learned from {len(events)} events")


if __name__ == "__main__":
    main()
