"""Tables of words, figures and patterns that stand beside the code that uses them, read once."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any

_REFERENCE = re.compile(r"\{([a-z_]+)\}")


@cache
def packaged_table(package: str, file: str) -> dict[str, Any]:
    """What the TOML file `file` in `package` holds."""
    return tomllib.loads(resources.files(package).joinpath(file).read_text("utf-8"))


@cache
def packaged_patterns(package: str, file: str, **shared: str) -> dict[str, str]:
    """The regular expressions of a TOML file, by name: line breaks mean nothing, and `{name}` stands for one before it.

    `shared` are expressions of other files that these hold.
    """
    patterns = dict(shared)
    for name, text in packaged_table(package, file).items():
        patterns[name] = _REFERENCE.sub(lambda match: patterns[match[1]], text.replace("\n", ""))
    return patterns
