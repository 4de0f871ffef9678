"""The evidence that `tidings` weighs: figures by hand, bounded memories, and how worth is added up."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from tests.following.systems.streams import FERRY
from tests.sweeps import every
from tidings.core.errors import FormatError, UsageError
from tidings.core.models.files import Model, read_model, write_model_bytes
from tidings.core.protocols import Interest
from tidings.core.records import Event, ModelCard, Sentence
from tidings.following.systems.registry import make
from tidings.following.systems.tidings.feature_state import Candidate, FeatureState, Limits
from tidings.following.systems.tidings.model import (
    TIDINGS_FEATURES,
    AdditiveModel,
    ArticleDecision,
    article_row,
    stem_weights,
)
from tidings.following.systems.tidings.stream_memory import Familiarity, StreamMemory
from tidings.following.systems.tidings.text_features import (
    RARE,
    TextReader,
    as_kept,
    find_interest,
    norm_of,
    places_of,
)

WEIGHTS = {"ferri": 2.0, "fire": 1.0, "port": 3.0, "dead": 4.0}
EVENT = Event(id="1", title="", query="ferry fire port", start_time=0, end_time=100)


def indices(state, sentences):
    """Which sentences of a push are candidates."""
    return [
        sentence.index
        for document in state.documents(sentences)
        for sentence, _ in state.candidates(document)
    ]


def consider(state: FeatureState, text: str, index: int = 0, doc_id: str = "d") -> Candidate | None:
    """The sentence as a candidate, alone in its document."""
    sentence = Sentence(doc_id, index, text, 1)
    return next(
        (
            candidate
            for document in state.documents([sentence])
            for _, candidate in state.candidates(document)
        ),
        None,
    )


def feature_state(**limits: int) -> FeatureState:
    return FeatureState(EVENT, TextReader(WEIGHTS, "english"), Limits(**{"min_words": 2, **limits}))


def features(state: FeatureState, text: str, index: int = 0) -> dict[str, float]:
    candidate = consider(state, text, index)
    assert candidate is not None
    return dict(zip(TIDINGS_FEATURES, map(float, candidate.features), strict=True))


def test_figures_by_hand():
    """A sentence on its own: five words, two of them stop words, one in digits."""
    found = features(feature_state(), "The Ferry fire, with 45!", index=2)
    assert found["words"] == 5
    assert found["log_words"] == pytest.approx(log(5))
    assert found["stop_share"] == pytest.approx(2 / 5)
    assert found["capitals"] == pytest.approx(2 / 5)
    assert found["numbers"] == found["new_numbers"] == 1
    assert (found["query_stems"], found["query_share"], found["query_density"]) == (
        2,
        pytest.approx(2 / 3),
        pytest.approx(2 / 3),
    )
    assert found["log_index"] == pytest.approx(log(3))
    assert found["ends_well"] == 1
    assert found["commas"] == pytest.approx(1 / 5)
    assert found["signs"] == found["speaks_to_reader"] == 0
    assert found["mean_weight"] == pytest.approx((2 + 1 + RARE) / 3)
    assert found["emitted"] == found["emitted_nearest"] == found["covered"] == found["stream_mean"] == 0
    assert found["uncovered"] == pytest.approx(2 + 1 + RARE)


def test_against_what_was_told():
    """Two updates: the cosines, the share that one holds, and the share that both hold together."""
    state = feature_state()
    for text in ("ferry fire", "port dead"):
        candidate = consider(state, text)
        assert candidate is None or state.emit(candidate) is None
        if candidate is None:  # "port dead" has one stem of the query, and that is enough to be looked at
            raise AssertionError(text)
    found = features(state, "ferry fire dead now")
    mine = sqrt(4 + 1 + 16)
    one, other = (4 + 1) / (mine * sqrt(5)), 16 / (mine * sqrt(9 + 16))
    assert found["emitted"] == 2
    assert found["emitted_nearest"] == pytest.approx(max(one, other))
    assert found["emitted_top_3"] == pytest.approx((one + other) / 3)
    assert found["emitted_contains"] == pytest.approx(4 / 7)
    assert found["covered"] == pytest.approx(1)
    assert found["uncovered"] == pytest.approx(0)


def test_new_numbers_are_those_no_update_has():
    state = feature_state()
    candidate = consider(state, "ferry fire 45 17")
    state.emit(candidate)
    assert features(state, "ferry fire port 45 48")["new_numbers"] == 1
    assert features(state, "ferry fire dead 45 48")["numbers"] == 2


words = st.lists(
    st.sampled_from(["ferry", "fire", "port", "dead", "ship", "crew", "smoke", "12", "45"]),
    min_size=2,
    max_size=8,
)


def cosine(one, other):
    """The cosine of two sentences as the definition has it: one count for each stem, weighted."""
    shared, mine, theirs = (
        sum(WEIGHTS.get(stem, RARE) ** 2 for stem in stems)
        for stems in (set(one) & set(other), set(one), set(other))
    )
    return shared / sqrt(mine * theirs)


@given(st.lists(words, min_size=1, max_size=12))
def test_cosines_to_updates_are_exact(texts):
    """The inverted index gives the cosines of the definition."""
    state = feature_state()
    told: list[tuple[str, ...]] = []
    for text in texts:
        candidate = consider(state, " ".join(text))
        if candidate is None:
            continue
        found = dict(zip(TIDINGS_FEATURES, candidate.features, strict=True))
        near = sorted((cosine(candidate.stems, other) for other in told), reverse=True)[:3]
        assert found["emitted_nearest"] == pytest.approx(near[0] if near else 0)
        assert found["emitted_top_3"] == pytest.approx(sum(near) / 3)
        if len(told) < 5:
            state.emit(candidate)
            told.append(candidate.stems)


def test_cosines_to_the_stream_are_close():
    """Hashing errs by little in the mean: over a hundred sentences of twelve stems each, less than .02."""
    state = feature_state(max_words=60)
    rng = np.random.default_rng(4)
    stream: list[tuple[str, ...]] = []
    errors = []
    for _ in range(100):
        text = "ferry fire " + " ".join(f"word{number}x" for number in rng.zipf(1.3, 10) % 5000)
        candidate = consider(state, text)
        found = dict(zip(TIDINGS_FEATURES, candidate.features, strict=True))
        if stream:
            mean = sum(cosine(candidate.stems, other) for other in stream) / len(stream)
            errors.append(abs(found["stream_mean"] - mean))
        stream.append(candidate.stems)
    assert sum(errors) / len(errors) < 0.02


def test_a_toll_that_rises_is_told_apart_from_one_that_is_known():
    """More dead than any update said is news; the same or fewer is known; number words count as numbers."""
    state = feature_state()
    first = consider(state, "Ferry fire in the port killed 12 people.")
    assert dict(zip(TIDINGS_FEATURES, first.features, strict=True))["casualties_rise"] == 1
    state.emit(first)
    more = features(state, "Thirty people were killed in the ferry fire.")
    assert (more["casualties_rise"], more["casualties_known"], more["new_numbers"]) == (1, 0, 1)
    same = features(state, "Ferry fire: 12 people were killed.")
    assert (same["casualties_rise"], same["casualties_known"], same["new_numbers"]) == (0, 1, 0)
    none = features(state, "The ferry fire in the port went on.")
    assert (none["casualties_rise"], none["casualties_known"]) == (0, 0)


def test_the_oldest_updates_are_forgotten():
    """With room for two, the third update drives out the first, as if that had never been told."""
    texts = ["ferry fire", "port dead", "smoke ferry 45"]
    state, fresh = feature_state(max_kept=2), feature_state(max_kept=2)
    for text in texts:
        state.emit(consider(state, text))
    for text in texts[1:]:
        fresh.emit(consider(fresh, text))
    one, other = features(state, "ferry fire port 45 dead"), features(fresh, "ferry fire port 45 dead")
    for name in (
        "emitted_nearest",
        "emitted_top_3",
        "emitted_contains",
        "covered",
        "uncovered",
        "new_numbers",
    ):
        assert one[name] == pytest.approx(other[name]), name
    assert (one["emitted"], other["emitted"]) == (3, 2)


def test_the_memory_of_the_stream_is_a_ring():
    """The memory keeps the latest: what fell out no longer counts, neither as cosine nor as topic."""
    state = feature_state(memory=8)
    for number in range(20):
        consider(state, f"ferry fire item{number}")
    assert len(state.remembered) == 8
    assert {text.split()[-1] for text in state.remembered} == {f"item{number}" for number in range(12, 20)}


def test_a_text_is_considered_once_and_only_in_its_lengths():
    state = feature_state(max_words=4)
    assert consider(state, "ferry fire") is not None
    assert consider(state, "ferry fire") is None
    assert consider(state, "ferry") is None
    assert consider(state, "ferry fire in the port") is None
    assert state.remembered[-1] == "ferri fire port", "too long to tell, but it shows what the event is about"


def test_without_a_word_of_the_query_a_sentence_must_share_the_topic():
    state = feature_state()
    assert consider(state, "smoke over quay") is None
    for number in range(4):
        consider(state, f"ferry fire smoke quay {number}")
    assert consider(state, "smoke over the quay") is None, "its document holds nothing of the query"
    said = [Sentence("d", 0, "smoke over the quay", 1), Sentence("d", 1, "ferry fire", 1)]
    assert indices(state, said) == [0, 1]


def test_a_document_is_looked_at_for_two_stems_of_the_query_or_one_of_its_two_rarest():
    interest = find_interest(EVENT, WEIGHTS, "english")
    assert interest is not None and interest.pooled == Interest(
        stems=frozenset({"ferri", "fire", "port"}), need=2, alone=frozenset({"ferri", "port"})
    )
    state = feature_state()
    assert consider(state, "a fire somewhere else") is None
    assert not state.seen and not state.has_changed
    assert consider(state, "the port somewhere else") is not None
    assert consider(state, "the port somewhere else") is None, "seen before"
    assert find_interest(Event(id="1", title="Fire", query="the of"), {}, "english").stems == {"fire"}
    assert find_interest(Event(id="1", title="", query="the of"), {}, "english") is None


def test_a_document_is_considered_as_its_sentences_are_one_by_one():
    """Also where a text stands in it twice, where it has more of them than are known again, and where they are long."""
    texts = [f"ferry fire port item{number % 80} {'word ' * (30 * (number % 3))}" for number in range(150)]
    whole, parted = feature_state(memory=8), feature_state(memory=8)
    for first, last in ((0, 20), (20, 40), (30, 130), (130, 150), (0, 5)):
        said = [Sentence("d", number, text, 1) for number, text in enumerate(texts[first:last])]
        each = [number for number, text in enumerate(texts[first:last]) if consider(parted, text) is not None]
        assert indices(whole, said) == each
        assert whole.parts() == parted.parts()


def test_a_state_goes_on_after_its_ring_has_closed():
    """Restored, the oldest is forgotten first, in the stream's memory as among what was emitted."""
    whole = feature_state(memory=4, max_kept=3)
    texts = [f"ferry fire port item{number} thing{number % 5}" for number in range(12)]
    for cut in range(12):
        candidate = consider(whole, texts[cut])
        whole.emit(candidate)
        again = feature_state(memory=4, max_kept=3)
        again.restore(*whole.parts())
        assert again.parts() == whole.parts()
        other = feature_state(memory=4, max_kept=3)
        other.restore(*whole.parts())
        for text in ("ferry fire thing1 item3", "port fire thing2", "ferry port thing3"):
            one, two = consider(again, text), consider(other, text)
            assert one.features.tolist() == two.features.tolist()
            again.emit(one), other.emit(two)
    for text in (
        "fire port thing4 a",
        "fire port thing4 b",
        "fire port thing4 c",
        "fire port thing4 d",
        "ferry",
    ):
        again = feature_state(memory=4, max_kept=3)
        again.restore(*whole.parts())
        one, two = consider(whole, text), consider(again, text)
        assert one is two is None or one.features.tolist() == two.features.tolist()


def test_memory_grows_with_what_is_remembered():
    """A follower of an event that hardly anything was said of takes next to nothing; a full one less than a MiB."""
    state = feature_state(memory=512)
    assert state.size_bytes < 10_000
    for number in range(600):
        consider(state, f"ferry fire port {' '.join(f'item{number}x{other}' for other in range(12))}")
    assert len(state.remembered) == 512
    assert 50_000 < state.size_bytes < 400_000


def test_worth_by_hand():
    """One feature within its range and one beyond, which counts as its limit; relevance is of the first alone."""
    worth = AdditiveModel(
        low=np.array([0.0, 0.0, -1.0]),
        high=np.array([10.0, 1.0, 4.0]),
        mean=np.array([4.0, 0.5, 1.0]),
        deviation=np.array([2.0, 0.25, 0.5]),
        curves=np.array([[1.0, 2.0, 1.0], [0.5, 0.0, 0.0], [0.0, -1.0, 0.5]]),
        bias=0.1,
        relevance_curves=np.array([[1.0, 0.0], [0.0, 0.0], [0.5, 0.0]]),
        relevance_bias=-2.0,
    )
    rows = np.array([[10.0, 7.0], [4.0, 0.5]])
    # z = (3, 2): relevance 3 + 1.5 - 2, whose z is 3; 3 + 0.5 * 9 + 2 * 2 - 1 * 2 + 3 + 0.5 * 3 + 0.1
    assert worth.relevance(rows).tolist() == pytest.approx([2.5, -2.0])
    assert worth(rows[0]) == pytest.approx(14.1)
    # z = (0, 0): relevance -2, at least -1, whose z is -4; -4 + 0.5 * 4 + 0.1
    assert worth.rows(rows, 0, 2).tolist() == pytest.approx([14.1, -1.9])
    assert worth.rows(rows, 1, 2, np.array([9.0, 1.0])).tolist() == pytest.approx([0.1])
    for row in np.random.default_rng(1).normal(2.0, 4.0, (50, 2)):
        assert worth(row) == worth.rows(row[None], 0, 1)[0], "alone it is worth the same to the last bit"


def test_the_shipped_model_says_what_it_is():
    """Its card names the events it learned from, and its table gives every stem a weight up to that of a rare one."""
    model = read_model("tidings")
    assert model.card.data and all(part.digest for part in model.card.data)
    assert model.settings["features"] == list(TIDINGS_FEATURES)
    weights = stem_weights(model)
    assert len(weights) > 2_000
    assert 0 < min(weights.values()) <= max(weights.values()) <= RARE + 0.01


def test_familiarity_by_hand():
    """Three remembered sentences; the query's stems do not count, neither alone nor within bigrams."""
    state = feature_state()
    for text in ("Ferry fire off Naples quay", "Ferry fire, smoke off Naples quay", "Port fire, smoke"):
        assert consider(state, text)
    found = features(state, "The Naples quay, a Smoke and Zebras beside ferry")
    shares = [log((count + 0.02) / 5) for count in (2, 2, 2, 0, 0)]  # naples, quay, smoke, zebra, besid
    stems = list(state._reader.read("The Naples quay, a Smoke and Zebras beside ferry").stems)
    assert stems == ["napl", "quay", "smoke", "zebra", "besid", "ferri"]
    assert found["familiarity"] == pytest.approx(sum(shares) / 5)
    assert found["familiar_bigram"] == pytest.approx(log(1 + 100 * 2 / 3))
    assert found["familiar_names"] == pytest.approx(log(1 + 100 * (2 + 2 + 0) / 3 / 3))
    assert found["familiar_stems"] == 3


def test_nothing_is_familiar_at_the_beginning():
    """Neither is what a sentence of the query's words alone says."""
    state = feature_state()
    first = features(state, "Ferry fire in Naples")
    assert [first[name] for name in TIDINGS_FEATURES if name.startswith("familiar")] == pytest.approx(
        [log(0.02 / 2), 0, 0, 0]
    )
    assert features(state, "Ferry fire")["familiarity"] == pytest.approx(log(0.02 / 3))


def test_what_is_no_longer_remembered_is_not_familiar():
    """A ring of four: the words of the first five sentences are as new, those of the last four are not."""
    state = feature_state(memory=8)
    for number in range(12):
        consider(state, f"Ferry fire item{number} thing{number}")
    gone = features(state, "Ferry fire item3 thing3 now")
    assert (gone["familiar_bigram"], gone["familiar_stems"]) == (0, 0)
    kept = features(state, "Ferry fire item9 thing9 now")
    assert (kept["familiar_bigram"], kept["familiar_stems"]) == (pytest.approx(log(1 + 100 / 8)), 2)


def test_the_words_of_a_title_are_not_familiar_either():
    event = Event(id="1", title="Naples", query="ferry fire port", start_time=0, end_time=100)
    state = FeatureState(event, TextReader(WEIGHTS, "english"), Limits(min_words=2))
    consider(state, "Ferry fire off Naples")
    assert features(state, "Ferry fire near Naples, off")["familiar_names"] == 0


def test_rare_stems_weigh_more_in_familiarity_and_a_twentieth_is_usual():
    """One of twenty sentences holds the heavier stem: a twentieth, which is enough; one of twenty-one is not."""
    familiarity = Familiarity({"quay": 1}, frozenset())
    mean, _, _, usual = familiarity.features({"quay": 3.0, "smoke": 1.0}, [], 20)
    assert mean == pytest.approx((3 * log(1.02) + log(0.02)) / 4 - log(22))
    assert usual == 1
    assert familiarity.features({"quay": 3.0}, [], 21)[3] == 0


def test_bigrams_reach_over_the_words_of_the_query_and_take_no_room_when_forgotten():
    familiarity = Familiarity({"napl": 1, "quay": 1}, frozenset({"ferri"}))
    familiarity.add(["napl", "ferri", "quay"])
    assert familiarity.features({"napl": 1.0, "quay": 1.0}, [], 1)[1] == pytest.approx(log(101))
    familiarity.remove(["napl", "ferri", "quay"])
    assert familiarity.features({"napl": 1.0, "quay": 1.0}, [], 1)[1] == 0
    assert not familiarity._bigrams


def test_the_level_says_how_much_is_told():
    """A higher level never tells more of one push; the level is part of the confidence."""
    pooled = (FERRY.id,)
    sentences = [
        Sentence("d", n, f"Ferry fire in the port kills {n} people.", 1, "", 0, pooled) for n in range(3)
    ]
    counts = [len(make(f"tidings:level={level}").start(FERRY).push(sentences, 1)) for level in (-9, 0, 99)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == 3
    assert counts[-1] == 0


@every(
    "content, error, words",
    [
        (b"", FormatError, "expected a model file of tidings"),
        (b"\xff" * 64, FormatError, "expected a model file of tidings"),
        (
            write_model_bytes(Model(card=ModelCard(system="l2s"), arrays={})),
            UsageError,
            "a model of system 'l2s'",
        ),
        (
            write_model_bytes(Model(card=ModelCard(system="tidings"), arrays={})),
            UsageError,
            "weighs other features",
        ),
        (
            write_model_bytes(
                Model(
                    card=ModelCard(system="tidings"), arrays={}, settings={"features": list(TIDINGS_FEATURES)}
                )
            ),
            UsageError,
            "no array 'low'",
        ),
    ],
)
def test_a_wrong_model_is_refused(tmp_path, content, error, words):
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(error, match=words):
        make(f"tidings:model={path}").start(FERRY)


def test_a_model_of_articles_that_decides_by_other_features_is_refused(tmp_path):
    path, shipped = tmp_path / "articles.safetensors", read_model("articles")
    path.write_bytes(
        write_model_bytes(replace(shipped, settings=shipped.settings | {"decision": ["states"]}))
    )
    with pytest.raises(
        UsageError, match=r"decides by other features.*learn it again, as its card says: python"
    ):
        make(f"tidings:articles={path}").start(FERRY)


def test_what_is_like_the_stream_is_likelier_an_update() -> None:
    decision = ArticleDecision.of(read_model("articles"))
    unlike, unknown, like = (decision(article_row(0.6, *seen)) for seen in ((0.0, 200), (0.0, 0), (0.3, 200)))
    assert unlike < unknown < like
    assert decision(article_row(0.4, 0.1, 50)) < decision(article_row(0.6, 0.1, 50))


def test_a_missing_model_is_refused(tmp_path):
    with pytest.raises(UsageError, match="the model cannot be read"):
        make(f"tidings:model={tmp_path}/none.safetensors").start(FERRY)


def test_of_an_endless_document_only_so_many_sentences_are_looked_at():
    state = feature_state(max_sentences=3)
    said = [Sentence("d", index, f"Ferry fire in port number {index}.", 5) for index in range(6)]
    assert indices(state, said) == [0, 1, 2]
    other = [Sentence("e", 9, "Ferry fire in the harbour.", 6)]
    assert indices(state, other) == [9]


@every("size, sentences", [(0, 3), (3, 3), (12, 5), (40, 1), (200, 50)])
def test_the_means_of_several_sentences_are_those_of_each(size: int, sentences: int) -> None:
    """Alike to the last digit however many are asked at once, so that this does not change what is emitted."""
    draw = np.random.default_rng(size)

    def places() -> dict[int, float]:
        stems = {f"stem{number}": float(draw.random()) for number in draw.integers(0, 60, 12)}
        return places_of(stems, norm_of(stems))

    memory = StreamMemory(512, frozenset({"stem1"}))
    for _ in range(size):
        memory.add({"stem1": 1.0}, places())
    asked = [places() for _ in range(sentences)]
    means = memory.means([(own, {}) for own in asked])
    assert means == pytest.approx([memory.against(own, {})[0] for own in asked])
    assert means == [memory.means([(own, {})])[0] for own in asked]


@every("size", [8, 12, 15, 40])
def test_a_memory_that_was_restored_finds_the_same_means(size: int) -> None:
    """To the last digit: few rows are kept in another way than many that have become few again."""
    draw = np.random.default_rng(size)

    def stems() -> dict[str, float]:
        return {f"stem{number}": 1.0 for number in draw.integers(0, 60, 12)}

    memory, restored = (StreamMemory(size, frozenset({"stem1"})) for _ in range(2))
    for _ in range(2 * size):
        own = stems()
        memory.add(own, as_kept(places_of(own, norm_of(own))))
    restored.restore(memory.remembered, memory.slot, lambda own: dict.fromkeys(own, 1.0))
    asked = [(places_of(own, norm_of(own)), {}) for own in (stems() for _ in range(40))]
    assert memory.means(asked) == restored.means(asked)
