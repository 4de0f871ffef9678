"""Tables in every form: hostile names stay names, and narrow terminals get whole figures."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given, strategies as st
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from tests.sweeps import cases, every
from tidings.core.display.clock import Clock, duration_words, signed_duration
from tidings.core.display.plain import clean
from tidings.core.display.tables import (
    FORMATS,
    Table,
    align_rows,
    csv_text,
    latex_text,
    markdown_text,
    render,
)
from tidings.core.errors import UsageError

HOSTILE = tuple(cases(__file__, "hostile"))
LETTERS = st.text(
    st.sampled_from("ab \\`|*_~$[]()<>&#!:;@./{}\"'=+-0\n\t\x1b\u202e水é"), min_size=1, max_size=20
)


def _cells(text: str) -> list[list[str]]:
    """What a Markdown reader shows of a table, asserting that it finds nothing but text."""
    tree = SyntaxTreeNode(MarkdownIt("commonmark", {"html": True}).enable("table").parse(text))
    assert [node.type for node in tree.children] == ["table"]
    rows = []
    for row in (node for node in tree.walk() if node.type == "tr"):
        cells = []
        for inline in (node for node in row.walk() if node.type == "inline"):
            assert {node.type for node in inline.children} <= {"text", "text_special"}, inline.content
            cells.append("".join(node.content for node in inline.children))
        rows.append(cells)
    return rows


@given(st.lists(st.tuples(LETTERS, LETTERS), min_size=1, max_size=3), LETTERS)
def test_markdown_shows_every_text_as_it_is_and_nothing_else(rows: list[tuple[str, str]], name: str) -> None:
    table = Table(("run", name), tuple(rows))
    expected = [[clean(" ".join(cell.split())) for cell in row] for row in [("run", name), *rows]]
    assert _cells(render(table, "markdown")) == expected


@every("text", HOSTILE)
@every("form", sorted(FORMATS))
def test_no_form_lets_a_name_steer_or_break_a_line(form: str, text: str) -> None:
    table = Table((text, "H"), ((text, 0.5), ("plain", 0.25)))
    plain = Table(("x", "H"), (("x", 0.5), ("plain", 0.25)))
    shown = render(table, form)
    assert len(shown.split("\n")) == len(render(plain, form).split("\n"))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown)


@every("text", HOSTILE)
def test_markdown_holds_no_html_and_no_link(text: str) -> None:
    shown = render(Table(("run", "H"), ((text, 0.5),)), "markdown")
    assert "<" not in shown
    assert "](" not in shown
    assert not re.search(r"https?://|www\.", shown)
    assert len(_cells(shown)[1]) == 2


@every("text", HOSTILE)
def test_csv_gives_back_what_it_took_but_for_formulas(text: str) -> None:
    shown = render(Table(("run", "H"), ((text, -0.5),)), "csv")
    (_, row) = csv.reader(io.StringIO(shown, newline=""), strict=True)
    expected = clean(" ".join(text.split()))
    assert row == [f"'{expected}" if expected.startswith("=") else expected, "-0.5000"]


@every("text", ["=1+1", "+x", "-x", "@SUM(A1)", "=", "＝1", "-1+cmd|' /C calc'!A0"])
def test_csv_disarms_formulas(text: str) -> None:
    assert csv_text(text) == f"'{text}"


@every("text", ["-0.25", "+1,200", "−.5", "+3%", "-1e-05", "a=b", "x-y"])
def test_csv_leaves_figures_and_plain_names(text: str) -> None:
    assert next(csv.reader([csv_text(text)]), [""]) == [text]


def test_latex_escapes_every_letter_of_its_own() -> None:
    shown = latex_text("&_%$#{}~^\\<>|")
    assert shown == (
        r"\&\_\%\$\#\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}\textless{}\textgreater{}\textbar{}"
    )


@every("first", ["[1em]", "*"])
def test_latex_takes_no_cell_for_an_option_of_the_row_before(first: str) -> None:
    rows = render(Table((first, "H"), (("a", 1), (first, 2))), "latex").splitlines()
    assert rows[2].startswith("{}")
    assert rows[5].startswith("{}")
    assert rows[4].startswith("a")


def test_markdown_stays_readable_where_nothing_can_be_mistaken() -> None:
    for text in (
        "nE[LG]",
        "2APSal",
        "a_b_c",
        "p > .05",
        "AT&T",
        "1 - 2",
        "santiago-2013",
        "R(n) # 1!",
        "12:30",
    ):
        assert markdown_text(text) == text


NARROW = Table(
    ("run", "event", "nE[LG]", "LC", "H", "E[V]"),
    (
        ("tidings-default-with-a-long-name", "santiago-2013", 0.1234, 0.5, 0.2, 1.25),
        ("b", "e", 0.1, 0.25, 0.125, 1.5),
    ),
)


@every("width", range(24, 90, 3))
def test_figures_stay_whole_at_any_width(width: int) -> None:
    shown = render(NARROW, width=width)
    assert max(map(len, shown.splitlines())) <= max(width, 36)
    for row in NARROW.texts():
        for figure in row[2:]:
            assert re.search(rf"(?<![\d.]){re.escape(figure)}(?!\d)", shown), figure
    together = "".join(line[:12].strip() for line in shown.splitlines())
    assert together.count("tidings-defatidings-defaultt") == 0
    for name in NARROW.columns:
        assert name in shown


def test_a_table_that_fits_is_the_same_at_any_width_and_without() -> None:
    whole = render(NARROW)
    assert render(NARROW, width=max(map(len, whole.splitlines()))) == whole
    assert render(NARROW, width=max(map(len, whole.splitlines())) - 1) != whole


def test_blocks_repeat_the_names_that_lead() -> None:
    shown = align_rows(["run", "a", "b"], [["x", "0.1111", "0.2222"]], [False, True, True], 12)
    assert shown == "run       a\n---  ------\nx    0.1111\n\nrun       b\n---  ------\nx    0.2222"


def test_text_columns_wrap_between_words() -> None:
    shown = align_rows(["id", "words"], [["1", "one two three four five"]], [True, False], 18)
    assert shown.splitlines() == ["id  words", "--  --------------", " 1  one two three", "    four five"]


def test_words_longer_than_a_line_are_cut_and_nothing_is_lost() -> None:
    word = "abcdefghijklmnopqrstuvwxyz" * 2
    shown = align_rows(["id", "word"], [["1", word]], [True, False], 20)
    assert "".join(line[4:] for line in shown.splitlines()[2:]) == word


def test_tables_of_text_become_paragraphs_when_narrow() -> None:
    columns = ["measure", "title", "unit", "range"]
    rows = [["H", "the headline of the track", "share of the best", "0 to 1"], ["C", "recall", "", "0 to 1"]]
    shown = align_rows(columns, rows, [False] * 4, 28)
    assert shown.splitlines() == [
        "H",
        "  title: the headline of",
        "    the track",
        "  unit: share of the best",
        "  range: 0 to 1",
        "",
        "C",
        "  title: recall",
        "  range: 0 to 1",
    ]


def test_wide_letters_count_as_two() -> None:
    shown = align_rows(["a", "b"], [["水水", "x"]], [False, False])
    assert shown.splitlines() == ["a     b", "----  -", "水水  x"]
    assert max(len(line) for line in align_rows(["a"], [["水" * 9]], [False], 12).splitlines()[2:]) == 6


@given(
    st.lists(st.lists(st.text("ab 水", max_size=30), min_size=3, max_size=3), max_size=3),
    st.integers(1, 60),
    st.lists(st.booleans(), min_size=3, max_size=3),
)
def test_no_letter_is_lost_at_any_width(rows: list[list[str]], width: int, right: list[bool]) -> None:
    shown = align_rows(["one", "two", "three"], rows, right, width)
    for letter in "b水":
        assert shown.count(letter) >= sum(cell.count(letter) for row in rows for cell in row)


DERAILED = 1374691260  # 2013-07-24 18:41 UTC, 20:41 in Madrid


class TestClock:
    """One clock for one report."""

    def test_says_utc_unless_told_otherwise(self) -> None:
        clock = Clock()
        assert (clock.label, clock.moment(DERAILED)) == ("UTC", "24 Jul 2013 18:41")

    def test_shows_another_zone_and_its_name(self) -> None:
        pytest.importorskip("zoneinfo").ZoneInfo("Europe/Madrid")
        clock = Clock("Europe/Madrid")
        assert (clock.label, clock.hour(DERAILED)) == ("Europe/Madrid", "20:41")
        assert clock.iso(DERAILED) == "2013-07-24T20:41:00+02:00"

    def test_puts_late_evening_into_the_next_day_of_an_eastern_zone(self) -> None:
        assert Clock().day(DERAILED) == "Wednesday 24 July 2013"
        assert Clock("Asia/Tokyo").day(DERAILED) == "Thursday 25 July 2013"

    @every("name", ["Europe/Atlantis", "../../etc/passwd", "\x00"])
    def test_refuses_a_zone_that_is_not_there(self, name: str) -> None:
        with pytest.raises(UsageError, match="time zone"):
            Clock(name)

    def test_survives_times_beyond_the_calendar(self) -> None:
        assert Clock().moment(10**15).startswith("31 Dec 9999")
        assert Clock().day(-(10**15)).endswith("1")


class TestDurations:
    """Lengths of time in at most two units."""

    @every(
        "seconds, words",
        cases(__file__, "units"),
    )
    def test_units(self, seconds: int, words: str) -> None:
        assert duration_words(seconds) == words

    def test_sign_tells_earlier_from_later(self) -> None:
        assert (signed_duration(60), signed_duration(-60)) == ("+1 min", "−1 min")
