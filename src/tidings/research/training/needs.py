"""What only training needs, and who follows may lack."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tidings.core import UsageError

_NAMES = {"sklearn": "scikit-learn", "scipy": "SciPy"}


def need(module: str, extra: str = "train") -> Any:
    """A module of a package that comes with an extra of tidings.

    Raises:
        UsageError: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise UsageError(
            f"Training needs {_NAMES.get(package, package)}. Run: pip install 'tidings[{extra}]'"
        ) from None
