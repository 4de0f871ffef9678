"""Languages of texts: right for news in many, cheap for English, silent where unsure."""

import subprocess
import sys

import pytest

from tidings.core.text.languages import detect

TEXTS = {
    "de": "Nach tagelangem Regen ist am Freitag der Damm gebrochen, teilte die Feuerwehr mit.",
    "es": "Al menos doce personas murieron tras la rotura de la presa, según la policía.",
    "fr": "Au moins douze personnes sont mortes après la rupture du barrage, selon la police.",
    "it": "Almeno dodici persone sono morte dopo il crollo della diga, ha detto la polizia.",
    "pt": "Pelo menos doze pessoas morreram após o rompimento da barragem, disse a polícia.",
    "nl": "Zeker twaalf mensen zijn omgekomen nadat de dam het begaf, zegt de politie.",
    "ru": "По меньшей мере двенадцать человек погибли после прорыва плотины, сообщила полиция.",
    "ar": "قتل ما لا يقل عن اثني عشر شخصا بعد انهيار السد، بحسب الشرطة.",
    "fa": "دست کم دوازده نفر پس از شکستن سد جان باختند، پلیس گفت.",
    "hi": "पुलिस ने बताया कि बांध टूटने के बाद कम से कम बारह लोगों की मौत हो गई।",
    "zh": "警方表示，大坝溃决后至少有十二人死亡。",
    "ja": "警察によると、ダムの決壊で少なくとも十二人が死亡した。",
    "ko": "경찰은 댐이 무너진 뒤 최소 12명이 숨졌다고 밝혔다.",
    "th": "ตำรวจกล่าวว่ามีผู้เสียชีวิตอย่างน้อยสิบสองคนหลังเขื่อนแตก",
    "el": "Τουλάχιστον δώδεκα άνθρωποι σκοτώθηκαν μετά την κατάρρευση του φράγματος.",
    "tr": "Polis, barajın yıkılmasının ardından en az on iki kişinin öldüğünü söyledi.",
    "en": "At least twelve people were killed after the dam broke, police said.",
}


@pytest.mark.parametrize("code", TEXTS)
def test_news_of_many_languages(code: str) -> None:
    assert detect(TEXTS[code]) == code


@pytest.mark.parametrize("code", TEXTS)
def test_capitals_and_line_breaks_change_nothing(code: str) -> None:
    assert detect(TEXTS[code].upper().replace(" ", "\n ")) == code


@pytest.mark.parametrize(
    "text", ["", " \n", "12:45 / 3-1", "!!!", "\x00\x00", "https://www.example.org/a/b", "…", "AB"]
)
def test_nothing_to_judge_by(text: str) -> None:
    assert detect(text) == ""


@pytest.mark.parametrize(
    "text", ["\ud800" * 40, "a\ud800 b" * 50, "\x00abc\x00" * 99, "ا" * 9999, "\u0301" * 500]
)
def test_hostile_text_is_no_error(text: str) -> None:
    assert isinstance(detect(text), str)


def test_a_quotation_does_not_make_a_text_english() -> None:
    german = "Der Präsident sagte in Washington: „This is the end.“ Danach verließ er den Saal und fuhr nach Hause."
    assert detect(german) == "de"
    chinese = "警方表示，大坝溃决后至少有十二人死亡。公司名为 Floodwatch International，记者カ从现场报道。"
    assert detect(chinese) == "zh"


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
