"""What is judged next: each order, what it does before anything is judged, and what it must not depend on."""

from __future__ import annotations

import pytest

from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.core.records import Nugget, PooledUpdate
from tidings.evaluation.selection.pool_texts import PoolTexts, candidates_of
from tidings.evaluation.selection.selection import STRATEGIES, Selection

TEXTS = tuple(cases(__file__, "texts"))
NUGGETS = (Nugget("e", "N1", 0, 2, "a ferry caught fire"), Nugget("e", "N2", 0, 3, "12 people were killed"))


def order(rows, nuggets, judged, query="", **options):
    return Selection(PoolTexts(rows), nuggets, query).order(judged, **options)


def pool(texts=TEXTS) -> list[PooledUpdate]:
    return [
        PooledUpdate("e", f"{100 + place}-d", 0, text, published_time=100 + place)
        for place, text in enumerate(texts)
    ]


def places(ranked) -> list[int]:
    return [int(one.update_id.split("-")[0]) - 100 for one in ranked]


def test_time_goes_by_time_and_leaves_out_what_is_judged() -> None:
    assert places(order(reversed(pool()), (), {"102-d-0": ()}, by="time")) == [0, 1, 3, 4, 5, 6, 7]


def test_lots_hang_on_the_seed_alone() -> None:
    selection = Selection(PoolTexts(pool()))
    one, other = (places(selection.order({}, by="random", seed=seed)) for seed in (1, 2))
    assert sorted(one) == sorted(other) == list(range(8))
    assert one != other != list(range(8))
    assert places(selection.order({"103-d-0": ("N1",)}, by="random", seed=1)) == [n for n in one if n != 3]


def test_before_anything_is_judged_nuggets_and_query_decide() -> None:
    assert set(places(order(pool(), NUGGETS, {}))[:4]) == {0, 2, 4, 6}
    assert set(places(order(pool(), (), {}, query="ferry"))[:4]) == {0, 2, 4, 6}


def test_what_was_judged_decides_later_even_against_the_query() -> None:
    texts = [f"A ferry at sea, number {n}." for n in range(12)]
    texts += [f"A goal and a win, number {n}." for n in range(12)]
    selection = Selection(PoolTexts(pool(texts)), (), "ferry")
    assert set(places(selection.order({}))[:12]) == set(range(12))
    judged = {f"{100 + place}-d-0": ("N1",) if place >= 12 else () for place in (*range(6), *range(12, 18))}
    ranked = selection.order(judged)
    assert set(places(ranked)[:6]) == set(range(18, 24))
    assert ranked[0].probability > 0.5 > ranked[-1].probability > 0
    assert ranked[0].expected > ranked[-1].expected > 0


def test_terms_alone_learn_too() -> None:
    judged = {"101-d-0": ("N9",), "100-d-0": (), "102-d-0": (), "104-d-0": (), "103-d-0": ()}
    assert places(order(pool(), (), judged, by="terms")) == [7, 5, 6]
    assert set(places(order(pool(), (), {"103-d-0": ()}, by="terms", query="ferry"))[:4]) == {0, 2, 4, 6}


def test_likeness_learns_nothing() -> None:
    whole = places(order(pool(), NUGGETS, {}, by="likeness"))
    judged = {f"{100 + place}-d-0": () for place in whole[:3]}
    assert places(order(pool(), NUGGETS, judged, by="likeness")) == whole[3:]


def test_uncertainty_asks_first_what_is_least_known() -> None:
    judged = {"100-d-0": ("N1",), "101-d-0": (), "104-d-0": ("N1", "N2"), "103-d-0": ()}
    doubt = [abs(one.probability - 0.5) for one in order(pool(), NUGGETS, judged, by="uncertainty")]
    assert doubt == sorted(doubt)


def test_what_was_linked_to_more_promises_more() -> None:
    texts = ("sea one", "sea two", "land one", "land two", "sea three", "land three", "air")
    judged = {
        "100-d-0": ("A", "B", "C"),
        "101-d-0": ("A", "B", "D"),
        "102-d-0": ("A",),
        "103-d-0": ("A",),
        "106-d-0": (),
    }
    assert places(order(pool(texts), (), judged)) == [4, 5]


@every("by", STRATEGIES)
def test_an_order_does_not_hang_on_what_was_asked_before(by) -> None:
    judged = {"100-d-0": ("N1",), "101-d-0": ()}
    asked = Selection(PoolTexts(pool()), NUGGETS)
    asked.order({}, by=by)
    asked.order({"105-d-0": ("N1",), "106-d-0": ()}, by=by)
    assert asked.order(judged, by=by) == Selection(PoolTexts(pool()), NUGGETS).order(judged, by=by)


@every("by", STRATEGIES)
def test_nothing_is_asked_twice_and_nothing_left_out(by) -> None:
    selection = Selection(PoolTexts(pool()), NUGGETS, "ferry")
    judged: dict[str, tuple[str, ...]] = {}
    while ranked := selection.order(judged, by=by):
        judged[ranked[0].update_id] = ("N1",) if "ferry" in TEXTS[places(ranked)[0]] else ()
    assert sorted(judged) == [f"{100 + place}-d-0" for place in range(8)]


@every("by", STRATEGIES)
def test_empty_and_wordless_pools_are_ordered_too(by) -> None:
    assert order([], (), {}, by=by) == ()
    odd = pool(("", "…", "the", "\x00"))
    assert sorted(places(order(odd, NUGGETS, {"100-d-0": ("N1",), "101-d-0": ()}, by=by))) == [2, 3]
    assert sorted(places(order(odd, (), {}, by=by))) == [0, 1, 2, 3]


def test_judgments_of_updates_that_are_not_pooled_are_let_be() -> None:
    assert len(order(pool(), NUGGETS, {"elsewhere-0": ("N1",)})) == 8


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no order 'luck'; there are time, random"):
        order(pool(), (), {}, by="luck")  # type: ignore[arg-type]


def test_copies_are_judged_once_through_any_of_them() -> None:
    rows = [
        PooledUpdate("e", "3-d", 0, "A fire.", published_time=3),
        PooledUpdate("e", "1-d", 0, "A\n fire.", published_time=1),
        PooledUpdate("e", "2-d", 0, "Another", published_time=2, duplicate_of="9-d-0"),
        PooledUpdate("e", "4-d", 0, "Another.", published_time=4, duplicate_of="9-d-0"),
    ]
    assert [one.copies for one in candidates_of(rows)] == [("1-d-0", "3-d-0"), ("2-d-0", "4-d-0")]
    assert [one.update_id for one in order(rows, (), {"4-d-0": ("N1",)})] == ["1-d-0"]
