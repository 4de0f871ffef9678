"""`tidings read`: what was understood of sources, before anyone follows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tidings.core import Clock, clean, cut, described, how_many, takes_options
from tidings.following.run_options import RunOptions
from tidings.following.verbs.options import reading_of

if TYPE_CHECKING:
    from rich.console import Console

    from tidings.core import Document
    from tidings.sources import Reading


_OUTLETS = 10  # named; the rest are counted
_LANGUAGES = 10  # likewise
_EXAMPLES = 5  # of what was left out
_SENTENCES = 3  # of a document
_WIDEST = 108  # columns of the page
_NARROWEST = 40  # likewise
_NAMES = 16  # columns of the names at the left


def print_reading(console: Console, reading: Reading, width: int | None) -> None:
    """Print what was understood.

    Args:
        console: where to.
        reading: sources that were read to their end.
        width: of the terminal, in characters; None for a file or pipe.
    """
    page = _Page(console, max(_NARROWEST, min(width or _WIDEST, _WIDEST)))
    clock = Clock()
    outlets = f" of {how_many(len(reading.outlets), 'outlet')}" if any(reading.outlets) else ""
    period = clock.period(reading.first_time, reading.last_time)
    page.put("", f"{how_many(reading.documents, 'document')}{outlets}, {period} {clock.label}", "bold")
    for name, words in _facts(reading):
        if words:
            page.put(f"  {name:<{_NAMES}}", words)
    for document in reading.latest:
        page.put("", "")
        about = " · ".join(part for part in (document.source, document.language, document.id) if part)
        page.put("  ", f"{clock.moment(document.published_time)} · {about}", "cyan")
        sentences = cut(document).sentences
        for sentence in sentences[:_SENTENCES]:
            page.put(f"  {sentence.index:>2}  ", sentence.text, lines=2)
        if len(sentences) > _SENTENCES:
            page.put("      ", f"… {how_many(len(sentences) - _SENTENCES, 'more sentence')}", "dim")


class _Page:
    """Lines of a width, what stands in front of them dim."""

    def __init__(self, console: Console, width: int) -> None:
        self.console, self.width = console, width

    def put(self, before: str, words: str, style: str = "", lines: int | None = None) -> None:
        """Put words behind what stands before them, on so many lines as they need, or the first of them."""
        from rich.text import Text

        plain = Text(" ".join(clean(words).split()))
        parts = plain.wrap(self.console, max(self.width - len(before), 16), overflow="fold") or [Text()]
        for number, part in enumerate(parts[:lines]):
            cut_off = " …" if lines is not None and number + 1 == lines < len(parts) else ""
            line = Text(before if not number else " " * len(before), style="dim")
            line.append(part.plain.rstrip() + cut_off, style=style or "none")
            line.rstrip()
            self.console.print(line, highlight=False, soft_wrap=True)


def _facts(reading: Reading) -> list[tuple[str, str]]:
    notes = reading.notes
    later = f"{reading.corrections:,}, each with what is new in it" if reading.corrections else ""
    return [
        ("outlets", _counts_in_words(reading.outlets, _OUTLETS, "no name")),
        ("languages", _counts_in_words(reading.languages, _LANGUAGES, "not known")),
        ("titles alone", f"{reading.titles:,}" if reading.titles else ""),
        ("repeated", _counts_in_words(reading.repeats, _OUTLETS, "")),
        ("later versions", later),
        (
            "boilerplate",
            f"{reading.boilerplate:,} sentences that their outlet repeats" if reading.boilerplate else "",
        ),
        ("left out", _counts_in_words(notes.dropped, _OUTLETS, "")),
        *[("", f"{origin}: {reason}") for origin, reason in notes.examples[:_EXAMPLES]],
        *[("" if number else "remarks", remark) for number, remark in enumerate(reading.remarks)],
    ]


def _counts_in_words(counts: Counter[str], most: int, nameless: str) -> str:
    """The most frequent with their numbers, those of equal number by name."""
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    words = [f"{name or nameless} {count:,}" for name, count in ranked[:most]]
    if len(ranked) > most:
        rest = sum(count for _, count in ranked[most:])
        words.append(f"{how_many(len(ranked) - most, 'other')} {rest:,}")
    return " · ".join(words)


@takes_options("read")
@described(__file__)
def read(
    options: RunOptions,
    out: str | None = None,
) -> None:
    """Show what is found in sources: documents, period, outlets, languages, and what was left out and why.

    With --out, also write the documents as documents.jsonl, which every verb can read.
    """
    from tidings.core import Problems, refuse_overwriting, say, terminal_width
    from tidings.following.hosting.sources import check_streams
    from tidings.following.verbs.progress_line import reading_progress
    from tidings.sources import open_reading, piped_content, write_documents

    sources, quiet = options["sources"], options["quiet"]
    check_streams(sources)
    if out:
        refuse_overwriting({"--out": out}, {"a source": [source for source in sources if source != "-"]})
    problems = Problems(lenient=options["lenient"])
    contents = [(piped_content() if source == "-" else None) or source for source in sources]
    opened = open_reading(contents, reading_of(options), problems=problems, pool=options["pool"])
    with reading_progress(opened, quiet=quiet):
        documents = _need_some(opened)
        if out:
            write_documents(out, documents)
        else:
            for _ in documents:
                pass
    say(problems.summary(), prefix="")
    if quiet:
        return
    from rich.console import Console

    print_reading(Console(stderr=out == "-"), opened, terminal_width())
    if out not in (None, "-"):
        say(f"written to {out}", prefix="")


def _need_some(reading: Reading) -> Iterator[Document]:
    """The documents of sources; an error after the last of none."""
    from tidings.core import UsageError

    yield from reading
    if not reading.documents:
        named = ", ".join(
            source if isinstance(source, str) else source.name for source in reading.sources[:3]
        )
        raise UsageError(
            f"{named}: no document (expected at least one)"
            + (f" ({reading.left_out})" if reading.left_out else "")
        )
