"""What a run may be told: each option once, with its unit, default and help, for all faces that offer it.

A new option is one field here. It stands then in `--help-all` of the verbs it names, among the arguments of
`tidings.follow` and in its docstring, in the JSON API's schema and in what `tidings.toml` may hold.
"""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from tidings.core import REQUIRED, Option, format_duration
from tidings.following.hosting import DEFAULT_ENTITIES, DEFAULT_PACE, DEFAULT_SYSTEM
from tidings.following.source_options import RUNS, SourceOptions
from tidings.following.stream.loop import LATENESS_S

if TYPE_CHECKING:
    from tidings.core import System
    from tidings.following.library.arguments import Duration, ReadingArgument, Time
    from tidings.following.library.documents import Events

CALLS = ("library", "tracker")
EVENTS = "Events"
OUTPUT = "What comes out"
KEEPING = "How the run is kept"
ENGINE = "Spark (with --engine spark)"

_SYSTEM = "NAME[:OPTION=VALUE,…]"


class TrackerOptions(TypedDict, total=False):
    """What `tidings.Tracker` takes."""

    query: Annotated[
        str | Sequence[str] | None,
        Option(
            help="Follow what these words are about; may be repeated.",
            faces=(*RUNS, "serve", "api", *CALLS),
            kind="texts",
            unit="WORDS",
            common=True,
            heading=EVENTS,
            doc="words to look for; a list of them makes several events. One alone is the event `query`.",
            at={"api": {"kind": "text", "help": "What to look for.", "default": REQUIRED}},
        ),
    ]
    events: Annotated[
        "Events | None",
        Option(
            help="What to follow.",
            faces=CALLS,
            doc="what to follow instead or besides: `Event` records or dicts, or the path of a file or folder of them.",
        ),
    ]
    event: Annotated[
        Sequence[str] | None,
        Option(
            help="A file of events, the id of a topic of the sources, or `all` of these; may be repeated.",
            faces=(*RUNS, "serve"),
            kind="texts",
            unit="FILE|ID",
            common=True,
            heading=EVENTS,
            at={
                "serve": {"help": "A file of events to follow from now on; may be repeated.", "unit": "FILE"}
            },
        ),
    ]
    system: Annotated[
        "str | System",
        Option(
            help="Which system decides; `tidings systems` lists them.",
            faces=(*RUNS, "serve", *CALLS, "spark"),
            default=DEFAULT_SYSTEM,
            unit=_SYSTEM,
            common=True,
            heading=OUTPUT,
            doc='who decides: a name with options, such as `"cosine:similarity=0.4"`, or a system.',
            at={
                "values": {
                    "default": "values",
                    "help": "values, or a baseline: last-value, largest-value, daily-value, no-value.",
                },
                "entities": {
                    "default": DEFAULT_ENTITIES,
                    "help": "Which system ranks them; docs/following/entities.md says which there are.",
                },
                "spark": {"doc": 'who decides: a name with options, such as `"cosine:similarity=0.4"`.'},
                "serve": {
                    "default": f"{DEFAULT_SYSTEM}:values=yes,entities=yes",
                    "help": "What decides on the events that are named here.",
                },
            },
        ),
    ]
    about: Annotated[
        str | int | None,
        Option(
            help="About how many updates of each event: 10/day, 2/hour, 30 (in all), up to 10/day, or free "
            f"(default: {DEFAULT_PACE} for a --query without --system, else free).",
            faces=("follow", "serve", "api", *CALLS, "spark"),
            unit="PACE",
            common=True,
            heading=OUTPUT,
            doc='about how many updates of each event are emitted: `"10/day"` (a day with news), `"2/hour"`, `30` in '
            'all, `"up to 40/day"`, or `"free"` for what the system thinks fit. None: up to 40 a day for a `query` '
            "alone, else free. In all asks for a period: `start` and `end`, or documents that can be gone through "
            "twice.",
            at={
                face: {
                    "default": DEFAULT_PACE,
                    "help": "About how many updates of each event, such as 10/day; `free`: as it comes.",
                }
                for face in ("serve", "api")
            }
            | {"spark": {"doc": "the pace, such as `10/day`; None for none."}},
        ),
    ]
    languages: Annotated[
        str | None,
        Option(
            help="Only in documents of these languages, as de,fr (default: what an event file says, or all).",
            faces=("follow", "serve", "api"),
            unit="CODES",
            common=True,
            heading=EVENTS,
        ),
    ]
    wait: Annotated[
        "Duration | None",
        Option(
            help="Let what is new wait so long for its best wording, as 2h (default: emit at once).",
            faces=("follow", *CALLS),
            unit="DURATION",
            heading=OUTPUT,
            doc='let what is new of whole articles wait so long (`"2h"`, seconds, a timedelta) for its best wording; '
            "only the system `tidings` can. None: emit at once.",
        ),
    ]
    title: Annotated[
        str | Sequence[str] | None,
        Option(
            help="What pages call the --query event (default: the query).",
            faces=(*RUNS, "serve", "api", *CALLS),
            kind="texts",
            unit="WORDS",
            heading=EVENTS,
            doc="what to call the event of `query` (a list for a list).",
            at={"api": {"kind": "text", "help": "What the event is called (default: the query)."}},
        ),
    ]
    start: Annotated[
        "Time | None",
        Option(
            help="Beginning of the --query event: a date, ISO 8601, or seconds.",
            faces=(*RUNS, "api", *CALLS),
            unit="TIME",
            common=True,
            heading=EVENTS,
            doc="the first moment of the events of `query`: seconds since 1970 UTC, an aware datetime or Timestamp, a "
            "NumPy datetime64, or ISO 8601 text. Open without.",
            at={"api": {"help": "Beginning of the event: a date, ISO 8601, or seconds."}},
        ),
    ]
    end: Annotated[
        "Time | None",
        Option(
            help="End of the --query event.",
            faces=(*RUNS, "api", *CALLS),
            unit="TIME",
            common=True,
            heading=EVENTS,
            doc="the last moment of them, included.",
            at={"api": {"help": "End of the event."}},
        ),
    ]
    interval: Annotated[
        "Duration | None",
        Option(
            help="Decide after every `document`, or every 15m, 1h, …",
            faces=(*RUNS, *CALLS, "spark"),
            default="document",
            unit="DURATION",
            heading=KEEPING,
            doc='decide at the end of every so many seconds (or `"15m"`, or a timedelta); `"document"`: after each.',
            at={"entities": {"default": "1h"}},
        ),
    ]
    lateness: Annotated[
        "Duration",
        Option(
            help="How much out of order sources may be; what is later is left out.",
            faces=(*RUNS, *CALLS, "spark"),
            default=format_duration(LATENESS_S),
            unit="DURATION",
            heading=KEEPING,
            doc="how much out of order the documents may come, as a length of time. What comes later than that is left "
            "out, and counted in `.tally`; a file is sorted instead.",
            at={
                "spark": {
                    "doc": "how much out of order the documents may come; what is later is a row of kind `late`."
                }
            },
        ),
    ]
    mixed: Annotated[
        bool,
        Option(
            help="Offer pooled sentences to every event, not only to their own.",
            faces=(*RUNS, *CALLS, "spark"),
            default=False,
            kind="switch",
            heading=KEEPING,
            doc="offer sentences that were pooled for certain events to all of them.",
        ),
    ]


class FollowOptions(TrackerOptions, total=False):
    """What `tidings.follow` takes."""

    store: Annotated[
        str | os.PathLike[str] | None,
        Option(
            help="Where the run is kept meanwhile (default: OUT.db).",
            faces=(*RUNS, "serve", "library"),
            unit="FILE|URL",
            heading=KEEPING,
            in_file=False,
            doc="path or URL of a database that keeps the run. The same call with the same documents then goes on "
            "where it was stopped, and gives the whole run again from its beginning.",
            at={
                "serve": {
                    "default": "tidings.db",
                    "help": "The store that keeps all of it: a file, or a URL.",
                    "common": True,
                }
            },
        ),
    ]
    name: Annotated[
        str,
        Option(
            help="What the run is called in the store.",
            doc="what the run is called in the store.",
            faces=("library",),
            default="run",
            in_file=False,
        ),
    ]
    restart: Annotated[
        bool,
        Option(
            help="Begin anew, or go on where the run was stopped.",
            faces=(*RUNS, "library"),
            default=False,
            kind="switch",
            flags="--restart/--resume",
            common=True,
            heading=KEEPING,
            in_file=False,
            doc="begin the kept run anew.",
        ),
    ]
    reading: Annotated[
        "ReadingArgument | None",
        Option(
            help="How sources are understood.",
            faces=("library",),
            doc='how other people\'s files are understood, as in `read_documents`: `{"zone": "Europe/Madrid"}`.',
        ),
    ]


class RunOptions(FollowOptions, SourceOptions, total=False):
    """What the verbs that follow take, and what they share with others that read."""

    story: Annotated[
        str | None,
        Option(
            help="Follow a story that `tidings stories` found, in documents like it; --query and --title change its "
            "words.",
            faces=("follow",),
            unit="ID",
            heading=EVENTS,
        ),
    ]
    out: Annotated[
        str,
        Option(
            help="Where the run goes: updates where it ends in .jsonl, else a TREC run; - to print it.",
            faces=RUNS,
            default=REQUIRED,
            unit="FILE",
            common=True,
            heading=OUTPUT,
            in_file=False,
            at={
                "values": {"help": "Where the values go, one line whenever one changes; - to print."},
                "entities": {"help": "Where the rankings go, a line for each day with news; - to print."},
            },
        ),
    ]
    topics: Annotated[
        str | None,
        Option(
            help="Answer the questions of these topics day by day instead (Change Detection); OUT is their run.",
            faces=("follow",),
            unit="FILE",
            heading=EVENTS,
            in_file=False,
        ),
    ]
    format: Annotated[
        str | None,
        Option(
            help="How OUT is written (default: by its name; `-` is trec).",
            faces=("follow", "values"),
            choices=("trec", "jsonl"),
            heading=OUTPUT,
            at={
                "values": {
                    "default": "jsonl",
                    "choices": ("jsonl", "trec"),
                    "help": "JSON Lines with the evidence, or TREC's nine columns.",
                }
            },
        ),
    ]
    values: Annotated[
        bool,
        Option(
            help="Give the current numbers (deaths, injuries, …) too; OUT is .jsonl then.",
            faces=("follow",),
            default=False,
            kind="switch",
            common=True,
            heading=OUTPUT,
        ),
    ]
    entities: Annotated[
        bool,
        Option(
            help="Rank who and where matters on each day too; OUT is .jsonl then.",
            faces=("follow",),
            default=False,
            kind="switch",
            common=True,
            heading=OUTPUT,
        ),
    ]
    places: Annotated[
        bool,
        Option(
            help="Give where each event is too (needs the extra: tidings[places]).",
            faces=("follow", "values"),
            default=False,
            kind="switch",
            heading=OUTPUT,
        ),
    ]
    support: Annotated[
        bool | None,
        Option(
            help="Count which outlets say the updates again (default: where OUT is .jsonl, which can hold it).",
            faces=("follow", "spark"),
            kind="switch",
            flags="--support/--no-support",
            heading=OUTPUT,
            at={
                "spark": {
                    "default": False,
                    "doc": "count beside the system which outlets say the updates again.",
                }
            },
        ),
    ]
    show: Annotated[
        bool | None,
        Option(
            help="Print updates as they are decided (default: on a terminal).",
            faces=RUNS,
            kind="switch",
            flags="--show/--no-show",
            common=True,
            heading=OUTPUT,
            at={
                "values": {"help": "Print values as they change (default: on a terminal)."},
                "entities": {"help": "Print each day as it ends (default: on a terminal)."},
            },
        ),
    ]
    team: Annotated[
        str, Option(help="Team name in the run.", faces=RUNS, default="tidings", unit="NAME", heading=OUTPUT)
    ]
    run_name: Annotated[
        str | None,
        Option(help="Run name (default: system and options).", faces=RUNS, unit="NAME", heading=OUTPUT),
    ]
    engine: Annotated[
        str,
        Option(
            help="What carries the followers: this process, or Apache Spark (extra: tidings[spark]).",
            faces=("follow",),
            default="local",
            choices=("local", "spark"),
            heading=ENGINE,
        ),
    ]
    master: Annotated[
        str | None,
        Option(
            help="Where Spark runs, as local[2] or spark://host:7077 (default: this machine).",
            faces=("follow",),
            unit="URL",
            heading=ENGINE,
            in_file=False,
        ),
    ]
    checkpoint: Annotated[
        str | None,
        Option(
            help="Where Spark keeps the query; all workers must see it (default: OUT.checkpoint).",
            faces=("follow",),
            unit="FOLDER",
            heading=ENGINE,
            in_file=False,
        ),
    ]
    partitions: Annotated[
        int,
        Option(
            help="Into how many parts Spark deals the events.",
            faces=("follow",),
            default=4,
            kind="number",
            least=1,
            most=10_000,
            heading=ENGINE,
        ),
    ]
    files_per_batch: Annotated[
        int | None,
        Option(
            help="How many files Spark reads in one batch (default: all that are there).",
            faces=("follow",),
            kind="number",
            least=1,
            heading=ENGINE,
        ),
    ]
    modules: Annotated[
        Sequence[str],
        Option(
            help="Loaded by the workers first, for systems that they register.",
            faces=("spark",),
            default=(),
            kind="texts",
            in_file=False,
        ),
    ]
    conf: Annotated[
        Sequence[str] | None,
        Option(
            help="A setting of Spark's own, before those of tidings; may be repeated.",
            faces=("follow",),
            kind="texts",
            unit="NAME=VALUE",
            heading=ENGINE,
            in_file=False,
        ),
    ]
    config: Annotated[
        str | None,
        Option(
            help="Settings to read (default: tidings.toml beside the sources, or here).",
            faces=(*RUNS, "serve"),
            unit="FILE",
            common=True,
            heading=KEEPING,
            in_file=False,
        ),
    ]
    quiet: Annotated[
        bool,
        Option(
            help="Say nothing unless something is wrong.",
            faces=(*RUNS, "read", "stories", "digest"),
            default=False,
            kind="switch",
            flags="--quiet -q",
            common=True,
            heading=KEEPING,
        ),
    ]
