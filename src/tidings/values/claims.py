"""Claims: mentions with the document that makes them, and what their wording is worth as a vote."""

from __future__ import annotations

from msgspec import Struct

from tidings.records import Evidence, Sentence
from tidings.values.mentions import Mention

__all__ = ["DOUBTS", "Claim", "claim_of", "example_claim", "weight_of"]

DOUBTS = {
    "past": 0.0,
    "other": 0.0,
    "modal": 0.0,
    "rate": 0.0,
    "comment": 0.0,
    "question": 0.0,
    "vague": 0.0,
    "superseded": 0.0,
    "combined": 0.0,
    "more": 0.0,
    "part": 0.3,
    "place": 0.5,
}
"""What each doubt leaves of a vote."""

TOLL = 2.0
"""What a vote is worth that names its number as a total."""

FAR = 0.1
"""What is left of a vote near which no word of the event stands."""

PROJECTED = 0.3
"""What is left of a vote for a sum that is expected: of what a storm costs nothing else is known for weeks."""

_LONGEST_KEPT = 1_000


class Claim(Struct):
    """That one document says so many; `weight` is its vote, `text` a digest of the words around the number.

    A claim of weight 0 is vague ("hundreds"): it votes for nothing, but says of what order the number is.
    """

    value: float
    low: float
    high: float
    weight: float
    time: int
    doc_id: str
    sentence_index: int
    text: int
    source: str = ""
    sentence: str = ""
    title: str = ""
    url: str = ""

    def evidence(self) -> Evidence:
        """The sentence that makes the claim."""
        return Evidence(
            self.doc_id, self.sentence_index, self.sentence, self.time, self.source, self.title, self.url
        )


def weight_of(mention: Mention) -> float:
    """What a mention's vote is worth by its wording alone; 0: nothing.

    >>> weight_of(Mention("deaths", 9.0, 9.0, 9.0, toll=True, near=1)), weight_of(Mention("deaths", 9.0, 9.0, 9.0))
    (2.0, 0.1)
    """
    weight = 1.0
    for doubt in mention.doubts:
        projected = doubt == "modal" and mention.attribute == "financialimpact"
        weight *= PROJECTED if projected else DOUBTS[doubt]
    if mention.toll:
        weight *= TOLL
    return weight if mention.near else weight * FAR


def claim_of(mention: Mention, sentence: Sentence) -> Claim | None:
    """The claim that a sentence makes by a mention; None where it has no vote and no order either."""
    weight = weight_of(mention)
    if weight <= 0 and mention.doubts != ("vague",):
        return None
    return Claim(
        mention.value,
        mention.low,
        mention.high,
        weight,
        sentence.published_time,
        sentence.doc_id,
        sentence.index,
        mention.key,
        sentence.source,
        sentence.text[:_LONGEST_KEPT],
        sentence.title,
        sentence.url,
    )


def example_claim(value: float, time: int, doc_id: str, weight: float = 1.0) -> Claim:
    """A claim for examples: by a document and in words of its own.

    >>> example_claim(12, 60, "d1").value
    12.0
    """
    value = float(value)
    return Claim(value, value, value, weight, time, doc_id, 0, hash_of(f"{doc_id} {value}"), doc_id)


def hash_of(words: str) -> int:
    """A digest of words, the same everywhere."""
    from zlib import crc32

    return crc32(words.encode("utf-8", "surrogatepass"))
