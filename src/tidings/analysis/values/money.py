"""Sums of money in text, in dollars, by a table of rates of one day.

The rates are rounded and old: they say whether a storm cost millions or billions, not what anything costs today.
"""

from __future__ import annotations

import re

from msgspec import Struct

from tidings.analysis.values.numbers import LARGEST, NUMBER, number_of

__all__ = ["DOLLARS", "RATES_DATE", "Sum", "find_sums"]

RATES_DATE = "2013-06-28"
"""The day of the rates in `DOLLARS`."""

DOLLARS = {
    "USD": 1.0,
    "ARS": 0.186,
    "AUD": 0.914,
    "BDT": 0.0129,
    "BRL": 0.449,
    "CAD": 0.951,
    "CHF": 1.06,
    "CNY": 0.163,
    "CZK": 0.0501,
    "DKK": 0.174,
    "EGP": 0.1425,
    "EUR": 1.30,
    "GBP": 1.52,
    "HKD": 0.129,
    "HUF": 0.0044,
    "IDR": 0.0001007,
    "ILS": 0.275,
    "INR": 0.0168,
    "JPY": 0.0101,
    "KRW": 0.000876,
    "MXN": 0.077,
    "MYR": 0.316,
    "NOK": 0.165,
    "NZD": 0.773,
    "PHP": 0.0231,
    "PKR": 0.01003,
    "PLN": 0.301,
    "RUB": 0.0305,
    "SEK": 0.149,
    "SGD": 0.789,
    "THB": 0.0322,
    "TRY": 0.518,
    "TWD": 0.0334,
    "ZAR": 0.101,
}
"""Dollars for one unit of each currency (ISO 4217) on `RATES_DATE`."""

_SIGNS = {
    "us$": "USD",
    "a$": "AUD",
    "au$": "AUD",
    "c$": "CAD",
    "nz$": "NZD",
    "hk$": "HKD",
    "s$": "SGD",
    "nt$": "TWD",
    "r$": "BRL",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "rs.": "INR",
    "rs": "INR",
    "₽": "RUB",
    "₩": "KRW",
    "₱": "PHP",
    "₺": "TRY",
    "rp": "IDR",
}
_WORDS = {
    "us dollar": "USD",
    "australian dollar": "AUD",
    "canadian dollar": "CAD",
    "new zealand dollar": "NZD",
    "hong kong dollar": "HKD",
    "singapore dollar": "SGD",
    "dollar": "USD",
    "euro": "EUR",
    "pound": "GBP",
    "yen": "JPY",
    "yuan": "CNY",
    "renminbi": "CNY",
    "indian rupee": "INR",
    "pakistani rupee": "PKR",
    "rupee": "INR",
    "rouble": "RUB",
    "ruble": "RUB",
    "swiss franc": "CHF",
    "philippine peso": "PHP",
    "mexican peso": "MXN",
    "argentine peso": "ARS",
    "rupiah": "IDR",
    "won": "KRW",
    "baht": "THB",
    "ringgit": "MYR",
    "rand": "ZAR",
    "reais": "BRL",
    "shekel": "ILS",
    "taka": "BDT",
    "turkish lira": "TRY",
    "lira": "TRY",
    "zloty": "PLN",
    "egyptian pound": "EGP",
    "kronor": "SEK",
    "forint": "HUF",
}


class Sum(Struct, frozen=True):
    """Money as characters start..end of a text say, in US dollars from `low` to `high`."""

    value: float
    low: float
    high: float
    currency: str
    start: int
    end: int


def _alternatives(table: dict[str, str]) -> str:
    return "|".join(re.escape(word) for word in sorted(table, key=len, reverse=True))


_CODES = "|".join(DOLLARS)
_BETWEEN = r"(?P<between> ?[-–] ?| to | and )"
_SIGNED = re.compile(
    rf"(?<!\w)(?P<sign>{_alternatives(_SIGNS)}|(?:{_CODES})(?= ?\d)) ?(?P<low>{NUMBER})"
    rf"(?:{_BETWEEN}(?:{_alternatives(_SIGNS)})? ?(?P<high>{NUMBER}))?(?P<scale> (?:bn|mn|tn|m)\b)?(?![\w%]|[.,]\d)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"(?<![\w.,$€£¥₹-])(?P<low>{NUMBER})(?:{_BETWEEN}(?P<high>{NUMBER}))? (?P<word>(?:{_alternatives(_WORDS)})s?|"
    rf"(?:{_CODES}))(?!\w)",
    re.IGNORECASE,
)
_ANY = re.compile(rf"[$€£¥₹₽₩₱₺]|\b(?:{_alternatives(_WORDS)}|Rs|{_CODES})", re.IGNORECASE)
_SCALED = re.compile(
    r"(hundred|thousand|lakh|million|mln|crore|billion|bln|trillion|k|m|mn|bn|tn)s?$", re.IGNORECASE
)


def find_sums(text: str) -> list[Sum]:
    """The sums of money of `text`, in order, in dollars.

    >>> [(one.low, one.high, one.currency) for one in find_sums("losses of $10 to 20 billion, or 2m euros")]
    [(10000000000.0, 20000000000.0, 'USD'), (2600000.0, 2600000.0, 'EUR')]
    >>> find_sums("three horses")
    []
    """
    if not _ANY.search(text):
        return []
    sums: list[Sum] = []
    matches = [*_SIGNED.finditer(text), *_NAMED.finditer(text)]
    for match in sorted(matches, key=lambda match: (match.start(), -match.end())):
        if sums and (match.start() < sums[-1].end or text[sums[-1].end : match.start()].strip() == "("):
            continue  # $75m (£50m) is one sum
        money = _sum(match)
        if money is not None:
            sums.append(money)
    return sums


def _sum(match: re.Match[str]) -> Sum | None:
    groups = match.groupdict()
    name = (groups.get("sign") or groups.get("word") or "").lower()
    currency = _SIGNS.get(name) or _WORDS.get(name) or _WORDS.get(name.removesuffix("s")) or name.upper()
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
    return Sum(low, low, high, currency, match.start(), match.end())
