"""The lessons of `hres` by hand: oracle, texts, judgments, imitation and the steps of REINFORCE."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from tests.research.training.toy_events import event_of, judged_event, repeating, toy
from tidings.research.systems.hres import Hres
from tidings.research.training.hres.event_tables import (
    HresOptions,
    _tell,
    gains_at_first,
    oracle,
    outcome,
    read_stream_of,
)
from tidings.research.training.trainers import Training


def stream_of(event, **gate):
    return read_stream_of(event, Hres(overlap=0, **gate), 100)


class TestOracle:
    def test_has_the_best_h_of_its_levels(self):
        levels = set()
        for number in range(4):
            stream = stream_of(repeating(number))
            level, emitted = oracle(stream)
            assert emitted == _tell(stream, level)
            best = outcome(stream, emitted).H
            assert best >= max(outcome(stream, _tell(stream, each)).H for each in (0.01, 0.1, 0.2, 0.5))
            levels.add(level)
        assert len(levels) > 1

    def test_tells_nothing_twice(self):
        stream = stream_of(event_of(1, [("one a", 0, 0), ("one b", 0, 60), ("two", 1, 120)], (3, 3)))
        assert oracle(stream)[1] == [0, 2]


def test_gain_and_verbosity_of_a_sentence_alone():
    """Two nuggets of gain 1 twelve hours late, by a word of four each; then two words of nothing."""
    said = [("aa bb cc dd", 43_200, [(0, 3, 5), (1, 9, 11)]), ("idle talk", 43_300, [])]
    event = judged_event(1, said, (3, 3))
    (gain, verbosity), nothing = gains_at_first(stream_of(event))
    assert gain == pytest.approx(2 * (1 - 2 / math.pi * math.atan(2)))
    assert verbosity == pytest.approx(1 + 2 / 2)
    assert nothing == (0.0, pytest.approx(1 + 2 / 2))


class TestTorch:
    @pytest.fixture(autouse=True)
    def torch(self):
        module = pytest.importorskip("torch")
        module.set_num_threads(1)
        return module

    def learner(self, torch, events, development=(), **changed):
        from tidings.research.training.hres.encoder import Encoder, Policy
        from tidings.research.training.hres.reinforcement import Learner

        torch.manual_seed(3)
        given = {"words": 100, "size": 8, "units": 6, "hops": 2, "memory": 6, "events": 2, "rollouts": 4}
        options = HresOptions(**given | changed)
        encoder, policy = Encoder(options).eval(), Policy(options.memory, dropout=options.dropout).eval()
        streams, others = map(stream_of, events), list(map(stream_of, development))
        levels = [0.05 + 0.1 * n for n in range(len(events))]
        return Learner(policy, encoder, list(streams), levels, others, options, np.random.default_rng(0))

    def test_a_stream_that_the_teacher_plays_alone_is_the_oracles(self, torch):
        """What a decision earns is written twice, for one row and for many: new gain, verbosity, each event's level."""
        from tidings.research.training.hres.reinforcement import network_of
        from tidings.research.training.hres.rollouts import play

        learner = self.learner(torch, [repeating(n, 30 + 10 * n) for n in range(3)])
        batch = learner.batch(learner.streams, learner.levels)
        network = network_of(learner.encoder, learner.policy)
        played = play(batch.tables, network, 1, np.random.default_rng(1), teacher=1.0)
        for place, n in enumerate(batch.tables.order):
            expected = _tell(learner.streams[n], learner.levels[n])
            assert played.chosen[place] == expected
            assert 2 < len(expected) < len(learner.streams[n])

    def test_the_first_hop_begins_with_words_of_the_query(self, torch):
        learner = self.learner(torch, [toy(1, 4)], size=32, words=2048)
        encoder = learner.encoder
        torch.nn.init.zeros_(encoder.attend_2.weight)
        torch.nn.init.normal_(encoder.words.weight)
        ids = torch.tensor([[5, 6, 7, 8]])
        with torch.no_grad():
            A = encoder(ids, torch.zeros((1, 4, 6)), torch.tensor([4]), torch.tensor([7]))[0]
        assert int(A[0, 0].argmax()) == 2
        assert float(A[0, 0, 2]) > 0.9

    def test_uniform_attention_stays_so(self, torch):
        from tidings.research.training.hres.encoder import pretrain, tensors_of

        learner = self.learner(torch, [repeating(1)], attention="uniform", passes=3, rate=0.1)
        rng = np.random.default_rng(0)
        pretrain(learner.encoder, learner.streams, learner.options, rng, lambda done, total: None)
        assert not learner.encoder.training
        read = learner.streams[0].sentences[:3]
        tensors = tensors_of([one.reading.ids for one in read], [one.marks for one in read])
        with torch.no_grad():
            A = learner.encoder(*tensors, torch.from_numpy(learner.streams[0].query_ids))[0]
        assert float(A.max()) == pytest.approx(1 / min(map(int, tensors[2])), rel=1e-5)

    def test_what_is_wanted_of_a_sentence(self, torch):
        """Whether it matches, its gain per verbosity in units of .3 and at most 1, and all of its nuggets."""
        from tidings.research.training.hres.encoder import _targets

        stream = stream_of(repeating(2))
        both, nuggets = _targets(stream)
        rates = [gain / verbosity / 0.3 for gain, verbosity in gains_at_first(stream)]
        assert min(rates) == 0
        assert max(rates) > 1 > sorted(rates)[-10]
        for n, spans in enumerate(stream.spans):
            assert both[n].tolist() == pytest.approx([float(bool(spans)), min(1, rates[n])], rel=1e-5)
            assert set(torch.flatten(torch.nonzero(nuggets[n])).tolist()) == {span[0] for span in spans}
        assert int(nuggets.sum(1).max()) > 1

    def test_loss_of_judgments_by_hand(self, torch):
        """With odds and likeness given: cross-entropy, relevance by pairs, likeness of one nugget's, penalty."""
        from tidings.research.training.hres.encoder import _loss, _targets

        said = [("one a", 0, 0), ("one b", 0, 60), ("two", 1, 120), ("idle", -1, 180)]
        stream = stream_of(event_of(1, said, (3, 3)))
        logits = torch.tensor([[2.0, 1.0], [0.5, -1.0], [1.0, 0.0], [-1.5, 0.3]])
        likeness = torch.nn.functional.normalize(
            torch.tensor([[1.0, 0.1], [1.0, -0.1], [0.2, 1.0], [1.0, 1.0]]), dim=1
        )
        A = torch.full((4, 2, 3), 1 / 3)

        class Encoder:
            pair = torch.tensor([5.0, -2.0])

            def __call__(self, *read):
                return A, None, likeness

            def judge(self, *read):
                return None, None, logits

        found = [
            float(_loss(Encoder(), stream, _targets(stream), np.arange(4), penalty)) for penalty in (0.0, 0.5)
        ]

        def cost(logit, wanted):
            return math.log1p(math.exp(-logit)) * wanted + math.log1p(math.exp(logit)) * (1 - wanted)

        wanted = [[1, 1], [1, 1], [1, 1], [0, 0]]
        expected = np.mean([cost(float(logits[n, m]), wanted[n][m]) for n in range(4) for m in range(2)])
        expected += np.mean([math.log1p(math.exp(-(float(logits[n, 0]) + 1.5))) for n in range(3)])
        pairs = []
        for n, m, same in ((0, 1, 1), (0, 2, 0), (1, 2, 0)):
            pairs.append((1 + 2 * same) * cost(5 * float(likeness[n] @ likeness[m]) - 2, same))
        expected += 0.5 * np.mean(pairs)
        assert found[0] == pytest.approx(expected, rel=1e-4)
        # A Aᵀ holds 1/3 four times: (2/3)² twice and (1/3)² twice.
        assert found[1] - found[0] == pytest.approx(0.5 * 10 / 9, rel=1e-4)

    def test_loss_of_texts_by_hand(self, torch):
        """Guesses among the words there are; the rest of a sentence is most like the whole; documents hold together."""
        from tidings.research.training.hres.encoder import _text_loss

        texts = [
            SimpleNamespace(
                ids=np.array([1, 2, 3, 4]), marks=np.zeros((4, 6), dtype=np.float32), document=name
            )
            for name in ("a", "a", "b")
        ]
        stream = SimpleNamespace(texts=texts, query_ids=np.array([1]))
        whole = torch.eye(3)
        part = torch.tensor([[0.8, 0.6, 0.0], [0.0, 1.0, 0.0], [0.6, 0.0, 0.8]])

        class Encoder:
            hidden = 0

            def __call__(self, ids, *read):
                return None, None, whole if int((ids == 0).sum()) == 0 else part

            def states(self, ids, *read):
                Encoder.hidden = int((ids == 0).sum())
                return torch.zeros((*ids.shape, 2)), None

            def guess(self, states):
                return torch.zeros((len(states), 2))

            def words(self, rows):
                assert rows.tolist() == [1, 2, 3, 4]
                return torch.zeros((len(rows), 2))

        torch.manual_seed(1)
        found = float(_text_loss(Encoder(), stream, [0, 1, 2]))
        assert 0 < Encoder.hidden < 12
        products = part.numpy()
        expected = math.log(4)
        expected += np.mean(
            [math.log(np.exp(10 * row).sum()) - 10 * row[n] for n, row in enumerate(products)]
        )
        same = (products[0, 1] + products[1, 0]) / 2
        others = [products[n, m] for n in range(3) for m in range(3) if {n, m} != {0, 1}]
        expected += 0.2 * math.log1p(math.exp(-5 * (same - np.mean(others))))
        assert found == pytest.approx(expected, rel=1e-4)

    def test_sentences_are_drawn_in_their_order(self, torch):
        from tidings.research.training.hres.encoder import _draw

        rng = np.random.default_rng(0)
        drawn = [_draw(200, rng) for _ in range(20)]
        assert all((np.diff(one) > 0).all() and len(one) == 64 and one[-1] < 200 for one in drawn)
        stretches = sum(one[-1] - one[0] == 63 for one in drawn)
        assert 3 < stretches < 17
        assert _draw(5, rng).tolist() == [0, 1, 2, 3, 4]

    def test_vectors_are_factors_of_mutual_information(self, torch):
        """Counted pair by pair: words at most 4 apart, the nearer the more, each order by itself."""
        from tidings.research.training.hres.encoder import word_vectors

        rng = np.random.default_rng(4)
        texts = [rng.integers(1, 9, size=9) for _ in range(6)] + [np.array([2])]
        after = np.zeros((10, 10))
        for ids in texts:
            for n in range(len(ids)):
                for m in range(n + 1, min(n + 5, len(ids))):
                    after[ids[n], ids[m]] += 1 / (m - n)
        often = after.sum(1) + after.sum(0)
        smooth = often**0.75 * often.sum() / (often**0.75).sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            orders = [np.log(counts * often.sum() / np.outer(often, smooth)) for counts in (after, after.T)]
        information = sum(np.nan_to_num(one, neginf=0).clip(0) for one in orders)
        U, S, _ = np.linalg.svd(information)
        factors = (U * np.sqrt(S))[1:9, :8]
        lengths = np.linalg.norm(factors, axis=1, keepdims=True)
        factors *= np.where(lengths > 1e-6, 0.6 / lengths.clip(1e-6), 0)
        vectors = word_vectors(texts, 10, 8).numpy()
        assert np.abs(vectors[1:9] @ vectors[1:9].T - factors @ factors.T).max() < 1e-3
        assert not vectors[[0, 9]].any()

    def test_what_comes_before_the_lessons(self, torch):
        """Scales and vectors of the streams, and each event's own best level where none is given."""
        from tidings.research.training.hres.encoder import word_vectors
        from tidings.research.training.hres.reinforcement import end, streams_of, taught

        events = [repeating(1), repeating(2), event_of(3, [("none of it", -1, 0)], (3,))]
        options = HresOptions(words=100, size=8, units=6, texts=0, passes=0, level=0.0, steps=0, dropout=0.25)
        streams = streams_of(events, options)
        assert len(streams) == 2
        short = streams_of(events, HresOptions(words=100, max_words=8))
        assert 0 < sum(map(len, short)) < sum(map(len, streams))
        begun = taught(streams, options, Training("hres"))
        assert begun.learner.levels == [oracle(stream)[0] for stream in streams]
        assert begun.learner.policy.drop.p == 0.25
        encoder = begun.learner.encoder
        words = word_vectors([text.ids for stream in streams for text in stream.texts], 100, 8)
        assert torch.allclose(encoder.words.weight @ encoder.words.weight.T, words @ words.T, atol=1e-3)
        surfaces = np.stack([each.surface for stream in streams for each in stream.sentences])
        standard = (surfaces - encoder.surface_mean.numpy()) * encoder.surface_scale.numpy()
        spread = surfaces.std(0) > 0.01
        assert spread.any()
        assert np.abs(standard.mean(0)).max() < 1e-3
        assert standard.std(0)[spread] == pytest.approx(1, abs=1e-3)
        given = {"words": "100", "size": "8", "units": "6", "texts": "0", "steps": "0", "reward": "h"}
        row = end(begun, Training("hres", given)).curve[-1]
        assert row["reward"] == row["H"]

    def test_imitation_ends_with_the_shift_of_the_best_h(self, torch):
        from tidings.research.training.hres.reinforcement import network_of, outcomes
        from tidings.research.training.hres.rollouts import play

        learner = self.learner(torch, [repeating(n) for n in range(2)])
        policy = learner.policy
        with torch.no_grad():
            policy.decide_2.weight.mul_(5)
        network, tables = network_of(learner.encoder, policy), learner.tables(learner.streams)
        values = {}
        for shift in np.arange(-2.0, 3.01, 0.5):
            played = play(tables, network, 1, None, shift=shift)
            values[shift] = np.mean([each.H for each in outcomes(tables, played)])
        weight, bias = policy.decide_2.weight.clone(), float(policy.decide_2.bias.detach())
        learner._settle()
        chosen = float(policy.decide_2.bias.detach()) / 2 - bias
        assert values[round(chosen, 1)] == max(values.values()) > min(values.values())
        assert torch.allclose(policy.decide_2.weight, 2 * weight)

    def test_the_teacher_steps_back(self, torch, monkeypatch):
        """It plays ever less; the policy learns with inputs hidden, and is asked without."""
        from tidings.research.training.hres import reinforcement

        learner = self.learner(torch, [repeating(n) for n in range(2)], imitation=4)
        teachers, hides = [], []
        play = reinforcement.play

        def spied(*given, teacher=0.0, **named):
            teachers.append(teacher)
            return play(*given, teacher=teacher, **named)

        monkeypatch.setattr(reinforcement, "play", spied)
        learner.policy.register_forward_hook(lambda module, given, out: hides.append(module.training))
        learner.imitate(lambda done, total: None)
        assert teachers[:4] == [1.0, 0.5, 0.0, 0.0]
        assert hides
        assert all(hides)
        assert not learner.policy.training

    def test_every_stream_is_drawn_with_its_level(self, torch):
        learner = self.learner(torch, [repeating(n, 20 + n) for n in range(4)])
        drawn = set()
        for _ in range(20):
            tables = learner._draw().tables
            for stream, level in zip(tables.streams, tables.level, strict=True):
                number = learner.streams.index(stream)
                assert level == pytest.approx(learner.levels[number])
                drawn.add(number)
        assert drawn == {0, 1, 2, 3}

    def test_events_count_the_same(self, torch):
        from tidings.research.training.hres.reinforcement import network_of
        from tidings.research.training.hres.rollouts import play

        learner = self.learner(torch, [repeating(1, 40), toy(2, 60)], reward="h")
        network, batch = network_of(learner.encoder, learner.policy), learner._draw()
        played = play(batch.tables, network, 8, np.random.default_rng(0))
        gained = learner._advantages(batch.tables, played, network).reshape(2, 8)
        assert gained.std(1) == pytest.approx(1, abs=0.5)
        assert gained.mean(1) == pytest.approx(0, abs=1e-5)

    def test_what_pays_nothing_is_decided_by_chance_and_kept(self, torch):
        """Without any reward entropy alone moves the odds, towards even ones; without development the last stand."""
        from tidings.research.training.hres.reinforcement import network_of

        said = [(f"ferry fire word{m}", -1, 600 * m) for m in range(20)]
        worthless = [event_of(n, said, (3,)) for n in range(2)]
        learner = self.learner(torch, worthless, reward="h", entropy=1.0, steps=3, check=2, encoder_rate=0.0)
        with torch.no_grad():
            learner.policy.decide_2.bias.add_(3.0)
        tables = learner.tables(learner.streams)

        def odds():
            network = network_of(learner.encoder, learner.policy)
            nothing = np.zeros((20, 7 + 6), dtype=np.float32)
            return np.abs(network.decide(tables.static[0], nothing[:, :7], nothing[:, 7:])).mean()

        before = odds()
        learner.reinforce(lambda done, total: None)
        assert odds() < before - 0.005
        assert [row["step"] for row in learner.curve] == [0, 2, 3]

    def test_the_check_with_the_best_development_is_kept(self, torch):
        learner = self.learner(
            torch, [repeating(1)], [repeating(2)], steps=20, check=1, patience=2, encoder_rate=0.001
        )
        rewards, kept = [0.1, 0.3, 0.2, 0.25, 0.9], []

        def check(step):
            kept.append(learner._copy())
            return rewards[len(kept) - 1]

        learner.check = check
        learner.reinforce(lambda done, total: None)
        assert len(kept) == 4
        for module, best, last in zip((learner.encoder, learner.policy), kept[1], kept[3], strict=True):
            now = module.state_dict()
            assert all(torch.equal(tensor, best[name]) for name, tensor in now.items())
            assert not all(torch.equal(tensor, last[name]) for name, tensor in now.items())

    def test_a_step_of_the_encoder_forgets_the_one_before(self, torch):
        learner = self.learner(torch, [repeating(1)], clip=1e9, encoder_rate=1e-9)
        gradients = []
        for _ in range(2):
            batch = learner.batch(learner.streams, learner.levels)
            batch.static.sum().backward()
            batch.sentences.sum().backward()
            learner._teach_encoder(batch, learner._of_encoder())
            gradients.append(learner.encoder.join.weight.grad.clone())
        assert gradients[0].abs().sum() > 0
        assert torch.allclose(*gradients, rtol=1e-3)

    def test_marks_of_texts_are_those_of_their_words(self, torch):
        text = stream_of(event_of(1, [("Ferry sank 12 of them", 0, 0)], (3,))).texts[0]
        assert text.marks.shape == (5, 6)
        assert text.marks[0, 0] == 1
        assert text.marks[2, 1] == 1
        assert not text.marks[:, 4:].any()
