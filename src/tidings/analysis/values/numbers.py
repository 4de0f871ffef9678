"""Quantities in text: digits of every script, words, dozens, ranges and doubts; never dates, times, scores or codes.

    "at least 1,200"      ->  1200, at least         "1,23,456"   ->  123456
    "forty to fifty"      ->  40 to 50               "dozens"     ->  vague, 24 to 99
    "7.45 million"        ->  7450000                "MH370", "9/11", "3:15", "34-year-old"  ->  nothing

A number without end or of more than fifteen digits is no quantity: nobody counted it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from typing import TypeVar

from msgspec import Struct

from tidings.core import data_beside

LARGEST = 1e15
"""No quantity is larger."""


class Quantity(Struct, frozen=True):
    """So many, as characters start..end of the text say: from `low` to `high`, `value` where one must be named.

    `qualifier` is "" for a plain figure, or one of "at least", "at most", "about", "range"; `vague` quantities
    ("dozens", "hundreds") have bounds but name no number. Sums of money are in dollars, and say of which `currency`.
    """

    value: float
    low: float
    high: float
    qualifier: str
    start: int
    end: int
    vague: bool = False
    currency: str = ""

    @classmethod
    def exact(cls, value: float, start: int = 0, end: int = 0) -> Quantity:
        """Just so many."""
        return cls(value, value, value, "", start, end)


class Mention(Struct, frozen=True):
    """A quantity and what it counts, as characters start..end of the text say.

    `attribute` is what is tracked (`tidings.core.ATTRIBUTES`); of other numbers the plural in lower case, the
    currency, or `%`. `toll` says that it is named as a total. The rest is what `find_mentions` says of it: `doubts` are
    the reasons why it may not be the event's number (`tidings.following.values.series.DOUBTS`), `official` that
    someone answers for it, `revised` that it replaces another, `instead_of` which larger one it corrects. `near`
    counts the event's own words close by, and `key` is a digest of the words next to the number.
    """

    attribute: str
    quantity: Quantity
    start: int = 0
    end: int = 0
    toll: bool = False
    doubts: tuple[str, ...] = ()
    official: bool = False
    revised: bool = False
    instead_of: float | None = None
    near: int = 0
    key: int = 0

    @property
    def value(self) -> float:
        """The number, where one must be named."""
        return self.quantity.value


_UNIT_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {word: float(value) for value, word in enumerate(_UNIT_WORDS.split())}
_TENS = {word: 10.0 * value for value, word in enumerate(_TEN_WORDS.split(), 2)}
_DATA = data_beside(__file__)
_SCALES: dict[str, float] = _DATA["scales"]
_VAGUE: dict[str, tuple[float, float]] = {words: (low, high) for words, (low, high) in _DATA["vague"].items()}
_TOGETHER = {"couple": 2.0, "pair": 2.0, "duo": 2.0, "trio": 3.0}
"""So many people in a word; `a couple of days` are vague."""

NUMBER_WORDS = frozenset(
    (
        *_UNITS,
        *_TENS,
        *(scale for scale in _SCALES if len(scale) > 2),
        *" ".join(_VAGUE).split(),
        "lakhs",
        "crores",
        *_TOGETHER,
    )
) | {"no", "not", "nobody", "without", "none", "any", "anyone", "anybody", "accounted"}
"""Of texts without a digit, those that hold none of these words give no number."""

_SPACE = "[ \u00a0\u2009\u202f]"
_DIGITS = (
    rf"\d{{1,3}}(?:[٬，'’]\d{{3}}){{1,4}}(?!\d)|\d{{1,3}}(?: ?,\d{{3}}){{1,4}}(?![\d,]*,\d)(?:\.\d{{1,4}})?"
    rf"|\d{{1,2}}(?:,\d\d){{1,5}},\d{{3}}(?!,?\d)"
    rf"|\d{{1,3}}(?:\.\d{{3}}){{2,4}}(?!\.?\d)|[1-9]\d{{0,2}}(?:{_SPACE}\d{{3}}){{1,4}}(?!{_SPACE}?\d)"
    r"|\d{1,15}(?:\.\d{1,6})?"
)
_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_TEN = "|".join(_TENS)
_LONG = r"dozen|hundred|thousand|lakhs?|million|mln|crores?|billion|bln|trillion"
_IN_WORDS = rf"(?:(?:{_TEN})(?:[- ](?:{_UNIT}))?|{_UNIT})(?![a-z])|(?:half an?|an?)(?= (?:{_LONG})\b)"
_FEW = (
    rf"(?:an?|the)(?: (?!of\b)[a-z]{{3,12}})?? (?:{'|'.join(_TOGETHER)})\b"
    r"(?! (?:of|more|days|weeks|hours|months|years|minutes|times|dozen|hundred|thousand)\b|['’]"
    r"| (?:killed|injured|wounded|shot|murdered)"
    r" (?!(?:in|on|at|by|near|off|and|or|dead|after|when|while|as|during|with)\b)\w)"
)
_ONE = rf"(?:{_DIGITS}|{_IN_WORDS})"
NUMBER = rf"{_ONE}(?:[ -]?(?:{_LONG})\b(?:(?: and)? {_ONE}(?!\d))?){{0,4}}(?:(?:k|m|mn|bn|tn)\b)?"
"""The pattern of one number, to be matched where case is ignored."""

_VAGUE_WORDS = "|".join(rf"{words}" for words in _VAGUE)
_FIRST = sorted({word[:4] for word in (*_UNITS, *_TENS, *_VAGUE, "half", "many", "several")})
_START = (
    rf"(?=[\dat{''.join(sorted({word[0] for word in _FIRST}))}])"
    rf"(?=\d|{'|'.join(_FIRST)}|an? |the (?:[a-z]{{3,12}} )?(?:{'|'.join(_TOGETHER)}))"
)
"""With what a quantity begins, for a quick test."""
_BOUND = rf"(?<![\w^/:.,٬٫，$€£¥₹#%+&@]){_START}(?<!\d['’])(?<![^\W\d]-)(?<!\d-)(?<!\d–)"
_QUANTITY = re.compile(
    rf"{_BOUND}(?:(?P<low>{NUMBER})(?P<between>(?<=\d) ?[-–] ?(?=\d)| to | or )(?P<high>{NUMBER})"
    rf"|(?<=between )(?P<least>{NUMBER}) and (?P<most>{NUMBER})|(?P<one>{_FEW}|{NUMBER})"
    rf"|(?:(?:many |several )?(?P<vague>{_VAGUE_WORDS})))(?![\w^°%]|[-–/:.,٬٫，]\d|['’]\d|-[^\W\d])",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_PARTS_OF_LARGE = "teen twenty thirty forty fifty dozen hundred thousand lakh illion crore mln bln scores"
_PARTS_OF_NUMBERS = (*_UNIT_WORDS.split()[:13], *_PARTS_OF_LARGE.split(), *_TOGETHER)
"""Every number in words holds one of these."""

_FOLDED = str.maketrans("İıſ", "iis")
_PART = re.compile(rf"{_DIGITS}|[a-z]+", re.IGNORECASE)

_AT_LEAST = (
    "at least|no fewer than|not less than|no less than|not fewer than|a minimum of|more than|over|upwards? of|above"
    "|as many as|at the least|in excess of|greater than|exceeds|exceeded|exceeding|passed|surpassed|topped"
)
_AT_MOST = "up to|at most|fewer than|less than|under|no more than|not more than|a maximum of|below"
_ABOUT = (
    "nearly|almost|close to|about|around|some|roughly|approximately|an estimated|an approximate|estimated|or so"
    "|more or less|perhaps|possibly|probably|near"
)
_BEFORE = re.compile(
    rf"(?:(?P<least>\b(?:{_AT_LEAST})|>)|(?P<most>\b(?:{_AT_MOST})|<)|(?P<about>\b(?:{_ABOUT})|[~≈]))"
    r" ?(?:a total of |another |the |an? )?$",
    re.IGNORECASE,
)
_LONGEST_DOUBT = 28  # characters before a number in which words may cast doubt on it
_AFTER_LEAST = re.compile(r"\+| or more\b| plus\b| and (?:counting|rising)\b", re.IGNORECASE)

_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec"
_LONG_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
_MONTH_WORD = rf"(?:(?:{_LONG_MONTH})|(?:{_MONTH})\.?)"
_DATE_AFTER = re.compile(rf" (?:of )?{_MONTH_WORD}(?![a-z])", re.IGNORECASE)
_BEFORE_YEARS_TEXT = (
    "in since of by from until till during before after and to late early mid year the for between"
)
_OF_A_YEAR = re.compile(
    r" (?:death|killing|attack|bombing|shooting|crash|arrest|murder|massacre|disaster|injury)\b",
    re.IGNORECASE,
)
"""What has happened once, in a year: nobody counts 2,024 of it."""
_BEFORE_YEARS = frozenset(_BEFORE_YEARS_TEXT.split())
_MONTHS = frozenset(f"{_LONG_MONTH}|{_MONTH}|sep|sept".replace("?", "").split("|"))
_CODES_TEXT = (
    "flight no number nos page room channel highway route interstate gate platform line chapter section "
    "article act phone tel telephone fax call dial hotline age aged ages version bus train unit block sector "
    "zone area magnitude category level top group class grade phase day week part episode season euro news "
    "fifa studio psalm verse u boeing airbus antonov tupolev apollo iphone windows"
)
_CODES = frozenset(_CODES_TEXT.split())
"""Words behind which a number is a name."""
_AGED_BEFORE = re.compile(r"[^\W\d_]['’\w-]*, $")
_LAST_OF_DOUBTS = (
    "least than over of above many excess exceeds exceeded exceeding passed surpassed topped to most under more below "
    "nearly almost about around some roughly approximately approximate estimated so less perhaps possibly probably "
    "near total another the a an > < ~ ≈"
)
_DOUBTING = (*(f"{word} " for word in _LAST_OF_DOUBTS.split()), *"><~≈")
_LAST = re.compile(r"([^\W\d_]+)[.,#:]?,? $")
_PERCENT = re.compile(r" ?(?:%|percent|per ?cent|pct|percentage)", re.IGNORECASE)
_ABROAD = re.compile(r"\+\d{1,3}[ -]?$")
_SHARE = re.compile(
    r"\b(?:one|two|three|four|nine|[1-49]) (?:in|out of) (?:every )?(?:two|three|four|five|six|seven|eight|nine|ten"
    r"|\d{1,3}) (?:of|people|persons|residents|patients|victims|children|adults|women|men|americans|passengers)\b",
    re.IGNORECASE,
)
"""`one in five people` counts nobody."""
_PHONE_NUMBER = re.compile(r"\d{3}-\d{4}")
_PHONE = re.compile(r"[ -.]?\(?\d{3}\)?[ -.]\d{3,4}(?!\d)")


_T = TypeVar("_T")
_MOST_REMEMBERED, _LONGEST_REMEMBERED = 4_096, 1_000


def remembered(read: Callable[[str], list[_T]]) -> Callable[[str], list[_T]]:
    """A function that finds things in a text, which remembers what it found in the latest short ones."""
    kept = lru_cache(maxsize=_MOST_REMEMBERED)(read)

    @wraps(read)
    def find(text: str) -> list[_T]:
        return [*(kept(text) if len(text) <= _LONGEST_REMEMBERED else read(text))]

    return find


@remembered
def find_quantities(text: str) -> list[Quantity]:
    """The quantities of `text`, in order.

    >>> [(q.low, q.high, q.qualifier) for q in find_quantities("at least 45 of forty to fifty; 2 dozen, dozens")]
    [(45.0, 45.0, 'at least'), (40.0, 50.0, 'range'), (24.0, 24.0, ''), (24.0, 99.0, 'about')]
    >>> find_quantities("On 9/11 flight MH370 left at 3:15 with a 34-year-old; it won 3-1, 45% of 1e400")
    []
    """
    if not may_number(folded(text)):
        return []
    quantities = [
        quantity for match in _QUANTITY.finditer(text) if (quantity := _quantity(text, match)) is not None
    ]
    shares = [match.span() for match in _SHARE.finditer(text)] if quantities else []
    if shares:
        return [one for one in quantities if not any(low <= one.start < high for low, high in shares)]
    return quantities


def folded(text: str) -> str:
    """A text in lower case, as far as a pattern that ignores case holds two letters for the same.

    >>> folded("Six LAKHS"), folded("ſix")
    ('six lakhs', 'six')
    """
    return text.lower() if text.isascii() else text.translate(_FOLDED).lower()


def may_number(low: str) -> bool:
    """Whether a text in lower case may give a number; cheap, for most give none."""
    return _DIGIT.search(low) is not None or any(map(low.__contains__, _PARTS_OF_NUMBERS))


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    start, end = match.start(), match.start() + len(match.group().rstrip())
    before = text[max(0, start - 40) : start]
    if match["vague"]:
        low, high = _VAGUE[folded(match["vague"])]
        return Quantity(low, low, high, "about", start, end, vague=True)
    if _is_no_count(text, start, end, before):
        return None
    if match["one"] is not None:
        value = number_of(match["one"])
        if value is None:
            return None
        qualifier = _qualifier(before, text[end : end + 14])
        return Quantity(value, value, value, qualifier, start, end)
    return _range(match, before, start, end)


def _range(match: re.Match[str], before: str, start: int, end: int) -> Quantity | None:
    first, second = match["low"] or match["least"], match["high"] or match["most"]
    low, high = number_of(first), number_of(second)
    if low is None or high is None or _PHONE_NUMBER.fullmatch(match.group()):
        return None
    between = (match["between"] or "").strip().lower()
    scale = re.search(rf"(?:{_LONG}|k|m|mn|bn|tn)$", second, re.IGNORECASE)
    if scale and low < high and not re.search(r"[a-z]$", first, re.IGNORECASE):
        low *= _SCALES[folded(scale.group()).rstrip("s")]  # 10 to 20 billion
    if between == "to" and re.search(r"\bfrom $", before, re.IGNORECASE):
        return Quantity.exact(high, start, end)  # lowered from 80 to 78: the second holds
    if not low < high:
        return None  # a score, or nothing that can be meant
    return Quantity(low, low, high, "range", start, end)


def doubt_before(text: str, start: int) -> int | None:
    """Where the words begin that doubt the number which begins at `start`; None where there are none."""
    doubt = _doubt(text[max(0, start - _LONGEST_DOUBT) : start])
    return max(0, start - _LONGEST_DOUBT) + doubt.start() if doubt is not None else None


def _doubt(before: str) -> re.Match[str] | None:
    return (
        _BEFORE.search(before[-_LONGEST_DOUBT:])
        if before[-_LONGEST_DOUBT:].lower().endswith(_DOUBTING)
        else None
    )


def _qualifier(before: str, after: str) -> str:
    doubt = _doubt(before)
    if doubt is not None:
        return "at least" if doubt["least"] else "at most" if doubt["most"] else "about"
    if _AFTER_LEAST.match(after):
        return "at least"
    return ""


def _is_no_count(text: str, start: int, end: int, before: str) -> bool:
    words = text[start:end]
    after = text[end : end + 24]
    last = _LAST.search(before)
    word = last.group(1).lower() if last is not None else ""
    if (word in _CODES and not before.endswith(", ")) or _PERCENT.match(after) or _PHONE.match(after):
        return True
    if _ABROAD.search(before):
        return True
    if not words[0].isdigit():
        return False
    if after[:1] == "," and len(words) <= 3 and _AGED_BEFORE.search(before) and after[1:2] == " ":
        return True  # Jane Roe, 48, was taken to hospital
    is_year = words.isdigit() and len(words) == 4 and 1500 <= int(words) <= 2100
    if (len(words) <= 2 or is_year) and word in _MONTHS:
        return True
    if len(words) <= 2 and _DATE_AFTER.match(after):
        return True
    return is_year and (
        word in _BEFORE_YEARS
        or not before.strip()
        or before.rstrip()[-1:] in ",("
        or before.rstrip().endswith(("'s", "’s"))
        or _OF_A_YEAR.match(after) is not None
    )


def number_of(words: str) -> float | None:
    """The number that digits or words say; None where they say none, or one too large to have been counted.

    >>> number_of("1.234.567"), number_of("two hundred and six"), number_of("٣٤"), number_of("1" + "0" * 400)
    (1234567.0, 206.0, 34.0, None)
    """
    total, current, is_number = 0.0, 0.0, False
    for part in _PART.findall(folded(words)):
        if part[0].isdigit():
            current += _plain(part)
        elif part in _UNITS:
            current += _UNITS[part]
        elif part in _TENS:
            current += _TENS[part]
        elif part in _TOGETHER:
            current = _TOGETHER[part]
        elif part in {"hundred", "dozen"}:
            current = (current or 1.0) * _SCALES[part]
        elif part.rstrip("s") in _SCALES:
            total += (current or 1.0) * _SCALES[part.rstrip("s")]
            current = 0.0
        elif part in ("a", "an"):
            current = current or 1.0
        elif part == "half":
            current = 0.5
            is_number = True
            continue
        else:
            continue
        is_number = True
    value = total + current
    return value if is_number and value < LARGEST and len(words) <= 60 else None


def _plain(digits: str) -> float:
    if digits.count(".") > 1:
        digits = digits.replace(".", "")
    return float(re.sub(r"[,٬，'’\s]", "", digits))


DOLLARS: dict[str, float] = _DATA["dollars"]
_SIGNS: dict[str, str] = _DATA["signs"]
_CURRENCIES: dict[str, str] = _DATA["currencies"]


def _alternatives(table: dict[str, str]) -> str:
    return "|".join(re.escape(word) for word in sorted(table, key=len, reverse=True))


_CURRENCY_CODES = "|".join(DOLLARS)
_BETWEEN = r"(?P<between> ?[-–] ?| to | and )"
_SIGNED = re.compile(
    rf"(?<!\w)(?P<sign>{_alternatives(_SIGNS)}|(?:{_CURRENCY_CODES})(?= ?\d)) ?(?P<low>{NUMBER})"
    rf"(?:{_BETWEEN}(?:{_alternatives(_SIGNS)})? ?(?P<high>{NUMBER}))?(?P<scale> (?:bn|mn|tn|m)\b)?(?![\w%]|[.,]\d)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"(?<![\w.,$€£¥₹-])(?P<low>{NUMBER})(?:{_BETWEEN}(?P<high>{NUMBER}))? (?P<word>(?:{_alternatives(_CURRENCIES)})s?|"
    rf"(?:{_CURRENCY_CODES}))(?!\w)",
    re.IGNORECASE,
)
_ANY_SUM = re.compile(rf"[$€£¥₹₽₩₱₺]|\b(?:{_alternatives(_CURRENCIES)}|Rs|{_CURRENCY_CODES})", re.IGNORECASE)
_SCALED = re.compile(
    r"(hundred|thousand|lakh|million|mln|crore|billion|bln|trillion|k|m|mn|bn|tn)s?$", re.IGNORECASE
)


def find_sums(text: str) -> list[Quantity]:
    """The sums of money of `text`, in order, in dollars.

    >>> [(one.low, one.high, one.currency) for one in find_sums("losses of $10 to 20 billion, or 2m euros")]
    [(10000000000.0, 20000000000.0, 'USD'), (2600000.0, 2600000.0, 'EUR')]
    >>> find_sums("three horses")
    []
    """
    if not may_number(folded(text)) or not _ANY_SUM.search(text):
        return []
    sums: list[Quantity] = []
    matches = [*_SIGNED.finditer(text), *_NAMED.finditer(text)]
    for match in sorted(matches, key=lambda match: (match.start(), -match.end())):
        if sums and (match.start() < sums[-1].end or text[sums[-1].end : match.start()].strip() == "("):
            continue  # $75m (£50m) is one sum
        money = _sum(match)
        if money is not None:
            sums.append(money)
    return sums


_SHOWN_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "INR": "₹"}


def currency_of(dollars: float, texts: Iterable[str]) -> str:
    """The currency in which the first of the texts that gives so many dollars does; dollars where none does.

    >>> currency_of(156e6, ["It cost the port about 120 million euros."])
    'EUR'
    """
    sums = (money for text in texts for money in find_sums(text))
    given = (money.currency for money in sums if dollars in (money.low, money.value, money.high))
    return next(given, "USD")


def sum_in_words(dollars: float, currency: str = "USD") -> str:
    """So many dollars as readers write them, in a currency.

    >>> sum_in_words(2.5e9), sum_in_words(156e6, "EUR"), sum_in_words(1060.0, "CHF")
    ('$2.5 billion', '€120 million', 'CHF 1,000')
    """
    number, sign = dollars / DOLLARS[currency], _SHOWN_SIGNS.get(currency, f"{currency} ")
    for scale, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if number >= scale:
            return f"{sign}{number / scale:.3g} {name}"
    return f"{sign}{number:,.0f}"


def _sum(match: re.Match[str]) -> Quantity | None:
    groups = match.groupdict()
    name = (groups.get("sign") or groups.get("word") or "").lower()
    currency = (
        _SIGNS.get(name) or _CURRENCIES.get(name) or _CURRENCIES.get(name.removesuffix("s")) or name.upper()
    )
    rate = DOLLARS.get(currency)
    low, high = number_of(match["low"]), number_of(match["high"] or match["low"])
    if rate is None or low is None or high is None:
        return None
    if groups.get("scale"):
        apart = number_of(f"1 {groups['scale']}") or 1.0
        low, high = low * apart, high * apart
    scale = _SCALED.search(match["high"] or "")
    if scale is not None and low < high and _SCALED.search(match["low"]) is None:
        low *= number_of(f"1 {scale.group()}") or 1.0
    low, high = round(low * rate, 2), round(high * rate, 2)  # no 32200000000.000004
    if not low <= high < LARGEST:
        return None
    qualifier = "range" if low < high else ""
    return Quantity(low, low, high, qualifier, match.start(), match.end(), currency=currency)
