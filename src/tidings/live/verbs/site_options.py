"""What `tidings serve` may be told besides what any run may: how its pages are served, and what is sent."""

from collections.abc import Sequence
from typing import Annotated, TypedDict

from tidings.core import Option

_SERVE = ("serve",)
PAGES = "How the pages are served"
SENDING = "Alarms and digests"


class SiteOptions(TypedDict, total=False):
    """How live pages are served."""

    follow: Annotated[
        bool,
        Option(
            help="Follow, or only show what another process fills the store with.",
            faces=_SERVE,
            default=True,
            kind="switch",
            flags="--follow/--no-follow",
            common=True,
            heading=PAGES,
        ),
    ]
    run: Annotated[
        str | None,
        Option(
            help="With --no-follow: which run of the store is shown (default: live).",
            faces=_SERVE,
            unit="NAME",
            heading=PAGES,
        ),
    ]
    speed: Annotated[
        float,
        Option(
            help="Of files: how many times quicker than it happened (0: all at once).",
            faces=_SERVE,
            default=0.0,
            kind="decimal",
            least=0,
            unit="TIMES",
            heading=PAGES,
        ),
    ]
    port: Annotated[
        int,
        Option(
            help="Where it listens; 0 takes any free port.",
            faces=_SERVE,
            default=8570,
            kind="number",
            least=0,
            most=65535,
            unit="PORT",
            common=True,
            heading=PAGES,
        ),
    ]
    host: Annotated[
        str,
        Option(
            help="Where it listens; other than this machine's own needs accounts first, or --read-only.",
            faces=_SERVE,
            default="127.0.0.1",
            unit="ADDRESS",
            common=True,
            heading=PAGES,
            in_file=False,
        ),
    ]
    public_url: Annotated[
        str,
        Option(
            help="Where others reach it, such as https://news.example.org: links begin so. Who reads then signs in, "
            "unless --read-only.",
            faces=_SERVE,
            default="",
            unit="URL",
            common=True,
            heading=PAGES,
        ),
    ]
    root_path: Annotated[
        str,
        Option(
            help="What a proxy in front takes off each path, such as /tidings.",
            faces=_SERVE,
            default="",
            unit="PATH",
            heading=PAGES,
        ),
    ]
    trusted_proxy: Annotated[
        Sequence[str] | None,
        Option(
            help="A proxy whose X-Forwarded headers are believed, as 127.0.0.1 or 10.0.0.0/8; may be repeated.",
            faces=_SERVE,
            kind="texts",
            unit="ADDRESS",
            heading=PAGES,
            in_file=False,
        ),
    ]
    read_only: Annotated[
        bool,
        Option(
            help="Everybody who reaches the pages reads; nobody changes anything.",
            faces=_SERVE,
            default=False,
            kind="switch",
            common=True,
            heading=PAGES,
            in_file=False,
        ),
    ]
    log: Annotated[
        str,
        Option(
            help="What is said on standard error: `text`, or `json` lines.",
            faces=_SERVE,
            default="text",
            unit="KIND",
            heading=PAGES,
        ),
    ]
    alarms: Annotated[
        bool,
        Option(
            help="Send alarms to their channels, or leave that to other servers.",
            faces=_SERVE,
            default=True,
            kind="switch",
            flags="--alarms/--no-alarms",
            heading=SENDING,
        ),
    ]
    digests: Annotated[
        str,
        Option(
            help="Where digests go that are kept as files; set on the page of alarms.",
            faces=_SERVE,
            default="",
            unit="FOLDER",
            heading=SENDING,
            in_file=False,
        ),
    ]
    allow_private_webhooks: Annotated[
        bool,
        Option(
            help="Send alarms to this machine and its network too: a mail server of one's own, say.",
            faces=_SERVE,
            default=False,
            kind="switch",
            heading=SENDING,
            in_file=False,
        ),
    ]
