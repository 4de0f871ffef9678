"""`tidings tag`: which persons, organizations and locations lines of text name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from tidings.core import described

if TYPE_CHECKING:
    from collections.abc import Callable

    from tidings.analysis import TaggedLine


Form = Literal["text", "jsonl"]
_AHEAD = 500
"""Lines of a file that are read ahead; what comes by stdin may come slowly, and is told of as it comes."""


@described(__file__)
def tag(
    source: str = "-",
    tokenised: bool = False,
    form: Form = "text",
    entities: bool = False,
    model: str = "",
    recogniser: str = "",
) -> None:
    """Find the persons (PER), organizations (ORG) and locations (LOC) in each line of text.

    Up to 60 consecutive lines without an empty line between them are read as one document, where a clear name in one
    line helps with the others. jsonl has one object per line, in order, even if there are no names: text, and mentions
    with start, end (characters of the line, half-open) and type; with --entities also entity.
    """
    from tidings.analysis import recogniser_named, tag_lines
    from tidings.core import UsageError, is_url, nothing_there

    if is_url(source):
        raise nothing_there(source, "file")
    if recogniser and (model or not recogniser.startswith("spacy:")):
        other = f"--model {model} beside it" if model else recogniser
        raise UsageError(f"--recogniser: {other} (expected spacy:PIPELINE alone, or --model FILE)")
    names = recogniser_named(recogniser or model)
    strays = [0]
    write = _write_jsonl if form == "jsonl" else _write_text
    with _progress() as step:
        lines = tag_lines(
            _lines(source, strays),
            names,
            tokenised=tokenised,
            entities=entities,
            ahead=0 if source == "-" else _AHEAD,
        )
        for number, line in enumerate(lines, start=1):
            write(line)
            step(number)
    if strays[0]:
        from tidings.core import named, say

        say(f"{named(source)}: {strays[0]} bytes are not UTF-8; they were read as Windows-1252")


def _lines(source: str, strays: list[int]) -> Iterator[str]:
    from tidings.core import decode_mixed, read_lines

    for _, data in read_lines(source):
        text, count = decode_mixed(data)
        strays[0] += count
        yield text


def _write_jsonl(line: TaggedLine) -> None:
    import msgspec

    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")


def _write_text(line: TaggedLine) -> None:
    import os

    from tidings.core import clean

    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    parts, at = [], 0
    for mention in line.mentions:
        name = clean(line.text[mention.start : mention.end])
        parts.append(clean(line.text[at : mention.start]))
        said = mention.type
        if mention.entity and mention.entity != line.text[mention.start : mention.end]:
            said += f" = {clean(mention.entity)}"
        parts.append(f"\x1b[1m{name}\x1b[0m \x1b[2m{said}\x1b[0m" if colour else f"[{name} {said}]")
        at = mention.end
    sys.stdout.write("".join([*parts, clean(line.text[at:]), "\n"]))


@contextmanager
def _progress() -> Iterator[Callable[[int], None]]:
    # Where the result itself runs over the terminal, it shows how far we are.
    from tidings.following.verbs.progress import steps_progress

    if sys.stdout.isatty():
        yield lambda number: None
        return
    with steps_progress("tagging") as progress:
        yield lambda number: progress(number, 0, "lines") if number % 500 == 0 else None
