"""Tables of words, figures and patterns that stand in a file of their own, beside the module that uses them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_REFERENCE = re.compile(r"\{([a-z_]+)\}")


@cache
def data_beside(module_file: str) -> dict[str, Any]:
    """What the TOML file holds that stands beside a module and has its name.

    >>> from tidings.core.text import words
    >>> sorted(data_beside(words.__file__))
    ['hiragana_of_grammar', 'separators', 'stop_words']
    """
    import tomllib

    return tomllib.loads(Path(module_file).with_suffix(".toml").read_text(encoding="utf-8"))


def patterns_beside(module_file: str, **shared: str) -> dict[str, str]:
    """The regular expressions of such a file, by name: line breaks mean nothing, and `{name}` stands for one before it.

    `shared` are expressions of other files that these hold.
    """
    patterns = dict(shared)
    for name, text in data_beside(module_file).items():
        patterns[name] = fill_references(text, patterns)
    return patterns


def fill_references(pattern: str, parts: Mapping[str, str]) -> str:
    """A regular expression of such a file with its parts in their places.

    >>> fill_references("{year}-{month}", {"year": "[0-9]{4}", "month": "[01][0-9]"})
    '[0-9]{4}-[01][0-9]'
    """
    return _REFERENCE.sub(lambda match: parts[match[1]], pattern.replace("\n", ""))
