"""Small judged events made by hand or by chance, for trainers that read streams."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tidings.core.records import Event, Judgments, Match, Nugget, PooledUpdate, Sentence
from tidings.evaluation.measures.trec_ts import RULES, prepare
from tidings.research.training.labelled_events import JudgedEvent

DAY = 86_400

Said = tuple[str, int, Sequence[tuple[int, int, int]]]
"""Text, time, and (nugget, first character, character after the last) of each match."""


def judged_event(
    number: int, said: Sequence[Said], importance: Sequence[int], times: Sequence[int] = ()
) -> JudgedEvent:
    """An event of three days; nugget n has the n-th importance and time (0 where none is given)."""
    times = times or [0] * len(importance)
    event = Event(id=f"T{number}", title="", query="ferry fire", start_time=0, end_time=3 * DAY - 1)
    rows = [Sentence(f"{n}-d", 0, text, time) for n, (text, time, _) in enumerate(said)]
    judgments = Judgments(
        name="toy",
        events=(event,),
        nuggets=tuple(
            Nugget(event.id, f"n{n}", time, weight, "two words")
            for n, (weight, time) in enumerate(zip(importance, times, strict=True))
        ),
        matches=tuple(
            Match(event.id, row.id, f"n{nugget}", start, end)
            for row, (_, _, matches) in zip(rows, said, strict=True)
            for nugget, start, end in matches
        ),
        pool=tuple(PooledUpdate(event.id, row.doc_id, row.index, row.text) for row in rows),
    )
    pushes = [([row], row.published_time) for row in rows]
    return JudgedEvent(event, "toy", pushes, prepare(judgments, RULES["trec-2014"]), "0")


def event_of(number: int, said: list[tuple[str, int, int]], importance: Sequence[int]) -> JudgedEvent:
    """Sentences (text, nugget or -1, time); a match spans the whole text."""
    rows = [(text, time, [(nugget, 0, len(text))] if nugget >= 0 else []) for text, nugget, time in said]
    return judged_event(number, rows, importance)


def toy(number: int, length: int = 60) -> JudgedEvent:
    """Half of the sentences say "toll" and tell a nugget of their own; the others chat and tell nothing."""
    rng = random.Random(number)
    said = []
    for n in range(length):
        tells = rng.random() < 0.4
        text = f"ferry fire {'toll' if tells else 'chat'} word{rng.randrange(40)} w{number}x{n}"
        said.append((text, n if tells else -1, 600 * n))
    return event_of(number, said, (3,) * length)


def repeating(number: int, length: int = 40, nuggets: int = 12) -> JudgedEvent:
    """Sentences with none to three of a few nuggets, told again and again by a word each, every hundred minutes."""
    rng = random.Random(number)
    said: list[Said] = []
    for n in range(length):
        words = [f"word{rng.randrange(30)}" for _ in range(rng.randrange(3, 12))] + [
            str(rng.randrange(900)) for _ in range(3)
        ]
        text = " ".join(["ferry", *words])
        places = sorted(rng.sample(range(len(words)), 3))
        matches = []
        for place in places[: rng.choice((0, 1, 1, 2, 3))]:
            start = len(" ".join(["ferry", *words[:place]])) + 1
            matches.append((rng.randrange(nuggets), start, start + len(words[place])))
        said.append((text, 6_000 * n, matches))
    importance = [rng.choice((1, 2, 3)) for _ in range(nuggets)]
    return judged_event(number, said, importance, [rng.randrange(6_000 * length) for _ in range(nuggets)])
