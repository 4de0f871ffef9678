"""Print how well names are recognised: by corpus, genre and type, beside other ways; and with corpora left out.

python scripts/table_of_names.py --data ../shared/data                 # the model that comes with tidings
python scripts/table_of_names.py --data ../shared/data --spacy NAME    # beside a pipeline of spaCy, where installed
python scripts/table_of_names.py --data ../shared/data --leave-out     # each corpus by a model without it
python scripts/table_of_names.py --data ../shared/data --chains        # co-reference, against GUM's chains
    python scripts/table_of_names.py --data ../shared/data --speed         # how fast articles are tagged, in CPU time
"""

from __future__ import annotations

import gzip
import json
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from frame import parser as command_line
from name_corpora import (
    DEVELOPMENT,
    GumDocument,
    LabelledDocument,
    Span,
    read_corpus,
    read_gum,
)
from name_scores import NameScores, measure, measure_chains
from name_training import (
    CORPORA,
    NameTraining,
    labelled,
    lexicon_of,
    train_names,
)

from tidings.analysis.names.coreference import Chain, Reference, resolve
from tidings.analysis.names.gazetteers import BODY_WORDS, PLACE_WORDS, TITLES, gazetteers, short_form
from tidings.analysis.names.mentions import is_name
from tidings.analysis.names.recogniser import NameRecogniser
from tidings.analysis.names.tagging import tag_lines
from tidings.analysis.names.weights import read_recogniser, recogniser_named

Sentences = Sequence[Sequence[str]]
Recognise = Callable[[Sentences], list[list[Span]]]

RUN = re.compile(r"(?<!\S)[A-Z][^\s,;:!?()\"]*(?: (?:(?:of|the|de|al|van|von|bin|&) )?[A-Z][^\s,;:!?()\"]*)*")


def by_rules(sentences: Sentences) -> list[list[Span]]:
    """The baseline: runs of words in capitals, typed by the lists of places and words that stand in them."""
    found = []
    for tokens in sentences:
        text = " ".join(tokens)
        spans: list[Span] = []
        for match in RUN.finditer(text):
            start = text[: match.start()].count(" ")
            words = match.group().split(" ")
            while words and short_form(words[0]) in TITLES:
                words.pop(0)
                start += 1
            low = " ".join(words).lower()
            marks = gazetteers().words.get(low, ())
            if not words or not is_name(low) or low in gazetteers().demonyms:
                continue
            if start == 0 and len(words) == 1 and not marks:
                continue
            lows = {word.lower() for word in words}
            if (
                "org" in marks
                or lows & BODY_WORDS
                or (len(words) == 1 and words[0].isupper() and len(low) > 2)
            ):
                kind = "ORG"
            elif {"place", "country", "city"} & set(marks) or lows & PLACE_WORDS:
                kind = "LOC"
            else:
                kind = "PER"
            spans.append((start, start + len(words), kind))
        found.append(spans)
    return found


def named_as_they_stand(folder: Path, name: str) -> list[LabelledDocument]:
    """The documents with names as the corpus has them, only those dropped that no letter or only stop words make."""
    documents = []
    for document in read_corpus(folder / "ner", name):
        if document.part == "dev":
            sentences = tuple(
                type(sentence)(
                    sentence.tokens,
                    tuple(
                        (a, b, "LOC" if kind == "GPE" else kind)
                        for a, b, kind in sentence.spans
                        if is_name(" ".join(sentence.tokens[a:b]))
                    ),
                )
                for sentence in document.sentences
            )
            documents.append(
                LabelledDocument(document.id, document.corpus, document.genre, document.part, sentences)
            )
    return documents


def show(label: str, documents: list[LabelledDocument], recognise: Recognise, genres: bool = False) -> None:
    began = time.process_time()
    scores = measure(documents, recognise)
    seconds = time.process_time() - began
    tokens = sum(len(sentence.tokens) for document in documents for sentence in document.sentences)
    cells = []
    for kind in ("PER", "ORG", "LOC", "all"):
        score = scores.get(("all", kind), NameScores())
        cells.append(f"{score.precision:.3f} {score.recall:.3f} **{score.f1:.3f}**")
    print(f"| {label} | {' | '.join(cells)} | {tokens / seconds:,.0f} |")
    if genres:
        for genre in sorted({genre for genre, _ in scores} - {"all"}):
            row = [scores.get((genre, kind), NameScores()) for kind in ("PER", "ORG", "LOC", "all")]
            print(f"| — {genre} ({row[-1].real} names) | {' | '.join(f'{one.f1:.3f}' for one in row)} | |")


def head(title: str) -> None:
    print(f"\n{title}\n\n| | PER | ORG | LOC | all | tokens/s |\n|---|---|---|---|---|---|")


def table(folder: Path, ways: dict[str, Recognise]) -> None:
    """Names as this project counts them, then as each corpus has them: precision, recall and F1 of whole names."""
    for name in ("gum", "wnut", "btc", "ewt"):
        head(f"{name} dev")
        ours = [one for one in labelled(folder, [name])[name] if one.part == "dev"]
        for way, recognise in ways.items():
            show(way, ours, recognise, genres=name == "gum" and way == "tidings")
        stands = named_as_they_stand(folder, name)
        for way, recognise in ways.items():
            show(f"{way}, names as the corpus has them", stands, recognise)


def leave_out(folder: Path, corpora: Sequence[str], seed: int) -> None:
    head("each corpus by a model that saw nothing of it")
    every = labelled(folder, [*CORPORA, "ewt"])
    for name in corpora:
        rest = {one: documents for one, documents in every.items() if one in CORPORA and one != name}
        field = train_names(rest, lexicon_of(folder, rest, seed), NameTraining(seed=seed))
        recognise = NameRecogniser(field).spans
        show(f"{name}, all of it", every[name], recognise)
        if any(document.part == "dev" for document in every[name]):
            show(f"{name} dev", [one for one in every[name] if one.part == "dev"], recognise)
        show(f"ewt dev by the model without {name}", every["ewt"], recognise)


def copies_alone(sentences: Sentences, spans: Sequence[Sequence[Span]]) -> list[Chain]:
    """The baseline of co-reference: names spelt alike are one entity."""
    chains: dict[str, list[Reference]] = {}
    for number, (tokens, own) in enumerate(zip(sentences, spans, strict=True)):
        for start, end, _ in own:
            chains.setdefault(" ".join(tokens[start:end]), []).append(Reference(number, start, end, "name"))
    return [Chain(name, "", tuple(references)) for name, references in chains.items()]


def show_chains(folder: Path) -> None:
    def part(document: GumDocument) -> str:
        return "dev" if document.id.rsplit("_", 1)[-1] in DEVELOPMENT else "train"

    documents = list(read_gum(folder / "ner" / "gum"))
    print(
        "| | names | B³ precision | recall | F1 | pronouns | right of those resolved | resolved rightly of all |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for which in ("train", "dev"):
        chosen = [document for document in documents if part(document) == which]
        for label, way in (("spelt alike", copies_alone), ("tidings", resolve)):
            score = measure_chains(chosen, way)
            said = score.pronouns
            print(
                f"| GUM {which}, {label} | {score.mentions:,} | {score.precision:.3f} | {score.recall:.3f} "
                f"| {score.f1:.3f} | {said.real} | {said.precision:.3f} | {said.recall:.3f} |"
            )


def show_speed(folder: Path, model: str) -> None:
    """Articles to names to chains of co-reference, in CPU time, nothing remembered from before."""
    print(
        "| | articles | tokens | one by one | together | of lines (`tag --entities`) |\n|---|---|---|---|---|---|"
    )
    ways = (_one_by_one, _together, _of_lines)
    sums = np.zeros(2 + len(ways))
    for path in sorted((folder / "tls").glob("*/articles.jsonl.gz")):
        texts = [json.loads(line)["text"] for line in gzip.decompress(path.read_bytes()).splitlines()]
        tokens = sum(len(text.split()) for text in texts)
        taken = []
        for way in ways:
            recogniser = read_recogniser(model)
            recogniser.spans([["Ann", "Lee"]])
            began = time.process_time()
            way(texts, recogniser)
            taken.append(time.process_time() - began)
        sums += (len(texts), tokens, *taken)
        _show_seconds(path.parent.name, len(texts), tokens, taken)
    _show_seconds("all", int(sums[0]), int(sums[1]), sums[2:].tolist())


def _show_seconds(label: str, articles: int, tokens: int, seconds: Sequence[float]) -> None:
    cells = [f"{articles / one:,.0f} articles/s, {tokens / one:,.0f} tokens/s" for one in seconds]
    print(f"| {label} | {articles} | {tokens:,} | {' | '.join(cells)} |")


def _one_by_one(texts: list[str], recogniser: NameRecogniser) -> None:
    for text in texts:
        sentences = [line.split() for line in text.split("\n")]
        resolve(sentences, recogniser.spans(sentences))


def _together(texts: list[str], recogniser: NameRecogniser) -> None:
    documents = [[line.split() for line in text.split("\n")] for text in texts]
    for sentences, spans in zip(documents, recogniser.spans_of(documents), strict=True):
        resolve(sentences, spans)


def _of_lines(texts: list[str], recogniser: NameRecogniser) -> None:
    for _ in tag_lines("\n\n".join(texts).split("\n"), recogniser, entities=True, ahead=500):
        pass


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", default="")
    parser.add_argument("--spacy")
    parser.add_argument("--leave-out", nargs="*", metavar="CORPUS", choices=CORPORA)
    parser.add_argument("--chains", action="store_true")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if given.speed:
        show_speed(given.data, given.model)
    elif given.chains:
        show_chains(given.data)
    elif given.leave_out is not None:
        leave_out(given.data, given.leave_out or CORPORA, given.seed)
    else:
        recogniser = read_recogniser(given.model)
        ways: dict[str, Recognise] = {"tidings": recogniser.spans, "rules": by_rules}
        if given.spacy:
            ways[f"spaCy {given.spacy}"] = recogniser_named(f"spacy:{given.spacy}").spans
        table(given.data, ways)


if __name__ == "__main__":
    main()
