"""Words, figures and addresses as reports show them.

Pages also say the language and direction of each text: browsers choose fonts and voices by it.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tidings.core.text.languages import detect

if TYPE_CHECKING:
    from markupsafe import Markup

_RIGHT_TO_LEFT = frozenset({"ar", "fa", "ur", "he", "yi", "ps", "sd", "ug", "dv", "ku"})
_FIRST_RIGHT_TO_LEFT, _LAST_RIGHT_TO_LEFT = "\u0590", "\u08ff"


@lru_cache(maxsize=4_096)
def language_attributes(text: str) -> Markup:
    """The attributes of an element that holds nothing but this text; empty where it is English or nobody knows.

    >>> print(language_attributes("انهار السد صباح يوم الاثنين."))
     lang="ar" dir="rtl"
    >>> print(language_attributes("ダムが決壊した。"), language_attributes("The dam broke."))
     lang="ja"
    """
    from markupsafe import Markup

    if text.isascii():
        return Markup("")
    code = detect(text)
    if code == "en":
        return Markup("")
    attributes = f' lang="{code}"' if code else ""
    if code in _RIGHT_TO_LEFT:
        attributes += ' dir="rtl"'
    elif not code and any(_FIRST_RIGHT_TO_LEFT <= sign <= _LAST_RIGHT_TO_LEFT for sign in text):
        attributes += ' dir="auto"'
    return Markup(attributes)  # noqa: S704 - codes of two letters


def set_apart(text: str) -> Markup:
    """A text among others on a line, so that its direction stays its own.

    >>> print(set_apart("The <dam>"), set_apart("صحيفة سورل اليوم"))
    The &lt;dam&gt; <bdi lang="ar" dir="rtl">صحيفة سورل اليوم</bdi>
    """
    from markupsafe import Markup, escape

    attributes = language_attributes(text)
    if not attributes:
        return escape(text)
    return Markup("<bdi{}>{}</bdi>").format(attributes, text)


def set_apart_within(words: str, part: str) -> Markup:
    """Words of English with a part, such as the name of an outlet, that may be in another language.

    >>> print(set_apart_within("first by صحيفة سورل, 5 h later", "صحيفة سورل"))
    first by <bdi lang="ar" dir="rtl">صحيفة سورل</bdi>, 5 h later
    """
    from markupsafe import escape

    before, part, after = words.rpartition(part) if part else (words, "", "")
    return escape(before) + set_apart(part) + escape(after)


_BLANKS = re.compile("[\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufff9-\ufffb\ud800-\udfff]"
)


def clean(text: str) -> str:
    r"""The text with line breaks as blanks and every control, direction mark or lone surrogate as U+FFFD.

    The length stays, so spans into the text stay true.

    >>> clean("a\nb\x1b[31m")
    'a b�[31m'
    """
    return _CONTROLS.sub("\ufffd", _BLANKS.sub(" ", text))


# A name before the host would be a user's: `https://bank.example@evil.example` shows one place and leads to another.
_URL = re.compile(r"https?://(?=[^/?#\s@]+(?:[/?#]|$))[^\s\\<>\"'`{}|^]{1,2000}", re.IGNORECASE)


def safe_url(url: str) -> str:
    r"""The address if a page may link to it, else nothing: http or https, with a host, of plain visible letters.

    >>> safe_url("https://example.org/a?b=1"), safe_url("javascript:alert(1)"), safe_url("https://a\n.org")
    ('https://example.org/a?b=1', '', '')
    """
    return url if _URL.fullmatch(url) and clean(url) == url else ""


def score(value: float) -> str:
    """A measure's value to four decimals, large ones with fewer.

    >>> score(0.11624), score(381.4), score(24)
    ('0.1162', '381.4', '24')
    """
    if not math.isfinite(value):
        return "–"
    if float(value).is_integer() and abs(value) >= 2:
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.4f}"


def how_many(number: int, noun: str) -> str:
    """How many of something, in words.

    >>> how_many(1, "day"), how_many(1200, "day")
    ('1 day', '1,200 days')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def percent(share: float) -> str:
    """A share as a whole percentage.

    >>> percent(0.3219)
    '32 %'
    """
    return f"{100 * share:.0f} %"
