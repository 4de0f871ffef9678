"""The house keeps its order: imports never go up, and nobody reaches for another file's private name."""

from __future__ import annotations

import ast
import gc
import re
from functools import cache
from pathlib import Path

from tests.conftest import ROOT
from tests.sweeps import every

SRC = ROOT / "src" / "tidings"

WINGS = {
    "core": set(),
    "sources": {"core"},
    "analysis": {"core"},
    "following": {"core", "sources", "analysis"},
    "evaluation": {"core", "sources", "analysis", "following"},
    "web": {"core"},
    "annotation": {"core", "sources", "analysis", "following", "evaluation", "web"},
    "live": {"core", "sources", "analysis", "following", "evaluation", "web"},
    "research": {"core", "sources", "analysis", "following", "evaluation"},
}
"""Which wings each may use."""

GATHERING = {"__init__", "__main__", "cli", "spark"}
"""The files above the wings, which gather what these offer."""

FILES = sorted(
    path for path in SRC.rglob("*.py") if path.relative_to(SRC).parts[0].removesuffix(".py") not in GATHERING
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


def wing_of(path: Path) -> str:
    return path.relative_to(SRC).parts[0].removesuffix(".py")


def test_the_page_says_the_same() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    said = {wing.strip("`/"): set(used.split(", ")) - {"nothing"} for wing, _, used in rows}
    assert said == WINGS


def test_every_folder_is_a_wing() -> None:
    """And every file beside them gathers."""
    names = {path.name.removesuffix(".py") for path in SRC.iterdir() if path.suffix in {"", ".py"}}
    assert names - {"py.typed", "__pycache__"} == WINGS.keys() | GATHERING


@every_room
def test_imports_never_go_up(path) -> None:
    """Those for types alone are imports, too."""
    wing = wing_of(path)
    for module, name in imports(path):
        used = room_of(module)
        if (module, name) == ("tidings", "__version__"):
            continue
        assert used == wing or used in WINGS[wing], f"{path}: {wing} may not use {module}"


@every_file
def test_other_wings_are_used_through_their_faces(path) -> None:
    """`from tidings.core import Event`, never `from tidings.core.records import Event`."""
    wing = wing_of(path)
    for module, name in imports(path):
        used = room_of(module)
        if used in WINGS and used != wing:
            assert module.count(".") == 1, f"{path}: {name} of {module} is not on the face of {used}"


@every("wing", sorted(WINGS))
def test_a_face_offers_what_others_use_and_nothing_else(wing) -> None:
    stub = SRC / wing / "__init__.pyi"
    offered = {name for _, name in stub_imports(stub)} if stub.exists() else set()
    used = {
        name
        for path in sorted(SRC.rglob("*.py"))
        if wing_of(path) != wing
        for module, name in imports(path)
        if module == f"tidings.{wing}"
    }
    used |= {name for module, name in stub_imports(SRC / "__init__.pyi") if module == f".{wing}"}
    assert offered == used


@cache
def stub_imports(stub: Path) -> list[tuple[str, str]]:
    """Where a face has its names from: (file, name)."""
    return [
        ("." * node.level + (node.module or ""), alias.name)
        for node in ast.parse(stub.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]


@cache
def face_homes(wing: str) -> dict[str, str]:
    """The module in which each name of a wing's face stands."""
    stub = SRC / wing / "__init__.pyi"
    if not stub.exists():
        return {}
    return {name: f"tidings.{wing}{module if module != '.' else ''}" for module, name in stub_imports(stub)}


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
            homes = face_homes(node.module.removeprefix("tidings.")) if node.module.count(".") == 1 else {}
            files = [
                (f"{node.module}.{alias.name}", homes.get(alias.name, node.module)) for alias in node.names
            ]
            used |= {file if file in modules else home for file, home in files}
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
    """At 600 lines there is a second subject in a file."""
    assert len(path.read_text().splitlines()) <= 600


ROWS = {"ScoreRow", "DifferenceRow", "Metric", "Order"}
"""Named tuples: what the library gives to be unpacked, what ir_measures calls so, and what is sorted by."""


@every_file
def test_records_have_two_styles(path) -> None:
    """Structs and dataclasses; pydantic at the edge of the JSON API, and dicts only of the names of options."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ClassDef):
            bases = {ast.unparse(base) for base in node.bases}
            assert "NamedTuple" not in bases or node.name in ROWS, node.name
            assert "TypedDict" not in bases or node.name.endswith("Options"), node.name
            assert "BaseModel" not in bases or "pages" in path.parts, node.name


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


@every("path", sorted([*(ROOT / "bench").glob("*.py"), *(ROOT / "scripts").glob("*.py")]))
def test_measurements_and_scripts_import_what_there_is(path) -> None:
    for node in ast.walk(parsed(path)):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("tidings."):
            continue
        file = SRC.parent.joinpath(*node.module.split(".")).with_suffix(".py")
        if not file.exists():
            file = file.with_suffix("") / "__init__.pyi"
            file = file if file.exists() else file.with_suffix(".py")
        assert file.exists(), f"{node.module} (line {node.lineno})"
        words = set(re.findall(r"\w+", file.read_text(encoding="utf-8")))
        parts = {part.stem for part in file.parent.iterdir()} if file.stem == "__init__" else set()
        missing = {alias.name for alias in node.names} - words - parts
        assert not missing, f"{node.module} has no {', '.join(missing)} (line {node.lineno})"
