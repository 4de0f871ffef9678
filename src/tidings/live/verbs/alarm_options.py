"""The options of `tidings serve` that are about alarms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tidings.live.alarms.settings import DeliverySettings
    from tidings.web import SiteSettings

__all__ = ["AllowPrivateWebhooks", "DeliverAlarms", "Digests", "delivery_settings"]

DeliverAlarms = Annotated[
    bool,
    typer.Option(
        "--alarms/--no-alarms", help="Send alarms to their channels, or leave that to other servers."
    ),
]
Digests = Annotated[
    str,
    typer.Option(
        metavar="FOLDER", help="Where digests go that are kept as files; set on the page of alarms."
    ),
]
AllowPrivateWebhooks = Annotated[
    bool,
    typer.Option(
        "--allow-private-webhooks",
        help="Send alarms to this machine and its network too: a mail server of one's own, say.",
    ),
]


def delivery_settings(digests: str, site: SiteSettings, *, allow_private: bool) -> DeliverySettings:
    """How alarms are delivered; UsageError where there is no such folder."""
    from pathlib import Path

    from tidings.core import UsageError
    from tidings.live.alarms.settings import DeliverySettings

    if digests and not Path(digests).is_dir():
        raise UsageError(f"found --digests {digests}, expected a folder that is there")
    public = site.public_url + site.root_path if site.public_url else ""
    return DeliverySettings(allow_private=allow_private, digests=digests, public_url=public)
