"""StreamCorpus chunks, written by thriftpy2 itself, read with limits."""

from __future__ import annotations

import gzip
import lzma
import os
import random
import shutil
import stat
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import thriftpy2
from thriftpy2.protocol import TBinaryProtocolFactory
from thriftpy2.utils import serialize

from tests.sweeps import every
from tidings.core.errors import FormatError, LimitError, TidingsError, UsageError
from tidings.core.files.reading import Content, Notes
from tidings.core.records import Item
from tidings.sources import open_reading
from tidings.sources.archives import streamcorpus
from tidings.sources.archives.streamcorpus import read_streamcorpus
from tidings.sources.recognition import recognise

FULL = thriftpy2.load(str(Path(__file__).with_name("stream_items.thrift")), module_name="stream_items_thrift")
MD5 = "0123456789abcdef0123456789abcdef"


def sentence(text: str, visible: str = "", kind: int = 1) -> Any:
    """A sentence of tokens, with where they stand in the visible text."""
    tokens, at = [], 0
    for number, word in enumerate(text.split()):
        offsets = {}
        if visible:
            at = visible.index(word, at)
            first = len(visible[:at].encode()) if kind == 1 else at
            length = len(word.encode()) if kind == 1 else len(word)
            offsets = {kind: FULL.Offset(type=kind, first=first, length=length, value=word.encode())}
        tokens.append(
            FULL.Token(token_num=number, token=word, offsets=offsets, lemma=word.lower(), pos="NN",
                       mention_id=-1, labels={"author": [FULL.Label(mentions=["x"], positive=True, relevance=2)]})
        )  # fmt: skip
    return FULL.Sentence(tokens=tokens)


def stream_item(number: int = 1, **body: Any) -> Any:
    body = body or {"clean_visible": b"  A ferry &amp; a tug \n\n burn. "}
    return FULL.StreamItem(
        version=1, doc_id=MD5, abs_url=b"http://www.a.example/x", source="news",
        stream_id=f"{1326502200 + number}-{MD5}", source_metadata={"http_headers": b"{}"},
        stream_time=FULL.StreamTime(epoch_ticks=1326502200.0 + number, zulu_timestamp="2012-01-14T00:50:00.0Z"),
        body=FULL.ContentItem(logs=["x"], language=FULL.Language(code="en", name="English"), **body),
    )  # fmt: skip


def chunk(*items: Any) -> bytes:
    return b"".join(serialize(one, TBinaryProtocolFactory()) for one in items)


def read(data: bytes, name: str = "a.sc") -> tuple[list[Item], Notes]:
    notes = Notes()
    return list(read_streamcorpus(Content(name, data=data), notes=notes)), notes


def test_an_item_is_named_as_the_track_names_it() -> None:
    (item,), notes = read(chunk(stream_item()))
    assert (item.id, item.published) == (f"1326502201-{MD5}", 1326502201.0)
    assert (item.url, item.source, item.language) == ("http://www.a.example/x", "a.example", "en")
    assert item.text == "A ferry & a tug\nburn."
    assert item.origin == "a.sc:1"
    assert not notes.dropped


@every("kind", [1, 2])
def test_sentences_stand_as_in_the_visible_text(kind: int) -> None:
    visible = "Éric's  ferry burnt .   “ Out ” ,\nhe said."
    cut = [
        sentence("Éric 's ferry burnt .", visible, kind),
        sentence("", visible),
        sentence("“ Out ” , he said .", visible, kind),
    ]
    (item,), _ = read(chunk(stream_item(clean_visible=visible.encode(), sentences={"serif": cut})))
    assert item.sentences == ("Éric's ferry burnt .", "", "“ Out ” , he said.")


def test_tokens_are_joined_where_offsets_lead_elsewhere() -> None:
    cut = [sentence("A ferry ( old ) , burnt .", "A ferry ( old ) , burnt .")]
    (item,), _ = read(
        chunk(stream_item(clean_visible=b"Something else altogether stands here", sentences={"x": cut}))
    )
    assert item.sentences == ("A ferry (old), burnt.",)


@every("taggers, taken", [("lingpipe serif", "serif"), ("zz lingpipe", "lingpipe"), ("zz yy", "yy")])
def test_which_tagger_is_taken(taggers: str, taken: str) -> None:
    sentences = {tagger: [sentence(tagger)] for tagger in taggers.split()} | {"aa": []}
    (item,), _ = read(chunk(stream_item(sentences=sentences)))
    assert item.sentences == (taken,)


def test_what_is_missing() -> None:
    timeless, bodiless, nameless, titled = stream_item(1), stream_item(2), stream_item(3), stream_item(4)
    timeless.stream_time.epoch_ticks = float("nan")
    bodiless.body = None
    nameless.stream_id = None
    titled.other_content = {
        "title": FULL.ContentItem(clean_visible=b" Ferry\n burns "),
        "anchor": FULL.ContentItem(),
    }
    items, notes = read(chunk(timeless, bodiless, nameless, titled, stream_item(5, raw=b"")))
    assert [item.published for item in items] == ["2012-01-14T00:50:00.0Z", 1326502203.0, 1326502204.0]
    assert items[1].id == f"1326502203-{MD5}"
    assert items[2].title == "Ferry burns"
    assert notes.dropped == {"an item without a body": 1, "no text": 1}


@every("ticks", [float("inf"), -1.0, 0.0, None])
def test_the_written_time_stands_for_ticks_that_are_none(ticks: float | None) -> None:
    one = stream_item()
    one.stream_time.epoch_ticks = ticks
    assert read(chunk(one))[0][0].published == "2012-01-14T00:50:00.0Z"


@every("version", [0, 1])
def test_names_and_first_bytes_tell_chunks(tmp_path: Path, version: int) -> None:
    one = stream_item()
    one.version = version
    assert recognise(Content("x", data=chunk(one))).name == "streamcorpus"
    for name in ("a.sc", "a.sc.xz", "a.sc.gz", "a.sc.xz.gpg", "A.SC.XZ.GPG"):
        path = tmp_path / name
        path.write_bytes(b"x")
        assert recognise(Content(name, path=path)).name == "streamcorpus"


@every("pack", [bytes, lzma.compress, gzip.compress])
def test_packings_and_a_chunk_of_many_items(pack: Any) -> None:
    items, _ = read(
        pack(chunk(*(stream_item(number, raw=b"x" * 9000, clean_visible=b"Fire") for number in range(300))))
    )
    assert [item.id.partition("-")[0] for item in items] == [
        str(1326502200 + number) for number in range(300)
    ]


def test_a_reading_keeps_the_numbers_of_sentences(tmp_path: Path) -> None:
    """By these numbers a run names its updates."""
    path = tmp_path / "a.sc"
    path.write_bytes(
        chunk(stream_item(1, sentences={"serif": [sentence("One ."), sentence(""), sentence("Three .")]}))
    )
    (document,) = open_reading([str(path)])
    assert document.id == f"1326502201-{MD5}"
    assert [(one.id, one.text) for one in document.sentences if one.text.strip()] == [
        (f"1326502201-{MD5}-0", "One."),
        (f"1326502201-{MD5}-2", "Three."),
    ]


class TestHostile:
    """Lengths, sizes, types and depths that nobody should state."""

    GOOD = chunk(stream_item(1))

    @every(
        "bad",
        [
            b"\x0b\0\x02\x7f\xff\xff\xff",  # a string of 2 GB
            b"\x0b\0\x02\xff\xff\xff\xff",  # of -1
            b"\x0b\0\x63\xff\xff\xff\xfb",  # the same in a field that is passed over
            b"\x0f\0\x63\x01\x7f\xff\xff\xff",  # two billion elements of no bytes
            b"\x0f\0\x63\x0c\x7f\xff\xff\xff",
            b"\x0f\0\x63\x08\xff\xff\xff\xff",
            b"\x0d\0\x63\x0b\x01\x00\x00\x00\x05",
            b"\x0d\0\x0b\x0b\x0c\x7f\xff\xff\xff",
            b"\x63\0\x01",  # a type that is none
            b"\x0c\0\x63" * 1000,  # structs in structs
            b"\x0f\0\x63" + b"\x0f\0\0\0\x01" * 1000,  # lists in lists
            b"\x0c\0\x07" * 1000,
        ],
    )
    def test_lies(self, bad: bytes) -> None:
        with pytest.raises(FormatError, match=r"^a\.sc: an item"):
            read(bad)
        items, notes = read(self.GOOD + bad + self.GOOD)
        assert len(items) == 1
        ((place, reason),) = notes.examples
        assert place == f"a.sc, byte {len(self.GOOD):,}"
        assert reason.endswith(", and what follows it")

    def test_a_list_that_is_as_long_as_it_says_is_passed_over_at_once(self) -> None:
        passed = b"\x0f\0\x63\x03" + struct.pack(">i", 1 << 20) + bytes(1 << 20)
        items, _ = read(passed + self.GOOD)
        assert len(items) == 1

    def test_a_length_below_nothing(self) -> None:
        with pytest.raises(FormatError, match="states a length of -1"):
            read(b"\x0b\0\x02\xff\xff\xff\xff")

    def test_very_many_parts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(streamcorpus, "_MOST_PARTS", 1000)
        sentences = (
            b"\x0c\0\x07\x0d\0\x09\x0b\x0f\0\0\0\x01\0\0\0\x01s\x0c" + struct.pack(">i", 5000) + bytes(5000)
        )
        with pytest.raises(FormatError, match="too many parts"):
            read(sentences)

    def test_a_very_long_item(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(streamcorpus, "MOST_ITEM", 1 << 20)
        with pytest.raises(FormatError, match="more than 1 MiB"):
            read((b"\x0b\0\x63\0\x0f\0\0" + bytes(0x0F0000)) * 3)

    @every("data", [b"", b"\0" * 3000, b"hello world", b"\x08\0\x01"])
    def test_what_is_no_chunk(self, data: bytes) -> None:
        with pytest.raises(FormatError, match=r"^a\.sc: an "):
            read(data)

    def test_truncated_packings_give_what_came_before(self) -> None:
        random_text = [random.Random(number).randbytes(3000).hex().encode() for number in range(40)]
        packed = lzma.compress(
            chunk(*(stream_item(n, clean_visible=text) for n, text in enumerate(random_text)))
        )
        items, notes = read(packed[: len(packed) // 2])
        assert 0 < len(items) < 40
        (reason,) = notes.dropped
        assert "the rest of a chunk" in reason or "cut short" in reason
        with pytest.raises(FormatError):
            read(packed[:40])

    def test_changed_bytes(self) -> None:
        rng = random.Random(5)
        good = chunk(
            stream_item(
                1, clean_visible=b"A. B.", sentences={"serif": [sentence("A .", "A ."), sentence("B .")]}
            )
        )
        for _ in range(200):
            data = bytearray(good * 2)
            for _ in range(rng.randint(1, 4)):
                data[rng.randrange(len(data))] = rng.choice([0, 1, 0x7F, 0xFF, rng.randrange(256)])
            try:
                read(bytes(data))
            except TidingsError as error:
                assert str(error).startswith("a.sc: ")

    def test_without_thriftpy2(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "thriftpy2", None)
        with pytest.raises(UsageError, match=r"pip install -e '\.\[kba\]'"):
            streamcorpus.schema(Path("x.thrift"))


class TestEncrypted:
    """With a stand-in for gpg: what it is asked, and what its answers become."""

    @pytest.fixture
    def stand_in(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
        def make(script: str) -> None:
            path = tmp_path / "bin" / "gpg"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"#!/bin/sh\n{script}\n")
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
            monkeypatch.setenv("PATH", f"{path.parent}:{os.environ['PATH']}")

        return make

    def test_what_comes_out_is_read(self, stand_in: Any, tmp_path: Path) -> None:
        stand_in(f'echo "$@" > {tmp_path}/asked; tail -c +4')
        path = tmp_path / "a.sc.xz.gpg"
        path.write_bytes(b"key" + lzma.compress(chunk(stream_item(1), stream_item(2))))
        assert len(list(read_streamcorpus(path))) == 2
        asked = (tmp_path / "asked").read_text().split()
        assert {"--batch", "--no-tty", "--decrypt"} <= set(asked)
        assert str(path) not in asked
        assert len(read(path.read_bytes(), "b.sc.xz.gpg")[0]) == 2

    @pytest.mark.parametrize(
        ("script", "kind", "said"),
        [
            ("echo '[GNUPG:] NO_SECKEY ABCD' >&2; exit 2", UsageError, "no key to decrypt it"),
            ("echo '[GNUPG:] PINENTRY_LAUNCHED' >&2; exit 2", UsageError, "needs a passphrase"),
            ("exit 2", FormatError, "what gpg cannot decrypt"),
            ("cat /dev/zero", LimitError, "more than 1 MiB came out"),
        ],
    )
    def test_what_gpg_refuses(
        self, stand_in: Any, script: str, kind: type[Exception], said: str, monkeypatch: Any
    ) -> None:
        small = streamcorpus.LIMITS.__class__(max_bytes=1 << 20)
        monkeypatch.setattr(streamcorpus.decrypt, "__defaults__", (small,))
        stand_in(script)
        with pytest.raises(kind, match=f"^a.sc.gpg: .*{said}"):
            read(b"x", "a.sc.gpg")

    def test_one_that_hangs(self, stand_in: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(streamcorpus, "_MOST_SECONDS", 0.2)
        stand_in("exec sleep 60")
        with pytest.raises(LimitError, match="gpg took longer"):
            read(b"x", "a.sc.gpg")

    def test_without_gpg(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(UsageError, match="install GnuPG"):
            read(b"x", "a.sc.gpg")

    @pytest.mark.long
    @pytest.mark.skipif(shutil.which("gpg") is None, reason="there is no gpg here")
    def test_the_real_one(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        home = tmp_path / "g"
        home.mkdir(mode=0o700)
        monkeypatch.setenv("GNUPGHOME", str(home))
        quiet = ["gpg", "--batch", "--no-tty", "--quiet", "--passphrase", "", "--pinentry-mode", "loopback"]
        subprocess.run([*quiet, "--quick-gen-key", "kba@example.org", "rsa2048", "encr", "never"], check=True)
        packed = lzma.compress(chunk(stream_item(1)))
        encrypted = subprocess.run(
            ["gpg", "--batch", "--trust-model", "always", "-r", "kba@example.org", "--encrypt"],
            input=packed, capture_output=True, check=True,
        ).stdout  # fmt: skip
        path = tmp_path / "a.sc.xz.gpg"
        path.write_bytes(encrypted)
        assert len(list(read_streamcorpus(path))) == 1
        path.write_bytes(encrypted[:-20])
        with pytest.raises(FormatError, match="cannot decrypt"):
            list(read_streamcorpus(path))
        (tmp_path / "other").mkdir(mode=0o700)
        monkeypatch.setenv("GNUPGHOME", str(tmp_path / "other"))
        path.write_bytes(encrypted)
        with pytest.raises(UsageError, match="no key"):
            list(read_streamcorpus(path))
        subprocess.run(["gpgconf", "--kill", "all"], check=False)
