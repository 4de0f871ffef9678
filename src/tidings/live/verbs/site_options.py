"""The options of `tidings serve` besides those of any run: how its pages are served, and what is sent."""

from collections.abc import Sequence
from typing import TypedDict

from tidings.core import data_beside, describe


class SiteOptions(TypedDict, total=False):
    """How live pages are served."""

    follow: bool
    run: str | None
    speed: float
    port: int
    host: str
    public_url: str
    root_path: str
    trusted_proxy: Sequence[str] | None
    read_only: bool
    log: str
    alarms: bool
    digests: str
    allow_private_webhooks: bool


describe(SiteOptions, data_beside(__file__))
