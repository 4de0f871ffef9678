"""Tables 1 to 3 of the evaluation corpus of 2001, of any collection whose sentences are linked to events."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import isnan, nan
from statistics import fmean

from msgspec import Struct

from tidings.core import HOUR_S, Cell, SentenceLinks, UsageError
from tidings.evaluation.measures.novelty_2001 import topic_agreement
from tidings.evaluation.report.charts import Section, one_table


class LinkedTopic(Struct, frozen=True):
    """What a topic has; a sentence of a group reports the group's event. Shares may be nan (not known).

    Args:
        id: which.
        stories: different documents of its sentences.
        events: those that a sentence or a group is linked to, with the number of sentences of each.
        sentences: of all its stories.
        off: the share of sentences that report no event, 0 to 1.
        single: of one event.
        multi: of several.
        hours: what judging took; nan where nobody says.
        agreement: the third judge's with the union of the first two, by event; nan for those nobody marked.
    """

    id: str
    stories: int
    events: Mapping[str, int]
    sentences: int
    off: float
    single: float
    multi: float
    hours: float
    agreement: Mapping[str, float]

    @property
    def mean_agreement(self) -> float:
        """The mean over events; nan where no judge's links are known."""
        return topic_agreement(self.agreement.values()) if self.agreement else nan


def describe_topics(
    topics: Iterable[SentenceLinks],
    agreement: Mapping[str, Mapping[str, float]] | None = None,
    judging_s: Mapping[str, int] | None = None,
) -> list[LinkedTopic]:
    """Count what each topic has; `judging_s` is what judging took, in seconds.

    >>> links = SentenceLinks("t", (("1", "a-0"), ("2", "a-0")), ("a-0", "a-1", "b-0", "b-1"), (("3", ("b-0", "b-1")),))
    >>> (topic,) = describe_topics([links])
    >>> topic.stories, dict(topic.events), topic.off, topic.single, topic.multi
    (2, {'1': 1, '2': 1, '3': 2}, 0.25, 0.5, 0.25)
    """
    described = []
    for links in topics:
        units = [(event, (sentence,)) for event, sentence in links.links] + [*links.groups]
        reported: dict[str, set[str]] = {}
        by_event: dict[str, set[str]] = {}
        for event, sentences in units:
            by_event.setdefault(event, set()).update(sentences)
            for sentence in sentences:
                reported.setdefault(sentence, set()).add(event)
        known = dict.fromkeys([*links.sentences, *reported])
        numbers = [len(reported.get(sentence, ())) for sentence in known]
        shares = [numbers.count(0), numbers.count(1), len(numbers) - numbers.count(0) - numbers.count(1)]
        off, single, multi = (number / len(known) if links.sentences and known else nan for number in shares)
        described.append(
            LinkedTopic(
                links.topic_id,
                len({sentence.rpartition("-")[0] for sentence in known}),
                {event: len(sentences) for event, sentences in by_event.items()},
                len(known),
                off,
                single,
                multi,
                (judging_s or {}).get(links.topic_id, nan) / HOUR_S,
                (agreement or {}).get(links.topic_id, {}),
            )
        )
    return described


def split_topics(
    topics: Sequence[LinkedTopic], training: Collection[str] = ()
) -> tuple[list[LinkedTopic], list[LinkedTopic]]:
    """Topics for training and for testing, in their order: those named, or two parts of about the same size.

    Without names they are dealt by falling number of sentences: first, last, last, first. The paper took care of size
    and time of occurrence, by hand.

    Raises:
        UsageError: a name that is no topic's, or no topic left to test on.
    """
    known = {topic.id for topic in topics}
    unknown = [name for name in training if name not in known]
    if unknown:
        raise UsageError(
            f"--training {', '.join(unknown)}: no such topic; there are {', '.join(sorted(known))}"
        )
    by_size = sorted(topics, key=lambda topic: (-topic.sentences, topic.id))
    chosen = {*training} or {topic.id for place, topic in enumerate(by_size) if place % 4 in (0, 3)}
    test = [topic for topic in topics if topic.id not in chosen]
    if training and not test:
        raise UsageError("--training names every topic; leave one at least to test on")
    return [topic for topic in topics if topic.id in chosen], test


def linked_sections(topics: Sequence[LinkedTopic], training: Collection[str] = ()) -> list[Section]:
    """The three tables."""
    return [_annotation(topics), _events(topics), _characteristics(topics, training)]


def _annotation(topics: Sequence[LinkedTopic]) -> Section:
    rows: list[tuple[Cell, ...]] = [
        (topic.id, topic.stories, len(topic.events), _figure(topic.hours), _figure(topic.mean_agreement))
        for topic in topics
    ]
    means = (
        _mean(topic.stories for topic in topics),
        _mean(len(topic.events) for topic in topics),
        _mean(topic.hours for topic in topics),
        _mean(topic.mean_agreement for topic in topics),
    )
    rows.append(("Average", *map(_figure, means)))
    heads = ("topic", "stories", "events", "hours", "agreement")
    words = (
        "Hours are from judging_times.tsv (topic_id, seconds); agreement needs judges.tsv. A dash: not known."
    )
    return one_table("annotation", "Table 1: annotation", [words], heads, rows, range(1, 5))


def _events(topics: Sequence[LinkedTopic]) -> Section:
    rows: list[tuple[Cell, ...]] = [
        (topic.id, event, sentences, _figure(topic.agreement.get(event, nan)))
        for topic in topics
        for event, sentences in topic.events.items()
    ]
    heads = ("topic", "event", "sentences", "agreement")
    return one_table("events", "Table 2: sentences linked to each event", (), heads, rows, (2, 3))


def _characteristics(topics: Sequence[LinkedTopic], training: Collection[str]) -> Section:
    parts = [*split_topics(topics, training), list(topics)]
    rows: list[tuple[Cell, ...]] = [("topics", *map(len, parts))]
    for name, counts in (
        ("stories", [[topic.stories for topic in part] for part in parts]),
        ("events", [[len(topic.events) for topic in part] for part in parts]),
        ("sentences", [[topic.sentences for topic in part] for part in parts]),
    ):
        rows.append((name, *map(sum, counts)))
        rows.append((f"{name} per topic", *(_figure(_mean(part), 1) for part in counts)))
    per_story = (_mean(topic.sentences / max(1, topic.stories) for topic in part) for part in parts)
    rows.append(("sentences per story", *(_figure(value, 1) for value in per_story)))
    for name in ("off", "single", "multi"):
        shares = (_mean(getattr(topic, name) for topic in part) for part in parts)
        rows.append(
            (f"{name}-event sentences", *(f"{100 * v:.0f} %" if not isnan(v) else "–" for v in shares))
        )
    words = [
        "Shares, and sentences per story, are means over topics. A sentence of a group reports its event.",
        *(
            f"{name}: {', '.join(topic.id for topic in part) or 'none'}"
            for name, part in zip(("Training", "Test"), parts, strict=False)
        ),
    ]
    heads = ("", "training", "test", "all")
    return one_table("characteristics", "Table 3: the collection", words, heads, rows, (1, 2, 3))


def _mean(values: Iterable[float]) -> float:
    known = [value for value in values if not isnan(value)]
    return fmean(known) if known else nan


def _figure(value: float, digits: int = 2) -> Cell:
    return "–" if isnan(value) else f"{value:.{digits}f}"
