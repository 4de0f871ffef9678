"""What outlets write after the text of an item in a feed, to bring its reader to their pages: left out."""

from __future__ import annotations

import re

__all__ = ["without_tails"]

_LENGTH = 800
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
_TAILS = (
    re.compile(
        rf"\s*(?:^|(?<=\s))(?:{_POST})\b.{{0,400}}?(?:{_APPEARED}).{{0,200}}\Z", re.IGNORECASE | re.DOTALL
    ),
    re.compile(
        rf"\s*(?:^|(?<=[\s.!?…。！？\])\"”»]))[\[(«<]?\s*"
        rf"(?:(?:{_MORE})\b[^.!?\n]{{0,150}}?|(?:(?<=[\n.!?…])|^|(?<=[\n.!?…] ))(?:{_MORE_ALONE}))"
        r"\s*(?:\.\.\.|…|[.:→»>])*\s*[\])»>]?\s*\Z",
        re.IGNORECASE,
    ),
    re.compile(r"\s*submitted by\s+/?u/\S+(?:\s+to\s+/?r/\S+)?\s*(?:\[link\])?\s*(?:\[comments\])?\s*\Z"),
    re.compile(r"\s*(?:\[(?:link|comments)\]|(?:^|(?<=\n))Comments)\s*\Z"),
    re.compile(r"(?<=\S)\s*[\[(]\s*(?:\.{3}|…)\s*[\])]\s*\Z"),
)


def without_tails(text: str) -> str:
    """A text without "Read more", "The post ... appeared first on ..." and their like at its end.

    >>> without_tails("Two ships met. [...]\\n\\nThe post Ships appeared first on A Post.")
    'Two ships met.'
    >>> without_tails("He said he had nothing more to read."), without_tails("Die Fähre brannte. Weiterlesen ...")
    ('He said he had nothing more to read.', 'Die Fähre brannte.')
    """
    for _ in range(3):
        head, end = text[:-_LENGTH], text[-_LENGTH:]
        shorter = end
        for tail in _TAILS:
            shorter = tail.sub("", shorter)
        if len(shorter) == len(end):
            break
        text = (head + shorter).rstrip()
    return text
