"""Words of any language: what is one, what is a stop word, what is made alike."""

import pytest

from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.core.text.tokens import (
    NAMES,
    Analyzer,
    analyzer_of,
    check_code,
    code_of,
    shared_analyzer,
    stemmer_of,
)
from tidings.core.text.words import count_words, word_reader
from tidings.following.systems import make


@every(
    "language, text, words",
    cases(__file__, "words", lists=True),
)
def test_words(language: str, text: str, words: list[str]) -> None:
    assert word_reader(language)(text) == words


def test_a_hindi_word_keeps_its_marks() -> None:
    # Python's \w takes none of them.
    assert word_reader("hi")("मृतकों") == ["मृतकों"]


@every("code", sorted(NAMES))
@every("text", ["", "\0", "a" * 5000, "水" * 5000, "\ud800x", "ก็" * 500, "\u0301\u0301", "12 ½ Ⅻ"])
def test_hostile_texts(code: str, text: str) -> None:
    assert all(isinstance(stem, str) and stem for stem in Analyzer(code).stems(text))


def test_english_is_as_it_was() -> None:
    assert shared_analyzer("en") is shared_analyzer("english") is shared_analyzer() is analyzer_of("")
    assert shared_analyzer().stems("The Nor'easter isn’t over: 45 killed") == ("noreast", "45", "kill")


def test_stop_words_of_each_language() -> None:
    assert shared_analyzer("de").stems("Die Brücke ist nach dem Hochwasser gesperrt") == (
        "bruck",
        "hochwass",
        "gesperrt",
    )
    assert shared_analyzer("ar").stems("وقالت الشرطة إن السد انهار") == shared_analyzer("ar").stems(
        "شرطة سد انهار"
    )
    assert shared_analyzer("hi").stems("बांध के पास की बाढ़") == shared_analyzer("hi").stems("बांध पास बाढ़")
    assert shared_analyzer("xx").stems("uno dos") == ("uno", "dos")


def test_arabic_articles_and_forms_meet() -> None:
    stems = shared_analyzer("ar").stems
    assert stems("فيضان") == stems("الفيضان") == stems("والفيضان") == stems("للفيضان")


def test_icu_words_are_asked_for() -> None:
    pytest.importorskip("icu4py")
    text = "警方表示大坝溃决"
    assert shared_analyzer("zh+icu").stems(text) != shared_analyzer("zh").stems(text)
    assert "大坝" in shared_analyzer("zh+icu").stems(text)
    assert "の" not in shared_analyzer("ja+icu").stems("ダムの決壊")


def test_icu_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "icu4py", None)
    monkeypatch.setitem(sys.modules, "icu4py.breakers", None)
    with pytest.raises(UsageError, match=r"pip install -e '\.\[words\]'"):
        word_reader("ja", icu=True)
    assert word_reader("ja")("決壊") == ["決壊"]


def test_counted_words() -> None:
    assert count_words("“Ça va” – oui") == len(["“Ça", "va”", "–", "oui"])
    assert count_words("洪水造成十二人死亡。") == 5
    assert count_words("Sorel 洪水 2026") == 3


@every("name, code", [("german", "de"), ("nb", "no"), ("zh+icu", "zh"), ("porter", ""), ("en", "en")])
def test_codes(name: str, code: str) -> None:
    assert code_of(name) == code


def test_names_of_stemmers_stay_names_of_languages() -> None:
    import Stemmer

    named = {stemmer_of(code) for code in NAMES} - {""}
    assert named <= set(Stemmer.algorithms())
    assert make("cosine:language=german").language == "german"  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match="deutsch"):
        make("cosine:language=deutsch")
    with pytest.raises(UsageError, match="two letters"):
        check_code("deutsch")


@every("joiner", ["\u00ad", "\u200b", "\u200c", "\u200d"])
def test_what_joins_letters_is_no_letter(joiner: str) -> None:
    assert word_reader("ja")(f"foot{joiner}ball is") == ["football", "is"]
