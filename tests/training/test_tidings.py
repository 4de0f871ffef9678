"""How `tidings` learns: its H is the scorer's, its labels are the gradient of H, and learning helps."""

from __future__ import annotations

import random

import pytest

from tests.training.alike import alike
from tidings import bundled
from tidings.errors import UsageError
from tidings.models.files import Model, write_model_bytes
from tidings.records import ModelCard
from tidings.systems.tidings import Tidings
from tidings.training import Training, load_events
from tidings.training import tidings as learning


@pytest.fixture(scope="module")
def event():
    return load_events([bundled.path()])[0]


def test_h_is_the_scorers(event):
    """Sums over what is told give the official H."""
    rng = random.Random(1)
    told = [(s, now) for s, now in event.sentences if rng.random() < 0.2]
    from tidings.records import Update

    updates = [Update(event.event.id, s.doc_id, s.index, now, 1.0, s.text) for s, now in told]
    seen: set[int] = set()
    gained = cost = 0.0
    for sentence, now in told:
        new = event.nuggets_of(sentence) - seen
        gained += sum(event.gains[n] * learning._latency(now - event.times[n]) for n in new)
        seen |= new
        cost += event.verbosity(sentence, new)
    assert learning._h(event, len(told), gained, cost)[0] == pytest.approx(
        event.score(updates)["H"], rel=1e-9
    )


def test_labels_are_the_gradient_of_h():
    """One more update of gain g and cost v changes H by y to first order, at fixed Z."""
    total, z, gained, cost = 40.0, 0.5, 6.0, 80.0
    h = 2 * gained / (z * cost + total)
    for g, v in ((1.0, 2.0), (0.0, 3.0), (0.3, 1.2)):
        step = 1e-4
        after = 2 * (gained + step * g) / (z * (cost + step * v) + total)
        y = 2 * (g - h / 2 * z * v) / (z * cost + total)
        assert (after - h) / step == pytest.approx(y, rel=1e-3)


def test_learning_helps_and_repeats(event, tmp_path):
    """On the event it learned from, the model beats the rule of thumb it began with; the same seed, the same model."""
    training = Training("tidings", {"starts": "2", "rounds": "3"}, seed=3)
    learned, again = learning.train([event], [event], training), learning.train([event], [], training)
    assert [row["step"] for row in learned.curve] == [1, 2, 3]
    assert alike(learned.arrays, again.arrays)
    rng = random.Random(0)
    stream = learning._Stream(event, {})
    thumb = [
        learning._follow(stream, None, level, learning.Limits(), "english", rng) for level in learning.LEVELS
    ]
    path = tmp_path / "m.safetensors"
    path.write_bytes(
        write_model_bytes(
            Model(card=ModelCard(system="tidings"), arrays=learned.arrays, settings=learned.settings)
        )
    )
    told = event.run(Tidings(model=str(path), articles="none"))
    assert event.score(told)["H"] == pytest.approx(learned.curve[-1]["H"], abs=0.02)
    assert event.score(told)["H"] > max(thumb)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rund": "3"}, "expected one of starts"),
        ({"rounds": "x"}, "rounds"),
        ({"rounds": "0"}, "rounds"),
        ({"ridge": "nan"}, "ridge"),
        ({"language": "klingon"}, "klingon"),
    ],
)
def test_wrong_options_are_refused(event, options, words):
    with pytest.raises(UsageError, match=words):
        learning.train([event], [], Training("tidings", options))


def test_nothing_to_learn_from_is_refused():
    with pytest.raises(UsageError, match="no events"):
        learning.train([], [], Training("tidings"))


def test_the_same_event_twice_is_refused():
    with pytest.raises(UsageError, match="a second time"):
        load_events([bundled.path(), bundled.path()])
