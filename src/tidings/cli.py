"""The command line: the verbs that the wings offer, one program, and its exit codes."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    import typer

PROGRAM = "tidings"

# Their lines stand here, so that help and completion know every verb while only the one that is called is loaded.
GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Follow and read": {
        "demo": ("evaluation", "Follow the bundled event and see how it scores."),
        "read": ("following", "What is understood of feeds, pages, tables, archives."),
        "follow": ("following", "Follow events through streams; write the updates."),
        "stories": ("evaluation", "Which stories run in feeds and streams, and who reports them."),
        "digest": ("evaluation", "Tell an event by days: the story so far, with sources."),
        "values": ("following", "Track the dead, injured, missing, … through streams."),
        "entities": ("following", "Rank who and where matters on each day, through streams."),
        "entities views": ("following", "How often entities' pages were read each day."),
        "timeline": ("evaluation", "Show one event as a run tells it, here or on a page."),
        "tag": ("following", "Find the persons, organizations and places in text."),
        "serve": ("live", "Follow for ever; serve pages that update themselves."),
        "serve demo": ("live", "Watch a week of 2013 pass on live pages, offline."),
        "systems": ("following", "Which systems decide, and their options."),
        "convert": ("evaluation", "Turn one format into another."),
    },
    "Measure and compare": {
        "score": ("evaluation", "Score runs against judgments, as the official scorers do."),
        "compare": ("evaluation", "Compare runs topic by topic, with tests and intervals."),
        "explain": ("evaluation", "Which nuggets were told, how late, and what was earned."),
        "explain-entity": ("following", "Why an entity stands where it does on a day."),
        "agreement": ("evaluation", "How far judges agree on what sentences tell."),
        "study": ("annotation", "Nuggets against clusters: which judgments, who wins by which."),
        "reuse": ("evaluation", "How far judgments serve runs that came after them."),
        "measures": ("evaluation", "What can be measured, and what each measure means."),
    },
    "Judge": {
        "pool": ("evaluation", "Choose the updates of runs that people should judge."),
        "match": ("evaluation", "Say which updates may say which nuggets, unjudged."),
        "cluster": ("evaluation", "Group the updates that say the same, unjudged."),
        "assess serve": ("annotation", "Serve the assessors' desk: judge in a browser."),
        "assess import": ("annotation", "Bring topics, pools and judgments to the desk."),
        "assess export": ("annotation", "Write a project's judgments as TREC files."),
        "assess projects": ("annotation", "List projects, make one, change its settings."),
        "assess progress": ("annotation", "How far a project is, how long it took, runs' scores."),
        "assess demo": ("annotation", "Open the desk with the bundled event, half judged."),
        "assess users": ("annotation", "List accounts, make one, give it a role."),
        "assess agreement": ("annotation", "How far the judges of a project agree, by task."),
        "assess simulate": ("evaluation", "How soon another order of judging finds the matches."),
    },
    "Keep": {
        "store backup": ("live", "Copy a store to a file while it is used."),
        "store restore": ("live", "Put such a copy back."),
        "store prune": ("live", "Remove old documents and delivered alarms."),
        "store marks": ("live", "Write readers' marks as judgments to learn from."),
    },
    "Learn": {
        "train": ("research", "Train a system on judged events; write its model."),
        "experiment": ("research", "Train and test systems as a plan says."),
        "attention": ("research", "Which words of a sentence the system hres looks at."),
    },
}
"""Group to verbs, verb to its wing and its line, in the order of `tidings --help`.

Each verb is a file with a `register(app)` in the folder `verbs` of its wing.
"""

VERBS = {verb: wing for verbs in GROUPS.values() for verb, (wing, _) in verbs.items()}
"""All verbs with their wings."""

FAMILIES = {"assess": "The assessors' desk.", "store": "What a store keeps."}
"""First words that are no verb themselves, with a line for each."""

_FILES = {"entities views": "entity_views"}
_COMPLETING = "_TIDINGS_COMPLETE"
"""Set by the shell when it asks how a line may go on; the line itself is in one of the variables below."""
_LINES = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")


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
    try:
        return _run(args)
    except KeyboardInterrupt:  # while loading
        return _say("interrupted", 130)
    except MemoryError:
        return _say("the memory does not suffice; give it more, or less to do at once", 2)


def _run(args: list[str]) -> int:
    collecting = gc.isenabled()
    gc.disable()  # loading makes much that lasts and hardly any garbage
    try:
        import typer

        from tidings.core import TidingsError

        args = join_words(args)
        app = make_app(args)
    finally:
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
        _cleaned(error).show()
        return int(error.exit_code)
    except (BrokenPipeError, SystemExit) as error:
        return _left(error)
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


_NAMING = {"--out", "--store", "--judgments", "--html", "--svg", "--charts"}
"""Options that name a file, a folder or a database."""


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
        if value == "" and (not option or (known is not None and _NAMING & set(known.opts))):
            what = f"{option} with an empty name" if option else "an empty name"
            raise UsageError(f"{what} (expected one); is a variable of the shell unset?")
        if arg == "--":
            return


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


def make_app(args: Sequence[str] = ()) -> typer.Typer:
    """The program for these arguments: it knows all its verbs, and holds the one that is called."""
    import typer

    completing = _COMPLETING in os.environ
    first = _first_word(_completed_words() if completing else args)
    called = first if first in VERBS else None
    app = typer.Typer(
        name=PROGRAM,
        help="Follow events through streams of documents, and measure how well it is done.",
        no_args_is_help=True,
        # Options of the program alone: a verb starts quicker without.
        add_completion=completing or called is None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    _register_version(app)
    for group, verbs in GROUPS.items():
        for verb, (_, line) in verbs.items():
            if verb == called:
                import_module(module_of(verb)).register(app)
            else:
                # Shells complete word by word: verbs of two words are hidden from them.
                hidden = completing and " " in verb
                app.command(verb, help=line, rich_help_panel=group, hidden=hidden)(_not_loaded)
    if called is None and first in FAMILIES:
        _register_family(app, first)
    return app


def module_of(verb: str) -> str:
    """The module in which a verb stands.

    >>> module_of("follow"), module_of("assess serve")
    ('tidings.following.verbs.follow', 'tidings.annotation.verbs.assess_serve')
    """
    return f"tidings.{VERBS[verb]}.verbs.{_FILES.get(verb, verb.replace(' ', '_').replace('-', '_'))}"


def join_words(args: Sequence[str]) -> list[str]:
    """Arguments with a verb of two words made one.

    >>> join_words(["entities", "views", "Obama"]), join_words(["entities", "news.jsonl"])
    (['entities views', 'Obama'], ['entities', 'news.jsonl'])
    """
    words = " ".join(args[:2])
    return [words, *args[2:]] if len(args) > 1 and words in VERBS else list(args)


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
            False, "--version", help="Print the version and leave.", is_eager=True, callback=print_version
        ),
    ) -> None:
        pass


def _register_family(app: typer.Typer, first: str) -> None:
    """Let `tidings FIRST --help`, or FIRST alone, list the verbs that begin so."""
    import typer

    family = typer.Typer(help=FAMILIES[first], no_args_is_help=True)
    for verbs in GROUPS.values():
        for verb, (_, line) in verbs.items():
            if verb.startswith(f"{first} "):
                family.command(verb.removeprefix(f"{first} "), help=line)(_not_next_to_its_first)
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
