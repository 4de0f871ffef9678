"""Runs that differ, made by a script: each worse one is worse in the way that its name says, the same every time."""

from __future__ import annotations

import make_diverse_runs as script

from tidings.core.records import Run, Update
from tidings.following.outputs.runs import read_runs

UPDATES = tuple(Update("TS14.11", "1-a", at, 100 * at, at / 40) for at in range(40))
POOL = {"11": [Update("11", "1-a", at, 7) for at in range(20, 80)]}


def worse(name: str, seed: int = 0) -> list[Update]:
    made = {run.name: run for run in script.worse([Run("t", "r", UPDATES)], POOL, seed)}
    return list(made[f"r-{name}"].updates)


def test_thinned_keeps_some_in_their_order() -> None:
    kept = worse("thinned-50")
    assert 10 < len(kept) < 30
    assert kept == [one for one in UPDATES if one in kept]
    assert len(worse("thinned-15")) < len(kept)


def test_delayed_changes_times_alone() -> None:
    delayed = worse("delayed-6h")
    assert [one.time for one in delayed] == [one.time + 21_600 for one in UPDATES]
    assert [one.id for one in delayed] == [one.id for one in UPDATES]


def test_shuffled_deals_out_the_same_confidences() -> None:
    shuffled = [one.confidence for one in worse("shuffled")]
    given = [one.confidence for one in UPDATES]
    assert shuffled != given
    assert sorted(shuffled) == given


def test_noise_is_of_the_pool_and_was_not_told() -> None:
    noisy = worse("noisy-50")
    told = {one.id for one in UPDATES}
    added = [one for one in noisy if one.id not in told]
    # Of the 40 updates the 20 from 20 on are pooled: half as many again.
    assert len(added) == 10
    assert len(noisy) == 50
    assert {one.event_id for one in added} == {"TS14.11"}
    assert {one.id for one in added} <= {one.id for one in POOL["11"]}


def test_early_is_silent_after_its_time() -> None:
    assert worse("early-25") == list(UPDATES[:10])


def test_the_same_seed_draws_the_same() -> None:
    for name in ("thinned-50", "shuffled", "noisy-50"):
        assert worse(name) == worse(name)
        assert worse(name) != worse(name, seed=1)
    names = [run.name for run in script.worse([Run("t", "r", UPDATES)], POOL, 0)]
    assert len(set(names)) == len(script.WORSE)


def test_submitted_runs_are_read_without_their_cards(tmp_path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "a.run").write_text("1 t r 10-a 0 20 0.5\n")
    (folder / "a.run.card.json").write_text("{}")
    assert [(run.team, run.name) for run in script.submitted(tmp_path)] == [("t", "r")]
    assert read_runs(folder / "a.run")
