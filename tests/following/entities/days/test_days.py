"""From sentences to days: which days there are, what is in them, and that stopping anywhere changes nothing."""

from __future__ import annotations

import random

import msgspec
import pytest

from tests.following.entities.days.finding import ListedNames
from tests.sweeps import cases, every
from tidings.core.records import Event, Sentence
from tidings.core.text.tokens import shared_analyzer
from tidings.following.entities import book, days as collecting, days as retrieval
from tidings.following.entities.book import EntityBook, Named, Remembered, in_day
from tidings.following.entities.days import EventDays, Statistics, bm25, expansion_terms, ranked_documents
from tidings.following.entities.event_days import EntityMention
from tidings.following.entities.name_forms import LabelIndex, mended_spans, signatures
from tidings.following.entities.naming import Agreement, named_in, part

EVENT = Event(id="TS14.7", title="Genoa ferry fire", query="ferry fire genoa")
DAY = 86_400
STORY = tuple(cases(__file__, "story"))


def story() -> list[Sentence]:
    indexes: dict[str, int] = {}
    sentences = []
    for day, document, text in STORY:
        index = indexes[document] = indexes.get(document, -1) + 1
        sentences.append(Sentence(document, index, text, day * DAY + ord(document), title=f"Of {document}"))
    return sentences


def builder(**options: int) -> EventDays:
    return EventDays(EVENT, finder=ListedNames(), **options)


def days_of(told: list[Sentence], **options: int) -> list:
    days = builder(**options)
    closed = [day for one in told for day in days.add([one], one.published_time)]
    return closed + days.finish(told[-1].published_time if told else 0)


def told(text: str, day: int = 0, document: str = "x", **more) -> Sentence:
    return Sentence(document, 0, text, day * DAY, **more)


def names(day) -> dict[str, str]:
    return {entity.name: entity.type for entity in day.entities}


def test_days_without_news_are_dropped() -> None:
    days = days_of(story())
    assert [day.date for day in days] == ["1970-01-01", "1970-01-04", "1970-01-05"]
    assert [day.document_count for day in days] == [2, 2, 1]
    assert {document.id for document in days[0].documents} == {"a", "b"}
    assert sum(document.confidence for document in days[0].documents) == pytest.approx(1)
    confidences = [document.confidence for document in days[0].documents]
    assert confidences == sorted(confidences, reverse=True) and confidences[-1] > 0
    assert days[0].time == DAY + ord("d")


def test_a_day_says_what_its_query_is_widened_with() -> None:
    day = days_of(story())[1]
    assert "rossi" in day.expansion and not {"ferri", "fire", "genoa"} & set(day.expansion)
    assert len(day.expansion) == len(set(day.expansion)) <= 30


def test_an_entity_keeps_its_id_and_best_name() -> None:
    first, second, _ = days_of(story())
    [rossi] = [one for one in first.entities if one.name == "Maria Rossi"]
    [again] = [one for one in second.entities if one.id == rossi.id]
    assert again.name == "Maria Rossi" and rossi.type == "PER"
    assert {mention.label for mention in again.mentions} == {"Maria Rossi", "Rossi"}
    assert {mention.label for mention in rossi.mentions} == {"Maria Rossi", "Rossi", "she"}
    assert [one.name for one in second.entities if one.in_query] == ["Genoa"]


def test_mentions_say_where_they_stand() -> None:
    for day in days_of(story()):
        assert [entity.id for entity in day.entities] == sorted(entity.id for entity in day.entities)
        for entity in day.entities:
            assert entity.mentions == tuple(
                sorted(entity.mentions, key=lambda one: (one.document, one.sentence, one.start))
            )
            for one in entity.mentions:
                document = day.documents[one.document]
                assert len(document.sentences) == len(document.tokens)
                tokens = document.tokens[one.sentence]
                assert " ".join(tokens[one.start : one.end]) == one.label
                assert all(token in document.sentences[one.sentence].text for token in tokens)


def test_who_brings_the_news_is_no_entity_unless_the_query_names_it() -> None:
    assert "Reuters" not in names(days_of(story())[0])
    days = EventDays(Event(id="1", title="Reuters", query="reuters"), finder=ListedNames())
    days.add([told("The strike at Reuters goes on.")], 0)
    assert names(days.finish(0)[0]) == {"Reuters": "ORG"}


def test_titles_are_the_first_sentence_unless_the_text_begins_with_them() -> None:
    first = days_of(story())[0].documents
    assert {document.sentences[0].index for document in first} == {-1}
    assert {document.sentences[0].text for document in first} == {"Of a", "Of b"}
    repeated = told("Ferry on fire in Genoa, says Rossi.", title="Ferry on FIRE in Genoa")
    [day] = days_of([repeated])
    assert [one.index for one in day.documents[0].sentences] == [0]
    [day] = days_of([told("The ship burns.", title="Ferry on fire")])
    assert day.documents[0].title == "Ferry on fire"


def test_sentences_pooled_for_the_event_are_about_it_and_those_of_others_are_not() -> None:
    assert len(days_of([told("Rossi left.", events=("7",))])) == 1
    assert days_of([told("Rossi left.", events=("8",))]) == []


def test_more_documents_are_looked_at_where_they_are_short() -> None:
    sentences = [told(f"Ferry fire number {at} in Genoa.", document=f"d{at}") for at in range(30)]
    assert len(days_of(sentences)[0].documents) == 30
    assert len(days_of(sentences, sentences=12)[0].documents) == 12
    assert len(days_of(sentences, documents=4, sentences=0)[0].documents) == 4
    copies = [told("Ferry fire in Genoa.", document=f"d{at}") for at in range(30)]
    [day] = days_of(copies)
    assert len(day.documents) == 1 and day.document_count == 30


@every("seed", range(6))
def test_resumed_equals_undisturbed(seed: int) -> None:
    draw = random.Random(seed)
    sentences = story()
    resumed, closed = builder(), []
    for one in sentences:
        closed += resumed.add([one], one.published_time)
        if draw.random() < 0.5:
            data = resumed.state()
            resumed = builder()
            resumed.restore(data)
            assert resumed.state() == data
    assert closed + resumed.finish(sentences[-1].published_time) == days_of(sentences)


def test_a_state_of_something_else_is_refused() -> None:
    with pytest.raises(ValueError, match="state"):
        builder().restore(msgspec.msgpack.encode([7, 1]))


def test_nothing_comes_from_after_a_day() -> None:
    sentences = story()
    whole = days_of(sentences)
    for end in range(1, len(sentences)):
        early = days_of(sentences[:end])
        for day, again in zip(early[:-1], whole, strict=False):
            assert (day.documents, day.entities) == (again.documents, again.entities)


def test_several_days_at_once_are_closed_in_order_and_late_sentences_count_for_the_open_day() -> None:
    days = builder()
    closed = days.add(story(), 4 * DAY + 500)
    assert [day.date for day in closed] == ["1970-01-01", "1970-01-04"]
    days.add([told("A late ferry fire in Genoa, Rossi said.", day=2)], 4 * DAY + 600)
    [last] = days.finish(4 * DAY + 700)
    assert last.date == "1970-01-05" and last.document_count == 2


def test_no_documents_no_days() -> None:
    assert days_of([]) == []
    assert days_of(story()[3:5]) == []
    assert builder().finish(0) == []


@every(
    "text, expected",
    [
        ("FERRY FIRE IN GENOA: MARIA ROSSI SPEAKS", {"GENOA": "LOC", "MARIA ROSSI": "PER"}),
        ("ferry fire in genoa maria rossi speaks", {"genoa": "LOC", "maria rossi": "PER"}),
        (
            "Ferry fire Genoa: 田中 in 東京, Иванов too",
            {"Genoa": "LOC", "田中": "PER", "東京": "LOC", "Иванов": "PER"},
        ),
        ("Ferry fire \x00 ... -- !!", {}),
        ("ferry fire " + "x" * 100_000, {}),
    ],
)
def test_texts_of_any_make(text: str, expected: dict[str, str]) -> None:
    [day] = days_of([told(text)])
    assert names(day) == expected
    assert max(len(one.text) for one in day.documents[0].sentences) <= collecting.MOST_CHARACTERS


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "MOST_DOCUMENTS", 5)
    monkeypatch.setattr(collecting, "MOST_SENTENCES", 3)
    monkeypatch.setattr(retrieval, "MOST_STEMS", 50)
    monkeypatch.setattr(book, "MOST_ENTITIES", 4)
    days = builder()
    sizes = []
    for day in range(12):
        for at in range(20):
            words = " ".join(f"w{day}x{at}x{one}" for one in range(10))
            name = ("Maria Rossi", "Jean Dupont", "Mario Bianchi", "Haiti", "Paris", "Rome")[(day + at) % 6]
            sentences = [
                Sentence(f"{day}-{at}", index, f"Ferry fire in Genoa, {name}: {words}.", day * DAY)
                for index in range(5)
            ]
            days.add(sentences, day * DAY)
        sizes.append(len(days.state()))
    assert max(sizes[6:]) < 1.2 * max(sizes[1:6])
    [last] = days.finish(12 * DAY)
    assert last.document_count == 20 and len(last.documents) == 5
    assert all(len(document.sentences) == 3 for document in last.documents)


def mended(text: str, kind: str, kept: str = "") -> list[str]:
    tokens = text.split()
    return [
        f"{type_} {' '.join(tokens[start:end])}"
        for start, end, type_ in mended_spans(tokens, [(0, len(tokens), kind)], frozenset(kept.split("|")))
    ]


@every(
    "text, kind, expected",
    cases(__file__, "borders", lists=True),
)
def test_borders(text: str, kind: str, expected: list[str]) -> None:
    assert mended(text, kind) == expected


@every(
    "text, place, kind",
    [
        ("He told Secretary of State Marco Rubio", (4, 5), "ORG"),
        ("The director of National Intelligence spoke", (3, 5), "ORG"),
        ("The carrier USS Abraham Lincoln left", (3, 5), "PER"),
        ("It is chaos , said Andrew McCarthy in National Review", (5, 7), "PER"),
        ("It is chaos , said Mohamad Bazzi in The Guardian", (5, 7), "PER"),
        ("The Senate in Rome fell to the air force", (7, 9), "ORG"),
    ],
)
def test_who_is_no_part_of_the_story(text: str, place: tuple[int, int], kind: str) -> None:
    assert mended_spans(text.split(), [(*place, kind)], frozenset()) == []


@every(
    "text, place",
    [
        ("He told Secretary of State Marco Rubio", (5, 7)),
        ("said Andrew McCarthy in Rome", (1, 3)),
        ("said Putin in Times Square", (1, 2)),
        ("said Putin in time for talks", (1, 2)),
    ],
)
def test_who_stands_beside_them_is(text: str, place: tuple[int, int]) -> None:
    assert mended_spans(text.split(), [(*place, "PER")], frozenset()) == [(*place, "PER")]


def test_an_article_is_about_what_its_title_and_lead_say() -> None:
    far = [Sentence("a", at, text, 60, title="Maria Rossi on robots") for at, text in enumerate(
        ["Robots walk, says Maria Rossi.", "They are slow.", "They are dear.", "They fall.", "A ferry burns. Fire!"]
    )]  # fmt: skip
    days = builder()
    assert days.add(far, 60) == [] and days.finish(DAY) == []
    days.add([Sentence("b", 0, "Maria Rossi saw the ferry fire.", 2 * DAY)], 2 * DAY)
    (day,) = days.finish(3 * DAY)
    assert [one.name for one in day.entities] == ["Maria Rossi"]


def test_a_news_source_that_is_asked_for_is_kept() -> None:
    assert mended("Reuters", "ORG", kept="reuters") == ["ORG Reuters"]


def agreed(text: str, kind: str, others: dict[str, int], known: dict[str, int] | None = None) -> list[str]:
    """What becomes of one mention beside names (`PER Obama`) and words (`cruise`) said so often."""
    sentences, spans, times = [text.split()], [[(0, len(text.split()), kind)]], [1]
    for other, count in others.items():
        type_, _, name = (
            other.rpartition(" ") if other[:3] not in ("PER", "ORG", "LOC") else other.partition(" ")
        )
        sentences.append(["X", *(name.split())])
        spans.append([(1, 1 + len(name.split()), type_)] if type_ else [])
        times.append(count)
    book = EntityBook()
    book.place(
        [Named(one.split()[0], {one.partition(" ")[2]: count}, {}) for one, count in (known or {}).items()],
        "",
    )
    agreement = Agreement(sentences, spans, times, book)
    return [
        f"{type_} {' '.join(sentences[0][start:end])}"
        for start, end, type_ in agreement.spans(sentences[0], spans[0])
    ]


@every(
    "text, kind, others, expected",
    cases(__file__, "agreement", lists=True),
)
def test_agreement(text: str, kind: str, others: dict[str, int], expected: list[str]) -> None:
    assert agreed(text, kind, others) == expected


def test_the_days_before_have_a_say() -> None:
    assert agreed("Isaac", "ORG", {}, {"PER Isaac": 9}) == ["PER Isaac"]
    assert agreed("Mursi", "ORG", {}, {"PER Mohamed Mursi": 1}) == ["PER Mursi"]


def test_each_different_sentence_is_looked_at_once() -> None:
    looked_at: list[int] = []

    class Counting(ListedNames):
        def spans(self, sentences):
            looked_at.append(len(sentences))
            return super().spans(sentences)

    finder = Counting()
    documents = [[Sentence(one, 0, "Rossi left Rome.", 0)] for one in "ab"]
    tokens, found = named_in(documents, finder, shared_analyzer(), frozenset(), EntityBook())
    assert looked_at == [1] and len(tokens) == 2
    assert [(one.type, one.spelt, mentions[0].document) for one, mentions in found] == [
        ("PER", {"Rossi": 1}, 0),
        ("LOC", {"Rome": 1}, 0),
        ("PER", {"Rossi": 1}, 1),
        ("LOC", {"Rome": 1}, 1),
    ]


def test_what_more_documents_say_counts_more() -> None:
    class ByBeginning(ListedNames):
        def spans(self, sentences):
            return [[(1, 2, "PER" if tokens[0] == "Now" else "ORG")] for tokens in sentences]

    texts = ["Now Sandy comes."] * 5 + ["Then Sandy goes."]
    documents = [[Sentence(str(at), 0, text, 0)] for at, text in enumerate(texts)]
    _, found = named_in(documents, ByBeginning(), shared_analyzer(), frozenset(), EntityBook())
    assert [one.type for one, _ in found] == ["PER"] * 6


def test_a_person_named_in_full_once_in_a_while_stays_one() -> None:
    labels = ["Barack Obama", "Obama", "Obama", "Obama"]
    mentions = [EntityMention(0, at, 0, 1, label) for at, label in enumerate(labels)]
    assert part(mentions) == [mentions]


@every(
    "kind, spelt, expected",
    cases(__file__, "best names"),
)
def test_best_names(kind: str, spelt: dict[str, int], expected: str) -> None:
    assert Remembered(1, {kind: sum(spelt.values())}, spelt, {}).best_name() == expected


def named(text: str, context: str = "") -> Named:
    """`PER Barack Obama 2, Obama 3` with the stems of its context."""
    kind, _, rest = text.partition(" ")
    spelt = {}
    for one in rest.split(", "):
        name, _, count = one.rpartition(" ")
        spelt |= {name: int(count)} if count.isdigit() else {one: 1}
    return Named(kind, spelt, dict.fromkeys(context.split(), 1))


def groups(*documents: str) -> list[int]:
    """The ids that entities of one document each get, one day after another."""
    entities = EntityBook()
    return [
        entities.place([named(text)], f"2013-01-{day:02}")[0] for day, text in enumerate(documents, start=1)
    ]


@every(
    "one, other",
    cases(__file__, "one entity"),
)
def test_one_entity(one: str, other: str) -> None:
    first, second = groups(one, other)
    assert first == second


@every(
    "one, other",
    cases(__file__, "two entities"),
)
def test_two_entities(one: str, other: str) -> None:
    first, second = groups(one, other)
    assert first != second


def test_contexts_say_which_bearer_is_meant() -> None:
    entities = EntityBook()
    first = named("PER Bill Clinton, Clinton 2", "fund bush telethon charity")
    second = named("PER Hillary Clinton, Clinton 2", "secretary state visit minister")
    ids = entities.place([first, second], "2010-01-01")
    assert ids[0] != ids[1]
    asked = [named("PER Clinton", "charity telethon donor"), named("PER Clinton", "minister visit airport")]
    assert entities.place(asked, "2010-01-02") == ids


def test_full_names_are_placed_before_surnames_of_the_same_day() -> None:
    entities = EntityBook()
    surname, full = entities.place([named("PER Tsarnaev"), named("PER Tamerlan Tsarnaev")], "2013-04-19")
    assert surname == full
    assert entities.entities[full].best_name() == "Tamerlan Tsarnaev"


def test_a_surname_of_two_waits_for_both_of_the_day() -> None:
    told = [
        named("PER Tsarnaev", "boat watertown manhunt"),
        named("PER Tamerlan Tsarnaev", "shootout kill boxer"),
        named("PER Dzhokhar Tsarnaev", "boat manhunt student"),
    ]
    surname, tamerlan, dzhokhar = EntityBook().place(told, "2013-04-19")
    assert surname == dzhokhar != tamerlan


def test_who_has_got_a_full_name_is_nobody_elses_surname() -> None:
    first, second, third = groups("PER Obama", "PER Barack Obama 5", "PER Michelle Obama")
    assert first == second != third


def test_a_rare_longer_name_in_a_document_is_not_its_bearers_name() -> None:
    first, second = groups("PER Barack Obama 5, Obama", "PER Obama 30, Chris Christie Obama")
    assert first == second


def test_those_named_longest_ago_are_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "MOST_ENTITIES", 8)
    entities = EntityBook()
    for day in range(1, 13):
        entities.place(
            [named(f"LOC Place{chr(96 + day) * 3}"), named("PER Maria Rossi")], f"2013-01-{day:02}"
        )
        entities.forget()
        assert len(entities.entities) <= 8
    [rossi] = [number for number, one in entities.entities.items() if one.best_name() == "Maria Rossi"]
    assert entities.place([named("PER Rossi")], "2013-02-01") == [rossi]


def test_a_book_restored_goes_on_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "MOST_ENTITIES", 60)
    draw = random.Random(7)
    given, family = ["Ann", "Bob", "Cem", "Dora"], ["Kline", "Klime", "Moor", "Moore", "Tsarn", "Tsarna"]
    days = [
        [named(f"PER {draw.choice(given)} {draw.choice(family)}, {draw.choice(family)}") for _ in range(30)]
        for _ in range(6)
    ]
    whole, cut = EntityBook(), EntityBook()
    for number, day in enumerate(days):
        assert whole.place(day, f"2013-01-0{number + 1}") == cut.place(day, f"2013-01-0{number + 1}")
        whole.forget()
        cut.forget()
        again = EntityBook()
        again.restore(cut.entities.values(), cut.order, cut.next_id)
        cut = again


def many(count: int) -> list[Named]:
    draw = random.Random(1)
    syllables = [first + last for first in "bcdfghklmnprstvz" for last in "aeiou"]
    words = ["".join(draw.choices(syllables, k=3)).capitalize() for _ in range(3_000)]
    return [Named("PER", {f"{draw.choice(words)} {draw.choice(words)}": 1}, {}) for _ in range(count)]


def test_a_thousand_entities_in_a_day() -> None:
    assert len(set(EntityBook().place(many(1_000), "2013-01-01"))) > 950


@pytest.mark.long
def test_fifty_thousand_entities_in_a_day() -> None:
    entities = EntityBook()
    assert len(set(entities.place(many(50_000), "2013-01-01"))) > 45_000
    entities.forget()
    assert len(entities.entities) <= book.MOST_ENTITIES


def test_the_best_name_of_equals_does_not_hang_on_their_order() -> None:
    spelt = {"Jean Dupont": 2, "Jan Dupont": 2}
    turned = dict(reversed(spelt.items()))
    assert (
        Remembered(1, {"PER": 4}, spelt, {}).best_name() == Remembered(1, {"PER": 4}, turned, {}).best_name()
    )


def seen(*documents: str) -> Statistics:
    statistics = Statistics()
    for text in documents:
        statistics.count(text.split(), new=set(text.split()), first=True)
    return statistics


def test_rare_words_and_short_documents_count_more() -> None:
    statistics = seen("storm coast", "storm bank", "storm vote", "bank vote")
    assert statistics.idf("coast") > statistics.idf("storm") > 0
    assert bm25({"coast": 1.0}, {"coast": 1}, 2, statistics) > bm25(
        {"coast": 1.0}, {"coast": 1}, 9, statistics
    )
    assert bm25({"storm": 1.0}, {"bank": 3}, 3, statistics) == 0


def test_bm25_by_hand() -> None:
    statistics = seen("a b", "a c c c")
    # idf(b) = log(1 + 1.5 / 1.5); mean length 3, length 2: 1.2 · (.25 + .75 · 2 / 3) = .9
    assert bm25({"b": 2.0}, {"b": 1, "a": 1}, 2, statistics) == pytest.approx(
        2 * 0.6931472 * 2.2 / 1.9, rel=1e-6
    )


def test_the_query_is_widened_by_what_sets_its_documents_apart() -> None:
    texts = ["ferri fire rossi crew", "ferri rossi crew", "bank vote", "bank crew vote", "vote elect"]
    documents = [dict.fromkeys(text.split(), 1) for text in texts]
    statistics = seen(*texts)
    terms = expansion_terms(documents[:2], statistics, ["ferri"])
    assert set(terms) == {"rossi", "crew"} and terms["rossi"] > terms["crew"]
    assert sum(terms.values()) == pytest.approx(1)
    assert len(expansion_terms(documents[:2], statistics, ["ferri"], most=1)) == 1
    # The fourth document says nothing of the query, but what its documents say.
    numbers = [number for _, number in ranked_documents(documents, ["ferri"], statistics)]
    assert set(numbers[:2]) == {0, 1} and numbers[2:] == [3, 2, 4]


def test_the_rarest_words_are_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval, "MOST_STEMS", 20)
    statistics = seen(*(f"often a{at} b{at}" for at in range(30)))
    assert len(statistics.document_counts) <= 20 and set(statistics.term_counts) == set(
        statistics.document_counts
    )
    assert statistics.document_counts["often"] == statistics.documents == 30


def test_spellings_are_found_again_and_others_are_not() -> None:
    labels = ["sergei lavrov", "world health organisation", "dzhokhar tsarnaev"]
    changed = ["sergey lavrov", "world health organization", "dzokhar tsarnaev"]
    index = LabelIndex()
    for number, (label, signature) in enumerate(zip(labels, signatures(labels), strict=True)):
        index.add(number, label, signature)
    near = [
        index.near(label, signature) for label, signature in zip(changed, signatures(changed), strict=True)
    ]
    assert near == [[0], [1], [2]]
    assert index.near("angela merkel", signatures(["angela merkel"])[0]) == []


def test_signatures_are_the_same_alone_and_together() -> None:
    labels = [f"name {at}" for at in range(50)] + ["", "北京"]
    assert all(
        (signatures([label])[0] == row).all() for label, row in zip(labels, signatures(labels), strict=True)
    )


@every(
    "query, spelt, expected",
    cases(__file__, "who the query names", lists=True),
)
def test_who_the_query_names(query: str, spelt: list[dict[str, int]], expected: list[bool]) -> None:
    book = EntityBook()
    ids = book.place(
        [Named("PER" if "Jackson" in str(one) else "LOC", one, {}) for one in spelt], "2013-01-01"
    )
    day = in_day(book, {number: [EntityMention(0, 0, 0, 1, "x")] for number in ids}, query)
    asked = {one.id: one.in_query for one in day}
    assert [asked[number] for number in ids] == expected
