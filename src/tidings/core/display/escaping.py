"""Text from strangers inside a table's form: nothing in it is taken for Markdown, LaTeX or a spreadsheet's formula."""

from __future__ import annotations

import re

__all__ = ["csv_text", "latex_text", "markdown_text"]

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
        "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
        "|": r"\textbar{}",
    }
)  # fmt: skip

_MARKDOWN = re.compile(
    r"(?P<mark>[\\`|*~$])"  # code, cells, emphasis, strikethrough, formulas
    r"|(?<=\])(?P<link>[(:\[])"  # [words](address), [words]: address, [words][name]
    r"|(?P<edge>(?<![^\W_])_|_(?![^\W_]))"  # emphasis; an underscore inside a word is none
    r"|(?P<bare>(?<=http)s?:|(?<=ftp):|(?<=www)\.|(?<=mailto):|(?<=xmpp):|@)"  # addresses that become links
    r"|(?P<tag><)|(?P<entity>&)(?=#|\w+;)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[+\-−]?(?:\d[\d,]*)?\.?\d+(?:[eE][+-]?\d+)?%?")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def latex_text(text: str) -> str:
    r"""The text with everything that LaTeX would take for its own made plain.

    >>> latex_text("a_b & 5%")
    'a\\_b \\& 5\\%'
    """
    return text.translate(_LATEX)


def markdown_text(text: str) -> str:
    r"""The text with everything that Markdown would take for a mark, a link, a cell or HTML made plain.

    What cannot be taken for anything stays, so that tables read well as they stand.

    >>> markdown_text("<img onerror=x> a_b `code` E[LG] [here](http://x)")
    '&lt;img onerror=x> a_b \\`code\\` E[LG] [here]\\(http\\://x)'
    """
    return _MARKDOWN.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    kind, matched = match.lastgroup, match.group()
    if kind == "tag":
        return "&lt;"
    if kind == "entity":
        return "&amp;"
    return f"{matched[:-1]}\\{matched[-1]}"


def csv_text(text: str) -> str:
    """One field of a CSV file, quoted as RFC 4180 says.

    A spreadsheet runs what begins with `=`, `+`, `-` or `@` as a formula, quoted or not, and names come from strangers:
    such a text, where it is no number, gets an apostrophe in front. TSV and JSON Lines, which spreadsheets do not open
    by a double click, hold names as they are.

    >>> print(csv_text('a "b", c'), csv_text("=1+1"), csv_text("-0.25"))
    "a ""b"", c" '=1+1 -0.25
    """
    if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text):
        text = f"'{text}"
    if any(letter in text for letter in ',"\r\n') or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text
