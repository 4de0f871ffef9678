"""The bench that prints what each system costs."""

from __future__ import annotations

from bench.each_system import measure

from tidings.sources import bundled


def test_a_system_that_learned_is_followed_with_its_weights():
    row = measure(bundled.path(), "tidings")
    assert row["learns"]
    assert row["weights_kib"] > 10
    assert row["state_kib"] > 1
    assert row["updates"] == 42
