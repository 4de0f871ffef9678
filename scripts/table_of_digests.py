"""How good digests are on topics that they have not learned from: the tables in docs/following/digest.md.

    python scripts/table_of_digests.py ../shared/data           # two minutes of processor time
    python scripts/table_of_digests.py ../shared/data --each    # also a row for each story
    python scripts/table_of_digests.py ../shared/data --fit src/tidings/following/digests/weights.json

Eight stories of Timeline17 (four outlets) with their words, thirteen of persons and companies (the Guardian) with their
days alone. For each reference timeline a digest of as many days as it has, with as many sentences a day as it has on
average (rounded); rules `tls-each`; whatever is learned has learned from the stories of the other topics. Period given:
the first and the last day of the reference are known, as in the published figures. Nothing given: neither the period
nor the number of days, which is 30, as without `--dates`. p: the share of all swaps of stories between `ours` and the
other whose difference is at least as large (two-sided), of the 21 stories a sample of swaps. `ours, shortened` is
`tidings digest --shorten`; `--cuts` prints what that shortens. `--fit` writes the weights learned from all topics
instead.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path

import msgspec
import numpy as np
from digest_weights import TimelineTopic, bounded, fit_digest_weights, read_topics
from frame import OUTLETS, STORIES, heading, parser as command_line
from msgspec.structs import replace

from tidings.core.records import DailyTimeline
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.tls import prepare, rules_named
from tidings.following.digests.day_ranking import DigestWeights
from tidings.following.digests.making import (
    Choice,
    ChosenDays,
    choose_clust,
    choose_datewise,
    choose_ours,
    choose_submodular,
    digest_of,
    quotable_candidates,
)
from tidings.following.digests.story import Story

NAMES = {"AR-1": "R1-align+m1", "AR-2": "R2-align+m1", "date F1": "date"}
DAYS_UNASKED = 30
MOST_SWAPS = 1 << 14
PUBLISHED = (
    ("DATEWISE (Ghalandari and Ifrim, ACL 2020)", ".120 .035 .544", ".089 .026 .295", ".057 .017 .205"),
    ("CLUST (the same)", ".082 .020 .407", ".061 .013 .226", ".051 .015 .174"),
    ("Martschat and Markert (CoNLL 2018), by the same", ".105 .030 .544", ".075 .016 .281", ".042 .009 .167"),
    ("Tran and others (2013), by the same", ".094 .022 .517", ".054 .011 .289", ".042 .012 .184"),
    ("Chieu and Lee (2004), by the same", ".066 .019 .251", ".052 .012 .142", ".036 .010 .102"),
    ("SDF-TLS (2021), its own timelines, scored here", ".113 .033 .510", ".086 .018 .291", ""),
    ("LLM-TLS with Llama 13B (ACL 2024), second-hand", ".118 .036 .528", ".112 .032 .329", ""),
    ("LLM-TLS with Qwen 72B, second-hand", ".114 .040 .543", ".111 .036 .326", ""),
    ("CHRONOS with Qwen 72B (2025), second-hand", ".116 .042 .522", ".108 .045 .323", ""),
    ("SUnSET with Qwen 72B (2025), second-hand", ".136 .044 .576", ".129 .047 .389", ""),
    ("SUnSET with GPT-4o, second-hand", ".120 .039 .590", ".107 .036 .381", ""),
    (
        "Best possible, knowing the reference (oracle of 2020)",
        ".312 .128 .926",
        ".367 .150 .974",
        ".232 .075 .757",
    ),
)
"""AR-1, AR-2, date F1 as published: Timeline17 (19 references), Crisis (22), entities (47)."""


@dataclass
class Scores:
    """Precision and recall of each measure for each story with words, and F1 of days for each person."""

    parts: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: {name: [] for name in NAMES})
    persons: list[float] = field(default_factory=list)

    @cached_property
    def columns(self) -> dict[str, np.ndarray]:
        """Rows for stories: two columns (precision, recall) of each measure, one for persons and for all stories."""
        with_words = [float(f_of(np.array([row]))) for row in self.parts["date F1"]]
        return {name: np.array(rows) for name, rows in self.parts.items()} | {
            "persons' date F1": np.array(self.persons)[:, None],
            "mean date F1 of all": np.array(with_words + self.persons)[:, None],
        }


def f_of(rows: np.ndarray) -> np.ndarray:
    """F1 of the mean precision and the mean recall; of one column its mean. The last axes are stories and columns."""
    means = rows.mean(axis=-2)
    if means.shape[-1] == 1:
        return means[..., 0]
    total = means.sum(axis=-1)
    return 2 * means.prod(axis=-1) / np.where(total > 0, total, 1.0)


def p_of(own: np.ndarray, other: np.ndarray) -> float:
    """Two-sided p of the difference over all ways to swap stories; of very many over a sample."""
    if 2 ** len(own) <= MOST_SWAPS:
        swaps = np.array(list(product((False, True), repeat=len(own))))[:, :, None]
    else:
        swaps = np.random.default_rng(0).random((MOST_SWAPS, len(own), 1)) < 0.5
    differences = f_of(np.where(swaps, other, own)) - f_of(np.where(swaps, own, other))
    return float((np.abs(differences) >= abs(f_of(own) - f_of(other)) - 1e-12).mean())


def choose_published(story: Story, choice: Choice) -> ChosenDays:
    """The days on which most was published, each with the first sentences of its documents most about the event."""
    days = sorted(
        set(story.published), key=lambda day: (-sum(other == day for other in story.published), day)
    )
    return _first_of(story, choice, days)


def choose_random(story: Story, choice: Choice) -> ChosenDays:
    """Any days on which something was published."""
    days = sorted(set(story.published))
    random.Random(0).shuffle(days)
    return _first_of(story, choice, days)


def _first_of(story: Story, choice: Choice, days: Sequence[int]) -> ChosenDays:
    by_day = quotable_candidates(story)
    told = [day for day in days if story.first_day <= day <= story.last_day and day in by_day]
    return {
        day: sorted(by_day[day], key=lambda one: (one.place, -one.weight))[: choice.sentences]
        for day in told[: choice.days]
    }


SHORTENED = "ours, shortened"
SYSTEMS: dict[str, Callable[[Story, Choice, DigestWeights], ChosenDays]] = {
    "ours": choose_ours,
    SHORTENED: choose_ours,
    "datewise": lambda story, choice, weights: choose_datewise(story, choice, weights.days["datewise"]),
    "submodular": lambda story, choice, weights: choose_submodular(story, choice),
    "clust": lambda story, choice, weights: choose_clust(story, choice),
    "most published": lambda story, choice, weights: choose_published(story, choice),
    "random days": lambda story, choice, weights: choose_random(story, choice),
}


def read_all(data: Path) -> list[TimelineTopic]:
    """All stories that are given, with a query for each."""
    persons = {
        place.name: place.name.replace("_", " ").lower() for place in sorted((data / "tls-persons").iterdir())
    }
    return [
        *read_topics(data / "tls", STORIES),
        *read_topics(data / "tls-outlets", OUTLETS),
        *read_topics(data / "tls-persons", persons),
    ]


def left_out(topics: Sequence[TimelineTopic]) -> dict[str, DigestWeights]:
    """For each topic what is learned from the stories of all others."""
    return {
        name: fit_digest_weights([topic for topic in topics if topic.topic != name])
        for name in sorted({topic.topic for topic in topics})
    }


def measure(
    topics: Sequence[TimelineTopic], system: str, weights: dict[str, DigestWeights], *, given: bool
) -> Scores:
    """One system on all stories; `weights` by the topic that they have not learned from."""
    scores = Scores()
    for topic in topics:
        story = bounded(topic) if given else topic.story
        if not topic.references:
            choice = Choice(len(topic.days) if given else DAYS_UNASKED, 1)
            days = SYSTEMS[system](story, choice, weights[topic.topic]).keys()
            scores.persons.append(2 * len(days & topic.days) / (len(days) + len(topic.days)))
            continue
        rows = [_score(topic, story, one, system, weights[topic.topic], given) for one in topic.references]
        for name in NAMES:
            scores.parts[name].append(tuple(np.mean([row[name] for row in rows], axis=0)))
    return scores


_CUT = {"(": "-LRB- ", ")": " -RRB-", "cannot": "can not", "Cannot": "Can not"}


def as_in_references(text: str) -> str:
    """A quotation cut into the words of the references, which were cut up like the articles: "did n't", "-LRB-".

    >>> as_in_references("They didn't go (on Friday).")
    "They did n't go -LRB- on Friday -RRB-."
    """
    text = re.sub(r"(?<=\w)n['’]t\b", " n't", text)
    return re.sub(r"[()]|\b[Cc]annot\b", lambda found: _CUT[found.group()], text)


def _score(
    topic: TimelineTopic,
    story: Story,
    reference: DailyTimeline,
    system: str,
    weights: DigestWeights,
    given: bool,
) -> dict[str, tuple[float, float]]:
    number = len(reference.days)
    sentences = max(1, round(sum(len(day.sentences) for day in reference.days) / number))
    chosen = SYSTEMS[system](story, Choice(number if given else DAYS_UNASKED, sentences), weights)
    prepared = prepare({topic.name: [reference]}, rules_named("tls-each"))
    written = digest_of(story, chosen, system, shorten=system == SHORTENED).to_timeline()
    days = tuple(replace(day, sentences=tuple(map(as_in_references, day.sentences))) for day in written.days)
    timeline = replace(written, name=topic.name, days=days)
    measures = {part: tuple(Measure(f"{name}-{side}") for side in "PR") for part, name in NAMES.items()}
    values = prepared.score({topic.name: timeline}, [one for pair in measures.values() for one in pair])
    return {part: (values.mean(pair[0]), values.mean(pair[1])) for part, pair in measures.items()}


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fit", metavar="FILE", type=Path)
    parser.add_argument("--each", action="store_true", help="Also a row for each story.")
    parser.add_argument("--cuts", metavar="N", type=int, help="Instead print so many sentences, shortened.")
    asked = parser.parse_args()
    topics = read_all(asked.folder)
    if asked.cuts:
        _print_cuts(topics, asked.cuts)
        return
    if asked.fit:
        asked.fit.write_bytes(msgspec.json.format(msgspec.json.encode(fit_digest_weights(topics))) + b"\n")
        return
    weights = left_out(topics)
    print(
        heading(
            f"given | system | {' | '.join(NAMES)} | persons' date F1 | mean date F1 of all | least and most AR-1"
            " | p of each"
        )
    )
    for given in (True, False):
        scores = {system: measure(topics, system, weights, given=given) for system in SYSTEMS}
        own = scores["ours"].columns
        for system, found in scores.items():
            columns = found.columns
            figures = [f"{f_of(columns[name]):.{3 if 'date' in name else 4}f}" for name in columns]
            singles = f_of(columns["AR-1"][:, None, :])
            p = (
                ""
                if system == "ours"
                else " ".join(f"{p_of(own[name], columns[name]):.3f}" for name in columns)
            )
            print(
                f"| {'period, days' if given else 'nothing'} | `{system}` | {' | '.join(figures)} | "
                f"{singles.min():.3f} {singles.max():.3f} | {p} |"
            )
            if asked.each:
                _print_each(topics, columns)
    print("\n" + heading("published | Timeline17 | Crisis | persons"))
    for row in PUBLISHED:
        print(f"| {' | '.join(row)} |")


def _print_cuts(topics: Sequence[TimelineTopic], number: int) -> None:
    quotable = [one for topic in topics for one in topic.story.sentences if one.readable]
    shortened = [one for one in quotable if one.evidence(shorten=True).pieces]
    print(f"{len(shortened)} of {len(quotable)} sentences that can be quoted are shortened\n")
    for one in random.Random(0).sample(shortened, number):
        print(f"{one.text}\n-> {one.evidence(shorten=True).text}\n")


def _print_each(topics: Sequence[TimelineTopic], columns: dict[str, np.ndarray]) -> None:
    for number, topic in enumerate(topic for topic in topics if topic.references):
        cells = " | ".join(f"{f_of(columns[name][number : number + 1]):.3f}" for name in NAMES)
        print(f"| | {topic.name} | {cells} | | | | |")
    persons = [topic.name for topic in topics if not topic.references]
    for name, value in zip(persons, columns["persons' date F1"][:, 0], strict=True):
        print(f"| | {name} | | | | {value:.3f} | | | |")


if __name__ == "__main__":
    main()
