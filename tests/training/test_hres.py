"""Training of `hres`: torch and numpy agree, rewards by hand, and reinforcement finds what pays."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest

from tests.training.alike import alike
from tidings.errors import UsageError
from tidings.measures.trec_ts import RULES, prepare
from tidings.models.files import Model, write_model_bytes
from tidings.records import Event, Judgments, Match, ModelCard, Nugget, PooledUpdate, Sentence, Update
from tidings.systems.hres import Hres
from tidings.systems.hres.network import Network
from tidings.training.hres.options import HresOptions
from tidings.training.hres.oracle import oracle
from tidings.training.hres.rewards import outcome, reward_of
from tidings.training.hres.streams import read_stream_of
from tidings.training.labelled_events import JudgedEvent
from tidings.training.options import read_options
from tidings.training.trainers import Training, trainer_of

DAY = 86_400
QUICK = {
    "words": "256",
    "size": "8",
    "units": "6",
    "memory": "6",
    "passes": "2",
    "imitation": "3",
    "steps": "4",
    "check": "2",
    "overlap": "0",
}


def event_of(number: int, said: list[tuple[str, int, int]], importance: tuple[int, ...]) -> JudgedEvent:
    """Sentences (text, nugget or -1, time); a match spans the whole text."""
    event = Event(id=f"T{number}", title="", query="ferry fire", start_time=0, end_time=3 * DAY - 1)
    rows = [Sentence(f"{n}-d", 0, text, time) for n, (text, _, time) in enumerate(said)]
    judgments = Judgments(
        name="toy",
        events=(event,),
        nuggets=tuple(
            Nugget(event.id, f"n{n}", 0, weight, "two words") for n, weight in enumerate(importance)
        ),
        matches=tuple(
            Match(event.id, row.id, f"n{nugget}", 0, len(row.text))
            for row, (_, nugget, _) in zip(rows, said, strict=True)
            if nugget >= 0
        ),
        pool=tuple(PooledUpdate(event.id, row.doc_id, row.index, row.text) for row in rows),
    )
    pushes = [([row], row.published_time) for row in rows]
    return JudgedEvent(event, "toy", pushes, prepare(judgments, RULES["trec-2014"]), "0")


def toy(number: int, length: int = 60) -> JudgedEvent:
    """Half of the sentences say "toll" and tell a nugget of their own; the others chat and tell nothing."""
    rng = random.Random(number)
    said = []
    for n in range(length):
        tells = rng.random() < 0.4
        text = f"ferry fire {'toll' if tells else 'chat'} word{rng.randrange(40)} w{number}x{n}"
        said.append((text, n if tells else -1, 600 * n))
    return event_of(number, said, (3,) * length)


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
    event = event_of(
        1,
        [
            ("one a", 0, 0),
            ("one b", 0, DAY // 2),
            ("two", 1, DAY // 2 + 60),
            ("three", 2, DAY - 1),
            ("idle", -1, DAY + 5),
            ("one c", 0, 2 * DAY + 5),
        ],
        (3, 3, 2),
    )
    stream = read_stream_of(event, Hres(overlap=0), 100)

    def test_by_hand(self):
        """First day: gains 1, 0 and e⁻¹ of 2 + e⁻¹; second silent; third has nothing left but what was told: silent."""
        found = outcome(self.stream, [0, 1, 3])
        e = np.exp(-1)
        assert found.eg_0 == pytest.approx((1 + e) / 3 / 3)
        assert found.ncg_0 == pytest.approx((1 + e) / (2 + e) / 3)
        assert found.eg == pytest.approx(found.eg_0 + 2 / 3)
        assert found.ncg == pytest.approx(found.ncg_0 + 2 / 3)
        assert found.latency == pytest.approx(1)

    def test_a_nugget_that_was_not_told_keeps_its_day_from_silence(self):
        found = outcome(self.stream, [2])
        assert found.eg == pytest.approx((1 + 1 + 0) / 3)
        assert found.eg_0 == pytest.approx(1 / 3)

    def test_noise_on_a_silent_day_costs_its_credit(self):
        assert outcome(self.stream, [0, 1, 3]).eg - outcome(self.stream, [0, 1, 3, 4]).eg == pytest.approx(
            1 / 3
        )

    def test_latency_is_the_share_of_a_day_that_was_not_lost(self):
        assert outcome(self.stream, [1]).latency == pytest.approx(0.5)
        assert outcome(self.stream, [5]).latency == 0
        assert outcome(self.stream, []).latency == 0

    def test_identity(self):
        """EG-1 - EG-0 = nCG-1 - nCG-0: the credit of silent days, whatever is told."""
        for told in ([], [0], [4], [0, 2, 5], [0, 1, 2, 3, 4, 5]):
            found = outcome(self.stream, told)
            assert found.eg - found.eg_0 == pytest.approx(found.ncg - found.ncg_0)

    @pytest.mark.parametrize("seed", range(8))
    def test_h_is_the_tracks_own(self, seed):
        rng = random.Random(seed)
        for event in (self.event, toy(seed)):
            stream = read_stream_of(event, Hres(overlap=0), 100)
            told = [n for n in range(len(stream)) if rng.random() < 0.4]
            found, official = outcome(stream, told), event.score(tell(stream, told))
            assert pytest.approx(official["H"]) == found.H
            assert found.nelg == pytest.approx(official["nE[LG]"])
            assert pytest.approx(official["LC"]) == found.LC

    def test_terms(self):
        found = outcome(self.stream, [1, 3])
        whole = reward_of(found, HresOptions())
        assert whole == pytest.approx(0.15 * found.eg + 0.8 * found.ncg + 0.05 * found.latency)
        assert reward_of(found, HresOptions(reward="hres")) == pytest.approx(whole - 0.05 * found.latency)
        assert reward_of(found, HresOptions(without="latency")) == pytest.approx(whole - 0.05 * found.latency)
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

    @pytest.mark.parametrize("given", [{"hop": "2"}, {"hops": "0"}, {"hops": "many"}, {"reward": "other"}])
    def test_refused(self, given):
        with pytest.raises(UsageError, match="training hres: "):
            read_options(HresOptions, given, "hres")


def test_no_event():
    with pytest.raises(UsageError, match=r"no (event|torch)"):
        trainer_of("hres")([], [], Training("hres"))


class TestTorch:
    @pytest.fixture(autouse=True)
    def torch(self):
        module = pytest.importorskip("torch")
        module.set_num_threads(1)
        return module

    def modules(self, torch, hops=2):
        from tidings.training.hres.modules import Encoder, Policy, export

        torch.manual_seed(3)
        encoder = Encoder(100, 8, 7, hops, 5, 16).eval()
        policy = Policy(48 + 16 + 3, 8, 48, 6).eval()
        return encoder, policy, Network(Model(card=ModelCard(system="hres"), arrays=export(encoder, policy)))

    def test_numpy_equals_torch(self, torch):
        encoder, _, network = self.modules(torch)
        rng = np.random.default_rng(1)
        lengths = rng.integers(1, 41, size=20)
        ids = [rng.integers(1, 100, size=n) for n in lengths]
        marks = [rng.random((n, 5), dtype=np.float32) for n in lengths]
        surfaces = rng.random((20, 16), dtype=np.float32)
        asked = np.array([4, 5])
        found = network.encode(ids, marks, surfaces, network.query(asked))
        padded = torch.zeros((20, 40), dtype=torch.int64)
        seen = torch.zeros((20, 40, 5))
        for n, size in enumerate(lengths):
            padded[n, :size] = torch.from_numpy(ids[n])
            seen[n, :size] = torch.from_numpy(marks[n])
        with torch.no_grad():
            query = encoder.query([torch.from_numpy(asked)]).expand(20, -1)
            expected = encoder(padded, seen, torch.from_numpy(lengths), torch.from_numpy(surfaces), query)
        for ours, theirs in zip(
            (found.attention, found.sentences, found.relevance, found.likeness), expected, strict=True
        ):
            assert np.abs(ours - theirs.numpy()[..., : ours.shape[-1]]).max() < 1e-5

    def test_penalty_by_hand(self, torch):
        """Hops on different words cost nothing; on the same word |11ᵀ - I|² = 2; spread evenly over two, (1/2)² · 4."""
        from tidings.training.hres.modules import attention_penalty

        assert attention_penalty(torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])) == pytest.approx(0, abs=1e-6)
        assert attention_penalty(torch.tensor([[[1.0, 0.0], [1.0, 0.0]]])) == pytest.approx(2)
        assert attention_penalty(torch.tensor([[[0.5, 0.5], [0.5, 0.5]]])) == pytest.approx(1)

    def test_gradients_reach_everything(self, torch):
        from tidings.training.hres.pretraining import _loss, _targets

        encoder, _, _ = self.modules(torch)
        stream = read_stream_of(toy(1, 20), Hres(overlap=0), 100)
        _loss(encoder, stream, _targets(stream), np.arange(20), 1.0).backward()
        for name, weight in encoder.named_parameters():
            # Toy nuggets are told once, so there is no pair of which to learn what is alike but for its bias.
            assert weight.grad is not None, name
            assert torch.isfinite(weight.grad).all(), name
            assert weight.grad.abs().sum() > 0, name

    def test_the_follower_does_what_was_played_in_training(self, torch, tmp_path):
        """Rollouts and follower are written twice, for many rows and for one: they must tell the same."""
        from tidings.training.hres.modules import export
        from tidings.training.hres.rollouts import make_tables, play

        encoder, policy, network = self.modules(torch)
        # Weights by chance would tell all or nothing: put the odds of a first sentence about even.
        first = read_stream_of(toy(1, 50), Hres(overlap=0), 100)
        known = make_tables([first], network, [0.1]).static[0]
        nothing = np.zeros((len(known), 8 + network.memory_size), dtype=np.float32)
        logits = network.decide(known, nothing[:, :8], nothing[:, 8:])
        with torch.no_grad():
            policy.decide_2.bias.sub_(float(np.median(logits)))
            policy.decide_2.weight.mul_(6)
            policy.decide_2.bias.mul_(6)
        arrays = export(encoder, policy)
        network = Network(Model(card=ModelCard(system="hres"), arrays=arrays))
        path = tmp_path / "m.safetensors"
        path.write_bytes(write_model_bytes(Model(card=ModelCard(system="hres"), arrays=arrays)))
        system = Hres(overlap=0, model=str(path))
        events = [toy(1, 50), toy(2, 80), TestRewards.event]
        streams = [read_stream_of(event, system, 100) for event in events]
        tables = make_tables(streams, network, [0.1] * 3)
        played = play(tables, network, 1, None)
        counts = []
        for row, stream in enumerate(tables.streams):
            told = [update.id for update in stream.event.run(system)]
            assert told == [stream.sentences[n].sentence.id for n in played.chosen[row]]
            counts.append(len(told))
        assert 0 < sum(counts) < sum(map(len, streams))

    def test_gradients_see_what_was_played(self, torch):
        """The torch policy, given pieces of what numpy played, has numpy's odds."""
        from tidings.training.hres.reinforcement import Learner
        from tidings.training.hres.rollouts import make_tables, play

        encoder, policy, network = self.modules(torch)
        streams = [read_stream_of(toy(n, 150 - 20 * n), Hres(overlap=0), 100) for n in range(2)]
        tables = make_tables(streams, network, [0.1] * 2)
        learner = Learner(policy, encoder, tables, None, HresOptions(), np.random.default_rng(0))
        played = play(tables, network, 3, np.random.default_rng(2))
        odds = network.decide(
            tables.static[0, 100:101],
            played.dynamic[2, 100:101],
            _memory_before(network, tables, played, 2, 100),
        )
        with torch.no_grad():
            logits, actions, mask = learner._logits(played, (np.array([2]), np.array([64])))
        assert abs(float(logits[0, 36]) - odds[0]) < 1e-5
        assert actions[0, 36] == played.actions[2, 100]
        assert mask.sum() == 64
        with torch.no_grad():
            mask = learner._logits(played, (np.array([3]), np.array([128])))[2]
        assert mask.sum() == 130 - 128

    @pytest.mark.parametrize(
        ("baseline", "expected"),
        [("rollouts", [0.75, -0.75, 0]), ("self-critical", [0.8, -0.2, 0.3]), ("none", [1, 0, 0.5])],
    )
    def test_advantages(self, torch, baseline, expected):
        from tidings.training.hres.reinforcement import advantages

        found = advantages(np.array([[1.0, 0.0, 0.5]]), baseline, np.array([0.2]))
        assert found[0] == pytest.approx(expected)

    @pytest.mark.parametrize("baseline", ["rollouts", "self-critical"])
    def test_reinforce_learns_without_a_teacher(self, torch, baseline):
        """No imitation: chance and reward alone must find that "toll" pays and chat does not."""
        events = [toy(n, 24) for n in range(4)]
        given = {
            "passes": "20",
            "imitation": "0",
            "steps": "30",
            "check": "30",
            "policy_rate": "0.01",
            "reward": "h",
        }
        options = QUICK | given | {"baseline": baseline, "rollouts": "16"}
        first, last = trainer_of("hres")(events, [], Training("hres", options)).curve
        assert last["sampled reward"] > 1.5 * first["sampled reward"]
        assert last["H"] > 1.2 * first["H"]
        assert last["updates"] < 24

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
