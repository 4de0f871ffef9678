"""How someone was corrected: their own judgments beside what was decided."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from msgspec import Struct

from tidings.annotation.desk.disagreements import same_answer
from tidings.annotation.desk.showing import item_link, names_of, text_of
from tidings.annotation.store import Desk
from tidings.annotation.tasks import JUDGED_KINDS, TASKS, in_words
from tidings.core import FINAL, SHARED, DeskTopic, judge_layer


class Piece(Struct, frozen=True):
    """A stretch of a text: marked by one's own spans, by those that were decided, by both, or by neither."""

    text: str
    own: bool
    final: bool


class Correction(Struct, frozen=True):
    """An object that was decided otherwise than someone judged it."""

    topic: DeskTopic
    task: str
    kind: str
    id: str
    link: str
    own: tuple[str, ...]
    final: tuple[str, ...]
    pieces: tuple[Piece, ...]


def pieces(text: str, own: list[tuple[int, int]], final: list[tuple[int, int]]) -> tuple[Piece, ...]:
    """A text cut where a span begins or ends.

    >>> [(one.text, one.own, one.final) for one in pieces("A fire rages.", [(2, 6)], [(2, 12)])]
    [('A ', False, False), ('fire', True, True), (' rages', False, True), ('.', False, False)]
    """
    cuts = {0, len(text)} | {min(max(at, 0), len(text)) for span in (*own, *final) for at in span}
    ordered = sorted(cuts)

    def within(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
        return any(first <= start and end <= last for first, last in spans)

    return tuple(
        Piece(text[start:end], within(start, end, own), within(start, end, final))
        for start, end in pairwise(ordered)
    )


def corrections_of(desk: Desk, project_id: int, account_id: int) -> tuple[list[Correction], int]:
    """What of an account's judgments was decided otherwise, by topic, and how many were decided in all."""
    found: list[Correction] = []
    compared = 0
    for topic in desk.projects.topics(project_id):
        own = desk.log.objects(project_id, topic.number, layer=judge_layer(account_id))
        final = {
            (judged.kind, judged.id): judged.value
            for judged in desk.log.objects(project_id, topic.number, layer=FINAL)
        }
        names = names_of(desk, project_id, topic.number, (SHARED, FINAL, judge_layer(account_id)))
        for entry in own:
            decided = final.get((entry.kind, entry.id))
            if entry.kind not in JUDGED_KINDS or decided is None:
                continue
            compared += 1
            # Clusters have other ids in each layer: their labels are compared.
            mine, theirs = in_words(entry.kind, entry.value, names), in_words(entry.kind, decided, names)
            same = (
                mine == theirs
                if entry.kind == "membership"
                else same_answer(entry.kind, entry.value, decided)
            )
            if same:
                continue
            text = text_of(desk, project_id, topic.number, entry.kind, entry.id)
            found.append(
                Correction(
                    topic,
                    next(task.title for task in TASKS if entry.kind in task.kinds),
                    entry.kind,
                    entry.id,
                    item_link(project_id, topic.number, entry.kind, entry.id),
                    tuple(in_words(entry.kind, entry.value, names, text)),
                    tuple(in_words(entry.kind, decided, names, text)),
                    pieces(text, _spans(entry.value), _spans(decided)),
                )
            )
    return found, compared


def _spans(value: Any) -> list[tuple[int, int]]:
    matches = value.get("matches", []) if isinstance(value, dict) else []
    return [(match["start"], match["end"]) for match in matches]
