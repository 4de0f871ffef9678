"""What readers say of updates: kept as judgments, and heeded by who follows the event."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field

from tidings.core import MarkKind, ReaderMark, Update
from tidings.live.pages.visits import Editing, live_of

__all__ = ["router"]

router = APIRouter(prefix="/api")


class MarkBody(BaseModel):
    """A mark of an update, by its number; `withdrawn` takes back what was said of it."""

    model_config = ConfigDict(extra="forbid")

    update: Annotated[int, Field(ge=1, le=2**53)]
    mark: MarkKind
    withdrawn: bool = False


@router.post("/events/{event_id}/marks")
def mark(request: Request, visitor: Editing, event_id: str, body: MarkBody) -> dict[str, Any]:
    """Say of an update that it is not about the event, or that it was known; what resembles it is told less."""
    live = live_of(request)
    if live.events.find(event_id) is None:
        raise HTTPException(404, "no such event is followed")
    numbered = live.outputs.after(body.update - 1, event_id=event_id, kinds=["update"], limit=1)
    update = numbered[0].output if numbered and numbered[0].seq == body.update else None
    if not isinstance(update, Update):
        raise HTTPException(404, "no such update of this event")
    text = update.text.encode("utf-8", "replace").decode()  # halves of characters, which the log cannot hold
    said = ReaderMark(update_id=update.id, text=text, mark=body.mark, withdrawn=body.withdrawn)
    entry = live.events.mark(event_id, said, visitor.account.name)
    return {"entry": entry.seq, "update": body.update, "mark": body.mark, "withdrawn": body.withdrawn}
