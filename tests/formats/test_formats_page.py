"""The examples of docs/formats.md are what they say: each block is read by the reader of its kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ROOT

from tidings.formats.convert import KINDS
from tidings.formats.own.documents import read_documents
from tidings.formats.own.events import read_event_file
from tidings.formats.own.outputs import read_updates
from tidings.formats.trec_ts.judgments import read_duplicates, read_matches, read_nuggets, read_pool
from tidings.formats.trec_ts.runs import read_run
from tidings.formats.trec_ts.topics import read_topics

PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
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


def test_every_kind_of_convert_is_described() -> None:
    for kind in KINDS:
        assert f"`{kind}`" in PAGE
    for option in ("--from", "--to", "--pool", "--lenient"):
        assert option in PAGE
