"""The recogniser of names: a linear-chain field over what is seen of tokens, looked at twice in a document.

What a token alone says of labels is remembered (`memory`), what tokens together say is looked up, for
all tokens of many sentences at once.

Words with a capital that are no names, or none of theirs: in headlines, and at the beginning of a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
from msgspec import Struct

from tidings.analysis.names.gazetteers import BODY_WORDS, MAKES, gazetteers
from tidings.analysis.names.memory import END, OFFSETS, START, Alone, Array, ContextTable, TokenMemory
from tidings.analysis.names.mentions import Span, is_name
from tidings.analysis.names.name_words import CASELESS_LETTERS, CASELESS_WORDS, Lexicon
from tidings.core import ENGLISH

# A line is in title case if so many words of so many letters begin with a capital.
_FEWEST_WORDS, _LEAST_LETTERS = 4, 4


def is_title_case(tokens: Sequence[str]) -> bool:
    """Whether all words of a sentence that are not short begin with a capital.

    >>> is_title_case("Iran Temporarily Closes Strait Of Hormuz Amid US Nuclear Talks".split())
    True
    >>> is_title_case("Iran closes the Strait of Hormuz".split()), is_title_case("Barack Obama".split())
    (False, False)
    """
    long = [token for token in tokens if len(token) >= _LEAST_LETTERS and token.isalpha()]
    return len(long) >= _FEWEST_WORDS and all(token[0].isupper() for token in long)


def own_names(
    sentences: Sequence[Sequence[str]], spans: Sequence[Sequence[Span]], capitals: Mapping[str, int]
) -> list[list[Span]]:
    """The spans of a document's sentences, those of headlines in title case without words that are no names.

    What is a name in a sentence of the document that is no such headline stays whole, and so does a body. An owner and
    a place are two names ("Berlinale's Gaza row"), and a plural that is written small is none at the beginning of a
    sentence ("Carmakers warn").

    Args:
        sentences, spans: of the document.
        capitals: how often a word stands with a capital (0: hardly ever).

    >>> headline = "Iran Temporarily Closes Strait Of Hormuz Amid US Nuclear Talks".split()
    >>> own_names([headline], [[(0, 1, "LOC"), (2, 6, "LOC")]], {"closes": 0, "of": 0})
    [[(0, 1, 'LOC'), (3, 6, 'LOC')]]
    """
    in_headline = [bool(own) and is_title_case(tokens) for tokens, own in zip(sentences, spans, strict=True)]
    known = {
        _low(tokens[start:end])
        for tokens, own, is_headline in zip(sentences, spans, in_headline, strict=True)
        for start, end, _ in own
        if not is_headline
    }
    return [
        [
            part
            for span in own
            for piece in (_pieces(tokens, span, known, capitals) if is_headline else (span,))
            for part in _parts(tokens, piece)
            if not _is_plural(tokens, part, capitals)
        ]
        for tokens, own, is_headline in zip(sentences, spans, in_headline, strict=True)
    ]


def _parts(tokens: Sequence[str], span: Span) -> Iterator[Span]:
    start, end, kind = span
    for at in range(start + 1, end - 1) if kind == "ORG" else ():
        if tokens[at] in ("'s", "’s") and _is_place(_low(tokens[at + 1 : end])):
            yield start, at, kind
            yield at + 1, end, "LOC"
            return
    yield span


def _is_plural(tokens: Sequence[str], span: Span, capitals: Mapping[str, int]) -> bool:
    low = tokens[span[0]].lower()
    is_small = low.endswith("makers") or (low.endswith("ers") and capitals.get(low) == 0)
    return is_small and span == (0, 1, "ORG")


def _low(tokens: Sequence[str]) -> tuple[str, ...]:
    return tuple(token.lower() for token in tokens)


def _pieces(
    tokens: Sequence[str], span: Span, known: set[tuple[str, ...]], capitals: Mapping[str, int]
) -> Iterator[Span]:
    start, end, kind = span
    low = _low(tokens[start:end])
    listed = gazetteers()
    if low in known or not BODY_WORDS.isdisjoint(low) or _is_listed(low):
        yield span
        return
    begin, is_said = 0, tokens[-1] != "?"  # `Will Smith Apologizes`, but `Will Starmer Go?`
    for at in range(len(low) + 1):
        is_border = at == len(low) or (
            capitals.get(low[at]) == 0 and low[at] not in ENGLISH and low[at] not in listed.words
        )
        if not is_border:
            continue
        stop = at
        while begin < stop and low[begin] in ENGLISH and not (is_said and _is_person(low[begin:stop])):
            begin += 1
        while begin < stop and low[stop - 1] in ENGLISH and not _is_person(low[begin:stop]):
            stop -= 1
        if begin < stop:
            is_whole = stop - begin == len(low)
            marks = listed.words.get(low[begin], ())
            is_word = stop - begin == 1 and low[begin] not in capitals and not marks
            if stop - begin == 1 and kind == "ORG" and marks and _OF_PEOPLE.issuperset(marks):
                yield span  # a surname alone is no organisation: `Black Lives Matter`
                return
            if is_whole or not is_word:
                yield start + begin, start + stop, kind
        begin = at + 1


def _is_person(words: tuple[str, ...]) -> bool:
    # `Theresa May`.
    listed = gazetteers()
    return len(words) > 1 and all(
        mark in listed.words.get(word, ()) for mark, word in zip(("given", "family"), words[-2:], strict=True)
    )


def _is_place(words: tuple[str, ...]) -> bool:
    return any("place" in mark or "country" in mark for mark in gazetteers().words.get(" ".join(words), ()))


_OF_PEOPLE = frozenset(("first", "last", "given", "family"))


def _is_listed(words: tuple[str, ...]) -> bool:
    listed = gazetteers()
    return (len(words) == 1 and words[0] in listed.words) or any(
        phrase == words for phrase, _ in listed.phrases.get(words[0], ())
    )


_SCALED = 8
"""Steps after which sums of products are scaled, so that they neither vanish nor overflow."""


def best_labels(scores: Array, lengths: Sequence[int] | Array, moves: Array, starts: Array) -> Array:
    """The labels of the highest total score (Viterbi).

    Args:
        scores: (tokens, labels), what each token says of each label, sentence after sentence.
        lengths: tokens of each sentence.
        moves: (labels, labels), what a label says of the next one.
        starts: (labels), the same for the first of a sentence.

    Returns:
        (tokens) the number of each token's label.

    >>> scores = np.array([[0.0, 1.0], [0.2, 0.0]])
    >>> moves = np.array([[0.0, 0.0], [-1.0, 0.0]])
    >>> best_labels(scores, [2], moves, np.zeros(2)).tolist()
    [1, 1]
    """
    places, borders = _steps(lengths)
    if not len(places):
        return np.zeros(0, np.int64)
    best_up_to = scores[places].T.copy()
    best_up_to[:, : borders[1]] += starts[:, None]
    ways = moves[:, :, None]
    for begin, end, before in _pairs(borders):
        reached = (best_up_to[:, None, before : before + end - begin] + ways).max(axis=0)
        best_up_to[:, begin:end] += reached
    # Backwards: from the last label of each sentence to the one that it was best reached from.
    up_to = best_up_to.T.copy()
    into = moves.T.copy()
    labels = np.empty(len(places), np.int64)
    begin, end = borders[-2], borders[-1]
    labels[begin:end] = up_to[begin:end].argmax(axis=1)
    for begin, end, before in reversed(_pairs(borders)):
        size = end - begin
        came = up_to[before : before + size] + into[labels[begin:end]]
        labels[before : before + size] = came.argmax(axis=1)
        if before + size < begin:  # these end here
            labels[before + size : begin] = up_to[before + size : begin].argmax(axis=1)
    best = np.empty(len(places), np.int64)
    best[places] = labels
    return best


def label_chances(scores: Array, lengths: Sequence[int] | Array, moves: Array, starts: Array) -> Array:
    """The probability of each label at each token, (tokens, labels); rows add up to 1. Arguments as above.

    >>> label_chances(np.zeros((1, 2)), [1], np.zeros((2, 2)), np.zeros(2)).tolist()
    [[0.5, 0.5]]
    """
    places, borders = _steps(lengths)
    chances = np.empty(scores.shape, np.float64)
    if not len(places):
        return chances
    own = scores[places].astype(np.float64)
    own = np.exp(own - own.max(axis=1, keepdims=True)).T.copy()
    move = np.exp(moves.astype(np.float64))
    into = move.T.copy()
    forward = own.copy()
    forward[:, : borders[1]] *= np.exp(starts.astype(np.float64))[:, None]
    pairs = _pairs(borders)
    for step, (begin, end, before) in enumerate(pairs, start=1):
        now = into @ forward[:, before : before + end - begin]
        if step % _SCALED == 0:
            now /= now.sum(axis=0)
        forward[:, begin:end] *= now
    backward = np.ones_like(own)
    for step, (begin, end, before) in enumerate(reversed(pairs), start=1):
        now = move @ (own[:, begin:end] * backward[:, begin:end])
        if step % _SCALED == 0:
            now /= now.sum(axis=0)
        backward[:, before : before + end - begin] = now
    forward *= backward
    forward /= forward.sum(axis=0)
    chances[places] = forward.T
    return chances


def _steps(lengths: Sequence[int] | Array) -> tuple[Array, list[int]]:
    # The tokens in the order of the walk, and where each step begins among them; the last border is behind all.
    sizes = np.asarray(lengths, np.int64)
    if not sizes.sum():
        return np.zeros(0, np.int64), [0]
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty(len(sizes), np.int64)
    rank[order] = np.arange(len(sizes))
    begins = np.cumsum(sizes) - sizes
    at = np.arange(sizes.sum()) - np.repeat(begins, sizes)
    places = np.argsort(at * len(sizes) + np.repeat(rank, sizes), kind="stable")
    return places, [0, *np.cumsum(np.bincount(at)).tolist()]


def _pairs(borders: list[int]) -> list[tuple[int, int, int]]:
    # For each step but the first its begin and end, and the begin of the step before.
    return [(borders[at], borders[at + 1], borders[at - 1]) for at in range(1, len(borders) - 1)]


def second_look(
    tokens: Array,
    scores: Array,
    lengths: Sequence[int] | Array,
    labels: Sequence[str],
    moves: Array,
    starts: Array,
    trust: float,
) -> Array:
    """The scores with what other occurrences of the same token in the document say added.

    A token in capitals that occurs several times is thought of as a person's, an organization's, a place's name or none
    everywhere. To the score of a label of type c at one occurrence is added

        trust · log((Σ p(c) + ½) / (Σ p(O) + ½)) over the other occurrences,

    p being the probabilities of the first look; at most `trust` · 2 either way.

    Args:
        tokens: for each token a number that all its occurrences in its document share, and none in another document;
            -1 for those at which no second look is taken.
        scores: (tokens, labels) of the first look, sentence after sentence.
        lengths: tokens of each sentence.
        labels: the labels' names, in BIO form.
        moves: (labels, labels), what a label says of the next one.
        starts: (labels), the same for the first of a sentence.
        trust: how much the others count.
    """
    places = np.flatnonzero(tokens >= 0)
    order = np.argsort(tokens[places], kind="stable")
    places = places[order]
    begins = np.flatnonzero(np.diff(tokens[places], prepend=-1))
    sizes = np.diff(np.append(begins, len(places)))
    several = np.repeat(sizes > 1, sizes)
    places = places[several]
    sizes = sizes[sizes > 1]
    if not len(places):
        return scores
    # Only the sentences that such a token stands in are asked.
    owners = np.repeat(np.arange(len(lengths)), lengths)
    asked = np.zeros(len(lengths), bool)
    asked[owners[places]] = True
    inside = asked[owners]
    where = np.cumsum(inside) - 1
    own_lengths = np.asarray(lengths)[asked]
    chances = label_chances(scores[inside], own_lengths, moves, starts)[where[places]]
    begins = np.cumsum(sizes) - sizes
    group = np.repeat(np.arange(len(sizes)), sizes)
    changed = scores.copy()
    none = _of_others(chances[:, labels.index("O")], begins, group)
    kinds = [label.partition("-")[2] for label in labels]
    for kind in dict.fromkeys(filter(None, kinds)):
        columns = [at for at, one in enumerate(kinds) if one == kind]
        own = _of_others(chances[:, columns].sum(axis=1), begins, group)
        says = trust * np.clip(np.log((own + 0.5) / (none + 0.5)), -2.0, 2.0)
        for column in columns:
            changed[places, column] += says.astype(changed.dtype)
    return changed


def _of_others(chances: Array, begins: Array, group: Array) -> Array:
    # For each of the occurrences of a group the sum over the other ones.
    others: Array = np.maximum(np.add.reduceat(chances, begins)[group] - chances, 0.0)
    return others


_MOST_TOKENS = 100_000
"""Tokens that are remembered; then all are forgotten, which changes no result."""
_TOGETHER = 20_000
"""Tokens of documents that are handled together; more would only take memory."""
_LONGEST_SENTENCE = 400
"""Tokens that are handled as one sentence; a longer one is cut."""


class FieldWeights(Struct, frozen=True):
    """Learned: `rows` leads from the name of a feature to its row of `weights` (features, labels).

    `moves` (labels, labels) says which label follows which, `starts` (labels) which begins a sentence; `trust` is how
    much a token's other occurrences in the document count.
    """

    labels: tuple[str, ...]
    rows: Mapping[str, int]
    weights: Array
    moves: Array
    starts: Array
    lexicon: Lexicon
    trust: float = 0.0


class NameRecogniser:
    """Finds the names in documents' sentences."""

    def __init__(self, field: FieldWeights) -> None:
        self._field = field
        alone: dict[str, int] = {}
        together: dict[str, int] = {}
        for name, row in field.rows.items():
            (alone if name[0] in "-012" else together)[name] = row
        self._table = ContextTable(together, field.weights)
        self._memory = TokenMemory(Alone(alone, field.weights), self._table.fields, field.lexicon)
        types = [label.partition("-") for label in field.labels]
        self._types = [kind for _, _, kind in types]
        numbers = {kind: number for number, kind in enumerate(dict.fromkeys(["", *self._types]))}
        self._type_numbers = np.array([numbers[kind] for kind in self._types])
        self._begin = np.array([mark == "B" for mark, _, _ in types])

    def spans(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        """For each sentence of a document, the spans of tokens that are names, with their types.

        Args:
            sentences: the document's sentences as tokens, in order.
        """
        return self.spans_of([sentences])[0]

    def spans_of(self, documents: Sequence[Sequence[Sequence[str]]]) -> list[list[list[Span]]]:
        """The spans of each sentence of each document: as `spans` gives them one by one, but sooner.

        >>> from tidings.analysis.names.weights import shipped_recogniser
        >>> shipped_recogniser().spans_of([[["Ann", "Lee", "spoke"], ["Yes"]], [["in", "Paris"]]])
        [[[(0, 2, 'PER')], []], [[(1, 2, 'LOC')]]]
        """
        spans: list[list[list[Span]]] = []
        begin = size = 0
        for end, document in enumerate(documents, start=1):
            size += sum(map(len, document))
            if size >= _TOGETHER or end == len(documents):
                spans += self._spans(documents[begin:end])
                begin, size = end, 0
        return spans

    def _spans(self, documents: Sequence[Sequence[Sequence[str]]]) -> list[list[list[Span]]]:
        spans: list[list[list[Span]]] = [[[] for _ in document] for document in documents]
        pieces: list[Sequence[str]] = []
        owners: list[tuple[int, list[Span], int]] = []
        for number, document in enumerate(documents):
            for sentence, own in zip(document, spans[number], strict=True):
                for at in range(0, len(sentence), _LONGEST_SENTENCE):
                    whole = len(sentence) <= _LONGEST_SENTENCE
                    pieces.append(sentence if whole else sentence[at : at + _LONGEST_SENTENCE])
                    owners.append((number, own, at))
        tokens = list(chain.from_iterable(pieces))
        if not tokens:
            return spans
        if len(self._memory) > _MOST_TOKENS:
            self._memory.forget()
        lengths = np.array([len(piece) for piece in pieces])
        numbers = np.fromiter(map(self._memory.__getitem__, tokens), np.int64, len(tokens))
        scores = self._scores(numbers, lengths)
        field = self._field
        if field.trust:
            of = np.repeat([number for number, _, _ in owners], lengths) * len(self._memory) + numbers
            repeated = np.where(self._memory.cases[3][numbers] > 0, of, -1)
            scores = second_look(
                repeated, scores, lengths, field.labels, field.moves, field.starts, field.trust
            )
        labels = best_labels(scores, lengths, field.moves, field.starts)
        begins = np.cumsum(lengths) - lengths
        names = self._names(labels, begins)
        places = np.searchsorted(begins, [start for start, _, _ in names], side="right") - 1
        for (start, end, kind), piece, begin in zip(
            names, places.tolist(), begins[places].tolist(), strict=True
        ):
            if is_name(" ".join(tokens[start:end])) and tokens[start].lower() not in MAKES:
                _, own, at = owners[piece]
                own.append((start - begin + at, end - begin + at, kind))
        capitals = field.lexicon.capitals
        return [own_names(document, own, capitals) for document, own in zip(documents, spans, strict=True)]

    def _names(self, labels: Array, begins: Array) -> list[Span]:
        # As `spans_of_labels`, for all sentences at once.
        types = self._type_numbers[labels]
        opens = np.zeros(len(labels) + 1, bool)
        opens[begins] = True
        opens[-1] = True
        changes = opens.copy()
        changes[1:-1] |= types[1:] != types[:-1]
        changes[:-1] |= self._begin[labels]
        borders = np.flatnonzero(changes)
        inside = types[borders[:-1]] > 0
        starts, ends = borders[:-1][inside], borders[1:][inside]
        kinds = [self._types[label] for label in labels[starts]]
        return list(zip(starts.tolist(), ends.tolist(), kinds, strict=True))

    def scores(self, sentences: Sequence[Sequence[str]]) -> tuple[Array, list[int]]:
        """What each token says of each label, (tokens, labels), sentence after sentence; and the sentences' lengths."""
        lengths = [len(sentence) for sentence in sentences]
        tokens = list(chain.from_iterable(sentences))
        if not tokens:
            return np.zeros((0, len(self._field.labels)), np.float32), lengths
        numbers = np.fromiter(map(self._memory.__getitem__, tokens), np.int64, len(tokens))
        filled = np.array([length for length in lengths if length])
        return self._scores(numbers, filled), lengths

    def _scores(self, numbers: Array, lengths: Array) -> Array:
        # In parts of whole sentences, so that a very long document takes no more memory than its scores.
        ends = np.cumsum(lengths)
        cuts = np.searchsorted(ends, np.arange(_TOGETHER, len(numbers), _TOGETHER), side="left") + 1
        borders = np.unique(np.concatenate([[0], cuts, [len(lengths)]]))
        places = np.append(0, ends)[borders].tolist()
        parts = [
            self._part(numbers[begin:end], lengths[first:last])
            for first, last, begin, end in zip(
                borders[:-1], borders[1:], places[:-1], places[1:], strict=True
            )
        ]
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    def _part(self, numbers: Array, lengths: Array) -> Array:
        memory = self._memory
        begins = np.cumsum(lengths) - lengths
        caseless = self._caseless(numbers, begins)
        kinds = memory.kinds(numbers, np.repeat(caseless, lengths))
        # One place before each sentence and one behind it.
        edges = np.append(begins + 2 * np.arange(len(begins)), len(numbers) + 2 * len(begins))
        places = np.arange(len(numbers)) + np.repeat(2 * np.arange(len(begins)) + 1, lengths)
        padded = np.full(edges[-1] + 2, END)
        padded[edges[:-1]] = START
        padded[places] = kinds
        seen = memory.seen.take(padded[:-2], axis=1)
        scores = self._table.scores(seen, edges, self._marks(padded))
        scores += memory.says[0].take(padded[:-2], axis=0)
        for part, offset in zip(memory.says[1:], OFFSETS[1:], strict=True):
            size = len(scores)
            to, of = (
                (slice(0, size - offset), slice(offset, size))
                if offset > 0
                else (slice(-offset, size), slice(0, size + offset))
            )
            scores[to] += part.take(padded[of], axis=0)
        return scores[places]

    def _caseless(self, numbers: Array, begins: Array) -> Array:
        # As `is_caseless`, for all sentences at once.
        letters, capitals, shows, _ = self._memory.cases.take(numbers, axis=1)
        words, upper = letters > 0, (letters > 0) & (capitals > 0)
        count, total, upper, shown = (
            np.add.reduceat(array.astype(np.int64), begins) for array in (words, letters, upper, shows)
        )
        enough = (count >= CASELESS_WORDS) & (total >= CASELESS_LETTERS)
        caseless: Array = enough & ((upper == count) | (shown == 0))
        return caseless

    def _marks(self, kinds: Array) -> list[tuple[int, str]]:
        # As `phrase_marks`, for all sentences at once.
        memory = self._memory
        marks: list[tuple[int, str]] = []
        behind = 0
        for place in np.flatnonzero(memory.begins[kinds[:-1]] & memory.goes_on[kinds[1:]]).tolist():
            if place < behind:
                continue
            words = [memory.lows[kind] for kind in kinds[place : place + 8].tolist()]
            for phrase, kind in gazetteers().phrases[words[0]]:
                if tuple(words[: len(phrase)]) == phrase:
                    behind = place + len(phrase)
                    marks.append((place, f"B-{kind}"))
                    marks += [(at, f"I-{kind}") for at in range(place + 1, behind)]
                    break
        return marks
