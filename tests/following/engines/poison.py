"""Files of documents with faults, and what is to be said of them."""

from __future__ import annotations

import gzip
from pathlib import Path

_HUGE = 20_000_000

POISON: dict[str, tuple[list[tuple[str, str]], int]] = {
    "bytes.jsonl": ([(":2", "JSON is malformed")], 2),
    "text.jsonl": ([(":2", "bytes that are not UTF-8")], 2),
    "huge.jsonl": (
        [(":2", "a line of more than 16 MiB; what follows in this file was not read")],
        1,
    ),
    "types.jsonl": (
        [
            (":2", "a whole number as 'id'"),
            (":3", "no object but a list"),
            (":4", "a number with a point as 'published_time'"),
            (":5", "neither 'text' nor 'sentences'"),
        ],
        2,
    ),
    "cut.jsonl.gz": ([(":0", "a truncated one")], 0),
    "other.jsonl.gz": ([(":0", "no gzip data")], 0),
    "empty.jsonl": ([(":0", "no document")], 0),
}
"""By the file's name: (place in it, words) of each fault, and how many documents can be read."""


def document(name: str) -> bytes:
    """A line about a storm."""
    return b'{"id":"%s","published_time":60,"text":"A storm is near."}' % name.encode()


def write_poison(folder: Path, name: str) -> None:
    """One of the files."""
    stem = name.partition(".")[0]
    first, last = document(f"{stem}-first"), document(f"{stem}-last")
    if stem == "cut":
        packed = gzip.compress(b"\n".join(document(f"{stem}-{number}") for number in range(200)))
        content = packed[: len(packed) // 2]
    elif stem == "other":
        content = b"no gzip at all"
    elif stem == "empty":
        content = b""
    else:
        content = b"\n".join([first, *_BETWEEN[stem](), last]) + b"\n"
    (folder / name).write_bytes(content)


_BETWEEN = {
    "bytes": lambda: [b"\xff\xfe\x00nonsense"],
    "text": lambda: [b'{"id":"x","published_time":60,"text":"\xff\xfe"}'],
    "huge": lambda: [b'{"id":"x","published_time":60,"text":"' + b"a" * _HUGE + b'"}'],
    "types": lambda: [
        b'{"id":7,"published_time":"when","text":[]}',
        b"[]",
        b'{"id":"x","published_time":1e99,"text":"x"}',
        b'{"id":"x","published_time":60}',
    ],
}
