"""Sentences linked to the events of topics, as tables: tidings' own form for judgments such as UMass's of 2001.

`links.tsv` holds the final links, `topic_id event_id sentence_id`, apart by tabs, with that header: one line for each
link, and one with the event `-` for a sentence that is germane to no event (without any such line, the topic's number
of sentences is not known). An event of which no sentence speaks has one line with the sentence `-`. Sentences that tell
of an event only together stand in one line, their ids apart by a blank: a group. `judges.tsv` holds what each judge
marked, `topic_id event_id judge sentence_id`: judges 1 and 2 marked on their own, 3 verified.
Sentence ids are those of runs: document-number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from tidings.core import (
    BadValueError,
    Field,
    JudgedLink,
    Problems,
    SentenceLinks,
    UsageError,
    quote_value,
    read_table,
    read_text,
    source_name,
    write_atomically,
)

NO_EVENT = NO_SENTENCE = "-"
_LINKS = (Field.few("topic_id"), Field.few("event_id"), Field.text("sentence_id"))
_JUDGES = (
    Field.few("topic_id"),
    Field.few("event_id"),
    Field.integer("judge", 1, 3),
    Field.text("sentence_id"),
)


def read_links(path: str | Path, *, problems: Problems | None = None) -> list[SentenceLinks]:
    """The topics of a links.tsv, in order of first appearance.

    Raises:
        FormatError: bad lines, all together: also a link that stands there twice, or a sentence of no event that is
            linked to one.
    """
    collected = Problems() if problems is None else problems
    table = read_table(
        read_text(path), source_name(path), _LINKS, what="sentences linked to events", problems=collected,
        header=("topic_id",), check=_link_checker(), bulk_check=lambda columns: _consistent(columns, _link_checker()),
    )  # fmt: skip
    links: dict[str, list[tuple[str, str]]] = {}
    groups: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    sentences: dict[str, dict[str, None]] = {}
    lone: dict[str, list[str]] = {}
    complete = set()
    for topic, event, unit in zip(*table.columns, strict=True):
        pairs = links.setdefault(topic, [])
        if unit == NO_SENTENCE and event != NO_EVENT:
            lone.setdefault(topic, []).append(event)
            continue
        own = tuple(unit.split())
        sentences.setdefault(topic, {}).update(dict.fromkeys(own))
        if event == NO_EVENT:
            complete.add(topic)
        elif len(own) > 1:
            groups.setdefault(topic, []).append((event, own))
        else:
            pairs.append((event, unit))
    return [
        SentenceLinks(
            topic,
            tuple(pairs),
            tuple(sentences[topic]) if topic in complete else (),
            tuple(groups.get(topic, ())),
            tuple(lone.get(topic, ())),
        )
        for topic, pairs in links.items()
    ]


def read_judges(path: str | Path, *, problems: Problems | None = None) -> list[JudgedLink]:
    """What each judge marked, in file order.

    Raises:
        FormatError: bad lines, all together.
    """
    collected = Problems() if problems is None else problems
    table = read_table(
        read_text(path), source_name(path), _JUDGES, what="links of each judge", problems=collected,
        header=("topic_id",), check=_once_checker(), bulk_check=lambda columns: _consistent(columns, _once_checker()),
    )  # fmt: skip
    return [JudgedLink(*row) for row in zip(*table.columns, strict=True)]


def read_judging_times(path: str | Path, *, problems: Problems | None = None) -> dict[str, int]:
    """What judging each topic took, in seconds: `judging_times.tsv` with the header `topic_id seconds`.

    Raises:
        FormatError: bad lines, all together.
    """
    collected = Problems() if problems is None else problems
    fields = (Field.few("topic_id"), Field.integer("seconds"))
    table = read_table(
        read_text(path),
        source_name(path),
        fields,
        what="times of judging",
        problems=collected,
        header=("topic_id",),
    )
    return dict(zip(*table.columns, strict=True))


_Check = Callable[[list[Any]], BadValueError | None]


def _once_checker() -> _Check:
    seen: set[tuple[Any, ...]] = set()

    def check(row: list[Any]) -> BadValueError | None:
        if tuple(row) in seen:
            return BadValueError(
                f"the link {' '.join(map(str, row))} a second time", "each once", "remove one"
            )
        seen.add(tuple(row))
        return None

    return check


def _link_checker() -> _Check:
    once = _once_checker()
    linked: dict[tuple[str, str], bool] = {}

    def check(row: list[Any]) -> BadValueError | None:
        topic, event, unit = row
        for sentence in unit.split() if unit != NO_SENTENCE else ():
            if linked.setdefault((topic, sentence), event != NO_EVENT) != (event != NO_EVENT):
                return BadValueError(
                    f"sentence {quote_value(sentence)} with an event and with {NO_EVENT}",
                    "either",
                    "remove one line",
                )
        return once(row)

    return check


def _consistent(columns: list[list[Any]], check: _Check) -> bool:
    return all(check(list(row)) is None for row in zip(*columns, strict=True))


def write_links(path: str | Path, topics: Iterable[SentenceLinks]) -> None:
    """Write a links.tsv.

    Raises:
        UsageError: an id that is empty or holds a tab or line break.
    """
    rows = []
    for topic in topics:
        rows += [(topic.topic_id, event, sentence) for event, sentence in topic.links]
        rows += [(topic.topic_id, event, " ".join(group)) for event, group in topic.groups]
        linked = {sentence for _, sentence in topic.links}
        linked |= {sentence for _, group in topic.groups for sentence in group}
        rows += [
            (topic.topic_id, NO_EVENT, sentence) for sentence in topic.sentences if sentence not in linked
        ]
        told_of = {event for event, _ in (*topic.links, *topic.groups)}
        rows += [(topic.topic_id, event, NO_SENTENCE) for event in topic.events if event not in told_of]
    _write(path, ("topic_id", "event_id", "sentence_id"), rows)


def write_judges(path: str | Path, links: Iterable[JudgedLink]) -> None:
    """Write a judges.tsv.

    Raises:
        UsageError: an id that is empty or holds a tab or line break.
    """
    rows = [(link.topic_id, link.event_id, str(link.judge), link.sentence_id) for link in links]
    _write(path, ("topic_id", "event_id", "judge", "sentence_id"), rows)


def _write(path: str | Path, header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    for row in rows:
        if any(not cell.strip() or "\t" in cell or len(cell.splitlines()) > 1 for cell in row):
            raise UsageError(
                f"{path}: the table can hold no empty ids and none with tabs or line breaks: {row!r}"
            )
    with write_atomically(path) as file:
        for row in (header, *rows):
            file.write(("\t".join(row) + "\n").encode())
