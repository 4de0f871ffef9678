"""Where headline, caption, byline and dateline end and the sentence proper begins."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.analysis.articles.borders import PLACES, border_features, border_places, lead_start
from tidings.analysis.articles.reader import ArticleModel
from tidings.core.models.files import read_model

NOTHING = np.zeros(PLACES, dtype=np.float32)


@pytest.fixture(scope="module")
def borders():
    return ArticleModel.of(read_model("articles")).borders


@every(
    "before, proper",
    cases(__file__, "what stands before a sentence is cut without any learning"),
)
def test_what_stands_before_a_sentence_is_cut_without_any_learning(before, proper):
    text = before + proper
    assert text[lead_start(text, NOTHING) :] == proper


@every(
    "text",
    cases(__file__, "a whole sentence is left as it is"),
)
def test_a_whole_sentence_is_left_as_it_is(text):
    assert lead_start(text, NOTHING) == 0


def test_learned_borders_find_the_lead_behind_headline_and_caption(borders):
    text = (
        "Swine flu ` shows drug resistance ' The drug has been offered to those with close contact to swine flu "
        "Experts have reported the first case of swine flu that is resistant to tamiflu ."
    )
    assert text[lead_start(text, borders, level=0.5) :].startswith("Experts have reported the first case")
    glued = (
        "Ferry burns off coast of Spain At least twelve people have died in a fire on a ferry near Bilbao ."
    )
    assert glued[lead_start(glued, borders, level=0.5) :].startswith("At least twelve people have died")


@every(
    "text",
    [
        "The burnt ferry Aurora was towed 84 km (52 miles) to a shipyard, officials said.",
        "The family of sporting idol Oscar Pistorius have broken their silence about the shooting .",
        "The crisis of confidence enveloping JP Morgan Chase , one of the oldest banks , deepened on Friday .",
    ],
)
def test_what_describes_a_name_is_no_headline(borders, text):
    assert lead_start(text, borders, level=-1.0) == 0
    assert lead_start(text.replace("The ", "Fire ", 1), borders, level=-9.0) > 0, "without the article"


def test_of_two_borders_the_surer_one_counts():
    text = "Ferry burns off Spain this week Owners deny any guilt at all Rescuers have found two bodies in the wreck ."
    tokens, weights = text.split(), NOTHING.copy()
    for word, total in (("Owners", 2.8), ("Rescuers", 1.0)):
        number = tokens.index(word)
        others = {
            place
            for other in border_places(tokens)
            if other != number
            for place in border_features(tokens, other)
        }
        own = [place for place in border_features(tokens, number) if place not in others]
        weights[own] = total / len(own)
    assert text[lead_start(text, weights, level=0.5) :].startswith("Owners")


def test_a_list_of_highlights_is_cut_whole(borders):
    highlights = (
        "Company denies that it knew of the danger before the fire The minister for the sea says he will ask for new "
        "rules on ferries Owners of ferries say that they spend more on safety than they did a year ago Families of "
        "those who died ask for a public inquiry into the fire "
    )
    lead = "The fire on the ferry has killed at least twelve people , officials in Bilbao have said ."
    assert (highlights + lead)[lead_start(highlights + lead, borders, level=0.5) :] == lead


def test_a_later_sentence_has_a_heading_only_beyond_doubt(borders):
    text = "Ferry fire off Spain kills twelve Rescuers have found twelve bodies on a ferry near Bilbao ."
    assert text[lead_start(text, borders, level=0.5) :].startswith("Rescuers")
    assert lead_start(text, borders, level=0.5, opening=False) == 0
    sure = "Follow the latest news on the spread of the virus The health ministry is now counting all of its cases ."
    assert sure[lead_start(sure, borders, opening=False) :].startswith("The health ministry")
    credited = "Photograph : PA Two Britons have now contracted swine flu , it was confirmed yesterday ."
    assert credited[lead_start(credited, borders, opening=False) :].startswith("Two Britons")
    agency = "-LRB- AP -RRB- The man who manages the fund said Wednesday there is not enough money ."
    assert agency[lead_start(agency, borders, opening=False) :].startswith("The man")
    dated = "LONDON (Reuters) - A ferry burnt off the coast on Friday."
    assert dated[lead_start(dated, borders, opening=False) :].startswith("A ferry")


@every(
    "text, proper",
    [
        ("Ferry owner in court The ferry has two owners in Bilbao .", "The ferry has two owners in Bilbao ."),
        ("Ferry owner in court A UN panel met in Bilbao on Friday .", "A UN panel met in Bilbao on Friday ."),
        ("He watched at home how The Office burned in Bilbao on Friday .", ""),
        ("Ferry owner in court Bilbao has lost its only ferry to fire .", ""),
        ("As the ferry burned on the sea I wanted to be in Bilbao .", ""),
        ("2 May: The burning ferry sinks off Bilbao in deep water .", ""),
    ],
)
def test_a_lower_level_holds_before_words_that_begin_a_sentence(text, proper):
    start = lead_start(text, NOTHING, level=3.0, loose=-1.0)
    assert text[start:] == (proper or text)


def test_a_higher_level_cuts_less(borders):
    text = (
        "Ferry burns off coast of Spain At least twelve people have died in a fire on a ferry near Bilbao ."
    )
    assert lead_start(text, borders, level=50.0) == 0


def test_borders_stand_before_capitals_digits_and_quotation_marks():
    text = "Oil well sealed , BP 's men say 30 `` Good '' news - The end"
    tokens = text.split(" ")
    assert [tokens[place] for place in border_places(tokens)] == ["BP", "30", "``", "The"]
    days = [
        "Chaos",
        "erupted",
        "in",
        "Nador",
        "Sunday",
        "night",
        "after",
        "Friday",
        ",",
        "when",
        "it",
        "raged",
        "Monday",
    ]
    assert [days[place] for place in border_places(days)] == ["Nador", "Friday", "Monday"]


def test_features_hang_on_the_words_around():
    tokens = ["Oil", "well", "is", "sealed", "The", "leaking", "well", "has", "been", "sealed"]
    other = ["Oil", "well", "is", "closed", "The", "leaking", "well", "has", "been", "sealed"]
    assert border_features(tokens, 4) == border_features(list(tokens), 4)
    assert border_features(tokens, 4) != border_features(other, 4)
    assert all(0 <= place < PLACES for place in border_features(tokens, 4))


@given(st.text(max_size=300))
@pytest.mark.long
def test_what_is_left_is_the_end_of_the_text(text):
    start = lead_start(text, NOTHING)
    assert 0 <= start <= len(text)
    assert not start or text[start:].strip()


def test_little_is_kept_of_a_token_without_end():
    tracemalloc.start()
    for number in range(200):
        name = f"{number}".join("A" * 10_000)
        text = f"{name} burns off the coast of Spain {name} was lost with all on board ."
        assert lead_start(text, NOTHING) == 0
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 5_000_000
