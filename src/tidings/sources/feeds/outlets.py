"""The name of the outlet that a feed is of: its title, without what is said of the section and of the feed."""

from __future__ import annotations

import re
from unicodedata import combining, normalize

from tidings.sources.feeds.entries import Channel
from tidings.sources.links import host_of

__all__ = ["outlet_name"]

_BREAK = re.compile(
    r"\s+[-–—|»>›•·:/]+\s+|:\s+|\s+::\s+|\s+\||\|\s+|\s+»|»\s+|(?<=[\u3040-\u9fff])-(?=[\u3040-\u9fff])"
)
_WORD = re.compile(r"[^\W_]+(?:[.'’&-][^\W_]+)*")
_FEED_WORDS = re.compile(
    r"\s*[\[(]?\b(?:rss|atom|xml|feeds?|syndication|newsfeed)(?:\s*\d(?:\.\d)?)?(?:\s+(?:feeds?|channel))?\b[\])]?\s*\Z",
    re.IGNORECASE,
)
_FLUX = re.compile(
    r"(?:rss[ -]?feed|flux|fil|feed|rss|canal)(?:[ -]rss)? (?:du|de|des|d['’]|for|of|from|von|der) ?",
    re.IGNORECASE,
)
_SECTION_WORDS = """
    the all top latest breaking world international global national local regional us u.s uk asia africa europe america
    americas middle east pacific china news newest stories story headline headlines article articles post posts update
    updates home homepage page front main politics business economy finance markets money tech technology science
    environment climate health sport sports culture arts entertainment lifestyle life opinion video videos photo photos
    feature features recent most popular read rss atom xml feed feeds channel category categories tag section search
    result results record records found blog and of in for on to from a an
    en de la el le les los der die das und et y une mundo monde welt noticias nachrichten actualité actualités
    actualidad notizie mondo notícias internacional internationale ultimas últimas dernières aktuell startseite portada
    новости мир новини главное главные все
"""
_SECTION = re.compile("(?:" + "|".join(map(re.escape, _SECTION_WORDS.split())) + r"|\d+)\Z", re.IGNORECASE)
_SHARED_HOSTS = """
    youtube youtu reddit github gitlab feedburner medium tumblr blogger blogspot wordpress substack google mastodon
    facebook twitter instagram telegram t livejournal ghost netlify vercel herokuapp typepad feedly rsshub localhost
    example yahoo msn soundcloud libsyn podbean anchor spotify apple bluesky bsky
"""
_SHARED = frozenset(_SHARED_HOSTS.split())
_SECOND_LEVEL = frozenset(
    ("co", "com", "org", "net", "gov", "ac", "or", "ne", "edu", "go", "gob", "gouv", "mil")
)
_LONGEST = 60


def outlet_name(channel: Channel, address: str = "") -> str:
    """The outlet of a feed, as people call it.

    Of the parts of the title ("World - CBSNews.com") it is the one that is like the name of the site; where none is,
    what else the feed says of itself is searched for that name; a title that names only a section gives way to the
    site's own name.

    >>> outlet_name(Channel(title="World - CBSNews.com", url="https://www.cbsnews.com/"))
    'CBSNews.com'
    >>> outlet_name(Channel(title="Asia", url="https://www.economist.com/asia"))
    'economist.com'
    >>> outlet_name(Channel(title="World", url="https://a-post.com", description="The A Post World section informs"))
    'The A Post'

    Args:
        channel: what the feed says of itself.
        address: where it was fetched, or of one of its items: for a feed that names no site.
    """
    host = host_of(channel.url) or host_of(address)
    label = _label(host)
    title = " ".join(channel.title.split())
    parts = [part for part in (_trimmed(part) for part in _BREAK.split(title)) if part]
    if label:
        likest = max(parts, key=lambda part: _likeness(part, label), default="")
        if likest and _likeness(likest, label) > 0:
            return _shortened(likest, label)
        for text in (*channel.hints, channel.description):
            if name := _named_in(text, label):
                return name
    if len(parts) > 1 and (hinted := next((part for part in parts if part in channel.hints), "")):
        return hinted
    telling = [part for part in parts if not _is_section(part)]
    if telling:
        whole = _trimmed(title)
        return whole if len(telling) == len(parts) and len(whole) <= _LONGEST else telling[0][:120]
    return host or (parts[0][:120] if parts else "")


def _trimmed(part: str) -> str:
    part = part.strip(' \t"“”-–—|»>:')
    shorter = _FEED_WORDS.sub("", part)
    if match := _FLUX.match(shorter):
        shorter = shorter[match.end() :]
    return shorter or part


def _letters(text: str) -> str:
    return "".join(
        char for char in normalize("NFKD", text.casefold()) if char.isalnum() and not combining(char)
    )


def _label(host: str) -> str:
    """The part of a host that is a name: `cbsnews` of `feeds.cbsnews.com`, `abc` of `abc.net.au`."""
    labels = host.split(".")
    if len(labels) < 2 or all(label.isdigit() for label in labels):
        return ""
    at = -3 if len(labels) > 2 and labels[-2] in _SECOND_LEVEL and len(labels[-1]) == 2 else -2
    label = labels[at]
    if label in _SHARED:
        label = labels[at - 1] if len(labels) > -at and len(labels[at - 1]) > 3 else ""
    label = _letters(label)
    return "" if label in _SHARED or _SECTION.match(label) else label


def _bare(part: str) -> str:
    return _letters(
        re.sub(r"\.(?:com|org|net|co\.uk|de|fr|it|es|info|tv|news)\Z", "", part.strip(), flags=re.IGNORECASE)
    )


def _likeness(part: str, label: str) -> int:
    """How much a part of a title is like the name of a site: 0 for not at all."""
    bare = _bare(part)
    if not bare:
        return 0
    without = bare.removeprefix("the")
    if label in (bare, without):
        return 5
    words = [_letters(word) for word in _WORD.findall(part)]
    if len(words) > 1 and "".join(word[0] for word in words if word) in (label, label.removesuffix("news")):
        return 4
    if len(label) > 3 and label in bare:
        return 3
    if label in words:
        return 3
    if len(without) > 2 and label.startswith(without) and not _is_section(part):
        return 2
    if len(without) > 4 and without in label and not _is_section(part):
        return 2
    return int(
        bool(words) and len(words[0]) > 2 and label.startswith(words[0]) and not _SECTION.match(words[0])
    )


def _shortened(part: str, label: str) -> str:
    """A part of a few words as it is; of a long one, the name in it."""
    if len(part.split()) <= 4:
        return part
    return _named_in(part, label) or part[:120]


def _named_in(text: str, label: str) -> str:
    """Words of a text that written together are the name of the site; "" where there are none."""
    words = list(_WORD.finditer(text[:2000]))
    for at, first in enumerate(words):
        joined = ""
        for last in words[at : at + 6]:
            ends = joined + _bare(last[0]) == label
            joined += _letters(last[0])
            if not ends and not label.startswith(joined) and _bare(last[0]) != label:
                break
            if ends or joined == label or _bare(text[first.start() : last.end()]) == label:
                if first[0][:1].islower() and not first[0].startswith(label):
                    break
                start = first.start()
                if at and words[at - 1][0] == "The":
                    start = words[at - 1].start()
                return text[start : last.end()]
    return ""


def _is_section(part: str) -> bool:
    words = _WORD.findall(part)
    return bool(words) and all(_SECTION.match(word) for word in words)
