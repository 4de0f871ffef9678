"""`encoder=...`: any system, telling nothing that an update has said in other words or in another language."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct

from tidings.analysis import encoded, open_encoder
from tidings.core import (
    ArticleDecider,
    BudgetedDecider,
    ComparingDecider,
    Encoder,
    Event,
    Follower,
    Output,
    PacedDecider,
    Sentence,
    Update,
    detect,
)
from tidings.following.systems.base import WrappedSystem

if TYPE_CHECKING:
    from numpy import ndarray


_MOST_UPDATES = 200
_NUMBER = re.compile(r"\d+(?:[.,\u00a0\u202f]\d+)*")


class Comparison(Struct, frozen=True, kw_only=True):
    """By what meanings are compared, and how near they must be."""

    encoder: Annotated[
        str,
        Meta(
            description="gives vectors of sentences, so that nothing is told which an update has said in other "
            "words or another language: `use` (needs the extra `encoder`), module:function, or a model of "
            "sentence-transformers; empty: none"
        ),
    ] = ""
    nearness: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description="cosine to an update from which `encoder` takes a sentence of the same language for its "
            "repetition",
        ),
    ] = 0.75
    across: Annotated[
        float, Meta(ge=0, le=1, description="the same for a sentence of another language than the update's")
    ] = 0.5


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
            self._latest = (text, encoded(self._encoder, [plain], self._options.encoder)[0])
        return self._latest[1]

    def state(self) -> list[tuple[bytes, str]]:
        """The updates, as texts with their languages: their vectors are made anew."""
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


class ComparingSystem(WrappedSystem, frozen=True):
    """A system whose followers, one for each language, share what their updates mean."""

    comparison: Comparison

    @property
    def limit(self) -> Comparison:
        """By what meanings are compared."""
        return self.comparison

    def start(self, event: Event) -> Follower:
        """A fresh follower of `event`."""
        name = self.comparison.encoder
        meanings = EncodedMeanings(open_encoder(name), self.comparison)
        return ComparingFollower(self.system.start(event), meanings)


class ComparingFollower:
    """Tells what the follower inside tells, but for repetitions.

    A follower with a method `compare(meanings)` asks before it tells; of any other the updates that repeat are dropped.
    """

    def __init__(self, inner: Follower, meanings: EncodedMeanings) -> None:
        self._inner, self._meanings = inner, meanings
        self._asks = isinstance(inner, ComparingDecider)
        if isinstance(inner, ComparingDecider):
            inner.compare(meanings)
        if isinstance(inner, BudgetedDecider):
            self.allow = inner.allow
        if isinstance(inner, PacedDecider):
            self.keep_pace = inner.keep_pace
        if isinstance(inner, ArticleDecider):
            self.require_news = inner.require_news

    def push(self, sentences: Sequence[Sentence], now: int) -> Sequence[Output]:
        """What the follower inside tells, but for repetitions."""
        return self._new(self._inner.push(sentences, now))

    def finish(self, now: int) -> Sequence[Output]:
        """What the follower inside still tells, but for repetitions."""
        return self._new(self._inner.finish(now))

    def _new(self, outputs: Sequence[Output]) -> Sequence[Output]:
        if self._asks or not outputs:
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
        """What the updates say, and the state of the follower inside."""
        return msgspec.msgpack.encode((self._meanings.state(), self._inner.state()))

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        meanings, inner = msgspec.msgpack.decode(data, type=tuple[list[tuple[bytes, str]], bytes])
        self._meanings.restore(meanings)
        self._inner.restore(inner)


def _numbers(text: str) -> frozenset[str]:
    """The numbers that stand in digits in a text, without what groups them."""
    return frozenset(
        "".join(str(int(sign)) for sign in number if sign.isdecimal()) for number in _NUMBER.findall(text)
    )
