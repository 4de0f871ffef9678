"""Speed of automatic matching: a submission of TREC 2014 against its topics' nuggets, the whole process.

    python -m bench.matching_speed [FOLDER]

Prints a table and writes it to bench/results/. The submission's 111,200 lines name 86,576 sentences, of which the
judged pool holds the words of 4,497. The others get words of their own, the first half of one pooled sentence of their
topic and the second half of another, so that nearly all texts are distinct, which is the dearest case.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from random import Random

from bench.frame import TREC, write_results
from bench.processes import TIDINGS, Row, machine, run
from tidings.core.display.tables import Table, render

RUN = Path("runs") / "cunlp.run.gz"


def with_words(folder: Path, out: Path) -> tuple[int, int]:
    """Write the submission with words as updates; (its lines, distinct texts of a topic)."""
    from tidings.core.records import Run, Update, bare_event_id
    from tidings.evaluation.scoring.runs import read_runs
    from tidings.following.outputs.outputs import write_updates
    from tidings.sources.streams import read_judgments

    pool = read_judgments(folder, pool="extended").pool
    known = {one.id: one.text for one in pool}
    of_event: defaultdict[str, list[list[str]]] = defaultdict(list)
    for one in pool:
        if not one.duplicate_of:
            of_event[bare_event_id(one.event_id)].append(one.text.split())
    draw = Random(1)
    made: dict[str, str] = {}
    runs: list[Run] = []
    texts: set[tuple[str, str]] = set()
    for submitted in read_runs(folder / RUN):
        updates: list[Update] = []
        for update in submitted.updates:
            event = bare_event_id(update.event_id)
            if update.id not in made:
                one, other = draw.sample(of_event[event], 2)
                mixed = " ".join(one[: (len(one) + 1) // 2] + other[len(other) // 2 :])
                made[update.id] = known.get(update.id, mixed)
            texts.add((event, made[update.id]))
            updates.append(
                Update(event, update.doc_id, update.sentence_index, update.time, text=made[update.id])
            )
        runs.append(Run(submitted.team, submitted.name, tuple(updates)))
    write_updates(out, runs)
    return sum(len(one.updates) for one in runs), len(texts)


def rows(folder: Path) -> list[Row]:
    """Rows of (what, figure, unit, note) for the folder of 2014; none where it is not there."""
    if not (folder / RUN).is_file():
        return []
    with tempfile.TemporaryDirectory() as place:
        path, out = Path(place) / "run.jsonl", Path(place) / "matches.jsonl"
        lines, texts = with_words(folder, path)
        begun = time.perf_counter()
        cost = run(*TIDINGS, "match", str(path), "-j", str(folder), "-o", str(out))
        wall_s = time.perf_counter() - begun
        pairs = out.read_bytes().count(b"\n")
    note = f"{texts:,} distinct texts, {pairs:,} pairs found, {cost.cpu_s:.0f} s CPU, {cost.peak_mib:.0f} MiB"
    return [(f"match {lines:,} updates of a submission, whole process", wall_s, "s", note)]


def main() -> None:
    """Measure, print, write."""
    chosen = Path(sys.argv[1]) if len(sys.argv) > 1 else TREC
    made = rows(chosen)
    table = render(Table(("what", "figure", "unit", "note"), tuple(made), digits=1), "markdown")
    print(table)
    where = machine().removesuffix(", one core used")
    write_results("-matching", "Matching, ", f"{where}. Printed by `python -m bench.matching_speed`.", table)


if __name__ == "__main__":
    main()
