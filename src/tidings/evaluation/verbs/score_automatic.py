"""`tidings score --matches` and `--automatic`: what nobody judged, scored by possible matches, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tidings.core import Judgments, Matcher, PooledUpdate, PossibleMatch, Run, Table
    from tidings.evaluation.measures import Measure, RunScores
    from tidings.evaluation.measures.trec_ts.automatic import AutomaticScores, Expected
    from tidings.evaluation.scoring.automatic import AutomaticOptions
    from tidings.evaluation.scoring.scorer import ScoringOptions


def worded_updates(
    judged: Judgments, runs: Iterable[Run], streams: Sequence[str]
) -> tuple[list[PooledUpdate], int]:
    """What runs emitted of judged events, each once and with its words; and how many lack them.

    Words are an update's own, else those of the pool, else those of the documents of `streams`.
    """
    from tidings.evaluation.matching.texts import emitted_updates
    from tidings.following import known_texts
    from tidings.sources import read_stream

    updates = [update for run in runs for update in run.updates]
    texts = {update.id: update.text for update in judged.pool}
    if streams and (missing := [update for update in updates if not update.text and update.id not in texts]):
        texts |= {
            key: said.text for key, said in known_texts(missing, None, map(read_stream, streams)).items()
        }
    return emitted_updates(judged, updates, texts)


def updates_of_runs(judged: Judgments, runs: Sequence[str], streams: Sequence[str]) -> list[PooledUpdate]:
    """What the runs of these files emitted of judged events, as `worded_updates` finds it.

    How many have none is said.

    Raises:
        UsageError: not one has.
    """
    from tidings.core import UsageError, say
    from tidings.evaluation.scoring.runs import read_runs

    worded, wordless = worded_updates(judged, [run for path in runs for run in read_runs(path)], streams)
    if wordless:
        say(f"left out {wordless:,} updates whose text was not found; name the documents with --stream")
    if not worded:
        raise UsageError(
            f"{runs[0]}: no update of a judged event has its words; "
            "give the documents with --stream, or other judgments"
        )
    return worded


def matcher_of(model: str) -> Matcher:
    """The learned matcher, with pairs that are hardly likely left out."""
    from tidings.evaluation.matching.learned import NuggetMatcher

    return NuggetMatcher(model, least=0.01)


def read_matches(path: Path, judged: Judgments) -> Sequence[PossibleMatch]:
    """The pairs of a file that was made for these judgments.

    Raises:
        UsageError: none of them is of a judged event and its nuggets.
    """
    from tidings.core import UsageError, bare_event_id
    from tidings.evaluation.formats.judge_answers import read_possible_matches

    matches = read_possible_matches(path)
    nuggets = {(bare_event_id(nugget.event_id), nugget.id) for nugget in judged.nuggets}
    if not any((bare_event_id(match.event_id), match.nugget_id) in nuggets for match in matches):
        raise UsageError(
            f"{path}: no pair is of a judged event and one of its nuggets; give what `tidings match` wrote with "
            "these judgments"
        )
    return matches


def learned_words(judged: Judgments, model: str) -> list[str]:
    """A line where the matcher learned from events that are judged here, else nothing."""
    from tidings.core import read_model

    events = {event for used in read_model("matcher", model).card.data for event in used.events}
    learned = {nugget.event_id for nugget in judged.nuggets} & events
    if not learned:
        return []
    return [
        f"the matcher learned from {len(learned)} of the judged events: how it does on them is not a fair test; "
        "--model uses other weights"
    ]


_ENDS = (("expected", "mean"), ("2.5 %", "low"), ("97.5 %", "high"))


@dataclass(frozen=True)
class Wish:
    """What was asked for: a file of matches, or a matcher (by `model`); where words stand; how to take matches."""

    matches: Path | None
    model: str
    streams: Sequence[str]
    options: AutomaticOptions


def score_automatically(
    rules: str,
    folder: Path,
    scoring: ScoringOptions,
    paths: Sequence[str],
    measures: Sequence[str],
    wish: Wish,
    lenient: bool,
    plain: bool,
) -> tuple[list[AutomaticScores], tuple[Measure, ...], int]:
    """The runs' scores, the measures, and how many events are judged."""
    from tidings.core import Problems, say
    from tidings.evaluation.scoring import scorer_for
    from tidings.evaluation.scoring.automatic import automatic_scorer, need_nuggets
    from tidings.evaluation.scoring.scorer import parse_measures
    from tidings.sources import read_judgments

    need_nuggets(rules)
    judged = read_judgments(folder, pool=scoring.pool)
    scorer = scorer_for(rules, judged, scoring)
    shown = scorer.short or scorer.measures if plain else scorer.measures
    wanted = parse_measures(measures, scorer) or shown
    runs: list[Run] = []
    for path in paths:
        problems = Problems(lenient=lenient)
        own = scorer.read_runs(path, problems)
        scorer.score_from(path, own, wanted[:1])  # a line of an unknown event is named with its place
        runs += own
        say(problems.summary())
    worded, _ = worded_updates(judged, runs, wish.streams)
    file = wish.matches
    matches = _match(judged, worded, wish) if file is None else read_matches(file, judged)
    automatic = automatic_scorer(rules, judged, matches, worded, scoring, wish.options)
    return [automatic.score_run(run, wanted) for run in runs], wanted, len(scorer.events)


def _match(judged: Judgments, worded: Sequence[PooledUpdate], wish: Wish) -> Sequence[PossibleMatch]:
    """The matcher's pairs of what nobody judged; of all, where they take the place of people's."""
    from tidings.core import say
    from tidings.evaluation.matching.texts import match_events
    from tidings.following import steps_progress

    for line in learned_words(judged, wish.model):
        say(line)
    pooled = {(update.event_id, update.id) for update in judged.pool}
    wanted = [update for update in worded if (update.event_id, update.id) not in pooled]
    if wanted or wish.options.instead:
        wanted += judged.pool  # what people judged of it shows how far the matcher is off
    with steps_progress("matching") as progress:
        return list(match_events(matcher_of(wish.model), judged, wanted, progress)) if wanted else []


def automatic_remarks(scored: Sequence[AutomaticScores], threshold: float) -> Iterator[str]:
    """Of each run who judged how many of its updates."""
    for run in scored:
        counts = run.updates
        name = " ".join(filter(None, ("run", run.people.team, run.people.run)))
        parts = [f"{counts.people:,} judged by people"]
        parts += [f"{counts.copies:,} copies of what they judged"] if counts.copies else []
        parts += [f"{counts.program:,} by the matcher"]
        parts += (
            [f"{counts.nobody:,} by nobody, because their text is missing (see --stream)"]
            if counts.nobody
            else []
        )
        yield f"{name}: of {counts.emitted:,} updates {', '.join(parts)}"
    yield (
        f"people: by people's judgments alone; automatic: with the matcher's pairs of at least {threshold:g}; "
        f"expected: mean over {scored[0].draws} draws of its matches, with the values that 95 % of them lie between"
    )


def automatic_table(scored: Sequence[AutomaticScores], measures: Sequence[Measure], per_event: bool) -> Table:
    """Five rows for each run, or run and event: people, automatic, expected and its interval."""
    from tidings.core import Cell, Table
    from tidings.evaluation.report.remarks import mean_label

    rows: list[tuple[Cell, ...]] = []
    for run in scored:
        name = (run.people.team, run.people.run)
        for event in (*(run.per_event if per_event else ()), "all"):
            expected = _expect(run, event)
            cells = (*name, mean_label(run.people) if event == "all" else event)
            for by, values in (("people", run.people), ("automatic", run.decided)):
                measured = _values(values, event)
                rows.append((*cells, by, *(measured.get(measure, "") for measure in measures)))
            for by, which in _ENDS:
                ends = {measure: getattr(drawn, which) for measure, drawn in expected.items()}
                rows.append((*cells, by, *(ends.get(measure, "") for measure in measures)))
    return Table(("team", "run", "event", "by", *map(str, measures)), tuple(rows))


def automatic_lines(
    scored: Sequence[AutomaticScores], measures: Sequence[Measure], per_event: bool
) -> Iterator[dict[str, Any]]:
    """An object for each run, event, measure and way of judging; what is expected has its interval."""
    for run in scored:
        for event in (*(run.per_event if per_event else ()), "all"):
            people, decided = (_values(scores, event) for scores in (run.people, run.decided))
            expected = _expect(run, event)
            for measure in filter(expected.__contains__, measures):
                line = {"team": run.people.team, "run": run.people.run, "event": event}
                said = {"measure": str(measure)}
                yield line | {"by": "people"} | said | {"value": people[measure]}
                yield line | {"by": "automatic"} | said | {"value": decided[measure]}
                drawn = expected[measure]
                interval = {"value": drawn.mean, "low": drawn.low, "high": drawn.high}
                yield line | {"by": "expected"} | said | interval


def _values(scores: RunScores, event: str) -> dict[Measure, float]:
    if event != "all":
        return scores.per_event[event]
    return {measure: scores.mean(measure) for measure in scores.measures}


def _expect(scores: AutomaticScores, event: str) -> dict[Measure, Expected]:
    return scores.overall if event == "all" else scores.per_event[event]
