"""How far the ledger's estimate of completeness follows what judges know: docs/live/live-pages.md.

    python scripts/table_of_completeness.py ../shared/data

The default system follows each judged event of 2013 and 2014 through its pool, with a ledger. Its estimate at the end
stands beside the share of the event's nuggets that the updates told, by the judges' matches. The pools name no outlets,
so that documents count. r is Pearson's correlation over events, ρ that of their ranks; intervals are of
2,000 samples of the events.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from frame import heading, parser

import tidings
from tidings.core.records import Event, Judgments, Sentence, Update
from tidings.following.systems.assembly import assemble
from tidings.following.systems.decider import ledger_in
from tidings.sources.streams import read_events, read_stream

_SAMPLES = 2_000
_YEARS = (2013, 2014)


def pushes(folder: Path) -> dict[str, list[tuple[int, list[Sentence]]]]:
    """For each event what its pool offers, in time order."""
    offered: dict[str, list[tuple[int, list[Sentence]]]] = {}
    for document in read_stream(folder):
        by_event: dict[str, list[Sentence]] = {}
        for sentence in document.sentences:
            for event_id in sentence.events or ():
                by_event.setdefault(event_id, []).append(sentence)
        for event_id, sentences in by_event.items():
            offered.setdefault(event_id, []).append((document.published_time, sentences))
    return {event_id: sorted(own, key=lambda one: one[0]) for event_id, own in offered.items()}


def told(judgments: Judgments, event: Event, updates: list[Update]) -> float | None:
    """The share of an event's nuggets that updates told."""
    ids = {update.id for update in updates}
    nuggets = {nugget.id for nugget in judgments.nuggets if nugget.event_id == event.id}
    found = {
        match.nugget_id
        for match in judgments.matches
        if match.event_id == event.id and match.update_id in ids
    }
    return len(found & nuggets) / len(nuggets) if nuggets else None


def rows(data: Path, year: int, about: str) -> Iterator[tuple[str, int, float, float]]:
    """Event, updates, the estimate and the share of nuggets told."""
    folder = data / "trec-ts" / str(year)
    judgments, offered = tidings.read_judgments(folder), pushes(folder)
    decider = assemble("tidings", about=about, ledger=True)
    for event in read_events(folder):
        follower = decider.start(event)
        updates = [
            output
            for time, sentences in offered.get(event.id, [])
            for output in follower.push(sentences, time)
            if isinstance(output, Update)
        ]
        estimate, share = ledger_in(follower.state()).completeness, told(judgments, event, updates)
        if estimate is not None and share is not None:
            yield event.id, len(updates), estimate, share


def ranks(values: np.ndarray) -> np.ndarray:
    """Mean ranks."""
    return np.array([(values < value).sum() + ((values == value).sum() + 1) / 2 for value in values])


def correlation(estimates: np.ndarray, shares: np.ndarray) -> float:
    """Pearson's r; 0 where one of them does not vary."""
    return float(np.corrcoef(estimates, shares)[0, 1]) if estimates.std() and shares.std() else 0.0


def main() -> None:
    options = parser(__doc__)
    options.add_argument("data", type=Path, nargs="?", default=Path("../shared/data"))
    options.add_argument("--about", default="", help="a pace, as tidings follow takes it")
    asked = options.parse_args()
    found = []
    print(heading("event | updates | estimate | nuggets told", 1))
    for year in _YEARS:
        for name, updates, estimate, share in rows(asked.data, year, asked.about):
            print(f"| {name} | {updates} | {estimate:.2f} | {share:.2f} |", flush=True)
            found.append((estimate, share))
    estimates, shares = np.array(found).T
    chance = np.random.default_rng(0)
    for name, one, other in (("r", estimates, shares), ("ρ", ranks(estimates), ranks(shares))):
        drawn = [chance.integers(len(one), size=len(one)) for _ in range(_SAMPLES)]
        low, high = np.quantile([correlation(one[draw], other[draw]) for draw in drawn], (0.025, 0.975))
        print(f"{name} {correlation(one, other):.2f} [{low:.2f}, {high:.2f}], {len(one)} events")


if __name__ == "__main__":
    main()
