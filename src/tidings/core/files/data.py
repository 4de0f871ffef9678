"""Tables of words and names that stand in a file of their own, beside the module that uses them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any


@cache
def data_beside(module_file: str) -> dict[str, Any]:
    """What the TOML file holds that stands beside a module and has its name.

    >>> from tidings.core.text import words
    >>> sorted(data_beside(words.__file__))
    ['hiragana_of_grammar', 'separators', 'stop_words']
    """
    import tomllib

    return tomllib.loads(Path(module_file).with_suffix(".toml").read_text(encoding="utf-8"))
