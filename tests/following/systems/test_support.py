"""Support: which outlets say again what was told, counted without touching what is told."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.following.systems.streams import FERRY, follow, stream
from tests.sweeps import every
from tidings.core.records import Document, Event, Output, Sentence, Support, Update
from tidings.following.stream.loop import follow_stream
from tidings.following.systems import claims, support as counting
from tidings.following.systems.claims import Claim, Content
from tidings.following.systems.decider import Decider, as_decider
from tidings.following.systems.registry import make
from tidings.following.systems.support import (
    KEEP_S,
    ClaimReader,
    SupportCounter,
    SupportCounting,
    outlet_of,
)

EVENT = Event(id="e", title="Ferry fire", query="ferry fire")
FACT = "The ferry fire was put out after nine hours, a port police spokeswoman in Nador announced."

DEAD = "At least 12 people were killed in the ferry fire near Nador."


def with_support(spec: str) -> Decider:
    decider = as_decider(make(spec))
    return replace(decider, stages=(SupportCounting(), *decider.stages))


def said(
    doc: str, text: str, time: int = 60, source: str = "Coast Radio", url: str = "", index: int = 0
) -> Sentence:
    return Sentence(doc, index, text, time, source, title=f"Title of {doc}", url=url)


def told(sentence: Sentence, time: int = 0) -> Update:
    return Update(
        "e",
        sentence.doc_id,
        sentence.index,
        time,
        1.0,
        sentence.text,
        sentence.published_time,
        sentence.source,
    )


def supports_of(update_text: str, *sentences: Sentence, source: str = "Wire") -> list[Support]:
    """What supports an update of this text, each sentence offered at its own time."""
    counter = SupportCounter(EVENT)
    first = said("a", update_text, 0, source)
    supports = counter.count([first], [told(first)], 0)
    for sentence in sentences:
        supports += counter.count([sentence], [], sentence.published_time)
    return supports


def test_a_sentence_is_remembered_as_it_was_read_and_shown_as_people_write() -> None:
    cut_up = said("b", FACT.replace(",", " ,").replace(".", " ."))
    counter, resumed = SupportCounter(EVENT), SupportCounter(EVENT)
    counter.count([cut_up], [], 60)
    assert cut_up.text.encode() in counter.state()
    resumed.restore(counter.state())
    found = [one.count([], [told(said("a", FACT, 90, "Wire"), 90)], 90) for one in (counter, resumed)]
    assert found[0] == found[1]
    assert [support.evidence.text for support in found[0]] == [FACT]


def test_figures_are_read_where_they_decide_something(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(claims, "find_casualties", lambda text: read.append(text) or [])
    counter = SupportCounter(EVENT)
    named, other = said("a", DEAD, 0), said("b", "At least 9 people were killed in Melilla.", 0)
    counter.count([named, other], [], 0)  # both are kept or left out whatever they count
    assert not read


@every(
    "text, same",
    [
        ("The owner rebuffed all claims.", "The owner denied the accusations."),
        ("Both came to an agreement.", "Both reached an agreement."),
        ("The mayor stood down.", "The mayor resigned."),
        ("They're calling off the race.", "They're canceling the race."),
        ("The captain gave himself up.", "The captain surrendered."),
        ("The train left the rails.", "The train derailed."),
        ("The fire was put out.", "The fire was extinguished."),
        ("The crew was set free.", "The crew was freed."),
    ],
)
def test_a_phrase_counts_as_the_word_that_says_it(text: str, same: str) -> None:
    reader = ClaimReader(EVENT, lambda _: 0.0)
    assert reader.content(text).stems == reader.content(same).stems


def is_supported(update_text: str, text: str) -> bool:
    return any(one.same for one in supports_of(update_text, said("b", text)))


class TestSameFact:
    @every(
        "update, text",
        [
            (FACT, FACT),
            (FACT, "Ferry fire put out after nine hours, police spokeswoman in Nador port announced today."),
            ("At least 12 people were killed in the ferry fire, guards said.", "12 killed, guard says."),
            ("Eighty people died in the fire near Nador, officials announced.", "80 people died near Nador."),
            ("The crew will go to Nador tomorrow, the owner said.", "Tomorrow the crew will go to Nador."),
            ("The crew will not sail to Nador tomorrow, it said.", "Tomorrow the crew won't sail to Nador."),
            (
                "The toll of the ferry fire was corrected downward: 78 people died, not 80.",
                "The toll of the ferry fire was put right: 78 people are dead, not 80.",
            ),
            (
                "The coast guard said Tuesday that it searched three boats near Nador, hurting 11 people in one.",
                "Coast guard searches three more boats near Nador, hurting 11",
            ),
            (
                "Port police accused the owner of the burnt ferry of fraud, a day after he was arrested in Nador.",
                "Nador port police accused the owner of the burnt ferry of fraud.",
            ),
            (
                "Two of the burnt ferry's crew fell ill in Nador, whose harbour will close.",
                "Two of the burnt ferry's crew have fallen ill in Nador.",
            ),
            (
                "The captain of the ferry was found dead on the beach at Nador.",
                "Police named the captain of the ferry, who was found dead on the beach at Nador.",
            ),
        ],
    )  # fmt: skip
    def test_supports(self, update: str, text: str) -> None:
        assert is_supported(update, text)

    @every(
        "update, text",
        [
            (FACT, "The summer concert in the park was a great success with many people."),
            (
                "The owner of the burnt ferry has met the mayor of Nador about the wreck.",
                "On the eve of his meeting with the mayor of Nador about the wreck, the owner of the ferry was silent.",
            ),
            (
                "Oil from the burnt ferry has entered the harbour of Nador.",
                "Divers went to determine if oil from the burnt ferry has entered the harbour of Nador.",
            ),
            (
                "1,900 liters of oil from the burnt ferry reached the harbour of Nador.",
                "2,000 liters of oil from the burnt ferry reached the harbour of Nador.",
            ),
            (DEAD, DEAD.replace("12", "15")),
            (DEAD, DEAD.replace("At least 12 people", "People")),
            ("The captain was arrested in Nador on Friday.", "The captain was not arrested in Nador on Friday."),
            ("The minister visited Nador and its harbour.", "The minister will visit Nador and its harbour."),
            ("The fire left 20 dead and 100 injured in Nador.", "The fire left 100 injured in Nador."),
            (
                "The country will mourn three days, President Ana Roe of Nador announced.",
                "President Ana Roe will go to Nador.",
            ),
            (
                "A judge in Nador opened an inquiry into the ferry fire in which 77 people died, sources said.",
                "77 people died in the ferry fire.",
            ),
            (
                "The toll of the ferry fire was corrected downward: 78 people died, not 80.",
                "The toll of the ferry fire has risen to 78 dead.",
            ),
            (DEAD, "Port police withdrew the figure of at least 12 people dead in the ferry fire."),
            ("Fire on the ferry.", "The ferry is on fire."),
            (
                "Divers found smoke in the hold, said Ana Roe, chief of the harbor rescue service of Nador.",
                "The wreck was sold at auction, said Ana Roe, chief of the harbor rescue service of Nador.",
            ),
            (
                "With up to 50 people feared dead, charities of the port are collecting blankets.",
                "Up to 50 people are feared dead in the port.",
            ),
            (
                "The captain was formally charged with homicide over the fire that drew crowds to the port.",
                "The fire drew crowds to the port, and the captain aimed a lamp at them, it said of the homicide.",
            ),
            (
                "What the mayor's win means for the port and for the sailors of Nador",
                "The mayor's win means work for the port and for the sailors of Nador.",
            ),
        ],
    )  # fmt: skip
    def test_does_not_support(self, update: str, text: str) -> None:
        assert not is_supported(update, text)

    def test_something_near_is_noted_once_and_is_not_the_same(self) -> None:
        near = "A port police spokeswoman in Nador spoke of the crew and of its captain."
        supports = supports_of(FACT, said("b", near), said("c", near, source="North Wire"))
        assert [(one.same, one.evidence.doc_id) for one in supports] == [(False, "b")]


@every(
    "text, main",
    [
        ("The mayor of Naxos said that an inquiry would begin.", "an inquiry would begin."),
        ("The navy said on Tuesday that 12 people died.", "12 people died."),
        ("12 people died and the mayor of Naxos said that an inquiry would begin.", ""),
        ("Twelve people died and the mayor of Naxos said that an inquiry would begin.", ""),
        ("A ferry sank and killed 12 after the captain said that the engine had failed.", ""),
        ("The toll reported that day was 12.", ""),
    ],
)
def test_only_who_says_so_is_left_out_before_what_is_said(text: str, main: str) -> None:
    assert Claim(text, skips_asides=True).main == (main or text)
    assert Claim("The navy said that all is well.").main == "The navy said that all is well."


@every(
    "text, first",
    [
        ("A nurse who works at the port says the ferry is empty.", "the ferry is empty."),
        ("The mayor, a former sailor, said she would resign.", "she would resign."),
        ("But after being freed last week, he went to sea.", "he went to sea."),
        ("The ferry sank and the mayor said it was old.", "The ferry sank and the mayor said it was old."),
        ("The ferry sank, said Ana Roe, chief of the port, on Monday.", "The ferry sank"),
    ],
)
def test_what_is_told_to_the_point(text: str, first: str) -> None:
    assert Claim(text, skips_asides=True).first == first
    assert Claim(text).first in (text, first)


def test_bodies_that_accuse_are_not_dead() -> None:
    assert Claim("Two anti-corruption bodies have charged the minister.").states == {"charged"}


def test_a_warning_is_not_repeated_by_what_comes_of_it() -> None:
    warned = (
        "The weather service warned that the storm could bring down power lines across the harbour of Nador."
    )
    assert is_supported(warned, warned.replace("The weather", "Weather"))
    assert not is_supported(warned, "The storm has brought down power lines across the harbour of Nador.")


def test_a_large_number_in_words_is_compared_as_a_number() -> None:
    reader = SupportCounter(FERRY).reader
    assert reader.content("Two hundred people left.").stems == reader.content("200 people left.").stems


def test_a_sentence_that_counts_the_same_people_is_near_however_else_it_speaks() -> None:
    counted = said("b", "Nador: eleven hurt on the burning ferry, twice as many as had been told at night.")
    (near,) = supports_of("One sailor died and 11 were injured, the coast guard said.", counted)
    assert not near.same and near.evidence.doc_id == "b"


def test_people_counted_without_a_word_of_the_query_are_near_also_where_they_were_counted_before() -> None:
    earlier = said("b", "Eleven people were injured, two more than had been counted at night.", -60)
    later = replace(earlier, doc_id="c", source="North Wire", published_time=60)
    update = said("a", "One sailor died and 11 were injured in the ferry fire near Nador.", 0, "Wire")
    for title, near in (("Ferry fire: one dead", ["b"]), ("Eleven hurt on a bus", [])):
        counter = SupportCounter(EVENT)
        assert counter.count([replace(earlier, title=title)], [], -60) == []
        found = counter.count([update], [told(update)], 0)
        found += counter.count([replace(later, title=title)], [], 60)
        assert [(one.evidence.doc_id, one.same) for one in found] == [(name, False) for name in near]


class TestOutlets:
    def test_each_counts_once_with_its_first_sentence(self) -> None:
        sentences = [said("b", FACT, 60), said("c", FACT, 90), said("d", FACT, 95, "North Wire")]
        supports = supports_of(FACT, *sentences)
        assert [(one.evidence.source, one.evidence.doc_id, one.time) for one in supports] == [
            ("Coast Radio", "b", 60),
            ("North Wire", "d", 95),
        ]
        assert supports[0].update_id == "a-0"
        assert supports[0].evidence.title == "Title of b"

    def test_the_updates_own_does_not_count(self) -> None:
        assert supports_of(FACT, said("b", FACT, source="Wire")) == []

    def test_without_names_hosts_do_and_then_documents(self) -> None:
        hosts = [
            said("b", FACT, source="", url=f"https://{name}.org/1") for name in ("www.one", "one", "two")
        ]
        assert len(supports_of(FACT, *hosts)) == 2
        assert len(supports_of(FACT, said("b", FACT, source=""), said("c", FACT, source=""))) == 2

    def test_another_sentence_of_the_same_document_does_not_count(self) -> None:
        assert supports_of(FACT, said("a", FACT, index=4, source=""), source="") == []
        assert supports_of(FACT, said("a", FACT, index=4, source="Other")) == []

    @every("url", ["https://[", "no address", "javascript:x"])
    def test_an_odd_address_is_no_outlet(self, url: str) -> None:
        assert outlet_of("", url) == ""


class TestTime:
    def test_what_was_said_before_the_telling_supports_too(self) -> None:
        counter = SupportCounter(EVENT)
        early, late = said("b", FACT, 10), said("a", FACT, 70, "Wire")
        assert counter.count([early], [], 10) == []
        supports = counter.count([late], [told(late, 70)], 70)
        assert [(one.time, one.evidence.doc_id, one.evidence.published_time) for one in supports] == [
            (70, "b", 10)
        ]

    def test_ends_after_two_days(self) -> None:
        assert supports_of(FACT, said("b", FACT, KEEP_S))
        assert not supports_of(FACT, said("b", FACT, KEEP_S + 1))

    def test_a_sentence_supports_no_update_of_later_than_two_days(self) -> None:
        counter = SupportCounter(EVENT)
        counter.count([said("b", FACT, 0)], [], 0)
        late = said("a", FACT, KEEP_S + 1, "Wire")
        assert counter.count([late], [told(late, KEEP_S + 1)], KEEP_S + 1) == []


class TestBounds:
    def test_old_updates_sentences_and_many_outlets_go(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(counting, "MOST_UPDATES", 3)
        monkeypatch.setattr(counting, "MOST_RECENT", 4)
        monkeypatch.setattr(counting, "MOST_OUTLETS", 2)
        counter = SupportCounter(EVENT)
        for number in range(50):
            sentence = said(f"d{number}", f"ferry w{number} x{number} y{number} z{number}", number, "Wire")
            counter.count([sentence], [told(sentence, number)], number)
        size = len(counter.state())
        for number in range(50, 90):
            sentence = said(f"d{number}", f"ferry w{number} x{number} y{number} z{number}", number, "Wire")
            counter.count([sentence], [told(sentence, number)], number)
        assert len(counter.state()) <= size + 20
        again = [said(f"o{n}", "ferry w89 x89 y89 z89", 95, f"Outlet {n}") for n in range(5)]
        assert len(counter.count(again, [], 95)) == 2
        gone = [said("p", "ferry w5 x5 y5 z5", 96, "Outlet")]
        assert counter.count(gone, [], 96) == []

    def test_a_long_text_is_looked_at_to_its_first_words(self) -> None:
        counter = SupportCounter(EVENT)
        sentence = said("a", "ferry " + " ".join(f"w{number}" for number in range(5_000)), 0)
        counter.count([sentence], [told(sentence)], 0)
        assert len(counter._waiting[0].content.stems) <= 60


def everything(system: object, pushes: list) -> list:
    follower = system.start(FERRY)  # type: ignore[attr-defined]
    return follow(follower, pushes)


@pytest.mark.parametrize(
    "spec",
    [
        "tidings",
        "cosine",
        "sumbasic",
        pytest.param("tidings:about=20/day", marks=pytest.mark.long),
        "cosine:updates_per_hour=2",
    ],
)
class TestBesideAnySystem:
    def test_changes_no_update(self, spec: str) -> None:
        documents = [
            Document(id=f"{number}", published_time=now, sentences=tuple(sentences))
            for number, (sentences, now) in enumerate(stream(3, hostile=spec == "cosine"))
        ]
        plain = [o for _, outputs in follow_stream(documents, [FERRY], make(spec)) for o in outputs]
        beside = [o for _, outputs in follow_stream(documents, [FERRY], with_support(spec)) for o in outputs]
        assert [o for o in beside if isinstance(o, Update)] == plain
        assert with_support(spec).spec == make(spec).spec

    def test_resumed_equals_undisturbed_at_every_cut(self, spec: str) -> None:
        system, pushes = with_support(spec), list(stream(1, casualties=True))
        whole = everything(system, pushes)
        first, before = system.start(FERRY), list[Output]()
        for cut, (sentences, now) in enumerate(pushes):
            if cut % 3 == 0:
                second = system.start(FERRY)
                second.restore(first.state())
                assert second.state() == first.state()
                assert before + follow(second, pushes[cut:]) == whole
            before += first.push(sentences, now)


def test_counts_in_the_bundled_event() -> None:
    """Each support shares a fact with its update, as people marked it."""
    from tidings.sources import bundled
    from tidings.sources.streams import read_events, read_judgments, read_stream

    folder = bundled.path()
    facts: dict[str, set[str]] = {}
    for match in read_judgments(folder).matches:
        facts.setdefault(match.update_id, set()).add(match.nugget_id)
    steps = follow_stream(list(read_stream(folder)), read_events(folder), with_support("cosine"))
    supports = [o for _, outputs in steps for o in outputs if isinstance(o, Support) and o.same]
    judged = [one for one in supports if one.update_id in facts]
    assert len(judged) >= 15
    evidence = [f"{one.evidence.doc_id}-{one.evidence.sentence_index}" for one in judged]
    wrong = [
        place
        for one, place in zip(judged, evidence, strict=True)
        if not facts[one.update_id] & facts.get(place, set())
    ]
    assert wrong == []


class TestInOtherWords:
    AGREED = 'Shipping lines agreed on Tuesday to "a set of guiding principles" after the ferry fire, the port said.'

    @every(
        "update, text, expected",
        [
            (AGREED, "The minister said that lines had agreed on a “set of guiding principles” today.", True),
            (AGREED, "The minister said that lines had agreed on the rules for winter storms.", False),
            ("Parliament in Nador voted to impeach the mayor.", "Nador lawmakers vote to oust mayor", True),
            (
                "Parliament in Nador voted to impeach the mayor.",
                "Why did Nador vote to impeach its mayor?",
                False,
            ),
            (
                "The captain refused to answer questions of police in Nador.",
                "The captain answered questions of police in Nador.",
                False,
            ),
            (
                "The U.S. military said Tuesday that it struck two boats near Nador, killing 12 people.",
                "US strikes two vessels near Nador, killing 12",
                True,
            ),
            (AGREED, 'Lines had not agreed on a "set of guiding principles", the port said.', False),
            (
                "The talks on the strike in Nador ended with a deal.",
                "The talks on the strike in Nador ended without a deal.",
                False,
            ),
            (
                "Eighty-one people are still in hospital after the ferry fire, doctors in Nador said on Friday.",
                "On Friday 81 people were in hospital, a spokesman for doctors told radio listeners.",
                True,
            ),
            (
                "Eighty-one people are still in hospital after the ferry fire, doctors in Nador said on Friday.",
                "On Friday people were in hospital, a spokesman for doctors told radio listeners.",
                False,
            ),
        ],
    )
    def test_the_same_fact_is_told_again_and_another_is_not(self, update, text, expected):
        assert is_supported(update, text) is expected

    @every(
        "text, numbers",
        [("In 2013, 12 ships and 3 boats", set()), ("13 ships, 4,000 boats", {13.0, 4000.0})],
    )
    def test_large_numbers(self, text, numbers):
        assert Content(text, frozenset(), frozenset()).large_numbers == numbers


def test_another_share_is_another_number() -> None:
    contained = "The ferry fire off Nador is {} contained, the fire service said."
    assert is_supported(contained.format("60%"), contained.format("60 per cent"))
    assert not is_supported(contained.format("60%"), contained.format("95%"))


def test_another_term_of_prison_is_another_claim() -> None:
    jailed = (
        "The captain of the burnt ferry was sentenced to {} years in prison for fraud by a court in Nador."
    )
    assert is_supported(jailed.format("four"), jailed.format("4"))
    assert not is_supported(jailed.format("four"), jailed.format("five"))


def test_by_how_many_a_toll_rose_is_no_toll() -> None:
    rose = "The death toll in the ferry fire off Nador rose to seven on Tuesday after three bodies were found aboard."
    assert Claim(rose).figures == {("deaths", 7)}
    assert not is_supported(
        "At least three people died in the ferry fire off Nador, with bodies found aboard.", rose
    )


@every(
    "update, text",
    [
        ("Two police officers shot dead in Nador", "Two people shot dead by police officers in Nador"),
        (
            "Three soldiers were killed in a clash over the burning ferry.",
            "Soldiers killed three people in a clash over the burning ferry.",
        ),
        ("Nador struck Melilla overnight with drones.", "Melilla struck Nador overnight with drones."),
        (
            "Ana Ruiz was arrested in the inquiry of the port.",
            "Luis Ruiz was arrested in the inquiry of the port.",
        ),
        (
            "The ship's owner was arrested in Fez for fraud.",
            "The ship's owner was arrested in Rabat for fraud.",
        ),
        (
            "Seven people died in the ferry fire off Nador.",
            "Seven more people died in the ferry fire off Nador.",
        ),
        ("Seven people died in the ferry fire off Nador.", "Another seven died in the ferry fire off Nador."),
        (
            "A ferry burned off Nador, the coast guard said.",
            "A second ferry burned off Nador, the coast guard said.",
        ),
        ("The ferry fire killed 12 people in Haiti.", "The ferry fire killed 12 people in Cuba."),
        ("The court acquitted the captain of murder.", "The court convicted the captain of murder."),
        ("The owner canceled sailings to Nador.", "The owner resumed sailings to Nador."),
        ("The owner is to resign over the locked doors.", "The owner resigned over the locked doors."),
        (
            "Unions called on the owner to resign over the doors.",
            "The owner resigned over the doors, unions said.",
        ),
        ("The captain was charged with fraud in Nador.", "The captain was found guilty of fraud in Nador."),
        ("The captain pleaded not guilty to fraud in Nador.", "The captain was convicted of fraud in Nador."),
        ("The interior minister resigned over the ferry.", "The finance minister resigned over the ferry."),
        (
            "The House approved the port's budget on Monday.",
            "The Senate approved the port's budget on Monday.",
        ),
        ("The Commons approved the port's budget.", "The Lords approved the port's budget."),
        ("Seoul accused Pyongyang of shelling the port.", "Pyongyang accused Seoul of shelling the port."),
        (
            "A freight train derailed in the port of Nador.",
            "A passenger train derailed in the port of Nador.",
        ),
        ("Divers began to pump oil out of the wreck.", "Divers finished pumping oil out of the wreck."),
        ("Port workers voted for the pension deal.", "Port workers voted against the pension deal."),
        ("An air strike on the port killed five people.", "Shelling of the port killed five people."),
        (
            "About 2,000 residents were evacuated from the port.",
            "About 2,000 residents returned to the port.",
        ),
        ("A bomb killed 20 people in Kabul on Monday.", "A bomb killed 20 people in Kandahar on Monday."),
        ("Kabul bombing kills 20 in the port", "Kandahar bombing kills 20 in the port"),
        ("Doctors confirmed 80 cases of cholera in the port.", "Doctors confirmed 80 deaths in the port."),
        ("Turnout in the port was 40% at noon.", "Turnout in the port was 40% when polls closed."),
        ("In the port Soler won 52% and Ruiz 48%.", "In the port Ruiz won 52% and Soler 48%."),
        ("The owner denied claims about the doors.", "The captain denied claims about the doors."),
        (
            "Thousands of people fled the port of Nador.",
            "Tens of thousands of people fled the port of Nador.",
        ),
        (
            "The ferry fire killed 20 people off Nador.",
            "20 people are feared dead in the ferry fire off Nador.",
        ),
    ],
)
def test_another_deed_in_the_same_words_is_another_claim(update: str, text: str) -> None:
    assert is_supported(update, update) and is_supported(text, text)
    assert not is_supported(update, text) and not is_supported(text, update)


@every(
    "update, text",
    [
        (
            "The ship's owner was arrested in Rabat for fraud.",
            "The ship's owner was arrested in Morocco for fraud.",
        ),
        ("The mayor, Ana Ruiz, was arrested for fraud.", "Mayor Ruiz was arrested for fraud."),
        ("William Ruiz of the port was arrested for fraud.", "Bill Ruiz of the port was arrested for fraud."),
        ("Nador's Ana Ruiz met the port's engineers.", "Mayor Ana Ruiz met the port's engineers."),
        ("The owner resigned over the doors.", "The owner was asked to resign over the doors and resigned."),
        ("Two residents were killed in the ferry fire.", "Two passengers were killed in the ferry fire."),
        ("Police officers shot dead two people in Nador.", "Two people were shot dead by police in Nador."),
        ("Two people died and 30 more were hurt off Nador.", "Two people died and 30 were hurt off Nador."),
        (
            "The port agreed with the owner, it said in Rabat.",
            "The port agreed with the owner, he said in Fez.",
        ),
        (
            "Seoul rejected claims that it sold the port.",
            "South Korea rejected claims that it sold the port.",
        ),
        ("The mayor of the port was convicted of fraud.", "The mayor of the port was found guilty of fraud."),
        (
            "The captain was jailed for two years for fraud.",
            "The captain was sentenced to two years for fraud.",
        ),
        ("The captain was arrested for drunk driving.", "The captain was arrested for DUI."),
        (
            "The port plans to send two divers to the wreck.",
            "The port will soon send two divers to the wreck.",
        ),
        (
            "The jury convicted the captain of the burnt ferry of murder.",
            "The jury convicted the captain of the burnt ferry of murder after he refused to speak.",
        ),
        (
            "The port and its crews reached an understanding on guiding principles.",
            "The port and its crews reached an understanding on guiding principles, but that does not mean peace.",
        ),
    ],
)
def test_one_deed_in_other_words_is_one_claim(update: str, text: str) -> None:
    assert is_supported(update, text) and is_supported(text, update)


def test_who_are_told_apart_are_not_the_same() -> None:
    both = "Two passengers were killed in the ferry fire, and six residents of the quay were hurt by smoke."
    assert not is_supported(
        "Two residents of the quay were killed in the ferry fire, and six were hurt.", both
    )


def test_each_text_means_its_own_weekday() -> None:
    said_of = "Two people were killed on {} in the ferry fire off Nador."
    friday = 1374840000  # 26 July 2013, noon
    counter = SupportCounter(EVENT)
    first = Sentence("a", 0, said_of.format("Friday"), friday + 60, "Wire")
    found = counter.count(
        [first], [replace(told(first, friday + 60), published_time=friday + 60)], friday + 60
    )
    for number, (text, later) in enumerate(
        (
            (said_of.format("Thursday"), 90),
            ("Two people were killed yesterday in the ferry fire off Nador.", 120),
            (said_of.format("Friday"), 86_400),
            ("Two people were killed yesterday in the ferry fire off Nador.", 86_460),
        )
    ):
        again = Sentence(f"b{number}", 0, text, friday + later, f"Outlet {number}")
        assert counter.state() == _resumed(counter).state()
        found += counter.count([again], [], friday + later)
    assert [one.evidence.doc_id for one in found if one.same] == ["b2", "b3"]


def _resumed(counter: SupportCounter) -> SupportCounter:
    other = SupportCounter(EVENT)
    other.restore(counter.state())
    return other
