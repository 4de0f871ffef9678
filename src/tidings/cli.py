"""The command line: the verbs that the wings offer, one program, and its exit codes."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from tidings.core import data_beside

if TYPE_CHECKING:
    import typer

PROGRAM = "tidings"

_LISTS = data_beside(__file__)
GROUPS: dict[str, dict[str, tuple[str, str]]] = _LISTS["groups"]
"""Group to words, word to its wing and its line, in the order of `tidings --help`."""

UNDER: dict[str, dict[str, tuple[str, str]]] = _LISTS["under"]
"""First words to second ones: verbs that stand under another, or under a word that is no verb itself."""

FAMILIES = {"assess", "store", "config", "judge"}
"""First words that are no verb themselves."""

VERBS = {
    verb: wing for verbs in GROUPS.values() for verb, (wing, _) in verbs.items() if verb not in FAMILIES
} | {f"{first} {second}": wing for first, verbs in UNDER.items() for second, (wing, _) in verbs.items()}
"""All verbs with their wings.

Each is a function, in a file of its name in the folder `verbs` of its wing.
"""

OLD_VERBS: dict[str, str] = _LISTS["old_verbs"]
"""What was called otherwise one version ago."""

OLD_OPTIONS: dict[tuple[str, str], str] = {
    (verb, old): new for verb, options in _LISTS["old_options"].items() for old, new in options.items()
}
"""Verbs and options that were spelled otherwise one version ago."""

_FILES = {
    "entities views": "entity_views",
    "explain --entity": "explain_entity",
    "systems attention": "attention",
}
_COMPLETING = "_TIDINGS_COMPLETE"
"""Set by the shell when it asks how a line may go on; the line itself is in one of the variables below."""
_LINES = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command line and leave the process with its exit code.

    0 for success, 2 for anything the user can mend (one message, no traceback), 130 after Ctrl-C, 141 where the reader
    of the output went away (`| head`) before all was written, as shells have it.
    """
    _steady_streams()
    code = with_room(lambda: run(sys.argv[1:] if args is None else args, alone=True))
    code = code or _rest_written()
    sys.stderr.flush()
    # Nothing is left to close, and taking a large heap apart object by object takes longer than some commands.
    os._exit(code)


_T = TypeVar("_T")
_ROOM = 33_000  # places of 8 bytes: more than fit 256 KiB, so that half of the next size is left


def with_room(call: Callable[[], _T]) -> _T:
    """What `call` returns, called where the frames of all that it calls stand in one block of memory.

    CPython keeps the frames of Python functions in blocks of 16 KiB. A call for which the last block has no room gets
    a new one from the system, which is given back on return: a loop at an unlucky depth pays for that in every round.
    The frame of this function needs a block of 512 KiB, of which it touches next to nothing and leaves the half free.
    """
    return call()


with_room.__code__ = with_room.__code__.replace(co_stacksize=_ROOM)


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
    # file that can only be read: no other file gets its number, and whoever writes there sees the failure.
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


def run(args: list[str], *, alone: bool = False) -> int:
    """Run one command and return its exit code; nothing a user can cause leaves as a traceback.

    The process does nothing else where it is `alone`: then no search for garbage looks at what was loaded.
    """
    try:
        return _run(args, alone)
    except KeyboardInterrupt:  # while loading
        return _say("interrupted", 130)
    except MemoryError:
        return _say("out of memory; provide more, or process less at once", 2)


def _run(args: list[str], alone: bool) -> int:
    collecting = gc.isenabled()
    gc.disable()  # loading makes much that lasts and hardly any garbage
    try:
        import typer

        from tidings.core import TidingsError

        args = join_words(args)
        app = make_app(args)
    finally:
        if alone:
            gc.freeze()
        if collecting:
            gc.enable()
    try:
        _refuse_empty(app, args)
        result = app(args, standalone_mode=False, prog_name=PROGRAM)
        sys.stdout.flush()
    except TidingsError as error:
        field = getattr(error, "field", "")
        return _say(f"--{field}: {error}" if field else str(error), error.exit_code)
    except typer.Exit as error:
        return int(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _say("interrupted", 130)
    except _usage_errors() as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # no verb: what there is, and nothing else
            typer.echo(error.format_message(), err=True)
            return int(error.exit_code)
        return _say(usage_words(error, next(iter(args), "")), int(error.exit_code))
    except (BrokenPipeError, SystemExit) as error:
        return _exit_code(error)
    except UnicodeEncodeError:
        odd = next((arg for arg in args if not _is_text(arg)), None)
        if odd is None:
            raise
        return _say(f"argument {odd!r}: bytes that are not UTF-8 (expected text)", 2)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _say(f"{where}{error.strerror or error}", 2)
    if result == 130:  # some versions of typer turn Ctrl-C into this
        return _say("interrupted", 130)
    return result if isinstance(result, int) else 0


_NAMING = {"--out", "--store", "--judgments", "--charts"}
"""Options that name a file, a folder or a database."""
_EMPTY_IS_SHIPPED = {"systems attention"}
"""Verbs whose first word may be empty: the model that comes with tidings."""


def _refuse_empty(app: typer.Typer, args: Sequence[str]) -> None:
    """Raise UsageError for an empty name of what is read or written, as an unset variable of a shell leaves it."""
    if not any(arg == "" or arg.endswith("=") for arg in args):
        return
    from typer.main import get_command

    from tidings.core import UsageError

    command = vars(get_command(app)).get("commands", {}).get(args[0])
    options = {opt: one for one in getattr(command, "params", ()) for opt in (*one.opts, *one.secondary_opts)}
    before = ""  # the option whose value comes next
    for place, arg in enumerate(args[1:], 1):
        if before:
            option, value, before = before, arg, ""
        elif arg == "--":
            option, value = "", "" if "" in args[place:] else arg  # all that follows are names
        elif arg.startswith("-") and len(arg) > 1:
            option, equals, value = arg.partition("=")
            known = options.get(option)
            if not equals:
                before = "" if known is None or getattr(known, "is_flag", False) else option
                continue
        else:
            option, value = "", arg
        known = options.get(option)
        shipped = place == 1 and args[0] in _EMPTY_IS_SHIPPED
        if value == "" and (
            (not option and not shipped) or (known is not None and _NAMING & set(known.opts))
        ):
            what = f"{option} with an empty name" if option else "an empty name"
            raise UsageError(f"{what} (expected one); is a variable of the shell unset?")
        if arg == "--":
            return


def _exit_code(error: BrokenPipeError | SystemExit) -> int:
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


def usage_words(error: Any, verb: str = "") -> str:
    """What is wrong with the words of a call of a verb, and how to mend it, in the words that all messages have."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else PROGRAM
    if context is None and verb in VERBS:
        path = f"{PROGRAM} {verb}"
    more = f"see {path} --help"
    path = path.removeprefix(PROGRAM).strip()
    path += ": " if path else ""
    kind = type(error).__name__
    param = getattr(error, "param", None)
    name = ""
    if param is not None:
        name = (
            max(param.opts, key=len) if param.param_type_name == "option" else (param.metavar or param.name)
        )
        name = name.removesuffix("...").upper() if param.param_type_name == "argument" else name
    message = str(error.message or "").rstrip(".")
    if kind == "NoSuchOption":
        close = getattr(error, "possibilities", None) or []
        mend = f"did you mean {' or '.join(sorted(close)[:3])}? " if close else ""
        return f"{path}there is no option {error.option_name}; {mend}{more}"
    if kind == "MissingParameter" and name:
        clause = (getattr(param, "help", None) or "").rstrip(".").partition(";")[0].partition(":")[0]
        wanted = f" ({clause[:1].lower()}{clause[1:]})" if 0 < len(clause) <= 60 else ""
        return f"{path}{name} is missing{wanted}; {more}"
    if kind == "BadOptionUsage":
        if error.option_name == "--entity":
            path, more = "explain: ", f"see {PROGRAM} explain --entity --help"
        if "requires an argument" in message:
            return f"{path}{error.option_name} without a value (expected one after it); {more}"
        if "does not take a value" in message:
            return f"{path}{error.option_name} takes no value (it is given alone); {more}"
    if message.startswith("No such command"):
        from difflib import get_close_matches

        word = message.partition("'")[2].partition("'")[0]
        known = [*(word for verbs in GROUPS.values() for word in verbs), *OLD_VERBS]
        if context is not None and context.info_name in UNDER:
            known = list(UNDER[context.info_name])
        close = get_close_matches(word, known, 1)
        return f"there is no verb {word!r}; " + (f"did you mean {close[0]}? " if close else "") + more
    if "unexpected extra argument" in message:
        extra = message.rpartition("(")[2].removesuffix(")")
        return f"{path}{extra!r} is more than is expected; {more}"
    return f"{path}{name + ': ' if name else ''}{_reword(message[:1].lower() + message[1:])}; {more}"


def _reword(message: str) -> str:
    """A message about a value in the words that all messages have.

    >>> _reword("'x' is not a valid integer range"), _reword("0 is not in the range x>=1")
    ("'x' (expected a whole number)", '0 (expected at least 1)')
    """
    value, mark, kind = message.partition(" is not a valid ")
    if mark and kind.startswith(("int", "float")):
        return f"{value} (expected {'a whole number' if kind.startswith('i') else 'a number'})"
    value, mark, span = message.partition(" is not in the range ")
    if not mark:
        return message
    words = span.replace("<=x<=", " to ").replace("x>=", "at least ").replace("x<=", "at most ")
    return f"{value} (expected {words})"


def _usage_errors() -> Any:
    # What typer raises for unknown verbs and options; newer versions of it carry click inside.
    import typer

    return next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def _say(message: str, code: int) -> int:
    from tidings.core import say

    say(message)
    return code


def make_app(args: Sequence[str] = ()) -> typer.Typer:
    """The program for these arguments: with the verb that is called, else knowing all its verbs by name."""
    import typer

    from tidings.core import Verb

    completing = _COMPLETING in os.environ
    first = _first_word(_completed_words() if completing else args)
    called = first if first in VERBS else None
    app = typer.Typer(
        name=PROGRAM,
        help="Follow events through streams of documents, and measure how well systems do so.",
        cls=_program(),
        subcommand_metavar="VERB …",
        no_args_is_help=True,
        # Options of the program alone: a verb starts quicker without.
        add_completion=completing or called is None,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    _register_version(app)
    if called is not None:
        app.command(called)(function_of(called))
        command = app.registered_commands[-1]
        command.cls, command.epilog = Verb, _below(called)
    if called is not None and not completing:
        return app  # the others are for help and for completion
    for verb in dict.fromkeys([*(verb for verbs in GROUPS.values() for verb in verbs), *VERBS]):
        if verb in VERBS and verb != first:
            app.command(verb, hidden=" " in verb)(_not_loaded)
    if first in FAMILIES:
        _register_family(app, first)
    else:
        for word in FAMILIES:
            app.command(word)(_not_loaded)
    return app


def _program() -> Any:
    from typer.core import TyperGroup

    class Program(TyperGroup):
        """The program, whose help lists its verbs by what they are for."""

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            width = max(len(verb) for verbs in GROUPS.values() for verb in verbs)
            for group, verbs in GROUPS.items():
                with formatter.section(group):
                    formatter.write_dl([(f"{verb:<{width}}", line) for verb, (_, line) in verbs.items()])
            formatter.write_paragraph()
            formatter.write_text(f"Run `{PROGRAM} VERB --help` for details.")

    return Program


def _below(verb: str) -> str | None:
    """What the help of a verb says of those that stand under it."""
    lines = [f"{PROGRAM} {verb} {second}\t{line}" for second, (_, line) in UNDER.get(verb, {}).items()]
    return "\n".join(lines) or None


def module_of(verb: str) -> str:
    """The module in which a verb stands.

    >>> module_of("follow"), module_of("assess serve")
    ('tidings.following.verbs.follow', 'tidings.annotation.verbs.assess_serve')
    """
    return f"tidings.{VERBS[verb]}.verbs.{_FILES.get(verb, verb.replace(' ', '_').replace('-', '_'))}"


def function_of(verb: str) -> Any:
    """What a verb does: the function that is called as its file is."""
    module = import_module(module_of(verb))
    return getattr(module, module.__name__.rpartition(".")[2])


def join_words(args: Sequence[str]) -> list[str]:
    """Arguments with a verb of two words made one, and old spellings in the words of today.

    >>> join_words(["entities", "views", "Obama"]), join_words(["entities", "news.jsonl"])
    (['entities views', 'Obama'], ['entities', 'news.jsonl'])
    >>> join_words(["explain", "news.jsonl", "--entity", "Obama"])
    ['explain --entity', 'news.jsonl', '--entity', 'Obama']
    """
    words = list(args)
    if words and words[0] in OLD_VERBS:
        now = OLD_VERBS[words[0]]
        _say(
            f"`{words[0]}` is called `{PROGRAM} {now}` now; the old name will be removed in the next version",
            0,
        )
        words[0] = now
    elif words[:1] == ["explain"] and any(arg == "--entity" or arg.startswith("--entity=") for arg in words):
        is_help = any(arg in ("-h", "--help", "--help-all") for arg in words)
        words = ["explain --entity", *(["--help"] if is_help else words[1:])]
    elif len(words) > 1 and " ".join(words[:2]) in VERBS:
        words[:2] = [" ".join(words[:2])]
    for place, arg in enumerate(words[1:], 1):
        if arg == "--":
            break
        option, equals, value = arg.partition("=")
        now = OLD_OPTIONS.get((words[0], option), "")
        if now:
            _say(f"{option} is called {now} now; the old name will be removed in the next version", 0)
            words[place] = now + equals + value
            if (words[0], option, [*words, ""][place + 1]) == ("timeline", "--html", "-"):  # a page, printed
                words[place : place + 2] = ["--format", "html"]
    return words


def _register_version(app: typer.Typer) -> None:
    import typer

    from tidings import __version__

    def print_version(wanted: bool) -> None:
        if wanted:
            typer.echo(f"{PROGRAM} {__version__}")
            raise typer.Exit

    @app.callback()
    def program(
        version: bool = typer.Option(
            False, "--version", help="Print the version and exit.", is_eager=True, callback=print_version
        ),
    ) -> None:
        pass


def _register_family(app: typer.Typer, first: str) -> None:
    """Let `tidings FIRST --help`, or FIRST alone, list the verbs that begin so."""
    import typer

    line = next(line for verbs in GROUPS.values() for word, (_, line) in verbs.items() if word == first)
    family = typer.Typer(help=line, no_args_is_help=True, rich_markup_mode=None)
    for second, (_, line) in UNDER[first].items():
        family.command(second, help=line)(_not_next_to_its_first)
    app.add_typer(family, name=first, hidden=True)


def _not_next_to_its_first() -> None:
    from tidings.core import UsageError

    raise UsageError("Write the two words of a verb side by side, such as `tidings assess serve`.")


def _not_loaded() -> None:
    raise AssertionError("only the verb that is called can run")


def _first_word(args: Sequence[str]) -> str:
    return next((arg for arg in args if not arg.startswith("-")), "")


def _completed_words() -> list[str]:
    return next((os.environ[name] for name in _LINES if name in os.environ), "").split()[1:]
