"""Claims: mentions with the document that makes them, and what their wording is worth as a vote."""

from __future__ import annotations

from zlib import crc32

from msgspec import Struct

from tidings.analysis import Mention
from tidings.core import Evidence, Sentence

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
    "retracted": 0.0,
    "denied": 0.0,
    "ended": 0.0,
    "opinion": 0.3,
    "casualties": 0.5,
    "part": 0.1,
    "place": 0.5,
}
"""What each doubt leaves of a vote."""

TOLL = 2.0
"""What a vote is worth that names its number as a total."""

ZERO = 0.5
"""What is left of a vote for nobody at all, which is said of every town that was spared."""

OFFICIAL = 1.2
"""What a vote is worth that somebody answers for."""

NEAR = (0.1, 0.5, 1.0)
"""What a vote is worth near which none, one, or more of the event's words stand."""

PROJECTED = 0.3
"""What is left of a vote for a sum that is expected: of what a storm costs nothing else is known for weeks."""

_LONGEST_KEPT = 1_000


class Claim(Struct):
    """That one document says so many; texts are kept as bytes of UTF-8.

    `weight` is its vote, `text` a digest of the words around the number, `instead_of` the value that it corrects. A
    claim of weight 0 is vague ("hundreds"): it votes for nothing, but says of what order the number is. One that names
    a place which is none of the event's is `elsewhere`.
    """

    value: float
    low: float
    high: float
    weight: float
    time: int
    doc_id: bytes
    sentence_index: int
    text: int
    instead_of: float | None = None
    source: bytes = b""
    sentence: bytes = b""
    title: bytes = b""
    url: bytes = b""
    elsewhere: bool = False

    def evidence(self) -> Evidence:
        """The sentence that makes the claim."""
        doc_id, text, source, title, url = map(
            _unpacked, (self.doc_id, self.sentence, self.source, self.title, self.url)
        )
        return Evidence(doc_id, self.sentence_index, text, self.time, source, title, url)


def weight_of(mention: Mention) -> float:
    """What a mention's vote is worth by its wording alone; 0: nothing.

    >>> weight_of(Mention("deaths", 9.0, 9.0, 9.0, toll=True, near=2)), weight_of(Mention("deaths", 9.0, 9.0, 9.0))
    (2.0, 0.1)
    """
    weight = 1.0
    for doubt in mention.doubts:
        projected = doubt == "modal" and mention.attribute == "financialimpact"
        weight *= PROJECTED if projected else DOUBTS[doubt]
    if mention.toll and "place" not in mention.doubts:  # the toll of a place is still a part
        weight *= TOLL
    if not mention.high:
        weight *= ZERO
    if mention.official:
        weight *= OFFICIAL
    return weight * NEAR[min(mention.near, 2)]


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
        _packed(sentence.doc_id),
        sentence.index,
        mention.key,
        mention.instead_of,
        _packed(sentence.source),
        _packed(sentence.text[:_LONGEST_KEPT]),
        _packed(sentence.title),
        _packed(sentence.url),
        "place" in mention.doubts,
    )


def _packed(text: str) -> bytes:
    # What strangers write may hold what is no text, and must be kept as it is.
    return text.encode("utf-8", "surrogatepass")


def _unpacked(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def example_claim(value: float, time: int, doc_id: str, weight: float = 1.0) -> Claim:
    """A claim for examples: by a document and in words of its own.

    >>> example_claim(12, 60, "d1").value
    12.0
    """
    name, value = _packed(doc_id), float(value)
    return Claim(value, value, value, weight, time, name, 0, crc32(name + str(value).encode()), None, name)
