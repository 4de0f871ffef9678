"""How alarms are delivered."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["DeliverySettings"]


class DeliverySettings(Struct, frozen=True, kw_only=True):
    """How alarms are delivered.

    Args:
        allow_private: whether what is not of the public internet (this machine, its network) may be sent to.
        digests: the folder that digests are written to as files; empty where there is none.
        public_url: where readers reach the pages, for links; empty: links are paths.
        look_every_s: how often the outbox is looked at.
        lease_s: for so long an alarm is with who sends it; more than `send_s`.
        send_s: what one attempt may take.
        at_once: how many alarms are on their way to one channel at once, each about an event of its own.
        unit_s: the first attempt that failed is repeated after so long, the n-th after n⁴ times that, …
        longest_s: … at most after so long.
        give_up_s: what could not be delivered for so long is given up.
        keep_s: what was delivered, or given up, is forgotten after so long.
    """

    allow_private: bool = False
    digests: str = ""
    public_url: str = ""
    look_every_s: float = 0.5
    lease_s: float = 90.0
    send_s: float = 30.0
    at_once: int = 4
    unit_s: float = 1.0
    longest_s: float = 6 * 3600.0
    give_up_s: float = 3 * 86400.0
    keep_s: float = 30 * 86400.0
