"""How many dates of the GUM corpus are resolved as its annotators did.

    python scripts/score_time_expressions.py ../shared/data/ner/gum

Counted are all annotated dates with one value (`when`), from the year 1 on; a date is right if an expression that
overlaps it has the same value. `--missed` lists the others.
"""

from __future__ import annotations

import gzip
import re
import sys
from datetime import date
from pathlib import Path

from tidings.analysis.articles.time_expressions import TimeReader

_TAG = re.compile(r"<(/?)(date|time)([^>]*)>")
_WHEN = re.compile(r'when:::"([^"]*)"')
Gold = tuple[int, int, str]


def sentences_of(path: Path) -> tuple[str, list[tuple[str, list[Gold]]]]:
    """The day on which a document was made, and its sentences with (start, end, value) of their dates."""
    created, sentences, opened = "", [], []
    text, golds, offset = "", [], 0
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            if line.startswith("# meta::dateCreated"):
                created = line.split("=")[1].strip()
            elif line.startswith("# text = "):
                text, golds, offset = line[9:].rstrip("\n"), [], 0
                sentences.append((text, golds))
            if not line.strip() or line.startswith("#"):
                continue
            cells = line.rstrip("\n").split("\t")
            if "-" in cells[0] or "." in cells[0]:
                continue
            start = max(text.find(cells[1], offset), offset)
            offset = start + len(cells[1])
            xml = re.search(r"XML=([^|]*)", cells[9])
            tags = _TAG.findall(xml[1]) if xml else []
            opened += [(kind, said, start, golds) for closing, kind, said in tags if not closing]
            for closing, _, _ in tags:
                if closing:
                    kind, said, begin, own = opened.pop()
                    value = _WHEN.search(said)
                    if kind == "date" and value and value[1][:1].isdigit():
                        own.append((begin, offset, value[1][:10]))
    return created, sentences


def score(folder: Path) -> tuple[int, int, list[str]]:
    """How many dates are right, how many there are, and those that are not right, in words."""
    right = total = 0
    missed = []
    for path in sorted(folder.glob("*.conllu.gz")):
        created, sentences = sentences_of(path)
        reader = TimeReader(date.fromisoformat(created))
        for text, golds in sentences:
            expressions = reader.read(text)
            for start, end, value in golds:
                given = [one.value for one in expressions if one.start < end and one.end > start]
                total += 1
                if value in given:
                    right += 1
                else:
                    missed.append(f"{path.name}: {text[start:end]!r} is {value}, found {given or 'nothing'}")
    return right, total, missed


if __name__ == "__main__":
    right, total, missed = score(Path(sys.argv[1]))
    print(f"{right} of {total} dates: {right / total:.3f}")
    if "--missed" in sys.argv:
        print("\n".join(missed))
