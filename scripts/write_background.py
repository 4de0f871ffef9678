"""Write how many of 1,000 documents of news hold each stem, where a stream has not yet shown it itself.

python scripts/write_background.py --data ../shared/data

Counted over Timeline17's articles, those of other outlets and of persons, each collection given the same weight, so
that no story fills the list; stems in fewer than one of 4,000 documents are left out.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path

from tidings.core import shared_analyzer

OUT = Path(__file__).parents[1] / "src/tidings/following/grouping/background.txt"
LEAST = 0.25
HEAD = """\
# Documents of 1,000 that hold a stem, by `python scripts/write_background.py --data ../shared/data`.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    paths = [
        *sorted(options.data.glob("tls*/*/articles.jsonl.gz")),
        *sorted(options.data.glob("tls*/*/stream.jsonl.gz")),
    ]
    stems_of = shared_analyzer().stems
    shares: Counter[str] = Counter()
    for path in paths:
        counts: Counter[str] = Counter()
        documents = 0
        for line in gzip.decompress(path.read_bytes()).decode("utf-8").splitlines():
            record = json.loads(line)
            text = record.get("text") or " ".join(record.get("sentences", ()))
            counts.update(set(stems_of(f"{record.get('title', '')} {text}"[:20_000])))
            documents += 1
        for stem, count in counts.items():
            shares[stem] += 1000.0 * count / (documents * len(paths))
    rows = sorted((stem, share) for stem, share in shares.items() if share >= LEAST and not stem.isdigit())
    options.out.write_text(HEAD + "".join(f"{stem} {share:.2f}\n" for stem, share in rows), encoding="utf-8")
    print(f"{len(rows)} stems of {len(paths)} collections to {options.out}")


if __name__ == "__main__":
    main()
