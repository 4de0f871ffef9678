"""The official table of the scores of all teams of TREC Temporal Summarization 2014: tab-separated, with a head.

One line for each event and run: QueryID, TeamID, RunID, and the measures by the names in `COLUMNS` and others that are
not read here. Lines of the team ALL, AVG, STD, MIN or MAX, and of such events, sum up the others and are left out.
"""

from __future__ import annotations

import math
from pathlib import Path

from msgspec import Struct

from tidings.core import FormatError, Problem, Problems, read_text

COLUMNS = {
    "updates": "# Updates",
    "E[G]": "E[Gain]",
    "nE[G]": "nE[Gain]",
    "E[LG]": "E[Latency Gain]",
    "nE[LG]": "nE[Latency Gain]",
    "C": "Comprehensiveness",
    "LC": "Latency Comp.",
    "H": "HM(nE[LG],Lat. Comp.)",
    "E[V]": "E[Verbosity]",
    "E[L]": "E[Latency]",
}
"""tidings' name of each measure, and the table's."""

_SUMS = {"ALL", "AVG", "STD", "MIN", "MAX"}


class OfficialScore(Struct, frozen=True):
    """What one run scored on one event; `values` by tidings' names of the measures."""

    event: str
    team: str
    run: str
    values: dict[str, float]


def read_official_scores(path: str | Path) -> list[OfficialScore]:
    """Every line of the table.

    Raises:
        UsageError: no such file; FormatError: no such head, or bad lines, all together.
    """
    lines = read_text(path).splitlines()
    head = lines[0].split("\t") if lines else []
    missing = [name for name in ("QueryID", "TeamID", "RunID", *COLUMNS.values()) if name not in head]
    if missing:
        expected = "the head of TREC 2014's table of scores"
        raise FormatError([Problem(str(path), 1, f"no column {missing[0]!r}", expected)])
    places = {name: head.index(column) for name, column in COLUMNS.items()}
    event, team, run = (head.index(name) for name in ("QueryID", "TeamID", "RunID"))
    scores, problems = [], Problems()
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if not line.strip() or _SUMS & {cells[event : event + 1][0], *cells[team : team + 1]}:
            continue
        if len(cells) != len(head):
            problems.add(str(path), number, f"{len(cells)} columns", str(len(head)))
            continue
        try:
            values = {name: float(cells[place]) for name, place in places.items()}
        except ValueError:
            values = {}
        if not values or not all(map(math.isfinite, values.values())):
            problems.add(str(path), number, "what is no number", "a number in every column of scores")
            continue
        scores.append(OfficialScore(cells[event], cells[team], cells[run], values))
    problems.check()
    return scores
