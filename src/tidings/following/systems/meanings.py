"""`encoder=...`: any system, emitting nothing that an update has said in other words or in another language."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, Struct

from tidings.analysis import encode_texts, open_encoder
from tidings.core import Encoder, Event, Output, Sentence, Update, detect
from tidings.following.systems.stages import Stage, StageFollower, Surroundings

if TYPE_CHECKING:
    from numpy import ndarray


_MOST_UPDATES = 200  # the latest, whose meanings are remembered
_NUMBER = re.compile(r"\d+(?:[.,\u00a0\u202f]\d+)*")


class Comparison(Stage, frozen=True, kw_only=True):
    """By what meanings are compared, and how near they must be; followers of all languages share what updates mean."""

    stage: ClassVar[str] = "meanings"
    remembers: ClassVar[str] = "the latest 200 updates"

    encoder: str = ""
    nearness: Annotated[float, Meta(ge=0, le=1)] = 0.75
    across: Annotated[float, Meta(ge=0, le=1)] = 0.5

    @property
    def is_needed(self) -> bool:
        """Whether an encoder is named."""
        return bool(self.encoder)

    def start(self, event: Event, surroundings: Surroundings) -> ComparingFollower:
        """What remembers what the updates of `event` mean."""
        meanings = EncodedMeanings(open_encoder(self.encoder), self)
        surroundings.meanings = meanings
        return ComparingFollower(meanings, is_heeded="meanings" in surroundings.heeds)


class EncodedMeanings:
    """The vectors of the latest 200 updates of an event, whatever their language.

    A text repeats an update whose vector has a cosine to its own of `nearness` or more, of `across` or more where they
    are in two languages; unless it states a number in digits that none of those updates states: sentences that differ
    in a number alone are near each other.

    >>> options = Comparison(encoder="example", nearness=0.9)
    >>> meanings = EncodedMeanings(lambda texts: [[len(text), 1.0] for text in texts], options)
    >>> meanings.note("12 dead", "en")
    >>> [meanings.repeats(text, "en") for text in ("dead: 12", "14 dead", "x")]
    [True, False, False]
    """

    def __init__(self, encoder: Encoder, options: Comparison) -> None:
        self._encoder, self._options = encoder, options
        self._updates: deque[_Meaning] = deque(maxlen=_MOST_UPDATES)
        self._latest: tuple[str, ndarray[Any, Any]] | None = None

    def repeats(self, text: str, language: str) -> bool:
        """Whether an update has said what a text says."""
        if not self._updates:
            return False
        vector, options = self._vector(text), self._options
        near = [
            update.numbers
            for update in self._updates
            if float(vector @ update.vector)
            >= (options.nearness if update.language == language else options.across)
        ]
        return bool(near) and _numbers(text) <= frozenset().union(*near)

    def note(self, text: str, language: str) -> None:
        """Remember an update."""
        self._updates.append(_Meaning(text, language, self._vector(text), _numbers(text)))

    def _vector(self, text: str) -> ndarray[Any, Any]:
        # Always one text alone: in company its vector may differ in the last digits, and a run that goes on decide
        # otherwise than one that was never stopped.
        if self._latest is None or self._latest[0] != text:
            plain = text.encode("utf-8", "replace").decode()
            self._latest = (text, encode_texts(self._encoder, [plain], self._options.encoder)[0])
        return self._latest[1]

    def state(self) -> list[tuple[bytes, str]]:
        """The updates, as texts with their languages: their vectors are made again."""
        return [(update.text.encode("utf-8", "surrogatepass"), update.language) for update in self._updates]

    def restore(self, state: Sequence[tuple[bytes, str]]) -> None:
        """Become what gave `state`."""
        self._updates.clear()
        for text, language in state:
            self.note(text.decode("utf-8", "surrogatepass"), language)


class _Meaning(Struct):
    """An update: what it says, in which language, its vector and its numbers."""

    text: str
    language: str
    vector: Any
    numbers: frozenset[str]


class ComparingFollower(StageFollower):
    """Lets no repetition out of a follower that does not ask itself before it emits."""

    def __init__(self, meanings: EncodedMeanings, *, is_heeded: bool) -> None:
        self._meanings, self._is_heeded = meanings, is_heeded

    def give(
        self, outputs: Sequence[Output], sentences: Sequence[Sentence] | None, now: int
    ) -> Sequence[Output]:
        """These outputs, but for repetitions."""
        if self._is_heeded or not outputs:
            return outputs
        kept = []
        for output in outputs:
            if isinstance(output, Update):
                language = detect(output.text)
                if self._meanings.repeats(output.text, language):
                    continue
                self._meanings.note(output.text, language)
            kept.append(output)
        return kept

    def state(self) -> bytes:
        """What the updates say."""
        updates = self._meanings.state()
        return msgspec.msgpack.encode(updates) if updates else b""

    def restore(self, data: bytes) -> None:
        """Become what gave `data`."""
        self._meanings.restore(msgspec.msgpack.decode(data, type=list[tuple[bytes, str]]) if data else ())


def _numbers(text: str) -> frozenset[str]:
    """The numbers that stand in digits in a text, without what groups them."""
    return frozenset(
        "".join(str(int(sign)) for sign in number if sign.isdecimal()) for number in _NUMBER.findall(text)
    )
