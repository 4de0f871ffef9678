"""The system of docs/following/writing-a-system.md passes the checks that every system passes."""

from __future__ import annotations

import pytest

from tests.conftest import ROOT
from tests.following.library.pages import blocks_of, run_blocks
from tests.following.systems import test_common
from tidings.following.systems import registry

PAGE = ROOT / "docs" / "following" / "writing-a-system.md"

pytestmark = pytest.mark.parametrize("spec", ["numbers", "numbers:overlap=0,max_words=0,max_kept=9"])


@pytest.fixture(autouse=True)
def _registered():
    run_blocks(PAGE, blocks_of(PAGE)[:1])
    yield
    registry._registered.clear()
    registry._available.cache_clear()


globals().update({name: test for name, test in vars(test_common).items() if name.startswith("test_")})
