"""What is said of sources: which they are, how they are understood, and how feeds on the web are polled."""

from collections.abc import Sequence
from typing import Annotated, TypedDict

from tidings.core import REQUIRED, Option

RUNS = ("follow", "values", "entities")
SOURCED = (*RUNS, "read", "stories", "digest")
"""Verbs that read sources of any kind."""
READERS = (*SOURCED, "timeline")

POLLING = "Feeds on the web (with --live)"
UNDERSTANDING = "How sources are understood"


class SourceOptions(TypedDict, total=False):
    """What verbs that read sources take."""

    sources: Annotated[
        Sequence[str],
        Option(
            help="Feeds, lists of feeds, pages, tables, archives, documents (.jsonl), folders of them or of TREC, -.",
            faces=(*SOURCED, "serve", "explain"),
            default=REQUIRED,
            kind="sources",
            unit="SOURCE...",
            common=True,
            in_file=False,
            at={
                "serve": {
                    "default": None,
                    "help": "Feeds and lists of feeds, on the web or as files, or any files of documents.",
                    "unit": "[SOURCE...]",
                },
                "digest": {
                    "help": "Sources as `tidings follow` takes them; or a store, or updates (.jsonl): what was emitted."
                },
            },
        ),
    ]
    live: Annotated[
        bool,
        Option(
            help="Poll the feeds that SOURCE names (addresses, OPML lists), politely and for ever.",
            faces=("follow",),
            default=False,
            kind="switch",
            common=True,
            heading=POLLING,
        ),
    ]
    every: Annotated[
        str | None,
        Option(
            help="How often a feed is asked (default: 5m-6h, by its news).",
            faces=("follow", "serve"),
            unit="LEAST[-MOST]",
            heading=POLLING,
        ),
    ]
    for_: Annotated[
        str | None,
        Option(
            help="End after so long (default: never).",
            faces=("follow",),
            unit="DURATION",
            flags="--for",
            heading=POLLING,
        ),
    ]
    until: Annotated[
        str | None, Option(help="End at that time.", faces=("follow",), unit="TIME", heading=POLLING)
    ]
    pages: Annotated[
        bool,
        Option(
            help="Fetch the page of each new article too, as robots.txt allows.",
            faces=("follow", "serve"),
            default=False,
            kind="switch",
            heading=POLLING,
            at={"serve": {"common": True}},
        ),
    ]
    keep: Annotated[
        str | None,
        Option(
            help="How long what was fetched is kept (default: 30d,1GB).",
            faces=("follow", "serve"),
            unit="AGE[,SIZE]",
            heading=POLLING,
        ),
    ]
    offline: Annotated[
        bool,
        Option(
            help="Follow what was fetched before, and fetch nothing.",
            faces=("follow",),
            default=False,
            kind="switch",
            heading=POLLING,
        ),
    ]
    allow_private: Annotated[
        bool,
        Option(
            help="Let addresses of a private network be fetched, too.",
            faces=("follow", "serve", "read", "stories"),
            default=False,
            kind="switch",
            heading=POLLING,
            in_file=False,
        ),
    ]
    contact: Annotated[
        str | None,
        Option(
            help="Who asks: a URL or address that servers see.",
            faces=("follow", "serve"),
            unit="CONTACT",
            flags="--user-agent",
            heading=POLLING,
        ),
    ]
    pool: Annotated[
        str,
        Option(
            help="Which pool of a TREC folder: sampled or extended.",
            faces=(*RUNS, "read", "stories", "digest", "explain"),
            default="sampled",
            unit="POOL",
            heading=UNDERSTANDING,
        ),
    ]
    lenient: Annotated[
        bool,
        Option(
            help="Skip and count bad lines.",
            faces=(*RUNS, "read", "stories", "digest", "explain"),
            default=False,
            kind="switch",
            heading=UNDERSTANDING,
        ),
    ]
    source_zone: Annotated[
        str,
        Option(
            help="Of times that name none: Europe/Madrid, +02:00 (default: UTC).",
            faces=READERS,
            default="",
            unit="ZONE",
            flags="--zone",
            heading=UNDERSTANDING,
            at={face: {"flags": "--source-zone"} for face in ("digest", "timeline")},
        ),
    ]
    year: Annotated[
        int | None,
        Option(
            help="Of dates that name none (default: they are not read).",
            faces=READERS,
            kind="number",
            least=1970,
            most=9999,
            unit="YEAR",
            heading=UNDERSTANDING,
        ),
    ]
    day_first: Annotated[
        bool | None,
        Option(
            help="Read 03/04/2026 as 3 April, or as 4 March (default: by all dates of a file).",
            faces=READERS,
            kind="switch",
            flags="--day-first/--month-first",
            heading=UNDERSTANDING,
        ),
    ]
    columns: Annotated[
        str,
        Option(
            help="What columns of a table hold: time=date,text=body; also id, title, url, outlet, language.",
            faces=READERS,
            default="",
            unit="FIELD=COLUMN,…",
            heading=UNDERSTANDING,
        ),
    ]
    file_times: Annotated[
        bool,
        Option(
            help="Take the time of a file where it names no date itself.",
            faces=READERS,
            default=False,
            kind="switch",
            heading=UNDERSTANDING,
        ),
    ]
    quality: Annotated[
        bool,
        Option(
            help="Read pages with more care, slowly (needs the extra: tidings[quality]).",
            faces=READERS,
            default=False,
            kind="switch",
            heading=UNDERSTANDING,
        ),
    ]
    language: Annotated[
        str,
        Option(
            help="Of all documents, as en (default: looked at).",
            faces=READERS,
            default="",
            unit="CODE",
            heading=UNDERSTANDING,
        ),
    ]
