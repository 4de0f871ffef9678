"""What runs told, as updates that a matcher reads, beside the pool that stands for what the event is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tidings.core import Judgments, Matcher, Nugget, PooledUpdate, PossibleMatch, Update, bare_event_id


def emitted_updates(
    judgments: Judgments, updates: Iterable[Update], texts: Mapping[str, str]
) -> tuple[list[PooledUpdate], int]:
    """(updates of the judged events, each once and with its words; how many were left out for want of words).

    Words are the update's own, else those of `texts` by update id. Events are named as the judgments name them.
    """
    judged = [
        *(update.event_id for update in judgments.pool),
        *(nugget.event_id for nugget in judgments.nuggets),
    ]
    names = {bare_event_id(event_id): event_id for event_id in dict.fromkeys(judged)}
    told: dict[tuple[str, str], PooledUpdate] = {}
    wordless: set[tuple[str, str]] = set()
    for update in updates:
        event = names.get(bare_event_id(update.event_id))
        if event is None or (event, update.id) in told:
            continue
        if text := update.text or texts.get(update.id, ""):
            told[event, update.id] = PooledUpdate(
                event, update.doc_id, update.sentence_index, text, "", 0, update.published_time, update.source
            )
            wordless.discard((event, update.id))
        else:
            wordless.add((event, update.id))
    return list(told.values()), len(wordless)


def match_events(
    matcher: Matcher,
    judgments: Judgments,
    told: Sequence[PooledUpdate] | None = None,
    progress: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> Iterator[PossibleMatch]:
    """The possible matches of the updates told, or of the pool where `told` is None, event by event.

    The pool is always read with them: how rare a term is, and which nugget is likest, is said of the whole event, so
    that an update's probability hardly depends on what else a run told.
    """
    nuggets: defaultdict[str, list[Nugget]] = defaultdict(list)
    for nugget in judgments.nuggets:
        nuggets[nugget.event_id].append(nugget)
    updates: defaultdict[str, dict[str, PooledUpdate]] = defaultdict(dict)
    for update in judgments.pool:
        updates[update.event_id].setdefault(update.id, update)
    wanted: dict[str, set[str]] = {event: set(pooled) for event, pooled in updates.items()}
    if told is not None:
        wanted = defaultdict(set)
        for update in told:
            updates[update.event_id].setdefault(update.id, update)
            wanted[update.event_id].add(update.id)
    for done, (event, own) in enumerate(nuggets.items()):
        progress(done, len(nuggets), event)
        if chosen := wanted.get(event):
            found = matcher.match(own, list(updates[event].values()))
            yield from (pair for pair in found if pair.update_id in chosen)
    progress(len(nuggets), len(nuggets), "")
