"""How `tidings` learns: its H is the scorer's, its labels are the gradient of H, and learning helps."""

from __future__ import annotations

import random
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tests.research.training.alike import alike
from tests.sweeps import every
from tidings.core.errors import UsageError
from tidings.core.models.files import Model, write_model_bytes
from tidings.core.records import ModelCard, Update
from tidings.following.systems.tidings.candidates import Limits
from tidings.following.systems.tidings.feature_state import FeatureState
from tidings.following.systems.tidings.follower import Tidings
from tidings.following.systems.tidings.model import EMITTED, TIDINGS_FEATURES
from tidings.following.systems.tidings.text_features import TextReader
from tidings.research.training import tidings as learning
from tidings.research.training.labelled_events import load_events
from tidings.research.training.replays import Relevance, Replay
from tidings.research.training.trainers import Training
from tidings.sources import bundled


@pytest.fixture(scope="module")
def replay(event):
    return Replay(event, {}, "english", Limits())


def test_h_is_the_scorers(event, replay):
    """Sums over what is emitted give the official H."""
    rng = random.Random(1)
    levels = np.array([rng.choice((-1.0, 1.0, 1.0)) for _ in replay.sentences])
    followed = replay.follow(lambda rows, begin, end: np.zeros(end - begin), levels)
    times = {sentence.id: now for sentence, now in event.sentences}
    updates = [
        Update(event.event.id, one.doc_id, one.index, times[one.id], 1.0, one.text)
        for one in (replay.sentences[number] for number in followed.updates)
    ]
    assert 5 < len(updates) == sum(levels < 0)
    assert followed.h == pytest.approx(event.score(updates)["H"], rel=1e-9)


@every("max_kept, slower", [(200, 1), (4, 1), (3, 1), (200, 60)])
def test_a_replay_is_the_stream(event, max_kept, slower):
    """Candidates, their features at the time and what is emitted are those of the text itself, also when it forgets."""
    start = event.pushes[0][1]
    event = replace(
        event, pushes=[(sentences, start + slower * (now - start)) for sentences, now in event.pushes]
    )
    limits = Limits(max_kept=max_kept)
    weights = {"ferri": 2.0, "fire": 1.5}
    replay = Replay(event, weights, "english", limits)

    def worth(rows, begin, end):
        named = dict(zip(TIDINGS_FEATURES, rows[begin:end].T, strict=True))
        return (
            named["query_share"] - named["emitted_nearest"] - named["covered"] + named["casualties_rise"]
            - 0.01 * named["emitted"] + 0.1 * named["new_numbers"] - 0.2 * named["casualties_known"]
            - 0.1 * named["emitted_top_3"] - 0.1 * named["emitted_contains"]
        )  # fmt: skip

    followed = replay.follow(worth, 0.2)
    state = FeatureState(event.event, TextReader(weights, "english"), limits)
    rows, updates = [], []
    for sentences, now in event.pushes:
        state.pass_time(now)
        for document in state.documents(sentences):
            for _, candidate in state.candidates(document):
                if worth(candidate.features[None], 0, 1)[0] > 0.2:
                    updates.append(len(rows))
                    state.emit(candidate)
                rows.append(candidate.features)
    assert len(updates) > 8
    assert followed.updates == updates
    assert np.abs(followed.features - np.array(rows)).max() < 1e-9


def test_labels_are_the_gradient_of_h():
    """One more update of gain g and cost v changes H by y to first order, at fixed Z."""
    total, z, gained, cost = 40.0, 0.5, 6.0, 80.0
    h = 2 * gained / (z * cost + total)
    for g, v in ((1.0, 2.0), (0.0, 3.0), (0.3, 1.2)):
        step = 1e-4
        after = 2 * (gained + step * g) / (z * (cost + step * v) + total)
        y = 2 * (g - h / 2 * z * v) / (z * cost + total)
        assert (after - h) / step == pytest.approx(y, rel=1e-3)


def test_learning_helps_and_repeats(event, replay, tmp_path):
    """On the event it learned from, the model beats the rule of thumb it began with; the same seed, the same model."""
    training = Training("tidings", {"starts": "2", "rounds": "3"}, seed=3)
    learned, again = learning.train([event], [event], training), learning.train([event], [], training)
    assert [row["step"] for row in learned.curve] == [1, 2, 3]
    assert alike(learned.arrays, again.arrays)
    worth = learning.first_worth(len(replay.sentences), random.Random(0))
    thumb = [replay.follow(worth, level).h for level in (-0.1, 0.0, 0.1, 0.2, 0.3)]
    path = tmp_path / "m.safetensors"
    path.write_bytes(
        write_model_bytes(
            Model(card=ModelCard(system="tidings"), arrays=learned.arrays, settings=learned.settings)
        )
    )
    told = event.run(Tidings(model=str(path), articles="none"))
    assert event.score(told)["H"] == pytest.approx(learned.curve[-1]["H"], abs=0.02)
    assert event.score(told)["H"] > max(thumb)


def test_relevance_is_held_out():
    """What a stream is given as relevance does not change with its own judgments."""
    rng = np.random.default_rng(2)
    streams = []
    for _ in range(8):
        rows = rng.normal(size=(60, len(TIDINGS_FEATURES)))
        streams.append(SimpleNamespace(features=rows, is_relevant=rows[:, 3] + rng.normal(size=60) > 0))
    first = Relevance(streams, 10.0)
    streams[2] = SimpleNamespace(features=streams[2].features, is_relevant=~streams[2].is_relevant)
    second = Relevance(streams, 10.0)
    assert np.allclose(first.held_out[2], second.held_out[2])
    assert not np.allclose(first.held_out[0], second.held_out[0], atol=1e-3)
    assert np.corrcoef(first.held_out[1], streams[1].features[:, 3])[0, 1] > 0.6
    emitted = [TIDINGS_FEATURES.index(name) for name in EMITTED]
    assert not first.curves.reshape(3, -1)[:, emitted].any()


def test_a_stream_is_read_by_the_weights_of_the_others(event, monkeypatch):
    """What an event's own sentences hold does not say which of its stems are rare, as it will not in use."""
    monkeypatch.setattr(learning, "Replay", lambda judged_event, weights, language, limits: weights)
    other = replace(event, pushes=event.pushes[:20])
    own, others = learning.read_replays([event, other], "english", Training("tidings"))
    assert own == learning.stem_weights_of([other], "english") != others
    assert others == learning.stem_weights_of([event], "english")


def test_a_stream_is_followed_by_the_relevance_that_others_give(replay, monkeypatch):
    """While learning, worth hangs on relevance as it is held out, not on what was learned from the stream itself."""
    met = []
    meet = learning._Examples.meet
    monkeypatch.setattr(
        learning._Examples, "meet", lambda self, worth, level: met.append(worth) or meet(self, worth, level)
    )
    learning.learn_worth([replay], learning.TidingsOptions(starts=1, rounds=2), Training("tidings"))
    rows, others = replay.features, replay.features.copy()
    others[:, TIDINGS_FEATURES.index("query_density")] += 1.0  # of relevance alone
    assert np.allclose(met[1](rows, 0, 20), met[1](others, 0, 20))


def test_nothing_to_learn_from_is_refused():
    with pytest.raises(UsageError, match="no events"):
        learning.train([], [], Training("tidings"))


def test_the_same_event_twice_is_refused():
    with pytest.raises(UsageError, match="a second time"):
        load_events([bundled.path(), bundled.path()])
