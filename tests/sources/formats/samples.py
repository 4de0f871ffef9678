"""A small good file, or folder of files, of every format."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from tidings.evaluation.formats.official_scores import COLUMNS

_NUGGETS = (
    "query_id\tnugget_id\ttimestamp\timportance\tnugget_len\tnugget_text\n"
    "TS14.1\tVMTS14.1.1\t60\t2\t2\tA fire.\n"
)
_POOL = (
    "query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\tupdate_text\n"
    "TS14.1\t60-a-0\t60-a\t0\t2\tNULL\tA fire.\n"
)
_MATCHES = (
    "query_id\tupdate_id\tnugget_id\tmatch_start\tmatch_end\tauto_p\nTS14.1\t60-a-0\tVMTS14.1.1\t0\t4\t0\n"
)
_TOPICS = (
    "<events><event><id>1</id><title>T</title><start>5</start><end>90</end><query>q</query></event></events>"
)
_FEED = (
    "<rss version='2.0'><channel><title>World</title><item><title>Ferry burns</title><guid>1</guid>"
    "<pubDate>Tue, 17 Feb 2026 08:30:00 GMT</pubDate></item></channel></rss>"
)
_FEED_LIST = "<opml version='2.0'><body><outline text='A Post' xmlUrl='world.xml'/></body></opml>"
_SITEMAP = (
    "<?xml version='1.0'?><urlset xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'><url>"
    "<loc>https://example.org/1</loc><news:news><news:publication><news:name>World</news:name></news:publication>"
    "<news:publication_date>2026-02-17T08:30:00Z</news:publication_date><news:title>Ferry burns</news:title>"
    "</news:news></url></urlset>"
)
_BLOCK = f"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n\r\n{_FEED}"
_WARC = (
    "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.org/feed\r\n"
    "WARC-Date: 2026-02-17T09:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
    f"Content-Length: {len(_BLOCK)}\r\n\r\n{_BLOCK}\r\n\r\n"
)


def _field(number: int, text: str) -> str:
    """A field of text as Thrift's binary protocol writes it."""
    return f"\x0b\0{chr(number)}\0\0\0{chr(len(text))}{text}"


_STREAM_ITEM = (
    "\x08\0\x01\0\0\0\x01" + _field(2, "8b5e") + _field(6, "news")
    + "\x0c\0\x07" + _field(5, "A ferry burns.") + "\0"
    + _field(9, "1771317000-8b5e") + "\x0c\0\x0a" + _field(2, "2026-02-17T08:30:00Z") + "\0\0"
)  # fmt: skip
_ARTICLE = {"date": "2026-02-17", "headline": "Ferry burns", "body": "A ferry burns."}
_POST = {"event": "CrisisFACTS-001", "streamID": "CrisisFACTS-001-News-7-0", "unixTimestamp": 1512604876,
         "text": "A fire.", "sourceType": "News"}  # fmt: skip
_PAGE = (
    "<!doctype html><html lang='en'><head><title>Ferry burns - A Post</title>"
    "<meta property='og:site_name' content='A Post'>"
    "<meta property='article:published_time' content='2026-02-17T08:30:00Z'></head>"
    "<body><h1>Ferry burns</h1><p>A ferry burns in the harbour, and its 12 passengers are safe.</p></body></html>"
)
_TEXT = "Ferry burns\n\n17 February 2026\n\nA ferry burns in the harbour.\n"


def _zip() -> str:
    """A zip archive of one text, whose bytes are all ASCII, so that it can be written and changed as text."""
    for spaces in range(1000):
        data = (_TEXT + " " * spaces).encode()
        if max(zlib.crc32(data).to_bytes(4, "little")) < 128 and len(data) % 256 < 128:
            break
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        info = zipfile.ZipInfo("2026-02-17-fire.txt", (1980, 1, 1, 0, 0, 0))
        info.create_system, info.external_attr = 0, 1
        archive.writestr(info, data)
    return file.getvalue().decode("ascii")


def _tar() -> str:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        info = tarfile.TarInfo("2026-02-17-fire.txt")
        info.size = len(_TEXT)
        archive.addfile(info, io.BytesIO(_TEXT.encode()))
    return file.getvalue().decode("ascii")


_EVENT = '{"id": "TS14.1", "query": "fire"}\n'
_DOCUMENT = '{"id": "60-a", "published_time": 60, "sentences": ["A fire."]}\n'
_FACT = {"requestID": "e-r0", "factText": "A fire.", "unixTimestamp": 60, "importance": 0.5,
         "sources": ["60-a-0"], "streamID": None}  # fmt: skip


def _parquet() -> bytes:
    import pyarrow
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(pyarrow.table({key: [value] for key, value in _ARTICLE.items()}), file)
    return file.getvalue()


_HEAD = ["QueryID", "TeamID", "RunID", *COLUMNS.values()]
_TIMELINE = "2013-07-24\nA fire.\n--------------------------------\n"

FILES: dict[str, tuple[str, str]] = {
    "run": ("a.run", "11\tt\tr\t60-a\t0\t120\t0.5\n"),
    "updates": ("a.jsonl", '{"event":"e","doc":"60-a","sentence":0,"time":60,"text":"A fire."}\n'),
    "pool": ("a.tsv", _POOL),
    "documents": ("a.jsonl", _DOCUMENT),
    "feed": ("world.xml", _FEED),
    "feed-list": ("feeds.opml", _FEED_LIST),
    "sitemap": ("news-map.xml", _SITEMAP),
    "warc": ("crawl.warc", _WARC),
    "streamcorpus": ("news.sc", _STREAM_ITEM),
    "csv": ("news.csv", "date,headline,body\n2026-02-17 08:30,Ferry burns,A ferry burns.\n"),
    "json": ("articles.json", json.dumps({"status": "ok", "articles": [_ARTICLE]})),
    "json-lines": ("articles.jsonl", json.dumps(_ARTICLE) + "\n"),
    "crisisfacts": ("CrisisFACTS-001.jsonl", json.dumps(_POST) + "\n"),
    "page": ("fire.html", _PAGE),
    "text": ("2026-02-17-fire.txt", _TEXT),
    "zip": ("saved.zip", _zip()),
    "tar": ("saved.tar", _tar()),
    "topics": ("a.xml", _TOPICS),
    "events": ("a.json", _EVENT),
    "nuggets": ("a.tsv", _NUGGETS),
    "matches": ("a.tsv", _MATCHES),
    "duplicates": ("a.tsv", "60-a-0\t60-b-0\n"),
    "official-scores": ("a.tsv", "\t".join(_HEAD) + "\n" + "\t".join(["1", "t", "r", *["0"] * len(COLUMNS)])),
    "values": ("a.run", "6\tt\tr\t60-a\t0\t60\tdeaths\t3\t1\n"),
    "rankings": ("a.jsonl", '{"event": "e", "date": "2013-07-24", "entities": ["Renfe"]}\n'),
    "links": ("a.tsv", "topic_id\tevent_id\tsentence_id\n1\t1\ta-0\n1\t-\ta-1\n"),
    "judges": ("a.tsv", "topic_id\tevent_id\tjudge\tsentence_id\n1\t1\t1\ta-0\n"),
    "facts": ("a.jsonl", json.dumps(_FACT) + "\n"),
    "requests": ("a.jsonl", '{"request": "e-r0", "event": "e", "start": 0, "end": 90}\n'),
    "change-topics": (
        "a.jsonl",
        '{"tid": "t", "label": "Fire", "narrative": "A fire.", "questions": [{"qid": "q_1", "question": "Where?"}]}\n',
    ),
    "change-run": (
        "a.jsonl",
        '{"runtag": "us", "models": []}\n{"topic": "t", "results": {"2013-07-24": []}}\n',
    ),
    "changes": ("a.tsv", "topic\tday\tqid\tdoc_id\tgain\nt\t2013-07-24\tq_1\t60-a\t5\n"),
    "nuggetizer": (
        "a.jsonl",
        '{"qid":"q","query":"Fire","nuggets":[{"text":"12 died","importance":"vital"}]}\n',
    ),
    "argue": (
        "a.jsonl",
        '{"query_id": "q", "title_query": "Fire", "nugget_bank": {"Who died?": {"question": "Who died?"}}}\n',
    ),
    "assigned-nuggets": (
        "a.jsonl",
        '{"qid": "q", "run_id": "us", "nuggets": [{"text": "12 died", "assignment": "support"}]}\n',
    ),
    "pushes": ("a.run", "RTS1\t101\t1501286400\tus\n"),
    "digests": ("a.run", "20170729 RTS1 Q0 101 1 0.5 us\n"),
    "tweet-timelines": ("a.run", "MB1 Q0 101 1 1.0 us\n"),
    "qrels": ("a.txt", "RTS1 Q0 101 2\n"),
    "mobile-qrels": ("a.txt", "MB226 101 1470686245 2\n"),
    "tweet-days": ("a.txt", "101 20170729 1501286401\n"),
    "tweet-clusters": ("a.json", '{"RTS1": {"clusters": {"c1": {"tweets": ["101"]}}}}'),
    "timelines": ("a.txt", _TIMELINE),
}
BINARY: dict[str, tuple[str, Callable[[], bytes]]] = {"parquet": ("news.parquet", _parquet)}
FOLDERS: dict[str, dict[str, str]] = {
    "folder": {"fire.html": _PAGE, "2026-02-17-fire.txt": _TEXT, "world.xml": _FEED},
    "trec": {
        "topics.xml": _TOPICS,
        "nuggets.tsv": _NUGGETS,
        "matches.tsv": _MATCHES,
        "updates_sampled.tsv": _POOL,
    },
    "judgments": {
        "event.json": _EVENT,
        "documents.jsonl": _DOCUMENT,
        "nuggets.jsonl": '{"event":"TS14.1","id":"VMTS14.1.1","time":60,"importance":2,"text":"A fire."}\n',
        "matches.jsonl": '{"event":"TS14.1","update":"60-a-0","nugget":"VMTS14.1.1","start":0,"end":4}\n',
    },
    "tweets": {
        "qrels.txt": "RTS1 Q0 101 2\n",
        "clusters.json": FILES["tweet-clusters"][1],
        "tweetsdayepoch.txt": "101 20170729 1501286401\n",
    },
    "references": {"one.txt": _TIMELINE},
    "timeline-runs": {"one.txt": _TIMELINE},
    "timeline17": {"InputDocs/2013-07-24/1.htm.cont": "A fire .\nTwo dead .\n"},
}


BESIDE = {"feed-list": "feed"}
"""Formats whose sample names a file: of which format that is."""


def write_sample(folder: Path, name: str) -> Path:
    """Write the sample of a format into a folder; gives its file, or its own folder there."""
    if name in FILES:
        path = folder / FILES[name][0]
        path.write_text(FILES[name][1], encoding="utf-8", newline="")
        if name in BESIDE:
            write_sample(folder, BESIDE[name])
        return path
    if name in BINARY:
        path = folder / BINARY[name][0]
        path.write_bytes(BINARY[name][1]())
        return path
    path = folder / name
    path.mkdir()
    for part, text in FOLDERS[name].items():
        (path / part).parent.mkdir(parents=True, exist_ok=True)
        (path / part).write_text(text, encoding="utf-8")
    return path
