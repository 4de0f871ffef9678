"""How well names are recognised: precision, recall and F1 of whole names with their types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from tidings.research.training.entities.labelled import LabelledDocument, Span

__all__ = ["NameScores", "measure"]


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
