"""How many small faults in a wing its own tests notice: python -m bench.mutation WING [--sample 40] [--seed 1].

A fault is one change of the code: a comparison or a `not` turned round, `and` for `or`, a number one greater, a truth
value or what is returned changed. Of all that a wing offers some are drawn. Each is put into a copy of the package, and
the examples in the file's docstrings and the wing's tests that ran the changed line, as a first run with coverage says,
are run on it, until one fails or the time is up. Printed are those that no test noticed; a line that no test runs is
such a one.
"""

from __future__ import annotations

import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench.frame import ROOT, parser as command_line

PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
TURNED = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
EXAMPLES = """
import doctest, importlib, sys
try:
    module = importlib.import_module(sys.argv[1])
except ModuleNotFoundError:  # an extra is not installed
    sys.exit(0)
sys.exit(doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE).failed > 0)
"""
MOST_OF_FILE = 60
"""Tests, spread over all that run a file, that try a fault in a line that runs when it is imported."""
MOST_TESTS = 300
"""Tests of one fault that are named one by one; of more, their files are run."""


@dataclass(frozen=True)
class Fault:
    """One change: in which file, at which of its nodes, in which line, and what it makes of what."""

    path: Path
    number: int
    line: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.before[:60]} -> {self.after[:60]}"


def changed(node: ast.AST) -> ast.AST | None:
    """The node with a fault; None where it has none to offer."""
    other = copy.deepcopy(node)
    match other:
        case ast.Compare(ops=[one]):
            other.ops = [TURNED[type(one)]()]
        case ast.UnaryOp(op=ast.Not()):
            return other.operand
        case ast.BoolOp():
            other.op = ast.Or() if isinstance(other.op, ast.And) else ast.And()
        case ast.Constant(value=bool()):
            other.value = not other.value
        case ast.Constant(value=int() | float()):
            other.value += 1
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            other.value = ast.Constant(None)
        case _:
            return None
    return other


def nodes(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """(parent, field, place in it) of every node but what stands in annotations, for types alone or in f-strings."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns") or isinstance(tree, ast.JoinedStr):
            continue
        if isinstance(tree, ast.If) and getattr(tree.test, "id", "") == "TYPE_CHECKING":
            continue
        for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST):
                yield tree, field, place
                yield from nodes(child)


def child_of(parent: ast.AST, field: str, place: int | None) -> ast.AST:
    """The node in this place."""
    value = getattr(parent, field)
    return value if place is None else value[place]


def faults_of(path: Path) -> Iterator[Fault]:
    """All faults that a file offers."""
    for number, where in enumerate(nodes(ast.parse(path.read_text(encoding="utf-8")))):
        node = child_of(*where)
        other = changed(node)
        if other is not None:
            yield Fault(path, number, node.lineno, ast.unparse(node), ast.unparse(other))


def with_fault(fault: Fault) -> str:
    """The source of the file with the fault."""
    tree = ast.parse(fault.path.read_text(encoding="utf-8"))
    for number, (parent, field, place) in enumerate(nodes(tree)):
        if number == fault.number:
            other = changed(child_of(parent, field, place))
            if place is None:
                setattr(parent, field, other)
            else:
                getattr(parent, field)[place] = other
            break
    return ast.unparse(ast.fix_missing_locations(tree))


def tests_by_line(wing: str, folder: Path) -> dict[Path, dict[int, list[str]]]:
    """By file and line the tests of a wing that run it, those left out that fail without any fault."""
    from coverage import CoverageData

    environment = {**os.environ, "COVERAGE_FILE": str(folder / "coverage")}
    options = (
        "-n",
        "2",
        f"--cov=tidings.{wing}",
        "--cov-context=test",
        "--cov-config=/dev/null",
        "--cov-report=",
    )
    done = subprocess.run(
        (*PYTEST, f"tests/{wing}", "-rf", *options),
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    failing = {line.split()[1] for line in done.stdout.splitlines() if line.startswith("FAILED")}
    data = CoverageData(str(folder / "coverage"))
    data.read()
    found: dict[Path, dict[int, list[str]]] = {}
    for file in data.measured_files():
        lines = {
            line: sorted({name.rpartition("|")[0] for name in names if name} - failing)
            for line, names in data.contexts_by_lineno(file).items()
        }
        # What runs when the file is imported (a table, a default) bears on any test that runs a line of the file.
        whole = sorted(set[str]().union(*lines.values()))
        some = whole[:: max(1, len(whole) // MOST_OF_FILE)]
        found[Path(file)] = {line: names or some for line, names in lines.items()}
    return found


def is_noticed(fault: Fault, tests: Sequence[str], package: Path, limit_s: float) -> bool:
    """Whether an example or one of these tests fails, or takes too long, with the fault in the copy of the package."""
    place = package / fault.path.relative_to(ROOT / "src")
    good = place.read_bytes()
    place.write_text(with_fault(fault), encoding="utf-8")
    files = sorted({test.partition("::")[0] for test in tests})
    module = ".".join(fault.path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
    try:
        if run((sys.executable, "-c", EXAMPLES, module), package, limit_s):
            return True
        if not tests:
            return False
        code = run_tests(tests if len(tests) <= MOST_TESTS else files, package, limit_s)
        if code == pytest.ExitCode.USAGE_ERROR:  # a test is not found by its name
            code = run_tests(files, package, limit_s)
    except subprocess.TimeoutExpired:
        return True
    finally:
        place.write_bytes(good)
    return code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def run_tests(asked: Sequence[str], package: Path, limit_s: float) -> int:
    """With what these tests, run on a copy of the package, end."""
    return run((*PYTEST, "-x", *asked), package, limit_s)


def run(command: Sequence[str], package: Path, limit_s: float) -> int:
    """With what a command, given a copy of the package, ends."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        timeout=limit_s,
        check=False,
    )
    return done.returncode


def main() -> int:
    """Draw, try, print."""
    parser = command_line(__doc__)
    wings = sorted(path.parent.name for path in (ROOT / "src/tidings").glob("*/__init__.py"))
    parser.add_argument("wing", choices=wings)
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60, help="seconds for the tests of one fault")
    parser.add_argument("--seconds", type=float, default=3600, help="begin no more faults after so long")
    asked = parser.parse_args()
    paths = sorted((ROOT / "src" / "tidings" / asked.wing).rglob("*.py"))
    every = [fault for path in paths for fault in faults_of(path)]
    drawn = random.Random(asked.seed).sample(every, min(asked.sample, len(every)))
    tried, survivors = 0, []
    with tempfile.TemporaryDirectory() as folder:
        tests = tests_by_line(asked.wing, Path(folder))
        package = Path(shutil.copytree(ROOT / "src", Path(folder) / "src"))
        began = time.monotonic()
        for fault in drawn:
            if time.monotonic() - began > asked.seconds:
                break
            own = tests.get(fault.path, {}).get(fault.line, [])
            noticed = is_noticed(fault, own, package, asked.limit)
            tried += 1
            if not noticed:
                survivors.append(f"{fault}" + ("" if own else " (no test runs it)"))
            print(f"{tried}/{len(drawn)} {'killed' if noticed else 'SURVIVED'} {fault}", file=sys.stderr)
    print(f"{asked.wing}: {tried - len(survivors)} of {tried} faults noticed (of {len(every):,} there are)")
    print("".join(f"  {line}\n" for line in survivors), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
