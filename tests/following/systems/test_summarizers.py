"""What the summarizers that learn nothing do, by small cases worked by hand."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.following.systems.streams import FERRY, run
from tests.sweeps import every
from tidings.core import cosine, unit_vector
from tidings.core.records import Event, Sentence
from tidings.following.systems.centroid import DecayingSum
from tidings.following.systems.interval_followers import WaitingSentence
from tidings.following.systems.lexrank import lexrank
from tidings.following.systems.registry import make
from tidings.following.systems.tfidf import EmittedVectors, RunningIdf, cosines

HOUR = 3600
FIRE = Event(id="E", title="Fire", query="fire", start_time=0, end_time=10**9)


def said(*texts, doc="d", time=0):
    return [Sentence(doc, number, text, time) for number, text in enumerate(texts)]


def hours(*batches):
    """One push for each hour's sentences, and a last one that closes the last hour."""
    pushes = [
        (said(*batch, doc=f"d{number}", time=number * HOUR), number * HOUR)
        for number, batch in enumerate(batches)
    ]
    return [*pushes, ([], len(batches) * HOUR)]


def texts(updates):
    return [update.text for update in updates]


class TestRunningIdf:
    def test_by_hand(self):
        weights = RunningIdf()
        weights.add(["a", "a", "b"])
        weights.add(["a"])
        assert weights.idf("a") == pytest.approx(log(3 / 2.5))  # in both sentences, however often
        assert weights.idf("b") == pytest.approx(log(3 / 1.5))
        assert weights.idf("c") == pytest.approx(log(3 / 0.5))
        assert weights.weights(["b", "c", "b"]) == pytest.approx({"b": 2 * log(2), "c": log(6)})
        vector = weights.vector(["b", "c"])
        assert vector["b"] / vector["c"] == pytest.approx(log(2) / log(6))
        assert sum(value**2 for value in vector.values()) == pytest.approx(1.0)
        assert weights.vector([]) == {}

    def test_forgets_the_rarest_half(self):
        weights = RunningIdf(vocabulary=10)
        for number in range(11):
            weights.add(["common", f"rare{number}"])
        assert weights.idf("common") < weights.idf("rare10") == weights.idf("rare9")
        assert weights.idf("rare0") == weights.idf("never met")


class TestEmittedVectors:
    def test_forgets_by_number_and_by_time(self):
        told = EmittedVectors(most=2, memory_s=100)
        for number, term in enumerate("abc"):
            told.add({term: 1.0}, number * 60)
        assert [told.has_like({term: 1.0}, 0.5) for term in "abc"] == [False, True, True]
        assert not told.evict(160)  # what was told 100 seconds ago is remembered
        assert told.evict(161)
        assert [told.has_like({term: 1.0}, 0.5) for term in "bc"] == [False, True]
        assert told.evict(10_000)
        assert len(told) == 0


@given(st.lists(st.lists(st.sampled_from("abcdefgh")), max_size=8))
def test_cosines_are_those_of_pairs(sentences):
    vectors = [unit_vector(stems) for stems in sentences]
    found = cosines(vectors)
    for row, one in enumerate(vectors):
        for column, other in enumerate(vectors):
            assert found[row, column] == pytest.approx(1.0 if row == column else cosine(one, other))


def test_cosines_go_through_many_terms_in_parts():
    vectors = [unit_vector([f"w{n}" for n in range(first, first + 5_000)]) for first in (0, 2_500)]
    assert cosines(vectors)[0, 1] == pytest.approx(0.5)


class TestLexRank:
    def test_walk_by_hand(self):
        # A star: the middle is like both others, which are unlike each other; every sentence is like itself.
        # A third of the steps from the middle stay there, half of those from the others lead there:
        # m = .15/3 + .85(m/3 + (1 - m)/2), so m(1 - .85/3 + .85/2) = .05 + .425.
        p = lexrank(np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]))
        middle = 0.475 / (1 - 0.85 / 3 + 0.425)
        assert p == pytest.approx([middle, (1 - middle) / 2, (1 - middle) / 2])

    def test_nothing_like_it_is_like_any_other(self):
        assert lexrank(np.eye(4)) == pytest.approx([0.25] * 4)
        assert lexrank(np.zeros((4, 4))) == pytest.approx([0.25] * 4)

    @given(st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1), min_size=1, max_size=7))
    def test_is_stationary(self, sentences):
        weights = cosines([unit_vector(stems) for stems in sentences])
        p = lexrank(weights)
        again = 0.15 / len(p) + 0.85 * p @ (weights / weights.sum(axis=1, keepdims=True))
        assert p.sum() == pytest.approx(1.0)
        assert p == pytest.approx(again, abs=1e-8)

    @every("kind", ["continuous", "threshold", "degree"])
    def test_tells_the_middle(self, kind):
        batch = ("fire one two", "fire two three", "fire three four", "fire nine")
        spec = f"lexrank:overlap=1,kind={kind},minutes=60,least=1"
        assert texts(run(make(spec), hours(batch), FIRE)) == ["fire two three"]

    def test_edges_are_cosines_over_the_limit(self):
        # Of the cosines none is over .9, so every sentence stands alone, all score 1 and the first is told.
        batch = ("fire one two", "fire two three", "fire three four")
        pushes = hours(batch)
        got = run(make("lexrank:overlap=1,kind=threshold,edge=0.9,least=1"), pushes, FIRE)
        assert [(update.text, update.confidence) for update in got] == [("fire one two", 1.0)]

    def test_leaves_out_what_is_like_an_update_and_what_is_too_few(self):
        batch = ("fire one two", "fire two three", "fire three four")
        spec = "lexrank:overlap=1,minutes=60,least=3,similarity={}"
        pushes = hours(batch, batch, batch[:2])
        assert len(run(make(spec.format(0.95)), pushes, FIRE)) == 2
        assert texts(run(make(spec.format(1)), pushes, FIRE)) == ["fire two three"] * 2
        assert len(run(make("lexrank:overlap=1,minutes=60,similarity=1,least=2"), pushes, FIRE)) == 3


class TestSumFocus:
    def test_scores_by_hand(self):
        # Stems: fire crew | fire port port; p_text: fire 2/5, crew 1/5, port 2/5.
        # Query and title "fire fire": p_query = (tf + .01)/(2 + 3·.01): fire 2.01/2.03, others .01/2.03.
        pushes = hours(("fire crew", "fire port port"))
        fire, crew, port = (
            0.5 * share + 0.5 * asked / 2.03 for share, asked in ((0.4, 2.01), (0.2, 0.01), (0.4, 0.01))
        )
        got = run(make("sumfocus:overlap=1,focus=0.5"), pushes, FIRE)
        assert [update.text for update in got] == ["fire crew"]
        assert got[0].confidence == pytest.approx((fire + crew) / 2)
        assert (fire + crew) / 2 > (fire + 2 * port) / 3
        # Without the query it is the other way round.
        got = run(make("sumfocus:overlap=1,focus=0"), pushes, FIRE)
        assert [(update.text, update.confidence) for update in got] == [
            ("fire port port", pytest.approx(0.4))
        ]

    def test_squares_what_was_told(self):
        # focus=0; fire 3/7, smoke 2/7, crew 1/7, port 1/7. First: "fire smoke" twice equal stems are one text here.
        batch = ("fire smoke", "smoke fire now", "fire crew port")
        spec = "sumfocus:overlap=1,focus=0,similarity=1,length=2"
        got = run(make(spec), hours(batch), FIRE)
        # fire smoke: 5/14; then fire (3/7)² = .184, smoke (2/7)² = .082: the likeliest is fire, and
        # "fire crew port" scores (.184 + 1/7 + 1/7)/3 = .157, "smoke fire" (.184 + .082)/2 = .133.
        assert texts(got) == ["fire smoke", "fire crew port"]
        assert [u.confidence for u in got] == pytest.approx([5 / 14, (9 / 49 + 2 / 7) / 3])

    def test_carries_into_the_next_interval(self):
        spec = "sumfocus:overlap=1,focus=0,similarity=1,least=1,carry={}"
        pushes = hours(("fire smoke",), ("fire crew",))
        told = [u.confidence for u in run(make(spec.format("yes")), pushes, FIRE)]
        assert told == pytest.approx([0.5, (0.25 + 0.5) / 2])
        told = [u.confidence for u in run(make(spec.format("no")), pushes, FIRE)]
        assert told == pytest.approx([0.5, 0.5])


class TestCentroid:
    def test_decay_by_hand(self):
        centre = DecayingSum(half_life_s=100, most=10)
        centre.add({"a": 4.0}, 0)
        centre.add({"b": 3.0}, 100)
        # a has fallen to 2: the sum is (2, 3), of length sqrt 13.
        assert centre.cosine({"a": 1.0}) == pytest.approx(2 / sqrt(13))
        assert centre.cosine({"a": 5.0, "b": 7.5}) == pytest.approx(1.0)
        assert centre.cosine({"c": 1.0}) == 0.0
        assert centre.share(["a", "b", "c", "a"]) == pytest.approx(2 / 3 + 1 + 2 / 3)

    def test_decays_over_any_time(self):
        """So long after that the first weight underflows, the second is all there is."""
        centre = DecayingSum(half_life_s=1, most=10)
        for number, term in enumerate("abc"):
            centre.add({term: 1.0}, number * 10**7)
        assert centre.cosine({"c": 1.0}) == pytest.approx(1.0)
        assert centre.cosine({"a": 1.0}) == 0.0

    @given(
        st.lists(
            st.tuples(
                st.integers(0, 400), st.dictionaries(st.sampled_from("abcd"), st.floats(0.1, 10), min_size=1)
            ),
            min_size=1,
            max_size=20,
        )
    )
    def test_equals_the_sum_written_out(self, steps):
        centre, time, added = DecayingSum(half_life_s=50, most=10), 0, []
        for gap, vector in steps:
            time += gap
            centre.add(vector, time)
            added.append((time, vector))
        total = {
            term: sum(vector.get(term, 0.0) * 2 ** ((then - time) / 50) for then, vector in added)
            for term in "abcd"
        }
        length = sqrt(sum(value**2 for value in total.values()))
        for term in "abcd":
            assert centre.cosine({term: 1.0}) == pytest.approx(total[term] / length, abs=1e-6)
            assert centre.share([term]) == pytest.approx(total[term] / max(total.values()), abs=1e-6)

    def test_keeps_the_heaviest_terms(self):
        centre = DecayingSum(half_life_s=1_000, most=2)
        for term, weight in (("a", 5.0), ("b", 1.0), ("c", 4.0), ("d", 2.0), ("e", 3.0)):
            centre.add({term: weight}, 0)
        assert [centre.share([term]) > 0 for term in "abcde"] == [True, False, True, False, False]

    def test_tells_what_is_near_and_new(self):
        # The first has nothing to be near (0, and rank 1 as the only one), the second is near it (rank 1), the third
        # is nearer than the first (2/3), the fourth too (2/4), the fifth is near again, but a copy of the third.
        pushes = [
            (said(text, doc=str(number), time=number), number)
            for number, text in enumerate(
                [
                    "fire smoke crew port",
                    "fire smoke crew harbour",
                    "fire smoke captain",
                    "fire x y z",
                    "fire smoke captain",
                ]
            )
        ]
        got = run(make("centroid:overlap=1,level=0.6,similarity=0.9"), pushes, FIRE)
        assert [int(update.doc_id) for update in got] == [0, 1, 2]
        got = run(make("centroid:overlap=1,level=0.6,similarity=1"), pushes, FIRE)
        assert [int(update.doc_id) for update in got] == [0, 1, 2, 4]
        everything = run(make("centroid:overlap=1,level=0,similarity=1"), pushes, FIRE)
        assert [int(update.doc_id) for update in everything] == [0, 1, 2, 3, 4]

    def test_position_speaks_for_the_first(self):
        pushes = [(said("fire one", "fire two", "fire three", doc="a"), 0)]
        got = run(make("centroid:overlap=1,level=1,similarity=1,position_weight=9"), pushes, FIRE)
        assert texts(got) == ["fire one"]


class TestCosineStreamThreshold:
    def test_common_words_make_no_two_alike(self):
        # 2 of 3 stems are shared, which `cosine` counts as .67; but they are in every sentence.
        pushes = [(said(*(f"ferry fire place{n}" for n in range(30))), 0)]
        assert len(run(make("cosine:similarity=0.5"), pushes)) == 1
        assert len(run(make("cst:similarity=0.5"), pushes)) == 30

    def test_cosine_by_hand(self):
        # When the second comes, N = 2, ferri and fire n = 2 (idf log 1.2 = .1823), the others n = 1 (log 2 = .6931):
        # the second is (.1823, .1823, .6931), the first was told with idf log(2/1.5) for all, so 1/sqrt 3 each:
        # cosine = 2·.1823/(sqrt 3 · sqrt(2·.1823² + .6931²)) = .285.
        pushes = [(said("ferry fire port", "ferry fire crew"), 0)]
        want = 2 * log(1.2) / sqrt(3) / sqrt(2 * log(1.2) ** 2 + log(2) ** 2)
        got = run(make("cst:similarity=0.3"), pushes)
        assert got[1].confidence == pytest.approx(1 - want)
        assert len(run(make("cst:similarity=0.28"), pushes)) == 1

    def test_tells_sentences_of_any_length(self):
        pushes = [(said("ferry fire " + "x " * 60), 0)]
        assert len(run(make("cst"), pushes)) == 1
        assert run(make("cst:max_words=40"), pushes) == []


class TestAffinity:
    BATCH = (
        "fire smoke one two three",
        "fire smoke one two four",
        "fire smoke one two five",
        "fire crew six seven eight",
        "fire crew six seven nine",
        "fire alone ten eleven twelve",
    )

    def test_tells_one_of_each_group(self):
        got = run(make("affinity:overlap=1,min_words=0"), hours(self.BATCH), FIRE)
        assert {text.split()[1] for text in texts(got)} == {"smoke", "crew"}
        assert [u.confidence for u in got] == pytest.approx([3 / 6, 2 / 6])
        alone = run(make("affinity:overlap=1,min_words=0,group=1"), hours(self.BATCH), FIRE)
        assert {text.split()[1] for text in texts(alone)} == {"smoke", "crew", "alone"}
        assert len(run(make("affinity:overlap=1,min_words=0,group=3"), hours(self.BATCH), FIRE)) == 1

    def test_any_number_is_told_even_after_one_was_refused(self):
        """The largest group was told in the hour before; the smaller one is new."""
        first = [text for text in self.BATCH if "crew" not in text]
        got = run(make("affinity:overlap=1,min_words=0"), hours(first, self.BATCH), FIRE)
        assert [text.split()[1] for text in texts(got)] == ["smoke", "crew"]

    def test_copies_are_no_group(self):
        copied = self.BATCH + self.BATCH[-1:] * 9 + self.BATCH[:1] * 9
        plain = run(make("affinity:overlap=1,min_words=0"), hours(self.BATCH), FIRE)
        assert run(make("affinity:overlap=1,min_words=0"), hours(copied), FIRE) == plain

    def test_leaves_out_short_sentences_and_quiet_hours(self):
        assert run(make("affinity:overlap=1"), hours(self.BATCH), FIRE) == []
        assert run(make("affinity:overlap=1,min_words=0,least=7"), hours(self.BATCH), FIRE) == []


@every("name", ["lexrank", "sumfocus", "affinity"])
def test_whole_hours_and_single_documents_are_decided_alike(name):
    """Pushed hour by hour or document by document, the same is told, only earlier or later."""
    batches = [
        [f"ferry fire place{(n * h) % 7} crew{n % 3} port{n} now at sea off the coast" for n in range(12)]
        for h in range(1, 6)
    ]
    single = [
        (said(text, doc=f"{h}-{n}", time=h * HOUR + n * 60), h * HOUR + n * 60)
        for h, batch in enumerate(batches)
        for n, text in enumerate(batch)
    ]
    together = [
        ([s for sentences, _ in single for s in sentences if s.published_time // HOUR == h], (h + 1) * HOUR)
        for h in range(len(batches))
    ]
    system = make(f"{name}:minutes=60,similarity=0.6")
    by_document = run(system, [*single, ([], 10 * HOUR)], FERRY)
    by_hour = run(system, together, FERRY)
    assert [update.id for update in by_document] == [update.id for update in by_hour]
    assert len(by_hour) > 2
    assert [u.time for u in by_hour] <= [u.time for u in by_document]


def test_carried_words_count_even_where_one_sentence_fills_the_interval():
    """What was said is remembered also when the interval ends with it (length=1)."""
    pushes = hours(("fire smoke", "fire smoke crew"), ("fire smoke", "fire crew port"))
    spec = "sumfocus:overlap=1,focus=0,similarity=1,length=1,carry={}"
    assert texts(run(make(spec.format("no")), pushes, FIRE))[1] == "fire smoke"
    assert texts(run(make(spec.format("yes")), pushes, FIRE))[1] == "fire crew port"


def test_sumfocus_counts_how_often_a_stem_was_told():
    """Each telling squares its share once more, also after a resume."""
    follower = make("sumfocus").start(FERRY)
    for _ in range(3):
        follower._say(["ferri"])
    waiting = [WaitingSentence(Sentence("d", 0, "ferry", 0), ("ferri",))]
    fresh = make("sumfocus").start(FERRY)._shares(waiting)["ferri"]
    assert follower._shares(waiting)["ferri"] == pytest.approx(fresh**8)
    resumed = make("sumfocus").start(FERRY)
    follower._changed()
    resumed.restore(follower.state())
    assert resumed._shares(waiting)["ferri"] == pytest.approx(fresh**8)
