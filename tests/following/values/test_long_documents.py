"""One document that states thousands of numbers: it costs no more than a few, and drives out nobody."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tidings.following.values.series import Rules, Series, example_claim


def test_a_document_of_many_numbers_keeps_to_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    supporters = Series.supporters
    monkeypatch.setattr(
        Series, "supporters", lambda self, value: looked.append(value) or supporters(self, value)
    )
    series, rules = Series(Rules()), Rules()
    for number in range(3):
        series.add(example_claim(12, number, f"d{number}"))
    looked.clear()
    for number in range(3000):
        series.add(example_claim(100_000 + number, 60, "long"))
    assert len(looked) <= rules.of_one**2
    assert [claim.doc_id for claim in series.claims if claim.value == 12] == [b"d0", b"d1", b"d2"]
    assert len(series.claims) == 3 + rules.of_one
    series.settle(60)
    assert series.current == 12


def test_a_document_at_its_limit_may_still_correct_itself() -> None:
    series = Series(Rules())
    for number in range(Rules().of_one):
        series.add(example_claim(100 + number, 0, "long"))
    series.add(replace(example_claim(90, 60, "long"), instead_of=100.0))
    values = [claim.value for claim in series.claims]
    assert 90 in values and 100 not in values
