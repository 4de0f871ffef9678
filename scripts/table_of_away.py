"""What a reader who was away is shown, beside what happened: the page "While you were away" on real streams.

    python scripts/table_of_away.py ../shared/data/tls [--topic haiti_bbc] [--about 10/day]

Each topic is followed with `tidings` at a pace. A reader comes back at the end of the 30 days of which the
reference timelines name most, and has been away for a day, a week and a month: printed are the items of the screen, and
what the reference timelines have for those days.
"""

from __future__ import annotations

import datetime
from pathlib import Path

from frame import STORIES, parser as command_line

from tidings.core.records import Event, Update
from tidings.core.records.standing import StandingEvent
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.standing import EventSystems, standing_system
from tidings.live.hosting.catching_up import catch_up
from tidings.live.store import NumberedOutput
from tidings.research.training.day_weights import read_articles, read_topics

DAY_S = 86_400
AWAY = (1, 7, 30)


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("folder")
    parser.add_argument("--topic", action="append", help="only this one")
    parser.add_argument("--about", default="10/day")
    asked = parser.parse_args()
    for name in asked.topic or STORIES:
        show(Path(asked.folder), name, asked.about)


def show(folder: Path, name: str, about: str) -> None:
    """Print what one topic's reader is shown."""
    event = Event(id=name, title="", query=STORIES[name])
    standing = StandingEvent(event=event, about=about)
    documents = sorted(read_articles(folder / name / "articles.jsonl.gz"), key=lambda one: one.published_time)
    outputs = [
        output
        for _, decided in follow_stream(documents, [event], EventSystems({name: standing_system(standing)}))
        for output in decided
    ]
    told = [NumberedOutput(number, output) for number, output in enumerate(outputs, 1)]
    days: dict[int, list[str]] = {}
    for reference in read_topics(folder, {name: STORIES[name]})[0].references:
        for day in reference.days:
            start = int(datetime.datetime.fromisoformat(f"{day.date}T00:00:00+00:00").timestamp())
            days.setdefault(start, []).extend(day.sentences)
    busiest = max(days, key=lambda day: (sum(0 <= day - other < 30 * DAY_S for other in days), day))
    end = busiest + DAY_S
    for away in AWAY:
        start = end - away * DAY_S
        missed = [one for one in told if start <= one.output.time < end]
        caught_up = catch_up(missed)
        texts = [one.output.text for one in caught_up.items if isinstance(one.output, Update)]
        print(
            f"\n## {name}, {away} days before {_day(end)}: {len(texts)} of {caught_up.updates} updates, ",
            end="",
        )
        print(f"{sum(min(280, len(text)) for text in texts)} characters")
        for one in caught_up.items:
            if isinstance(one.output, Update):
                print(f"- {_day(one.output.time)} ({one.outlets}) {one.output.text[:280]}")
        print("\nWhat happened:")
        for day in sorted(day for day in days if start <= day < end):
            for text in list(dict.fromkeys(days[day]))[:3]:
                print(f"    {_day(day)} {text.strip()[:160]}")


def _day(time: int) -> str:
    return f"{datetime.datetime.fromtimestamp(time, datetime.UTC):%Y-%m-%d}"


if __name__ == "__main__":
    main()
