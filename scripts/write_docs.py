"""Write the pages that are generated from the code: `make docs`; with --check, only say whether they are up to date."""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import re
import sys
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

import msgspec

import tidings
from tidings.cli import run
from tidings.core.store import open_store
from tidings.following.entities.features.matrix import ENTITY_FEATURES
from tidings.following.entities.features.table import ENTITY_FEATURE_GROUPS, Feature
from tidings.live.store import LiveStore

DOCS = Path(__file__).parents[1] / "docs"
HEADS = Path(__file__).with_name("heads")
"""What stands at the head of each page."""

MEASURES = (HEADS / "measures.md").read_text(encoding="utf-8")


FEATURES_HEAD = (HEADS / "entity-features.md").read_text(encoding="utf-8")


ALIKE = re.compile(
    r"`(R[12L]-.*-[PRF]|c(nE\[G\]|n?E\[LG\]|L?C|H|E\[[VL]\])|EE0?\[(injuries|displaced|fin.*)\]|document-.*-answered|question-.*)`"
)
"""Measures that are described by another one, and by the last paragraph."""
FIRST_ROUGE = re.compile(r"`R1-.*-P`")
OTHERS = """\
Not listed, since they follow from others:

- ROUGE-2 and ROUGE-L (that of Lin 2004) are `R2-…` and `RL-…`. `-R` is recall: divided by the words of the
  references instead; `-F` is 2 P R / (P + R), of the means of P and R.
- `cnE[G]`, `cE[LG]`, `cnE[LG]`, `cC`, `cLC`, `cH`, `cE[V]` and `cE[L]` weigh by confidence as `cE[G]` does.
- `EE[injuries]`, `EE[displaced]`, `EE[financialimpact]` (money, as the targets count it) and their `EE0` are
  those of deaths.
- `document-RR-answered` and the like go only over units with an answer. `question-RR` and the like rank a
  day's questions, each worth its best document; the mean is over a topic's days, then over topics.
"""


def list_measures(printed: str) -> str:
    """Each measure in three short paragraphs; what is as in the one before is said once, and so is what is alike."""
    entries, before, meaning = [], dict[str, str](), [""]
    for entry in re.split(r"^### ", printed, flags=re.MULTILINE)[1:]:
        name, *paragraphs = entry.strip().split("\n\n")
        if ALIKE.match(name) and not FIRST_ROUGE.match(name):
            continue
        facts = dict(re.findall(r"^- \*\*(.+?):\*\* (.+)$", paragraphs.pop(), flags=re.MULTILINE))
        repeated = [
            fact for fact in ("source", "official scorers") if before.get(fact) == facts.get(fact, "")
        ]
        shown, before = facts | dict.fromkeys(repeated, "as above"), facts
        shown["range"] += "" if shown["range"].endswith(" is better") else ", neither is better"
        paragraphs, meaning = ["As above."] if paragraphs == meaning else paragraphs, paragraphs
        line = f"{facts.pop('formula')}: {facts.pop('unit')}, {shown['range'].removesuffix(', higher is better')}"
        line += "." if facts["silent run"] == "0" else f"; silent: {facts['silent run']}."
        line += f" *{shown['source']}*"
        others = [fact for fact in facts if fact not in ("range", "silent run", "source")]
        line += "".join(f". {fact.capitalize()}: {shown[fact]}" for fact in others)
        entries.append("\n\n".join((f"### {name}", *paragraphs, line)))
    return "\n\n".join((*entries, OTHERS))


def output_of(*arguments: str) -> str:
    """What a command of tidings prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        code = run(list(arguments))
    if code:
        raise SystemExit(code)
    return printed.getvalue()


API_HEAD = (HEADS / "library.md").read_text(encoding="utf-8")

GROUPS = {
    "Following": ("follow", "OutputStream", "Tracker", "stories", "StoryTracker"),
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

FORMS = ("Documents", "Events", "Runs", "JudgmentsSource", "Measures", "Time", "Duration")
"""The types that say what may be given, each described where it stands in a file of a wing's library."""

SECTIONS = ("Args", "Returns", "Raises", "Attributes")


def reference() -> str:
    """The whole page."""
    missing = set(tidings.__all__) - {"__version__"} - {name for names in GROUPS.values() for name in names}
    if missing:
        raise SystemExit(f"scripts/write_docs.py has no place for {', '.join(sorted(missing))}")
    parts = [API_HEAD.rstrip()]
    for title, names in GROUPS.items():
        parts.append(f"## {title}")
        parts += [_entry(name, getattr(tidings, name)) for name in names]
    parts.append("## Accepted forms\n\nThe names that the signatures above use for what they accept:")
    parts.append("\n".join(_forms()))
    return "\n\n".join(parts) + "\n"


def _forms() -> list[str]:
    said: dict[str, str] = {}
    for path in sorted(Path(tidings.__file__).parent.rglob("*.py")):
        if "library" not in path.as_posix():
            continue
        for node, after in pairwise(ast.parse(path.read_text(encoding="utf-8")).body):
            if (
                isinstance(node, ast.AnnAssign)
                and isinstance(node.target, ast.Name)
                and node.target.id in FORMS
            ):
                said[node.target.id] = ast.literal_eval(after.value) if isinstance(after, ast.Expr) else ""
    return [f"- `{name}`: {said[name][0].lower()}{said[name][1:]}" for name in FORMS]


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


LIVE_HEAD = (HEADS / "live-api.md").read_text(encoding="utf-8")

TITLES = {
    "reading": "Reading",
    "streams": "Streams, by address",
    "feeds": "Feeds, by address",
    "writing": "Writing",
}


def live_reference() -> str:
    """The whole page."""
    from tidings.live.pages.app import make_app

    with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/none.db") as store:
        described = make_app(LiveStore(store)).openapi()
    by_tag: dict[str, list[str]] = {}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            for tag in operation.get("tags", ["others"]):
                by_tag.setdefault(tag, []).append(_operation(method.upper(), path, operation))
    order = [*TITLES, *sorted(set(by_tag) - set(TITLES))]
    parts = [LIVE_HEAD.rstrip()]
    for tag in order:
        if tag in by_tag:
            parts += [f"## {TITLES.get(tag, tag.capitalize())}", *by_tag[tag]]
    return "\n\n".join(parts) + "\n"


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    parts = [f"### `{method} {path}`", operation.get("description", "").strip()]
    parameters = [one for one in operation.get("parameters", []) if one["in"] != "cookie"]
    if parameters:
        parts.append(_table(("parameter", "in", "", ""), [_parameter(one) for one in parameters]))
    for status, answer in operation["responses"].items():
        if status == "200":
            parts += _answer(answer)
    others = sorted(status for status in operation["responses"] if status != "200")
    if others:
        parts.append(f"Other statuses: {', '.join(others)}.")
    return "\n\n".join(part for part in parts if part)


def _parameter(one: dict[str, Any]) -> tuple[str, ...]:
    schema = one["schema"]
    default = schema.get("default")
    kind = _kind(schema) + (f", default {default}" if default is not None else "")
    return f"`{one['name']}`", one["in"], kind, one.get("description", "")


def _answer(answer: dict[str, Any]) -> list[str]:
    parts = []
    for kind, content in answer.get("content", {}).items():
        parts.append(f"Answers `{kind}`: {answer['description'][0].lower()}{answer['description'][1:]}")
        if "example" in content:
            parts.append(f"```\n{content['example'].rstrip()}\n```")
        schema = content.get("schema", {})
        properties = schema.get("properties", {})
        items = properties.get("items", {}).get("items", {})
        if items.get("properties"):
            has_cursor = "cursor" in properties
            form = '{"items": […], "cursor": N}' if has_cursor else '{"items": […]}'
            parts.append(f"`{form}`, each item:")
            parts.append(_table(("field", "", ""), _answer_fields(items)))
    return parts


def _answer_fields(schema: dict[str, Any]) -> list[tuple[str, ...]]:
    required = schema.get("required", [])
    return [
        (
            f"`{name}`" + ("" if name in required else " (or left out)"),
            _kind(field),
            field.get("description", ""),
        )
        for name, field in schema["properties"].items()
    ]


def _kind(schema: dict[str, Any]) -> str:
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"] if one.get("type") != "null")
    kind = schema.get("type", "")
    if kind == "array":
        return f"array of {_kind(schema.get('items', {})) or 'anything'}"
    if isinstance(kind, list):
        kind = " or ".join(kind)
    lowest, highest = schema.get("minimum"), schema.get("maximum")
    return kind + (f", {lowest} to {highest}" if lowest is not None and highest is not None else "")


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _describe_features(features: Sequence[Feature]) -> str:
    """The features as the rows of a table in Markdown, group after group."""
    origins = {"paper": "", "reconstructed": "reconstructed", "ours": ""}
    lines: list[str] = []
    for group, about in ENTITY_FEATURE_GROUPS.items():
        own = [feature for feature in features if feature.group == group]
        if own:
            lines += [f"## {group[0].upper()}{group[1:]}", "", f"{about}.", ""]
            lines += ["| feature | paper | side | of each | what it is | |", "|---|---|---|---|---|---|"]
            lines += [
                f"| `{one.name}` | {one.symbol} | {one.side} | {one.level} | {_cell(one.formula)} "
                f"| {origins[one.origin]} |"
                for one in own
            ]
            lines.append("")
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


def pages() -> dict[Path, str]:
    """Each generated page with its text."""
    return {
        DOCS / "evaluation" / "measures.md": MEASURES
        + list_measures(output_of("measures", "--format", "markdown")),
        DOCS / "api.md": reference(),
        DOCS / "live" / "api.md": live_reference(),
        DOCS / "appendix" / "entity-features.md": FEATURES_HEAD
        + _describe_features(ENTITY_FEATURES).rstrip()
        + "\n",
    }


def main() -> int:
    """Write or check."""
    stale = [path for path, text in pages().items() if not path.is_file() or path.read_text() != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(DOCS)} is not what the code would write: run `make docs`")
        return 1 if stale else 0
    for path in stale:
        path.write_text(pages()[path])
        print(f"wrote {path.relative_to(DOCS)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
