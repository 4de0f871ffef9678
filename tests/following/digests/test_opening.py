"""What a digest opens with: where things stand is never older than what happened, and no line breaks off."""

from __future__ import annotations

from tidings.core import Document, Event, Evidence
from tidings.following.digests.opening import _whole, opening_lines
from tidings.following.digests.story import read_story

EVENT = Event(id="1", title="", query="selde ferry")
VOTE = "The parliament of Selde voted to sell the ferry to a bank on Monday, officials said."
DENIAL = "The owner of the Selde ferry denied that the parliament may sell it to a bank."
SALE = "The sale of the Selde ferry to a bank was approved by the parliament on Monday evening."


def opened(*said: tuple[int, str]) -> dict[str, str]:
    documents = [
        Document(id=f"d{hour}", published_time=86_400 + hour * 3_600, text=text) for hour, text in said
    ]
    return {line.kind: line.sentence.text for line in opening_lines(read_story(documents, EVENT))}


def test_where_things_stand_is_no_older_than_what_happened() -> None:
    # What somebody denies is never what happened.
    assert opened((1, VOTE), (9, DENIAL)) == {"happened": VOTE, "stands": DENIAL}
    assert opened((1, DENIAL), (9, VOTE)) == {"happened": VOTE, "disputed": DENIAL}


def test_the_copy_of_a_report_is_not_quoted_again() -> None:
    dead = "Four people died on Friday in the fire on the Selde ferry, police said."
    assert opened((1, dead), (2, f"{dead} In 1994 a fire on a ferry killed 158.")) == {"happened": dead}


def test_words_of_one_agency_are_where_things_stand_only_once() -> None:
    copied = VOTE.replace("officials said", "two officials said")
    assert opened((1, VOTE), (9, copied)) == {"happened": VOTE}


def test_a_later_copy_is_not_where_things_stand() -> None:
    voted = (
        "The parliament of Selde voted by a large majority to sell the old ferry to a bank that owns the port, "
        "officials said."
    )
    assert opened((1, voted), (9, voted.replace("officials", "two officials"))) == {"happened": voted}
    assert "stands" in opened((1, voted), (9, voted.replace("voted by a large majority", "refused")))


def test_a_title_that_holds_the_query_stands_for_the_sentence_below_it() -> None:
    lead = "At least three people were killed when a boat sank after a blast."
    document = Document(id="d", published_time=86_400, title="Deadly blast on the Selde ferry", text=lead)
    (line,) = opening_lines(read_story([document], EVENT))
    assert (line.kind, line.sentence.text, line.note) == ("happened", lead, "at least 3 dead")
    for title, text in (
        ("Deadly blast on a ship", lead),
        ("", f"{lead} The Selde ferry is old and for sale."),
    ):
        lines = opening_lines(
            read_story([Document(id="d", published_time=86_400, title=title, text=text)], EVENT)
        )
        assert all(line.sentence.text != lead for line in lines)


def test_what_nobody_can_deny_is_not_disputed() -> None:
    agreed = (
        "The owner of the Selde ferry agrees there is no denying that the parliament may sell it to a bank."
    )
    sunk = "The Selde ferry sank off Nador on Friday, killing nobody, police said."
    assert "disputed" not in opened((1, VOTE), (9, agreed), (30, sunk))


def test_what_was_admitted_since_is_not_disputed() -> None:
    admitted = (
        "The owner of the Selde ferry admitted in the evening that the parliament may sell it to a bank."
    )
    unrelated = "The captain of another ship of the Selde ferry line admitted theft."
    for later, disputed in ((admitted, False), (unrelated, True)):
        lines = opened((1, DENIAL), (2, VOTE), (9, later), (10, VOTE.replace("bank", "fund")))
        assert (lines.get("disputed") == DENIAL) is disputed


def test_where_things_stand_is_no_older_than_what_the_days_tell() -> None:
    later = Document(
        id="d", published_time=5 * 86_400, text="The ferry was sold to a bank in Nador, its owner said."
    )
    documents = [Document(id="c", published_time=86_400, text=VOTE), later]
    story = read_story(documents, EVENT)
    best = [one for one in story.sentences if one.sentence.doc_id == "d"]
    assert best and [line.sentence.doc_id for line in opening_lines(story, best)] == ["c", "d"]


STRIKES = [
    (24 * day, f"The crew of the Selde ferry went on strike number {day} on Monday.") for day in range(1, 31)
]


def test_where_a_long_story_stands_is_its_newest_report_and_not_its_last_mention() -> None:
    sold = (24 * 40, "The Selde ferry was sold to a bank in Nador, its owner said.")
    for mention in (
        "Her voice is as full of honey and sand as on the day when the Selde ferry had a band of its own.",
        "In 1994 a fire on the Selde ferry killed the poet whose songs are sung on every beach.",
        "The Selde ferry is a ship with a band of its own and a bar.",
        "A court in Nador has jailed a baker for killing two farmers over a horse and a barn, said his cousin from "
        "Bergen, once a cook of the Selde ferry.",
    ):
        assert opened(*STRIKES, sold, (24 * 60, mention))["stands"] == sold[1]


def test_where_a_long_story_stands_is_what_was_done_and_not_what_could_be() -> None:
    jailed = (
        "The captain of the Selde ferry has been jailed for six years for the fire in 2013, a court said."
    )
    sold = (24 * 40, "The Selde ferry was sold to a bank in Nador, its owner said.")
    could = (
        "The captain of the Selde ferry could give evidence to a court in Nador on Monday, officials said."
    )
    assert opened(*STRIKES, sold, (24 * 60, could))["stands"] == sold[1]
    assert opened(*STRIKES, sold, (24 * 60, jailed))["stands"] == jailed


def test_a_copy_of_what_happened_leaves_the_place_to_another_report() -> None:
    arrest = "Police arrested sailor number {} of the Selde ferry in Nador over the strike of its crew, officials said."
    arrests = [(24 * day, arrest.format(day)) for day in range(1, 31)]
    sold = (24 * 40, "The Selde ferry was sold to a bank in Nador, its owner said.")
    copied = opened(*arrests, sold)["happened"].replace("officials", "two officials")
    assert opened(*arrests, sold, (24 * 60, copied))["stands"] == sold[1]


def test_an_old_toll_is_not_where_a_long_story_stands() -> None:
    strikes = [
        (24 * day, f"The crew of the Selde ferry went on strike number {day} on Monday.")
        for day in range(3, 33)
    ]
    toll = "Four people died in the fire on the Selde ferry, the harbor police of Nador said."
    sold = "The Selde ferry was sold to a bank in Nador, its owner said."
    assert opened((24, toll), *strikes, (24 * 40, sold))["stands"] == sold
    assert opened(*strikes, (24 * 38, toll), (24 * 40, sold))["stands"] == toll


def test_a_toll_is_not_quoted_with_the_headline_before_it() -> None:
    glued = "Ferry fire: what is known so far At least 12 people died in the fire on the Selde ferry , police said ."
    clean = "The fire on the Selde ferry killed at least 12 people , police said ."
    said = [Evidence("a", 0, clean, 60), Evidence("b", 0, glued, 120)]
    assert _whole(said).text == "The fire on the Selde ferry killed at least 12 people, police said."
    assert _whole(said[1:]).doc_id == "b"


def test_a_caption_is_not_quoted() -> None:
    caption = "In this photo of May 26 taken by the coast guard, the Selde ferry lies at the port of Nador."
    assert caption not in opened((1, f"{caption} {VOTE}"), (9, caption)).values()
    documents = [Document(id="c", published_time=86_400, text=f"{caption} {VOTE}")]
    assert [one.readable for one in read_story(documents, EVENT).sentences] == [False, True]


def test_a_sentence_that_breaks_off_is_not_quoted() -> None:
    assert opened((1, VOTE))["happened"] == VOTE
    assert opened((1, VOTE), (9, SALE.removesuffix("evening.") + "…"))["happened"] == VOTE
    assert not opened((1, VOTE[:-1] + "…"))


def test_what_happened_is_said_of_the_day_that_documents_name_most() -> None:
    rescue = "Divers searched the wreck of the Selde ferry again, report {}."
    sinking = "The Selde ferry sank in a storm on Thursday, 1 January 1970, with 40 people aboard."
    said = [(24 * day + hour, rescue.format(10 * day + hour)) for day in (2, 3) for hour in range(1, 6)]
    first = opened(*said)["happened"]
    assert first.startswith("Divers searched")
    said += [(24 * day + 12, f"{sinking} Report {day} says more.") for day in range(2, 7)]
    assert opened(*said)["happened"] == sinking


def test_a_digest_over_many_stories_tells_of_the_one_that_is_asked_for() -> None:
    said = [
        "An avalanche in northern California killed two skiers on Monday near a lake, the sheriff said.",
        "The sheriff said on Monday that the skiers died in the avalanche in California near a lake.",
        "The governor of California signed a law about courts on Monday, a spokesman said.",
        "A bank in California was fined by a court on Monday, its lawyers said.",
        *(f"Voters in district {number} elected a mayor on Monday, the council said." for number in range(9)),
    ]
    documents = [
        Document(id=f"d{number}", published_time=86_400 * 4 + number, text=text)
        for number, text in enumerate(said)
    ]
    event = Event(id="1", title="", query="california avalanche")
    story = read_story(documents, event)
    assert {one.sentence.doc_id for one in story.sentences} == {"d0", "d1"}


def test_only_what_was_lately_unknown_is_not_known() -> None:
    unclear = "The cause of the fire on the Selde ferry is not known, officials of the parliament said."
    creditors = "The bank of the Selde ferry was not known to be a buyer before the sale, its lawyers said."
    assert opened((1, VOTE), (8, unclear), (9, SALE))["unknown"] == unclear
    assert "unknown" not in opened((1, VOTE), (8, creditors), (9, SALE))
    assert "unknown" not in opened((1, VOTE), (8, unclear), (900, SALE), (901, DENIAL))


def test_what_was_told_since_is_not_unknown() -> None:
    unclear = "The cause of the fire on the Selde ferry is not known, officials of the parliament said."
    caused = "The fire on the Selde ferry {} caused by a faulty pump, investigators of the parliament said."
    for words, unknown in (("was", False), ("may have been", True)):
        lines = opened((1, VOTE), (8, unclear), (9, caused.format(words)))
        assert (lines.get("unknown") == unclear) is unknown
    assert opened((1, VOTE), (8, caused.format("was")), (9, unclear))["unknown"] == unclear
    for other in (
        "The smoke on the Selde ferry caused the passengers to panic, survivors of the fire in parliament said.",
        "The owner of the Selde ferry blamed the coast guard for slow help, a committee of the parliament said.",
        "Sailings of the Selde ferry were halted because of the fire, officials of the parliament said.",
    ):
        assert opened((1, VOTE), (8, unclear), (9, other))["unknown"] == unclear
    culprit = "The arsonist of the Selde ferry has not been identified, officials of the parliament said."
    victims = (
        "Police identified three victims of the fire on the Selde ferry, officials of the parliament said."
    )
    assert opened((1, VOTE), (8, culprit), (9, victims))["unknown"] == culprit
    named = victims.replace("three victims", "a sailor as the arsonist")
    assert "unknown" not in opened((1, VOTE), (8, culprit), (9, named))
    bodies = culprit.replace("The arsonist", "Two of the dead")
    assert "unknown" not in opened((1, VOTE), (8, bodies), (9, victims))
    claim = "No group has claimed responsibility for the fire on the Selde ferry, officials of the parliament said."
    assert opened((1, VOTE), (8, claim))["unknown"] == claim
    assert "unknown" not in opened(
        (1, VOTE), (8, claim), (9, claim.replace("No group", "A group of sailors"))
    )
    count = "It was not immediately clear how many people were on the Selde ferry, officials of the parliament said."
    assert opened((1, VOTE), (8, count))["unknown"] == count


def test_reports_that_a_newer_count_replaced_do_not_differ_from_it() -> None:
    first = "The fire on the Selde ferry killed 12 people, the coast guard said on Thursday."
    risen = "The toll of the fire on the Selde ferry has risen to 14 dead, the coast guard said."
    again = "The fire on the Selde ferry killed 14 people, the police said in a report to parliament."

    def note(*said: tuple[int, str]) -> str:
        documents = [Document(id=f"d{n}", published_time=86_400 + n * 3_600, text=text) for n, text in said]
        lines = opening_lines(read_story(documents, EVENT))
        return next((line.note for line in lines if "dead" in line.note), "")

    assert note((1, first), (2, first), (9, risen), (12, again)) == "14 dead"


def test_the_toll_of_a_title_counts() -> None:
    said = [
        (
            "Attack in Orvia",
            "At least 24 people were killed in an attack on a market of Orvia on Friday, doctors said.",
        ),
        (
            "Toll of Orvia market attack rises to 31",
            "The attack near the Selde bridge in Norden has claimed 31 lives.",
        ),
        (
            "Truce in Orvia",
            "A truce in Orvia begins today. An attack on a market in Norden killed 24 people on Friday.",
        ),
    ]
    documents = [
        Document(id=f"d{day}", published_time=86_400 * day, title=title, text=text)
        for day, (title, text) in enumerate(said, 3)
    ]
    lines = opening_lines(read_story(documents, Event(id="1", title="", query="orvia market attack")))
    assert next(line.note for line in lines if "dead" in line.note).startswith("31 dead")
