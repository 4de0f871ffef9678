"""Tables as text: every way in which programs, people and Excel write them, and what goes wrong in them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, LimitError, TidingsError, UsageError
from tidings.core.files.reading import Content, Notes, ReadingOptions
from tidings.core.records import Item
from tidings.sources.tables import delimited
from tidings.sources.tables.cells import is_serial
from tidings.sources.tables.delimited import read_delimited

ROWS = [
    ("2026-02-17 08:30", "Ferry on fire", "A ferry burns off Nador. Two are missing.", "https://a.example/1"),
    ("2026-02-18 09:00", "Fire is out", "The fire on the ferry is out.", "https://a.example/2"),
]


def read(
    data: str | bytes, name: str = "news.csv", notes: Notes | None = None, **options: object
) -> list[Item]:
    content = Content(name, data=data if isinstance(data, bytes) else data.encode())
    return list(read_delimited(content, options=ReadingOptions(**options), notes=notes))  # type: ignore[arg-type]


def told(items: list[Item]) -> list[tuple[object, str, str, str]]:
    return [(item.published, item.title, item.text, item.url) for item in items]


def written(delimiter: str = ",", quoting: int = csv.QUOTE_MINIMAL, end: str = "\n") -> str:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator=end)  # type: ignore[arg-type]
    writer.writerows([("date", "title", "text", "url"), *ROWS])
    return file.getvalue()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_every_delimiter_and_line_end(delimiter: str, quoting: int, end: str) -> None:
    assert told(read(written(delimiter, quoting, end))) == ROWS


@every(
    "encoding, mark",
    [
        ("utf-8", b""),
        ("utf-8-sig", b""),
        ("utf-16", b""),
        ("utf-16-be", b""),
        ("utf-16-le", b""),
        ("cp1252", b""),
    ],
)
def test_every_encoding(encoding: str, mark: bytes) -> None:
    table = "Datum;Überschrift;Inhalt\r\n17.02.2026 08:30;Fähre brennt;Eine Fähre brennt vor Nador – „zwei“ Tote.\r\n"
    [item] = read(mark + table.encode(encoding))
    assert (item.published, item.title) == ("17.02.2026 08:30", "Fähre brennt")
    assert item.text == "Eine Fähre brennt vor Nador – „zwei“ Tote."


def test_other_code_pages_are_guessed_and_said() -> None:
    notes = Notes()
    [item] = read(
        "Дата;Заголовок;Текст\n17.02.2026;Пожар на пароме;В порту горит паром.\n".encode("cp1251"),
        notes=notes,
    )
    assert (item.title, item.text) == ("Пожар на пароме", "В порту горит паром.")
    assert "news.csv: read as cp1251, which is not UTF-8" in notes.remarks


def test_a_stray_byte_in_utf_8_is_one_character() -> None:
    notes = Notes()
    rows = "2026-02-17,Größe zählt für Öl\n" * 20
    items = read(f"date,text\n{rows}".encode() + b"2026-02-18,caf\xe9\n", notes=notes)
    assert [items[0].text, items[-1].text] == ["Größe zählt für Öl", "café"]
    assert notes.remarks[0].endswith("they were read as Windows-1252")


def test_the_line_of_excel_that_names_the_delimiter() -> None:
    [item] = read("sep=;\r\nDatum;Inhalt\r\n17.02.2026;Eins, zwei, drei, vier\r\n")
    assert (item.published, item.text, item.origin) == ("17.02.2026", "Eins, zwei, drei, vier", "news.csv:3")


@every("serial", ["46070.3541", "46070,3541"])
def test_days_of_excel(serial: str) -> None:
    items = read(f"Datum;Inhalt\n{serial};Eins\n46071;Zwei\n")
    assert [item.published for item in items] == ["2026-02-17T08:29:54", "2026-02-18T00:00:00"]


def test_days_of_excel_among_dates_that_it_left() -> None:
    items = read("Datum;Inhalt\n46070,5;Eins\n18.02.2026 08:00;Zwei\n")
    assert [item.published for item in items] == ["2026-02-17T12:00:00", "18.02.2026 08:00"]


def test_small_numbers_are_no_days_of_excel() -> None:
    items = read("time,text\n60,One\n25000,Two\n")
    assert [item.published for item in items] == ["60", "25000"]


@every(
    "stated",
    ["1771313400", "1771313400123", "1771313400123456", "1771313400.5", "20260217", "20260217083000"],
)
def test_numbers_as_dates(stated: str) -> None:
    [item] = read(f"a,b,c\n7,A ferry burns off Nador.,{stated}\n")
    assert (item.published, item.text) == (stated, "A ferry burns off Nador.")


def test_cells_over_several_lines() -> None:
    items = read('date,text\n2026-02-17,"One, ""two"".\r\n\r\nThree."\n2026-02-18,Four.\n')
    assert [(item.text, item.origin) for item in items] == [
        ('One, "two".\n\nThree.', "news.csv:2"),
        ("Four.", "news.csv:5"),
    ]


@pytest.mark.parametrize(
    ("line", "text"),
    cases(__file__, "a lone quote takes no other row along"),
)
@pytest.mark.parametrize("more", ["", '2026-02-19,"and, good"\n2026-02-20,"another\n2026-02-21,end\n'])
def test_a_lone_quote_takes_no_other_row_along(line: str, text: str, more: str) -> None:
    items = read(f"date,text\n2026-02-17,First\n{line}\n{more}2026-02-22,Last\n")
    assert items[0].text == "First"
    assert items[1].text.strip('"') == text.strip('"')
    middle = ["and, good", "another", "end"] if more else []
    assert [item.text for item in items[2:]] == [*middle, "Last"]
    assert items[-1].origin == f"news.csv:{7 if more else 4}"


def test_quotes_with_backslashes() -> None:
    [item] = read('date,text\n2026-02-17,"He said \\"fire, fire\\" twice"\n')
    assert item.text == 'He said "fire, fire" twice'


def test_blanks_before_quotes() -> None:
    [item] = read('date, text\n2026-02-17, "One, two"\n')
    assert item.text == "One, two"


def test_a_lone_quote_in_a_long_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "MOST_RECORD", 2000)
    rows = [f"2026-02-17,row number {number}" for number in range(30_000)]
    rows[100] = '2026-02-17,"row number 100'
    items = read("date,text\n" + "\n".join(rows))
    assert [item.text for item in items] == [f"row number {number}" for number in range(30_000)]
    assert items[-1].origin == "news.csv:30001"


def test_ragged_rows() -> None:
    notes = Notes()
    table = (
        "date,title,text,tags\n2026-02-17,One,Text one,\n2026-02-18,Two,Text two\n2026-02-19,Three,Text, three,x\n"
        "lone\n,,,\n\n2026-02-20,Four,Text four,a,,\n"
    )
    items = read(table, notes=notes)
    assert [item.title for item in items] == ["One", "Two", "Four"]
    assert notes.examples == [
        ("news.csv:4", "more cells than columns"),
        ("news.csv:5", "fewer cells than columns"),
    ]


def test_commas_in_a_last_text_without_quotes() -> None:
    [item] = read("date,text\n2026-02-17,One, two, three\n")
    assert item.text == "One, two, three"


def test_a_delimiter_at_the_end_of_each_line() -> None:
    [item] = read("date;text;\n2026-02-17;One;\n")
    assert item.text == "One"


def test_names_that_come_twice() -> None:
    notes = Notes()
    [item] = read("date,text,text\n2026-02-17,,Second\n", notes=notes)
    assert item.text == "Second"
    [item] = read("date,text,text\n2026-02-17,First one,Second\n", columns=(("text", "text (2)"),))
    assert item.text == "Second"


def test_without_a_header_columns_are_numbers() -> None:
    notes = Notes()
    table = "".join(f"{date},{url},{title},{text}\n" for date, title, text, url in ROWS)
    assert told(read(table, notes=notes)) == ROWS
    assert notes.remarks == [
        "news.csv: no line with the names of columns; they are called 1 to 4",
        "news.csv: columns taken: time=1, title=3, text=4, url=2",
    ]
    [item, _] = read(table, columns=(("text", "3"), ("time", "1")))
    assert item.text == "Ferry on fire"


def test_what_was_taken_is_said() -> None:
    notes = Notes()
    read("guid,pubDate,Headline,Description,source\n1,2026-02-17,T,D d,W\n", notes=notes)
    assert notes.remarks == [
        "news.csv: columns taken: id=guid, time=pubDate, title=Headline, text=Description, outlet=source"
    ]


def test_markup_is_taken_off() -> None:
    [item] = read(
        'date,title,text\n2026-02-17,<b>A</b> &amp; B,"<p>One &lt; two</p><script>x()</script><p>Three</p>"\n'
    )
    assert (item.title, item.text.split()) == ("A & B", ["One", "<", "two", "Three"])


def test_words_for_nothing_are_nothing() -> None:
    [item] = read("date,title,text,url\n2026-02-17,NaN,Text here,NULL\n")
    assert (item.title, item.text, item.url) == ("", "Text here", "")


def test_a_column_that_is_not_there() -> None:
    with pytest.raises(
        UsageError, match=r"news\.csv: no column 'body' for text \(expected one of date, text\)"
    ):
        read("date,text\n2026-02-17,One\n", columns=(("text", "body"),))


def test_no_dates_and_no_text() -> None:
    with pytest.raises(FormatError, match=r"no column of dates among name, age .*--columns time=COLUMN"):
        read("name,age\nAnn,12\n")
    with pytest.raises(FormatError, match="no column of text among date, n"):
        read("date,n\n2026-02-17,12\n")


def test_file_times_stand_for_dates(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("title\nFerry burns\n")
    [item] = read_delimited(path, options=ReadingOptions(file_times=True))
    assert item.published is None
    assert item.file_time == int(path.stat().st_mtime)


def test_a_long_line_is_passed_over() -> None:
    notes = Notes()
    bomb = b"2026-02-18," + b"x" * (18 << 20) + b"\n"
    items = read(b"date,text\n2026-02-17,One\n" + bomb + b"2026-02-19,Two\n", notes=notes)
    assert [item.text for item in items] == ["One", "Two"]
    assert items[1].origin == "news.csv:4"
    assert notes.examples == [("news.csv:3", "a line of more than 16 MiB")]


def test_a_long_cell_is_read() -> None:
    [item] = read('date,text\n2026-02-17,"' + "long\n" * 100_000 + '"\n')
    assert len(item.text) == 499_999
    assert csv.field_size_limit() == 131_072


@pytest.mark.parametrize("columns", [10_001, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_a_million_columns(columns: int) -> None:
    with pytest.raises(LimitError, match=rf"{columns:,} columns \(expected at most 10,000\)"):
        read(",".join(["date"] * columns) + "\n")


@every("start", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"])
def test_a_workbook(start: bytes) -> None:
    with pytest.raises(FormatError, match="save it from there as CSV"):
        read(start + b"\0" * 100, "news.xlsx")


def test_zero_characters_are_left_out() -> None:
    [item] = read("date,text\n2026-02-17,One\0 two" + " three" * 20)
    assert item.text.startswith("One two three")


_CELL = st.text("ab \"',;|\t\n\\\r", max_size=12)


@given(st.lists(st.tuples(_CELL, _CELL), min_size=1, max_size=8), st.sampled_from(",;\t|"), st.booleans())
def test_what_python_writes_is_read_as_it_was(
    rows: list[tuple[str, str]], delimiter: str, all_quoted: bool
) -> None:
    file = io.StringIO()
    quoting = csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL
    writer = csv.writer(file, delimiter=delimiter, quoting=quoting)
    writer.writerow(("date", "title", "text", "tags"))
    for number, (title, text) in enumerate(rows):
        writer.writerow((f"2026-02-{number + 10}", title, text, "x"))
    items = read(f"sep={delimiter}\n{file.getvalue()}", columns=(("title", "title"), ("text", "text")))
    lines = [text.replace("\r\n", "\n").replace("\r", " ").strip() for _, text in rows]
    assert [item.text for item in items] == lines
    assert [item.title for item in items] == [" ".join(title.split()) for title, _ in rows]


@given(st.binary(max_size=200) | st.text('"\n,;1a\0', max_size=60).map(str.encode))
def test_nothing_but_items_or_an_error(data: bytes) -> None:
    for start in (b"", b"date,text\n2026-02-17,A fire\n"):
        try:
            read(start + data)
        except TidingsError as error:
            assert str(error)


def test_a_backslash_at_the_end_of_a_cell() -> None:
    [item] = read('date,title,text\n2026-02-17,"C:\\","A fire, at sea"\n')
    assert (item.title, item.text) == ("C:\\", "A fire, at sea")


def test_two_lone_quotes_over_two_lines() -> None:
    items = read('date,text\n2026-02-18,"one\n2026-02-19,two",x\n')
    assert items[0].text == "one"
    assert items[1].published == "2026-02-19"


@every("word", ["nan", "NaN", "NULL", "null", "None", "NaT", r"\N", "#N/A", "N/A", "<NA>", "undefined"])
def test_every_word_for_nothing(word: str) -> None:
    [item] = read(f"date,title,text\n2026-02-17,{word},A fire at sea.\n")
    assert item.title == ""


@every("number, is_day", [("19999", False), ("20000", True), ("79999,9", True), ("80000", False)])
def test_the_days_that_excel_counts(number: str, is_day: bool) -> None:
    assert is_serial(number) is is_day
