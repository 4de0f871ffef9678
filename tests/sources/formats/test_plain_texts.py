"""Plain texts and Markdown: titles, dates and paragraphs of files as people keep them."""

from __future__ import annotations

import pytest

from tests.sweeps import every
from tidings.core.errors import FormatError
from tidings.core.files.reading import Content, Notes
from tidings.core.records.documents import Item
from tidings.sources.pages.plain import date_of_name, read_text

BODY = "A ferry burns in the harbour.\n\nAll of its passengers are safe."
LINES = "A ferry burns in the harbour.\nAll of its passengers are safe."


def item(text: str | bytes, name: str = "x.txt") -> Item:
    (only,) = read_text(Content(name, data=text if isinstance(text, bytes) else text.encode()))
    return only


@every(
    "text, name, title, published",
    [
        (f"Ferry burns\n\n{BODY}", "x.txt", "Ferry burns", None),
        (f"Ferry burns\n===========\n\n{BODY}", "x.txt", "Ferry burns", None),
        (BODY, "x.txt", "", None),
        (f"Ferry burns\n\n17 February 2026\n\n{BODY}", "x.txt", "Ferry burns", "17 February 2026"),
        (f"Ferry burns\n\nPublished: 2026-02-17 08:30\n\n{BODY}", "x.txt", "Ferry burns", "2026-02-17 08:30"),
        (f"2026-02-17T08:30:00Z\nFerry burns\n\n{BODY}", "x.txt", "Ferry burns", "2026-02-17T08:30:00Z"),
        (f"Ferry burns\n\n{BODY}", "2026-02-17-fire.txt", "Ferry burns", "2026-02-17"),
        (f"Ferry burns\n\n17 February 2026\n\n{BODY}", "2026-03-01.txt", "Ferry burns", "17 February 2026"),
        (f"# Ferry burns #\n\n{BODY}", "x.md", "Ferry burns", None),
        (f"![](a.png)\n\n# A *ferry* burns\n\n{BODY}", "x.md", "A ferry burns", None),
        (f"---\ntitle: \"Ferry burns\"\ndate: 2026-02-17 # a comment\ntags: [a]\n---\n\n{BODY}", "x.md",
         "Ferry burns", "2026-02-17"),
        (f"+++\ntitle = 'Ferry burns'\ndate = 2026-02-17\n+++\n{BODY}", "x.md", "Ferry burns", "2026-02-17"),
        (f"Date: Tue, 17 Feb 2026 08:30:00 +0100\nSubject: Ferry\n burns\n\n{BODY}", "x.txt", "Ferry burns",
         "Tue, 17 Feb 2026 08:30:00 +0100"),
    ],
)  # fmt: skip
def test_titles_and_dates(text: str, name: str, title: str, published: str | None) -> None:
    read = item(text, name)
    assert (read.title, read.published, read.text) == (title, published, LINES)


def test_other_fields() -> None:
    read = item(
        f"---\nurl: https://a.example/1\nsource: A Post\nlang: de\nguid: a-1\nlastmod: 2026-02-18\n---\n{BODY}"
    )
    assert (read.url, read.source, read.language) == ("https://a.example/1", "A Post", "de")
    assert (read.id, read.updated) == ("a-1", "2026-02-18")


@every(
    "text",
    [f"Note: this is no header.\n\n{BODY}", f"---\n\n{BODY}", f"---\ntitle: never ends\n{BODY}",
     f"Who: nobody\nWhat: nothing\n\n{BODY}"],
)  # fmt: skip
def test_what_is_no_header_stays_text(text: str) -> None:
    read = item(text)
    assert LINES in read.text
    assert text.split("\n", maxsplit=1)[0].strip("-") in f"{read.title}\n{read.text}"


def test_lines_that_are_wrapped_are_one_paragraph() -> None:
    wrapped = "\n".join(
        ["The ferry had left the harbour in the early morning of Tuesday,"] * 3 + ["and burned."]
    )
    assert item(f"Ferry burns\n\n{wrapped}\n\nAll are safe.").text.count("\n") == 1


def test_the_marks_of_markdown_go() -> None:
    text = (
        '# Ferry\n\n> A **ferry** [burns](https://a.example/(1) "x") in `the` harbour.\n\n'
        "- _All_ are safe ![](x.png)\n"
        "1. <b>Two</b> boats\n\n```\ncode\n```\n\n---\n\n## Later\n\nsnake_case and 2*3*4 stay. \\*So\\*.\n\n"
        "[1]: https://a.example\n"
        "<script>alert(1)</script><!-- not\nshown -->"
    )
    assert item(text, "x.md").text.split("\n") == [
        "A ferry burns in the harbour.", "All are safe", "Two boats", "code", "Later",
        "snake_case and 2*3*4 stay. *So*."
    ]  # fmt: skip


@every(
    "name, date",
    [("2026-02-17-fire.txt", "2026-02-17"), ("fire_20260217.md", "2026-02-17"),
     ("2026.02.17 08.30.txt", "2026-02-17T08:30"),
     ("20260217T083000Z.txt", "2026-02-17T08:30:00Z"), ("2026-13-17.txt", ""), ("12026-02-17.txt", ""),
     ("2026-02-17/fire.txt", ""), ("a.zip!2026-02-17.txt", "2026-02-17"), ("120260217.txt", "")],
)  # fmt: skip
def test_dates_in_names(name: str, date: str) -> None:
    assert date_of_name(name) == date


def test_what_is_no_text() -> None:
    for data in (b"\0" * 99, bytes(range(256)) * 9, b"\x89PNG\r\n\x1a\n\0\0\0\1\2\3"):
        with pytest.raises(FormatError, match=r"^x\.txt: no text but other data"):
            item(data)
    notes = Notes()
    assert list(read_text(Content("x.txt", data=b" \n\n"), notes=notes)) == []
    assert notes.dropped == {"no text": 1}


def test_encodings_of_texts() -> None:
    assert item("Le ferry brûle à l'aube, déjà.".encode("cp1252")).text == "Le ferry brûle à l'aube, déjà."
    assert item("Le ferry brûle".encode("utf-16")).title == "Le ferry brûle"
