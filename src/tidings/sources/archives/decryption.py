"""Files that are encrypted for somebody, opened by the `gpg` of the machine: TREC KBA hands out its chunks so."""

from __future__ import annotations

import io
import os
import subprocess
import tempfile
import threading
from typing import BinaryIO, cast

from tidings.core import LIMITS, Content, FormatError, LimitError, Limits, Problem, UsageError, open_raw

__all__ = ["decrypted"]

_MOST_SECONDS = 300
_IN_MEMORY = 32 << 20
_PIECE = 1 << 18
# Nothing is asked of anybody: no terminal, no dialogue for a passphrase.
_COMMAND = (
    "gpg",
    "--batch",
    "--no-tty",
    "--quiet",
    "--pinentry-mode",
    "error",
    "--status-fd",
    "2",
    "--decrypt",
)


def decrypted(content: Content, limits: Limits = LIMITS) -> io.BufferedReader:
    """The decrypted bytes of a content, as a file that vanishes when it is closed.

    Raises:
        UsageError: there is no gpg, or no key for it.
        FormatError: it is not encrypted, or damaged.
        LimitError: more came out than is taken, or it took longer than 300 s.
    """
    target = cast("BinaryIO", tempfile.SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115 whoever reads it closes it
    try:
        _decrypt(content, target, limits)
    except BaseException:
        target.close()
        raise
    target.seek(0)
    return io.BufferedReader(cast("io.RawIOBase", target))


def _decrypt(content: Content, target: BinaryIO, limits: Limits) -> None:
    with _packed(content) as source, tempfile.TemporaryFile() as said:
        try:
            environment = {**os.environ, "LC_ALL": "C"}
            process = subprocess.Popen(  # noqa: S603 the words are ours
                _COMMAND, stdin=source, stdout=subprocess.PIPE, stderr=said, env=environment
            )
        except FileNotFoundError:
            raise UsageError(
                f"{content.name}: found no gpg, expected it to decrypt this; install GnuPG, or decrypt it first"
            ) from None
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(_MOST_SECONDS, stop)
        timer.start()
        try:
            given = 0
            assert process.stdout is not None
            while piece := process.stdout.read(_PIECE):
                given += len(piece)
                if given > limits.max_bytes:
                    raise LimitError(
                        f"{content.name}: more than {limits.max_bytes >> 20:,} MiB came out of it; split it"
                    )
                target.write(piece)
            code = process.wait()
        finally:
            timer.cancel()
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
        if late.is_set():
            raise LimitError(f"{content.name}: gpg took longer than {_MOST_SECONDS} s; decrypt it first")
        if code:
            said.seek(0)
            raise _refusal(content.name, said.read(1 << 16))


def _packed(content: Content) -> BinaryIO:
    if content.data is None:
        return cast("BinaryIO", open_raw(content.path or ""))
    file = tempfile.TemporaryFile()  # noqa: SIM115 whoever reads it closes it
    file.write(content.data)
    file.seek(0)
    return cast("BinaryIO", file)


def _refusal(name: str, said: bytes) -> UsageError | FormatError:
    if b"NO_SECKEY" in said or b"No secret key" in said:
        return UsageError(
            f"{name}: found no key to decrypt it, expected it in the keyring of gpg; `gpg --import` what its owner gave"
        )
    if b"pinentry" in said.lower() or b"MISSING_PASSPHRASE" in said:
        return UsageError(
            f"{name}: its key asks for a passphrase, which nobody can type here; decrypt it first"
        )
    mend = "the copy or download stopped early, or the file is damaged: fetch it again"
    return FormatError([Problem(name, 0, "what gpg cannot decrypt", "an encrypted file", mend)])
