"""Build the bundled event's folder from its hand-written source.

    python scripts/build_bundled_event.py            write src/tidings/sources/bundled/santiago-2013/
    python scripts/build_bundled_event.py --check    say whether that folder is what the source gives

The source is `bundled-source/santiago-2013/`: `event.toml`, `nuggets.toml`, `entities.toml`, `values.toml`
and one file of documents for each day in `stream/`. docs/sources/bundled-event.md explains the notation.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAME = "santiago-2013"
SOURCE = ROOT / "bundled-source" / NAME
TARGET = ROOT / "src" / "tidings" / "sources" / "bundled" / NAME


class SourceError(Exception):
    """A fault in the hand-written source, with file and line."""


@dataclass(frozen=True)
class Span:
    """Characters start..end of a sentence say the nugget."""

    nugget: str
    start: int
    end: int


@dataclass(frozen=True)
class Line:
    """One sentence: as written with its marks, and what the marks say."""

    marked: str
    text: str
    spans: tuple[Span, ...]
    cluster: str
    paragraph: int


@dataclass
class Article:
    """One document of the source, in arrival order."""

    where: str
    time: int
    outlet: str
    label: str = ""
    copy_of: str = ""
    as_text: bool = False
    title: str = ""
    body: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    @property
    def id(self) -> str:
        """`<published_time>-<outlet>`, so that the time survives formats that keep only the id."""
        return f"{self.time}-{self.outlet}"


def seconds(stamp: str) -> int:
    """`24 18:41` or `24 18:41:05`, a day of July 2013 in UTC, as seconds since 1970.

    >>> seconds("24 18:41")
    1374691260
    """
    day, clock = stamp.split()
    parts = [int(part) for part in clock.split(":")]
    return int(datetime(2013, 7, int(day), *parts, tzinfo=UTC).timestamp())


def read_marks(marked: str, where: str) -> tuple[str, tuple[Span, ...], str]:
    """Text, spans and cluster of `<cluster> Some {nugget|marked {other|text}}.`

    >>> read_marks("{a|Ten died} {b,c|here}.", "x")
    ('Ten died here.', (Span(nugget='a', start=0, end=8), Span(nugget='b', start=9, end=13), \
Span(nugget='c', start=9, end=13)), '')
    """
    cluster = ""
    if found := re.match(r"<([a-z0-9-]+)> ", marked):
        cluster, marked = found[1], marked[found.end() :]
    out: list[str] = []
    length = 0
    open_marks: list[tuple[str, int]] = []
    spans: list[Span] = []
    for piece in re.findall(r"\{[a-z0-9,-]+\||\}|[^{}]+|.", marked):
        if len(piece) > 1 and piece[0] == "{" and piece[-1] == "|":
            open_marks.append((piece[1:-1], length))
        elif piece == "}":
            if not open_marks:
                raise SourceError(f"{where}: a }} too many in: {marked}")
            names, start = open_marks.pop()
            spans += [Span(name, start, length) for name in names.split(",")]
        elif piece[0] == "{":
            raise SourceError(f"{where}: a stray {{ in: {marked}")
        else:
            out.append(piece)
            length += len(piece)
    if open_marks:
        raise SourceError(f"{where}: mark {open_marks[-1][0]} is not closed in: {marked}")
    text = "".join(out)
    if text != text.strip() or "  " in text:
        raise SourceError(f"{where}: stray blanks in: {text!r}")
    spans.sort(key=lambda span: (span.start, span.end, span.nugget))
    if len({span.nugget for span in spans}) < len(spans) or any(span.start == span.end for span in spans):
        raise SourceError(f"{where}: a nugget marked twice, or nothing marked, in: {marked}")
    return text, tuple(spans), cluster


def read_articles(folder: Path) -> list[Article]:
    """All documents of `stream/*.txt`, copies worked out, in arrival order."""
    articles: list[Article] = []
    for path in sorted((folder / "stream").glob("*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            where = f"{path.name}:{number}"
            if line.startswith("#"):
                continue
            if line.startswith("@ "):
                articles.append(read_head(line, where))
            elif line.startswith("= "):
                articles[-1].title = line[2:].strip()
            elif articles:
                articles[-1].body.append(line.rstrip())
    labelled: dict[str, Article] = {}
    seen: set[str] = set()
    for article in articles:
        if article.id in seen:
            raise SourceError(f"{article.where}: a second document {article.id}")
        seen.add(article.id)
        original = None
        if article.copy_of:
            if article.copy_of not in labelled:
                raise SourceError(f"{article.where}: copies {article.copy_of}, which is not above")
            original = labelled[article.copy_of]
            article.title = article.title or original.title
        article.lines = list(read_body(article, original))
        if not article.lines or not article.title:
            raise SourceError(f"{article.where}: no title or no sentence")
        if article.label:
            labelled[article.label] = article
    return articles


def read_head(line: str, where: str) -> Article:
    """`@ 24 18:58:20 outlet [label] [copy=label] [text]`."""
    _, day, clock, outlet, *rest = line.split()
    article = Article(where, seconds(f"{day} {clock}"), outlet)
    for word in rest:
        if word == "text":
            article.as_text = True
        elif word.startswith("copy="):
            article.copy_of = word[5:]
        else:
            article.label = word
    return article


def read_body(article: Article, original: Article | None) -> Iterator[Line]:
    """The sentences: as written, or the original's after the edits."""
    body = article.body
    marked: list[tuple[str, int]] = []
    if original is None:
        paragraph = 0
        for line in body:
            if line:
                marked.append((line, paragraph))
            elif marked and marked[-1][1] == paragraph:
                paragraph += 1
    else:
        marked = list(edited(article, original, [line for line in body if line]))
    for line, paragraph in marked:
        text, spans, cluster = read_marks(line, article.where)
        yield Line(line, text, spans, cluster, paragraph)


def edited(article: Article, original: Article, edits: list[str]) -> Iterator[tuple[str, int]]:
    """Apply a copy's edits, sentence numbers from 1 in the original.

    `~ 2 old => new` changes words, `! 2 sentence` replaces, `+ 2 sentence` adds after (0: before
    the first), `- 2`, `- 2-4` and `- 5..` leave out.
    """
    lines = {number: line.marked for number, line in enumerate(original.lines, 1)}
    paragraphs = {number: line.paragraph for number, line in enumerate(original.lines, 1)}
    after: dict[int, list[str]] = {}
    for edit in edits:
        sign, number, rest = [*edit.split(" ", 2), ""][:3]
        if sign == "-":
            first, last = re.fullmatch(r"(\d+)(\.\.|-\d+)?", number).groups()  # type: ignore[union-attr]
            stop = len(original.lines) if last == ".." else int(last[1:]) if last else int(first)
            for gone in range(int(first), stop + 1):
                del lines[gone]
        elif sign == "~":
            old, new = rest.split(" => ")
            if lines[int(number)].count(old) != 1:
                raise SourceError(f"{article.where}: {old!r} is not once in {lines[int(number)]!r}")
            lines[int(number)] = lines[int(number)].replace(old, new)
        elif sign == "!":
            lines[int(number)] = rest
        elif sign == "+":
            after.setdefault(int(number), []).append(rest)
        else:
            raise SourceError(f"{article.where}: unknown edit {edit!r}")
    for number in range(len(original.lines) + 1):
        if number in lines:
            yield lines[number], paragraphs[number]
        for line in after.get(number, ()):
            yield line, paragraphs.get(number, 0)


def cluster_of(line: Line, nuggets: dict[str, dict]) -> str:
    """The cluster a sentence is put in: the one written before it, else that of its main nugget.

    The main nugget is the one that the sentence says first, background facts left aside unless it says
    nothing else.
    """
    if line.cluster:
        return "" if line.cluster == "none" else line.cluster
    if not line.spans:
        return ""
    main = min(
        line.spans,
        key=lambda span: (nuggets[span.nugget].get("background", False), span.start, -span.end),
    )
    return str(nuggets[main.nugget]["cluster"])


def build(folder: Path = SOURCE) -> dict[str, str]:
    """File name to content of the folder that the source gives."""
    event = read_toml(folder / "event.toml")
    facts = read_toml(folder / "nuggets.toml")
    nuggets: dict[str, dict] = facts["nuggets"]
    articles = read_articles(folder)
    event_id = event["id"]
    documents, matches = [], []
    members: dict[str, list[str]] = {label: [] for label in facts["clusters"]}
    for article in articles:
        document = {
            "id": article.id,
            "published_time": article.time,
            "source": event["outlets"][article.outlet],
            "title": article.title,
        }
        if article.as_text:
            # Cut here, as judgments name sentences by their numbers; whoever cuts it again would take in the title.
            document["text"] = flowing(article.lines)
            document["sentences"] = list(placed(document["text"], article.lines))
        else:
            document["sentences"] = [line.text for line in article.lines]
        documents.append(document)
        for index, line in enumerate(article.lines):
            update = f"{article.id}-{index}"
            for span in line.spans:
                if span.nugget not in nuggets:
                    raise SourceError(f"{article.where}: no nugget {span.nugget} in: {line.marked}")
                matches.append(
                    {
                        "event": event_id,
                        "update": update,
                        "nugget": span.nugget,
                        "start": span.start,
                        "end": span.end,
                        "automatic": False,
                    }
                )
            if cluster := cluster_of(line, nuggets):
                if cluster not in members:
                    raise SourceError(f"{article.where}: no cluster {cluster} in: {line.marked}")
                members[cluster].append(update)
    nugget_rows = [
        {
            "event": event_id,
            "id": name,
            "time": seconds(fact["time"]),
            "importance": fact["importance"],
            "text": fact["text"],
        }
        for name, fact in nuggets.items()
    ]
    nugget_rows.sort(key=lambda row: row["time"])
    cluster_rows = [
        {"event": event_id, "id": name, "label": facts["clusters"][name], "updates": updates}
        for name, updates in members.items()
    ]
    head = {key: event[key] for key in ("id", "title", "query", "type", "description", "start", "end")}
    return {
        "event.json": json.dumps(head, ensure_ascii=False, indent=2) + "\n",
        "documents.jsonl": json_lines(documents),
        "nuggets.jsonl": json_lines(nugget_rows),
        "matches.jsonl": json_lines(matches),
        "clusters.jsonl": json_lines(cluster_rows),
        "entities.jsonl": json_lines(entity_rows(event_id, read_toml(folder / "entities.toml"))),
        "values.jsonl": json_lines(value_rows(event_id, read_toml(folder / "values.toml"))),
    }


def placed(text: str, lines: Sequence[Line]) -> Iterator[str | dict]:
    """The sentences of running text, each with where it starts."""
    start = 0
    for line in lines:
        start = text.index(line.text, start)
        yield {"text": line.text, "start": start} if start else line.text
        start += len(line.text)


def flowing(lines: list[Line]) -> str:
    """Sentences as running text: a blank between sentences, an empty line between paragraphs."""
    text = lines[0].text
    for before, line in pairwise(lines):
        text += (" " if line.paragraph == before.paragraph else "\n\n") + line.text
    return text


def entity_rows(event_id: str, entities: dict[str, dict]) -> Iterator[dict]:
    """One row for each day and entity, best grade first."""
    rows = [
        {
            "event": event_id,
            "date": f"2013-07-{day}",
            "entity": name,
            "type": entity["type"],
            "aliases": entity.get("aliases", []),
            "grade": grade,
        }
        for name, entity in entities.items()
        for day, grade in entity["grades"].items()
    ]
    yield from sorted(rows, key=lambda row: (row["date"], -row["grade"], row["entity"]))


def value_rows(event_id: str, values: dict[str, dict]) -> Iterator[dict]:
    """One row for each change of a tracked value, by time."""
    rows = [
        {"event": event_id, "time": seconds(stamp), "attribute": attribute, "value": value}
        for attribute, steps in values.items()
        for stamp, value in steps.items()
    ]
    yield from sorted(rows, key=lambda row: (row["time"], row["attribute"]))


def read_toml(path: Path) -> dict:
    """A TOML file as a dict."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def json_lines(rows: Iterable[dict]) -> str:
    """One compact JSON object a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main() -> int:
    """Write the folder, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when out of date")
    check = parser.parse_args().check
    stale = []
    for name, content in build().items():
        path = TARGET / name
        if path.is_file() and path.read_text(encoding="utf-8") == content:
            continue
        stale.append(name)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8", newline="\n")
    print(("out of date: " if check else "written: ") + (", ".join(stale) or "nothing"))
    return 1 if check and stale else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SourceError as fault:
        sys.exit(str(fault))
