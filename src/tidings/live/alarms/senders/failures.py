"""That an alarm has not arrived, and why."""

from __future__ import annotations

from tidings.core import TidingsError

__all__ = ["NotDeliveredError"]


class NotDeliveredError(TidingsError):
    """An alarm has not arrived; the message is one for the list of deliveries.

    `retry_after_s` is when the receiver wants to be asked again (None: it does not say).
    """

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
