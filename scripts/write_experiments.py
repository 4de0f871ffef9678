"""Put the tables of experiments that have run into docs/appendix/experiments.md.

    python scripts/write_experiments.py [FOLDER]

For each line `<!-- results NAME -->` of the page, what stands between it and the next `<!-- end -->` becomes the tables
of FOLDER/NAME/results.md (FOLDER: experiments), without what SMALL_PART and LEFT_OUT name; `<!-- official
NAME -->` takes the table of TREC's own scores instead. Nothing is written where a result is missing.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "appendix" / "experiments.md"
BLOCK = re.compile(r"(<!-- (results|official) (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
OFFICIAL = "### Official scores"
SMALL_PART = re.compile(r"^### [^\n]+, 201[34] \([^\n]+\n.*?(?=^### |^- |\Z)", re.MULTILINE | re.DOTALL)
BOTH_YEARS = ", 2013 + 2014 ("
"""Where tables of both years stand, the page does without those of one year."""
LEFT_OUT = {"nE[G]", "C", "words", "sentences/s"}
"""Columns that the page does without; `tidings experiment` prints them all."""
NOTES = ("- updates and words", "- Rows are ordered", "- p: paired")
"""Notes below each table, of which the page's head says what it needs once."""


def shorten(text: str) -> str:
    """The tables of a plan without SMALL_PART, the columns in LEFT_OUT, and the NOTES."""
    lines: list[str] = []
    kept: list[int] = []
    text = SMALL_PART.sub("", text) if BOTH_YEARS in text else text
    for line in text.splitlines():
        if not line.startswith("|"):
            kept = []
            if not line.startswith(NOTES):
                lines.append(line)
            continue
        cells = line.strip("|").split("|")
        kept = kept or [number for number, cell in enumerate(cells) if cell.strip() not in LEFT_OUT]
        lines.append("|" + "|".join(cells[number] for number in kept) + "|")
    return "\n".join(lines)


def tables(folder: Path, what: str, name: str) -> str:
    """One part of what a plan came to, without its title line."""
    place = folder / name / "results.md"
    if not place.is_file():
        sys.exit(
            f"{place}: no results (expected those of `tidings experiment plans/{name}.toml`); run it first"
        )
    ours, _, theirs = place.read_text(encoding="utf-8").partition("\n")[2].partition(OFFICIAL)
    body = shorten(ours) if what == "results" else theirs.partition("\n")[2]
    return f"\n{body.strip()}\n\n"


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "experiments")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(
        BLOCK.sub(lambda found: found[1] + tables(folder, found[2], found[3]) + found[4], page),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
