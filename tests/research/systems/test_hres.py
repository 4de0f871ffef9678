"""`hres` without torch: numbers that torch gave, attention, memory, and what its follower keeps to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.following.systems.streams import FERRY, follow, stream
from tidings.core.errors import UsageError
from tidings.core.models.files import read_model
from tidings.core.records import Event, Sentence
from tidings.following.systems.registry import make
from tidings.research.systems.hres import Network, attend
from tidings.research.systems.hres_memory import (
    CONTEXT,
    DAY_S,
    DYNAMIC,
    SURFACE,
    WINDOW,
    WORDS,
    EmittedMemory,
    Reader,
    StreamContext,
    StreamView,
)

TINY = Path(__file__).parent / "data" / "hres-tiny.safetensors"


@pytest.fixture(scope="module")
def tiny():
    model = read_model("hres", TINY)
    return Network(model), {
        name[9:]: array for name, array in model.arrays.items() if name.startswith("expected ")
    }


def encoded(network, given, chosen, query=None):
    lengths = given["lengths"]
    return network.encode(
        [given["ids"][n, : lengths[n]] for n in chosen],
        [given["marks"][n, : lengths[n]] for n in chosen],
        given["query_ids"] if query is None else query,
    )


class TestNetwork:
    def test_gives_what_torch_gave(self, tiny):
        """The file holds untrained weights and torch's outputs; this needs no torch."""
        network, expected = tiny
        outputs = encoded(network, expected, range(4))
        for name in ("attention", "sentences", "likeness"):
            assert np.abs(getattr(outputs, name) - expected[name]).max() < 1e-5, name
        standard = network.standard(expected["surfaces"])
        logits = network.judge(outputs.sentences, standard, expected["context"])
        assert np.abs(logits - expected["relevance"]).max() < 1e-5

    def test_the_stream_level_gives_what_torch_gave(self, tiny):
        """Torch sees a whole stream at once, the follower one sentence after the other."""
        network, expected = tiny
        context = StreamContext(network.likeness_size)
        for likeness, row in zip(expected["likeness"], expected["context"], strict=True):
            assert np.abs(context.look(likeness) - row).max() < 1e-5
            context.add(likeness)

    def test_policy_gives_what_torch_gave(self, tiny):
        """The memory is carried from decision to decision."""
        network, expected = tiny
        memory = np.zeros((1, network.memory_size), dtype=np.float32)
        for n in range(4):
            static, emitted = expected["static"][n : n + 1], expected["emitted"][n : n + 1]
            assert abs(network.decide(static, emitted, memory)[0] - expected["logits"][n]) < 1e-5
            memory = network.remember(
                memory, expected["sentences"][n : n + 1], expected["actions"][n : n + 1]
            )

    def test_without_a_query_there_is_nothing_to_be_like(self, tiny):
        network, expected = tiny
        with_query = encoded(network, expected, range(4)).sentences
        without = encoded(network, expected, range(4), np.array([], dtype=np.int64)).sentences
        assert np.isfinite(without).all()
        assert np.abs(with_query - without).max() > 1e-3

    def test_a_sentence_does_not_depend_on_its_company(self, tiny):
        network, given = tiny
        together = encoded(network, given, range(4))
        for n in range(4):
            alone = encoded(network, given, [n])
            assert np.abs(alone.sentences[0] - together.sentences[n]).max() < 1e-6
            assert np.abs(alone.attention[0] - together.attention[n, :, : given["lengths"][n]]).max() < 1e-6

    def test_attention_is_spread_over_the_words_that_are_there(self, tiny):
        network, given = tiny
        A = encoded(network, given, range(4)).attention
        assert A.shape == (4, 3, 9)
        assert np.allclose(A.sum(2), 1, atol=1e-6)
        for n, length in enumerate(given["lengths"]):
            assert not A[n, :, length:].any()
            assert (A[n, :, :length] > 0).all()

    def test_surface_numbers_far_out_are_held_back(self, tiny):
        network, _ = tiny
        assert np.abs(network.standard(np.full((1, len(SURFACE)), 1e6, dtype=np.float32))).max() == 4


class TestReader:
    def test_figures_share_a_vector_and_keep_their_name(self):
        reading = Reader("ferry", "english", 1000).read("45 dead 67 dead")
        assert reading.ids[0] == reading.ids[2]
        assert reading.keys[0] != reading.keys[2]
        assert len(reading.numbers) == 2

    def test_case_and_ending_do_not_matter(self):
        reader = Reader("ferry", "english", 1000)
        assert reader.read("Burning, “Ferries”").ids.tolist() == reader.read("burned ferry").ids.tolist()

    def test_reads_the_first_words_only(self):
        reading = Reader("ferry", "english", 1000).read("ferry - " * 100)
        assert len(reading.ids) == WORDS // 2
        assert reading.places == tuple(range(0, WORDS, 2))

    def test_what_is_asked_is_no_content(self):
        reading = Reader("ferry fire", "english", 1000).read("The ferry fires spread")
        assert len(reading.content) == 1
        assert reading.marks[:, 0].tolist() == [0, 1, 1, 0]

    def test_nothing_to_read(self):
        assert not len(Reader("", "english", 1000).read(" - … ").ids)


class TestView:
    reader = Reader("ferry", "english", 1000)

    def test_words_that_come_again_grow_familiar(self):
        view, reading = StreamView(0), self.reader.read("ferry burns near the coast")
        assert view.familiarity(reading) == pytest.approx(1 + np.log(0.01) / 4.6, abs=1e-6)
        for n in range(20):
            view.add(self.reader.read(f"ferry burns word{n}"), n)
        words, pairs = view.familiarity(reading).T
        assert words[:2] == pytest.approx(1, abs=0.01)
        assert words[4] < 0.01
        assert pairs[0] == pytest.approx(1, abs=0.01)
        assert (pairs[1:] < 0.01).all()

    def test_forgets_what_left_the_window(self):
        view = StreamView(0)
        view.add(self.reader.read("captain burns"), 0)
        for n in range(WINDOW):
            view.add(self.reader.read(f"ferry word{n}"), n)
        assert (view.familiarity(self.reader.read("captain burns")) < 0.01).all()

    def test_what_is_measured(self):
        view = StreamView(0)
        for n in range(3):
            view.add(self.reader.read(f"ferry {n}"), 3600 * n)
        reading = self.reader.read("Are we on the ferry with 45?")
        now = 3600 * 2 + 1800
        measured = dict(
            zip(
                SURFACE,
                view.look(reading, Sentence("d", 2, "Are we on the ferry with 45?", now), now),
                strict=True,
            )
        )
        assert measured["words"] == pytest.approx(7 / WORDS)
        assert measured["numbers"] == pytest.approx(1 / 4)
        assert measured["first person or question"] == 1
        assert measured["matching sentences of the last hour"] == pytest.approx(np.log(2) / 5)
        assert measured["matching sentences so far"] == pytest.approx(np.log(4) / 7)

    def test_comes_back_from_its_state(self):
        view, other = StreamView(0), StreamView(0)
        for n in range(WINDOW + 20):
            view.add(self.reader.read(f"ferry word{n % 40} thing{n % 7}"), n)
            view.ranks.add(float(n % 5))
        other.restore(view.state())
        reading = self.reader.read("ferry word3 thing2")
        assert np.array_equal(other.familiarity(reading), view.familiarity(reading))
        assert other.ranks.values() == view.ranks.values()


class TestContext:
    def test_by_hand(self):
        context, east, north = StreamContext(2), np.array([1, 0]), np.array([0, 1])
        assert not context.look(east).any()
        context.add(east)
        context.add(north)
        numbers = dict(zip(CONTEXT, context.look(east).tolist(), strict=True))
        assert numbers["mean likeness to the latest sentences"] == pytest.approx(0.5)
        assert numbers["greatest likeness to a latest sentence"] == pytest.approx(1)
        assert numbers["share of the latest sentences that are alike"] == pytest.approx(0.5)

    def test_the_oldest_goes_and_state_comes_back(self):
        context, other = StreamContext(2), StreamContext(2)
        context.add(np.array([1, 0]))
        for _ in range(WINDOW):
            context.add(np.array([0, 1]))
        assert context.look(np.array([1, 0]))[1] == 0
        other.restore(context.state())
        assert np.array_equal(other.look(np.array([0.6, 0.8])), context.look(np.array([0.6, 0.8])))
        for one in (context, other):
            one.add(np.array([1, 0]))
        assert np.array_equal(other.look(np.array([0.6, 0.8])), context.look(np.array([0.6, 0.8])))


class TestEmittedMemory:
    reader = Reader("ferry", "english", 1000)

    def look(self, memory, text, now, likeness=(1, 0, 0, 0)):
        numbers = memory.look(self.reader.read(text), np.array(likeness, dtype=np.float32), now)
        return dict(zip(DYNAMIC, numbers.tolist(), strict=True))

    def add(self, memory, text, now, likeness=(1, 0, 0, 0)):
        memory.add(self.reader.read(text), np.array(likeness, dtype=np.float32), now)

    def test_by_hand(self):
        memory = EmittedMemory(5, 4)
        nothing = self.look(memory, "ferry burns coast 45", 0)
        assert nothing["share of its content words that were never told"] == 1
        assert nothing["numbers that were never told"] == 0.25
        assert nothing["time since the last update"] == pytest.approx(1)
        assert nothing["greatest likeness to what was told"] == 0
        self.add(memory, "coast burns", 60)
        self.add(memory, "captain 45", 120, (0, 1, 0, 0))
        numbers = self.look(memory, "ferry burns coast 45", 120 + 60 * 9)
        assert numbers["share of its content words that were never told"] == 0
        assert numbers["numbers that were never told"] == 0
        assert numbers["greatest likeness to what was told"] == pytest.approx(1)
        assert numbers["mean likeness to what was told"] == pytest.approx(0.5)
        assert numbers["time since the last update"] == pytest.approx(np.log(10) / 8)
        assert numbers["updates of this day"] == pytest.approx(0.2)
        assert self.look(memory, "ferry burns", 90_000)["updates of this day"] == 0

    def test_the_oldest_go(self):
        memory = EmittedMemory(12, 4)
        for n in range(20):
            self.add(memory, f"word{n} word", n, (0, 1, 0, 0) if n > 7 else (1, 0, 0, 0))
        fresh = "share of its content words that were never told"
        assert self.look(memory, "word7", 30)[fresh] == 1
        assert self.look(memory, "word8", 30)[fresh] == 0
        assert self.look(memory, "word7", 30)["greatest likeness to what was told"] == 0
        other = EmittedMemory(12, 4)
        other.restore(memory.state())
        numbers = self.look(memory, "word9 fresh", 30)
        assert self.look(other, "word9 fresh", 30) == pytest.approx(numbers)
        assert numbers["updates of this day"] == pytest.approx(2)


class TestFollower:
    spec = f"hres:model={TINY},overlap=0,max_words=0"

    def test_copies_are_judged_once(self):
        follower = make(self.spec + ",eagerness=20").start(FERRY)
        rows = [Sentence(f"d{n}", 0, "ferry burns", n) for n in range(3)]
        assert [u.doc_id for u in follower.push(rows, 5)] == ["d0"]
        assert follower.push([Sentence("e", 0, "ferry burns", 9)], 9) == []

    def test_eagerness(self):
        pushes = list(stream(3))
        told = [
            len(follow(make(f"{self.spec},daily=0,eagerness={e}").start(FERRY), pushes)) for e in (-20, 0, 20)
        ]
        assert told[0] == 0 < told[1] < told[2]

    def test_ten_a_day(self):
        rows = [Sentence(f"d{n}", 0, f"ferry burns word{n}", DAY_S * (n // 30) + n) for n in range(60)]

        def days(spec):
            follower = make(spec).start(FERRY)
            updates = [one for row in rows for one in follower.push([row], row.published_time)]
            return [sum(one.time // DAY_S == day for one in updates) for day in (0, 1)]

        assert days(f"{self.spec},eagerness=20") == [10, 10]
        assert days(f"{self.spec},eagerness=20,daily=3,max_kept=2") == [3, 3]
        assert days(f"{self.spec},eagerness=20,daily=0") == [30, 30]

    def test_confidence_is_the_policys_probability(self):
        told = follow(make(self.spec).start(FERRY), list(stream(3)))
        assert told
        assert all(0.5 < update.confidence <= 1 for update in told)

    def test_what_a_push_holds_at_once_is_told_as_if_it_came_one_by_one(self):
        """Sentences are encoded together, but decided in their order."""
        rows = [sentence for sentences, _ in stream(5) for sentence in sentences]
        rows = [Sentence(s.doc_id, s.index, s.text, 100) for s in rows]
        together = make(self.spec).start(FERRY).push(rows, 100)
        alone = make(self.spec).start(FERRY)
        assert [u.id for row in rows for u in alone.push([row], 100)] == [u.id for u in together]


class TestAttend:
    def test_one_weight_for_each_word_as_written(self):
        found = attend("Fire – on the “Ferry”, 45 saved", "ferry fire", TINY)
        assert found.words == ("Fire", "–", "on", "the", "“Ferry”,", "45", "saved")
        assert len(found.weights) == 3
        for row in found.weights:
            assert sum(row) == pytest.approx(1, abs=1e-5)
            assert row[1] == 0
        assert 0 < found.relevance < 1

    def test_the_query_matters(self):
        text = "Fire on the ferry near Oslo"
        assert attend(text, "ferry fire", TINY).weights != attend(text, "Oslo", TINY).weights

    def test_no_word(self):
        with pytest.raises(UsageError, match="no word"):
            attend(" – ", "ferry", TINY)


def test_an_event_without_a_query_can_be_followed():
    event = Event(id="E", title="", query="", start_time=0, end_time=10)
    assert make(TestFollower.spec).start(event).push([Sentence("d", 0, "some words", 5)], 5) == []
