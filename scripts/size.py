"""The size of the house: files and lines of code by wing, what holds the wings together, and what is written about it.

    python scripts/size.py                     this checkout
    python scripts/size.py --tree PATH         another one, such as an older layout

Lines of code are those that hold code: no blank lines, comments or docstrings. A wing is a folder of src/tidings, a
room any package within one. An arrow is a pair of wings of which one imports the other, be it for types alone; a circle
is a group of wings, or of files when they run, that lead back to each other. What a face offers are the names imported
in its `__init__.pyi`, or those of `__all__` where it has no such file.
"""

from __future__ import annotations

import argparse
import ast
import io
import sys
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
Graph = dict[str, set[str]]


def code_lines(source: str) -> int:
    """How many lines hold code.

    >>> code_lines('"What it is."\\n\\n# why\\nx = 1  # one\\ny = (\\n    2,\\n)\\n')
    4
    """
    described: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            described |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in SILENT:
            lines |= set(range(token.start[0], token.end[0] + 1))
    return len(lines - described)


def python_files(folder: Path) -> list[Path]:
    """The Python files in a folder, at any depth."""
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


def count(paths: Iterable[Path]) -> tuple[int, int]:
    """(files, lines of code) of these."""
    lines = [code_lines(path.read_text(encoding="utf-8")) for path in paths]
    return len(lines), sum(lines)


def imports(node: ast.AST, for_types: bool = False) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The imports below a node, each with whether it is for types alone."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.Import | ast.ImportFrom):
            yield inner, for_types
        elif isinstance(inner, ast.If) and getattr(inner.test, "id", "") == "TYPE_CHECKING":
            yield from imports(ast.Module(body=inner.body, type_ignores=[]), True)
            yield from imports(ast.Module(body=inner.orelse, type_ignores=[]), for_types)
        elif not isinstance(inner, ast.expr):
            yield from imports(inner, for_types)


def face(wing: Path) -> dict[str, str]:
    """Each name on a wing's face, with the file in which it stands; "" where the face does not say."""
    stub, home = wing / "__init__.pyi", wing / "__init__.py"
    if stub.is_file():
        return {
            alias.asname or alias.name: node.module or ""
            for node in ast.parse(stub.read_text(encoding="utf-8")).body
            if isinstance(node, ast.ImportFrom) and node.level
            for alias in node.names
        }
    tree = ast.parse(home.read_text(encoding="utf-8")) if home.is_file() else ast.Module([], [])
    return {
        name.value: ""
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__"
        for name in ast.walk(node.value)
        if isinstance(name, ast.Constant) and isinstance(name.value, str)
    }


def graphs(package: Path, faces: Mapping[str, Mapping[str, str]]) -> tuple[Graph, Graph]:
    """What imports what: wings, and files when they run; what stands above the wings is no part of either."""
    module_of = {
        path: ".".join((package.name, *path.relative_to(package).with_suffix("").parts)).removesuffix(
            ".__init__"
        )
        for path in python_files(package)
    }
    modules = set(module_of.values())
    of_wings: Graph = {wing: set() for wing in faces}
    of_files: Graph = {module: set() for module in modules}
    for path, module in module_of.items():
        wing = module.split(".")[1] if "." in module else ""
        home = module if path.name == "__init__.py" else module.rpartition(".")[0]
        for statement, for_types in imports(ast.parse(path.read_text(encoding="utf-8"))):
            for used in _used(statement, home, faces):
                whole = used if used in modules else used.rpartition(".")[0]
                if whole not in modules:
                    continue
                other = whole.split(".")[1] if "." in whole else ""
                if wing in faces and other in faces and other != wing:
                    of_wings[wing].add(other)
                if not for_types and whole != module:
                    of_files[module].add(whole)
    return of_wings, of_files


def _used(
    statement: ast.Import | ast.ImportFrom, home: str, faces: Mapping[str, Mapping[str, str]]
) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
        return
    base = ".".join(home.split(".")[: len(home.split(".")) - statement.level + 1]) if statement.level else ""
    module = ".".join(part for part in (base, statement.module or "") if part)
    offered = faces.get(module.partition(".")[2], {})
    for alias in statement.names:
        where = offered.get(alias.name)
        yield f"{module}.{where}" if where else f"{module}.{alias.name}"


def circles(graph: Graph) -> list[set[str]]:
    """The groups of nodes that lead back to each other.

    >>> [sorted(group) for group in circles({"a": {"b"}, "b": {"c"}, "c": {"b"}})]
    [['b', 'c']]
    """
    reached: Graph = {}
    for start in graph:
        seen: set[str] = set()
        waiting = list(graph[start])
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting += graph[node]
        reached[start] = seen
    groups: list[set[str]] = []
    for node, seen in reached.items():
        if node in seen and not any(node in group for group in groups):
            groups.append({other for other in seen if node in reached[other]})
    return groups


def words(tree: Path) -> tuple[int, int]:
    """(pages, words) of the documentation."""
    pages = [path for path in (tree / "README.md", *sorted((tree / "docs").rglob("*.md"))) if path.is_file()]
    return len(pages), sum(len(path.read_text(encoding="utf-8").split()) for path in pages)


def report(tree: Path) -> str:
    """The whole table."""
    package = tree / "src" / "tidings"
    wings = sorted(
        {path.relative_to(package).parts[0] for path in python_files(package) if path.parent != package}
    )
    rows: list[tuple[str, int, int]] = [(wing, *count(python_files(package / wing))) for wing in wings]
    rows.append(("above the wings", *count(path for path in python_files(package) if path.parent == package)))
    totals = [(name, *count(python_files(tree / name))) for name in ("src", "tests", "scripts", "bench")]
    faces = {wing: face(package / wing) for wing in wings}
    of_wings, of_files = graphs(package, faces)
    rooms = sum(path.name == "__init__.py" for path in python_files(package)) - len(wings) - 1
    pages, written = words(tree)
    facts = [
        ("wings", len(wings)),
        ("rooms", rooms),
        ("arrows between wings", sum(map(len, of_wings.values()))),
        ("circles of wings", len(circles(of_wings))),
        ("circles of files", len(circles(of_files))),
        ("names on the wings' faces", sum(map(len, faces.values()))),
        ("names that `import tidings` offers", len(face(package))),
        ("pages of documentation", pages),
        ("words of documentation", written),
    ]
    lines = [f"{'':34} {'files':>8} {'lines':>8}"]
    lines += [f"{name:34} {files:8,} {code:8,}" for name, files, code in rows]
    lines += ["", *(f"{name:34} {files:8,} {code:8,}" for name, files, code in totals)]
    lines += ["", *(f"{name:34} {number:8,}" for name, number in facts)]
    return "\n".join(lines)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--tree", type=Path, default=Path(__file__).parents[1], help="the checkout to measure"
    )
    tree = parser.parse_args().tree
    if not (tree / "src" / "tidings").is_dir():
        print(f"{tree} is no checkout of tidings: it has no folder src/tidings", file=sys.stderr)
        return 2
    print(report(tree))
    return 0


if __name__ == "__main__":
    sys.exit(main())
