"""What stands around the text of an article, by its element, its class and its words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from tidings.sources.pages.parsing import attribute, elements

__all__ = ["is_extra", "prune"]

_NEVER = (
    "script,style,noscript,template,svg,iframe,object,embed,canvas,audio,video,nav,aside,footer,form,button,input,"
    "select,textarea,label,dialog,menu,figure,figcaption,amp-ad,amp-embed,[hidden],[aria-hidden='true' i],"
    "[role='navigation' i],[role='complementary' i],[role='banner' i],[role='contentinfo' i],[role='dialog' i],"
    "[role='search' i],[role='menu' i],[role='tooltip' i],[style*='display:none' i],[style*='display: none' i]"
)
_PARTS = [
    "newsletter", "subscri", "cookie", "consent", "gdpr", "share", "sharing", "social", "relat",
    "recommend", "readmore", "read-more", "read_more", "readalso", "read-also", "alsolike", "also-like",
    "more-news", "more-stories", "morestories", "promo", "advert", "adslot", "ad-slot", "sponsor",
    "taboola", "outbrain", "comment", "disqus", "breadcrumb", "byline", "author", "caption", "credit",
    "copyright", "tags", "taglist", "tag-list", "topics", "keyword", "tooltip", "toolbar", "modal", "popup",
    "pop-up", "overlay", "sidebar", "side-bar", "widget", "mostread", "most-read", "most_read", "trending",
    "popular", "ranking", "player", "gallery", "slideshow", "slider", "carousel", "skip", "navbar", "nav-",
    "navigation", "menu", "footer", "rating", "survey", "infobox", "factbox", "print-only", "donat",
    "paywall-cta", "signup", "sign-up", "register", "follow-us", "follow_us", "whatsapp", "telegram",
    "timestamp", "dateline", "pubdate", "publish-date", "published-date", "post-date", "article-date",
    "meta-info", "article-meta", "post-meta", "entry-meta", "bio-box", "biography", "author-bio", "teaser",
    "feedback", "correction-link", "app-download", "visually-hidden", "visuallyhidden", "sr-only",
    "screen-reader", "sign-in", "signin", "regist", "identity", "bookmark", "listen", "audio", "read-time",
    "reading-time", "readtime", "login",
]  # fmt: skip
_NAMED = ",".join(
    f"{tag}[class],{tag}[id]"
    for tag in [
        "div", "section", "p", "ul", "ol", "li", "span", "header", "table", "dl", "h2", "h3", "h4", "h5",
        "small", "strong", "time", "center",
    ]
)  # fmt: skip
_KEEP = re.compile(
    r"(?:\b|_)(?:article-?_?body|articlebody|story-?_?body|post-?_?content|entry-?_?content|main-?content|paywalled|has-|no-|with-)",
    re.IGNORECASE,
)
_STARTS = re.compile(
    r"^\W*(?:read (?:more|also|next|this)|also read|see also|more (?:on|from)|related|recommended|watch|listen|"
    r"follow us|"
    r"subscribe|sign up|advertis|sponsored|click here|continue reading|story continues|article continues|"
    r"lesen sie|lesen sie auch|mehr zum thema|auch interessant|lire aussi|à lire|a lire|lea también|lea tambien|"
    r"lee también|te puede interesar|más información|mas informacion|leggi anche|leia também|leia mais|les også|"
    r"læs også|läs också|lees ook|czytaj też|zobacz też|читайте также|читайте ещё|oku[:：]|ilgili haber|xem thêm|"
    r"baca juga|関連記事|あわせて読みたい|関連リンク|관련기사|相关阅读|延伸閱讀|"
    r"anzeige$|publicidad$|werbung$|pubblicità$|publicité$)",
    re.IGNORECASE,
)
_CREDIT = re.compile(
    r"^\W*(?:photos?|foto|fotos|bild|image|picture|fotograf[íi]a|写真|사진|图|圖|ảnh|video|graphic|grafik|credit|"
    r"source|quelle|fonte|fuente)s?(?: (?:by|credit|von|de|di))?\s?[:：/©]",
    re.IGNORECASE,
)
_READERS = re.compile(
    r"subscriber|subscribe to|sign in to|create an account|log in to|newsletter|abonn[ée]s|s’abonner|"
    r"s'abonner|abonnent|abonnieren|"
    r"suscriptor|suscr[íi]b|abbonati|abbonamento|assinante|prenumerant|会員限定|有料会員|구독|"
    r"posting policy|commenting|comment on this|"
    r"(?:join|follow|siga|folge|únete|suivez|segui|canal|channel|kanal)\b.*\b(?:whatsapp|telegram|facebook|instagram|twitter)",
    re.IGNORECASE,
)
_RIGHTS = re.compile(
    r"©|\(c\) ?(?:19|20)\d\d|all rights reserved|alle rechte vorbehalten|todos los derechos|tutti i diritti|"
    r"tous droits|"
    r"無断|転載|무단|저작권|版權|版权|copyright",
    re.IGNORECASE,
)


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
        if sum(len(one.text or "") for one in there) > most and sum(map(_prose, there)) > most:
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
    return sum(size for one in inner if (size := len(one.text or "")) > 80)


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
