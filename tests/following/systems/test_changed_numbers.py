"""A number that changed is news even where all words repeat: in every system that measures likeness, on articles."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.following.systems.streams import FERRY
from tests.sweeps import cases, every
from tidings.core import shared_analyzer
from tidings.core.records import Sentence, Update
from tidings.following.systems.changed_numbers import MOST, EmittedNumbers
from tidings.following.systems.interval_followers import WaitingSentence
from tidings.following.systems.registry import make

NOON = 999_259_200  # a Friday of 2001
BEGINS = "The fire on the ferry broke out in the port of Nador on Friday, police said"
TOLL = "The fire on the ferry in the port of Nador has killed {} people, police said"

ALONE = cases(__file__, "alone")
HOURLY = ["sumbasic", "sumfocus:least=1", "lexrank:least=1", "affinity:least=1,group=1"]


def sentence(text: str, number: int = 0, events: tuple[str, ...] | None = None) -> Sentence:
    return Sentence(f"d{number}", 0, text, NOON + 7200 * number, events=events)


def told(spec: str, *said: str, events: tuple[str, ...] | None = None) -> list[str]:
    """What a follower tells of one-sentence documents that come every two hours."""
    follower, updates = make(spec).start(FERRY), []
    for number, text in enumerate(said):
        one = sentence(text, number, events)
        updates += follower.push([one], one.published_time)
    updates += follower.finish(NOON + 10**6)
    return [update.text for update in updates if isinstance(update, Update)]


def memory(*texts: str, most: int = 100) -> EmittedNumbers:
    numbers = EmittedNumbers(most)
    for text in texts:
        numbers.add(sentence(text), stems(text))
    return numbers


def stems(text: str) -> tuple[str, ...]:
    return shared_analyzer("english").stems(text)


def changes(numbers: EmittedNumbers, text: str, events: tuple[str, ...] | None = None) -> bool:
    return numbers.has_change(sentence(text, events=events), stems(text))


class TestSystems:
    @every("spec", [*ALONE, *HOURLY])
    def test_a_changed_toll_is_told_on_articles(self, spec: str) -> None:
        said = [TOLL.format(78), TOLL.format(80), TOLL.format(78)]
        assert told(spec, *said) == said[:2]

    @every("spec", [*ALONE, *HOURLY])
    def test_pooled_sentences_are_told_as_without(self, spec: str) -> None:
        said = [TOLL.format(78), TOLL.format(80)]
        assert told(spec, *said, events=("E1",)) == said[:1]

    @every("spec", [*ALONE, *HOURLY])
    def test_what_was_told_is_remembered_in_the_state(self, spec: str) -> None:
        system = make(spec)
        follower = system.start(FERRY)
        for number, value in enumerate((78, 80)):
            one = sentence(TOLL.format(value), number)
            follower.push([one], one.published_time)
        resumed = system.start(FERRY)
        resumed.restore(follower.state())
        for value, number in ((78, 3), (85, 4)):
            one = sentence(TOLL.format(value), number)
            assert resumed.push([one], one.published_time) == follower.push([one], one.published_time)
        assert resumed.finish(NOON + 10**6) == follower.finish(NOON + 10**6)
        assert resumed.state() == follower.state()

    @every("spec", HOURLY)
    def test_a_pooled_sentence_that_waits_is_pooled_after_a_resume(self, spec: str) -> None:
        system = make(spec)
        follower, first = system.start(FERRY), sentence(TOLL.format(78))
        follower.push([first], NOON)
        second = replace(sentence(TOLL.format(80), 1), events=("E1", "E2"))
        follower.push([second], second.published_time)
        resumed = system.start(FERRY)
        resumed.restore(follower.state())
        assert resumed.finish(NOON + 10**6) == follower.finish(NOON + 10**6) == []

    @every("spec", ["cosine", "cst", "sumbasic"])
    def test_a_first_toll_is_news_though_its_words_are_not(self, spec: str) -> None:
        killed = BEGINS.replace("broke out", "has killed 12")
        assert told(spec, BEGINS, killed) == [BEGINS, killed]
        assert told(spec, BEGINS, BEGINS.replace("broke out", "began")) == [BEGINS]

    def test_confidence_is_that_of_something_barely_like(self) -> None:
        for spec, highest in (("cosine", 0.35), ("cst", 0.15)):
            follower = make(spec).start(FERRY)
            first, second = sentence(TOLL.format(78)), sentence(TOLL.format(80), 1)
            follower.push([first], NOON)
            (update,) = follower.push([second], second.published_time)
            assert update.confidence == pytest.approx(1 - highest)

    def test_a_pace_offers_what_changed_as_no_repetition(self) -> None:
        for spec in ("cosine:about=300/hour", "centroid:about=300/hour", "tidings:about=300/hour"):
            said = [TOLL.format(value) for value in (78, 80, 85, 90, 95, 99, 110, 120)]
            assert len(told(spec, *said)) > 3, spec
            assert len(told(spec, *[TOLL.format(78)] * 8)) == 1, spec

    def test_tidings_too(self) -> None:
        said = [TOLL.format(value) for value in (78, 80, 78)]
        assert told("tidings:article_level=0", *said) == said[:2]
        turned = "On Friday police said the fire on the ferry in the port of Nador has killed {} people"
        assert told("tidings:article_level=0", said[0], turned.format(78)) == said[:1]
        follower = make("tidings:article_level=0").start(FERRY)
        follower.push([sentence(said[0])], NOON)
        resumed = make("tidings:article_level=0").start(FERRY)
        resumed.restore(follower.state())
        again = sentence(turned.format(78), 1)
        assert resumed.push([again], again.published_time) == []


class TestMemory:
    def test_another_value_of_the_same_thing_in_the_same_words(self) -> None:
        numbers = memory("The firm has plugged 20 wells in the gulf")
        assert changes(numbers, "The firm has plugged 35 wells in the gulf")
        assert changes(numbers, "The firm has plugged 12 wells in the gulf")
        assert not changes(numbers, "The firm has plugged 20 wells in the gulf")
        assert not changes(numbers, "The firm has plugged 35 pipes in the gulf")
        assert not changes(numbers, "A rival bought 35 wells near a town in Norway last spring")

    def test_digits_are_no_words(self) -> None:
        assert changes(memory("20 wells, 2 3 4 6"), "35 wells, 5 7 8 9")

    def test_what_any_update_has_given_is_no_change(self) -> None:
        numbers = memory("The firm has plugged 20 wells", "The firm has plugged 35 wells")
        assert not changes(numbers, "The firm has plugged 20 wells")
        assert changes(numbers, "The firm has plugged 40 wells")

    def test_a_toll_above_the_last_needs_no_same_words(self) -> None:
        numbers = memory("The fire has killed 12 people")
        assert changes(numbers, "Officials in Nador counted 15 dead this morning")
        assert not changes(numbers, "Officials in Nador counted 9 dead this morning")
        assert changes(numbers, "Officials in Nador counted 9 injured this morning")

    def test_a_toll_below_the_last_in_the_same_words(self) -> None:
        numbers = memory("The fire has killed 80 people")
        assert changes(numbers, "The fire has killed 78 people")
        assert not changes(numbers, "The fire has killed at least 78 people")
        assert not changes(numbers, "The fire has killed about 78 people")
        assert changes(numbers, "The fire has killed about 60 people")
        assert not changes(numbers, "The fire has killed up to 90 people")
        assert changes(numbers, "The fire has killed up to 70 people")

    def test_dates_times_and_ages_change_nothing(self) -> None:
        numbers = memory("On 26 July at 10:30 a man aged 45 put out 3 fires for 5 hours")
        assert not changes(numbers, "On 28 July at 11:45 a man aged 54 put out 3 fires for 9 hours")

    def test_earlier_years_change_nothing(self) -> None:
        numbers = memory("The fire has killed 12 people")
        assert not changes(numbers, "The fire of 1987 has killed 90 people")
        assert changes(numbers, "The fire of 2001 has killed 90 people")

    def test_pooled_sentences_are_neither_asked_nor_kept(self) -> None:
        numbers = memory("The fire has killed 12 people")
        assert not changes(numbers, "The fire has killed 15 people", ("E1",))
        pooled = EmittedNumbers(9)
        pooled.add(sentence("The fire has killed 12 people", events=("E1",)), ["fire"])
        assert pooled.state() == []

    def test_new_numbers(self) -> None:
        numbers = memory("The firm has plugged 20 wells")
        assert numbers.has_new(sentence("A rival has bought 35 wells"))
        assert not numbers.has_new(sentence("A rival has bought 20 wells"))
        assert not numbers.has_new(sentence("A rival came on 26 July"))

    def test_the_oldest_goes_first(self) -> None:
        numbers = memory(*(f"The fire has killed {value} people" for value in (90, 12, 14)), most=2)
        assert len(numbers.state()) == 2
        assert changes(numbers, "The fire has killed 90 people")
        assert changes(numbers, "Officials counted 15 dead")
        assert not changes(numbers, "Officials counted 14 dead")
        most = memory(*(f"The fire has killed {value} people" for value in range(2, MOST + 50)), most=10**6)
        assert len(most.state()) == MOST

    def test_restored(self) -> None:
        numbers = memory("The fire has killed 90 people", "The firm has plugged 20 wells")
        other = memory("The fire has killed 500 people")
        other.restore(numbers.state())
        assert other.state() == numbers.state()
        for text in (
            "The fire has killed 91 people",
            "The firm has plugged 21 wells",
            "The fire has killed 90 people",
        ):
            assert changes(other, text) == changes(numbers, text)
        assert changes(other, "Officials counted 91 dead")


def test_apsal_asks_it_of_what_is_like_an_update() -> None:
    follower = make("apsal").start(FERRY)
    first, second = (
        WaitingSentence(sentence(TOLL.format(value)), stems(TOLL.format(value))) for value in (78, 80)
    )
    latent = follower._learned.space.vectors([first.stems])[0]
    follower._remember(NOON, first.stems)
    follower._numbers.add(first.sentence, first.stems)
    assert follower._repeats(first, latent)
    assert not follower._repeats(second, latent)
    resumed = make("apsal").start(FERRY)
    resumed.restore(follower.state())
    assert resumed.state() == follower.state()
    assert resumed._repeats(first, latent)


@pytest.mark.parametrize(
    ("earlier", "later", "changed"),
    [
        ("The driver of the train was arrested", "The driver of the train was charged", True),
        ("The driver of the train was arrested", "The driver of the train was detained", False),
        ("The search for the dead hikers was halted", "The search for the dead hikers was resumed", True),
        ("Two of the missing hikers are dead", "Two of the missing hikers are alive", True),
        ("Rescuers search the train for bodies", "Rescue workers search the train for bodies", False),
    ],
)
def test_another_outcome_is_news_in_the_same_words(earlier: str, later: str, changed: bool) -> None:
    def stems(text: str) -> tuple[str, ...]:
        return shared_analyzer().stems(text)

    emitted = EmittedNumbers(100)
    emitted.add(Sentence("a", 0, earlier, 1374840000), stems(earlier))
    again = EmittedNumbers(100)
    again.restore(emitted.state())
    for numbers in (emitted, again):
        assert numbers.has_change(Sentence("b", 0, later, 1374850000), stems(later)) is changed
