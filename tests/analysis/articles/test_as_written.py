"""Texts as people write them."""

from __future__ import annotations

import tracemalloc

from tidings.analysis.articles.as_written import as_written


def test_a_text_without_end_is_not_kept():
    assert as_written(f"`` We {'did ' * 2_000}n't . ''") == f'"We {"did " * 2_000}n\'t."'.replace(
        "did n't", "didn't"
    )
    tracemalloc.start()
    for number in range(200):
        as_written(f"{number} people were said to be safe . " * 2_000)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 2_000_000
