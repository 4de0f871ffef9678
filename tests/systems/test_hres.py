"""`hres` without torch: numbers that torch gave, attention, memory, and what its follower keeps to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.systems.streams import FERRY, follow, stream
from tidings.errors import UsageError
from tidings.models.files import read_model
from tidings.records import Event, Sentence
from tidings.systems import make
from tidings.systems.hres.attention import attend
from tidings.systems.hres.memory import EmittedMemory
from tidings.systems.hres.network import Network
from tidings.systems.hres.surface import DYNAMIC, SURFACE, WINDOW, StreamView, spread
from tidings.systems.hres.words import WORDS, Reader

TINY = Path(__file__).parent / "data" / "hres-tiny.safetensors"


@pytest.fixture(scope="module")
def tiny():
    model = read_model("hres", TINY)
    return Network(model), {
        name[9:]: array for name, array in model.arrays.items() if name.startswith("expected ")
    }


def encoded(network, held, chosen):
    lengths = held["lengths"]
    return network.encode(
        [held["ids"][n, : lengths[n]] for n in chosen],
        [held["marks"][n, : lengths[n]] for n in chosen],
        held["surfaces"][list(chosen)],
        network.query(held["query_ids"]),
    )


class TestNetwork:
    def test_gives_what_torch_gave(self, tiny):
        """The file holds untrained weights and torch's outputs; this needs no torch."""
        network, held = tiny
        found = encoded(network, held, range(4))
        for name in ("attention", "sentences", "relevance", "likeness"):
            assert np.abs(getattr(found, name) - held[name]).max() < 1e-5, name

    def test_policy_gives_what_torch_gave(self, tiny):
        """The memory is carried from decision to decision."""
        network, held = tiny
        memory = np.zeros((1, network.memory_size), dtype=np.float32)
        for n in range(4):
            logit = network.decide(held["known"][n : n + 1], held["told"][n : n + 1], memory)
            assert abs(logit[0] - held["logits"][n]) < 1e-5
            memory = network.remember(memory, held["sentences"][n : n + 1], held["actions"][n : n + 1])

    def test_a_sentence_does_not_depend_on_its_company(self, tiny):
        network, held = tiny
        together = encoded(network, held, range(4))
        for n in range(4):
            alone = encoded(network, held, [n])
            assert np.abs(alone.sentences[0] - together.sentences[n]).max() < 1e-6
            assert np.abs(alone.attention[0] - together.attention[n, :, : held["lengths"][n]]).max() < 1e-6

    def test_attention_is_spread_over_the_words_that_are_there(self, tiny):
        network, held = tiny
        A = encoded(network, held, range(4)).attention
        assert A.shape == (4, 3, 9)
        assert np.allclose(A.sum(2), 1, atol=1e-6)
        for n, length in enumerate(held["lengths"]):
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
    def see(self, view, reader, text, now):
        reading = reader.read(text)
        vector = spread(reading.content)
        found = dict(zip(SURFACE, view.look(reading, vector, Sentence("d", 0, text, now), now), strict=True))
        view.add(reading, vector, now)
        return found

    def test_what_was_said_before_is_seen_to_repeat(self):
        view, reader = StreamView(0, 1), Reader("ferry", "english", 1000)
        first = self.see(view, reader, "ferry burns near the coast", 60)
        again = self.see(view, reader, "the coast near which the ferry burned", 120)
        other = self.see(view, reader, "ferry ministers resign", 180)
        alike = "greatest cosine to a latest sentence"
        assert first[alike] == 0
        assert again[alike] == pytest.approx(1)
        assert other[alike] < 0.5

    def test_forgets_what_left_the_window(self):
        view, reader = StreamView(0, 1), Reader("ferry", "english", 1000)
        self.see(view, reader, "ferry burns", 0)
        for n in range(WINDOW):
            self.see(view, reader, f"ferry word{n}", n)
        late = self.see(view, reader, "ferry burns", WINDOW)
        assert late["highest share of latest sentences with one of its words"] == 0
        assert late["greatest cosine to a latest sentence"] < 0.9

    def test_comes_back_from_its_state(self):
        reader = Reader("ferry", "english", 1000)
        view, other = StreamView(0, 1), StreamView(0, 1)
        for n in range(WINDOW + 20):
            self.see(view, reader, f"ferry word{n % 40} thing{n % 7}", n)
            view.ranks.add(float(n % 5))
        other.restore(view.state())
        seen = self.see(view, reader, "ferry word3 thing2", 999)
        assert self.see(other, reader, "ferry word3 thing2", 999) == pytest.approx(seen)
        assert other.ranks.values() == view.ranks.values()


class TestToldMemory:
    def look(self, memory, reader, text, now):
        reading = reader.read(text)
        return dict(
            zip(DYNAMIC, memory.look(reading, spread(reading.content), np.eye(4)[0], now), strict=True)
        )

    def add(self, memory, reader, text, now):
        reading = reader.read(text)
        memory.add(reading, spread(reading.content), np.eye(4)[0], now)

    def test_by_hand(self):
        memory, reader = EmittedMemory(5, 4), Reader("ferry", "english", 1000)
        nothing = self.look(memory, reader, "ferry burns coast 45", 0)
        assert nothing["share of its content words that were never told"] == 1
        assert nothing["numbers that were never told"] == 0.25
        assert nothing["time since the last update"] == pytest.approx(1)
        self.add(memory, reader, "coast burns", 60)
        self.add(memory, reader, "captain 45", 120)
        found = self.look(memory, reader, "ferry burns coast 45", 120 + 60 * 9)
        assert found["share of its content words that were never told"] == 0
        assert found["numbers that were never told"] == 0
        assert found["greatest cosine to what was told"] == pytest.approx(2 / 6**0.5)
        assert found["mean cosine to what was told"] == pytest.approx((2 / 6**0.5 + 1 / 6**0.5) / 2)
        assert found["greatest learned likeness to what was told"] == pytest.approx(1)
        assert found["time since the last update"] == pytest.approx(np.log(10) / 8)
        assert found["updates of this day"] == pytest.approx(np.log(3) / 3)
        tomorrow = self.look(memory, reader, "ferry burns", 90_000)
        assert tomorrow["updates of this day"] == 0

    def test_the_oldest_go(self):
        memory, reader = EmittedMemory(12, 4), Reader("ferry", "english", 1000)
        for n in range(20):
            self.add(memory, reader, f"word{n} word", n)
        assert self.look(memory, reader, "word7", 30)["share of its content words that were never told"] == 1
        assert self.look(memory, reader, "word8", 30)["share of its content words that were never told"] == 0
        assert self.look(memory, reader, "word7 word", 30)[
            "greatest cosine to what was told"
        ] == pytest.approx(0.5)
        other = EmittedMemory(12, 4)
        other.restore(memory.state())
        seen = self.look(memory, reader, "word9 fresh", 30)
        assert self.look(other, reader, "word9 fresh", 30) == pytest.approx(seen)


class TestFollower:
    spec = f"hres:model={TINY},overlap=0,max_words=0"

    def test_copies_are_judged_once(self):
        follower = make(self.spec + ",eagerness=20").start(FERRY)
        rows = [Sentence(f"d{n}", 0, "ferry burns", n) for n in range(3)]
        assert [u.doc_id for u in follower.push(rows, 5)] == ["d0"]
        assert follower.push([Sentence("e", 0, "ferry burns", 9)], 9) == []

    def test_eagerness(self):
        pushes = list(stream(3))
        told = [len(follow(make(f"{self.spec},eagerness={e}").start(FERRY), pushes)) for e in (-20, 0, 20)]
        assert told[0] == 0 < told[1] < told[2]

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
        with pytest.raises(UsageError, match="found no word"):
            attend(" – ", "ferry", TINY)


def test_an_event_without_a_query_can_be_followed():
    event = Event(id="E", title="", query="", start_time=0, end_time=10)
    make(TestFollower.spec).start(event).push([Sentence("d", 0, "some words", 5)], 5)
