"""Made-up streams for the checks of systems."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from tests.sweeps import cases
from tidings.core.protocols import Follower, System
from tidings.core.records import Event, Sentence, Update

FERRY = Event(id="E1", title="Ferry fire", query="ferry fire port", start_time=0, end_time=10**9)
STORM = Event(id="E2", title="Storm on the coast", query="storm coast", start_time=0, end_time=10**9)

Push = tuple[list[Sentence], int]

_SUBJECTS = tuple(cases(__file__, " subjects"))
_VERBS = tuple(cases(__file__, " verbs"))
_OTHERS = [f"place{n}" for n in range(60)] + [str(n) for n in range(30)]

HOSTILE = [
    "",
    "   ",
    "\x00\x00",
    "ferry fire port \x00 \udc80\ud800",
    "\ud83d ferry fire",
    "f" * 100_000 + " ferry fire port",
    "ferry fire " + "1" * 5_000,
    "9 8 7 6",
    "العبارة تحترق في الميناء",
    "🔥🚢 ferry 🔥 fire 👩‍👩‍👧‍👦",
    "ferry " * 3_000 + "fire",
    "ﬁre FERRY İstanbul ﷺ fire\u202egnitteg",
    "\ufffe\uffff ferry fire",
    "de\u0301ja\u0300 vu ferry, fire!",
]


def words(rng: random.Random, topical: bool) -> str:
    """A sentence of 4 to 18 words; a topical one usually holds two words of one of the queries, one in five is news."""
    if topical and rng.random() < 0.2:
        place, number = rng.choice(_SUBJECTS), rng.randint(2, 90)
        return f"Officials said on Friday that {number} people died in the ferry fire near the {place} of Bilbao."
    start = rng.choice(["ferry fire", "storm coast", "fire port", "ferry port"]) if topical else ""
    return " ".join(
        [start, rng.choice(_SUBJECTS), rng.choice(_VERBS), *rng.choices(_OTHERS, k=rng.randint(2, 8))]
    ).strip()


def stream(
    seed: int, pushes: int = 40, *, gap_s: int = 900, hostile: bool = False, casualties: bool = False
) -> Iterator[Push]:
    """Pushes of one to three documents of one to four sentences; one in four repeats an earlier text.

    Some documents are pooled, the others whole. With `casualties` some count the dead and the injured.
    """
    rng = random.Random(seed)
    now, said = 0, ["ferry fire port"]
    for push in range(pushes):
        now += rng.randint(0, gap_s)
        sentences = []
        for document in range(rng.randint(1, 3)):
            pooled = ("E1", "E2") if rng.random() < 0.6 else None
            for index in range(rng.randint(1, 4)):
                text = rng.choice(said) if rng.random() < 0.25 else words(rng, rng.random() < 0.7)
                if hostile and rng.random() < 0.3:
                    text = rng.choice(HOSTILE)
                if casualties and rng.random() < 0.3:
                    fate = rng.choice(("killed", "injured", "missing"))
                    text = f"ferry fire: {rng.randint(2, 40)} people {fate} {text}"
                said[rng.randrange(len(said))] = text
                if len(said) < 20:
                    said.append(text)
                name, paper = f"{now}-{push}-{document}", f"paper{document}"
                sentences.append(Sentence(name, index, text, now, paper, 0, pooled))
        yield sentences, now


def follow(follower: Follower, pushes: Sequence[Push] | Iterator[Push]) -> list[Update]:
    """All that the follower tells."""
    return [update for sentences, now in pushes for update in follower.push(sentences, now)]


def run(system: System, pushes: Sequence[Push], event: Event = FERRY) -> list[Update]:
    """All that a fresh follower of `event` tells."""
    return follow(system.start(event), pushes)


def assert_resumable(system: System, pushes: Sequence[Push]) -> None:
    """A follower that takes up its own state before each push gives what an undisturbed one gives."""
    follower, resumed = system.start(FERRY), system.start(FERRY)
    for sentences, now in pushes:
        given = follower.push(sentences, now)
        resumed.restore(resumed.state())
        assert resumed.push(sentences, now) == given
    assert follower.state() == resumed.state()
