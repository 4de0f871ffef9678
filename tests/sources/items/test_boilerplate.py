"""What an outlet repeats in all its documents is left out; what two of them share, or other outlets, is not."""

from __future__ import annotations

from tidings.core.files.reading import Notes, ReadingOptions
from tidings.core.records import Document, Item, Sentence
from tidings.sources.items.documents import Boilerplate, DocumentBuilder

CALL = "Sign up for our newsletter."


def document(number: int, text: str, source: str = "Wire", **fields) -> Document:
    return Document(id=f"d{number}", published_time=number, source=source, text=text, **fields)


def read(boilerplate: Boilerplate, *texts: str, source: str = "Wire") -> list[str]:
    return [boilerplate.without(document(n, text, source)).text for n, text in enumerate(texts)]


def test_the_third_document_of_an_outlet_is_without_it() -> None:
    boilerplate = Boilerplate()
    texts = [f"Fact {n} is known.\n{CALL}\nMore of fact {n} follows." for n in range(4)]
    assert read(boilerplate, *texts) == [
        *texts[:2],
        "Fact 2 is known.\n\nMore of fact 2 follows.",
        "Fact 3 is known.\n\nMore of fact 3 follows.",
    ]
    assert boilerplate.sentences == 2


def test_other_outlets_may_say_the_same() -> None:
    boilerplate = Boilerplate()
    for outlet in ("One", "Two", "Three", "Four"):
        assert read(boilerplate, f"A ferry burns. {CALL}", source=outlet) == [f"A ferry burns. {CALL}"]


def test_twice_in_one_document_counts_once() -> None:
    assert read(Boilerplate(), f"{CALL} {CALL}", f"It is. {CALL} So.")[1] == f"It is. {CALL} So."


def test_a_document_of_nothing_else_stays() -> None:
    assert read(Boilerplate(), *[CALL] * 4)[3] == CALL


def test_white_space_makes_no_difference_and_other_words_do() -> None:
    texts = [f"Fact {n} stands. Read  on\there." for n in range(3)]
    assert (
        read(Boilerplate(), "One stands. Read on here.", "Two stand. Read on here.", texts[0])[2]
        == "Fact 0 stands."
    )
    assert (
        read(Boilerplate(), "B 1. Read on here.", "B 2. Read on here.", "A. Read on there.")[2]
        == "A. Read on there."
    )


def test_what_a_source_has_cut_is_left_alone() -> None:
    boilerplate = Boilerplate()
    read(boilerplate, f"One is here. {CALL}", f"Two are here. {CALL}")
    cut = document(3, "", sentences=(Sentence("d3", 0, CALL, 3),))
    assert boilerplate.without(cut) is cut


def test_it_goes_on_from_its_state_and_forgets_the_oldest() -> None:
    one = Boilerplate()
    read(one, f"One is here. {CALL}", f"Two are here. {CALL}")
    other = Boilerplate()
    other.restore(one.state())
    assert read(other, f"C is here. {CALL}") == ["C is here."]
    small = Boilerplate(remembered=4)
    read(
        small,
        f"One is here. {CALL}",
        f"Two are here. {CALL}",
        *[f"Other text {n} stands here." for n in range(9)],
    )
    assert read(small, f"C is here. {CALL}") == [f"C is here. {CALL}"]


def test_the_builder_leaves_it_out_after_it_has_said_what_is_new() -> None:
    builder = DocumentBuilder(ReadingOptions(), Notes())
    items = [
        Item(
            origin=f"a:{n}",
            id=f"g{n}",
            source="Wire",
            text=f"Fact {n} is known. {CALL}",
            published=1_000_000_000 + n,
        )
        for n in range(4)
    ]
    half = [builder.document(item).text for item in items[:2]]
    again = DocumentBuilder(ReadingOptions(), Notes())
    again.restore(builder.state())
    assert [*half, *(again.document(item).text for item in items[2:])] == [
        f"Fact 0 is known. {CALL}", f"Fact 1 is known. {CALL}", "Fact 2 is known.", "Fact 3 is known.",
    ]  # fmt: skip
    assert again.document(items[3]) is None
