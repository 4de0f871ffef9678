"""One event in several languages: who decides, what is kept, what is shared."""

from collections.abc import Sequence

import msgspec

from tests.core.languages.streams import LANGUAGES, stream
from tests.sweeps import every
from tidings.core.protocols import Follower, System
from tidings.core.records import Document, Event, Output, Sentence, Update
from tidings.core.text.sentences import cut
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.assembly import assemble
from tidings.following.systems.decider import Decider, innermost, known_language
from tidings.following.systems.languages import (
    has_any_language,
)
from tidings.following.systems.registry import available, describe, make

QUERY = "flood dam Sorel Hochwasser Dammbruch"
EVENT = Event(id="flood", title="Flood", query=QUERY)


def english(count: int = 20) -> list[Document]:
    facts = (
        "A dam near Sorel broke on Monday after days of rain and the flood reached the town.",
        "At least three people were killed in the flood in Sorel, police said on Tuesday.",
        "The death toll of the flood in Sorel rose to twelve, the mayor said.",
        "About 4,000 residents of Sorel were taken to shelters because of the flood and the dam.",
    )
    return [
        Document(id=f"en-{n:02}", published_time=1_772_409_600 + n * 30_000, source="Wire", text=facts[n % 4])
        for n in range(count)
    ]


def told(documents: Sequence[Document], system: System, event: Event = EVENT) -> list[Update]:
    ordered = sorted(documents, key=lambda one: (one.published_time, one.id))
    outputs = [output for _, given in follow_stream(ordered, [event], system) for output in given]
    return [output for output in outputs if isinstance(output, Update)]


@every("name", ["tidings", "cosine", "centroid", "sumbasic", "first"])
def test_english_decides_as_if_it_were_alone(name: str) -> None:
    alone = told(english(), make(name))
    mixed = told([*english(), *stream("de"), *stream("ja")], assemble(name))
    assert alone
    assert [one for one in mixed if one.doc_id.startswith("en")] == alone
    assert any(one.doc_id.startswith("de") for one in mixed)


def test_the_fallback_decides_as_centroid_does() -> None:
    event = msgspec.structs.replace(EVENT, query=LANGUAGES["fr"]["query"])
    assert told(stream("fr"), assemble("tidings"), event) == told(
        stream("fr"), make("centroid:language=fr"), event
    )


@every(
    # Lexrank, affinity and ips say nothing of so short a stream, in English neither.
    "name",
    [name for name in available() if name not in ("lexrank", "affinity", "ips")],
)
def test_every_system_tells_something_in_another_language(name: str) -> None:
    event = msgspec.structs.replace(EVENT, query=LANGUAGES["es"]["query"])
    updates = told(stream("es"), assemble(name), event)
    assert updates
    assert {one.doc_id[:2] for one in updates} == {"es"}


def followed(follower: Follower, documents: Sequence[Document]) -> list[Output]:
    return [
        output
        for document in documents
        for output in follower.push(cut(document).sentences, document.published_time)
    ]


@every("spec", ["tidings", "cosine:about=10/day", "centroid:updates_per_hour=1"])
def test_goes_on_where_it_was(spec: str) -> None:
    documents = sorted(
        [*english(), *stream("de"), *stream("zh")], key=lambda one: (one.published_time, one.id)
    )
    event = msgspec.structs.replace(EVENT, query=f"{QUERY} {LANGUAGES['zh']['query']}")
    system = assemble(spec)
    whole = followed(system.start(event), documents)
    for place in (1, 30) if spec == "tidings" else (1, 7, 30, 70):
        first = system.start(event)
        outputs = followed(first, documents[:place])
        second = system.start(event)
        second.restore(first.state())
        assert second.state() == first.state()
        assert outputs + followed(second, documents[place:]) == whole


def test_a_budget_is_shared_by_all_languages() -> None:
    texts = {
        "en": "The flood reached Sorel and the dam broke.",
        "de": "Das Hochwasser erreicht Sorel, Dammbruch droht.",
    }
    pushed = [
        Sentence(f"{code}{n}", 0, f"{text} {n}{n}{n}", 60, language=code)
        for code, text in texts.items()
        for n in range(1, 4)
    ]
    for limit in (1, 2, 4):
        system = assemble(f"first:updates_per_hour={limit}")
        assert len(system.start(EVENT).push(pushed, 60)) == limit


def test_a_pace_is_shared_by_all_languages() -> None:
    documents = [*english(60), *stream("de")]
    free = told(documents, assemble("first"))
    paced = told(documents, assemble("first", about="2/day"))
    assert len(paced) < len(free) / 2
    assert {one.doc_id[:2] for one in paced} == {"en", "de"}


def test_a_document_without_a_language_is_in_the_events() -> None:
    event = Event(id="f", title="F", query="Überschwemmungen Brücken", languages=("de",))
    sentence = Sentence("d", 0, "Überschwemmung an der Brücke.", 60)
    assert assemble("cosine").start(event).push([sentence], 60)
    free = msgspec.structs.replace(event, languages=())
    assert not assemble("cosine").start(free).push([sentence], 60)


def test_who_knows_what() -> None:
    learned = {"hres", "nnrl", "ius", "apsal", "l2s", "l2s-cos", "tidings"}
    for name in available():
        assert has_any_language(make(name)) == (name not in learned)
        assert known_language(make(name)) == ("en" if name in learned else "")
        assert describe(name).languages.startswith("English" if name in learned else "any")
    assert "passed over" in describe("values").languages
    assert "passed over" in describe("entities").languages
    assert known_language(make("tidings:language=german")) == "de"


def test_limits_stay_around_it() -> None:
    system = assemble("cosine:news=0.5,about=3/day,words_per_hour=40")
    assert system.spec == make("cosine:news=0.5,about=3/day,words_per_hour=40").spec
    assert assemble(system) == system
    assert innermost(system) == make("cosine")
    assert make("cosine:segmenter=icu").spec == "cosine:segmenter=icu"
    assert make(make("cosine:segmenter=icu").spec) == make("cosine:segmenter=icu")


def test_icu_is_for_languages_without_blanks() -> None:
    system = make("cosine:segmenter=icu")
    assert isinstance(system, Decider)
    assert system.system_in("zh").spec == "cosine:language=zh+icu"
    assert system.system_in("de").spec == "cosine:language=de"


@every("name", ["values", "last-value", "largest-value"])
def test_values_pass_over_other_languages(name: str) -> None:
    text = "12 people were killed in the flood in Sorel."
    follower = make(name).start(EVENT)
    assert not follower.push([Sentence("a", 0, text, 60, language="de")], 60)
    assert follower.push([Sentence("b", 0, text, 60, language="en")], 60)


def test_news_of_other_languages_passes_unread() -> None:
    documents = stream("de")
    event = msgspec.structs.replace(EVENT, query=LANGUAGES["de"]["query"])
    assert told(documents, assemble("cosine:news=0.9"), event) == told(documents, assemble("cosine"), event)
