"""The shell around the verbs: help by groups, completion, exit codes, odd bytes, narrow terminals."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from typer import Context
from typer.main import get_command

from tests.conftest import ROOT
from tests.sweeps import cases, every
from tidings.cli import (
    FAMILIES,
    GROUPS,
    OLD_OPTIONS,
    OLD_VERBS,
    UNDER,
    VERBS,
    join_words,
    make_app,
    module_of,
    run,
    with_room,
)


def call(*arguments: str | bytes, shell: str = "", **variables: str) -> subprocess.CompletedProcess[bytes]:
    """The program in a process of its own, with these variables set; `shell` may pipe its streams."""
    command: list[str | bytes] = [sys.executable, "-m", "tidings", *arguments]
    if shell:
        command = ["bash", "-c", f'"$@" {shell}', "bash", *command]
    kept = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
    return subprocess.run(command, capture_output=True, check=False, env={**kept, **variables})


@pytest.fixture
def run_file(tmp_path: Path) -> Path:
    path = tmp_path / "run.jsonl"
    update = {"event": "santiago-2013", "doc": "1374691950-canal", "sentence": 0, "time": 1374691950}
    path.write_text(json.dumps({**update, "text": "A train derails.", "team": "t", "run": "r"}) + "\n")
    return path


WRONG_CALLS = cases(__file__, "wrong calls")


class TestWrongCalls:
    """One line each: what is wrong, and how to mend it."""

    @every("call", list(WRONG_CALLS))
    def test_is_told_in_a_line(
        self, call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "run.jsonl").write_text("")
        assert run(call.split()) == 2
        assert capsys.readouterr().err == f"tidings: {WRONG_CALLS[call]}\n"

    def test_old_words_say_the_new_ones(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert set(OLD_VERBS.values()) <= set(VERBS)
        for (verb, old), new in OLD_OPTIONS.items():
            assert join_words([verb, f"{old}=x"]) == [verb, f"{new}=x"]
            assert f"{old} is called {new} now" in capsys.readouterr().err
            (command,) = (one for one in make_app([verb]).registered_commands if one.name == verb and one.cls)
            from typer.main import get_command_from_info

            taken = get_command_from_info(command, pretty_exceptions_short=True, rich_markup_mode=None).params
            assert any(new in option.opts for option in taken)
        assert join_words(["timeline", "--html", "-"]) == ["timeline", "--format", "html"]


class TestFlags:
    """A letter means one thing, whatever the verb."""

    def test_each_letter_has_one_name_and_these_names_have_it_everywhere(self) -> None:
        names: dict[str, set[str]] = {}
        for verb in VERBS:
            command = vars(get_command(make_app([verb])))["commands"][verb]
            for param in command.get_params(Context(command)):
                name = next((word for word in param.opts if word.startswith("--")), "").removesuffix("s")
                for letter in (word for word in param.opts if word[1:].isalpha() and len(word) == 2):
                    names.setdefault(letter, set()).add(name)
                if name in {"--out", "--format", "--judgment", "--quiet", "--verbose"}:
                    assert f"-{name[2]}" in param.opts, (verb, name)
        assert {letter: len(used) for letter, used in names.items() if len(used) != 1} == {}
        assert names["-v"] == {"--verbose"} and names["-q"] == {"--quiet"}

    def test_verbose_says_which_options_hold_and_what_it_took(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "tidings.toml").write_text('query = "ferry"\n')
        (tmp_path / "a.jsonl").write_text('{"id": "a", "published_time": 0, "text": "A ferry burns."}\n')
        assert run(["follow", "a.jsonl", "--system", "first", "--out", "run.jsonl", "-v"]) == 0
        *said, took = capsys.readouterr().err.splitlines()
        assert "--system first  (as given)" in said and "SOURCE a.jsonl  (as given)" in said
        assert "--query ferry  (from tidings.toml)" in said and "--pool sampled  (the default)" in said
        assert "s of processor time" in took and "MiB of memory" in took


def test_scoring_a_file_loads_no_database(run_file: Path) -> None:
    code = (
        "import sys; from tidings.cli import run; from tidings.sources import bundled; "
        f"code = run(['score', {str(run_file)!r}, '--judgments', str(bundled.path())]); "
        "sys.exit(code or 'sqlalchemy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


def test_following_loads_neither_names_nor_grouping(tmp_path: Path) -> None:
    code = (
        "import sys; from tidings.cli import run; from tidings.sources import bundled; "
        f"code = run(['follow', str(bundled.path()), '--out', {str(tmp_path / 'out.jsonl')!r}]); unused = "
        "('analysis.names.recogniser', 'following.grouping.profiles'); "
        "sys.exit(code or any('tidings.' + name in sys.modules for name in unused))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


class TestHelp:
    """Verbs by what a person wants."""

    def test_lists_every_verb_in_its_group(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["--help"]) == 0
        shown = capsys.readouterr().out
        places = [shown.index(f"\n{group}:\n") for group in GROUPS]
        assert places == sorted(places)
        for place, end, verbs in zip(places, [*places[1:], len(shown)], GROUPS.values(), strict=True):
            words = [line.split()[0] for line in shown[place:end].splitlines() if line.startswith("  ")]
            assert words == list(verbs)

    def test_meets_a_newcomer_with_ten_verbs(self) -> None:
        *first, rest = GROUPS
        assert first == ["Follow", "Measure", "Judge"] and sum(len(GROUPS[group]) for group in first) <= 10
        assert rest == "More"

    @every("first", ["", *sorted(FAMILIES)])
    def test_a_word_alone_shows_what_there_is(self, first: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert run([first] if first else []) == 2
        shown = capsys.readouterr().err
        assert shown.startswith(f"Usage: tidings {first}".rstrip()) and "see tidings" not in shown
        assert all(word in shown for word in (UNDER[first] if first else GROUPS["Follow"]))

    def test_knows_every_file_that_is_a_verb(self) -> None:
        folders = (ROOT / "src" / "tidings").glob("*/verbs/*.py")
        files = {
            ".".join(path.with_suffix("").parts[-4:])
            for path in folders
            if f"\ndef {path.stem}(" in (text := path.read_text())
            and ("typer" in text or "@described" in text or "@takes_options" in text)
        }
        assert files == set(map(module_of, VERBS))

    def test_lines_fit_a_terminal_of_80_columns(self) -> None:
        assert all(
            len(line) <= 62 and line.endswith(".")
            for verbs in (*GROUPS.values(), *UNDER.values())
            for _, line in verbs.values()
        )

    @every("verb", VERBS)
    def test_of_a_verb_is_its_own(self, verb: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert run([verb, "--help"]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert f"tidings {verb} " in shown
        module = module_of(verb)
        command = getattr(import_module(module), module.rpartition(".")[2])
        assert " ".join(command.__doc__.split()[:4]) in shown

    def test_loads_no_verb(self) -> None:
        code = (
            "import sys; from tidings.cli import run; run(sys.argv[1:]); "
            "print(sorted(name for name in sys.modules if name.startswith('tidings.')))"
        )
        for arguments in (["--help"], ["--version"], ["follow", "--help"]):
            done = subprocess.run(
                [sys.executable, "-c", code, *arguments], capture_output=True, check=True, text=True
            )
            loaded = done.stdout.splitlines()[-1]
            assert "tidings.evaluation.verbs.score" not in loaded
            assert "tidings.evaluation.measures" not in loaded
            assert ("tidings.following.verbs.follow'" in loaded) == (arguments[0] == "follow")


class TestFamilies:
    """The first word of verbs of two words, alone."""

    @every("first", sorted({verb.split()[0] for verb in VERBS if " " in verb} - set(VERBS)))
    def test_help_lists_the_verbs_that_begin_so(self, first: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert run([first, "--help"]) == 0
        shown = capsys.readouterr().out
        assert all(verb.split()[1] in shown for verb in VERBS if verb.startswith(f"{first} "))

    def test_a_word_that_is_none_is_refused(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["assess", "sleep"]) == 2 and "sleep" in capsys.readouterr().err
        assert run(["assess", "--", "serve"]) == 2 and "tidings assess serve" in capsys.readouterr().err


class TestCompletion:
    """What the shell asks while a line is typed."""

    def test_knows_all_verbs(self) -> None:
        done = call(_TIDINGS_COMPLETE="complete_bash", COMP_WORDS="tidings ", COMP_CWORD="1")
        assert (done.returncode, set(done.stdout.decode().split())) == (
            0,
            {verb for verb in VERBS if " " not in verb} | set(FAMILIES),
        )

    def test_completes_the_beginning_of_a_verb(self) -> None:
        done = call(_TIDINGS_COMPLETE="complete_bash", COMP_WORDS="tidings e", COMP_CWORD="1")
        assert set(done.stdout.decode().split()) == {
            "entities",
            "explain",
            "experiment",
        }

    @every("verb", [verb for verb in VERBS if " " not in verb])
    def test_knows_the_options_of_every_verb(
        self, verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("_TIDINGS_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", f"tidings {verb} --")
        monkeypatch.setenv("COMP_CWORD", "2")
        assert run([]) == 0
        assert "--help" in capsys.readouterr().out.split()

    def test_works_in_zsh_and_fish(self) -> None:
        zsh = call(_TIDINGS_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS="tidings timeline --ou")
        assert b"--out" in zsh.stdout
        fish = call(
            _TIDINGS_COMPLETE="complete_fish",
            _TYPER_COMPLETE_ARGS="tidings timeline --ou",
            _TYPER_COMPLETE_FISH_ACTION="get-args",
        )
        assert b"--out" in fish.stdout

    def test_is_installed_by_an_option_of_the_program(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["--help"]) == 0
        assert "--install-completion" in capsys.readouterr().out


class TestExitCodes:
    """They are the command's own, whoever listens."""

    def test_stay_when_the_reader_of_standard_error_leaves(self) -> None:
        pipe = "2> >(exec head -c 1 >/dev/null) >/dev/null"
        assert call("timeline", "no-such-file", shell=pipe).returncode == 2

    def test_stay_when_standard_error_is_a_pipe_that_closed_before(self, run_file: Path) -> None:
        reading, writing = os.pipe()
        os.close(reading)
        codes = [
            subprocess.run(
                [sys.executable, "-m", "tidings", *arguments],
                stdout=subprocess.DEVNULL,
                stderr=writing,
                check=False,
            ).returncode
            for arguments in (
                ["timeline", str(run_file)],
                ["timeline", "no-such-file"],
                ["timeline", str(run_file), "--no-such-option"],
                ["no-such-verb"],
            )
        ]
        os.close(writing)
        assert codes == [0, 2, 2, 2]

    def test_are_those_of_a_broken_pipe_when_nobody_reads_the_output(self, run_file: Path) -> None:
        done = call("timeline", str(run_file), shell="| true; exit ${PIPESTATUS[0]}")
        assert (done.returncode, done.stderr) == (141, b"")


ODD = (
    b"\xff",
    b"caf\xe9.run",
    b"--\xff",
    b"\x1b]0;owned\x07",
    "\u202egpj".encode(),
    b"a\nb",
    b"-" * 3000,
    b"x" * 5000,
)


class TestOddArguments:
    """Answered in words, with nothing in them that steers a terminal."""

    @staticmethod
    def said(arguments: list[str | bytes], capsys: pytest.CaptureFixture[str]) -> str:
        """What standard error says of a call that must be refused; odd bytes come as Python gives them."""
        texts = [one if isinstance(one, str) else one.decode("utf-8", "surrogateescape") for one in arguments]
        assert run(texts) == 2, arguments
        shown = capsys.readouterr()
        assert not {"\x1b", "\u202e", "\x07"} & set(shown.out + shown.err)
        shown.err.encode("utf-8")
        return shown.err

    @pytest.mark.parametrize("odd", ODD, ids=[ascii(one[:8]) for one in ODD])
    @pytest.mark.parametrize("verb", ["", "timeline", "measures", "systems", "score", "follow"])
    def test_as_a_verb_or_its_first_word(
        self, verb: str, odd: bytes, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.said([verb, odd] if verb else [odd], capsys)

    def test_as_values_of_options(self, run_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for option in ("--event", "--run", "--zone", "--stream", "-j", "--width"):
            self.said(["timeline", str(run_file), option, b"\xff\x1b]0;x"], capsys)

    def test_in_a_query(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        documents = tmp_path / "documents.jsonl"
        documents.write_text(json.dumps({"id": "a", "published_time": 1, "text": "A fire."}) + "\n")
        out = str(tmp_path / "out.jsonl")
        for query in (b"\xff", b"fire \xed\xa0\x80"):
            self.said(["follow", str(documents), "--query", query, "--out", out], capsys)

    def test_in_a_process(self, run_file: Path) -> None:
        done = call("timeline", str(run_file), b"--event", b"\xff\x1b]0;x")
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr
        assert b"\x1b" not in done.stderr


class TestWidths:
    """Tables and explanations keep to the terminal."""

    @pytest.mark.parametrize("columns", [40, 50, 60, 80])
    @pytest.mark.parametrize("arguments", [["measures"], ["measures", "H"], ["systems"], ["systems", "hres"]])
    def test_no_line_is_longer(
        self,
        arguments: list[str],
        columns: int,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setenv("COLUMNS", str(columns))
        assert run(arguments) == 0
        assert max(map(len, capsys.readouterr().out.splitlines())) <= columns

    @every("arguments", [["measures"], ["measures", "H"], ["systems"], ["systems", "hres"]])
    def test_no_word_is_lost(
        self, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = []
        for columns in ("400", "48"):
            monkeypatch.setenv("COLUMNS", columns)
            assert run(arguments) == 0
            shown = capsys.readouterr().out
            words.append({word.strip(":,;()[]") for word in shown.split() if not word.startswith("--")})
        missing = words[0] - words[1]
        assert not {word for word in missing if len(word) < 20}

    def test_is_that_of_no_terminal_where_there_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from tidings.core.command_line.output import terminal_width

        for value, expected in (("", None), ("0", None), ("wide", None), ("72", 72)):
            monkeypatch.setenv("COLUMNS", value)
            assert terminal_width() == expected


class TestRoom:
    def test_no_depth_of_calls_is_slow(self) -> None:
        """Each block of frames that the system is asked for anew is a page fault."""

        def nothing() -> None:
            pass

        def faults_at(depth: int) -> int:
            if depth:
                return faults_at(depth - 1)
            before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
            for _ in range(500):
                nothing()
            return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

        assert max(with_room(lambda: [faults_at(depth) for depth in range(300)])) < 250
