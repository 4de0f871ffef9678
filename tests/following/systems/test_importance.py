"""What matters most is told first, and at a pace it is what is told at all."""

from __future__ import annotations

import pytest

from tests.following.systems.test_whole_articles import FIRE, LEAD, NOON, article
from tidings.core import shared_analyzer
from tidings.following.systems.assembly import assemble
from tidings.following.systems.pace.gate import PaceGate
from tidings.following.systems.tidings.follower import TidingsFollower
from tidings.following.systems.tidings.importance import (
    IMPORTANCE_FEATURES,
    Importance,
    importance_row,
    shipped_importance,
)
from tidings.following.systems.tidings.model import ARTICLE_FEATURES

ARREST = "Spanish police on Friday arrested the captain of the ferry after the fire off Bilbao."


def by(feature: str, sign: float) -> Importance:
    """An importance that looks at one feature alone."""
    count = len(IMPORTANCE_FEATURES)
    weights = tuple(sign * (name == feature) for name in IMPORTANCE_FEATURES)
    return Importance(weights, (0.0,) * count, (1.0,) * count)


def use(monkeypatch: pytest.MonkeyPatch, importance: Importance) -> None:
    monkeypatch.setattr(TidingsFollower, "importance", property(lambda follower: importance))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_of_what_comes_in_one_moment_the_most_important_is_told_first(
    sign: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, by("numbers", sign))
    together = article("a", [LEAD]) + article("b", [ARREST])
    updates = assemble("tidings").start(FIRE).push(together, NOON)
    told = [update.text for update in updates]
    assert told == ([LEAD, ARREST] if sign > 0 else [ARREST, LEAD]), "only LEAD gives a number"


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_at_a_pace_the_gate_is_offered_importance(sign: float, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, by("numbers", sign))
    offered: list[float] = []

    def admits(gate: PaceGate, score: float, doc_id: str, rank: int = 0) -> bool:
        offered.append(score)
        return False

    monkeypatch.setattr(PaceGate, "admits", admits)
    follower = assemble("tidings", about="4/day").start(FIRE)
    for number, text in enumerate((LEAD, ARREST)):
        follower.push(article(f"d{number}", [text], NOON + number), NOON + number)
    lead, arrest = offered
    assert (lead > arrest) == (sign > 0), "only LEAD gives a number"


def test_a_change_of_state_and_the_place_are_seen() -> None:
    stems = frozenset(shared_analyzer("english").stems(ARREST))
    row = importance_row((0.0,) * len(ARTICLE_FEATURES), 0.5, 2, ARREST, stems, [stems, (), ()])
    seen = dict(zip(IMPORTANCE_FEATURES, row, strict=True))
    assert seen["changes"] == 1 and seen["like_lead"] == 1.0
    assert (seen["is_first"], seen["is_early"], seen["quotes"]) == (0.0, 1.0, 0.0)


def test_what_comes_along_weighs_each_feature() -> None:
    shipped = shipped_importance()
    assert len(shipped.weights) == len(shipped.means) == len(shipped.deviations) == len(IMPORTANCE_FEATURES)
    assert shipped(shipped.means) == 0.0
