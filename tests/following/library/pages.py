"""Pages whose blocks of Python run, in order, and whose blocks of text are what they print."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any, NamedTuple

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """Code of a page, the line it begins at, and what the page says that it prints (None where it says nothing)."""

    line: int
    code: str
    printed: str | None


def blocks_of(page: Path, heading: str = "") -> list[Block]:
    """The blocks of a page, or of the part of it under one heading."""
    text = page.read_text(encoding="utf-8")
    if heading:
        begin = text.index(f"\n## {heading}\n") + 1
        end = text.find("\n## ", begin)
        text = "\n" * text[:begin].count("\n") + text[begin : end if end > 0 else None]
    found = [(match.start(), match.end(), match[1], match[2]) for match in _BLOCK.finditer(text)]
    blocks = []
    for number, (start, end, language, code) in enumerate(found):
        if language != "python":
            continue
        after = found[number + 1] if number + 1 < len(found) else None
        follows = after is not None and after[2] == "text" and not text[end : after[0]].strip()
        blocks.append(
            Block(text[:start].count("\n") + 2, code, after[3] if after is not None and follows else None)
        )
    return blocks


def run_blocks(page: Path, blocks: list[Block]) -> dict[str, Any]:
    """Run all blocks in one namespace; what they print must be what the page says."""
    scope: dict[str, Any] = {"__name__": "page"}
    for block in blocks:
        output = io.StringIO()
        code = compile("\n" * (block.line - 1) + block.code, str(page), "exec", dont_inherit=True)
        with contextlib.redirect_stdout(output):
            exec(code, scope)
        if block.printed is not None:
            assert output.getvalue().rstrip() == block.printed.rstrip(), f"{page.name}:{block.line}"
    return scope
