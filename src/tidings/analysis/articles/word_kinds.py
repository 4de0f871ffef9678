"""Which words say that a sentence reports, asks, opines, supposes, looks ahead, or is no sentence of the article."""

from __future__ import annotations

from enum import IntFlag

__all__ = ["CLOSED_OPENERS", "WORD_KINDS", "WordKind"]


class WordKind(IntFlag):
    """Kinds of words; one word can be of several."""

    FIRST = 1
    SECOND = 2
    THIRD = 4
    THIS = 8
    MODAL = 16
    FUTURE = 32
    SAYING = 64
    PAST = 128
    PERFECT = 256
    OPINION = 512
    FURNITURE = 1024
    CONNECTIVE = 2048
    ASKING = 4096
    NEGATION = 8192
    PRESENT = 16384
    DEED = 32768
    PAGE = 65536
    MONEY = 131072


_LISTS: dict[WordKind, str] = {
    WordKind.FIRST: "i me my mine myself we us our ours ourselves i'm i've i'd i'll we're we've we'd we'll let's",
    WordKind.SECOND: "you your yours yourself you're you've you'd you'll",
    WordKind.THIRD: "he she him her his hers himself herself they them their theirs themselves it its itself he's "
    "she's it's they're they've he'd she'd they'd",
    WordKind.THIS: "this that these those such there here",
    WordKind.MODAL: "may might could should would must can cannot can't couldn't shouldn't wouldn't perhaps "
    "possibly probably likely unlikely if whether maybe seems seem appears appear suggests",
    WordKind.FUTURE: "will won't would shall due expected scheduled planned plans plan aims hopes intends tomorrow "
    "next upcoming coming soon",
    WordKind.SAYING: "said says say saying told tells announced announces confirmed confirms reported reports warned "
    "warns added according officials official spokesman spokeswoman spokesperson statement claimed claims denied "
    "declared reporters minister ministry agency police insisted admitted revealed sources",
    WordKind.PAST: "was were had did didn't wasn't weren't hadn't went came took made gave began left won lost held "
    "met led shot struck hit fell rose sent broke brought found became fled sank blew saw put set cut",
    WordKind.PERFECT: "has have hasn't haven't been having",
    WordKind.OPINION: "very really terrible great wonderful sad unfortunately clearly surely obviously best worst good "
    "bad shame disgrace need needs ought think thinks believe believes feel feels hope hopes wish love hate "
    "disgusting amazing sorry absolutely simply actually quite too honest stupid ridiculous please thank thanks "
    "question lesson lessons argue argues seem important",
    WordKind.FURNITURE: "click e-mail email www http https copyright javascript flash rss blog transcript subscribe "
    "newsletter cookies facebook twitter reply comment comments photo photos image images gallery getty reuters afp "
    "ap video watch listen download bookmark advertisement sponsored presenter producer gmt bst last-updated updated "
    "correspondent editor share print pm.gov player installed iplayer caption",
    WordKind.CONNECTIVE: "but and also so then however meanwhile instead additionally moreover still yet or because "
    "although though nevertheless furthermore nor thus therefore similarly likewise otherwise hence",
    WordKind.ASKING: "what why how who when where which",
    WordKind.NEGATION: "not no never none nobody nothing don't doesn't isn't aren't",
    WordKind.PRESENT: "is are am be do does isn't aren't",
    WordKind.DEED: "killed dead died dies deaths death injured wounded arrested charged sentenced sealed capped "
    "launched opened closed approved ordered resigned sacked banned signed agreed rejected suspended evacuated rescued "
    "released destroyed collapsed exploded attacked bombed clashed protested begun started ended reached rejected "
    "found guilty jailed voted elected withdrawn deployed arrived spilled leaked spread infected hospitalised "
    "diagnosed recovered missing trapped seized shelled stormed fired",
    WordKind.PAGE: "comments views read more links sites responsible rights reading see live javascript time programme "
    "radio bbc tune page stories popular play reports quote send photo photos image images picture pictures com co org",
    WordKind.MONEY: "million billion trillion dollars pounds euros bn dollar",
}

WORD_KINDS: dict[str, int] = {}
"""The kinds of a word in small letters, as flags."""

for _kind, _words in _LISTS.items():
    for _word in _words.split():
        WORD_KINDS[_word] = WORD_KINDS.get(_word, 0) | int(_kind)

_CLOSED_OPENERS_WORDS = (
    "he she it they this that these those his her its their there here such both we i you another "
    "others one some many most neither either each"
)
CLOSED_OPENERS = frozenset(_CLOSED_OPENERS_WORDS.split())
"""Words at the beginning of a sentence that point back to one before it."""
