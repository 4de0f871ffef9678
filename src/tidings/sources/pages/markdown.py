"""Markdown's marks taken off, so that its words remain."""

from __future__ import annotations

import re

__all__ = ["without_marks"]

_FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SCRIPT = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_IMAGE = re.compile(r"!\[[^\]\n]{0,500}\](?:\([^()\s]{0,2000}[^()\n]{0,300}\)|\[[^\]\n]{0,200}\])")
_LINK = re.compile(
    r"\[([^\[\]\n]{1,1000})\](?:\([^()\n]{0,2000}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\)|\[[^\]\n]{0,200}\])"
)
_REFERENCE = re.compile(r"^[ ]{0,3}\[[^\]\n]{1,200}\]:[ \t]*\S.*$", re.MULTILINE)
_HEADING = re.compile(r"^[ ]{0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"^[ ]{0,3}(?:[-*_=][ \t]*){3,}$", re.MULTILINE)
_LEAD = re.compile(r"^[ \t]*(?:>[ \t]?)+|^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+", re.MULTILINE)
_STRONG = re.compile(r"(\*\*|__|~~)(?=\S)([^\n]{1,2000}?\S)\1")
_EMPHASIS = re.compile(
    r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,2000}?)\*(?![\w*])|(?<![\w_])_(?=[^\s_])([^_\n]{1,2000}?)_(?![\w_])"
)
_CODE = re.compile(r"(`{1,2})([^`\n]{1,1000})\1")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,500}>")
_AUTO = re.compile(r"<(https?://[^<>\s]{1,2000})>")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|>~-])")
_PRIVATE = 0xE000
_HIDDEN = re.compile("[\ue000-\ue07f]")


def without_marks(text: str) -> str:
    """A Markdown text without its marks, pictures and addresses, line by line.

    >>> without_marks("## A *ferry* [burns](https://a.example/1) ![](a.png)")
    'A ferry burns'
    """
    text = _ESCAPED.sub(lambda match: chr(_PRIVATE + ord(match[1])), text)
    text = _SCRIPT.sub("", _COMMENT.sub("", text))
    text = _FENCE.sub("", text)
    text = _REFERENCE.sub("", _LINK.sub(r"\1", _IMAGE.sub("", text)))
    text = _LEAD.sub("", _RULE.sub("", text))
    text = _HEADING.sub(r"\n\1\n" if "\n" in text else r"\1", text)
    text = _CODE.sub(r"\2", _EMPHASIS.sub(lambda match: match[1] or match[2], _STRONG.sub(r"\2", text)))
    text = _TAG.sub("", _AUTO.sub(r"\1", text))
    return _HIDDEN.sub(lambda match: chr(ord(match[0]) - _PRIVATE), text)
