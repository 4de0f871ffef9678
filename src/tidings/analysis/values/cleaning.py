"""Texts that were cut into tokens for machines, as people write them."""

from __future__ import annotations

import re

_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}
_TOKENISED = re.compile(r"-[LR][RS]B-|``|''")
_GLUE_BEFORE = re.compile(r"(?<!\s)\s++([,.;:!?%)\]])(?!\d)")
_GLUE_AFTER = re.compile(r"([(\[$£€])\s+")
_CONTRACTED = re.compile(r"(\w) (n't|'s|'re|'ve|'ll|'d|'m)\b")
_BLANKS = re.compile(r"\s+")


def clean(text: str) -> str:
    """The text with single blanks, and as people write it where it was cut into tokens for machines.

    >>> clean("It cost $ 75m -LRB- # 50m -RRB- , they said .")
    'It cost $75m (£50m), they said.'
    """
    if " ," in text or " ." in text or "-LRB-" in text or "``" in text:
        text = _TOKENISED.sub(lambda match: _BRACKETS[match.group()], text)
        text = text.replace("# ", "£") if "$ " in text or "# " in text else text
        text = _GLUE_BEFORE.sub(r"\1", _GLUE_AFTER.sub(r"\1", _CONTRACTED.sub(r"\1\2", text)))
    return _BLANKS.sub(" ", text).strip()
