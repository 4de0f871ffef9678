"""How timelines are scored: as tilse does with ROUGE 1.5.5, or as the papers say."""

from __future__ import annotations

from dataclasses import dataclass

from tidings.core import UsageError

__all__ = ["RULES", "Rules", "named"]


@dataclass(frozen=True, slots=True)
class Rules:
    """One way of scoring.

    Attributes:
        each: every reference timeline is a topic of its own (news-tls), instead of all together (tilse).
        last_day_wins: of a day that is listed twice the last sentences count (tilse); otherwise all do.
        markup: a sentence ends at its first `<`, and `^` is the word `circ`: tilse hands sentences to ROUGE as HTML.
        ascii_words: letters beyond A to Z separate words (ROUGE 1.5.5).
    """

    name: str
    each: bool = False
    last_day_wins: bool = True
    markup: bool = True
    ascii_words: bool = True


RULES: dict[tuple[str, str], Rules] = {
    (name, mode): Rules(
        name,
        each=name == "tls-each",
        last_day_wins=mode == "official",
        markup=mode == "official",
        ascii_words=mode == "official",
    )
    for name in ("tls", "tls-each")
    for mode in ("official", "guideline")
}


def named(name: str, mode: str = "official") -> Rules:
    """The rules `tls` (tilse) or `tls-each` (news-tls), as the scripts do or as the papers say.

    Raises:
        UsageError: there are no such rules.

    >>> named("tls").last_day_wins, named("tls", "guideline").last_day_wins
    (True, False)
    """
    if (name, mode) not in RULES:
        raise UsageError(
            f"unknown rules {name!r} in mode {mode!r}; known are tls, tls-each; official, guideline"
        )
    return RULES[name, mode]
