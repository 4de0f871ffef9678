"""Folders and archives of other people's files: what suits is read, the rest is counted, and nothing gets out."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.sources.formats.samples import FILES
from tests.sweeps import cases, every
from tidings.core.errors import FormatError, LimitError, UsageError
from tidings.core.files.reading import Content, Limits, Notes, as_content
from tidings.sources import is_foreign, open_reading
from tidings.sources.pages import folders
from tidings.sources.pages.folders import read_folder, read_tar, read_zip
from tidings.sources.recognition import recognise

PAGE, TEXT, FEED = FILES["page"][1].encode(), FILES["text"][1].encode(), FILES["feed"][1].encode()
PARTS = {
    "b/fire.html": PAGE,
    "a.xml": FEED,
    "c/2026-02-17-ice.txt": b"Ice breaks\n\nThe ice on the lake breaks.\n",
    "c/style.css": b"p {}",
    ".hidden/x.html": PAGE,
    "c/.x.html": PAGE,
    "what.bin": b"\0\1\2",
}
DROPPED = cases(__file__, "dropped")


def folder(place: Path, parts: dict[str, bytes] | None = None) -> Path:
    for name, data in (PARTS if parts is None else parts).items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return place


def zipped(parts: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def tarred(parts: dict[str, bytes], mode: str = "w:gz") -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in parts.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


OWN = b'{"id": "own", "published_time": 1380000000, "sentences": ["The ferry has sunk.", "It burned."]}\n'


class TestFolders:
    @every("name, data", [("stream.jsonl", OWN), ("stream.jsonl.gz", gzip.compress(OWN))])
    def test_documents_of_tidings_are_read_beside_files_of_other_kinds(
        self, tmp_path: Path, name: str, data: bytes
    ) -> None:
        place = folder(tmp_path / name, {"dates.txt": b"2004-07-31\n2006-04-01\n", name: data})
        (own,) = (item for item in read_folder(place) if item.id == "own")
        assert own.sentences == ("The ferry has sunk.", "It burned.") and own.published == 1_380_000_000

    def test_every_file_is_read_by_what_it_is_in_the_order_of_names(self, tmp_path: Path) -> None:
        notes = Notes()
        items = list(read_folder(folder(tmp_path / "saved"), notes=notes))
        assert [item.title for item in items] == ["Ferry burns", "Ferry burns", "Ice breaks"]
        assert [Path(item.origin).name.partition(":")[0] for item in items] == [
            "a.xml", "fire.html", "2026-02-17-ice.txt"
        ]  # fmt: skip
        assert notes.dropped == {**DROPPED, "a hidden file": 2}

    def test_links_that_go_round_are_followed_once(self, tmp_path: Path) -> None:
        place = folder(tmp_path / "saved", {"a/fire.html": PAGE})
        (place / "a" / "again").symlink_to(place, target_is_directory=True)
        (place / "b").symlink_to(place / "a", target_is_directory=True)
        (place / "gone.html").symlink_to(place / "nothing")
        os.mkfifo(place / "pipe.html")
        notes = Notes()
        assert len(list(read_folder(place, notes=notes))) == 1
        assert notes.dropped == {
            "a folder that was read already": 2, "a link to nothing": 1, "no regular file": 1
        }  # fmt: skip

    def test_what_is_broken_does_not_hide_its_neighbours(self, tmp_path: Path) -> None:
        parts = {
            "a.html": b"\x89PNG\0\0",
            "b.html": PAGE,
            "c.zip": b"PK\3\4broken",
            "d.txt": b"\0\1\2\3" * 99,
        }
        notes = Notes()
        assert len(list(read_folder(folder(tmp_path / "saved", parts), notes=notes))) == 1
        assert notes.dropped == {"a file that is damaged or not what its name says": 3}
        assert "a.html: no markup" in notes.remarks[0]

    def test_archives_in_folders_are_opened(self, tmp_path: Path) -> None:
        place = folder(
            tmp_path / "saved", {"a.zip": zipped({"fire.html": PAGE}), "b.tgz": tarred({"x.html": PAGE})}
        )
        assert [Path(item.origin).name for item in read_folder(place)] == ["a.zip!fire.html", "b.tgz!x.html"]

    def test_nothing_to_read(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match=r"this is a file, not a folder"):
            list(read_folder(folder(tmp_path, {"x": b""}) / "x"))
        with pytest.raises(UsageError, match="there is no such folder"):
            list(read_folder(tmp_path / "nothing"))

    @every(
        "parts, foreign",
        [
            ({"a.html": b""}, True), ({"x/y/a.txt": b""}, True), ({"a.html.gz": b""}, True), ({"a.zip": b""}, True),
            ({}, False), ({"a.png": b""}, False), ({".x/a.html": b""}, False),
            ({"a.html": b"", "event.json": b""}, False),
            ({"a.html": b"", "documents.jsonl": b""}, False), ({"a.html": b"", "nuggets.tsv": b""}, False),
            ({"topics.xml": b""}, False), ({"updates_sampled.tsv.gz": b""}, False), ({"qrels.txt": b""}, False),
        ],
    )  # fmt: skip
    def test_which_folders_hold_items(self, tmp_path: Path, parts: dict[str, bytes], foreign: bool) -> None:
        place = tmp_path / "saved"
        place.mkdir()
        assert is_foreign(str(folder(place, parts))) is foreign

    @pytest.mark.shared_data
    def test_folders_of_tracks_are_none(self, shared_data: Path) -> None:
        for name in ("trec-ts/2013", "trec-ts/2014", "rts/2016", "rts/2017", "ttg/2014"):
            assert not is_foreign(str(shared_data / name)), name

    def test_they_are_read_as_documents(self, tmp_path: Path) -> None:
        reading = open_reading([str(folder(tmp_path / "saved"))])
        documents = list(reading)
        assert {document.title for document in documents} == {"Ferry burns", "Ice breaks"}
        assert reading.notes.dropped == DROPPED


class TestArchives:
    @every("read, pack", [(read_zip, zipped), (read_tar, tarred)])
    def test_members_are_read_as_files_of_a_folder(self, tmp_path: Path, read, pack) -> None:
        notes = Notes()
        path = tmp_path / "saved.tgz" if pack is tarred else tmp_path / "saved.zip"
        path.write_bytes(pack(PARTS))
        titles = {
            item.origin.partition("!")[2].partition(":")[0]: item.title for item in read(path, notes=notes)
        }
        assert titles == {
            "a.xml": "Ferry burns",
            "b/fire.html": "Ferry burns",
            "c/2026-02-17-ice.txt": "Ice breaks",
        }
        assert notes.dropped == DROPPED
        assert recognise(as_content(path)).name == ("tar" if pack is tarred else "zip")

    @every("read, pack", [(read_zip, zipped), (read_tar, tarred)])
    def test_names_that_lead_outside_and_archives_inside(self, read, pack) -> None:
        notes = Notes()
        inner = pack({"fire.html": PAGE})
        name = "inner.zip" if pack is zipped else "inner.tgz"
        outside = ("../up.html", "/root.html", "a/../../b.html", "C:/x.html")
        parts = {**dict.fromkeys(outside, PAGE), name: inner, "good.html": PAGE}
        items = list(read(Content("x", data=pack(parts)), notes=notes))
        assert [item.origin for item in items] == ["x!good.html"]
        assert notes.dropped == {"a name outside of the archive": 4, "an archive in an archive": 1}

    def test_a_small_archive_that_unpacks_without_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(folders, "_MEMBER", 1 << 20)
        notes = Notes()
        bomb = zipped({"a.txt": b" " * (2 << 20), "b.html": PAGE})
        assert [item.origin for item in read_zip(Content("x.zip", data=bomb), notes=notes)] == [
            "x.zip!b.html"
        ]
        assert notes.dropped == {"a file over a limit": 1}
        small = Limits(ratio_after_bytes=1 << 19)
        with (
            zipfile.ZipFile(io.BytesIO(bomb)) as archive,
            pytest.raises(LimitError, match=r"^x\.zip: 1 MiB in its first"),
        ):
            list(folders._zip_items(archive, Content("x.zip"), folders.ReadingOptions(), notes, small))

    def test_lying_sizes_and_encrypted_members(self) -> None:
        good = zipped({"a.html": PAGE, "b.html": PAGE})
        size = len(PAGE).to_bytes(4, "little")
        for lie in (1, 10 * len(PAGE), 0xFFFFFFF0):
            notes = Notes()
            data = good.replace(size, lie.to_bytes(4, "little"), 3)
            read = list(read_zip(Content("x.zip", data=data), notes=notes))
            assert len(read) + sum(notes.dropped.values()) == 2
            assert all(item.title == "Ferry burns" for item in read)
            assert len(read) < 2 or lie > len(PAGE)
        notes = Notes()
        place = good.index(b"PK\1\2") + 8
        data = good[:place] + b"\1" + good[place + 1 :]
        assert len(list(read_zip(Content("x.zip", data=data), notes=notes))) == 1
        assert notes.dropped == {"an encrypted file": 1}

    def test_archives_that_stop_early(self) -> None:
        data = tarred({f"{number}.html": PAGE for number in range(99)}, "w")
        notes = Notes()
        items = list(read_tar(Content("x.tar", data=data[: len(data) // 2 + 300]), notes=notes))
        assert 40 < len(items) < 60
        assert notes.dropped == {"the rest of a damaged archive": 1}
        for broken in (b"", b"x", data[:100], b"\0" * 4096):
            with pytest.raises(FormatError, match=r"^x\.tar: no"):
                list(read_tar(Content("x.tar", data=broken)))
        with pytest.raises(FormatError, match=r"^x\.zip: no zip archive"):
            list(read_zip(Content("x.zip", data=zipped(PARTS)[:500])))

    def test_links_in_archives_lead_nowhere(self) -> None:
        file = io.BytesIO()
        with tarfile.open(fileobj=file, mode="w") as archive:
            info = tarfile.TarInfo("a.html")
            info.type, info.linkname = tarfile.SYMTYPE, "/etc/hostname"
            archive.addfile(info)
        notes = Notes()
        assert list(read_tar(Content("x.tar", data=file.getvalue()), notes=notes)) == []
        assert notes.dropped == {"a link or no regular file": 1}
