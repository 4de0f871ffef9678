"""The examples of docs/core/formats.md are what they say: each block is read by the reader of its kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tidings.evaluation.convert import KINDS
from tidings.evaluation.formats.registry import FORMATS
from tidings.following.outputs.outputs import read_updates
from tidings.following.outputs.trec_runs import read_run
from tidings.sources.own.documents import read_documents
from tidings.sources.own.events import read_event_file
from tidings.sources.trec.judgments import read_duplicates, read_matches, read_nuggets, read_pool
from tidings.sources.trec.topics import read_topics

PAGE = (ROOT / "docs" / "core" / "formats.md").read_text(encoding="utf-8")
READERS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "run": ("a.run", read_run),
    "updates": ("a.jsonl", read_updates),
    "documents": ("a.jsonl", read_documents),
    "pool": ("a.tsv", read_pool),
    "nuggets": ("a.tsv", read_nuggets),
    "matches": ("a.tsv", read_matches),
    "duplicates": ("a.tsv", read_duplicates),
    "topics": ("a.xml", read_topics),
    "events": ("a.json", read_event_file),
}
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_every_reader_has_an_example() -> None:
    assert sorted(kind for kind, _ in BLOCKS) == sorted(READERS)


@pytest.mark.parametrize(("kind", "block"), BLOCKS, ids=[kind for kind, _ in BLOCKS])
def test_each_example_is_read(tmp_path: Path, kind: str, block: str) -> None:
    name, read = READERS[kind]
    (tmp_path / name).write_text(block, encoding="utf-8")
    assert list(read(tmp_path / name))


def plain(cell: str) -> str:
    return re.sub(r"\[(.+?)\]\(.+?\)", r"\1", cell).replace("`", "").strip()


def test_the_tables_of_formats_are_the_list_of_formats() -> None:
    tables = PAGE[: PAGE.index("\n## ")]
    rows = [
        tuple(map(plain, line.strip("|").split("|")))
        for line in tables.splitlines()
        if line[:2] in ("| ", "|-")
    ]
    both = [(one.name, one.description, one.usual_name) for one in FORMATS.values()]
    items = {one.name for one in FORMATS.values() if one.holds == "items"}
    heads = [number for number, row in enumerate(rows) if row[0] == "kind"]
    assert len(heads) == 3
    assert sorted(rows[heads[0] + 2 : heads[1]]) == sorted(row for row in both if row[0] in KINDS)
    assert sorted(rows[heads[1] + 2 : heads[2]]) == sorted(
        row for row in both if row[0] not in items.union(KINDS)
    )
    assert sorted(rows[heads[2] + 2 :]) == sorted(row for row in both if row[0] in items)


def test_every_kind_of_convert_is_described() -> None:
    for kind in KINDS:
        assert f"`{kind}`" in PAGE
    for option in ("--from", "--to", "--pool", "--lenient"):
        assert option in PAGE
