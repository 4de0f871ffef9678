"""`tidings` on whole articles: what it tells of them, what it leaves, and waiting for the best wording."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sweeps import cases, every
from tidings import read_documents
from tidings.core.errors import UsageError
from tidings.core.records import Event, Sentence
from tidings.core.text.sentences import cut
from tidings.following.systems.registry import make, with_option
from tidings.following.systems.stages import Room, Surroundings
from tidings.following.systems.tidings.candidates import (
    ArticleCandidate,
    Limits,
    Waiting,
    Wording,
    repeats,
    title_first,
)
from tidings.following.systems.tidings.stream_memory import Postings
from tidings.following.systems.tidings.text_features import WeighedText
from tidings.sources import bundled

FIRE = Event(id="fire", title="Ferry fire off Bilbao", query="ferry fire bilbao")
NOON = 1374840000  # Friday 26 July 2013

LEAD = "A ferry caught fire off the coast of Bilbao on Friday, killing at least 12 people, officials said."
AGAIN = "At least 12 people were killed on Friday when a ferry caught fire off the coast of Bilbao, officials said."
MORE = "A ferry caught fire off the coast of Bilbao on Friday, killing at least 17 people, officials said."
KING = "Spain's king visited survivors of the ferry fire in a Bilbao hospital on Friday, the palace said."
KING_AGAIN = "King Felipe met survivors of the ferry fire in hospital in Bilbao on Friday, his palace said."
NAPLES = "A ferry caught fire off Naples on Friday, killing 95 people, officials in Italy said."
OTHER = "A court in Madrid on Friday sentenced a banker to nine years in prison, officials said."
BACKGROUND = cases(__file__, "background")


def article(name, texts, time=NOON, events=None, title=""):
    return tuple(Sentence(name, n, text, time, "wire", 0, events, title) for n, text in enumerate(texts))


def counting(text: str, first: int, end: int):
    """Articles that say this of one number after another."""
    return [article(f"d{n}", [text.format(n=n)], NOON + n) for n in range(first, end)]


def told(spec, *articles, event=FIRE, finish=False):
    follower = make(spec).start(event)
    updates = [update for one in articles for update in follower.push(one, one[0].published_time)]
    return updates + (list(follower.finish(articles[-1][0].published_time)) if finish else [])


def test_the_demo_flood_is_told_once_and_to_its_end():
    flood = Event(id="flood", title="The flood in Brennholm", query="flood Brennholm dyke river Brenn")
    documents = [one for path in bundled.demo_feeds().iterdir() for one in map(cut, read_documents(path))]
    documents.sort(key=lambda one: (one.published_time, one.id))
    given = [update.text for update in told("tidings", *(one.sentences for one in documents), event=flood)]
    assert sum("lower town" in text for text in given) == 1
    assert "Two people missing in the Brennholm flood have been found alive, the mayor said." in given


def test_a_title_that_holds_a_query_of_two_words_side_by_side_is_about_it():
    storm = Event(id="storm", title="", query="storm greta")
    power = "Storm Greta left {n}0,000 homes without power as ice brought down lines across Harlow Valley."
    before = [article(f"d{n}", [power.format(n=n)], NOON + n, title="Power cut by ice") for n in range(1, 5)]
    toll = "Nine people are now known to have died in Storm Greta, most of them on roads, officials said on Friday."
    last = article("toll", [toll], NOON + 9, title="Storm Greta death toll reaches 9")
    assert told("tidings", *before, last, event=storm)[-1].text == toll


def texts(*given, **more):
    return [update.text for update in told(*given, **more)]


class TestDecision:
    def test_the_news_is_told_and_nothing_else(self):
        assert texts("tidings", article("a", [LEAD, *BACKGROUND])) == [LEAD]

    def test_what_was_told_is_not_told_again(self):
        assert texts("tidings", article("a", [LEAD]), article("b", [AGAIN], NOON + 600)) == [LEAD]

    @pytest.mark.parametrize("spec", ["tidings", "tidings:about=40/day"])
    def test_a_title_is_not_told_beside_a_sentence_of_its_article(self, spec):
        title = "Twelve killed as fire breaks out on a Spanish ferry near the port of Bilbao on Friday, police say"
        given = texts(spec, article("a", [title, LEAD, *BACKGROUND], title=title))
        assert LEAD in given and title not in given

    def test_of_an_item_the_title_is_told_where_the_sentence_below_says_something_else(self):
        title = "Ferry fire off Bilbao kills 12 passengers"
        below = "The ferry caught fire on Friday, hours after port police in Spain had told its crew to stay."
        for shown in (title, f"BREAKING: {title}"):
            assert texts("tidings", article("a", [shown, below], title=shown)) == [title]
        assert texts("tidings", article("a", [title, LEAD], title=title)) == [LEAD]

    def test_of_an_item_a_sentence_with_all_of_the_query_is_not_told_if_it_is_no_news(self):
        strike = Event(id="strike", title="", query="spain airport strike")
        title = "Flights resume at Spain's main airport"
        old = "Spain's main airport in Bilbao has been running normal operations since a strike two years ago"
        assert texts("tidings", article("a", [title, old], title=title), event=strike) == []

    def test_a_sentence_behind_a_heading_inside_an_article_is_not_told(self):
        filler = [
            "Rescuers brought the last passengers to the port of Bilbao.",
            "The ferry was on its way to Santander.",
            "Its owner has two more ships.",
            "Smoke was seen from the beach.",
            "Rescuers brought the last passengers to the port of Bilbao.",
            "The ferry was on its way to Santander.",
        ]
        toll = "The death toll in the Bilbao ferry fire has risen to 17, officials said on Friday."
        likely = "tidings:article_level=0.42"
        assert toll in texts(likely, article("a", [*filler, toll]))
        given = texts(likely, article("a", [*filler, f"Follow the latest updates on the fire {toll}"]))
        assert not any(toll in text for text in given)

    def test_an_article_that_explains_tells_what_names_its_day(self):
        dateless = (
            "A ferry has caught fire off the coast of Bilbao, killing at least 12 people, officials said."
        )
        for lead, title, expected in (
            (dateless, "Ferry fire off Bilbao kills 12", [dateless]),
            (dateless, "How a ferry caught fire off Bilbao", []),
            (LEAD, "How a ferry caught fire off Bilbao", [LEAD]),
        ):
            assert texts("tidings", article("a", [title, lead, *BACKGROUND], title=title)) == expected

    @pytest.mark.parametrize("spec", ["tidings", "tidings:about=40/day"])
    def test_the_same_claim_in_other_words_is_not_told_again(self, spec):
        first = "The ferry fire off Bilbao has killed at least 35 people, the head of the regional government said."
        same = "At least 35 dead have been counted after the Bilbao ferry caught fire, president Ana Soler told radio."
        more = same.replace("35", "41")
        one, other, higher = (article(name, [text], NOON + 600 * n) for n, (name, text) in
                              enumerate({"a": first, "b": same, "c": more}.items()))  # fmt: skip
        assert texts(spec, one, other, higher, finish=True) == [first, more]
        assert texts(spec, other, finish=True) == [same]

    @pytest.mark.parametrize("spec", ["tidings", "tidings:about=40/day"])
    def test_another_deed_is_told_though_its_words_repeat(self, spec):
        first = "Two crew were killed in the ferry fire off Bilbao on Friday, officials said."
        other = first.replace("crew", "rescuers")
        one, another = article("a", [first]), article("b", [other], NOON + 600)
        assert texts(spec, one, another, finish=True) == [first, other]

    def test_claims_that_were_told_are_part_of_the_state(self):
        first = "The ferry fire off Bilbao has killed at least 35 people, the head of the regional government said."
        same = "At least 35 dead have been counted after the Bilbao ferry caught fire, president Ana Soler told radio."
        follower, other = make("tidings").start(FIRE), make("tidings").start(FIRE)
        assert len(follower.push(article("a", [first]), NOON)) == 1
        other.restore(follower.state())
        assert other.push(article("b", [same], NOON + 600), NOON + 600) == []

    def test_a_higher_toll_is_told_though_all_words_repeat(self):
        assert texts("tidings", article("a", [LEAD]), article("b", [MORE], NOON + 600)) == [LEAD, MORE]

    def test_less_is_asked_of_what_closes_the_story(self):
        title = "Ferry fire is out"
        out = "The fire on the Bilbao ferry was put out this morning, thirteen hours after it began."
        towed = "Tugs are towing the ship to Santander."
        assert texts("tidings", article("a", [out, towed], title=title)) == [out]
        still = out.replace("was put out", "was still not put out")
        assert texts("tidings", article("a", [still, towed], title=title)) == []

    def test_an_article_about_something_else_tells_nothing(self):
        filler = [f"Witness number {n} told the court in Madrid about the bank on Friday." for n in range(12)]
        mention = "The ferry fire off Bilbao kept the judge from arriving on Thursday."
        assert texts("tidings", article("a", [OTHER, *filler, mention])) == []

    def test_a_mention_in_a_short_article_is_no_article_about_it(self):
        robbery = [
            "Two men were jailed on Friday for robbing a bank in Milltown, a court said.",
            "They took 40,000 euros in May.",
            "One of them once worked as a cook on the ferry that was hit by the Bilbao ferry fire.",
            "Both said they were sorry.",
        ]
        assert texts("tidings", article("a", robbery, title="Milltown bank robbers jailed")) == []

    def test_the_dateline_is_cut_and_the_update_points_into_the_text(self):
        (update,) = told("tidings", article("a", ["BILBAO (Reuters) - " + LEAD]))
        assert (update.text, update.doc_id, update.sentence_index) == (LEAD, "a", 0)

    def test_pooled_sentences_are_decided_on_as_ever(self):
        pooled = article("a", [LEAD, *BACKGROUND], events=("fire",))
        assert texts("tidings", pooled) == texts("tidings:articles=none", pooled)
        whole = article("a", [LEAD, *BACKGROUND])
        assert texts("tidings:articles=none", whole) == texts("tidings", pooled)

    def test_a_level_of_one_tells_nothing(self):
        assert texts("tidings:article_level=1", article("a", [LEAD])) == []

    def test_so_many_sentences_of_one_article(self):
        news = [
            LEAD,
            "Spanish police on Friday arrested the captain of the ferry after the fire off Bilbao.",
            "Rescuers pulled 40 survivors of the ferry fire from the sea off Bilbao on Friday, the coast guard said.",
        ]
        counts = [
            len(told(f"tidings:article_level=0.3,per_article={n}", article("a", news))) for n in (1, 2, 3)
        ]
        assert counts == [1, 2, 3]

    def test_a_hundred_thousand_sentences_end(self):
        long = article("a", [f"The ferry fire off Bilbao burnt cabin {n} on Friday." for n in range(2_500)])
        assert len(told("tidings:max_sentences=2000", long)) <= 2

    def test_one_article_read_by_many_events_gives_each_what_it_would_alone(self):
        system = make("tidings")
        events = [FIRE, Event(id="b", title="Banker", query="banker prison madrid")]
        followers = [system.start(event) for event in events]
        document = article("a", [LEAD, OTHER])
        together = [[update.text for update in follower.push(document, NOON)] for follower in followers]
        assert together == [texts("tidings", document, event=event) for event in events]


class TestArticlesThatComeTogether:
    def test_the_main_one_is_first(self):
        inspection = (
            "Port inspectors on Friday found the ferry in Bilbao short of two lifeboats, officials said."
        )
        burnt = (
            "Firefighters put out the fire on the Bilbao ferry, which burnt for nine hours, officials said."
        )
        ferry = article("b", [burnt]), article("c", [burnt.replace("put out", "have put out"), LEAD])
        together = (*article("a", [inspection]), *ferry[0], *ferry[1])
        given = make("tidings").start(FIRE).push(together, NOON)
        alone = told("tidings", article("a", [inspection]), *ferry)
        assert alone[0].text == inspection
        assert given[0].text != inspection
        assert {one.text for one in given} == {one.text for one in alone}


@every("states, same, chosen", [(0.9, False, "title"), (0.4, False, "all"), (0.9, True, "all")])
def test_the_title_of_an_item_is_told_if_it_states_what_no_sentence_below_it_says(states, same, chosen):
    title, below = {"boat": 2.0, "strike": 2.0}, {"talk": 2.0, "week": 2.0}

    def candidate(text: str, stems: dict[str, float], states: float) -> ArticleCandidate:
        sentence = Sentence("d", 0, text, NOON, title="Boats struck")
        return ArticleCandidate(sentence, WeighedText(stems, 4.0, 2.8), (0.5, states, 0.9, 0.9), (0.0, 0.1))

    scored = [
        (0.8, candidate("Talks came last week.", title if same else below, 0.9)),
        (0.5, candidate("Boats struck", title, states)),
    ]
    assert title_first(scored) == ([(0.8, scored[1][1])] if chosen == "title" else scored)


class TestRepetition:
    @every(
        "stems, has_new_number, words_only, expected",
        cases(__file__, "the share of a sentence that an update holds"),
    )
    def test_the_share_of_a_sentence_that_an_update_holds(self, stems, has_new_number, words_only, expected):
        emitted = Postings()
        emitted.add(0, {"captain": 3.0, "arrest": 3.0, "ferri": 8.0})
        wording = Wording(Sentence("d", 0, "…", 1), 0.9, {}, stems, 1.0)
        given = (
            wording,
            emitted,
            np.array([False]),
            {"ferri"},
            {},
            Limits(),
            lambda: has_new_number,
            words_only,
        )
        assert repeats(*given) is expected

    def test_an_old_update_is_repeated_only_by_nearly_the_same_words(self):
        emitted = Postings()
        emitted.add(0, {"captain": 3.0, "arrest": 3.0})
        for other, is_old, expected in ((2.0, False, True), (2.0, True, False), (0.5, True, True)):
            stems = {"captain": 3.0, "arrest": 3.0, "madrid": other}
            wording = Wording(Sentence("d", 0, "…", 1), 0.9, {}, stems, 5.0)
            given = wording, emitted, np.array([is_old]), set(), {}, Limits(), lambda: False, False
            assert repeats(*given) is expected

    def test_more_casualties_are_always_news(self):
        emitted = Postings()
        emitted.add(0, {"captain": 3.0, "arrest": 3.0})
        wording = Wording(Sentence("d", 0, "…", 1), 0.9, {"deaths": 17}, {"captain": 3.0, "arrest": 3.0}, 4.2)
        given = wording, emitted, np.array([False]), set()
        assert repeats(*given, {"deaths": 17}, Limits(), lambda: False, False)
        assert not repeats(*given, {"deaths": 16}, Limits(), lambda: False, False)

    @every("days, text, expected", cases(__file__, "after two days"))
    def test_after_two_days_only_nearly_the_same_words_repeat(self, days, text, expected):
        faces = "The captain of the Bilbao ferry faces four years in prison for causing the fire, prosecutors said."
        passengers = counting("Passenger {n} of the ferry spoke of the fire off Bilbao.", 0, 60)
        first = article("faces", [LEAD, faces], NOON + 60)
        second = article("later", [text], NOON + 60 + days * 86_400)
        given = texts("tidings:article_level=0.5", *passengers, first, second)
        assert faces in given
        assert (text in given) is expected

    def test_how_old_an_update_is_outlives_a_restart(self):
        sentenced = "The captain of the Bilbao ferry was sentenced to four years in prison on Monday."
        faces = "The captain of the Bilbao ferry faces four years in prison for causing the fire, prosecutors said."
        likely = "tidings:article_level=0.5"
        follower, resumed = make(likely).start(FIRE), make(likely).start(FIRE)
        follower.push(article("faces", [LEAD, faces]), NOON)
        resumed.restore(follower.state())
        later = article("later", [sentenced], NOON + 3 * 86_400)
        assert [one.text for one in resumed.push(later, NOON + 3 * 86_400)] == [sentenced]


class TestWaiting:
    def test_the_best_wording_is_told_when_time_is_up(self):
        first = article("a", ["Twelve are dead in a fire on a ferry off the coast of Bilbao."])
        later = article("b", [LEAD], NOON + 1800)
        arrest = "Spanish police on Friday arrested the captain of the ferry after the fire off Bilbao."
        after = article("c", [arrest], NOON + 9000)
        updates = told("tidings:wait=2h,article_level=0.5", first, later, after, finish=True)
        assert [update.doc_id for update in updates] == ["b", "c"]
        assert [update.time for update in updates] == [NOON + 9000, NOON + 9000]

    def test_nothing_is_lost_at_the_end(self):
        assert texts("tidings:wait=2h", article("a", [LEAD]), finish=True) == [LEAD]
        assert texts("tidings:wait=2h", article("a", [LEAD])) == []

    def test_the_highest_toll_of_those_that_wait_is_told(self):
        updates = texts("tidings:wait=2h", article("a", [LEAD]), article("b", [MORE], NOON + 60), finish=True)
        assert updates[-1] == MORE

    def test_a_higher_toll_beats_a_likelier_wording(self):
        waiting = Waiting(60, 0.5)
        stems = {"ferri": 1.0, "fire": 1.0}
        for name, probability, dead in (("a", 0.95, 12), ("b", 0.6, 17), ("c", 0.99, 0)):
            sentence = Sentence(name, 0, "A ferry fire.", 1)
            wording = Wording(sentence, probability, {"deaths": dead} if dead else {}, stems, 1.5)
            if not waiting.join(wording):
                waiting.begin(wording, 1)
        assert [one.sentence.doc_id for one in waiting.due(61)] == ["b"]

    def test_what_was_told_while_it_waited_is_not_told_again(self):
        follower = make("tidings:wait=2h").start(FIRE)
        follower.push(article("a", [LEAD]), NOON)
        ((begun, (wording,)),) = follower._waiting._groups
        follower._waiting.begin(wording, begun)
        assert [update.text for update in follower.finish(NOON)] == [LEAD]

    def test_what_waits_is_part_of_the_state(self):
        system = make("tidings:wait=2h")
        follower, other = system.start(FIRE), system.start(FIRE)
        follower.push(article("a", [LEAD]), NOON)
        other.restore(follower.state())
        assert [update.text for update in other.finish(NOON)] == [LEAD]

    def test_a_wait_of_nothing_is_none(self):
        assert make("tidings:wait=0h") == make("tidings")
        assert texts("tidings:wait=0h", article("a", [LEAD])) == [LEAD]

    def test_a_document_without_interest_changes_nothing(self):
        follower = make("tidings:wait=1h").start(FIRE)
        follower.push(article("a", [LEAD]), NOON)
        state = follower.state()
        assert list(follower.push(article("z", [OTHER], NOON + 90_000), NOON + 90_000)) == []
        assert follower.state() == state

    def test_only_systems_that_can_wait_are_asked_to(self):
        assert with_option("tidings:level=1", "wait", "2h") == "tidings:level=1,wait=2h"
        with pytest.raises(UsageError, match="system 'cosine' has no option wait"):
            with_option("cosine", "wait", "2h")
        with pytest.raises(UsageError, match="wait 'soon'"):
            make("tidings:wait=soon")

    def test_a_group_has_room_for_so_many_wordings_and_its_earliest_wins_a_tie(self):
        waiting = Waiting(60, 0.5)
        wordings = [
            Wording(Sentence(f"d{n}", 0, "A ferry burnt.", n), 0.5, {}, {"ferri": 1.0}, 1.0)
            for n in range(40)
        ]
        waiting.begin(wordings[0], 0)
        assert all(waiting.join(one) for one in wordings[1:])
        assert len(waiting) == 1
        assert [one.sentence.doc_id for one in waiting.due(60)] == ["d0"]
        assert len(waiting) == 0
        assert waiting.due(1_000) == []


class TestCeiling:
    def test_a_limit_changes_nothing_below_it_and_holds_above(self):
        news = counting(
            "Spanish police said on Friday that {n} more people died in the ferry fire off Bilbao.", 12, 30
        )
        free = texts("tidings", *news)
        assert len(free) > 5
        assert texts("tidings:about=up to 40/day", *news) == free
        assert texts("tidings:about=up to 5/day", *news) == free[:5]

    def test_of_articles_that_come_together_the_main_development_has_the_room(self):
        together = [*article("a", [KING]), *article("b", [LEAD]), *article("c", [AGAIN])]
        free, limited = make("tidings").start(FIRE), make("tidings").start(FIRE)
        surroundings = Surroundings(room=Room(updates=1), reasons={})
        limited.enter(surroundings)
        assert [one.text for one in free.push(together, NOON)] == [LEAD, KING]
        assert [one.text for one in limited.push(together, NOON)] == [LEAD], (
            "though the king's visit comes first"
        )
        assert surroundings.reasons == {("a", 0): "pace", ("c", 0): "repeats"}

    @pytest.mark.parametrize("most", range(1, 5))
    def test_articles_that_come_together_are_given_no_more_than_the_limit(self, most):
        toll = "Spanish police said on Friday that {n} more people died in the ferry fire off Bilbao."
        together = [one for each in counting(toll, 12, 30) for one in each]
        free = make("tidings").start(FIRE).push(together, NOON)
        follower = make(f"tidings:about=up to {most}/day").start(FIRE)
        assert len(follower.push(together, NOON)) == most < len(free)
        more = [one for each in counting(toll, 50, 60) for one in each]
        assert follower.push(more, NOON + 3_600) == []
        assert len(follower.push(more, NOON + 86_400)) <= most

    def test_what_comes_together_when_nothing_more_may_be_told_has_not_been_said(self):
        follower = make("tidings:about=up to 1/day").start(FIRE)
        updates = []
        for number, said in enumerate(([KING], [LEAD, KING_AGAIN], [AGAIN])):
            together = [
                one for place, text in enumerate(said) for one in article(f"d{number}{place}", [text])
            ]
            updates += follower.push(together, NOON + 50_000 * number)
        assert [one.text for one in updates] == [KING, AGAIN]

    def test_where_there_is_room_what_comes_together_is_told_as_without_a_limit(self):
        together = [*article("a", [KING, LEAD]), *article("b", [AGAIN]), *article("c", [MORE])]
        free, limited = (
            make(f"tidings{about}").start(FIRE).push(together, NOON) for about in ("", ":about=up to 40/day")
        )
        assert limited == free and len(free) > 1

    def test_of_what_waits_alone_the_likelier_is_more_important(self):
        waiting = Waiting(60, 0.5)
        for name, probability in (("doubtful", 0.5), ("likely", 0.9)):
            waiting.begin(Wording(Sentence(name, 0, "…", 0), probability, {}, {name: 1.0}, 1.0), 0)
        assert [one.sentence.doc_id for one in waiting.due(60, room=1)] == ["likely"]

    def test_what_waits_gives_the_room_to_what_is_more_important(self):
        waiting = Waiting(60, 0.5)
        for name, time, stem in (
            ("king", 0, "king"),
            ("dead", 10, "dead"),
            ("again", 20, "dead"),
            ("late", 30, "port"),
        ):
            wording = Wording(Sentence(name, 0, "…", time), 0.8, {}, {stem: 1.0}, 1.0)
            if not waiting.join(wording):
                waiting.begin(wording, time)
        assert waiting.due(60, room=1) == [], "what is told of twice waits"
        assert [one.sentence.doc_id for one in waiting.due(90, room=1)] == ["dead"]
        assert not waiting

    def test_what_found_no_room_when_its_time_was_up_has_not_been_said(self):
        follower = make("tidings:wait=1h,about=up to 1/day").start(FIRE)
        updates = []
        for number, text in enumerate((LEAD, KING, AGAIN, KING_AGAIN, f"{AGAIN} He spoke.")):
            updates += follower.push(article(f"d{number}", [text]), NOON + 32_000 * number)
        assert [one.text for one in updates] == [LEAD, KING_AGAIN]

    def test_a_limit_is_for_a_span_of_time(self):
        with pytest.raises(UsageError, match="up to 10/day"):
            make("tidings:about=up to 10")


class TestOtherEventsOfTheKind:
    def test_a_fire_on_another_ferry_on_the_same_day_is_not_told(self):
        """Once the articles have shown that the query holds a name, one without any name of it is passed over."""
        own = counting("Police said on Friday that {n} people died in the ferry fire off Bilbao.", 12, 18)
        other = article("x", [NAPLES], NOON + 60)
        follower = make("tidings").start(FIRE)
        assert [update.doc_id for one in own for update in follower.push(one, one[0].published_time)]
        assert list(follower.push(other, NOON + 60)) == []
        fresh = make("tidings").start(FIRE)
        assert len(fresh.push(other, NOON + 60)) == 1, "nothing shows yet that Bilbao is a name"

    def test_what_was_learned_of_names_is_part_of_the_state(self):
        own = counting("Police said on Friday that {n} people died in the ferry fire off Bilbao.", 12, 18)
        system = make("tidings")
        follower, resumed = system.start(FIRE), system.start(FIRE)
        for one in own:
            follower.push(one, one[0].published_time)
        resumed.restore(follower.state())
        assert resumed.state() == follower.state()
        other = article("x", [NAPLES], NOON + 60)
        assert list(resumed.push(other, NOON + 60)) == []

    def test_any_text_is_counted(self):
        hostile = article(
            "x", ["The ferry fire off Bilbao \udc80\ud800 killed 12 people on Friday, officials said."]
        )
        follower = make("tidings").start(FIRE)
        for number in range(4):
            follower.push(hostile, NOON + number)
        assert follower.state()

    def test_names_that_the_news_does_not_use_are_not_asked_for(self):
        event = Event(id="flu", title="Swine flu", query="h1n1 swine flu")
        told_of = counting(
            "Officials in Mexico said on Friday that {n} people have died of swine flu.", 12, 20
        )
        assert len(told("tidings", *told_of, event=event)) > 4
