"""The article model: what is read of labels, and that what is learned answers what it was taught."""

from __future__ import annotations

import random

import numpy as np
import pytest
from article_learning import (
    LabelledSentence,
    border_sentences,
    is_answered,
    learn_articles,
    learn_borders,
    learn_decision,
    learn_hyphens,
    read_labels,
)
from count_readings import agreement, count_articles, count_feeds, count_outlets, yes_share
from train_articles import Topic

from tests.conftest import ROOT
from tests.sweeps import every
from tidings.analysis.articles.borders import PLACES, lead_start
from tidings.analysis.articles.features import FEATURES
from tidings.analysis.articles.hyphens import hyphen_features
from tidings.analysis.articles.reader import QUESTIONS, ArticleModel
from tidings.core.errors import FormatError
from tidings.core.records import Document, ModelCard
from tidings.core.text.sentences import cut
from tidings.following.systems.tidings.model import ARTICLE_FEATURES, ArticleDecision

pytest.importorskip("sklearn")

HEAD = "topic\tdocument\tdate\tsentence\tstart\tend\tevent\tday\tmode\talone\tmain"
LABELS = ROOT / "labels" / "articles"


class TestLabels:
    def test_what_the_readers_said(self):
        readings = [read_labels(LABELS / f"{name}-reading.tsv") for name in ("first", "second")]
        same = [[(one.topic, one.document, one.number, one.start) for one in labels] for labels in readings]
        assert same[0] == same[1]
        assert len(set(same[0])) == 3_033
        assert {label.main for label in readings[0] if label.topic.endswith("_bbc")} == {"-"}

    def test_the_readings_agree_as_the_page_says(self, capsys):
        count_articles()
        page = (ROOT / "docs" / "analysis" / "articles.md").read_text(encoding="utf-8").splitlines()
        rows = capsys.readouterr().out.splitlines()
        assert len(rows) == 8
        assert set(rows) <= set(page)

    @pytest.mark.parametrize(
        "count, page, rows",
        [
            (lambda: count_outlets("outlets"), "analysis/articles.md", 11),
            (count_feeds, "following/deciding.md", 9),
        ],
    )
    def test_what_was_read_of_updates_is_as_the_pages_say(self, count, page, rows, capsys):
        count()
        said = (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines()
        printed = [row for row in capsys.readouterr().out.splitlines() if row.startswith("| ")]
        assert len(printed) == rows + 1
        assert set(printed) <= set(said)

    def test_an_update_that_was_read_twice_counts_by_half_where_the_readings_differ(self):
        shares = [yes_share({"answers": "yyny", "second": second}, 2) for second in ("yyyy", "yyny", "")]
        assert shares == [0.5, 0, 0]

    def test_agreement_is_corrected_for_chance(self):
        pairs = [("yes", "yes")] * 6 + [("no", "no")] * 2 + [("yes", "no"), ("no", "yes")]
        assert agreement(pairs) == pytest.approx((0.8, (0.8 - 0.58) / (1 - 0.58)))

    def test_an_update_is_all_four(self, tmp_path):
        path = tmp_path / "labels.tsv"
        rows = [
            ("yes", "news", "states", "yes", "yes"),
            ("no", "news", "states", "yes", "-"),
            ("yes", "background", "states", "yes", "no"),
            ("yes", "news", "asks", "yes", "no"),
            ("yes", "news", "states", "no", "yes"),
        ]
        lines = [f"t\td\t2013-07-26\t{n}\t0\t9\t" + "\t".join(row) for n, row in enumerate(rows)]
        path.write_text("\n".join([HEAD, *lines]) + "\n")
        labels = read_labels(path)
        assert [is_answered(label, "update") for label in labels] == [True, False, False, False, False]
        assert [is_answered(label, "news_value") for label in labels] == [True, True, False, False, False]
        assert [is_answered(label, "alone") for label in labels] == [True, True, True, True, False]
        assert [is_answered(label, "main") for label in labels] == [True, False, False, False, True]

    @every("text", ["", "a\tb\n", f"{HEAD}\nt\td\n", f"{HEAD}\nt\td\tx\tone\t0\t9\ty\ty\ty\ty\ty\n"])
    def test_a_damaged_file_is_named_with_its_line(self, tmp_path, text):
        path = tmp_path / "labels.tsv"
        path.write_text(text)
        with pytest.raises(FormatError, match=r"labels\.tsv:[12]"):
            read_labels(path)


def made_up_rows(count=400):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(count, len(FEATURES))).astype(np.float32)
    answers = {question: rows[:, place] > 0 for place, question in enumerate(QUESTIONS)}
    return rows, answers


@pytest.fixture(scope="module")
def learned():
    rows, answers = made_up_rows()
    return learn_articles(rows, answers, np.zeros(PLACES, dtype=np.float32), ModelCard(system="articles"))


def test_each_question_is_answered_as_it_was_taught(learned):
    rows, answers = made_up_rows()
    given = ArticleModel.of(learned).answer(rows)
    for place, question in enumerate(QUESTIONS):
        right = (given[:, place] > 0.5) == answers[question]
        assert right.mean() > 0.9, question
        others = [
            np.mean((given[:, place] > 0.5) == answers[other]) for other in QUESTIONS if other != question
        ]
        assert max(others) < 0.7, question


def test_the_decision_is_the_one_that_was_taught(learned):
    rng = np.random.default_rng(1)
    rows = rng.normal(3.0, 2.0, size=(500, len(ARTICLE_FEATURES)))
    wanted = rows[:, 0] - rows[:, 1] > 0
    decision = ArticleDecision.of(learn_decision(learned, rows, wanted))
    probabilities = np.array([decision(row) for row in rows])
    assert ((probabilities > 0.5) == wanted).mean() > 0.95
    assert probabilities.mean() == pytest.approx(wanted.mean(), abs=0.05)


def test_borders_are_found_between_sentences_put_together():
    rng = random.Random(0)
    names, verbs = ("Ruiz", "Bilbao", "Spain", "Officials", "Police"), ("said", "closed", "has", "was")
    things = ("the port", "a ferry", "the coast road", "two bridges")
    texts = [
        f"{rng.choice(('The', 'A'))} {rng.choice(('captain', 'court', 'mayor'))} of {rng.choice(names)} "
        f"{rng.choice(verbs)} {rng.choice(things)} near {rng.choice(names)} on Friday ."
        for _ in range(400)
    ]
    table = learn_borders([[text.split() for text in texts]], pairs=1_500)
    right = whole = 0
    for one, other in zip(texts[:50], texts[50:100], strict=True):
        glued = f"{one.removesuffix(' .')} {other}"
        right += glued[lead_start(glued, table) :] == other
        whole += lead_start(other, table) == 0
    assert right > 40
    assert whole > 45


def test_hyphens_are_learned_from_texts_that_kept_them():
    rng = random.Random(0)
    modifiers, things = ("well", "ill", "half"), ("built", "made", "known")
    texts = [
        f"The {rng.choice(modifiers)}-{rng.choice(things)} ferry {number} - which was late - left Bilbao ."
        for number in range(200)
    ]
    table = learn_hyphens(texts)
    text = "An ill - known captain - which is odd - was there ."
    sums = [table[hyphen_features(text, place, 3)].sum() for place in (6, 22, 36)]
    assert sums[0] > 0 > max(sums[1:])


def test_borders_are_learned_from_whole_sentences_alone():
    whole = (
        "It was a cold and windy night there.",
        "The port was closed on Friday morning.",
        "All who were aboard are well.",
    )
    text = f"Ferry burns A ferry burnt off Spain. {' '.join(whole)} Nobody came. This one has no end"
    short = f"Ferry burns off Spain. {whole[0]} Nobody came."
    kept = border_sentences([cut(Document(id="d", published_time=60, text=own)) for own in (text, short)])
    assert [[" ".join(tokens) for tokens in own] for own in kept] == [list(whole)]


def test_labels_stay_with_the_sentences_that_begin_where_they_were_read():
    text = "A ferry burned off Spain on Friday. Police said that 12 people had died in the fire."
    document = cut(Document(id="d", published_time=60, text=text))
    starts = [0, text.index("Police"), text.index("people")]
    reading = [
        LabelledSentence("spill", "d", number, start, "yes", "news", "states", "yes", "-")
        for number, start in enumerate(starts)
    ]
    topic = Topic("spill", [document], [reading, reading])
    assert topic.places == [("d", 0), ("d", 1)]
    assert topic.answers("update") == [True] * 4
    assert topic.rows(np.zeros(PLACES)).shape == (2, len(FEATURES))


def test_a_title_is_not_the_first_sentence():
    document = cut(Document(id="d", published_time=60, title="Ferry burns", text="A ferry burned off Spain."))
    reading = [
        LabelledSentence("feeds", "d", number, 0, "yes", "news", "states", alone, "yes")
        for number, alone in ((0, "no"), (1, "yes"))
    ]
    topic = Topic("feeds", [document], [reading, reading])
    assert topic.places == [("d", 0), ("d", 1)]
    assert topic.answers("alone") == [False, True] * 2
    assert topic.event() is None
