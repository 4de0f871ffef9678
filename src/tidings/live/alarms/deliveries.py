"""Alarms on their way: sent from a store's outbox, at least once, in order for each event and channel.

Every server of a store may do this at once: each alarm is claimed for a while by one of them. A channel that is slow or
gone has a few places of its own, and takes none of the others'.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from types import TracebackType
from zlib import crc32

from tidings.core import AlarmChannel, Delivery, TidingsError
from tidings.live.alarms.channel_types import CHANNEL_TYPES, Senders, send_alarm
from tidings.live.alarms.digests import DigestMaker
from tidings.live.alarms.senders import NotDeliveredError, WebhookSender
from tidings.live.alarms.settings import DeliverySettings
from tidings.live.store import LiveStore

_STOPPING_S = 3.0  # that alarms on their way are given when the service stops
_DIGESTS_EVERY_S = 20.0
_PRUNED_EVERY_S = 3600.0


def retry_wait(delivery: Delivery, settings: DeliverySettings) -> float:
    """After how many seconds an attempt that failed is repeated: attempts⁴, up to the longest, and 10 % off either way.

    By how much it is off depends on the alarm alone, so that those that failed together do not come together again.

    >>> from tidings.core.records.standing import Alarm
    >>> alarm = Alarm(id="a", kind="test", title="", time=0)
    >>> made = Delivery(seq=1, alarm=alarm, channel_id=1, rule_id=0, created_ms=0, next_ms=0, leased_until_ms=0,
    ...     attempts=3, delivered_ms=None, error="")
    >>> 81 * 0.9 <= retry_wait(made, DeliverySettings()) <= 81 * 1.1
    True
    """
    jitter = 0.9 + 0.2 * (crc32(f"{delivery.alarm.id} {delivery.attempts}".encode()) / 2**32)
    return float(min(delivery.attempts**4 * settings.unit_s, settings.longest_s) * jitter)


class Deliveries:
    """Sends a store's alarms while the `async with` runs.

    Args:
        live: the store.
        settings: how.
    """

    def __init__(self, live: LiveStore, settings: DeliverySettings | None = None) -> None:
        self._live, self.settings = live, settings or DeliverySettings()
        allow_private, public_url = self.settings.allow_private, self.settings.public_url
        self._senders = Senders(
            settings=self.settings,
            webhooks=WebhookSender(allow_private=allow_private, public_url=public_url),
            digests=DigestMaker(live, self.settings),
            clock=live.clock,
        )
        self._sending: dict[int, set[asyncio.Task[None]]] = {}
        self._wake = asyncio.Event()
        self._ending = False
        self._task: asyncio.Task[None] | None = None
        self.sent = self.failed = 0
        self.trouble = ""
        """What went wrong with the store last, empty where nothing did."""

    async def __aenter__(self) -> Deliveries:
        await self._senders.webhooks.__aenter__()
        self._task = asyncio.create_task(self._work())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            # Before Python 3.12 `wait_for` loses a cancellation that comes together with what it waits for.
            self._ending = True
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        sending = {task for tasks in self._sending.values() for task in tasks}
        if sending:
            _, late = await asyncio.wait(sending, timeout=_STOPPING_S)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        await self._senders.webhooks.__aexit__(None, None, None)

    async def _work(self) -> None:
        digests_at = prune_at = 0.0
        while not self._ending:
            self._wake.clear()
            try:
                await self._look()
                if time.monotonic() >= digests_at:
                    await asyncio.to_thread(self._senders.digests.put_due)
                    digests_at = time.monotonic() + _DIGESTS_EVERY_S
                if time.monotonic() >= prune_at:
                    before_ms = int((self._live.clock() - self.settings.keep_s) * 1000)
                    await asyncio.to_thread(self._live.outbox.prune, before_ms)
                    prune_at = time.monotonic() + _PRUNED_EVERY_S
                self.trouble = ""
            except TidingsError as error:  # a store that is locked for long, say, is looked at again
                self.trouble = str(error)
                await asyncio.sleep(self.settings.look_every_s)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), self.settings.look_every_s)

    async def _look(self) -> None:
        for channel_id in await asyncio.to_thread(self._live.outbox.due):
            channel = await asyncio.to_thread(self._live.channels.find, channel_id)
            if channel is None:
                continue
            sending = self._sending.setdefault(channel_id, set())
            # What blocks a thread has one place: a thread cannot be ended. A kind that nobody knows fails in its place.
            known = CHANNEL_TYPES.get(channel.kind)
            free = (self.settings.at_once if known is not None and known.waits else 1) - len(sending)
            if free <= 0:
                continue
            claimed = await asyncio.to_thread(
                self._live.outbox.claim, channel_id, free, self.settings.lease_s
            )
            for delivery in claimed:
                task = asyncio.create_task(self._deliver(channel, delivery))
                sending.add(task)
                task.add_done_callback(sending.discard)

    async def _deliver(self, channel: AlarmChannel, delivery: Delivery) -> None:
        outbox = self._live.outbox
        try:
            retry_after_s = None
            try:
                async with asyncio.timeout(self.settings.send_s):
                    await send_alarm(self._senders, channel, delivery.alarm)
                problem = ""
            except TimeoutError:
                problem = f"no answer within {self.settings.send_s:g} s"
            except NotDeliveredError as error:
                problem, retry_after_s = str(error), error.retry_after_s
            except TidingsError as error:
                problem = str(error)
            except Exception as error:  # noqa: BLE001 - whatever fails in someone's library is tried again, and said
                problem = f"{type(error).__name__}: {error}"
            with suppress(
                TidingsError
            ):  # where it cannot be noted now, the lease runs out, and it is sent again
                if not problem:
                    await asyncio.to_thread(outbox.arrived, delivery)
                    self.sent += 1
                else:
                    wait_s = max(retry_wait(delivery, self.settings), retry_after_s or 0)
                    old = self._live.clock() - delivery.created_ms / 1000 > self.settings.give_up_s
                    await asyncio.to_thread(
                        lambda: outbox.failed(delivery, problem, retry_s=None if old else wait_s)
                    )
                    self.failed += 1
        except asyncio.CancelledError:
            with suppress(TidingsError):
                outbox.released(delivery)
            raise
        finally:
            self._wake.set()
