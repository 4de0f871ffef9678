"""Plain texts and Markdown: one document a file, with its date and title from front matter, headers, lines or name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from tidings.core import (
    MIB,
    Content,
    FormatError,
    Item,
    LimitError,
    Notes,
    ReadingOptions,
    StatedTimes,
    data_beside,
    ending,
)
from tidings.sources.pages.parsing import MOST_BYTES, decode, squeeze
from tidings.sources.registry import item_reader

_FENCES = {"---": ("---", "..."), "+++": ("+++",)}
_MOST_LINES = 200  # of one paragraph
_PAIR = re.compile(r"^([A-Za-z][\w .-]{0,40}?)\s*[:=]\s*(.*)$")
_HEADER = re.compile(r"^([A-Za-z][A-Za-z-]{1,30}):[ \t]+(\S.*)$")
_DATA = data_beside(__file__)
_KNOWN = frozenset(_DATA["headers"])


def fields_of(text: str) -> tuple[dict[str, str], str]:
    """The fields before a text by their names in lower case, and the text without them.

    >>> fields_of("---\\ntitle: 'Ferry: fire'\\ntags:\\n  - sea\\n---\\nA ferry burns.")
    ({'title': 'Ferry: fire'}, 'A ferry burns.')
    >>> fields_of("Date: 17 Feb 2026\\nSubject: Ferry\\n\\nA ferry burns.")
    ({'date': '17 Feb 2026', 'subject': 'Ferry'}, 'A ferry burns.')
    """
    lines = text.split("\n")
    start = next((number for number, line in enumerate(lines[:20]) if line.strip()), 0)
    ends = _FENCES.get(lines[start].rstrip())
    if ends is None:
        return _headers(lines, start, text)
    for number in range(start + 1, min(len(lines), start + _MOST_LINES)):
        if lines[number].rstrip() in ends:
            fields = _pairs(lines[start + 1 : number])
            return (fields, "\n".join(lines[number + 1 :])) if fields else ({}, text)
    return {}, text


def _pairs(lines: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in lines:
        match = _PAIR.match(line)  # an indented line belongs to a list or a table, which no field here is
        if match is None:
            continue
        value = match[2].strip()
        if len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]:
            value = value[1:-1]
        else:
            value = re.sub(r"\s#.*$", "", value)
        if value and value[0] not in "[{|>&*!":
            fields.setdefault(_name(match[1]), value)
    return fields


def _headers(lines: list[str], start: int, text: str) -> tuple[dict[str, str], str]:
    fields: dict[str, str] = {}
    last = ""
    for number in range(start, min(len(lines), start + _MOST_LINES)):
        line = lines[number]
        if not line.strip():
            known = _KNOWN.intersection(name.replace("_", "-") for name in fields)
            return (
                ({name: _decode(value) for name, value in fields.items()}, "\n".join(lines[number + 1 :]))
                if known and (len(fields) > 1 or "date" in known)
                else ({}, text)
            )
        if line[:1] in " \t" and last:
            fields[last] += " " + line.strip()
            continue
        match = _HEADER.match(line)
        if match is None:
            break
        last = _name(match[1])
        fields.setdefault(last, match[2].strip())
    return {}, text


def _decode(value: str) -> str:
    # A header of mail may hold words in an encoding of its own.
    from email.errors import HeaderParseError
    from email.header import decode_header, make_header

    try:
        return str(make_header(decode_header(value))) if "=?" in value else value
    except (HeaderParseError, LookupError, ValueError):
        return value


def _name(written: str) -> str:
    return re.sub(r"[ .-]+", "_", written.strip().lower())


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
_PRIVATE = 0xE000  # the first character of private use: escaped ones are hidden there
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


MARKDOWN = (".md", ".markdown", ".mdown", ".mkd")
_NAMES: dict[str, list[str]] = _DATA["fields"]
_NAME_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])"
    r"(?:[T_ -]{1,2}([01]\d|2[0-3])[-:.h]?([0-5]\d)(?:[-:.]?([0-5]\d))?(Z)?)?(?!\d)"
)
_DATE_LINE = re.compile(r"^\W*(?:[^\W\d_]{2,14}[:,]?\s+){0,2}?(\S.{4,60})$")
_FIRST_LINES = 6  # among which a title stands
_LONGEST_TITLE = 200  # characters: a longer first line is a paragraph
_WRAPPED = 50  # characters: lines of about so many are wrapped


@item_reader
def read_text(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The document that a text file is: one item, or none for an empty file.

    Its title and its date are those of its front matter or its headers (`Date:`, `Subject:`); else the first heading or
    line, a date on a line of its own among the first, or one in the file's name.

    Raises:
        FormatError: it is no text.
        LimitError: it is larger than 32 MiB.
    """
    data = content.read()
    if len(data) > MOST_BYTES:
        raise LimitError(
            f"{content.name}: more than {MOST_BYTES // MIB} MiB are too much for one document; split it"
        )
    item = _item(_text(data, content), content)
    if item.title or item.text:
        yield item
    else:
        notes.drop(content.name, "no text")


def _text(data: bytes, content: Content) -> str:
    text = decode(data, content.content_type)
    controls = sum(text.count(chr(code)) for code in (*range(9), *range(14, 27), *range(28, 32), 0xFFFD))
    if controls * 20 > len(text):
        raise FormatError.of(content.name, 0, "no text but other data", "plain text")
    return text.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")


def _item(text: str, content: Content) -> Item:
    is_markdown = ending(content.name) in MARKDOWN or "markdown" in content.content_type
    fields, text = fields_of(text)
    values = {
        name: next((value for key in keys if (value := fields.get(key, "").strip())), "")
        for name, keys in _NAMES.items()
    }
    published: str | None = values["published"] or None
    if published is None:
        published, text = _date_among_first(text)
    title = squeeze(values["title"])
    if not title:
        title, text = _title(text, is_markdown)
    paragraphs = _paragraphs(without_marks(text) if is_markdown else text)
    if paragraphs and paragraphs[0] == title:
        del paragraphs[0]
    return Item(
        origin=content.name,
        id=values["id"],
        title=squeeze(without_marks(title)) if is_markdown else title,
        text="\n".join(paragraphs),
        url=values["url"] or content.url,
        source=squeeze(values["source"]),
        language=values["language"],
        published=published or date_of_name(content.name) or None,
        updated=values["updated"] or None,
        file_time=content.modified_time,
    )


def date_of_name(name: str) -> str:
    """The date in a file's name, as ISO 8601; "" where it has none.

    >>> date_of_name("saved/2026-02-17-fire.txt"), date_of_name("20260217T0830Z.md"), date_of_name("a!13_2026.txt")
    ('2026-02-17', '2026-02-17T08:30Z', '')
    """
    match = _NAME_DATE.search(PurePosixPath(name.rsplit("!", 1)[-1].replace("\\", "/")).name)
    if match is None:
        return ""
    year, _, month, day, hour, minute, second, zone = match.groups()
    time = f"T{hour}:{minute}" + (f":{second}" if second else "") + (zone or "") if hour else ""
    return f"{year}-{month}-{day}{time}"


def _date_among_first(text: str) -> tuple[str | None, str]:
    # A date that has one of the first lines to itself, and the text without that line.
    lines = text.split("\n")
    seen = 0
    for number, line in enumerate(lines[:40]):
        if not line.strip():
            continue
        seen += 1
        if seen > _FIRST_LINES:
            break
        stripped = line.strip().strip("*_#<>()[]").strip()
        if 6 <= len(stripped) <= 60 and any(char.isdigit() for char in stripped):
            for candidate in _candidates(stripped):
                if StatedTimes().read(candidate) is not None:
                    return candidate, "\n".join(lines[:number] + lines[number + 1 :])
    return None, text


def _candidates(line: str) -> list[str]:
    # The line, and what follows a word or two such as "Published on".
    match = _DATE_LINE.match(line)
    words = line.split()
    rest = (
        [" ".join(words[skip:]) for skip in (1, 2) if len(words) > skip + 1] if ":" in line or match else []
    )
    after = line.partition(": ")[2]
    return [text for text in (after, line, *rest) if text and not text.isdigit()]


def _title(text: str, is_markdown: bool) -> tuple[str, str]:
    # The first heading or line that stands by itself, and the text without it.
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return "", text
    line, after = lines[first].strip(), lines[first + 1].strip() if first + 1 < len(lines) else ""
    if is_markdown:
        for number, one in enumerate(lines[: first + 60]):
            if match := re.match(r"^#{1,2}\s+(.+?)\s*#*\s*$", one):
                return match[1], "\n".join(lines[:number] + lines[number + 1 :])
    underlined = len(after) > 2 and not after.strip("=-~")
    alone = not after or underlined
    if (
        len(line) <= _LONGEST_TITLE
        and alone
        and (underlined or not line.endswith((".", "。", "…", ",", ";")))
    ):
        return line, "\n".join(lines[first + 1 + underlined :])
    return "", text


def _paragraphs(text: str) -> list[str]:
    # Blank lines part paragraphs; where none do, each line is one, unless its lines are wrapped at one width.
    blocks = [block for block in re.split(r"\n[ \t]*\n", text) if block.strip()]
    paragraphs: list[str] = []
    for block in blocks:
        lines = [line.strip() for line in block.split("\n") if line.strip()]
        widths = [len(line) for line in lines[:-1]]
        wrapped = bool(widths) and _WRAPPED <= max(widths) <= 2 * _WRAPPED and min(widths) > max(widths) // 2
        paragraphs += [" ".join(lines)] if wrapped else lines
    return [whole for paragraph in paragraphs if (whole := squeeze(paragraph))]
