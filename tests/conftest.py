"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# No deadlines: how long an example takes says more about the machine than about the code.
settings.register_profile("tidings", deadline=None)
settings.load_profile("tidings")

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of TREC data beside the checkout (or named by TIDINGS_DATA)."""
    folder = Path(os.environ.get("TIDINGS_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the TREC data is not here ({folder}); set TIDINGS_DATA to its folder")
    return folder
