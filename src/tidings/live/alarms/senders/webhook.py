"""Webhooks: an alarm as JSON, posted to an address of the web, and signed."""

from __future__ import annotations

import hmac
from hashlib import sha256
from types import TracebackType

import httpx
import msgspec

from tidings.core import Alarm, AlarmChannel
from tidings.live.alarms.senders.failures import NotDeliveredError
from tidings.sources import CheckedTransport, PrivateAddressError, user_agent

__all__ = ["WebhookSender", "signature", "webhook_body"]

_CONNECT_S = 10.0
_LONGEST_RETRY_S = 6 * 3600


def webhook_body(alarm: Alarm, public_url: str = "") -> bytes:
    """What is posted: the alarm as JSON, its keys in order, with whole addresses where that of the pages is given.

    >>> webhook_body(Alarm(id="a1", kind="test", title="A test", time=60))[:34]
    b'{"event_id":"","id":"a1","items":['
    """
    value = msgspec.to_builtins(alarm)
    for name in ("after_seq", "until_seq"):
        del value[name]
    for item in value["items"]:
        if item["link"]:
            item["link"] = public_url.rstrip("/") + item["link"]
    return msgspec.json.encode(value, order="deterministic")


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """What X-Tidings-Signature says: HMAC-SHA-256, by the channel's secret, of the timestamp, a full stop and the body.

    >>> signature("secret", "60", b"{}")[:20]
    'sha256=dab8c36dca4be'
    """
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + body, sha256)
    return f"sha256={digest.hexdigest()}"


class WebhookSender:
    """Posts alarms; use it in an `async with`.

    Only addresses of the public internet are connected to, unless others are allowed, and redirects are not followed.
    What is answered beside the status is not read.

    Args:
        allow_private: whether other addresses may be connected to.
        public_url: where readers reach the pages.
    """

    def __init__(self, *, allow_private: bool = False, public_url: str = "") -> None:
        self._public_url = public_url
        self._client = httpx.AsyncClient(
            transport=CheckedTransport(allow_private),
            headers={"user-agent": user_agent(), "content-type": "application/json"},
            timeout=httpx.Timeout(None, connect=_CONNECT_S),
            trust_env=False,
            follow_redirects=False,
        )

    async def __aenter__(self) -> WebhookSender:
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, error, trace)

    async def send(self, channel: AlarmChannel, alarm: Alarm, now: float) -> None:
        """Post an alarm; NotDeliveredError unless it is answered with a status of 200 to 299."""
        body, timestamp = webhook_body(alarm, self._public_url), str(int(now))
        headers = {
            "x-tidings-id": alarm.id,
            "x-tidings-timestamp": timestamp,
            "x-tidings-signature": signature(channel.secret, timestamp, body),
        }
        try:
            async with self._client.stream("POST", channel.address, content=body, headers=headers) as answer:
                status, retry_after = answer.status_code, answer.headers.get("retry-after", "")
        except PrivateAddressError as error:
            words = str(error).replace("--allow-private asks", "--allow-private-webhooks asks")
            raise NotDeliveredError(words) from error
        except httpx.HTTPError as error:
            raise NotDeliveredError(f"no answer: {_line(error)}") from error
        except (httpx.InvalidURL, ValueError, OverflowError, ExceptionGroup) as error:
            raise NotDeliveredError(f"an address that is none: {_line(error)}") from error
        finally:
            self._client.cookies.clear()
        if not 200 <= status < 300:
            moved = ", and redirects are not followed" if 300 <= status < 400 else ""
            wait_s = float(retry_after) if retry_after.isascii() and retry_after.isdigit() else None
            raise NotDeliveredError(
                f"answered {status}{moved}", None if wait_s is None else min(wait_s, _LONGEST_RETRY_S)
            )


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
