"""What a story holds: documents about the event, the days its sentences speak of, and what can be quoted alone."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

from tests.following.digests.stories import DOCUMENTS, FERRY, at, document, number, story
from tests.sweeps import every
from tidings.analysis import TimeReader
from tidings.core.records import Document, Event
from tidings.following.digests.making import dated_candidates
from tidings.following.digests.relevance import Relevance
from tidings.following.digests.story import (
    begins_comments,
    day_of,
    is_readable,
    looks_ahead,
    named_days,
    read_story,
)


class TestStory:
    def test_leaves_out_what_is_about_something_else(self) -> None:
        made = story()
        assert made.documents_read == 4
        assert [one.sentence.doc_id for one in made.sentences if one.place == 0] == ["a", "b", "c"]
        assert made.first_time == at("2024-05-01")
        assert made.last_time == at("2024-05-20")

    def test_keeps_all_where_they_were_chosen_for_the_event(self) -> None:
        made = read_story(DOCUMENTS, FERRY, chosen=True)
        assert len(made.published) == 4
        assert made.relevance == [1.0] * 4

    def test_knows_the_days_that_sentences_speak_of(self) -> None:
        days = {one.sentence.id: one.days for one in story().sentences}
        assert days["a-1"] == (number("2024-05-01"),)
        assert days["b-0"] == (number("2024-05-02"),)
        assert days["b-2"] == (number("2024-05-01"),)
        assert days["c-1"] == (number("2024-05-02"),)
        assert days["a-3"] == ()

    def test_counts_what_repeats_another_word_for_word_once(self) -> None:
        copy = Document(id="z", published_time=at("2024-05-03"), source="Other", text=DOCUMENTS[0].text)
        earlier = Document(id="0", published_time=at("2024-04-30"), source="Other", text=DOCUMENTS[1].text)
        made = story(*DOCUMENTS, copy, earlier)
        names = {one.sentence.doc_id for one in made.sentences}
        assert names == {"a", "0", "c"}

    def test_does_not_depend_on_the_order_of_documents(self) -> None:
        forward, backward = story(), story(*reversed(DOCUMENTS))
        assert [one.sentence for one in forward.sentences] == [one.sentence for one in backward.sentences]
        assert [one.weight for one in forward.sentences] == [one.weight for one in backward.sentences]

    def test_counts_days_on_the_clock_that_is_asked_for(self) -> None:
        late = Document(
            id="l", published_time=at("2024-05-01") + 11 * 3600, text="A ferry fire is seen off the port."
        )
        assert read_story([late], FERRY).published == [number("2024-05-01")]
        assert read_story([late], FERRY, zone=ZoneInfo("Europe/Madrid")).published == [number("2024-05-02")]

    def test_days_that_are_named_count_from_that_clock(self) -> None:
        late = Document(
            id="l", published_time=at("2024-05-01") + 11 * 3600, text="A ferry caught fire yesterday."
        )
        assert [one.days for one in read_story([late], FERRY).sentences] == [(number("2024-04-30"),)]
        there = read_story([late], FERRY, zone=ZoneInfo("Europe/Madrid"))
        assert [one.days for one in there.sentences] == [(number("2024-05-01"),)]

    def test_holds_times_beyond_the_calendar(self) -> None:
        assert day_of(2**62) == number("9999-12-31")

    def test_the_period_bounds_days_and_not_documents(self) -> None:
        event = Event(
            id="f", title="", query="ferry fire", start_time=at("2024-05-02"), end_time=at("2024-05-03")
        )
        made = story(event=event)
        assert (made.first_day, made.last_day) == (number("2024-05-02"), number("2024-05-03"))
        assert len(made.published) == 3

    def test_without_a_period_days_run_from_a_month_before_to_the_last_publication(self) -> None:
        made = story()
        assert (made.first_day, made.last_day) == (number("2024-03-31"), number("2024-05-20"))

    def test_reads_no_days_from_readers_comments(self) -> None:
        made = story(
            *DOCUMENTS,
            document(
                "e",
                "2024-05-05",
                "The ferry fire is discussed here.",
                "At 6:42 pm on 05 May 2024 , Jo wrote : sad.",
            ),
        )
        assert [one.sentence.id for one in made.sentences if one.sentence.doc_id == "e"] == ["e-0"]

    def test_quotes_begin_behind_the_dateline(self) -> None:
        made = story(
            document("e", "2024-05-05", "NADOR, May 5 (Reuters) - The ferry Aurora was on fire off the port.")
        )
        assert made.sentences[0].evidence().text == "The ferry Aurora was on fire off the port."
        assert made.sentences[0].sentence.text.startswith("NADOR")

    def test_looks_at_the_beginning_of_an_endless_sentence_alone(self) -> None:
        made = story(
            document("e", "2024-05-05", "The ferry fire " + "and the ferry " * 9_000 + "on 3 May 2024.")
        )
        assert [one.days for one in made.sentences] == [()]


class TestNaming:
    def test_a_weekday_lies_back_where_nothing_looks_ahead(self) -> None:
        made = story(
            document("e", "2024-05-03", "The leak from a ferry that caught fire on Thursday is sealed."),
            document("f", "2024-05-03", "The ferry fire will be discussed from Thursday."),
            document("g", "2024-05-03", "The ferry fire could close the port of Nador by Thursday."),
        )
        assert [one.days for one in made.sentences] == [
            (number("2024-05-02"),),
            (number("2024-05-09"),),
            (number("2024-05-09"),),
        ]

    @every("text", ["Ministers will meet .", "Ministers are to meet .", "They are due in Nador ."])
    def test_plans_look_ahead(self, text: str) -> None:
        assert looks_ahead(text)

    @every("text", ["Ministers met later .", "The dues were paid .", "Willing helpers came ."])
    def test_facts_do_not(self, text: str) -> None:
        assert not looks_ahead(text)

    def test_what_speaks_of_other_times_is_of_no_day(self) -> None:
        made = story(
            document(
                "e",
                "2024-05-03",
                "The ferry Aurora was built in 1987 in a yard of Bremen, long before the fire.",
            ),
            document("f", "2024-05-04", "The ferry Aurora burnt this month, officials said of the fire."),
            document("g", "2024-05-05", "The ferry Aurora lies at anchor after the fire, officials said."),
        )
        assert [one.elsewhen for one in made.sentences] == [True, False, False]
        days = dated_candidates(made)
        assert number("2024-05-03") not in days or made.sentences[0] not in days[number("2024-05-03")]
        assert made.sentences[2] in days[number("2024-05-05")]

    def test_what_shares_no_word_with_the_event_is_not_quoted(self) -> None:
        made = story(
            *DOCUMENTS,
            document(
                "e",
                "2024-05-03",
                "The ferry burns still.",
                "Bank shares rose in Madrid on Friday morning, traders said.",
            ),
        )
        told = {one.sentence.id: one.readable for one in made.sentences}
        assert not told["e-1"]

    def test_months_and_years_are_no_days(self) -> None:
        made = story(document("e", "2024-05-03", "The ferry was built in 1987 and caught fire in March."))
        assert [one.days for one in made.sentences] == [()]


class TestRelevance:
    def test_grows_the_query_by_the_words_beside_it(self) -> None:
        heads = [
            [("h1n1", "swine", "flu")],
            [("h1n1", "swine", "flu", "case")],
            [("h1n1", "flu", "vaccin")],
            [("swine", "flu", "vaccin")],
            [("bank", "result")],
        ]
        relevance = Relevance(("h1n1",), heads)
        assert relevance.of_document(heads[3]) > 0.4
        assert relevance.of_document(heads[4]) == 0.0

    def test_of_nothing_is_nothing(self) -> None:
        relevance = Relevance(("ferri",), [])
        assert relevance.of_document([]) == 0.0
        assert relevance.of_sentence(("bank",)) == 0.0

    def test_one_word_of_several_is_no_event(self) -> None:
        heads = [[("erupt", "violenc", "citi")], [("violenc", "citi", "kill")]]
        relevance = Relevance(("volcano", "erupt", "iceland"), heads)
        assert relevance.of_document(heads[0]) == 0.0
        assert relevance.of_document(heads[1]) == 0.0

    def test_much_of_the_query_is_enough_beside_a_louder_story(self) -> None:
        heads = [[("ferri", "fire", "nador", "crew")]] * 9 + [[("ferri", "fire")]]
        assert Relevance(("ferri", "fire"), heads).of_document(heads[-1]) >= 0.5

    def test_is_graded(self) -> None:
        heads = [[("ferri", "fire")], [("ferri", "fire", "port")], [("ferri", "price", "ticket", "rise")]]
        relevance = Relevance(("ferri", "fire"), heads)
        values = [relevance.of_document(head) for head in heads]
        assert 0.0 < values[2] < values[1] <= 1.0


class TestReadability:
    @every(
        "text",
        [
            "They were saved by boats of the coast guard.",
            "But the ferry sank in the night after all.",
            "I was on the ferry when the fire began.",
            "What happened on the ferry in that night?",
            '"The ferry was burning from end to end," one said.',
            "`` The ferry was burning from end to end , '' one said .",
            "Fire on a ferry",
            "Read more: the ferry in ten pictures, from launch to fire.",
            "9 | Reply by Jo: the ferry was too old to sail.",
            "word " * 41,
            "1 2 3 4 5 6 7 of 8 9",
            "28 January 12 22:46 GMT The ferry is burning off Nador .",
            "B m n Sinh ho , H Oxford c m tr m",
        ],
    )
    def test_refuses(self, text: str) -> None:
        assert not is_readable(text)

    @every(
        "text",
        [
            "The ferry sank on Thursday, officials said.",
            "THE FERRY SANK ON THURSDAY, OFFICIALS SAID.",
            "Itinerant sellers had boarded the ferry at noon.",
            "On Thursday the ferry sank with 212 cars, 40 lorries and 3 buses.",
        ],
    )
    def test_accepts(self, text: str) -> None:
        assert is_readable(text)

    def test_comments_begin_with_their_stamp(self) -> None:
        assert begins_comments("At 23:28 29th Apr 2009 , james wrote : it is")
        assert begins_comments("9 | Reply")
        assert begins_comments("24th February 2012 - 16:51 Or maybe not.")
        assert begins_comments("Added : Tuesday, 19 January, 2010, 18:16 GMT")
        assert not begins_comments("At 23:28 on Friday the ferry sank and a survivor wrote a letter.")


@every(
    "text, named",
    [
        (
            "BP says it plans to inject mud and possibly cement into its Gulf of Mexico oil well on Tuesday .",
            date(2010, 8, 3),
        ),
        ("BP injected mud into its well on Tuesday.", date(2010, 7, 27)),
        ("Police said that he was shot on Tuesday.", date(2010, 7, 27)),
        ("The search after Tuesday's quake is over, it said on Thursday.", date(2010, 7, 29)),
        ("Two people died in Tuesday's quake.", date(2010, 7, 27)),
        ("A girl was found alive on Wednesday, 27 hours after the quake.", date(2010, 7, 28)),
    ],
)
def test_which_day_a_sentence_is_of(text: str, named: date) -> None:
    published = date(2010, 7, 31)
    assert named_days(text, TimeReader(published).read(text), published.toordinal()) == (named.toordinal(),)


LIKELY = "The ferry fire was seen from the coast Sailors are using boats to save the living, officials said on Friday."


def test_a_lead_is_cut_as_its_source_gives_reason_to() -> None:
    told = [
        f"The ferry fire off Bilbao has moved {n} people to ask for new rules, an inquiry was told."
        for n in (21, 22, 23)
    ]
    event = Event(id="1", title="", query="ferry fire")

    def last(*texts: str) -> str:
        documents = [
            Document(id=f"d{n}", published_time=86_400 + n, source="wire", text=text)
            for n, text in enumerate(texts)
        ]
        return read_story(documents, event).sentences[-1].text

    assert last(*told, LIKELY) == LIKELY
    assert last(LIKELY) == LIKELY[LIKELY.index("Sailors") :]  # of a source of which nothing is known


def test_text_cut_into_tokens_is_quoted_as_people_write() -> None:
    text = "The ferry 's captain , Ana Ruiz , said it was `` safe '' before the fire ."
    document = Document(id="d", published_time=86_400, text=text)
    (sentence,) = read_story([document], Event(id="1", title="", query="ferry fire")).sentences
    assert sentence.text == text
    assert sentence.evidence().text == 'The ferry\'s captain, Ana Ruiz, said it was "safe" before the fire.'
