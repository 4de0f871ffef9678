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
    "test_deterministic",
    "test_hostile_query",
    "test_times_and_copies",
    "test_what_is_of_no_interest_changes_nothing",
}
# Of the variants, those that stand for the rest: a pace, a gate of news, both budgets, windows and limits of memory.
ASKED_ALL = {
    "tidings:about=20/day",
    "cosine:news=0.2",
    "cosine:overlap=1,memory_hours=2,max_kept=7",
    "cosine:about=3/hour,updates_per_hour=2",
    "allan2001:overlap=0,normalise=none,level=-6,max_kept=20",
    "lexrank:about=4/hour,length=3,minutes=20",
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every system by its defaults is asked all questions; most variants are asked the slow ones in `make test-all`."""
    for item in items:
        if getattr(item, "originalname", "") in SLOW and item.path.name == "test_common.py":
            spec = item.callspec.params["spec"]  # type: ignore[attr-defined]
            if isinstance(spec, str) and ":" in spec and spec not in ASKED_ALL:
                item.add_marker(pytest.mark.long)
