"""`nnrl` without torch: the network against its formulas, what it is told of sentences, and its follower."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest

from tests.following.systems.streams import FERRY, follow, stream
from tidings.core import shared_analyzer, unit_vector
from tidings.core.errors import UsageError
from tidings.core.models.files import Model, write_model_bytes
from tidings.core.records import ModelCard, Sentence
from tidings.following.systems.registry import make
from tidings.research.systems.nnrl import (
    ARRAYS,
    EMITTED_INPUTS,
    STREAM_INPUTS,
    EmittedHistory,
    QNetwork,
    StreamHistory,
    spread,
)

np = pytest.importorskip("numpy")
DAY = 86_400


def arrays(
    inputs: int, hidden: int = 3, first: int = 4, second: int = 2, seed: int = 1, members: int = 2
) -> dict[str, Any]:
    """Weights between -1 and 1; scales between 1 and 2."""
    rng = random.Random(seed)
    sizes = {
        "members": members,
        "inputs": inputs,
        "4·hidden": 4 * hidden,
        "hidden": hidden,
        "first": first,
        "second": second,
        "2": 2,
    }
    made = {}
    for name, said in ARRAYS.items():
        shape = tuple(sizes[part] for part in said.strip("(),").split(", "))
        least = 1 if name == "input_scale" else -1
        made[name] = np.array(
            [rng.uniform(least, 1 if least < 0 else 2) for _ in range(math.prod(shape))]
        ).reshape(shape)
    return made


def model(inputs: int = 0, margin: float = 0.0, **more: Any) -> Model:
    return Model(
        card=ModelCard(system="nnrl"),
        settings={"margin": margin},
        arrays=arrays(inputs or len(STREAM_INPUTS) + 4 + len(EMITTED_INPUTS), **more),
    )


def by_formula(held: dict[str, Any], rows: list[list[float]]) -> list[list[float]]:
    """The Q-network in plain Python, as the formulas of LSTMs and layers are printed in textbooks."""

    def times(matrix: Any, vector: list[float], bias: Any) -> list[float]:
        return [
            sum(w * x for w, x in zip(row, vector, strict=True)) + b
            for row, b in zip(matrix, bias, strict=True)
        ]

    size = len(held["lstm_state"][0])
    h, c, found = [0.0] * size, [0.0] * size, []
    for row in rows:
        x = [(v - m) / s for v, m, s in zip(row, held["input_mean"], held["input_scale"], strict=True)]
        gates = times(np.hstack([held["lstm_in"], held["lstm_state"]]), [*x, *h], held["lstm_bias"])
        for k in range(size):
            enter, forget, leave = (1 / (1 + math.exp(-gates[at * size + k])) for at in (0, 1, 3))
            c[k] = forget * c[k] + enter * math.tanh(gates[2 * size + k])
            gates[k] = leave * math.tanh(c[k])
        h = gates[:size]
        values = h
        for number in (1, 2, 3):
            values = times(held[f"dense_{number}"], values, held[f"dense_{number}_bias"])
            values = values if number == 3 else [max(0.0, value) for value in values]
        found.append(values)
    return found


class TestNetwork:
    """The network in numpy."""

    def test_is_what_the_formulas_say(self) -> None:
        held, rng = arrays(5), random.Random(2)
        rows = [[rng.gauss(0, 2) for _ in range(5)] for _ in range(12)]
        network = QNetwork(Model(card=ModelCard(system="nnrl"), arrays=held))
        state, found = network.fresh(), []
        for row in rows:
            values, state = network.step(np.array([row], dtype=np.float32), state)
            found.append(values[0].tolist())
        shared = ("input_mean", "input_scale")
        each = [
            by_formula({name: of if name in shared else of[k] for name, of in held.items()}, rows)
            for k in (0, 1)
        ]
        assert np.allclose(found, np.mean(each, axis=0), atol=1e-5)
        assert not np.allclose(each[0], each[1], atol=0.05)  # two networks, and the mean of what they say
        assert np.ptp(found) > 0.05  # not one number for everything

    def test_sequences_side_by_side_do_not_mix(self) -> None:
        network, rng = QNetwork(model(5)), np.random.default_rng(3)
        rows = rng.normal(size=(6, 4, 5)).astype(np.float32)
        state, alone = network.fresh(4), network.fresh(1)
        for step in rows:
            values, state = network.step(step, state)
            single, alone = network.step(step[2:3], alone)
            assert np.allclose(values[2], single[0], atol=1e-6)

    def test_arrays_of_another_shape_are_refused(self) -> None:
        held = arrays(5)
        held["dense_2"] = held["dense_2"].T
        with pytest.raises(UsageError, match=r"'dense_2'"):
            QNetwork(Model(card=ModelCard(system="nnrl"), arrays=held))


class TestInputs:
    """What is said of a sentence."""

    def seen(self, *said: tuple[str, int]) -> dict[str, float]:
        """The inputs of the last of these (text, time), by a few letters of their names."""
        seen, found = StreamHistory(FERRY), []
        for text, now in said:
            found = seen.look(Sentence("d", 3, text, now), shared_analyzer().stems(text), now)
        return dict(zip(STREAM_INPUTS, found, strict=True))

    def test_of_the_sentence(self) -> None:
        found = self.seen(("Ferry fire: 12 people were killed in Piraeus", 3600))
        assert (
            found[STREAM_INPUTS[0]] == pytest.approx(found[STREAM_INPUTS[2]] * 2 / 3) == pytest.approx(2 / 3)
        )  # of ferri, fire, port; of ferri, fire
        assert found["words / 40"] == 8 / 40
        assert found["numbers / 5"] == 1 / 5
        assert found["states a toll"] == 1
        assert found["share of words that begin with a capital"] == 2 / 8
        assert found["1 / (1 + number in its document)"] == 1 / 4
        assert found["log(1 + hours since the event's start) / 6"] == pytest.approx(math.log(2) / 6)

    def test_of_the_stream(self) -> None:
        found = self.seen(("ferry fire", 0), ("ferry storm", 0), ("ferry fire burning", 7200))
        assert found["share of its stems that the stream has had"] == pytest.approx(2 / 3)
        assert found["mean share of the sentences so far that hold its stems"] == pytest.approx(
            (2 + 1) / 2 / 3
        )
        assert found["log(1 + hours since the sentence before) / 3"] == pytest.approx(math.log(3) / 3)
        assert found["log(1 + sentences so far) / 8"] == pytest.approx(math.log(3) / 8)

    def test_of_what_was_told(self) -> None:
        told = EmittedHistory(most=10)
        vector = unit_vector(["ferri", "fire", "12"])
        assert told.look(vector, DAY) == [0, 1, 1, 0, 0, 2, 0]
        told.add(["ferri", "fire"], DAY)
        told.last = True
        like, new, numbers, number, today, since, last = told.look(vector, DAY + 3600)
        assert like == pytest.approx(2 / math.sqrt(6))
        assert (new, numbers, today, last) == pytest.approx((1 / 3, 1, 0.1, 1))
        assert (number, since) == pytest.approx((math.log(2) / 5, math.log(2) / 3))
        assert told.look(vector, 2 * DAY)[4] == 0  # another day

    def test_what_is_forgotten_is_new_again(self) -> None:
        told = EmittedHistory(most=2)
        for stem in ("ferri", "storm", "ferri", "coast"):
            told.add([stem, "fire"], DAY)
        assert told.look(unit_vector(["storm"]), DAY)[:2] == [0, 1]
        assert told.look(unit_vector(["ferri"]), DAY)[1] == 0
        again = EmittedHistory(most=2)
        again.restart(list(told.kept), told.number, False)
        probe = unit_vector(["ferri", "fire", "storm"])
        assert again.look(probe, 2 * DAY) == pytest.approx(told.look(probe, 2 * DAY))

    def test_hashed_words(self) -> None:
        """Each stem in its place, whatever else is there, and the same in every process."""
        both = spread({"ferri": 0.6, "fire": 0.8}, 64)
        alone = [spread({"ferri": 0.6}, 64), spread({"fire": 0.8}, 64)]
        assert both == [a + b for a, b in zip(*alone, strict=True)]
        assert (
            spread({"fire": 1.0}, 8) == [0, 0, 0, 0, 0, 0, 0, 1]
            or sum(map(abs, spread({"fire": 1.0}, 8))) == 1
        )


class TestFollower:
    """A small model with weights of chance, from a file."""

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "small.safetensors"
        path.write_bytes(write_model_bytes(model(hidden=8, first=16, second=8)))
        return path

    def test_a_higher_margin_tells_less(self, path: Path) -> None:
        pushes = list(stream(1, 40))
        sizes = [
            len(follow(make(f"nnrl:model={path},margin={margin}").start(FERRY), pushes))
            for margin in [-9, *(at / 20 for at in range(-20, 21)), 9]
        ]
        assert sizes[0] > sizes[-1] == 0
        assert len(set(sizes)) > 2  # from all to nothing by degrees

    def test_the_margin_is_added_to_the_models(self, path: Path, tmp_path: Path) -> None:
        pushes = list(stream(1, 40))
        other = tmp_path / "other.safetensors"
        other.write_bytes(write_model_bytes(model(margin=-0.35, hidden=8, first=16, second=8)))
        wanted = follow(make(f"nnrl:model={path},margin=-0.85").start(FERRY), pushes)
        assert follow(make(f"nnrl:model={other},margin=-0.5").start(FERRY), pushes) == wanted
        assert follow(make(f"nnrl:model={other}").start(FERRY), pushes) != wanted

    def test_is_the_network_step_by_step(self, path: Path) -> None:
        """Its decisions are those of the network that reads every sentence that passes the gate, and only those."""
        network, seen, told = (
            QNetwork(model(hidden=8, first=16, second=8)),
            StreamHistory(FERRY),
            EmittedHistory(1_000),
        )
        state, expected = network.fresh(), []
        pushes = list(stream(2, 30))
        for sentences, now in pushes:
            for sentence in sentences:
                stems = shared_analyzer().stems(sentence.text)
                if len({"ferri", "fire", "port"} & set(stems)) < 2:
                    continue
                vector = unit_vector(stems)
                row = [*seen.look(sentence, stems, now), *spread(vector, 4), *told.look(vector, now)]
                values, state = network.step(np.array([row], dtype=np.float32), state)
                told.last = bool(values[0, 1] - values[0, 0] > -0.85)
                if told.last:
                    told.add(stems, now)
                    expected.append(sentence.id)
        found = follow(make(f"nnrl:model={path},margin=-0.85").start(FERRY), pushes)
        assert 10 < len(expected) < 80
        assert [update.id for update in found] == expected

    def test_networks_go_on_from_their_own_states(self, path: Path) -> None:
        pushes = list(stream(2, 30))
        system = make(f"nnrl:model={path},margin=-0.85")
        whole, first, second = (system.start(FERRY) for _ in range(3))
        for one in pushes[:12]:
            whole.push(*one)
            first.push(*one)
        second.restore(first.state())
        assert [second.push(*one) for one in pushes[12:]] == [whole.push(*one) for one in pushes[12:]]
        assert second.state() == whole.state()

    def test_a_model_with_too_few_inputs_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "few.safetensors"
        path.write_bytes(write_model_bytes(model(len(STREAM_INPUTS))))
        with pytest.raises(UsageError, match=r"13 inputs \(expected 20 or more\)"):
            make(f"nnrl:model={path}").start(FERRY)
