"""Training of `hres`: torch and numpy agree, rewards by hand, and reinforcement finds what pays."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest

from tests.research.training.alike import alike
from tests.research.training.toy_events import DAY, event_of, repeating, toy
from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.core.models.files import Model, write_model_bytes
from tidings.core.records import ModelCard, Update
from tidings.evaluation.measures.nuggets_as_clusters import prepare_event, score_days
from tidings.research.systems.hres import Hres, Network
from tidings.research.systems.hres_memory import WINDOW, StreamContext
from tidings.research.training.hres.event_tables import (
    HresOptions,
    oracle,
    outcome,
    read_stream_of,
    reward_of,
)
from tidings.research.training.trainers import Training, read_options, trainer_of

QUICK = cases(__file__, "quick")


def tell(stream, numbers):
    return [
        Update(
            stream.event.event.id,
            stream.sentences[n].sentence.doc_id,
            stream.sentences[n].sentence.index,
            stream.times[n],
        )
        for n in numbers
    ]


class TestRewards:
    """Nuggets 0 and 1 are worth 1, nugget 2 (of importance 1) .5, nugget 3 of no importance nothing."""

    event = event_of(
        1,
        [
            ("one a", 0, 0),
            ("one b", 0, DAY // 2),
            ("two", 1, DAY // 2 + 60),
            ("three", 2, DAY - 1),
            ("idle", -1, DAY + 5),
            ("one c", 0, 2 * DAY + 5),
            ("four", 3, 2 * DAY + 6),
        ],
        (3, 2, 1, 0),
    )
    stream = read_stream_of(event, Hres(overlap=0), 100)

    def test_by_hand(self):
        """First day: gains 1, 0 and .5 of 2.5; second silent; on the third a sentence is news that was told before."""
        result = outcome(self.stream, [0, 1, 3])
        assert result.eg_0 == pytest.approx((1.5 / 3) / 3)
        assert result.ncg_0 == pytest.approx((1.5 / 2.5) / 3)
        assert result.eg == pytest.approx(result.eg_0 + 1 / 3)
        assert result.ncg == pytest.approx(result.ncg_0 + 1 / 3)
        assert result.latency == pytest.approx(1)

    def test_noise_on_a_silent_day_costs_its_credit(self):
        quiet, noisy = outcome(self.stream, [0, 1, 3]), outcome(self.stream, [0, 1, 3, 4])
        assert quiet.eg - noisy.eg == pytest.approx(1 / 3)

    def test_latency_is_the_share_of_a_day_that_was_not_lost(self):
        assert outcome(self.stream, [1]).latency == pytest.approx(0.5)
        assert outcome(self.stream, [5]).latency == 0
        assert outcome(self.stream, []).latency == 0

    def test_a_nugget_of_no_importance_earns_nothing(self):
        assert outcome(self.stream, [6]).ncg_0 == 0

    def test_identity(self):
        """EG-1 - EG-0 = nCG-1 - nCG-0: the credit of silent days, whatever is told."""
        for emitted in ([], [0], [4], [0, 2, 5], [0, 1, 2, 3, 4, 5]):
            result = outcome(self.stream, emitted)
            assert result.eg - result.eg_0 == pytest.approx(result.ncg - result.ncg_0)

    @every("seed", range(8))
    def test_is_what_the_tables_print(self, seed):
        """H is the track's; EG, nCG and latency those of nuggets taken as clusters; an eleventh of a day is dropped."""
        rng = random.Random(seed)
        crowded = [(f"say{n}", n if n % 3 else -1, 100 * n) for n in range(40)]
        for event in (self.event, toy(seed), event_of(2, crowded, (3, 1) * 20)):
            stream = read_stream_of(event, Hres(overlap=0), 100)
            emitted = [n for n in range(len(stream)) if rng.random() < 0.4]
            result, official = outcome(stream, emitted), event.score(tell(stream, emitted))
            assert pytest.approx(official["H"]) == result.H
            assert result.nelg == pytest.approx(official["nE[LG]"])
            assert pytest.approx(official["LC"]) == result.LC
            times = {row.id: row.published_time for row, _ in event.sentences}
            prepared = prepare_event(event.judged, times.__getitem__, "guideline")
            days = score_days(prepared, tell(stream, emitted))
            assert result.eg == pytest.approx(days.values["EG-1"])
            assert result.ncg == pytest.approx(days.values["nCG-1"])
            assert result.ncg_0 == pytest.approx(days.values["nCG-0"])
            late = days.values["latency_mean"] if days.latencies else DAY
            assert result.latency == pytest.approx(1 - min(1, late / DAY))

    def test_terms(self):
        found = outcome(self.stream, [1, 3])
        whole = reward_of(found, HresOptions())
        assert whole == pytest.approx(0.15 * found.eg + 0.8 * found.ncg + 0.05 * found.latency)
        assert reward_of(found, HresOptions(reward="hres")) == pytest.approx(whole - 0.05 * found.latency)
        assert reward_of(found, HresOptions(without="latency")) == pytest.approx(whole - 0.05 * found.latency)
        own = HresOptions(eg_weight=0.5, ncg_weight=0.25, latency_weight=0.125)
        assert reward_of(found, own) == pytest.approx(
            0.5 * found.eg + 0.25 * found.ncg + 0.125 * found.latency
        )
        assert reward_of(found, HresOptions(without="eg")) == pytest.approx(whole - 0.15 * found.eg)
        assert reward_of(found, HresOptions(without="ncg")) == pytest.approx(whole - 0.8 * found.ncg)
        assert reward_of(found, HresOptions(without="silence")) == pytest.approx(
            whole - 0.95 * (found.eg - found.eg_0)
        )
        assert reward_of(found, HresOptions(reward="h")) == pytest.approx(found.H)


def test_the_oracle_tells_each_nugget_once():
    stream = read_stream_of(toy(3), Hres(overlap=0), 100)
    _, told = oracle(stream)
    assert told == [n for n, spans in enumerate(stream.spans) if spans]


class TestOptions:
    def test_texts_become_numbers(self):
        found = read_options(
            HresOptions, {"hops": "4", "penalty": ".5", "rate": "1e-3", "reward": "h"}, "hres"
        )
        assert (found.hops, found.penalty, found.rate, found.reward) == (4, 0.5, 0.001, "h")

    @every("given", [{"hop": "2"}, {"hops": "0"}, {"hops": "many"}, {"reward": "other"}])
    def test_refused(self, given):
        with pytest.raises(UsageError, match="training hres: "):
            read_options(HresOptions, given, "hres")


def test_no_event():
    with pytest.raises(UsageError, match=r"no event|needs torch"):
        trainer_of("hres")([], [], Training("hres"))


class TestTorch:
    @pytest.fixture(autouse=True)
    def torch(self):
        module = pytest.importorskip("torch")
        module.set_num_threads(1)
        return module

    def modules(self, torch, **changed):
        from tidings.research.training.hres.encoder import Encoder, Policy, export

        torch.manual_seed(3)
        options = HresOptions(**{"words": 100, "size": 8, "units": 7, "hops": 2, "memory": 6} | changed)
        encoder = Encoder(options).eval()
        policy = Policy(options.memory).eval()
        with torch.no_grad():
            encoder.words.weight.mul_(5)
            encoder.words.weight[0] = 0
        return encoder, policy, Network(Model(card=ModelCard(system="hres"), arrays=export(encoder, policy)))

    def tensors_of(self, ids, marks):
        from tidings.research.training.hres.encoder import tensors_of

        return tensors_of(ids, marks)

    @pytest.mark.parametrize("changed", [{}, {"attention": "uniform"}, {"query": False}])
    def test_numpy_equals_torch(self, torch, changed):
        encoder, _, network = self.modules(torch, **changed)
        rng = np.random.default_rng(1)
        lengths = rng.integers(1, 41, size=20)
        ids = [rng.integers(1, 100, size=n) for n in lengths]
        marks = [rng.random((n, 6), dtype=np.float32) for n in lengths]
        surfaces = rng.normal(0, 3, size=(20, 9)).astype(np.float32)
        asked = np.array([4, 5])
        ours = network.encode(ids, marks, asked)
        padded, seen, sizes = self.tensors_of(ids, marks)
        with torch.no_grad():
            A, sentences, likeness = encoder(padded, seen, sizes, torch.from_numpy(asked))
            standard, context, logits = encoder.judge(sentences, torch.from_numpy(surfaces), likeness)
        latest = StreamContext(likeness.shape[1])
        for n in range(20):
            assert np.abs(latest.look(ours.likeness[n]) - context[n].numpy()).max() < 1e-5
            latest.add(ours.likeness[n])
        for mine, theirs in (
            (ours.attention, A),
            (ours.sentences, sentences),
            (ours.likeness, likeness),
            (network.standard(surfaces), standard),
            (network.judge(ours.sentences, network.standard(surfaces), context.numpy()), logits),
        ):
            assert np.abs(mine - theirs.numpy()).max() < 1e-5
        if changed.get("attention") == "uniform":
            for n, size in enumerate(lengths):
                assert ours.attention[n, :, :size] == pytest.approx(1 / size)
        other = network.encode(ids, marks, np.array([7, 8, 9])).sentences
        assert (np.abs(other - ours.sentences).max() < 1e-6) == (not changed.get("query", True))

    def test_the_window_of_the_stream_is_the_followers(self, torch):
        from tidings.research.training.hres.encoder import context_of

        likeness = torch.nn.functional.normalize(torch.randn(WINDOW + 40, 3), dim=1)
        latest = StreamContext(3)
        for row, expected in zip(likeness.numpy(), context_of(likeness).numpy(), strict=True):
            assert np.abs(latest.look(row) - expected).max() < 1e-5
            latest.add(row)

    def test_vectors_begin_with_the_company_of_words(self, torch):
        """1 and 2 never meet but are seen with the same words; 3 is seen with others."""
        from tidings.research.training.hres.encoder import word_vectors

        texts = [np.array([a, b]) for a, bs in ((1, (5, 6)), (2, (5, 6)), (3, (7, 8))) for b in bs] * 3
        vectors = word_vectors(texts, 12, 4)
        assert float(vectors[1] @ vectors[2]) > 0.3 > abs(float(vectors[1] @ vectors[3]))
        assert not vectors[0].any()
        assert not vectors[11].any()
        assert not word_vectors([], 12, 4).any()

    def test_penalty_by_hand(self, torch):
        """Hops on different words cost nothing; on the same word |11ᵀ - I|² = 2; spread evenly over two, (1/2)² · 4."""
        from tidings.research.training.hres.encoder import attention_penalty

        assert attention_penalty(torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])) == pytest.approx(0, abs=1e-6)
        assert attention_penalty(torch.tensor([[[1.0, 0.0], [1.0, 0.0]]])) == pytest.approx(2)
        assert attention_penalty(torch.tensor([[[0.5, 0.5], [0.5, 0.5]]])) == pytest.approx(1)
        both = torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [1.0, 0.0]]])
        assert attention_penalty(both) == pytest.approx(1)

    def test_gradients_reach_everything(self, torch):
        from tidings.research.training.hres.encoder import _loss, _targets, _text_loss

        encoder, _, _ = self.modules(torch)
        stream = read_stream_of(toy(1, 20), Hres(overlap=0), 100)
        _loss(encoder, stream, _targets(stream), np.arange(20), 1.0).backward()
        encoder.train()
        _text_loss(encoder, stream, list(range(20))).backward()
        for name, weight in encoder.named_parameters():
            # Toy nuggets are told once, so there is no pair of which to learn what is alike but for its bias.
            assert weight.grad is not None, name
            assert torch.isfinite(weight.grad).all(), name
            assert weight.grad.abs().sum() > 0, name

    @pytest.mark.parametrize("stage", ["imitate", "reinforce"])
    def test_the_reward_reaches_the_attention(self, torch, stage):
        """Both change every part of the encoder, and nothing of it at a rate of 0."""
        from tidings.research.training.hres.reinforcement import Learner

        for rate in (0.01, 0.0):
            encoder, policy, _ = self.modules(torch)
            options = HresOptions(imitation=2, steps=2, check=2, rollouts=4, events=1, encoder_rate=rate)
            streams = [read_stream_of(toy(n, 70), Hres(overlap=0), 100) for n in range(2)]
            before = {name: weight.clone() for name, weight in encoder.named_parameters()}
            learner = Learner(policy, encoder, streams, [0.1] * 2, [], options, np.random.default_rng(0))
            getattr(learner, stage)(lambda done, total: None)
            for name in ("words", "lstm", "attend_1", "attend_2", "attend_query", "join"):
                changed = any(
                    not torch.equal(before[key], weight)
                    for key, weight in encoder.named_parameters()
                    if key.startswith(name)
                )
                assert changed == (rate > 0), name

    def test_the_tables_pass_on_the_gradient_of_the_whole(self, torch):
        """What the laid-out inputs gather goes to the weights as if the policy had read the encoder's own outputs."""
        from tidings.research.training.hres.reinforcement import Learner, encode

        encoder, policy, _ = self.modules(torch)
        streams = [read_stream_of(toy(n, 30 + 20 * n), Hres(overlap=0), 100) for n in range(2)]
        learner = Learner(policy, encoder, streams, [0.1] * 2, [], HresOptions(), np.random.default_rng(0))
        batch = learner.batch(streams, [0.1] * 2)
        assert batch.tables.order == [1, 0]
        (batch.static[0, :50].sum() + 2 * batch.sentences[1, :30].pow(2).sum()).backward()
        batch.to_encoder()
        passed_on = encoder.attend_2.weight.grad.clone()
        encoder.zero_grad()
        (encode(encoder, streams[1])[0].sum() + 2 * encode(encoder, streams[0])[1].pow(2).sum()).backward()
        assert passed_on.abs().sum() > 0
        assert torch.allclose(passed_on, encoder.attend_2.weight.grad, rtol=1e-3, atol=1e-6)

    def test_the_follower_does_what_was_played_in_training(self, torch, tmp_path):
        """Rollouts and follower are written twice, for many rows and for one: they must tell the same."""
        from tidings.research.training.hres.encoder import export
        from tidings.research.training.hres.reinforcement import Learner, network_of
        from tidings.research.training.hres.rollouts import play

        encoder, policy, network = self.modules(torch)
        events = [toy(1, 50), toy(2, 200), TestRewards.event, repeating(3)]
        streams = [read_stream_of(event, Hres(overlap=0), 100) for event in events]
        learner = Learner(policy, encoder, streams, [0.1] * 4, [], HresOptions(), np.random.default_rng(0))
        # Weights by chance would tell all or nothing: put the odds of a first sentence about even.
        static = learner.tables(streams[:1]).static[0]
        nothing = np.zeros((len(static), 7 + network.memory_size), dtype=np.float32)
        nothing[:, 3:5] = 1
        logits = network.decide(static, nothing[:, :7], nothing[:, 7:])
        with torch.no_grad():
            policy.decide_2.bias.sub_(float(np.quantile(logits, 0.2)))
            policy.decide_2.weight.mul_(6)
            policy.decide_2.bias.mul_(6)
        path = tmp_path / "m.safetensors"
        model = Model(card=ModelCard(system="hres"), arrays=export(encoder, policy))
        path.write_bytes(write_model_bytes(model))
        system = Hres(overlap=0, model=str(path))
        tables = learner.tables(streams)
        played = play(tables, network_of(encoder, policy), 1, None)
        counts = []
        for row, stream in enumerate(tables.streams):
            updates = [update.id for update in stream.event.run(system)]
            assert updates == [stream.sentences[n].sentence.id for n in played.chosen[row]]
            counts.append(len(updates))
        assert 0 < sum(counts) < sum(map(len, streams))
        assert (played.free == 0).any()

    def test_gradients_see_what_was_played(self, torch):
        """The torch policy, given pieces of what numpy played, has numpy's odds."""
        from tidings.research.training.hres.reinforcement import Learner
        from tidings.research.training.hres.rollouts import play

        encoder, policy, network = self.modules(torch)
        streams = [read_stream_of(toy(n, 150 - 20 * n), Hres(overlap=0), 100) for n in range(2)]
        learner = Learner(policy, encoder, streams, [0.1] * 2, [], HresOptions(), np.random.default_rng(0))
        batch = learner.batch(streams, [0.1] * 2)
        played = play(batch.tables, network, 3, np.random.default_rng(2))
        odds = network.decide(
            batch.tables.static[0, 100:101],
            played.dynamic[2, 100:101],
            _memory_before(network, batch.tables, played, 2, 100),
        )
        with torch.no_grad():
            logits, actions, mask = learner._logits(batch, played, (np.array([2]), np.array([64])))
        assert abs(float(logits[0, 36]) - odds[0]) < 1e-5
        assert actions[0, 36] == played.actions[2, 100]
        assert mask.sum() == played.free[2, 64:128].sum()
        with torch.no_grad():
            mask = learner._logits(batch, played, (np.array([3]), np.array([128])))[2]
        assert mask.sum() == played.free[3, 128:130].sum()

    @pytest.mark.parametrize(
        ("baseline", "expected"),
        [("rollouts", [0.75, -0.75, 0]), ("self-critical", [0.8, -0.2, 0.3]), ("none", [1, 0, 0.5])],
    )
    def test_advantages(self, torch, baseline, expected):
        from tidings.research.training.hres.reinforcement import advantages

        found = advantages(np.array([[1.0, 0.0, 0.5]]), baseline, np.array([0.2]))
        assert found[0] == pytest.approx(expected)

    @pytest.mark.parametrize("baseline", ["rollouts", "self-critical"])
    def test_reinforce_learns_without_a_teacher(self, torch, baseline):
        """No imitation: chance and reward alone must find that "toll" pays and chat does not."""
        events = [toy(n, 24) for n in range(4)]
        given = {
            "passes": "20",
            "imitation": "0",
            "steps": "20",
            "check": "20",
            "policy_rate": "0.01",
            "encoder_rate": "0.003",
            "reward": "h",
        }
        options = QUICK | given | {"baseline": baseline, "rollouts": "16"}
        first, last = trainer_of("hres")(events, [], Training("hres", options)).curve
        assert last["H"] > 1.5 * first["H"]
        assert last["EG-1"] > first["EG-1"]
        assert last["updates"] < 10

    def test_same_seed_same_arrays_and_development_is_kept_apart(self, torch, tmp_path):
        events = [toy(n, 40) for n in range(4)]
        one, other = (
            trainer_of("hres")(events[:3], events[3:], Training("hres", QUICK, seed=4)) for _ in range(2)
        )
        assert alike(one.arrays, other.arrays)
        assert one.arrays["words"].dtype == np.float16
        assert [row["step"] for row in one.curve] == [0, 2, 4]
        assert {"reward", "H", "development reward", "development H"} <= set(one.curve[0])
        alone = trainer_of("hres")(events[:3], [], Training("hres", QUICK, seed=4))
        assert "development H" not in alone.curve[0]
        changed = dataclasses.replace(events[3], event=events[3].event)
        assert changed.event.id == "T3"


def _memory_before(network, tables, played, row, step):
    event = row // 3
    memory = np.zeros((1, network.memory_size), dtype=np.float32)
    for t in range(step):
        memory = network.remember(memory, tables.sentences[event, t : t + 1], played.actions[row, t : t + 1])
    return memory
