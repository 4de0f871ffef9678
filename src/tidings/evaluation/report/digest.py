"""The story so far as people read it: in a terminal, as Markdown, on a page; and the forms that machines read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tidings.core import (
    Clock,
    Digest,
    DigestDay,
    Evidence,
    OpeningLine,
    UsageError,
    clean,
    how_many,
    safe_url,
)

if TYPE_CHECKING:
    from rich.console import Console

FORMS = {
    ".txt": "text",
    ".timeline": "text",
    ".tl": "text",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".md": "markdown",
    ".html": "html",
    ".htm": "html",
}
"""Which form the ending of a file's name says."""

OPENING = {
    "happened": "What happened",
    "stands": "Where things stand",
    "disputed": "What is disputed",
    "next": "What comes next",
    "unknown": "What is not known",
}
"""What each line of the opening is headed by."""

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|!~&@]|:(?=//)|(?<=www)\.)", re.IGNORECASE)
_WIDEST = 100  # columns: longer lines are hard to read


def form_of_digest(out: str | None, form: str | None) -> str:
    """The form asked for, else the one that the file's name says; for standard output that of the terminal.

    Raises:
        UsageError: the name says no form.

    >>> form_of_digest("story.html.gz", None), form_of_digest(None, None), form_of_digest("-", "json")
    ('html', 'terminal', 'json')
    """
    from tidings.core import ending

    if form is not None:
        return form
    if out is None or out == "-":
        return "terminal"
    last = ending(out)
    if last not in FORMS:
        raise UsageError(
            f"{out}: the file name does not say which format; end it in {', '.join(FORMS)}, or give --format"
        )
    return FORMS[last]


def day_name(day: str) -> str:
    """`Wednesday 24 July 2013`.

    >>> day_name("2013-07-24")
    'Wednesday 24 July 2013'
    """
    parsed = date.fromisoformat(day)
    return f"{parsed:%A} {parsed.day} {parsed:%B} {parsed.year}"


def origin_words(evidence: Evidence) -> str:
    """Outlet and title of a sentence's document, or the sentence's id where it names neither; whether it was shortened.

    >>> origin_words(Evidence("d1", 0, source="Wire", title="Rig sinks")), origin_words(Evidence("d1", 0))
    ('Wire: Rig sinks', 'd1-0')
    """
    names = ": ".join(filter(None, (evidence.source, evidence.title)))
    shortened = " (shortened)" if evidence.pieces else ""
    return clean(names or f"{evidence.doc_id}-{evidence.sentence_index}") + shortened


def summary_words(digest: Digest) -> str:
    """How much was read and what came of it, in one sentence."""
    days, sentences = len(digest.days), sum(len(day.sentences) for day in digest.days)
    if not days:
        return f"No day to show in {how_many(digest.documents, 'document')}."
    read = f"{how_many(days, 'day')}, {how_many(sentences, 'sentence')}"
    if not digest.documents:
        return f"{read}."
    if digest.story_documents == digest.documents:
        return f"{read}, from {how_many(digest.documents, 'document')}."
    return f"{read}, from {digest.story_documents:,} of {how_many(digest.documents, 'document')}."


def title_of(digest: Digest) -> str:
    """What the event is called."""
    return clean(digest.event.title or digest.event.query or digest.event.id)


def figures_then(digest: Digest, day: DigestDay) -> str:
    """`figures as of this day`, where a day's differ from those with which the digest opens; else ""."""
    from tidings.following import give_other_figures

    standing = [line.sentence for line in digest.opening if line.kind in ("happened", "stands") and line.note]
    differ = any(give_other_figures(digest.event, one, day.sentences) for one in standing)
    return "figures as of this day" if differ else ""


def heading_of(line: OpeningLine) -> str:
    """What a line of the opening is headed by, with its note.

    >>> heading_of(OpeningLine("stands", Evidence("d1", 0), "28 dead"))
    'Where things stand: 28 dead.'
    """
    return f"{OPENING[line.kind]}{': ' + clean(line.note) if line.note else ''}."


def digest_markdown(digest: Digest, clock: Clock | None = None) -> str:
    r"""The digest as Markdown: a heading for each day, its sentences as a list, each with a link to where it stands.

    >>> from tidings.core.records import Event
    >>> day = DigestDay("2010-04-22", (Evidence("a", 0, "It *sank*.", 86400, "Wire", "Rig", "https://e.org/a"),))
    >>> digest = Digest(event=Event(id="oil", title="Oil", query="oil"), system="ours", days=(day,))
    >>> print(digest_markdown(digest).splitlines()[6])
    - It \*sank\*. ([Wire: Rig](<https://e.org/a>), 2 Jan 1970 00:00)
    """
    clock = clock or Clock()
    lines = [f"# {_plain(title_of(digest))}", "", _plain(summary_words(digest)), ""]

    def quoted(sentence: Evidence) -> str:
        words, url = _plain(origin_words(sentence)), safe_url(sentence.url)
        origin = f"[{words}](<{url}>)" if url else words
        return f"{_plain(sentence.text)} ({origin}, {clock.moment(sentence.published_time)})"

    lines += [f"- **{heading_of(line)}** {quoted(line.sentence)}" for line in digest.opening]
    lines += [""] if digest.opening else []
    for day in digest.days:
        then = figures_then(digest, day)
        lines += [f"## {day_name(day.date)}{f' ({then})' if then else ''}", ""]
        lines += [f"- {quoted(sentence)}" for sentence in day.sentences]
        lines.append("")
    return "\n".join(lines)


def _plain(text: str) -> str:
    return _MARKS.sub(r"\\\1", " ".join(clean(text).split()))


def print_digest(
    console: Console, digest: Digest, clock: Clock | None = None, *, width: int | None = None
) -> None:
    """Print the digest: days, sentences, and below each where it stands.

    Args:
        console: where to; colour and encoding are its own.
        digest: what to print.
        clock: writes when documents were published.
        width: columns to use, at most 100; None takes the console's.
    """
    from rich.style import Style
    from rich.text import Text

    clock = clock or Clock()
    columns = max(24, min(width or _WIDEST, console.width, _WIDEST))
    utf = "utf" in console.encoding.lower()
    dot, dash = ("·", "–") if utf else ("-", "-")
    console.print(Text("\n" + title_of(digest), "bold"), width=columns, highlight=False)
    console.print(Text(_span(digest, clock, dash, dot), "dim"), width=columns, highlight=False)

    def quote(sentence: Evidence) -> None:
        said = Text(" ".join(clean(sentence.text).split()))
        origin = Text("", "dim")
        origin.append(origin_words(sentence), Style(color="cyan", link=safe_url(sentence.url) or None))
        origin.append(f" {dot} {clock.moment(sentence.published_time)}")
        for block in (said, origin):
            for line in block.wrap(console, columns - 2):
                line.rstrip()
                console.print(Text("  ").append_text(line), width=columns, highlight=False, soft_wrap=True)

    for one in digest.opening:
        console.print(Text(f"\n{heading_of(one)}", "bold"), width=columns, highlight=False)
        quote(one.sentence)
    for day in digest.days:
        beside = [how_many(day.documents, "document") if day.documents else "", figures_then(digest, day)]
        support = "".join(f"  {words}" for words in beside if words)
        console.print(Text.assemble(("\n" + day_name(day.date), "bold"), (support, "dim")), width=columns)
        for sentence in day.sentences:
            quote(sentence)


def _span(digest: Digest, clock: Clock, dash: str, dot: str) -> str:
    if digest.first_time is None or not digest.days:
        return summary_words(digest)
    period = clock.period(digest.first_time, digest.last_time, dash)
    return f"{summary_words(digest)} Published {period} ({clock.label})."


def digest_page(digest: Digest, clock: Clock | None = None) -> str:
    """The digest as one HTML page: days as a column, each sentence with its link."""
    from tidings.evaluation.report.page import fill_template

    return fill_template(
        "digest.html.j2",
        "digest.css",
        filters={
            "origin": origin_words,
            "heading": heading_of,
            "figures": lambda day: figures_then(digest, day),
            "day_of_year": lambda day: day_name(day).rpartition(" ")[0],
        },
        digest=digest,
        clock=clock or Clock(),
        title=title_of(digest),
        summary=summary_words(digest),
        months=_months(digest.days),
        sources=_sources(digest.days),
    )


def _months(days: Sequence[DigestDay]) -> list[tuple[str, list[DigestDay]]]:
    months: dict[str, list[DigestDay]] = {}
    for day in days:
        months.setdefault(f"{date.fromisoformat(day.date):%B %Y}", []).append(day)
    return list(months.items())


def _sources(days: Sequence[DigestDay]) -> list[str]:
    return list(
        dict.fromkeys(clean(sentence.source) for day in days for sentence in day.sentences if sentence.source)
    )


def show_digest(digest: Digest, clock: Clock, *, width: int | None = None, out: str | None = None) -> None:
    """Print the digest for a terminal on standard output, or write the same to a file, without colour."""
    from rich.console import Console

    if out in (None, "-"):
        print_digest(Console(width=width), digest, clock, width=width)
        return
    import io

    written = io.StringIO()
    console = Console(file=written, width=width or _WIDEST, color_system=None, legacy_windows=False)
    print_digest(console, digest, clock, width=width)
    _write(str(out), written.getvalue())


def write_digest(digest: Digest, path: str, form: str, clock: Clock | None = None) -> None:
    """Write the digest in one of the forms of `FORMS`, whole or not at all; `-` is standard output.

    Raises:
        UsageError: a sentence that Timeline17's text cannot hold. OutputError: the file could not be written.
    """
    if form == "jsonl":
        from tidings.following import write_digests

        write_digests(path, [digest])
    elif form == "html":
        _write(path, digest_page(digest, clock))
    elif form == "markdown":
        _write(path, digest_markdown(digest, clock))
    else:
        from tidings.following import timeline_json, timeline_text

        timeline = digest.to_timeline()
        if form == "text":
            days = tuple(replace(day, sentences=tuple(map(_line, day.sentences))) for day in timeline.days)
            _write(path, timeline_text(replace(timeline, days=days), path))
        else:
            _write(path, timeline_json(timeline) + "\n")


def _line(text: str) -> str:
    return " ".join(clean(text).split())


def _write(path: str, text: str) -> None:
    from tidings.core import write_bytes

    write_bytes(path, text.encode("utf-8", "replace"))
