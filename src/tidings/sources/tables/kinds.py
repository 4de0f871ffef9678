"""Which table a content is, by its name and its first bytes; and what is none, but a file of tidings or of TREC."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection

from tidings.core import Content, data_beside, ending, is_folder, is_jsonl, plain_name
from tidings.sources.tables.cells import is_date
from tidings.sources.tables.delimited import DELIMITERS
from tidings.sources.tables.fields import ranks_of, simple
from tidings.sources.tables.json_items import first_keys
from tidings.sources.tables.lines import encoding_of
from tidings.sources.tables.published import is_collection, is_stream

_HEAD = 1 << 18
_CSV_TYPES = ("text/csv", "text/tab-separated-values", "application/csv")
_CSV_ENDINGS = (".csv", ".psv", ".tab", ".xlsx", ".xls", ".ods")
_DATA = data_beside(__file__)
_OTHER_ENDINGS = tuple(_DATA["other_endings"])
_OWN = frozenset(_DATA["document_keys"])
_OTHER_OWN = [frozenset(keys) for keys in _DATA["other_keys"]]
"""Keys by which lines of updates, judgments, runs and events are known."""
_TREC_HEADS = frozenset(["queryid", "topicid", "query", "topic", "event", "eventid", "nuggetid", "updateid"])
_TREC_EVENT = re.compile(r"(?:[A-Z]{2,4}\d{0,2}\.?)?\d{1,4}", re.IGNORECASE)
_UPDATE = re.compile(r"\S+-\d+")
_WORDY = re.compile(r"[^\W\d]|[-/.:]")


def _is_parquet(_: Content, head: bytes) -> bool:
    return head.startswith(b"par1")


def _is_timeline17(content: Content, _: bytes) -> bool:
    if content.data is None and content.path is not None and is_folder(content.path):
        return is_collection(content.path)
    return plain_name(content.name) == "articles.jsonl" and _keys(content) == ["id", "time", "text"]


def _is_crisisfacts(content: Content, head: bytes) -> bool:
    return _holds_objects(head) and is_stream(_keys(content))


def _keys(content: Content) -> list[str]:
    # Of the first line that is an object.
    start = content.head(_HEAD)
    encoding = encoding_of(start[:4096])
    if encoding.startswith("utf-16"):
        start = start.decode(encoding, "replace").encode()
    while start and not start.lstrip(b"\xef\xbb\xbf \t").startswith(b"{"):
        start = start.partition(b"\n")[2]
    return first_keys(start)


def _holds_objects(head: bytes) -> bool:
    return head.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n").startswith(b"{")


def is_document(keys: Collection[str]) -> bool:
    """Whether an object with these keys is one of tidings' own documents.

    >>> is_document(["id", "published_time", "sentences"]), is_document(["id", "date", "text"])
    (True, False)
    """
    return {"id", "published_time"} <= set(keys) and not {"text", "sentences", "title"}.isdisjoint(keys)


def has_documents(content: Content) -> bool:
    """Whether a content is JSON Lines of tidings' own documents."""
    return is_jsonl(content.name) and is_document(_keys(content))


def is_json_lines(content: Content, head: bytes) -> bool:
    """Whether a content is JSON Lines, but none of tidings' own.

    >>> own, other = b'{"id": "a", "published_time": 60, "text": "Fire."}', b'{"id": "a", "date": 60, "text": "Fire."}'
    >>> is_json_lines(Content("a.jsonl", data=own), own), is_json_lines(Content("a.jsonl", data=other), other)
    (False, True)
    """
    if is_jsonl(content.name):
        keys = set(_keys(content))
        is_other = not is_document(keys) and not any(other <= keys for other in _OTHER_OWN)
        return bool(keys - _OWN) and is_other
    if ending(content.name) == ".json" or "json" in content.content_type:
        # Many call a file of lines .json.
        first, _, second = content.head(_HEAD).lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")
        return first.rstrip().endswith(b"}") and _holds_objects(head) and _holds_objects(second)
    return False


def is_json(content: Content, head: bytes) -> bool:
    """Whether a content is one value of JSON."""
    start = head.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")[:1]
    named = ending(content.name) == ".json" or "json" in content.content_type
    return named and start in (b"[", b"{")


def is_csv(content: Content, head: bytes) -> bool:
    """Whether a content is a table as text, but none of TREC's.

    >>> is_csv(Content("a.csv"), b""), is_csv(Content("a.tsv"), b"query_id\\tupdate_id\\tdoc_id\\n")
    (True, False)
    >>> is_csv(Content("a.tsv"), b"date\\tbody\\n"), is_csv(Content("a.txt"), b"date;title;body\\n")
    (True, True)
    """
    last = ending(content.name)
    if last in _CSV_ENDINGS or content.content_type.startswith(_CSV_TYPES):
        return True
    if last in _OTHER_ENDINGS or not head or head.lstrip()[:1] in (b"{", b"[", b"<"):
        return False
    text = head.decode(encoding_of(head), "replace").removeprefix("\ufeff")
    lines = [line.replace("\r", " ").strip() for line in text.split("\n") if line.strip()][:2]
    if not lines or "\0" in text:
        return False
    if last == ".tsv":
        return not _is_trecs(lines[0].rstrip("\r").split("\t"))
    return any(_is_header(next(csv.reader([lines[0]], delimiter=mark), [])) for mark in DELIMITERS)


def _is_trecs(cells: list[str]) -> bool:
    if simple(cells[0]) in _TREC_HEADS or len(cells) < 2:
        return True
    if len(cells) == 2 and all(map(_UPDATE.fullmatch, cells)):
        return True  # duplicates
    pooled = len(cells) > 3 and cells[1] == f"{cells[2]}-{cells[3]}"
    dated = any(is_date(cell) and _WORDY.search(cell) for cell in cells)
    return pooled or (_TREC_EVENT.fullmatch(cells[0]) is not None and not dated)


def _is_header(cells: list[str]) -> bool:
    names = {simple(cell) for cell in cells}
    text = any(names & ranks_of(field).keys() for field in ("text", "title", "short"))
    return len(cells) > 1 and text and bool(names & ranks_of("time").keys())


KINDS = (
    ("parquet", _is_parquet),
    ("timeline17", _is_timeline17),
    ("crisisfacts", _is_crisisfacts),
    ("json-lines", is_json_lines),
    ("json", is_json),
    ("csv", is_csv),
)
"""Names of formats with how one sees it: from the content, and its first bytes in lower case."""
