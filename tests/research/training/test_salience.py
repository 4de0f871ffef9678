"""Salience learned from graded documents: what is read of them, what is learned, and how it is measured."""

from __future__ import annotations

import gzip
import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from salience_learning import (
    COLUMNS,
    GradedDocument,
    auc,
    cross_validated,
    kendall,
    learn_salience,
    measured,
    ndcg,
    read_graded_gum,
    read_graded_wikinews,
    rows_of,
    spearman,
)

from tests.following.entities.features.small_days import small_day
from tidings.core.errors import UsageError

pytest.importorskip("sklearn", reason="scikit-learn is not installed (extra `train`)")

GUM = """# newdoc id = GUM_news_made
# meta::salientEntities = 1 (5*), 7 (2)
# meta::title = Ann Lee sails
1\tAnn\tAnn\tPROPN\tNNP\t_\t3\tnsubj\t_\tEntity=(1-person-new-nnnnn-cf1-1,2-coref
2\tLee\tLee\tPROPN\tNNP\t_\t1\tflat\t_\tEntity=1)
3\tsailed\tsail\tVERB\tVBD\t_\t0\troot\t_\t_
4\tto\tto\tADP\tIN\t_\t5\tcase\t_\t_
5\tOslo\tOslo\tPROPN\tNNP\t_\t3\tobl\t_\tEntity=(2-place-new-nnnnn-cf2-1-sgl)

1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\tEntity=(1-person-giv-nnnnn-cf1-1-coref)
2\tslept\tsleep\tVERB\tVBD\t_\t0\troot\t_\t_

"""


def test_gum_says_in_how_many_summaries_a_named_entity_is(tmp_path: Path) -> None:
    (tmp_path / "GUM_news_made.conllu.gz").write_bytes(gzip.compress(GUM.encode()))
    [read] = read_graded_gum(tmp_path)
    assert (read.title, read.genre, read.salient) == ("Ann Lee sails", "news", 1.0)
    assert read.grades == {1: 5.0, 2: 0.0}
    mentions = {one.name: [(m.sentence, m.label, m.how) for m in one.mentions] for one in read.day.entities}
    assert mentions == {
        "Ann Lee": [(0, "Ann Lee", "name"), (1, "She", "pronoun")],
        "Oslo": [(0, "Oslo", "name")],
    }


class Nobody:
    """Finds one name."""

    def spans(self, sentences):
        return [[(0, 1, "PER")] if sentence and sentence[0] == "Powell" else [] for sentence in sentences]


def test_wikinews_mentions_are_where_the_words_stand_and_in_chains_of_names(tmp_path: Path) -> None:
    article = {
        "docId": 4,
        "title": "Powell resigns",
        "saliency": [
            {"entityid": 11, "score": 3.0},
            {"entityid": 12, "score": 1.0},
            {"entityid": 13, "score": 1.0},
        ],
        "document": [
            {"name": "headline", "value": "Powell resigns"},
            {"name": "dateline"},
            {"name": "body_par_000", "value": "Powell left the White House &mdash; tired. He slept."},
        ],
    }
    (tmp_path / "wikinews.jsonl.gz").write_bytes(gzip.compress(json.dumps(article).encode()))
    listed = (
        "4\t11\tColin_Powell\t3.0\tpowell, secretary powell\n4\t12\tWhite_House\t1.0\twhite house, house\n"
        "4\t13\tMoon\t1.0\tmoon\n4\t14\tHouse\t-1.0\thouse\n"
    )
    (tmp_path / "entity-titles.tsv.gz").write_bytes(gzip.compress(listed.encode()))
    [read] = read_graded_wikinews(tmp_path, Nobody())
    assert read.grades == {11: 3.0, 12: 1.0} and read.salient == 2.0
    assert [one.index for one in read.day.documents[0].sentences] == [-1, 0, 1]
    powell, house = read.day.entities
    assert [(m.sentence, m.label, m.how) for m in powell.mentions] == [
        (0, "Powell", "name"),
        (1, "Powell", "name"),
        (2, "He", "pronoun"),
    ]
    assert [(m.label, m.start) for m in house.mentions] == [("White House", 3)]
    assert (powell.type, house.type) == ("PER", "")


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no readable file"):
        list(read_graded_wikinews(tmp_path, Nobody()))
    with pytest.raises(UsageError, match="entities of different grades"):
        learn_salience([])


def graded(number: int) -> GradedDocument:
    """The entity that the title and the first sentence name is salient; others are named as often."""
    ids: dict[str, int] = {}
    names = [f"Name{(number + at) % 7}" for at in range(5)]
    day = small_day(
        [
            f"[{names[0]}|PER] said the [{names[1]}|LOC] plan failed today .",
            f"People near [{names[2]}|LOC] and [{names[3]}|LOC] slept .",
            f"In [{names[4]}|LOC] and [{names[3]}|LOC] and [{names[2]}|LOC] rain fell .",
            f"The council of [{names[1]}|LOC] and [{names[4]}|LOC] met for [{names[0]}|PER] .",
        ],
        titles=[f"{names[0]} speaks"],
        ids=ids,
    )
    grades = dict.fromkeys(ids.values(), 0.0) | {ids[names[0]]: 3.0, ids[names[1]]: 1.0}
    return GradedDocument(f"d{number}", "news", f"{names[0]} speaks", day, grades, 2.0)


def test_who_opens_the_document_is_learned_to_be_salient() -> None:
    rows = [rows_of(graded(number)) for number in range(14)]
    learn = partial(learn_salience, trees=6)
    model = learn(rows)
    for own, scores in zip(rows, cross_validated(rows, learn, folds=2), strict=True):
        assert scores.argmax() == own.grades.argmax()
    again = learn(rows)
    assert (again.weights == model.weights).all() and (again.scores(rows[0]) == model.scores(rows[0])).all()
    assert rows[0].mentions.tolist() == [2, 2, 2, 2, 2]
    assert rows[0].first.argmax() == rows[0].grades.argmax()
    assert len(model.weights) == len(COLUMNS)


def test_a_document_is_judged_by_a_model_that_has_not_seen_it() -> None:
    rows = [rows_of(graded(number)) for number in range(7)]
    seen: list[set[str]] = []

    class Silent:
        def scores(self, own):
            assert own.id not in seen[-1]
            return np.zeros(len(own.grades))

    def learn(documents):
        seen.append({own.id for own in documents})
        return Silent()

    assert len(cross_validated(rows, learn, folds=3)) == 7
    assert len(seen) == 3


def test_measures() -> None:
    scores = np.array([4.0, 3.0, 2.0, 2.0])
    grades = np.array([3.0, 0.0, 1.0, 0.0])
    # Pairs: 5 differ in ours, 5 in theirs; right 3 (0-1, 0-2, 0-3), wrong 1 (1-2).
    assert kendall(scores, grades) == pytest.approx((3 - 1) / 5)
    assert spearman(scores, grades) == pytest.approx(np.corrcoef([3, 2, 0.5, 0.5], [3, 0.5, 2, 0.5])[0, 1])
    assert auc(scores, grades >= 1) == pytest.approx((2 + 0.5) / 4)
    shared = (1 / np.log2(4) + 1 / np.log2(5)) / 2
    assert ndcg(scores, grades) == pytest.approx((7 + shared) / (7 + 1 / np.log2(3)))
    nothing = np.zeros(4)
    assert kendall(scores, nothing) is spearman(scores, nothing) is ndcg(scores, nothing) is None
    assert auc(scores, nothing > 1) is None
    assert kendall(nothing, grades) == spearman(nothing, grades) == 0.0
    assert [row[0] for row in measured([scores], [grades], [grades >= 1])] == [
        kendall(scores, grades),
        spearman(scores, grades),
        auc(scores, grades >= 1),
        ndcg(scores, grades),
    ]


@pytest.mark.long
@pytest.mark.shared_data
def test_salience_of_gum_is_learned_better_than_counted(shared_data: Path) -> None:
    """A floor under the table of docs/following/entities.md."""
    rows = [rows_of(document) for document in read_graded_gum(shared_data / "ner" / "gum")]
    grades, salient = [own.grades for own in rows], [own.salient for own in rows]

    def means(scores):
        figures = measured(scores, grades, salient)
        return [float(np.mean([one for one in own if one is not None])) for own in figures]

    *_, learned_auc, learned_ndcg = means(cross_validated(rows))
    *_, counted_auc, counted_ndcg = means([own.mentions for own in rows])
    assert learned_auc >= 0.84 and learned_auc > counted_auc + 0.05
    assert learned_ndcg >= 0.87 and learned_ndcg > counted_ndcg + 0.03
