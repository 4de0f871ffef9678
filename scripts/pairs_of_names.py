"""Draw pairs of names from the days of Timeline17's topics to be read by a person, and score what was answered.

    python scripts/pairs_of_names.py ../shared/data/tls --draw 160 --seed 1     # pairs in their sentences, to be read
    python scripts/pairs_of_names.py ../shared/data/tls                         # scored by labels/entities/pairs.tsv

Pairs stand in different documents: a quarter is spelt alike and joined, three eighths are spelt differently and joined,
three eighths are not joined though they share a word or are spelt much alike. A line of the labels names both places
(document, sentence, name) and says `same`, `other`, or `none` where one of them is no name of a person, body or place
(or its border is so wrong that it is nobody's).
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from frame import STORIES, parser as command_line, read_articles

from tidings.core.records import Event
from tidings.following.entities.days import EventDays
from tidings.following.entities.event_days import EventDay
from tidings.following.entities.name_forms import bigram_cosine, words_of

LABELS = Path(__file__).parents[1] / "labels" / "entities" / "pairs.tsv"
Place = tuple[str, str, int, str]
"""Topic, document, sentence, name."""


def days_of(folder: Path, topic: str) -> list[EventDay]:
    documents = read_articles(folder / topic)
    builder = EventDays(Event(id=topic, title=STORIES[topic], query=STORIES[topic]))
    days = [day for one in documents for day in builder.add(one.sentences, one.published_time)]
    return days + builder.finish(documents[-1].published_time)


def places_of(topic: str, days: list[EventDay]) -> dict[Place, tuple[int, str]]:
    """Where names stand: the entity and its sentence. The first of a name in a sentence counts."""
    places: dict[Place, tuple[int, str]] = {}
    for day in days:
        for entity in day.entities:
            for one in entity.mentions:
                if one.how == "name":
                    document = day.documents[one.document]
                    sentence = document.sentences[one.sentence]
                    place = (topic, document.id, sentence.index, one.label)
                    places.setdefault(place, (entity.id, sentence.text))
    return places


def near(one: str, other: str) -> bool:
    """Whether one name holds the other, both have a last or first word, or bigrams, or one the other's initials."""
    left, right = words_of(one), words_of(other)
    if set(left) <= set(right) or set(right) <= set(left) or left[-1] == right[-1] or left[0] == right[0]:
        return not (left[0] == right[0] and left[-1] != right[-1] and len(left) == len(right) > 1)
    initials = {"".join(word[0] for word in words) for words in (left, right) if len(words) > 2}
    short = {words[0] for words in (left, right) if len(words) == 1}
    return bool(initials & short) or bigram_cosine(" ".join(left), " ".join(right)) > 0.65


def draw(places: dict[Place, tuple[int, str]], count: int, seed: int) -> list[tuple[Place, Place, bool]]:
    chance = random.Random(seed)
    # Names that are frequent would be drawn again and again: of each entity's spelling three places, at random.
    kept: list[Place] = []
    seen: Counter[tuple[str, int, str]] = Counter()
    for place in chance.sample(sorted(places), len(places)):
        key = (place[0], places[place][0], place[3])
        seen[key] += 1
        if seen[key] <= 3:
            kept.append(place)
    wanted = {"alike": count // 4, "joined": count * 3 // 8, "apart": count * 3 // 8}
    drawn: list[tuple[Place, Place, bool]] = []
    used: Counter[tuple[str, int]] = Counter()
    while any(wanted.values()):
        one, other = chance.sample(kept, 2)
        if one[0] != other[0] or one[1] == other[1]:
            continue
        joined = places[one][0] == places[other][0]
        kind = ("alike" if words_of(one[3]) == words_of(other[3]) else "joined") if joined else "apart"
        owner = (kind, places[one][0])
        if not wanted[kind] or used[owner] > 1 or (not joined and not near(one[3], other[3])):
            continue
        used[owner] += 1
        wanted[kind] -= 1
        drawn.append((one, other, joined))
    return drawn


def score(places: dict[Place, tuple[int, str]]) -> None:
    answers: Counter[tuple[str, str]] = Counter()
    for line in LABELS.read_text(encoding="utf-8").splitlines()[1:]:
        topic, document, index, name, document_2, index_2, name_2, answer, drawn = line.split("\t")
        one = places.get((topic, document, int(index), name))
        other = places.get((topic, document_2, int(index_2), name_2))
        found = "lost" if one is None or other is None else "joined" if one[0] == other[0] else "apart"
        alike = "spelt alike" if words_of(name) == words_of(name_2) else "spelt differently"
        answers[f"drawn with {drawn}: {found}", answer] += 1
        answers[f"drawn with {drawn}: {found}, {alike}", answer] += 1
    for found in sorted({found for found, _ in answers}):
        row = {answer: answers[found, answer] for answer in ("same", "other", "none")}
        judged = row["same"] + row["other"]
        print(f"{found}: {row}" + (f", of one entity {row['same'] / judged:.3f}" if judged else ""))


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    places: dict[Place, tuple[int, str]] = {}
    for topic in STORIES:
        places |= places_of(topic, days_of(chosen.folder, topic))
    if not chosen.draw:
        score(places)
        return
    for one, other, joined in draw(places, chosen.draw, chosen.seed):
        print("\t".join((one[0], *map(str, one[1:]), *map(str, other[1:]), "joined" if joined else "apart")))
        for place in (one, other):
            print("   ", places[place][1][:300])


if __name__ == "__main__":
    main()
