"""Opening files of every compression within limits, and writing them whole or not at all."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import os
import random
import resource
import stat
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import zstandard

from tests.sweeps import every
from tidings.core.errors import FormatError, LimitError, OutputError, UsageError
from tidings.core.files import writing
from tidings.core.files.jsonl import BadRecordError, seconds
from tidings.core.files.reading import (
    Limits,
    decode_mixed,
    open_bytes,
    read_lines,
    read_text,
)
from tidings.core.files.writing import write_atomically

PACK: dict[str, Callable[[bytes], bytes]] = {
    "": lambda data: data,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}
QUICK = PACK | {".xz": partial(lzma.compress, preset=0)}
SUFFIXES = sorted(PACK)
PACKED = [suffix for suffix in SUFFIXES if suffix]
TEXT = "".join(f"line {number} of a ferry fire – né\n" for number in range(20_000)).encode()


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
class TestEveryCompression:
    def test_what_is_packed_is_read(self, tmp_path: Path, suffix: str) -> None:
        path = put(tmp_path, f"a.txt{suffix}", PACK[suffix](TEXT))
        with open_bytes(path) as file:
            assert file.read() == TEXT

    def test_several_members_are_one_text(self, tmp_path: Path, suffix: str) -> None:
        path = put(tmp_path, f"a.txt{suffix}", PACK[suffix](TEXT) + PACK[suffix](b"more\n"))
        with open_bytes(path) as file:
            assert file.read() == TEXT + b"more\n"

    def test_what_is_written_is_read_again(self, tmp_path: Path, suffix: str) -> None:
        path = tmp_path / f"a.txt{suffix}"
        with write_atomically(path) as file:
            file.write(TEXT)
        assert path.read_bytes() == TEXT or suffix
        with open_bytes(path) as file:
            assert file.read() == TEXT
        assert list(tmp_path.iterdir()) == [path]

    def test_the_same_text_gives_the_same_file(self, tmp_path: Path, suffix: str) -> None:
        paths = [tmp_path / f"{name}{suffix}" for name in "ab"]
        for path in paths:
            with write_atomically(path) as file:
                file.write(TEXT)
        assert paths[0].read_bytes() == paths[1].read_bytes()

    def test_an_empty_file_written_is_read_as_empty(self, tmp_path: Path, suffix: str) -> None:
        path = tmp_path / f"a{suffix}"
        with write_atomically(path):
            pass
        assert read_text(path) == ""


@pytest.mark.parametrize("suffix", PACKED)
class TestDamage:
    @pytest.mark.parametrize("keep", [0.01, 0.5, 0.999])
    def test_a_truncated_archive_is_named(self, tmp_path: Path, suffix: str, keep: float) -> None:
        data = PACK[suffix](random.Random(4).randbytes(200_000))
        path = put(tmp_path, f"a.run{suffix}", data[: int(len(data) * keep)])
        with pytest.raises(
            FormatError, match=r"a\.run\S*: a truncated one \(expected a whole .* file\); .*fetch it again"
        ):
            read_text(path)

    def test_an_empty_archive_is_named(self, tmp_path: Path, suffix: str) -> None:
        with pytest.raises(FormatError, match="an empty one"):
            read_text(put(tmp_path, f"a{suffix}", b""))

    def test_a_flipped_byte_is_found(self, tmp_path: Path, suffix: str) -> None:
        packed = PACK[suffix] if suffix != ".zst" else zstandard.ZstdCompressor(write_checksum=True).compress
        data = bytearray(packed(TEXT))
        data[len(data) // 2] ^= 0x55
        with pytest.raises(FormatError, match=r"damage|found a truncated"):
            read_text(put(tmp_path, f"a{suffix}", bytes(data)))

    def test_rubbish_behind_the_archive_is_found(self, tmp_path: Path, suffix: str) -> None:
        with pytest.raises(FormatError, match="damage"):
            read_text(put(tmp_path, f"a{suffix}", PACK[suffix](TEXT) + b"rubbish after the end"))

    def test_plain_text_under_a_packed_name(self, tmp_path: Path, suffix: str) -> None:
        with pytest.raises(FormatError, match=r"no \w+ data .*remove the ending from"):
            read_text(put(tmp_path, f"a{suffix}", b"11 team run doc 0 1326510000 1.0\n"))

    def test_packed_data_under_a_plain_name(self, tmp_path: Path, suffix: str) -> None:
        message = rf"a\.run: (gzip|xz|zstd) data \(expected plain text\); end its name in \{suffix}"
        with pytest.raises(FormatError, match=message):
            read_text(put(tmp_path, "a.run", PACK[suffix](TEXT)))

    def test_the_wrong_ending(self, tmp_path: Path, suffix: str) -> None:
        wrong = ".gz" if suffix != ".gz" else ".xz"
        with pytest.raises(FormatError, match="correct its ending"):
            read_text(put(tmp_path, f"a{wrong}", PACK[suffix](TEXT)))


@pytest.mark.parametrize("suffix", PACKED)
class TestBombs:
    """A small file that unpacks without end is refused, after a bounded amount of work and memory."""

    def bomb(self, folder: Path, suffix: str) -> Path:
        # 72 MiB of zeros, a little more than is unpacked before the ratio counts, in a few kB to a hundred kB.
        return put(folder, f"bomb{suffix}", QUICK[suffix](bytes(72 << 20)))

    def test_by_the_ratio(self, tmp_path: Path, suffix: str) -> None:
        path = self.bomb(tmp_path, suffix)
        with open_bytes(path) as file, pytest.raises(LimitError, match=r"bomb.*MiB came out of .*KiB so far"):
            for _ in range(72):
                file.read(1 << 20)

    def test_by_the_size(self, tmp_path: Path, suffix: str) -> None:
        path = put(tmp_path, f"a{suffix}", PACK[suffix](TEXT))
        with (
            open_bytes(path, limits=Limits(max_bytes=1 << 10)) as file,
            pytest.raises(LimitError, match="more than"),
        ):
            file.read()


class TestLimits:
    def test_a_whole_file_too_large(self, tmp_path: Path) -> None:
        with pytest.raises(LimitError, match="read as a whole, so split it"):
            read_text(put(tmp_path, "a", TEXT), limits=Limits(max_whole_bytes=1 << 10))

    def test_a_line_without_end(self, tmp_path: Path) -> None:
        path = put(tmp_path, "a", b"short\n" + bytes(2 << 20))
        with pytest.raises(LimitError, match=r"a:2: a line of more than 1 MiB"):
            list(read_lines(path, limits=Limits(max_line_bytes=1 << 20)))


class TestText:
    def test_line_ends_and_byte_order_mark_go(self, tmp_path: Path) -> None:
        assert read_text(put(tmp_path, "a", b"\xef\xbb\xbfa\r\nb\n")) == "a\nb\n"

    @every("encoding", ["utf-16", "utf-16-be", "utf-32"])
    def test_other_unicode_is_refused_with_a_way_out(self, tmp_path: Path, encoding: str) -> None:
        mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
        path = put(tmp_path, "a", mark + "né".encode(encoding))
        with pytest.raises(FormatError, match=r"a:1: UTF-16 or UTF-32 text \(expected UTF-8\); .*iconv"):
            read_text(path)
        with pytest.raises(FormatError, match="UTF-16"):
            list(read_lines(path))

    def test_stray_bytes_are_read_as_windows_1252_and_said(self, tmp_path: Path) -> None:
        notes: list[str] = []
        assert (
            read_text(put(tmp_path, "a", b"caf\xe9 \x93quoted\x94 \xc3\xa9"), notes=notes)
            == "café “quoted” é"
        )
        assert notes == [f"{tmp_path}/a: 3 bytes are not UTF-8; they were read as Windows-1252"]

    def test_every_byte_becomes_one_valid_character(self) -> None:
        text, _ = decode_mixed(bytes(range(256)))
        assert len(text) == 256
        text.encode()

    def test_binary_is_refused_with_its_line(self, tmp_path: Path) -> None:
        with pytest.raises(FormatError, match=r"a:2: binary data"):
            read_text(put(tmp_path, "a", b"a\nb\0c"))

    def test_lines_have_numbers_and_no_ends(self, tmp_path: Path) -> None:
        path = put(tmp_path, "a", b"\xef\xbb\xbfa\r\n\nc")
        assert list(read_lines(path)) == [(1, b"a"), (2, b""), (3, b"c")]


class TestOpening:
    def test_no_such_file(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match=r"there is no such file; check the name"):
            read_text(tmp_path / "none.run")

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="this is a folder; name a file in it"):
            read_text(tmp_path)

    def test_a_name_that_is_none(self) -> None:
        with pytest.raises(UsageError, match="not a file name"):
            read_text("a\0b")

    def test_permission_denied(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(name: str) -> io.FileIO:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)

        monkeypatch.setattr("io.FileIO", refuse)
        with pytest.raises(UsageError, match=r"cannot be read \(Permission denied\); check its permissions"):
            read_text(tmp_path / "a")

    @every("suffix", SUFFIXES)
    def test_standard_input_is_unpacked_by_its_first_bytes(self, suffix: str) -> None:
        program = "from tidings.core.files.reading import read_text; print(len(read_text('-')))"
        done = subprocess.run(
            [sys.executable, "-c", program], input=PACK[suffix](TEXT), capture_output=True, check=True
        )
        assert int(done.stdout) == len(TEXT.decode())

    def test_a_pipe_gives_its_lines_as_they_come(self) -> None:
        program = (
            "from tidings.core.files.reading import read_lines\n"
            "for number, line in read_lines('-'): print(number, line.decode(), flush=True)"
        )
        with subprocess.Popen([sys.executable, "-c", program], stdin=-1, stdout=-1) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for number in (1, 2, 3):
                process.stdin.write(b"a line\n")
                process.stdin.flush()
                assert process.stdout.readline() == b"%d a line\n" % number
            process.stdin.close()


class TestWriting:
    """The old file stays until the new one is whole, and nothing else is left behind."""

    def test_an_error_on_the_way_leaves_the_old_file(self, tmp_path: Path) -> None:
        path = put(tmp_path, "a.gz", b"old")
        with pytest.raises(KeyboardInterrupt), write_atomically(path) as file:
            file.write(TEXT)
            raise KeyboardInterrupt
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]

    @every("suffix", SUFFIXES)
    def test_a_full_disk(self, tmp_path: Path, suffix: str) -> None:
        # A limit on file size stands in for the full disk: the same system call fails in the same way.
        path = put(tmp_path, f"a{suffix}", b"old")
        data = random.Random(1).randbytes(1 << 20)
        program = (
            "import sys\nfrom tidings.core.errors import OutputError\n"
            "from tidings.core.files.writing import write_atomically\n"
            "try:\n    with write_atomically(sys.argv[1]) as file:\n        file.write(sys.stdin.buffer.read())\n"
            "except OutputError as error:\n    print(error)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, str(path)],
            input=data,
            capture_output=True,
            check=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
        )
        assert b"could not be written" in done.stdout
        assert done.stderr == b""
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]

    def test_a_device_that_is_full(self) -> None:
        message = r"/dev/full: could not be written \(No space left on device\); what was written before"
        with pytest.raises(OutputError, match=message), write_atomically("/dev/full") as file:
            file.write(TEXT)

    def test_a_disk_full_only_at_the_end(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(descriptor: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        path = put(tmp_path, "a", b"old")
        monkeypatch.setattr(os, "fsync", refuse)
        with pytest.raises(OutputError, match="No space left"), write_atomically(path) as file:
            file.write(b"new")
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]

    def test_another_file_failing_is_not_blamed_on_the_output(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError), write_atomically(tmp_path / "a"):
            (tmp_path / "none").read_bytes()
        assert not list(tmp_path.iterdir())

    def test_a_folder_in_its_place(self, tmp_path: Path) -> None:
        with pytest.raises(OutputError, match="is a folder"), write_atomically(tmp_path):
            pass

    def test_a_missing_folder(self, tmp_path: Path) -> None:
        with (
            pytest.raises(OutputError, match="No such file or directory"),
            write_atomically(tmp_path / "no" / "a"),
        ):
            pass

    def test_the_mode_of_the_old_file_is_kept_and_that_of_a_new_one_is_usual(self, tmp_path: Path) -> None:
        old = put(tmp_path, "old", b"")
        old.chmod(0o640)
        for path in (old, tmp_path / "new"):
            with write_atomically(path) as file:
                file.write(b"x")
        mask = os.umask(0)
        os.umask(mask)
        assert stat.S_IMODE(old.stat().st_mode) == 0o640
        assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o666 & ~mask

    def test_a_link_stays_a_link(self, tmp_path: Path) -> None:
        target = put(tmp_path, "target", b"old")
        link = tmp_path / "link"
        link.symlink_to(target)
        with write_atomically(link) as file:
            file.write(b"new")
        assert link.is_symlink()
        assert target.read_bytes() == b"new"

    def test_a_pipe_is_written_straight_to(self, tmp_path: Path) -> None:
        program = (
            "from tidings.core.files.writing import write_atomically\n"
            "with write_atomically('/dev/stdout') as file:\n    file.write(b'told')"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
        assert done.stdout == b"told"
        with (tmp_path / "a").open("wb") as file:
            subprocess.run([sys.executable, "-c", program], stdout=file, check=True)
        assert (tmp_path / "a").read_bytes() == b"told"

    def test_standard_output(self) -> None:
        program = (
            "from tidings.core.files.writing import write_atomically as w\nwith w('-') as f: f.write(b'told')"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
        assert done.stdout == b"told"

    def test_a_folder_to_fill(self, tmp_path: Path) -> None:
        assert writing.make_folder(tmp_path / "new").is_dir()
        with pytest.raises(OutputError, match="is a file, but this is written as a folder"):
            writing.make_folder(put(tmp_path, "a", b""))


@every(
    "value, problem",
    [
        (-1, "published_time -1 "),
        (1374691260_000, "divide by 1000"),
        (10**30 - 1, f"published_time {10**30 - 1} "),
        (10**30, "a number of more than 30 digits"),
        ("2013-07-24T20:41:00", "without a zone"),
        ("2013-07-24", "without a zone"),
        ("1374691260", "write the number without quotes"),
        ("x" * 41, "x" * 40 + "..."),
        ("0001-01-01T00:00:00Z", "published_time -62135596800 "),
    ],
)
def test_a_time_that_is_none_is_refused_with_what_would_mend_it(value: int | str, problem: str) -> None:
    with pytest.raises(BadRecordError) as raised:
        seconds(value, "published_time")
    assert problem in f"{raised.value.found} {raised.value.mend} "


def test_a_time_of_any_zone_is_seconds_of_utc() -> None:
    assert seconds("2013-07-24T20:41:00.9+02:00", "t") == seconds(1374691260, "t") == 1374691260
    assert seconds("1970-01-01T00:00:00Z", "t") == 0
