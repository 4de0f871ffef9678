"""The command line: one short file for each verb, in the library's own words."""

from __future__ import annotations

import gc
import io
import os
import sys
from typing import Any, NoReturn

__all__ = ["main"]


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command line and leave the process with its exit code.

    0 for success, 2 for anything the user can mend (one message, no traceback), 130 after Ctrl-C, 141 where the reader
    of the output went away (`| head`) before all was written, as shells have it.
    """
    _steady_streams()
    code = run(sys.argv[1:] if args is None else args)
    code = code or _rest_written()
    sys.stderr.flush()
    # Nothing is left to close, and taking a large heap apart object by object takes longer than some commands.
    os._exit(code)


_UNREAD = 141
"""The exit code of a command that nobody read to its end: 128 and the number of the signal SIGPIPE."""


class _Output(io.FileIO):
    """Standard output: what cannot be written there is an OutputError, as it is of any other file."""

    def write(self, data: Any) -> int:
        """Write all that there is room for."""
        try:
            return super().write(data) or 0
        except BrokenPipeError:
            raise
        except OSError as error:
            from tidings.core import STANDARD_OUTPUT, failure

            raise failure(STANDARD_OUTPUT, error, direct=True) from None


class _Unheard(io.FileIO):
    """Standard error where nobody listens any more (`2>&1 | head`): what is lost there changes no exit code."""

    def write(self, data: Any) -> int:
        """Write all there is a reader for."""
        try:
            return super().write(data) or 0
        except OSError:
            return memoryview(data).nbytes


def _steady_streams() -> None:
    # What lacks a letter, such as a terminal that knows ASCII only, shows `?`. In the place of what is closed stands a
    # file that can only be read: no other file gets its number, and whoever writes there is told.
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    for name, kind in (("stdout", _Output), ("stderr", _Unheard)):
        stream = getattr(sys, name)
        encoding, errors, at_once = "utf-8", "replace", name == "stderr"
        if stream is None:
            descriptor = os.open(os.devnull, os.O_RDONLY)
        else:
            descriptor, encoding = stream.fileno(), stream.encoding
            at_once = at_once or stream.line_buffering
            if stream.errors != "strict" and encoding.lower().replace("-", "") == "utf8":
                errors = stream.errors
        buffered = io.BufferedWriter(kind(descriptor, "wb", closefd=False))
        setattr(
            sys, name, io.TextIOWrapper(buffered, encoding=encoding, errors=errors, line_buffering=at_once)
        )


def run(args: list[str]) -> int:
    """Run one command and return its exit code; nothing a user can cause leaves as a traceback."""
    collecting = gc.isenabled()
    gc.disable()  # loading makes much that lasts and hardly any garbage
    import typer

    from tidings.cli.app import PROGRAM, make_app
    from tidings.cli.verbs import joined
    from tidings.core import TidingsError

    args = joined(args)
    app = make_app(args)
    if collecting:
        gc.enable()
    try:
        result = app(args, standalone_mode=False, prog_name=PROGRAM)
        sys.stdout.flush()
    except TidingsError as error:
        return _say(str(error), error.exit_code)
    except typer.Exit as error:
        return int(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _say("interrupted", 130)
    except _usage_errors() as error:
        _cleaned(error).show()
        return int(error.exit_code)
    except (BrokenPipeError, SystemExit) as error:
        return _left(error)
    except UnicodeEncodeError:
        odd = next((arg for arg in args if not _is_text(arg)), None)
        if odd is None:
            raise
        return _say(f"argument {odd!r}: found bytes that are not UTF-8, expected text", 2)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _say(f"{where}{error.strerror or error}", 2)
    if result == 130:  # some versions of typer turn Ctrl-C into this
        return _say("interrupted", 130)
    return result if isinstance(result, int) else 0


def _left(error: BrokenPipeError | SystemExit) -> int:
    """The exit code of a command that left early.

    The reader of our output may have gone away (`| head`): no error, and nothing more can be said. Typer answers that
    by leaving, and leaves as well when it has completed a line for a shell: then there is something to be read.
    """
    code = _rest_written()
    if code or (isinstance(error, SystemExit) and error.code in (None, 0)):
        return code
    return _UNREAD


def _rest_written() -> int:
    """Write what is still to be written; the exit code where that cannot be done, else 0."""
    from tidings.core import TidingsError

    try:
        sys.stdout.flush()
    except TidingsError as error:
        return _say(str(error), error.exit_code)
    except OSError:
        return _UNREAD
    return 0


def _is_text(arg: str) -> bool:
    try:
        arg.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _cleaned(error: Any) -> Any:
    # Typer quotes the words of the call, which may come from a stranger's file name.
    from tidings.core import clean

    for name, value in vars(error).items():
        if isinstance(value, str):
            setattr(error, name, "\n".join(clean(line) for line in value.split("\n")))
    return error


def _usage_errors() -> Any:
    # What typer raises for unknown verbs and options; newer versions of it carry click inside.
    import typer

    return next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def _say(message: str, code: int) -> int:
    from tidings.core import say

    say(message)
    return code
