"""What each system does, by hand-made cases."""

from __future__ import annotations

from math import exp, log

import pytest
from bench.each_system import measure
from msgspec.structs import replace

from tests.following.systems.streams import FERRY, run, stream
from tests.sweeps import every
from tidings.core.records import Event, Sentence
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.random import coin
from tidings.following.systems.registry import make
from tidings.sources import bundled
from tidings.sources.streams import read_events, read_stream


def pooled(pushes):
    """The same, as somebody chose the sentences for the event: what they count is not asked."""
    return [([replace(one, events=("E1",)) for one in some], now) for some, now in pushes]


def said(*texts, doc="d", time=0, first=0):
    return [Sentence(doc, first + i, text, time) for i, text in enumerate(texts)]


def texts(updates):
    return [update.text for update in updates]


class TestGate:
    def test_wants_so_many_stems_of_the_query(self):
        pushes = [(said("The ferry", "Fires on ferries", "fire port ferry"), 0)]
        assert texts(run(make("cosine:similarity=1"), pushes)) == ["Fires on ferries", "fire port ferry"]
        assert len(run(make("cosine:similarity=1,overlap=3"), pushes)) == 1
        assert len(run(make("cosine:similarity=1,overlap=1"), pushes)) == 3

    def test_wants_all_stems_of_a_short_query(self):
        event = Event(id="n", title="Nor'easter", query="nor'easter", start_time=0, end_time=9)
        assert texts(run(make("cosine"), [(said("A nor'easter is near.", "Snow"), 0)], event)) == [
            "A nor'easter is near."
        ]

    def test_title_can_be_asked_instead(self):
        event = Event(id="n", title="Big storm", query="ferry fire", start_time=0, end_time=9)
        pushes = [(said("a big storm", "a ferry fire"), 0)]
        assert texts(run(make("cosine:terms=title"), pushes, event)) == ["a big storm"]
        assert texts(run(make("cosine:terms=both"), pushes, event)) == ["a big storm", "a ferry fire"]

    def test_length_in_words(self):
        pushes = [(said("ferry fire", "ferry fire in the old port", "x " * 50 + "ferry fire"), 0)]
        assert texts(run(make("cosine:similarity=1,min_words=3"), pushes)) == ["ferry fire in the old port"]
        assert len(run(make("cosine:similarity=1,max_words=0"), pushes)) == 3


class TestFirst:
    def test_one_sentence_of_each_document(self):
        pushes = [(said("no", "ferry fire", "fire port", doc="a") + said("port ferry", doc="b"), 0)]
        pushes.append((said("ferry fire again", doc="a", first=9), 60))
        assert texts(run(make("first"), pushes)) == ["ferry fire", "port ferry"]

    def test_pure_form_takes_the_first_whatever_it_says(self):
        assert texts(run(make("first:overlap=0,max_words=0"), [(said("no", "ferry fire"), 0)])) == ["no"]

    def test_forgets_the_oldest_documents(self):
        pushes = [(said("ferry fire", doc=doc, first=n), n) for n, doc in enumerate("abab")]
        assert len(run(make("first"), pushes)) == 2
        assert len(run(make("first:max_documents=1"), pushes)) == 4


class TestRandom:
    def test_tells_about_its_share(self):
        pushes = [([Sentence(f"d{n}", 0, "x", n)], n) for n in range(4_000)]
        told = len(run(make("random:overlap=0,probability=0.25"), pushes))
        assert 900 < told < 1_100  # 1,000 expected, standard deviation 27

    def test_choice_depends_on_nothing_but_seed_event_and_sentence(self):
        pushes = list(stream(1))
        system = make("random:overlap=0,probability=0.5")
        whole = {update.id for update in run(system, pushes)}
        apart = {update.id for push in reversed(pushes) for update in run(system, [push])}
        assert whole == apart
        assert whole != {update.id for update in run(make("random:overlap=0,probability=0.5,seed=1"), pushes)}

    def test_coin_is_the_same_on_every_machine(self):
        # blake2b of "0\x1fE\x1fd-0", the first 53 of its 64 bits over 2^53; computed once with Python's hashlib.
        assert coin(0, "E", "d-0") == pytest.approx(0.36464999466199577, abs=1e-12)


class TestCosine:
    def test_leaves_out_what_is_like_an_update(self):
        # The second shares 2 of 3 stems each: cosine 2/3; the third 2 of sqrt(3·5): .516.
        pushes = [(said("ferry fire port", "ferry fire harbour", "ferry fire kills young sailors"), 0)]
        assert len(run(make("cosine:similarity=0.5"), pushes)) == 1
        assert len(run(make("cosine:similarity=0.52"), pushes)) == 2
        assert len(run(make("cosine:similarity=0.67"), pushes)) == 3

    def test_compares_with_what_was_told_only(self):
        """The second is turned away, so the third, which is like the second only, is news."""
        pushes = [(said("ferry fire a1 a2", "ferry fire a1 b2", "ferry fire b2 c3 d4 e5"), 0)]
        assert texts(run(make("cosine:similarity=0.45"), pushes)) == [
            "ferry fire a1 a2",
            "ferry fire b2 c3 d4 e5",
        ]

    def test_forgets_after_some_hours(self):
        pushes = [(said("ferry fire", doc=str(n), time=n * 3600), n * 3600) for n in range(6)]
        assert [u.time for u in run(make("cosine:memory_hours=2"), pushes)] == [0, 10_800]
        assert len(run(make("cosine"), pushes)) == 1

    def test_equals_comparing_with_every_update(self):
        """The index, the shortcut for repeated texts and eviction change nothing in the outcome."""
        from tidings.core import cosine, shared_analyzer, unit_vector

        pushes = pooled(stream(12, 150))
        kept, expected = [], []
        for sentences, now in pushes:
            kept = [(time, vector) for time, vector in kept if time >= now - 7200][-40:]
            for sentence in sentences:
                stems = shared_analyzer().stems(sentence.text)
                vector = unit_vector(stems)
                if len({"ferri", "fire", "port"} & set(stems)) >= 2 and all(
                    cosine(vector, v) <= 0.5 for _, v in kept
                ):
                    kept = [*kept, (now, vector)][-40:]
                    expected.append(sentence.id)
        got = run(make("cosine:similarity=0.5,memory_hours=2,max_kept=40"), pushes)
        assert [update.id for update in got] == expected


class TestBudget:
    def test_held_back_sentences_are_not_taken_for_told(self):
        """What the budget held back in one hour can be told in the next."""
        one, two = "ferry fire port", "ferry fire kills nine sailors in deep water"
        pushes = [(said(one, two, doc="a"), 0), (said(two, doc="b", time=4000), 4000)]
        assert texts(run(make("cosine:similarity=0.5,updates_per_hour=1"), pushes)) == [one, two]

    def test_hour_is_event_time(self):
        pushes = [(said(f"ferry fire x{n}", doc=str(n), time=n), n) for n in (0, 1, 3599, 3600, 3601)]
        got = run(make("cosine:similarity=1,updates_per_hour=2"), pushes)
        assert [update.time for update in got] == [0, 1, 3600, 3601]

    def test_short_sentences_may_still_fit(self):
        pushes = [(said("ferry fire a b c d", "ferry fire e f g h", "fire port"), 0)]
        got = run(make("cosine:similarity=1,words_per_hour=8"), pushes)
        assert texts(got) == ["ferry fire a b c d", "fire port"]


class TestSumBasic:
    def test_takes_the_sentence_of_the_likeliest_word(self):
        # p: ferri 3/9, fire 3/9, ...; the first two tie on the top word and score (3+3+1)/27 each, so the earlier wins.
        pushes = [(said("ferry fire smoke", "ferry fire crew", "ferry fire smoke smoke"), 0)]
        # counts over 10 stems: ferri 3, fire 3, smoke 3, crew 1: scores .3, .2333, .3
        assert texts(run(make("sumbasic"), pushes)) == ["ferry fire smoke"]

    def test_squares_what_was_said(self):
        # After the first, ferri .3² = .09, fire .09, smoke .09, crew .1: the likeliest word is crew.
        pushes = [(said("ferry fire smoke", "ferry fire crew", "ferry fire smoke smoke"), 0)]
        got = run(make("sumbasic:length=2,similarity=1,carry=no"), pushes)
        assert texts(got) == ["ferry fire smoke", "ferry fire crew"]

    def test_carries_what_was_said_into_later_intervals(self):
        first = (said("ferry fire smoke", doc="a"), 0)
        second = (said("ferry fire smoke", "ferry fire crew", doc="b", time=60), 60)
        assert texts(run(make("sumbasic:similarity=1"), [first, second]))[1] == "ferry fire crew"
        assert texts(run(make("sumbasic:similarity=1,carry=no"), [first, second]))[1] == "ferry fire smoke"

    def test_a_word_said_twice_in_one_sentence_is_squared_once(self):
        # After the first: ferri (3/5)² = .36 if squared once; the second interval holds ferri 1/2, crew 1/2, so
        # ferri .25 against crew .5. Squared twice it would be .0625: the score of the update tells which.
        first = (said("ferry ferry ferry fire smoke", doc="a"), 0)
        second = (said("ferry crew", doc="b", time=60), 60)
        system = make("sumbasic:similarity=1,overlap=1")
        assert [u.confidence for u in run(system, [first, second])] == pytest.approx([11 / 25, 0.375])

    def test_leaves_out_near_copies_of_updates(self):
        pushes = [(said("ferry fire smoke", doc=str(n)), n) for n in range(3)]
        assert len(run(make("sumbasic"), pushes)) == 1
        assert len(run(make("sumbasic:similarity=1"), pushes)) == 3


def paper(spec):
    """The spec of allan2001 with these options, and all others as in the paper instead of as tuned."""
    options = {
        "useful": "topic",
        "earlier": "all",
        "smoothing": "paper",
        "novel_weight": "1",
        "normalise": "none",
    }
    options |= dict(part.split("=") for part in spec.split(","))
    return "allan2001:" + ",".join(f"{key}={value}" for key, value in options.items())


class TestAllan2001:
    def level(self, spec, pushes):
        """The confidences of all updates, with what is not said in `spec` as the paper has it."""
        return [update.confidence for update in run(make(paper(f"overlap=0,{spec}")), pushes)]

    def test_useful_by_hand(self):
        # Topic after the first story: ferri 2, fire 1 of 3 terms. Second story "ferry smoke":
        # sqrt((2.01/3.03)·(.01/3.03)), ported smoothing; the first story asks itself: (2.01·2.01·1.01)^(1/3)/3.03.
        pushes = [(said("ferry ferry fire", doc="a"), 0), (said("ferry smoke", doc="b", time=1), 1)]
        scores = self.level("novel=none,normalise=none,level=-99", pushes)
        first = log(2.01 * 2.01 * 1.01) / 3 - log(3.03)
        second = (log(2.01) + log(0.01)) / 2 - log(3.03)
        assert scores == pytest.approx([1 / (1 + exp(-first)), 1 / (1 + exp(-second))])

    def test_rank_all_emits_every_sentence_by_the_papers_scores(self):
        """Equal to the options that it stands for; off-query, wordless and repeated sentences are ranked too."""
        texts = ("ferry fire", "ferry smoke", "...", "ferry fire", "weather " * 60)
        pushes = [(said(*texts), 0), (said("ferry fire 12 dead", doc="b", time=1), 1)]
        ranked = run(make("allan2001:rank=all"), pushes)
        assert sorted(update.text for update in ranked) == sorted([*texts, "ferry fire 12 dead"])
        assert min(ranked, key=lambda update: update.confidence).text == "..."
        spelled = run(make(paper("overlap=0,max_words=0,level=-9999")), pushes[:1])
        assert [update.confidence for update in ranked if update.text != "..."][:4] == [
            update.confidence for update in spelled
        ]
        assert run(make("allan2001:rank=all,level=-3"), pushes) != ranked

    def test_novelty_by_hand(self):
        # r of "ferry smoke" under "ferry fire": sqrt(1.01·.01)/(1.01·2); its own: 1.01/(1.01·2); their ratio .0995.
        pushes = [(said("ferry fire", "ferry smoke"), 0)]
        ratio = (1.01 * 0.01) ** 0.5 / 1.01
        for novel in ("maximum", "average", "geometric"):
            scores = self.level(f"useful=none,novel={novel},normalise=none,level=-99", pushes)
            assert scores == pytest.approx([0.5, 1 / (1 + exp(-log(1 - ratio)))])
        plain = self.level("useful=none,calibrate=no,normalise=none,level=-99", pushes)
        assert plain[1] == pytest.approx(1 / (1 + exp(-log(1 - ratio / 2))))

    def test_pooling_over_earlier_sentences(self):
        # The third repeats the first (r = 1) and shares nothing with the second (r = .01/1.01).
        pushes = [(said("ferry fire", "storm coast", "ferry fire"), 0)]
        other = 0.01 / 1.01
        found = {
            novel: self.level(f"useful=none,novel={novel},normalise=none,level=-99", pushes)[2]
            for novel in ("maximum", "average", "geometric")
        }

        def confidence(value):
            return 1 / (1 + exp(-log(value)))

        assert found["average"] == pytest.approx(confidence(1 - (1 + other) / 2))
        assert found["maximum"] == pytest.approx(confidence(1e-9))
        assert found["geometric"] == pytest.approx(confidence(exp((log(1e-9) + log(1 - other)) / 2)))

    def test_copies_are_never_novel(self):
        pushes = [(said("ferry fire in port", doc=str(n), time=n), n) for n in range(20)]
        assert len(run(make(paper("level=-8")), pushes)) == 1

    def test_clusters_take_in_what_is_like_them(self):
        system = make(paper("overlap=0,clusters=2"))
        follower = system.start(FERRY)
        follower.push(said("ferry fire port", "storm wind coast", "ferry fire port", "storm wind rain"), 0)
        assert [sorted(model.counts) for model in follower._clusters] == [
            ["ferri", "fire", "port"],
            ["coast", "rain", "storm", "wind"],
        ]

    def test_stories_weigh_the_same_in_the_average(self):
        long = [(said("fire " * 30 + "smoke", doc="a"), 0), (said("smoke", doc="b", time=1), 1)]
        scores = self.level("useful=average,novel=none,normalise=none,level=-99,max_words=0", long)
        # smoke: 1/31 of the first story, all of the second: (1/31 + 1 + .01) / (1.01·2)
        assert scores[1] == pytest.approx(1 / (1 + exp(-log((1 / 31 + 1.01) / 2.02))))

    def test_earlier_told_looks_at_updates_only(self):
        """The first is not told for want of room, so its copy an hour later is novel only by `told`."""
        pushes = [(said("ferry fire kills crew of nine", doc=str(n), time=n), n) for n in (0, 4000)]
        pushes.insert(0, (said("port fire", doc="p"), 0))
        common = "useful=none,level=-1,updates_per_hour=1"
        assert [u.time for u in run(make(paper(f"{common},earlier=told")), pushes)] == [0, 4000]
        assert [u.time for u in run(make(paper(f"{common},earlier=all")), pushes)] == [0]


@pytest.mark.shared_data
def test_events_in_one_pass_are_told_as_each_alone(shared_data) -> None:
    """15 events followed in one pass over the pool of 2014 and each by itself: the same updates."""
    folder = shared_data / "trec-ts" / "2014"
    documents, events = list(read_stream(folder)), read_events(folder)
    together: dict[str, list] = {event.id: [] for event in events}
    for _, updates in follow_stream(documents, events, make("cosine")):
        for update in updates:
            together[update.event_id].append(update)
    for event in events[:5]:
        alone = [u for _, updates in follow_stream(documents, [event], make("cosine")) for u in updates]
        assert alone
        assert alone == together[event.id]


@every("spec", ("cosine", "tidings"))
def test_what_many_events_share_changes_no_update_of_any(spec: str) -> None:
    """Twenty queries from the words of one stream, offered all of it: together and each alone, the same updates."""
    documents = list(read_stream(bundled.path()))
    texts = [sentence.text.split() for document in documents for sentence in document.sentences]
    queries = dict.fromkeys(" ".join(words[:5]) for words in texts[:: len(texts) // 25] if len(words) > 8)
    events = [Event(id=f"e{number}", title="", query=query) for number, query in enumerate([*queries][:20])]
    together: dict[str, list] = {event.id: [] for event in events}
    for _, updates in follow_stream(documents, events, make(spec), mixed=True):
        for update in updates:
            together[update.event_id].append(update)
    for event in events:
        alone = follow_stream(documents, [event], make(spec), mixed=True)
        assert [update for _, updates in alone for update in updates] == together[event.id]
    assert sum(map(bool, together.values())) > 12


def test_a_system_that_learned_is_followed_with_its_weights():
    row = measure(bundled.path(), "tidings")
    assert row["learns"]
    assert row["weights_kib"] > 10
    assert row["state_kib"] > 1
    assert row["updates"] == 36
