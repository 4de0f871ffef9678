"""What `tidings serve` may be told besides what any run may: how its pages are served, and what is sent."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, TypedDict

from tidings.core import Option

_of_pages = partial(Option, faces=("serve",), heading="How the pages are served")
_of_sending = partial(Option, faces=("serve",), heading="Alarms and digests")


class SiteOptions(TypedDict, total=False):
    """How live pages are served."""

    follow: Annotated[
        bool,
        _of_pages(
            help="Follow the sources, or only show a store that another process fills.",
            default=True,
            kind="switch",
            flags="--follow/--no-follow",
            common=True,
        ),
    ]
    run: Annotated[
        str | None, _of_pages(help="With --no-follow: the run to show (default: live).", unit="NAME")
    ]
    speed: Annotated[
        float,
        _of_pages(
            help="For files: how many times faster than real time (0: all at once).",
            default=0.0,
            kind="decimal",
            least=0,
            unit="TIMES",
        ),
    ]
    port: Annotated[
        int,
        _of_pages(
            help="Port to listen on; 0 for any free one.",
            default=8570,
            kind="number",
            least=0,
            most=65535,
            unit="PORT",
            common=True,
        ),
    ]
    host: Annotated[
        str,
        _of_pages(
            help="Address to listen on; one that others can reach needs accounts, or --read-only.",
            default="127.0.0.1",
            unit="ADDRESS",
            common=True,
            in_file=False,
        ),
    ]
    public_url: Annotated[
        str,
        _of_pages(
            help="Where others reach it, such as https://news.example.org: links begin so. Who reads then signs in, "
            "unless --read-only.",
            default="",
            unit="URL",
            common=True,
        ),
    ]
    root_path: Annotated[
        str,
        _of_pages(
            help="Path prefix that a reverse proxy removes, such as /tidings.", default="", unit="PATH"
        ),
    ]
    trusted_proxy: Annotated[
        Sequence[str] | None,
        _of_pages(
            help="A proxy whose X-Forwarded headers are trusted, such as 127.0.0.1 or 10.0.0.0/8; may be repeated.",
            kind="texts",
            unit="ADDRESS",
            in_file=False,
        ),
    ]
    read_only: Annotated[
        bool,
        _of_pages(
            help="Anyone who can reach the pages can read them; nobody can change anything.",
            default=False,
            kind="switch",
            common=True,
            in_file=False,
        ),
    ]
    log: Annotated[
        str,
        _of_pages(
            help="Format of the log on standard error: `text`, or `json` lines.", default="text", unit="KIND"
        ),
    ]
    alarms: Annotated[
        bool,
        _of_sending(
            help="Send alarms to their channels, or leave it to other servers.",
            default=True,
            kind="switch",
            flags="--alarms/--no-alarms",
        ),
    ]
    digests: Annotated[
        str,
        _of_sending(
            help="Folder for digests written as files; set them up on the Alarms page.",
            default="",
            unit="FOLDER",
            in_file=False,
        ),
    ]
    allow_private_webhooks: Annotated[
        bool,
        _of_sending(
            help="Also send alarms to this machine and its private network, such as a local mail server.",
            default=False,
            kind="switch",
            in_file=False,
        ),
    ]
