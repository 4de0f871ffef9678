"""Print how many of the names in nuggets the days of an event know, and how fast days are built.

    python scripts/table_of_days.py --data ../shared/data            # recall on the events of TREC TS 2013 and 2014
    python scripts/table_of_days.py --data ../shared/data --misses   # with the names that are missed
    python scripts/table_of_days.py --data ../shared/data --speed    # articles of Timeline17 a second of CPU time

A name that a nugget holds, as the recogniser finds it, is asked of the day (UTC) on which a sentence of the pool first
matched that nugget; names in the event's query are left out. It is *known* where an entity of the day bears it, or a
name that may stand for it; *said* where a document that was looked at says the words; *in the day* where any sentence
of the day does. First mentions are names of no nugget of an earlier day.
"""

from __future__ import annotations

import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from frame import parser as command_line

from tidings.analysis.names.weights import shipped_recogniser
from tidings.core.records import Event
from tidings.following.entities.days import SENTENCES_OF_A_DAY, EventDays
from tidings.following.entities.event_days import EventDay
from tidings.following.entities.name_forms import Words, fits, mended_spans, words_of
from tidings.following.entities.naming import tokens_of
from tidings.research.training.labelled_events import JudgedEvent, load_events

COLUMNS = ("names", "in the day", "said", "known", "first", "first known")


def date_of(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d")


def nugget_names(judged: JudgedEvent) -> dict[str, dict[Words, str]]:
    """By day: the names of the nuggets that were first matched on it, with their types; not those of the query."""
    first: dict[int, int] = {}
    for sentence, _ in judged.sentences:
        for nugget in judged.nuggets_of(sentence):
            first[nugget] = min(first.get(nugget, 1 << 62), sentence.published_time)
    query = set(words_of(f"{judged.event.title} {judged.event.query}"))
    days: dict[str, dict[Words, str]] = {}
    for nugget, moment in sorted(first.items(), key=lambda one: one[1]):
        tokens = tokens_of(judged.nugget_texts[nugget])
        [spans] = shipped_recogniser().spans([tokens])
        for start, end, kind in mended_spans(tokens, spans, frozenset()):
            words = words_of(" ".join(tokens[start:end]))
            if words and not set(words) <= query:
                days.setdefault(date_of(moment), {}).setdefault(words, kind)
    return days


def knows(day: EventDay, words: Words, kind: str) -> bool:
    for entity in day.entities:
        for name in {words_of(entity.name)} | {
            words_of(one.label) for one in entity.mentions if one.how == "name"
        }:
            if name and (name == words or fits(name, words, kind)):
                return True
    return False


def says(texts: list[str], words: Words) -> bool:
    wanted = f" {' '.join(words)} "
    return any(wanted in f" {' '.join(tokens_of(text.lower()))} " for text in texts)


def recall(judged: JudgedEvent, documents: int, sentences: int, misses: bool) -> Counter[str]:
    builder = EventDays(judged.event, documents=documents, sentences=sentences)
    days: dict[str, EventDay] = {}
    texts: dict[str, list[str]] = {}
    for pushed, now in judged.pushes:
        for one in pushed:
            texts.setdefault(date_of(one.published_time), []).append(one.text)
        days |= {day.date: day for day in builder.add(pushed, now)}
    days |= {day.date: day for day in builder.finish(judged.end)}
    counts: Counter[str] = Counter()
    counts["days"] = len(days)
    counts["entities"] = sum(len(day.entities) for day in days.values())
    before: set[Words] = set()
    for date, names in sorted(nugget_names(judged).items()):
        day = days.get(date)
        looked_at = [one.text for document in day.documents for one in document.sentences] if day else []
        for words, kind in names.items():
            known = day is not None and knows(day, words, kind)
            said = known or says(looked_at, words)
            in_day = said or says(texts.get(date, []), words)
            first = words not in before
            counts.update(
                {
                    "names": 1,
                    "in the day": in_day,
                    "said": said,
                    "known": known,
                    "first": first,
                    "first known": first and known,
                }
            )
            if misses and not known:
                why = (
                    "not looked at"
                    if in_day and not said
                    else "said, but not known"
                    if said
                    else "not in the day"
                )
                print(f"{judged.event.id} {date} {kind} {' '.join(words)}: {why}")
        before |= set(names)
    return counts


def speed(data: Path) -> None:
    from frame import STORIES, read_articles

    shipped_recogniser().spans([["Start", "."]])
    for topic, query in sorted(STORIES.items()):
        documents = read_articles(data / "tls" / topic)
        builder = EventDays(Event(id=topic, title=query, query=query))
        began = time.process_time()
        days = [day for one in documents for day in builder.add(one.sentences, one.published_time)]
        days += builder.finish(documents[-1].published_time)
        spent = time.process_time() - began
        looked_at = sum(len(day.documents) for day in days)
        print(
            f"{topic}: {len(documents)} articles, {looked_at} looked at on {len(days)} days, "
            f"{len(documents) / spent:.0f} articles/s, state of {len(builder.state()):,} bytes"
        )


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=10)
    parser.add_argument("--sentences", type=int, default=SENTENCES_OF_A_DAY)
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--speed", action="store_true")
    chosen = parser.parse_args()
    if chosen.speed:
        speed(chosen.data)
        return
    total: Counter[str] = Counter()
    for year in ("2013", "2014"):
        for judged in load_events([chosen.data / "trec-ts" / year]):
            total += recall(judged, chosen.documents, chosen.sentences, chosen.misses)
    print(f"{total['days']} days, {total['entities'] / total['days']:.1f} entities a day")
    print(", ".join(f"{name} {total[name]}" for name in COLUMNS))
    for name in ("in the day", "said", "known"):
        print(f"{name}: {total[name] / total['names']:.3f}")
    print(f"first mentions known: {total['first known'] / total['first']:.3f}")


if __name__ == "__main__":
    main()
