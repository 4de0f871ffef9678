"""Learn the model of whole articles from the labels, or show how well it answers on a topic that it has not seen.

    python scripts/train_articles.py ../shared/data/tls                         writes the model that comes along
    python scripts/train_articles.py ../shared/data/tls --leave haiti_bbc --out FILE
    python scripts/train_articles.py ../shared/data/tls --table                 leaves each outlet out in turn
    python scripts/train_articles.py ../shared/data/tls --borders               only the table of borders, anew
    python scripts/train_articles.py ../shared/data/tls --hyphens               only the table of hyphens, anew
    python scripts/train_articles.py ../shared/data/tls --hyphens --table       hyphens of outlets that are left out
    python scripts/train_articles.py ../shared/data/tls --openings              leads of ../tls-persons that are cut

The folder holds for each of its topics of `labels/articles` a folder with `articles.jsonl.gz` (id, time, text), and
beside it are ../tls-outlets, ../feeds/news and ../html. Both readings are learned from, as two answers for each
sentence. The decision that `tidings` makes is learned in the same way, in view of what the stream said before, where
the labels are of one story. The tables of borders and of hyphens stay as they are unless they are asked for: hyphens
are learned from the streams, borders also from every second article of ../tls-persons. With --leave borders are learned
anew, not from that topic; for --table from fewer sentences, those of the topics.
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
from table_of_pages import Page, pages

from tidings import __version__, read_documents
from tidings.analysis import Openings
from tidings.analysis.articles.hyphens import HYPHEN_LEVEL
from tidings.analysis.articles.reader import QUESTIONS, ArticleModel, ArticleReader, shipped_reader
from tidings.core.files.reading import Content, ReadingOptions
from tidings.core.models.files import Model, read_model
from tidings.core.records import DataUsed, Document, Event, ModelCard
from tidings.core.text.sentences import cut
from tidings.core.text.stated_times import StatedTimes
from tidings.following.systems.tidings.model import ArticleDecision
from tidings.sources.pages.page import page_item

ROOT = Path(__file__).parents[1]
TOPICS = (*sorted(STORIES), *sorted(OUTLETS), "feeds", "pages")
LABELS = ROOT / "labels" / "articles"
SHIPPED = WEIGHTS / "articles.safetensors"


def read_topic(folder: Path, name: str) -> list[Document]:
    """The documents of a topic: a stream of Timeline17, the items of the feeds, or the pages of many countries."""
    if name in STORIES:
        return read_articles(folder / name)
    if name in OUTLETS:
        return read_articles(folder.parent / "tls-outlets" / name)
    if name == "feeds":
        return [cut(document) for document in read_documents(folder.parent / "feeds" / "news")]
    return [read_page(page) for page in pages(folder.parent / "html" / "fundus.tgz")]


def read_page(page: Page) -> Document:
    """An article's page, as `tidings read` reads it, named by its country and outlet."""
    item = page_item(page.data, Content("page", data=page.data), ReadingOptions())
    document = Document(
        id=f"{page.country}/{page.outlet}",
        published_time=int(StatedTimes().read(item.published) or 0),
        text=item.text,
        title=item.title,
        source=item.source,
        url=item.url,
    )
    return cut(document)


class Topic:
    """One stream with its labels: for each labelled sentence its rows of features and both readers' answers."""

    def __init__(
        self, name: str, documents: list[Document], readings: Sequence[list[LabelledSentence]]
    ) -> None:
        self.name, self.documents = name, documents
        # A title and the first sentence both begin at 0.
        numbers = {
            (document.id, sentence.start, number == 0): (document.id, number)
            for document in documents
            for number, sentence in enumerate(document.sentences)
        }
        # A text may be cut into other sentences than when it was read: what begins elsewhere now is left out.
        self.labels = [
            [label for label in own if label.topic == name and _place(label) in numbers] for own in readings
        ]
        self.places = [numbers[_place(label)] for label in self.labels[0]]

    @property
    def outlet(self) -> str:
        """Whose pages these are; all feeds together, and all pages, count as one."""
        return self.name.rpartition("_")[2]

    def event(self) -> Event | None:
        """The event that is followed; None where each article has its own."""
        query = {**STORIES, **OUTLETS}.get(self.name)
        return None if query is None else Event(id=self.name, title=query, query=query)

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


def _place(label: LabelledSentence) -> tuple[str, int, bool]:
    return label.document, label.start, label.number == 0


def learn(topics: Sequence[Topic], card: ModelCard, borders: Any = None) -> Model:
    """The model of these topics, with a table of borders or one learned from fewer sentences, those of the topics."""
    if borders is None:
        sentences = [one for topic in topics for one in border_sentences(topic.documents)]
        borders = learn_borders(sentences, pairs=20_000)
    rows = [topic.rows(borders) for topic in topics]
    both = np.concatenate([np.concatenate([own, own]) for own in rows])
    answers = {
        question: np.concatenate([topic.answers(question) for topic in topics]) for question in QUESTIONS
    }
    model = learn_articles(both, answers, borders, card)
    followed = [(topic, event) for topic in topics if (event := topic.event()) is not None]
    decided = [decision_rows(topic, event, model) for topic, event in followed]
    features = np.concatenate([np.concatenate([own, own]) for own, _ in decided])
    wanted = np.concatenate(
        [
            np.concatenate([np.array(topic.answers("update")).reshape(2, -1)[:, seen].ravel()])
            for (topic, _), (_, seen) in zip(followed, decided, strict=True)
        ]
    )
    return learn_decision(model, features, wanted)


def decision_rows(topic: Topic, event: Event, model: Model) -> tuple[Any, Any]:
    """The decision's features of the labelled sentences that are candidates, and which of the labels these are."""
    from tidings.following.systems.tidings.follower import article_rows

    reader = ArticleReader.of(model)
    by_place = dict(article_rows(event, topic.documents, reader))
    seen = np.array([place in by_place for place in topic.places])
    return np.array([by_place[place] for place in topic.places if place in by_place]), seen


def digest(folder: Path, name: str) -> str:
    """SHA-256 of a topic's files, one after the other."""
    files = {"feeds": "feeds/news/*.xml", "pages": "html/fundus.tgz"}.get(name)
    place = folder.name if name in STORIES else "tls-outlets"
    found = hashlib.sha256()
    for path in sorted(folder.parent.glob(files or f"{place}/{name}/articles.jsonl.gz")):
        found.update(path.read_bytes())
    return found.hexdigest()


def card_of(folder: Path, topics: Sequence[Topic], command: str) -> ModelCard:
    """Where the model comes from."""
    count = sum(len(topic.places) for topic in topics)
    data = tuple(
        DataUsed(name=f"articles of {topic.name}", events=(topic.name,), digest=digest(folder, topic.name))
        for topic in topics
    )
    return ModelCard(
        system="articles",
        version=__version__,
        date=today(),
        command=command,
        data=data,
        notes=f"Learned from two readings of {count:,} sentences (labels/articles) of English news; borders also from "
        "every second article of tls-persons.",
    )


def auc(wanted: Any, scores: Any) -> float:
    """The share of pairs, of a wanted and an unwanted, of which the wanted scores higher; ties count half."""
    from scipy.stats import rankdata

    ranks, positive = rankdata(scores), int(wanted.sum())
    others = len(wanted) - positive
    return float((ranks[wanted].sum() - positive * (positive + 1) / 2) / (positive * others))


def scores(topic: Topic, model: Model) -> dict[str, tuple[float, float, float]]:
    """For each question how well a model answers it on a topic: AUC, and the share of its best 30, and of all, that
    are right."""
    made = ArticleModel.of(model)
    rows = topic.rows(made.borders)
    answers = dict(zip(QUESTIONS, made.answer(rows).T, strict=True))
    event = topic.event()
    if event is not None:
        decided, seen = decision_rows(topic, event, model)
        decision = ArticleDecision.of(model)
        answers["update"] = np.zeros(len(rows))
        answers["update"][seen] = [decision(row) for row in decided]
    results = {}
    for question, own in answers.items():
        readings = np.array(topic.answers(question)).reshape(2, -1)
        best = np.argsort(-own, kind="stable")[:30]
        mean = float(np.mean([auc(reading, own) for reading in readings]))
        results[question] = mean, float(readings[:, best].mean()), float(readings.mean())
    return results


def main_chosen(topic: Topic, model: Model) -> tuple[int, int]:
    """In how many articles of a topic the likeliest sentence tells the main development, of those in which one does."""
    made = ArticleModel.of(model)
    likely, right, count = made.answer(topic.rows(made.borders))[:, 0], 0, 0
    for reading in np.array(topic.answers("main")).reshape(2, -1):
        articles: dict[str, list[int]] = {}
        for number, (document, _) in enumerate(topic.places):
            articles.setdefault(document, []).append(number)
        told = [own for own in articles.values() if reading[own].any()]
        count += len(told)
        right += sum(bool(reading[own[int(np.argmax(likely[own]))]]) for own in told)
    return right, count


def table(topics: Sequence[Topic]) -> Iterator[str]:
    """How well each question is answered on what was left out: AUC, and the share of right ones among the best 30.

    Of the BBC each topic is left out, and answered by what its other topics teach, alone and with the other outlets; of
    the others each outlet, by what the BBC teaches and what all others do.
    """
    asked = (*QUESTIONS, "update")
    yield f"| left out | learned from | sentences | {' | '.join(asked)} | best 30 | of all | main first |"
    yield "|---|---|---|" + "---|" * (len(asked) + 3)
    of_bbc = [topic for topic in topics if topic.outlet == "bbc"]
    for outlet in dict.fromkeys(topic.outlet for topic in topics):
        tried = [topic for topic in topics if topic.outlet == outlet]
        for name, known in (("BBC", of_bbc), ("all others", topics)):
            found, chosen = [], list[tuple[int, int]]()
            for topic in tried if outlet == "bbc" else tried[:1]:
                left = [topic] if outlet == "bbc" else tried
                model = learn([one for one in known if one not in left], ModelCard(system="articles"))
                found += [scores(own, model) for own in left]
                chosen += [main_chosen(own, model) for own in left]
            count = sum(len(topic.places) for topic in tried)
            cells = [
                f"{np.mean([own[question][0] for own in found]):.3f}" if question in found[0] else ""
                for question in asked
            ]
            cells += [f"{np.mean([own['news_value'][place] for own in found]):.3f}" for place in (1, 2)]
            right, articles = map(sum, zip(*chosen, strict=True))
            cells.append(f"{right / articles:.2f}" if articles else "")
            yield f"| {outlet} | {name} | {count} | {' | '.join(cells)} |"


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
    topics = [Topic(name, read_topic(given.folder, name), readings) for name in TOPICS]
    if given.table:
        for line in table(topics):
            print(line)
        return
    if given.leave and given.leave not in TOPICS:
        parser.error(f"--leave {given.leave} (expected one of {', '.join(TOPICS)})")
    chosen = [topic for topic in topics if topic.name != given.leave]
    asked = f" --leave {given.leave}" if given.leave else ""
    card = card_of(given.folder, chosen, f"python scripts/train_articles.py ../shared/data/tls{asked}")
    shipped = read_model("articles").arrays
    is_known = given.leave in (*STORIES, *OUTLETS)
    borders = borders_without(given.folder, given.leave) if is_known else shipped["borders"]
    model = learn(chosen, card, borders)
    hyphens = {"hyphens": shipped["hyphens"]}
    written = write_model(given.out, replace(model, arrays=model.arrays | hyphens))
    print(f"{written}, learned from {', '.join(topic.name for topic in chosen)}")


if __name__ == "__main__":
    main()
