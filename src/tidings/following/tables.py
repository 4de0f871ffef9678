"""Lists of words that stand as data beside the code that uses them."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any


def read_table(package: str, name: str) -> dict[str, Any]:
    """The TOML file of that name in a package."""
    return tomllib.loads(resources.files(package).joinpath(name).read_text("utf-8"))
