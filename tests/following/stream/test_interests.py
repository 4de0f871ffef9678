"""Which events a document interests: the index against the definition, and many events against each alone."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.following.stream.fakes import Every, make_event
from tests.following.systems.streams import words
from tidings.core import shared_analyzer
from tidings.core.protocols import Interest
from tidings.core.records import Document, Event, Sentence
from tidings.following.stream import route as interests
from tidings.following.stream.loop import follow_stream
from tidings.following.stream.route import InterestIndex, Router
from tidings.following.systems.registry import make

STEMS = ["ferri", "fire", "port", "storm", "coast", "crew", "quai", "gaddafi"]
some_stems = st.frozensets(st.sampled_from(STEMS), min_size=1)
some_interests = st.builds(
    lambda stems, need, alone, forms, names: Interest(
        stems=stems,
        need=need,
        alone=frozenset(alone),
        forms=tuple((form, stem) for form, stem in forms if stem in stems),
        names=stems & names,
    ),
    some_stems,
    st.integers(1, 4),
    st.sets(st.sampled_from(STEMS), max_size=2),
    st.lists(st.tuples(st.sampled_from(["els", "coast", "harbour"]), st.sampled_from(STEMS)), max_size=2),
    st.just(frozenset({"gaddafi"})),
)
texts = st.lists(
    st.lists(
        st.sampled_from(
            ["ferry", "fires", "port", "storm", "coast", "crew", "quay", "the", "else", "Gadhafi", "Gaddafi"]
        )
    ).map(" ".join),
    max_size=3,
)


@given(st.lists(some_interests, max_size=8), texts)
def test_the_index_finds_what_the_definition_says(asked: list[Interest], said: list[str]) -> None:
    stems_of = shared_analyzer().stems
    places = {
        number: [place for place, text in enumerate(said) if one.met_by(stems_of(text))]
        for number, one in enumerate(asked)
    }
    index = InterestIndex(dict(enumerate(asked)))
    assert index.matches(said) == {number: own for number, own in places.items() if own}
    assert {number: index.places(number, said) for number in range(len(asked))} == places


@given(st.lists(some_interests, max_size=8), texts)
def test_so_it_does_where_queries_are_too_long_for_pairs(asked: list[Interest], said: list[str]) -> None:
    stems_of = shared_analyzer().stems
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interests, "_MOST_PAIRED", 2)
        index = InterestIndex(dict(enumerate(asked)))
    assert set(index.matches(said)) == {
        number for number, one in enumerate(asked) if any(one.met_by(stems_of(text)) for text in said)
    }


def test_a_query_of_a_thousand_stems_takes_no_million_pairs() -> None:
    stems = frozenset(f"word{number}x" for number in range(1_000))
    index = InterestIndex({3: Interest(stems=stems, need=2)})
    assert index.matches(["word1x and word999x"]) == {3: [0]}
    assert index.matches(["word1x and word1001x"]) == {}
    assert index.pairs == 0
    assert InterestIndex({3: Interest(stems=frozenset("abcde"), need=2)}).pairs == 10


def test_each_language_has_its_own_stems() -> None:
    index = InterestIndex(
        {
            0: Interest(stems=frozenset({"fähr"})),
            1: Interest(stems=frozenset({"fahr"}), language="german"),
        }
    )
    assert index.matches(["Die Fähren"]) == {1: [0]}


class TestRouting:
    FIRE = Interest(stems=frozenset({"fire", "port"}), need=2)

    def route(self, router: Router, *sentences: Sentence) -> dict[int, list[int]]:
        return {slot: [one.index for one in own] for slot, own in router.route(5, sentences)}

    def sentence(self, index: int, text: str, *events: str) -> Sentence:
        return Sentence("d", index, text, 5, events=events or None)

    def test_a_document_goes_whole_to_those_that_one_of_its_sentences_interests(self) -> None:
        events = [make_event("a"), make_event("b"), make_event("c")]
        router = Router(events, {0: self.FIRE, 1: Interest(stems=frozenset({"storm"}))})
        said = (self.sentence(0, "Fire in the port"), self.sentence(1, "The weather"))
        assert self.route(router, *said) == {0: [0, 1], 2: [0, 1]}

    def test_or_only_what_holds_enough_where_it_need_not_be_whole(self) -> None:
        parts = Interest(stems=frozenset({"fire", "port"}), need=2, whole=False)
        router = Router([make_event("a"), make_event("b"), make_event("c")], {0: parts, 2: self.FIRE})
        said = ("The weather", "Fire in the port", "A fire", "The port, on fire")
        open_to_all = [self.sentence(place, text) for place, text in enumerate(said)]
        assert self.route(router, *open_to_all) == {0: [1, 3], 1: [0, 1, 2, 3], 2: [0, 1, 2, 3]}
        pooled = [self.sentence(place, text, "a", "c") for place, text in enumerate(said)]
        assert self.route(router, *pooled) == {0: [1, 3], 2: [0, 1, 2, 3]}
        assert self.route(router, *pooled[:2], *open_to_all[2:]) == {
            0: [1, 3],
            1: [2, 3],
            2: [0, 1, 2, 3],
        }
        assert self.route(router, *pooled[2:3]) == {}

    def test_the_stems_must_stand_in_one_sentence(self) -> None:
        router = Router([make_event("a")], {0: self.FIRE})
        assert self.route(router, self.sentence(0, "A fire"), self.sentence(1, "The port")) == {}

    def test_only_in_its_period(self) -> None:
        router = Router([make_event("a", 6, 9)], {0: self.FIRE})
        assert self.route(router, self.sentence(0, "Fire in the port")) == {}

    def test_what_is_pooled_for_another_event_interests_nobody_else(self) -> None:
        router = Router([make_event("a"), make_event("b")], {0: self.FIRE, 1: self.FIRE})
        assert self.route(router, self.sentence(0, "Fire in the port", "a")) == {0: [0]}
        assert self.route(router, self.sentence(0, "Fire", "a")) == {}
        assert self.route(
            router,
            self.sentence(0, "Fire in the port", "a"),
            self.sentence(1, "the port", "b"),
            self.sentence(2, "x"),
        ) == {0: [0, 2]}

    def test_mixed_it_interests_all(self) -> None:
        router = Router([make_event("a"), make_event("b")], {0: self.FIRE, 1: self.FIRE}, mixed=True)
        assert self.route(router, self.sentence(0, "Fire in the port", "a")) == {0: [0], 1: [0]}


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.booleans()), min_size=1, max_size=6),
    st.lists(
        st.tuples(
            st.integers(-1, 13),
            st.lists(st.tuples(st.sampled_from(["storm", "port", "sun"]), st.sets(st.integers(0, 5)))),
        ),
        max_size=8,
    ),
    st.booleans(),
)
def test_many_events_are_routed_as_each_alone(periods, documents, mixed: bool) -> None:
    events = [make_event(str(n), min(a, b), max(a, b)) for n, (a, b, _) in enumerate(periods)]
    asked = {
        n: Interest(stems=frozenset({"storm"})) for n, (_, _, demanding) in enumerate(periods) if demanding
    }
    together = Router(events, asked, mixed=mixed)
    alone = [Router([one], {0: asked[n]} if n in asked else {}, mixed=mixed) for n, one in enumerate(events)]
    for time, said in documents:
        sentences = [
            Sentence("d", index, text, time, events=tuple(map(str, sorted(pooled))) or None)
            for index, (text, pooled) in enumerate(said)
        ]
        expected = []
        for n, router in enumerate(alone):
            expected += [(n, list(own)) for _, own in router.route(time, sentences)]
        assert [(slot, list(own)) for slot, own in together.route(time, sentences)] == expected


@pytest.mark.parametrize(
    ("system", "interval_s"),
    [
        *(("cosine", 0), ("first", 3600), ("tidings", 3600), ("lexrank", 0)),
        *(
            pytest.param(system, interval_s, marks=pytest.mark.long)
            for system in ("cosine", "tidings", "random", "cosine:overlap=0", "centroid", "nnrl")
            for interval_s in (0, 3600)
        ),
    ],
)
def test_many_events_are_followed_as_each_alone(system: str, interval_s: int) -> None:
    import random

    count = 100 if system in ("cosine", "first", "random") else 40  # the others take long
    rng = random.Random(7)
    queries = [
        "ferry fire port",
        "storm coast",
        "mayor",
        "police divers crew captain",
        "harbour closes",
        "the of",
    ]
    events = [
        Event(
            id=str(n),
            title="",
            query=rng.choice(queries) + f" place{n}",
            start_time=rng.randint(0, 40_000),
            end_time=90_000,
        )
        for n in range(count)
    ]
    documents = [
        Document(
            id=f"d{n}",
            published_time=n * 900,
            sentences=tuple(Sentence(f"d{n}", i, words(rng, rng.random() < 0.7), n * 900) for i in range(4)),
        )
        for n in range(80)
    ]
    decider = make(system)
    together = [
        one
        for _, outputs in follow_stream(documents, events, decider, interval_s=interval_s)
        for one in outputs
    ]
    assert together
    for event in events[::9]:
        alone = [
            one
            for _, outputs in follow_stream(documents, [event], decider, interval_s=interval_s)
            for one in outputs
        ]
        assert [one for one in together if one.event_id == event.id] == alone


def test_a_follower_is_not_even_begun_for_what_does_not_interest_it() -> None:
    class Demanding(Every):
        def interest(self, event: Event) -> Interest | None:
            return Interest(stems=frozenset({event.id}))

    system = Demanding()
    events = [make_event(f"word{n}") for n in range(2_000)]
    documents = [Document(id="d", published_time=5, text="It was word77. And word1234. Not word9999.")]
    list(follow_stream(documents, events, system))
    assert [event_id for event_id, _, _ in system.calls] == ["word77", "word1234"]


def test_what_a_track_has_pooled_must_hold_what_the_interest_in_it_says() -> None:
    pooled = Interest(stems=frozenset({"ferri", "fire"}), need=2)
    interest = Interest(stems=pooled.stems, need=1, pooled=pooled)
    router = Router([make_event("1")], {0: interest}, mixed=True)
    whole, chosen = Sentence("d", 0, "A fire.", 5), Sentence("e", 0, "A fire.", 5, events=("1",))
    assert [slot for slot, _ in router.route(5, [whole])] == [0]
    assert router.route(5, [chosen]) == []
    own = Router([make_event("1")], {0: interest})
    assert own.route(5, [chosen]) == []
    assert own.route(5, [Sentence("e", 0, "A fire on a ferry.", 5, events=("1",))])


def test_the_stems_meant_are_those_that_are_found_alone() -> None:
    interest = Interest(
        stems=frozenset({"libya", "gaddafi", "war"}),
        forms=(("libyan", "libya"),),
        names=frozenset({"gaddafi"}),
    )
    stems = ["gadhafi", "libyan", "qaddafi", "storm", "war", "gaddafi"]
    assert interest.meant_by(stems) == [stem for stem in stems if interest.find((stem,))]
    assert interest.meant_by(stems) == ["gadhafi", "libyan", "qaddafi", "war", "gaddafi"]
