"""The story so far as it is shown: terminal, Markdown, page, and the forms for machines."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from tests.sweeps import cases, every
from tidings.core.display.clock import Clock
from tidings.core.errors import UsageError
from tidings.core.records import Digest, DigestDay, Event, Evidence, OpeningLine
from tidings.evaluation.report.digest import (
    digest_markdown,
    digest_page,
    form_of_digest,
    print_digest,
    write_digest,
)
from tidings.following.digests.timeline_files import read_timelines

HOSTILE = '<script>alert(1)</script> \x1b[31m [link](javascript:x) *star* "quoted" \u202e'
SAID = Evidence(
    "a1", 3, "The ferry sank off Nador .", 1_714_651_200, "Wire", "Ferry sinks", "https://example.org/a"
)
DAYS = (
    DigestDay("2024-05-01", (Evidence("b2", 0, "Fire broke out .", 1_714_564_800),), 1),
    DigestDay(
        "2024-05-02",
        (SAID, Evidence("c3", 1, HOSTILE, 1_714_651_200, HOSTILE, "", "javascript:alert(1)")),
        1_200,
    ),
    DigestDay("2024-06-03", (SAID,), 0),
)
STORY = Digest(
    event=Event(id="ferry", title="Ferry <b>fire</b>", query="ferry"),
    system="ours",
    days=DAYS,
    documents=2_000,
    story_documents=1_500,
    first_time=1_714_564_800,
    last_time=1_717_416_000,
)
NOTHING = Digest(event=Event(id="ferry", title="", query="ferry fire"), system="ours", days=(), documents=3)


def printed(digest: Digest, width: int = 80) -> str:
    file = io.StringIO()
    print_digest(
        Console(file=file, width=width, color_system=None, legacy_windows=False), digest, width=width
    )
    return file.getvalue()


class TestTerminal:
    def test_shows_days_sentences_and_where_they_stand(self) -> None:
        shown = printed(STORY)
        assert "3 days, 4 sentences, from 1,500 of 2,000 documents. Published 1 May 2024" in shown.replace(
            "\n", " "
        )
        assert "Thursday 2 May 2024  1,200 documents" in shown
        assert "  The ferry sank off Nador ." in shown
        assert "  Wire: Ferry sinks · 2 May 2024 12:00" in shown

    def test_names_a_sentence_once_where_its_document_names_no_outlet(self) -> None:
        assert "  b2-0 · 1 May 2024 12:00\n" in printed(STORY)

    def test_text_cannot_steer_it(self) -> None:
        assert not set(printed(STORY)) & {"\x1b", "\u202e"}

    @every("width", [24, 40, 100])
    def test_keeps_to_its_width(self, width: int) -> None:
        assert max(map(len, printed(STORY, width).splitlines())) <= width

    def test_leaves_no_blanks_at_line_ends(self) -> None:
        assert not re.search(r" +$", printed(STORY), re.MULTILINE)

    def test_says_that_there_is_nothing(self) -> None:
        assert "No day to show in 3 documents." in printed(NOTHING)


class TestMarkdown:
    def test_links_each_sentence(self) -> None:
        text = digest_markdown(STORY)
        assert "## Thursday 2 May 2024" in text
        assert (
            "- The ferry sank off Nador . ([Wire: Ferry sinks](<https://example.org/a>), 2 May 2024 12:00)"
            in text
        )

    def test_words_stay_words(self) -> None:
        text = digest_markdown(STORY)
        assert "\\<script\\>" in text
        assert "\\*star\\*" in text
        assert "\x1b" not in text
        assert not re.search(r"(?<!\\)\]\(", text.replace("](<https://example.org/a>)", ""))


class TestPage:
    def test_holds_days_sentences_and_links(self) -> None:
        page = digest_page(STORY)
        assert page.count('<li class="told-day"') == 3
        assert (
            '<a href="https://example.org/a" rel="noopener noreferrer nofollow">Wire: Ferry sinks</a>' in page
        )
        assert "The ferry sank off Nador ." in page
        assert '<h2 id="m2024-05-01">May 2024</h2>' in page
        assert '<a href="#d2024-06-03">June 2024</a>' in page
        assert "1,200 documents" in page

    def test_escapes_what_documents_say(self) -> None:
        page = digest_page(STORY)
        assert "<script>" not in page
        assert "<b>fire</b>" not in page
        assert "javascript:alert" not in page
        assert "\x1b" not in page
        assert "default-src &#39;none&#39;" in page

    def test_is_the_same_each_time(self) -> None:
        assert digest_page(STORY) == digest_page(STORY)

    def test_says_that_there_is_nothing(self) -> None:
        page = digest_page(NOTHING)
        assert "There is no day to tell of" in page
        assert "<nav" not in page
        assert "<h1>ferry fire</h1>" in page

    def test_shows_the_clock_that_is_asked_for(self) -> None:
        page = digest_page(STORY, Clock("Europe/Madrid"))
        assert "Europe/Madrid" in page
        assert "2 May 2024 14:00" in page


class TestForms:
    def test_text_and_json_are_timelines(self, tmp_path: Path) -> None:
        plain = Digest(event=STORY.event, system="ours", days=(DAYS[0], DAYS[2]))
        for name in ("d.txt", "d.json"):
            write_digest(plain, str(tmp_path / name), form_of_digest(name, None))
            (read,) = read_timelines(tmp_path / name)
            assert [day.date for day in read.days] == ["2024-05-01", "2024-06-03"]
            assert read.days[1].sentences == ("The ferry sank off Nador .",)

    @every(
        "out, form, chosen",
        cases(__file__, "are told by name"),
    )
    def test_are_told_by_name(self, out: str | None, form: str | None, chosen: str) -> None:
        assert form_of_digest(out, form) == chosen

    def test_unknown_names_are_refused(self) -> None:
        with pytest.raises(
            UsageError, match=r"d\.pdf: the file name does not say which format; end it in \.txt"
        ):
            form_of_digest("d.pdf", None)

    def test_text_steers_no_terminal(self, tmp_path: Path) -> None:
        path = tmp_path / "d.txt"
        write_digest(STORY, str(path), "text")
        assert not set(path.read_text()) & {"\x1b", "\u202e"}
        assert "alert(1)" in path.read_text()


def test_markdown_makes_no_link_of_what_documents_say() -> None:
    said = Evidence("d", 0, "See http://evil.example or www.evil.example, a@evil.example.", 86_400)
    text = digest_markdown(Digest(event=STORY.event, system="ours", days=(DigestDay("1970-01-02", (said,)),)))
    assert r"See http\://evil.example or www\.evil.example, a\@evil.example." in text


def test_the_opening_stands_before_the_days_with_its_headings_and_sources() -> None:
    opened = replace(STORY, opening=(OpeningLine("stands", SAID, "28 dead"), OpeningLine("unknown", SAID)))
    for text in (printed(opened), digest_markdown(opened), digest_page(opened)):
        stands, unknown = text.index("Where things stand: 28 dead."), text.index("What is not known.")
        assert stands < unknown < text.rindex("June")
        assert "Wire" in text[stands:unknown]
    assert "a1-3" not in digest_page(opened) and ">ours<" not in digest_page(opened)


def test_a_day_whose_toll_was_another_says_so() -> None:
    early, late = (
        Evidence(name, 0, f"The ferry fire off Nador killed {number} people.", 1_714_564_800)
        for name, number in (("e", 24), ("l", 31))
    )
    days = (DigestDay("2024-05-01", (early,), 3), DigestDay("2024-05-02", (late,), 3))
    event = Event(id="ferry", title="", query="ferry fire")
    digest = replace(STORY, event=event, days=days, opening=(OpeningLine("stands", late, "31 dead"),))
    then = "figures as of this day"
    for shown in (printed(digest), digest_markdown(digest), digest_page(digest)):
        assert shown.count(then) == 1
        assert shown.index("1 May 2024" if "1 May 2024" in shown else "1 May") < shown.index(then)
    assert then not in printed(replace(digest, opening=()))
