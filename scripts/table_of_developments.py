"""Print on how many days of reference timelines the main development is among the first two updates.

    python scripts/table_of_developments.py --data ../shared/data [--system tidings]… [--wordings 8] [--all]
    python scripts/table_of_developments.py --data ../shared/data --rouge
    python scripts/table_of_developments.py --data ../shared/data --agreement

The stream is that of `table_of_wordings.py`, with all articles of the persons. A day counts as found where one of the
first two updates of that day (UTC) states what one of the first three reference sentences of the day does; *or next*
also takes the first two of the day after, on which much of what happens in the evening is published. A person's
timeline has lost which sentence belongs to which day: sentences are laid on days in their order, each on the day whose
articles fit it best, and one before and behind may be meant too.

What states the same is decided by a logistic line through five figures of a pair: the learned matcher's log-odds, the
share of rare words of each that the other holds, their cosine, and whether words of what is past or expected stand in
the update. It is learned from pairs that a language model read (`labels/developments`); --agreement prints how far it
agrees with that reading, each story left out.

Rows beside systems: *possible*, a day on which some sentence of the story's articles states it; *first sentences*,
those of the first two articles of the story that day; *whole articles*, the first two sentences of all that is
accepted.
"""

from __future__ import annotations

import csv
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from hashlib import blake2b
from pathlib import Path
from statistics import mean, median_low
from typing import Any, NamedTuple

import numpy as np
import table_of_wordings as streams
from frame import parser as command_line
from table_of_articles import Topic

from tidings.analysis import as_written
from tidings.core import DAY_S, Document, Nugget, PooledUpdate, shared_analyzer
from tidings.core.text.sentences import cut
from tidings.evaluation.matching.learned import NuggetMatcher
from tidings.following.background import usual
from tidings.following.digests.timeline_files import read_references

LABELS = Path(__file__).parents[1] / "labels" / "developments" / "pairs.tsv"
MOST_SENTENCES = 80
OF_A_DAY = 3
FIRST = 2
EPOCH = date(1970, 1, 1)
GLUED = re.compile(r"""(?<=[.!?"”’])(?=[A-Z“‘"])|(?<=[.!?]["”’])\s+(?=[A-Z])|(?<=[a-z\d][.!?])\s+(?=[A-Z])""")
NOT_NOW = re.compile(
    r"\b(last (week|month|year)|would|could|may|might|if|expected|likely|will|years? ago|when he was|still|"
    r"remembers)\b",
    re.IGNORECASE,
)
OFF, FROM_STEP, STEP_OVER, STAY = 0.15, 3, 0.3, 0.02
UNKNOWN = 0.2

Place = tuple[str, int]
"""A document and the number of a sentence in it."""


class Pair(NamedTuple):
    """A sentence of an article and one of the reference, with the matcher's probability."""

    place: Place
    text: str
    day: int
    reference: str
    probability: float


def _number(day: str) -> int:
    return (date.fromisoformat(day[:10]) - EPOCH).days


def read_days(data: Path, story: str) -> tuple[dict[int, list[str]], list[str]]:
    """By day the sentences of the references; of a person none yet, and the sentences of the timeline in order."""
    days: dict[int, list[str]] = defaultdict(list)
    for folder in streams.STREAMS.get(story, ()):
        for reference in read_references(data / folder)[Path(folder).name]:
            for day in reference.days:
                days[_number(day.date)] += [as_written(text.strip()) for text in day.sentences[:OF_A_DAY]]
    if days:
        return days, []
    place = data / "tls-persons" / story
    texts = (part.strip() for part in GLUED.split((place / "timeline.txt").read_text(encoding="utf-8")))
    numbers = map(_number, (place / "dates.txt").read_text(encoding="utf-8").split())
    return {day: [] for day in sorted(numbers)}, [text for text in texts if len(text.split()) > 2]


@cache
def _weight(stem: str) -> float:
    return math.log(1000.0 / (usual(stem).share + 1.0))


def figures(pair: Pair) -> list[float]:
    """What the line is drawn through."""
    stems_of = shared_analyzer("english").stems
    own, other = set(stems_of(pair.reference)), set(stems_of(pair.text))
    shared, of_own, of_other = (sum(map(_weight, stems)) for stems in (own & other, own, other))
    kept = min(max(pair.probability, 0.01), 0.98)
    return [
        math.log(kept / (1 - kept)),
        shared / max(of_own, 1.0),
        shared / max(of_other, 1.0),
        shared / max(math.sqrt(max(of_own * of_other, 0.0)), 1.0),
        float(bool(NOT_NOW.search(pair.text))),
    ]


class Line:
    """A logistic line, learned by Newton's method with a small penalty."""

    def __init__(self, rows: Any, answers: Any, penalty: float = 3.0) -> None:
        self._mean, self._spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
        x = np.c_[np.ones(len(rows)), (rows - self._mean) / self._spread]
        costs = penalty * np.eye(x.shape[1])
        costs[0, 0] = 0.0
        self._weights = np.zeros(x.shape[1])
        for _ in range(20):
            chance = 1 / (1 + np.exp(-x @ self._weights))
            slope = x.T @ (answers - chance) - costs @ self._weights
            self._weights += np.linalg.solve((x * (chance * (1 - chance))[:, None]).T @ x + costs, slope)

    def __call__(self, rows: Any) -> Any:
        x = np.c_[np.ones(len(rows)), (rows - self._mean) / self._spread]
        return 1 / (1 + np.exp(-x @ self._weights))


class Story:
    """A story's reference days, and the pairs that the matcher finds between these and its articles."""

    def __init__(self, name: str, data: Path, documents: Sequence[Document]) -> None:
        self.name = name
        self.days, self.texts = read_days(data, name)
        near = {day + later for day in self.days for later in (0, 1)}
        self.documents = [one for one in documents if one.published_time // DAY_S in near]
        event = name.replace(" ", "_")
        texts = list(dict.fromkeys(self.texts or [text for own in self.days.values() for text in own]))
        nuggets = [Nugget(event, f"N{number}", 0, 1, text) for number, text in enumerate(texts)]
        updates = {
            pooled.id: (pooled, sentence.published_time // DAY_S)
            for document in self.documents
            for sentence in document.sentences[:MOST_SENTENCES]
            for pooled in [PooledUpdate(event, document.id, sentence.index, as_written(sentence.text))]
        }
        self.pairs: dict[str, list[Pair]] = defaultdict(list)
        found = NuggetMatcher(least=0.02).match(nuggets, [pooled for pooled, _ in updates.values()])
        for match in found:
            pooled, day = updates[match.update_id]
            text = texts[int(match.nugget_id[1:])]
            place = pooled.doc_id, pooled.sentence_index
            self.pairs[text].append(Pair(place, pooled.text, day, text, match.probability))

    def stating(self, line: Line) -> dict[int, list[dict[Place, float]]]:
        """For each day the sentences that state it with their probabilities: of that day, and of the next."""
        days = self.days if not self.texts else self._laid(line)
        found: dict[int, list[dict[Place, float]]] = {}
        for day, texts in days.items():
            found[day] = [{}, {}]
            for text in texts:
                for later, own in enumerate(found[day]):
                    for place, chance in self._chances(line, text, day + later).items():
                        if chance >= 0.5:
                            own[place] = max(chance, own.get(place, 0.0))
        return found

    def _chances(self, line: Line, text: str, day: int) -> dict[Place, float]:
        pairs = [pair for pair in self.pairs[text] if pair.day == day]
        if not pairs:
            return {}
        return dict(
            zip(
                (pair.place for pair in pairs), line(np.array([figures(pair) for pair in pairs])), strict=True
            )
        )

    def _laid(self, line: Line) -> dict[int, list[str]]:
        # The best way to lay the sentences, in their order, on the days.
        texts, days = self.texts, list(self.days)
        fits = [
            [
                max(
                    (*self._chances(line, text, day).values(), *self._chances(line, text, day + 1).values()),
                    default=UNKNOWN,
                )
                - OFF * abs((row + 0.5) / len(texts) - (column + 0.5) / len(days))
                for column, day in enumerate(days)
            ]
            for row, text in enumerate(texts)
        ]
        best = [fits[0][column] - STEP_OVER * column for column in range(len(days))]
        ways: list[list[int]] = []
        for row in fits[1:]:
            steps = [
                max(
                    (best[before] - (STAY if before == column else STEP_OVER * (column - before - 1)), before)
                    for before in range(max(0, column - FROM_STEP), column + 1)
                )
                for column in range(len(days))
            ]
            best = [worth + fit for (worth, _), fit in zip(steps, row, strict=True)]
            ways.append([before for _, before in steps])
        at = max(range(len(days)), key=lambda column: best[column] - STEP_OVER * (len(days) - 1 - column))
        laid = [at]
        for way in reversed(ways):
            laid.append(at := way[at])
        laid.reverse()
        found = {}
        for column, day in enumerate(days):
            own = [row for row, place in enumerate(laid) if place == column]
            own = own or [row for row, place in enumerate(laid) if place <= column][-1:] or [0]
            found[day] = texts[max(0, own[0] - 1) : own[-1] + 2]
        return found


def read_labels(stories: Mapping[str, Story]) -> tuple[list[str], Any, Any]:
    """Of the pairs that were read and that the matcher finds: the stories, the figures and the answers."""
    found: dict[tuple[str, str, int, str], Pair] = {}
    for story in stories.values():
        for text, pairs in story.pairs.items():
            digest = blake2b(text.encode(), digest_size=4).hexdigest()
            found |= {(story.name, *pair.place, digest): pair for pair in pairs}
    names, rows, answers = [], [], []
    with LABELS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            pair = found.get((row["story"], row["document"], int(row["sentence"]), row["reference"]))
            if pair is not None:
                names.append(row["story"])
                rows.append(figures(pair))
                answers.append(row["answer"] == "y")
    return names, np.array(rows), np.array(answers, dtype=float)


def print_agreement(names: Sequence[str], rows: Any, answers: Any) -> None:
    """How far the line agrees with the reading, each story left out."""
    said = np.zeros(len(names))
    for name in set(names):
        own = np.array([other == name for other in names])
        said[own] = Line(rows[~own], answers[~own])(rows[own])
    same = (said >= 0.5) == (answers > 0.5)
    yes, read = (said >= 0.5).mean(), answers.mean()
    chance = yes * read + (1 - yes) * (1 - read)
    print("| pairs read | state the same | agreement | kappa |\n|---|---|---|---|")
    print(f"| {len(names)} | {read:.2f} | {same.mean():.2f} | {(same.mean() - chance) / (1 - chance):.2f} |")


def found_days(
    days: Mapping[int, Sequence[Mapping[Place, float]]], told: Mapping[int, Sequence[Place]]
) -> tuple[int, int]:
    """On how many days the first two of what was told state the development: on that day; on that or the next."""
    same = later = 0
    for day, (own, following) in days.items():
        first = any(place in own for place in told.get(day, ())[:FIRST])
        same += first
        later += first or any(place in following for place in told.get(day + 1, ())[:FIRST])
    return same, later


def by_day(places: Iterable[tuple[int, Place]]) -> dict[int, list[Place]]:
    """What was told by day, in its order."""
    days: dict[int, list[Place]] = defaultdict(list)
    for time, place in places:
        days[time // DAY_S].append(place)
    return days


def row(label: str, figures_: Sequence[tuple[int, int, int]]) -> str:
    """A row: the shares of all days, same and or next."""
    days = sum(count for count, _, _ in figures_)
    same, later = (sum(one[place] for one in figures_) / days for place in (1, 2))
    return f"| {label} | {days} | {same:.3f} | {later:.3f} |"


def print_rouge(data: Path, systems: Sequence[str]) -> None:
    """Of each stream with reference timelines the updates and aligned ROUGE-1 at about 57 updates, and the mean."""
    topics = [Topic(data / folder) for folders in streams.STREAMS.values() for folder in folders]
    names = [topic.name for topic in topics]
    print(f"| system | {' | '.join(names)} | mean |\n|---|{'---|' * (len(names) + 1)}")
    for system in systems:
        told = [
            topic.follow_stream(f"{system}{',' if ':' in system else ':'}about=57")[0] for topic in topics
        ]
        scores = [topic.score(updates)[0] for topic, updates in zip(topics, told, strict=True)]
        cells = [f"{len(updates)}: {score:.3f}" for updates, score in zip(told, scores, strict=True)]
        print(f"| `{system}` | {' | '.join(cells)} | {mean(scores):.4f} |", flush=True)


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--system", nargs="+", default=["tidings", "centroid", "cosine"])
    parser.add_argument("--about", default="up to 40/day")
    parser.add_argument("--interval", default="document", help="how often it is decided, such as 1d")
    parser.add_argument("--wordings", type=int, default=1, help="so many of each story's eight")
    parser.add_argument("--agreement", action="store_true")
    parser.add_argument(
        "--rouge", action="store_true", help="aligned ROUGE-1 of each stream alone at about 57 updates"
    )
    parser.add_argument("--all", action="store_true", help="a row for each story")
    given = parser.parse_args()
    if given.rouge:
        print_rouge(given.data, given.system)
        return
    documents, story_of = streams.read_documents(given.data, per_person=None)
    documents = [cut(document) for document in documents]
    asked = {story: words for part in streams.WORDINGS.values() for story, words in part.items()}
    own = {story: [one for one in documents if story_of[one.id] == story] for story in asked}
    stories = {story: Story(story, given.data, own[story]) for story in asked}
    names, rows, answers = read_labels(stories)
    if given.agreement:
        print_agreement(names, rows, answers)
        return
    line = Line(rows, answers)
    days = {name: story.stating(line) for name, story in stories.items()}
    print("| | days | same day | or next |\n|---|---|---|---|")
    possible = {
        name: (
            len(found),
            sum(bool(o) for o, _ in found.values()),
            sum(bool(o or n) for o, n in found.values()),
        )
        for name, found in days.items()
    }
    tables = {"possible": possible}
    for label, most in (("first sentences", 1), ("whole articles", FIRST)):
        tables[label] = {
            name: (
                len(days[name]),
                *found_days(
                    days[name],
                    by_day(
                        (d.published_time, (d.id, n))
                        for d in own[name]
                        for n in range(min(most, len(d.sentences)))
                    ),
                ),
            )
            for name in asked
        }
    for label, table in tables.items():
        print(row(f"*{label}*", list(table.values())), flush=True)
    for system in given.system:
        queries = {
            f"{story}:{number}".replace(" ", "-"): words
            for story in asked
            for number, words in enumerate(asked[story][: given.wordings])
        }
        told = streams.follow(documents, queries, system, given.about, given.interval)
        shares: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
        for story in asked:
            for number in range(given.wordings):
                updates = told.get(f"{story}:{number}".replace(" ", "-"), [])
                places = by_day((one.time, (one.doc_id, one.sentence_index)) for one in updates)
                shares[story].append((len(days[story]), *found_days(days[story], places)))
        print(row(f"`{system}`", [one for many in shares.values() for one in many]), flush=True)
        if given.wordings > 1:
            for which, choose in (("worst", min), ("median", median_low)):
                picked = [
                    [choose([one[place] for one in many]) for place in (0, 1, 2)] for many in shares.values()
                ]
                print(row(f"`{system}`, {which} wording", [(a, b, c) for a, b, c in picked]))
        if given.all:
            for story, many in shares.items():
                print(row(f"{story.replace('_', ' ')}", many))


if __name__ == "__main__":
    main()
