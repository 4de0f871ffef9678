"""Why a run scored what it scored on one event, in the order in which someone looks for its failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tidings.core import (
    Cell,
    Clock,
    Cluster,
    Judgments,
    Match,
    PooledUpdate,
    Run,
    Table,
    clean,
    compact_duration,
    duration_words,
    markdown_text,
    render,
    score,
)
from tidings.evaluation.measures.trec_ts import Explanation, NuggetOutcome, Prepared, UpdateOutcome
from tidings.evaluation.measures.trec_ts.explanations import Loss, Standing, losses

if TYPE_CHECKING:
    from tidings.evaluation.measures.rts import TopicDays
    from tidings.evaluation.measures.ttg import ClusterHit

Sections = list[tuple[str, Table]]
"""Titles with their tables."""


def days_sections(
    run: Run, clusters: Sequence[Cluster], outcome: TopicDays, how: str
) -> tuple[str, Sections]:
    """A line that names the run and the topic, and tables of its days, clusters and tweets.

    Args:
        run: the run that is explained.
        clusters: those of the topic.
        outcome: what the run earned on each day.
        how: the rules and the mode, in words.
    """
    days = outcome.days
    rows: list[tuple[Cell, ...]] = [
        (day.day, "silent" if day.silent else "", day.emitted, day.gain, day.best, day.pain) for day in days
    ]
    tweets = [(day.day, tweet) for day in days for tweet in day.tweets]
    first = {tweet.cluster: (day, tweet) for day, tweet in reversed(tweets) if tweet.status == "new"}
    of_clusters: list[tuple[Cell, ...]] = []
    for cluster in clusters:
        if cluster.id in first:
            day, tweet = first[cluster.id]
            late = "" if tweet.latency_s is None else tweet.latency_s
            of_clusters.append((cluster.id, "told", day, tweet.tweet, tweet.gain, late, cluster.label))
        else:
            of_clusters.append((cluster.id, "missed", "", "", 0.0, "", cluster.label))
    of_clusters.sort(key=lambda row: (row[1] == "told", str(row[2])))
    listed: list[tuple[Cell, ...]] = [
        (
            day,
            tweet.tweet,
            tweet.status,
            tweet.cluster,
            tweet.gain,
            "" if tweet.latency_s is None else tweet.latency_s,
        )
        for day, tweet in tweets
    ]
    heads = ("cluster", "", "day", "told by", "gain", "latency_s", "label")
    return f"{_title(run, outcome.topic)}: {len(first)} of {len(clusters)} clusters told ({how})", [
        ("Days", Table(("day", "", "told", "gain", "Z", "earned nothing"), tuple(rows))),
        ("Clusters, the missed ones first", Table(heads, tuple(of_clusters))),
        (
            "Tweets told",
            Table(("day", "tweet", "what it was", "cluster", "gain", "latency_s"), tuple(listed)),
        ),
    ]


def timeline_sections(run: Run, topic: str, hits: Sequence[ClusterHit], how: str) -> tuple[str, Sections]:
    """A line that names the run and the topic, and tables of its clusters and of the tweets of none."""
    rows: list[tuple[Cell, ...]] = [
        (
            hit.cluster.id,
            "told" if hit.told_by else "missed",
            hit.weight,
            len(hit.told_by),
            hit.told_by[0] if hit.told_by else "",
            hit.cluster.label,
        )
        for hit in sorted(hits, key=lambda hit: (bool(hit.told_by), -hit.weight))
    ]
    heads = ("cluster", "", "weight", "tweets", "first of them", "label")
    earning = {tweet for hit in hits for tweet in hit.told_by}
    wasted = [
        update.doc_id for update in run.updates if update.event_id == topic and update.doc_id not in earning
    ]
    count = sum(1 for hit in hits if hit.told_by)
    return f"{_title(run, topic)}: {count} of {len(hits)} clusters told ({how})", [
        ("Clusters, the missed ones first", Table(heads, tuple(rows))),
        ("Tweets of no cluster", Table(("tweet",), tuple((tweet,) for tweet in dict.fromkeys(wasted)))),
    ]


def _title(run: Run, topic: str) -> str:
    return clean(f"{run.team} {run.name}".strip() + f" on {topic}")


Only = Literal["missed", "earned", "wasted"]

LATE_S = 21600
"""Told later than this (the six hours at which half of a nugget is lost), an update is called late."""

_WIDE = 72  # characters of a text in a table


@dataclass(frozen=True, slots=True)
class Chance:
    """What could have covered a nugget: how many pooled updates say it, the first of them and when it was published."""

    updates: int = 0
    first: str = ""
    time: int | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """One run on one event: where it stands, what it lost to what, its nuggets and its updates.

    `missed` by weight, then time; `covered` by what lateness cost; `earning` by gain; `wasted` by what they cost.
    `why` says for each update id and time what became of it. `warnings` are what must be known of the run beside that.
    """

    event: str
    title: str
    run: str
    rules: str
    standing: Standing
    losses: tuple[Loss, ...]
    missed: tuple[NuggetOutcome, ...]
    covered: tuple[NuggetOutcome, ...]
    earning: tuple[UpdateOutcome, ...]
    wasted: tuple[UpdateOutcome, ...]
    why: Mapping[tuple[str, int], str]
    texts: Mapping[str, str]
    chances: Mapping[str, Chance]
    clock: Clock
    warnings: tuple[str, ...] = ()

    @property
    def tellers(self) -> dict[str, str]:
        """Which update covered each nugget first."""
        return {item.nugget.id: item.told_by.id for item in self.covered if item.told_by}

    @property
    def updates(self) -> int:
        """How many updates the run emitted of the event."""
        return len(self.earning) + len(self.wasted)


def analyse(
    prepared: Prepared,
    judgments: Judgments,
    run: Run,
    explanation: Explanation,
    clock: Clock | None = None,
    warnings: Sequence[str] = (),
) -> Failure:
    """Everything a failure analysis asks of an `Explanation` (see
    `tidings.evaluation.measures.trec_ts.explanations`)."""
    event = prepared.events[explanation.event_id]
    standing, lost = losses(event, explanation)
    pool = {update.id: update for update in judgments.pool if update.event_id == event.id}
    matches = [match for match in judgments.matches if match.event_id == event.id]
    texts = {item.update.id: _text(item, pool) for item in explanation.updates}
    nuggets = sorted(explanation.nuggets, key=lambda item: (item.nugget.time, item.nugget.id))
    updates = sorted(explanation.updates, key=lambda item: item.update.time)
    by_weight = sorted(nuggets, key=lambda item: -item.relevance)
    by_lateness = sorted(nuggets, key=lambda item: item.latency_gain - item.gain)
    by_gain = sorted(updates, key=lambda item: -item.latency_gain)
    by_cost = sorted(updates, key=lambda item: (not item.counted, -item.verbosity))
    return Failure(
        event=event.id,
        title=event.event.title if event.event else "",
        run=" ".join(part for part in (run.team, run.name) if part),
        rules=prepared.rules.name,
        standing=standing,
        losses=lost,
        missed=tuple(nugget for nugget in by_weight if nugget.told_by is None),
        covered=tuple(nugget for nugget in by_lateness if nugget.told_by is not None),
        earning=tuple(update for update in by_gain if update.new),
        wasted=tuple(update for update in by_cost if not update.new),
        why=_whys(explanation),
        texts=texts,
        chances=_chances(pool, matches),
        clock=clock or Clock(),
        warnings=tuple(warnings),
    )


def failure_json(failure: Failure, only: Only | None = None) -> dict[str, Any]:
    """The whole analysis, unrounded; `only` leaves out what is not of that kind."""
    content: dict[str, Any] = {
        "event": clean(failure.event),
        "title": clean(failure.title),
        "run": clean(failure.run),
        "rules": failure.rules,
        "warnings": [clean(line) for line in failure.warnings],
        "updates": failure.updates,
        "nuggets": len(failure.missed) + len(failure.covered),
        "nE[LG]": failure.standing.precision,
        "LC": failure.standing.recall,
        "H": failure.standing.H,
        "losses": [
            {
                "cause": loss.cause,
                "meaning": loss.meaning,
                "count": loss.count,
                "unit": loss.unit,
                "points": loss.points,
                "without": {"nE[LG]": loss.without.precision, "LC": loss.without.recall, "H": loss.without.H},
            }
            for loss in failure.losses
        ],
    }
    tellers = failure.tellers
    if only in (None, "missed"):
        content["missed"] = [_nugget_json(failure, item) for item in failure.missed]
    if only in (None, "earned"):
        content["told"] = [_nugget_json(failure, item) for item in failure.covered]
        content["earned"] = [_update_json(failure, item, tellers) for item in failure.earning]
    if only in (None, "wasted"):
        content["wasted"] = [_update_json(failure, item, tellers) for item in failure.wasted]
    return content


def print_failure(
    failure: Failure, form: str = "table", *, only: Only | None = None, limit: int = 20, width: int = _WIDE
) -> str:
    """The analysis as `table` or `markdown` text; of each list the first `limit` (0: all), the rest counted."""
    chars = 0 if form == "markdown" else width
    plain = f"{failure.run} on {failure.event}" + (f" ({failure.title})" if failure.title else "")
    title = " ".join(clean(plain).split())
    if form == "markdown":
        title = markdown_text(title)
    standing = failure.standing
    blocks = [
        f"{'# ' if form == 'markdown' else ''}{title}\n\n"
        f"{failure.updates:,} updates covered {len(failure.covered)} of "
        f"{len(failure.covered) + len(failure.missed)} nuggets: "
        f"H {score(standing.H)}, nE[LG] {score(standing.precision)}, LC {score(standing.recall)} ({failure.rules}).",
        *(
            f"Warning: {markdown_text(line) if form == 'markdown' else clean(line)}."
            for line in failure.warnings
        ),
        _section("What was lost, each cause undone alone", _losses_table(failure), form, "", 0),
    ]
    heads: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    if only in (None, "missed"):
        rows = [_missed_row(failure, item, chars) for item in failure.missed]
        heads = ("nugget", "weight", "known", "pooled", "first published", "text")
        blocks.append(_list_lines("Nuggets missed, the weightiest first", heads, rows, form, limit))
    if only in (None, "earned"):
        rows = [_covered_row(failure, item, chars) for item in failure.covered]
        heads = ("nugget", "weight", "latency", "lost", "gain", "told by", "text")
        blocks.append(_list_lines("Nuggets covered, the costliest delays first", heads, rows, form, limit))
        rows = [_update_row(failure, item, chars) for item in failure.earning]
        heads = ("update", "time", "gain", "cost", "what became of it", "text")
        blocks.append(_list_lines("Updates that earned gain, the best first", heads, rows, form, limit))
    if only in (None, "wasted"):
        rows = [_update_row(failure, item, chars) for item in failure.wasted]
        heads = ("update", "time", "gain", "cost", "why nothing", "text")
        blocks.append(
            _list_lines("Updates that earned nothing, the costliest first", heads, rows, form, limit)
        )
    return "\n\n".join(blocks)


def _whys(explanation: Explanation) -> dict[tuple[str, int], str]:
    teller = {item.nugget.id: item.told_by for item in explanation.nuggets if item.told_by is not None}
    latency = {item.nugget.id: item.latency_s or 0 for item in explanation.nuggets}
    whys = {}
    for item in explanation.updates:
        if item.status == "unjudged":
            why = "unjudged, costs one word" if item.counted else "unjudged, not counted"
        elif item.status == "irrelevant":
            why = "irrelevant: judged, matches no nugget"
        elif item.status == "repeated":
            first = min(
                (teller[nugget.id] for nugget in item.repeated if nugget.id in teller),
                key=lambda update: update.time,
                default=None,
            )
            again = ", ".join(dict.fromkeys(nugget.id for nugget in item.repeated))
            why = f"repeats {again}"
            if first is not None and first.time < item.update.time:
                why += f", told {duration_words(item.update.time - first.time)} before"
        else:
            why = "new: " + ", ".join(nugget.id for nugget in item.new)
            if all(latency[nugget.id] > LATE_S for nugget in item.new):
                why = f"too late: {', '.join(nugget.id for nugget in item.new)}"
        whys[item.update.id, item.update.time] = why
    return whys


def _text(item: UpdateOutcome, pool: Mapping[str, PooledUpdate]) -> str:
    pooled = pool.get(item.update.id)
    return item.update.text or (pooled.text if pooled else "")


def _chances(pool: Mapping[str, PooledUpdate], matches: Sequence[Match]) -> dict[str, Chance]:
    sayers: dict[str, list[tuple[int, str]]] = {}
    for match in matches:
        pooled = pool.get(match.update_id)
        # TREC's pools hold no times: they are the first part of the document's id.
        time = pooled.published_time if pooled else 0
        if not time:
            head = match.update_id.partition("-")[0]
            time = int(head) if head.isdecimal() and len(head) < 12 else 0
        sayers.setdefault(match.nugget_id, []).append((time, match.update_id))
    chances = {}
    for nugget, said in sayers.items():
        timed = min((sources for sources in said if sources[0]), default=None)
        updates = len({update for _, update in said})
        chances[nugget] = Chance(updates, timed[1], timed[0]) if timed else Chance(updates, said[0][1])
    return chances


def _losses_table(failure: Failure) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            loss.cause,
            f"{loss.count:,} {loss.meaning}",
            f"{loss.points:+.4f}",
            score(loss.without.H),
            score(loss.without.precision),
            score(loss.without.recall),
        )
        for loss in failure.losses
    ]
    return Table(
        ("lost to", "what", "points of H", "H without", "nE[LG]", "LC"), tuple(rows), right=(2, 3, 4, 5)
    )


def _missed_row(failure: Failure, item: NuggetOutcome, chars: int) -> tuple[Cell, ...]:
    chance = failure.chances.get(item.nugget.id, Chance())
    first = failure.clock.moment(chance.time) if chance.time else "-"
    return (
        item.nugget.id,
        score(item.relevance),
        failure.clock.moment(item.nugget.time),
        str(chance.updates),
        first,
        _cut(item.nugget.text, chars),
    )


def _covered_row(failure: Failure, item: NuggetOutcome, chars: int) -> tuple[Cell, ...]:
    lost = item.gain - item.latency_gain
    return (
        item.nugget.id,
        score(item.relevance),
        compact_duration(item.latency_s or 0),
        score(lost) if lost > 0 else "-",
        score(item.latency_gain),
        item.told_by.id if item.told_by else "",
        _cut(item.nugget.text, chars),
    )


def _update_row(failure: Failure, item: UpdateOutcome, chars: int) -> tuple[Cell, ...]:
    text = failure.texts.get(item.update.id, "")
    return (
        item.update.id,
        failure.clock.moment(item.update.time),
        score(item.latency_gain),
        f"{item.verbosity:.2f}" if item.counted else "-",
        failure.why[item.update.id, item.update.time],
        _cut(text, chars) or "(no text)",
    )


def _nugget_json(failure: Failure, item: NuggetOutcome) -> dict[str, Any]:
    chance = failure.chances.get(item.nugget.id, Chance())
    return {
        "nugget": clean(item.nugget.id),
        "text": clean(item.nugget.text),
        "time": item.nugget.time,
        "importance": item.nugget.importance,
        "weight": item.relevance,
        "told_by": clean(item.told_by.id) if item.told_by else None,
        "told_time": item.told_by.time if item.told_by else None,
        "latency_s": item.latency_s,
        "gain": item.gain,
        "latency_gain": item.latency_gain,
        "pooled_updates": chance.updates,
        "first_pooled": clean(chance.first) or None,
        "first_published_time": chance.time,
    }


def _update_json(failure: Failure, item: UpdateOutcome, tellers: Mapping[str, str]) -> dict[str, Any]:
    return {
        "update": clean(item.update.id),
        "time": item.update.time,
        "status": item.status,
        "why": clean(failure.why[item.update.id, item.update.time]),
        "new": [clean(nugget.id) for nugget in item.new],
        "repeated": [clean(nugget.id) for nugget in item.repeated],
        "gain": item.gain,
        "latency_gain": item.latency_gain,
        "verbosity": item.verbosity,
        "words": item.words,
        "matched_words": item.matched_words,
        "counted": item.counted,
        "told_before_by": [clean(tellers[nugget.id]) for nugget in item.repeated if nugget.id in tellers],
        "text": clean(failure.texts.get(item.update.id, "")),
    }


def _cut(text: str, chars: int) -> str:
    text = " ".join(clean(text).split())
    return text if not chars or len(text) <= chars else f"{text[: chars - 1]}…"


def _list_lines(
    title: str, heads: tuple[str, ...], rows: list[tuple[Cell, ...]], form: str, limit: int
) -> str:
    shown = rows[:limit] if limit else rows
    return _section(
        f"{title} ({len(rows):,})",
        Table(heads, tuple(shown), right=_figures(heads)),
        form,
        "none",
        len(rows) - len(shown),
    )


def _figures(heads: Sequence[str]) -> tuple[int, ...]:
    figures = {"weight", "pooled", "latency", "lost", "gain", "cost"}
    return tuple(place for place, head in enumerate(heads) if head in figures)


def _section(title: str, table: Table, form: str, empty: str, more: int) -> str:
    head = f"## {title}" if form == "markdown" else title
    body = render(table, form) if table.rows else empty
    rest = f"\n\n… and {more:,} more (--limit 0 shows all)" if more else ""
    return f"{head}\n\n{body}{rest}"
