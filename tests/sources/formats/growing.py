"""Reads what grows, in a process that its caller limits, and says how long each reading took.

    python -m tests.sources.formats.growing FORMAT SEEDS LENGTH [LENGTH ...]

writes a sample of a format with so many characters of each seed (names of them with commas; "" for all) at several
places of it, reads it, and prints a line for each place and seed: the place, the seed, and the seconds of the processor
for each length.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.hostile_seeds import SEEDS, repeated
from tests.sources.formats import samples
from tidings.core.errors import TidingsError
from tidings.core.files.reading import Content, Notes
from tidings.evaluation.formats.registry import FORMATS

__all__ = ["FIELDS"]

_ITEM = "<item><title>Fire</title><{0}>{{}}</{0}></item>"
_RSS = '<rss xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>A Post</title>{}</channel></rss>'
_PARAGRAPH = "<p>" + "The ferry burned in the harbour, and three people died there on Monday. " * 5 + "</p>"
_PAGE = "<html><head>{}</head><body>" + _PARAGRAPH + "{}</body></html>"
_DATA = '{{"@type": "NewsArticle", "headline": "{0}", "articleBody": "{0}", "datePublished": "{0}"}}'

FIELDS: dict[str, dict[str, str]] = {
    "page": {
        "title": _PAGE.replace("{}", "<title>{}</title>", 1).replace("{}</body>", "</body>"),
        "heading": _PAGE.replace("{}", "", 1).replace("{}", "<h1>{}</h1>"),
        "outlet": _PAGE.replace("{}", '<title>Fire - A Post</title><meta property="og:site_name" content="{}">', 1)
        .replace("{}</body>", "</body>"),
        "linked data": _PAGE.replace(
            "{}", f'<script type="application/ld+json">{_DATA.format("{}")}</script>', 1
        ).replace("{}</body>", "</body>"),
        "script": _PAGE.replace("{}", '<script>"<p><p><p>{}</script>', 1).replace("{}</body>", "</body>"),
        "time": _PAGE.replace("{}", "", 1).replace("{}", '<time>{}</time><span class="date">{}</span>'),
        "class": _PAGE.replace("{}", "", 1).replace("{}", '<span class="{}">Fire</span>'),
        "body": _PAGE.replace("{}", "", 1),
    },
    "feed": {
        **{name: _RSS.format(_ITEM.format(name)) for name in ("title", "description", "pubDate", "link", "dc:date")},
        "outlet": _RSS.replace("A Post", "{}", 1).replace("</title>{}", "</title><item><title>Fire</title></item>"),
        "ill-formed": _RSS.format("<item><title>Fire & flood</title></item>{}<item><title>Fire</title></item>"),
        "JSON": '{"version": "https://jsonfeed.org/version/1", "items": [{"id": "1", "title": "{}", '
        '"content_html": "<p>{}", "date_published": "{}"}]}',
    },
}  # fmt: skip
"""Of formats that hold items: where the seeds are put; of the others, into samples."""


def _templates(name: str, folder: Path) -> Iterator[tuple[str, Path, Path, tuple[bytes, ...]]]:
    """Of each place: what it is called, what is read, the file that holds it, and the pieces around the seeds."""
    for field, template in FIELDS.get(name, {}).items():
        path = folder / (
            "growing.html" if name == "page" else "growing.json" if field == "JSON" else "growing.xml"
        )
        yield field, path, path, tuple(piece.encode() for piece in template.split("{}"))
    parts = samples.FOLDERS.get(name, (name,) if name in samples.FILES else ())
    for part in parts:
        path = samples.write_sample(folder, name)
        file = path / part if name in samples.FOLDERS else path
        data = file.read_bytes()
        words = [match.start() + 1 for match in re.finditer(rb"[A-Za-z0-9]{2,}", data)]
        yield f"before {part}", path, file, (b"", data)
        for word in {words[len(words) // 3], words[2 * len(words) // 3], words[-1]} if words else ():
            yield f"{part} at {word}", path, file, (data[:word], data[word:])


def _seconds(name: str, path: Path, file: Path, pieces: tuple[bytes, ...], inserted: str) -> float:
    file.write_bytes(inserted.encode("utf-8", "replace").join(pieces))
    source = Content(path.name, path=path) if FORMATS[name].holds == "items" and path == file else path
    options = {"notes": Notes()} if FORMATS[name].holds == "items" else {}
    began = time.process_time()
    try:
        read = FORMATS[name].read(source, **options)
        if isinstance(read, Iterator):
            for _ in read:
                pass
    except TidingsError:
        pass
    return time.process_time() - began


def main() -> None:
    """Read, and say how long it took."""
    name, only, *lengths = sys.argv[1:]
    seeds = {seed: SEEDS[seed] for seed in only.split(",") if seed} or SEEDS
    with tempfile.TemporaryDirectory() as folder:
        for place, path, file, pieces in list(_templates(name, Path(folder))):
            for seed, text in seeds.items():
                print(f"{place}\t{seed}", end="", flush=True)
                for length in lengths:
                    seconds = _seconds(name, path, file, pieces, repeated(text, int(length)) + "!")
                    print(f"\t{seconds:.4f}", end="", flush=True)
                print(flush=True)


if __name__ == "__main__":
    main()
