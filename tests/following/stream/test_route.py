"""Which events a sentence goes to."""

from __future__ import annotations

from hypothesis import given, strategies as st

from tidings.core.records import Document, Event, Sentence
from tidings.following.stream.route import Router


def event(event_id: str, start: int = 0, end: int = 100) -> Event:
    return Event(id=event_id, title="t", query="q", start_time=start, end_time=end)


def sentence(index: int, *events: str, time: int = 5) -> Sentence:
    return Sentence("d", index, "text", time, events=events or None)


def routed(router: Router, time: int, *sentences: Sentence) -> dict[int, list[int]]:
    return {slot: [one.index for one in some] for slot, some in router.route(time, sentences)}


class TestPeriod:
    def test_both_ends_belong_to_it(self) -> None:
        router = Router([event("a", 10, 20)])
        assert [time for time in (9, 10, 20, 21) if routed(router, time, sentence(0))] == [10, 20]

    @given(
        st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=5),
        st.lists(st.integers(-1, 22), min_size=1, max_size=20),
    )
    def test_any_order_of_times_asks_the_same(self, periods: list[tuple[int, int]], times: list[int]) -> None:
        events = [event(str(n), min(pair), max(pair)) for n, pair in enumerate(periods)]
        router = Router(events)
        for time in times:
            expected = {n for n, one in enumerate(events) if one.start_time <= time <= one.end_time}
            assert set(routed(router, time, sentence(0))) == expected
            assert router.wants(Document(id="d", published_time=time)) == bool(expected)


class TestPooled:
    def test_a_pooled_sentence_goes_to_its_own_events_only(self) -> None:
        router = Router([event("TS14.11"), event("TS14.12")])
        both = (
            sentence(0, "TS14.11"),
            sentence(1, "TS14.12"),
            sentence(2),
            sentence(3, "TS14.11", "TS14.12"),
        )
        assert routed(router, 5, *both) == {0: [0, 2, 3], 1: [1, 2, 3]}

    def test_mixed_offers_everything_to_everyone(self) -> None:
        router = Router([event("a"), event("b")], mixed=True)
        assert routed(router, 5, sentence(0, "a")) == {0: [0], 1: [0]}

    def test_an_id_may_be_written_without_its_prefix_but_years_are_not_confused(self) -> None:
        assert routed(Router([event("11")]), 5, sentence(0, "TS14.11")) == {0: [0]}
        assert routed(Router([event("TS14.11")]), 5, sentence(0, "11")) == {0: [0]}
        assert routed(Router([event("TS14.1")]), 5, sentence(0, "TS13.1")) == {}

    def test_the_border_of_a_period_renews_what_is_wanted(self) -> None:
        router = Router([event("a", 0, 10), event("a2", 0, 20)])
        pooled = sentence(0, "a", "a2")
        assert routed(router, 5, pooled) == {0: [0], 1: [0]}
        assert routed(router, 15, pooled) == {1: [0]}
