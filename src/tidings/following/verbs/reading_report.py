"""What was understood of sources, on a few lines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tidings.core import Clock, clean, cut

if TYPE_CHECKING:
    from rich.console import Console

    from tidings.sources import Reading

__all__ = ["print_reading"]

_OUTLETS = 10
_LANGUAGES = 10
_EXAMPLES = 5
_SENTENCES = 3
_WIDEST = 108
_NARROWEST = 40
_NAMES = 16


def print_reading(console: Console, reading: Reading, width: int | None) -> None:
    """Print what was understood.

    Args:
        console: where to.
        reading: sources that were read to their end.
        width: of the terminal, in characters; None for a file or pipe.
    """
    page = _Page(console, max(_NARROWEST, min(width or _WIDEST, _WIDEST)))
    clock = Clock()
    outlets = f" of {_several(len(reading.outlets), 'outlet')}" if any(reading.outlets) else ""
    period = clock.period(reading.first_time, reading.last_time)
    page.put("", f"{_several(reading.documents, 'document')}{outlets}, {period} {clock.label}", "bold")
    for name, words in _facts(reading):
        if words:
            page.put(f"  {name:<{_NAMES}}", words)
    for document in reading.first:
        page.put("", "")
        about = " · ".join(one for one in (document.source, document.language, document.id) if one)
        page.put("  ", f"{clock.moment(document.published_time)} · {about}", "cyan")
        sentences = cut(document).sentences
        for sentence in sentences[:_SENTENCES]:
            page.put(f"  {sentence.index:>2}  ", sentence.text, lines=2)
        if len(sentences) > _SENTENCES:
            page.put("      ", f"… {_several(len(sentences) - _SENTENCES, 'more sentence')}", "dim")


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
        ("outlets", _counted(reading.outlets, _OUTLETS, "no name")),
        ("languages", _counted(reading.languages, _LANGUAGES, "not known")),
        ("titles alone", f"{reading.titles:,}" if reading.titles else ""),
        ("repeated", _counted(reading.repeats, _OUTLETS, "")),
        ("later versions", later),
        (
            "boilerplate",
            f"{reading.boilerplate:,} sentences that their outlet repeats" if reading.boilerplate else "",
        ),
        ("left out", _counted(notes.dropped, _OUTLETS, "")),
        *[("", f"{origin}: {reason}") for origin, reason in notes.examples[:_EXAMPLES]],
        *[("" if number else "remarks", remark) for number, remark in enumerate(reading.remarks)],
    ]


def _counted(counts: Counter[str], most: int, nameless: str) -> str:
    """The most frequent with their numbers, those of equal number by name."""
    ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    words = [f"{name or nameless} {count:,}" for name, count in ranked[:most]]
    if len(ranked) > most:
        rest = sum(count for _, count in ranked[most:])
        words.append(f"{_several(len(ranked) - most, 'other')} {rest:,}")
    return " · ".join(words)


def _several(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"
