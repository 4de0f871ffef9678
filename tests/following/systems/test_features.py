"""The shared features: bounded, resumable, the same twice, and each what its name says."""

from __future__ import annotations

from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.following.systems.streams import FERRY, HOSTILE, stream
from tests.sweeps import cases, every
from tidings.core.models.files import Trees
from tidings.core.records import Event, Sentence
from tidings.following.systems.features.extractor import NAMES, FeatureExtractor, NameCounts, Pace, TermCounts
from tidings.following.systems.features.tags import TAGS, tag
from tidings.following.systems.features.word_models import WordModels, expand

WORDS = WordModels.from_counts(
    Counter(fire=50, ferri=30, port=20, storm=40, captain=5, weather=60),
    {"accident": Counter(fire=20, ferri=20, captain=5), "storm": Counter(storm=30)},
    Counter(fire=30, ferri=30, port=20, storm=40, captain=5, weather=60),
    100,
)
ACCIDENT = Event(id="E", title="Ferry fire", query="ferry fire", start_time=0, end_time=10, type="accident")


def row(text: str, extractor: FeatureExtractor | None = None, now: int = 60) -> dict[str, float]:
    extractor = extractor or FeatureExtractor(ACCIDENT, words=WORDS)
    (one,) = extractor.see([Sentence(f"d{now}", 0, text, now)], now)
    return dict(zip(NAMES, one.row, strict=True))


@given(st.lists(st.text(max_size=60), min_size=1, max_size=5), st.booleans())
def test_every_figure_is_bounded_whatever_is_said(texts, modelled):
    extractor = FeatureExtractor(ACCIDENT, words=WORDS if modelled else None)
    for now in (0, 3_000, 200_000):
        found = extractor.static([Sentence("d", n, text, now) for n, text in enumerate(texts)], now)
        assert found.shape == (len(texts), len(NAMES))
        assert np.isfinite(found).all()
        assert np.abs(found).max() <= 1.0
        assert -1.0 <= extractor.change(now) <= 1.0


@every("modelled", [False, True])
def test_resumed_extractor_gives_the_same_figures(modelled):
    """Also across the pruning of stems and names, and with text that no encoding knows."""
    extractor = FeatureExtractor(FERRY, words=WORDS if modelled else None, max_terms=30, max_names=4)
    for sentences, now in stream(3, 40, hostile=True):
        other = FeatureExtractor(FERRY, words=WORDS if modelled else None, max_terms=30, max_names=4)
        other.restore(extractor.state())
        assert other.state() == extractor.state()
        assert (other.static(sentences, now) == extractor.static(sentences, now)).all()
        assert other.change(now) == extractor.change(now)


def test_the_place_in_the_document():
    extractor = FeatureExtractor(ACCIDENT)
    sentences = [Sentence("d", number, f"The ferry burned, part {number}.", 60) for number in (-1, 0, 1, 3)]
    found = [dict(zip(NAMES, one.row, strict=True)) for one in extractor.see(sentences, 60)]
    assert [one["position"] for one in found] == [1.0, 1.0, 0.5, 0.25]
    assert [one["first"] for one in found] == [1.0, 1.0, 0.0, 0.0]


def test_query_and_wider_words():
    found = row("The captain of the ferry fled the blaze")
    assert found["query_of_query"] == 0.5
    around = expand("ferry fire", "Ferry fire", "accident")
    assert found["narrower_of_set"] == pytest.approx(1 / len(around.narrower))
    assert found["synonyms_of_set"] == pytest.approx(1 / len(around.synonyms))
    sets = (around.query, around.synonyms, around.broader, around.narrower)
    assert sum(map(len, sets)) == len(frozenset().union(*sets))


def test_language_models_by_hand():
    """P(fire | text), P(fire | all events), P(fire | accidents), each with the one before as prior."""
    found = row("fire")
    unit = 205 + 0.5 * 7
    text = 50.5 / unit
    event = (20 + 2000 * text) / (75 + 2000)
    kind = (20 + 1000 * event) / (45 + 1000)
    assert found["lm_text"] == pytest.approx(log(text) / 15)
    assert found["lm_event"] == pytest.approx(log(event) / 15)
    assert found["lm_kind"] == pytest.approx(log(kind) / 15)
    assert found["lm_kind_gain"] == pytest.approx(5 * log(kind / text) / 15)
    unknown = WORDS.scores("accident").unknown
    known = WORDS.scores("accident").logs
    for place in range(3):
        assert sum(np.exp(logs[place]) for logs in known.values()) + np.exp(unknown[place]) == pytest.approx(
            1
        )


def test_a_kind_that_was_never_learned_has_the_words_of_all_events():
    logs = WORDS.scores("riot").logs
    assert all(kind == pytest.approx(event) for kind, event, _ in logs.values())


def test_word_models_survive_being_written():
    arrays, settings = WORDS.export()
    again = WordModels.read(arrays, settings)
    assert again.scores("storm").logs == WORDS.scores("storm").logs
    assert again.scores("storm").idf == WORDS.scores("storm").idf


def test_bursts_rise_and_fade():
    extractor = FeatureExtractor(ACCIDENT)
    for hour in range(60):
        row(f"ferry {hour}", extractor, hour * 3_600)
    old = row("ferry", extractor, 60 * 3_600)["burst_max"]
    new = row("captain", extractor, 60 * 3_600 + 1)["burst_max"]
    assert new > 0.5 > old > -0.5
    assert row("captain", extractor, 64 * 3_600)["burst_max"] < new


def test_frequent_words_of_the_stream_count():
    extractor = FeatureExtractor(ACCIDENT)
    for minute in range(30):
        row("ferry burns in port", extractor, minute * 60)
    common, rare = row("ferry burns", extractor, 2_000), row("mayor sings", extractor, 2_001)
    for name in ("stream_sum", "stream_mean", "stream_max", "stream_centroid"):
        assert common[name] > rare[name]
    assert rare["stream_unseen"] == 1.0 > common["stream_unseen"]


def test_documents_are_compared_within():
    extractor = FeatureExtractor(ACCIDENT)
    texts = ["ferry burns in port", "ferry burns in port", "mayor sings loudly"]
    seen = extractor.see([Sentence("d", n, text, 5) for n, text in enumerate(texts)], 5)
    rows = [dict(zip(NAMES, one.row, strict=True)) for one in seen]
    assert [one["document_novelty"] for one in rows] == pytest.approx([0.5, 0.5, 1.0])
    assert rows[0]["document_novelty_geometric"] == pytest.approx(0.0, abs=1e-6)
    assert rows[2]["document_degree"] == 1.0 > rows[0]["document_degree"]


@given(st.text(max_size=200))
def test_tags_count_words(text):
    found = tag(text)
    assert found.words == len(text.encode("utf-8", "replace").decode().split())
    assert len(found.counts) == len(TAGS)
    for name in (*found.persons, *found.locations, *found.organizations, *found.numbers):
        name.encode()


@every(
    "text, expected",
    cases(__file__, "tags by example"),
)
def test_tags_by_example(text, expected):
    counts = dict(zip(TAGS, tag(text).counts, strict=True))
    assert {name: counts[name] for name in expected} == expected


def test_hostile_text_leaves_a_state_that_can_be_written():
    extractor = FeatureExtractor(ACCIDENT, words=WORDS)
    extractor.static([Sentence("d", n, text, 9) for n, text in enumerate(HOSTILE)], 9)
    state = extractor.state()
    extractor.restore(state)
    assert extractor.state() == state


def test_counts_are_pruned_to_the_commonest():
    terms = TermCounts(4, lambda stem: 1.0)
    for stem in "aaabbbcdef":
        terms.add([stem], 0)
    assert set("ab") <= set(terms.counts)
    assert len(terms.counts) <= 4
    assert terms.length == pytest.approx(sum(known[0] ** 2 for known in terms.counts.values()) ** 0.5)
    names = NameCounts(4)
    for name in "xxxyyyzuvw":
        names.add([name])
    assert names.mean(["x"]) > names.mean(["w", "v"])
    assert len(names.counts) <= 4


def test_pace_knows_a_rush_from_a_lull():
    pace = Pace()
    for hour in range(24):
        pace.add(10, hour * 3_600)
    steady = pace.change(23 * 3_600 + 1_800)
    pace.add(300, 24 * 3_600)
    assert pace.change(24 * 3_600) > steady > pace.change(30 * 3_600)
    assert Pace(pace.export()).change(24 * 3_600) == pace.change(24 * 3_600)
    pace.add(1, 10**9)
    assert len(pace.export()) == 1


@given(st.integers(1, 3), st.integers(0, 1_000))
def test_trees_by_walking_them(depth, seed):
    """The flat form of the trees gives what one question after the other gives."""
    rng = np.random.default_rng(seed)
    count, questions = 3, 2**depth - 1
    trees = Trees(
        0.5,
        rng.integers(0, 4, (count, questions)),
        rng.random((count, questions)),
        rng.random((count, questions + 1)),
    )
    rows = rng.random((23, 4))
    for line, value in zip(rows, trees.predict(rows), strict=True):
        total = 0.5
        for tree in range(count):
            node = 0
            while node < questions:
                right = np.float32(line[trees.features[tree, node]]) > trees.thresholds[tree, node]
                node = 2 * node + 1 + int(right)
            total += float(trees.leaves[tree, node - questions])
        assert value == pytest.approx(total)
    again = Trees.read(*trees.export())
    assert again.predict(rows) == pytest.approx(trees.predict(rows))
