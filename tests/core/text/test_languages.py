"""Languages of texts: right for news in many, cheap for English, silent where unsure."""

import subprocess
import sys

from tests.sweeps import cases, every
from tidings.core.text.languages import detect

TEXTS = cases(__file__, "texts")


@every("code", TEXTS)
def test_news_of_many_languages(code: str) -> None:
    assert detect(TEXTS[code]) == code


@every("code", TEXTS)
def test_capitals_and_line_breaks_change_nothing(code: str) -> None:
    assert detect(TEXTS[code].upper().replace(" ", "\n ")) == code


@every("text", ["", " \n", "12:45 / 3-1", "!!!", "\x00\x00", "https://www.example.org/a/b", "…", "AB"])
def test_nothing_to_judge_by(text: str) -> None:
    assert detect(text) == ""


@every("text", ["\ud800" * 40, "a\ud800 b" * 50, "\x00abc\x00" * 99, "ا" * 9999, "\u0301" * 500])
def test_hostile_text_is_no_error(text: str) -> None:
    assert isinstance(detect(text), str)


def test_a_quotation_does_not_make_a_text_english() -> None:
    german = "Der Präsident sagte in Washington: „This is the end.“ Danach verließ er den Saal und fuhr nach Hause."
    assert detect(german) == "de"
    chinese = "警方表示，大坝溃决后至少有十二人死亡。公司名为 Floodwatch International，记者カ从现场报道。"
    assert detect(chinese) == "zh"


@every(
    "text, code",
    [
        (
            "Wir haben The Who und And One in der Halle gesehen , danach war noch lange kein Ende in Sicht",
            "de",
        ),
        (
            "De groep The Cure speelt in juni and wij gaan daar met zijn allen naar toe omdat het mooi is",
            "nl",
        ),
    ],
)
def test_nor_do_a_few_titles_and_names(text: str, code: str) -> None:
    assert detect(text) == code


def test_an_address_does_not_decide() -> None:
    assert detect("https://the.example.org/and/with/from/said " + TEXTS["de"]) == "de"


def test_plain_english_and_own_scripts_load_nothing() -> None:
    code = (
        "import socket, sys; from tidings.core.text.languages import detect\n"
        "assert detect('At least twelve people were killed after the dam broke, police said.') == 'en'\n"
        "assert detect('\u8b66\u5bdf\u306b\u3088\u308b\u3068') == 'ja'\n"
        "assert not any('fast' in name for name in sys.modules)\n"
        "socket.socket.connect = None\n"  # the model comes along: nothing is asked of the network
        "assert detect('Nach tagelangem Regen ist der Damm gebrochen.') == 'de'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
