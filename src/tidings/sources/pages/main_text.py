"""A page's article without what stands around it, by paragraphs.

1. What is no text of an article goes: scripts, navigation, forms, captions, and what its class calls an extra.
2. The element is chosen that most of the remaining prose stands in, by Readability's idea: each paragraph votes for
   the elements around it, with less weight the further out they are.
3. resiliparse writes that element as blocks; short ones full of links, credits and calls to subscribe are left out, and
   a heading that is left with nothing below it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tidings.core import data_beside
from tidings.sources.pages.parsing import attribute, elements, squeeze

_DATA = data_beside(__file__)
_NEVER = ",".join(_DATA["never"])
_PARTS: list[str] = _DATA["extras"]
_NAMED = ",".join(f"{tag}[class],{tag}[id]" for tag in _DATA["named"])
_KEEP = re.compile(
    r"(?:\b|_)(?:article-?_?body|articlebody|story-?_?body|post-?_?content|entry-?_?content|main-?content|paywalled|has-|no-|with-)",
    re.IGNORECASE,
)
_STARTS = re.compile(rf"^\W*(?:{'|'.join(_DATA['starts'])})", re.IGNORECASE)
_CREDIT = re.compile(
    rf"^\W*(?:{'|'.join(_DATA['credits'])})s?(?: (?:by|credit|von|de|di))?\s?[:：/©]", re.IGNORECASE
)
_READERS = re.compile("|".join(_DATA["readers"]), re.IGNORECASE)
_RIGHTS = re.compile("|".join(_DATA["rights"]), re.IGNORECASE)


def prune(tree: Any) -> None:
    """Take out of a tree what is no text of an article by its element, its role or its class.

    What holds the page's heading, or most of what remains of its text, is not taken for an extra by its class.
    """
    for element in elements(tree.document, _NEVER):
        if element.tag not in ("html", "body") and element.parent is not None:
            element.decompose()
    whole = tree.body
    if whole is None:
        return
    alike: dict[str, list[Any]] = {}
    for element in elements(whole, _NAMED):
        if name := _extra_name(attribute(element, "class"), attribute(element, "id")):
            alike.setdefault(name, []).append(element)
    most = 0.4 * _prose(whole) if alike else 0
    for group in alike.values():
        there = [element for element in group if element.parent is not None]
        if sum(len(node.text or "") for node in there) > most and sum(map(_prose, there)) > most:
            continue
        for element in there:
            element.decompose()


@lru_cache(maxsize=1 << 14)
def _extra_name(classes: str, own: str) -> str:
    # The class or id of an element that is called an extra; "" for others.
    name = f" {classes} {own} ".lower()
    called = any(part in name for part in _PARTS) or " hidden " in name
    return (classes or own) if called and not _KEEP.search(name) else ""


def _prose(element: Any) -> int:
    # Letters in paragraphs that are more than a label.
    inner = [element] if element.tag in ("p", "li", "span") else elements(element, "p,:has(> br)")
    return sum(size for node in inner if (size := len(node.text or "")) > 80)


def is_extra(text: str, size: int, linked: int) -> bool:
    """Whether a paragraph is none of the article, by its words: a pointer elsewhere, a credit, a notice of rights.

    >>> is_extra("Read more: Ferry burns", 22, 0), is_extra("A ferry burns in the harbour.", 29, 0)
    (True, False)
    """
    if size < 160 and _STARTS.match(text) and (linked or size < 120):
        return True
    if size < 120 and _CREDIT.match(text):
        return True
    if size < 200 and _READERS.search(text):
        return True
    return size < 250 and _RIGHTS.search(text) is not None


_PROSE = "p,pre,blockquote,:has(> br),div:not(:has(div,p,ul,ol,table,section,article,h1,h2,h3)),li > span"
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_LEAST = 25  # characters of a paragraph; shorter lines are labels
_LEVELS = 7  # elements around a paragraph that it votes for
_FADING = 0.55  # of a vote that the next element out gets
_MORE = 1.25  # times the text, for the element around the chosen one
_OWN = 100  # votes of its own paragraphs, for which a wider element is taken
_FEW = 600  # votes that make no article, unless they are
_LITTLE = 0.5  # of all text of the page
_LONG = 600  # characters from which a paragraph votes no stronger
_INLINE = frozenset(("#text", "a", "b", "i", "em", "strong", "span"))
_LEADS = "h1,h2,p,[itemprop~='description' i],[itemprop~='alternativeHeadline' i]," + ",".join(
    f"[class*='{part}' i]" for part in _DATA["leads"]
)
_LEAD_NAME = re.compile(
    r"(?:^|[\s_-])(?:lead|lede|standfirst|sub-?title|sub-?headline|sub-?heading|summary|intro|introduction|dek|deck|chapo|"
    r"entradilla|sapo|strap-?line|abstract|sommario|excerpt|tertiary-title|ingress|vorspann|teaser-?text|sub-?head)"
    r"(?:$|[\s_-])|(?:Lead|Standfirst|Subtitle|Summary|Intro|Lede|Ingress|Subheadline)(?:$|[\s_A-Z-])"
)
_BLOCK = re.compile(
    r"<(p|h[1-6]|li|pre)>(.*?)</\1>|([^<\n](?:[^<\n]|<(?!p>|h[1-6]>|li>|pre>|/?[uo]l>))*)|<a [^\n]*",
    re.DOTALL,
)
_LINK = re.compile(r"<a\b[^>]*>(.*?)</a>", re.DOTALL)
_TAG = re.compile(r"</?[a-z][^<>]*>")
_BREAKS = re.compile(r"(?:<br>\s*)+")
_EMPTY_BREAK = re.compile(r"<span\b(?=[^<>]*\bbr\b)[^<>]*>\s*</span>")
_LETTERS = re.compile(r"[\W_]+")
_ENDS = tuple(_DATA["ends"])
_MOST_BLOCKS = 20_000  # elements that are looked at
_MOST_COMPARED = 1 << 28
"""Characters: of an article's copy, times the paragraphs that are looked for in it."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page that stands on lines of its own: what kind of element it is, its text, how much is links."""

    kind: str
    text: str
    linked: int


def weight(text: str) -> int:
    """How much a text says, in letters of an alphabet; a character of Chinese or the like counts as two and a half."""
    if text.isascii():
        return len(text)
    return len(text) + (3 * len(_CJK.findall(text))) // 2


def main_text(
    tree: Any, title: str = "", descriptions: Sequence[str] = (), body: Sequence[str] = ()
) -> list[str]:
    """The paragraphs and headings of a page's article, each on one line. The tree is changed.

    Args:
        tree: the page.
        title: of its article, which is not repeated in its text.
        descriptions: what the page gives as its summary: text that repeats it is the article's lead.
        body: its text as its metadata repeat it, where they do.
    """
    leads = _leads(tree, title, descriptions)
    prune(tree)
    chosen = _choose(tree)
    blocks = [] if chosen is None else _blocks(chosen.html)
    paragraphs = _by_body(_keep(blocks, title), body)
    return _with_lead(paragraphs, leads)


def _choose(tree: Any) -> Any:
    if tree.body is None:
        return None
    ballot = _Ballot()
    for element in elements(tree.body, _PROSE)[:_MOST_BLOCKS]:
        ballot.add(element, _vote(element, _own_text(element)))
    if ballot.total < _FEW and ballot.total < _LITTLE * len(squeeze(tree.body.text or "")):
        # The text stands between other elements, and not in any of its own.
        for element in elements(tree.body, "div,section,article,main,td")[:_MOST_BLOCKS]:
            ballot.add(element, _vote(element, _between(element)))
    return ballot.chosen() or tree.body


class _Ballot:
    # Votes for elements: faded by distance, all within, and those of paragraphs that stand right in them.

    def __init__(self) -> None:
        self.votes: dict[Any, float] = {}
        self.within: dict[Any, float] = {}
        self.own: dict[Any, float] = {}
        self.total = 0.0

    def add(self, element: Any, vote: float) -> None:
        if not vote:
            return
        around = element if element.tag not in ("p", "blockquote", "pre") else element.parent
        self.own[around] = self.own.get(around, 0.0) + vote
        self.total += vote
        for level in range(_LEVELS):
            if around is None or around.tag in ("html", "#document"):
                break
            self.votes[around] = self.votes.get(around, 0.0) + vote * _FADING**level
            self.within[around] = self.within.get(around, 0.0) + vote
            around = around.parent

    def chosen(self) -> Any:
        if not self.votes:
            return None
        chosen = max(self.votes, key=lambda element: self.votes[element])
        # An article in several parts: what is around them holds a good deal more, or a paragraph next to the part.
        outer = chosen.parent
        for level in range(_LEVELS):
            if outer is None or outer.tag in ("body", "html", "#document") or chosen.tag == "article":
                break
            more = self.within.get(outer, 0.0) > _MORE * self.within[chosen]
            if more or (level < 3 and self.own.get(outer, 0.0) > _OWN):
                chosen = outer
            outer = outer.parent
        return chosen


def _own_text(element: Any) -> str:
    if element.tag != "p" and len(elements(element, "p,div,li")) > 3:
        return _between(element)
    text = element.text or ""
    return squeeze(text) if len(text) >= _LEAST else ""


def _between(element: Any) -> str:
    # The text that stands in an element itself, between other elements.
    return squeeze(" ".join(node.text or "" for node in element.child_nodes.values() if node.tag in _INLINE))


def _vote(element: Any, text: str) -> float:
    # How much prose an element holds of its own.
    size = weight(text)
    if size < _LEAST:
        return 0.0
    links = sum(len(link.text or "") for link in elements(element, "a"))
    share = 1 - min(1.0, 1.5 * links / len(text))
    vote = min(size, _LONG) * share * share
    return vote if size >= 60 or text.endswith(_ENDS) else 0.3 * vote


def _blocks(markup: str) -> list[Block]:
    from resiliparse.extract.html2text import extract_plain_text

    reduced = extract_plain_text(
        _EMPTY_BREAK.sub("<br>", markup),
        preserve_formatting="minimal_html",
        links=True,
        list_bullets=False,
        alt_texts=False,
    )
    blocks: list[Block] = []
    for match in _BLOCK.finditer(reduced):
        kind = match[1] or ""
        inner = match[2] if kind else match[0]
        for piece in _BREAKS.split(inner):
            links = sum(len(_plain(link)) for link in _LINK.findall(piece)) if "<a" in piece else 0
            text = _plain(piece)
            if text:
                blocks.append(Block(kind, text, links))
        if len(blocks) > _MOST_BLOCKS:
            break
    return blocks


def _plain(markup: str) -> str:
    return squeeze(html.unescape(_TAG.sub("", markup)))


def _keep(blocks: Iterable[Block], title: str) -> list[str]:
    kept: list[Block] = []
    key = _key(title)
    seen: set[str] = set()
    for block in blocks:
        own = _key(block.text)
        if not own or own == key or block.kind == "h1":
            continue
        if _is_surrounding(block) or (len(own) > 30 and own in seen):
            continue
        seen.add(own)
        kept.append(block)
    while kept and (kept[-1].kind.startswith("h") or _is_name(kept[-1])):
        kept.pop()
    while kept and _is_name(kept[0]):
        kept.pop(0)
    return [
        block.text
        for block, after in zip(kept, [*kept[1:], None], strict=False)
        if not (
            block.kind.startswith("h")
            and after is not None
            and after.kind.startswith("h")
            and after.kind <= block.kind
        )
    ]


def _is_name(block: Block) -> bool:
    # A short line without an end: who wrote it, where, a label.
    return block.kind != "li" and weight(block.text) < 40 and not block.text.endswith(_ENDS)


def _is_surrounding(block: Block) -> bool:
    size = weight(block.text)
    if is_extra(block.text, size, block.linked):
        return True
    if block.kind in ("h2", "h3", "h4", "h5", "h6"):
        return block.linked > 0.8 * len(block.text)
    if block.kind == "li":
        return block.linked > 0.6 * len(block.text)
    if block.linked > 0.7 * len(block.text) and size < 300:
        return True
    if block.linked > 0.4 * len(block.text) and size < 200 and not block.text.endswith(_ENDS):
        return True
    return not block.kind and size < 60 and not block.text.endswith(_ENDS)


def _by_body(paragraphs: list[str], body: Sequence[str]) -> list[str]:
    # The page's own copy of its text decides what of the page is text, where both tell the same.
    copy = _key("".join(body))
    if len(copy) < 200 or len(copy) * len(paragraphs) > _MOST_COMPARED:
        return paragraphs
    keys = [_key(paragraph) for paragraph in paragraphs]
    known = [key in copy for key in keys]
    covered = sum(len(key) for key, there in zip(keys, known, strict=True) if there)
    if covered < 0.5 * len(copy) and sum(map(len, keys)) < 1.3 * len(copy):
        return list(body)
    if covered < 0.8 * len(copy):
        return paragraphs
    last = len(known) - known[::-1].index(True)
    return paragraphs[:last] + [paragraph for paragraph in paragraphs[last:] if weight(paragraph) > 250]


def _leads(tree: Any, title: str, descriptions: Sequence[str]) -> list[str]:
    # What may be the lead: elements after the heading that are called so, or repeat the page's summary.
    summaries = [key for description in descriptions if len(key := _key(description.rstrip(" .…"))) > 30]
    heading = _key(title)
    leads: list[str] = []
    behind = False
    for element in elements(tree.document, _LEADS)[: _MOST_BLOCKS // 10]:
        text = squeeze(element.text or "")
        key = _key(text)
        if element.tag == "h1":
            behind = behind or (bool(key) and (key == heading or not heading))
            continue
        size = weight(text)
        if not (40 <= size <= 900) or key == heading or is_extra(text, size, 0):
            continue
        repeats = any(
            key == summary or (len(summary) > 60 and key.startswith(summary)) for summary in summaries
        )
        if repeats or (behind and len(leads) < 3 and _LEAD_NAME.search(attribute(element, "class"))):
            inner = element.tag not in ("p", "h2") and elements(element, "p,div,li,h2,h3")
            if not inner and all(key not in _key(lead) and _key(lead) not in key for lead in leads):
                leads.append(text)
        if len(leads) > 5:
            break
    return leads


def _with_lead(paragraphs: list[str], leads: list[str]) -> list[str]:
    whole = _key("".join(paragraphs))
    return [lead for lead in leads if _key(lead) not in whole] + paragraphs


def _key(text: str) -> str:
    return _LETTERS.sub("", text).casefold()
