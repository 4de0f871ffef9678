"""How days and sentences are chosen: ranking, the four systems, and what all of them keep to."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from msgspec.structs import replace

from tests.following.digests.stories import DOCUMENTS, FERRY, at, document, number, story
from tidings.core.errors import UsageError
from tidings.core.records import Document, Event
from tidings.following.digests.day_ranking import (
    COUNTS,
    FEATURES,
    DayWeights,
    day_counts,
    day_features,
    rank_days,
    shipped_weights,
    spread_days,
)
from tidings.following.digests.making import (
    DIGEST_SYSTEMS,
    Choice,
    candidates_by_day,
    choose_central,
    choose_ours,
    dated_candidates,
    knee,
    make_digest,
    markov_clusters,
)
from tidings.following.digests.relevance import mean_of
from tidings.following.digests.sentence_ranking import CANDIDATE_FEATURES
from tidings.following.digests.story import Story

EVERY = sorted(DIGEST_SYSTEMS)


def counted(name: str) -> DayWeights:
    """Ranks by one count alone."""
    return DayWeights(tuple(float(one == name) for one in COUNTS))


class TestDayRanking:
    def test_counts_sentences_and_documents_by_their_side_of_the_day(self) -> None:
        rows = {day: dict(zip(COUNTS, row, strict=True)) for day, row in day_counts(story()).items()}
        first, second = rows[number("2024-05-01")], rows[number("2024-05-02")]
        assert first == {
            "sentences": 2, "sentences_after": 1, "sentences_before": 0,
            "documents": 2, "documents_after": 1, "documents_before": 0, "published": 1,
        }  # fmt: skip
        assert (second["sentences"], second["sentences_after"], second["documents_after"]) == (2, 1, 1)
        assert rows[number("2024-05-20")]["published"] == 1

    def test_a_day_that_is_announced_is_named_before_it_comes(self) -> None:
        made = story(
            *DOCUMENTS,
            document("e", "2024-05-03", "Divers will reach the ferry on 10 May 2024 after the fire."),
        )
        row = dict(zip(COUNTS, day_counts(made)[number("2024-05-10")], strict=True))
        assert (row["sentences_before"], row["documents_before"], row["sentences_after"]) == (1, 1, 0)

    def test_weighs_by_relevance(self) -> None:
        plain, weighted = day_counts(story()), day_counts(story(), weighted=True)
        assert all(
            after <= before for day in plain for before, after in zip(plain[day], weighted[day], strict=True)
        )
        assert weighted != plain

    def test_a_sentence_counts_by_its_weight_and_a_document_by_its_relevance(self) -> None:
        made = story(
            document("a", "2024-05-02", "The ferry caught fire on 1 May.", "The ferry fire of 1 May is out.")
        )
        for one in made.sentences:
            one.weight = 0.25
        row = day_counts(made, weighted=True)[number("2024-05-01")]
        assert row[:2] == [0.5, 0.5]
        assert row[3] == 1.0

    def test_ranks_equals_by_time(self) -> None:
        ranked = rank_days(story(), DayWeights((0.0,) * 7))
        assert ranked == sorted(ranked)

    def test_keeps_to_the_period(self) -> None:
        event = Event(
            id="f", title="", query="ferry fire", start_time=at("2024-05-02"), end_time=at("2024-05-02")
        )
        assert rank_days(story(event=event), counted("sentences")) == [number("2024-05-02")]

    def test_shipped_weights_rank_by_support(self) -> None:
        weights = shipped_weights()
        assert sorted(weights.days) == ["datewise", "ours"]
        assert len(weights.days["datewise"].weights) == len(COUNTS)
        assert len(weights.days["ours"].weights) == len(FEATURES)
        assert len(weights.sentences) == len(CANDIDATE_FEATURES)
        assert min(weights.days["ours"].weights) > 0

    def test_what_is_known_of_days_lies_between_nothing_and_the_largest(self) -> None:
        rows = day_features(story())
        assert sorted(rows) == sorted(day_counts(story()))
        assert all(max(row[place] for row in rows.values()) <= 1.0 for place in range(len(FEATURES)))
        later = {day: row[FEATURES.index("documents_later")] for day, row in rows.items()}
        assert later[number("2024-05-02")] == 1.0  # a document of 20 May speaks of it
        assert later[number("2024-05-20")] == 0.0

    def test_a_chosen_day_leaves_room_for_others(self) -> None:
        worth = {day: 1.0 - day / 1000 for day in range(1, 40)} | {900: 0.95, 1000: 0.0}
        assert 900 in list(spread_days(worth, 10))[:4]
        assert sorted(spread_days(worth, 10)) == sorted(worth)
        assert list(spread_days({}, 3)) == []


class TestCentroidOpt:
    def sentences(self, *texts: str) -> Story:
        return story(document("a", "2024-05-01", *texts))

    def test_chooses_what_is_central_and_no_near_copy_of_it(self) -> None:
        said = (
            "The burning ferry sank off Nador.",
            "The burning ferry sank off Nador!",
            "Divers found the burning ferry off Nador.",
            "Bank shares fell in Madrid.",
        )
        ones = self.sentences(*said).sentences
        chosen = choose_central(ones, mean_of(one.vector for one in ones), 2)
        assert chosen[0].place in (0, 1)
        assert chosen[1].place in (2, 3)

    def test_gives_no_more_than_there_is(self) -> None:
        ones = self.sentences("The ferry fire is out.").sentences
        assert len(choose_central(ones, mean_of(one.vector for one in ones), 9)) == 1
        assert choose_central([], {}, 2) == []


class TestKnee:
    def test_is_where_values_fall_off(self) -> None:
        assert knee([0.9, 0.88, 0.85, 0.3, 0.28, 0.26]) == 3
        assert knee([0.5, 0.5, 0.5]) == 3


class TestMarkovClusters:
    def test_parts_what_hardly_hangs_together(self) -> None:
        graph = np.zeros((6, 6))
        for group in ((0, 1, 2), (3, 4, 5)):
            for one in group:
                for other in group:
                    graph[one, other] = 0.9 * (one != other)
        graph[2, 3] = graph[3, 2] = 0.05
        assert markov_clusters(graph) == [[0, 1, 2], [3, 4, 5]]

    def test_of_nothing_are_none(self) -> None:
        assert markov_clusters(np.zeros((0, 0))) == []


class TestOurs:
    def test_a_line_of_a_chronology_goes_first(self) -> None:
        lines = document(
            "t",
            "2024-06-20",
            "1 May: The ferry Aurora catches fire off Nador.",
            "2 May: The burning ferry Aurora sinks in deep water.",
            "20 May: Salvage crews raise the ferry Aurora from the sea.",
            "3 June: An inquiry into the ferry fire opens in Rabat.",
        )
        told = {day.date: day.sentences[0].text for day in make_digest([*DOCUMENTS, lines], FERRY).days}
        assert told["2024-05-02"] == "The burning ferry Aurora sinks in deep water."
        assert told["2024-06-03"] == "An inquiry into the ferry fire opens in Rabat."

    def test_tells_days_by_what_is_said_of_them(self) -> None:
        chosen = choose_ours(story(), Choice(3, 1))
        said = {date.fromordinal(day).isoformat(): one[0].sentence.text for day, one in chosen.items()}
        assert sorted(said) == ["2024-05-01", "2024-05-02", "2024-05-20"]
        assert "sank" in said["2024-05-02"]
        assert "on Monday" in said["2024-05-20"] or "On Monday" in said["2024-05-20"]

    def test_tells_what_can_be_quoted_alone(self) -> None:
        digest = make_digest(DOCUMENTS, FERRY, dates=9, sentences=9)
        said = [one.text for day in digest.days for one in day.sentences]
        assert not [text for text in said if text.startswith("He ") or text.endswith("?")]

    def test_tells_nothing_under_two_days(self) -> None:
        same = [
            document(
                f"s{day}",
                f"2024-05-0{day}",
                "The ferry Aurora burns off the port of Nador with 212 passengers.",
                f"Day {day}.",
            )
            for day in (1, 2, 3, 4)
        ]
        digest = make_digest(same, FERRY)
        said = [one.text for day in digest.days for one in day.sentences]
        assert len(said) == len(set(said)) == 1

    def test_prefers_what_is_about_the_event_to_another_of_its_kind(self) -> None:
        fires = [
            document(
                "a",
                "2024-05-01",
                "The ferry Aurora is on fire off Nador.",
                "Nador sent boats to the ferry Aurora at once.",
            ),
            document(
                "b", "2024-05-01", "The ferry Aurora burnt off Nador; its crew was saved by boats from Nador."
            ),
            document(
                "c", "2024-05-01", "The fire on the ferry Aurora off Nador is out, Nador's fire brigade said."
            ),
            document(
                "o", "2024-05-01", "A fire broke out in a mill of Lyon; firemen of Lyon saved its workers."
            ),
        ]
        digest = make_digest(fires, Event(id="f", title="", query="ferry fire nador"), sentences=2)
        told = {one.doc_id for day in digest.days for one in day.sentences}
        assert "o" not in told

    def test_what_is_hardly_about_the_event_gives_way(self) -> None:
        made = story(
            document(
                "a",
                "2024-05-01",
                "The ferry Aurora is on fire off the port of Nador.",
                "Boats took the passengers of the ferry to the port of Nador.",
            )
        )
        for one, weight in zip(made.sentences, (0.1, 0.9), strict=True):
            one.weight, one.readable = weight, True
        assert [one.place for one in choose_ours(made, Choice(1, 1))[number("2024-05-01")]] == [1]

    def test_what_names_no_day_is_of_the_day_that_its_head_names(self) -> None:
        made = story(
            document(
                "a",
                "2024-05-02",
                "The ferry fire began on Wednesday.",
                "The fire on the ferry spread to all decks.",
            )
        )
        days = dated_candidates(made)
        assert made.sentences[1] in days[number("2024-05-01")]
        assert number("2024-05-02") not in days

    @pytest.mark.parametrize(("hours", "days"), [(-3, {1, 2}), (3, {2})])
    def test_what_names_no_day_is_of_the_day_before_in_the_morning_alone(
        self, hours: int, days: set[int]
    ) -> None:
        said = document("a", "2024-05-02", "The fire on the ferry Aurora spread to all decks of the ship.")
        made = story(replace(said, published_time=said.published_time + hours * 3600))
        assert set(dated_candidates(made)) == {number(f"2024-05-0{day}") for day in days}

    def test_tells_what_happened_rather_than_what_was_planned(self) -> None:
        digest = make_digest(
            [
                document(
                    "p",
                    "2024-05-02",
                    "The burning ferry Aurora will be towed to the port of Nador on Friday.",
                ),
                document(
                    "q",
                    "2024-05-03",
                    "The burning ferry Aurora is due to be towed to Nador on Friday.",
                ),
                document(
                    "r",
                    "2024-05-04",
                    "Tugs towed the ferry Aurora to Nador on Friday after the fire.",
                ),
            ],
            FERRY,
        )
        told = {day.date: [one.doc_id for one in day.sentences] for day in digest.days}
        assert told["2024-05-03"] == ["r"]

    def test_tells_of_a_plan_where_there_is_nothing_else(self) -> None:
        plan = document(
            "p", "2024-05-02", "The burning ferry Aurora will be towed to the port of Nador on Friday."
        )
        later = document("r", "2024-05-09", "The ferry Aurora was scrapped after the fire on Thursday.")
        told = {
            day.date: [one.doc_id for one in day.sentences] for day in make_digest([plan, later], FERRY).days
        }
        assert told["2024-05-03"] == ["p"]

    def test_a_day_before_the_first_document_needs_support(self) -> None:
        many = [
            document(
                f"m{number}",
                f"2024-05-{2 + number % 20:02d}",
                f"Ferry fire: {number + 100} calls came today.",
            )
            for number in range(60)
        ]
        one = document("x", "2024-05-09", "The ferry Aurora caught fire on 20 April, officials say.")
        two = document(
            "y", "2024-05-10", "Fire broke out on the ferry Aurora on 20 April 2024, a judge found."
        )
        assert "2024-04-20" not in [day.date for day in make_digest([*many, one], FERRY, dates=99).days]
        assert "2024-04-20" in [day.date for day in make_digest([*many, one, two], FERRY, dates=99).days]


@pytest.mark.parametrize("system", EVERY)
class TestEverySystem:
    def test_keeps_to_its_numbers(self, system: str) -> None:
        digest = make_digest(DOCUMENTS, FERRY, dates=2, sentences=1, system=system)
        assert 1 <= len(digest.days) <= 2
        assert all(len(day.sentences) == 1 for day in digest.days)
        assert [day.date for day in digest.days] == sorted(day.date for day in digest.days)

    def test_quotes_its_documents(self, system: str) -> None:
        digest = make_digest(DOCUMENTS, FERRY, sentences=3, system=system)
        texts = {one.id: one for one in DOCUMENTS}
        for day in digest.days:
            assert day.documents >= 1
            for one in day.sentences:
                source = texts[one.doc_id]
                assert one.text in source.text
                assert (one.source, one.title, one.url) == (source.source, source.title, source.url)
                assert one.published_time == source.published_time

    def test_gives_the_same_again_in_whatever_order(self, system: str) -> None:
        first = make_digest(DOCUMENTS, FERRY, system=system)
        assert make_digest(reversed(DOCUMENTS), FERRY, system=system) == first

    def test_grows_with_its_story(self, system: str) -> None:
        before = make_digest(DOCUMENTS[:2], FERRY, system=system)
        after = make_digest(DOCUMENTS, FERRY, system=system)
        assert "2024-05-20" not in [day.date for day in before.days]
        assert "2024-05-20" in [day.date for day in after.days]

    @pytest.mark.parametrize(
        "documents",
        [
            [],
            [Document(id="e", published_time=0)],
            [Document(id="e", published_time=0, title="Ferry fire")],
            [document("o", "2024-05-01", "Bank shares fell on Monday, analysts said in Madrid.")],
        ],
        ids=["none", "empty", "title only", "other event"],
    )
    def test_of_nothing_is_nothing(self, system: str, documents: list[Document]) -> None:
        digest = make_digest(documents, FERRY, system=system)
        assert digest.days == ()
        assert digest.documents == len(documents)

    def test_tells_odd_articles(self, system: str) -> None:
        odd = [
            document("one", "2024-05-01", "The ferry Aurora is on fire off the port of Nador."),
            document(
                "undated",
                "2024-05-02",
                "Fire has destroyed the ferry Aurora.",
                "Boats of the coast guard stood by.",
            ),
            document(
                "capitals", "2024-05-03", "THE FERRY AURORA SANK AFTER A FIRE ON THURSDAY, OFFICIALS SAID."
            ),
            document(
                "future",
                "2024-05-04",
                "The ferry will be raised after the fire on 1 January 2031, officials said.",
            ),
            Document(
                id="epoch", published_time=0, text="The ferry fire is told of before there were ferries."
            ),
        ]
        digest = make_digest(odd, FERRY, system=system)
        days = [day.date for day in digest.days]
        assert "2024-05-03" in days or "2024-05-02" in days
        assert max(days) <= "2024-05-04", "no day after the last publication"

    def test_refuses_numbers_below_one(self, system: str) -> None:
        with pytest.raises(UsageError, match="dates 0"):
            make_digest(DOCUMENTS, FERRY, dates=0, system=system)
        with pytest.raises(UsageError, match="sentences 0"):
            make_digest(DOCUMENTS, FERRY, sentences=0, system=system)


def test_an_unknown_system_is_named() -> None:
    with pytest.raises(UsageError, match="expected one of: ours, datewise, clust, submodular"):
        make_digest(DOCUMENTS, FERRY, system="tilse")


def test_a_day_of_thousands_of_sentences_has_its_most_relevant_as_candidates() -> None:
    many = [f"Port {number} was quiet on Wednesday, 1 May 2024." for number in range(500)]
    made = story(
        document(
            "m", "2024-05-01", "The ferry fire is out.", *many, "The ferry sank in a fire on 1 May 2024."
        )
    )
    candidates = candidates_by_day(made)[number("2024-05-01")]
    assert len(candidates) == 400
    assert made.sentences[-1] in candidates


@pytest.mark.long
@pytest.mark.parametrize("system", EVERY)
def test_a_hundred_thousand_sentences(system: str) -> None:
    documents = [
        document(
            f"d{number}",
            f"2024-05-{1 + number % 28:02d}",
            *[f"The ferry fire took cabin {number * 100 + place} on Monday." for place in range(100)],
        )
        for number in range(1_000)
    ]
    digest = make_digest(documents, FERRY, system=system)
    assert digest.documents == 1_000
    assert digest.days


STATES = (
    "Four people died in the ferry fire off Nador on Wednesday, and the crew left by boat.",
    "The toll of the ferry fire has risen to {}, the mayor of Nador said on Wednesday evening.",
)


def told_of_first_day(*documents: Document) -> str:
    days = make_digest(documents, FERRY, sentences=3).days
    return " ".join(one.text for day in days if day.date == "2024-05-01" for one in day.sentences)


class TestFiguresOfADay:
    def test_only_the_newest_state_of_a_figure_is_told(self) -> None:
        early, late = (document(f"{n}", "2024-05-01", text) for n, text in enumerate(STATES))
        late = replace(late, text=late.text.format("eleven"), published_time=late.published_time + 3_600)
        told = told_of_first_day(early, late, *DOCUMENTS[1:])
        assert "eleven" in told and "Four" not in told
        assert "Four" in told_of_first_day(early, *DOCUMENTS[1:])

    def test_what_one_report_alone_gives_is_not_the_state_of_a_day(self) -> None:
        more = [
            document(f"m{n}", "2024-05-01", f"Eleven people died in the ferry fire off Nador, {who} said.")
            for n, who in enumerate(("police", "doctors"))
        ]
        late = document("late", "2024-05-01", STATES[1].format("90"))
        late = replace(late, published_time=late.published_time + 3_600)
        told = told_of_first_day(*more, late, *DOCUMENTS[1:])
        assert ("Eleven" in told) != ("90" in told)
        assert "Eleven" in told

    def test_what_a_later_report_says_was_wrong_is_not_told(self) -> None:
        more = [
            document(f"m{n}", "2024-05-01", f"Eighty people died in the ferry fire off Nador, {who} said.")
            for n, who in enumerate(("police", "doctors"))
        ]
        late = document(
            "late", "2024-05-01", "The ferry fire off Nador killed 78 people, not 80, the mayor said."
        )
        late = replace(late, published_time=late.published_time + 3_600)
        told = told_of_first_day(*more, late, *DOCUMENTS[1:])
        assert "78" in told and "Eighty" not in told
        assert "Eighty" in told_of_first_day(*more, *DOCUMENTS[1:])
        taken_back = replace(late, text="Police withdrew the figure of 80 dead in the ferry fire off Nador.")
        assert "Eighty" not in told_of_first_day(*more, taken_back, *DOCUMENTS[1:])

    def test_a_figure_is_told_once(self) -> None:
        first, again = (
            STATES[1].format("eleven"),
            "At least eleven are dead after the ferry burned, doctors said.",
        )
        said = [document(f"s{n}", "2024-05-01", text) for n, text in enumerate((first, again))]
        told = told_of_first_day(*said, *DOCUMENTS[1:])
        assert told.count("eleven") == 1
        hurt = replace(said[1], text=again.replace("dead", "dead and 30 injured"))
        assert told_of_first_day(said[0], hurt, *DOCUMENTS[1:]).count("eleven") == 2
