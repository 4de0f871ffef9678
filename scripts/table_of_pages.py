"""How well article pages are read: text, dates, titles and outlets, beside trafilatura and resiliparse alone.

    python scripts/table_of_pages.py [../shared/data/html/fundus.tgz]

The pages are paired with what is expected of them by their dates: of the versions of an outlet's expectation, the
latest that was published before the page was fetched. Rules were chosen on the countries of one half only, by a
hash of their names; both halves are shown. Token F is the mean over pages of the harmonic mean of precision and
recall of words (of characters in Chinese, Japanese and Korean). A day is right as the zone of what is expected
counts it, a time within a minute, a title where its letters are the same, an outlet where its name holds that of
fundus or the reverse, or is its name in its own script. trafilatura's rows are what it finds with its defaults: its
dates are days.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import tarfile
import time
import unicodedata
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from tidings.core.files.reading import Content, ReadingOptions
from tidings.core.text.stated_times import StatedTimes
from tidings.sources.pages.page import page_item

ROOT = Path(__file__).parents[1]
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
OWN_SCRIPT = {
    "AsahiShimbun": "朝日新聞", "ChunichiShimbun": "中日新聞", "MainichiShimbun": "毎日新聞", "Nikkei": "日本経済新聞",
    "NikkanGeadai": "日刊ゲンダイ", "SankeiShimbun": "産経", "TokyoShimbun": "東京新聞", "HankookIlbo": "한국일보",
    "MBN": "매일경제", "IsraelNachrichten": "Israel Nachrichten",
    "Morgunbladid": "mbl.is", "VerdensGang": "VG", "ZwanzigMinuten": "20 Minuten", "NTVTR": "ntv",
    "AnadoluAjansi": "Anadolu", "TaipeiTimes": "Taipei Times",
}  # fmt: skip


class Page(NamedTuple):
    """A page with what is expected of it."""

    country: str
    outlet: str
    data: bytes
    expected: dict[str, Any]


class Found(NamedTuple):
    """What a reader finds of a page."""

    text: str
    title: str
    outlet: str
    published: str | int | float | None


def moment(stated: str) -> datetime:
    """A date of the expectations, UTC where it names no zone."""
    parsed = datetime.fromisoformat(stated)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def pages(archive: Path) -> list[Page]:
    """All pages that have an expectation."""
    with tarfile.open(archive) as file:
        data = {
            name.name.removeprefix("./"): member.read()
            for name in file
            if name.isfile() and (member := file.extractfile(name)) is not None
        }
    paired = []
    for path in sorted(name for name in data if name.endswith(".html.gz")):
        country, _, name = path.rpartition("/")
        outlet = name.partition("_")[0]
        versions = data.get(f"{country}/{outlet}.json")
        if versions is None:
            continue
        fetched = moment(json.loads(data[f"{country}/meta.info"])[name]["crawl_date"])
        known = list(json.loads(versions).values())
        before = [one for one in known if moment(one["publishing_date"]) <= fetched + timedelta(days=1.5)]
        if before:
            expected = max(before, key=lambda one: moment(one["publishing_date"]))
        else:
            expected = min(known, key=lambda one: abs(moment(one["publishing_date"]) - fetched))
        paired.append(Page(country.rpartition("/")[2], outlet, gzip.decompress(data[path]), expected))
    return paired


def words(text: str) -> Counter[str]:
    """A text's words and how often each stands there."""
    return Counter(WORD.findall(text.lower()))


def token_f(found: str, expected: str) -> float:
    """Harmonic mean of precision and recall of words, 0 to 1."""
    one, other = words(found), words(expected)
    both = (one & other).total()
    return 2 * both / (one.total() + other.total()) if both else 0.0


def body(expected: dict[str, Any]) -> str:
    """The text that is expected: summary, headings, paragraphs."""
    parts = list(expected["body"].get("summary") or [])
    for section in expected["body"].get("sections") or []:
        parts += [*(section.get("headline") or []), *(section.get("paragraphs") or [])]
    return "\n".join(parts)


def letters(text: str) -> str:
    """A text's letters and digits, without accents and case."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(char for char in plain.casefold() if char.isalnum())


def same_outlet(found: str, outlet: str) -> bool:
    """Whether a name is that of an outlet."""
    names = [letters(name) for name in (outlet, OWN_SCRIPT.get(outlet, outlet))]
    key = letters(found)
    return bool(key) and any(name in key or key in name for name in names)


def scores(page: Page, found: Found) -> tuple[float, ...]:
    """Token F, and whether day, minute, title and outlet are right."""
    seconds = StatedTimes().read(found.published)
    expected = moment(page.expected["publishing_date"])
    day = seconds is not None and datetime.fromtimestamp(seconds, expected.tzinfo).date() == expected.date()
    minute = seconds is not None and abs(seconds - expected.timestamp()) <= 60
    title = letters(found.title) == letters(page.expected["title"])
    outlet = same_outlet(found.outlet, page.outlet)
    return token_f(found.text, body(page.expected)), float(day), float(minute), float(title), float(outlet)


def by_tidings(data: bytes) -> Found:
    """As `tidings read` does."""
    item = page_item(data, Content("page", data=data), ReadingOptions())
    return Found(item.text, item.title, item.source, item.published)


def by_trafilatura(data: bytes) -> Found:
    """trafilatura with its defaults."""
    from trafilatura import bare_extraction, extract

    about = bare_extraction(data, with_metadata=True)
    text = extract(data) or ""
    if about is None:
        return Found(text, "", "", None)
    return Found(text, about.title or "", about.sitename or "", about.date)


def by_resiliparse(data: bytes) -> Found:
    """resiliparse's main content alone; it has no metadata but the page's own title."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse_from_bytes(data, detect_encoding(data))
    return Found(extract_plain_text(tree, main_content=True), tree.title or "", "", None)


def text_by_trafilatura(data: bytes) -> None:
    """Its text alone, to be timed."""
    from trafilatura import extract

    extract(data)


READERS: dict[str, tuple[Callable[[bytes], Found], Callable[[bytes], Any]]] = {
    "tidings": (by_tidings, by_tidings),
    "trafilatura": (by_trafilatura, text_by_trafilatura),
    "resiliparse": (by_resiliparse, by_resiliparse),
}


def main() -> int:
    """Read all, print the table."""
    place = (
        Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "data" / "html" / "fundus.tgz"
    )
    if not place.exists():
        print(f"{place}: there is no such file; name fundus.tgz", file=sys.stderr)
        return 2
    cases = pages(place)
    half = [int(sha256(page.country.encode()).hexdigest(), 16) % 2 for page in cases]
    print(
        "| reader | pages | token F | days | minutes | titles | outlets | pages/s |\n|---|---|---|---|---|---|---|---|"
    )
    for name, (read, timed) in READERS.items():
        rows = [scores(page, read(page.data)) for page in cases]
        start = time.process_time()
        for page in cases:
            timed(page.data)
        speed = len(cases) / (time.process_time() - start)
        for label, wanted in (("", {0, 1}), (", rules chosen on these", {0}), (", countries left out", {1})):
            chosen = [row for row, number in zip(rows, half, strict=True) if number in wanted]
            means = " | ".join(f"{sum(column) / len(chosen):.3f}" for column in zip(*chosen, strict=True))
            print(f"| {name}{label} | {len(chosen)} | {means} | {'' if label else f'{speed:.0f}'} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
