"""Values of objects in words: what a change changed, and what a judgment says, for people."""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["Difference", "differences", "in_words", "short"]

_SHORT_CHARS = 200


class Difference(msgspec.Struct, frozen=True):
    """One part of a value that a change changed."""

    name: str
    before: str
    after: str


def short(value: Any, longest: int = _SHORT_CHARS) -> str:
    """A value as JSON, cut where it is long; empty for None.

    >>> short({"grade": 2}), short(None), short("a" * 20, 8)
    ('{"grade":2}', '', '"aaaaaa…')
    """
    if value is None:
        return ""
    text = value if isinstance(value, str) and longest > _SHORT_CHARS else msgspec.json.encode(value).decode()
    return text if len(text) <= longest else text[: longest - 1] + "…"


def differences(before: Any, after: Any) -> list[Difference]:
    """What differs between two values: by their parts where both have parts.

    >>> differences({"text": "A fire.", "time": 1}, {"text": "A great fire.", "time": 1})
    [Difference(name='text', before='"A fire."', after='"A great fire."')]
    >>> differences(None, {"grade": 2})
    [Difference(name='grade', before='', after='2')]
    """
    one = before if isinstance(before, dict) else {} if before is None else {"": before}
    other = after if isinstance(after, dict) else {} if after is None else {"": after}
    return [
        Difference(name, short(one.get(name)), short(other.get(name)))
        for name in dict.fromkeys([*one, *other])
        if one.get(name) != other.get(name)
    ]


def in_words(kind: str, value: Any, names: dict[str, str], text: str = "") -> list[str]:
    """A judgment as lines that people read.

    Args:
        kind: of the object.
        value: its value; None is no judgment.
        names: what nuggets, clusters and events are called.
        text: of the item, of which spans are quoted.

    >>> in_words("matches", {"matches": [{"nugget": "n1", "start": 0, "end": 5}]}, {"n1": "A fire"}, "Fires rage.")
    ['A fire: “Fires”']
    >>> in_words("membership", {"cluster": None}, {}), in_words("relevance", {"grade": 2}, {})
    (['not relevant'], ['highly relevant'])
    """
    if value is None:
        return ["no judgment"]
    if kind == "matches":
        return [_match(one, names, text) for one in value["matches"]] or ["tells no nugget"]
    if kind == "relevance":
        return [("not relevant", "relevant", "highly relevant")[value["grade"]]]
    if kind == "membership":
        cluster = value["cluster"]
        return ["not relevant" if cluster is None else names.get(cluster, cluster)]
    if kind == "links":
        return [names.get(event, event) for event in value["events"]] or ["tells of no event"]
    if kind == "verdict":
        return ["accepted" if value["accepted"] else "rejected"]
    if kind == "grade":
        return [f"grade {value['grade']}"]
    if kind == "answer":
        return [f"sentence {value['sentence']}", "important" if value["important"] else "not important"]
    return [short(value)]


def _match(one: dict[str, Any], names: dict[str, str], text: str) -> str:
    quoted = text[one["start"] : one["end"]]
    nugget = names.get(one["nugget"], one["nugget"])
    return f"{nugget}: “{quoted}”" if quoted else str(nugget)
