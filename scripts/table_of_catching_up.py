"""How much of what mattered "While you were away" tells: the table in docs/live/live-pages.md.

    python scripts/table_of_catching_up.py --data ../shared/data

The default system follows eight streams, up to 40 updates a day. For each week and month (30 days) of a reference
timeline a reader catches up in twelve items. A main event is a day of the reference. It is told if an item of that day
or of the two after it shares with one of the day's sentences three stems or more that are not of the query, and .25 of
what both have (cosine of sets). Beside it: the share that all updates of the time tell, which no choice can exceed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from math import sqrt
from pathlib import Path
from statistics import mean

from check_pages import STORIES, followed
from digest_weights import read_articles, read_topics
from frame import heading, parser

from tidings.core.records import DailyTimeline, Event, Update
from tidings.core.text.tokens import shared_analyzer
from tidings.live.hosting.catching_up import catch_up
from tidings.live.store import NumberedOutput

SPANS = {"week": 7, "month": 30}
DAY_S = 86_400
LATER = 2
SHARED, COSINE = 3, 0.25


def day_of(name: str) -> int:
    """The number of a day, of its name."""
    return (date.fromisoformat(name) - date(1970, 1, 1)).days


class Matching:
    """Whether an update tells of a day of a reference."""

    def __init__(self, event: Event) -> None:
        self._query = frozenset(shared_analyzer().stems(event.query))
        self._stems: dict[str, frozenset[str]] = {}

    def stems_of(self, text: str) -> frozenset[str]:
        """The stems of a text but the query's."""
        if text not in self._stems:
            self._stems[text] = frozenset(shared_analyzer().stems(text)) - self._query
        return self._stems[text]

    def tells(self, updates: Sequence[Update], day: int, sentences: Collection[str]) -> bool:
        """Whether one of the updates tells of a day with these sentences."""
        for update in updates:
            if not day <= update.time // DAY_S <= day + LATER:
                continue
            stems = self.stems_of(update.text)
            for sentence in sentences:
                wanted = self.stems_of(sentence)
                shared = len(stems & wanted)
                if shared >= SHARED and shared >= COSINE * sqrt(len(stems) * len(wanted)):
                    return True
        return False


def recalls(
    event: Event, numbered: Sequence[NumberedOutput], reference: DailyTimeline, span: int
) -> tuple[list[bool], list[bool]]:
    """For each day of the reference whether twelve items of its span tell it, and whether any update does."""
    days = {day_of(day.date): day.sentences for day in reference.days}
    matching, first = Matching(event), min(days)
    told, possible = [], []
    for begin in range(first, max(days) + 1, span):
        inside = [one for one in numbered if begin <= one.output.time // DAY_S < begin + span]
        chosen = [one.output for one in catch_up(inside, events={event.id: event}).items]
        shown = [one for one in chosen if isinstance(one, Update)]
        every = [one.output for one in inside if isinstance(one.output, Update)]
        for day in range(begin, begin + span):
            if day in days:
                told.append(matching.tells(shown, day, days[day]))
                possible.append(matching.tells(every, day, days[day]))
    return told, possible


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--data", type=Path, default=Path("../shared/data"))
    asked = options.parse_args()
    print(heading("stream | updates | by week | all of a week | by month | all of a month", 1))
    rows = []
    for name, query in STORIES.items():
        folder, stream = name.split("/")
        (topic,) = read_topics(asked.data / folder, {stream: query})
        event = Event(id="e", title="", query=query)
        outputs = followed(event, list(read_articles(asked.data / name / "articles.jsonl.gz")))
        numbered = [NumberedOutput(number, output) for number, output in enumerate(outputs, 1)]
        cells = []
        for span in SPANS.values():
            pairs = [recalls(event, numbered, one, span) for one in topic.references]
            cells += [mean(mean(told) for told, _ in pairs), mean(mean(possible) for _, possible in pairs)]
        rows.append(cells)
        updates = sum(isinstance(output, Update) for output in outputs)
        print(f"| {name} | {updates} | {' | '.join(f'{cell:.2f}' for cell in cells)} |", flush=True)
    print(f"| mean | | {' | '.join(f'{mean(column):.2f}' for column in zip(*rows, strict=True))} |")


if __name__ == "__main__":
    main()
