"""A text as its words are counted: quotation marks, brackets and blanks in one form, however the text was stored.

News texts come as they were printed, or cut into tokens (``said , `` yes '' -LRB- Reuters -RRB-``). What is learned of
one form must hold for the other, so features are read from this common form. It is never shown.
"""

from __future__ import annotations

import re

__all__ = ["plain"]

_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_TOKENISED = re.compile(r"-[LR][RSC]B-")
_SPACE_BEFORE = re.compile(r"(?<! ) ++(?=[,.;:!?%)\]]|n't\b|'(?:s|re|ve|ll|d|m)\b|'(?: |$))")
_SPACE_AFTER = re.compile(r"(?<=[(\[$£€#]) +")
_SPACE_BEFORE_QUOTE = re.compile(r" (?=n't\b|'(?:s|re|ve|ll|d|m)\b|'(?: |$))")
_CLOSING = [(f" {mark}", mark) for mark in ",.;:!?%)]"]
_OPENING = [(f"{mark} ", mark) for mark in "([$£€#"]
_CURLY = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "`": "'"})


def plain(text: str) -> str:
    """The text with straight quotation marks and without the blanks that a tokeniser puts in.

    >>> plain("`` We did n't know , '' he said -LRB- on Friday -RRB- .")
    '"We didn\\'t know," he said (on Friday).'
    >>> plain("“Yes,” she said.")
    '"Yes," she said.'
    """
    if "``" in text or "''" in text:
        text = text.replace("`` ", '"').replace(" ''", '"').replace("``", '"').replace("''", '"')
    if "RB-" in text or "SB-" in text or "CB-" in text:
        text = _TOKENISED.sub(lambda match: _BRACKETS.get(match.group(), match.group()), text)
    if not text.isascii() or "`" in text:
        text = text.translate(_CURLY)
    if " ," in text or " ." in text or " '" in text or " n't" in text or "( " in text or " )" in text:
        text = _joined(text)
    return text


def _joined(text: str) -> str:
    if "  " in text:
        return _SPACE_AFTER.sub("", _SPACE_BEFORE.sub("", text))
    if " '" in text or " n't" in text:
        text = _SPACE_BEFORE_QUOTE.sub("", text)
    for apart, mark in _CLOSING:
        text = text.replace(apart, mark)
    for apart, mark in _OPENING:
        text = text.replace(apart, mark)
    return text
