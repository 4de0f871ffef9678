"""The reference timelines of one topic, counted once, and the comparison of any number of timelines with them.

Counts are ROUGE's: for each pair of a day of the timeline and a day of the references, hits h; over all days, p (what
the timeline holds, once for each reference) and m (what the references hold). Precision is sum h / p, recall sum h / m.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf
from string import punctuation

from tidings.core import DailyTimeline, UsageError
from tidings.evaluation.measures.tls.stems import stems


@dataclass(frozen=True, slots=True)
class Rules:
    """One way of scoring.

    Attributes:
        each: every reference timeline is a topic of its own (news-tls), instead of all together (tilse).
        last_day_wins: of a day that is listed twice the last sentences count (tilse); otherwise all do.
        markup: a sentence ends at its first `<`, and `^` is the word `circ`: tilse hands sentences to ROUGE as HTML.
        ascii_words: letters beyond A to Z separate words (ROUGE 1.5.5).
    """

    name: str
    each: bool = False
    last_day_wins: bool = True
    markup: bool = True
    ascii_words: bool = True


RULES: dict[tuple[str, str], Rules] = {
    (name, mode): Rules(
        name,
        each=name == "tls-each",
        last_day_wins=mode == "official",
        markup=mode == "official",
        ascii_words=mode == "official",
    )
    for name in ("tls", "tls-each")
    for mode in ("official", "guideline")
}


def rules_named(name: str, mode: str = "official") -> Rules:
    """The rules `tls` (tilse) or `tls-each` (news-tls), as the scripts do or as the papers say.

    Raises:
        UsageError: there are no such rules.

    >>> rules_named("tls").last_day_wins, rules_named("tls", "guideline").last_day_wins
    (True, False)
    """
    if (name, mode) not in RULES:
        raise UsageError(
            f"unknown rules {name!r} in mode {mode!r}; known are tls, tls-each; official, guideline"
        )
    return RULES[name, mode]


Pairs = list[tuple[int, int]]


def nearest(costs: Sequence[Sequence[float]]) -> Pairs:
    """Each row with its cheapest column, the first of equals: many rows may share one.

    >>> nearest([[0.5, 0.0], [0.5, 0.25]])
    [(0, 1), (1, 1)]
    """
    return [(row, line.index(min(line))) for row, line in enumerate(costs)]


def cheapest(costs: Sequence[Sequence[float]]) -> Pairs:
    """The pairs (row, column) of least total cost, by rows; of the longer side some stay alone.

    Costs are finite; takes O(n^3) for n rows at worst.

    >>> cheapest([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0], [3.0, 2.0, 2.0]])
    [(0, 1), (1, 0), (2, 2)]
    """
    if not costs or not costs[0]:
        return []
    if len(costs[0]) < len(costs):
        turned = cheapest(list(zip(*costs, strict=True)))
        return sorted((row, column) for column, row in turned)
    width = len(costs[0])
    row_price, column_price = [0.0] * len(costs), [0.0] * width
    column_of, row_of = [-1] * len(costs), [-1] * width
    for row in range(len(costs)):
        _augment(row, costs, row_price, column_price, column_of, row_of)
    return list(enumerate(column_of))


def _augment(
    start: int,
    costs: Sequence[Sequence[float]],
    row_price: list[float],
    column_price: list[float],
    column_of: list[int],
    row_of: list[int],
) -> None:
    # Dijkstra from one row over reduced costs to the nearest free column, then turn the path round.
    width = len(row_of)
    distance, came_from = [inf] * width, [-1] * width
    ahead = list(range(width - 1, -1, -1))
    passed: list[int] = []
    row, so_far = start, 0.0
    while True:
        line, price = costs[row], row_price[row]
        best, least = -1, inf
        for place, column in enumerate(ahead):
            reduced = so_far + line[column] - price - column_price[column]
            if reduced < distance[column]:
                distance[column], came_from[column] = reduced, row
            near = distance[column]
            if near < least or (near == least and row_of[column] < 0):
                best, least = place, near
        so_far = least
        column = ahead[best]
        ahead[best] = ahead[-1]
        ahead.pop()
        passed.append(column)
        if row_of[column] < 0:
            break
        row = row_of[column]
    row_price[start] += so_far
    for text in passed:
        if row_of[text] >= 0:
            row_price[row_of[text]] += so_far - distance[text]
        column_price[text] -= so_far - distance[text]
    while True:
        row = came_from[column]
        row_of[column] = row
        column_of[row], column = column, column_of[row]
        if row == start:
            return


def ngrams(words: Sequence[str], length: int) -> Iterable[object]:
    """The n-grams of a text in order; words alone for length 1.

    >>> list(ngrams(["oil", "leak", "seal"], 2))
    [('oil', 'leak'), ('leak', 'seal')]
    """
    return words if length == 1 else zip(*(words[start:] for start in range(length)), strict=False)


class References:
    """The n-grams of several references side by side, with which any number of texts can be compared.

    >>> references = References()
    >>> one = references.add(0, ["oil", "oil", "leak"])
    >>> two = references.add(1, ["oil", "seal"])
    >>> (references.of(["oil", "oil", "oil", "seal"]) & (one | two)).bit_count()  # 2 of the first + 2 of the second
    4
    """

    def __init__(self) -> None:
        self._places: dict[tuple[object, int], dict[int, int]] = {}
        self._used = 0

    def add(self, reference: int, items: Iterable[object]) -> int:
        """The bits of a text of one reference; texts of other references have other bits."""
        places = []
        for key in _occurrences(items):
            mine = self._places.setdefault(key, {})
            if reference not in mine:
                mine[reference] = self._used
                self._used += 1
            places.append(mine[reference])
        return _integer(places)

    def of(self, items: Iterable[object]) -> int:
        """The bits of a text that is compared: those of all references that hold its items."""
        places = self._places
        return _integer(
            [place for key in _occurrences(items) if key in places for place in places[key].values()]
        )


def _occurrences(items: Iterable[object]) -> Iterable[tuple[object, int]]:
    counts: dict[object, int] = {}
    for item in items:
        before = counts.get(item, 0)
        counts[item] = before + 1
        yield item, before


def _integer(places: list[int]) -> int:
    bits = bytearray((max(places, default=0) >> 3) + 1)
    for place in places:
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")


Sentences = Sequence[Sequence[str]]


def union_hits(summary: Sentences, reference: Sentences) -> int:
    """How many words of a reference are hit.

    >>> union_hits([["w1", "w2", "w6", "w7", "w8"], ["w1", "w3", "w8", "w9", "w5"]], [["w1", "w2", "w3", "w4", "w5"]])
    4
    """
    left = Counter(word for sentence in summary for word in sentence)
    # Words of the reference that the summary lacks are never hit, so its own counts need no look.
    tables = [(sentence, _places(sentence)) for sentence in summary if sentence]
    hits = 0
    for sentence in reference:
        mask = 0
        if any(word in left for word in sentence):
            for other, places in tables:
                mask |= on_common_subsequence(sentence, other, places)
        for index, word in enumerate(sentence):
            if mask >> index & 1 and left[word] > 0:
                left[word] -= 1
                hits += 1
    return hits


def _places(sentence: Sequence[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    for index, word in enumerate(sentence):
        places[word] = places.get(word, 0) | 1 << index
    return places


def on_common_subsequence(
    sentence: Sequence[str], other: Sequence[str], places: dict[str, int] | None = None
) -> int:
    """The words of a sentence that lie on a longest common subsequence with another, as bits (bit 0 the first word).

    Of several longest ones, that which a walk back from the ends finds when it rather steps over words of `sentence`.
    One row of the table of lengths is one integer (Hyyrö, 2004): a zero bit where the length grows.

    >>> bin(on_common_subsequence("police killed the gunman".split(), "police kill the gunman".split()))
    '0b1101'
    """
    places = _places(other) if places is None else places
    if not any(word in places for word in sentence):
        return 0
    full = (1 << len(other)) - 1
    rows = [full]
    for word in sentence:
        row = rows[-1]
        met = row & places.get(word, 0)
        rows.append(((row + met) | (row - met)) & full)
    common = 0
    i, j = len(sentence), len(other)
    while i and j:
        below = (1 << j) - 1
        if sentence[i - 1] == other[j - 1]:
            common |= 1 << (i - 1)
            i, j = i - 1, j - 1
        elif (rows[i - 1] & below).bit_count() == (rows[i] & below).bit_count():
            i -= 1
        else:
            j -= 1
    return common


@dataclass(frozen=True, slots=True)
class Day:
    """What a timeline says of one day.

    Attributes:
        number: days since the year 1.
        sentences: for each sentence what ROUGE counts of it.
        tokens: what stands between blanks, in capital and small letters as written, punctuation marks left out.
    """

    number: int
    sentences: tuple[tuple[str, ...], ...]
    tokens: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """The stems of the day, its sentences joined."""
        return [word for sentence in self.sentences for word in sentence]


def days_of(timeline: DailyTimeline, rules: Rules) -> dict[int, Day]:
    """The days of a timeline in time order; an empty sentence is none.

    >>> from tidings.core.records import DailyTimeline, TimelineDay
    >>> timeline = DailyTimeline("oil", (TimelineDay("2010-04-22", ("The rig sinks .",)),))
    >>> list(days_of(timeline, Rules("tls")).values())
    [Day(number=733884, sentences=(('rig', 'sink'),), tokens=('The', 'rig', 'sinks'))]
    """
    texts: dict[int, tuple[str, ...]] = {}
    for day in timeline.days:
        number = datetime.date.fromisoformat(day.date).toordinal()
        before = () if rules.last_day_wins else texts.get(number, ())
        texts[number] = before + day.sentences
    return {number: _day(number, texts[number], rules) for number in sorted(texts)}


def _day(number: int, sentences: tuple[str, ...], rules: Rules) -> Day:
    counted = tuple(tuple(_stems(sentence, rules.markup, rules.ascii_words)) for sentence in sentences)
    tokens = tuple(token for sentence in sentences for token in sentence.split() if token not in punctuation)
    return Day(number, counted, tokens)


def rouge_words(text: str) -> list[str]:
    """What ROUGE counts of a sentence, by the rules of tilse: stems, without stop words.

    >>> rouge_words("The rig sinks .")
    ['rig', 'sink']
    """
    return list(_stems(text, markup=True, ascii_words=True))


@lru_cache(maxsize=4096)
def _stems(sentence: str, markup: bool, ascii_words: bool) -> tuple[str, ...]:
    if markup:
        sentence = sentence.replace("^", "&circ;").partition("<")[0]
    return tuple(stems(sentence, ascii_only=ascii_words))


KINDS = ("R1", "R2", "RL")
VARIANTS = ("concat", "agree", "align", "align+", "align+m1")
_TOKENS = "tokens"  # a kind of its own: what the costs of alignment compare
Counts = tuple[float, float]  # hits for precision, hits for recall


def f_score(precision: float, recall: float) -> float:
    """The harmonic mean; 0 when both are 0.

    >>> f_score(0.5, 1.0), f_score(0.0, 0.0)
    (0.6666666666666666, 0.0)
    """
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _items(kind: str, day: Day) -> Sequence[object]:
    if kind == _TOKENS:
        return day.tokens
    return list(ngrams(day.words, 2 if kind == "R2" else 1))


class Column:
    """Everything of one kind (n-grams of one length, or tokens) that the references hold, by days."""

    def __init__(self, kind: str, references: Sequence[dict[int, Day]], dates: Sequence[int]) -> None:
        self.kind = kind
        self.references = References()
        self.days = dict.fromkeys(dates, 0)
        self.sizes = dict.fromkeys(dates, 0)
        for number, reference in enumerate(references):
            for date, day in reference.items():
                items = _items(kind, day)
                self.days[date] |= self.references.add(number, items)
                self.sizes[date] += len(items)


class Topic:
    """One topic with its reference timelines.

    Raises:
        UsageError: no reference, or one without days.
    """

    def __init__(self, name: str, references: Iterable[DailyTimeline], rules: Rules) -> None:
        self.name = name
        self.rules = rules
        self.timelines = tuple(references)
        self.references = [days_of(timeline, rules) for timeline in self.timelines]
        if not self.references or not all(self.references):
            raise UsageError(f"topic {name}: a reference timeline without days (expected at least one day)")
        self.dates = sorted(set().union(*self.references))
        self._columns: dict[str, Column] = {}
        self._joined: dict[str, tuple[References, int, int]] = {}

    def compare(self, timeline: DailyTimeline) -> Comparison:
        """A timeline beside the references; nothing is counted before it is asked for."""
        return Comparison(self, days_of(timeline, self.rules))

    def column(self, kind: str) -> Column:
        """What the references hold of a kind, counted when it is first asked for."""
        if kind not in self._columns:
            self._columns[kind] = Column(kind, self.references, self.dates)
        return self._columns[kind]

    def joined(self, kind: str) -> tuple[References, int, int]:
        """All days of each reference as one text: its n-grams, their bits, their number."""
        if kind not in self._joined:
            texts, bits, size = References(), 0, 0
            for number, reference in enumerate(self.references):
                items = _joined_items(kind, reference)
                bits |= texts.add(number, items)
                size += len(items)
            self._joined[kind] = texts, bits, size
        return self._joined[kind]


def _joined_items(kind: str, days: dict[int, Day]) -> Sequence[object]:
    words = [word for day in days.values() for word in day.words]
    return list(ngrams(words, 2 if kind == "R2" else 1))


class Comparison:
    """One timeline and the references of its topic."""

    def __init__(self, topic: Topic, days: dict[int, Day]) -> None:
        self.topic = topic
        self.days = days
        self.dates = list(days)
        self._bits: dict[str, dict[int, int]] = {}
        self._sizes: dict[str, dict[int, int]] = {}
        self._aligned: dict[str, tuple[Pairs, Pairs]] = {}

    def dates_found(self) -> tuple[float, float]:
        """Precision and recall of the choice of days."""
        common = len(self.days.keys() & set(self.topic.dates))
        return common / len(self.dates) if self.dates else 0.0, common / len(self.topic.dates)

    def scores(self, kind: str, variant: str) -> tuple[float, float]:
        """Precision and recall of one of `KINDS` in one of `VARIANTS`; 0 where there is nothing to count."""
        if variant == "concat":
            return self._concatenate(kind)
        precise, complete = self._hits(kind, variant)
        references = len(self.topic.references)
        self._count(kind)
        said = references * sum(self._sizes[kind].values())
        wanted = sum(self.topic.column(kind).sizes.values())
        return precise / said if said else 0.0, complete / wanted if wanted else 0.0

    def _concatenate(self, kind: str) -> tuple[float, float]:
        items = _joined_items(kind, self.days)
        texts, bits, wanted = self.topic.joined(kind)
        if kind == "RL":
            summary = [sentence for day in self.days.values() for sentence in day.sentences]
            hits = sum(
                union_hits(summary, [sentence for day in reference.values() for sentence in day.sentences])
                for reference in self.topic.references
            )
        else:
            hits = (texts.of(items) & bits).bit_count()
        said = len(items) * len(self.topic.references)
        return hits / said if said else 0.0, hits / wanted if wanted else 0.0

    def _hits(self, kind: str, variant: str) -> Counts:
        self._count(kind)
        hits = self._pair_hits(kind)
        if variant == "agree":
            common = float(
                sum(hits(date, date) for date in self.dates if date in self.topic.column(kind).days)
            )
            return common, common
        precise, complete = self._alignment(variant)
        mine, theirs = self.dates, self.topic.dates
        return (
            sum(_near(mine[row], theirs[col]) * hits(mine[row], theirs[col]) for row, col in precise),
            sum(_near(mine[col], theirs[row]) * hits(mine[col], theirs[row]) for row, col in complete),
        )

    def _count(self, kind: str) -> None:
        if kind not in self._bits:
            references = self.topic.column(kind).references
            items = {date: _items(kind, day) for date, day in self.days.items()}
            self._bits[kind] = {date: references.of(those) for date, those in items.items()}
            self._sizes[kind] = {date: len(those) for date, those in items.items()}

    def _pair_hits(self, kind: str) -> Callable[[int, int], int]:
        if kind == "RL":
            return lambda mine, theirs: sum(
                union_hits(self.days[mine].sentences, reference[theirs].sentences)
                for reference in self.topic.references
                if theirs in reference
            )
        bits, column = self._bits[kind], self.topic.column(kind)
        return lambda mine, theirs: (bits[mine] & column.days[theirs]).bit_count()

    def _alignment(self, variant: str) -> tuple[Pairs, Pairs]:
        """Pairs of places (a day of mine, a day of theirs) for precision, (of theirs, of mine) for recall."""
        if variant not in self._aligned:
            costs = self._date_costs if variant == "align" else self._content_costs
            turned = [list(column) for column in zip(*costs, strict=True)]
            choose = nearest if variant == "align+m1" else cheapest
            self._aligned[variant] = choose(costs), choose(turned)
        return self._aligned[variant]

    @property
    def _date_costs(self) -> list[list[float]]:
        return [[1 - 1 / (abs(mine - theirs) + 1) for theirs in self.topic.dates] for mine in self.dates]

    @cached_property
    def _content_costs(self) -> list[list[float]]:
        self._count(_TOKENS)
        column = self.topic.column(_TOKENS)
        theirs = [(date, column.days[date], column.sizes[date]) for date in self.topic.dates]
        bits, sizes = self._bits[_TOKENS], self._sizes[_TOKENS]
        references = len(self.topic.references)
        return [_row(date, bits[date], references * sizes[date], theirs) for date in self.dates]


def _near(one: int, other: int) -> float:
    return 1 / (abs(one - other) + 1)


def _row(date: int, bits: int, said: int, theirs: Sequence[tuple[int, int, int]]) -> list[float]:
    # Cost of each day of the references: far in time times unlike in tokens (1 - F1). Written out: the inner loop.
    row = []
    for other, reference_bits, wanted in theirs:
        common = (bits & reference_bits).bit_count()
        cost = 1 - 1 / (abs(date - other) + 1)
        if common:
            precision, recall = common / said, common / wanted
            cost *= 1 - 2 * precision * recall / (precision + recall)
        row.append(cost)
    return row
