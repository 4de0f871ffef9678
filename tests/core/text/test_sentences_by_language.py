"""Borders of sentences in languages other than English."""

from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.records import Document
from tidings.core.text.sentences import cut, split

CASES = cases(__file__, "cases", lists=True)


@every("code", CASES)
def test_hard_cases(code: str) -> None:
    blank = "" if code in ("zh", "ja") else " "
    text = blank.join(CASES[code])
    assert [text[start:end] for start, end in split(text, code)] == CASES[code]


@every("code", CASES)
def test_a_blank_line_is_a_border(code: str) -> None:
    first, second = CASES[code][0][:-1].strip(), CASES[code][1]
    text = f"  {first}\n \n\n{second}\n"
    assert [text[start:end] for start, end in split(text, code)] == [first, second]


def test_a_month_after_the_number_of_a_day() -> None:
    text = "Es begann 3. Mai 2026. Es waren 12. Danach kam Ruhe."
    assert [text[a:b] for a, b in split(text, "de")] == [
        "Es begann 3. Mai 2026.",
        "Es waren 12.",
        "Danach kam Ruhe.",
    ]


@given(st.text(max_size=200), st.sampled_from(["de", "ja", "ar", "hi", "th", "xx"]))
def test_spans_leave_out_white_space_alone(text: str, code: str) -> None:
    spans = split(text, code)
    at = 0
    for start, end in spans:
        assert at <= start < end
        assert not text[at:start].strip()
        assert text[start:end].strip() == text[start:end]
        at = end
    assert not text[at:].strip()


def test_endless_lines_are_cut() -> None:
    spans = split("wort " * 20_000, "de")
    assert len(spans) > 2
    assert max(end - start for start, end in spans) <= 20_000
    assert len(split("水" * 50_000, "zh")) >= 3


def test_a_stated_language_is_believed() -> None:
    document = Document(id="a", published_time=60, text="12:45 3. Mai. Ende.", language="de")
    assert [one.language for one in cut(document).sentences] == ["de", "de"]
    said = cut(Document(id="a", published_time=60, text="Police said the dam broke. People ran."))
    assert {one.language for one in said.sentences} == {"en"}
    assert cut(Document(id="a", published_time=60, title="ダムが決壊した")).sentences[0].language == "ja"
