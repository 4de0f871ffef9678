"""Names in lines: one answer a line, borders, odd text."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.analysis.names.mentions import Span, is_name
from tidings.analysis.names.tagging import tag_lines, token_spans
from tidings.analysis.names.weights import shipped_recogniser
from tidings.cli import run

NEWS = cases(__file__, "news")


def names(lines: list[str], tokenised: bool = False) -> list[list[tuple[str, str]]]:
    tagged = tag_lines(lines, shipped_recogniser(), tokenised=tokenised)
    return [[(line.text[one.start : one.end], one.type) for one in line.mentions] for line in tagged]


@every("tokenised", [True, False])
def test_each_line_has_its_names_in_order(tokenised: bool) -> None:
    assert names(NEWS, tokenised) == [
        [("Barack Obama", "PER"), ("Angela Merkel", "PER"), ("Berlin", "LOC")],
        [],
        [],
        [("United Nations", "ORG"), ("World Bank", "ORG"), ("Haiti", "LOC")],
    ]


def test_all_capitals_and_all_small_letters() -> None:
    for line in (
        "BARACK OBAMA MET ANGELA MERKEL IN BERLIN .",
        "i saw barack obama and angela merkel in berlin .",
    ):
        assert {kind for _, kind in names([line], True)[0]} == {"PER", "LOC"}
        assert [one.lower() for one, kind in names([line], True)[0] if kind == "LOC"] == ["berlin"]


def test_a_name_that_is_clear_in_one_place_decides_another() -> None:
    told = ["Mr. Zendik Karis said he would sue .", "Karis of the army lost .", "Karis denied it ."]
    assert ("Karis", "PER") in names(told, True)[2]


def test_a_kind_of_train_is_no_place() -> None:
    assert ("Madrid", "LOC") in names(["The Alvia train left Madrid for Ferrol."])[0]
    for line in (
        "The Alvia train left Madrid.",
        "The driver of the Alvia kept silent.",
        "The Alvia links two cities.",
    ):
        assert "Alvia" not in [name for name, _ in names([line])[0]]


@every("text", ["", " ", "12 , 34 : 56", "— … !", "of the and", "\x00\x1b[31m", "\u202e\u200f"])
def test_what_holds_no_name_gives_none(text: str) -> None:
    assert names([text], True) == names([text]) == [[]]


def test_other_scripts_do_no_harm() -> None:
    lines = ["习近平 访问 Москва", "محمد في القاهرة", "Ελλάδα και Κύπρος", "🙂 😀 Paris"]
    assert len(names(lines, True)) == 4


@given(
    st.lists(
        st.text(alphabet=st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=60),
        max_size=6,
    )
)
def test_borders_are_those_of_tokens(lines: list[str]) -> None:
    for tokenised in (True, False):
        tagged = list(tag_lines(lines, shipped_recogniser(), tokenised=tokenised))
        assert [line.text for line in tagged] == lines
        for line in tagged:
            end = 0
            for one in line.mentions:
                assert end <= one.start < one.end <= len(line.text)
                assert one.type in ("PER", "ORG", "LOC")
                assert any(map(str.isalpha, line.text[one.start : one.end]))
                end = one.end
                if tokenised:
                    assert one.start == 0 or line.text[one.start - 1] == " "
                    assert one.end == len(line.text) or line.text[one.end] == " "


@every(
    "text",
    cases(__file__, "odd characters leave borders where they are"),
)
def test_odd_characters_leave_borders_where_they_are(text: str) -> None:
    assert names([text]) == [[("Angela Merkel", "PER"), ("Paris", "LOC")]]


def test_marks_written_onto_letters_are_of_the_word() -> None:
    text = "Zoe\u0308 Smith-Ra\u0301mirez's \u0301 n\u0303"
    assert [text[start:end] for start, end in token_spans(text)] == [
        "Zoe\u0308",
        "Smith-Ra\u0301mirez",
        "'s",
        "\u0301",
        "n\u0303",
    ]


@every("text", ["." * 9_000, "@" * 9_000, "a-" * 9_000, "'" * 9_000, "A" * 90_000, " " * 90_000])
def test_long_lines_of_marks_end(text: str) -> None:
    assert names([text]) == [[]]


@every("tokenised", [True, False])
def test_a_line_beyond_all_measure_is_looked_at_in_parts(
    tokenised: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tidings.analysis.names.tagging._MOST_CHARACTERS", 100)
    line = "Angela Merkel went to Paris . " * 20
    assert names(["Ann Lee left .", line, "", "x" * 200], tokenised) == [
        [("Ann Lee", "PER")],
        [("Angela Merkel", "PER"), ("Paris", "LOC")] * 20,
        [],
        [],
    ]


def test_tokens_leave_out_nothing_but_blanks() -> None:
    text = "Mr. O'Neill's U.S. trip (5.2m) — see https://a.b/c?d #Haiti @un naïve…"
    spans = token_spans(text)
    assert "".join(text[start:end] for start, end in spans) == text.replace(" ", "")


def test_lines_are_independent_of_those_beyond_an_empty_one() -> None:
    alone = names(NEWS[2:], True)
    assert names(NEWS, True)[2:] == alone


@every(
    "text, expected",
    cases(__file__, "stop words are no names"),
)
def test_stop_words_are_no_names(text: str, expected: bool) -> None:
    assert is_name(text) is expected


class TestVerb:
    """`tidings tag`."""

    def test_jsonl_gives_an_object_a_line(
        self, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        path = tmp_path / "news.txt"
        path.write_text("\n".join(NEWS) + "\n", encoding="utf-8")
        assert run(["tag", str(path), "--tokenised", "--format", "jsonl"]) == 0
        lines = [json.loads(line) for line in capfdbinary.readouterr().out.decode().splitlines()]
        assert [line["text"] for line in lines] == NEWS
        assert lines[0]["mentions"][2] == {"start": 44, "end": 50, "type": "LOC"}
        assert lines[1] == {"text": "", "mentions": []}

    def test_entities_have_their_fullest_name(
        self, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        path = tmp_path / "news.txt"
        path.write_text(
            "Barack Obama was in Berlin.\nMr. Obama left Berlin.\n\nObama is back.\n", encoding="utf-8"
        )
        assert run(["tag", str(path), "--entities", "--format", "jsonl"]) == 0
        lines = [json.loads(line) for line in capfdbinary.readouterr().out.decode().splitlines()]
        assert [[one["entity"] for one in line["mentions"]] for line in lines] == [
            ["Barack Obama", "Berlin"],
            ["Barack Obama", "Berlin"],
            [],
            ["Obama"],
        ]
        assert run(["tag", str(path), "--entities"]) == 0
        assert b"Mr. [Obama PER = Barack Obama] left [Berlin LOC]." in capfdbinary.readouterr().out

    def test_text_marks_names_where_they_stand(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "news.txt"
        path.write_text("Barack Obama was in Berlin.\x1b[31m\n", encoding="utf-8")
        assert run(["tag", str(path)]) == 0
        assert capsys.readouterr().out == "[Barack Obama PER] was in [Berlin LOC].\ufffd[31m\n"

    def test_reads_a_pipe_with_odd_bytes(self) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "tidings", "tag", "-", "--format", "jsonl"],
            input=b"Caf\xe9 in Paris\r\n\xff\xfe\n",
            capture_output=True,
            check=False,
        )
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert done.returncode == 0
        assert [line["text"] for line in lines] == ["Café in Paris", "ÿþ"]
        assert b"3 bytes are not UTF-8" in done.stderr

    @every(
        "arguments, said",
        cases(__file__, "says what is wrong", lists=True),
    )
    def test_says_what_is_wrong(
        self, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["tag", *arguments]) == 2
        words = capsys.readouterr().err
        assert said in words
        assert "Traceback" not in words


def test_lines_read_ahead_change_nothing() -> None:
    lines = ["Mr. Karis spoke.", "Karis of Berlin left.", "", "Karis", "Ann Lee of IBM met Karis."] * 40
    one_by_one = list(tag_lines(lines, shipped_recogniser(), entities=True))
    assert list(tag_lines(lines, shipped_recogniser(), entities=True, ahead=90)) == one_by_one
    assert len(one_by_one) == 200


def test_documents_are_handed_over_together_and_never_large(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counting:
        calls: ClassVar[list[list[int]]] = []

        def spans_of(self, documents: Sequence[Sequence[Sequence[str]]]) -> list[list[list[Span]]]:
            self.calls.append([sum(map(len, document)) for document in documents])
            return [[[] for _ in document] for document in documents]

        def spans(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
            return self.spans_of([sentences])[0]

    monkeypatch.setattr("tidings.analysis.names.tagging._MOST_CHARACTERS", 100)
    lines = ["a b", "", "c d e", "", "f " * 30, "g " * 30, "", "h " * 120, "i"]
    assert [line.text for line in tag_lines(lines, Counting(), tokenised=True, ahead=5)] == lines
    assert Counting.calls == [[2, 3, 30], [30], [51], [50], [19], [1]]


def test_lines_are_told_of_as_documents_end() -> None:
    read = []

    def lines() -> Iterator[str]:
        for line in ["Ann Lee.", "", "Bob Ray.", ""]:
            read.append(line)
            yield line

    assert next(iter(tag_lines(lines(), shipped_recogniser()))).text == "Ann Lee."
    assert len(read) == 2
