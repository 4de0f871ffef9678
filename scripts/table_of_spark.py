"""Print whether Spark gives the runs of one process, byte for byte, on the streams of ../shared/data.

    python scripts/table_of_spark.py --data ../shared/data
    python scripts/table_of_spark.py --data ../shared/data --only H1N1_bbc --partitions 1 4 16

Streams: the pools of TREC TS 2013 and 2014, each sentence offered to the events it was pooled for, and to all of them
(`mixed`), and five stories of Timeline17. The documents are put in order by time and id for the process; for Spark they
are cut at random into files, in disorder, as late as the lateness allows, and a batch takes a third of the files.
Without --partitions each line has another of 1, 4 and 16.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from itertools import cycle, product
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.pace import QUERIES, documents_of
from frame import parser as command_line
from tests.following.engines.spark.runs import cut, in_order, on_spark, on_this_machine, surroundings

from tidings.core.records import Document
from tidings.following.engines.spark.host import begin_session
from tidings.sources.own.documents import write_documents
from tidings.sources.streams import read_stream

SYSTEMS = ("cosine", "centroid", "tidings", "sumbasic --interval 1h", "tidings:values=yes")
POOLS = ("2013", "2014", "2013 mixed", "2014 mixed")
FILES, BATCHES = 9, 3
ROW = "{:18} {:24} {:>10} {:>9} {:>8} {:>9} {:>9}  {}"


def stream_of(data: Path, name: str) -> tuple[list[Document], list[str]]:
    """The documents of a stream, and how it is followed."""
    if name in QUERIES:
        return documents_of(name), ["--query", QUERIES[name]]
    year, _, mixed = name.partition(" ")
    folder = data / "trec-ts" / year
    followed = ["--event", str(folder / "topics.xml"), *(["--mixed"] if mixed else [])]
    return list(read_stream(folder)), followed


def main(arguments: Sequence[str] | None = None) -> int:
    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("TIDINGS_DATA", "../shared/data")))
    parser.add_argument("--only", nargs="*", default=[*QUERIES, *POOLS], help="streams")
    parser.add_argument("--systems", nargs="*", default=SYSTEMS)
    parser.add_argument("--partitions", nargs="*", type=int, default=[])
    chosen = parser.parse_args(arguments)
    os.environ |= surroundings()
    began, different = perf_counter(), 0
    turns = cycle((1, 4, 16))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        begin_session("local[2]", log=str(place / "log"))
        print(f"Spark was ready after {perf_counter() - began:.0f} s")
        print(
            ROW.format("stream", "system", "partitions", "documents", "updates", "here (s)", "Spark (s)", "")
        )
        for name in chosen.only:
            documents, followed = stream_of(chosen.data, name)
            write_documents(place / "made.jsonl", documents)
            lines = (place / "made.jsonl").read_bytes().splitlines()
            whole = in_order(lines, place / "all.jsonl")
            stem = name.replace(" ", "-")
            parts = cut(lines, place / stem, FILES, seed=len(name))
            for system, partitions in product(chosen.systems, chosen.partitions or [0]):
                form = "jsonl" if "values" in system else "run"
                options = [*followed, "--system", *system.split()]
                number = partitions or next(turns)
                out = f"{stem}-{system.split()[0].replace(':', '-')}-{number}"
                started = perf_counter()
                expected = on_this_machine(place / f"here-{out}.{form}", whole, *options)
                here_s, started = perf_counter() - started, perf_counter()
                layout = ["--partitions", str(number), "--files-per-batch", str(FILES // BATCHES)]
                found = on_spark(place / f"there-{out}.{form}", parts, *options, *layout)
                spark_s = perf_counter() - started
                verdict = "identical" if found == expected else "DIFFERENT"
                different += found != expected
                updates, count = f"{len(expected.splitlines()):,}", f"{len(documents):,}"
                times = f"{here_s:.1f}", f"{spark_s:.1f}"
                print(ROW.format(name, system, number, count, updates, *times, verdict), flush=True)
    print(f"{different} runs differ")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
