"""WARC and ARC: what is read, what is said of broken records, and that nothing hostile gets through."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path

import pytest
import zstandard
from fastwarc.stream_io import BrotliWriter, Lz4Writer

from tests.sweeps import every
from tidings.core.errors import FormatError, LimitError
from tidings.core.files.reading import Content, Notes, ReadingOptions
from tidings.core.records import Item
from tidings.core.text.stated_times import StatedTimes
from tidings.sources.archives import tape as tapes, web_archive as payloads, web_records
from tidings.sources.archives.tape import Tape, open_tapes
from tidings.sources.archives.web_archive import http_payload, read_records, read_web_archive
from tidings.sources.recognition import recognise


def feed(title: str = "Ferry burns", date: str = "Tue, 17 Feb 2026 08:30:00 GMT") -> bytes:
    dated = f"<pubDate>{date}</pubDate>" if date else ""
    return f"<rss version='2.0'><channel><item><title>{title}</title>{dated}</item></channel></rss>".encode()


def answer(body: bytes, *fields: str, status: str = "200 OK", kind: str = "application/rss+xml") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", *fields]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def record(
    block: bytes, *fields: str, kind: str = "response", length: object = None, url: str = "http://a.example/f"
) -> bytes:
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Target-URI: {url}",
        "WARC-Date: 2026-02-18T09:00:00Z",
        f"Content-Length: {len(block) if length is None else length}",
        *fields,
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def page(title: str, **options: object) -> bytes:
    return record(answer(feed(title)), **options)


def read(data: bytes, options: ReadingOptions | None = None) -> tuple[list[Item], Notes]:
    notes = Notes()
    return list(read_web_archive(Content("a.warc", data=data), options=options, notes=notes)), notes


def titles(data: bytes) -> list[str]:
    return [item.title for item in read(data)[0]]


def test_items_of_a_feed_say_where_they_are_from() -> None:
    (item,), notes = read(page("Ferry burns", url="<http://www.a.example/f g>"))
    assert item.origin == "a.warc!http://www.a.example/f%20g:1"
    assert (item.url, item.source) == ("http://www.a.example/f%20g", "a.example")
    assert StatedTimes().read(item.published) == 1771317000
    assert not notes.dropped
    assert not notes.remarks


@every("date", ["", "soon"])
def test_a_page_without_a_time_has_that_of_its_crawl_and_that_is_said(date: str) -> None:
    (item,), notes = read(record(answer(feed(date=date))))
    assert item.published == "2026-02-18T09:00:00Z"
    (remark,) = notes.remarks
    assert "a.warc: no readable time on 1 of its pages; they got the time of their crawl" in remark


def test_kinds_of_records() -> None:
    data = (
        record(b"software: x\r\n", kind="warcinfo")
        + record(b"GET / HTTP/1.1\r\n\r\n", kind="request")
        + record(feed("a resource"), "Content-Type: text/xml", kind="resource")
        + record(feed("converted"), "Content-Type: text/xml", kind="conversion")
        + record(answer(b""), kind="revisit")
        + record(answer(b"\x89PNG", kind="image/png"))
        + record(answer(b"@font", kind="made/up"))
        + record(answer(feed("gone"), status="404 Not Found"))
        + record(answer(b" \r\n"))
        + record(answer(b"a,b", kind="text/plain; charset=utf-8"))
        + record(answer(page("an archive in an archive"), kind="text/plain"))
    )
    items, notes = read(data)
    assert [item.title or item.text for item in items] == ["a resource", "converted", "a,b"]
    assert notes.dropped["a page that an earlier crawl had (revisit)"] == 1
    assert notes.dropped["no text (image)"] == notes.dropped["no text (of another type)"] == 1
    assert notes.dropped["HTTP status 404"] == notes.dropped["an empty answer"] == 1
    assert notes.dropped["neither a page nor a feed"] == 1
    assert all(origin.startswith("a.warc, byte ") for origin, _ in notes.examples)


def test_a_page_is_read_as_one() -> None:
    body = b"<html><head><title>Ferry burns</title></head><body><article><p>A ferry burnt.</p></article></body></html>"
    (item,), _ = read(record(answer(body, kind="text/html; charset=utf-8")))
    assert (item.title, item.url) == ("Ferry burns", "http://a.example/f")
    assert "A ferry burnt." in item.text


def members(*records: bytes) -> bytes:
    return b"".join(gzip.compress(one, mtime=0) for one in records)


def by_fastwarc(writer: type, data: bytes) -> bytes:
    target = io.BytesIO()
    target.close = target.flush  # type: ignore[method-assign]
    with writer(target, fsspec_args=False) as packing:
        packing.write(data)
    return target.getvalue()


@every("how", ["plain", "gzip", "one member", "zstd", "lz4"])
def test_packings(how: str) -> None:
    records = [page("one"), page("two")]
    data = {
        "plain": b"".join(records),
        "gzip": members(*records),
        "one member": members(b"".join(records)),
        "zstd": b"".join(map(zstandard.compress, records)),
        "lz4": by_fastwarc(Lz4Writer, b"".join(records)),
    }[how]
    assert titles(data) == ["one", "two"]


def test_places_are_those_of_the_packed_file() -> None:
    one, two = members(page("one")), members(page("two"))
    places = [one.place for one in read_records(Content("a", data=one + two))]
    assert places == [0, len(one)]


@every(
    "broken, expected, said",
    [
        (page("1", length=20), ["3"], "a record that states a wrong length (once, at byte 0)"),
        (page("1", length=len(answer(feed("1"))) + 90), ["1", "3"], "a record that states a wrong length"),
        (page("1", length=10**9), ["1", "3"], "a record that states a wrong length"),
        (page("1", length=-5), ["3"], "cannot be read"),
        (page("1", length="abc"), ["3"], "cannot be read"),
        (page("1", length=2**70), ["3"], "cannot be read"),
        (page("1").replace(b"Content-Length", b"X-Length"), ["3"], "cannot be read"),
        (b"WARC/1.0\r\nX: " + b"x" * 70_000 + b"\r\n\r\n\r\n", ["3"], "cannot be read"),
        (b"noise\r\n\r\n" * 9, ["3"], "bytes that belong to no record"),
        (b"\0" * 100_000, ["3"], "cannot be read"),
        (page("1") + b"noise\r\n\r\n", ["1", "3"], "states a wrong length"),
        (record(answer(feed("1")), "WARC-Block-Digest: sha1:AAAA"), ["1", "3"], "whose digest is not"),
        (record(answer(feed("1")), "WARC-Truncated: length"), ["1", "3"], "the crawler cut short"),
        (record(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 20_000), ["3"], "a head of HTTP without an end"),
        (page("1").replace(b"\r\n\r\n<rss", b"\n\n<rss"), ["1", "3"], ""),
        (page("1")[:-2], ["1", "3"], ""),
        (page("1") + b"\r\n", ["1", "3"], ""),
    ],
)
def test_a_broken_record_costs_no_other_one(broken: bytes, expected: list[str], said: str) -> None:
    items, notes = read(broken + page("3"))
    assert [item.title for item in items] == expected
    assert said in " ".join([*notes.remarks, *notes.dropped])


def test_all_that_a_wrong_length_hid_is_found() -> None:
    hidden = b"".join(page(str(number)) for number in range(2, 20))
    data = page("1", length=len(hidden)) + hidden
    assert titles(data) == [str(number) for number in range(1, 20)]
    assert next(iter(read_records(Content("a", data=data)))).block == answer(feed("1"))


def test_a_good_record_that_quotes_another_is_left_whole() -> None:
    quoting = record(answer(b"<html><pre>\n" + page("quoted") + b"</pre>", kind="text/html"))
    assert [one.kind for one in read_records(Content("a", data=quoting + page("3")))] == ["response"] * 2


def test_going_back_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Records that each state to be a megabyte long would be read again and again."""
    heads = b"".join(page(str(number), length=1 << 20) for number in range(1000))
    monkeypatch.setattr(web_records, "_MOST_REPEATED", 3 << 20)
    reads = 0
    plain = Tape.read

    def counted(tape: Tape, size: int = -1) -> bytes:
        nonlocal reads
        reads += 1
        return plain(tape, size)

    monkeypatch.setattr(Tape, "read", counted)
    assert 0 < len(list(read_records(Content("a", data=heads)))) <= 1000
    assert reads < 200


def test_going_back_a_little_each_time_has_an_end_too(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"".join(page(str(number), length=3000) for number in range(200))
    assert sum(1 for _ in read_records(Content("a", data=data))) == 200
    monkeypatch.setattr(web_records, "_MOST_REPEATED", 10_000)
    assert sum(1 for _ in read_records(Content("a", data=data))) < 50


def test_a_last_record_without_blank_lines_is_whole() -> None:
    items, notes = read(page("1")[:-4])
    assert len(items) == 1
    assert not notes.remarks


def test_records_beyond_the_limit_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_records, "MOST_BLOCK", 1000)
    long = record(answer(feed("x" * 2000)))
    _, notes = read(long + page("3"))
    assert notes.dropped == {"a record of more than 0 MiB": 1}
    long = record(answer(feed("x" * 2000)), length=9000)
    items, notes = read(long + page("3"))
    assert [item.title for item in items] == ["3"]
    assert notes.dropped == {"a record of more than 0 MiB": 1}


def test_heads_without_end_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_records, "_MOST_REPEATED", 1 << 20)
    data = b"WARC/1.0\r\n" * 100_000 + page("3")
    assert titles(b"\r\n\r\n" + data) == ["3"]
    assert sum(1 for _ in read_records(Content("a", data=data))) < 100


def test_a_clipped_file() -> None:
    data = page("1") + page("2")
    items, notes = read(data[: -len(page("2")) + 40])
    assert [item.title for item in items] == ["1"]
    items, notes = read(members(page("1"), page("2"))[:-20])
    assert [item.title for item in items][:1] == ["1"]
    assert any("damage, or an early end" in remark for remark in notes.remarks)


def test_damage_of_one_member_costs_no_other() -> None:
    one, two, three = (bytearray(members(page(name))) for name in "123")
    two[len(two) // 2] ^= 0xFF
    two[len(two) // 2 + 1] ^= 0xFF
    items, notes = read(bytes(one + two + three))
    assert [item.title for item in items if item.title != "2"] == ["1", "3"]
    (remark,) = (remark for remark in notes.remarks if "damage" in remark)
    assert f"at byte {len(one):,}" in remark


def test_damage_at_very_many_places_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tapes, "_MOST_STRETCHES", 50)
    data = members(page("1")) + b"\x1f\x8b\x08\xff" * 5_000
    assert titles(data) == ["1"]
    assert sum(tape.read(1 << 20) is not None for tape, _ in open_tapes(Content("a", data=data))) == 50


def test_the_next_member_is_found_across_pieces() -> None:
    damaged = b"\x1f\x8b\x08\x04" + b"\xff" * ((1 << 18) - 4)
    assert titles(members(page("1")) + damaged + members(page("3"))) == ["1", "3"]


class TestPayloads:
    """Transfer and content encodings."""

    def test_chunks(self) -> None:
        chunked = b"4\r\nFire\r\n2;x=y\r\n i\n0\r\n\r\n"
        block = answer(chunked, "Transfer-Encoding: Chunked")
        assert http_payload(block).data == b"Fire i"
        assert not http_payload(block).fault

    @every(
        "chunked, data, fault",
        [
            (b"<p>no chunks", b"<p>no chunks", ""),
            (b"4\r\nFire\r\nzz\r\n", b"Fire", "a payload with a bad chunk"),
            (b"4\r\nFire\r\n-5\r\n", b"Fire", "a payload with a bad chunk"),
            (b"ff\r\nFire", b"Fire", "a payload that is cut short"),
            (b"4\r\nFire", b"Fire", "a payload that is cut short"),
            (b"fffffffffffffff\r\nFire", b"Fire", "a payload that is cut short"),
        ],
    )
    def test_bad_chunks(self, chunked: bytes, data: bytes, fault: str) -> None:
        payload = http_payload(answer(chunked, "Transfer-Encoding: chunked"))
        assert (payload.data, payload.fault) == (data, fault)

    def test_endless_chunks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(payloads, "_MOST_CHUNKS", 10)
        payload = http_payload(answer(b"1\r\nx\r\n" * 50, "Transfer-Encoding: chunked"))
        assert (payload.data, payload.fault) == (b"x" * 10, "a payload with a bad chunk")

    @every("how", ["gzip", "x-gzip", "deflate", "raw deflate", "br", "zstd", "identity", ""])
    def test_packings(self, how: str) -> None:
        body = feed() * 20
        raw = zlib.compressobj(wbits=-15)
        packed = {
            "gzip": gzip.compress(body),
            "x-gzip": gzip.compress(body[:50]) + gzip.compress(body[50:]),
            "deflate": zlib.compress(body),
            "raw deflate": raw.compress(body) + raw.flush(),
            "br": by_fastwarc(BrotliWriter, body),
            "zstd": zstandard.compress(body),
        }.get(how, body)
        named = how.rsplit(maxsplit=1)[-1] if how else ""
        payload = http_payload(answer(packed, f"Content-Encoding: {named}"))
        assert (payload.data, payload.fault, payload.refusal) == (body, "", "")

    def test_packed_twice_and_too_often(self) -> None:
        twice = zlib.compress(gzip.compress(b"Fire"))
        assert http_payload(answer(twice, "Content-Encoding: gzip, deflate")).data == b"Fire"
        often = http_payload(answer(b"x", "Content-Encoding: gzip, gzip, gzip, gzip"))
        assert often.refusal == "a payload packed too often"

    def test_what_crawlers_unpacked_and_left_the_head(self) -> None:
        assert http_payload(answer(b"<p>Fire", "Content-Encoding: gzip")).data == b"<p>Fire"

    @every("how", ["gzip", "deflate", "br", "zstd"])
    def test_bombs(self, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(payloads, "MOST_PAYLOAD", 1 << 18)
        body = b" " * (1 << 20)
        packed = {
            "gzip": gzip.compress(body),
            "deflate": zlib.compress(body),
            "br": by_fastwarc(BrotliWriter, body),
            "zstd": zstandard.compress(body),
        }[how]
        payload = http_payload(answer(packed, f"Content-Encoding: {how}"))
        assert not payload.data
        assert payload.refusal == "a payload of more than 0 MiB"

    @pytest.mark.parametrize("how", ["gzip", "deflate", "br", "zstd"])
    @pytest.mark.parametrize("size", [1, 10, 60])
    def test_damage(self, how: str, size: int) -> None:
        body = feed() * 20
        packed = {
            "gzip": gzip.compress(body),
            "deflate": zlib.compress(body),
            "br": by_fastwarc(BrotliWriter, body),
            "zstd": zstandard.compress(body),
        }[how]
        payload = http_payload(answer(packed[:size] + b"\xff\0" * 9, f"Content-Encoding: {how}"))
        assert len(payload.data) < len(body) + 100
        assert (
            http_payload(answer(b"x", "Content-Encoding: made-up")).refusal
            == "a payload packed in an unknown way"
        )


VERSION = b"%d 0 x\nURL IP-address Archive-date Content-type Archive-length\n"
ARC = b"filedesc://a.arc 0.0.0.0 20140216050221 text/plain " + b"%d\n" % (len(VERSION) - 1) + VERSION + b"\n"


def arc_record(title: str, length: object = None, version: int = 1, url: str = "http://a.example/f") -> bytes:
    block = answer(feed(title))
    more = " 200 - - 0 a.arc" if version == 2 else ""
    size = len(block) if length is None else length
    return f"{url} 192.0.2.1 20140216050221 text/xml{more} {size}\n".encode() + block + b"\n"


@every("version", [1, 2])
def test_arc(version: int) -> None:
    data = (
        ARC % version
        + arc_record("one", version=version)
        + arc_record("two", version=version, url="http://a.example/x y=z&a b")
    )
    items, notes = read(members(data))
    assert [item.title for item in items] == ["one", "two"]
    assert items[1].url == "http://a.example/x%20y=z&a%20b"
    assert not notes.dropped
    assert [one.date for one in read_records(Content("a", data=data))] == ["20140216050221"] * 3


@every("length, expected", [(-1, ["2"]), ("abc", ["2"]), (5, ["2"]), (10**8, ["2"]), (900, ["1", "2"])])
def test_broken_records_of_arc(length: object, expected: list[str]) -> None:
    items, notes = read(ARC % 1 + arc_record("1", length) + arc_record("2"))
    assert [item.title for item in items] == expected
    assert notes.remarks or notes.dropped


def test_arc_dates_as_times_of_crawls() -> None:
    block = answer(feed(date=""))
    line = f"http://a.example/ 192.0.2.1 201402160502219999 text/html {len(block)}\n".encode()
    (item,), _ = read(ARC % 1 + line + block + b"\n")
    assert item.published == "2014-02-16T05:02:21Z"


def test_names_and_first_bytes_tell_archives(tmp_path: Path) -> None:
    for name in ("a.warc", "a.warc.gz", "a.arc.gz", "a.warc.lz4", "a.warc.gz.bad"):
        path = tmp_path / name
        path.write_bytes(b"x")
        assert recognise(Content(name, path=path)).name == "warc"
    for data in (page("1"), ARC % 1):
        assert recognise(Content("a", data=data)).name == "warc"
    assert (
        recognise(Content("a.warc!http://a.example/b.warc", data=b"x", url="http://a.example/b.warc")) is None
    )


@every("data", [b"", b"WARC", b"hello\n", b"\0" * 9000, b"filedesc:", b"\x1f\x8b\x08", b"\x04\x22\x4d\x18"])
def test_what_is_no_archive(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"^a\.warc: no record of an archive"):
        read(data)


def test_a_bomb_of_the_file_itself() -> None:
    head = page("1")[:-4].split(b"<rss")[0]
    with pytest.raises(LimitError, match=r"^a\.warc: "):
        read(zstandard.compress(page("1") + head + bytes(80 << 20)))


def test_memory_stays_flat_over_many_tiny_records(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 0
    plain = Tape.read

    def measured(tape: Tape, size: int = -1) -> bytes:
        nonlocal most
        most = max(most, tape.end - tape.start)
        return plain(tape, size)

    monkeypatch.setattr(Tape, "read", measured)
    tiny = b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
    assert sum(1 for _ in read_records(Content("a", data=tiny * 8_000))) == 8_000
    assert most < 200_000


@pytest.mark.shared_data
def test_every_file_of_the_libraries(shared_data: Path) -> None:
    counts = {}
    for path in sorted((shared_data / "warc").iterdir()):
        records = list(read_records(path))
        counts[path.name] = (len(records), sum(one.broken for one in records))
        list(read_web_archive(path))
    assert counts["resiliparse-warcfile.warc.gz"] == (50, 0)
    assert counts["warcio-example-wrong-chunks.warc.gz"] == (2, 0)
    assert counts["warcio-example-bad-non-chunked.warc.gz"] == (6, 0)
    assert counts["warcio-bad.arc"][0] == 4
    assert all(records for records, _ in counts.values())
