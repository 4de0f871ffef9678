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
            help="Follow the sources, or only show a store that another process fills.",
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
            help="With --no-follow: the run to show (default: live).",
            faces=_SERVE,
            unit="NAME",
            heading=PAGES,
        ),
    ]
    speed: Annotated[
        float,
        Option(
            help="For files: how many times faster than real time (0: all at once).",
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
            help="Port to listen on; 0 for any free one.",
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
            help="Address to listen on; one that others can reach needs accounts, or --read-only.",
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
            help="Path prefix that a reverse proxy removes, such as /tidings.",
            faces=_SERVE,
            default="",
            unit="PATH",
            heading=PAGES,
        ),
    ]
    trusted_proxy: Annotated[
        Sequence[str] | None,
        Option(
            help="A proxy whose X-Forwarded headers are trusted, such as 127.0.0.1 or 10.0.0.0/8; may be repeated.",
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
            help="Anyone who can reach the pages can read them; nobody can change anything.",
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
            help="Format of the log on standard error: `text`, or `json` lines.",
            faces=_SERVE,
            default="text",
            unit="KIND",
            heading=PAGES,
        ),
    ]
    alarms: Annotated[
        bool,
        Option(
            help="Send alarms to their channels, or leave it to other servers.",
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
            help="Folder for digests written as files; set them up on the Alarms page.",
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
            help="Also send alarms to this machine and its private network, such as a local mail server.",
            faces=_SERVE,
            default=False,
            kind="switch",
            heading=SENDING,
            in_file=False,
        ),
    ]
