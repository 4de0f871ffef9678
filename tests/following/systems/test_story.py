"""The words by which a story is known, and wordings of one story that must find the same documents."""

from __future__ import annotations

import random

import msgspec
import pytest
from msgspec.structs import replace

from tests.sweeps import cases, every
from tidings.core import Document, Event, UsageError
from tidings.core.text.sentences import cut
from tidings.following.background import usual
from tidings.following.systems.base import SystemBase, Understood
from tidings.following.systems.registry import make
from tidings.following.systems.tidings.query_forms import people_forms, query_words
from tidings.following.systems.tidings.query_words import QueryWeight, spelled_names
from tidings.following.systems.tidings.story import Story, StoryState

OTHERS = [frozenset({f"word{number}", "said", "polic"}) for number in range(20)]


def story_of(
    query: set[str], heads: list[frozenset[str]], others: list[frozenset[str]] | None = None
) -> Story:
    story = Story(frozenset(query), {"said": 0.5, "polic": 1.5}, 8.5)
    for head in others or []:
        story.add_other(head, 0.3)
    for head in heads:
        story.add(head, frozenset(query))
    return story


def test_a_story_is_known_by_what_its_documents_share() -> None:
    heads = [other | {"h1n1", "swine", "flu"} for other in OTHERS]
    assert story_of({"h1n1"}, heads[:1]).words == {"h1n1"}
    assert story_of({"h1n1"}, heads).words == {"h1n1", "swine", "flu"}


def test_two_documents_make_a_story_known_if_they_say_much_the_same() -> None:
    shared = {"nkandla", "swim", "pool", "homestead", "taxpay"}
    words = [frozenset({f"word{number}{place}" for place in range(20)}) for number in range(3)]
    query = {"nkandla", "scandal"}
    assert story_of(query, [OTHERS[number] | shared for number in range(2)]).is_known
    assert not story_of(query, [OTHERS[0] | shared]).is_known
    assert not story_of(query, [other | {"nkandla", "pool"} for other in words[:2]]).is_known
    assert story_of(query, [other | {"nkandla", "pool"} for other in words]).is_known


def test_its_state_has_one_order_whatever_the_order_of_a_document() -> None:
    states = []
    for head in (["fire", "ferri", "port"], ["port", "fire", "ferri"]):
        story = Story(frozenset({"ferri"}), {}, 8.5)
        story.add(head)
        states.append(msgspec.msgpack.encode(story.state()))
    assert states[0] == states[1]


def test_a_word_of_another_story_that_asks_for_the_query_too_is_not_its_own() -> None:
    heads = [other | {"tariff", "greenland", "steel", "aluminium"} for other in OTHERS]
    others = [other | {"greenland"} for other in OTHERS]
    assert story_of({"tariff"}, heads).words == {"tariff", "greenland", "steel", "aluminium"}
    assert story_of({"tariff"}, heads, others).words == {"tariff", "steel", "aluminium"}


def test_how_much_two_documents_have_in_common_tells_one_story_from_many() -> None:
    one = story_of({"assang"}, [other | {"assang", "extradit", "leak"} for other in OTHERS])
    many = story_of({"trump"}, [other | {"trump", "donald"} for other in OTHERS])
    assert one.coherence() > 0.2
    assert many.coherence() < 0.05
    assert usual("donald").is_own_name, "who somebody is, is no story"


def test_fit_counts_beside_what_a_document_holds_of_the_query() -> None:
    shared = {"h1n1", "swine", "flu", "relenza", "tamiflu", "mexico"}
    story = story_of({"h1n1"}, [other | shared for other in OTHERS])
    whole, most, none = (
        story.fit(head) for head in ({"swine", "flu", "relenza"}, {"swine", "flu"}, {"bank"})
    )
    assert whole > most > none == 0.0

    def allows(head: set[str], share: float, **by: bool) -> bool:
        return story.allows(head, share, **{"is_asked_for": False, "is_named": False, **by})

    assert allows({"swine", "flu", "relenza"}, 0.0)
    assert allows({"swine", "flu"}, 0.3, is_named=True)
    assert allows({"flu"}, 0.7, is_asked_for=True)
    assert not allows({"bank"}, 0.7, is_asked_for=True)
    little = story_of({"h1n1"}, [other | {"h1n1", "swine", "flu"} for other in OTHERS])
    assert little.allows({"bank"}, 0.7, is_asked_for=True, is_named=False), (
        "too little is known of it to tell"
    )


def test_without_a_word_of_the_query_a_document_must_hold_what_all_of_the_story_hold() -> None:
    heads = [other | {"macondo", "deepwat", "leak", "spill"} for other in OTHERS]
    story = story_of({"macondo"}, heads)
    assert story.is_close({"deepwat", "leak", "spill"})
    assert story.allows({"deepwat", "leak", "spill"}, 0.0, is_asked_for=False, is_named=False)
    assert not story.is_close({"leak"}) and not story.is_close({"bank"})


def test_a_story_goes_on_in_the_country_of_the_city_that_the_query_names() -> None:
    told = [{"assad", "activist", "bombard"}, {"damascus", "regim", "mortar"}]
    heads = [other | {"hom", "shell", "syria", *told[number % 2]} for number, other in enumerate(OTHERS)]
    story = story_of({"hom", "shell"}, heads)
    without = {"share": 0.0, "is_asked_for": False, "is_named": False}
    assert story.allows({"syria", *told[0]}, **without)
    assert not story.allows({"syria", "olymp"}, **without), "whatever else happens there"
    assert not story.allows({"kabul", *told[0], *told[1]}, **without), "nor what is said of another country"


def test_a_query_that_several_stories_hold_has_no_core() -> None:
    heads = [other | {"libya", "bp", "oil", "spill"} for other in OTHERS[:10]]
    heads += [other | {"libya", "gadhafi", "rebel", "tripoli"} for other in OTHERS[10:]]
    story = story_of({"libya"}, heads)
    assert story.fit({"bp", "oil", "spill"}) > 0.8
    assert not story.allows({"bp", "oil", "spill"}, 0.0, is_asked_for=False, is_named=False)


def test_the_more_of_the_query_another_document_holds_the_less_it_speaks_against_its_words() -> None:
    heads = [other | {"karzai", "hamid", "kabul"} for other in OTHERS]

    def weight_of_hamid(share: float) -> float:
        story = Story(frozenset({"karzai"}), {}, 8.5)
        for other in OTHERS:
            story.add_other(other | {"hamid"}, share)
        for head in heads:
            story.add(head)
        return story.terms["hamid"]

    assert weight_of_hamid(0.1) < weight_of_hamid(0.4) < weight_of_hamid(0.5)


def test_one_common_word_names_no_story_and_two_must_both_be_there() -> None:
    heads = [other | {"tariff", "trump", "greenland"} for other in OTHERS]
    story = story_of({"tariff"}, heads)
    asked = {"is_asked_for": True, "is_named": True}
    assert not story.allows(frozenset({"trump", "greenland"}), 1.0, **asked)
    assert story.allows(frozenset({"tariff", "trump"}), 1.0, **asked)
    named = story_of({"h1n1"}, [other | {"h1n1", "swine", "flu"} for other in OTHERS])
    assert named.allows(frozenset({"swine", "flu"}), 1.0, **asked)
    weight = QueryWeight(frozenset({"bird", "flu"}), {"bird": 6.0, "flu": 6.0}, 8.0)
    assert not weight.allows({"bird", "strike", "crash"}, frozenset(), lambda: True)
    assert weight.allows({"bird", "flu", "farm"}, frozenset(), lambda: True)


def test_a_name_of_the_query_and_what_nearly_all_of_the_story_hold_are_enough() -> None:
    heads = [other | {"libya", "gadhafi", "tripoli", "rebel"} for other in OTHERS]
    story = story_of({"nato", "libya"}, heads)
    asked = {"share": 0.35, "is_asked_for": False, "is_named": True}
    assert story.allows({"libya", "gadhafi", "refugee"}, **asked)
    assert not story.allows({"libya", "refugee", "bank"}, **asked)


def test_somebody_of_whom_there_is_news_every_day_is_no_core() -> None:
    heads = [other | {"greenland", "trump", "donald", "ice"} for other in OTHERS]
    story = story_of({"greenland"}, heads)
    assert "trump" in story.terms and "trump" not in story.core and "donald" in story.core
    trump = {"trump", "donald", "tariff"}
    assert not story.is_close(trump), "what he does elsewhere"
    assert not story.allows(trump, 0.25, is_asked_for=True, is_named=False), (
        "nor where it is mentioned in passing"
    )
    assert story.allows(trump | {"ice"}, 0.25, is_asked_for=True, is_named=False)


def test_other_forms_of_the_query_are_no_terms_of_the_story() -> None:
    heads = [other | {"ukrain", "ukrainian", "front", "shell", "troop", "drone"} for other in OTHERS]
    story = story_of({"ukrain", "war"}, heads)
    assert "ukrainian" in story.terms
    story.add_forms({"ukrainian"})
    assert "ukrainian" not in story.terms and "front" in story.terms


def test_a_place_alone_stands_for_nothing_that_happens_there() -> None:
    shared = {"iran", "protest", "tehran", "crackdown", "street", "regim"}
    story = story_of({"iran", "protest"}, [other | shared for other in OTHERS])
    place = {"share": 0.67, "is_asked_for": True, "is_named": True}
    assert not story.allows({"iran", "tehran", "nuclear"}, **place)
    assert story.allows({"iran", "tehran", "crackdown"}, **place)
    assert story.allows({"iran", "nuclear"}, 1.0, is_asked_for=True, is_named=True)
    strike = story_of({"kenya", "strike"}, [other | {"kenya", "nairobi", "strike"} for other in OTHERS])
    assert not strike.allows({"kenya", "nairobi", "golf"}, 0.4, is_asked_for=False, is_named=True)


def test_before_the_story_is_known_words_that_all_news_use_must_stand_together() -> None:
    weight = QueryWeight(frozenset({"world", "cup", "final"}), {"world": 3.4, "cup": 6.5, "final": 5.3}, 8.0)
    assert not weight.allows({"world", "cup", "ski"}, frozenset(), lambda: True)
    assert weight.allows({"cup", "final", "ski"}, frozenset(), lambda: True)
    assert weight.asks_for({"world", "cup", "ski"})


def test_a_story_is_learned_from_what_begins_with_it() -> None:
    follower = make("tidings").start(Event(id="war", title="War", query="russia ukraine war"))
    talks = "Russia and Ukraine talk of an end of the war in Geneva."
    tariffs = "Tariffs for Greenland are on the table, says Denmark."
    for number in range(8):
        lines = [tariffs] * 6 + [talks] * 3 if number % 2 else [talks] * 3 + [tariffs]
        text = "\n".join(f"{line} ({place})" for place, line in enumerate(lines))
        document = Document(id=f"d{number}", published_time=number, title="", text=text, source="Wire")
        follower.push(cut(document).sentences, number)
    story = follower._words.story
    assert story._documents == pytest.approx(4, abs=0.1)


def test_a_story_begins_with_the_article_by_which_it_is_asked_for() -> None:
    lead = "Forces loyal to Moammar Gadhafi attacked Misrata, killing five rebels, and shelled its hospital."
    words = Event(id="e", title="", query="gadhafi misrata")
    asked, told = (replace(words, description=before + lead) for before in ("Article: ", ""))
    sentences = cut(Document(id="a", published_time=60, title="", text=lead, source="Wire")).sentences
    states = {}
    for event in (words, told, asked):
        follower = make("tidings").start(event)
        begun = make("tidings").start(event)
        begun.restore(follower.state())  # nothing was read yet
        for each in (follower, begun):
            each.push(sentences, 60)
            states.setdefault(event.description, []).append(each.state())
            assert each._words.story.is_known == (event is asked), "a second article that says the same"
    assert states[lead] == states[""] and states[asked.description][0] == states[asked.description][1]
    older = make("tidings").start(asked)
    older.restore(states[""][0])
    assert not older._words.story.is_known, "what was begun without it goes on without it"


def test_its_state_is_bounded_and_goes_on_as_if_never_stopped() -> None:
    chance = random.Random(5)
    story = Story(frozenset({"ferri"}), {}, 8.5)
    restored = Story(frozenset({"ferri"}), {}, 8.5)
    for _ in range(300):
        head = frozenset({"ferri", "fire", *(f"w{chance.randrange(5_000)}" for _ in range(40))})
        for each in (story, restored):
            each.add(head, frozenset({"ferri"}))
            each.add_other(head - {"fire"}, 0.3)
            each.allows(head, 1.0, is_asked_for=True, is_named=True)
        state = msgspec.msgpack.encode(restored.state())
        assert len(state) < 20_000
        restored = Story(frozenset({"ferri"}), {}, 8.5)
        restored.restore(msgspec.msgpack.decode(state, type=StoryState))
        assert restored.words == story.words and restored.terms == story.terms


def test_names_and_other_words_of_the_news() -> None:
    assert usual("crash").capitals < 20 and not usual("crash").is_name
    assert usual("spain").is_name and usual("war").share > 100
    assert spelled_names(["libya", "crash", "gadhafi", "assad"]) == {"gadhafi", "assad"}
    assert ("syrian", "syria") in people_forms(["syria"])


def weight_after(query: set[str], documents: list[set[str]]) -> QueryWeight:
    weight = QueryWeight(frozenset(query), {}, 8.5)
    for document in documents:
        weight.add(document)
    return weight


def test_a_word_that_the_news_does_not_use_counts_less_and_only_then() -> None:
    query = {"deepwat", "rig", "blowout"}
    assert not weight_after(query, []).asks_for({"deepwat"})
    assert weight_after(query, [{"deepwat"}] * 3).asks_for({"deepwat"})
    assert not weight_after(query, [{"deepwat"}] * 3 + [{"blowout", "rig"}]).asks_for({"deepwat"})
    place = weight_after({"spain", "train", "crash"}, [{"spain"}] * 10)
    assert not place.asks_for({"spain"})  # much happens in a place


def test_a_document_without_a_name_of_the_query_is_not_asked_for() -> None:
    weight = weight_after({"syria", "civil", "war"}, [{"syria"}, {"civil", "war"}])
    assert not weight.asks_for({"civil", "war"})
    assert weight.asks_for({"syrian", "war"})


def test_what_is_mentioned_in_passing_counts_half() -> None:
    weight = weight_after({"ferri", "fire", "bilbao"}, [])
    stems = {"ferri", "fire"}
    assert weight.allows(stems | {"bilbao"}, {"x"}, lambda: False)
    assert not weight.allows(stems | {"bilbao"}, {"x"}, lambda: False, {"bilbao", "fire", "ferri"})
    assert weight.share({"fire"}, {"fire"}) == weight.share({"fire"}) / 2
    place = weight_after({"iran", "carrier", "navi"}, [])
    in_passing = place.share({"carrier"}, {"carrier"})
    assert in_passing == place.share({"carrier"}) / 4, "much else goes on in a place"


def updates_by(query: str, system: str = "tidings") -> list[str]:
    """What is emitted of twelve reports that write Gadhafi, eight days of them."""
    return followed(query, system)[0]


def followed(query: str, system: str = "tidings", state: bytes | None = None) -> tuple[list[str], bytes]:
    """The same, and what the follower remembers then; it goes on from a state."""
    event = Event(id="e", title=query, query=query)
    follower = make(system).start(event)
    if state is not None:
        follower.restore(state)
    towns = ["Tripoli", "Misrata", "Benghazi", "Sirte", "Zawiya", "Brega", "Ajdabiya", "Sabha"]
    found = []
    for number, town in enumerate(towns):
        time = 86_400 * (number + 1)
        document = Document(
            id=town,
            published_time=time,
            title=f"Gadhafi forces attack {town}",
            text=f"Forces loyal to Moammar Gadhafi attacked the town of {town} on Monday, killing {number + 3} people. "
            f"Doctors in {town} said that Gadhafi's tanks had fired on the hospital.",
            source="Wire",
        )
        found += [update.doc_id for update in follower.push(cut(document).sentences, time)]
    return found, follower.state()


@pytest.mark.parametrize("query", ["Libya Gaddafi", "Qaddafi forces"])
def test_an_outlet_may_spell_a_name_in_its_own_way(query: str) -> None:
    assert len(set(updates_by(query))) >= len(set(updates_by("Gadhafi forces"))) - 2 > 3


def test_another_name_is_another_name() -> None:
    assert updates_by("Mubarak forces") == []


@every(
    "query, words",
    cases(__file__, "a query as people type it"),
)
def test_a_query_as_people_type_it(query: str, words: str) -> None:
    assert query_words(query) == words


def test_an_abbreviation_stands_for_the_words_of_a_name() -> None:
    weight = QueryWeight(frozenset({"british", "petroleum", "leak"}), {}, 8.5)
    assert weight.share({"bp"}) == weight.share({"british", "petroleum"}) > 0.6
    assert (
        QueryWeight(frozenset({"haiti", "quak", "januari", "2010"}), {}, 8.5).share({"haiti", "quak"}) == 1.0
    )


def understood(query: str, system: str, state: bytes) -> Understood:
    made = make(system)
    assert isinstance(made, SystemBase)
    found = made.understood(Event(id="e", title=query, query=query), state)
    assert found is not None
    return found


def test_a_word_that_a_person_adds_finds_what_the_query_does_not() -> None:
    assert updates_by("colonel's troops") == []
    assert len(set(updates_by("colonel's troops", "tidings:story_terms=gadhafi"))) > 3
    assert (
        updates_by("colonel's troops", "tidings:story_terms=people") == []
    )  # common, and no word of the query with it


def test_a_struck_word_is_no_term_of_the_story_also_of_one_that_is_followed_already() -> None:
    query, struck = "Gadhafi forces", "tidings:story_terms=-tanks -gadhafi"
    _, state = followed(query)
    assert "tank" in understood(query, "tidings", state).terms
    found = understood(query, struck, state)
    assert "tank" not in found.terms and found.query == ("forc",)
    assert updates_by("Gaddafi", "tidings:story_terms=-gadhafi") == [] != updates_by("Gaddafi")


def test_what_was_understood_names_the_query_its_spellings_and_the_terms() -> None:
    _, state = followed("Libya Gaddafi")
    found = understood("Libya Gaddafi", "tidings", state)
    assert set(found.query) == {"libya", "gaddafi"} and found.variants == ("gadhafi",)
    assert "moammar" in found.terms and "tank" in found.terms
    words = found.in_words(["Moammar Gadhafi's tanks"])
    assert words.variants == ("Gadhafi",) and set(words.terms) == {"Moammar", "tanks"}


def test_what_was_understood_says_which_words_stand_in_no_article_with_the_name() -> None:
    for query, apart in (("Gadhafi marathon", ("marathon",)), ("Gadhafi tanks", ())):
        found = understood(query, "tidings", followed(query)[1])
        assert found.apart == apart and found.in_words(["Marathon"]).apart == tuple(map(str.title, apart))


def test_a_term_that_says_nothing_is_refused() -> None:
    for terms in ("the", "enron -the", "-"):
        with pytest.raises(UsageError, match="expected a specific word"):
            make(f"tidings:story_terms={terms}")


def test_terms_are_shown_as_words_and_never_as_stems() -> None:
    found = Understood(lambda word: (word.lower()[:6],), ("ferry",), (), ("villag", "distan", "de"))
    shown = found.in_words(["The ferry passed the village de Brennholm."])
    assert (shown.query, shown.terms) == (("ferry",), ("village",))


def test_a_story_keeps_a_word_of_its_query() -> None:
    crash = Event(id="e", title="Train crash", query="train crash")
    make("tidings:story_terms=-train").start(crash)
    with pytest.raises(UsageError, match="every word of the query is struck"):
        make("tidings:story_terms=-train -crash").start(crash)
