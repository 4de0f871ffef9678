"""JSON as a whole and by lines: answers of other people's interfaces, exports, and what goes wrong in them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, LimitError, UsageError
from tidings.core.files.reading import Content, Limits, Notes, ReadingOptions
from tidings.core.records import Item
from tidings.sources.recognition import recognise
from tidings.sources.tables.json_items import read_json

NEWSAPI = cases(__file__, "newsapi", lists=True)
GUARDIAN = cases(__file__, "guardian", lists=True)
TIMES = cases(__file__, "times", lists=True)
GDELT = cases(__file__, "gdelt", lists=True)
_POST = cases(__file__, "post")
REDDIT = {"kind": "Listing", "data": {"children": [{"kind": "t3", "data": _POST}]}}


def read(value: Any, name: str = "a.json", notes: Notes | None = None, **options: Any) -> list[Item]:
    data = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
    content = Content(name, data=data)
    kind = recognise(content)
    assert kind is not None
    return list(kind.read(content, options=ReadingOptions(**options), notes=notes))


def test_newsapi() -> None:
    notes = Notes()
    first, second = read(NEWSAPI, notes=notes)
    assert (first.title, first.text, first.url) == (
        "Ferry on fire",
        "A ferry burns off Nador…",
        "https://wire.example/1",
    )
    assert (first.published, first.source, first.id) == ("2026-02-17T08:30:00Z", "The Wire", "")
    assert second.text == "The fire on the ferry is out."
    assert notes.remarks == [
        "a.json: columns taken: time=publishedAt, title=title, text=content or description, url=url, outlet=source.name"
    ]


@pytest.mark.parametrize(
    ("answer", "item"),
    [
        (
            GUARDIAN,
            (
                "world/2026/feb/17/ferry",
                "Ferry on fire",
                "A ferry burns off Nador.",
                "https://g.example/1",
                "",
            ),
        ),
        (
            TIMES,
            (
                "nyt://article/1",
                "Ferry on fire",
                "A ferry burned on Tuesday.",
                "https://t.example/1",
                "The Times",
            ),
        ),
        (GDELT, ("", "Ferry on fire", "", "https://d.example/1", "d.example")),
        (REDDIT, ("a1", "Ferry on fire", "It burns.", "https://r.example/1", "")),
    ],
    ids=["guardian", "times", "gdelt", "reddit"],
)
def test_answers_of_interfaces(answer: Any, item: tuple[str, ...]) -> None:
    [found] = read(answer)
    assert (found.id, found.title, found.text, found.url, found.source) == item
    assert found.published in (
        "2026-02-17T08:30:00Z",
        "2026-02-17T08:30:00+0000",
        "20260217T083000Z",
        1771313400,
    )


ARTICLE = {"headline": "Ferry on fire", "date": "2026-02-17", "body": "A ferry burns off Nador."}


@pytest.mark.parametrize(
    "value",
    [
        [ARTICLE],
        ARTICLE,
        {"a": {"b": {"c": [ARTICLE]}}},
        {"title": "A feed", "url": "https://f.example", "items": [ARTICLE]},
        {"17": ARTICLE},
        {"errors": [], "pages": [1, 2], "hits": [ARTICLE]},
        {**ARTICLE, "comments": [{"text": "So sad", "date": "2026-02-18"}] * 5},
        {"_source": ARTICLE, "_id": "x"},
    ],
)
@pytest.mark.parametrize("slow", [False, True])
def test_where_a_list_can_stand(value: Any, slow: bool) -> None:
    if slow:
        # A number that is none of JSON makes the whole be read another way.
        odd = {"odd": float("nan")}
        value = [*value, odd] if isinstance(value, list) else {**value, **odd}
    notes = Notes()
    first = next(iter(read(value, notes=notes)))
    assert (first.title, first.text) == ("Ferry on fire", "A ferry burns off Nador.")


def test_entries_that_are_no_objects_are_left_out() -> None:
    notes = Notes()
    assert [item.origin for item in read([None, ARTICLE, 3, ARTICLE], notes=notes)] == [
        "a.json:2",
        "a.json:4",
    ]
    assert notes.examples[0] == ("a.json:1", "an entry that is no object of JSON")


@every(
    "data, found",
    [
        (b"[1, 2]", "JSON without a list of articles"),
        (b'{"a": 1}', "JSON without a list of articles"),
        (b'{"a": ', "no JSON"),
        (b"[{]", "no JSON"),
        (b"[" * 100_000, "brackets nested without end"),
        (b'{"a":' * 100_000, "brackets nested without end"),
        (b'[{"name": "Ann"}]', "no column of dates among name"),
    ],
)
def test_what_is_no_list_of_articles(data: bytes, found: str) -> None:
    with pytest.raises(FormatError, match=rf"^a\.json: {found}"):
        read(data)


def test_a_deep_cell_is_one_bad_entry() -> None:
    deep = b'{"headline": "x", "date": "2026-02-17", "body": ' + b"[" * 50_000 + b"]" * 50_000 + b"}"
    good = json.dumps(ARTICLE).encode()
    notes = Notes()
    items = read(good + b"\n" + deep + b"\n" + good + b"\n", "a.ndjson", notes)
    assert [item.origin for item in items] == ["a.ndjson:1", "a.ndjson:3"]
    assert notes.examples == [("a.ndjson:2", "a line that is no object of JSON")]


def test_a_whole_has_a_limit() -> None:
    content = Content("a.json", data=json.dumps([ARTICLE] * 100).encode())
    with pytest.raises(LimitError, match=r"a\.json: more than 0 MiB of JSON in one value.*one object a line"):
        list(read_json(content, limits=Limits(max_whole_bytes=1000)))


def test_keys_that_come_twice_and_lone_surrogates() -> None:
    [item] = read(rb'[{"date": "2020-01-01", "date": "2026-02-17", "title": "A \ud800 B", "text": "C"}]')
    assert item.published == "2026-02-17"
    assert item.text == "C"


def test_utf_16_and_bytes_that_are_no_utf_8() -> None:
    [item] = read(json.dumps([ARTICLE | {"body": "Fähre"}], ensure_ascii=False).encode("utf-16"))
    assert item.text == "Fähre"
    [item] = read(json.dumps([ARTICLE]).encode().replace(b"off", b"o\xfff"))
    assert item.text == "A ferry burns o\ufffdf Nador."


@every("name", ["a.jsonl", "a.ndjson", "a.json"])
def test_lines(name: str) -> None:
    data = "".join(json.dumps({**ARTICLE, "id": f"n{number}"}) + "\n" for number in range(5)).encode()
    assert [(item.id, item.origin) for item in read(data, name)] == [
        (f"n{n}", f"{name}:{n + 1}") for n in range(5)
    ]


def test_lines_whose_fields_come_and_go() -> None:
    lines = [
        {"created": "2026-02-17", "content": "First."},
        {"content": "Second.", "created": "2026-02-18", "meta": {"x": 1}},
        {"created": None, "content": None},
        [],
    ]
    notes = Notes()
    items = read("\n".join(map(json.dumps, lines)).encode(), "a.jsonl", notes)
    assert [item.text for item in items] == ["First.", "Second."]
    assert notes.examples == [("a.jsonl:4", "a line that is no object of JSON")]


def test_texts_in_pieces_and_sentences() -> None:
    one = {"date": "2026-02-17", "paragraphs": 2, "text": ["One.", {"text": "Two."}]}
    [item] = read([one])
    assert item.text == "One.\nTwo."
    two = {"date": "2026-02-17", "sentences": [{"raw": "One .", "tokens": ["One", "."]}, {"raw": "Two ."}]}
    [item] = read([two])
    assert (item.sentences, item.text) == (("One .", "Two ."), "")


def test_nested_names_can_be_named() -> None:
    value = [{"when": {"at": "2026-02-17"}, "what": {"words": "A ferry burns."}, "who": {"name": "Wire"}}]
    columns = (("time", "when.at"), ("text", "what.words"), ("outlet", "who.name"))
    [item] = read(value, columns=columns)
    assert (item.published, item.text, item.source) == ("2026-02-17", "A ferry burns.", "Wire")
    with pytest.raises(
        UsageError, match=r"no column 'who' for outlet \(expected one of when\.at, what\.words"
    ):
        read(value, columns=(("outlet", "who"),))


@every("order", [1, -1])
def test_the_longest_list_is_taken(order: int) -> None:
    lists = {"related": [ARTICLE | {"body": "Another story."}], "articles": [ARTICLE] * 2}
    assert len(read(dict(list(lists.items())[::order]))) == 2


def test_numbers_that_are_none_are_nothing() -> None:
    [item] = read(b'[{"date": "2026-02-17", "title": Infinity, "text": "A fire.", "id": NaN}]')
    assert (item.title, item.id, item.text) == ("", "", "A fire.")


@every("odd", [None, float("nan")])
def test_the_names_of_objects_are_ids_where_there_are_no_others(odd: Any) -> None:
    [item] = read({"n17": ARTICLE | {"odd": odd}})
    assert item.id == "n17"
    [item] = read({"0": ARTICLE | {"guid": "n18", "odd": odd}})
    assert item.id == "n18"
