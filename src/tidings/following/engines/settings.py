"""The settings of a query that every worker needs: all that the outputs of an event depend on but its documents."""

from __future__ import annotations

import importlib
from functools import lru_cache
from hashlib import blake2b

import msgspec
from msgspec import Struct

from tidings.core import AskingSystem, SharingSystem, System, UsageError
from tidings.following.stream import LATENESS_S

__all__ = ["SHARDS_EACH", "EngineSettings"]

SHARDS_EACH = 2
"""Shards in each partition: few, since an engine asks something for each, and a text goes to many events at once."""


class EngineSettings(Struct, frozen=True, kw_only=True):
    """How events are followed by an engine; the options are those of `tidings follow`.

    Args:
        system: name and options.
        about: the pace, "" for none.
        period: first and last time of all documents, where a pace of updates in all needs them.
        support: count beside the system which outlets say its updates again.
        interval_s: of decisions; 0 after each document.
        lateness_s: how much out of order documents may be.
        mixed: offer pooled sentences to every event.
        shards: into how many the events are dealt; each is kept as one.
        partitions: among which the shards are dealt evenly; 0 where nobody knows.
        modules: loaded by each worker first, for systems that they register.
        model: the digest of the model that the driver found; a worker that finds another one says so.
    """

    system: str
    about: str = ""
    period: tuple[int, int] | None = None
    support: bool = False
    interval_s: int = 0
    lateness_s: int = LATENESS_S
    mixed: bool = False
    shards: int = 64
    partitions: int = 0
    modules: tuple[str, ...] = ()
    model: str = ""

    def packed(self) -> bytes:
        """These settings as bytes for a worker."""
        return msgspec.msgpack.encode(self)

    @staticmethod
    def unpacked(packed: bytes) -> EngineSettings:
        """The settings that `packed` gave."""
        return msgspec.msgpack.decode(packed, type=EngineSettings)

    @property
    def identity(self) -> bytes:
        """Eight bytes that are others wherever a follower could not go on from what one of these settings kept."""
        deciding = msgspec.structs.replace(self, modules=(), lateness_s=0)
        return blake2b(deciding.packed(), digest_size=8).digest()

    def decider(self) -> System:
        """The system, made once in each process.

        Raises:
            UsageError: it is not registered here, has another model than the driver's, or cannot be hosted so.

        >>> EngineSettings(system="cosine", about="10/day").decider().spec
        'cosine:about=10/day'
        """
        return _made(self.packed())


@lru_cache(maxsize=8)
def _made(packed: bytes) -> System:
    from tidings.following.systems import make
    from tidings.following.systems.languages import with_languages
    from tidings.following.systems.pace import needs_period, with_pace, with_period
    from tidings.following.systems.support.system import WithSupport
    from tidings.following.systems.wrapped import innermost

    settings = EngineSettings.unpacked(packed)
    for module in settings.modules:
        importlib.import_module(module)
    try:
        made = with_languages(make(settings.system))
    except UsageError as error:
        name = settings.system.partition(":")[0]
        if f"found system {name!r}, expected one of" not in str(error):
            raise
        raise UsageError(
            f"found no system {name!r} here, expected it to be registered on the driver and on each worker; name the "
            "module that registers it in `modules`, or install the package that does on all machines"
        ) from None
    inner = innermost(made)
    if isinstance(inner, AskingSystem) and inner.judge_with(None) is not None:
        raise UsageError(
            f"found system {settings.system!r}, which asks a judge outside, expected one that decides by itself: its "
            "answers would have to be kept by every worker; follow with it on one machine"
        )
    if isinstance(inner, SharingSystem) and inner.shares_events:
        raise UsageError(
            f"found system {settings.system!r}, whose followers share what they know of other events, expected one "
            "that follows each event by itself; follow with it on one machine"
        )
    card = made.card
    if settings.model and (card is None or card.digest != settings.model):
        raise UsageError(
            f"found another model of system {settings.system!r} on a worker than where the query was begun; install "
            "the same version of tidings, and the same model file, on all machines"
        )
    made = with_pace(made, settings.about)
    if needs_period(made):
        if settings.period is None:
            raise UsageError(
                f"found a pace of {settings.about} updates in all, expected one such as 10/day: of documents that are "
                "still to come nobody knows the period"
            )
        made = with_period(made, *settings.period)
    return WithSupport(made) if settings.support else made
