"""Write the feeds of the bundled event's outlets, as these would have given them: one file each, newest first.

    python scripts/build_bundled_feeds.py            write src/tidings/sources/bundled/feeds/
    python scripts/build_bundled_feeds.py --check    say whether that folder is what the stream gives

The documents are those of `src/tidings/sources/bundled/santiago-2013/documents.jsonl`. Each outlet writes in its own
manner (RSS, Atom, RDF or JSON Feed; dates of its country; whole texts or the beginning only), so that what reads them
has something to do. `feeds.opml` lists them. Outlets and texts are invented (docs/sources/bundled-event.md).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime
from html import escape
from pathlib import Path
from typing import Any, TypeAlias
from xml.etree.ElementTree import Element, SubElement, indent, register_namespace, tostring

ROOT = Path(__file__).parents[1]
STREAM = ROOT / "src" / "tidings" / "sources" / "bundled" / "santiago-2013" / "documents.jsonl"
TARGET = ROOT / "src" / "tidings" / "sources" / "bundled" / "feeds"
SITE = "https://{}.example/"
MADRID = timezone(timedelta(hours=2))
DC = "http://purl.org/dc/elements/1.1/"
ATOM = "http://www.w3.org/2005/Atom"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RSS1 = "http://purl.org/rss/1.0/"
CONTENT = "http://purl.org/rss/1.0/modules/content/"

Row: TypeAlias = dict[str, Any]


def paragraphs(row: Row) -> list[str]:
    """The paragraphs of a document; one that came cut into sentences has one."""
    return str(row["text"]).split("\n\n") if "text" in row else [" ".join(row["sentences"])]


def markup(row: Row) -> str:
    """The text of a document as a feed carries it."""
    return "".join(f"<p>{escape(part)}</p>" for part in paragraphs(row))


def link(site: str, row: Row) -> str:
    """Where a document stands, with what outlets put behind it to count their readers."""
    return f"{site}2013/{row['id']}?utm_source=rss&utm_medium=feed"


def as_bytes(root: Element) -> bytes:
    """The document of a root, indented."""
    indent(root)
    return tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def add(parent: Element, tag: str, text: str, **attributes: str) -> None:
    """Add an element of this text."""
    SubElement(parent, tag, attributes).text = text


def rss(name: str, site: str, rows: Sequence[Row]) -> bytes:
    """RSS 2.0 with summaries, its dates in local time."""
    root = Element("rss", version="2.0")
    channel = SubElement(root, "channel")
    for tag, text in (
        ("title", name),
        ("link", site),
        ("description", f"News by {name}"),
        ("language", "en"),
    ):
        add(channel, tag, text)
    for row in rows:
        item = SubElement(channel, "item")
        add(item, "title", row["title"])
        add(item, "link", link(site, row))
        add(item, "guid", row["id"], isPermaLink="false")
        add(item, "pubDate", format_datetime(datetime.fromtimestamp(row["published_time"], MADRID)))
        add(item, "description", markup(row))
    return as_bytes(root)


def full_rss(name: str, site: str, rows: Sequence[Row]) -> bytes:
    """RSS 2.0 that carries whole texts beside their beginnings."""
    root = Element("rss", version="2.0")
    channel = SubElement(root, "channel")
    for tag, text in (("title", f"{name} | Latest"), ("link", site), ("description", "All stories")):
        add(channel, tag, text)
    for row in rows:
        item = SubElement(channel, "item")
        add(item, "title", escape(row["title"]))  # twice escaped, as many are
        add(item, "link", link(site, row))
        add(item, "guid", f"{site}2013/{row['id']}")
        add(item, "pubDate", format_datetime(datetime.fromtimestamp(row["published_time"], UTC), usegmt=True))
        add(
            item,
            "description",
            f"{escape(paragraphs(row)[0][:80])}… <a href='{link(site, row)}'>Continue reading</a>",
        )
        add(item, f"{{{CONTENT}}}encoded", markup(row) + "<script>count(1)</script>")
    return as_bytes(root)


def atom(name: str, site: str, rows: Sequence[Row]) -> bytes:
    """Atom 1.0."""
    root = Element(f"{{{ATOM}}}feed", {"{http://www.w3.org/XML/1998/namespace}lang": "en"})
    add(root, f"{{{ATOM}}}title", name)
    add(root, f"{{{ATOM}}}id", site)
    SubElement(root, f"{{{ATOM}}}link", href=site, rel="alternate")
    add(root, f"{{{ATOM}}}updated", stamp(rows[0]["published_time"]))
    for row in rows:
        entry = SubElement(root, f"{{{ATOM}}}entry")
        add(entry, f"{{{ATOM}}}title", row["title"])
        add(entry, f"{{{ATOM}}}id", f"tag:{site[8:-1]},2013:{row['id']}")
        SubElement(entry, f"{{{ATOM}}}link", href=link(site, row), rel="alternate")
        add(entry, f"{{{ATOM}}}published", stamp(row["published_time"]))
        add(entry, f"{{{ATOM}}}updated", stamp(row["published_time"] + 60))
        add(entry, f"{{{ATOM}}}content", markup(row), type="html")
    return as_bytes(root)


def rdf(name: str, site: str, rows: Sequence[Row]) -> bytes:
    """RSS 1.0, whose dates stand in Dublin Core."""
    root = Element(f"{{{RDF}}}RDF")
    channel = SubElement(root, f"{{{RSS1}}}channel", {f"{{{RDF}}}about": site})
    add(channel, f"{{{RSS1}}}title", name)
    add(channel, f"{{{RSS1}}}link", site)
    for row in rows:
        item = SubElement(root, f"{{{RSS1}}}item", {f"{{{RDF}}}about": link(site, row)})
        add(item, f"{{{RSS1}}}title", row["title"])
        add(item, f"{{{RSS1}}}link", link(site, row))
        add(item, f"{{{RSS1}}}description", " ".join(paragraphs(row)))
        add(item, f"{{{DC}}}date", stamp(row["published_time"], MADRID))
    return as_bytes(root)


def json_feed(name: str, site: str, rows: Sequence[Row]) -> bytes:
    """JSON Feed 1.1."""
    items = [
        {
            "id": row["id"],
            "url": link(site, row),
            "title": row["title"],
            "content_html": markup(row),
            "date_published": stamp(row["published_time"]),
        }
        for row in rows
    ]
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": name,
        "home_page_url": site,
        "items": items,
    }
    return json.dumps(feed, ensure_ascii=False, indent=1).encode() + b"\n"


def stamp(time: int, zone: timezone = UTC) -> str:
    """A time in ISO 8601."""
    return datetime.fromtimestamp(time, zone).isoformat().replace("+00:00", "Z")


WRITERS: dict[str, tuple[str, Callable[[str, str, Sequence[Row]], bytes]]] = {
    "NewsHeap": ("newsheap.xml", full_rss),
    "Meseta Press": ("meseta-press.xml", rss),
    "Northgate Wire": ("northgate-wire.xml", atom),
    "Onda Central": ("onda-central.xml", rss),
    "Canal Doce ticker": ("canal-doce.json", json_feed),
    "Harbour Post live": ("harbour-post.xml", atom),
    "Correio da Ribeira": ("correio-da-ribeira.rdf", rdf),
    "Diario das Rías": ("diario-das-rias.xml", rss),
    "Camino Notebook": ("camino-notebook.xml", atom),
    "Track & Signal Review": ("track-and-signal.xml", full_rss),
}


def opml() -> bytes:
    """The list of the feeds, by the names of their files."""
    root = Element("opml", version="2.0")
    add(SubElement(root, "head"), "title", "Outlets of the bundled event")
    body = SubElement(root, "body")
    for name, (file, _) in WRITERS.items():
        SubElement(body, "outline", text=name, type="rss", xmlUrl=file)
    return as_bytes(root)


def build() -> dict[str, bytes]:
    """Each file's name with what it holds."""
    for prefix, space in (("dc", DC), ("atom", ATOM), ("rdf", RDF), ("", RSS1), ("content", CONTENT)):
        register_namespace(prefix, space)
    by_outlet: dict[str, list[Row]] = defaultdict(list)
    for line in STREAM.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        by_outlet[row["source"]].append(row)
    files = {"feeds.opml": opml()}
    for name, rows in by_outlet.items():
        file, write = WRITERS[name]
        newest_first = sorted(rows, key=lambda row: row["published_time"], reverse=True)
        files[file] = write(name, SITE.format(Path(file).stem), newest_first)
    return files


def main() -> int:
    """Write or check the folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = []
    for file, data in build().items():
        path = TARGET / file
        if check:
            if not path.is_file() or path.read_bytes() != data:
                stale.append(file)
        else:
            TARGET.mkdir(exist_ok=True)
            path.write_bytes(data)
    for file in stale:
        sys.stdout.write(f"{file} is not what the stream gives; run scripts/build_bundled_feeds.py\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
