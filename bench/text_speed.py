"""Speed of the text room, on one core: rows of (what, amount per second, unit, note)."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence

from bench.frame import ROOT, Row, speed


def rows(texts: Sequence[str]) -> list[Row]:
    """What the text room does in a second, on these sentences (all different)."""
    import nupunkt

    from tidings.analysis.values.counts import find_casualties
    from tidings.core import Analyzer, NearDuplicates, shingles, split

    plain = Analyzer(text_limit=0)
    article = " ".join(texts)
    megabytes = len(article.encode("utf-8", "surrogateescape")) / 1e6
    stream = altered([plain.stems(text) for text in texts][:12_894], 5_000)

    def index(keep_s: int) -> None:
        kept = NearDuplicates(threshold=0.5, keep_s=keep_s)
        for time, stems in enumerate(stream):
            members = shingles(stems)
            kept.find(members, time)
            kept.add(str(time), members, time)

    count, found = len(texts), "near-duplicates, find and add"
    return [
        speed(
            "tokens and stems",
            count,
            lambda: [plain.stems(t) for t in texts],
            "sentences",
            "no memory of texts",
        ),
        speed("sentence spans", megabytes, lambda: split(article), "MB", "one text of all sentences"),
        speed(
            "sentence spans by nupunkt", megabytes, lambda: nupunkt.sent_spans(article), "MB", "same text", 1
        ),
        speed(found, len(stream), lambda: index(0), "sentences", "nothing forgotten"),
        speed(found, len(stream), lambda: index(3_000), "sentences", "the last 3,000 kept"),
        speed("tolls", count, lambda: [find_casualties(t) for t in texts], "sentences", times=1),
    ]


def altered(sentences: list[tuple[str, ...]], copies: int) -> list[tuple[str, ...]]:
    """The sentences and copies of some with a tenth of the stems replaced, shuffled (seed 1)."""
    rng = random.Random(1)
    vocabulary = [stem for stems in sentences for stem in stems]
    changed = [
        tuple(rng.choice(vocabulary) if rng.random() < 0.1 else stem for stem in stems)
        for stems in rng.sample(sentences, min(copies, len(sentences)))
    ]
    stream = sentences + changed
    rng.shuffle(stream)
    return stream


def splitter_cases() -> list[Row]:
    """How many of the hard cases of tests/text each splitter gets right."""
    import nupunkt

    sys.path.insert(0, str(ROOT))
    from tests.core.text.hard_sentences import cases

    from tidings.core import split

    found: list[Row] = []
    for name, spans in (("own rules", split), ("nupunkt", nupunkt.sent_spans)):
        right = sum([text[a:b].strip() for a, b in spans(text)] == expected for text, expected in cases())
        found.append((f"hard cases of sentence ends, {name}", right, f"of {len(cases())}", ""))
    return found


if __name__ == "__main__":
    from tidings.sources.streams import read_stream

    folder = sys.argv[1] if len(sys.argv) > 1 else str(ROOT.parent / "shared/data/trec-ts/2014")
    sentences = dict.fromkeys(s.text for document in read_stream(folder) for s in document.sentences)
    for what, amount, unit, note in rows(list(sentences)) + splitter_cases():
        print(f"{what:45} {amount:12,.1f} {unit:12} {note}")
