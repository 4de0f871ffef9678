"""Learn the model of whole articles from the labels, or show how well it answers on a topic that it has not seen.

    python scripts/train_articles.py ../shared/data/tls                         writes the model that comes along
    python scripts/train_articles.py ../shared/data/tls --leave haiti_bbc --out FILE
    python scripts/train_articles.py ../shared/data/tls --table                 leaves each topic out in turn
    python scripts/train_articles.py ../shared/data/tls --borders               only the table of borders, anew
    python scripts/train_articles.py ../shared/data/tls --hyphens               only the table of hyphens, anew
    python scripts/train_articles.py ../shared/data/tls --hyphens --table       hyphens of outlets that are left out
    python scripts/train_articles.py ../shared/data/tls --openings              leads of ../tls-persons that are cut

The folder holds for each topic of `labels/articles` a folder with `articles.jsonl.gz` (id, time, text). Both readings
are learned from, as two answers for each sentence. The decision that `tidings` makes is learned in the same way, from
features in view of what the stream said before. Hyphens are learned from these streams and those of ../tls-outlets,
borders from all of these and from every second article of ../tls-persons; with --leave, not from that topic.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from article_learning import (
    LabelledSentence,
    border_sentences,
    hyphen_rows,
    is_answered,
    learn_articles,
    learn_borders,
    learn_decision,
    learn_hyphens,
    read_labels,
)
from frame import OUTLETS, STORIES, WEIGHTS, parser as command_line, read_articles, today, write_model
from msgspec.structs import replace

from tidings import __version__, read_documents
from tidings.analysis import Openings
from tidings.analysis.articles.hyphens import HYPHEN_LEVEL
from tidings.analysis.articles.reader import QUESTIONS, ArticleModel, ArticleReader, shipped_reader
from tidings.core.models.files import Model, read_model
from tidings.core.records import DataUsed, Document, Event, ModelCard
from tidings.core.text.sentences import cut
from tidings.following.systems.tidings.model import ArticleDecision

ROOT = Path(__file__).parents[1]
LABELS = ROOT / "labels" / "articles"
SHIPPED = WEIGHTS / "articles.safetensors"


class Topic:
    """One stream with its labels: for each labelled sentence its rows of features and both readers' answers."""

    def __init__(
        self, name: str, documents: list[Document], readings: Sequence[list[LabelledSentence]]
    ) -> None:
        self.name, self.documents = name, documents
        numbers = {
            (document.id, sentence.start): (document.id, number)
            for document in documents
            for number, sentence in enumerate(document.sentences)
        }
        # A text may be cut into other sentences than when it was read: what begins elsewhere now is left out.
        self.labels = [
            [label for label in own if label.topic == name and (label.document, label.start) in numbers]
            for own in readings
        ]
        self.places = [numbers[label.document, label.start] for label in self.labels[0]]

    def event(self) -> Event:
        """The event that is followed."""
        return Event(id=self.name, title=STORIES[self.name], query=STORIES[self.name])

    def rows(self, borders: Any) -> Any:
        """The article features of the labelled sentences, read behind the borders."""
        model = ArticleModel([], 0, 1, 0, 0, borders)
        reader = ArticleReader(model)
        wanted = {document for document, _ in self.places}
        by_place = {}
        for document in self.documents:
            if document.id in wanted and document.sentences:
                for number, row in enumerate(reader.rows(document.sentences)):
                    by_place[document.id, number] = row
        return np.array([by_place[place] for place in self.places])

    def answers(self, question: str) -> list[bool]:
        """The answers of the first reader, then of the second."""
        return [is_answered(label, question) for reading in self.labels for label in reading]


def learn(topics: Sequence[Topic], card: ModelCard, borders: Any) -> Model:
    """The model of these topics, their sentences cut at the borders of a table."""
    rows = [topic.rows(borders) for topic in topics]
    both = np.concatenate([np.concatenate([own, own]) for own in rows])
    answers = {
        question: np.concatenate([topic.answers(question) for topic in topics]) for question in QUESTIONS
    }
    model = learn_articles(both, answers, borders, card)
    decided = [decision_rows(topic, model) for topic in topics]
    features = np.concatenate([np.concatenate([own, own]) for own, _ in decided])
    wanted = np.concatenate(
        [
            np.concatenate([np.array(topic.answers("update")).reshape(2, -1)[:, seen].ravel()])
            for topic, (_, seen) in zip(topics, decided, strict=True)
        ]
    )
    return learn_decision(model, features, wanted)


def decision_rows(topic: Topic, model: Model) -> tuple[Any, Any]:
    """The decision's features of the labelled sentences that are candidates, and which of the labels these are."""
    from tidings.following.systems.tidings.follower import article_rows

    reader = ArticleReader(ArticleModel.of(model))
    by_place = dict(article_rows(topic.event(), topic.documents, reader))
    seen = np.array([place in by_place for place in topic.places])
    return np.array([by_place[place] for place in topic.places if place in by_place]), seen


def card_of(folder: Path, topics: Sequence[Topic], command: str) -> ModelCard:
    """Where the model comes from."""
    data = tuple(
        DataUsed(
            name=f"articles of {topic.name}",
            events=(topic.name,),
            digest=hashlib.sha256((folder / topic.name / "articles.jsonl.gz").read_bytes()).hexdigest(),
        )
        for topic in topics
    )
    return ModelCard(
        system="articles",
        version=__version__,
        date=today(),
        command=command,
        data=data,
        notes="Learned from two readings of 1,503 sentences (labels/articles) of English news of one outlet.",
    )


def auc(wanted: Any, scores: Any) -> float:
    """The share of pairs, of a wanted and an unwanted, of which the wanted scores higher; ties count half."""
    from scipy.stats import rankdata

    ranks, positive = rankdata(scores), int(wanted.sum())
    others = len(wanted) - positive
    return float((ranks[wanted].sum() - positive * (positive + 1) / 2) / (positive * others))


def table(folder: Path, topics: Sequence[Topic]) -> Iterator[str]:
    """How well each question is answered on each topic by the model of the others: AUC, and share of the best 30."""
    yield (
        "| question | "
        + " | ".join(topic.name for topic in topics)
        + " | AUC, mean | least and most | best 30 right | of all |"
    )
    yield "|---|" + "---|" * (len(topics) + 4)
    results: dict[str, list[tuple[float, float, float]]] = {}
    for topic in topics:
        others = [other for other in topics if other is not topic]
        model = learn(others, ModelCard(system="articles"), borders_without(folder, topic.name))
        made = ArticleModel.of(model)
        rows = topic.rows(made.borders)
        scores = dict(zip(QUESTIONS, made.answer(rows).T, strict=True))
        decided, seen = decision_rows(topic, model)
        decision = ArticleDecision.of(model)
        update = np.zeros(len(rows))
        update[seen] = [decision(row) for row in decided]
        scores["update"] = update
        for question, own in scores.items():
            readings = np.array(topic.answers(question)).reshape(2, -1)
            best = np.argsort(-own, kind="stable")[:30]
            results.setdefault(question, []).append(
                (
                    float(np.mean([auc(reading, own) for reading in readings])),
                    float(readings[:, best].mean()),
                    float(readings.mean()),
                )
            )
    for question, own_results in results.items():
        aucs = [result[0] for result in own_results]
        cells = [f"{value:.3f}" for value in [*aucs, sum(aucs) / len(aucs)]]
        cells.append(f"{min(aucs):.3f} {max(aucs):.3f}")
        cells += [f"{np.mean([result[place] for result in own_results]):.3f}" for place in (1, 2)]
        yield f"| {question} | " + " | ".join(cells) + " |"


def openings(persons: Path) -> Iterator[str]:
    """How many first sentences are cut in streams whose articles nearly all begin with their leads.

    By one level for all articles, and by what the source's articles so far give reason to.
    """
    reader, count, fixed, learned = shipped_reader(), 0, 0, 0
    for folder in sorted(persons.iterdir()):
        known = Openings()
        documents = map(cut, read_documents(folder / "stream.jsonl.gz"))
        for document in sorted(documents, key=lambda one: (one.published_time, one.id)):
            if document.sentences:
                article = reader.read(document.sentences, known.level(document.source))
                count += 1
                fixed += reader.read(document.sentences).starts[0] > 0
                learned += article.starts[0] > 0
                if article.opens_glued is not None:
                    known.learn(document.source, article.opens_glued)
    yield "| articles | first sentences cut by one level | by how their source's articles open |"
    yield "|---|---|---|"
    yield f"| {count} | {fixed} | {learned} |"


def borders_without(folder: Path, left: str = "") -> Any:
    """The table of borders, learned from all streams of Timeline17 but one and from half of those of persons."""
    documents = [one for place in streams(folder) if place.name != left for one in read_articles(place)]
    for person in sorted((folder.parent / "tls-persons").iterdir()):
        documents += [cut(one) for one in list(read_documents(person / "stream.jsonl.gz"))[::2]]
    return learn_borders(border_sentences(documents))


def streams(folder: Path) -> list[Path]:
    """The folders of the streams of Timeline17."""
    places = [folder / name for name in sorted(STORIES)]
    return places + [folder.parent / "tls-outlets" / name for name in sorted(OUTLETS)]


def hyphen_texts(folder: Path) -> dict[str, list[str]]:
    """The sentences of all streams of Timeline17, by outlet."""
    texts: dict[str, list[str]] = {}
    for place in streams(folder):
        own = texts.setdefault(place.name.rpartition("_")[2], [])
        own += [sentence.text for document in read_articles(place) for sentence in document.sentences]
    return texts


def hyphen_table(texts: dict[str, list[str]]) -> Iterator[str]:
    """How many hyphens and dashes of each outlet are joined by what is learned from the others."""
    yield "| outlet | hyphens | hyphens joined | dashes | dashes joined |"
    yield "|---|---|---|---|---|"
    for outlet, own in texts.items():
        table = learn_hyphens(text for other in texts if other != outlet for text in texts[other])
        rows, targets = hyphen_rows(own)
        joined, is_hyphen = np.array([table[row].sum() > HYPHEN_LEVEL for row in rows]), np.array(targets)
        shares = [f"{int(kind.sum()):,} | {joined[kind].mean():.3f}" for kind in (is_hyphen, ~is_hyphen)]
        yield f"| {outlet} | {shares[0]} | {shares[1]} |"


def renew(path: Path, name: str, table: Any) -> str:
    """Write the model that comes along with one of its tables anew; gives the file's name and size."""
    shipped = read_model("articles")
    return write_model(path, replace(shipped, arrays=shipped.arrays | {name: table}))


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--leave", default="")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--borders", action="store_true")
    parser.add_argument("--hyphens", action="store_true")
    parser.add_argument("--openings", action="store_true")
    given = parser.parse_args()
    if given.openings:
        print("\n".join(openings(given.folder.parent / "tls-persons")))
        return
    if given.hyphens:
        texts = hyphen_texts(given.folder)
        if given.table:
            print("\n".join(hyphen_table(texts)))
            return
        print(renew(given.out, "hyphens", learn_hyphens(text for own in texts.values() for text in own)))
        return
    if given.borders:
        print(renew(given.out, "borders", borders_without(given.folder, given.leave)))
        return
    readings = [read_labels(LABELS / f"{name}-reading.tsv") for name in ("first", "second")]
    topics = [Topic(name, read_articles(given.folder / name), readings) for name in sorted(STORIES)]
    if given.table:
        for line in table(given.folder, topics):
            print(line)
        return
    if given.leave and given.leave not in STORIES:
        parser.error(f"--leave {given.leave} (expected one of {', '.join(STORIES)})")
    chosen = [topic for topic in topics if topic.name != given.leave]
    left = f" --leave {given.leave}" if given.leave else ""
    card = card_of(given.folder, chosen, f"python scripts/train_articles.py ../shared/data/tls{left}")
    model = learn(chosen, card, borders_without(given.folder, given.leave))
    learned = {"hyphens": learn_hyphens(text for own in hyphen_texts(given.folder).values() for text in own)}
    written = write_model(given.out, replace(model, arrays=model.arrays | learned))
    print(f"{written}, learned from {', '.join(topic.name for topic in chosen)}")


if __name__ == "__main__":
    main()
