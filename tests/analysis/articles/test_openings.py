"""How sure a headline before a lead must be: by how the articles of its source have opened so far."""

from __future__ import annotations

from hypothesis import given, strategies as st

from tests.following.systems.test_whole_articles import FIRE, LEAD, NOON, article, told
from tidings.analysis import Openings
from tidings.analysis.articles.reader import shipped_reader
from tidings.core.records import Sentence
from tidings.following.systems.registry import make

CLEAN = "A fire on the ferry of the disgraced giant Bilbao has killed at least 12 people, officials said on Friday."
CUT = CLEAN[CLEAN.index("Bilbao") :]
GLUED = f"Ferry burns off coast of Spain {LEAD}"
QUIET = "The ferry fire off Bilbao has moved {} people to ask for new rules on the sea, an inquiry was told."


def clean_articles(count: int):
    return [article(f"d{n}", [QUIET.format(n + 20)], NOON + n) for n in range(count)]


def test_a_source_whose_leads_stand_alone_keeps_a_lead_whole():
    reader = shipped_reader()
    sentences = [Sentence("d", 0, CLEAN, NOON, "wire")]
    assert reader.read(sentences).cut[0].text == CUT  # what a source with headlines would lose
    assert told("tidings", *clean_articles(4), article("x", [CLEAN], NOON + 60))[-1].text == CLEAN


def test_a_source_with_headlines_before_its_leads_is_cut():
    before = [
        article(f"d{n}", [f"Ferry fire inquiry opens in Spain {QUIET.format(n + 20)}"], NOON + n)
        for n in range(4)
    ]
    assert told("tidings", *before, article("x", [GLUED], NOON + 60))[-1].text == LEAD


def test_where_nearly_all_articles_open_with_a_caption_a_doubtful_opening_is_cut_earlier_or_not_emitted():
    reader, sure = shipped_reader(), Openings({"wire": 5.0}).level("wire")
    unclear = "The owner was asked by Nador Rescue workers have found two more bodies in the wreck , officials said ."
    assert reader.read([Sentence("d", 0, unclear, NOON, "wire")], 1.5).starts == [0]
    assert (
        reader.read([Sentence("d", 0, unclear, NOON, "wire")], sure).cut[0].text.startswith("Rescue workers")
    )
    doubtful = "A rescue worker in the port of Nador Bilbao wants new ferries after the fire , he said ."
    read = reader.read([Sentence("d", 0, doubtful, NOON, "wire")], sure)
    assert (read.starts, read.unfit) == ([0], {0})
    assert reader.read([Sentence("d", 0, doubtful, NOON, "wire")], 1.5).unfit == set()
    layers = f"Ferry owner is in court in Bilbao this week {unclear}"
    assert reader.read([Sentence("d", 0, layers, NOON, "wire")], 1.5).cut[0].text == unclear
    assert (
        reader.read([Sentence("d", 0, layers, NOON, "wire")], sure).cut[0].text.startswith("Rescue workers")
    )
    clear = "At least 12 people were killed in a fire on a ferry on Friday , officials said ."
    assert reader.read([Sentence("d", 0, clear, NOON, "wire")], sure).unfit == set()


def test_such_an_opening_is_doubtful_behind_what_was_cut_but_not_behind_a_dateline():
    def opening(text: str) -> tuple[int, set[int]]:
        read = shipped_reader().read(
            [Sentence("d", 0, text, NOON, "wire")], Openings({"wire": 5.0}).level("wire")
        )
        return read.starts[0], set(read.unfit)

    caption = "People look at what is left of the ferry in Vigo "
    two_clauses = (
        "The fire is seen from the beach at Vigo Bilbao wants new ferries after the fire , he said ."
    )
    assert opening(caption + two_clauses) == (len(caption), {0})
    dateline = "BILBAO, Spain (Reuters) - "
    assert opening(dateline + two_clauses) == (len(dateline), set())


def test_what_was_learned_of_sources_is_part_of_the_memory():
    system = make("tidings")
    first = system.start(FIRE)
    for one in clean_articles(4):
        first.push(one, one[0].published_time)
    second = system.start(FIRE)
    second.restore(first.state())
    assert [update.text for update in second.push(article("x", [CLEAN], NOON + 60), NOON + 60)] == [CLEAN]


def test_a_title_says_nothing_of_how_a_source_opens():
    reader = shipped_reader()
    assert reader.read([Sentence("d", 0, GLUED, NOON)]).opens_glued is True
    assert (
        reader.read([Sentence("d", 0, CLEAN.replace("disgraced giant ", "port of "), NOON)]).opens_glued
        is False
    )
    assert reader.read([Sentence("d", 0, GLUED, NOON, title="Ferry fire")]).opens_glued is None
    assert reader.read([Sentence("d", 3, GLUED, NOON)]).opens_glued is None
    assert reader.read([]).opens_glued is None


@given(st.lists(st.tuples(st.integers(0, 99).map(str), st.booleans()), max_size=300))
def test_odds_are_bounded_and_only_64_sources_are_kept(seen):
    openings = Openings()
    for source, is_glued in seen:
        openings.learn(source, is_glued)
    assert len(openings.odds) <= 64
    assert all(-6 <= odds <= 6 for odds in openings.odds.values())
    assert Openings(openings.odds).odds == openings.odds
    assert not seen or seen[-1][0] in openings.odds


def test_the_source_that_was_longest_unseen_is_forgotten():
    openings = Openings()
    for source in ("old", *map(str, range(62)), "kept", "old", "new"):
        openings.learn(source, True)
    assert (
        len(openings.odds) == 64
        and {"old", "kept", "new"} <= openings.odds.keys()
        and "0" not in openings.odds
    )


def test_enough_clean_openings_outweigh_one_that_seems_glued():
    openings = Openings()
    levels = [openings.level("wire")]
    for is_glued in (False, False, False, True, False):
        openings.learn("wire", is_glued)
        levels.append(openings.level("wire"))
    assert levels == [1.5, 1.5, 3.0, 3.0, 1.5, 3.0]
    assert [Openings({"wire": odds}).level("wire") for odds in (-6, -1, 2, 5)] == [3.0, 1.5, 0.5, 0.0]
