"""Time tidings beside its peers, print one table, and write it to bench/results/.

    python -m bench [--data FOLDER] [--official SCRIPT] [--only PART,PART...]

FOLDER is that of TREC 2014 (runs, nuggets, matches, pools); without it only what needs no data is measured.
PART is scoring, following, articles, resume, piles, memory, endless, standing, archives, feeds, tables, pages or
matching.
SCRIPT is the track's official scorer, if you have it in a form that runs on Python 3.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from bench import (
    endless,
    matching_speed,
    piles,
    processes,
    reading_speed,
    resume,
    standing_events,
)
from bench.frame import TREC, Row, parser as command_line, write_results
from tidings.core.display.tables import Table, render


def main() -> int:
    """Measure, print, write."""
    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, default=TREC)
    parser.add_argument("--official", type=Path)
    parser.add_argument("--only", default="")
    wanted = parser.parse_args()
    folder = wanted.data if wanted.data.is_dir() else None
    if folder is None:
        print(f"the TREC data is not at {wanted.data}: measuring only what needs none of it", file=sys.stderr)
    parts: dict[str, Callable[[], list[Row]]] = {
        "archives": reading_speed.archive_rows,
        "feeds": lambda: reading_speed.feed_rows(wanted.data.parent.parent),
        "tables": reading_speed.table_rows,
        "resume": resume.rows,
        "piles": piles.rows,
    }
    articles = wanted.data.parent.parent / "html" / "fundus.tgz"
    if articles.is_file():
        parts["pages"] = lambda: reading_speed.page_rows(articles)
    if folder is not None:
        parts = {
            "scoring": lambda: processes.scoring(folder, wanted.official),
            "following": lambda: processes.following(folder),
            "articles": lambda: processes.articles(folder.parent.parent / "tls"),
            "memory": lambda: processes.memory(folder),
            "endless": lambda: endless.rows(folder),
            "matching": lambda: matching_speed.rows(folder),
            "standing": lambda: standing_events.rows(folder.parent.parent),
            **parts,
        }
    chosen = [name for name in wanted.only.split(",") if name] or list(parts)
    if unknown := [name for name in chosen if name not in parts]:
        parser.error(f"--only {unknown[0]}: no such part; choose from {', '.join(parts)}")
    os.sched_setaffinity(0, {0})
    rows = []
    for name in chosen:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        rows += [(name, *row) for row in parts[name]()]
    table = Table(
        ("part", "what", "figure", "unit", "note"), tuple((*r[:2], _figure(r[2]), *r[3:]) for r in rows)
    )
    print(render(table))
    if not wanted.only:
        head = f"{processes.machine()}. Printed by `make bench`."
        write_results("", "", head, render(table, "markdown"))
    return 0


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main())
