"""Documents in, values out: the gate, the evidence, and what readers' comments may not do.

One document that states thousands of numbers: it costs no more than a few, and drives out nobody.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.sweeps import every
from tidings.analysis import Relevance
from tidings.core.records import Event, Sentence, Update
from tidings.following.values.series import Rules, Series, example_claim, weight_of
from tidings.following.values.stated import is_outdated
from tidings.following.values.value_tracker import ValueTracker, mentions_of

FIRE = Event(id="fire", title="Ferry fire of 2014", query="ferry fire port")


def document(
    doc_id: str, *texts: str, time: int = 1_400_000_000, source: str = "", title: str = ""
) -> list[Sentence]:
    return [Sentence(doc_id, index, text, time, source, 0, None, title) for index, text in enumerate(texts)]


class TestRelevance:
    def test_two_stems_in_the_document_and_one_in_the_sentence(self):
        relevance = Relevance(FIRE)
        assert relevance.relevant(document("d", "A fire broke out.", "12 people died.")) == []
        passed = relevance.relevant(
            document("d", "A fire broke out.", "12 people died on the ferry.", "More soon.")
        )
        assert [one.index for one in passed] == [0, 1]

    def test_a_title_can_speak_for_its_sentences(self):
        sentences = document("d", "Fire!", "12 people died.", title="Ferry fire: what we know")
        assert len(Relevance(FIRE).relevant(sentences)) == 2
        assert Relevance(FIRE).relevant(document("d", "12 people died.", title="Ferry fire in port")) == []

    def test_years_of_the_title_are_no_words_of_the_event(self):
        assert "2014" not in Relevance(FIRE).stems

    def test_an_event_of_one_word_asks_for_one(self):
        relevance = Relevance(Event(id="e", title="Bopha", query="bopha"))
        assert relevance.relevant(document("d", "Bopha killed 12 people."))


class TestTracker:
    def test_a_value_with_its_evidence(self):
        tracker = ValueTracker(FIRE)
        text = "The fire on the ferry killed at least 12 people, police said."
        (value,) = tracker.read(
            document("d1", "Fire in the port.", text, source="Post", title="Fire"), 1_400_000_000
        )
        assert (value.event_id, value.attribute, value.value, value.time) == (
            "fire",
            "deaths",
            (12.0,),
            1_400_000_000,
        )
        assert (value.doc_id, value.sentence_index) == ("d1", 1)
        (evidence,) = value.evidence
        assert (evidence.text, evidence.source, evidence.title) == (text, "Post", "Fire")
        assert 0 < value.confidence <= 1

    def test_nothing_where_nothing_changes(self):
        tracker = ValueTracker(FIRE)
        said = "The ferry fire killed 12 people."
        assert tracker.read(document("d1", said), 1_400_000_000)
        assert tracker.read(document("d2", said, time=1_400_000_060), 1_400_000_060) == []

    def test_more_outlets_make_surer(self):
        """The same change of the same weight, by one outlet or by three."""
        confidences = []
        for outlets in (1, 3):
            tracker = ValueTracker(FIRE)
            tracker.read(document("a", "The ferry fire killed 10 people."), 1_400_000_000)
            sentences = []
            for number in range(3):
                text = "The death toll of the ferry fire is 12."
                sentences += document(f"b{number}", text, source=f"paper {number % outlets}")
            (value,) = tracker.read(sentences, 1_400_000_600)
            confidences.append(value.confidence)
        assert confidences[0] < confidences[1]

    def test_the_first_and_the_last_who_say_so_are_kept(self):
        tracker = ValueTracker(FIRE)
        tracker.read(document("a", "The ferry fire killed 12 people."), 1_400_000_000)
        texts = [f"No {number}: the death toll of the ferry fire is 14." for number in range(9)]
        values = []
        for number, text in enumerate(texts):
            values += tracker.read(document(f"b{number}", text), 1_400_100_000 + number)
        (value,) = values
        assert value.value == (14.0,)
        assert len(value.evidence) <= 5
        assert value.evidence[0].doc_id == "b0"
        assert value.evidence[-1].doc_id == value.doc_id

    def test_what_stands_behind_readers_comments_is_passed_over(self):
        sentences = document("d", "A ferry fire.", "Bob wrote: so sad.", "The ferry fire killed 900 people.")
        assert mentions_of(Relevance(FIRE), sentences) == []
        assert mentions_of(Relevance(FIRE), [sentences[0], sentences[2]])

    def test_earlier_years_are_counted_from_the_day_of_publication(self):
        texts = ("The ferry fire of 2012 killed 90 people.", "The ferry fire of 2014 killed 12 people.")
        tracker = ValueTracker(FIRE)
        assert [value.value for value in tracker.read(document("d", *texts), 1_400_000_000)] == [(12.0,)]

    def test_attributes_are_told_apart(self):
        text = "The ferry fire killed 12 people, injured 40 and left 5 missing."
        values = ValueTracker(FIRE).read(document("d", text), 1_400_000_000)
        assert {value.attribute: value.value[0] for value in values} == {
            "deaths": 12,
            "injuries": 40,
            "missing": 5,
        }

    @every("time", [0, -10, 1 << 62])
    def test_any_time(self, time):
        read = ValueTracker(FIRE).read(document("d", "The ferry fire killed 12 people.", time=time), time)
        assert [value.value for value in read] == [(12.0,)]


@every(
    "place, text, toll",
    [
        ("beirut", "The death toll from the explosion in Beirut has risen to 28.", [28.0]),
        ("haiti", "The earthquake in Haiti killed at least 28 people, officials said.", [28.0]),
        ("kabul", "A suicide bomber killed at least 28 people in Kabul on Sunday.", [28.0]),
        ("gaza", "Israeli strikes killed at least 28 people in Gaza on Sunday.", []),
        ("sudan", "Shelling killed at least 28 people in Sudan on Sunday.", []),
        (
            "austin",
            "Troops killed at least 28 people when Austin spoke on Sunday.",
            [28.0],
        ),  # a person's name too
    ],
)
def test_only_a_war_makes_a_place_alone_one_of_which_days_are_counted(
    place: str, text: str, toll: list[float]
) -> None:
    event = Event(id="e", title=place.title(), query=place)
    values = ValueTracker(event).read(document("d", text, title=place.title()), 1_400_000_000)
    assert [value.value[0] for value in values] == toll


def test_the_bundled_event_ends_where_it_ended():
    """The toll of Santiago rises, is corrected downwards, and never is that of Seville in 1972."""
    from tidings.core.text.sentences import cut
    from tidings.sources import bundled
    from tidings.sources.streams import read_events, read_stream

    tracker = ValueTracker(read_events(bundled.path())[0])
    deaths = []
    for one in sorted(map(cut, read_stream(bundled.path())), key=lambda one: one.published_time):
        deaths += [
            value for value in tracker.read(one.sentences, one.published_time) if value.attribute == "deaths"
        ]
    assert [value.value[0] for value in deaths] == [2, 10, 20, 35, 45, 56, 77, 80, 78, 79]
    assert all(70 not in value.reported for value in deaths)


def test_a_value_is_read_back_as_it_was_written(tmp_path):
    from tidings.core.errors import FormatError
    from tidings.core.records import Run, ValueUpdate
    from tidings.following.outputs.outputs import read_updates, write_updates

    path = tmp_path / "v.jsonl"
    value = ValueUpdate("e", 60, "deaths", (78.0,), 0.5, "d", 0, (), (56.0, 80.0))
    write_updates(path, [Run("us", "r", (), None, (value,))])
    assert read_updates(path)[0].values == (value,)
    path.write_text(path.read_text().replace("[56.0,80.0]", "[80.0,56.0]"))
    with pytest.raises(FormatError, match="lowest, highest"):
        read_updates(path)


class TestKindsOfArticles:
    SAID = "The ferry fire killed 900 people."

    @every(
        "sentence, doubt",
        [("I think you are all quite wrong about this, my friends!", "comment"), ("It went on.", None)],
    )
    def test_a_page_of_readers_comments_is_not_believed(self, sentence, doubt):
        sentences = document("d", "A ferry fire.", self.SAID, *[sentence] * 30)
        doubts = [one.doubts for _, found in mentions_of(Relevance(FIRE), sentences) for one in found]
        assert doubts == [(doubt,) if doubt else ()]

    def test_an_opinion_counts_less(self):
        weights = []
        for sentence in ("My own hope is that we learn from this one day.", "It went on."):
            sentences = document("d", "A ferry fire.", self.SAID, *[sentence] * 15)
            ((_, (mention,)),) = mentions_of(Relevance(FIRE), sentences)
            weights.append(weight_of(mention))
        assert weights == [pytest.approx(0.3), pytest.approx(1.0)]


class TestTakingBack:
    def test_who_was_missing_is_found(self):
        tracker = ValueTracker(FIRE)
        tracker.read(document("a", "After the ferry fire 14 people are missing."), 1_400_000_000)
        values = []
        for number, text in enumerate(
            (
                "Nobody is missing after the fire on the ferry.",
                "Police said no one is missing from the ferry that caught fire.",
                "All passengers have been accounted for after the ferry fire.",
            )
        ):
            values += tracker.read(document(f"b{number}", text, time=1_400_090_000), 1_400_090_000)
        assert [value.value for value in values if value.attribute == "missing"] == [(0.0,)]

    def test_a_report_that_was_false_counts_less(self):
        tracker = ValueTracker(FIRE)
        said = tracker.read(document("a", "The ferry fire killed 30 people."), 1_400_000_000)
        said += tracker.read(document("b", "The fire on the ferry killed 22 people."), 1_400_000_010)
        said += tracker.read(
            document(
                "c", "Reports that 30 people were killed in the ferry fire were false.", time=1_400_000_020
            ),
            1_400_000_020,
        )
        assert [value.value for value in said] == [(30.0,), (22.0,)]

    def test_a_sentence_ends_where_readers_comments_begin(self):
        text = "The ferry fire killed 12 people. Add your comment: 900 people died on that ferry"
        assert [
            one.value for _, found in mentions_of(Relevance(FIRE), document("d", text)) for one in found
        ] == [12]

    def test_more_people_in_hospital_than_were_injured_raise_that_figure_and_fewer_do_not(self):
        def update(name, text, time):
            return Update("e", name, 0, time, 0.5, text, time)

        tracker = ValueTracker(FIRE)
        said = [
            update("a", "The ferry fire left about 100 people injured.", 1_400_000_000),
            update(
                "b", "A total of 178 people were treated in hospitals after the ferry fire.", 1_400_050_000
            ),
            update("c", "Thirty people hurt in the ferry fire are still in hospital.", 1_400_090_000),
        ]
        values = [
            value
            for one in said
            for value in tracker.read(document(one.doc_id, one.text, time=one.time), one.time, [one])
        ]
        assert [(value.value, value.qualifier) for value in values if value.attribute == "injuries"] == [
            ((100.0,), "about"),
            ((178.0,), "at least"),
        ]
        assert not is_outdated(FIRE, values, said[2])


def test_a_document_of_many_numbers_keeps_to_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    supporters = Series.supporters
    monkeypatch.setattr(
        Series, "supporters", lambda self, value: looked.append(value) or supporters(self, value)
    )
    series, rules = Series(Rules()), Rules()
    for number in range(3):
        series.add(example_claim(12, number, f"d{number}"))
    looked.clear()
    for number in range(3000):
        series.add(example_claim(100_000 + number, 60, "long"))
    assert len(looked) <= rules.of_one**2
    assert [claim.doc_id for claim in series.claims if claim.value == 12] == [b"d0", b"d1", b"d2"]
    assert len(series.claims) == 3 + rules.of_one
    series.settle(60)
    assert series.current == 12


def test_a_document_at_its_limit_may_still_correct_itself() -> None:
    series = Series(Rules())
    for number in range(Rules().of_one):
        series.add(example_claim(100 + number, 0, "long"))
    series.add(replace(example_claim(90, 60, "long"), instead_of=100.0))
    values = [claim.value for claim in series.claims]
    assert 90 in values and 100 not in values


class TestAStoryOfDays:
    """What outlets say of a wildfire in turn, an hour apart, and the figures that stand after each."""

    WILDFIRE = Event(id="w", title="", query="orvik wildfire")

    def figures(self, *said: str) -> list[dict[str, float]]:
        tracker, standing, seen = ValueTracker(self.WILDFIRE), dict[str, float](), []
        for hour, text in enumerate(said):
            time = 1_780_000_000 + 3_600 * hour
            one = document(f"d{hour}", text, time=time, source=f"Outlet {hour}", title="Orvik wildfire")
            standing = standing | {value.attribute: value.value[0] for value in tracker.read(one, time)}
            seen.append(standing)
        return seen

    def test_those_who_were_missing_since_then_are_found(self):
        missing = "Six campers are missing in the Orvik wildfire."
        since = "The six campers missing since the Orvik wildfire began were found alive on Wednesday."
        assert self.figures(missing, since, since)[-1]["missing"] == 0
        assert self.figures(missing, "Missing campers found alive after Orvik wildfire")[-1]["missing"] == 0
        assert (
            self.figures(missing.replace("Six", "80"), "Missing campers found alive at Orvik")[-1]["missing"]
            == 80
        )

    def test_a_number_that_rose_to_so_many_needs_one_witness_less(self):
        two, about = (
            "Two people were injured in the Orvik wildfire.",
            "About 20 people were hurt in the wildfire.",
        )
        rose = "The number of injured in the Orvik wildfire rose to 23."
        assert [one["injuries"] for one in self.figures(two, about, rose)] == [2, 2, 23]
        assert self.figures(two, about, "The Orvik wildfire left 23 people injured.")[-1]["injuries"] == 2

    def test_a_correction_says_which_number_it_takes_the_place_of(self):
        seven = "The toll of the Orvik wildfire rose to seven on Tuesday after three bodies were found."
        six = "Six people died in the Orvik wildfire, not seven, the sheriff said."
        assert [one["deaths"] for one in self.figures(seven, six)] == [7, 6]
        many = "The Orvik wildfire has injured 23 people."
        less = "An outlet said earlier that 23 people were injured in the Orvik wildfire; the correct number is 21."
        assert [one["injuries"] for one in self.figures(many, less)] == [23, 21]

    def test_a_figure_that_was_withdrawn_is_none(self):
        withdrawn = "The councillor who spoke of 20 dead in the Orvik wildfire withdrew the figure on Monday."
        assert self.figures(withdrawn) == [{}]
        assert self.figures("The Orvik wildfire killed five people.", withdrawn)[-1] == {"deaths": 5}

    def test_so_many_as_were_found_dead_are_more_dead(self):
        dead = "Eleven people are dead and seven missing after the Orvik wildfire."
        last = "The last five missing campers of the Orvik wildfire were found dead on Wednesday."
        assert self.figures(dead, last)[-1] == {"deaths": 16, "missing": 0}
        assert self.figures(dead, "Last missing found after Orvik wildfire", last)[-1] == {
            "deaths": 16,
            "missing": 0,
        }

    def test_who_is_missing_now_are_no_longer_as_many_as_before(self):
        tracker, reported = ValueTracker(self.WILDFIRE), {}
        said = (
            "Nine are dead and seven missing in the Orvik wildfire.",
            "Eleven are now dead and five are missing.",
        )
        for hour, text in enumerate(said):
            time = 1_780_000_000 + 3_600 * hour
            one = document(f"d{hour}", text, time=time, title="Orvik wildfire")
            update = Update("w", f"d{hour}", 0, time, text=text, published_time=time, title="Orvik wildfire")
            for value in tracker.read(one, time, [update]):
                reported[value.attribute] = (value.value, value.reported)
        assert reported == {"deaths": ((11.0,), ()), "missing": ((5.0,), ())}

    def test_a_figure_that_fell_or_was_corrected_is_not_disputed(self):
        def disputed(*said: str) -> tuple[float, ...]:
            tracker, values = ValueTracker(self.WILDFIRE), []
            for hour, text in enumerate(said):
                time = 1_780_000_000 + 3_600 * hour
                one = document(f"d{hour}", *text.split("|"), time=time, title="Orvik wildfire")
                values = tracker.read(one, time) or values
            return values[-1].reported

        missing = "{} campers are still missing after the Orvik wildfire."
        assert disputed(missing.format("Six"), *[missing.format("Three").replace("still ", "")] * 2) == ()
        seven = "The Orvik wildfire has killed seven people."
        six = "The Orvik wildfire's toll is six.|Six people died in the Orvik wildfire, not seven, doctors said."
        assert disputed(seven, six) == ()
