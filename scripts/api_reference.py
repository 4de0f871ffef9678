"""The page docs/api.md, from the docstrings of what `import tidings` offers."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from itertools import pairwise
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import msgspec

import tidings

HEAD = """\
# The library, name by name

What `import tidings` offers, written from the docstrings by `make docs`; edit the code, not the page. To begin with:
the [tutorial in Python](tutorial-python.md); a system of your own: [writing a system](writing-a-system.md).

Importing tidings does no work; each name is loaded when it is first asked for. Times are whole seconds UTC since 1970
and end in `_time` (an update's own is just `time`). Every error that a caller can mend is a `TidingsError`.

"""

GROUPS = {
    "Following": ("follow", "OutputStream", "Tracker"),
    "The story so far": ("digest", "Digest"),
    "Measuring": ("score", "Scores", "compare", "RunComparison"),
    "Reading": ("read_documents", "read_judgments", "read_run"),
    "Systems of one's own": ("register_system",),
    "Records": (
        "Document",
        "Event",
        "Sentence",
        "Update",
        "ValueUpdate",
        "EntityRanking",
        "Run",
        "Judgments",
    ),
    "Errors": ("TidingsError",),
}

FORMS = {
    "following.library.documents": ("Documents",),
    "following.library.events": ("Events",),
    "evaluation.library.runs": ("Runs",),
    "evaluation.library.scores": ("JudgmentsSource", "Measures"),
    "following.library.times": ("Time", "Duration"),
}
"""The files that say what may be given, and under which names."""

SECTIONS = ("Args", "Returns", "Raises", "Attributes")


def reference() -> str:
    """The whole page."""
    missing = set(tidings.__all__) - {"__version__"} - {name for names in GROUPS.values() for name in names}
    if missing:
        raise SystemExit(f"scripts/api_reference.py has no place for {', '.join(sorted(missing))}")
    parts = [HEAD.rstrip()]
    for title, names in GROUPS.items():
        parts.append(f"## {title}")
        parts += [_entry(name, getattr(tidings, name)) for name in names]
    parts.append("## Forms that are taken\n\nWhat the signatures above call by a name of its own:")
    parts.append("\n".join(_forms()))
    return "\n\n".join(parts) + "\n"


def _forms() -> list[str]:
    lines = []
    for module, names in FORMS.items():
        path = Path(str(importlib.import_module(f"tidings.{module}").__file__))
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for node, after in pairwise(body):
            if (
                isinstance(node, ast.AnnAssign)
                and isinstance(node.target, ast.Name)
                and node.target.id in names
            ):
                text = ast.literal_eval(after.value) if isinstance(after, ast.Expr) else ""
                lines.append(f"- `{node.target.id}`: {text[0].lower()}{text[1:]}")
    return lines


def _entry(name: str, thing: Any) -> str:
    lines = [f"### {name}"]
    if inspect.isclass(thing) and issubclass(thing, msgspec.Struct):
        lines += [f"`tidings.{name}`", _text(thing), _fields(thing)]
    elif inspect.isclass(thing):
        shown = _signature(name, thing.__init__) if name == "Tracker" else f"tidings.{name}"
        lines += [f"```python\n{shown}\n```", _text(thing)]
        for method, function in vars(thing).items():
            if inspect.isfunction(function) and not method.startswith("_"):
                lines += [
                    f"#### {name}.{method}",
                    f"```python\n{_signature(method, function, '')}\n```",
                    _text(function),
                ]
    else:
        lines += [f"```python\n{_signature(name, thing)}\n```", _text(thing)]
    return "\n\n".join(line for line in lines if line)


def _fields(kind: type[msgspec.Struct]) -> str:
    rows = ["| field | type | default |", "|---|---|---|"]
    notes: dict[str, Any] = {}
    for parent in reversed(kind.__mro__):
        notes |= inspect.get_annotations(parent)
    for field in msgspec.structs.fields(kind):
        needed = field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT
        default = (
            ""
            if needed
            else f"`{field.default_factory() if field.default is msgspec.NODEFAULT else field.default!r}`"
        )
        rows.append(
            f"| `{field.name}` | `{str(notes[field.name]).replace('|', chr(92) + '|')}` | {default} |"
        )
    return "\n".join(rows)


def _signature(name: str, function: Any, module: str = "tidings.") -> str:
    signature = inspect.signature(function)
    parts, keyword_only = [], False
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            parts.append("*")
        kind = f": {parameter.annotation}" if parameter.annotation is not parameter.empty else ""
        default = f" = {parameter.default!r}" if parameter.default is not parameter.empty else ""
        parts.append(f"{parameter.name}{kind}{default}")
    gives = signature.return_annotation
    arrow = f" -> {gives}" if gives not in (inspect.Signature.empty, "None", None) else ""
    line = f"{module}{name}({', '.join(parts)}){arrow}"
    if len(line) <= 100:
        return line
    return f"{module}{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){arrow}"


def _text(thing: Any) -> str:
    return "\n\n".join(_block(block) for block in _blocks(inspect.getdoc(thing) or ""))


def _blocks(doc: str) -> list[str]:
    """Paragraphs, sections and examples, each whole; examples that follow each other are one."""
    blocks: list[str] = []
    for part in re.split(r"\n\s*\n", doc.strip()):
        goes_on = part.startswith(" ") and blocks and blocks[-1].partition(":")[0] in SECTIONS
        if goes_on or (blocks and part.startswith(">>>") and blocks[-1].startswith(">>>")):
            blocks[-1] += f"\n\n{part}" if goes_on else f"\n{part}"
        else:
            blocks.append(part)
    return blocks


def _block(block: str) -> str:
    if block.startswith(">>>"):
        code = re.sub(r"  # doctest: .*$", "", block, flags=re.MULTILINE)
        return f"```pycon\n{code}\n```"
    title, _, rest = block.partition("\n")
    if title.rstrip(":") in SECTIONS and title.endswith(":"):
        return f"**{title.rstrip(':')}**\n\n{_items(dedent(rest))}"
    return block


def _items(text: str) -> str:
    """`name: what it is`, with its further lines under it."""
    items: list[str] = []
    for line in text.splitlines():
        if line.startswith(" ") and items:
            items[-1] += f" {line.strip()}"
        else:
            items.append(line.strip())
    if not all(re.match(r"[\w, ()]+: ", item) for item in items):
        return text.strip()
    named = (item.partition(": ") for item in items)
    return "\n".join(f"- {_code(names)}: {rest}" for names, _, rest in named)


def _code(names: str) -> str:
    return re.sub(r"\b(?!a\b|an\b|and\b)([A-Za-z_]\w*)\b", r"`\1`", names)


if __name__ == "__main__":
    print(indent(reference(), ""))
