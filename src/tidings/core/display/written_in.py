"""The language and the direction of texts on a page, for browsers: fonts, voices, and what runs right to left."""

from __future__ import annotations

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
