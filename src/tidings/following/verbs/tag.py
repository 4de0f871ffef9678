"""`tidings tag`: which persons, organizations and locations lines of text name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, BinaryIO, Literal

from tidings.core import described, form_of, need_folders, refuse_overwriting, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable

    from tidings.analysis import TaggedLine


Form = Literal["text", "jsonl"]
_AHEAD = 500
"""Lines of a file that are read ahead; what comes by stdin may come slowly, and is tagged as it comes."""


@described(__file__)
def tag(
    source: str = "-",
    tokenised: bool = False,
    form: Form | None = None,
    entities: bool = False,
    model: str = "",
    recogniser: str = "",
    out: str | None = None,
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
    shape = form_of(out, form, Literal["table", "jsonl"])
    need_folders(out)
    refuse_overwriting({"--out": out}, {"the text": [source], "--model": [model]})
    names = recogniser_named(recogniser or model)
    strays = [0]
    with _progress(out) as step, nullcontext() if out is None else write_atomically(out) as file:
        lines = tag_lines(
            _lines(source, strays),
            names,
            tokenised=tokenised,
            entities=entities,
            ahead=0 if source == "-" else _AHEAD,
        )
        for number, line in enumerate(lines, start=1):
            if shape == "jsonl":
                _write_jsonl(line, file or sys.stdout.buffer)
            elif file is None:
                sys.stdout.write(_mark(line, colour=_has_colour()))
            else:
                file.write(_mark(line).encode("utf-8", "replace"))
            step(number)
    if strays[0]:
        from tidings.core import say, source_name

        say(f"{source_name(source)}: {strays[0]} bytes are not UTF-8; they were read as Windows-1252")


def _lines(source: str, strays: list[int]) -> Iterator[str]:
    from tidings.core import decode_mixed, read_lines

    for _, data in read_lines(source):
        text, count = decode_mixed(data)
        strays[0] += count
        yield text


def _write_jsonl(line: TaggedLine, file: BinaryIO) -> None:
    import msgspec

    file.write(msgspec.json.encode(line) + b"\n")


def _has_colour() -> bool:
    import os

    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def _mark(line: TaggedLine, *, colour: bool = False) -> str:
    from tidings.core import clean

    parts, at = [], 0
    for mention in line.mentions:
        name = clean(line.text[mention.start : mention.end])
        parts.append(clean(line.text[at : mention.start]))
        said = mention.type
        if mention.entity and mention.entity != line.text[mention.start : mention.end]:
            said += f" = {clean(mention.entity)}"
        parts.append(f"\x1b[1m{name}\x1b[0m \x1b[2m{said}\x1b[0m" if colour else f"[{name} {said}]")
        at = mention.end
    return "".join([*parts, clean(line.text[at:]), "\n"])


@contextmanager
def _progress(out: str | None) -> Iterator[Callable[[int], None]]:
    # Where the result itself runs over the terminal, it shows how far we are.
    from tidings.following.verbs.progress_line import steps_progress

    if out is None and sys.stdout.isatty():
        yield lambda number: None
        return
    with steps_progress("tagging") as progress:
        yield lambda number: progress(number, 0, "lines") if number % 500 == 0 else None
