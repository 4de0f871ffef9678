"""What outlets write after the text of an item in a feed, to bring its reader to their pages: left out."""

from __future__ import annotations

import re

__all__ = ["without_tails"]

_LENGTH, _LINE = 800, 240
_MORE = "|".join(
    (
        r"continue reading|continued here|read (?:the )?(?:more|full (?:story|article|post)|rest)|keep reading",
        r"(?:click )?here to read more|view (?:this )?post on \w+",
        r"weiterlesen|lesen sie mehr",
        r"lire (?:la suite|l['’]article)",
        r"leer más|(?:seguir|sigue|continuar) leyendo",
        r"leia mais|continue lendo|ler mais",
        r"leggi (?:tutto|di più|l['’]articolo)|continua a leggere",
        r"lees (?:verder|meer)|läs mer|les mer|læs mere|lue lisää",
        r"czytaj (?:więcej|dalej)|číst dál|devamını oku|читать (?:далее|полностью|дальше)",
        r"続きを読む|全文を読む|阅读全文|閱讀全文",
        r"اقرأ المزيد|baca selengkapnya|đọc tiếp",
    )
)
"""Words that begin such a tail."""
_MORE_ALONE = "|".join(
    (
        r"more|learn more|see more|more here|view article|full (?:story|article)",
        r"mehr(?: lesen)?|zum artikel|lire plus|ver más|подробнее|далее|查看全文|더 ?보기|المزيد|और पढ़ें",
    )
)
"""Words that are one where nothing else stands on their line."""
_POST = "|".join(
    (
        r"The post|Der Beitrag|Le post|L['’]article|Cet article|La entrada|El post|El artículo|Il post|L['’]articolo",
        r"O post|O conteúdo|A postagem|Het bericht|Artykuł|Wpis|Inlägget|Запись|Сообщение|Příspěvek",
    )
)
_APPEARED = "|".join(
    (
        r"appeared first on|first appeared on|erschien zuerst auf|est apparu en premier sur",
        r"(?:se publicó|apareció) primero en|proviene da|sembra essere il primo su",
        r"apareceu primeiro em|aparece primeiro (?:em|no)|verscheen eerst op|pochodzi z serwisu",
        r"dök (?:först upp|upp först) på|появились сначала на|впервые появилась на|nejdříve se objevil na",
    )
)
_AFTER_A_SENTENCE = '(?<=[\n.!?…。！？\\])"”»])|(?<=[.!?…。！？\\])"”»] )|(?<=[\n.!?…。！？][\\[(«])'
_TAILS = (
    (
        ("first", "zuerst", "premier", "primero", "proviene", "primo", "primeiro", "eerst", "pochodzi", "först",
         "сначала", "впервые", "nejdříve"),
        re.compile(
            rf"\s*(?:^|(?<=\s))(?:{_POST})\b.{{0,400}}?(?:{_APPEARED}).{{0,200}}\Z", re.IGNORECASE | re.DOTALL
        ),
    ),
    (
        ("more", "read", "view", "full", "lesen", "mehr", "artikel", "lire", "leer", "leyendo", "leia", "lendo", "ler ",
         "leggi", "leggere", "lees", "läs", "les ", "læs", "lue ", "czytaj", "číst", "devam", "читать", "далее",
         "подробнее", "続き", "全文", "اقرأ", "المزيد", "baca", "đọc", "ver más", "더", "और"),
        re.compile(
            rf"\s*(?:^|{_AFTER_A_SENTENCE}|(?-i:(?<=\s)(?=[\[(«]?[A-ZÀ-ÞА-Я])))[\[(«<]?\s*"
            rf"(?:(?:{_MORE})\b[^.!?\n]{{0,150}}?|(?:^|{_AFTER_A_SENTENCE})(?:{_MORE_ALONE}))"
            r"\s*(?:\.\.\.|…|[.:→»>])*\s*[\])»>]?\s*\Z",
            re.IGNORECASE,
        ),
    ),
    (
        ("submitted by",),
        re.compile(r"\s*submitted by\s+/?u/\S+(?:\s+to\s+/?r/\S+)?\s*(?:\[link\])?\s*(?:\[comments\])?\s*\Z"),
    ),
    (("comments", "[link]"), re.compile(r"\s*(?:\[(?:link|comments)\]|(?:^|(?<=\n))Comments)\s*\Z")),
    (("...", "…"), re.compile(r"(?<=\S)\s*[\[(]\s*(?:\.{3}|…)\s*[\])]\s*\Z")),
)  # fmt: skip
"""Tails, each with words of which one stands in it: a search for these is much quicker."""
_RELATED = re.compile(
    r"(?:read (?:more|also|next)|also read|related|see also|(?:à )?lire aussi|lesen sie auch|le[ae] también"
    r"|leia (?:também|mais)|leggi anche|lees ook|читайте также)\s*[:：|→–-].{0,200}\Z",
    re.IGNORECASE,
)
_SHORTCODE = re.compile(
    r"\[[a-z][a-z_-]{1,30}(?:\s+[a-z][a-z_-]{0,30}=[^\s\[\]][^\[\]]{0,300})\]\n*"
    r"|\[/?(?:caption|gallery|embed|video|audio|playlist|vc_\w{1,30}|et_pb_\w{1,30})\]\n*"
)


def without_tails(text: str) -> str:
    """A text without "Read more", "The post ... appeared first on ..." and their like at its end.

    Lines that point to other articles, and codes in brackets that the outlet's own system was to fill in, go too.

    >>> without_tails("Two ships met. [...]\\n\\nThe post Ships appeared first on A Post.")
    'Two ships met.'
    >>> without_tails("He said he had nothing more to read."), without_tails("Die Fähre brannte. Weiterlesen ...")
    ('He said he had nothing more to read.', 'Die Fähre brannte.')
    >>> without_tails("One ship.\\n\\nRead more: All ships\\n\\n[caption id='7']Two ships.")
    'One ship.\\n\\nTwo ships.'
    """
    if "[" in text:
        text = _SHORTCODE.sub("", text)
    parts = text.split("\n\n")
    if len(parts) > 1 or _RELATED.match(text):
        text = "\n\n".join(part for part in parts if len(part) > _LINE or not _RELATED.match(part))
    for _ in range(3):
        head, end = text[:-_LENGTH], text[-_LENGTH:]
        lower = end.casefold()
        for words, tail in _TAILS:
            if any(word in lower for word in words):
                end = tail.sub("", end)
        if len(end) == len(text) - len(head):
            break
        text = (head + end).rstrip()
    return text
