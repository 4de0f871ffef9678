"""Speed of the readers of archives, on archives made here: rows of (what, amount per second, unit, note)."""

from __future__ import annotations

import gzip
import io
import random
from importlib.util import find_spec
from pathlib import Path

from bench.text_speed import best

Row = tuple[str, float, str, str]
RECORDS = 6000
ITEMS = 4000
TAGGED = 60
TOKENS = 500


def rows() -> list[Row]:
    """Records of a web archive, items of a chunk of TREC KBA, beside the libraries."""
    return [*warc_rows(), *(streamcorpus_rows() if find_spec("thriftpy2") else [])]


def warc_rows() -> list[Row]:
    """One archive, packed record by record as crawlers do: requests, answers of 2.5 kB of text."""
    from tidings.core.files.content import Content
    from tidings.sources.archives.web_archive import http_payload, read_records

    data = archive()
    content = Content("a.warc.gz", data=data)

    def ours() -> None:
        assert sum(len(http_payload(one.block).data) > 2000 for one in read_records(content)) == RECORDS / 2

    def fastwarcs() -> None:
        from fastwarc.warc import ArchiveIterator

        records = ArchiveIterator(io.BytesIO(data), fsspec_args=False, auto_decode="all")
        assert sum(len(one.reader.read()) > 2000 for one in records) == RECORDS / 2

    def warcios() -> None:
        from warcio.archiveiterator import ArchiveIterator

        records = ArchiveIterator(io.BytesIO(data))
        assert sum(len(one.content_stream().read()) > 2000 for one in records) == RECORDS / 2

    found: list[Row] = [
        ("records of WARC, payloads unpacked", RECORDS / best(ours), "records", "checked, places noted")
    ]
    found.append(
        ("the same by fastwarc alone", RECORDS / best(fastwarcs), "records", "breaks off at a fault")
    )
    if find_spec("warcio"):
        found.append(("the same by warcio", RECORDS / best(warcios), "records", "breaks off at a fault"))
    return found


def archive() -> bytes:
    """A WARC file of requests and answers (seed 1)."""
    rng = random.Random(1)
    words = ["ferry", "fire", "harbour", "rescue", "said", "the", "of", "crew", "island", "morning"]
    members = []
    for number in range(RECORDS):
        if number % 2:
            page = " ".join(rng.choices(words, k=400)).encode()
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServer: x\r\n\r\n<html><body><p>" + page
        else:
            block = b"GET / HTTP/1.1\r\nHost: example.org\r\nUser-Agent: crawler\r\n\r\n"
        head = (
            f"WARC/1.0\r\nWARC-Type: {'response' if number % 2 else 'request'}\r\nWARC-Date: 2026-02-17T08:30:00Z\r\n"
            f"WARC-Target-URI: https://example.org/{number}\r\nWARC-Record-ID: <urn:uuid:{number:032x}>\r\n"
            f"Content-Type: application/http\r\nContent-Length: {len(block)}\r\n\r\n"
        )
        members.append(gzip.compress(head.encode() + block + b"\r\n\r\n", 6, mtime=0))
    return b"".join(members)


def streamcorpus_rows() -> list[Row]:
    """Items as they were crawled (3 kB), and such with sentences of 500 tokens, each with what taggers say of it."""
    from tidings.core.files.content import Content
    from tidings.sources.archives.streamcorpus import read_streamcorpus

    found: list[Row] = []
    for name, count, data in (
        ("items of StreamCorpus, text alone", ITEMS, chunk(ITEMS, 0)),
        (f"items of StreamCorpus, {TOKENS} tokens each", TAGGED, chunk(TAGGED, TOKENS)),
    ):

        def ours(count: int = count, data: bytes = data) -> None:
            assert sum(1 for _ in read_streamcorpus(Content("a.sc", data=data))) == count

        found.append((name, count / best(ours), "items", "every length checked"))
        found.append(
            (
                "the same by thriftpy2's reader",
                count / best(lambda c=count, d=data: unchecked(c, d)),
                "items",
                "no limits; structs alone",
            )
        )
    return found


def chunk(count: int, tokens: int) -> bytes:
    """A chunk of items, written by thriftpy2."""
    from thriftpy2.protocol import TBinaryProtocolFactory
    from thriftpy2.utils import serialize

    kba = full_schema()
    words = [f"word{number % 90}" if number % 20 else "." for number in range(1, 501)]
    visible = " ".join(words)
    at, cut = 0, []
    for number, word in enumerate(words[:tokens]):
        at = visible.index(word, at)
        offset = kba.Offset(type=1, first=at, length=len(word))
        token = kba.Token(
            token_num=number, token=word, offsets={1: offset}, sentence_pos=number % 20, lemma=word, pos="NN",
            mention_id=-1, equiv_id=-1, parent_id=3, dependency_path="nn",
        )  # fmt: skip
        if not number % 20:
            cut.append(kba.Sentence(tokens=[]))
        cut[-1].tokens.append(token)
        at += len(word)
    items = (
        kba.StreamItem(
            version=1, doc_id=f"{number:032x}", abs_url=b"https://example.org/x", source="news",
            stream_id=f"{1326502200 + number}-{number:032x}",
            stream_time=kba.StreamTime(epoch_ticks=1326502200.0 + number, zulu_timestamp="2012-01-14T00:50:00.0Z"),
            body=kba.ContentItem(
                raw=visible.encode(), clean_visible=visible.encode(), sentences={"serif": cut} if cut else None
            ),
        )
        for number in range(count)
    )  # fmt: skip
    return b"".join(serialize(one, TBinaryProtocolFactory()) for one in items)


def unchecked(count: int, data: bytes) -> None:
    """The structs by thriftpy2's own reader in C."""
    from thriftpy2.protocol.cybin import TCyBinaryProtocol
    from thriftpy2.transport import TMemoryBuffer
    from thriftpy2.transport.buffered import TCyBufferedTransport

    from tidings.sources.archives import streamcorpus
    from tidings.sources.archives.streamcorpus import schema

    of = schema(Path(streamcorpus.__file__).with_suffix(".thrift")).StreamItem
    reader = TCyBinaryProtocol(TCyBufferedTransport(TMemoryBuffer(data)))
    for _ in range(count):
        reader.read_struct(of())


def full_schema() -> object:
    """The schema with what taggers say of tokens, as the tests have it."""
    import thriftpy2

    place = Path(__file__).parents[1] / "tests" / "formats" / "stream_items.thrift"
    return thriftpy2.load(str(place), module_name="stream_items_thrift")


if __name__ == "__main__":
    for what, amount, unit, note in rows():
        print(f"{what:45} {amount:12,.1f} {unit:12} {note}")
