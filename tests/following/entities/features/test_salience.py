"""The paper's salience features, with values worked out by hand."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from tests.following.entities.features.small_days import raw, raws, small_day
from tests.sweeps import every

# Terms of the first document: boston hit two dead bomb | obama help boston | pope pray; N = 10.
DAY = small_day(
    [
        "[Boston|LOC] was hit by two deadly bombs .",
        "[Barack Obama|PER] will help the [Boston|LOC] .",
        "The [Pope|PER=Francis] and <he|Francis> will pray .",
    ],
    [
        "In [Rome|LOC] the [Pope Francis|PER=Francis] prayed with people of [Boston|LOC] "
        "who were wounded yesterday today ."
    ],
    titles=["Obama helps Boston after the bombs", "Pope Francis prays"],
    confidence=[0.75, 0.25],
)


@every(
    "feature, entity, value",
    [
        ("tf", "Boston", 3),
        ("tf", "Francis", 1),  # the mean of "Pope" and "Pope Francis"; "he" is no label
        ("df", "Boston", 2),
        ("df", "Barack Obama", 1),
        ("word_offset", "Boston", (0.75 * 0 + 0.75 * 5 + 0.25 * 9) / 1.75),
        ("word_offset", "Francis", (0.75 * 1 + 0.75 * 3 + 0.25 * 3) / 1.75),
        ("sentence_offset", "Boston", (0.75 * 0 + 0.75 * 1 + 0) / 1.75),
        ("length", "Barack Obama", 6),
        ("length_no_stop", "Barack Obama", 4),
        ("longer_5", "Francis", 1),
        ("longer_10", "Francis", 0.25 / 1.75),
        ("longer_5_no_stop", "Boston", 0.25 / 1.75),
        ("longer_10_no_stop", "Boston", 0),
        ("first_1", "Boston", 1 / 1.75),
        ("first_3", "Boston", 1),
        ("title", "Boston", 1),
        ("title", "Barack Obama", 0),
        ("title", "Francis", 1),
        ("title", "Rome", 0),
        ("entities_beside", "Boston", (0 + 0.75 * 1 + 0.25 * 2) / 1.75),
        ("entities_beside", "Rome", 2),
        ("part_of_speech", "Boston", 1),
        ("part_of_speech", "Francis", 1 / 1.75),
    ],
)
def test_frequencies_and_places(feature: str, entity: str, value: float) -> None:
    assert raw(DAY, entity, feature) == pytest.approx(value, abs=1e-6)


def test_only_the_first_sentences_are_first() -> None:
    day = small_day(["x ."] * 2 + ["[A|LOC] ."] + ["x ."] + ["[B|LOC] ."] + ["[C|LOC] ."])
    assert [raw(day, "A", name) for name in ("first_1", "first_3", "first_5")] == [0, 1, 1]
    assert [raw(day, "B", name) for name in ("first_1", "first_3", "first_5")] == [0, 0, 1]
    assert [raw(day, "C", name) for name in ("first_1", "first_3", "first_5")] == [0, 0, 0]


def test_a_title_that_is_a_sentence_counts_as_first() -> None:
    day = small_day(["[A|LOC] burns .", "[A|LOC] and [B|LOC] burn ."], first_index=-1)
    assert raw(day, "B", "first_1") == 1 and raw(day, "B", "sentence_offset") == 0
    assert raw(day, "A", "early") == 1


def test_sum_basic_is_the_mean_share_of_the_terms_of_the_document() -> None:
    day = small_day(
        ["[Rome|LOC] floods .", "Floods hit farmland ."], ["Farmland floods [Rome|LOC] farmland ."]
    )
    # Document 0: rome 1, flood 2, hit 1, farmland 1 of 5; document 1: farmland 2, flood 1, rome 1 of 4.
    expected = ((1 / 5 + 2 / 5) / 2 + (2 / 4 + 1 / 4 + 1 / 4 + 2 / 4) / 4) / 2
    assert raw(day, "Rome", "sum_basic") == pytest.approx(expected)


def test_sum_focus_looks_at_the_query_nine_parts_in_ten() -> None:
    day = small_day(["[Rome|LOC] floods ."])
    expected = 0.1 * (1 / 2) + 0.9 * (0 + 1 / 2) / 2
    assert raw(day, "Rome", "sum_focus", query="flood storm") == pytest.approx(expected)


@every(
    "text, words, pairs, gapped",
    [
        ("[A|LOC] marathon bombing in Boston", 3 / 3, 1 / 2, 1 / 3),
        ("[A|LOC] Boston marathon bombing", 3 / 3, 2 / 2, 3 / 3),
        ("[A|LOC] Boston city hall bombing", 2 / 3, 0, 1 / 3),
        ("[A|LOC] Boston one red two green three blue bombing", 2 / 3, 0, 0),
        ("[A|LOC] nothing", 0, 0, 0),
    ],
)
def test_overlap_with_the_query(text: str, words: float, pairs: float, gapped: float) -> None:
    day = small_day([text])
    own = [
        raw(day, "A", f"query_{name}", query="Boston marathon bombings")
        for name in ("words", "pairs", "gapped")
    ]
    assert own == pytest.approx([words, pairs, gapped])


def test_the_day_widens_the_query_for_single_words() -> None:
    day = small_day(["[A|LOC] marathon explosion"], expansion=("explos",))
    assert raw(day, "A", "query_words", query="marathon") == 1
    assert raw(day, "A", "query_words", query="marathon runners") == pytest.approx(2 / 3)


@every(
    "text, attitude, sentimentality",
    [
        ("[A|LOC] celebrates", 0, 0),
        ("[A|LOC] heroes", 3 - 1, 3 + 1 - 2),
        ("[A|LOC] massacre", 1 - 5, 1 + 5 - 2),
        ("[A|LOC] heroes rescued from terrible fire", 3 - 4, 3 + 4 - 2),
    ],
)
def test_feelings(text: str, attitude: float, sentimentality: float) -> None:
    day = small_day([text])
    assert raw(day, "A", "attitude") == attitude
    assert raw(day, "A", "sentimentality") == sentimentality


def test_readability() -> None:
    day = small_day(
        ["[Rome|LOC] evacuated people today ."]
    )  # 4 words, 1 + 5 + 2 + 2 syllables, one of three or more
    assert raw(day, "Rome", "flesch") == pytest.approx(206.835 - 1.015 * 4 - 84.6 * 10 / 4)
    assert raw(day, "Rome", "fog") == pytest.approx(0.4 * (4 + 100 / 4))
    assert raw(day, "Rome", "kincaid") == pytest.approx(0.39 * 4 + 11.8 * 10 / 4 - 15.59)


def test_a_sentence_like_others_is_central_and_one_like_none_is_not() -> None:
    day = small_day(
        ["flood in [A|LOC] kills", "flood kills [B|LOC] farmers", "flood of farmers", "[C|LOC] sings"]
    )
    a, b, c = (raw(day, name, "centrality") for name in "ABC")
    assert b > a > 0 and c == pytest.approx(1, abs=0.01)
    assert c < b


def test_centrality_looks_at_one_document_at_a_time() -> None:
    alone = small_day(["flood kills [A|LOC]", "flood kills"])
    both = small_day(["flood kills [A|LOC]", "flood kills"], ["[B|LOC] sings"])
    assert raw(both, "A", "centrality") == pytest.approx(raw(alone, "A", "centrality"))


def test_news_terms_are_counted_over_the_contexts_of_a_label() -> None:
    day = small_day(["[A|LOC] spokesman sandwich", "[A|LOC] officials"])
    # a, spokesman, sandwich, a, offici: "A" alone is a stop word.
    assert raw(day, "A", "news_share") == pytest.approx(2 / 3)


def test_own_salience() -> None:
    day = small_day(
        [
            "[Rome|LOC] said the flood hit 20 farms .",
            "[Rome|LOC] said the flood hit 20 farms .",
            "<It|Rome> rained .",
        ],
        ["Far away from [Rome|LOC] the [Bonn|LOC] mayor slept ."],
        titles=["Rome floods", "Bonn"],
        confidence=[0.75, 0.25],
    )
    expected = {
        "mentions": 4,
        "documents": 2,
        "confidence": 1,
        "contexts": 4,
        "distinct_contexts": 3,
        "headline_share": 0.5,
        "lead_share": 1,
        "early": 1,
        "words_before": 0,
        "early_words": 0.75 * 1 + 0.25 * 10 / 13,
        "spread": 2 / 3,
        "subjects": 3,
        "subject_share": 3 / 4,
        "preposition_share": 1 / 4,
        "first_preposition": 1 / 2,
        "first_subject": 1 / 2,
        "source_share": 2 / 4,
        "opens_share": 3 / 4,
        "name_words": 1,
        "labels": 1,
        "companions": 1,
        "figures": 1,
        "query_sum": 1 / 2,
        "query_most": 1 / 2,
        "country": 0,
        "person": 0,
    }
    values = raws(day, "Rome", query="flood storm")
    assert {name: values[name] for name in expected} == pytest.approx(expected)
    assert raw(day, "Bonn", "words_before") == pytest.approx(log(6))
    assert raw(day, "Bonn", "headline_share") == 0.5 and raw(day, "Bonn", "lead_share") == 0.5


def test_the_day_weighs_terms_by_the_documents_that_have_them() -> None:
    day = small_day(["[Rome|LOC] floods"], ["[Bonn|LOC] floods"])
    assert raw(day, "Rome", "day_sum") == pytest.approx(0.75)
    assert raw(day, "Rome", "day_most") == pytest.approx(0.75)


def test_a_walk_goes_from_entities_to_their_sentences_and_on() -> None:
    twice = "[B|LOC] [Hub|LOC] north"
    day = small_day(["[Lima|LOC] [Hub|LOC] sea", twice, twice, "[C|LOC] alone"])
    names = [one.name for one in day.entities]
    assert names == ["Lima", "Hub", "B", "C"]
    # The second and third sentence count half each: from Hub half of the ways lead to Lima's sentence.
    to = np.array([[1 / 2, 1 / 2, 0, 0], [1 / 4, 1 / 2, 1 / 4, 0], [0, 1 / 2, 1 / 2, 0], [0, 0, 0, 1]])
    share = np.full(4, 1 / 4)
    for _ in range(15):
        share = 0.15 / 4 + 0.85 * share @ to
    assert [raw(day, name, "walk") for name in names] == pytest.approx(4 * share)


def test_who_is_told_and_long_words() -> None:
    day = small_day(["Officials told [Rome|LOC] of recovery and [Oslo|LOC] slept ."])
    assert (raw(day, "Rome", "source_share"), raw(day, "Oslo", "source_share")) == (1, 0)
    plain = small_day(["The [Bonn|LOC] recoverer sleeps ."])  # re-cov-er-er has four, re-cov-ers three
    three = small_day(["The [Bonn|LOC] recovers sleep ."])
    assert raw(plain, "Bonn", "fog") == raw(three, "Bonn", "fog") == pytest.approx(0.4 * (4 + 100 / 4))


def test_an_entity_of_pronouns_alone_has_them_for_labels() -> None:
    day = small_day(["<She|Ann> slept .", "<She|Ann> woke ."])
    assert raw(day, "Ann", "tf") == 2 and raw(day, "Ann", "labels") == 1


def test_countries_by_their_lists() -> None:
    day = small_day(["[France|LOC] and [South Korea|LOC] and [Paris|LOC] and [New France|LOC]"])
    assert [raw(day, one.name, "country") for one in day.entities] == [1, 1, 0, 0]


def test_pairs_of_a_query_do_not_reach_over_sentences() -> None:
    day = small_day(["marathon of [A|LOC] Boston", "marathon in [A|LOC]"])
    assert raw(day, "A", "query_pairs", query="Boston marathon") == 0
    assert raw(day, "A", "query_gapped", query="Boston marathon") == 0


def test_sentences_far_down_a_long_document_are_least_central(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tidings.following.entities.features.salience._MOST", 3)
    day = small_day(
        ["flood kills [A|LOC]", "flood hits [B|LOC] farms", "flood hits towns", "flood hits [C|LOC] farms"]
    )
    least = min(raw(day, "A", "centrality"), raw(day, "B", "centrality"))
    assert raw(day, "C", "centrality") == pytest.approx(least) and least < 1


def test_labels_are_found_in_titles_whatever_marks_stand_there() -> None:
    titles = ["O’Neill leaves the U.S.: “why?”"]
    day = small_day(
        ["[O'Neill|PER] left the [U.S.|LOC] and [Why|LOC] and [Leave|LOC] and [!|ORG] ."], titles=titles
    )
    assert [raw(day, one.name, "title") for one in day.entities] == [1, 1, 1, 0, 0]
    assert [raw(day, one.name, "headline_share") for one in day.entities] == [1, 1, 1, 0, 0]
    assert [raw(day, one.name, "title_before", earlier=[day]) for one in day.entities] == [1, 1, 1, 0, 0]
