"""How well a pace is held, and how good what is told at it is: python -m bench.pace [--only PART] [--system NAME]...

Five stories of ../shared/data/tls (dated articles), each followed by a query, at 5, 10 and 30 updates a day and at 30,
50 and 100 in all; then the same squeezed to ten hours, stretched to five years, thinned to a third, and swollen to
100,000 documents (noisy copies on the same days; 10 a day and 50 in all); and the events of TREC TS 2013 and 2014 at 10
a day. Parts: `asis`, `shapes`, `swollen`, `trec`, `quality`, `speed`. What streams gave is kept in --cache, by a digest
of the code.

- in all: updates over those asked for; within .1 of 1 is aimed at
- a day: updates over days with news (with a candidate), over those asked for; within .25 of 1
- silence: longest run of days with articles without an update, over all days with articles; at most .2. Streams of ten
  hours are counted in quarters of an hour.
- quality: date F1 and the aligned ROUGE F1 (align+m1) of `tls-each` at 50 in all, beside the mean of ten draws of 50
  random sentences that match the query
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from statistics import mean, median

from bench.frame import DATA, ROOT, parser as command_line
from tidings.core import shared_analyzer
from tidings.core.records import Document, Event, Run, Sentence, Update
from tidings.evaluation.measures.tls import prepare, rules_named
from tidings.following.digests.timeline_files import read_references, timelines_of
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.assembly import assemble
from tidings.following.systems.registry import make
from tidings.sources import open_reading
from tidings.sources.streams import read_events, read_stream

QUERIES = {
    "bpoil_bbc": "bp oil spill gulf mexico",
    "haiti_bbc": "haiti earthquake",
    "H1N1_bbc": "h1n1 swine flu",
    "MJ_bbc": "michael jackson death doctor conrad murray trial",
    "SyrianCrisis_bbc": "syria crisis assad",
}
SYSTEMS = ("tidings", "cosine", "centroid")
PACES = ("5/day", "10/day", "30/day", "30", "50", "100")
DAY_S = 86_400
AIMS = ("R1-align+m1-F", "R2-align+m1-F", "date-F")


def documents_of(story: str) -> list[Document]:
    """The articles of a story in order of their days; an article of a day is published as it begins."""
    documents = [
        _document(one.id, one.published_time, _texts(one))
        for one in open_reading([str(DATA / "tls" / story)])
    ]
    return sorted(documents, key=lambda document: (document.published_time, document.id))


def _document(doc_id: str, time_s: int, texts: Sequence[str]) -> Document:
    sentences = tuple(Sentence(doc_id, index, text, time_s) for index, text in enumerate(texts))
    return Document(id=doc_id, published_time=time_s, sentences=sentences)


def retimed(documents: Sequence[Document], length_s: int) -> list[Document]:
    """The same documents over another length of time."""
    first, last = documents[0].published_time, documents[-1].published_time
    return [
        _document(one.id, first + (one.published_time - first) * length_s // (last - first), _texts(one))
        for one in documents
    ]


def thinned(documents: Sequence[Document], keep: float) -> list[Document]:
    """A share of the documents, and always the first and the last one."""
    rng = random.Random(0)
    ends = (documents[0], documents[-1])
    return [one for one in documents if one in ends or rng.random() < keep]


def swollen(documents: Sequence[Document], size: int) -> Iterator[Document]:
    """Noisy copies on the same days, until there are so many documents: words are dropped, and lines changed about."""
    rng = random.Random(0)
    each = -(-size // len(documents))
    days: dict[int, list[Document]] = {}
    for one in documents:
        days.setdefault(one.published_time, []).append(one)
    for time_s, of_day in days.items():
        lines = [text for one in of_day for text in _texts(one)]
        for copy in range(each):
            for number, one in enumerate(of_day):
                texts = _texts(one)
                if copy:
                    texts = rng.sample(texts, min(2, len(texts))) + rng.sample(lines, min(1, len(lines)))
                    texts = [" ".join(w for w in text.split() if rng.random() > 0.15) for text in texts]
                at = time_s + DAY_S * (copy * len(of_day) + number) // (each * len(of_day))
                yield _document(f"{one.id}-{copy}", at, texts)


def _texts(document: Document) -> list[str]:
    return [sentence.text for sentence in document.sentences]


def updates_of(documents: Sequence[Document], spec: str, query: str) -> list[Update]:
    """What a system tells of the query, an event as long as the stream."""
    system = assemble(spec, period=(documents[0].published_time, documents[-1].published_time))
    event = Event(id="query", title=query, query=query)
    steps = follow_stream(documents, [event], system)
    return [output for _, outputs in steps for output in outputs if isinstance(output, Update)]


def matches(text: str, stems: frozenset[str]) -> bool:
    """Whether a sentence holds two stems of the query, or one where that has no more."""
    return len(stems.intersection(shared_analyzer("english").stems(text))) >= min(2, len(stems))


def held(documents: Sequence[Document], updates: Sequence[Update], about: str) -> tuple[float, float]:
    """(updates over what is due, longest silence)."""
    length_s = documents[-1].published_time - documents[0].published_time
    unit_s = DAY_S if length_s > 5 * DAY_S else 900
    turns = sorted({one.published_time // unit_s for one in documents})
    place = {turn: number for number, turn in enumerate(turns)}
    spoken = sorted({place[update.time // unit_s] for update in updates})
    gaps = [b - a - 1 for a, b in zip([-1, *spoken], [*spoken, len(turns)], strict=True)]
    count, _, unit = about.partition("/")
    days = len({one.published_time // DAY_S for one in documents}) if unit else 1
    return len(updates) / (float(count) * days), max(gaps) / len(turns)


class Cache:
    """Figures by a digest of what they hang on; those of slow streams are worth keeping."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        sources = sorted((ROOT / "src" / "tidings" / "following" / "systems").rglob("*.py"))
        self._code = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()

    def figures(self, key: str, make_figures) -> list:  # type: ignore[no-untyped-def, type-arg]
        """What `make_figures()` gives, or gave before."""
        if self._folder is None:
            return make_figures()
        name = hashlib.sha256(f"{self._code} {key}".encode()).hexdigest()[:24]
        path = self._folder / f"{name}.json"
        if not path.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(make_figures()))
        return json.loads(path.read_text())


def table_of_paces(shape: str, systems: Sequence[str], cache: Cache) -> None:
    """One line for each story and system: how well each pace is held, and the longest silence."""
    paces = ("10/day", "50") if shape == "100,000" else PACES
    print(f"\n{shape}: updates over those due (longest silence)")
    print(f"{'':26}" + "".join(f"{about:>14}" for about in paces))
    for story in QUERIES:
        stream = ShapedStory(story, shape)
        for system in systems:
            figures = [
                cache.figures(f"{shape} {story} {system} {about}", partial(stream.held_by, system, about))
                for about in paces
            ]
            cells = [f"{ratio:8.2f} ({silence:.2f})" for ratio, silence in figures]
            print(f"{story:16} {system:9}" + "".join(f"{cell:>14}" for cell in cells), flush=True)


class ShapedStory:
    """The documents of a story in another shape, made when they are first needed."""

    def __init__(self, story: str, shape: str) -> None:
        self._story, self._shape = story, shape

    @cached_property
    def documents(self) -> list[Document]:
        """The documents."""
        return shaped(documents_of(self._story), self._shape)

    def held_by(self, system: str, about: str) -> list[float]:
        """Updates over those due, and the longest silence."""
        updates = updates_of(self.documents, f"{system}:about={about}", QUERIES[self._story])
        return list(held(self.documents, updates, about))


def shaped(documents: list[Document], shape: str) -> list[Document]:
    """The documents, brought into another shape."""
    if shape == "10 hours":
        return retimed(documents, 36_000)
    if shape == "5 years":
        return retimed(documents, 5 * 365 * DAY_S)
    if shape == "thinned":
        return thinned(documents, 1 / 3)
    if shape == "100,000":
        return list(swollen(documents, 100_000))
    return documents


def table_of_quality(systems: Sequence[str], abouts: Sequence[str]) -> None:
    """Date F1 and aligned ROUGE of each system for each story, beside random sentences that match the query."""
    for about in abouts:
        print(f"\n{about} in all: {', '.join(AIMS)} (tls-each)")
        rows: dict[str, list[tuple[float, ...]]] = {}
        for story, query in QUERIES.items():
            documents = documents_of(story)
            prepared = prepare(read_references(DATA / "tls" / story), rules_named("tls-each"))
            for system in systems:
                updates = updates_of(
                    documents, f"{system}:about={about}" if "+" not in system else system, query
                )
                rows.setdefault(system, []).append(_scores(prepared, updates))
            stems = frozenset(shared_analyzer("english").stems(query))
            matching = [
                one for document in documents for one in document.sentences if matches(one.text, stems)
            ]
            rng = random.Random(0)
            drawn = [
                _scores(prepared, [_update(one) for one in rng.sample(matching, int(about))])
                for _ in range(10)
            ]
            rows.setdefault("random", []).append(tuple(map(mean, zip(*drawn, strict=True))))
        print(f"{'':18}" + "".join(f"{story.split('_')[0]:>20}" for story in QUERIES) + f"{'mean':>20}")
        for system, scores in rows.items():
            cells = [*scores, tuple(map(mean, zip(*scores, strict=True)))]
            print(f"{system:18}" + "".join(f"{_figures(cell):>20}" for cell in cells), flush=True)


def _figures(values: Sequence[float]) -> str:
    return " ".join(f"{value:.3f}" for value in values)


def _update(sentence: Sentence) -> Update:
    return Update("query", sentence.doc_id, sentence.index, sentence.published_time, 1.0, sentence.text)


def _scores(prepared, updates: Sequence[Update]) -> tuple[float, ...]:  # type: ignore[no-untyped-def]
    (timeline,) = timelines_of(Run("", "", tuple(updates))).values()
    scores = prepared.score({next(iter(prepared.names)): timeline})
    by_name = {str(measure): value for measure, value in scores.overall.items()}
    return tuple(by_name[name] for name in AIMS)


def table_of_trec(systems: Sequence[str], cache: Cache) -> None:
    """Updates a day with news at 10 a day, on the pools of 2013 and 2014."""
    for system in systems:
        for year in ("2013", "2014"):
            rates = cache.figures(f"trec {system} {year}", partial(rates_of_trec, system, year))
            shown = " ".join(f"{rate:.1f}" for rate in sorted(rates))
            print(f"TREC {year} {system:9} at 10/day: median {median(rates):.1f}; {shown}", flush=True)


def rates_of_trec(system: str, year: str) -> list[float]:
    """For each event of a year, updates over days in which something of its pool was published."""
    events, documents = read_events(DATA / "trec-ts" / year), list(read_stream(DATA / "trec-ts" / year))
    counts: Counter[str] = Counter()
    for _, outputs in follow_stream(documents, events, make(f"{system}:about=10/day")):
        counts.update(output.event_id for output in outputs)
    days: dict[str, set[int]] = {event.id: set() for event in events}
    for one in documents:
        for sentence in one.sentences:
            for event_id in sentence.events or ():
                if event_id in days:
                    days[event_id].add(one.published_time // DAY_S)
    return [counts[event.id] / len(days[event.id]) for event in events if days[event.id]]


def table_of_speed() -> None:
    """Seconds that the gate alone takes for each candidate."""
    from tidings.following.systems.pace.gate import PaceGate
    from tidings.following.systems.pace.schedules import Pace

    rng = random.Random(0)
    scores = [rng.random() for _ in range(200_000)]
    gate = PaceGate(Pace(about="10/day"), None, None)
    began = time.process_time()
    for number, score in enumerate(scores):
        if not number % 10:
            gate.open(number)
        if gate.admits(score, f"d{number // 10}"):
            gate.count_update()
    print(f"the gate: {(time.process_time() - began) / len(scores) * 1e6:.2f} µs a candidate")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = command_line(__doc__)
    parser.add_argument(
        "--only", action="append", choices=("asis", "shapes", "swollen", "trec", "quality", "speed")
    )
    parser.add_argument("--system", action="append")
    parser.add_argument("--about", action="append", help="for quality (default 50)")
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args(arguments)
    systems, cache = options.system or SYSTEMS, Cache(options.cache)
    parts = options.only or ("asis", "shapes", "swollen", "trec", "quality", "speed")
    shapes = {"asis": ["as it is"], "shapes": ["10 hours", "5 years", "thinned"], "swollen": ["100,000"]}
    for part in parts:
        for shape in shapes.get(part, []):
            table_of_paces(shape, systems, cache)
        if part == "trec":
            table_of_trec(systems, cache)
        if part == "quality":
            table_of_quality(systems, options.about or ["50"])
        if part == "speed":
            table_of_speed()


if __name__ == "__main__":
    sys.exit(main())
