"""How well names and chains of co-reference are recognised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from msgspec import Struct
from name_corpora import GumDocument, LabelledDocument, Span

from tidings.analysis.names.coreference import Chain, resolved_pronoun


class NameScores(Struct, frozen=True):
    """Names that are in both, that were given, that there are."""

    right: int = 0
    given: int = 0
    real: int = 0

    @property
    def precision(self) -> float:
        """right / given, 0 to 1; 0 where none was given."""
        return self.right / self.given if self.given else 0.0

    @property
    def recall(self) -> float:
        """right / real, 0 to 1; 0 where there are none."""
        return self.right / self.real if self.real else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 0 to 1.

        >>> NameScores(right=1, given=2, real=1).f1
        0.6666666666666666
        """
        return 2 * self.right / (self.given + self.real) if self.right else 0.0

    def __add__(self, other: NameScores) -> NameScores:
        return NameScores(self.right + other.right, self.given + other.given, self.real + other.real)


def measure(
    documents: Iterable[LabelledDocument],
    recognise: Callable[[Sequence[Sequence[str]]], Sequence[Sequence[Span]]],
) -> dict[tuple[str, str], NameScores]:
    """The scores by genre and type; type and genre "all" stand for the sum."""
    scores: dict[tuple[str, str], NameScores] = {}
    for document in documents:
        found = recognise([sentence.tokens for sentence in document.sentences])
        for sentence, spans in zip(document.sentences, found, strict=True):
            real, given = set(sentence.spans), set(spans)
            for kind in ("PER", "ORG", "LOC"):
                own = {span for span in real if span[2] == kind}
                ours = {span for span in given if span[2] == kind}
                score = NameScores(len(own & ours), len(ours), len(own))
                for key in ((document.genre, kind), (document.genre, "all"), ("all", kind), ("all", "all")):
                    scores[key] = scores.get(key, NameScores()) + score
    return scores


Resolver = Callable[[Sequence[Sequence[str]], Sequence[Sequence[Span]]], Sequence[Chain]]


class ChainScores(Struct, frozen=True):
    """Sums over mentions (`b_cubed`), and pronouns that were resolved to the right name, to any, that have one."""

    precision_sum: float = 0.0
    recall_sum: float = 0.0
    mentions: int = 0
    pronouns: NameScores = NameScores()

    @property
    def precision(self) -> float:
        """Mean B-cubed precision, 0 to 1."""
        return self.precision_sum / self.mentions if self.mentions else 0.0

    @property
    def recall(self) -> float:
        """Mean B-cubed recall, 0 to 1."""
        return self.recall_sum / self.mentions if self.mentions else 0.0

    @property
    def f1(self) -> float:
        """Their harmonic mean, 0 to 1."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def __add__(self, other: ChainScores) -> ChainScores:
        return ChainScores(
            self.precision_sum + other.precision_sum,
            self.recall_sum + other.recall_sum,
            self.mentions + other.mentions,
            self.pronouns + other.pronouns,
        )


def b_cubed(ours: Mapping[Hashable, int], real: Mapping[Hashable, int]) -> ChainScores:
    """B-cubed of a partition of the same mentions (Bagga and Baldwin 1998).

    For each mention, precision is the share of its cluster that is of its real chain, recall the share of its chain
    that is in its cluster; sums over mentions are kept.

    >>> scores = b_cubed({"a": 1, "b": 1, "c": 2}, {"a": 1, "b": 1, "c": 1})
    >>> scores.precision, round(scores.recall, 3)
    (1.0, 0.556)
    """
    sizes, chains = Counter(ours.values()), Counter(real.values())
    shared = Counter((ours[mention], real[mention]) for mention in real)
    return ChainScores(
        sum(shared[ours[mention], real[mention]] / sizes[ours[mention]] for mention in real),
        sum(shared[ours[mention], real[mention]] / chains[real[mention]] for mention in real),
        len(real),
    )


def measure_chains(documents: Iterable[GumDocument], resolve: Resolver) -> ChainScores:
    """The scores of a way to resolve names, given the real names of GUM's documents."""
    total = ChainScores()
    for document in documents:
        real: dict[Hashable, int] = {}
        for number, (sentence, chains) in enumerate(zip(document.sentences, document.chains, strict=True)):
            for (start, end, _), chain in zip(sentence.spans, chains, strict=True):
                real[number, start, end] = chain
        ours: dict[Hashable, int] = {}
        pronouns: dict[tuple[int, int], int] = {}
        found = resolve(
            [sentence.tokens for sentence in document.sentences],
            [sentence.spans for sentence in document.sentences],
        )
        chain_of: dict[int, Counter[int]] = {}
        for at, entity in enumerate(found):
            for one in entity.references:
                if one.how == "name":
                    ours[one.sentence, one.start, one.end] = at
                    chain_of.setdefault(at, Counter())[real[one.sentence, one.start, one.end]] += 1
                elif one.how == "pronoun":
                    pronouns[one.sentence, one.start] = at
        total += b_cubed(ours, real)
        total += ChainScores(pronouns=_pronouns(document, real, pronouns, chain_of))
    return total


def _pronouns(
    document: GumDocument,
    real: Mapping[Hashable, int],
    ours: Mapping[tuple[int, int], int],
    chain_of: Mapping[int, Counter[int]],
) -> NameScores:
    named = set(real.values())
    gold = {
        (one.sentence, one.start): one.chain
        for one in document.phrases
        if one.end == one.start + 1
        and one.chain in named
        and resolved_pronoun(document.sentences[one.sentence].tokens[one.start])
    }
    right = sum(
        gold.get(place) == chain_of[at].most_common(1)[0][0] for place, at in ours.items() if at in chain_of
    )
    return NameScores(right, len(ours), len(gold))
