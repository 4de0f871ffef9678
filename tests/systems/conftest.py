"""What of the common suite is left to the long one: the slow questions, asked of every variant."""

from __future__ import annotations

import pytest

SLOW = {
    "test_memory_is_bounded",
    "test_resumed_equals_uninterrupted_at_every_cut",
    "test_no_look_ahead",
    "test_followers_share_nothing",
    "test_hostile_text",
    "test_budget_of_updates",
    "test_finishing_is_as_if_time_went_on",
    "test_restoring_replaces_what_was_known",
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every system by its defaults is asked all questions; its variants are asked the slow ones in `make test-all`."""
    for item in items:
        if getattr(item, "originalname", "") in SLOW and item.path.name == "test_common.py":
            spec = item.callspec.params["spec"]  # type: ignore[attr-defined]
            if isinstance(spec, str) and ":" in spec and not spec.startswith(("tidings:", "cosine:")):
                item.add_marker(pytest.mark.long)
