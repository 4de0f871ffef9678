"""What the conditions of rules see in an output: a line to tell, or nothing; and what they remember of it."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Literal, TypeAlias

from msgspec.structs import replace

from tidings.core import (
    AlarmRule,
    EntityNew,
    EntityRanking,
    Output,
    Update,
    UpdateAbove,
    ValueRose,
    ValueUpdate,
)
from tidings.live.alarms.memory import DayOfEntities, RuleMemory

__all__ = ["EarlierValue", "Occasion", "occasion"]

EarlierValue: TypeAlias = Callable[[str, str], float | None]
"""What a value (of an event, an attribute) was before the outputs that are looked at; None where it was not known."""

Kind: TypeAlias = Literal["update", "value", "entity"]

_MOST_ENTITIES = 40


class Occasion:
    """What is worth an alarm: its kind, a line that says it, and the document behind it."""

    def __init__(
        self, kind: Kind, text: str, source: str = "", url: str = "", confidence: float | None = None
    ) -> None:
        self.kind: Kind = kind
        self.text, self.source, self.url, self.confidence = text, source, url, confidence


def occasion(
    rule: AlarmRule, memory: RuleMemory, output: Output, earlier: EarlierValue
) -> tuple[Occasion | None, RuleMemory]:
    """What a rule has to say of an output (None: nothing), and what it remembers after it.

    >>> rule = AlarmRule(name="all", when=UpdateAbove(worth=0.5))
    >>> update = Update("storm", "d1", 0, 60, 0.7, "A storm.")
    >>> occasion(rule, RuleMemory(), update, lambda event, attribute: None)[0].text
    'A storm.'
    """
    if rule.event_id and output.event_id != rule.event_id:
        return None, memory
    when = rule.when
    if isinstance(when, UpdateAbove) and isinstance(output, Update):
        return _update(when, output), memory
    if isinstance(when, ValueRose) and isinstance(output, ValueUpdate):
        return _value(when, memory, output, earlier)
    if isinstance(when, EntityNew) and isinstance(output, EntityRanking):
        return _entities(when, memory, output)
    return None, memory


def _update(when: UpdateAbove, update: Update) -> Occasion | None:
    if not update.confidence >= when.worth:
        return None
    text = update.text or update.title or update.id
    return Occasion("update", text, update.source, update.url, update.confidence)


def _value(
    when: ValueRose, memory: RuleMemory, value: ValueUpdate, earlier: EarlierValue
) -> tuple[Occasion | None, RuleMemory]:
    if len(value.value) != 1 or (when.attributes and value.attribute not in when.attributes):
        return None, memory
    now, of_event = value.value[0], memory.values.get(value.event_id, {})
    if not isfinite(now):
        return None, memory
    before = of_event.get(value.attribute)
    if before is None:
        before = earlier(value.event_id, value.attribute) or 0.0
    rose = now > before and now >= before * (1 + when.share)
    # What fell by as much was told too high: what rises from there on is news again.
    fell = now <= before * (1 - when.share) and now < before
    base = now if rose or fell else before
    values = {**memory.values, value.event_id: {**of_event, value.attribute: base}}
    memory = replace(memory, values=values)
    if not rose:
        return None, memory
    first = value.evidence[0] if value.evidence else None
    was = f", before {before:,g}" if before else ""
    text = f"{value.attribute}: {now:,.10g}{was}"
    return Occasion(
        "value",
        text,
        first.source if first else "",
        first.url if first else "",
        value.confidence,
    ), memory


def _entities(
    when: EntityNew, memory: RuleMemory, ranking: EntityRanking
) -> tuple[Occasion | None, RuleMemory]:
    before = memory.entities.get(ranking.event_id, DayOfEntities())
    announced = before.announced
    fresh = [
        place
        for place, name in enumerate(ranking.entities[: when.top])
        if name not in announced and _is_new(ranking, place, before)
    ]
    names = [ranking.entities[place] for place in fresh]
    after = DayOfEntities(
        ranking.date, ranking.entities[:_MOST_ENTITIES], (*announced, *names)[-_MOST_ENTITIES:]
    )
    memory = replace(memory, entities={**memory.entities, ranking.event_id: after})
    if not fresh:
        return None, memory
    evidence = ranking.evidence[fresh[0]] if fresh[0] < len(ranking.evidence) else None
    text = f"new among the first {when.top} of {ranking.date}: {', '.join(names)}"
    quoted = f" (“{evidence.text}”)" if evidence is not None and evidence.text else ""
    return Occasion(
        "entity", text + quoted, evidence.source if evidence else "", evidence.url if evidence else ""
    ), memory


def _is_new(ranking: EntityRanking, place: int, before: DayOfEntities) -> bool:
    if ranking.new:
        return ranking.new[place]
    # A ranking that does not say is held against the one before it.
    return bool(before.date) and ranking.entities[place] not in before.entities
