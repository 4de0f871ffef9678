"""Addresses of articles without what only counts readers."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from urllib.parse import urljoin, urlsplit

_BLANK = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_OUTSIDE = ("http", "https", "ftp", "gemini", "gopher")
_FROM_A_FEED = re.compile(
    r"(?:source|src|from|ref|referrer|via|partner|emc|cid|mod|medium|ref_src|channel|feedtype|output|rss)=(?:rss|atom|feed)",
    re.IGNORECASE,
)
_COUNTING_FRAGMENT = re.compile(r"(?:publisher|xtor|ref|tk|intcid|ens_id|scid|[a-z]*source)=", re.IGNORECASE)


@lru_cache(maxsize=1)
def _counters() -> re.Pattern[str]:
    # Compiled when it is asked for: that takes as long as reading some twenty articles.
    return re.compile(
        r"(?:utm_\w+|utm|at_(?:medium|campaign|custom\d*|bbc_team|link_\w+|ptr_\w+|format|creation)|ns_(?:mchannel|source|campaign|linkname|fee)"
        r"|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|igshid|igsh|mc_[ce]id|_hs(?:enc|mi)|mkt_tok|oly_(?:anon|enc)_id"
        r"|cmpid|cmp|ito|ocid|smid|smtyp|wt_(?:mc|zmc)|wt\.mc_\w+|maca|xtor|ftag|traffic_source|__twitter_impression|guccounter"
        r"|feature=youtu\.be|ncid|sr_share|taid|soc_(?:src|trk)|piano_\w+|hss_channel|vero_id)(?:=|$)",
        re.IGNORECASE,
    )


def tidy_link(url: str, base: str = "") -> str:
    """An address as its outlet means it: whole, and without the parameters that tell where a reader came from.

    >>> tidy_link("https://a.org/fire?id=7&utm_source=rss#publisher=newsstand")
    'https://a.org/fire?id=7'
    >>> tidy_link("../fire", "https://a.org/world/feed.xml"), tidy_link("javascript:alert(1)"), tidy_link("fire")
    ('https://a.org/fire', '', '')

    Args:
        url: as written.
        base: against which it is read where it is relative.

    Returns:
        "" where it is no address on the web.
    """
    url = absolute(url, base)
    if "?" not in url and "#" not in url:
        return url
    rest, mark, fragment = url.partition("#")
    if not fragment or _counters().match(fragment) or _COUNTING_FRAGMENT.match(fragment):
        mark = fragment = ""
    path, _, query = rest.partition("?")
    kept = [part for part in query.split("&") if part and not counts_readers(part)]
    return path + ("?" + "&".join(kept) if kept else "") + mark + fragment


def counts_readers(parameter: str) -> bool:
    """Whether a parameter of an address only tells where a reader came from.

    >>> counts_readers("utm_source=rss"), counts_readers("ref=feed"), counts_readers("id=7")
    (True, True, False)
    """
    return bool(_counters().match(parameter) or _FROM_A_FEED.fullmatch(parameter))


def absolute(url: str, base: str = "") -> str:
    """A whole address; "" for what is none, or what only a browser would run.

    >>> absolute(" //a.org/x\\n", "http://b.org/"), absolute("/x", "http://b.org/y"), absolute("data:text/html,x")
    ('http://a.org/x', 'http://b.org/x', '')
    """
    url = _BLANK.sub("", url).strip()
    if "&amp;" in url:
        url = unescape(url)
    if not url or len(url) > 8192:
        return ""
    match = _SCHEME.match(url)
    if match and not url[match.end() : match.end() + 6].isdigit():
        return url.replace(" ", "%20") if match[1].lower() in _OUTSIDE and "//" in url[:12] else ""
    base = base if base.startswith(("http://", "https://", "ftp://")) else ""
    if not base and url.startswith("//"):
        base = "https://"
    if not base:
        return ""
    try:
        return urljoin(base, url).replace(" ", "%20")
    except ValueError:
        return ""


def host_of(url: str) -> str:
    """The host of an address in lower case, without `www.`; "" where there is none.

    >>> host_of("https://WWW.a.org:80/x"), host_of("x"), host_of("http://[")
    ('a.org', '', '')
    """
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")
