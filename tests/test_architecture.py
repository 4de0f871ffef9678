"""The house keeps its order: imports never go up, and nobody reaches for another file's private name."""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path

from tests.conftest import ROOT
from tests.sweeps import every

SRC = ROOT / "src" / "tidings"

MAY_USE = {
    "records": set(),
    "errors": set(),
    "columns": {"records"},
    "processes": {"errors"},
    "protocols": {"records"},
    "tasks": {"records"},
    "text": {"records", "errors"},
    "formats": {"records", "columns", "errors", "tasks", "text"},
    "sources": {"records", "errors", "processes", "text", "formats", "protocols", "stream"},
    "stream": {"records", "errors", "text", "protocols"},
    "models": {"records", "errors"},
    "articles": {"records", "errors", "text", "models"},
    "judges": {"records", "errors", "protocols"},
    "entities": {"records", "errors", "text", "models"},
    "values": {"records", "errors", "text", "models", "articles", "entities"},
    "systems": {
        "records",
        "errors",
        "text",
        "protocols",
        "models",
        "articles",
        "values",
        "entities",
        "judges",
    },
    "measures": {"records", "columns", "errors", "tasks"},
    "scoring": {"records", "columns", "errors", "tasks", "formats", "measures", "store"},
    "training": {
        "records",
        "judges",
        "tasks",
        "errors",
        "text",
        "protocols",
        "models",
        "articles",
        "entities",
        "formats",
        "stream",
        "systems",
        "measures",
        "judgments",
    },
    "experiments": {
        "entities",
        "records",
        "errors",
        "text",
        "protocols",
        "formats",
        "stream",
        "systems",
        "measures",
        "training",
    },
    "judgments": {"records", "errors", "text", "measures", "models", "protocols"},
    "store": {"records", "errors", "protocols"},
    "alarms": {"records", "errors", "formats", "text", "sources", "store", "report"},
    "hosting": {
        "alarms",
        "records",
        "errors",
        "processes",
        "text",
        "protocols",
        "entities",
        "formats",
        "sources",
        "stream",
        "systems",
        "store",
    },
    "engines": {
        "records",
        "errors",
        "text",
        "protocols",
        "formats",
        "sources",
        "stream",
        "systems",
        "store",
        "hosting",
    },
    "spark": {"engines"},
    "report": {"records", "errors", "formats", "judgments", "measures", "text", "entities"},
    "bundled": {"errors"},
    "desk": {
        "entities",
        "errors",
        "formats",
        "judgments",
        "measures",
        "records",
        "scoring",
        "store",
        "tasks",
        "text",
    },
    "web": {
        "alarms",
        "bundled",
        "desk",
        "entities",
        "errors",
        "formats",
        "hosting",
        "judgments",
        "measures",
        "records",
        "report",
        "scoring",
        "store",
        "text",
    },
    "api": {
        "records",
        "errors",
        "text",
        "protocols",
        "formats",
        "sources",
        "stream",
        "systems",
        "measures",
        "scoring",
        "store",
        "hosting",
        "report",
    },
}

FILES = sorted(
    path
    for path in SRC.rglob("*.py")
    if path.relative_to(SRC).parts[0] not in {"cli", "__init__.py", "__main__.py"}
)


every_room = every("path", FILES)
every_file = every("path", sorted(SRC.rglob("*.py")))


@cache
def parsed(path: Path) -> ast.Module:
    """A file as a tree; nobody may change it.

    Trees are never garbage, and there are a thousand of them: to look for any among them takes longer than to parse.
    """
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    finally:
        gc.enable()


def inner(statement: ast.AST) -> list[ast.AST]:
    """The statements and other blocks within a statement; expressions hold no imports, and there are many of them."""
    blocks = ("body", "orelse", "finalbody", "handlers", "cases")
    return [node for block in blocks for node in getattr(statement, block, ()) if isinstance(node, ast.AST)]


@cache
def import_statements(path: Path) -> list[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The imports of a file, at its top or anywhere in it; and whether each is for types alone."""
    statements = []
    waiting: list[tuple[ast.AST, bool]] = [(parsed(path), False)]
    while waiting:
        node, for_types = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            statements.append((node, for_types))
        checked = isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        alternative = node.orelse if checked else ()
        waiting += [(one, for_types or (checked and one not in alternative)) for one in inner(node)]
    return statements


SAMPLE = """
import a
if TYPE_CHECKING:
    from tidings import b
else:
    from tidings import c
try:
    import d
except ImportError:
    import e
class Class:
    def method(self):
        for each in ():
            with each:
                import f
        match self:
            case 1:
                import g
        while True:
            pass
        else:
            import h
"""


def room_of(name: str) -> str:
    return name.split(".")[1] if "." in name else ""


@cache
def imports(path) -> list[tuple[str, str]]:
    found = []
    for node, _ in import_statements(path):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "tidings":
            if node.module == "tidings":
                found += [
                    (f"tidings.{alias.name}", alias.name)
                    for alias in node.names
                    if alias.name != "__version__"
                ]
            else:
                found += [(node.module, alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names if alias.name.startswith("tidings")]
    return found


@every_room
def test_imports_never_go_up(path) -> None:
    room = path.relative_to(SRC).parts[0].removesuffix(".py")
    for module, _ in imports(path):
        used = room_of(module)
        assert used == room or used in MAY_USE[room], f"{room} may not use {module}"


def module_of(path) -> str:
    parts = path.relative_to(SRC.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def uses(path, modules: set[str]) -> set[str]:
    """The files that a file imports, when it is loaded or later, but not those it names for types alone."""
    used = set()
    for node, for_types in import_statements(path):
        if for_types:
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            files = [f"{node.module}.{alias.name}" for alias in node.names]
            used |= {file if file in modules else node.module for file in files}
        elif isinstance(node, ast.Import):
            used |= {alias.name for alias in node.names}
    return (used & modules) - {module_of(path)}


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Files of a graph of imports that lead back to the first of them; empty where there are none."""
    done: set[str] = set()
    for start, first in graph.items():
        way, choices = [start], [iter(sorted(first))]
        while way:
            following = next(choices[-1], None)
            if following is None:
                done.add(way.pop())
                choices.pop()
            elif following in way:
                return [*way[way.index(following) :], following]
            elif following not in done:
                way.append(following)
                choices.append(iter(sorted(graph[following])))
    return []


def test_a_circle_is_seen() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_imports_are_seen_wherever_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "file.py"
    path.write_text(SAMPLE, encoding="utf-8")
    statements = import_statements(path)
    assert {alias.name for node, _ in statements for alias in node.names} == set("abcdefgh")
    assert {alias.name for node, for_types in statements if for_types for alias in node.names} == {"b"}


def test_files_make_no_circle() -> None:
    paths = sorted(SRC.rglob("*.py"))
    modules = {module_of(path) for path in paths}
    graph = {module_of(path): uses(path, modules) for path in paths}
    assert sum(map(len, graph.values())) > 500, "imports are not seen any more"
    assert not circle(graph), "what both need belongs in a file of its own"


def test_nothing_outside_the_command_line_imports_it() -> None:
    for path in sorted(SRC.rglob("*.py")):
        if path.relative_to(SRC).parts[0] not in {"cli", "__main__.py"}:
            assert not [module for module, _ in imports(path) if room_of(module) == "cli"], path


@every_file
def test_no_file_imports_anothers_private_name(path) -> None:
    assert not [
        (module, name) for module, name in imports(path) if name.startswith("_") and name != "__version__"
    ]


@every_file
def test_files_stay_short(path) -> None:
    """At 400 lines there is a second noun in a file."""
    assert len(path.read_text().splitlines()) <= 400


def test_nothing_unpickles_or_runs_data() -> None:
    banned = {"pickle", "marshal", "shelve", "eval", "exec"}
    for path in SRC.rglob("*.py"):
        if not any(word in path.read_text(encoding="utf-8") for word in banned):
            continue
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Import):
                assert not banned & {alias.name for alias in node.names}, path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in banned, path


@every("home", sorted(SRC.rglob("__init__.py")))
def test_nothing_loaded_late_has_the_name_of_a_file(home) -> None:
    """Importing the file would put the module where `__getattr__` was to put what is asked for."""
    tree = parsed(home)
    if not any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body):
        return
    late = {
        alias.asname or alias.name
        for block in tree.body
        if isinstance(block, ast.If)
        for node in ast.walk(block)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert not late & {path.stem for path in home.parent.iterdir()}
