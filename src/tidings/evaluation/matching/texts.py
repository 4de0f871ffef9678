"""One event's nuggets and updates as numbers: which terms each holds, and where.

Updates of runs are read in the same way, beside the pool that shows what the event is about.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tidings.core import (
    Analyzer,
    Judgments,
    Matcher,
    Nugget,
    PooledUpdate,
    PossibleMatch,
    Update,
    bare_event_id,
    shared_analyzer,
)


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
    worded: dict[tuple[str, str], PooledUpdate] = {}
    wordless: set[tuple[str, str]] = set()
    for update in updates:
        event = names.get(bare_event_id(update.event_id))
        if event is None or (event, update.id) in worded:
            continue
        if text := update.text or texts.get(update.id, ""):
            worded[event, update.id] = PooledUpdate(
                event, update.doc_id, update.sentence_index, text, "", 0, update.published_time, update.source
            )
            wordless.discard((event, update.id))
        else:
            wordless.add((event, update.id))
    return list(worded.values()), len(wordless)


def match_events(
    matcher: Matcher,
    judgments: Judgments,
    emitted: Sequence[PooledUpdate] | None = None,
    progress: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> Iterator[PossibleMatch]:
    """The possible matches of the updates given, or of the pool where `emitted` is None, event by event.

    The pool is always read with them: how rare a term is, and which nugget is likest, is said of the whole event, so
    that an update's probability hardly depends on what else a run emitted.
    """
    nuggets: defaultdict[str, list[Nugget]] = defaultdict(list)
    for nugget in judgments.nuggets:
        nuggets[nugget.event_id].append(nugget)
    updates: defaultdict[str, dict[str, PooledUpdate]] = defaultdict(dict)
    for update in judgments.pool:
        updates[update.event_id].setdefault(update.id, update)
    wanted: dict[str, set[str]] = {event: set(pooled) for event, pooled in updates.items()}
    if emitted is not None:
        wanted = defaultdict(set)
        for update in emitted:
            updates[update.event_id].setdefault(update.id, update)
            wanted[update.event_id].add(update.id)
    for done, (event, own) in enumerate(nuggets.items()):
        progress(done, len(nuggets), event)
        if chosen := wanted.get(event):
            found = matcher.match(own, list(updates[event].values()))
            yield from (pair for pair in found if pair.update_id in chosen)
    progress(len(nuggets), len(nuggets), "")


Floats = NDArray[np.float32]

LONGEST = 80
"""Terms of an update that are looked at; a sentence has about 15, and what is longer is a page in one piece."""

_BRACKETS = re.compile(r"-(?:LRB|RRB|LSB|RSB|LCB|RCB)-")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LEAST_RARITY = 0.05  # so that a term that nearly all texts hold still counts


def update_time(update: PooledUpdate) -> int:
    """When an update's document was published (seconds UTC); of TREC's the number before its id; 0 unknown.

    >>> update_time(PooledUpdate("e", "1330003205-a361", 0, "text"))
    1330003205
    """
    head = update.doc_id.partition("-")[0]
    return update.published_time or (
        int(head) if head.isdecimal() and head.isascii() and len(head) < 12 else 0
    )


class EventTexts:
    """The distinct texts of an event's updates and the texts of its nuggets over one list of terms.

    Terms are stems without stop words. `rarity` of a term is ln((texts + 1) / (texts that hold it + ½)), at least .05,
    from the distinct texts of the updates: a text that was copied a hundred times makes no term common.

    Attributes:
        texts: the distinct texts, in the order of their first update.
        text_of: of each update the number of its text.
        times: of each text the earliest time of its updates (seconds UTC; 0 unknown).
        terms: (texts, longest) the numbers of each text's terms in order, -1 behind its end.
        nugget_terms: of each nugget the numbers of its terms in order.
        width: how many terms there are.
        entry_texts, entry_terms, entry_counts: which text holds which term how often, by text and then by term.
    """

    def __init__(
        self, nuggets: Sequence[Nugget], updates: Sequence[PooledUpdate], language: str = "english"
    ) -> None:
        self.nuggets = tuple(nuggets)
        self.analyzer: Analyzer = shared_analyzer(language)
        numbers: dict[str, int] = {}
        self.text_of = [numbers.setdefault(update.text, len(numbers)) for update in updates]
        self.texts = tuple(numbers)
        self.times = np.zeros(len(self.texts), dtype=np.int64)
        for update, number in zip(updates, self.text_of, strict=True):
            time = update_time(update)
            if time and (not self.times[number] or time < self.times[number]):
                self.times[number] = time
        columns: dict[str, int] = {}
        rows = [self._number(text, columns)[:LONGEST] for text in self.texts]
        self.nugget_terms = [self._number(nugget.text, columns) for nugget in nuggets]
        self.columns = columns
        self.width = len(columns)
        self.lengths = np.array([len(row) for row in rows], dtype=np.int32)
        self.terms = np.full((len(rows), max(1, self.lengths.max(initial=0))), -1, dtype=np.int32)
        for number, row in enumerate(rows):
            self.terms[number, : len(row)] = row
        owners, places = np.nonzero(self.terms >= 0)
        keys, counted = np.unique(
            owners * max(self.width, 1) + self.terms[owners, places], return_counts=True
        )
        self.entry_texts, self.entry_terms = np.divmod(keys, max(self.width, 1))
        self.entry_counts: Floats = counted.astype(np.float32)
        self.held_by = np.bincount(self.entry_terms, minlength=self.width).astype(float)
        self.rarity: Floats = (
            np.log((len(rows) + 1) / (self.held_by + 0.5)).clip(min=_LEAST_RARITY).astype(np.float32)
        )

    def _number(self, text: str, columns: dict[str, int]) -> list[int]:
        stems = self.analyzer.stems(_BRACKETS.sub(" ", text))
        return [columns.setdefault(stem, len(columns)) for stem in stems]

    def named_terms(self, nugget: int) -> set[int]:
        """The terms of a nugget that it writes with a capital: names, mostly; none of a text that begins only so."""
        found: set[int] = set()
        for place, word in enumerate(_WORD.finditer(_BRACKETS.sub(" ", self.nuggets[nugget].text))):
            text = word.group()
            if text[0].isupper() and (place or text[1:].lower() != text[1:]):
                found.update(self.columns[stem] for stem in self.analyzer.stems(text) if stem in self.columns)
        return found

    def table(self, values: Floats, columns: NDArray[np.int64]) -> Floats:
        """(texts, columns): what `values` gives each entry of a term of `columns`, 0 elsewhere."""
        place = np.full(self.width, -1, dtype=np.int64)
        place[columns] = np.arange(len(columns))
        own = place[self.entry_terms] >= 0
        made = np.zeros((len(self.texts), len(columns)), dtype=np.float32)
        made[self.entry_texts[own], place[self.entry_terms[own]]] = values[own]
        return made

    def tf_idf(self) -> Floats:
        """Of each entry 1 + ln(count) times the term's rarity, over the Euclidean length of these in its text."""
        values = (1 + np.log(self.entry_counts)) * self.rarity[self.entry_terms]
        squares = np.bincount(self.entry_texts, values * values, len(self.texts))
        return np.asarray(values / np.sqrt(squares)[self.entry_texts], dtype=np.float32)

    def weights(self) -> Floats:
        """(nuggets, terms): the rarity of each nugget's terms as shares of their sum; each term counts once."""
        made = np.zeros((len(self.nuggets), self.width), dtype=np.float32)
        for number, terms in enumerate(self.nugget_terms):
            own = sorted(set(terms))
            made[number, own] = self.rarity[own]
        return np.asarray(made / np.maximum(made.sum(axis=1, keepdims=True), 1e-6), dtype=np.float32)
