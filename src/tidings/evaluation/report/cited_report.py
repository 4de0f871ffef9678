"""A report of an event with a citation for each sentence, in the form in which TREC's report generation takes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from tidings.core import Event, Run, Support, Update, count_words

_MOST_CITATIONS = 3  # documents cited for one sentence


class Response(Struct, frozen=True):
    """A sentence of a report with the ids of the documents that say it, the one it is quoted from first."""

    text: str
    citations: tuple[str, ...]


class CitedReport(Struct, frozen=True):
    """A report: whose, on what, its sentences, and all documents that it cites."""

    metadata: dict[str, str]
    responses: tuple[Response, ...]
    references: tuple[str, ...]


def build_report(
    event: Event, run: Run, updates: Sequence[Update], supports: Sequence[Support], most_words: int
) -> CitedReport:
    """The updates that most outlets repeat, as many as fit into `most_words`, in the order of their times."""
    repeats: dict[str, list[str]] = {}
    for support in supports:
        if support.same:
            repeats.setdefault(support.update_id, []).append(support.evidence.doc_id)
    counts = Counter({name: len(set(documents)) for name, documents in repeats.items()})
    order = sorted(range(len(updates)), key=lambda place: (-counts[updates[place].id], place))
    kept, words = [], 0
    for place in order:
        length = count_words(updates[place].text)
        if words + length <= most_words:
            kept.append(place)
            words += length
    responses = tuple(
        Response(
            updates[place].text,
            tuple(dict.fromkeys([updates[place].doc_id, *repeats.get(updates[place].id, ())]))[
                :_MOST_CITATIONS
            ],
        )
        for place in sorted(kept)
    )
    references = dict.fromkeys(doc_id for response in responses for doc_id in response.citations)
    about = {"team_id": run.team, "run_id": run.name, "topic_id": event.id, "title": event.title}
    return CitedReport(about, responses, tuple(references))
