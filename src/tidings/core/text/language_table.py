"""Languages by their codes: what they are called, and which of Snowball's stemmers is theirs."""

from __future__ import annotations

__all__ = ["ENGLISH_CODE", "ICU", "NAMES", "check_code", "code_of", "name_of", "stemmer_of"]

ENGLISH_CODE = "en"
ICU = "+icu"
"""Stands behind a code whose words are those of ICU's dictionaries."""

NAMES: dict[str, str] = {
    **{"ar": "Arabic", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek"},
    **{"en": "English", "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish"},
    **{"fr": "French", "ga": "Irish", "hi": "Hindi", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian"},
    **{"it": "Italian", "ja": "Japanese", "km": "Khmer", "ko": "Korean", "lo": "Lao", "lt": "Lithuanian"},
    **{"my": "Burmese", "ne": "Nepali", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese"},
    **{"ro": "Romanian", "ru": "Russian", "sr": "Serbian", "sv": "Swedish", "ta": "Tamil", "th": "Thai"},
    **{"tr": "Turkish", "uk": "Ukrainian", "yi": "Yiddish", "zh": "Chinese"},
}
"""The languages of which tidings knows stems, stop words or how words stand together."""

_WITHOUT_STEMS = frozenset({"ja", "km", "ko", "lo", "my", "th", "uk", "zh"})
_SNOWBALL = {code: name.lower() for code, name in NAMES.items() if code not in _WITHOUT_STEMS}
_CODES = {name: code for code, name in _SNOWBALL.items()}
_ALSO = {"nb": "no", "nn": "no", "iw": "he", "in": "id"}


def code_of(language: str) -> str:
    """The code of ISO 639-1 of what a system calls a language: a code, or Snowball's name; "" for another name.

    >>> code_of("german"), code_of("zh+icu"), code_of("nb"), code_of("porter")
    ('de', 'zh', 'no', '')
    """
    bare = language.removesuffix(ICU)
    if bare in ("porter", "english"):
        return ENGLISH_CODE if bare == "english" else ""
    code = _CODES.get(bare) or (bare if len(bare) == 2 else "")
    return _ALSO.get(code, code)


def stemmer_of(language: str) -> str:
    """Snowball's name of the stemmer that a language, by code or by such a name, is stemmed by; "" where there is none.

    >>> stemmer_of("de"), stemmer_of("porter"), stemmer_of("ja")
    ('german', 'porter', '')
    """
    code = code_of(language)
    return _SNOWBALL.get(code, "") if code else language


def name_of(code: str) -> str:
    """What a language is called in English; its code where that is not known here.

    >>> name_of("fr"), name_of("sw")
    ('French', 'sw')
    """
    return NAMES.get(code, code)


def check_code(code: str) -> str:
    """The code in small letters, without a region; a UsageError where it is none.

    >>> check_code("pt-BR"), check_code("DE")
    ('pt', 'de')
    """
    bare = code.strip().lower().replace("_", "-").partition("-")[0]
    if len(bare) == 2 and bare.isascii() and bare.isalpha():
        return _ALSO.get(bare, bare)
    from tidings.core.errors import UsageError

    raise UsageError(
        f"found language {code!r}, expected a code of two letters (ISO 639-1), such as de, es, fr, ar, zh, ja or hi"
    )
