"""Light stems of Arabic words: the article and the commonest endings go, whatever stands in the middle stays.

As the stemmer "light10" of Larkey, Ballesteros and Connell (Improving stemming for Arabic information retrieval, SIGIR
2002) is described there, in code of our own. Snowball's stemmer takes the first letter of words such as فيضان (a flood)
for the conjunction and leaves it on with the article, so that a word does not meet itself.
"""

from __future__ import annotations

__all__ = ["light_stem"]

_ARTICLES = ("وال", "بال", "كال", "فال", "ال", "لل")
_ENDINGS = ("ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي")


def light_stem(word: str) -> str:
    """The light stem of a word whose letters were made alike (`tidings.core.text.words`).

    >>> light_stem("الفيضان") == light_stem("فيضان"), light_stem("والسد")
    (True, 'سد')
    """
    if word.startswith("و") and len(word) > 3:
        word = word[1:]
    for article in _ARTICLES:
        if word.startswith(article) and len(word) - len(article) >= 2:
            word = word[len(article) :]
            break
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            word = word[: -len(ending)]
    return word
