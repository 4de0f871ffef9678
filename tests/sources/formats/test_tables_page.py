"""The examples of docs/sources/reading.md are what they say."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT
from tidings.core.errors import TidingsError
from tidings.core.files.reading import Content, Notes, ReadingOptions
from tidings.sources.recognition import recognise
from tidings.sources.tables.fields import parse_columns

PAGE = (ROOT / "docs" / "sources" / "reading.md").read_text(encoding="utf-8")
PAGE = PAGE.partition("\n## Reading tables\n")[2].partition("\n## ")[0]
BLOCKS = re.findall(r"^```(\w+)(?: ([^\n]+))?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PAIRS = [
    (name, text, kind, more, said)
    for (_, name, text), (kind, more, said) in zip(BLOCKS[::2], BLOCKS[1::2], strict=True)
]


@pytest.mark.parametrize(("name", "text", "kind", "more", "said"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_each_example(name: str, text: str, kind: str, more: str, said: str) -> None:
    content = Content(name, data=text.encode())
    form = recognise(content)
    assert form is not None
    notes = Notes()
    if kind == "error":
        with pytest.raises(TidingsError) as error:
            list(form.read(content, options=ReadingOptions(columns=parse_columns(more))))
        assert str(error.value) == said.rstrip()
        return
    assert list(form.read(content, notes=notes))
    assert notes.remarks == [f"{name}: {line}" for line in said.splitlines()]
    assert not notes.dropped


def test_the_limits_are_those_of_the_code() -> None:
    from tidings.core.files.reading import LIMITS, MIB
    from tidings.sources.tables import delimited, json_items

    assert delimited.MOST_COLUMNS == json_items.MOST_FIELDS == 10_000
    assert f"{delimited.MOST_RECORD // MIB} MiB; a longer one" in PAGE
    assert LIMITS.max_line_bytes == delimited.MOST_RECORD
    assert LIMITS.max_whole_bytes == 1 << 30
    assert "The first 200 rows decide" in PAGE
