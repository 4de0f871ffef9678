"""How much of what matters to its story a sentence of an article tells: what a timeline would hold of its day.

importance = Σ weight · (feature - mean) / deviation

The weights are learned from sentences that say what reference timelines tell of a day, against all others of the
story's articles of that day and the next (`scripts/table_of_importance.py --fit`). It says which of what is new is
told first, and at a pace which is told at all; what is an update without a pace it leaves as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from importlib import resources
from math import log1p

import msgspec
from msgspec import Struct

from tidings.core import shared_analyzer
from tidings.following.systems.tidings.model import ARTICLE_FEATURES, log_odds

_LENGTH = ARTICLE_FEATURES.index("log_words")

IMPORTANCE_FEATURES = (
    *ARTICLE_FEATURES[:_LENGTH],
    *ARTICLE_FEATURES[_LENGTH + 1 :],
    "log_odds",
    "log_place",
    "is_first",
    "is_early",
    "changes",
    "capitals",
    "like_lead",
    "quotes",
)
"""What is weighed: of the ARTICLE_FEATURES all but the length, and some more.

- log_odds: of the decision's probability; log_place, is_first, is_early: place in the article, whether it is the
  first, one of the first three; changes: words that tell a change of state; capitals: share of words that begin with
  a capital; like_lead: how many of its stems each of the first three sentences holds, together; quotes: it holds a
  quotation mark.
"""

_EARLY = 3
_QUOTES = frozenset('"“”')
_CAPITAL = re.compile(r"\b[A-Z][a-z]")
_CHANGES = (
    "died dead killed resigned resigns agreed agrees agreement began begins begin ended ends fell falls captured "
    "arrested charged convicted sentenced acquitted guilty indicted sued settled approved rejected voted elected "
    "declared announced confirmed launched sealed stopped suspended ordered ruled named appointed sworn released "
    "admitted dropped filed withdrew withdrawn banned stripped won lost raised rose found sank exploded evacuated "
    "imposed accepted seized overthrown defected fled hit struck warned"
)


@cache
def _changes() -> frozenset[str]:
    return frozenset(shared_analyzer("english").stems(_CHANGES))


def importance_row(
    row: Sequence[float],
    probability: float,
    place: int,
    text: str,
    stems: Collection[str],
    lead: Sequence[Collection[str]],
) -> tuple[float, ...]:
    """IMPORTANCE_FEATURES of a sentence.

    Args:
        row: its ARTICLE_FEATURES.
        probability: the decision's.
        place: its number in the article.
        text, stems: its own.
        lead: the stems of the first sentences of the article.
    """
    words = text.split()
    return (
        *row[:_LENGTH],
        *row[_LENGTH + 1 :],
        log_odds(probability),
        log1p(place),
        float(place == 0),
        float(place < _EARLY),
        float(len(_changes().intersection(stems))),
        len(_CAPITAL.findall(text[1:])) / max(1, len(words)),
        sum(len(set(one).intersection(stems)) for one in lead[:_EARLY]) / max(1, len(stems)),
        float(not _QUOTES.isdisjoint(text)),
    )


class Importance(Struct, frozen=True):
    """The learned sum: as many weights, means and deviations as there are IMPORTANCE_FEATURES."""

    weights: tuple[float, ...]
    means: tuple[float, ...]
    deviations: tuple[float, ...]

    def __call__(self, row: Sequence[float]) -> float:
        """The importance for a row of IMPORTANCE_FEATURES; 0 is that of the usual sentence."""
        columns = zip(self.weights, row, self.means, self.deviations, strict=True)
        return sum(weight * (value - mean) / deviation for weight, value, mean, deviation in columns)


@cache
def shipped_importance() -> Importance:
    """What comes along, learned from all stories."""
    data = resources.files("tidings.following.systems.tidings").joinpath("importance.json").read_bytes()
    return msgspec.json.decode(data, type=Importance)
