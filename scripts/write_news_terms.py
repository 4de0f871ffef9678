"""Write the list of stems that news uses far more than other text, counted in corpora beside the checkout.

python scripts/write_news_terms.py --data ../shared/data

News: GMB's, GUM's news and Timeline17's articles, each topic a source. Other text: GUM's other genres, WikiGold, the
Broad Twitter Corpus, WNUT. For each source of news, a stem's score is the log of its odds there over its odds
elsewhere, with an informative Dirichlet prior of both together, over its standard deviation (Monroe, Colaresi and
Quinn 2008). The list has the stems with the greatest median over the sources, so that no story fills it. Names,
figures and stop words are left out.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from math import log, sqrt
from pathlib import Path
from statistics import median

from frame import parser as command_line
from name_corpora import read_corpus

from tidings.analysis.names.tagging import token_spans
from tidings.following.entities.features.word_facts import stem_of_token

HOW_MANY = 500
PRIOR = 2_000.0
OUT = Path(__file__).parents[1] / "src/tidings/following/entities/features/news_terms.txt"
HEAD = """\
# Stems that news uses far more than other text, by `python scripts/write_news_terms.py --data ../shared/data`:
# counted in GMB, GUM, Timeline17, WikiGold, the Broad Twitter Corpus and WNUT. Edit the script, not the list.
"""


def plain(tokens: Iterable[str]) -> Iterator[str]:
    """The stems of words in lower case: neither names nor figures."""
    for token in tokens:
        if token.islower() and token.isalpha() and len(token) > 2 and token.isascii():
            stem = stem_of_token(token)
            if stem:
                yield stem


def texts(data: Path) -> Iterator[tuple[str, list[str]]]:
    """(the source of news or `other`, tokens) of every sentence."""
    for corpus in ("gmb", "gum", "wikigold", "btc", "wnut"):
        for document in read_corpus(data / "ner", corpus):
            news = corpus == "gmb" or (corpus == "gum" and document.genre == "news")
            for sentence in document.sentences:
                yield corpus if news else "other", list(sentence.tokens)
    for path in sorted((data / "tls").glob("*/articles.jsonl.gz")):
        for line in gzip.decompress(path.read_bytes()).decode("utf-8").splitlines():
            text = json.loads(line)["text"][:20_000]
            yield path.parent.name, [text[start:end] for start, end in token_spans(text)]


def score(news: Counter[str], other: Counter[str], stem: str) -> float:
    """How many standard deviations the log odds of a stem are higher in news."""
    n, m = news.total(), other.total()
    if not news[stem] + other[stem]:
        return 0.0
    prior = PRIOR * (news[stem] + other[stem]) / (n + m)
    there, elsewhere = news[stem] + prior, other[stem] + prior
    odds = log(there / (n + PRIOR - there)) - log(elsewhere / (m + PRIOR - elsewhere))
    return odds / sqrt(1 / there + 1 / elsewhere)


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    data = parser.parse_args().data
    counts: dict[str, Counter[str]] = {}
    for source, tokens in texts(data):
        counts.setdefault(source, Counter()).update(plain(tokens))
    other = counts.pop("other")
    print(f"{sum(map(Counter.total, counts.values())):,} words of news, {other.total():,} of other text")
    scores = {
        stem: median(score(own, other, stem) for own in counts.values())
        for stem in sorted(set().union(*counts.values()))
    }
    best = sorted(scores, key=lambda stem: (-scores[stem], stem))[:HOW_MANY]
    OUT.write_text(HEAD + "\n".join(sorted(best)) + "\n", encoding="utf-8")
    print(f"wrote {len(best)} stems to {OUT.name}; the first are {' '.join(best[:20])}")


if __name__ == "__main__":
    main()
