"""Text from strangers, made safe to show: nothing in it can steer a terminal or turn a line around."""

from __future__ import annotations

import re

__all__ = ["clean"]

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
