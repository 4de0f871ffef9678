"""Modeled stream utility: a thousand readers on a run of 5,000 updates over ten days.

python -m bench.msu_speed
"""

from __future__ import annotations

import time
from random import Random

from tidings.core.records import Event, Judgments, Match, Nugget, PooledUpdate, Run, Update
from tidings.evaluation.measures.msu import Population, prepare

UPDATES = 5_000
NUGGETS = 100
DAYS = 10


def made_up(updates: int = UPDATES) -> tuple[Judgments, Run]:
    """An event of ten days, and a run on it of which every fifth update tells a nugget."""
    draw = Random(1)
    event = Event(id="e", title="", query="", start_time=0, end_time=DAYS * 86400)
    nuggets = tuple(Nugget("e", f"n{i}", draw.randrange(event.end_time), 1, "text") for i in range(NUGGETS))
    pool = tuple(PooledUpdate("e", "d", i, "word " * draw.randrange(10, 40)) for i in range(updates))
    matches = tuple(Match("e", f"d-{i}", f"n{draw.randrange(NUGGETS)}", 0, 4) for i in range(0, updates, 5))
    told = [Update("e", "d", i, draw.randrange(event.end_time)) for i in range(updates)]
    return Judgments(name="made up", events=(event,), nuggets=nuggets, matches=matches, pool=pool), Run(
        "t", "r", told
    )


def rows() -> list[tuple[str, float, str, str]]:
    """(what, figure, unit, note), as `make bench` prints them."""
    judgments, run = made_up()
    before = time.process_time()
    prepared = prepare(judgments, Population(users=1000))
    prepared.score(run)
    first = time.process_time() - before
    before = time.process_time()
    prepared.score(run)
    again = time.process_time() - before
    note = f"1,000 readers, {UPDATES:,} updates, {DAYS} days"
    return [
        ("MSU, readers drawn and one run scored", first, "s CPU", note + "; limit 2 s"),
        ("MSU, each further run", again, "s CPU", note),
    ]


if __name__ == "__main__":
    for what, figure, unit, note in rows():
        print(f"{what}: {figure:.3f} {unit} ({note})")
