"""Print what two readings of updates drawn at random say, the names of their systems hidden, or a reading of digests.

A language model read (updates on 2026-11-22, digests on 2026-11-28).

    python scripts/count_readings.py            # updates
    python scripts/count_readings.py --outlets  # updates of other outlets
    python scripts/count_readings.py --feeds    # those of the feeds, by when their wordings were written
    python scripts/count_readings.py --again    # updates before and after rules for pages
    python scripts/count_readings.py --digests  # the digests that scripts/digests_to_read.py prints
    python scripts/count_readings.py --articles # sentences of articles: how far two readings agree, by outlet

`labels/updates/readings.tsv` says of each item which system emitted it, of which stream, and the four answers of each
reading, y or n: a fact about this event? of that day (or the day before), not background? can it be understood alone?
new, beside the earlier update of the same run that is most like it? `labels/digests/readings.tsv` has for each story
the ten answers on its digest as tidings was on 23 November 2026 and as it is: y, n, or - where no outlet is named.
`labels/updates/outlets.tsv` has two readings (2026-11-29 and 2026-11-30) of 50 updates each, drawn at random, of eight
streams of four outlets, emitted by article models that have learned nothing from the stream (nor, but for the BBC, from
its outlet), and one or two of all over 17 feeds (the wordings of `wordings.json`), with a further answer: whether
something stands before or inside the sentence that is none of it. "New" was asked beside the most similar earlier
update. `labels/updates/outlets-again.tsv` has one of 2026-11-29, before and after the rules for captions, page dates
and hyphens: 20 updates each, drawn at random, of five streams of the BBC, and all of ten stories in 89 pages of 75
other outlets (topics of ECB+ that were not looked at, with all lines of a page run together), where "new" was asked
beside all; and 51 updates each of three of these streams, before and after a larger table of borders.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from frame import heading, parser

_FEEDS = "17 feeds"
LABELS = Path(__file__).parents[1] / "labels"
OF_DIGESTS = (
    "Is every sentence about what was asked for?",
    "Do the first lines say what happened?",
    "Do they say where things stand: the newest toll or state?",
    "Does no number contradict another?",
    "Is every sentence whole, without captions, headlines and bylines?",
    "Does each sentence stand under its own day?",
    "Is what is planned still to come?",
    "Is nothing told twice?",
    "Can each sentence be understood alone?",
    "Does each line name its source in words that readers know?",
)
WORDINGS = json.loads(Path(__file__).with_name("wordings.json").read_text(encoding="utf-8"))["feeds"]
QUESTIONS = ("event", "day", "alone", "new", "all four")
OF_SENTENCES = ("event", "day", "mode", "alone", "main")
UPDATE = ["yes", "news", "states", "yes"]


def is_yes(answers: str, question: int) -> bool:
    """Whether a reading's answers say yes to a question, the last of which is all of them."""
    return answers == "yyyy" if question == 4 else answers[question] == "y"


def read_rows(kind: str, name: str = "readings") -> list[dict[str, str]]:
    """The lines of a reading."""
    with (LABELS / kind / f"{name}.tsv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def count_digests() -> None:
    """For each question of how many digests the answer is yes, before and after."""
    rows = read_rows("digests")
    print(heading("question | of | before | after", 1))
    for number, question in enumerate(OF_DIGESTS):
        before, after = ([row[when][number] for row in rows] for when in ("before", "after"))
        asked = sum(answer != "-" for answer in after)
        print(f"| {question} | {asked} | {before.count('y')} | {after.count('y')} |")


def count_outlets(name: str) -> None:
    """Shares of yes for each outlet, and for all; of two readings the mean, and how far they agree."""
    rows = read_rows("updates", name)
    print(heading(f"outlet | updates read | {' | '.join(QUESTIONS)} | junk in front"))
    outlets = list(dict.fromkeys(row["outlet"] for row in rows))
    parts = {outlet: {outlet} for outlet in outlets}
    if name == "outlets":
        parts |= {"all streams": {*outlets} - {_FEEDS}, "all": {*outlets}}
    for outlet, part in parts.items():
        own = [row for row in rows if row["outlet"] in part]
        shares = [sum(yes_share(row, question) for row in own) / len(own) for question in range(5)]
        junk = sum(row["junk"] == "y" for row in own) / len(own)
        print(f"| {outlet} | {len(own)} | {' | '.join(f'{share:.2f}' for share in (*shares, junk))} |")
    print_agreement([(row["answers"], row["second"]) for row in rows if row.get("second")])


def yes_share(row: Mapping[str, str], question: int) -> float:
    """The share of an update's readings, one or two, that answer yes."""
    read = [answers for answers in (row["answers"], row.get("second")) if answers]
    return sum(is_yes(answers, question) for answers in read) / len(read)


def print_agreement(pairs: Sequence[tuple[str, str]]) -> None:
    """How far two readings of updates agree, question by question."""
    for question, name in enumerate(QUESTIONS if pairs else ()):
        same, kappa = agreement(
            [(is_yes(first, question), is_yes(second, question)) for first, second in pairs]
        )
        print(f"{name}: the same answer in {same:.3f}, κ {kappa:.3f}")


def count_feeds() -> None:
    """For each group of wordings, those with an update and those with one on topic, and shares of yes."""
    rows = [row for row in read_rows("updates", "outlets") if row["outlet"] == _FEEDS]
    print(heading("wordings | in the feeds | told | not in them | told | updates read | on topic | all four"))
    groups = dict.fromkeys(kind.partition(", ")[2] for kind in WORDINGS)
    for group in (*groups, None):
        cells, own = [], []
        for is_in in (True, False):
            asked = {
                wording
                for kind in WORDINGS
                if kind.startswith("told") == is_in and group in (None, kind.partition(", ")[2])
                for wording in WORDINGS[kind]
            }
            read = [row for row in rows if row["query"] in asked]
            right = [row for row in read if row["answers"][0] == "y" or not is_in]
            cells += [len(asked), len({row["query"] for row in right})]
            own += read
        counts = (sum(yes_share(row, question) for row in own) for question in (0, 4))
        shares = (f"{count / len(own):.2f}" if own else "" for count in counts)
        name = "all" if group is None else group or "first"
        print(f"| {name} | {' | '.join(map(str, cells))} | {len(own)} | {' | '.join(shares)} |")


def agreement(pairs: Sequence[tuple[object, object]]) -> tuple[float, float]:
    """The share of pairs with the same answer, and Cohen's κ, which corrects it for chance; κ at most 1."""
    same = sum(first == second for first, second in pairs) / len(pairs)
    counts = [Counter(pair[reader] for pair in pairs) for reader in (0, 1)]
    by_chance = sum(counts[0][answer] * counts[1][answer] for answer in counts[0]) / len(pairs) ** 2
    return same, (same - by_chance) / (1 - by_chance) if by_chance < 1 else 1.0


def count_articles() -> None:
    """For each outlet how far two readings of sentences agree, question by question and on those of an update."""
    readings = [read_rows("articles", f"{name}-reading") for name in ("first", "second")]
    print(heading(f"outlet | sentences | {' | '.join(OF_SENTENCES)} | update | updates", 1))
    rows = list(zip(*readings, strict=True))
    for outlet in dict.fromkeys(row["topic"].rpartition("_")[2] for row, _ in rows):
        own = [pair for pair in rows if pair[0]["topic"].rpartition("_")[2] == outlet]
        cells = []
        for question in OF_SENTENCES:
            pairs = [(first[question], second[question]) for first, second in own]
            asked = [pair for pair in pairs if "-" not in pair]
            cells.append(" ".join(f"{value:.2f}" for value in agreement(asked)) if asked else "")
        updates = [tuple([row[name] for name in OF_SENTENCES[:4]] == UPDATE for row in pair) for pair in own]
        cells.append(" ".join(f"{value:.2f}" for value in agreement(updates)))
        share = sum(map(sum, updates)) / (2 * len(own))
        print(f"| {outlet} | {len(own):,} | {' | '.join(cells)} | {share:.2f} |")


def main() -> None:
    """Shares of yes for each system, and the agreement of the readings."""
    options = parser(__doc__)
    options.add_argument("--digests", action="store_true", help="the reading of digests")
    options.add_argument("--articles", action="store_true", help="the two readings of sentences of articles")
    options.add_argument("--outlets", action="store_true", help="the reading of other outlets")
    options.add_argument("--feeds", action="store_true", help="the reading of feeds, by group of wordings")
    options.add_argument("--again", action="store_true", help="the reading before and after rules for pages")
    asked = options.parse_args()
    if asked.digests:
        count_digests()
        return
    if asked.feeds:
        count_feeds()
        return
    if asked.articles:
        count_articles()
        return
    if asked.outlets or asked.again:
        count_outlets("outlets" if asked.outlets else "outlets-again")
        return
    rows = read_rows("updates")
    print(heading(f"system | updates read | {' | '.join(QUESTIONS)} | by reading"))
    for system in dict.fromkeys(row["system"] for row in rows):
        items = [(row["first"], row["second"]) for row in rows if row["system"] == system]
        means = [
            [sum(is_yes(item[reader], question) for item in items) / len(items) for reader in (0, 1)]
            for question in range(5)
        ]
        cells = " | ".join(f"{sum(pair) / 2:.2f}" for pair in means)
        print(f"| `{system}` | {len(items)} | {cells} | {means[-1][0]:.2f} {means[-1][1]:.2f} |")
    print_agreement([(row["first"], row["second"]) for row in rows])


if __name__ == "__main__":
    main()
