"""A small event of this room's own: a ferry fire, told in a handful of updates."""

from __future__ import annotations

from tidings.core.records import Event, Judgments, Match, Nugget, PooledUpdate, Run, Update
from tidings.evaluation.measures import prepare
from tidings.evaluation.report.verdicts import judge
from tidings.following.report.timeline import TimelineReport, build_timeline

START = 1374690600  # Wednesday 24 July 2013, 18:30 UTC
HOUR = 3600

EVENT = Event(
    id="FERRY.1",
    title="Fire on the ferry Estrela",
    query="ferry fire",
    start_time=START,
    end_time=START + 3 * 24 * HOUR,
    type="fire",
)


def update(doc: str, hours: float, text: str, source: str = "Harbour Post", index: int = 0) -> Update:
    time = START + int(hours * HOUR)
    return Update(EVENT.id, doc, index, time, 1.0, text, time, source)


UPDATES = (
    update("a1", 0.2, "Smoke is pouring from the ferry Estrela off the coast, port workers say."),
    update("b1", 0.9, "At least 12 people were killed and 40 injured, the coast guard says.", "Coast Radio"),
    update("c1", 2.0, "Three of the dead are crew.", "North Wire"),
    update("a2", 26.0, "The death toll has risen to 31; 85 people were hurt."),
    update("b2", 27.0, "Our readers can win two tickets for the summer concert.", "Coast Radio"),
    update("c2", 50.5, "The captain has been arrested, prosecutors confirm.", "North Wire"),
)


def nugget(name: str, hours: float, importance: int, text: str) -> Nugget:
    return Nugget(EVENT.id, name, START + int(hours * HOUR), importance, text)


def pooled(one: Update) -> PooledUpdate:
    return PooledUpdate(EVENT.id, one.doc_id, one.sentence_index, one.text, published_time=one.published_time)


def match(one: Update, name: str, words: str) -> Match:
    start = one.text.index(words)
    return Match(EVENT.id, one.id, name, start, start + len(words))


JUDGMENTS = Judgments(
    name="ferry",
    events=(EVENT,),
    nuggets=(
        nugget("n1", 0.0, 3, "Fire on the ferry Estrela"),
        nugget("n2", 1.2, 3, "At least 12 dead"),
        nugget("n3", 1.0, 1, "40 injured"),
        nugget("n4", 24.0, 2, "The toll rises to 31"),
        nugget("n5", 30.0, 2, "The ferry is towed to port"),
        nugget("n6", 53.0, 2, "The captain is arrested"),
    ),
    # The last update is in no pool; c1 repeats n2.
    pool=tuple(pooled(one) for one in UPDATES[:5]),
    matches=(
        match(UPDATES[0], "n1", "Smoke is pouring from the ferry Estrela"),
        match(UPDATES[1], "n2", "At least 12 people were killed"),
        match(UPDATES[1], "n3", "40 injured"),
        match(UPDATES[2], "n2", "the dead"),
        match(UPDATES[3], "n4", "The death toll has risen to 31"),
    ),
)


def plain_timeline(updates: tuple[Update, ...] = UPDATES) -> TimelineReport:
    return build_timeline(EVENT, updates, system="harbour cosine")


def judged_timeline(
    updates: tuple[Update, ...] = UPDATES, judgments: Judgments = JUDGMENTS
) -> TimelineReport:
    run = Run("harbour", "cosine", updates)
    return judge(plain_timeline(updates), run, judgments, prepare(judgments, "trec-2014"))
