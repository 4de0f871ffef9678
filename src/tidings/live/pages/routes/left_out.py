"""What was left out of an event: the page, the same as JSON, and a reader's remark that it should be an update."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from tidings.core import ReaderMark, Update
from tidings.following import LEFT_OUT_REASONS, Ledger, LeftOut
from tidings.live.pages.answers import ERRORS, WRITING, EventId
from tidings.live.pages.routes.events import as_wanted, called
from tidings.live.pages.visits import Editing, Reading, known_event, live_of
from tidings.live.store.search import parse_query
from tidings.web import page

left_out_router = APIRouter()
_MOST_HOURS = 48
_MOST_DEVELOPMENTS = 5
_MOST_SHOWN = 200
_MOST_UPDATES = 500  # to which a sentence left out can lead
_LONGEST = 300

Words = Annotated[str, Query(max_length=2_000, description="Only sentences with these words.")]
Reason = Annotated[str, Query(max_length=40, description="Only sentences left out for this reason.")]


@left_out_router.get("/events/{event_id}/left-out", include_in_schema=False)
def left_out(
    request: Request, visitor: Reading, event_id: str, q: Words = "", reason: Reason = ""
) -> Response:
    """What became no update of an event and why, with a search over it."""
    live = live_of(request)
    event, _ = as_wanted(known_event(live, event_id))
    ledger = live.outputs.ledger(event_id)
    found = live.outputs.latest(event_id=event_id, kinds=["update"], limit=_MOST_UPDATES)
    numbers = {output.output.id: output.seq for output in found if isinstance(output.output, Update)}
    return page(
        request,
        "left_out.html.j2",
        event=event,
        title=called(event),
        total=ledger.own,
        counts=[(name, LEFT_OUT_REASONS[name], count) for name, count in ledger.counts.items()],
        developments=ledger.developments[::-1][:_MOST_DEVELOPMENTS],
        more=max(0, len(ledger.developments) - _MOST_DEVELOPMENTS),
        items=_find_sentences(ledger, q, reason),
        reasons=LEFT_OUT_REASONS,
        updates=numbers,
        wanted={sentence.id for sentence in ledger.wanted},
        words=q.replace("\x00", " ")[:_LONGEST],
        reason=reason,
        hours=[
            (hour * 3600, counts) for hour, counts in sorted(ledger.hours.items(), reverse=True)[:_MOST_HOURS]
        ],
    )


def _find_sentences(ledger: Ledger, words: str, reason: str) -> list[LeftOut]:
    query = parse_query(words.replace("\x00", " ")[:_LONGEST])
    return [
        sentence
        for sentence in reversed(ledger.sentences)
        if (sentence.reason == reason if reason else query or sentence.reason != "off-topic")
        and (not query or query.matches(f"{sentence.text} {sentence.source}"))
    ][:_MOST_SHOWN]


@left_out_router.get(
    "/api/events/{event_id}/left-out",
    tags=["reading"],
    responses=ERRORS,
    response_description="Counts, developments and sentences.",
)
def left_out_of(
    request: Request, visitor: Reading, event_id: EventId, q: Words = "", reason: Reason = ""
) -> dict[str, Any]:
    """Left-out sentences, newest first, with counts by reason and the developments that no update covers."""
    live = live_of(request)
    known_event(live, event_id)
    return ledger_answer(live.outputs.ledger(event_id), q, reason)


def ledger_answer(ledger: Ledger, words: str, reason: str) -> dict[str, Any]:
    """A ledger as plain values, with the sentences that are asked for.

    Of a development `articles` counts those that name no outlet.
    """
    return {
        "counts": ledger.counts,
        "developments": [
            {"text": group.text, "outlets": group.outlets, "articles": group.documents}
            for group in ledger.developments[::-1]
        ],
        "items": [
            {
                "sentence": sentence.id,
                "reason": sentence.reason,
                "repeats": sentence.of,
                "published_time": sentence.published_time,
                "text": sentence.text,
                "source": sentence.source,
                "url": sentence.url,
            }
            for sentence in _find_sentences(ledger, words, reason)
        ],
    }


class WantedBody(BaseModel):
    """A sentence that was left out, by its id; `withdrawn` takes back that it should have been an update."""

    model_config = ConfigDict(extra="forbid")

    sentence: Annotated[str, Field(min_length=1, max_length=600)]
    withdrawn: bool = False


@left_out_router.post("/api/events/{event_id}/left-out", **WRITING)
def want(request: Request, visitor: Editing, event_id: EventId, body: WantedBody) -> dict[str, Any]:
    """Mark a left-out sentence as one that should be an update; it becomes one with the next article."""
    live = live_of(request)
    if live.events.find(event_id) is None:
        raise HTTPException(404, "There is no such story.")
    mark = wanted_mark(live.outputs.ledger(event_id), body.sentence, withdrawn=body.withdrawn)
    if mark is None:
        raise HTTPException(404, "There is no such sentence among those that were left out.")
    entry = live.events.mark(event_id, mark, visitor.account.name)
    return {"entry": entry.seq, "sentence": mark.update_id, "withdrawn": body.withdrawn}


def wanted_mark(ledger: Ledger, sentence: str, *, withdrawn: bool = False) -> ReaderMark | None:
    """A reader's word that a sentence of a ledger, by its id, should be an update; None where it has none such."""
    found = next(
        (left_out for left_out in (*ledger.sentences, *ledger.wanted) if left_out.id == sentence), None
    )
    if found is None:
        return None
    return ReaderMark(update_id=found.id, text=found.text, mark="wanted", withdrawn=withdrawn)
